//! The move picker: the hash move, then the game's own score with killers and history, best first. A game has all its moves
//! [scored at once](MoveOrdering), or in stages, where a cut-off may spare their generation:
//!
//! ```text
//! stage     taken                                                        generated
//! hash      the hash move                                                nothing
//! noisy     noisy moves that lose nothing in the exchange, best first    noisy moves
//! quiet     the others by killers and history, then the losing ones      quiet moves
//! ```

use super::history::History;
use crate::core::{Heuristics, MoveOrdering, Position};

/// The rank of the hash move, above all others.
pub const HASH_RANK: i32 = i32::MAX;

/// The rank of a noisy move that loses material, below all but those put off.
const LOSING: i32 = i32::MIN + 1;

/// The rank of a move put off, below all others.
pub const DEFERRED: i32 = i32::MIN;

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

/// What moves are picked from, and by what they are ranked.
pub struct Source<'a, P, H> {
    /// The position.
    pub pos: &'a P,
    /// The game's own scores.
    pub heuristics: &'a H,
    /// Killers and history, if the game wants them.
    pub history: Option<&'a History>,
    /// Plies from the root.
    pub ply: usize,
}

/// The ranked moves of every position on the path, one list behind the other in one buffer.
pub struct MoveStack<M> {
    ranked: Vec<Ranked<M>>,
    scratch: Vec<M>,
}

/// Where a position's moves lie on the stack, and which have been taken.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    first: usize,
    next: usize,
    last: usize,
    hash: Option<u16>,
    stage: Stage,
}

/// What has been generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    Noisy,
    All,
}

impl<M: Copy + Eq> MoveStack<M> {
    /// An empty stack.
    #[must_use]
    pub fn new() -> Self {
        Self { ranked: Vec::new(), scratch: Vec::new() }
    }

    /// A picker of the legal moves, in stages if the game wants that. A hash code that no legal move has is passed over.
    #[inline]
    pub fn pick<P, H>(&mut self, source: &Source<'_, P, H>, hash: Option<u16>) -> Picker
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        if !<H as MoveOrdering<P>>::STAGED {
            return self.pick_scored(source, hash);
        }
        self.scratch.clear();
        let mv = hash.and_then(|code| source.heuristics.legal_move(source.pos, code));
        self.scratch.extend(mv);
        let mut picker = self.picker(hash.filter(|_| mv.is_some()), Stage::Hash);
        self.push(source.pos, &mut picker, |_| HASH_RANK);
        picker
    }

    /// A picker of the legal moves, all generated and ranked.
    #[inline]
    pub fn pick_scored<P, H>(&mut self, source: &Source<'_, P, H>, hash: Option<u16>) -> Picker
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        self.scratch.clear();
        source.pos.moves(&mut self.scratch);
        debug_assert_eq!(self.scratch.is_empty(), source.pos.is_over(), "a game is over where there is no move");
        let mut picker = self.picker(hash, Stage::All);
        self.push_ranked(source, &mut picker);
        self.promote(&picker);
        picker
    }

