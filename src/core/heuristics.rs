//! A game's knowledge beyond its rules, divided by the part of the search that calls it. Every method except
//! [`evaluate`](Evaluation::evaluate) has a default.
//!
//! | trait | called by |
//! |---|---|
//! | [`Evaluation`] | the horizon, the table, reports, the laboratory |
//! | [`MoveOrdering`] | the move picker, quiescence search |
//! | [`Pruning`] | the guards and reductions of the search node |
//! | [`Solver`] | rule bounds at every node, exact search, the table keys |

use super::bounds::Bounds;
use super::features::{Inputs, NetworkShape};
use super::position::{Position, legal_moves, move_of};
use super::score::Score;
use super::tuning::Tuning;
use super::weights::{Linear, Weight};
use std::fmt::Debug;

/// All heuristics of a game.
pub trait Heuristics<P: Position>: Evaluation<P> + MoveOrdering<P> + Pruning<P> + Solver<P> {}

impl<P: Position, H: Evaluation<P> + MoveOrdering<P> + Pruning<P> + Solver<P>> Heuristics<P> for H {}

/// The static evaluation.
pub trait Evaluation<P: Position>: Clone + Send + Sync + 'static {
    /// The part of the evaluation that is updated move by move: sums over pieces, accumulators. `()` for none.
    type State: Clone + Default + PartialEq + Debug + Send + 'static;

    /// Returns an estimate of the value, centi-units, within ±[`MAX_EVALUATION`](super::score::MAX_EVALUATION), for the
    /// side to move.
    fn evaluate(&self, pos: &P) -> Score;

    /// Computes the state of a position from scratch.
    #[inline]
    fn refresh(&self, _pos: &P) -> Self::State {
        Self::State::default()
    }

    /// Returns the state after a move, from the state before it. It must equal the [refreshed](Self::refresh) state;
    /// debug builds compare them at every node.
    #[inline]
    fn update(&self, _state: &Self::State, _pos: &P, _mv: P::Move, after: &P) -> Self::State {
        self.refresh(after)
    }

    /// Returns the value of [`evaluate`](Self::evaluate), computed from the state.
    #[inline]
    fn evaluate_with(&self, pos: &P, _state: &Self::State) -> Score {
        self.evaluate(pos)
    }

    /// Returns the terms of the evaluation: name and centi-units for the side to move. They add up to
    /// [`evaluate`](Self::evaluate).
    fn explain(&self, pos: &P) -> Vec<(&'static str, Score)> {
        vec![("evaluation", self.evaluate(pos))]
    }

    /// Returns the weights of a linear evaluation, for tuning; none if it is not linear.
    ///
    /// # Contract
    /// If there are weights, `evaluate` equals the [settled](Self::settled) score plus the sum of each weight times its
    /// [feature](Self::features).
    fn weights(&self) -> Vec<Weight> {
        Vec::new()
    }

    /// Returns the features of a position for the side to move, one per [weight](Self::weights). They do not depend on
    /// the weights.
    fn features(&self, _pos: &P) -> Vec<i32> {
        Vec::new()
    }

    /// Returns the position as a sum of weighted counts, for tuning by many positions; `None` where the evaluation is
    /// not such a sum.
    ///
    /// # Contract
    /// [`evaluate`](Self::evaluate) equals [the sum](Linear) with the current [parameters](Self::parameters), up
    /// to rounding.
    fn linear(&self, pos: &P) -> Option<Linear> {
        let features = self.features(pos);
        (!features.is_empty()).then(|| Linear::of_features(&features, self.settled(pos)))
    }

    /// Returns the current values of the parameters of [`linear`](Self::linear), centi-units.
    fn parameters(&self) -> Vec<f64> {
        self.weights().into_iter().map(|(_, value)| value.into()).collect()
    }

    /// Returns the source file that would hold these parameters; `None` in games that take weights by an option.
    fn source(&self, _parameters: &[f64]) -> Option<Vec<u8>> {
        None
    }

    /// Returns the shape of the network that this evaluation can be; `None` in games whose
    /// [features](super::Features) have no names.
    fn shape(&self) -> Option<NetworkShape> {
        None
    }

    /// Returns what a network sees of a position; `None` if there is no [shape](Self::shape).
    fn inputs(&self, _pos: &P) -> Option<Inputs> {
        None
    }

    /// Returns the part of the value that no move can change any more, centi-units for the side to move (the stores of
    /// Kalah). Tables store values relative to it, so no value may differ from it by more than
    /// [`MAX_EVALUATION`](super::score::MAX_EVALUATION).
    #[inline]
    fn settled(&self, _pos: &P) -> Score {
        0
    }

    /// Returns the probabilities of a win, a draw and a loss, per mille, for a side to move with this score. They add
    /// up to 1,000. `None` where the game has no such model.
    fn wdl(&self, _pos: &P, _score: Score) -> Option<[u16; 3]> {
        None
    }
}

