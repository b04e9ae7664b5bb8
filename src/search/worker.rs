//! The state of one search thread that is the same for every game: limits, counts, history and lines.

use super::budget::Budget;
use super::history::History;
use super::shared_search::SharedSearch;
use super::table::Table;
use super::trace::Trace;
use super::value::Value;
use crate::core::Tuning;
use crate::core::score::{self, MAX_PLY, Score};
use crate::core::tree::{End, SearchKind};

/// The least remaining depth, in plies, at which preloaded entries are probed. They are deeper than the rest of the
/// search, so positions near the horizon gain most from them.
const PRELOADED_DEPTH: u8 = 1;

/// The search was aborted; its value is lost.
#[derive(Debug)]
pub(super) struct Aborted;

pub(super) struct Worker<'a> {
    /// The number of the thread, and the salt of its game in the table.
    number: usize,
    salt: u64,
    pub(super) tuning: Tuning,
    pub(super) table: &'a Table,
    /// Whether all lines are searched to the same depth, so that the first win found is the shortest.
    pub(super) full_width: bool,
    /// `None` if the game does not use it.
    pub(super) history: Option<History>,
    /// The principal-variation table: the line below each ply, as move codes.
    pub(super) pv: Vec<Vec<u16>>,
    pub(super) tally: Tally,
    pub(super) shared: &'a SharedSearch,
    pub(super) budget: Budget<'a>,
    pub(super) trace: Option<&'a mut (dyn Trace + 'a)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The nodes entered by a move.
    pub(super) nodes: u64,
    /// The largest ply reached in this iteration.
    pub(super) seldepth: usize,
    pub(super) fails_low: u32,
    pub(super) fails_high: u32,
}

impl<'a> Worker<'a> {
    /// Creates a thread for a game with these parameters, numbers of move codes and kinds, and salt in the table.
    pub(super) fn new(
        tuning: Tuning,
        (sizes, salt): ((usize, usize), u64),
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
                Some(histories) => histories.take(salt, number, sizes),
                None => History::new(sizes.0, sizes.1),
            }),
            pv: vec![Vec::new(); usize::from(MAX_PLY) + 2],
            tally: Tally::default(),
            shared,
            budget,
            trace,
        }
    }

    /// Sets the line of `ply` to a move followed by the line of the next ply.
    #[inline]
    pub(super) fn update_pv(&mut self, ply: usize, code: u16) {
        let [line, next] = &mut self.pv[ply..=ply + 1] else { return };
        line.clear();
        line.push(code);
        line.extend_from_slice(next);
    }

    /// Returns a move followed by the line of ply `next`.
    pub(super) fn line(&self, code: u16, next: usize) -> Vec<u16> {
        let mut line = vec![code];
        line.extend_from_slice(&self.pv[next]);
        line
    }

    /// Whether this is the score of a win within `plies` plies from the root in a full-width search: it is then the
    /// shortest.
    #[inline]
    pub(super) fn is_shortest(&self, score: Score, plies: Score) -> bool {
        self.full_width && score::distance(score).is_some_and(|win| (1..=plies).contains(&win))
    }

    /// Records the move to the node entered next, if the search is traced.
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

    /// Records the value of a node that is left.
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
