//! [`Searcher`]: the search of a game by one or more threads (Lazy SMP): the threads search the same root and share the
//! table.

use super::alpha_beta::AlphaBeta;
use super::budget::Budget;
use super::entry::{Entry, NO_EVALUATION};
use super::root::{Depths, RootSearch};
use super::root_moves::RootMoves;
use super::shared_search::SharedSearch;
use super::table::Table;
use super::trace::{NodeCounter, Recorder, Trace};
use super::value::to_table;
use super::worker::Worker;
use crate::core::tree::{Room, SearchTree};
use crate::core::{Heuristics, MoveOrdering, NodeCounts, Position, Progress, Report, Request, StopFlag, Ties};
use crate::util::threads;
use std::sync::Arc;
use web_time::Instant;

/// The salt of searches for a win within a number of moves.
const MATE: u64 = 0x5eca_7e02_9d3b_41c7;

/// A search for one game, on a table that other searches may share.
pub struct Searcher<P: Position, H: Heuristics<P>> {
    heuristics: H,
    table: Arc<Table>,
    salt: u64,
    /// The positions of the game before the root, the oldest first.
    pub(super) before: Vec<P>,
}

impl<P: Position, H: Heuristics<P>> Searcher<P, H> {
    /// Creates a search with this evaluation, on a table that other searches may share.
    pub fn new(heuristics: H, table: Arc<Table>) -> Self {
        Self { heuristics, table, salt: 0, before: Vec::new() }
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Sets the salt that separates this search's entries in a shared table from those of other rules and evaluations.
    pub(crate) fn salted(mut self, salt: u64) -> Self {
        self.salt = salt;
        self
    }

    /// Sets the positions of the game before the root, the oldest first, as far back as they may be repeated. Only
    /// [cyclic](Position::CYCLIC) games need them.
    pub fn after(mut self, before: Vec<P>) -> Self {
        self.before = before;
        self
    }

    /// Returns a report of the root as a table entry with its best move: the key and the entry.
    pub(crate) fn root_entry(&self, root: &P, report: &Report<u16>) -> (u64, Entry) {
        let Report { score, proof, depth, bound, .. } = *report;
        let entry = Entry {
            value: to_table(score, self.heuristics.settled(root), 0),
            proof,
            code: self.heuristics.table_code(root, report.best().copied()),
            depth,
            bound,
            evaluation: NO_EVALUATION,
            pv: true,
        };
        (self.heuristics.table_key(root) ^ self.salt, entry)
    }

    /// Whether some position has occurred so often in the game up to this root that its next occurrence ends the game.
    /// The rules decide whether a repetition counts, unlike in [`Path::may_repeat`](super::path::Path).
    pub(super) fn is_near_repetition(&self, root: &P) -> bool {
        if P::FOLD <= 2 {
            return !self.before.is_empty();
        }
        if !P::CYCLIC {
            return false;
        }
        let (mut line, mut keys) = (Vec::new(), Vec::new());
        for pos in self.before.iter().chain([root]) {
            let key = pos.key();
            if let Some(first) = keys.iter().rposition(|&other| other == key)
                && pos.repeated(&mut line[first..].iter().rev().copied()).is_some()
            {
                return true;
            }
            line.push(pos);
            keys.push(key);
        }
        false
    }

    pub(super) fn parts(&self) -> (&H, &Table, u64) {
        (&self.heuristics, &self.table, self.salt)
    }

    /// Searches until a limit is reached, the flag is raised, or deeper iterations cannot change the result. Moves in
    /// reports are [codes](Position::code).
    ///
    /// Each window is reported, including failed aspiration windows. The result is one report per requested line, the
    /// best first; it is reported before the other threads have ended. Its line begins with a legal move however early
    /// the search ended, and is empty only if there is no legal move. With one thread and a cleared table, a search to
    /// a depth or a number of nodes is deterministic.
    pub fn search(
        &mut self,
        root: &P,
        request: &Request,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_, u16>),
    ) -> Vec<Report<u16>> {
        self.run(root, request, stop, None, progress)
    }

    /// Searches with one thread and one line, and records the tree of the last iteration in the report.
    pub fn record(
        &mut self,
        root: &P,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_, u16>),
    ) -> (Vec<Report<u16>>, SearchTree<u16>) {
        let request = Request { threads: 1, lines: 1, ..request.clone() };
        let mut recorder = Recorder::new(root.turn(), room);
        let reports = self.run(root, &request, stop, Some(&mut recorder), progress);
        let tree = recorder.tree(reports[0].depth, &reports[0].pv);
        (reports, tree)
    }

    /// Searches with one thread and one line, and counts nodes as the textbook procedures do.
    pub fn count(
        &mut self,
        root: &P,
        request: &Request,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_, u16>),
    ) -> (Vec<Report<u16>>, NodeCounts) {
        let request = Request { threads: 1, lines: 1, ..request.clone() };
        let mut counter = NodeCounter::default();
        let reports = self.run(root, &request, stop, Some(&mut counter), progress);
        (reports, counter.counts)
    }

    /// Searches, and traces the first thread.
    #[inline(never)]
    fn run(
        &mut self,
        root: &P,
        request: &Request,
        stop: &StopFlag,
        trace: Option<&mut dyn Trace>,
        progress: &mut dyn FnMut(Progress<'_, u16>),
    ) -> Vec<Report<u16>> {
        self.table.age();
        let (shared, start) = (SharedSearch::new(request.threads.max(1)), Instant::now());
        // Every thread checks every limit: with more threads than cores, a limit need not wait until the leader runs.
        let budget = |number| Budget::new(&request.limits, stop, &shared, number).since(start);
        let depths = Depths::new(&request.limits, self.heuristics.tuning().leap);
        let trace = trace.map(|trace| trace as &mut dyn Trace);
        let mut leader = self.alpha_beta(root, request, &shared, 0, budget(0), trace);
        let moves = RootMoves::new(&mut leader, request.ties != Ties::First);
        let helped = moves.clone();
        let help = |number| {
            let mut helper = self.alpha_beta(root, request, &shared, number, budget(number), None);
            RootSearch::new(&mut helper, helped.clone(), request.lines).help(number, depths);
        };
        threads::scope(|scope| {
            if !moves.list.is_empty() {
                shared.start(scope, &help);
            }
            let leading = shared.leading();
            let root = RootSearch::new(&mut leader, moves, request.lines).reporting_to(progress);
            let lines = root.deepen(request, depths);
            drop(leading);
            // On a busy machine each of the other threads must get a core before it can end.
            progress(Progress::Result(&lines));
            lines
        })
    }

    fn alpha_beta<'a>(
        &'a self,
        root: &P,
        request: &Request,
        shared: &'a SharedSearch,
        number: usize,
        budget: Budget<'a>,
        trace: Option<&'a mut (dyn Trace + 'a)>,
    ) -> AlphaBeta<'a, P, H> {
        let mut tuning = self.heuristics.tuning();
        request.parameters.apply(&mut tuning);
        tuning.aspiration = request.aspiration.unwrap_or(tuning.aspiration);
        let mut salt = self.salt;
        if request.limits.mate.is_some() {
            // Entries of other searches may have pruned the win.
            (tuning, salt) = (tuning.unpruned(), salt ^ MATE);
        }
        let sizes = (P::CODES, <H as MoveOrdering<P>>::KINDS);
        let worker = Worker::new(tuning, (sizes, salt), &self.table, shared, number, budget, trace);
        AlphaBeta::new(&self.heuristics, salt, (&self.before, root), &request.moves, worker)
    }
}
