//! Writes games in Portable Game Notation.

use super::cursor::folded;
use super::words::token;
use super::{GAME_TYPE, IS_CHESS960, OPTIONS, PgnMove, VARIANT, colours, game_type, known_result, result, variant};
use crate::core::notation::{quoted, string};
use crate::core::{OptionKind, OptionRow};
use crate::engine::Board;
use crate::registry::{STARTPOS, Setup};
use std::io::{self, Write};

/// The maximum length of a line in PGN (export format, 8.2.1).
const WIDTH: usize = 79;

/// A game to be written; [`colours`] has the colour of p1.
#[derive(Clone, Debug)]
pub struct Pgn<'a> {
    /// The event.
    pub event: &'a str,
    /// The site, or `?`.
    pub site: &'a str,
    /// The date of the game, `YYYY.MM.DD`, if it is known.
    pub date: Option<String>,
    /// The round, from 1, or `-`.
    pub round: String,
    /// The names of p1 and p2.
    pub players: [&'a str; 2],
    /// `1-0` for a win of p1, `0-1`, `1/2-1/2`, or `*` for an unfinished game.
    pub result: &'a str,
    /// The game: its name and non-default options become the tags `Variant` and `Options`.
    pub setup: &'a Setup,
    /// The initial position, which becomes the tag `FEN` unless it is the starting position.
    pub position: &'a str,
    /// The final margin for p1, in units.
    pub margin: Option<i16>,
    /// The reason for the end.
    pub termination: String,
    /// Further tags, as name and value.
    pub tags: Vec<(&'static str, String)>,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

impl Pgn<'_> {
    /// Writes the game and a blank line.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (colours, result) = (colours(self.setup), result(self.setup, self.result));
        let mut tag = |name: &str, value: &str| write_tag(out, name, value);
        tag("Event", self.event)?;
        tag("Site", self.site)?;
        tag("Date", self.date.as_deref().unwrap_or("????.??.??"))?;
        tag("Round", &self.round)?;
        for name in ["White", "Black"] {
            tag(name, self.players[usize::from(colours[0] != name)])?;
        }
        tag("Result", result)?;
        tag(VARIANT, variant(self.setup))?;
        if let Some(game_type) = game_type(self.setup.row().name) {
            tag(GAME_TYPE, game_type)?;
        }
        if let Some(options) = options(self.setup) {
            tag(OPTIONS, &options)?;
        }
        if self.position != STARTPOS {
            tag("SetUp", "1")?;
            tag("FEN", self.position)?;
        }
        tag("PlyCount", &self.moves.len().to_string())?;
        if let Some(margin) = self.margin {
            tag("Margin", &margin.to_string())?;
        }
        tag("Termination", &self.termination)?;
        self.tags.iter().try_for_each(|(name, value)| tag(name, value))?;
        write_moves(out, self.setup, self.position, "", &self.moves, result)
    }

    /// Returns the game as [written](Self::write): text in UTF-8.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write(&mut bytes);
        bytes
    }
}

/// Returns the tag `Options` of a game: what is not the default of its tag `Variant`. A file is a matter of the
/// players.
pub(crate) fn options(setup: &Setup) -> Option<String> {
    let is_of_game =
        |row: &OptionRow| row.name != IS_CHESS960 && !matches!(row.kind, OptionKind::File | OptionKind::Folder);
    let changed = setup.options().changed().filter(|(row, _)| is_of_game(row));
    let options: Vec<_> = changed.map(|(row, value)| format!("{}={value}", row.name)).collect();
    (!options.is_empty()).then(|| options.join(" "))
}

/// Writes a tag. Control characters become blanks, and a `Result` that PGN does not have becomes `*`.
///
/// # Errors
/// Those of the writer.
pub fn write_tag(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    let value = if name.eq_ignore_ascii_case("Result") { known_result(value) } else { value };
    writeln!(out, "[{name} {}]", string(&value.replace(char::is_control, " ")))
}

