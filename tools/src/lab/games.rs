//! Games of the engine against itself in this process: balanced openings, results, adjudication. A result is that of
//! the first player: 0 for a loss, 1 for a draw, 2 for a win.

use crate::arena::openings::walk;
use clap::builder::RangedU64ValueParser;
use secateurs::core::{Error, Outcome, Report, Score, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::util::random::Random;
use serde::Serialize;

/// The number of attempts to find an opening.
const TRIES: usize = 1000;

/// The number of plies that a score must last to end a game: for a win, for a draw.
const LASTS: [usize; 2] = [4, 12];

/// The score that counts as near 0, centi-units.
const NEAR: Score = 8;

/// When a game ends before the rules end it, and the arguments for that.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, clap::Args)]
pub struct Adjudication {
    /// Score that wins a game if it lasts four plies, centi-units.
    #[arg(long, value_name = "SCORE", default_value_t = 1_200, value_parser = clap::value_parser!(Score).range(1..))]
    pub win: Score,
    /// Plies after which a game is drawn whose score has been within 8 centi-units for twelve plies.
    #[arg(long, value_name = "PLIES", default_value_t = 70)]
    pub draw_ply: usize,
    /// Plies after which every game is drawn.
    #[arg(long, value_name = "PLIES", default_value_t = 400, value_parser = RangedU64ValueParser::<usize>::new().range(16..=65_535))]
    pub longest: usize,
}

impl Adjudication {
    /// Returns the result if the scores so far, for the first player, have decided the game.
    fn result(&self, scores: &[Score]) -> Option<u8> {
        let last = |plies: usize| scores.len().checked_sub(plies).map_or(&[][..], |first| &scores[first..]);
        let [win, draw] = LASTS.map(last);
        let decided = |sign: Score| !win.is_empty() && win.iter().all(|score| sign * score >= self.win);
        if decided(1) {
            return Some(2);
        }
        if decided(-1) {
            return Some(0);
        }
        let is_level = scores.len() >= self.draw_ply && draw.iter().all(|score| score.abs() <= NEAR);
        (is_level && !draw.is_empty() || scores.len() >= self.longest).then_some(1)
    }
}

/// Plays a game to its end, by the rules or by adjudication, and calls `seen` with each position and its search before
/// the move is made. Returns the result; `None` if the flag was raised.
pub(crate) fn play(
    mut board: Box<dyn Board>,
    adjudication: &Adjudication,
    search: &dyn Fn(&dyn Board) -> Report,
    seen: &mut dyn FnMut(&dyn Board, &Report),
    stop: &StopFlag,
) -> Result<Option<u8>, Error> {
    let mut scores = Vec::new();
    loop {
        if let Some(result) = result(&*board) {
            return Ok(Some(result));
        }
        let report = search(&*board);
        if stop.is_raised() {
            return Ok(None);
        }
        let Some(best) = report.best() else { return Ok(Some(1)) };
        scores.push(if board.turn() == Side::First { report.score } else { -report.score });
        if let Some(result) = adjudication.result(&scores) {
            return Ok(Some(result));
        }
        seen(&*board, &report);
        board.play(best)?;
    }
}

fn result(board: &dyn Board) -> Option<u8> {
    board.outcome().map(|outcome| match outcome.of_first(board.turn()) {
        Outcome::Win | Outcome::Margin(1..) => 2,
        Outcome::Draw | Outcome::Margin(0) => 1,
        Outcome::Loss | Outcome::Margin(_) => 0,
    })
}

/// Returns a position for the game with this number, after `plies` random moves or one more in every other game, with a
/// score of at most `balance` for either side; `None` if the flag was raised, and [`Error::BadOptions`] if none is
/// found, with the advice to use other `--random-plies` and then `advice`.
pub(crate) fn balanced(
    setup: &Setup,
    (plies, number): (usize, u64),
    (balance, advice): (Score, &str),
    random: &mut Random,
    score: &dyn Fn(&dyn Board) -> Score,
    stop: &StopFlag,
) -> Result<Option<Box<dyn Board>>, Error> {
    let other = if plies == 0 { "more" } else { "fewer" };
    let plies = plies + usize::from(number % 2 == 1);
    for _ in 0..TRIES {
        let Some(board) = walk(setup, plies, random)? else { continue };
        let score = score(&*board);
        if stop.is_raised() {
            return Ok(None);
        }
        if score.abs() <= balance {
            return Ok(Some(board));
        }
    }
    Err(Error::BadOptions(format!(
        "no position after {plies} random plies has a score within {balance} centi-units: \
         use {other} --random-plies{advice}"
    )))
}
