//! What a page needs of a position, and the settings of its drawing.

use super::theme::Theme;
use super::{Drawing, LastMove, caption, players, svg};
use crate::core::picture::{Perspective, Picture};
use crate::core::{Outcome, Side};
use crate::engine::Board;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position for a page: `web/ts/types.ts` has the same type.
#[derive(Serialize)]
pub struct State {
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
    /// The places of the drawing, in its own pixels.
    board: Picture,
}

#[derive(Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    mv: String,
    san: String,
    /// The numbers of the spots of the board that show the move, in its order.
    spots: Vec<usize>,
}

/// The result of a game.
#[derive(Serialize)]
pub struct GameOutcome {
    /// The result of player 1: `win`, `draw` or `loss`.
    result: &'static str,
    /// The lead of player 1, in games of margins.
    pub margin: Option<i16>,
    /// The result as PGN writes it.
    pub pgn: &'static str,
}

/// The settings of a drawing, as a page gives them.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StateSettings {
    /// `auto`, `light` or `dark`.
    pub theme: String,
    /// The player below: 1, 2, or 0 for the usual view.
    below: u8,
    coordinates: bool,
    characters: bool,
    /// A legal move, marked by an arrow or a ring.
    pub best: Option<String>,
    last: bool,
    size: Option<u32>,
    arrows: Vec<(String, Option<String>)>,
    fill: Vec<(String, String)>,
}

impl Default for StateSettings {
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

impl StateSettings {
    fn perspective(&self) -> Perspective {
        let below = match self.below {
            1 => Some(Side::First),
            2 => Some(Side::Second),
            _ => None,
        };
        Perspective { below, coordinates: self.coordinates, characters: self.characters }
    }

    /// Draws a board as SVG, without a text below it.
    ///
    /// # Errors
    /// Those of [`svg`](fn@svg).
    pub fn draw(self, board: &dyn Board) -> Result<String, String> {
        let drawing = Drawing {
            theme: self.theme.parse::<Theme>().unwrap_or_default(),
            perspective: self.perspective(),
            size: self.size,
            best: self.best,
            last: if self.last { LastMove::Played } else { LastMove::Hidden },
            bare: true,
            fill: self.fill,
            squares: Vec::new(),
            arrows: self.arrows,
            values: Vec::new(),
        };
        svg(board, &drawing)
    }
}

impl State {
    /// Describes a board whose moves began at `start`, with the places of a drawing of these settings.
    #[must_use]
    pub fn new(board: &dyn Board, start: &dyn Board, settings: &StateSettings) -> Self {
        let picture = board.picture(settings.perspective());
        let history = board.history();
        let outcome = GameOutcome::new(board);
        Self {
            game: board.game(),
            options: board.options().changed().map(|(row, value)| (row.name, value.to_string())).collect(),
            text: board.text(),
            start: board.start(),
            turn: board.turn().number(),
            sides: players(board, &picture),
            san: start.readable_line(&history),
            history,
            remark: board.remark(),
            moves: if outcome.is_some() { Vec::new() } else { legal_moves(board, &picture) },
            outcome,
            status: caption(board, &picture),
            board: picture,
        }
    }
}

fn legal_moves(board: &dyn Board, picture: &Picture) -> Vec<LegalMove> {
    let legal = board.moves().into_iter();
    legal.map(|mv| LegalMove { san: board.readable(&mv), spots: board.spots(picture, &mv), mv }).collect()
}

impl GameOutcome {
    /// Returns the result of the game on this board; `None` if it goes on.
    #[must_use]
    pub fn new(board: &dyn Board) -> Option<Self> {
        let (result, pgn, margin) = match board.outcome()?.of_first(board.turn()) {
            Outcome::Win => ("win", "1-0", None),
            Outcome::Loss => ("loss", "0-1", None),
            Outcome::Draw => ("draw", "1/2-1/2", None),
            Outcome::Margin(lead) => match lead {
                1.. => ("win", "1-0", Some(lead)),
                0 => ("draw", "1/2-1/2", Some(lead)),
                _ => ("loss", "0-1", Some(lead)),
            },
        };
        Some(Self { result, margin, pgn })
    }
}
