//! The time that the server allows, set by its options `time:`.

use super::message::Argument;
use secateurs::core::{ClockLimits, Limits};
use std::time::Duration;

/// The time for a move if the server counts none: a client that waited for `stop` would hold up the game.
pub(crate) const UNCOUNTED: Duration = Duration::from_secs(10);

/// The time lost on every move between the server's clock and the engine's.
const OVERHEAD: Duration = Duration::from_millis(100);

/// The minimum time for a move.
const SHORTEST: Duration = Duration::from_millis(10);

/// The maximum number of seconds on the clock; larger values count as this one.
const MOST: f64 = 1e6;

/// How the server counts time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// The server has not said.
    #[default]
    Unknown,
    /// Not at all.
    None,
    /// The clock runs on from one state to the next.
    Absolute,
    /// Each state gets the whole time.
    Relative,
}

/// The server's clock for this client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    mode: Mode,
    left: Option<Duration>,
}

impl Clock {
    /// Sets `time:mode` or `time:clock`; other options change nothing.
    ///
    /// # Errors
    /// A description of valid values.
    pub(crate) fn set(&mut self, option: &str, value: &Argument) -> Result<(), &'static str> {
        match (option, value) {
            ("time:mode", Argument::Word(word) | Argument::Text(word)) => {
                self.mode = match word.as_str() {
                    "none" => Mode::None,
                    "absolute" => Mode::Absolute,
                    "relative" => Mode::Relative,
                    _ => return Err("none, absolute or relative"),
                };
            }
            ("time:mode", _) => return Err("none, absolute or relative"),
            ("time:clock", value) => {
                let seconds = match value {
                    Argument::Integer(seconds) => *seconds as f64,
                    Argument::Real(seconds) => *seconds,
                    _ => -1.0,
                };
                if seconds < 0.0 {
                    return Err("a number of seconds");
                }
                self.left = Some(Duration::from_secs_f64(seconds.min(MOST)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the limits of the next search: none if only the server's `stop` ends it.
    pub(crate) fn limits(&self) -> Limits {
        match (self.mode, self.left) {
            (Mode::None, _) => Limits { movetime: Some(UNCOUNTED), ..Limits::default() },
            (_, None) => Limits::default(),
            (Mode::Relative, Some(left)) => {
                Limits { movetime: Some(left.saturating_sub(OVERHEAD).max(SHORTEST)), ..Limits::default() }
            }
            (Mode::Absolute | Mode::Unknown, Some(remaining)) => {
                let clock = ClockLimits { remaining, overhead: OVERHEAD, ..ClockLimits::default() };
                Limits { clock: Some(clock), ..Limits::default() }
            }
        }
    }

    /// Subtracts the time of an answer; the server's next setting of the clock replaces the result.
    pub(crate) fn spend(&mut self, time: Duration) {
        if self.mode != Mode::Relative {
            self.left = self.left.map(|left| left.saturating_sub(time));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_says_what_time_there_is() {
        let mut clock = Clock::default();
        assert!(!clock.limits().is_finite());
        clock.set("time:clock", &Argument::Integer(30)).unwrap();
        assert_eq!(clock.limits().clock.unwrap().remaining, Duration::from_secs(30));
        clock.spend(Duration::from_secs(12));
        assert_eq!(clock.limits().clock.unwrap().remaining, Duration::from_secs(18));
        clock.spend(Duration::from_secs(100));
        assert_eq!(clock.limits().clock.unwrap().remaining, Duration::ZERO);
        clock.set("time:mode", &Argument::Word("relative".into())).unwrap();
        clock.set("time:clock", &Argument::Real(2.5)).unwrap();
        clock.spend(Duration::from_secs(2));
        assert_eq!(clock.limits().movetime, Some(Duration::from_millis(2400)));
        clock.set("time:clock", &Argument::Integer(0)).unwrap();
        assert_eq!(clock.limits().movetime, Some(SHORTEST));
        clock.set("time:mode", &Argument::Text("none".into())).unwrap();
        assert_eq!(clock.limits().movetime, Some(UNCOUNTED));
        let before = clock;
        for (option, value) in [
            ("time:mode", Argument::Word("sometimes".into())),
            ("time:mode", Argument::Integer(1)),
            ("time:clock", Argument::Integer(-1)),
            ("time:clock", Argument::Word("x".into())),
        ] {
            assert!(clock.set(option, &value).is_err(), "{option} {value}");
        }
        clock.set("time:opclock", &Argument::Integer(3)).unwrap();
        assert_eq!(clock, before);
        clock.set("time:clock", &Argument::Integer(i64::MAX)).unwrap();
    }
}
