//! Formats times.

use std::time::Duration;

/// Formats a time in seconds, to the millisecond.
pub(crate) fn time(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds() {
        assert_eq!(time(Duration::from_micros(1_234_567)), "1.235 s");
    }
}
