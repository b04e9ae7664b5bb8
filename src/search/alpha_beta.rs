//! [`AlphaBeta`]: the search of one game by one thread, compiled for each game; and [`Subtrees`], its interface for the
//! root, which is compiled once.

use super::path::{Path, root_ended_by_rule};
use super::picker::{MoveStack, Source};
use super::trace::StaticValue;
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::position::legal_moves;
use crate::core::{Bounds, Heuristics, MoveOrdering, Position, Score, Side};

/// The root moves and the searches below them, by one thread. A root move is identified by its place among the searched
/// moves in the game's order; moves in lines are codes.
pub(super) trait Subtrees<'a> {
    fn worker(&mut self) -> &mut Worker<'a>;

    /// Returns what the game knows of the root without a search.
    fn facts(&self) -> Facts;

    /// Returns the chances of a win, a draw and a loss at this score, per mille, if the game can estimate them.
    fn wdl(&self, score: Score) -> Option<[u16; 3]>;

    /// Returns the root moves in the order of their places: code and rank.
    fn ranked(&mut self) -> Vec<(u16, i32)>;

    /// Searches the position after a move `depth` plies deep within the window `alpha..beta`. The value is for the side
    /// to move at the root.
    fn search(&mut self, place: usize, window: [Score; 2], depth: i32) -> Result<Value, Aborted>;

    /// Returns by how many plies a null-window search of a move is reduced at the root, `tried` moves after the first
    /// and `depth` plies deep.
    fn reduction(&self, place: usize, tried: usize, depth: i32) -> i32;

    /// Stores the result of a search of the root with this window and depth.
    fn store_root(&self, value: Value, window: [Score; 2], code: Option<u16>, depth: u8);

    /// Returns the bounds of the root that the rules and the table prove.
    fn proven_bounds(&self) -> Bounds;

    /// Whether a root move is proven to be worth at least `score`.
    fn proves_at_least(&mut self, place: usize, score: Score, evidence: Evidence) -> bool;

    /// Extends a line with this value while a move is known to keep the value.
    fn extend_pv(&mut self, value: Value, pv: &mut Vec<u16>, evidence: Evidence);

    /// Resets the state of an aborted search.
    fn reset(&mut self);
}

/// A game's knowledge of a root without a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) turn: Side,
    /// The key of the position in the table.
    pub(super) key: u64,
    /// The bounds of its value.
    pub(super) known: Bounds,
    /// The value of a finished game, otherwise the first guess.
    pub(super) static_value: StaticValue,
    /// Whether some legal moves are not searched.
    pub(super) is_restricted: bool,
    /// Whether a rule has ended the game although there are legal moves.
    pub(super) is_ended: bool,
}

/// The evidence that a move keeps a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// The rules or the table.
    Known,
    /// The same, unless the move leads to an earlier position of the game: a proof made without the path does not show
    /// progress from there.
    OffPath,
    /// A search to the end of the game, at a fraction of the cost of the whole search.
    Search,
}

/// The search below a root: the state of its [node](super::node).
pub(super) struct AlphaBeta<'a, P: Position, H: Heuristics<P>> {
    pub(super) heuristics: &'a H,
    /// The salt of this game and evaluation in the table.
    pub(super) salt: u64,
    pub(super) root: P,
    /// The positions of the game before the root that may be [repeated](Position::repeated), the oldest first.
    pub(super) before: &'a [P],
    pub(super) path: Path,
    /// Whether proofs in the table hold after the game so far; see [`Path::may_repeat`].
    pub(super) proofs_hold: bool,
    /// The root moves that are searched, in the game's order, with their codes.
    moves: Vec<(u16, P::Move)>,
    is_restricted: bool,
    pub(super) stack: MoveStack<P::Move>,
    /// A buffer for the keys of a node's children, for enhanced transposition cut-offs.
    pub(super) keys: Vec<u64>,
    pub(super) worker: Worker<'a>,
}

