//! [`AlphaBeta`]: the search of one game by one thread, compiled for each game; [`Frame`], one ply of its current line;
//! and [`Subtrees`], its interface for the root, which is compiled once. Only [`AlphaBeta::enter`] and
//! [`AlphaBeta::leave`] make and unmake moves.

use super::entry::NO_EVALUATION;
use super::path::{Path, root_ended_by_rule};
use super::picker::{MoveStack, Picker, Source};
use super::trace::StaticValue;
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::position::legal_moves;
use crate::core::{Bounds, Evaluation, Heuristics, MoveOrdering, Position, Score, Side};
use std::cell::Cell;
use std::iter;

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

/// The search below a root: the state that its [nodes](super::node) share.
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
    pub(super) stack: MoveStack<P>,
    /// A buffer for the keys of a node's children, for enhanced transposition cut-offs.
    pub(super) keys: Vec<u64>,
    pub(super) worker: Worker<'a>,
}

/// A position of the current line. Frames lie on the call stack, each with its own position and a reference to its
/// parent (as in Letouzey's Scan).
pub(super) struct Frame<'f, P: Position, H: Evaluation<P>> {
    pub(super) parent: Option<&'f Self>,
    pub(super) pos: P,
    pub(super) state: H::State,
    /// The static evaluation; [`NO_EVALUATION`] until it is computed.
    pub(super) evaluation: Cell<Score>,
    /// The key of the position in the table; 0 if the table is not used.
    pub(super) key: u64,
    pub(super) ply: usize,
    /// Whether the side that moved last is to move again.
    pub(super) same_turn: bool,
    pub(super) check: bool,
    /// The kinds of the last move and of the one before it; after no move or a null move, the number of kinds.
    pub(super) kinds: [usize; 2],
    /// Whether the position was made by a null move.
    pub(super) null: bool,
    /// Whether the node is expected to fail high (*cut node*): one below a null window, if its parent is not.
    pub(super) cut: Cell<bool>,
}

impl<'f, P: Position, H: Evaluation<P>> Frame<'f, P, H> {
    /// Returns this position and its ancestors up to the root.
    pub(super) fn positions(&self) -> impl Iterator<Item = &P> {
        iter::successors(Some(self), |frame| frame.parent).map(|frame| &frame.pos)
    }
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
        let (mut moves, mut requested) = (Vec::new(), Vec::new());
        for mv in legal_moves(root) {
            let code = root.code(mv);
            moves.push((code, mv));
            if codes.contains(&code) {
                requested.push((code, mv));
            }
        }
        let is_restricted = !requested.is_empty() && requested.len() < moves.len();
        if is_restricted {
            moves = requested;
        }
        // The shortest line to a win may be cut off by a repetition or by the clock.
        worker.full_width &= !P::CYCLIC && root.clock().is_none();
        let mut path = Vec::new();
        if P::CYCLIC {
            path.extend(before.iter().map(P::key));
            path.push(root.key());
        }
        let path = Path::new(path);
        Self {
            heuristics,
            salt,
            root: root.clone(),
            before,
            proofs_hold: !path.may_repeat(P::FOLD),
            path,
            is_restricted,
            moves,
            stack: MoveStack::new(),
            keys: Vec::new(),
            worker,
        }
    }
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Makes a move below a frame, after which `depth` plies remain. Each move is [unmade](Self::leave), unless the
    /// search is aborted.
    #[inline(always)]
    pub(super) fn enter<'f>(&mut self, frame: &'f Frame<'f, P, H>, mv: P::Move, depth: i32) -> Frame<'f, P, H> {
        if self.is_tabled(depth)
            && let Some(key) = self.heuristics.likely_table_key(&frame.pos, mv)
        {
            self.worker.table.prefetch(key ^ self.salt);
        }
        let mut pos = frame.pos.clone();
        pos.play(mv);
        let state = self.heuristics.update(&frame.state, &frame.pos, mv, &pos);
        debug_assert_eq!(state, self.heuristics.refresh(&pos), "the state of the evaluation after a move");
        let check = self.heuristics.is_check(&pos);
        let mut key = 0;
        if self.is_tabled(self.extended(check, depth)) {
            key = self.key_of(&pos);
            self.worker.table.prefetch(key);
        }
        if P::CYCLIC {
            self.path.push(pos.key());
        }
        let same_turn = pos.turn() == frame.pos.turn();
        Frame {
            parent: Some(frame),
            pos,
            state,
            evaluation: Cell::new(NO_EVALUATION),
            key,
            ply: frame.ply + 1,
            same_turn,
            check,
            kinds: [self.heuristics.kind(&frame.pos, mv), frame.kinds[0]],
            null: false,
            cut: Cell::new(false),
        }
    }

    /// Makes a null move, which leads to `pos`. It is [unmade](Self::leave) like any other.
    #[inline]
    pub(super) fn enter_null<'f>(&mut self, frame: &'f Frame<'f, P, H>, pos: P) -> Frame<'f, P, H> {
        let state = frame.state.clone();
        debug_assert_eq!(state, self.heuristics.refresh(&pos), "the state of the evaluation after a null move");
        debug_assert_ne!(pos.turn(), frame.pos.turn(), "a null move changes the side to move");
        let key = self.key_of(&pos);
        self.worker.table.prefetch(key);
        if P::CYCLIC {
            self.path.push(pos.key());
        }
        let evaluation = Cell::new(NO_EVALUATION);
        let ply = frame.ply + 1;
        let kinds = [<H as MoveOrdering<P>>::KINDS, frame.kinds[0]];
        Frame {
            parent: Some(frame),
            pos,
            state,
            evaluation,
            key,
            ply,
            same_turn: false,
            check: false,
            kinds,
            null: true,
            cut: Cell::new(!frame.cut.get()),
        }
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        if P::CYCLIC {
            self.path.pop();
        }
    }

    /// Creates the frame of a position without a parent.
    pub(super) fn frame_at<'f>(&self, pos: P, ply: usize) -> Frame<'f, P, H> {
        let (state, key) = (self.heuristics.refresh(&pos), self.key_of(&pos));
        let (check, evaluation) = (self.heuristics.is_check(&pos), Cell::new(NO_EVALUATION));
        let kinds = [<H as MoveOrdering<P>>::KINDS; 2];
        Frame {
            parent: None,
            pos,
            state,
            evaluation,
            key,
            ply,
            same_turn: true,
            check,
            kinds,
            null: false,
            cut: Cell::new(false),
        }
    }

    /// Returns the remaining depth after a move, extended if the move gives check (check extension), except in
    /// quiescence search.
    #[inline(always)]
    pub(super) fn extended(&self, check: bool, depth: i32) -> i32 {
        if check && depth >= 0 { depth + i32::from(self.worker.tuning.check_extension) } else { depth }
    }

    /// Returns the extension of an only move (single-reply extension).
    #[inline(always)]
    pub(super) fn single_extension(&self, moves: &Picker) -> i32 {
        if moves.is_single() { self.worker.tuning.single_extension.into() } else { 0 }
    }

    /// Whether the table is used for positions with this remaining depth; quiescence search counts as depth 0.
    #[inline(always)]
    pub(super) fn is_tabled(&self, depth: i32) -> bool {
        depth.max(0) >= i32::from(self.worker.tuning.table_depth)
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
        // Both are in the game's order.
        let mut found = Vec::new();
        for ranked in stack.all(&list) {
            if self.moves.get(found.len()).is_some_and(|(code, _)| *code == ranked.code) {
                found.push((ranked.code, ranked.rank));
            }
        }
        stack.pop(&list);
        found
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
