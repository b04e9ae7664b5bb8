//! Games of the engine against itself, for their positions.

use super::file::{self, RecordedGame, UNSCORED};
use super::replay::{impossible, number_of, replay_game};
use crate::lab::games::{self, Adjudication, balanced};
use secateurs::core::{Error, Limits, Report, Request, Score, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::search::Table;
use secateurs::store::records::Records;
use secateurs::util::random::{GOLDEN, Random, mixed};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// The table size of the searches, in MiB.
const HASH: usize = 4;

/// The parameters of the games, and the arguments for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, clap::Args)]
pub struct GamesPlan {
    /// Node limit of each search.
    #[arg(short, long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Random plies before each game; every second game has one more.
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    pub random_plies: usize,
    /// Reject openings with a score above this, centi-units.
    #[arg(long, value_name = "SCORE", default_value_t = 400, value_parser = clap::value_parser!(Score).range(0..))]
    pub balance: Score,
    /// When a game ends before the rules end it.
    #[command(flatten)]
    pub adjudication: Adjudication,
    /// Seed of the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The counts of the games so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamesCount {
    /// The games.
    pub games: u64,
    /// The positions recorded.
    pub positions: u64,
    /// The games by result: wins of the first player, draws, losses.
    pub results: [u64; 3],
}

/// Games of a plan, each of which depends on its number alone, so that any process can play any of them.
pub struct Games {
    setup: Setup,
    plan: GamesPlan,
    table: Arc<Table>,
}

impl Games {
    /// Creates the games of a plan.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub fn new(setup: Setup, plan: GamesPlan) -> Result<Self, Error> {
        Ok(Self { setup, plan, table: Arc::new(Table::new(HASH)?) })
    }

    /// Plays the game of a number, from 0; `None` if the flag was raised before its end.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if no opening is balanced.
    pub fn play(&self, number: u64, stop: &StopFlag) -> Result<Option<RecordedGame>, Error> {
        let mut random = Random(mixed(self.plan.seed ^ number.wrapping_mul(GOLDEN)));
        let Some(board) = self.opening(number, &mut random, stop)? else { return Ok(None) };
        let is_registered = self.setup.own_start().is_none();
        let (start, mut plies) = if is_registered {
            (board.text(), Vec::new())
        } else {
            (String::new(), self.opening_plies(&board.history())?)
        };
        let mut record = |board: &dyn Board, report: &Report| {
            // Wrong features of a game in Python are an error now, not at the end of all games.
            if !is_registered {
                board.inputs();
            }
            let score = report.score.clamp((UNSCORED + 1).into(), i16::MAX.into()) as i16;
            plies.extend(report.best().and_then(|best| number_of(&self.setup, board, best)).map(|mv| (mv, score)));
        };
        let search = |board: &dyn Board| self.search(board, stop);
        let result = games::play(board, &self.plan.adjudication, &search, &mut record, stop)?;
        Ok(result.map(|result| RecordedGame { result, start, plies }))
    }

    /// Returns the moves of an opening without scores.
    fn opening_plies(&self, moves: &[String]) -> Result<Vec<(u16, i16)>, Error> {
        let mut board = self.setup.board(STARTPOS)?;
        let mut plies = Vec::new();
        for mv in moves {
            plies.extend(number_of(&self.setup, &*board, mv).map(|number| (number, UNSCORED)));
            board.play(mv)?;
        }
        Ok(plies)
    }

    /// Returns a balanced position after random moves; `None` if the flag was raised.
    fn opening(&self, number: u64, random: &mut Random, stop: &StopFlag) -> Result<Option<Box<dyn Board>>, Error> {
        let score = |board: &dyn Board| {
            self.table.clear();
            self.search(board, stop).score
        };
        let advice = " or a larger --balance, in Python random_plies= and balance=";
        balanced(&self.setup, (self.plan.random_plies, number), (self.plan.balance, advice), random, &score, stop)
    }

    fn search(&self, board: &dyn Board, stop: &StopFlag) -> Report {
        let request = Request::new(Limits { nodes: Some(self.plan.nodes), ..Limits::default() });
        board.engine(Arc::clone(&self.table)).search(&request, stop, &mut |_| {}).swap_remove(0)
    }
}

/// A file of the games of a plan, in the order of their numbers.
pub struct GamesFile {
    setup: Setup,
    file: Records,
    /// The number of the next game.
    pub next: u64,
    /// The counts of this run.
    pub count: GamesCount,
    /// The number of positions that the file already had.
    pub found: u64,
}

impl GamesFile {
    /// Opens a file to append to, or creates it. An incomplete last game is removed, and the games continue after the
    /// last one in the file.
    ///
    /// # Errors
    /// [`Error::File`] for a file that cannot be used; [`Error::BadFile`] if it does not have games of this plan, or
    /// another process writes to it. The file is then unchanged.
    pub fn open(setup: Setup, plan: &GamesPlan, path: &Path) -> Result<Self, Error> {
        let (file, games) = file::open(path, &setup, plan)?;
        let last = games.len().saturating_sub(1);
        if games.last().is_some_and(|game| replay_game(&setup, game, 0, &mut |_| {}).is_none()) {
            return Err(impossible(path, last, &setup));
        }
        let found = games.iter().map(RecordedGame::positions).sum();
        Ok(Self { setup, file, next: games.len() as u64, count: GamesCount::default(), found })
    }

    /// Returns the number of positions in the file.
    pub fn positions(&self) -> u64 {
        self.found + self.count.positions
    }

    /// Returns whether a game can be replayed.
    pub fn is_possible(&self, game: &RecordedGame) -> bool {
        replay_game(&self.setup, game, 0, &mut |_| {}).is_some()
    }

    /// Appends the next game.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be written: nothing of the game is then in the file, and it is still the next
    /// one.
    pub fn add(&mut self, game: &RecordedGame) -> Result<(), Error> {
        file::add(&mut self.file, game)?;
        self.next += 1;
        self.count.games += 1;
        self.count.positions += game.positions();
        self.count.results[2 - usize::from(game.result)] += 1;
        Ok(())
    }
}
