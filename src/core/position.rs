//! The rules as a search sees them: [`Position`].
//!
//! All values are for the side to move. Turns need **not** alternate: a search negates a value and
//! flips its window if, and only if, the child's side to move differs from the node's.

use super::score::{self, Score};
use serde::{Deserialize, Serialize};

/// One of the two players. `First` is p1, White, South: whoever the game's rules name first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// p1: White, South, player 1.
    First,
    /// p2: Black, North, player 2.
    Second,
}

impl Side {
    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a finished game ended, for the side to move in the final position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// Nobody has won.
    Draw,
    /// The side to move has lost.
    Loss,
    /// A game of margins: so many units (seeds, points) ahead, at most 288 either way.
    Margin(i16),
}

impl Outcome {
    /// The outcome as the opponent sees it.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
            Self::Margin(units) => Self::Margin(-units),
        }
    }

    /// The outcome as the first player sees it, `self` being that of the side `turn`.
    #[must_use]
    pub const fn of_first(self, turn: Side) -> Self {
        match turn {
            Side::First => self,
            Side::Second => self.reversed(),
        }
    }

    /// The value at the final position itself: a margin in centi-units, or a win or loss at distance 0.
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

/// Plies since the last move that made progress (a capture, a move of a pawn), and how many of them end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Plies without progress.
    pub plies: u16,
    /// So many of them are a draw.
    pub limit: u16,
}

impl Clock {
    /// Whether the game is a draw by it.
    #[inline]
    #[must_use]
    pub const fn is_out(self) -> bool {
        self.plies >= self.limit
    }

    /// Plies until it is out.
    #[inline]
    #[must_use]
    pub const fn left(self) -> Score {
        self.limit.saturating_sub(self.plies) as Score
    }
}

/// A position that occurs for the third time is [repeated](Position::repeated): with fewer the game goes on.
pub const FOLD: usize = 3;

/// So many of the uppermost bits of a [key](Position::key) choose no more than a region of a large table.
pub const LOCAL_BITS: u32 = 12;

/// A position as a value: playing a move makes a new one, and there is no undo.
///
/// # Laws
/// - Equal [`key`](Self::key)s imply the same side to move, the same legal codes, and the same outcome,
///   evaluation and bounds *less what is [banked](super::Evaluation::settled)*.
/// - [`code`](Self::code)s are distinct among the legal moves of one position and below [`CODES`](Self::CODES).
/// - [`moves`](Self::moves) appends each legal move once, in a fixed order.
/// - [`is_over`](Self::is_over) is true where it appends none, and nowhere else.
///
/// The conformance suite (`tests/conformance.rs`) holds every registered game against them.
pub trait Position: Clone + Send + Sync + 'static {
    /// A move; small and copied freely.
    type Move: Copy + Eq + Send + Sync + std::fmt::Debug + 'static;

    /// Move codes are `0..CODES`; at most 65,535 of them. It sizes the history tables.
    const CODES: usize;

    /// Whether a position may come back in the course of a game. The search then keeps the keys of the line of play, and asks
    /// what a [repetition](Self::repeated) means; exact search refuses a position that
    /// [repeats](crate::core::solution::Unsolvable::Repetition). Where this is false, neither costs anything.
    const CYCLIC: bool = false;

    /// The side to move. It need not alternate.
    fn turn(&self) -> Side;

    /// Appends the legal moves to `out`; none at all means that the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Whether there is no legal move; cheaper than to make them.
    fn is_over(&self) -> bool;

    /// The result. Asked only where there is no legal move.
    fn outcome(&self) -> Outcome;

    /// Whether the game is a draw by the position alone, although there are legal moves: neither side can win any more
    /// (insufficient material in chess).
    #[inline]
    fn is_drawn(&self) -> bool {
        false
    }

    /// The clock of moves without progress, in games that have one. When it is out the game is a draw, unless the last
    /// move has won it.
    #[inline]
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// How a game ends when this position occurs again, for the side to move: a draw, unless the game says otherwise; `None`
    /// where it goes on. `cycle` gives the positions before this one, the last one first, down to its earlier occurrence.
    #[inline]
    fn repeated(&self, _cycle: &mut dyn Iterator<Item = &Self>) -> Option<Outcome> {
        Some(Outcome::Draw)
    }

    /// The position after a legal move.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self;

    /// A hash of everything that still matters to the play; what is banked does not. Positions that are near each other in the
    /// tree may share its [uppermost bits](LOCAL_BITS); the others are a hash by themselves.
    fn key(&self) -> u64;

    /// A name of the move in 16 bits, for tables; it is resolved among the legal moves when read back.
    fn code(&self, mv: Self::Move) -> u16;
}

/// The legal moves of a position.
pub fn legal_moves<P: Position>(pos: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// The legal move that has a code; `None` if none has it.
pub fn move_of<P: Position>(pos: &P, code: u16) -> Option<P::Move> {
    legal_moves(pos).into_iter().find(|&mv| pos.code(mv) == code)
}
