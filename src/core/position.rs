//! The rules as the search sees them: [`Position`].
//!
//! All values are for the side to move. Turns need **not** alternate: a search negates a value and its window if, and
//! only if, the child's side to move differs from the node's.

use super::score::{self, Score};
use serde::{Deserialize, Serialize};

/// One of the two players. `First` is the player that the game's rules name first: p1, White, South.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// p1: White, South, player 1.
    First,
    /// p2: Black, North, player 2.
    Second,
}

impl Side {
    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 0 for `First`, 1 for `Second`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the number of the player as people and records have it: 1 for `First`, 2 for `Second`.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// The result of a finished game, for the side to move in the final position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// The game is drawn.
    Draw,
    /// The side to move has lost.
    Loss,
    /// The result of a game of margins: the lead in units (seeds, points), at most 288 either way.
    Margin(i16),
}

impl Outcome {
    /// Returns the outcome from the opponent's point of view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
            Self::Margin(units) => Self::Margin(-units),
        }
    }

    /// Returns the outcome from the first player's point of view, given that of the side `turn`.
    #[must_use]
    pub const fn of_first(self, turn: Side) -> Self {
        match turn {
            Side::First => self,
            Side::Second => self.reversed(),
        }
    }

    /// Returns the value at the final position: a margin in centi-units, or a win or loss at distance 0.
    #[must_use]
    pub const fn score(self) -> Score {
        match self {
            Self::Win => score::WIN,
            Self::Draw => 0,
            Self::Loss => -score::WIN,
            Self::Margin(units) => units as Score * score::UNIT,
        }
    }
}

/// The plies since the last move that made progress (a capture, a pawn move), and the limit at which the game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Plies without progress.
    pub plies: u16,
    /// The number of such plies that makes a draw.
    pub limit: u16,
}

impl Clock {
    /// Returns whether the limit is reached.
    #[inline]
    #[must_use]
    pub const fn is_out(self) -> bool {
        self.plies >= self.limit
    }

    /// Returns the number of plies until the limit.
    #[inline]
    #[must_use]
    pub const fn left(self) -> Score {
        self.limit.saturating_sub(self.plies) as Score
    }
}

/// The number of uppermost bits of a [key](Position::key) that only choose a region of a large table.
pub(crate) const LOCAL_BITS: u32 = 12;

