//! What a game knows beside its rules, split by the part of the search that calls it. Every method but
//! [`evaluate`](Evaluation::evaluate) has a default.
//!
//! | trait | called by |
//! |---|---|
//! | [`Evaluation`] | the horizon, the table, reports, the laboratory |
//! | [`MoveOrdering`] | the move picker, quiescence search |
//! | [`Pruning`] | the guards and reductions of the search node |
//! | [`Solver`] | rule bounds at every node, exact search, the table keys |

use super::bounds::Bounds;
use super::position::{Position, legal_moves, move_of};
use super::score::Score;
use super::tuning::Tuning;
use super::weights::Weight;
use std::fmt::Debug;

/// All that a search needs to know of a game beside its rules.
pub trait Heuristics<P: Position>: Evaluation<P> + MoveOrdering<P> + Pruning<P> + Solver<P> {}

impl<P: Position, H: Evaluation<P> + MoveOrdering<P> + Pruning<P> + Solver<P>> Heuristics<P> for H {}

/// The static value of positions.
pub trait Evaluation<P: Position>: Clone + Send + Sync + 'static {
    /// What the evaluation keeps of a position from move to move, so that it need not be computed anew at each: sums over
    /// pieces, accumulators. `()` where it keeps nothing.
    type State: Clone + Default + PartialEq + Debug + Send + 'static;

    /// An estimate of the value, centi-units, within ±[`MAX_GAME`](super::score::MAX_GAME), for the side to move.
    fn evaluate(&self, pos: &P) -> Score;

    /// The state of a position, computed anew.
    #[inline]
    fn refresh(&self, _pos: &P) -> Self::State {
        Self::State::default()
    }

    /// The state after a move, from that of the position before it. It equals the [refreshed](Self::refresh) one; debug builds
    /// compare them at every node.
    #[inline]
    fn update(&self, _state: &Self::State, _pos: &P, _mv: P::Move, after: &P) -> Self::State {
        self.refresh(after)
    }

    /// The value that [`evaluate`](Self::evaluate) gives, with the help of the state.
    #[inline]
    fn evaluate_with(&self, pos: &P, _state: &Self::State) -> Score {
        self.evaluate(pos)
    }

    /// The evaluation by term, for people: name and centi-units for the side to move. The terms add up to
    /// [`evaluate`](Self::evaluate).
    fn explain(&self, pos: &P) -> Vec<(&'static str, Score)> {
        vec![("evaluation", self.evaluate(pos))]
    }

    /// The weights of an evaluation that is linear in them, for tuning; none where it is not.
    ///
    /// # Law
    /// Where there are weights, `evaluate` is the [settled](Self::settled) score and the sum of each weight times its
    /// [feature](Self::features).
    fn weights(&self) -> Vec<Weight> {
        Vec::new()
    }

    /// The features of a position for the side to move, one for each of the [weights](Self::weights), on which they do
    /// not depend.
    fn features(&self, _pos: &P) -> Vec<i32> {
        Vec::new()
    }

    /// The part of the value that no play can change any more, centi-units for the side to move
    /// (the stores of Kalah). Tables keep values relative to it, and so no value may be farther from it than
    /// [`MAX_GAME`](super::score::MAX_GAME).
    #[inline]
    fn settled(&self, _pos: &P) -> Score {
        0
    }

    /// The chances of a win, a draw and a loss, per mille, for a side to move with this score; `None` where the game
    /// cannot say. They add up to 1,000.
    fn wdl(&self, _pos: &P, _score: Score) -> Option<[u16; 3]> {
        None
    }
}

