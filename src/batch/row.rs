//! A row: a position and what was found of it.

use super::Job;
use crate::core::{Bound, Proof, Report, Request, Score, StopFlag};
use crate::engine::Board;
use crate::search::Table;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A position as it is given.
pub enum Given {
    /// As a board, with the moves that led to it.
    Board(Box<dyn Board>),
    /// As text, for the game of the [`Job`], as [`Setup::board`](crate::registry::Setup::board) reads it.
    Text(String),
}

/// What a batch says of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchRow {
    /// The position as it was given: the text, or that of the board.
    pub input: String,
    /// The position as its game writes it, or the text that could not be read.
    pub position: String,
    /// What was found, or why there was no search.
    pub found: Result<Analysed, String>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysed {
    /// The move to play.
    pub best: String,
    /// The value for the side to move, centi-units.
    pub score: Score,
    /// How the score relates to the value at this depth.
    pub bound: Bound,
    /// What is proven of the game's value.
    pub proof: Proof,
    /// The last iteration, plies.
    pub depth: u8,
    /// Positions entered.
    pub nodes: u64,
    /// Time, microseconds.
    pub micros: u64,
    /// The principal variation, empty where it is not kept.
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
                    return Self { input, position, found: Err(error.to_string()) };
                }
            },
        };
        let position = board.text();
        let input = match given {
            Given::Board(_) => position.clone(),
            Given::Text(text) => text.clone(),
        };
        Self { input, position, found: search(board, job, request, table, stop) }
    }
}

fn search(
    board: &dyn Board,
    job: &Job,
    request: &Request,
    table: &Arc<Table>,
    stop: &StopFlag,
) -> Result<Analysed, String> {
    table.clear();
    let lines = board.engine(Arc::clone(table)).search(request, stop, &mut |_| {});
    let Some(Report { score, bound, proof, depth, nodes, time, mut pv, .. }) = lines.into_iter().next() else {
        return Err("the search found nothing".into());
    };
    if !job.pv {
        pv.truncate(1);
    }
    let best = if job.pv { pv.first().cloned() } else { pv.pop() }.ok_or("the game is over")?;
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    Ok(Analysed { best, score, bound, proof, depth, nodes, micros, pv })
}