impl<'a, P: Position, H: Heuristics<P>> AlphaBeta<'a, P, H> {
    /// Creates a search of the last position of a game. It searches the moves with these codes, or all moves if no
    /// legal move has one of them.
    pub(super) fn new(
        heuristics: &'a H,
        salt: u64,
        (before, root): (&'a [P], &P),
        codes: &[u16],
        mut worker: Worker<'a>,
    ) -> Self {
        let mut moves: Vec<_> = legal_moves(root).into_iter().map(|mv| (root.code(mv), mv)).collect();
        let all = moves.len();
        if moves.iter().any(|(code, _)| codes.contains(code)) {
            moves.retain(|(code, _)| codes.contains(code));
        }
        // The shortest line to a win may be cut off by a repetition or by the clock.
        worker.full_width &= !P::CYCLIC && root.clock().is_none();
        let path = if P::CYCLIC { before.iter().chain([root]).map(P::key).collect() } else { Vec::new() };
        let path = Path::new(path);
        Self {
            heuristics,
            salt,
            root: root.clone(),
            before,
            proofs_hold: !path.may_repeat(P::FOLD),
            path,
            is_restricted: moves.len() < all,
            moves,
            stack: MoveStack::new(),
            keys: Vec::new(),
            worker,
        }
    }
}

impl<'a, P: Position, H: Heuristics<P>> Subtrees<'a> for AlphaBeta<'a, P, H> {
    fn worker(&mut self) -> &mut Worker<'a> {
        &mut self.worker
    }

    fn facts(&self) -> Facts {
        let root = &self.root;
        Facts {
            turn: root.turn(),
            key: self.key_of(root),
            known: self.known_of(root, 0),
            static_value: StaticValue::new(self.heuristics, root, 0),
            is_restricted: self.is_restricted,
            is_ended: root_ended_by_rule(self.before, root).is_some(),
        }
    }

    fn wdl(&self, score: Score) -> Option<[u16; 3]> {
        self.heuristics.wdl(&self.root, score)
    }

    fn ranked(&mut self) -> Vec<(u16, i32)> {
        let entry = self.worker.table.probe(self.key_of(&self.root));
        let Self { heuristics, root, stack, .. } = self;
        let hash = entry.and_then(|entry| heuristics.table_code(root, entry.code));
        let kinds = [<H as MoveOrdering<P>>::KINDS; 2];
        let source =
            Source { pos: root, heuristics: *heuristics, history: self.worker.history.as_ref(), kinds, ply: 0 };
        let list = stack.pick_scored(&source, hash);
        let mut searched = self.moves.iter().peekable();
        let ranked = stack.all(&list).iter().map(|ranked| (ranked.code, ranked.rank));
        // Both are in the game's order.
        let ranked = ranked.filter(|(code, _)| searched.next_if(|(other, _)| code == other).is_some()).collect();
        stack.pop(&list);
        ranked
    }

    fn search(&mut self, place: usize, [alpha, beta]: [Score; 2], depth: i32) -> Result<Value, Aborted> {
        let root = self.frame_at(self.root.clone(), 0);
        let child = self.enter(&root, self.moves[place].1, depth);
        child.cut.set(beta - alpha == 1);
        let value = self.child(&child, alpha, beta, depth)?;
        self.leave();
        Ok(value)
    }

    fn reduction(&self, place: usize, tried: usize, depth: i32) -> i32 {
        self.root_reduction(self.moves[place].1, tried, depth)
    }

    fn store_root(&self, value: Value, window: [Score; 2], code: Option<u16>, depth: u8) {
        self.store(&self.frame_at(self.root.clone(), 0), value, window, code, depth.into());
    }

    fn proven_bounds(&self) -> Bounds {
        self.proven_bounds_of(&self.root, 0)
    }

    fn proves_at_least(&mut self, place: usize, score: Score, evidence: Evidence) -> bool {
        self.proves_move_at_least(&self.root.clone(), self.moves[place].1, score, 1, evidence)
    }

    fn extend_pv(&mut self, value: Value, pv: &mut Vec<u16>, evidence: Evidence) {
        self.extend_line(value, pv, evidence);
    }

    fn reset(&mut self) {
        self.stack.clear();
        self.path.clear();
    }
}
