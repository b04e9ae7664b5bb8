//! Exact solving: the sequence of questions until the value is known.

use super::prover::{Prover, SALT, recorded, settled};
use super::question::{Question, Questions};
use super::shared_proof::SharedProof;
use super::tasks::Taken;
use super::team::{Team, Used};
use crate::core::position::{legal_moves, outcome_of};
use crate::core::score::Score;
use crate::core::solution::{MAX_LINE, Solution, SolveRequest, Unsolvable, Valued};
use crate::core::{Bounds, Heuristics, Limits, Outcome, Position, Request, StopFlag};
use crate::search::cpu;
use crate::search::entry::Exact;
use crate::search::path::root_ended_by_rule;
use crate::search::searcher::Searcher;
use crate::search::value::from_table;
use crate::search::worker::Aborted;
use crate::util::{ranks, threads};
use std::collections::HashSet;
use std::time::Duration;
use std::vec;
use web_time::Instant;

/// The least time between two progress reports: easy positions are solved in a thousandth of it.
const PAUSE: Duration = Duration::from_millis(50);

/// The node limit of the questions after a guess, as a multiple of the nodes of the guess.
const GUESS_FACTOR: u64 = 16;

/// The additional depth of the second guess, in plies.
const BETTER: u8 = 6;

/// Returns the key and the table entry of a position of known value, without the settled score, for
/// [`preload_exact`](crate::search::Table::preload_exact); `None` if the position is not looked up. `salt` is that of
/// the searches of the same game.
pub(crate) fn exact_entry<P: Position, H: Heuristics<P>>(
    heuristics: &H,
    salt: u64,
    pos: &P,
    value: Score,
) -> Option<(u64, Exact)> {
    let entry = Exact { lower: value, upper: value, code: None, effort: u8::MAX };
    Some((key(heuristics, salt, pos)?, entry))
}

fn key<P: Position, H: Heuristics<P>>(heuristics: &H, salt: u64, pos: &P) -> Option<u64> {
    heuristics.use_table(pos).then(|| heuristics.exact_key(pos) ^ salt ^ SALT)
}

