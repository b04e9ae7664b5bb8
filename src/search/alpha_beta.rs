//! [`AlphaBeta`]: the search of one game by one thread, compiled for each game.

use super::node::static_value;
use super::path::Path;
use super::picker::{MoveStack, Source};
use super::subtrees::{Facts, Subtrees};
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::position::legal_moves;
use crate::core::{Bounds, Heuristics, MoveOrdering, Position, Score};

/// The search below a root: the state of its [node](super::node).
pub(super) struct AlphaBeta<'a, P: Position, H: Heuristics<P>> {
    pub(super) heuristics: &'a H,
    /// The salt of this game and evaluation in the table.
    pub(super) salt: u64,
    pub(super) root: P,
    /// The positions of the game before the root that may be [repeated](Position::repeated), the oldest first.
    pub(super) before: &'a [P],
    pub(super) path: Path,
    /// Whether proofs in the table hold after the game so far; see [`Path::is_near_repetition`].
    pub(super) proofs_hold: bool,
    /// The root moves that are searched, in the game's order, with their codes.
    moves: Vec<(u16, P::Move)>,
    /// Whether some legal moves are left out.
    restricted: bool,
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
            proofs_hold: !path.is_near_repetition(P::FOLD),
            path,
            restricted: moves.len() < all,
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
            static_value: static_value(self.heuristics, root, 0),
            restricted: self.restricted,
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

    fn keep(&self, value: Value, window: [Score; 2], code: Option<u16>, depth: u8) {
        self.store(&self.frame_at(self.root.clone(), 0), value, window, code, depth.into());
    }

    fn keeping(&self, value: Value) -> Option<u16> {
        self.keeping_of(&self.root, value, 1).map(|mv| self.root.code(mv))
    }

    fn proven(&self) -> Bounds {
        self.certain(self.root.turn(), &self.root, 0)
    }

    fn holding(&mut self, score: Score, first: u16, searches: bool) -> Option<u16> {
        let (root, mut moves) = (self.root.clone(), self.moves.clone());
        if let Some(index) = moves.iter().position(|&(code, _)| code == first) {
            moves[..=index].rotate_right(1);
        }
        let is_certain = |&&(_, mv): &&(u16, P::Move)| {
            let after = root.after(mv);
            // A proof made without the path does not show progress from here.
            !self.path.contains(after.key()) && self.certain(root.turn(), &after, 1).lower >= score
        };
        let mut found = moves.iter().find(is_certain).copied();
        if found.is_none() && searches {
            self.grant();
            found = moves.into_iter().find(|&(_, mv)| self.has(&root, mv, score, 1));
        }
        found.map(|(code, _)| code)
    }

    fn lengthen(&mut self, value: Value, depth: u8, line: &mut Vec<u16>) {
        self.lengthen_line(value, depth, line);
    }

    fn complete(&mut self, value: Value, line: &mut Vec<u16>) {
        self.complete_line(value, line);
    }

    fn clear(&mut self) {
        self.stack.clear();
        self.path.clear();
    }
}
