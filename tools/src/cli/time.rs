//! The time of a search: `--time` in seconds, as in Python, or `--movetime` in milliseconds, as in the protocol.

use clap::value_parser;
use secateurs::core::error::Quoted;
use std::time::Duration;

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

/// Parses a number of seconds.
///
/// # Errors
/// The text is not a number above 0, or the number is too large.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let found = text.parse().ok().filter(|&seconds| seconds > 0.0);
    let found = found.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    found.ok_or_else(|| format!("{} is not a positive number of seconds", Quoted::new(text)))
}