impl<P: Position, H: Heuristics<P>> Searcher<P, H> {
    /// Searches until the value of the position is known, a limit is reached or the flag is raised, and reports the
    /// bounds after each question. With one thread and a cleared table it is deterministic.
    #[inline(never)]
    pub fn solve(
        &mut self,
        root: &P,
        request: &SolveRequest,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Solution<P::Move>),
    ) -> Solution<P::Move> {
        let (began, start) = (Instant::now(), cpu::thread_time());
        let (ended, near_repetition) = (root_ended_by_rule(&self.before, root), self.is_near_repetition(root));
        let history = GameHistory { ended, near_repetition };
        let scouted = self.scout(root, request, stop, began, history);
        let Scouted { rules, known, nodes, .. } = scouted;
        let team = self.team(&request.limits, stop, began);
        let threads = request.threads.max(1);
        let shared = SharedProof::new(threads);
        if history.near_repetition && !known.is_exact() {
            shared.refuse(Unsolvable::NearRepetition);
        }
        let mut leader = Prover::leader(&team, &shared, nodes);
        let questions =
            Questions { at_least: request.at_least, ..Questions::new(team.heuristics, root, scouted.guess) };
        let used = Used::default();
        let help = |number| used.measure(|| Prover::new(&team, &shared, number).work(root, false));
        let mut solution = threads::scope(|scope| {
            let _leading = shared.leading();
            shared.search.start(scope, &help);
            leader.lead(root, request, ended.is_some(), questions, [known, rules], start, progress)
        });
        solution.cpu += used.time();
        if let Some(reason) = solution.refused {
            log::debug!("given up: {reason}");
        }
        solution
    }

    /// Returns the state common to the threads of a search that began at this time.
    pub(super) fn team<'a>(&'a self, limits: &'a Limits, stop: &'a StopFlag, began: Instant) -> Team<'a, H> {
        let (heuristics, table, salt) = self.parts();
        Team { heuristics, table, salt, limits, stop, began }
    }

    /// Guesses the value by searches to a depth. A limited number of questions follows the first guess; a deeper guess
    /// follows only if they do not find the value.
    #[inline(never)]
    fn scout(
        &mut self,
        root: &P,
        request: &SolveRequest,
        stop: &StopFlag,
        began: Instant,
        history: GameHistory,
    ) -> Scouted {
        let (heuristics, table, salt) = self.parts();
        table.age();
        let first = heuristics.tuning().guess_depth;
        // If a position of the game may recur, results that ignore the game do not hold: neither a database value nor
        // that of a search.
        let recorded = if history.near_repetition { None } else { recorded(heuristics, root) };
        let rules = recorded.unwrap_or_else(|| heuristics.bounds(root));
        let ended = if root.is_over() { Some(root.outcome()) } else { history.ended };
        let known = ended.map_or(rules, |outcome| Bounds::exactly(outcome.score()));
        let mut scouted = Scouted { guess: known.hold(heuristics.evaluate(root)), rules, known, nodes: 0 };
        if history.near_repetition {
            return scouted;
        }
        if let Some(guess) = request.at_least.or(request.guess) {
            return Scouted { guess: heuristics.least_possible(root, known.hold(guess)), ..scouted };
        }
        if first == 0 {
            return scouted;
        }
        // The table entry may make a guess unnecessary.
        if let Some(entry) = key(heuristics, salt, root).and_then(|key| table.probe_exact(key)) {
            let [lower, upper] = [entry.lower, entry.upper].map(|score| from_table(score, heuristics.settled(root), 0));
            scouted.known = known.and(Bounds { lower, upper });
        }
        for depth in [first, first + BETTER] {
            let limits = request.limits.less(scouted.nodes, began.elapsed());
            let is_over = limits.nodes == Some(0) || limits.movetime == Some(Duration::ZERO) || stop.is_raised();
            if scouted.known.is_exact() || is_over {
                break;
            }
            let scout = Request::new(Limits { depth: Some(depth), ..limits });
            let found = &self.search(root, &scout, stop, &mut |_| {})[0];
            let team = self.team(&request.limits, stop, began);
            scouted.guess = team.heuristics.least_possible(root, found.score);
            scouted.nodes += found.nodes;
            if depth == first {
                let shared = SharedProof::new(1);
                let mut prover = Prover::leader(&team, &shared, scouted.nodes);
                prover.budget.grant(prover.nodes, GUESS_FACTOR * found.nodes);
                let questions = Questions::new(team.heuristics, root, scouted.guess);
                scouted.known = prover.close_in(root, scouted.known, questions, &mut |_, _| {});
                scouted.nodes = prover.nodes;
            }
        }
        scouted
    }
}

/// How the game before the root affects its value.
#[derive(Clone, Copy)]
struct GameHistory {
    /// The outcome, if a rule has ended the game although there are legal moves.
    ended: Option<Outcome>,
    /// Whether a position of the game may come back and end it.
    near_repetition: bool,
}

/// The state before the main questions.
struct Scouted {
    guess: Score,
    /// The bounds by the rules and the databases.
    rules: Bounds,
    known: Bounds,
    nodes: u64,
}

/// A position of a line, with its untried moves.
struct LineStep<P: Position> {
    /// The move that leads to the position; `None` for the first.
    after: Option<P::Move>,
    left: vec::IntoIter<P::Move>,
    pos: P,
    value: Score,
}

