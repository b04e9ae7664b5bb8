//! The root of a search: every move of it has its value and its line; aspiration windows.

use super::value::Value;
use super::worker::{Aborted, Worker};
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, Score};
use crate::core::{Bounds, Heuristics, Position, Proof};
use std::cmp::Reverse;

/// The position to be searched, and its moves.
#[derive(Clone)]
pub(super) struct Root<P: Position> {
    pub(super) pos: P,
    /// The best first, as far as is known.
    pub(super) moves: Vec<RootMove<P>>,
    /// Not all legal moves are searched.
    restricted: bool,
    /// Moves exactly as good as the best are looked for.
    ties: bool,
}

/// A move at the root.
#[derive(Clone)]
pub(super) struct RootMove<P: Position> {
    pub(super) mv: P::Move,
    code: u16,
    after: P,
    /// The score of the last iteration in which it was best, and the line to it.
    score: Score,
    pub(super) pv: Vec<P::Move>,
}

/// What is found of a line of the root: its value, how that relates to the window, the moves.
#[derive(Clone)]
pub(super) struct Found<M> {
    pub(super) value: Value,
    pub(super) bound: Bound,
    pub(super) pv: Vec<M>,
    /// The moves with this value, the first one's included; empty where they were not looked for.
    pub(super) ties: Vec<(M, Proof)>,
    /// A deeper search cannot change it.
    pub(super) settled: bool,
}

/// Which line of which iteration.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Plies.
    pub(super) depth: u8,
    /// Lines before this one: their moves are left out.
    pub(super) line: usize,
}

impl<P: Position> Root<P> {
    /// Brings these moves to the front, in this order.
    pub(super) fn bring_to_front(&mut self, moves: impl DoubleEndedIterator<Item = P::Move>) {
        for mv in moves.rev() {
            if let Some(index) = self.moves.iter().position(|root| root.mv == mv) {
                self.moves[..=index].rotate_right(1);
            }
        }
    }

    /// Whether the value found for a line is that of the position itself.
    pub(super) fn is_whole(&self, line: usize) -> bool {
        line == 0 && !self.restricted
    }

    /// What can be said of a line before anything is searched: a legal move.
    pub(super) fn first_guess(&self, line: usize) -> Found<P::Move> {
        let RootMove { score, mv, .. } = self.moves[line];
        Found { value: Value::guess(score), bound: Bound::Exact, pv: vec![mv], ties: Vec::new(), settled: false }
    }
}

impl<M> Found<M> {
    /// The value of a finished game.
    pub(super) fn at_end<P: Position<Move = M>>(pos: &P) -> Self {
        let value = Value::exact(pos.outcome().score());
        Self { value, bound: Bound::Exact, pv: Vec::new(), ties: Vec::new(), settled: true }
    }
}

