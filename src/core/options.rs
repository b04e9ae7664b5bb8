//! Options. One [`OptionRow`] serves the protocol handshake, the command line, the Python signature and the
//! documentation. A value is parsed once, where it enters the program.

use super::error::{Error, Quoted};
use serde::Serialize;
use std::fmt;
use std::ops::RangeInclusive;

/// The declaration of one option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OptionRow {
    /// The name in the protocol; case-insensitive. Unique across all games.
    pub name: &'static str,
    /// Kind, range and default.
    #[serde(flatten)]
    pub kind: OptionKind,
    /// A description of one line.
    pub help: &'static str,
}

/// The kind of an option, with its range and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number within a range.
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
        /// The default, one of `choices`.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
    },
    /// Free text; the game validates it.
    Text {
        /// The default.
        default: &'static str,
    },
    /// The path of a file, or empty. What is in it may change values.
    File,
    /// The path of a folder, or empty. Its files make a search faster but change no value of the game, so tables do not
    /// depend on it.
    Folder,
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// The value of a check.
    Check(bool),
    /// The value of a spin.
    Spin(i64),
    /// The value of a combo: the choice as declared.
    Combo(&'static str),
    /// The value of a text, a file or a folder.
    Text(String),
}

impl OptionRow {
    /// Declares a check.
    pub const fn check(name: &'static str, default: bool) -> Self {
        Self { name, kind: OptionKind::Check { default }, help: "" }
    }

    /// Declares a spin.
    pub const fn spin(name: &'static str, default: i64, range: RangeInclusive<i64>) -> Self {
        Self { name, kind: OptionKind::Spin { default, min: *range.start(), max: *range.end() }, help: "" }
    }

    /// Declares a combo.
    pub const fn combo(name: &'static str, default: &'static str, choices: &'static [&'static str]) -> Self {
        Self { name, kind: OptionKind::Combo { default, choices }, help: "" }
    }

    /// Declares a text.
    pub const fn text(name: &'static str, default: &'static str) -> Self {
        Self { name, kind: OptionKind::Text { default }, help: "" }
    }

    /// Declares a folder.
    pub const fn folder(name: &'static str) -> Self {
        Self { name, kind: OptionKind::Folder, help: "" }
    }

    /// Adds the description.
    pub const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// Parses a value.
    ///
    /// # Errors
    /// [`Error::BadValue`], which names the option, the value and the range.
    pub fn parse(&self, text: &str) -> Result<OptionValue, Error> {
        let text = text.trim();
        let value = match self.kind {
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => Some(OptionValue::Check(true)),
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => Some(OptionValue::Check(false)),
            OptionKind::Check { .. } => None,
            OptionKind::Spin { min, max, .. } => {
                text.parse().ok().filter(|n| (min..=max).contains(n)).map(OptionValue::Spin)
            }
            OptionKind::Combo { choices, .. } => {
                choices.iter().find(|choice| choice.eq_ignore_ascii_case(text)).map(|choice| OptionValue::Combo(choice))
            }
            // Managers send this word for an empty string.
            OptionKind::Text { .. } | OptionKind::File | OptionKind::Folder => {
                Some(OptionValue::Text(if text == "<empty>" { "" } else { text }.into()))
            }
        };
        value.ok_or_else(|| self.bad_value(text))
    }

    /// Returns the error for a value that this option does not accept.
    #[must_use]
    pub fn bad_value(&self, text: &str) -> Error {
        Error::BadValue { name: self.name.into(), value: Quoted::new(text), expected: self.kind.to_string() }
    }

    /// Returns the default value.
    #[must_use]
    pub fn default_value(&self) -> OptionValue {
        match self.kind {
            OptionKind::Check { default } => OptionValue::Check(default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(default),
            OptionKind::Combo { default, .. } => OptionValue::Combo(default),
            OptionKind::Text { default } => OptionValue::Text(default.into()),
            OptionKind::File | OptionKind::Folder => OptionValue::Text(String::new()),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { .. } => write!(f, "true or false"),
            Self::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Combo { choices, .. } => write!(f, "one of {}", choices.join(", ")),
            Self::Text { .. } => write!(f, "text"),
            Self::File => write!(f, "a file"),
            Self::Folder => write!(f, "a folder"),
        }
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(value) => value.fmt(f),
            Self::Spin(value) => value.fmt(f),
            Self::Combo(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

/// The values of a list of options, in the order of its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    rows: &'static [OptionRow],
    values: Vec<OptionValue>,
}

impl Options {
    /// Returns the options with every value at its default.
    pub fn new(rows: &'static [OptionRow]) -> Self {
        Self { rows, values: rows.iter().map(OptionRow::default_value).collect() }
    }

    /// Sets an option by its case-insensitive name.
    ///
    /// # Errors
    /// [`Error::UnknownOption`] or [`Error::BadValue`]; the options are then unchanged.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let index = self.index(name).ok_or_else(|| Error::UnknownOption(Quoted::new(name)))?;
        self.values[index] = self.rows[index].parse(text)?;
        Ok(())
    }

    /// Returns whether there is an option of that name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Iterates over rows and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static OptionRow, &OptionValue)> {
        self.rows.iter().zip(&self.values)
    }

    /// Iterates over the options that values of positions depend on: all but folders.
    pub(crate) fn shaping(&self) -> impl Iterator<Item = (&'static OptionRow, &OptionValue)> {
        self.iter().filter(|(row, _)| row.kind != OptionKind::Folder)
    }

    /// Returns the same options with every folder empty.
    pub(crate) fn without_folders(&self) -> Self {
        let shaping = |(row, value): (&OptionRow, &OptionValue)| match row.kind {
            OptionKind::Folder => row.default_value(),
            _ => value.clone(),
        };
        Self { rows: self.rows, values: self.iter().map(shaping).collect() }
    }

    /// Iterates over the options that differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = (&'static OptionRow, &OptionValue)> {
        self.iter().filter(|(row, value)| row.default_value() != **value)
    }

    /// Returns the value of a check; false if there is no such check.
    #[must_use]
    pub fn check(&self, name: &str) -> bool {
        matches!(self.get(name), Some(OptionValue::Check(true)))
    }

    /// Returns the value of a spin; 0 if there is no such spin.
    #[must_use]
    pub fn spin(&self, name: &str) -> i64 {
        if let Some(OptionValue::Spin(value)) = self.get(name) { *value } else { 0 }
    }

    /// Returns the value of a combo, a text, a file or a folder; empty if there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(OptionValue::Combo(value)) => value,
            Some(OptionValue::Text(value)) => value,
            _ => "",
        }
    }

    fn get(&self, name: &str) -> Option<&OptionValue> {
        self.index(name).map(|index| &self.values[index])
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.name.eq_ignore_ascii_case(name))
    }
}
