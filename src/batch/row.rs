//! A row: a position and its result.

use super::Job;
use crate::core::{Bound, Proof, Report, Request, Score, StopFlag, micros};
use crate::engine::Board;
use crate::search::Table;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A position to be searched.
pub enum Given {
    /// A board, with the moves that led to it.
    Board(Box<dyn Board>),
    /// Text for the game of the [`Job`], as [`Setup::board`](crate::registry::Setup::board) reads it.
    Text(String),
}

/// The row of a position in a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchRow {
    /// The position as given: the text, or that of the board.
    pub input: String,
    /// The position as its game writes it, or the text if it could not be read.
    pub position: String,
    /// The moves since the position was set up, on which repetitions depend. Empty if the text could not be read.
    pub history: Vec<String>,
    /// The best line, or why there was no search.
    pub found: Result<Analysed, String>,
    /// The other lines, the best first, if the [`Job`] has several.
    pub others: Vec<Analysed>,
}

/// A line of the result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysed {
    /// Its number; 1 is the best.
    pub line: usize,
    /// The move with which it begins.
    pub best: String,
    /// The value for the side to move, in centi-units.
    pub score: Score,
    /// The relation of the score to the value at this depth.
    pub bound: Bound,
    /// The proof: which bounds of the game's value the score is.
    pub proof: Proof,
    /// The depth of the last iteration, in plies.
    pub depth: u8,
    /// The number of nodes.
    pub nodes: u64,
    /// The time in microseconds.
    pub micros: u64,
    /// The principal variation; empty if it is not stored.
    pub pv: Vec<String>,
}

impl BatchRow {
    /// Searches a position as a fresh engine would, with a table that may have been used before.
    pub(super) fn new(given: &Given, job: &Job, request: &Request, table: &Arc<Table>, stop: &StopFlag) -> Self {
        let read;
        let board = match given {
            Given::Board(board) => &**board,
            Given::Text(text) => match job.setup.board(text) {
                Ok(board) => {
                    read = board;
                    &*read
                }
                Err(error) => {
                    let (input, position) = (text.clone(), text.clone());
                    let (history, others) = (Vec::new(), Vec::new());
                    return Self { input, position, history, found: Err(error.to_string()), others };
                }
            },
        };
        let position = board.text();
        let input = match given {
            Given::Board(_) => position.clone(),
            Given::Text(text) => text.clone(),
        };
        table.clear();
        let lines = board.engine(Arc::clone(table)).search(request, stop, &mut |_| {});
        let mut lines = lines.into_iter().map(|line| analysed(line, job.pv));
        let found = lines.next().unwrap_or_else(|| Err("the search found nothing".into()));
        Self { input, position, history: board.history(), found, others: lines.flatten().collect() }
    }
}

fn analysed(report: Report, has_pv: bool) -> Result<Analysed, String> {
    let Report { line, score, bound, proof, depth, nodes, time, mut pv, .. } = report;
    if !has_pv {
        pv.truncate(1);
    }
    let best = if has_pv { pv.first().cloned() } else { pv.pop() }.ok_or("the game is over")?;
    Ok(Analysed { line, best, score, bound, proof, depth, nodes, micros: micros(time), pv })
}
