//! One window at the root: every move of a line searched, and what that tells of its value, its proof and its moves.

use super::node::judged;
use super::root::{Found, Root, RootMove, Task, Told};
use super::trace::{Asked, Trace};
use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::report::Bound;
use crate::core::score::{INFINITE, Score};
use crate::core::tree::{End, SearchKind};
use crate::core::{Bounds, Heuristics, Position, Proof};

/// What is asked about a line.
#[derive(Clone, Copy)]
struct Frame {
    task: Task,
    floor: Score,
    beta: Score,
    /// The value is that of the position itself.
    whole: bool,
    /// What the rules tell of it. What a table proves of the root does not tell which move has it.
    known: Bounds,
    /// A value that ends it.
    enough: Score,
    /// Moves exactly as good as the best are looked for.
    ties: bool,
}

impl Frame {
    /// Whether a value is inside the window.
    fn holds(self, score: Score) -> bool {
        score > self.floor && score < self.beta
    }

    /// Whether one proof of the best value is more than another: of a move what it gets, of a line all of it.
    fn is_better(self, proof: Proof, than: Proof) -> bool {
        if self.whole { proof.lower() && !than.lower() } else { proof.exact() && !than.exact() }
    }
}

/// What the moves of the root have told so far.
struct Sweep<M> {
    /// What a move has to be better than.
    alpha: Score,
    best: Value,
    /// The place of the move that has it.
    best_at: usize,
    /// Whether it is proven that no move is better.
    upper: Proof,
    /// The moves as good as `alpha`, each with the proof of its value.
    ties: Vec<(M, Proof)>,
    /// Why it ended.
    end: End<M>,
}

impl<P: Position, H: Heuristics<P>, T: Trace<P::Move>> Worker<'_, P, H, T> {
    /// Every move within the window, the best one brought to the front. Where none is above the window the line is
    /// that of the last iteration. Cut off early, it still tells what is sure by then, if anything is.
    pub(super) fn window(
        &mut self,
        root: &mut Root<P>,
        task: Task,
        floor: Score,
        beta: Score,
        tell: &mut dyn FnMut(&mut Self, Told<P::Move>),
    ) -> (Option<Found<P::Move>>, Result<(), Aborted>) {
        let nodes = self.tally.nodes;
        let (whole, ties) = (root.is_whole(task.line), root.wants_ties());
        let known = if whole { self.known(&root.pos, 0) } else { Bounds::NONE };
        let enough = if ties { beta } else { beta.min(known.upper) };
        let frame = Frame { task, floor, beta, whole, known, enough, ties };
        let asked = Asked { turn: root.pos.turn(), ply: 0, depth: task.depth.into(), window: [floor, beta] };
        self.trace.enter(&asked, &|| judged(self.heuristics, &root.pos, 0));
        let (best, end) = (Value::guess(-INFINITE), End::Moves);
        let mut sweep = Sweep { alpha: floor, best, best_at: task.line, upper: Proof::UPPER, ties: Vec::new(), end };
        if self.sweep(root, frame, &mut sweep, tell).is_err() {
            let found = sweep.cut_short(root, frame);
            self.trace.stopped(&asked, found.as_ref().map(|found| found.value));
            return (found, Err(Aborted));
        }
        if sweep.best.score < enough && self.is_shortest(sweep.best.score, task.depth.into()) {
            sweep.upper = Proof::UPPER;
        }
        let mut shown = frame.holds(sweep.best.score);
        if whole {
            shown &= self.hold(root, frame, &mut sweep);
        }
        let inside = frame.holds(sweep.best.score);
        // The proof of one move does not tell that the others are no better, nor anything of another move.
        let sure = sweep.best.proof.exact() && (whole || sweep.upper.upper());
        if !whole && !inside && !sure && sweep.best_at > task.line {
            sweep.best.proof = sweep.upper;
        }
        if sweep.best.proof.exact() && (inside || sure) && (!shown || sweep.best_at > task.line) {
            self.show(root, frame, &sweep);
        }
        self.trace.leave(&asked, sweep.best, sweep.end.clone());
        let (best, alpha) = (sweep.best, sweep.alpha);
        let found = sweep.found(root, frame, inside, sure);
        if whole {
            let code = (alpha > floor || best.proof.exact()).then(|| root.moves[0].code);
            self.keep(&root.pos, self.key(&root.pos), best, found.bound, code, (task.depth.into(), 0), nodes);
        }
        (Some(found), Ok(()))
    }

    /// Searches the moves in their order, until one is enough.
    fn sweep(
        &mut self,
        root: &mut Root<P>,
        frame: Frame,
        sweep: &mut Sweep<P::Move>,
        tell: &mut dyn FnMut(&mut Self, Told<P::Move>),
    ) -> Result<(), Aborted> {
        let Task { depth, line } = frame.task;
        for index in line..root.moves.len() {
            let RootMove { mv, ref after, .. } = root.moves[index];
            tell(self, Told::Next { depth, mv, number: index - line + 1 });
            let (key, same, remaining) = (self.key(after), after.turn() == root.pos.turn(), i32::from(depth) - 1);
            // A window that contains the value of the best move tells a move as good from a worse one.
            let low = if frame.ties && sweep.alpha > frame.floor { sweep.alpha - 1 } else { sweep.alpha };
            let mut value = Value::guess(low + 1);
            if index > line {
                self.trace.next(mv, SearchKind::Null);
                value = self.child(after, key, same, low, low + 1, remaining, 1)?;
            }
            if value.score > low && (index == line || value.score < frame.enough) {
                self.trace.next(mv, SearchKind::Full);
                value = self.child(after, key, same, low, frame.beta, remaining, 1)?;
            }
            sweep.upper = sweep.upper.and(value.proof);
            if value.score > low {
                root.moves[index].pv = self.line(mv, 1);
            }
            let best = sweep.best;
            if value.score > best.score || (value.score == best.score && frame.is_better(value.proof, best.proof)) {
                (sweep.best, sweep.best_at) = (value, index);
            }
            if value.score > sweep.alpha {
                sweep.alpha = value.score;
                sweep.ties.clear();
                root.moves[line..=index].rotate_right(1);
                sweep.best_at = line;
            }
            if value.score == sweep.alpha && sweep.alpha > frame.floor {
                sweep.ties.push((mv, value.proof));
            }
            if value.score >= frame.enough {
                if index + 1 < root.moves.len() {
                    sweep.upper = Proof::NONE;
                }
                sweep.end = End::Cutoff(mv);
                break;
            }
        }
        Ok(())
    }

    /// Brings the value of the position within what the rules tell of it; false if it is known now, but no move
    /// searched has shown it.
    fn hold(&mut self, root: &mut Root<P>, frame: Frame, sweep: &mut Sweep<P::Move>) -> bool {
        let of_move = sweep.best.proof;
        let moved = Value { proof: of_move.and(Proof::LOWER).or(sweep.upper), ..sweep.best };
        let mut best = moved.within(frame.known);
        let shown = !best.proof.exact() || (best.score == moved.score && moved.proof.lower());
        if !shown {
            let keeping = self.keeping(root.pos.turn(), &root.pos, best, 1);
            match root.moves.iter().position(|root| Some(root.mv) == keeping) {
                Some(index) => sweep.best_at = index,
                None => best.proof = Proof::UPPER,
            }
        }
        if best.proof.exact() && !of_move.exact() {
            // The move keeps the value, but perhaps not the answers to it.
            root.moves[sweep.best_at].pv.truncate(1);
        }
        if best.score != moved.score {
            sweep.ties.clear();
            sweep.upper = Proof::NONE;
        }
        sweep.best = best;
        shown
    }

    /// Brings the move that is known to have the value to the front, and looks for its line.
    fn show(&mut self, root: &mut Root<P>, frame: Frame, sweep: &Sweep<P::Move>) {
        let (Task { depth, line }, score) = (frame.task, sweep.best.score);
        root.moves[line..=sweep.best_at].rotate_right(1);
        let RootMove { mv, ref after, .. } = root.moves[line];
        let (key, same) = (self.key(after), after.turn() == root.pos.turn());
        self.trace.next(mv, SearchKind::Full);
        let shown = self.child(after, key, same, score - 1, score + 1, i32::from(depth) - 1, 1);
        let shown = shown.is_ok_and(|value| value.score == score && value.proof.lower());
        root.moves[line].pv = if shown { self.line(mv, 1) } else { vec![mv] };
        self.stack.clear();
    }
}

