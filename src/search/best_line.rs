//! [`BestLine`]: which move and line of the root may be shown for a value. It reconciles the values of the moves with
//! the rules and the table: a move that is shown for a proven value keeps that value.

use super::alpha_beta::{Evidence, Subtrees};
use super::root_moves::{RootMove, RootMoves};
use super::value::Value;
use crate::core::report::Bound;
use crate::core::score::{INFINITE, Score};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Proof};

/// A window of a line of an iteration.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The depth of the iteration, in plies.
    pub(super) depth: u8,
    /// The index of the line, which omits the best moves of earlier lines.
    pub(super) line: usize,
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// Whether all moves are searched, not only those that earlier lines have left.
    const fn is_whole(&self) -> bool {
        self.line == 0
    }
}

/// A line of the root: its value, how it relates to the window, and the moves that may be shown for it.
#[derive(Clone)]
pub(super) struct RootLine {
    pub(super) depth: u8,
    pub(super) value: Value,
    pub(super) bound: Bound,
    pub(super) window: [Score; 2],
    pub(super) pv: Vec<u16>,
    /// The moves with this value in order of their places, including the first; empty if they were not searched for.
    pub(super) ties: Vec<Tie>,
    /// Whether a deeper search cannot change the result.
    pub(super) is_settled: bool,
    /// Whether the rules guarantee more than the moves have shown: the best move may give it away.
    may_lose_bound: bool,
}

/// A move equal to the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tie {
    pub(super) place: usize,
    pub(super) code: u16,
    pub(super) proof: Proof,
}

impl RootLine {
    fn new(window: Window, value: Value, pv: Vec<u16>) -> Self {
        let Window { depth, alpha, beta, .. } = window;
        let (window, bound) = ([alpha, beta], Bound::Exact);
        Self { depth, value, bound, window, pv, ties: Vec::new(), is_settled: false, may_lose_bound: false }
    }

    /// Returns a line before any search: a legal move.
    pub(super) fn first_guess(moves: &RootMoves, line: usize) -> Self {
        let RootMove { score, code, .. } = moves.list[line];
        let window = Window { depth: 0, line, alpha: -INFINITE, beta: INFINITE };
        Self { may_lose_bound: moves.is_of_position(line), ..Self::new(window, Value::guess(score), vec![code]) }
    }

    /// Returns the line of a game that is over at the root.
    pub(super) fn at_end(moves: &RootMoves) -> Self {
        let window = Window { depth: 0, line: 0, alpha: -INFINITE, beta: INFINITE };
        Self { is_settled: true, ..Self::new(window, Value::exact(moves.facts.static_value.score), Vec::new()) }
    }

    /// Extends the line to the end of the game, as far as the moves are known to keep the value. A line that reached
    /// the horizon ends in an evaluation, which proves nothing further.
    pub(super) fn extend_pv(&mut self, search: &mut dyn Subtrees<'_>) {
        let Self { value, depth, ref mut pv, .. } = *self;
        if pv.len() < depth.into() || value.proof.exact() || value.is_won().is_some() {
            search.extend_pv(value, pv, Evidence::Known);
        }
    }

    /// Extends a line once more before it is returned: positions that the table has lost are searched again, at a
    /// fraction of the cost of the whole search.
    pub(super) fn complete_pv(&mut self, search: &mut dyn Subtrees<'_>) {
        if self.value.proof.exact() {
            search.extend_pv(self.value, &mut self.pv, Evidence::Search);
        }
    }

    /// Replaces a move that may give away what is proven of the position, by an earlier search or by the rules, if
    /// another move is known to keep it. A guess above the proven upper bound shows nothing.
    pub(super) fn keep_bounds(&mut self, search: &mut dyn Subtrees<'_>, moves: &RootMoves, proven: Bounds) {
        if !moves.is_of_position(0) {
            return;
        }
        let best = Some(self.pv[0]);
        let shown = if self.value.score > proven.upper { Value::guess(proven.upper) } else { self.value };
        let mut keeping = None;
        if shown.shows_less(proven.lower) {
            keeping = moves.proven(search, proven.lower, best, Evidence::OffPath);
        }
        if keeping.is_some() {
            (self.value, self.bound) = (Value { score: proven.lower, proof: Proof::LOWER }, Bound::Lower);
        } else if self.may_lose_bound {
            let lower = moves.facts.known.lower;
            keeping = moves.proven(search, lower, best, Evidence::OffPath);
            keeping = keeping.or_else(|| moves.proven(search, lower, best, Evidence::Search));
        }
        if let Some(index) = keeping {
            self.may_lose_bound = false;
            if moves.list[index].code != self.pv[0] {
                self.pv = vec![moves.list[index].code];
            }
        }
        if self.may_lose_bound && moves.seeks_ties {
            // The value belongs to the position, and perhaps not to the move.
            self.value.proof = Proof::NONE;
        }
    }
}

