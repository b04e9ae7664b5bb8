//! The time of a search: `--time` in seconds, as in Python, or `--movetime` in milliseconds, as in the protocol.

use clap::value_parser;
use secateurs::core::error::Quoted;
use std::time::Duration;

/// The longest time of a search, seconds, as in Python.
const LONGEST: f64 = 1e9;

/// The time of each search.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct TimeArgs {
    /// Stop each search after S seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Stop each search after MS milliseconds
    #[arg(short = 't', long, value_name = "MS", conflicts_with = "time", value_parser = value_parser!(u64).range(1..))]
    movetime: Option<u64>,
}

impl TimeArgs {
    /// Returns the time; `None` for no limit.
    pub(crate) fn limit(self) -> Option<Duration> {
        self.time.or(self.movetime.map(Duration::from_millis))
    }
}

/// Parses a time: seconds, which may have the unit `s`, or milliseconds with the unit `ms`.
///
/// # Errors
/// The text is not a number above 0, or the time is too long.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let found = number.trim().parse::<f64>().ok().map(|number| number * unit);
    found
        .filter(|&seconds| seconds > 0.0 && seconds <= LONGEST)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("{} is not a positive number of seconds, at most 1e9", Quoted::new(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive_and_fit_a_clock() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["0.25s", "250ms", "250 ms", "0.25 s"] {
            assert_eq!(seconds(text), seconds("0.25"));
        }
        assert_eq!(seconds("1e9"), Ok(Duration::from_secs(1_000_000_000)));
        for text in ["0", "-1", "nan", "inf", "1e300", "soon", "ms", "5min"] {
            let expected = format!("\"{text}\" is not a positive number of seconds, at most 1e9");
            assert_eq!(seconds(text), Err(expected));
        }
    }
}