impl<M: Copy + Eq> Sweep<M> {
    /// What is sure when the time is over: the best move so far, if one was above the window.
    fn cut_short<P: Position<Move = M>>(self, root: &Root<P>, frame: Frame) -> Option<Found<M>> {
        let line = frame.task.line;
        let of_move = frame.whole || self.best_at == line;
        let proof = if of_move { self.best.proof.and(Proof::LOWER) } else { Proof::NONE };
        (self.alpha > frame.floor).then(|| Found {
            value: Value { proof, ..self.best },
            bound: Bound::Lower,
            window: [frame.floor, frame.beta],
            pv: root.moves[line].pv.clone(),
            ties: Vec::new(),
            settled: false,
        })
    }

    /// What is told in the end, of a value inside the window or not, proven for sure or not.
    fn found<P: Position<Move = M>>(mut self, root: &Root<P>, frame: Frame, inside: bool, sure: bool) -> Found<M> {
        let (value, first) = (self.best, &root.moves[frame.task.line]);
        // Moves as good as the best are wanted from a window around its value.
        let bound = if inside || (sure && !frame.ties) {
            Bound::Exact
        } else if value.score >= frame.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        // The value of the position may be proven, but not which moves have it and that no others do.
        let exact = value.proof.exact();
        let confirmed = self.upper.upper() && self.ties.iter().all(|(_, proof)| proof.exact());
        let listed = self.ties.iter().any(|&(mv, _)| mv == first.mv);
        if bound != Bound::Exact || !frame.ties || !listed || (exact && !confirmed) {
            self.ties.clear();
        }
        let known = if frame.ties { !self.ties.is_empty() } else { self.upper.upper() || frame.whole };
        let settled = bound == Bound::Exact && exact && known;
        let window = [frame.floor, frame.beta];
        Found { value, bound, window, pv: first.pv.clone(), ties: self.ties, settled }
    }
}