/// The best of the moves searched so far in a window.
pub(super) struct BestLine {
    window: Window,
    /// The bounds by the rules. If not all moves of the position are searched, there is no lower bound. Table bounds of
    /// the root are not used: they do not show which move reaches them.
    known: Bounds,
    /// The value that ends the window.
    pub(super) enough: Score,
    seeks_ties: bool,
    /// The value that a move has to exceed.
    alpha: Score,
    value: Value,
    /// The index of the best move.
    index: usize,
    /// The upper proof bit: no move is better than the best.
    upper: Proof,
    /// The moves equal to `alpha`, each with its proof.
    ties: Vec<Tie>,
    /// Why the moves ended.
    end: End<u16>,
    may_lose_bound: bool,
}

impl BestLine {
    pub(super) fn new(moves: &RootMoves, window: Window) -> Self {
        let mut known = if window.is_whole() { moves.facts.known } else { Bounds::NONE };
        if !moves.is_of_position(window.line) {
            known.lower = Bounds::NONE.lower;
        }
        Self {
            window,
            known,
            enough: if moves.seeks_ties { window.beta } else { window.beta.min(known.upper) },
            seeks_ties: moves.seeks_ties,
            alpha: window.alpha,
            value: Value::guess(-INFINITE),
            index: window.line,
            upper: Proof::UPPER,
            ties: Vec::new(),
            end: End::Moves,
            may_lose_bound: false,
        }
    }

    /// Returns the alpha of the next move. A window that contains the best value separates equal moves from worse ones.
    pub(super) fn next_alpha(&self) -> Score {
        self.alpha - Score::from(self.seeks_ties && self.alpha > self.window.alpha)
    }

    /// Adds the value of the move at `index`, and brings it to the front if it is the best. Returns whether it ends the
    /// window.
    pub(super) fn add(&mut self, moves: &mut RootMoves, index: usize, value: Value) -> bool {
        let (line, place, code) = (self.window.line, moves.list[index].place, moves.list[index].code);
        self.upper = self.upper.and(value.proof);
        if value.score > self.value.score || (value.score == self.value.score && self.is_proof_better(value.proof)) {
            (self.value, self.index) = (value, index);
        }
        if value.score > self.alpha {
            self.alpha = value.score;
            self.ties.clear();
            moves.bring_forward(line, index);
            self.index = line;
        }
        if value.score == self.alpha && self.alpha > self.window.alpha {
            self.ties.push(Tie { place, code, proof: value.proof });
        }
        let is_cutoff = value.score >= self.enough;
        if is_cutoff {
            self.end = End::Cutoff(code);
            if index + 1 < moves.list.len() {
                self.upper = Proof::NONE;
            }
        }
        is_cutoff
    }

    /// Whether the proof of a move with the best score is stronger than that of the best move: by the lower bit, or by
    /// both if earlier lines have taken moves.
    fn is_proof_better(&self, proof: Proof) -> bool {
        let best = self.value.proof;
        if self.window.is_whole() { proof.lower() && !best.lower() } else { proof.exact() && !best.exact() }
    }

    fn is_inside(&self) -> bool {
        self.value.score > self.window.alpha && self.value.score < self.window.beta
    }

    /// Whether the best move is not the one in front.
    fn is_other(&self) -> bool {
        self.index > self.window.line
    }

    /// Returns the result of an aborted window: the best move so far, if it raised alpha.
    pub(super) fn so_far(self, moves: &RootMoves) -> Option<RootLine> {
        if self.alpha <= self.window.alpha {
            return None;
        }
        let is_of_move = self.window.is_whole() || !self.is_other();
        let proof = if is_of_move { self.value.proof.and(Proof::LOWER) } else { Proof::NONE };
        let found = Value { proof, ..self.value };
        let value = found.within(self.known);
        // Of moves with the same score, one whose score is proven is played.
        let is_other = is_of_move && self.is_other();
        let pv = if is_other { vec![moves.list[self.index].code] } else { moves.list[self.window.line].pv.clone() };
        Some(RootLine {
            bound: Bound::Lower,
            may_lose_bound: found.shows_less(self.known.lower),
            ..RootLine::new(self.window, Value { proof: value.proof.and(Proof::LOWER), ..value }, pv)
        })
    }

