//! The options that an engine declares in its handshake, and their values.

use secateurs::core::error::Quoted;
use serde::Serialize;

/// An option as the engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The name; it may contain spaces, and case does not matter.
    pub name: String,
    /// The type with its range.
    pub kind: Kind,
    /// How the engine writes the empty text: `<empty>` in UCI, unless its declaration ends in a bare `default`, as that
    /// of engines that would take the word for a value.
    pub empty: &'static str,
}

/// The type of an option. Defaults are the engine's; a missing one is the empty text, `false` or 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// A text.
    #[serde(rename = "string")]
    Text {
        /// The default.
        default: String,
    },
    /// The path of a file or a folder.
    #[serde(rename = "filename")]
    File {
        /// The default.
        default: String,
    },
    /// No value: setting the option triggers an action.
    Button,
}

impl Declared {
    /// Parses `option name N type T [default V] [min A] [max B] [var V ...]`; `None` without a name or with an unknown
    /// type.
    pub fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let rest = words.strip_prefix(&["option", "name"])?;
        // A name may contain the word `type`, so it must be followed by one of the six types.
        let types = ["check", "spin", "combo", "string", "filename", "button"];
        let at = rest.windows(2).position(|pair| pair[0] == "type" && types.contains(&pair[1]))?;
        let (name, rest) = (rest[..at].join(" "), &rest[at + 1..]);
        let (kind, rest) = rest.split_first()?;
        let part = |word: &str| value(rest, word);
        let number = |word: &str| part(word).and_then(|value| value.parse::<i64>().ok());
        // A text may contain any word, keywords included.
        let text = || match rest.split_first() {
            Some((&"default", words)) if *words != ["<empty>"] => words.join(" "),
            _ => String::new(),
        };
        let kind = match *kind {
            "check" => Kind::Check { default: part("default").as_deref() == Some("true") },
            "spin" => Kind::Spin {
                default: number("default").unwrap_or_default(),
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => Kind::Combo { default: part("default").unwrap_or_default(), choices: choices(rest) },
            "string" => Kind::Text { default: text() },
            "filename" => Kind::File { default: text() },
            _ => Kind::Button,
        };
        let is_text = matches!(kind, Kind::Text { .. } | Kind::File { .. });
        let empty = if is_text && *rest != ["default"] { "<empty>" } else { "" };
        (!name.is_empty()).then_some(Self { name, kind, empty })
    }

    /// Returns the value in the engine's spelling.
    ///
    /// # Errors
    /// A description of the valid values.
    pub fn value_for(&self, value: &str) -> Result<String, String> {
        let (found, expected) = match &self.kind {
            Kind::Check { .. } => {
                let word = ["true", "false"].into_iter().find(|word| word.eq_ignore_ascii_case(value));
                (word.map(str::to_owned), "true or false".into())
            }
            Kind::Spin { min, max, .. } => {
                let number = value.parse::<i64>().ok().filter(|number| (min..=max).contains(&number));
                (number.map(|number| number.to_string()), format!("a whole number from {min} to {max}"))
            }
            Kind::Combo { choices, .. } => {
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value.trim()));
                (choice.cloned(), format!("one of {}", Quoted::new(&choices.join(", "))))
            }
            Kind::Text { .. } | Kind::File { .. } => {
                let text = if value.is_empty() { self.empty } else { value };
                ((!text.contains(['\n', '\r', '\0'])).then(|| text.to_owned()), "one line".into())
            }
            // Settings files give every option a value, also to buttons.
            Kind::Button => (["", "true"].contains(&value).then(String::new), "no value".into()),
        };
        found.ok_or(expected)
    }
}

/// Returns the words between a keyword and the next; `None` if the keyword is missing.
fn value(words: &[&str], word: &str) -> Option<String> {
    let start = words.iter().position(|&found| found == word)? + 1;
    let rest = &words[start..];
    let end = rest.iter().position(|word| ["default", "min", "max", "var"].contains(word)).unwrap_or(rest.len());
    Some(rest[..end].join(" "))
}

fn choices(words: &[&str]) -> Vec<String> {
    let starts = words.iter().enumerate().filter(|(_, word)| **word == "var").map(|(at, _)| at);
    starts.filter_map(|at| value(&words[at..], "var")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(rest: &str) -> Declared {
        Declared::parse(&format!("option name {rest}")).unwrap()
    }

    #[test]
    fn declarations_of_every_kind_are_read() {
        assert_eq!(
            parse("Hash type spin default 16 min 1 max 33554432").kind,
            Kind::Spin { default: 16, min: 1, max: 33_554_432 }
        );
        assert_eq!(
            parse("Clear Hash type button"),
            Declared { name: "Clear Hash".into(), kind: Kind::Button, empty: "" }
        );
        assert_eq!(parse("Ponder type check default true").kind, Kind::Check { default: true });
        assert_eq!(parse("Odd type name type check").name, "Odd type name");
        let combo = parse("Style type combo default Very Solid var Very Solid var Risky");
        assert_eq!(
            combo.kind,
            Kind::Combo { default: "Very Solid".into(), choices: vec!["Very Solid".into(), "Risky".into()] }
        );
        assert_eq!(parse("Log type string default <empty>").kind, Kind::Text { default: String::new() });
        assert_eq!(parse("Log type string").kind, Kind::Text { default: String::new() });
        assert_eq!(parse("Net type filename default the min net").kind, Kind::File { default: "the min net".into() });
        assert_eq!(parse("N type spin default x min 3").kind, Kind::Spin { default: 0, min: 3, max: i64::MAX });
        for wrong in ["option name", "option name X", "option name type check", "option name X type knob", "id name x"]
        {
            assert_eq!(Declared::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn values_are_checked_before_they_are_sent() {
        let hash = parse("Hash type spin default 16 min 1 max 64");
        assert_eq!(hash.value_for("+8"), Ok("8".into()));
        assert_eq!(hash.value_for("65"), Err("a whole number from 1 to 64".into()));
        let style = parse("Style type combo default a var a var B");
        assert_eq!(style.value_for("b"), Ok("B".into()));
        assert_eq!(style.value_for("c"), Err("one of \"a, B\"".into()));
        assert_eq!(parse("P type check").value_for("TRUE"), Ok("true".into()));
        assert!(parse("P type check").value_for("1").is_err());
        assert_eq!(parse("Clear Hash type button").value_for(""), Ok(String::new()));
        assert!(parse("Clear Hash type button").value_for("x").is_err());
        assert_eq!(parse("Log type string").value_for(""), Ok("<empty>".into()));
        assert_eq!(parse("Log type string default <empty>").value_for(""), Ok("<empty>".into()));
        assert_eq!(parse("Log type string default").value_for(""), Ok(String::new()));
        assert_eq!(parse("Log type string default the default").value_for(""), Ok("<empty>".into()));
        assert!(parse("Log type string").value_for("a\nquit").is_err());
    }
}
