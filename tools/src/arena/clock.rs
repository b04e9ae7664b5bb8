//! Time controls, other limits of a move, and the clock of a game.

use secateurs::core::Side;
use secateurs::core::error::Quoted;
use secateurs::protocol::go::Go;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of an engine. All given limits apply at once; a match needs at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The clock for the game.
    pub clock: Option<TimeControl>,
    /// The time for each move.
    pub movetime: Option<Duration>,
    /// The nodes for each move.
    pub nodes: Option<u64>,
    /// The depth of each search in plies.
    pub depth: Option<u8>,
    /// The time by which a limit may be exceeded; `None`: that of the match.
    pub margin: Option<Duration>,
}

/// A time control: `[MOVES/]SECONDS[+INCREMENT]` or `[MOVES/]MINUTES:SECONDS[+INCREMENT]`. It is displayed in seconds.
///
/// ```
/// use secateurs_tools::arena::clock::TimeControl;
/// use std::time::Duration;
/// let control: TimeControl = "40/60+0.5".parse().unwrap();
/// assert_eq!((control.moves, control.base), (Some(40), Duration::from_secs(60)));
/// assert_eq!(control.increment, Duration::from_millis(500));
/// assert_eq!(control.to_string(), "40/60+0.5");
/// assert_eq!("40/1:00+0.5".parse(), Ok(control));
/// assert!("ten minutes".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The number of moves after which `base` is added again; `None`: `base` is for the whole game.
    pub moves: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// The time added after every move.
    pub increment: Duration,
}

/// The error for a text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTimeControl {
    /// Another text.
    #[error(
        "{0} is not a time control such as 10+0.1, 1:00+1, 40/60+0.5 (moves/minutes:seconds+seconds a move, at most 1000000 s) or inf"
    )]
    Other(Quoted),
    /// A clock without time at the start.
    #[error("{0} is not a time control: a clock begins with at least 0.000001 s, as 0.1+0.1 does")]
    Empty(Quoted),
}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        let bad = || BadTimeControl::Other(Quoted::new(text));
        let seconds = |text: &str| {
            let number =
                text.trim().parse().ok().filter(|number: &f64| (0.0..=1e6).contains(number)).ok_or_else(bad)?;
            // Whole microseconds: times are not measured more finely.
            Ok(Duration::from_micros((number * 1e6).round() as u64))
        };
        let minutes = |text: &str| {
            let number = text.trim().parse().ok().filter(|&number: &u64| number <= 10_000).ok_or_else(bad)?;
            Ok(Duration::from_secs(60 * number))
        };
        let (moves, time) = text.split_once('/').map_or((None, text), |(moves, time)| (Some(moves), time));
        // Other managers write 0 moves for the whole game.
        let moves = match moves.map(|moves| moves.trim().parse().map_err(|_| bad())).transpose()? {
            Some(0) => None,
            moves => moves,
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let base = match base.split_once(':') {
            Some((whole, rest)) => minutes(whole)? + seconds(rest)?,
            None => seconds(base)?,
        };
        let control = Self { moves, base, increment: seconds(increment)? };
        if control.base.is_zero() { Err(BadTimeControl::Empty(Quoted::new(text))) } else { Ok(control) }
    }
}

