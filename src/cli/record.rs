//! Analyses as JSON: an object a line.

use crate::core::{Report, Score, score};
use serde::Serialize;

/// A position analysed.
#[derive(Clone, Debug, Serialize)]
pub struct Record<'a> {
    /// The position, as it was given.
    pub position: &'a str,
    /// The move to play; null where the game is over.
    pub best_move: Option<&'a str>,
    /// Centi-units for the side to move; a win or loss `n` plies away is ±(32,000 - n).
    pub score: Score,
    /// Whether the value is the score, or at least (`lower`) or at most (`upper`) that.
    pub bound: &'static str,
    /// Full moves to the forced win, or to the loss if negative; null where none is known.
    pub mate: Option<Score>,
    /// Plies.
    pub depth: u8,
    /// Positions made by a move and entered.
    pub nodes: u64,
    /// Microseconds.
    pub time_us: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The principal variation.
    pub pv: &'a [String],
}

/// A position that could not be analysed.
#[derive(Clone, Debug, Serialize)]
pub struct BadRecord<'a> {
    /// Its line, counted from 1; null if it came from the command line.
    pub line: Option<u64>,
    /// The position, as it was given.
    pub position: &'a str,
    /// What is wrong with it.
    pub error: String,
}

impl<'a> Record<'a> {
    /// The record of a search.
    #[must_use]
    pub fn new(position: &'a str, report: &'a Report) -> Self {
        Self {
            position,
            best_move: report.best().map(String::as_str),
            score: report.score,
            bound: report.bound.name(),
            mate: score::mate(report.score),
            depth: report.depth,
            nodes: report.nodes,
            time_us: u64::try_from(report.time.as_micros()).unwrap_or(u64::MAX),
            nps: report.nps(),
            pv: &report.pv,
        }
    }
}
