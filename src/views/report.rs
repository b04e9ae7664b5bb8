//! Search reports and exact values for a page: `web/ts/types.ts` has the same types.

use super::values;
use crate::core::{Report, Score, Solution, micros, score};
use crate::engine::Board;
use serde::Serialize;

/// The lines of a search, the best first.
#[derive(Serialize)]
pub struct Analysis {
    depth: u8,
    seldepth: u8,
    nodes: u64,
    nps: u64,
    /// Milliseconds.
    time: f64,
    /// Fill of the table, per mille.
    hashfull: u16,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    /// The number of the line, from 1.
    line: usize,
    /// Centi-units for the side to move; a win or loss `n` plies away is ±(32,000 - n).
    score: Score,
    bound: &'static str,
    proven: Option<&'static str>,
    /// The score and what is proven of it, in words.
    text: String,
    /// Full moves to the forced win, or to the loss if negative.
    mate: Option<Score>,
    /// The probabilities of a win, a draw and a loss, per mille.
    wdl: Option<[u16; 3]>,
    pv: Vec<String>,
    san: Vec<String>,
}

impl Analysis {
    /// Describes the lines of a search of this board, at least one.
    #[must_use]
    pub fn new(board: &dyn Board, reports: &[Report]) -> Self {
        let first = &reports[0];
        Self {
            depth: first.depth,
            seldepth: first.seldepth,
            nodes: first.nodes,
            nps: first.nps(),
            time: micros(first.time) as f64 / 1e3,
            hashfull: first.hashfull,
            lines: reports.iter().map(|report| Line::new(board, report)).collect(),
        }
    }
}

impl Line {
    fn new(board: &dyn Board, report: &Report) -> Self {
        Self {
            line: report.line,
            score: report.score,
            bound: report.bound.name(),
            proven: report.proof.name(),
            text: values::score_and_proof(report.score, report.bound, report.proof),
            mate: score::mate(report.score),
            wdl: report.wdl,
            pv: report.pv.clone(),
            san: board.readable_line(&report.pv),
        }
    }
}

/// An exact value, as far as it is known, with that of each move.
#[derive(Serialize)]
pub struct ExactValue {
    solved: bool,
    complete: bool,
    /// Lower and upper bound as players count them; null for a bound that excludes nothing.
    bounds: [Option<i64>; 2],
    text: String,
    /// Why the search gave the position up before any limit.
    refused: Option<String>,
    moves: Vec<MoveValue>,
    pv: Vec<String>,
    san: Vec<String>,
    nodes: u64,
    /// Milliseconds.
    time: f64,
}

#[derive(Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    san: String,
    bounds: [Option<i64>; 2],
    text: String,
    /// Whether the move keeps the value of the position.
    best: bool,
    /// For the side to move: `win`, `draw` or `loss`; null if not known.
    outcome: Option<&'static str>,
}

impl ExactValue {
    /// Describes a solution of this board.
    #[must_use]
    pub fn new(board: &dyn Board, solution: &Solution) -> Self {
        let moves = solution.moves.iter().map(|(mv, bounds)| MoveValue {
            mv: mv.clone(),
            san: board.readable(mv),
            bounds: board.count_ends(*bounds),
            text: values::bounds(board, *bounds),
            best: bounds.is_exact() && solution.is_solved() && bounds.lower == solution.bounds.lower,
            outcome: bounds.outcome(),
        });
        Self {
            solved: solution.is_solved(),
            complete: solution.complete,
            bounds: board.count_ends(solution.bounds),
            text: values::bounds(board, solution.bounds),
            refused: solution.refused.map(|refused| refused.to_string()),
            moves: moves.collect(),
            pv: solution.pv.clone(),
            san: board.readable_line(&solution.pv),
            nodes: solution.nodes,
            time: micros(solution.time) as f64 / 1e3,
        }
    }
}
