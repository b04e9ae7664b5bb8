//! What one thread of a search owns that is the same for every game: its limits, its counts, its ordering memory, its lines.

use super::budget::Budget;
use super::history::History;
use super::shared_search::SharedSearch;
use super::table::Table;
use super::trace::Trace;
use super::value::Value;
use crate::core::Tuning;
use crate::core::score::{self, MAX_PLY, Score};
use crate::core::tree::{End, SearchKind};

/// Of a table with preloaded entries, positions with so many remaining plies are looked up too: those entries are deeper than
/// what is left of the search, and worth most where it would end.
const PRELOADED_DEPTH: u8 = 1;

/// The search has to end at once; the value that was to be is lost.
#[derive(Debug)]
pub(super) struct Aborted;

/// One thread of a search; the table it shares with the others.
pub(super) struct Worker<'a> {
    /// Its number, and what tells its game from others in the table.
    number: usize,
    salt: u64,
    pub(super) tuning: Tuning,
    pub(super) table: &'a Table,
    /// Whether every line is searched as deep as every other, so that the first win found is the shortest.
    pub(super) full_width: bool,
    /// None where the game does not want it.
    pub(super) history: Option<History>,
    /// The principal variation below each ply, as codes of moves.
    pub(super) pv: Vec<Vec<u16>>,
    pub(super) tally: Tally,
    pub(super) shared: &'a SharedSearch,
    pub(super) budget: Budget<'a>,
    /// What records the search, if anything does.
    pub(super) trace: Option<&'a mut (dyn Trace + 'a)>,
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

impl<'a> Worker<'a> {
    /// A thread for a game with these parameters, so many codes of moves, and this salt in the table.
    pub(super) fn new(
        tuning: Tuning,
        (codes, salt): (usize, u64),
        table: &'a Table,
        shared: &'a SharedSearch,
        number: usize,
        budget: Budget<'a>,
        trace: Option<&'a mut (dyn Trace + 'a)>,
    ) -> Self {
        let deepest = if table.is_preloaded() { PRELOADED_DEPTH } else { u8::MAX };
        Self {
            number,
            salt,
            tuning: Tuning { table_depth: tuning.table_depth.min(deepest), ..tuning },
            table,
            full_width: tuning.is_full_width(),
            history: tuning.history.then(|| match table.histories() {
                Some(histories) => histories.take(salt, number, codes),
                None => History::new(codes),
            }),
            pv: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            tally: Tally::default(),
            shared,
            budget,
            trace,
        }
    }

    /// Puts a move before the principal variation of the next ply: the line is that of `ply` now.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, code: u16) {
        let [line, next] = &mut self.pv[ply..=ply + 1] else { return };
        line.clear();
        line.push(code);
        line.extend_from_slice(next);
    }

    /// A move with the line that follows it.
    pub(super) fn line(&self, code: u16, next: usize) -> Vec<u16> {
        let mut line = vec![code];
        line.extend_from_slice(&self.pv[next]);
        line
    }

    /// Whether this is the score of a win within so many plies from the root, all moves being searched as deep: then it is the
    /// shortest.
    #[inline]
    pub(super) fn is_shortest(&self, score: Score, plies: Score) -> bool {
        self.full_width && score::distance(score).is_some_and(|win| (1..=plies).contains(&win))
    }

    /// Records the move that leads to the node entered next, if the search is recorded.
    #[inline(always)]
    pub(super) fn trace_move(&mut self, code: u16, kind: SearchKind) {
        if self.trace.is_some() {
            self.record_move(code, kind);
        }
    }

    #[cold]
    fn record_move(&mut self, code: u16, kind: SearchKind) {
        if let Some(trace) = &mut self.trace {
            trace.next(code, kind);
        }
    }

    /// Records the value that a node is left with.
    #[cold]
    pub(super) fn record_value(&mut self, ply: usize, value: Value, end: End<u16>) {
        if let Some(trace) = &mut self.trace {
            trace.leave(ply, value, end);
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if let (Some(history), Some(histories)) = (self.history.take(), self.table.histories()) {
            histories.keep(self.salt, self.number, history);
        }
    }
}