    /// A picker of the noisy moves, ranked by the game alone, but for the hash move.
    #[inline]
    pub fn pick_noisy<P, H>(&mut self, pos: &P, heuristics: &H, hash: Option<u16>) -> Picker
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        self.scratch.clear();
        heuristics.noisy_moves(pos, &mut self.scratch);
        debug_assert!(is_all_but(pos, &self.scratch, |mv| !heuristics.is_noisy(pos, mv)));
        let mut picker = self.picker(hash, Stage::All);
        self.push(pos, &mut picker, |mv| heuristics.move_score(pos, mv));
        self.promote(&picker);
        picker
    }

    #[inline]
    fn picker(&self, hash: Option<u16>, stage: Stage) -> Picker {
        let first = self.ranked.len();
        Picker { first, next: first, last: first, hash, stage }
    }

    /// Pushes the moves of the scratch.
    #[inline]
    fn push<P: Position<Move = M>>(&mut self, pos: &P, picker: &mut Picker, rank: impl Fn(M) -> i32) {
        self.ranked.extend(self.scratch.iter().map(|&mv| {
            let code = pos.code(mv);
            debug_assert!(usize::from(code) < P::CODES, "code {code} is not below {}", P::CODES);
            Ranked { mv, code, rank: rank(mv) }
        }));
        picker.last = self.ranked.len();
    }

    /// Pushes the moves of the scratch, ranked by the game's own score and by killers and history.
    #[inline]
    fn push_ranked<P, H>(&mut self, source: &Source<'_, P, H>, picker: &mut Picker)
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        let (&Source { pos, heuristics, history, ply }, before) = (source, picker.last);
        self.push(pos, picker, |mv| heuristics.move_score(pos, mv));
        if let Some(history) = history {
            for ranked in &mut self.ranked[before..] {
                ranked.rank += history.rank(pos.turn(), ply, ranked.code);
            }
        }
    }

    /// Ranks the hash move above all others, if it is there.
    #[inline]
    fn promote(&mut self, picker: &Picker) {
        let Some(hash) = picker.hash else { return };
        if let Some(ranked) = self.ranked[picker.first..].iter_mut().find(|ranked| ranked.code == hash) {
            ranked.rank = HASH_RANK;
        }
    }

    /// The best move not yet taken: a selection, not a sort, for a cut-off may spare the rest.
    /// Of equal moves the first generated comes first.
    #[inline]
    pub fn next<P, H>(&mut self, picker: &mut Picker, source: &Source<'_, P, H>) -> Option<Ranked<M>>
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        if <H as MoveOrdering<P>>::STAGED {
            self.stage(picker, source);
        }
        self.best(picker)
    }

    /// The best move of those that are there.
    #[inline]
    pub fn best(&mut self, picker: &mut Picker) -> Option<Ranked<M>> {
        let rest = &mut self.ranked[picker.next..picker.last];
        let best = highest(rest);
        let found = *rest.get(best)?;
        rest[..=best].rotate_right(1);
        picker.next += 1;
        Some(found)
    }

    /// Generates the next stages until the best move that is there comes before all that are not.
    fn stage<P, H>(&mut self, picker: &mut Picker, source: &Source<'_, P, H>)
    where
        P: Position<Move = M>,
        H: Heuristics<P>,
    {
        let &Source { pos, heuristics, .. } = source;
        while picker.stage != Stage::All {
            let rest = &mut self.ranked[picker.next..picker.last];
            let best = highest(rest);
            match rest.get_mut(best) {
                Some(best) if best.rank == HASH_RANK => return,
                Some(best) if best.rank > LOSING => {
                    if heuristics.exchange(pos, best.mv, 0) {
                        return;
                    }
                    best.rank = LOSING;
                }
                _ => {
                    self.scratch.clear();
                    let noisy = picker.stage == Stage::Hash;
                    if noisy {
                        heuristics.noisy_moves(pos, &mut self.scratch);
                        picker.stage = Stage::Noisy;
                    } else {
                        heuristics.quiet_moves(pos, &mut self.scratch);
                        picker.stage = Stage::All;
                    }
                    debug_assert!(is_all_but(pos, &self.scratch, |mv| heuristics.is_noisy(pos, mv) != noisy));
                    let hash = picker.hash;
                    self.scratch.retain(|&mv| Some(pos.code(mv)) != hash);
                    self.push_ranked(source, picker);
                }
            }
        }
    }

    /// Puts the move taken last behind all others; false if it has been put there before.
    #[inline]
    pub fn defer(&mut self, picker: &mut Picker) -> bool {
        let last = &mut self.ranked[picker.next - 1];
        if last.rank == DEFERRED || (picker.next == picker.last && picker.stage == Stage::All) {
            return false;
        }
        last.rank = DEFERRED;
        picker.next -= 1;
        true
    }

    /// The moves that have been generated, those taken first.
    #[inline]
    #[must_use]
    pub fn all(&self, picker: &Picker) -> &[Ranked<M>] {
        &self.ranked[picker.first..picker.last]
    }

    /// The moves taken before the last one, in their order.
    #[inline]
    #[must_use]
    pub fn tried(&self, picker: &Picker) -> &[Ranked<M>] {
        &self.ranked[picker.first..picker.next.saturating_sub(1).max(picker.first)]
    }

    /// Takes the moves of a picker, and whatever lies above them, off the stack.
    #[inline]
    pub fn pop(&mut self, picker: &Picker) {
        self.ranked.truncate(picker.first);
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

/// The place of the first move with the highest rank.
#[inline]
fn highest<M>(moves: &[Ranked<M>]) -> usize {
    let (mut best, mut rank) = (0, i32::MIN);
    for (index, ranked) in moves.iter().enumerate() {
        if ranked.rank > rank {
            (best, rank) = (index, ranked.rank);
        }
    }
    best
}

/// Whether these are the legal moves but those, in the same order.
fn is_all_but<P: Position>(pos: &P, moves: &[P::Move], but: impl Fn(P::Move) -> bool) -> bool {
    let mut all = Vec::new();
    pos.moves(&mut all);
    all.into_iter().filter(|&mv| !but(mv)).eq(moves.iter().copied())
}