/// A position as a value: there is no undo. A move produces a new position, or changes a copy.
///
/// # Contract
/// - Equal [`key`](Self::key)s imply the same side to move, the same legal codes, and the same outcome, evaluation and
///   bounds *less the [settled](super::Evaluation::settled) score*.
/// - [`code`](Self::code)s are distinct among the legal moves of one position and below [`CODES`](Self::CODES).
/// - [`moves`](Self::moves) appends each legal move once, in a fixed order.
/// - [`is_over`](Self::is_over) is true if, and only if, it appends none.
///
/// The conformance suite (`tests/conformance.rs`) checks every registered game for them.
pub trait Position: Clone + Send + Sync + 'static {
    /// A move; small and copied freely.
    type Move: Copy + Eq + Send + Sync + std::fmt::Debug + 'static;

    /// Move codes are `0..CODES`, at most 65,535 of them. The history tables have this size.
    const CODES: usize;

    /// Whether a position may recur in a game. If so, the search stores the keys of the line of play and queries
    /// [`repeated`](Self::repeated); exact search refuses a position that
    /// [repeats](crate::core::solution::Unsolvable::Repetition). If not, neither costs anything.
    const CYCLIC: bool = false;

    /// The number of occurrences at which a position is [repeated](Self::repeated): three, unless the rules say two.
    const FOLD: usize = 3;

    /// Returns the side to move. Turns need not alternate.
    fn turn(&self) -> Side;

    /// Appends the legal moves to `out`; none if the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Returns whether there is no legal move; cheaper than generating the moves.
    fn is_over(&self) -> bool;

    /// Returns the result. Called only if there is no legal move.
    fn outcome(&self) -> Outcome;

    /// Returns whether the position itself is a draw although there are legal moves: neither side can win any more
    /// (insufficient material in chess).
    #[inline]
    fn is_drawn(&self) -> bool {
        false
    }

    /// Returns the clock of plies without progress, in games that have one. When it runs out the game is a draw, unless
    /// the last move has won it.
    #[inline]
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// Returns the smallest limit that the [clock](Self::clock) can have after any sequence of moves; `None` without a
    /// clock.
    #[inline]
    fn least_limit(&self) -> Option<u16> {
        self.clock().map(|clock| clock.limit)
    }

    /// Returns the number of plies within which no [clock](Self::clock) can run out, whatever is played: neither the
    /// current one nor a shorter one that a later move starts. `None` without a clock. A win found without regard to
    /// the clock is certain within them.
    #[inline]
    fn clock_free_plies(&self) -> Option<Score> {
        let left = self.clock()?.left();
        Some(self.least_limit().map_or(left, |limit| left.min(limit.into())))
    }

    /// Returns the number of earlier positions that this one may repeat: those since the last irreversible move; 0 in a
    /// game without cycles. A game overrides this if its irreversible moves are not those that restart its
    /// [clock](Self::clock).
    #[inline]
    fn reach(&self) -> usize {
        let most = if Self::CYCLIC { usize::MAX } else { 0 };
        self.clock().map_or(most, |clock| most.min(clock.plies.into()))
    }

    /// Returns the result of a repetition of this position, for the side to move: a draw by default; `None` if the game
    /// continues. `cycle` yields the earlier positions, the most recent first, back to the previous occurrence.
    #[inline]
    fn repeated(&self, _cycle: &mut dyn Iterator<Item = &Self>) -> Option<Outcome> {
        Some(Outcome::Draw)
    }

    /// Returns the position after a legal move.
    fn after(&self, mv: Self::Move) -> Self;

    /// Plays a legal move in place: the position becomes the one [after](Self::after) it. A game overrides this to save
    /// a copy.
    #[inline]
    fn play(&mut self, mv: Self::Move) {
        *self = self.after(mv);
    }

    /// Returns a hash of everything that still affects play, except the settled score. Positions near each other in the
    /// tree may share its uppermost bits; the other bits alone are a hash.
    fn key(&self) -> u64;

    /// Returns a 16-bit code of the move, for tables. A code read back is resolved among the legal moves.
    fn code(&self, mv: Self::Move) -> u16;
}

/// Returns the outcome if a rule ends the game although there are legal moves: by repetition, by the clock, or because
/// neither side can win. Called only if there is a legal move. `earlier` are the earlier positions, the most recent
/// first. A repetition of one of the first `below`, which are below the root of a search, ends the line; otherwise the
/// [last allowed occurrence](Position::FOLD) does.
pub(crate) fn end_by_rule<P: Position>(pos: &P, earlier: &[&P], below: usize) -> Option<Outcome> {
    if pos.is_drawn() || pos.clock().is_some_and(Clock::is_out) {
        return Some(Outcome::Draw);
    }
    let (key, mut times, mut cycle) = (pos.key(), 1, None);
    for (index, other) in earlier.iter().take(pos.reach()).enumerate() {
        if other.key() == key {
            times += 1;
            let length = *cycle.get_or_insert(index + 1);
            if index < below || times == P::FOLD {
                return pos.repeated(&mut earlier[..length].iter().copied());
            }
        }
    }
    None
}

/// Returns the outcome of a position without regard to earlier ones; `None` if the game continues.
pub(crate) fn outcome_of<P: Position>(pos: &P) -> Option<Outcome> {
    if pos.is_over() { Some(pos.outcome()) } else { end_by_rule(pos, &[], 0) }
}

/// Returns the legal moves of a position.
pub fn legal_moves<P: Position>(pos: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// Returns the legal move with this code; `None` if no move has it.
pub fn move_of<P: Position>(pos: &P, code: u16) -> Option<P::Move> {
    legal_moves(pos).into_iter().find(|&mv| pos.code(mv) == code)
}

/// Returns the moves of a line of codes, up to the first that is not legal.
pub(crate) fn moves_of<P: Position>(root: &P, line: &[u16]) -> Vec<P::Move> {
    let mut pos = root.clone();
    let moves = line.iter().map_while(|&code| {
        let mv = move_of(&pos, code)?;
        pos.play(mv);
        Some(mv)
    });
    moves.collect()
}
