//! The tables of the engine: its games with their options, and its levels.

use crate::json;
use secateurs::core::picture::Perspective;
use secateurs::core::{OptionKind, OptionRow};
use secateurs::opponent::{DEFAULT, LEVELS};
use secateurs::registry::{GAMES, STARTPOS};
use secateurs::views::players;
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
struct Game {
    name: &'static str,
    about: &'static str,
    /// The names of the two players.
    sides: [&'static str; 2],
    /// Whether its pieces may be Chinese characters.
    characters: bool,
    /// Whether exact search may find the value: no position can come back.
    solvable: bool,
    options: Vec<GameOption>,
}

#[derive(Serialize)]
struct GameOption {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    default: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[i64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<&'static [&'static str]>,
}

impl GameOption {
    fn new(row: &OptionRow) -> Self {
        let (kind, default, range, choices) = match row.kind {
            OptionKind::Check { default } => ("check", default.to_string(), None, None),
            OptionKind::Spin { default, min, max } => ("spin", default.to_string(), Some([min, max]), None),
            OptionKind::Combo { default, choices } => ("combo", default.into(), None, Some(choices)),
            OptionKind::Text { default } => ("text", default.into(), None, None),
            OptionKind::File => ("file", String::new(), None, None),
            OptionKind::Folder => ("folder", String::new(), None, None),
        };
        Self { name: row.name, help: row.help, kind, default, range, choices }
    }
}

/// Returns the games with their options; those that name a file or a folder are left out, since a page has none.
#[wasm_bindgen]
pub fn games() -> Result<String, JsError> {
    let game = |row: &'static secateurs::registry::GameRow| {
        let board = row.parse(&row.defaults(), STARTPOS)?;
        let letters = board.picture(Perspective::default());
        let is_shown = |option: &&OptionRow| !matches!(option.kind, OptionKind::File | OptionKind::Folder);
        Ok(Game {
            name: row.name,
            about: row.about,
            sides: players(&*board, &letters),
            characters: board.picture(Perspective { characters: true, ..Perspective::default() }) != letters,
            solvable: !row.is_cyclic,
            options: row.options.iter().filter(is_shown).map(GameOption::new).collect(),
        })
    };
    json(&GAMES.iter().map(game).collect::<Result<Vec<_>, secateurs::Error>>()?)
}

#[derive(Serialize)]
struct Levels {
    default: usize,
    levels: Vec<String>,
}

/// Returns the descriptions of the levels, from level 1 on, and the number of the usual one.
#[wasm_bindgen]
pub fn levels() -> Result<String, JsError> {
    json(&Levels { default: DEFAULT, levels: LEVELS.iter().map(ToString::to_string).collect() })
}

/// Returns the version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}
