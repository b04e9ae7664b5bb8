//! The search of one window at the root: all moves of a line, and the resulting value, proof and moves.

use super::root::{Root, RootEvent, RootMove, RootResult, RootTask, Tie};
use super::subtrees::Subtrees;
use super::trace::Entered;
use super::value::Value;
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::score::{INFINITE, Score};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Proof};

/// The parameters of one window.
#[derive(Clone, Copy)]
struct WindowQuery {
    task: RootTask,
    floor: Score,
    beta: Score,
    /// Whether the value is that of all moves searched (line 0), not only of those that earlier lines leave.
    whole: bool,
    /// The bounds by the rules. If not all moves of the position are searched, there is no lower bound. Table bounds of
    /// the root are not used: they do not show which move reaches them.
    known: Bounds,
    /// The value that ends the window.
    enough: Score,
    /// Whether all moves equal to the best are searched for.
    ties: bool,
}

impl WindowQuery {
    /// Whether a score is inside the window.
    fn holds(self, score: Score) -> bool {
        score > self.floor && score < self.beta
    }

    /// Whether one proof of the best value is stronger than another: by the lower bit if `whole`, otherwise by both.
    fn is_better(self, proof: Proof, than: Proof) -> bool {
        if self.whole { proof.lower() && !than.lower() } else { proof.exact() && !than.exact() }
    }
}

/// The results of the root moves so far.
struct Sweep {
    /// The value that a move has to exceed.
    alpha: Score,
    best: Value,
    /// The index of the best move.
    best_at: usize,
    /// The upper proof bit: no move is better than the best.
    upper: Proof,
    /// The moves equal to `alpha`, each with its proof.
    ties: Vec<Tie>,
    /// Why the sweep ended.
    end: End<u16>,
    /// The lower bound by the rules is above what the moves have shown.
    unshown: bool,
}

impl Root {
    /// Searches all moves of a line within the window and brings the best one to the front. If no move exceeds alpha,
    /// the line of the last iteration stays. If the search is aborted, returns the result so far, if there is a
    /// reliable one.
    pub(super) fn window<'a>(
        &mut self,
        search: &mut dyn Subtrees<'a>,
        task: RootTask,
        floor: Score,
        beta: Score,
        report: &mut dyn FnMut(&mut dyn Subtrees<'a>, RootEvent),
    ) -> (Option<RootResult>, Result<(), Aborted>) {
        let (whole, of_position, ties) = (task.line == 0, self.is_of_position(task.line), self.wants_ties());
        let mut known = if whole { self.facts.known } else { Bounds::NONE };
        if !of_position {
            known.lower = Bounds::NONE.lower;
        }
        let enough = if ties { beta } else { beta.min(known.upper) };
        let query = WindowQuery { task, floor, beta, whole, known, enough, ties };
        let node = Entered { turn: self.facts.turn, ply: 0, depth: task.depth.into(), window: [floor, beta] };
        if let Some(trace) = &mut search.worker().trace {
            trace.enter(&node, &|| self.facts.static_value);
        }
        let (best, end) = (Value::guess(-INFINITE), End::Moves);
        let (upper, ties) = (Proof::UPPER, Vec::new());
        let mut sweep = Sweep { alpha: floor, best, best_at: task.line, upper, ties, end, unshown: false };
        if self.sweep(search, query, &mut sweep, report).is_err() {
            let found = sweep.cut_short(self, query);
            if let Some(trace) = &mut search.worker().trace {
                trace.stopped(found.as_ref().map(|found| found.value));
            }
            return (found, Err(Aborted));
        }
        if sweep.best.score < enough && search.worker().is_shortest(sweep.best.score, task.depth.into()) {
            sweep.upper = Proof::UPPER;
        }
        let mut shown = query.holds(sweep.best.score);
        if whole {
            shown &= self.hold(search, query, &mut sweep);
        }
        let inside = query.holds(sweep.best.score);
        // The proof of one move says nothing about other moves.
        let sure = sweep.best.proof.exact() && (whole || sweep.upper.upper());
        if !whole && !inside && !sure && sweep.best_at > task.line {
            sweep.best.proof = sweep.upper;
        }
        // Of moves with the same score, one whose score is proven is played.
        let is_other = sweep.best_at > task.line;
        let is_safer = whole && is_other && sweep.best.proof.lower();
        if is_safer && sweep.best.score <= floor && !sweep.unshown && !sweep.best.proof.exact() {
            // Below the window all other moves are at most equal.
            self.moves[task.line..=sweep.best_at].rotate_right(1);
            self.moves[task.line].pv.truncate(1);
        } else if (is_safer && inside) || (sweep.best.proof.exact() && (inside || sure) && (!shown || is_other)) {
            self.show(search, query, &sweep);
        }
        if let Some(trace) = &mut search.worker().trace {
            trace.leave(0, sweep.best, sweep.end.clone());
        }
        let (best, alpha) = (sweep.best, sweep.alpha);
        let found = sweep.found(self, query, inside, sure);
        if of_position {
            let code = (alpha > floor || best.proof.exact()).then(|| self.moves[0].code);
            search.keep(best, [floor, beta], code, task.depth);
        }
        (Some(found), Ok(()))
    }

