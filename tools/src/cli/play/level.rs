//! The arguments for the strength of the engine.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::value_parser;
use secateurs::opponent::{LEVELS, Strength};
use std::time::Duration;

/// Parses a level.
pub(crate) fn level() -> impl TypedValueParser<Value = Strength> {
    let levels =
        (1..).zip(LEVELS).map(|(number, level)| PossibleValue::new(number.to_string()).help(level.to_string()));
    PossibleValuesParser::new(levels).try_map(|number| number.parse().map(Strength::Level))
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
