//! [`Position`]: a board with the moves that led to it.

use crate::{json, thrown};
use secateurs::annotate::page::{Notes, PageGame, notes, title};
use secateurs::annotate::{Plan, annotate};
use secateurs::core::Request;
use secateurs::engine::Board;
use secateurs::pgn::{self, Pgn, PgnMove, move_numbers};
use secateurs::views::state::{GameOutcome, State, StateSettings};
use secateurs::{Setup, StopFlag, Table};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// An annotated game, in words and as PGN.
#[derive(Serialize)]
struct AnnotatedGame {
    #[serde(flatten)]
    notes: Notes,
    pgn: String,
}

/// A position for the page, with what its list of moves shows.
#[derive(Serialize)]
struct PageState {
    #[serde(flatten)]
    state: State,
    /// The number before each move, if there is one.
    numbers: Vec<Option<String>>,
    /// The player of each move: 1 or 2.
    players: Vec<u8>,
}

/// A position of a game, with the moves that led to it.
#[wasm_bindgen]
pub struct Position {
    setup: Setup,
    pub(crate) board: Box<dyn Board>,
}

#[wasm_bindgen]
impl Position {
    /// Sets up a position: the name of a game, its options as a JSON object, and `startpos` or a text of the game's own
    /// notation.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str, options: &str, text: &str) -> Result<Position, JsError> {
        let mut setup = Setup::named(game)?;
        let options: BTreeMap<String, String> = serde_json::from_str(options).map_err(thrown)?;
        for (name, value) in &options {
            setup.set(name, value)?;
        }
        let board = setup.board(text)?;
        Ok(Self { setup, board })
    }

    /// Reads the first game of a PGN file, of the game `game` if its tags name none, and returns the position at its
    /// end.
    #[wasm_bindgen(js_name = fromPgn)]
    pub fn from_pgn(game: &str, text: &str, number: usize) -> Result<Position, JsError> {
        let here = Setup::named(game)?;
        let found =
            pgn::games(text, &here).nth(number).ok_or_else(|| thrown("the text has no game"))?.map_err(thrown)?;
        let setup = found.setup(&here)?;
        let board = found.board(&setup, found.moves.len())?;
        Ok(Self { setup, board })
    }

    /// Returns the titles of the games of such a text.
    #[wasm_bindgen(js_name = pgnTitles)]
    pub fn pgn_titles(game: &str, text: &str) -> Result<Vec<String>, JsError> {
        let here = Setup::named(game)?;
        let titles = pgn::games(text, &here).map(|found| match found {
            Ok(found) => title(&found, &here),
            Err(error) => error.to_string(),
        });
        Ok(titles.collect())
    }

    /// Returns a copy.
    pub fn copy(&self) -> Position {
        Self { setup: self.setup.clone(), board: self.board.boxed() }
    }

    /// Returns the position after the first `plies` moves of this game.
    pub fn at(&self, plies: usize) -> Result<Position, JsError> {
        let mut board = self.setup.board(&self.board.start())?;
        for mv in self.board.history().iter().take(plies) {
            board.play(mv)?;
        }
        Ok(Self { setup: self.setup.clone(), board })
    }

    /// Plays a move.
    pub fn play(&mut self, mv: &str) -> Result<(), JsError> {
        Ok(self.board.play(mv)?)
    }

    /// Returns what a page needs of the position, as JSON; `settings` are those of the drawing.
    pub fn state(&self, settings: &str) -> Result<String, JsError> {
        let settings: StateSettings = serde_json::from_str(settings).map_err(thrown)?;
        let start = self.setup.board(&self.board.start())?;
        let history = self.board.history();
        let numbers = move_numbers(&self.setup, &*start, history.len());
        let mut here = start.boxed();
        let mut players = Vec::with_capacity(history.len());
        for mv in &history {
            players.push(here.turn().number());
            here.play(mv)?;
        }
        json(&PageState { state: State::new(&*self.board, &*start, &settings), numbers, players })
    }

    /// Draws the board as SVG.
    pub fn svg(&self, settings: &str) -> Result<String, JsError> {
        let settings: StateSettings = serde_json::from_str(settings).map_err(thrown)?;
        settings.draw(&*self.board).map_err(thrown)
    }

    /// Writes the game as PGN, between these players.
    pub fn pgn(&self, first: &str, second: &str, date: Option<String>) -> Result<String, JsError> {
        self.written(first, second, date)
    }

    /// Draws the board as text.
    #[wasm_bindgen(js_name = toText)]
    pub fn draw(&self) -> String {
        self.board.draw()
    }
}

impl Position {
    /// Returns the game with the annotations of its moves; `each` is called after each position that was searched.
    pub(crate) fn annotated(
        &self,
        [first, second]: [&str; 2],
        table: &Arc<Table>,
        request: &Request,
        each: &mut dyn FnMut(),
    ) -> Result<String, JsError> {
        let text = self.written(first, second, None)?;
        let game =
            pgn::games(&text, &self.setup).next().ok_or_else(|| thrown("the game has no moves"))?.map_err(thrown)?;
        let plan = Plan { here: &self.setup, table, request, skip: 0 };
        let annotated = annotate(&game, &plan, &StopFlag::new(), each)?;
        let page = PageGame { game: &game, setup: annotated.setup(), moves: &annotated.moves };
        let mut pgn = Vec::new();
        annotated.write(&mut pgn, &game).map_err(thrown)?;
        json(&AnnotatedGame { notes: notes(&page, &mut |_| {}), pgn: String::from_utf8(pgn).map_err(thrown)? })
    }

    fn written(&self, first: &str, second: &str, date: Option<String>) -> Result<String, JsError> {
        let outcome = GameOutcome::new(&*self.board);
        let game = Pgn {
            event: "?",
            site: "?",
            date,
            round: "-".into(),
            players: [first, second],
            result: outcome.as_ref().map_or("*", |outcome| outcome.pgn),
            setup: &self.setup,
            position: &self.setup.short_text(self.board.start()),
            margin: outcome.as_ref().and_then(|outcome| outcome.margin),
            termination: if outcome.is_some() { "normal" } else { "unterminated" }.into(),
            tags: Vec::new(),
            moves: self.board.history().iter().map(|mv| PgnMove::new(mv, String::new())).collect(),
        };
        String::from_utf8(game.to_bytes()).map_err(thrown)
    }
}
