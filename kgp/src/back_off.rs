//! The waits between attempts to connect.

use std::time::Duration;

/// The first wait.
const FIRST: Duration = Duration::from_secs(1);

/// The longest wait.
const LONGEST: Duration = Duration::from_secs(60);

/// Exponential back-off: each wait is twice as long as the one before, up to a minute.
#[derive(Clone, Copy, Debug)]
pub struct BackOff(Duration);

impl Default for BackOff {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl BackOff {
    /// Returns the next wait.
    pub fn longer(&mut self) -> Duration {
        let wait = self.0;
        self.0 = (2 * wait).min(LONGEST);
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_minute() {
        let mut back_off = BackOff::default();
        let waits: Vec<_> = (0..9).map(|_| back_off.longer().as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }
}
