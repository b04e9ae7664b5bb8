//! One window at the root: every move of a line searched, and what that says of its value, its proof and its moves.

use super::root::{Root, RootEvent, RootMove, RootResult, RootTask, Tie};
use super::subtrees::Subtrees;
use super::trace::Entered;
use super::value::Value;
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::score::{INFINITE, Score};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Proof};

/// What is asked about a line.
#[derive(Clone, Copy)]
struct Ask {
    task: RootTask,
    floor: Score,
    beta: Score,
    /// The value is that of all moves searched, not only of those that no line before has.
    whole: bool,
    /// What the rules tell of it: of some moves of the position not how good they are at least. What a table proves of the root
    /// does not tell which move has it.
    known: Bounds,
    /// A value that ends it.
    enough: Score,
    /// Moves exactly as good as the best are looked for.
    ties: bool,
}

impl Ask {
    /// Whether a value is inside the window.
    fn holds(self, score: Score) -> bool {
        score > self.floor && score < self.beta
    }

    /// Whether one proof of the best value is more than another: of a move what it gets, of a line all of it.
    fn is_better(self, proof: Proof, than: Proof) -> bool {
        if self.whole { proof.lower() && !than.lower() } else { proof.exact() && !than.exact() }
    }
}

/// What the moves of the root have shown so far.
struct Sweep {
    /// What a move has to be better than.
    alpha: Score,
    best: Value,
    /// The place of the move that has it.
    best_at: usize,
    /// Whether it is proven that no move is better.
    upper: Proof,
    /// The moves as good as `alpha`, each with the proof of its value.
    ties: Vec<Tie>,
    /// Why it ended.
    end: End<u16>,
    /// The rules promise more than the moves have shown.
    unshown: bool,
}

