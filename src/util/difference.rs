//! Differences between two JSON documents, described in words.

use crate::core::error::Quoted;
use serde_json::{Map, Value};

/// The number of differences that are named; further ones are counted.
const NAMED: usize = 3;

/// Describes how a stored document differs from another: `seed is "1", not "2"`. A nested value is named by its path:
/// `engines[1].limits.nodes is 150, not 151`; an option of the command line, `--nodes`, by its name alone. `None` if
/// the documents are equal.
#[must_use]
pub fn difference(there: &Value, here: &Value) -> Option<String> {
    let mut found = Vec::new();
    compare(String::new(), Some(there), Some(here), &mut found);
    let more = found.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    found.truncate(NAMED);
    (!found.is_empty()).then(|| found.join(", ") + &more)
}

/// Returns the settings of a plan by the options of the command line that set them.
#[must_use]
pub fn as_options(plan: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    for (key, value) in plan.as_object().into_iter().flatten() {
        match value {
            Value::Object(_) => found.extend(as_options(value)),
            _ => drop(found.insert(format!("--{}", key.replace('_', "-")), value.clone())),
        }
    }
    found
}

fn compare(path: String, there: Option<&Value>, here: Option<&Value>, found: &mut Vec<String>) {
    match (there, here) {
        (Some(there), Some(here)) if there == here => {}
        (Some(Value::Object(there)), Some(Value::Object(here))) => {
            let new = here.keys().filter(|key| !there.contains_key(*key));
            for key in there.keys().chain(new) {
                let path = if path.is_empty() || key.starts_with("--") { key.clone() } else { format!("{path}.{key}") };
                compare(path, there.get(key), here.get(key), found);
            }
        }
        (Some(Value::Array(there)), Some(Value::Array(here))) => {
            for index in 0..there.len().max(here.len()) {
                compare(format!("{path}[{index}]"), there.get(index), here.get(index), found);
            }
        }
        (Some(_), Some(Value::Null)) => compare(path, there, None, found),
        (Some(Value::Null), Some(_)) => compare(path, None, here, found),
        (Some(there), Some(here)) => {
            let path = if path.is_empty() { "it" } else { &path };
            found.push(format!("{path} is {}, not {}", shown(there), shown(here)));
        }
        (Some(there), None) => found.push(format!("{path} is {} and is not set here", shown(there))),
        (None, Some(here)) => found.push(format!("{path} is not set and is {} here", shown(here))),
        (None, None) => {}
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => Quoted::new(text).to_string(),
        // JSON has no control characters.
        other => {
            let text = other.to_string();
            let shown: String = text.chars().take(Quoted::PART).collect();
            if shown.len() < text.len() { shown + "..." } else { shown }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_named_by_its_path() {
        let there =
            json!({"game": "kalah", "engines": [{"name": "a", "options": {"Hash": "16"}}, {"name": "b"}], "games": 8});
        let with = |path: &str, value: Value| {
            let mut here = there.clone();
            *here.pointer_mut(path).unwrap() = value;
            difference(&there, &here).unwrap_or_default()
        };
        assert_eq!(difference(&there, &there), None);
        assert_eq!(with("/game", json!("nim")), "game is \"kalah\", not \"nim\"");
        assert_eq!(with("/games", Value::Null), "games is 8 and is not set here");
        assert_eq!(with("/engines/0/options/Hash", json!("64")), "engines[0].options.Hash is \"16\", not \"64\"");
        assert_eq!(with("/engines/0/options", json!({})), "engines[0].options.Hash is \"16\" and is not set here");
        let first = "engines[0] is {\"name\":\"a\",\"options\":{\"Hash\":\"16\"}} and is not set here";
        assert_eq!(
            with("/engines", json!([])),
            format!("{first}, engines[1] is {{\"name\":\"b\"}} and is not set here")
        );
        assert_eq!(with("/engines/1", json!("b")), "engines[1] is {\"name\":\"b\"}, not \"b\"");
        assert_eq!(difference(&json!(1), &json!([])), Some("it is 1, not []".into()));
        let (there, here) = (json!({"options": [["Hash", "1"]]}), json!({"options": [["Hash", "1"], ["Log", "x"]]}));
        let expected = "options[1] is not set and is [\"Log\",\"x\"] here";
        assert_eq!(difference(&there, &here), Some(expected.into()));
        let (there, here) =
            (json!({"resign": null}), json!({"resign": {"moves": 3, "score": 500, "after": 0, "x": [1, 2]}}));
        let found = difference(&there, &here).unwrap();
        assert!(found.starts_with("resign is not set and is {\"") && found.ends_with("... here"), "{found}");
    }

    #[test]
    fn long_documents_give_short_messages() {
        let document =
            |value: &str| (0..50).map(|key| (format!("k{key:02}"), json!(value.repeat(500)))).collect::<Value>();
        let text = difference(&document("a"), &document("b")).unwrap();
        assert!(text.starts_with("k00 is \"aaa") && text.ends_with(", and 47 more") && text.len() < 1500, "{text}");
    }
}