    /// Returns the result of a window whose moves are all searched, after bringing the move that may be shown for it to
    /// the front. If no move exceeds alpha, the line of the last iteration stays.
    pub(super) fn conclude(mut self, search: &mut dyn Subtrees<'_>, moves: &mut RootMoves) -> RootLine {
        let Window { depth, line, alpha, beta } = self.window;
        if self.value.score < self.enough && search.worker().is_shortest(self.value.score, depth.into()) {
            self.upper = Proof::UPPER;
        }
        let is_whole = self.window.is_whole();
        let was_inside = self.is_inside();
        let is_shown = (!is_whole || self.apply_rules(search, moves)) && was_inside;
        let (is_inside, is_other) = (self.is_inside(), self.is_other());
        // The proof of one move says nothing about other moves.
        let is_sure = self.value.proof.exact() && (is_whole || self.upper.upper());
        if !is_whole && !is_inside && !is_sure && is_other {
            self.value.proof = self.upper;
        }
        // Of moves with the same score, one whose score is proven is played.
        let (is_exact, is_safer) = (self.value.proof.exact(), is_whole && is_other && self.value.proof.lower());
        if is_safer && self.value.score <= alpha && !self.may_lose_bound && !is_exact {
            // Below the window all other moves are at most equal.
            moves.bring_forward(line, self.index);
            moves.list[line].pv.truncate(1);
        } else if (is_safer && is_inside) || (is_exact && (is_inside || is_sure) && (!is_shown || is_other)) {
            moves.bring_forward(line, self.index);
            moves.list[line].pv = self.search_pv(search, moves);
        }
        if let Some(trace) = &mut search.worker().trace {
            trace.leave(0, self.value, self.end.clone());
        }
        if moves.is_of_position(line) {
            let code = (self.alpha > alpha || is_exact).then(|| moves.list[0].code);
            search.store_root(self.value, [alpha, beta], code, depth);
        }
        self.result(moves, is_inside, is_sure)
    }

    /// Narrows the value of the position to the bounds of the rules. Returns false if the value is now exact but no
    /// searched move has shown it.
    fn apply_rules(&mut self, search: &mut dyn Subtrees<'_>, moves: &mut RootMoves) -> bool {
        let of_move = self.value.proof;
        let found = Value { proof: of_move.and(Proof::LOWER).or(self.upper), ..self.value };
        self.value = found.within(self.known);
        self.may_lose_bound = found.shows_less(self.known.lower);
        let is_shown = !self.value.proof.exact() || (self.value.score == found.score && found.proof.lower());
        if !is_shown {
            match moves.proven(search, self.value.score, None, Evidence::Known) {
                Some(index) => (self.index, self.may_lose_bound) = (index, false),
                None => self.value.proof = Proof::UPPER,
            }
        }
        if self.value.proof.exact() && !of_move.exact() {
            // The move is proven to keep the value, but the rest of the line may not be.
            moves.list[self.index].pv.truncate(1);
        }
        if self.value.score != found.score {
            self.ties.clear();
            self.upper = Proof::NONE;
        }
        is_shown
    }

    /// Searches for the line of the move in front, which is known to have the value.
    fn search_pv(&self, search: &mut dyn Subtrees<'_>, moves: &RootMoves) -> Vec<u16> {
        let (first, score) = (&moves.list[self.window.line], self.value.score);
        search.worker().trace_move(first.code, SearchKind::Full);
        let found = search.search(first.place, [score - 1, score + 1], i32::from(self.window.depth) - 1);
        let is_shown = found.is_ok_and(|value| value.score == score && value.proof.lower());
        let pv = if is_shown { search.worker().line(first.code, 1) } else { vec![first.code] };
        search.reset();
        pv
    }

    /// Builds the result. `is_inside`: the value is within the window; `is_sure`: it is proven.
    fn result(mut self, moves: &RootMoves, is_inside: bool, is_sure: bool) -> RootLine {
        let first = &moves.list[self.window.line];
        // Equal moves are complete only in a window around their value.
        let bound = if is_inside || (is_sure && !self.seeks_ties) {
            Bound::Exact
        } else if self.value.score >= self.window.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        // The value of the position may be proven while the set of moves that have it is not.
        let is_exact = self.value.proof.exact();
        let is_confirmed = self.upper.upper() && self.ties.iter().all(|tie| tie.proof.exact());
        let is_listed = self.ties.iter().any(|tie| tie.code == first.code);
        if bound != Bound::Exact || !self.seeks_ties || !is_listed || (is_exact && !is_confirmed) {
            self.ties.clear();
        }
        let is_complete = match self.seeks_ties {
            true => !self.ties.is_empty(),
            false => self.upper.upper() || self.window.is_whole(),
        };
        RootLine {
            bound,
            ties: self.ties,
            is_settled: bound == Bound::Exact && is_exact && is_complete,
            may_lose_bound: self.may_lose_bound,
            ..RootLine::new(self.window, self.value, first.pv.clone())
        }
    }
}