/// Which move is tried first, and which ones quiescence search follows.
pub trait MoveOrdering<P: Position>: Clone + Send + Sync + 'static {
    /// The score of a move before anything is searched: higher is tried earlier.
    /// A killer adds [`KILLER_SCORE`] and history at most ±[`HISTORY_SCORE`] on the same scale.
    #[inline]
    fn move_score(&self, _pos: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether the moves of a position are picked in stages: the hash move, noisy moves that lose nothing in the
    /// [exchange](Self::exchange), quiet moves, losing ones. It pays where moves cost much to generate or to score;
    /// elsewhere all are generated and scored at once.
    const STAGED: bool = false;

    /// The legal move with a code.
    #[inline]
    fn legal_move(&self, pos: &P, code: u16) -> Option<P::Move> {
        move_of(pos, code)
    }

    /// Whether a noisy move gains at least so much, centi-units, by the exchange that follows it where it leads.
    #[inline]
    fn exchange(&self, _pos: &P, _mv: P::Move, _threshold: Score) -> bool {
        true
    }

    /// Whether quiescence search follows a move beyond the horizon.
    #[inline]
    fn is_noisy(&self, _pos: &P, _mv: P::Move) -> bool {
        false
    }

    /// Appends the legal moves that are [noisy](Self::is_noisy), in the order of [`Position::moves`]; a game may generate
    /// them faster than all moves.
    #[inline]
    fn noisy_moves(&self, pos: &P, out: &mut Vec<P::Move>) {
        let first = out.len();
        pos.moves(out);
        let mut end = first;
        for index in first..out.len() {
            if self.is_noisy(pos, out[index]) {
                out[end] = out[index];
                end += 1;
            }
        }
        out.truncate(end);
    }

    /// Appends the legal moves that are not [noisy](Self::is_noisy), in the order of [`Position::moves`].
    #[inline]
    fn quiet_moves(&self, pos: &P, out: &mut Vec<P::Move>) {
        let all = legal_moves(pos).into_iter();
        out.extend(all.filter(|&mv| !self.is_noisy(pos, mv)));
    }
}

/// What the guards and reductions of the search node need to know.
pub trait Pruning<P: Position>: Clone + Send + Sync + 'static {
    /// The parameters of the search for this game.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }

    /// Whether a move is never reduced.
    #[inline]
    fn is_exempt(&self, _pos: &P, _mv: P::Move) -> bool {
        false
    }
}

/// What is known of the value of a position without any search, and what exact search needs beside it.
pub trait Solver<P: Position>: MoveOrdering<P> {
    /// Bounds of the value that follow from the rules alone; they must be sound.
    #[inline]
    fn bounds(&self, _pos: &P) -> Bounds {
        Bounds::NONE
    }

    /// Bounds that cost more than [`bounds`](Self::bounds). Exact search computes them only where those leave open whether
    /// the value is above `alpha`, and only where the turn has changed with the last move. They must be sound whatever `alpha`
    /// is. Win distances in both are counted from the position.
    #[inline]
    fn expensive_bounds(&self, _pos: &P, _alpha: Score) -> Bounds {
        Bounds::NONE
    }

    /// The value of the position, where [databases](super::databases) have it.
    #[inline]
    fn database_value(&self, _pos: &P) -> Option<Score> {
        None
    }

    /// The bounds of the value without any search: of the databases, or else of the rules.
    #[inline(always)]
    fn static_bounds(&self, pos: &P) -> Bounds {
        self.database_value(pos).map_or_else(|| self.bounds(pos), Bounds::exactly)
    }

    /// The least score, from `at_least` up, that can be the position's value at all: exact search skips the others. Win
    /// distances are counted from the position.
    #[inline]
    fn least_possible(&self, _pos: &P, at_least: Score) -> Score {
        at_least
    }

    /// Appends the moves that exact search has to try, in a fixed order. A legal move may be left out if it is worth no
    /// more than the lower of the [bounds](Self::bounds); where all are left out the bounds are the value.
    #[inline]
    fn candidates(&self, pos: &P, out: &mut Vec<P::Move>) {
        pos.moves(out);
    }

    /// The score of a move in exact search, which has made the position after it: higher is tried earlier.
    #[inline]
    fn child_score(&self, pos: &P, mv: P::Move, _after: &P) -> i32 {
        self.move_score(pos, mv)
    }

    /// Whether exact search uses the table for a position: near the end a second search is faster than a look.
    #[inline]
    fn use_table(&self, _pos: &P) -> bool {
        true
    }

    /// The hash under which tables know the position. Positions that share it must have the same legal codes, as
    /// [`table_code`](Self::table_code) maps them, and the same outcome, evaluation and bounds less the settled score, for
    /// the side to move, whichever that is: a game that looks the same from both sides leaves the turn out, one that looks
    /// the same in a mirror takes one of two images.
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
}

/// What a killer move adds to a [move's score](MoveOrdering::move_score).
pub const KILLER_SCORE: i32 = 1 << 14;

/// The largest amount that history adds to, or takes from, a [move's score](MoveOrdering::move_score).
pub const HISTORY_SCORE: i32 = 1 << 13;
