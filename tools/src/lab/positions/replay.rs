//! The positions of recorded games to learn from: those whose best move is quiet, with the side to move not in check.

use super::file::{self, RecordedGame, UNSCORED};
use super::targets::Recorded;
use secateurs::core::{Error, Score, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::{STARTPOS, Setup};
use std::path::{Path, PathBuf};

/// The score above which a position is too lopsided to learn from, centi-units.
const LOPSIDED: Score = 3_000;

/// A position of a recorded game.
pub struct Labelled<'a> {
    /// The position, without repetitions: its board has the moves since the opening.
    pub board: &'a dyn Board,
    /// What the game says of it. Games are numbered as they are replayed.
    pub recorded: Recorded,
    /// The key of the opening: games from it are not independent.
    pub opening: u64,
}

/// Replays the games of files, and calls `seen` with each position to learn from, in order; ends early if the flag is
/// raised.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file that holds no games of this game and its options, or an impossible
/// one.
pub(crate) fn replay(
    setup: &Setup,
    paths: &[PathBuf],
    stop: &StopFlag,
    seen: &mut dyn FnMut(Labelled<'_>),
) -> Result<(), Error> {
    let mut number = 0;
    for path in paths {
        let games = file::read(path, setup)?;
        if games.is_empty() {
            return Err(Error::bad_file(path, "holds no games"));
        }
        for (index, game) in games.iter().enumerate() {
            if stop.is_raised() {
                return Ok(());
            }
            replay_game(setup, game, number, seen).ok_or_else(|| impossible(path, index, setup))?;
            number += 1;
        }
    }
    Ok(())
}

/// The error for a game that cannot be replayed.
pub(super) fn impossible(path: &Path, index: usize, setup: &Setup) -> Error {
    Error::bad_file(path, format!("has a game, number {}, that cannot be replayed in {}", index + 1, setup.row().name))
}

/// Returns the number of a legal move in a file: its code, or its place where codes differ from one process to the
/// next.
pub(super) fn number_of(setup: &Setup, board: &dyn Board, mv: &str) -> Option<u16> {
    if setup.own_start().is_none() {
        return board.codes_of(&[mv.to_owned()]).into_iter().flatten().next();
    }
    board.moves().iter().position(|legal| legal == mv)?.try_into().ok()
}

/// Returns the code of the move with this number; `None` if it is none of the legal ones.
fn code_of(setup: &Setup, board: &dyn Board, number: u16) -> Option<u16> {
    if setup.own_start().is_none() { Some(number) } else { board.codes().get(usize::from(number)).copied() }
}

/// Replays the game of this number; `None` if it has an unreadable position or an illegal move.
pub(super) fn replay_game(
    setup: &Setup,
    game: &RecordedGame,
    number: u32,
    seen: &mut dyn FnMut(Labelled<'_>),
) -> Option<()> {
    let mut board = setup.board(if game.start.is_empty() { STARTPOS } else { &game.start }).ok()?;
    let mut opening = board.key();
    for &(mv, score) in &game.plies {
        let code = code_of(setup, &*board, mv)?;
        let is_opening = score == UNSCORED;
        if !is_opening && Score::from(score).abs() < LOPSIDED && board.is_quiet(code) {
            let turn = board.turn();
            let result = if turn == Side::First { game.result } else { 2 - game.result };
            seen(Labelled { board: &*board, recorded: Recorded { game: number, turn, result, score }, opening });
        }
        if !board.play_code(code) {
            return None;
        }
        if is_opening {
            opening = board.key();
        }
    }
    Some(())
}
