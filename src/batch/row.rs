//! A row: a position and its result.

use super::Job;
use crate::core::{Bound, Error, Proof, Report, Request, Score, StopFlag, micros};
use crate::engine::Board;
use crate::registry::Setup;
use crate::search::Table;
use serde::{Deserialize, Serialize};
use std::slice;
use std::sync::Arc;

/// A position to be searched.
pub enum Given {
    /// A board, with the moves that led to it.
    Board(Box<dyn Board>),
    /// Text for the game of the [`Job`], as [`Setup::board`](crate::registry::Setup::board) reads it.
    Text(String),
    /// Another position, of which only these moves are searched; none is an error of its row.
    Among(Box<Given>, Vec<String>),
}

impl Given {
    /// Returns the moves to search; empty: all.
    pub(super) fn moves(&self) -> &[String] {
        if let Self::Among(_, moves) = self { moves } else { &[] }
    }

    /// Returns the board, given the setup of text.
    ///
    /// # Errors
    /// Those of [`Setup::board`].
    pub fn board(&self, setup: &Setup) -> Result<Box<dyn Board>, Error> {
        match self {
            Self::Board(board) => Ok(board.boxed()),
            Self::Text(text) => setup.board(text),
            Self::Among(given, _) => given.board(setup),
        }
    }

    /// Returns the text, if it was given.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Board(_) => None,
            Self::Text(text) => Some(text),
            Self::Among(given, _) => given.text(),
        }
    }
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
    /// The principal variation, or else the move, as people read it: in standard algebraic notation (SAN), where the
    /// game has it. Empty unless [added](BatchRow::add_san).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub san: Vec<String>,
}

impl BatchRow {
    /// Searches a position as a fresh engine would, with a table that may have been used before.
    pub(super) fn new(given: &Given, job: &Job, request: &Request, table: &Arc<Table>, stop: &StopFlag) -> Self {
        let failed = |position: String, history, error: String| {
            let input = given.text().unwrap_or(&position).to_owned();
            Self { input, position, history, found: Err(error), others: Vec::new() }
        };
        let board = match given.board(&job.setup) {
            Ok(board) => board,
            Err(error) => return failed(given.text().unwrap_or_default().into(), Vec::new(), error.to_string()),
        };
        let (position, history) = (board.text(), board.history());
        if let Given::Among(_, moves) = given
            && moves.is_empty()
        {
            return failed(position, history, "there are no moves to search".into());
        }
        let moves = match board.codes_of(given.moves()) {
            Ok(moves) => moves,
            Err(error) => return failed(position, history, error.to_string()),
        };
        table.clear();
        let request = Request { moves, ..request.clone() };
        let lines = board.engine(Arc::clone(table)).search(&request, stop, &mut |_| {});
        let mut lines = lines.into_iter().map(|line| analysed(line, job.pv));
        let found = lines.next().unwrap_or_else(|| Err("the search found nothing".into()));
        let input = given.text().unwrap_or(&position).to_owned();
        Self { input, position, history, found, others: lines.flatten().collect() }
    }

    /// Adds the moves of all lines as people read them, given the position that was searched.
    pub fn add_san(&mut self, given: &Given, setup: &Setup) {
        let Ok(board) = given.board(setup) else { return };
        for line in self.found.iter_mut().chain(&mut self.others) {
            line.san = board.readable_line(if line.pv.is_empty() { slice::from_ref(&line.best) } else { &line.pv });
        }
    }
}

fn analysed(report: Report, has_pv: bool) -> Result<Analysed, String> {
    let Report { line, score, bound, proof, depth, nodes, time, mut pv, .. } = report;
    if !has_pv {
        pv.truncate(1);
    }
    let best = if has_pv { pv.first().cloned() } else { pv.pop() }.ok_or("the game is over")?;
    Ok(Analysed { line, best, score, bound, proof, depth, nodes, micros: micros(time), pv, san: Vec::new() })
}