/// Writes the part after the tags, between blank lines: a comment, which may be empty, the moves from a position, and
/// the result, or `*` for one that PGN does not have. Control characters become blanks.
///
/// # Errors
/// Those of the writer.
pub fn write_moves(
    out: &mut impl Write,
    setup: &Setup,
    position: &str,
    comment: &str,
    moves: &[PgnMove],
    result: &str,
) -> io::Result<()> {
    writeln!(out)?;
    let mut line = WrappedLine { out, length: 0 };
    line.comment(&plain(comment))?;
    let mut board = setup.board(position).ok();
    let numbers = MoveNumbers::new(setup, board.as_deref(), position);
    let mut is_interrupted = true;
    for (ply, played) in moves.iter().enumerate() {
        numbers.before(ply, is_interrupted).map_or(Ok(()), |number| line.word(&number))?;
        let san = board.as_ref().and_then(|board| board.san(&played.mv));
        line.word(&token(san.as_ref().unwrap_or(&played.mv)))?;
        board = board.and_then(|mut board| board.play(&played.mv).is_ok().then_some(board));
        played.nags.iter().try_for_each(|nag| line.word(&format!("${nag}")))?;
        let comment = plain(&played.comment);
        line.comment(&comment)?;
        played.variations.iter().try_for_each(|variation| line.words(&format!("({variation})"), true))?;
        is_interrupted = !comment.is_empty() || !played.variations.is_empty();
    }
    line.word(known_result(result))?;
    writeln!(out, "\n")
}

/// The numbers before the moves of a game: of each pair of moves, or of each move where the turns do not alternate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveNumbers {
    /// The plies before the game; `None` where the turns do not alternate. PDN pairs the moves from the first one.
    first: Option<usize>,
    /// Whether an interrupted pair has its number again, as in PGN. Some readers of PDN take it for a part of a move.
    repeats: bool,
}

impl MoveNumbers {
    /// Returns the numbers of a game from a position.
    pub(crate) fn new(setup: &Setup, board: Option<&dyn Board>, position: &str) -> Self {
        let is_pdn = game_type(setup.row().name).is_some();
        let before = || if is_pdn { 0 } else { board.map_or(0, |board| plies_before(board, position)) };
        Self { first: setup.row().alternates.then(before), repeats: !is_pdn }
    }

    /// Returns the number before the move at a ply of the game, from 0; `None` for the second move of a pair, unless
    /// something else stands between.
    pub(crate) fn before(self, ply: usize, is_interrupted: bool) -> Option<String> {
        let Some(first) = self.first else { return Some(format!("{}.", ply + 1)) };
        let is_needed = is_interrupted && (self.repeats || ply == 0);
        let ply = first + ply;
        let dots = if ply.is_multiple_of(2) { "." } else { "..." };
        (dots == "." || is_needed).then(|| format!("{}{dots}", ply / 2 + 1))
    }
}

/// Returns the numbers before the moves of a game from a board, and none before the second move of a pair.
#[must_use]
pub fn move_numbers(setup: &Setup, board: &dyn Board, moves: usize) -> Vec<Option<String>> {
    let numbers = MoveNumbers::new(setup, Some(board), &board.text());
    (0..moves).map(|ply| numbers.before(ply, ply == 0)).collect()
}

/// Returns a line of play from a board with the numbers of its moves, as python-chess writes them: `2. e4 Nc6 3. d4`,
/// `2...Nc6 3. d4`.
#[must_use]
pub fn numbered_line(setup: &Setup, board: &dyn Board, line: &[String]) -> String {
    variation(board, MoveNumbers::new(setup, Some(board), &board.text()), 0, line).replacen("... ", "...", 1)
}

/// Returns a line of play as a variation at a ply of the game: `2. e4 Nc6 3. d4`.
pub(crate) fn variation(board: &dyn Board, numbers: MoveNumbers, ply: usize, line: &[String]) -> String {
    let mut words = Vec::with_capacity(2 * line.len());
    for (index, mv) in board.readable_line(line).into_iter().enumerate() {
        words.extend(numbers.before(ply + index, index == 0));
        words.push(token(&mv).into_owned());
    }
    words.join(" ")
}

