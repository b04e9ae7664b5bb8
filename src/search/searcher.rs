//! Iterative deepening (Slate and Atkin 1977), on one thread or several (Lazy SMP): the threads search the same root and
//! meet in the table.

use super::budget::Budget;
use super::crew::Crew;
use super::entry::{Entry, effort};
use super::root::{Found, Root, Task, Told};
use super::standing::{choose, rank, sort_as_moves};
use super::table::Table;
use super::trace::{Census, Recorder, Silent, Trace};
use super::value::{Value, to_table};
use super::worker::{Aborted, Worker};
use crate::core::score::MAX_PLY;
use crate::core::tree::{Room, Tree};
use crate::core::{Heuristics, Limits, NodeCounts, Position, Progress, Report, Request, StopFlag, Ties};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Moves of the root are told from then on: before it they would be noise.
const LONG: Duration = Duration::from_secs(3);

/// Enough for a search of 255 plies in a build without optimisation, bytes.
pub const STACK: usize = 16 << 20;

/// A search for one game, over a table that others may share.
pub struct Searcher<P: Position, H: Heuristics<P>> {
    heuristics: H,
    table: Arc<Table>,
    salt: u64,
    game: std::marker::PhantomData<fn() -> P>,
}

impl<P: Position, H: Heuristics<P>> Searcher<P, H> {
    /// A search by this judgement, over a table that others may share.
    #[must_use]
    pub fn new(heuristics: H, table: Arc<Table>) -> Self {
        Self { heuristics, table, salt: 0, game: std::marker::PhantomData }
    }

    /// Tells this search's entries in a shared table from those of other rules and other evaluations.
    #[must_use]
    pub fn salted(mut self, salt: u64) -> Self {
        self.salt = salt;
        self
    }

    /// What a report says of the root, as the table would keep it: its key, and the entry with this best move.
    #[must_use]
    pub fn told(&self, root: &P, report: &Report<P::Move>) -> (u64, Entry) {
        let Report { score, proof, depth, bound, nodes, .. } = *report;
        let code = report.best().map(|&mv| root.code(mv));
        let entry = Entry {
            value: to_table(score, self.heuristics.settled(root), 0),
            proof,
            code: self.heuristics.table_code(root, code),
            depth,
            bound,
            effort: effort(nodes),
            learnt: false,
        };
        (self.heuristics.table_key(root) ^ self.salt, entry)
    }

    /// The judgement, the table, and what tells its entries apart.
    pub(super) fn parts(&self) -> (&H, &Table, u64) {
        (&self.heuristics, &self.table, self.salt)
    }