/// The order of moves, and the moves that quiescence search follows.
pub trait MoveOrdering<P: Position>: Clone + Send + Sync + 'static {
    /// Returns the static score of a move; higher scores are searched earlier. On the same scale, a killer adds
    /// `KILLER_SCORE` and history at most ±`HISTORY_SCORE`.
    #[inline]
    fn move_score(&self, _pos: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether moves are picked in stages: the hash move, noisy moves that lose nothing in the
    /// [exchange](Self::exchange), quiet moves, losing captures. This pays where moves are expensive to generate or to
    /// score; otherwise all moves are generated and scored at once.
    const STAGED: bool = false;

    /// Returns the legal move with a code.
    #[inline]
    fn legal_move(&self, pos: &P, code: u16) -> Option<P::Move> {
        move_of(pos, code)
    }

    /// Returns whether the static exchange evaluation of a noisy move, on its target, is at least `threshold`
    /// centi-units.
    #[inline]
    fn exchange(&self, _pos: &P, _mv: P::Move, _threshold: Score) -> bool {
        true
    }

    /// The number of kinds of moves: pairs of them have a continuation history, and only moves that are not
    /// [noisy](Self::is_noisy) have a history. 0: all moves have a history, pairs have none.
    const KINDS: usize = 0;

    /// Returns the kind of a move, below [`KINDS`](Self::KINDS): what moves, and where to.
    #[inline]
    fn kind(&self, _pos: &P, _mv: P::Move) -> usize {
        0
    }

    /// Returns whether quiescence search follows a move beyond the horizon.
    #[inline]
    fn is_noisy(&self, _pos: &P, _mv: P::Move) -> bool {
        false
    }

    /// Appends the legal [noisy](Self::is_noisy) moves, in the order of [`Position::moves`]. A game may override this
    /// to generate them faster than all moves.
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

/// The knowledge for pruning and reductions in the search node.
pub trait Pruning<P: Position>: Clone + Send + Sync + 'static {
    /// Returns the search parameters for this game.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }

    /// Returns whether the side to move is in check: no static evaluation is meaningful, and quiescence search follows
    /// all moves.
    #[inline]
    fn is_check(&self, _pos: &P) -> bool {
        false
    }

    /// Returns the position after a null move (Beal 1989): the opponent is to move instead. `None` where passing is not
    /// allowed, or might be better than every move (zugzwang). The [state](Evaluation::State) of the evaluation must be
    /// the same for both positions.
    #[inline]
    fn null_move(&self, _pos: &P) -> Option<P> {
        None
    }

    /// Returns whether a move gives check: such a move is not pruned. Discovered checks may be missed.
    #[inline]
    fn gives_check(&self, _pos: &P, _mv: P::Move) -> bool {
        false
    }

    /// Returns whether a move is exempt from reductions and pruning.
    #[inline]
    fn is_exempt(&self, _pos: &P, _mv: P::Move) -> bool {
        false
    }
}

/// Static bounds of the value, and what exact search needs.
pub trait Solver<P: Position>: MoveOrdering<P> {
    /// Returns bounds of the value that follow from the rules alone. They must be sound.
    #[inline]
    fn bounds(&self, _pos: &P) -> Bounds {
        Bounds::NONE
    }

    /// Returns bounds that cost more than [`bounds`](Self::bounds). Exact search computes them only if those leave open
    /// whether the value is above `alpha`, and only if the last move changed the side to move. They must be sound for
    /// every `alpha`. Win distances in both are counted from the position.
    #[inline]
    fn expensive_bounds(&self, _pos: &P, _alpha: Score) -> Bounds {
        Bounds::NONE
    }

    /// Returns what the [databases](super::databases) say of the position, if they contain it: its value, or that it is
    /// a win or a loss in an unknown number of plies. Databases ignore clocks and repetitions.
    #[inline]
    fn database_bounds(&self, _pos: &P) -> Option<Bounds> {
        None
    }

