//! The move picker: the hash move, then the others by the game's own score, killers and history, best first. The moves
//! of a game are either all [scored at once](MoveOrdering) or generated in stages, so that a cut-off may save later
//! stages:
//!
//! ```text
//! stage     taken                                                        generated
//! hash      the hash move                                                nothing
//! noisy     noisy moves that lose nothing in the exchange, best first    noisy moves
//! quiet     the others by killers and history, then the losing ones      quiet moves
//! ```

use super::history::History;
use crate::core::position::legal_moves;
use crate::core::{Heuristics, MoveOrdering, Position};

/// The rank of the hash move, above all other ranks.
pub(crate) const HASH_RANK: i32 = i32::MAX;

/// The rank of a noisy move that loses material, above deferred moves only.
const LOSING: i32 = i32::MIN + 1;

/// The rank of a deferred move, below all other ranks.
pub(crate) const DEFERRED: i32 = i32::MIN;

/// A legal move with its code and its rank.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// Its code.
    pub code: u16,
    /// The rank; higher ranks are tried first.
    pub rank: i32,
}

/// The position whose moves are picked, and the sources of their ranks.
pub struct Source<'a, P, H> {
    /// The position.
    pub pos: &'a P,
    /// The game's own scores.
    pub heuristics: &'a H,
    /// Killers and history, if the game uses them.
    pub history: Option<&'a History>,
    /// The [kinds](MoveOrdering::kind) of the last move and of the one before it.
    pub kinds: [usize; 2],
    /// Plies from the root.
    pub ply: usize,
}

/// The `Source` of a frame's picker. It is a macro because it borrows fields of the search separately.
macro_rules! source {
    ($search:ident, $frame:ident) => {
        Source {
            pos: &$frame.pos,
            heuristics: $search.heuristics,
            history: $search.worker.history.as_ref(),
            kinds: $frame.kinds,
            ply: $frame.ply,
        }
    };
}
pub(super) use source;

/// The ranked moves of every position on the path, in one buffer.
pub struct MoveStack<P: Position> {
    ranked: Vec<Ranked<P::Move>>,
    scratch: Vec<P::Move>,
}

/// A position's moves on the stack, and the number of moves taken.
#[derive(Clone, Copy, Debug)]
pub struct Picker {
    first: usize,
    next: usize,
    last: usize,
    hash: Option<u16>,
    stage: Stage,
    /// Whether the remaining moves are sorted.
    sorted: bool,
}

impl Picker {
    /// Whether all moves are generated, and there is only one.
    #[inline]
    pub(crate) fn is_single(&self) -> bool {
        self.stage == Stage::All && self.last == self.first + 1
    }
}

/// The number of moves taken after which the others are sorted: by then a cut-off is unlikely, and repeated selection
/// costs more.
const SELECTED: usize = 4;

/// The generation stage: which moves are on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Hash,
    Noisy,
    All,
}

impl<P: Position> MoveStack<P> {
    /// Creates an empty stack.
    #[must_use]
    pub fn new() -> Self {
        Self { ranked: Vec::new(), scratch: Vec::new() }
    }

