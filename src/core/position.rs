//! What a search touches: [`Position`] (the rules) and [`Heuristics`] (the judgement).
//!
//! All values are for the side to move. Turns need **not** alternate: a search negates a value and
//! flips its window if, and only if, the child's side to move differs from the node's.

use super::score::{self, Score};
use super::weights::Weight;
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

/// So many of the uppermost bits of a [key](Position::key) choose no more than a region of a large table.
pub const LOCAL_BITS: u32 = 12;

/// A position as a value: playing a move makes a new one, and there is no undo.
///
/// # Laws
/// - Equal [`key`](Self::key)s imply the same side to move, the same legal codes, and the same outcome,
///   evaluation and bounds *less what is [banked](Heuristics::banked)*.
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

    /// Whether a position may come back in the course of a game. Exact search then watches the line of play, and refuses a
    /// position that [repeats](crate::core::solution::Unsolvable::Repetition); where this is false nothing is watched.
    const CYCLIC: bool = false;

    /// The side to move. It need not alternate.
    fn turn(&self) -> Side;

    /// Appends the legal moves to `out`; none at all means that the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Whether there is no legal move; cheaper than to make them.
    fn is_over(&self) -> bool;

    /// The result. Asked only where there is no legal move.
    fn outcome(&self) -> Outcome;

    /// The position after a legal move.
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self;

    /// A hash of everything that still matters to the play; what is banked does not. Positions that are near each other in the
    /// tree may share its [uppermost bits](LOCAL_BITS); the others are a hash by themselves.
    fn key(&self) -> u64;

    /// A name of the move in 16 bits, for tables; it is resolved among the legal moves when read back.
    fn code(&self, mv: Self::Move) -> u16;
}

/// What the rules alone guarantee about a position's value: `lower <= value <= upper`.
///
/// Win distances in it are counted from the position itself, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The side to move gets at least this.
    pub lower: Score,
    /// The side to move gets at most this.
    pub upper: Score,
}

impl Bounds {
    /// Nothing is known.
    pub const NONE: Self = Self { lower: -score::INFINITE, upper: score::INFINITE };

    /// One value only.
    #[inline]
    #[must_use]
    pub const fn exactly(value: Score) -> Self {
        Self { lower: value, upper: value }
    }

    /// Whether only one value is left.
    #[inline]
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The lower and the upper one, as far as they say anything: no value is beyond a win or a loss on the spot.
    #[must_use]
    pub fn ends(self) -> [Option<Score>; 2] {
        let Self { lower, upper } = self;
        let exact = self.is_exact();
        [(exact || lower > -score::WIN).then_some(lower), (exact || upper < score::WIN).then_some(upper)]
    }

    /// The bounds as the opponent sees them.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// Bounds of a position as the side sees them that moved there; `same` if it is still that side's turn.
    #[inline]
    #[must_use]
    pub const fn seen(self, same: bool) -> Self {
        if same { self } else { self.reversed() }
    }

    /// The same with win distances counted from the root, `ply` plies above the position.
    #[inline]
    #[must_use]
    pub fn from_node(self, ply: Score) -> Self {
        Self { lower: score::from_node(self.lower, ply), upper: score::from_node(self.upper, ply) }
    }

    /// What both know together.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The value, or the bound that it would overstep.
    #[inline]
    #[must_use]
    pub fn hold(self, value: Score) -> Score {
        value.min(self.upper).max(self.lower)
    }
}

/// A game's parameters of the search, each with the unit in which it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Half the width of the first aspiration window, centi-units.
    pub aspiration: Score,
    /// Positions with fewer remaining plies than this are neither looked up in the table nor stored in it: where
    /// moves are cheap, searching them again costs less than waiting for the memory. At least 1.
    pub table_depth: u8,
    /// Enhanced transposition cut-offs are looked for from this remaining depth (plies) on; 255: never.
    pub enhanced_cutoffs: u8,
    /// Whether killer moves and the history of the moves help to order them.
    pub history: bool,
    /// A search to 255 plies without any other limit asks for the value of the game: after this iteration it goes to
    /// the ends at once. 255: it gets there ply by ply.
    pub leap: u8,
    /// Beyond the horizon [forcing](Heuristics::is_forcing) moves are followed for at most so many plies.
    pub quiescence: u8,
    /// A position without a hash move is searched a ply less deep from this remaining depth (plies) on; 255: never.
    pub hashless_reduction: u8,
    /// Selective pruning: late moves that force nothing are searched less deep from this remaining depth (plies) on,
    /// and again if they look good after all; 255: never.
    pub late_reduction: u8,
    /// Exact search looks all children up in the table before it searches the first.
    pub exact_lookups: bool,
    /// A search to so many plies tells where exact search looks for the value first; 0: the evaluation does.
    pub guess_depth: u8,
}

impl Tuning {
    /// Whether every move is searched as deep as every other, so that a search to a depth finds each win within it.
    #[inline]
    #[must_use]
    pub const fn is_full_width(&self) -> bool {
        self.hashless_reduction == u8::MAX && self.late_reduction == u8::MAX
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            aspiration: 50,
            table_depth: 1,
            enhanced_cutoffs: u8::MAX,
            history: true,
            leap: u8::MAX,
            quiescence: 0,
            hashless_reduction: u8::MAX,
            late_reduction: u8::MAX,
            exact_lookups: false,
            guess_depth: 0,
        }
    }
}

