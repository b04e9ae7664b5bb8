//! Move ordering: the hash move, then the game's own rank with killers and history, best first.

use super::history::History;
use crate::core::{Heuristics, Position};

/// The rank of the hash move, above all others.
const HASH_RANK: i32 = i32::MAX;

/// The rank of a move put off, below all others.
const DEFERRED: i32 = i32::MIN;

/// A legal move with its code and what it promises.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// Its code.
    pub code: u16,
    /// Higher is tried earlier.
    pub rank: i32,
}

/// The ranked moves of every position on the path, one list behind the other in one buffer.
pub struct MoveStack<M> {
    ranked: Vec<Ranked<M>>,
    scratch: Vec<M>,
}

impl<M: Copy + Eq> MoveStack<M> {
    /// An empty stack.
    #[must_use]
    pub fn new() -> Self {
        Self { ranked: Vec::new(), scratch: Vec::new() }
    }

    /// Pushes the legal moves of `pos`, ranked, by the history too if there is one, and returns where they lie.
    /// A hash code that no legal move has is passed over.
    #[inline]
    pub fn push<P, H>(
        &mut self,
        pos: &P,
        heuristics: &H,
        history: Option<&History>,
        hash: Option<u16>,
        ply: usize,
    ) -> Moves
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        self.scratch.clear();
        pos.moves(&mut self.scratch);
        debug_assert_eq!(self.scratch.is_empty(), pos.is_over(), "a game is over where there is no move");
        self.rank(pos, |mv, code| {
            if Some(code) == hash {
                HASH_RANK
            } else {
                heuristics.move_score(pos, mv) + history.map_or(0, |history| history.rank(pos.turn(), ply, code))
            }
        })
    }

    /// Pushes the noisy moves of `pos`, ranked by the game alone, but for the hash move.
    #[inline]
    pub fn push_noisy<P, H>(&mut self, pos: &P, heuristics: &H, hash: Option<u16>) -> Moves
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        self.scratch.clear();
        heuristics.noisy_moves(pos, &mut self.scratch);
        debug_assert!({
            let mut all = Vec::new();
            pos.moves(&mut all);
            all.into_iter().filter(|&mv| heuristics.is_noisy(pos, mv)).eq(self.scratch.iter().copied())
        });
        self.rank(pos, |mv, code| if Some(code) == hash { HASH_RANK } else { heuristics.move_score(pos, mv) })
    }

    /// Pushes what is in the scratch.
    #[inline]
    fn rank<P: Position<Move = M>>(&mut self, pos: &P, rank: impl Fn(M, u16) -> i32) -> Moves {
        let first = self.ranked.len();
        self.ranked.extend(self.scratch.iter().map(|&mv| {
            let code = pos.code(mv);
            debug_assert!(usize::from(code) < P::CODES, "code {code} is not below {}", P::CODES);
            Ranked { mv, code, rank: rank(mv, code) }
        }));
        Moves { first, next: first, last: self.ranked.len() }
    }

    /// The best move not yet taken: a selection, not a sort, for a cut-off may spare the rest.
    /// Of equal moves the first generated comes first.
    #[inline]
    pub fn next(&mut self, moves: &mut Moves) -> Option<Ranked<M>> {
        let rest = &mut self.ranked[moves.next..moves.last];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].rank > rest[best].rank {
                best = index;
            }
        }
        let found = *rest.get(best)?;
        rest[..=best].rotate_right(1);
        moves.next += 1;
        Some(found)
    }

    /// Puts the move taken last behind all others; false if it has been put there before.
    #[inline]
    pub fn defer(&mut self, moves: &mut Moves) -> bool {
        let last = &mut self.ranked[moves.next - 1];
        if last.rank == DEFERRED || moves.next == moves.last {
            return false;
        }
        last.rank = DEFERRED;
        moves.next -= 1;
        true
    }

    /// All the moves of a list, those taken first.
    #[inline]
    #[must_use]
    pub fn all(&self, moves: &Moves) -> &[Ranked<M>] {
        &self.ranked[moves.first..moves.last]
    }

    /// The moves taken before the last one, in their order.
    #[inline]
    #[must_use]
    pub fn tried(&self, moves: &Moves) -> &[Ranked<M>] {
        &self.ranked[moves.first..moves.next.saturating_sub(1).max(moves.first)]
    }

    /// Takes a list, and whatever lies above it, off the stack.
    #[inline]
    pub fn pop(&mut self, moves: &Moves) {
        self.ranked.truncate(moves.first);
    }

    /// Empties the stack, after a search that was cut off.
    pub fn clear(&mut self) {
        self.ranked.clear();
    }
}

impl<M: Copy + Eq> Default for MoveStack<M> {
    fn default() -> Self {
        Self::new()
    }
}

/// Where a position's moves lie on the stack.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    first: usize,
    next: usize,
    last: usize,
}

impl Moves {
    /// Whether there is no move at all.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first == self.last
    }
}