    /// Searches the moves in order until one reaches `enough`.
    fn sweep<'a>(
        &mut self,
        search: &mut dyn Subtrees<'a>,
        query: WindowQuery,
        sweep: &mut Sweep,
        report: &mut dyn FnMut(&mut dyn Subtrees<'a>, RootEvent),
    ) -> Result<(), Aborted> {
        let RootTask { depth, line } = query.task;
        for index in line..self.moves.len() {
            let RootMove { code, place, .. } = self.moves[index];
            report(search, RootEvent::Move { depth, code, number: index - line + 1 });
            let remaining = i32::from(depth) - 1;
            // A window that contains the best value separates equal moves from worse ones.
            let low = if query.ties && sweep.alpha > query.floor { sweep.alpha - 1 } else { sweep.alpha };
            let mut value = Value::guess(low + 1);
            let before = search.worker().tally.nodes;
            if index > line {
                let less = if query.ties { 0 } else { search.reduction(place, index - line, depth.into()) };
                search.worker().trace_move(code, if less > 0 { SearchKind::Reduced } else { SearchKind::Null });
                value = search.search(place, [low, low + 1], remaining - less)?;
                if less > 0 && value.score > low {
                    search.worker().trace_move(code, SearchKind::Null);
                    value = search.search(place, [low, low + 1], remaining)?;
                }
            }
            if value.score > low && (index == line || value.score < query.enough) {
                search.worker().trace_move(code, SearchKind::Full);
                value = search.search(place, [low, query.beta], remaining)?;
            }
            self.moves[index].nodes += search.worker().tally.nodes - before;
            sweep.upper = sweep.upper.and(value.proof);
            if value.score > low {
                self.moves[index].pv = search.worker().line(code, 1);
            }
            let best = sweep.best;
            if value.score > best.score || (value.score == best.score && query.is_better(value.proof, best.proof)) {
                (sweep.best, sweep.best_at) = (value, index);
            }
            if value.score > sweep.alpha {
                sweep.alpha = value.score;
                sweep.ties.clear();
                self.moves[line..=index].rotate_right(1);
                sweep.best_at = line;
            }
            if value.score == sweep.alpha && sweep.alpha > query.floor {
                sweep.ties.push(Tie { place, code, proof: value.proof });
            }
            if value.score >= query.enough {
                if index + 1 < self.moves.len() {
                    sweep.upper = Proof::NONE;
                }
                sweep.end = End::Cutoff(code);
                break;
            }
        }
        Ok(())
    }