impl Root {
    /// Every move within the window, the best one brought to the front. Where none is above the window the line is
    /// that of the last iteration. Cut off early, it still tells what is sure by then, if anything is.
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
        let query = Ask { task, floor, beta, whole, known, enough, ties };
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
        // The proof of one move does not tell that the others are no better, nor anything of another move.
        let sure = sweep.best.proof.exact() && (whole || sweep.upper.upper());
        if !whole && !inside && !sure && sweep.best_at > task.line {
            sweep.best.proof = sweep.upper;
        }
        // Of moves with the same score the one that is proven to have it is played.
        let is_other = sweep.best_at > task.line;
        let is_safer = whole && is_other && sweep.best.proof.lower();
        if is_safer && sweep.best.score <= floor && !sweep.unshown && !sweep.best.proof.exact() {
            // Below the window all others are at most as good.
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

    /// Searches the moves in their order, until one is enough.
    fn sweep<'a>(
        &mut self,
        search: &mut dyn Subtrees<'a>,
        ask: Ask,
        sweep: &mut Sweep,
        report: &mut dyn FnMut(&mut dyn Subtrees<'a>, RootEvent),
    ) -> Result<(), Aborted> {
        let RootTask { depth, line } = ask.task;
        for index in line..self.moves.len() {
            let RootMove { code, place, .. } = self.moves[index];
            report(search, RootEvent::Move { depth, code, number: index - line + 1 });
            let remaining = i32::from(depth) - 1;
            // A window that contains the value of the best move tells a move as good from a worse one.
            let low = if ask.ties && sweep.alpha > ask.floor { sweep.alpha - 1 } else { sweep.alpha };
            let mut value = Value::guess(low + 1);
            if index > line {
                search.worker().trace_move(code, SearchKind::Null);
                value = search.search(place, [low, low + 1], remaining)?;
            }
            if value.score > low && (index == line || value.score < ask.enough) {
                search.worker().trace_move(code, SearchKind::Full);
                value = search.search(place, [low, ask.beta], remaining)?;
            }
            sweep.upper = sweep.upper.and(value.proof);
            if value.score > low {
                self.moves[index].pv = search.worker().line(code, 1);
            }
            let best = sweep.best;
            if value.score > best.score || (value.score == best.score && ask.is_better(value.proof, best.proof)) {
                (sweep.best, sweep.best_at) = (value, index);
            }
            if value.score > sweep.alpha {
                sweep.alpha = value.score;
                sweep.ties.clear();
                self.moves[line..=index].rotate_right(1);
                sweep.best_at = line;
            }
            if value.score == sweep.alpha && sweep.alpha > ask.floor {
                sweep.ties.push(Tie { place, code, proof: value.proof });
            }
            if value.score >= ask.enough {
                if index + 1 < self.moves.len() {
                    sweep.upper = Proof::NONE;
                }
                sweep.end = End::Cutoff(code);
                break;
            }
        }
        Ok(())
    }

    /// Brings the value of the position within what the rules tell of it; false if it is known now, but no move
    /// searched has shown it.
    fn hold(&mut self, search: &mut dyn Subtrees<'_>, ask: Ask, sweep: &mut Sweep) -> bool {
        let of_move = sweep.best.proof;
        let moved = Value { proof: of_move.and(Proof::LOWER).or(sweep.upper), ..sweep.best };
        let mut best = moved.within(ask.known);
        let shown = !best.proof.exact() || (best.score == moved.score && moved.proof.lower());
        sweep.unshown = moved.shows_less(ask.known.lower);
        if !shown {
            let keeping = search.keeping(best);
            match self.moves.iter().position(|root| Some(root.code) == keeping) {
                Some(index) => (sweep.best_at, sweep.unshown) = (index, false),
                None => best.proof = Proof::UPPER,
            }
        }
        if best.proof.exact() && !of_move.exact() {
            // The move keeps the value, but perhaps not the answers to it.
            self.moves[sweep.best_at].pv.truncate(1);
        }
        if best.score != moved.score {
            sweep.ties.clear();
            sweep.upper = Proof::NONE;
        }
        sweep.best = best;
        shown
    }

    /// Brings the move that is known to have the value to the front, and looks for its line.
    fn show(&mut self, search: &mut dyn Subtrees<'_>, ask: Ask, sweep: &Sweep) {
        let (RootTask { depth, line }, score) = (ask.task, sweep.best.score);
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
    /// What is sure when the time is over: the best move so far, if one was above the window.
    fn cut_short(self, root: &Root, ask: Ask) -> Option<RootResult> {
        let line = ask.task.line;
        let of_move = ask.whole || self.best_at == line;
        let proof = if of_move { self.best.proof.and(Proof::LOWER) } else { Proof::NONE };
        let moved = Value { proof, ..self.best };
        let value = moved.within(ask.known);
        (self.alpha > ask.floor).then(|| RootResult {
            value: Value { proof: value.proof.and(Proof::LOWER), ..value },
            bound: Bound::Lower,
            window: [ask.floor, ask.beta],
            pv: root.moves[line].pv.clone(),
            ties: Vec::new(),
            settled: false,
            unshown: moved.shows_less(ask.known.lower),
        })
    }

    /// The result, of a value inside the window or not, proven for sure or not.
    fn found(mut self, root: &Root, ask: Ask, inside: bool, sure: bool) -> RootResult {
        let (value, first) = (self.best, &root.moves[ask.task.line]);
        // Moves as good as the best are wanted from a window around its value.
        let bound = if inside || (sure && !ask.ties) {
            Bound::Exact
        } else if value.score >= ask.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        // The value of the position may be proven, but not which moves have it and that no others do.
        let exact = value.proof.exact();
        let confirmed = self.upper.upper() && self.ties.iter().all(|tie| tie.proof.exact());
        let listed = self.ties.iter().any(|tie| tie.code == first.code);
        if bound != Bound::Exact || !ask.ties || !listed || (exact && !confirmed) {
            self.ties.clear();
        }
        let known = if ask.ties { !self.ties.is_empty() } else { self.upper.upper() || ask.whole };
        let settled = bound == Bound::Exact && exact && known;
        let window = [ask.floor, ask.beta];
        RootResult { value, bound, window, pv: first.pv.clone(), ties: self.ties, settled, unshown: self.unshown }
    }
}