    /// Returns a picker of the legal moves, in stages if the game uses them. A hash code that matches no legal move is
    /// ignored.
    #[inline]
    pub fn pick<H: Heuristics<P>>(&mut self, source: &Source<'_, P, H>, hash: Option<u16>) -> Picker {
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

    /// Returns a picker of the legal moves, all generated and ranked.
    #[inline]
    pub(crate) fn pick_scored<H: Heuristics<P>>(&mut self, source: &Source<'_, P, H>, hash: Option<u16>) -> Picker {
        self.scratch.clear();
        source.pos.moves(&mut self.scratch);
        debug_assert_eq!(self.scratch.is_empty(), source.pos.is_over(), "a game is over where there is no move");
        let mut picker = self.picker(hash, Stage::All);
        self.push_ranked(source, &mut picker);
        self.promote(&picker);
        picker
    }

    /// Returns a picker of the noisy moves, ranked by the game alone, except for the hash move.
    #[inline]
    pub(crate) fn pick_noisy<H: Heuristics<P>>(&mut self, pos: &P, heuristics: &H, hash: Option<u16>) -> Picker {
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
        Picker { first, next: first, last: first, hash, stage, sorted: false }
    }

    /// Pushes the moves in `scratch`.
    #[inline]
    fn push(&mut self, pos: &P, picker: &mut Picker, rank: impl Fn(P::Move) -> i32) {
        for &mv in &self.scratch {
            let code = pos.code(mv);
            debug_assert!(usize::from(code) < P::CODES, "code {code} is not below {}", P::CODES);
            self.ranked.push(Ranked { mv, code, rank: rank(mv) });
        }
        picker.last = self.ranked.len();
    }

    /// Pushes the moves in `scratch`, ranked by the game's own score, killers and history.
    #[inline]
    fn push_ranked<H: Heuristics<P>>(&mut self, source: &Source<'_, P, H>, picker: &mut Picker) {
        let (&Source { pos, heuristics, history, kinds, ply }, before) = (source, picker.last);
        self.push(pos, picker, |mv| heuristics.move_score(pos, mv));
        let Some(history) = history else { return };
        for ranked in &mut self.ranked[before..] {
            if <H as MoveOrdering<P>>::KINDS == 0 {
                ranked.rank += history.rank(pos.turn(), ply, ranked.code);
            } else if !heuristics.is_noisy(pos, ranked.mv) {
                let kind = heuristics.kind(pos, ranked.mv);
                ranked.rank += history.rank(pos.turn(), ply, ranked.code) + history.continuation.value(kinds, kind);
            }
        }
    }

    /// Ranks the hash move above all others, if it is on the stack.
    #[inline]
    fn promote(&mut self, picker: &Picker) {
        let Some(hash) = picker.hash else { return };
        if let Some(ranked) = self.ranked[picker.first..].iter_mut().find(|ranked| ranked.code == hash) {
            ranked.rank = HASH_RANK;
        }
    }

    /// Returns the best move not taken yet. Of equal moves the first generated comes first. The first moves are
    /// selected, not sorted, because a cut-off may save the rest.
    #[inline]
    pub fn next<H: Heuristics<P>>(
        &mut self,
        picker: &mut Picker,
        source: &Source<'_, P, H>,
    ) -> Option<Ranked<P::Move>> {
        if <H as MoveOrdering<P>>::STAGED {
            self.stage(picker, source);
        }
        self.best(picker)
    }

    /// Returns the best of the generated moves that are not taken.
    #[inline]
    pub(crate) fn best(&mut self, picker: &mut Picker) -> Option<Ranked<P::Move>> {
        let rest = &mut self.ranked[picker.next..picker.last];
        if !picker.sorted && picker.stage == Stage::All && picker.next - picker.first >= SELECTED {
            sort(rest);
            picker.sorted = true;
        }
        let best = if picker.sorted { 0 } else { highest(rest) };
        let found = *rest.get(best)?;
        rest[..=best].rotate_right(1);
        picker.next += 1;
        Some(found)
    }

    /// Generates stages until the best generated move precedes all moves of later stages.
    fn stage<H: Heuristics<P>>(&mut self, picker: &mut Picker, source: &Source<'_, P, H>) {
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

    /// Puts the last move taken after all others. Returns false if it was deferred before, or if no other move is left.
    #[inline]
    pub(crate) fn defer(&mut self, picker: &mut Picker) -> bool {
        let last = &mut self.ranked[picker.next - 1];
        if last.rank == DEFERRED || (picker.next == picker.last && picker.stage == Stage::All) {
            return false;
        }
        last.rank = DEFERRED;
        picker.next -= 1;
        picker.sorted = false;
        true
    }

    /// Removes the last move taken, and those remaining moves that `keep` rejects.
    #[inline]
    pub(crate) fn drop_moves(&mut self, picker: &mut Picker, keep: impl Fn(P::Move) -> bool) {
        debug_assert!(picker.stage == Stage::All && picker.last == self.ranked.len());
        picker.next -= 1;
        let mut kept = picker.next;
        for index in picker.next + 1..picker.last {
            let ranked = self.ranked[index];
            if keep(ranked.mv) {
                self.ranked[kept] = ranked;
                kept += 1;
            }
        }
        self.ranked.truncate(kept);
        picker.last = kept;
    }

    #[inline]
    pub(crate) fn all(&self, picker: &Picker) -> &[Ranked<P::Move>] {
        &self.ranked[picker.first..picker.last]
    }

    /// Returns the moves taken before the last one, in order.
    #[inline]
    pub(crate) fn tried(&self, picker: &Picker) -> &[Ranked<P::Move>] {
        &self.ranked[picker.first..picker.next.saturating_sub(1).max(picker.first)]
    }

    /// Removes the moves of a picker, and all moves above them, from the stack.
    #[inline]
    pub fn pop(&mut self, picker: &Picker) {
        self.ranked.truncate(picker.first);
    }

    pub(crate) fn clear(&mut self) {
        self.ranked.clear();
    }
}

impl<P: Position> Default for MoveStack<P> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the index of the first move with the highest rank.
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

/// Sorts by falling rank; moves of equal rank keep their order. Insertion sort, because lists of moves are short.
#[inline]
fn sort<M: Copy>(moves: &mut [Ranked<M>]) {
    for next in 1..moves.len() {
        let (ranked, mut place) = (moves[next], next);
        while place > 0 && moves[place - 1].rank < ranked.rank {
            moves[place] = moves[place - 1];
            place -= 1;
        }
        moves[place] = ranked;
    }
}

/// Whether `moves` are the legal moves without those for which `but` holds, in the same order.
fn is_all_but<P: Position>(pos: &P, moves: &[P::Move], but: impl Fn(P::Move) -> bool) -> bool {
    legal_moves(pos).into_iter().filter(|&mv| !but(mv)).eq(moves.iter().copied())
}
