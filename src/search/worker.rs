//! What one thread of a search owns: its ordering memory, its path, its counts, its share of the limits.

use super::budget::Budget;
use super::crew::Crew;
use super::history::History;
use super::order::MoveStack;
use super::table::Table;
use super::trace::Silent;
use crate::core::score::MAX_PLY;
use crate::core::{Heuristics, Position, Tuning};

/// Of a table that was taught something, positions with so many remaining plies are looked up too: what was learnt is worth
/// most where the search would end.
const TAUGHT_DEPTH: u8 = 1;

/// The search has to end at once; the value that was to be is lost.
#[derive(Debug)]
pub(super) struct Aborted;

/// One thread's half of a search; the other half, the table, it shares.
pub(super) struct Worker<'a, P: Position, H: Heuristics<P>, T = Silent> {
    pub(super) heuristics: &'a H,
    pub(super) tuning: Tuning,
    pub(super) table: &'a Table,
    pub(super) salt: u64,
    /// None where the game does not want it.
    pub(super) history: Option<History>,
    pub(super) stack: MoveStack<P::Move>,
    /// The principal variation below each ply.
    pub(super) pv: Vec<Vec<P::Move>>,
    pub(super) tally: Tally,
    pub(super) crew: &'a Crew,
    pub(super) budget: Budget<'a>,
    /// Who watches.
    pub(super) trace: T,
}

/// What a search counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Positions made by a move and entered.
    pub(super) nodes: u64,
    /// The farthest ply of this iteration.
    pub(super) seldepth: usize,
    pub(super) fails_low: u32,
    pub(super) fails_high: u32,
}

impl<'a, P: Position, H: Heuristics<P>, T> Worker<'a, P, H, T> {
    pub(super) fn new(
        (heuristics, table, salt): (&'a H, &'a Table, u64),
        crew: &'a Crew,
        budget: Budget<'a>,
        trace: T,
    ) -> Self {
        let mut tuning = heuristics.tuning();
        if table.is_taught() {
            tuning.table_depth = tuning.table_depth.min(TAUGHT_DEPTH);
        }
        Self {
            tuning,
            heuristics,
            table,
            salt,
            history: heuristics.tuning().history.then(|| History::new(P::CODES)),
            stack: MoveStack::new(),
            pv: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            tally: Tally::default(),
            crew,
            budget,
            trace,
        }
    }

    /// A move with the line that follows it.
    pub(super) fn line(&self, mv: P::Move, next: usize) -> Vec<P::Move> {
        let mut line = vec![mv];
        line.extend_from_slice(&self.pv[next]);
        line
    }
}