    /// Narrows the value of the position to the bounds of the rules. Returns false if the value is now exact but no
    /// searched move has shown it.
    fn hold(&mut self, search: &mut dyn Subtrees<'_>, query: WindowQuery, sweep: &mut Sweep) -> bool {
        let of_move = sweep.best.proof;
        let moved = Value { proof: of_move.and(Proof::LOWER).or(sweep.upper), ..sweep.best };
        let mut best = moved.within(query.known);
        let shown = !best.proof.exact() || (best.score == moved.score && moved.proof.lower());
        sweep.unshown = moved.shows_less(query.known.lower);
        if !shown {
            let keeping = search.keeping(best);
            match self.moves.iter().position(|root| Some(root.code) == keeping) {
                Some(index) => (sweep.best_at, sweep.unshown) = (index, false),
                None => best.proof = Proof::UPPER,
            }
        }
        if best.proof.exact() && !of_move.exact() {
            // The move is proven to keep the value, but the rest of the line may not be.
            self.moves[sweep.best_at].pv.truncate(1);
        }
        if best.score != moved.score {
            sweep.ties.clear();
            sweep.upper = Proof::NONE;
        }
        sweep.best = best;
        shown
    }

    /// Brings the move that is known to have the value to the front, and searches for its line.
    fn show(&mut self, search: &mut dyn Subtrees<'_>, query: WindowQuery, sweep: &Sweep) {
        let (RootTask { depth, line }, score) = (query.task, sweep.best.score);
        self.moves[line..=sweep.best_at].rotate_right(1);
        let RootMove { code, place, .. } = self.moves[line];
        search.worker().trace_move(code, SearchKind::Full);
        let shown = search.search(place, [score - 1, score + 1], i32::from(depth) - 1);
        let shown = shown.is_ok_and(|value| value.score == score && value.proof.lower());
        self.moves[line].pv = if shown { search.worker().line(code, 1) } else { vec![code] };
        search.clear();
    }
}

impl Sweep {
    /// Returns the result of an aborted window: the best move so far, if it raised alpha.
    fn cut_short(self, root: &Root, query: WindowQuery) -> Option<RootResult> {
        let line = query.task.line;
        let of_move = query.whole || self.best_at == line;
        let proof = if of_move { self.best.proof.and(Proof::LOWER) } else { Proof::NONE };
        let moved = Value { proof, ..self.best };
        // Of moves with the same score, one whose score is proven is played.
        let best = &root.moves[self.best_at];
        let pv = if self.best_at == line || !of_move { root.moves[line].pv.clone() } else { vec![best.code] };
        let value = moved.within(query.known);
        (self.alpha > query.floor).then(|| RootResult {
            value: Value { proof: value.proof.and(Proof::LOWER), ..value },
            bound: Bound::Lower,
            window: [query.floor, query.beta],
            pv,
            ties: Vec::new(),
            settled: false,
            unshown: moved.shows_less(query.known.lower),
        })
    }

    /// Builds the result. `inside`: the value is within the window; `sure`: it is proven.
    fn found(mut self, root: &Root, query: WindowQuery, inside: bool, sure: bool) -> RootResult {
        let (value, first) = (self.best, &root.moves[query.task.line]);
        // Equal moves are complete only in a window around their value.
        let bound = if inside || (sure && !query.ties) {
            Bound::Exact
        } else if value.score >= query.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        // The value of the position may be proven while the set of moves that have it is not.
        let exact = value.proof.exact();
        let confirmed = self.upper.upper() && self.ties.iter().all(|tie| tie.proof.exact());
        let listed = self.ties.iter().any(|tie| tie.code == first.code);
        if bound != Bound::Exact || !query.ties || !listed || (exact && !confirmed) {
            self.ties.clear();
        }
        let known = if query.ties { !self.ties.is_empty() } else { self.upper.upper() || query.whole };
        let settled = bound == Bound::Exact && exact && known;
        let window = [query.floor, query.beta];
        RootResult { value, bound, window, pv: first.pv.clone(), ties: self.ties, settled, unshown: self.unshown }
    }
}