impl<P: Position, H: Heuristics<P>> Prover<'_, P, H> {
    /// Asks questions until the value is known or a limit is reached, and reports the bounds after each answer. Returns
    /// the bounds.
    fn close_in(
        &mut self,
        root: &P,
        mut known: Bounds,
        questions: Questions,
        on_bounds: &mut dyn FnMut(&Self, Bounds),
    ) -> Bounds {
        let key = self.key(root);
        let (mut reported, mut next) = (known, PAUSE);
        while !questions.are_answered(known) && self.shared.refused().is_none() {
            if let Some(entry) = self.entry(root, key) {
                known = known.and(self.absolute(root, &entry, 0));
            }
            if known != reported && self.budget.elapsed() >= next {
                on_bounds(self, known);
                (reported, next) = (known, self.budget.elapsed() + PAUSE);
            }
            if questions.are_answered(known) {
                break;
            }
            let alpha = questions.next(known, self.budget.nodes(self.nodes));
            match self.ask(Question { pos: root.clone(), key, facts: known, same: true, alpha, ply: 0 }) {
                Ok(bound) if bound > alpha => {
                    known = known.and(Bounds { lower: self.heuristics.least_possible(root, bound), ..known });
                }
                Ok(bound) => known = known.and(Bounds { upper: bound, ..known }),
                Err(Aborted) => break,
            }
        }
        known
    }

    /// Finds the value, then the moves and the line that are requested, unless a rule has ended the game. `start` is
    /// the processor time of this thread before the search.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "the body of `solve`, compiled apart from the threads around it")]
    fn lead(
        &mut self,
        root: &P,
        request: &SolveRequest,
        ended: bool,
        questions: Questions,
        [known, rules]: [Bounds; 2],
        start: Duration,
        progress: &mut dyn FnMut(&Solution<P::Move>),
    ) -> Solution<P::Move> {
        let known = self.close_in(root, known, questions, &mut |prover, known| {
            progress(&prover.solution(known, rules, cpu::thread_time().saturating_sub(start)));
        });
        let (mut moves, mut pv, mut complete) = (Vec::new(), Vec::new(), known.is_exact());
        if complete && !ended && request.moves != Valued::None {
            // A repetition may put the values of worse moves out of reach: the best moves and the line come first.
            let first = if P::CYCLIC { Valued::Best } else { request.moves };
            (moves, complete) = self.value_moves(root, known.lower, first, &[]);
            if complete && request.pv {
                (pv, complete) = self.line(root, known.lower);
            }
            if complete && request.moves != first {
                (moves, complete) = self.value_moves(root, known.lower, request.moves, &moves);
            }
        }
        let cpu = cpu::thread_time().saturating_sub(start);
        Solution { moves, pv, complete, ..self.solution(known, rules, cpu) }
    }

    /// Values the moves of a position of known value, together with the other threads. Returns the requested moves with
    /// their bounds, in the game's order, and whether all moves were valued before a limit was reached. If not, the
    /// bounds in `before` stand in for those that are missing.
    #[inline(never)]
    fn value_moves(
        &mut self,
        root: &P,
        value: Score,
        which: Valued,
        before: &[(P::Move, Bounds)],
    ) -> (Vec<(P::Move, Bounds)>, bool) {
        self.shared.tasks.set_moves(legal_moves(root), value, which);
        self.work(root, true);
        let kept = |mv| before.iter().find(|(other, _)| *other == mv).map(|&(_, known)| known);
        let (mut moves, mut complete) = (Vec::new(), true);
        for (mv, found) in self.shared.tasks.valued() {
            complete &= found.is_some();
            if let Some(known) = found.or_else(|| kept(mv))
                && (which == Valued::All || known.lower == value)
            {
                moves.push((mv, known));
            }
        }
        (moves, complete)
    }

    /// Returns the bounds of a move's value, as far as they are requested.
    pub(super) fn value_move(
        &mut self,
        root: &P,
        &Taken { mv, value, which, .. }: &Taken<'_, P>,
    ) -> Result<Bounds, Aborted> {
        let questions = Questions::new(self.heuristics, root, value);
        let after = root.after(mv);
        let same = after.turn() == root.turn();
        let mut known = self.facts(&after, 1).seen(same);
        known.upper = known.upper.min(value);
        let mut alpha = value - 1;
        loop {
            let bound = self.above(&after, same, alpha, 1)?;
            if bound > alpha {
                known.lower = known.lower.max(bound);
            } else {
                known.upper = known.upper.min(bound);
            }
            if known.lower >= known.upper || which != Valued::All {
                return Ok(known);
            }
            alpha = questions.next(known, self.budget.nodes(self.nodes));
        }
    }

    /// Returns a bound of the value of the position after a move, for the side that moved, that decides whether it is
    /// above `alpha`.
    pub(super) fn above(&mut self, after: &P, same: bool, alpha: Score, ply: usize) -> Result<Score, Aborted> {
        let facts = self.facts(after, ply);
        if let Some(bound) = settled(facts.seen(same), alpha) {
            return Ok(bound);
        }
        self.ask(Question { pos: after.clone(), key: self.key(after), facts, same, alpha, ply })
    }

    /// Returns a line of best play to the end of the game, as far as the limits allow, and whether it is complete. No
    /// position occurs twice in it. If moves that keep the value lead back to earlier positions, the search backtracks.
    /// If no line reaches an end, best play repeats positions, and the line ends before the first repetition.
    #[inline(never)]
    fn line(&mut self, root: &P, value: Score) -> (Vec<P::Move>, bool) {
        let mut path = vec![LineStep { after: None, left: self.promising(root), pos: root.clone(), value }];
        let (mut seen, mut first) = (HashSet::from([root.key()]), None);
        let moves = |path: &[LineStep<P>]| path.iter().filter_map(|step| step.after).collect::<Vec<_>>();
        while let Some(step) = path.last_mut().filter(|step| outcome_of(&step.pos).is_none()) {
            let Some(mv) = step.left.next() else {
                let longest = first.get_or_insert_with(|| moves(&path)).clone();
                path.pop();
                if path.is_empty() || seen.len() > MAX_LINE {
                    return (longest, true);
                }
                continue;
            };
            let (after, value) = (step.pos.after(mv), step.value);
            let same = after.turn() == step.pos.turn();
            if P::CYCLIC && seen.contains(&after.key()) {
                continue;
            }
            match self.above(&after, same, value - 1, path.len()) {
                Ok(bound) if bound >= value => {}
                Ok(_) => continue,
                Err(Aborted) => return (moves(&path), false),
            }
            seen.extend(P::CYCLIC.then(|| after.key()));
            let value = if same { value } else { -value };
            path.push(LineStep { after: Some(mv), left: self.promising(&after), pos: after, value });
            if path.len() > MAX_LINE {
                break;
            }
        }
        (moves(&path), true)
    }

    /// Returns the moves of a position: the hash move first, then by the heuristics' score.
    fn promising(&mut self, pos: &P) -> vec::IntoIter<P::Move> {
        let key = self.key(pos);
        let hash = self.entry(pos, key).and_then(|entry| self.heuristics.table_code(pos, entry.code));
        let (moves, mut ranks, mut sorted) = (legal_moves(pos), Vec::new(), Vec::new());
        for &mv in &moves {
            // Once time is up, the order no longer matters.
            let is_over = self.budget.exhausted_between_moves();
            let score = if is_over { 0 } else { self.heuristics.child_score(pos, mv, &pos.after(mv)) };
            ranks.push(ranks::of_move(Some(pos.code(mv)) == hash, score));
        }
        for index in ranks::descending(&ranks) {
            sorted.push(moves[index]);
        }
        sorted.into_iter()
    }

    fn solution(&self, bounds: Bounds, rules: Bounds, cpu: Duration) -> Solution<P::Move> {
        Solution {
            bounds,
            rules,
            moves: Vec::new(),
            pv: Vec::new(),
            complete: false,
            nodes: self.budget.nodes(self.nodes),
            cpu,
            time: self.budget.elapsed(),
            hashfull: self.table.hashfull(),
            refused: self.shared.refused(),
        }
    }
}
