//! The arguments for the strength of the engine.

use crate::cli::time;
use clap::builder::{PossibleValue, RangedU64ValueParser, TypedValueParser};
use clap::{Arg, Command, Error, value_parser};
use secateurs::opponent::{LEVELS, Strength};
use std::ffi::OsStr;
use std::time::Duration;

/// The parser of a level: an error names the range, the help describes each.
#[derive(Clone)]
pub(crate) struct LevelParser;

impl TypedValueParser for LevelParser {
    type Value = Strength;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Strength, Error> {
        let number = RangedU64ValueParser::<usize>::new().range(1..=LEVELS.len() as u64);
        number.parse_ref(command, argument, value).map(Strength::Level)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let described = |(number, level): (usize, _)| PossibleValue::new(number.to_string()).help(format!("{level}"));
        Some(Box::new((1..).zip(&LEVELS).map(described)))
    }
}

/// Parses a depth.
pub(crate) fn depth() -> impl TypedValueParser<Value = Strength> {
    value_parser!(u8).range(1..).map(Strength::Depth)
}

/// Parses a number of nodes.
pub(crate) fn nodes() -> impl TypedValueParser<Value = Strength> {
    value_parser!(u64).range(1..).map(Strength::Nodes)
}

/// Parses milliseconds.
pub(crate) fn milliseconds() -> impl TypedValueParser<Value = Strength> {
    value_parser!(u64).range(1..=86_400_000).map(|ms| Strength::Time(Duration::from_millis(ms)))
}

/// Parses a [time](time::seconds).
///
/// # Errors
/// A description of the valid times.
pub(crate) fn seconds(text: &str) -> Result<Strength, &'static str> {
    let valid = Duration::from_millis(1)..=Duration::from_secs(86_400);
    let time = time::seconds(text).ok().filter(|time| valid.contains(time));
    time.map(Strength::Time).ok_or("expected 1 ms to 86400 s")
}