/// Judgement about positions, apart from the rules. Only [`evaluate`](Self::evaluate) is required.
pub trait Heuristics<P: Position>: Clone + Send + Sync + 'static {
    /// An estimate of the value, centi-units, within ±[`score::MAX_GAME`], for the side to move.
    fn evaluate(&self, pos: &P) -> Score;

    /// The evaluation by term, for people: name and centi-units for the side to move; they add up to `evaluate`.
    fn explain(&self, pos: &P) -> Vec<(&'static str, Score)> {
        vec![("evaluation", self.evaluate(pos))]
    }

    /// The weights of an evaluation that is linear in them, for those who fit them to games; none where it is not.
    ///
    /// # Law
    /// Where there are weights, `evaluate` is what is [banked](Self::banked) and the sum of each weight times its
    /// [feature](Self::features).
    fn weights(&self) -> Vec<Weight> {
        Vec::new()
    }

    /// The features of a position for the side to move, one for each of the [weights](Self::weights), on which they do
    /// not depend.
    fn features(&self, _pos: &P) -> Vec<i32> {
        Vec::new()
    }

    /// How promising a move looks before anything is searched: higher is tried earlier.
    /// Killers are worth [`KILLER_RANK`] and history at most ±[`HISTORY_RANK`] on the same scale.
    #[inline]
    fn rank(&self, _pos: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether a move is one that the other side cannot leave unanswered, or that leaves it no turn at all: quiescence
    /// search follows such moves beyond the horizon, and they are never reduced.
    #[inline]
    fn is_forcing(&self, _pos: &P, _mv: P::Move) -> bool {
        false
    }

    /// Appends the legal moves that are [forcing](Self::is_forcing), in the order of [`Position::moves`]; a game
    /// can tell them faster than by asking of each.
    #[inline]
    fn forcing_moves(&self, pos: &P, out: &mut Vec<P::Move>) {
        let first = out.len();
        pos.moves(out);
        let mut kept = first;
        for index in first..out.len() {
            if self.is_forcing(pos, out[index]) {
                out[kept] = out[index];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// The part of the value that no play can change any more, centi-units for the side to move
    /// (the stores of Kalah). Tables keep values relative to it, and so no value may be farther from it than
    /// [`score::MAX_GAME`].
    #[inline]
    fn banked(&self, _pos: &P) -> Score {
        0
    }

    /// The hash under which tables know the position. Positions that share it must have the same legal codes, as
    /// [`table_code`](Self::table_code) maps them, and the same outcome, evaluation and bounds less what is banked, for
    /// whoever is to move: a game that looks the same from both sides leaves the turn out, one that looks the same in a
    /// mirror takes one of two images.
    #[inline]
    fn table_key(&self, pos: &P) -> u64 {
        pos.key()
    }

    /// A code of the position as its [`table_key`](Self::table_key) has it, and back: where the key is that of the mirror
    /// image, the code of the mirrored move.
    #[inline]
    fn table_code(&self, _pos: &P, code: Option<u16>) -> Option<u16> {
        code
    }

    /// The chances of a win, a draw and a loss, per mille, for a side to move whose value is thought to be `score`;
    /// `None` where the game cannot say. They add up to 1,000.
    fn wdl(&self, _pos: &P, _score: Score) -> Option<[u16; 3]> {
        None
    }

    /// Bounds of the value that follow from the rules alone; they must be sound.
    #[inline]
    fn bounds(&self, _pos: &P) -> Bounds {
        Bounds::NONE
    }

    /// Bounds that cost more than [`bounds`](Self::bounds), asked only where those leave open whether the value is above
    /// `alpha`, and only where the turn has changed with the last move; sound whatever `alpha` is. Win distances in both are
    /// counted from the position.
    #[inline]
    fn closer_bounds(&self, _pos: &P, _alpha: Score) -> Bounds {
        Bounds::NONE
    }

    /// The value of the position, where it is on record in [databases](crate::core::databases).
    #[inline]
    fn recorded(&self, _pos: &P) -> Option<Score> {
        None
    }

    /// Whether exact search keeps a position in the table, and looks there: what is near the end is searched again sooner
    /// than it is found.
    #[inline]
    fn is_kept(&self, _pos: &P) -> bool {
        true
    }

    /// What is known of the value without any search.
    #[inline]
    fn known(&self, pos: &P) -> Bounds {
        self.recorded(pos).map_or_else(|| self.bounds(pos), Bounds::exactly)
    }

    /// The least score, from `at_least` up, that can be the position's value at all: exact search does not ask about
    /// the others. Win distances are counted from the position.
    #[inline]
    fn possible(&self, _pos: &P, at_least: Score) -> Score {
        at_least
    }

    /// Appends the moves that exact search has to try, in a fixed order. A legal move may be left out if it is worth no
    /// more than the lower of the [bounds](Self::bounds); where all are left out the bounds are the value.
    #[inline]
    fn candidates(&self, pos: &P, out: &mut Vec<P::Move>) {
        pos.moves(out);
    }

    /// How promising a move looks to exact search, which has made the position after it: higher is tried earlier.
    #[inline]
    fn promise(&self, pos: &P, mv: P::Move, _after: &P) -> i32 {
        self.rank(pos, mv)
    }

    /// The parameters of the search for this game.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }
}

/// What a killer move adds to a move's [rank](Heuristics::rank).
pub const KILLER_RANK: i32 = 1 << 14;

/// The largest amount that history adds to, or takes from, a move's [rank](Heuristics::rank).
pub const HISTORY_RANK: i32 = 1 << 13;
