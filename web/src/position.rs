//! [`Position`]: a board with the moves that led to it.

use crate::{json, thrown};
use secateurs::Setup;
use secateurs::core::picture::Perspective;
use secateurs::core::{Outcome, Picture, Side};
use secateurs::engine::Board;
use secateurs::pgn::{self, Pgn, PgnMove};
use secateurs::registry::STARTPOS;
use secateurs::views::theme::Theme;
use secateurs::views::{Drawing, svg};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// A position of a game, with the moves that led to it.
#[wasm_bindgen]
pub struct Position {
    setup: Setup,
    pub(crate) board: Box<dyn Board>,
}

#[derive(Serialize)]
struct State {
    game: &'static str,
    /// The options that are not at their defaults.
    options: BTreeMap<&'static str, String>,
    text: String,
    /// The position that was set up, before the moves.
    start: String,
    /// The side to move: 1 or 2.
    turn: u8,
    /// The names of the two players.
    sides: [&'static str; 2],
    /// The moves played, and in the form that people read.
    history: Vec<String>,
    san: Vec<String>,
    /// The special effect of the last move, worded to follow a comma.
    remark: Option<String>,
    moves: Vec<LegalMove>,
    outcome: Option<GameOutcome>,
    /// The text under the drawing: the side to move, or the result.
    status: String,
    board: BoardMap,
}

#[derive(Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    mv: String,
    san: String,
    /// The numbers of the spots of the board that show the move, in its order.
    spots: Vec<usize>,
}

#[derive(Serialize)]
struct GameOutcome {
    /// The result of player 1: `win`, `draw` or `loss`.
    result: &'static str,
    /// The lead of player 1, in games of margins.
    margin: Option<i16>,
    /// The result as PGN writes it.
    pgn: &'static str,
}

/// The places of the drawing, in its own pixels.
#[derive(Serialize)]
struct BoardMap {
    width: f64,
    height: f64,
    /// Whether the spots of a move form a path.
    way: bool,
    spots: Vec<Spot>,
    /// The spots of the last move.
    last: Vec<usize>,
}

#[derive(Serialize)]
struct Spot {
    name: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    round: f64,
}

/// The settings of a drawing, as the page gives them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    theme: String,
    /// The player below: 1, 2, or 0 for the usual view.
    below: u8,
    coordinates: bool,
    characters: bool,
    best: Option<String>,
    last: bool,
    size: Option<u32>,
    arrows: Vec<(String, Option<String>)>,
    fill: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: "auto".into(),
            below: 0,
            coordinates: true,
            characters: false,
            best: None,
            last: true,
            size: None,
            arrows: Vec::new(),
            fill: Vec::new(),
        }
    }
}

impl Settings {
    fn perspective(&self) -> Perspective {
        let below = match self.below {
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        };
        Perspective { below, coordinates: self.coordinates, characters: self.characters }
    }
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

    /// Reads the first game of a PGN file, of the game `game` if its tags name none, and returns the position at its end.
    #[wasm_bindgen(js_name = fromPgn)]
    pub fn from_pgn(game: &str, text: &str) -> Result<Position, JsError> {
        let here = Setup::named(game)?;
        let first = pgn::games(text, &here).next().ok_or_else(|| thrown("the text has no game"))?.map_err(thrown)?;
        let setup = first.setup(&here)?;
        let board = first.board(&setup, first.moves.len())?;
        Ok(Self { setup, board })
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
        let settings: Settings = serde_json::from_str(settings).map_err(thrown)?;
        let picture = self.board.picture(settings.perspective());
        let changed = self.setup.options().changed();
        let start = self.board.start();
        let history = self.board.history();
        let san = self.setup.board(&start)?.readable_line(&history);
        let outcome = self.board.outcome().map(|outcome| self.outcome(outcome));
        let moves = if outcome.is_some() { Vec::new() } else { self.moves(&picture) };
        let board = &self.board;
        json(&State {
            game: self.setup.row().name,
            options: changed.map(|(row, value)| (row.name, value.to_string())).collect(),
            text: board.text(),
            start,
            turn: if board.turn() == Side::First { 1 } else { 2 },
            sides: picture.players.unwrap_or_else(|| board.sides()),
            history,
            san,
            remark: board.remark(),
            moves,
            outcome,
            status: secateurs::views::caption(&**board, &picture),
            board: BoardMap::new(&picture),
        })
    }

    /// Draws the board as SVG.
    pub fn svg(&self, settings: &str) -> Result<String, JsError> {
        let settings: Settings = serde_json::from_str(settings).map_err(thrown)?;
        let drawing = Drawing {
            theme: settings.theme.parse::<Theme>().unwrap_or_default(),
            perspective: settings.perspective(),
            size: settings.size,
            best: settings.best,
            last: if settings.last { secateurs::views::LastMove::Played } else { secateurs::views::LastMove::Hidden },
            bare: true,
            fill: settings.fill,
            squares: Vec::new(),
            arrows: settings.arrows,
            values: Vec::new(),
        };
        svg(&*self.board, &drawing).map_err(thrown)
    }

    /// Writes the game as PGN, between these players.
    pub fn pgn(&self, first: &str, second: &str, date: Option<String>) -> Result<String, JsError> {
        let outcome = self.board.outcome().map(|outcome| self.outcome(outcome));
        let start = self.board.start();
        let is_usual = self.setup.board(STARTPOS)?.text() == start;
        let game = Pgn {
            event: "?",
            site: "?",
            date,
            round: "-".into(),
            players: [first, second],
            result: outcome.as_ref().map_or("*", |outcome| outcome.pgn),
            setup: &self.setup,
            position: if is_usual { STARTPOS } else { &start },
            margin: outcome.as_ref().and_then(|outcome| outcome.margin),
            termination: if outcome.is_some() { "normal" } else { "unterminated" }.into(),
            tags: Vec::new(),
            moves: self.board.history().iter().map(|mv| PgnMove::new(mv, String::new())).collect(),
        };
        let mut text = Vec::new();
        game.write(&mut text).map_err(thrown)?;
        String::from_utf8(text).map_err(thrown)
    }

    /// Draws the board as text.
    #[wasm_bindgen(js_name = toText)]
    pub fn draw(&self) -> String {
        self.board.draw()
    }
}

impl Position {
    fn moves(&self, picture: &Picture) -> Vec<LegalMove> {
        let legal = self.board.moves().into_iter();
        legal.map(|mv| LegalMove { san: self.board.readable(&mv), spots: self.board.spots(picture, &mv), mv }).collect()
    }

    fn outcome(&self, outcome: Outcome) -> GameOutcome {
        let (result, pgn, margin) = match outcome.of_first(self.board.turn()) {
            Outcome::Win => ("win", "1-0", None),
            Outcome::Loss => ("loss", "0-1", None),
            Outcome::Draw => ("draw", "1/2-1/2", None),
            Outcome::Margin(lead) => match lead {
                1.. => ("win", "1-0", Some(lead)),
                0 => ("draw", "1/2-1/2", Some(lead)),
                _ => ("loss", "0-1", Some(lead)),
            },
        };
        GameOutcome { result, margin, pgn }
    }
}

impl BoardMap {
    fn new(picture: &Picture) -> Self {
        let spot = |spot: &secateurs::core::picture::Spot| Spot {
            name: spot.name.clone(),
            x: spot.area.x,
            y: spot.area.y,
            width: spot.area.width,
            height: spot.area.height,
            round: spot.area.round,
        };
        Self {
            width: picture.width,
            height: picture.height,
            way: picture.is_way,
            spots: picture.spots.iter().map(spot).collect(),
            last: picture.last.clone(),
        }
    }
}
