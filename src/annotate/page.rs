//! Annotated games as one self-contained page: the board, the moves with their glyphs, the graph of winning chances.

use super::graph::graph;
use super::pgn::own_words;
use super::{AnnotatedMove, Summary, summaries};
use crate::core::picture::Perspective;
use crate::core::{Score, score};
use crate::engine::Board;
use crate::pgn::{MoveNumbers, PgnGame, colours};
use crate::registry::Setup;
use crate::views::parts::filled;
use crate::views::theme::Theme;
use crate::views::{Frames, document};
use serde::Serialize;
use std::io::{self, Write};

/// The page. Its script draws the positions and marks the place in the graph.
const PAGE: &str = include_str!("page.html");

/// A game of the page.
#[derive(Clone, Copy)]
pub struct PageGame<'a> {
    /// The game as it was read.
    pub game: &'a PgnGame,
    /// The game and its options.
    pub setup: &'a Setup,
    /// The annotated moves.
    pub moves: &'a [AnnotatedMove],
}

#[derive(Serialize)]
struct Data<F> {
    games: Vec<GameData>,
    frames: F,
}

/// An annotated game in words and with its graph.
#[derive(Serialize)]
pub struct Notes {
    title: String,
    /// The players with their summaries, the first player's first.
    players: [PlayerData; 2],
    moves: Vec<MoveData>,
    /// The graph of the winning chances, as SVG.
    graph: String,
}

#[derive(Serialize)]
struct GameData {
    #[serde(flatten)]
    notes: Notes,
    /// The position before the first move, as numbers of shapes.
    start: Vec<usize>,
    /// For each move, the numbers of the shapes that go, and of those that come.
    changes: Vec<[Vec<usize>; 2]>,
}

#[derive(Serialize)]
struct PlayerData {
    name: String,
    #[serde(flatten)]
    summary: Summary,
}

#[derive(Serialize)]
struct MoveData {
    /// The number before the move, if there is one.
    number: String,
    mv: String,
    glyph: &'static str,
    assessment: &'static str,
    /// The score for the first player; empty for a move that is not annotated.
    score: String,
    /// What was better, with the best line.
    better: String,
    comment: String,
}

/// Writes the page.
///
/// # Errors
/// Those of the writer.
pub fn write(games: &[PageGame<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut frames = Frames::default();
    let games = games.iter().map(|game| data(game, &mut frames)).collect();
    filled(PAGE, &Data { games, frames: frames.data() }, out)
}

fn data(game: &PageGame<'_>, frames: &mut Frames) -> GameData {
    let mut positions = Vec::new();
    let notes = notes(game, &mut |board| positions.push(frames.add(&board.picture(Perspective::default()))));
    let changes = positions.windows(2).map(|pair| Frames::change(&pair[0], &pair[1])).collect();
    GameData { notes, changes, start: positions.into_iter().next().unwrap_or_default() }
}

fn tag<'a>(game: &'a PgnGame, name: &str) -> Option<&'a str> {
    game.tag(name).filter(|value| !value.is_empty() && *value != "?")
}

/// Returns the names of the players, or else their colours.
fn names<'a>(game: &'a PgnGame, setup: &Setup) -> [&'a str; 2] {
    colours(setup).map(|colour| tag(game, colour).unwrap_or(colour))
}

/// Describes a game in a line: the players, the result, the event and the date.
#[must_use]
pub fn title(game: &PgnGame, setup: &Setup) -> String {
    let [first, second] = names(game, setup);
    let event = [tag(game, "Event"), tag(game, "Date").filter(|date| !date.starts_with('?'))].into_iter().flatten();
    let event = event.map(|text| format!(", {text}")).collect::<String>();
    format!("{first} – {second} {}{event}", game.result)
}

/// Describes an annotated game. `each` is called with its positions.
pub fn notes(&PageGame { game, setup, moves }: &PageGame<'_>, each: &mut dyn FnMut(&dyn Board)) -> Notes {
    let [first, second] = summaries(moves);
    let [one, two] = names(game, setup).map(str::to_owned);
    let mut notes = Notes {
        title: title(game, setup),
        players: [PlayerData { name: one, summary: first }, PlayerData { name: two, summary: second }],
        moves: Vec::new(),
        graph: document::picture(&graph(moves), Theme::Auto, "winning chances"),
    };
    let Ok(mut board) = setup.board(game.position()) else { return notes };
    let numbers = MoveNumbers::new(setup, Some(&*board), game.position());
    let skipped = game.moves.len() - moves.len();
    each(&*board);
    for (ply, written) in game.moves.iter().enumerate() {
        let annotated = ply.checked_sub(skipped).and_then(|at| moves.get(at));
        let mv = board.readable(&annotated.map_or(&written.mv, |found| &found.mv).clone());
        let better = annotated.map_or_else(String::new, |found| better(found, &*board));
        if board.play(&written.mv).is_err() {
            break;
        }
        each(&*board);
        let assessment = annotated.and_then(|found| found.assessment);
        notes.moves.push(MoveData {
            number: numbers.before(ply, false).unwrap_or_default(),
            mv,
            glyph: assessment.map_or("", super::Assessment::glyph),
            assessment: assessment.map_or("", super::Assessment::word),
            score: annotated.map_or_else(String::new, |found| score_text(found.player, found.score)),
            better,
            comment: own_words(written),
        });
    }
    notes
}

/// Returns the best line in place of a move that loses something.
fn better(found: &AnnotatedMove, board: &dyn Board) -> String {
    if found.loss == 0 || found.mv == found.best_move {
        return String::new();
    }
    let line = board.readable_line(&found.pv[..found.pv.len().min(8)]).join(" ");
    format!("{}: {line}", score_text(found.player, found.best_score))
}

/// Returns a score for the first player.
fn score_text(player: u8, value: Score) -> String {
    let value = if player == 1 { value } else { -value };
    match score::distance(value) {
        Some(plies) => format!("{}#{}", if value < 0 { "-" } else { "" }, (plies.abs() + 1) / 2),
        None => format!("{:+.2}", f64::from(value) / f64::from(score::UNIT)),
    }
}
