//! [`Engine`]: searches with a table, and an opponent with levels.

use crate::position::Position;
use crate::{json, thrown};
use js_sys::Function;
use secateurs::book::Openings;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{ClockLimits, Limits, Progress, Report, Request};
use secateurs::engine::Board;
use secateurs::opponent::{LEVELS, Opponent, Strength};
use secateurs::registry;
use secateurs::views::report::{Analysis, ExactValue};
use secateurs::{StopFlag, Table};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::*;

/// An engine with its transposition table.
#[wasm_bindgen]
pub struct Engine {
    table: Arc<Table>,
    opponent: Opponent,
    threads: usize,
    /// The page raises it where it shares the memory, and lowers it before the next search.
    stop: StopFlag,
    /// The values in the books of the game solved last, by its name and options.
    openings: Option<(String, Openings)>,
}

/// The time between the clock of the page and the engine's, in which the move travels.
const OVERHEAD: Duration = Duration::from_millis(100);

/// The limits of a search, as the page gives them.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Limit {
    depth: Option<u8>,
    nodes: Option<u64>,
    /// Milliseconds.
    movetime: Option<u64>,
    mate: Option<u16>,
    multipv: Option<usize>,
    #[serde(rename = "searchmoves")]
    moves: Vec<String>,
}

impl Limit {
    fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            mate: self.mate,
            clock: None,
        }
    }
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine with a table of a size in MiB and a number of threads: this one, and those that are
    /// [lent](crate::lend). Its random choices follow from the seed.
    #[wasm_bindgen(constructor)]
    pub fn new(hash: usize, threads: usize, seed: u32) -> Result<Engine, JsError> {
        let table = Arc::new(Table::new(hash)?);
        let opponent = Opponent::new(Arc::clone(&table), threads, Some(seed.into()))?;
        Ok(Self { table, opponent, threads, stop: StopFlag::new(), openings: None })
    }

    /// Returns the address of a byte: the value 1 ends the search, and 0 must be there before the next one.
    #[wasm_bindgen(js_name = stopAddress)]
    pub fn stop_address(&self) -> usize {
        self.stop.as_ptr().addr()
    }

    /// Starts a new game: clears the table, and reads the books of the game.
    pub fn begin(&mut self, game: &str) -> Result<(), JsError> {
        Ok(self.opponent.begin(registry::find(game)?, true)?)
    }

    /// Searches within limits, and calls `found` with the lines of each iteration. Returns those of the last one.
    pub fn search(&self, position: &Position, limit: &str, found: &Function) -> Result<String, JsError> {
        let limit: Limit = serde_json::from_str(limit).map_err(thrown)?;
        let board = &*position.board;
        let request = Request {
            moves: board.codes_of(&limit.moves)?,
            lines: limit.multipv.unwrap_or(1).max(1),
            threads: self.threads,
            ..Request::new(limit.limits())
        };
        let mut lines = Vec::new();
        let reports = board.engine(Arc::clone(&self.table)).search(&request, &self.stop, &mut |progress| {
            reported(board, &mut lines, progress, found);
        });
        json(&Analysis::new(board, &reports))
    }

    /// Returns the move of a level, from 1, with its evaluation.
    ///
    /// `clock` has the milliseconds that the side to move has left, and its increment; without them there is no clock.
    pub fn think(
        &self,
        position: &Position,
        level: usize,
        found: &Function,
        clock: Option<Vec<f64>>,
    ) -> Result<String, JsError> {
        if level == 0 || level > LEVELS.len() {
            return Err(thrown(format!("level is 1 to {}, not {level}", LEVELS.len())));
        }
        let time = |milliseconds: f64| Duration::from_millis(milliseconds.max(0.0) as u64);
        let clock = clock.as_deref().and_then(|clock| match *clock {
            [remaining, increment] => Some(ClockLimits {
                remaining: time(remaining),
                increment: time(increment),
                moves_to_go: None,
                overhead: OVERHEAD,
            }),
            _ => None,
        });
        self.thought(position, found, |board, stop, progress| {
            self.opponent.think_by(board, Strength::Level(level), clock, stop, progress)
        })
    }

    /// Annotates the moves of the game between two players that led to a position, each by a search within limits.
    /// `found` is called after each position.
    pub fn annotate(
        &self,
        position: &Position,
        first: &str,
        second: &str,
        limit: &str,
        found: &Function,
    ) -> Result<String, JsError> {
        let limit: Limit = serde_json::from_str(limit).map_err(thrown)?;
        let mut done = 0;
        position.annotated([first, second], &self.table, &Request::new(limit.limits()), &mut || {
            done += 1;
            send(found, &done);
        })
    }

    /// Returns a hint, with its evaluation: from the book, or by a search of at most two seconds.
    pub fn hint(&self, position: &Position, found: &Function) -> Result<String, JsError> {
        self.thought(position, found, |board, stop, progress| self.opponent.advise(board, stop, progress))
    }

    /// Searches for the exact value of the position and of each move, and calls `found` with what is known so far.
    pub fn solve(&mut self, position: &Position, limit: &str, found: &Function) -> Result<String, JsError> {
        let limit: Limit = serde_json::from_str(limit).map_err(thrown)?;
        let board = &*position.board;
        let table = Arc::clone(&self.table);
        self.openings(board)?.store(&table);
        let task = SolveRequest {
            limits: limit.limits(),
            threads: self.threads,
            moves: Valued::All,
            ..SolveRequest::default()
        };
        let solution = board.engine(table).solve(&task, &self.stop, &mut |solution| {
            send(found, &ExactValue::new(board, solution));
        });
        json(&ExactValue::new(board, &solution))
    }
}

impl Engine {
    /// Returns the values in the books of a board's game.
    fn openings(&mut self, board: &dyn Board) -> Result<&Openings, JsError> {
        let rules: Vec<_> = board.options().iter().map(|(row, value)| format!("{}={value}", row.name)).collect();
        let name = format!("{} {}", board.game(), rules.join(" "));
        let known = self.openings.take().filter(|(known, _)| *known == name);
        let openings = known.map_or_else(|| Openings::for_board(board), |(_, openings)| Ok(openings))?;
        Ok(&self.openings.insert((name, openings)).1)
    }

    fn thought(
        &self,
        position: &Position,
        found: &Function,
        think: impl FnOnce(&dyn Board, &StopFlag, &mut dyn FnMut(Progress<'_>)) -> Report,
    ) -> Result<String, JsError> {
        let board = &*position.board;
        if board.outcome().is_some() {
            return Err(thrown("the game is over"));
        }
        let mut lines = Vec::new();
        let report = think(board, &self.stop, &mut |progress| reported(board, &mut lines, progress, found));
        json(&Analysis::new(board, &[report]))
    }
}

/// Collects the lines of an iteration, and sends them with each new one.
fn reported(board: &dyn Board, lines: &mut Vec<Report>, progress: Progress<'_>, found: &Function) {
    if let Progress::Line(report) = progress {
        lines.retain(|line| line.line != report.line);
        lines.push(report.clone());
        lines.sort_by_key(|line| line.line);
        send(found, &Analysis::new(board, lines));
    }
}

/// Calls a function with a value. What it throws does not concern the search.
fn send(found: &Function, value: &impl serde::Serialize) {
    if let Ok(text) = json(value) {
        let _ = found.call1(&JsValue::NULL, &text.into());
    }
}