impl<P: Position, H: Heuristics<P>> Worker<'_, P, H> {
    /// The root with its legal moves, or those of them that have these codes, the most promising first.
    pub(super) fn root(&mut self, pos: &P, codes: &[u16], ties: bool) -> Root<P> {
        let hash = self.table.probe(self.key(pos)).and_then(|entry| entry.code);
        let list = self.stack.push(pos, self.heuristics, self.history.as_ref(), hash, 0);
        let mut ranked = self.stack.all(&list).to_vec();
        self.stack.pop(&list);
        let all = ranked.len();
        if ranked.iter().any(|ranked| codes.contains(&ranked.code)) {
            ranked.retain(|ranked| codes.contains(&ranked.code));
        }
        let restricted = ranked.len() < all;
        // All of them are wanted: a sort, for thousands of moves, beats as many selections.
        ranked.sort_by_key(|ranked| Reverse(ranked.rank));
        let score = self.heuristics.bounds(pos).hold(self.heuristics.evaluate(pos));
        let moves = ranked.into_iter().map(|ranked| RootMove {
            mv: ranked.mv,
            code: ranked.code,
            after: pos.after(ranked.mv),
            score,
            pv: vec![ranked.mv],
        });
        Root { moves: moves.collect(), pos: pos.clone(), restricted, ties }
    }

    /// A line of an iteration: aspiration windows around its last value, the failed side widened, until one holds.
    /// Each window is told.
    pub(super) fn aspire(
        &mut self,
        root: &mut Root<P>,
        task: Task,
        tell: &mut dyn FnMut(&mut Self, Told<P::Move>),
    ) -> Result<(), Aborted> {
        let guess = root.moves[task.line].score;
        let (mut below, mut above) = (self.tuning.aspiration, self.tuning.aspiration);
        loop {
            let aspire = task.depth > 1 && !score::is_distance(guess);
            let alpha = if aspire && guess - below > -score::MAX_GAME { guess - below } else { -INFINITE };
            let beta = if aspire && guess + above < score::MAX_GAME { guess + above } else { INFINITE };
            let (found, end) = self.window(root, task, alpha, beta, tell);
            if let Some(mut found) = found {
                match (found.bound, end.is_ok()) {
                    (Bound::Upper, true) => self.tally.fails_low += 1,
                    (Bound::Lower, true) => self.tally.fails_high += 1,
                    _ => {}
                }
                if found.bound == Bound::Exact {
                    self.lengthen(&root.pos, found.value, task.depth, &mut found.pv);
                    root.moves[task.line].pv.clone_from(&found.pv);
                    root.moves[task.line].score = found.value.score;
                }
                log::trace!("depth {}: {:?} {} of {alpha}..{beta}", task.depth, found.bound, found.value.score);
                match found.bound {
                    Bound::Upper => below = widened(below, guess - found.value.score),
                    Bound::Lower => above = widened(above, found.value.score - guess),
                    Bound::Exact => {}
                }
                let exact = found.bound == Bound::Exact;
                tell(self, Told::Found(task, found));
                if exact {
                    return end;
                }
            }
            end?;
        }
    }

    /// The root node: every move within the window, the best one brought to the front. Where none is above the window
    /// the line is that of the last iteration. Cut off early, it still tells what is sure by then, if anything is.
    fn window(
        &mut self,
        root: &mut Root<P>,
        task: Task,
        floor: Score,
        beta: Score,
        tell: &mut dyn FnMut(&mut Self, Told<P::Move>),
    ) -> (Option<Found<P::Move>>, Result<(), Aborted>) {
        let Task { depth, line } = task;
        let nodes = self.tally.nodes;
        // The rules only: what a table proves of the root does not tell which move has it.
        let whole = root.is_whole(line);
        let known = if whole { self.known(&root.pos, 0) } else { Bounds::NONE };
        let enough = if root.ties { beta } else { beta.min(known.upper) };
        let known_better = |proof: Proof, than: Proof| {
            if whole { proof.lower() && !than.lower() } else { proof.exact() && !than.exact() }
        };
        let (mut alpha, mut best, mut upper) = (floor, Value::guess(-INFINITE), Proof::UPPER);
        let mut best_at = line;
        let mut ties = Vec::new();
        for index in line..root.moves.len() {
            let RootMove { mv, ref after, .. } = root.moves[index];
            tell(self, Told::Next { depth, mv, number: index - line + 1 });
            let (key, same, remaining) = (self.key(after), after.turn() == root.pos.turn(), i32::from(depth) - 1);
            // A window that contains the value of the best move tells a move as good from a worse one.
            let low = if root.ties && alpha > floor { alpha - 1 } else { alpha };
            let mut value = Ok(Value::guess(low + 1));
            if index > line {
                value = self.child(after, key, same, low, low + 1, remaining, 1);
            }
            if matches!(value, Ok(value) if value.score > low && (index == line || value.score < enough)) {
                value = self.child(after, key, same, low, beta, remaining, 1);
            }
            let Ok(value) = value else {
                let found = (alpha > floor).then(|| Found {
                    value: Value {
                        proof: if whole || best_at == line { best.proof.and(Proof::LOWER) } else { Proof::NONE },
                        ..best
                    },
                    bound: Bound::Lower,
                    pv: root.moves[line].pv.clone(),
                    ties: Vec::new(),
                    settled: false,
                });
                return (found, Err(Aborted));
            };
            upper = upper.and(value.proof);
            if value.score > low {
                root.moves[index].pv = self.line(mv, 1);
            }
            if value.score > best.score || (value.score == best.score && known_better(value.proof, best.proof)) {
                (best, best_at) = (value, index);
            }
            if value.score > alpha {
                alpha = value.score;
                ties.clear();
                root.moves[line..=index].rotate_right(1);
                best_at = line;
            }
            if value.score == alpha && alpha > floor {
                ties.push((mv, value.proof));
            }
            if value.score >= enough {
                upper = if index + 1 < root.moves.len() { Proof::NONE } else { upper };
                break;
            }
        }
        let mut inside = best.score > floor && best.score < beta;
        let mut shown = inside;
        // A win within the depth that all moves were searched to is the shortest.
        let distance = score::distance(best.score);
        let within = distance.is_some_and(|plies| (1..=Score::from(depth)).contains(&plies));
        if best.score < enough && within && self.tuning.is_full_width() {
            upper = Proof::UPPER;
        }
        if whole {
            let of_move = best.proof;
            let moved = Value { proof: best.proof.and(Proof::LOWER).or(upper), ..best };
            best = moved.within(known);
            inside = best.score > floor && best.score < beta;
            if best.proof.exact() && (best.score != moved.score || !moved.proof.lower()) {
                // The value is known, but no move searched has shown it.
                shown = false;
                let keeping = self.keeping(root.pos.turn(), &root.pos, best, 1);
                match root.moves.iter().position(|root| Some(root.mv) == keeping) {
                    Some(index) => best_at = index,
                    None => best.proof = Proof::UPPER,
                }
            }
            if best.proof.exact() && !of_move.exact() {
                // The move keeps the value, but perhaps not the answers to it.
                root.moves[best_at].pv.truncate(1);
            }
            if best.score != moved.score {
                ties.clear();
                upper = Proof::NONE;
            }
        }
        // The proof of one move does not tell that the others are no better, nor anything of another move.
        let sure = best.proof.exact() && (whole || upper.upper());
        if !whole && !inside && !sure && best_at > line {
            best.proof = upper;
        }
        if best.proof.exact() && (inside || sure) && (!shown || best_at > line) {
            // It is known which move has the value, but its line is not.
            root.moves[line..=best_at].rotate_right(1);
            let RootMove { mv, ref after, .. } = root.moves[line];
            let (key, same) = (self.key(after), after.turn() == root.pos.turn());
            let shown = self.child(after, key, same, best.score - 1, best.score + 1, i32::from(depth) - 1, 1);
            let shown = shown.is_ok_and(|value| value.score == best.score && value.proof.lower());
            root.moves[line].pv = if shown { self.line(mv, 1) } else { vec![mv] };
            self.stack.clear();
        }
        // Moves as good as the best are wanted from a window around its value.
        let bound = if inside || (sure && !root.ties) {
            Bound::Exact
        } else if best.score >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        // The value of the position may be proven, but not which moves have it and that no others do.
        let confirmed = upper.upper() && ties.iter().all(|(_, proof)| proof.exact());
        let listed = ties.iter().any(|&(mv, _)| mv == root.moves[line].mv);
        if bound != Bound::Exact || !root.ties || !listed || (best.proof.exact() && !confirmed) {
            ties.clear();
        }
        let alone = upper.upper() || whole;
        let settled = bound == Bound::Exact && best.proof.exact() && if root.ties { !ties.is_empty() } else { alone };
        if whole {
            let code = (alpha > floor || best.proof.exact()).then_some(root.moves[0].code);
            self.keep(&root.pos, self.key(&root.pos), best, bound, code, (depth.into(), 0), nodes);
        }
        (Some(Found { value: best, bound, pv: root.moves[line].pv.clone(), ties, settled }), Ok(()))
    }
}

/// What is told while the root is searched.
pub(super) enum Told<M> {
    /// A window's result.
    Found(Task, Found<M>),
    /// A move is next: plies, the move, its number from 1.
    Next { depth: u8, mv: M, number: usize },
}

/// The next half-width after a fail: twice as wide, and past the value that failed.
fn widened(width: Score, miss: Score) -> Score {
    (2 * width).max(miss + width)
}
