//! Annotated games: for each move its score, the best move, and the loss.
//!
//! The positions of a game are searched from the last to the first: when a position is searched, the table holds what
//! came of the move that was played there.

use crate::core::score::{self, Score};
use crate::core::{Error, Report, Request, Side, StopFlag, micros};
use crate::engine::Board;
use crate::pgn::{PgnGame, PgnMove, folded, write_moves, write_tag};
use crate::registry::Setup;
use crate::search::Table;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;

/// The largest score that counts in a loss, centi-units: beyond ten pawns a game is decided. lichess.org has the same
/// limit in its average centipawn loss.
pub(crate) const DECIDED: Score = 1_000;

/// The loss from which a comment says what was better, centi-units: half a pawn.
const INACCURATE: Score = 50;

/// The words between a better move and the loss.
const BETTER: &str = "was better by";

/// The beginning of the command for a score.
const EVAL: &str = "[%eval ";

/// A move of an annotated game. Scores are for the side that moves, in centi-units; a win or loss `n` plies away is
/// ±(32,000 - n).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnnotatedMove {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The player, 1 or 2; White in chess is 1.
    pub player: u8,
    /// The move, as the protocol has it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move in standard algebraic notation, if the game has it.
    pub san: Option<String>,
    /// The score of the move: that of the position after it.
    pub score: Score,
    /// The best move.
    pub best_move: String,
    /// The best move in standard algebraic notation, if the game has it.
    pub best_san: Option<String>,
    /// The score of the best move.
    pub best_score: Score,
    /// The loss by the move, at least 0: the difference of both scores, each limited to `DECIDED`.
    pub loss: Score,
    /// The depth of the search before the move, plies.
    pub depth: u8,
    /// The nodes of this search.
    pub nodes: u64,
    /// The time of this search, microseconds.
    pub time_us: u64,
    /// The principal variation of this search.
    pub pv: Vec<String>,
}

impl AnnotatedMove {
    /// Returns the comment for Portable Game Notation: the score for the first player as a command that lichess.org and
    /// python-chess read, and what was better. It is empty for a move that wins at once.
    #[must_use]
    pub fn comment(&self) -> String {
        let score = if self.player == 1 { self.score } else { -self.score };
        // The command is about the position after the move: a mate is one ply nearer there.
        let mut comment = match score::distance(score).map(|plies| plies.abs() - 1) {
            Some(..=0) => return String::new(),
            Some(plies) => format!("{EVAL}#{},{}]", score.signum() * ((plies + 1) / 2), self.depth),
            None => format!("{EVAL}{:.2},{}]", f64::from(score) / f64::from(score::UNIT), self.depth),
        };
        if self.mv != self.best_move && self.loss >= INACCURATE {
            let best = self.best_san.as_ref().unwrap_or(&self.best_move);
            comment += &format!(" {best} {BETTER} {:.2}", f64::from(self.loss) / f64::from(score::UNIT));
        }
        comment
    }
}

/// An annotated game.
pub struct Annotated {
    setup: Setup,
    /// Its moves.
    pub moves: Vec<AnnotatedMove>,
}

/// Annotates the moves of a game, without a tag `Variant` one of the game `here`; `None` if the flag was raised before
/// the end. `each` is called after each position.
///
/// # Errors
/// Those of [`PgnGame::setup`] and [`PgnGame::board`].
pub fn annotate(
    game: &PgnGame,
    here: &Setup,
    table: &Arc<Table>,
    request: &Request,
    stop: &StopFlag,
    each: &mut dyn FnMut(),
) -> Result<Option<Annotated>, Error> {
    let setup = game.setup(here)?;
    let mut boards = vec![game.board(&setup, 0)?];
    for PgnMove { mv, .. } in &game.moves {
        let mut board = boards[boards.len() - 1].boxed();
        board.play(mv)?;
        boards.push(board);
    }
    let history = boards[boards.len() - 1].history();
    table.clear();
    let (mut moves, mut after) = (Vec::new(), None);
    for (ply, board) in boards.iter().enumerate().rev() {
        let report = board.engine(Arc::clone(table)).search(request, stop, &mut |_| {}).swap_remove(0);
        if stop.is_raised() {
            return Ok(None);
        }
        // A game that a rule has drawn may have legal moves.
        let value = board.outcome().map_or(report.score, |outcome| outcome.score());
        if let (Some(after), Some(mv)) = (after, history.get(ply)) {
            moves.push(annotated(&**board, ply, mv, after, report));
        }
        after = Some((board.turn(), value));
        each();
    }
    moves.reverse();
    Ok(Some(Annotated { setup, moves }))
}

