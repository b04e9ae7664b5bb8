//! The threads of an exact search.

use super::node::Prover;
use super::shared_proof::SharedProof;
use super::solver::SALT;
use crate::core::{Heuristics, Limits, Position, StopFlag};
use crate::search::budget::Budget;
use crate::search::cpu;
use crate::search::table::Table;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What all threads of a search have in common.
pub(super) struct Team<'a, H> {
    pub(super) heuristics: &'a H,
    pub(super) table: &'a Table,
    /// The salt of all searches of the same game.
    pub(super) salt: u64,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a StopFlag,
    pub(super) began: Instant,
}

impl<'a, H> Team<'a, H> {
    /// Creates a thread.
    pub(super) fn prover<P: Position>(&self, shared: &'a SharedProof, number: usize) -> Prover<'a, P, H>
    where
        H: Heuristics<P>,
    {
        Prover {
            heuristics: self.heuristics,
            table: self.table,
            salt: self.salt ^ SALT,
            children: Vec::with_capacity(64),
            scratch: Vec::with_capacity(64),
            path: Vec::new(),
            nodes: 0,
            budget: Budget::new(self.limits, self.stop, &shared.search, number).since(self.began),
            shared,
            round: shared.now().0,
        }
    }

    /// Creates the leader after so many nodes, which the other threads count from the beginning.
    pub(super) fn leader<P: Position>(&self, shared: &'a SharedProof, nodes: u64) -> Prover<'a, P, H>
    where
        H: Heuristics<P>,
    {
        shared.search.count(0, nodes);
        Prover { nodes, ..self.prover(shared, 0) }
    }
}

/// The processor time of the threads that help the leader.
#[derive(Default)]
pub(super) struct Used(AtomicU64);

impl Used {
    /// Runs a thread's work and adds its time.
    pub(super) fn measure(&self, work: impl FnOnce()) {
        let start = cpu::of_thread();
        work();
        let took = cpu::of_thread().saturating_sub(start).as_nanos();
        self.0.fetch_add(u64::try_from(took).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the time so far.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}
