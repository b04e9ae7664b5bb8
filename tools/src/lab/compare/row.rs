//! The rows of a comparison, and the columns that need all rows of a subject.

use super::{Contender, SECATEURS};
use secateurs::core::score::Score;
use secateurs::core::{Bound, NodeCounts, Report, micros};
use secateurs::literature::budget::Spent;
use secateurs::literature::procedure::{Procedure, ProcedureResult};
use serde::Serialize;
use std::time::Duration;

/// The result and the cost of a contender.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonRow {
    /// The position or the tree.
    pub subject: String,
    /// Plies to the horizon.
    pub depth: u8,
    /// The contender.
    pub procedure: &'static str,
    /// The value for the side to move, in centi-units; `None` if the run was given up, and in a sum over trees.
    pub value: Option<Score>,
    /// Whether the value is exact, or a `lower` or `upper` bound; `None` without a value.
    pub bound: Option<&'static str>,
    /// The best move, in the notation of the game; in synthetic trees its number, from 0.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// Positions entered, counted each time.
    pub nodes: u64,
    /// Terminal positions entered.
    pub terminal: u64,
    /// Positions with a cut-off; `None` if the procedure has none.
    pub cutoffs: Option<u64>,
    /// Table hits; `None` if the procedure has no table.
    pub hits: Option<u64>,
    /// Inner positions with a value within the window; this and the next two are `None` if the procedure has no window.
    pub pv: Option<u64>,
    /// Inner positions with a value above the window.
    pub cut: Option<u64>,
    /// Inner positions with a value below the window.
    pub all: Option<u64>,
    /// Searches from the root.
    pub searches: u32,
    /// The time in microseconds.
    pub time_us: u64,
    /// Its nodes as a share of those of minimax, or else of alpha-beta; `None` if neither was completed.
    pub share: Option<f64>,
    /// Whether the value is that of the other procedures with the same horizon; `None` if it cannot be compared.
    pub agrees: Option<bool>,
    /// The number of trees in the sum.
    pub runs: u64,
    /// The reason if there is no value.
    pub given_up: Option<String>,
}

impl ComparisonRow {
    pub(crate) fn new(
        subject: &str,
        depth: u8,
        procedure: Procedure,
        found: &ProcedureResult,
        best: Option<String>,
        time: Duration,
    ) -> Self {
        let NodeCounts { nodes, terminal, cutoffs, hits, kinds } = found.counts;
        Self {
            subject: subject.into(),
            depth,
            procedure: procedure.name(),
            value: found.value.ok(),
            bound: found.value.ok().map(|_| found.bound.name()),
            best,
            nodes,
            terminal,
            cutoffs: procedure.counts_cutoffs().then_some(cutoffs),
            hits: procedure.counts_hits().then_some(hits),
            pv: procedure.counts_kinds().then_some(kinds.pv),
            cut: procedure.counts_kinds().then_some(kinds.cut),
            all: procedure.counts_kinds().then_some(kinds.all),
            searches: found.searches,
            time_us: micros(time),
            share: None,
            agrees: None,
            runs: 1,
            given_up: found.value.err().map(|spent| spent.to_string()),
        }
    }

    pub(crate) fn modern(subject: &str, depth: u8, report: &Report, counts: NodeCounts, spent: Option<Spent>) -> Self {
        let value = spent.map_or(Ok(report.score), Err);
        let found = ProcedureResult { value, bound: Bound::Exact, best: None, searches: report.depth.into(), counts };
        let best = report.best().filter(|_| spent.is_none()).cloned();
        // It has the counts of alpha-beta with a table.
        Self { procedure: SECATEURS, ..Self::new(subject, depth, Procedure::Table, &found, best, report.time) }
    }

    /// Adds the costs of the same contender on another subject.
    pub(crate) fn add(&mut self, other: &Self) {
        (self.value, self.bound, self.best, self.share) = (None, None, None, None);
        self.nodes += other.nodes;
        self.terminal += other.terminal;
        let sum = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
        self.cutoffs = sum(self.cutoffs, other.cutoffs);
        self.hits = sum(self.hits, other.hits);
        self.pv = sum(self.pv, other.pv);
        self.cut = sum(self.cut, other.cut);
        self.all = sum(self.all, other.all);
        self.searches = self.searches.saturating_add(other.searches);
        self.time_us += other.time_us;
        self.agrees = match (self.agrees, other.agrees) {
            (Some(one), Some(two)) => Some(one && two),
            (one, two) => one.or(two),
        };
        self.runs += other.runs;
        self.given_up = self.given_up.take().or_else(|| other.given_up.clone());
    }
}

/// Sets the columns that need all rows of a subject.
pub(crate) fn finish(rows: &mut [ComparisonRow]) {
    shares(rows);
    let is_exact = |row: &ComparisonRow| row.procedure.parse::<Contender>().is_ok_and(Contender::is_exact);
    let values: Vec<Score> = rows
        .iter()
        .filter(|row| is_exact(row) && row.bound == Some(Bound::Exact.name()))
        .filter_map(|row| row.value)
        .collect();
    // The most frequent value.
    let votes = |value: Score| values.iter().filter(|&&other| other == value).count();
    let Some(&most) = values.iter().rev().max_by_key(|&&value| votes(value)) else { return };
    for row in rows.iter_mut().filter(|row| is_exact(row)) {
        row.agrees = row.value.map(|value| match row.bound {
            Some("lower") => value <= most,
            Some("upper") => value >= most,
            _ => value == most,
        });
    }
}

/// Sets each row's share of the nodes of minimax, or else of alpha-beta.
pub fn shares(rows: &mut [ComparisonRow]) {
    let whole = [Procedure::Minimax, Procedure::Negamax, Procedure::AlphaBeta].into_iter().find_map(|procedure| {
        rows.iter().find(|row| row.procedure == procedure.name() && row.given_up.is_none()).map(|row| row.nodes)
    });
    for row in rows {
        row.share = whole.filter(|&whole| whole > 0).map(|whole| row.nodes as f64 / whole as f64);
    }
}