/// Returns the annotation of a move. `after` is the side to move after it, and its value for that side.
fn annotated(board: &dyn Board, ply: usize, mv: &str, after: (Side, Score), report: Report) -> AnnotatedMove {
    let best_move = report.best().cloned().unwrap_or_else(|| mv.into());
    let (turn, value) = (after.0, score::from_node(after.1, 1));
    let score = match turn == board.turn() {
        _ if best_move == mv => report.score,
        true => value,
        false => -value,
    };
    let limited = |score: Score| score.clamp(-DECIDED, DECIDED);
    AnnotatedMove {
        ply: ply + 1,
        player: board.turn() as u8 + 1,
        san: board.san(mv),
        best_san: board.san(&best_move),
        loss: (limited(report.score) - limited(score)).max(0),
        mv: mv.into(),
        score,
        best_move,
        best_score: report.score,
        depth: report.depth,
        nodes: report.nodes,
        time_us: micros(report.time),
        pv: report.pv,
    }
}

impl Annotated {
    /// Writes the game with its own tags, comments, glyphs and variations. Comments lose what an earlier annotation has
    /// put there: the command `[%eval ...]`, and the sentence of [`AnnotatedMove::comment`].
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut impl Write, game: &PgnGame) -> io::Result<()> {
        game.tags.iter().try_for_each(|(name, value)| write_tag(out, name, value))?;
        if game.tag("Annotator").is_none() {
            write_tag(out, "Annotator", concat!("Secateurs ", env!("CARGO_PKG_VERSION")))?;
        }
        let moves = self.moves.iter().zip(&game.moves).map(|(found, written)| {
            let comment = format!("{} {}", found.comment(), without_own(&written.comment)).trim().to_owned();
            PgnMove { mv: found.mv.clone(), comment, ..written.clone() }
        });
        let moves = moves.collect::<Vec<_>>();
        write_moves(out, &self.setup, game.position(), &game.comment, &moves, game.result)
    }
}

/// Returns a comment without what [`AnnotatedMove::comment`] writes: the sentence follows its command.
fn without_own(comment: &str) -> String {
    let (mut text, mut rest) = (String::new(), comment);
    while let Some((before, (_, after))) = rest.split_once(EVAL).and_then(|(a, b)| Some((a, b.split_once(']')?))) {
        text.extend([before, " "]);
        rest = after;
        // Other commands may stand between.
        while let Some((command, after)) = rest.split_once(']').filter(|(command, _)| is_command(command)) {
            text.extend([command, "] "]);
            rest = after;
        }
        rest = without_sentence(rest);
    }
    folded(&(text + rest))
}

/// Whether a text is a command but for its bracket, and no score.
fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("[%") && !text.starts_with(EVAL)
}

/// Returns a text without the sentence `M was better by N.NN` at its beginning.
fn without_sentence(text: &str) -> &str {
    let sentence = text.trim_start().split_once(' ').and_then(|(_, rest)| rest.strip_prefix(BETTER)?.strip_prefix(' '));
    let (loss, rest) = sentence.map_or(("", ""), |rest| rest.split_at(rest.find(' ').unwrap_or(rest.len())));
    if is_loss(loss) { rest } else { text }
}

/// Returns whether a word is a number with two decimals.
fn is_loss(word: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('.')
        .is_some_and(|(whole, part)| !whole.is_empty() && digits(whole) && part.len() == 2 && digits(part))
}
