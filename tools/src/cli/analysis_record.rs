//! Analyses as JSON, one object per line.

use secateurs::core::{Report, Request, Score, Ties, micros, score};
use serde::Serialize;

/// An analysed position.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisRecord<'a> {
    /// The position, as given.
    pub position: &'a str,
    /// The best move; null if the game is over.
    pub best_move: Option<&'a str>,
    /// The score in centi-units for the side to move; a win or loss `n` plies away is ±(32,000 - n).
    pub score: Score,
    /// Whether the value equals the score (`exact`), or is at least (`lower`) or at most (`upper`) the score.
    pub bound: &'static str,
    /// What is proven of the game's own value: it equals the score (`exact`), or is at least (`lower`) or at most
    /// (`upper`) the score; null if nothing is proven.
    pub proven: Option<&'static str>,
    /// Full moves to the forced win, or to the loss if negative; null if none is known.
    pub mate: Option<Score>,
    /// The probabilities of a win, a draw and a loss, per mille; null if the game does not provide them.
    pub wdl: Option<[u16; 3]>,
    /// The depth in plies.
    pub depth: u8,
    /// The selective depth in plies.
    pub seldepth: u8,
    /// The number of nodes: positions entered by a move.
    pub nodes: u64,
    /// The time in microseconds.
    pub time_us: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The principal variation.
    pub pv: &'a [String],
    /// The best moves, best first; only if more than one line was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<LineRecord<'a>>>,
    /// All moves that are as good as the best one, itself included; only if requested. Empty if the search has not
    /// determined them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<&'a [String]>,
}

/// One of the best moves.
#[derive(Clone, Debug, Serialize)]
pub struct LineRecord<'a> {
    /// The move; null if the game is over.
    #[serde(rename = "move")]
    pub mv: Option<&'a str>,
    /// This and the following fields are as in the [`AnalysisRecord`].
    pub score: Score,
    /// The relation of the score to the value.
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
    /// The line number from 1; null if the position came from the command line.
    pub line: Option<u64>,
    /// The position, as given.
    pub position: &'a str,
    /// A description of the error.
    pub error: String,
}

impl<'a> AnalysisRecord<'a> {
    /// Creates the record of a search for `request`, which returned these lines: at least one, the best first.
    pub(crate) fn new(position: &'a str, request: &Request, found: &'a [Report]) -> Self {
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
            time_us: micros(report.time),
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
