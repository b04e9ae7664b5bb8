//! Descriptions of errors in JSON documents.

use crate::core::error::Quoted;

/// Returns the column and the error, as the end of a sentence that begins with the line number.
#[must_use]
pub fn damage(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(&*text, |(text, _)| text);
    // serde_json quotes strings without escaping their control characters.
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let text: String = text.chars().take(Quoted::LIMIT).map(shown).collect();
    format!("column {}: {text}", error.column())
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
    enum Letter {
        #[serde(rename = "a")]
        A,
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            ("", "column 0: EOF while parsing a value"),
            ("{\"count\":}", "column 10: expected value"),
            ("{\"count\":1e999}", "column 14: number out of range"),
            ("{\"count\":300,\"kind\":\"a\"}", "column 12: invalid value: integer `300`, expected u8"),
            ("{\"count\":[],\"kind\":\"a\"}", "column 9: invalid type: sequence, expected u8"),
            ("{\"count\":1,\"kind\":\"b\"}", "column 21: unknown variant `b`, expected `a`"),
            ("{\"count\":1,\"size\":1}", "column 17: unknown field `size`, expected `count` or `kind`"),
            ("{\"count\":1,\"count\":2}", "column 18: duplicate field `count`"),
            ("{\"count\":1}", "column 11: missing field `kind`"),
            ("{\"a\\nb\":1}", "column 7: unknown field `a\u{fffd}b`, expected `count` or `kind`"),
            ("3", "column 1: invalid type: integer `3`, expected struct Document"),
        ] {
            assert_eq!(damage(&serde_json::from_str::<Document>(text).unwrap_err()), said, "{text}");
        }
    }
}