/// Returns a comment without control characters, and without the brace that would end it: comments do not nest.
fn plain(comment: &str) -> String {
    folded(&comment.replace('}', ")").replace(char::is_control, " "))
}

/// Returns the number of plies before a position: two for each full move that the last field of a FEN of six fields
/// counts, and one for a move of the first player.
fn plies_before(board: &dyn Board, position: &str) -> usize {
    let fields: Vec<_> = position.split_whitespace().collect();
    // A FEN of draughts may have blanks too.
    let is_fen = fields.first().is_some_and(|board| board.contains('/'));
    let full_moves = fields.get(5).filter(|_| is_fen).and_then(|number| number.parse().ok()).unwrap_or(1_usize);
    full_moves.saturating_sub(1).saturating_mul(2).saturating_add(board.turn().index())
}

/// Returns the comment on a move: score/depth, seconds. An empty score is left out.
#[must_use]
pub fn comment(score: &str, depth: u32, seconds: f64) -> String {
    if score.is_empty() { format!("{seconds:.3}s") } else { format!("{score}/{depth} {seconds:.3}s") }
}

/// Iterates over the words of a text. A command such as `[%eval 0.17,12]` is one word, since not every program reads one
/// with a line end in it, and so is a move in quotation marks if the text has moves.
fn words(text: &str, has_moves: bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        let (mut is_command, mut quoted_to) = (false, 0);
        let end = rest.char_indices().find(|&(at, c)| {
            is_command = c != ']' && (is_command || rest[at..].starts_with("[%") && rest[at..].contains(']'));
            if has_moves && c == '"' && at >= quoted_to {
                quoted_to = at + quoted(&rest[at..]).map_or(0, |(_, length)| length);
            }
            c == ' ' && !is_command && at >= quoted_to
        });
        let (word, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// Writes words separated by single spaces, in lines of at most `WIDTH` characters.
struct WrappedLine<'a, W> {
    out: &'a mut W,
    length: usize,
}

impl<W: Write> WrappedLine<'_, W> {
    /// Writes a comment in braces unless it is empty.
    fn comment(&mut self, comment: &str) -> io::Result<()> {
        if comment.is_empty() { Ok(()) } else { self.words(&format!("{{{comment}}}"), false) }
    }

    fn words(&mut self, text: &str, has_moves: bool) -> io::Result<()> {
        // An escape sequence would change what a terminal shows.
        words(&text.replace(char::is_control, " "), has_moves).try_for_each(|word| self.word(word))
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        if self.length > 0 {
            // A line that begins with a percent sign is escaped: readers leave it out (6). One that begins with the tag
            // `Event` is taken for the beginning of a game.
            let fits = self.length + 1 + word.len() <= WIDTH || word.starts_with('%') || word == "[Event";
            self.out.write_all(if fits { b" " } else { b"\n" })?;
            self.length = if fits { self.length + 1 } else { 0 };
        }
        self.length += word.len();
        self.out.write_all(word.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_one_word() {
        let of = |text| words(text, false).collect::<Vec<_>>();
        assert_eq!(
            of("{a [%eval 0.59,9][%clk 0:01]  b [x y] [%z q}"),
            ["{a", "[%eval 0.59,9][%clk 0:01]", "b", "[x", "y]", "[%z", "q}"]
        );
        assert_eq!(of("([%a b] é [%c d]) "), ["([%a b]", "é", "[%c d])"]);
        assert!(of("").is_empty());
        assert_eq!(
            words(r#"(2. "a \" b" 3. "c)" d")"#, true).collect::<Vec<_>>(),
            ["(2.", r#""a \" b""#, "3.", r#""c)""#, r#"d")"#]
        );
    }
}
