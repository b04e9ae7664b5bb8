//! The arguments for the strength of the engine.

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

/// Parses seconds, optionally followed by `s`, or milliseconds followed by `ms`.
///
/// # Errors
/// A description of the valid times.
pub(crate) fn seconds(text: &str) -> Result<Strength, &'static str> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (1e-3..=86_400.0).contains(seconds));
    seconds.map(|seconds| Strength::Time(Duration::from_secs_f64(seconds))).ok_or("expected 1 ms to 86400 s")
}