    /// Searches until a limit is reached, the flag is raised, or deeper iterations cannot change anything.
    ///
    /// Each iteration is told, failed aspiration windows too. A report is returned for each line asked for, the best
    /// first: its line begins with a legal move however early the search ended, and is empty only where there is none.
    /// By one thread, from a cleared table, a search to a depth or a number of nodes is deterministic.
    pub fn search(
        &mut self,
        root: &P,
        request: &Request,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Vec<Report<P::Move>> {
        self.table.age();
        let threads = request.threads.max(1);
        let (crew, start) = (Crew::new(threads), Instant::now());
        // Every thread looks at every limit: with more threads than cores nobody waits until the leader's turn comes.
        let worker = |number| {
            let budget = Budget::new(&request.limits, stop, &crew, number).since(start);
            Worker::new(self.parts(), &crew, budget, Silent)
        };
        let plan = Plan::new(&request.limits, self.heuristics.tuning().leap);
        let mut leader = worker(0);
        let root = leader.root(root, &request.moves, request.ties != Ties::First);
        if root.moves.is_empty() {
            return leader.lead(root, request, plan, progress);
        }
        let helped = root.clone();
        let help = |number| worker(number).help(helped.clone(), request.lines, plan);
        thread::scope(|scope| {
            crew.start(scope, &help);
            let _leading = crew.leading();
            leader.lead(root, request, plan, progress)
        })
    }

    /// Searches by one thread, for one line, and records the tree of the last iteration that the report tells of.
    pub fn record(
        &mut self,
        root: &P,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> (Vec<Report<P::Move>>, Tree<P::Move>) {
        let mut recorder = Recorder::new(root.turn(), room);
        let reports = self.watched(root, request, stop, &mut recorder, progress);
        let tree = recorder.tree(reports[0].depth, &reports[0].pv);
        (reports, tree)
    }

    /// Searches by one thread, for one line, and counts what it does as the textbook procedures are counted.
    pub fn count(&mut self, root: &P, request: &Request, stop: &StopFlag) -> (Vec<Report<P::Move>>, NodeCounts) {
        let mut census = Census::default();
        let reports = self.watched(root, request, stop, &mut census, &mut |_| {});
        (reports, census.counts)
    }

    /// A search by one thread, for one line, that is watched.
    fn watched(
        &mut self,
        root: &P,
        request: &Request,
        stop: &StopFlag,
        trace: &mut dyn Trace<P::Move>,
        progress: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Vec<Report<P::Move>> {
        self.table.age();
        let request = Request { threads: 1, lines: 1, ..request.clone() };
        let (crew, plan) = (Crew::new(1), Plan::new(&request.limits, self.heuristics.tuning().leap));
        let mut worker = Worker::new(self.parts(), &crew, Budget::new(&request.limits, stop, &crew, 0), trace);
        let root = worker.root(root, &request.moves, request.ties != Ties::First);
        worker.lead(root, &request, plan, progress)
    }
}

impl<P: Position, H: Heuristics<P>> Worker<'_, P, H> {
    /// Deepens until the crew is done.
    fn help(&mut self, mut root: Root<P>, lines: usize, plan: Plan) {
        for depth in plan.depths() {
            for line in 0..lines.clamp(1, root.moves.len()) {
                if self.aspire(&mut root, Task { depth, line }, &mut |_, _| {}).is_err() {
                    return;
                }
            }
        }
    }
}

impl<P: Position, H: Heuristics<P>, T: Trace<P::Move>> Worker<'_, P, H, T> {
    /// Deepens, tells, and returns the last report of each line.
    fn lead(
        &mut self,
        mut root: Root<P>,
        request: &Request,
        plan: Plan,
        progress: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Vec<Report<P::Move>> {
        if root.moves.is_empty() {
            let last = report(self, &root.pos, 0, 0, &Found::at_end(&root.pos));
            progress(Progress::Line(&last));
            return vec![last];
        }
        let count = request.lines.clamp(1, root.moves.len());
        let pos = root.pos.clone();
        // Something legal to play and to say, should the search be stopped before its first iteration ends.
        let mut lines: Vec<_> = (0..count).map(|line| (0, root.first_guess(line))).collect();
        let mut told = vec![Vec::new(); count];
        for depth in plan.depths() {
            if depth > 1 && !self.budget.allows_iteration() {
                break;
            }
            self.trace.iteration(depth);
            self.tally.seldepth = 0;
            let mut found = Vec::new();
            let finished = (0..count).try_for_each(|line| {
                self.aspire(&mut root, Task { depth, line }, &mut |worker, news| match news {
                    Told::Found(task, news) => {
                        if count == 1 {
                            told[0].clone_from(&news.pv);
                            progress(Progress::Line(&report(worker, &pos, depth, 0, &news)));
                        }
                        found.truncate(task.line);
                        found.push((depth, news));
                    }
                    Told::Next { depth, mv, number } => {
                        if worker.budget.elapsed() >= LONG {
                            progress(Progress::Move { depth, mv: &mv, number });
                        }
                    }
                })
            });
            // Of several lines an iteration has all or none.
            if found.len() == count && (count == 1 || finished.is_ok()) {
                lines = found;
                rank(&mut root, &mut lines);
                if count > 1 {
                    for (line, (_, found)) in lines.iter().enumerate() {
                        told[line].clone_from(&found.pv);
                        progress(Progress::Line(&report(self, &pos, depth, line, found)));
                    }
                }
            }
            if let Err(Aborted) = finished {
                self.stack.clear();
                break;
            }
            let settled = lines.iter().all(|(_, found)| found.settled);
            let best = lines[0].1.value;
            let won = request.limits.mate.is_some() && best.score > 0 && best.proof.lower();
            if settled || won || (self.budget.is_clocked() && root.moves.len() == 1) {
                break;
            }
        }
        if let Ties::Random(seed) = request.ties {
            choose(&root, &mut lines, seed ^ self.key(&pos));
        }
        for (_, found) in &mut lines {
            self.complete(&root, found.value, &mut found.pv);
        }
        // The last word of every line is what is returned.
        let numbered = lines.iter().enumerate();
        let reports: Vec<_> = numbered.map(|(line, (depth, found))| report(self, &pos, *depth, line, found)).collect();
        for last in reports.iter().filter(|last| last.pv != told[last.line - 1]) {
            progress(Progress::Line(last));
        }
        let Report { depth, score, nodes, fails_low, fails_high, .. } = &reports[0];
        log::debug!("depth {depth} score {score} nodes {nodes} fails low {fails_low} high {fails_high}");
        reports
    }
}

/// Which iterations there are.
#[derive(Clone, Copy)]
struct Plan {
    last: u8,
    leap: u8,
}

impl Plan {
    fn new(limits: &Limits, leap: u8) -> Self {
        let mate = limits.mate.map_or(MAX_PLY, |moves| u8::try_from(2 * u32::from(moves.max(1))).unwrap_or(MAX_PLY));
        let for_value = *limits == Limits::depth(MAX_PLY);
        Self { last: limits.depth.unwrap_or(MAX_PLY).min(mate), leap: if for_value { leap } else { MAX_PLY } }
    }

    fn depths(self) -> impl Iterator<Item = u8> {
        (1..=self.last).filter(move |&depth| depth <= self.leap || depth == self.last)
    }
}

fn report<P: Position, H: Heuristics<P>, T>(
    worker: &Worker<'_, P, H, T>,
    root: &P,
    depth: u8,
    line: usize,
    found: &Found<P::Move>,
) -> Report<P::Move> {
    let mut ties = found.ties.clone();
    sort_as_moves(root, &mut ties);
    let (ties, tie_proofs) = ties.into_iter().unzip();
    Report {
        depth,
        seldepth: u8::try_from(worker.tally.seldepth).unwrap_or(MAX_PLY).max(depth),
        line: line + 1,
        score: found.value.score,
        window: found.window,
        bound: found.bound,
        proof: found.value.proof,
        wdl: wdl(found.value, || worker.heuristics.wdl(root, found.value.score)),
        nodes: worker.budget.nodes(worker.tally.nodes),
        time: worker.budget.elapsed(),
        hashfull: worker.table.hashfull(),
        fails_low: worker.tally.fails_low,
        fails_high: worker.tally.fails_high,
        pv: found.pv.clone(),
        ties,
        tie_proofs,
    }
}

/// The chances of a win, a draw and a loss: what a proof leaves of what the game guesses.
fn wdl(value: Value, guess: impl FnOnce() -> Option<[u16; 3]>) -> Option<[u16; 3]> {
    let Value { score, proof } = value;
    let (not_lost, not_won) = (score >= 0 && proof.lower(), score <= 0 && proof.upper());
    if score > 0 && not_lost {
        Some([1000, 0, 0])
    } else if score < 0 && not_won {
        Some([0, 0, 1000])
    } else if not_lost && not_won {
        Some([0, 1000, 0])
    } else {
        guess().map(|[win, draw, loss]| match (not_lost, not_won) {
            (true, _) => [win, draw + loss, 0],
            (_, true) => [0, draw + win, loss],
            _ => [win, draw, loss],
        })
    }
}
