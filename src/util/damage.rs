//! Descriptions of errors in JSON documents.

use crate::core::error::Quoted;
use serde_json::error::Category;

/// Returns the column and the error, as the end of a sentence that begins with the line number.
#[must_use]
pub fn damage(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(&*text, |(text, _)| text);
    let text = match error.classify() {
        Category::Eof => "the text ends too early".into(),
        Category::Syntax | Category::Io => syntax(text),
        Category::Data => in_words(text).unwrap_or_else(|| text.to_owned()),
    };
    // serde_json quotes strings without escaping their control characters.
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let text: String = text.chars().take(Quoted::LIMIT).map(shown).collect();
    format!("column {}: {text}", error.column())
}

/// Rewords an error about the syntax.
fn syntax(text: &str) -> String {
    let text = text.replace('`', "\"");
    match text.strip_prefix("expected ") {
        // serde_json says so also where a word is needed and another value stands.
        Some("value") => "a value is missing, or of the wrong type".into(),
        Some("ident") => "not valid JSON: true, false or null is misspelt".into(),
        Some(sign) => format!("not valid JSON: {sign} is missing"),
        None => format!("not valid JSON: {text}"),
    }
}

/// The words of serde for what it has found, and ours.
const FOUND: [(&str, &str); 7] = [
    ("sequence", "a list"),
    ("map", "an object"),
    ("string ", "the text "),
    ("integer ", "the number "),
    ("floating point ", "the number "),
    ("boolean ", ""),
    ("null", "null"),
];

/// The words of serde for what it expects, and ours.
const EXPECTED: [(&str, &str); 10] = [
    ("a string", "a text"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("a boolean", "true or false"),
    ("struct ", "an object"),
    ("tuple", "a list"),
    ("a tuple", "a list"),
    ("an array", "a list"),
    ("f32", "a number"),
    ("f64", "a number"),
];

/// Rewords an error about a value. `None` if it is none.
fn in_words(text: &str) -> Option<String> {
    if let Some((length, expected)) =
        text.strip_prefix("invalid length ").and_then(|text| text.split_once(", expected "))
    {
        let needed = expected.rsplit_once(" with ").map_or(expected, |(_, count)| count);
        let needed = needed.trim_start_matches("a tuple of size ");
        return Some(format!("a list of {length} where {needed} are needed"));
    }
    let (kind, rest) = text.split_once([':', '`'])?;
    let rest = rest.trim_end_matches('`').trim();
    match kind.trim_end() {
        "invalid type" | "invalid value" => {
            let (found, expected) = rest.rsplit_once(", expected ")?;
            Some(format!("{} where {} is needed", reworded(&FOUND, found), needed(expected)))
        }
        "missing field" => Some(format!("no field \"{rest}\"")),
        "duplicate field" => Some(format!("the field \"{rest}\" twice")),
        "unknown field" | "unknown variant" => {
            let what = if kind.starts_with("unknown field") { "the unknown field" } else { "the unknown word" };
            let (name, others) = rest.split_once("`, ")?;
            let others = others.replace("expected ", "").replace("one of ", "").replace('`', "");
            Some(format!("{what} \"{name}\"; known: {others}"))
        }
        _ => None,
    }
}

/// Replaces the first of these beginnings.
fn reworded(words: &[(&str, &str)], text: &str) -> String {
    let found = words.iter().find_map(|(theirs, ours)| Some(format!("{ours}{}", text.strip_prefix(theirs)?)));
    found.unwrap_or_else(|| text.to_owned()).replace('`', "")
}

/// Returns what is expected.
fn needed(expected: &str) -> &str {
    if let Some(bits) = expected.strip_prefix(['u', 'i'])
        && (bits == "size" || bits.parse::<u8>().is_ok())
    {
        return if expected.starts_with('u') { "a whole number from 0 within its range" } else { "a whole number" };
    }
    EXPECTED.iter().find(|(theirs, _)| expected.starts_with(theirs)).map_or(expected, |(_, ours)| ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Document {
        #[expect(dead_code, reason = "it is read, and that is all")]
        count: u8,
        #[expect(dead_code, reason = "it is read, and that is all")]
        kind: Letter,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "it is read, and that is all")]
    struct Pair(String, f64);

    #[derive(Debug, Deserialize)]
    enum Letter {
        #[serde(rename = "a")]
        A,
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("", "column 0: the text ends too early"),
            ("{\"count\":}", "column 10: a value is missing, or of the wrong type"),
            ("{\"count\" 1}", "column 10: not valid JSON: \":\" is missing"),
            ("{\"count\":nul}", "column 13: not valid JSON: true, false or null is misspelt"),
            ("{\"count\":1e999}", "column 14: not valid JSON: number out of range"),
            (
                "{\"count\":300,\"kind\":\"a\"}",
                "column 12: the number 300 where a whole number from 0 within its range is needed",
            ),
            (
                "{\"count\":[],\"kind\":\"a\"}",
                "column 9: a list where a whole number from 0 within its range is needed",
            ),
            ("{\"count\":1,\"kind\":\"b\"}", "column 21: the unknown word \"b\"; known: a"),
            ("{\"count\":1,\"size\":1}", "column 17: the unknown field \"size\"; known: count or kind"),
            ("{\"count\":1,\"count\":2}", "column 18: the field \"count\" twice"),
            ("{\"count\":1}", "column 11: no field \"kind\""),
            ("{\"a\\nb\":1}", "column 7: the unknown field \"a\u{fffd}b\"; known: count or kind"),
            ("3", "column 1: the number 3 where an object is needed"),
        ] {
            assert_eq!(damage(&serde_json::from_str::<Document>(text).unwrap_err()), said, "{text}");
        }
        for (text, said) in [
            ("[\"a\"]", "column 5: a list of 1 where 2 elements are needed"),
            ("{}", "column 0: an object where a list is needed"),
            ("[\"a\",\"b\"]", "column 8: the text \"b\" where a number is needed"),
            ("[true,1]", "column 5: true where a text is needed"),
            ("[null,1]", "column 5: null where a text is needed"),
        ] {
            assert_eq!(damage(&serde_json::from_str::<Pair>(text).unwrap_err()), said, "{text}");
        }
    }
}
