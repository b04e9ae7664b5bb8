//! The threads of an exact search.

use super::prover::{Prover, SALT};
use super::question::Question;
use super::shared_proof::SharedProof;
use super::tasks::{OpenQuestion, Task};
use crate::core::score::Score;
use crate::core::{Heuristics, Limits, Position, StopFlag};
use crate::search::budget::Budget;
use crate::search::cpu;
use crate::search::table::Table;
use crate::search::worker::Aborted;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use web_time::Instant;

/// The state common to all threads of a search.
pub(super) struct Team<'a, H> {
    pub(super) heuristics: &'a H,
    pub(super) table: &'a Table,
    /// The salt of all searches of the same game.
    pub(super) salt: u64,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a StopFlag,
    pub(super) began: Instant,
}

impl<'a, P: Position, H: Heuristics<P>> Prover<'a, P, H> {
    pub(super) fn new(team: &Team<'a, H>, shared: &'a SharedProof<P>, number: usize) -> Self {
        Self {
            heuristics: team.heuristics,
            table: team.table,
            salt: team.salt ^ SALT,
            children: Vec::with_capacity(64),
            scratch: Vec::with_capacity(64),
            path: Vec::new(),
            nodes: 0,
            budget: Budget::new(team.limits, team.stop, &shared.search, number).since(team.began),
            shared,
            is_over: Arc::default(),
        }
    }

    /// Creates the leader, with so many nodes already entered, and publishes their number.
    pub(super) fn leader(team: &Team<'a, H>, shared: &'a SharedProof<P>, nodes: u64) -> Self {
        shared.search.count(0, nodes);
        Self { nodes, ..Self::new(team, shared, 0) }
    }

    /// Works on the search's tasks until there are none for this thread, or a limit is reached.
    pub(super) fn work(&mut self, root: &P, is_leader: bool) {
        while let Some(task) = self.shared.tasks.next(is_leader) {
            match task {
                Task::Help(open) => self.answer(&open),
                Task::Value(mut taken) => taken.found = self.value_move(root, &taken).ok(),
            }
            if self.shared.search.done().is_raised() {
                break;
            }
        }
    }

    /// Answers a question, with the help of idle threads.
    pub(super) fn ask(&mut self, question: Question<P>) -> Result<Score, Aborted> {
        if !self.shared.search.has_helpers() {
            return self.search(&question);
        }
        let open = self.shared.tasks.open(question);
        self.answer(&open);
        self.shared.tasks.close(&open).ok_or(Aborted)
    }

    /// Answers a question, unless another thread answers it or a limit is reached first.
    fn answer(&mut self, open: &OpenQuestion<P>) {
        self.is_over = Arc::clone(&open.is_over);
        if let Ok(bound) = self.search(&open.question) {
            open.end(Some(bound));
        }
    }

    /// Searches a question, unless it is over or a limit is reached.
    fn search(&mut self, question: &Question<P>) -> Result<Score, Aborted> {
        let &Question { ref pos, key, facts, same, alpha, ply } = question;
        let found = self.for_side(pos, key, facts, same, alpha, ply);
        if found.is_err() {
            self.children.clear();
        }
        found
    }
}

/// The processor time of the threads that help the leader.
#[derive(Default)]
pub(super) struct Used(AtomicU64);

impl Used {
    pub(super) fn measure(&self, work: impl FnOnce()) {
        let start = cpu::thread_time();
        work();
        let took = cpu::thread_time().saturating_sub(start).as_nanos();
        self.0.fetch_add(u64::try_from(took).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}