impl TimeControl {
    /// Parses a time control, or `inf` (no clock) as `None`.
    ///
    /// # Errors
    /// [`BadTimeControl`].
    pub fn or_infinite(text: &str) -> Result<Option<Self>, BadTimeControl> {
        if ["inf", "infinite"].contains(&&*text.trim().to_ascii_lowercase()) {
            Ok(None)
        } else {
            text.parse().map(Some)
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

impl Control {
    /// Multiplies all times but the margin by a factor, for a processor of another speed.
    pub fn scale(&mut self, factor: f64) {
        let clock = self.clock.iter_mut().flat_map(|clock| [&mut clock.base, &mut clock.increment]);
        for time in clock.chain(&mut self.movetime) {
            *time = Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(*time);
        }
    }
}

/// Returns the tag `TimeControl` (9.6.1 of the standard of PGN) for the text of a control, and as other managers write
/// it: `0.5/move` for a time for each move, `-` without any time.
pub(crate) fn tag_of(control: &str) -> String {
    let word = |name| control.split(' ').find_map(|word| word.strip_prefix(name));
    let of_move = || Some(format!("{}/move", word("movetime=")?.parse::<f64>().ok()? / 1000.0));
    word("tc=").map(str::to_owned).or_else(of_move).unwrap_or_else(|| "-".into())
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.movetime.map(|time| format!("movetime={}", time.as_secs_f64() * 1000.0)),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
            self.margin.map(|margin| format!("margin={}", margin.as_secs_f64() * 1000.0)),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl Control {
    /// Returns whether every search under these limits ends by itself.
    pub fn is_finite(&self) -> bool {
        let Self { clock, movetime, nodes, depth, margin: _ } = self;
        clock.is_some() || movetime.is_some() || nodes.is_some() || depth.is_some()
    }
}

/// The clock of one side in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: Control,
    left: Duration,
    /// The number of moves until `base` is added.
    to_go: Option<u32>,
}

impl Clock {
    pub(crate) fn new(control: &Control) -> Self {
        let clock = control.clock;
        Self {
            left: clock.map_or(Duration::ZERO, |clock| clock.base),
            to_go: clock.and_then(|clock| clock.moves),
            control: control.clone(),
        }
    }

    /// Returns the time limit of the next move; `None` if only nodes or depth limit it.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        let left = self.control.clock.map(|_| self.left);
        left.into_iter().chain(self.control.movetime).min()
    }

    /// Returns the margin of this clock, by default that of the match.
    pub(crate) fn margin(&self, of_match: Duration) -> Duration {
        self.control.margin.unwrap_or(of_match)
    }

    /// Subtracts the time of a move and adds the increment. Returns false if the move exceeded its limit by more than
    /// `margin`. An excess within the margin is not refunded.
    pub(crate) fn spend(&mut self, time: Duration, margin: Duration) -> bool {
        let in_time = self.allowed().is_none_or(|allowed| time <= allowed + margin);
        if let Some(clock) = self.control.clock {
            self.left = self.left.saturating_sub(time) + clock.increment;
            self.to_go = self.to_go.map(|moves| moves - 1);
            if self.to_go == Some(0) {
                self.left += clock.base;
                self.to_go = clock.moves;
            }
        }
        in_time
    }
}

/// Returns the `go` for the side to move: both clocks, by player, and the side's own other limits.
pub(crate) fn go(clocks: &[Clock; 2], turn: Side) -> Go {
    let Clock { control, to_go, .. } = &clocks[turn.index()];
    let time = |clock: &Clock| clock.control.clock.map(|_| clock.left);
    let increment = |clock: &Clock| clock.control.clock.map_or(Duration::ZERO, |control| control.increment);
    Go {
        depth: control.depth.map(u64::from),
        nodes: control.nodes,
        movetime: control.movetime,
        // An engine without its own clock receives no clocks.
        time: if control.clock.is_some() { clocks.each_ref().map(time) } else { [None; 2] },
        increment: if control.clock.is_some() { clocks.each_ref().map(increment) } else { [Duration::ZERO; 2] },
        moves_to_go: *to_go,
        ..Go::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["10", "10+0.1", "40/60", "40/60.5+0.01", "0.001+0.000001"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for (text, seconds) in [("1:00+1", "60+1"), ("40/2:05.5", "40/125.5"), ("0:10", "10")] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), seconds);
        }
        for text in ["", "0", "-1", "1+-1", "x/10", "10+", "+1", "1e9", "nan", "inf", "1/2/3"]
            .into_iter()
            .chain(["0:00", ":10", "1:", "-1:10", "1.5:00", "1:00:00", "10001:00", "1:inf", "10+0:01"])
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
        let error = "0+0.05".parse::<TimeControl>().unwrap_err().to_string();
        assert_eq!(error, "\"0+0.05\" is not a time control: a clock begins with at least 0.000001 s, as 0.1+0.1 does");
        for text in ["inf", " infinite ", "INF"] {
            assert_eq!(TimeControl::or_infinite(text), Ok(None));
        }
        assert_eq!(TimeControl::or_infinite("1:00"), "60".parse().map(Some));
        assert!(TimeControl::or_infinite("40/inf").is_err());
    }

    #[test]
    fn periods_and_increments_are_added() {
        let control = Control { clock: Some("2/10+1".parse().unwrap()), ..Control::default() };
        let mut clock = Clock::new(&control);
        assert_eq!(clock.to_go, Some(2));
        assert!(clock.spend(4 * SECOND, Duration::ZERO));
        assert_eq!((clock.left, clock.to_go), (7 * SECOND, Some(1)));
        assert!(clock.spend(7 * SECOND, Duration::ZERO));
        assert_eq!((clock.left, clock.to_go), (11 * SECOND, Some(2)));
    }

    #[test]
    fn a_flag_falls_beyond_the_margin() {
        let control = Control { clock: Some("1".parse().unwrap()), ..Control::default() };
        let (over, margin) = (SECOND + SECOND / 100, SECOND / 50);
        assert!(!Clock::new(&control).spend(over, Duration::ZERO));
        let mut clock = Clock::new(&control);
        assert!(clock.spend(over, margin));
        assert_eq!(clock.left, Duration::ZERO);
        assert!(!clock.spend(margin + SECOND / 1000, margin));
    }

    #[test]
    fn go_has_both_clocks_and_the_limits_of_the_mover() {
        let timed =
            Clock::new(&Control { clock: Some("3/10+1".parse().unwrap()), depth: Some(9), ..Control::default() });
        let counted = Clock::new(&Control { nodes: Some(100), ..Control::default() });
        let clocks = [timed, counted];
        let first = go(&clocks, Side::First);
        assert_eq!((first.time, first.increment), ([Some(10 * SECOND), None], [SECOND, Duration::ZERO]));
        assert_eq!((first.depth, first.nodes, first.moves_to_go), (Some(9), None, Some(3)));
        assert_eq!(go(&clocks, Side::Second), Go { nodes: Some(100), ..Go::default() });
    }

    #[test]
    fn a_margin_of_its_own_is_no_limit() {
        let control = Control { margin: Some(SECOND), ..Control::default() };
        assert!(!control.is_finite());
        assert_eq!(control.to_string(), "margin=1000");
        assert_eq!(Clock::new(&control).margin(Duration::ZERO), SECOND);
        assert_eq!(Clock::new(&Control::default()).margin(SECOND), SECOND);
    }

    #[test]
    fn without_a_clock_only_the_time_of_a_move_counts() {
        let control = Control { movetime: Some(SECOND), ..Control::default() };
        let mut clock = Clock::new(&control);
        assert!(clock.spend(SECOND, Duration::ZERO) && clock.spend(SECOND, Duration::ZERO));
        assert!(!clock.spend(2 * SECOND, Duration::ZERO));
        assert_eq!(Clock::new(&Control { nodes: Some(1), ..Control::default() }).allowed(), None);
        assert_eq!(control.to_string(), "movetime=1000");
    }
}
