//! Analyses as JSON: an object a line.

use crate::core::{Report, Request, Score, Ties, score};
use serde::Serialize;

/// A position analysed.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisRecord<'a> {
    /// The position, as it was given.
    pub position: &'a str,
    /// The move to play; null where the game is over.
    pub best_move: Option<&'a str>,
    /// Centi-units for the side to move; a win or loss `n` plies away is ±(32,000 - n).
    pub score: Score,
    /// Whether the value is the score, or at least (`lower`) or at most (`upper`) that.
    pub bound: &'static str,
    /// What is proven of the game's own value: that it is the score (`exact`), at least (`lower`) or at most (`upper`)
    /// that; null where nothing is.
    pub proven: Option<&'static str>,
    /// Full moves to the forced win, or to the loss if negative; null where none is known.
    pub mate: Option<Score>,
    /// The chances of a win, a draw and a loss, per mille; null where the game cannot say them.
    pub wdl: Option<[u16; 3]>,
    /// Plies.
    pub depth: u8,
    /// The farthest that any line was followed, plies.
    pub seldepth: u8,
    /// Positions made by a move and entered.
    pub nodes: u64,
    /// Microseconds.
    pub time_us: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The principal variation.
    pub pv: &'a [String],
    /// The best moves, the best one first; only where more than one line was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineRecord<'a>>>,
    /// All moves that are as good as the best one, itself included; only where they were asked for. Empty where the
    /// search has not settled which they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<&'a [String]>,
}

/// One of the best moves.
#[derive(Clone, Debug, Serialize)]
pub struct LineRecord<'a> {
    /// The move; null where the game is over.
    #[serde(rename = "move")]
    pub mv: Option<&'a str>,
    /// As in the [`AnalysisRecord`], and so are those that follow.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: &'static str,
    /// What is proven of the move's value.
    pub proven: Option<&'static str>,
    /// Full moves to the forced end.
    pub mate: Option<Score>,
    /// The principal variation, which begins with the move.
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

impl<'a> AnalysisRecord<'a> {
    /// The record of a search for `request`, which found these lines: at least one, the best first.
    #[must_use]
    pub fn new(position: &'a str, request: &Request, found: &'a [Report]) -> Self {
        let report = &found[0];
        Self {
            position,
            best_move: report.best().map(String::as_str),
            score: report.score,
            bound: report.bound.name(),
            proven: report.proof.name(),
            mate: score::mate(report.score),
            wdl: report.wdl,
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            time_us: u64::try_from(report.time.as_micros()).unwrap_or(u64::MAX),
            nps: report.nps(),
            pv: &report.pv,
            lines: (request.lines > 1).then(|| found.iter().map(LineRecord::from).collect()),
            ties: (request.ties != Ties::First).then_some(&report.ties),
        }
    }
}

impl<'a> From<&'a Report> for LineRecord<'a> {
    fn from(report: &'a Report) -> Self {
        Self {
            mv: report.best().map(String::as_str),
            score: report.score,
            bound: report.bound.name(),
            proven: report.proof.name(),
            mate: score::mate(report.score),
            pv: &report.pv,
        }
    }
}
