//! Descriptions of errors in JSON documents, independent of the wording of the JSON library.

use super::error::Quoted;
use serde_json::error::Category;

/// Returns the column and the error, as the end of a sentence that begins with the line number.
#[must_use]
pub fn damage(error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    let text = text.rsplit_once(" at line ").map_or(&*text, |(text, _)| text).replace('`', "");
    if text == "number out of range" {
        return format!("column {column}: a number that is too large");
    }
    if error.classify() != Category::Data {
        return format!("column {column}: not JSON from here on");
    }
    if let Some(field) = text.strip_prefix("missing field ") {
        return format!("{} is missing", Quoted::part(field));
    }
    let words = text.split_once(", expected").map_or(&*text, |(words, _)| words);
    match words.split_once(": ") {
        Some((_, "map")) => format!("column {column}: unexpected object"),
        Some((_, "sequence")) => format!("column {column}: unexpected list"),
        // The library quotes strings but does not shorten them.
        Some((_, found)) => {
            let found: String = found.chars().take(Quoted::PART).collect();
            format!("column {column}: unexpected {found}")
        }
        None => match words.split_once(' ').and_then(|(kind, rest)| Some((kind, rest.split_once(' ')?.1))) {
            Some(("duplicate", name)) => format!("column {column}: {} comes again", Quoted::part(name)),
            Some((_, name)) => format!("column {column}: {} is not known", Quoted::part(name)),
            None => format!("column {column}: unexpected value"),
        },
    }
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
        kind: Kind,
    }

    #[derive(Debug, Deserialize)]
    enum Kind {
        #[serde(rename = "a")]
        A,
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("", "column 0: not JSON from here on"),
            ("{\"count\":}", "column 10: not JSON from here on"),
            ("{\"count\":1e999}", "column 14: a number that is too large"),
            ("{\"count\":300,\"kind\":\"a\"}", "column 12: unexpected integer 300"),
            ("{\"count\":[],\"kind\":\"a\"}", "column 9: unexpected list"),
            ("{\"count\":1,\"kind\":\"b\"}", "column 21: \"b\" is not known"),
            ("{\"count\":1,\"size\":1}", "column 17: \"size\" is not known"),
            ("{\"count\":1,\"count\":2}", "column 18: \"count\" comes again"),
            ("{\"count\":1}", "\"kind\" is missing"),
            ("3", "column 1: unexpected integer 3"),
        ] {
            assert_eq!(damage(&serde_json::from_str::<Document>(text).unwrap_err()), said, "{text}");
        }
    }
}