    /// Returns the bounds without any search: those of the databases, or else those of the rules.
    #[inline(always)]
    fn static_bounds(&self, pos: &P) -> Bounds {
        self.database_bounds(pos).unwrap_or_else(|| self.bounds(pos))
    }

    /// Returns the smallest score, from `at_least` up, that the position can have at all; exact search skips the
    /// others. Win distances are counted from the position.
    #[inline]
    fn least_possible(&self, _pos: &P, at_least: Score) -> Score {
        at_least
    }

    /// Appends the moves that exact search must try, in a fixed order. A legal move may be omitted if it is worth no
    /// more than the lower of the [bounds](Self::bounds); if all are omitted, the bounds are the value.
    #[inline]
    fn candidates(&self, pos: &P, out: &mut Vec<P::Move>) {
        pos.moves(out);
    }

    /// Returns the score of a move in exact search, which knows the position after it: higher scores are searched
    /// earlier.
    #[inline]
    fn child_score(&self, pos: &P, mv: P::Move, _after: &P) -> i32 {
        self.move_score(pos, mv)
    }

    /// Returns whether exact search uses the table for a position. Near the end, a new search is faster than a probe.
    #[inline]
    fn use_table(&self, _pos: &P) -> bool {
        true
    }

    /// Returns the hash under which tables store the position. Positions that share it must have the same legal codes,
    /// as mapped by [`table_code`](Self::table_code), and, for the side to move, the same outcome, evaluation and
    /// bounds less the settled score. A game that is symmetric in the players leaves the side to move out; a game with
    /// a mirror symmetry takes one of the two images.
    #[inline]
    fn table_key(&self, pos: &P) -> u64 {
        pos.key()
    }

    /// Returns whether exact search looks all children of a position up in the table before it searches the first.
    #[inline]
    fn looks_up_children(&self, _pos: &P) -> bool {
        false
    }

    /// Returns the move that a position forces: the only [candidate](Self::candidates). Exact search makes it at once,
    /// without a node. `None` if there are several, if it is not cheap to tell, or if the game is
    /// [cyclic](Position::CYCLIC).
    #[inline]
    fn forced_move(&self, _pos: &P) -> Option<P::Move> {
        None
    }

    /// Returns a bound of the value of a position near the end of the game that decides whether it is above `alpha`: a
    /// lower bound if above, otherwise an upper bound. Exact search uses it instead of searching the node itself;
    /// `None` leaves the position to the search. Only for games of margins, whose values need no distance from the
    /// root.
    #[inline]
    fn solve_small(&self, _pos: &P, _alpha: Score, _table: &mut impl SmallTable) -> Option<Score> {
        None
    }

    /// Returns the hash under which exact search stores the position, with the contract of
    /// [`table_key`](Self::table_key) but for the evaluation, which it does not use.
    #[inline]
    fn exact_key(&self, pos: &P) -> u64 {
        self.table_key(pos)
    }

    /// Returns a guess at the [`table_key`](Self::table_key) after a move, which is cheaper than the move: the search
    /// prefetches the cluster. `None` if there is no such guess.
    #[inline]
    fn likely_table_key(&self, _pos: &P, _mv: P::Move) -> Option<u64> {
        None
    }

    /// Maps a code of the position to the code under its [`table_key`](Self::table_key), and back: if the key is that
    /// of the mirror image, the code of the mirrored move.
    #[inline]
    fn table_code(&self, _pos: &P, code: Option<u16>) -> Option<u16> {
        code
    }
}

/// The table and the node count of exact search, for [`Solver::solve_small`]. The game chooses the keys. If one equals
/// the [exact key](Solver::exact_key) of a position that the search itself stores, it must stand for that position.
pub trait SmallTable {
    /// Adds the positions entered below the one that is solved.
    fn count(&mut self, nodes: u64);

    /// Returns the stored bounds of a position without a settled score, and the code of its best move.
    fn probe(&self, key: u64) -> Option<(Bounds, Option<u16>)>;

    /// Stores the bounds of a position without a settled score; `nodes` is the cost of finding them.
    fn keep(&self, key: u64, bounds: Bounds, code: Option<u16>, nodes: u64);
}

/// The bonus of a killer move in the [move's score](MoveOrdering::move_score).
pub(crate) const KILLER_SCORE: i32 = 1 << 14;

/// The largest amount that history adds to, or subtracts from, a [move's score](MoveOrdering::move_score).
pub(crate) const HISTORY_SCORE: i32 = 1 << 13;
