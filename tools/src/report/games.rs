//! The games as data of the page: moves, scores, times, the shapes of the positions, and each position by its
//! difference from the one before.

use crate::arena::record::{GameRecord, MoveRecord};
use secateurs::core::Side;
use secateurs::core::picture::Perspective;
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::views::Frames;
use serde::Serialize;
use std::io::{self, Write};

/// A game of the page. Every list has an item for each move; `scores`, `times` and `depths` omit the opening.
#[derive(Serialize)]
struct Game {
    /// The position at the start of the opening, as numbers of shapes.
    start: Vec<usize>,
    opening: usize,
    moves: Vec<String>,
    /// The numbers of the shapes that go at each move, and of those that come.
    changes: Vec<[Vec<usize>; 2]>,
    /// The mover of each move, `1` or `2`.
    turns: String,
    /// Separated by commas, for the mover.
    scores: String,
    /// In milliseconds.
    times: Vec<f64>,
    depths: Vec<u32>,
    /// A last move that was illegal or late, with its time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<(String, f64)>,
}

#[derive(Serialize)]
struct Head<'a> {
    game: &'a str,
    sides: [&'a str; 2],
}

/// Writes a JSON object on the first line, the shapes on the last, and a game on each of the others.
pub(crate) fn write(setup: &Setup, records: &[&GameRecord], out: &mut dyn Write) -> io::Result<()> {
    let sides = setup.board("startpos").map_or(["first", "second"], |board| board.sides());
    line(&Head { game: setup.row().name, sides }, out)?;
    let mut frames = Frames::default();
    records.iter().try_for_each(|record| line(&game(setup, record, &mut frames), out))?;
    line(&frames.data(), out)
}

/// Writes a line of JSON without `<`: it must not contain the end tag of its element.
fn line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(value)?.replace('<', "\\u003c"))
}

fn game(setup: &Setup, record: &GameRecord, frames: &mut Frames) -> Game {
    let (opening, played) = (&record.opening.moves, record.played());
    let mut game = Game {
        start: Vec::new(),
        opening: opening.len(),
        moves: Vec::new(),
        changes: Vec::new(),
        turns: String::new(),
        scores: played.iter().map(|mv| &*mv.score).collect::<Vec<_>>().join(","),
        times: played.iter().map(milliseconds).collect(),
        depths: played.iter().map(|mv| mv.depth).collect(),
        rejected: record.moves.get(played.len()).map(|mv| (mv.mv.clone(), milliseconds(mv))),
    };
    // The record was checked by the rules, and so were the games of a match.
    let Ok(mut board) = setup.board(&record.opening.position) else { return game };
    let mut before = frames.add(&board.picture(Perspective::default()));
    game.start.clone_from(&before);
    for mv in opening.iter().chain(played.iter().map(|mv| &mv.mv)) {
        let (text, turn) = (named(&*board, mv), board.turn());
        if board.play(mv).is_err() {
            break;
        }
        let after = frames.add(&board.picture(Perspective::default()));
        game.moves.push(text);
        game.turns.push(if turn == Side::First { '1' } else { '2' });
        game.changes.push(Frames::change(&before, &after));
        before = after;
    }
    game
}

/// Returns the moves of an opening in the notation that players read.
pub(crate) fn opening(setup: &Setup, record: &GameRecord) -> Vec<String> {
    let Ok(mut board) = setup.board(&record.opening.position) else { return record.opening.moves.clone() };
    let shown = record.opening.moves.iter().map(|mv| {
        let text = named(&*board, mv);
        let _ = board.play(mv);
        text
    });
    shown.collect()
}

fn named(board: &dyn Board, mv: &str) -> String {
    board.san(mv).unwrap_or_else(|| mv.to_owned())
}

fn milliseconds(mv: &MoveRecord) -> f64 {
    (mv.micros as f64 / 100.0).round() / 10.0
}
