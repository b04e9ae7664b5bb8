//! Games of the engine against itself, for their positions.

use super::{Labelled, NUMBERS, format, unpack};
use crate::lab::games::{self, Adjudication, balanced};
use secateurs::core::{Error, Limits, Report, Request, Score, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::search::Table;
use secateurs::store::append::AppendFile;
use secateurs::store::{lock, regular};
use secateurs::util::random::{GOLDEN, Random, mixed};
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

/// The table size of the searches, in MiB.
const HASH: usize = 4;

/// The score above which a position is too lopsided to learn from, centi-units.
const LOPSIDED: Score = 3_000;

/// The parameters of the games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GamesPlan {
    /// The node limit of each search.
    pub nodes: u64,
    /// The number of random moves before each game, in plies; every second game has one more.
    pub random_plies: usize,
    /// The score of the first search, centi-units, above which an opening is rejected.
    pub balance: Score,
    /// When a game ends before the rules end it.
    pub adjudication: Adjudication,
    /// The seed of the openings.
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

/// Plays games and appends their positions to a file.
pub struct Games {
    setup: Setup,
    plan: GamesPlan,
    table: Arc<Table>,
    file: AppendFile,
    next: u32,
    /// The counts of this run.
    pub count: GamesCount,
    /// The number of positions that the file already had.
    pub found: u64,
}

impl Games {
    /// Opens a file to append to, or creates it. An incomplete last record is removed, and the games continue after the
    /// last one in the file.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a game whose positions cannot be packed; [`Error::File`] for a file that cannot be
    /// used; [`Error::BadFile`] if its first or its last record is not a position of the game, or another process
    /// writes to it. The file is then unchanged.
    pub(crate) fn open(setup: Setup, plan: GamesPlan, path: &Path) -> Result<Self, Error> {
        let (size, board) = format(&setup)?;
        let failed = |error: io::Error| Error::file("open", path, &error);
        regular::check(path)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        if !lock::try_lock(&file) {
            return Err(Error::bad_file(path, lock::BUSY));
        }
        let bytes = file.metadata().map_err(failed)?.len();
        let records = bytes / size as u64;
        let game_of = |index: u64| {
            let mut record = Vec::new();
            (&file).seek(SeekFrom::Start(index * size as u64)).map_err(failed)?;
            (&file).take(size as u64).read_to_end(&mut record).map_err(failed)?;
            Ok::<_, Error>(unpack(&record, &*board, (path, index as usize, &setup))?.1.game)
        };
        let mut next = 0;
        if bytes > 0 {
            game_of(0)?;
            let last = game_of(records.saturating_sub(1))?;
            next = last.wrapping_sub(offset(plan.seed)).wrapping_add(1) % NUMBERS;
        }
        // Check that this is a file of positions before changing it.
        let mut file = AppendFile::new(file, bytes);
        file.cut(records * size as u64).map_err(failed)?;
        let table = Arc::new(Table::new(HASH)?);
        Ok(Self { setup, plan, table, file, next, count: GamesCount::default(), found: records })
    }

    /// Plays the next game and appends its positions. Returns `false` if the flag was raised before its end.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if no opening is balanced; [`Error::File`] if the file cannot be written: nothing of
    /// the game is then in the file, and it is still the next one.
    pub(crate) fn play(&mut self, path: &Path, stop: &StopFlag) -> Result<bool, Error> {
        let number = self.next.wrapping_add(offset(self.plan.seed)) % NUMBERS;
        let Some((positions, result)) = self.game(number, stop)? else { return Ok(false) };
        let mut bytes = Vec::new();
        positions.iter().for_each(|position| position.write(&mut bytes));
        self.file.append(&bytes).map_err(|error| Error::file("write", path, &error))?;
        self.next = (self.next + 1) % NUMBERS;
        self.count.games += 1;
        self.count.positions += positions.len() as u64;
        self.count.results[2 - usize::from(result)] += 1;
        Ok(true)
    }

    /// Plays a game: its positions, and the result for the first player; `None` if the flag was raised.
    fn game(&self, number: u32, stop: &StopFlag) -> Result<Option<(Vec<Labelled>, u8)>, Error> {
        let mut random = Random(mixed(self.plan.seed ^ u64::from(self.next).wrapping_mul(GOLDEN)));
        let Some(board) = self.opening(&mut random, stop)? else { return Ok(None) };
        let mut positions = Vec::new();
        let mut record = |board: &dyn Board, report: &Report| {
            if report.score.abs() < LOPSIDED && report.best().is_some_and(|best| board.is_quiet(best)) {
                // The result is filled in when it is known: the first player's, for now the side to move.
                let result = u8::from(board.turn() == Side::First);
                let score = report.score as i16;
                positions.push(Labelled { position: board.pack(), score, result, game: number });
            }
        };
        let search = |board: &dyn Board| self.search(board, stop);
        let played = games::play(board, &self.plan.adjudication, &search, &mut record, stop)?;
        let Some(result) = played else { return Ok(None) };
        for position in &mut positions {
            position.result = if position.result == 1 { result } else { 2 - result };
        }
        Ok(Some((positions, result)))
    }

    /// Returns a balanced position after random moves; `None` if the flag was raised.
    fn opening(&self, random: &mut Random, stop: &StopFlag) -> Result<Option<Box<dyn Board>>, Error> {
        let plies = self.plan.random_plies + self.next as usize % 2;
        let score = |board: &dyn Board| {
            self.table.clear();
            self.search(board, stop).score
        };
        balanced(&self.setup, plies, self.plan.balance, random, &score, stop)
    }

    fn search(&self, board: &dyn Board, stop: &StopFlag) -> Report {
        let request = Request::new(Limits { nodes: Some(self.plan.nodes), ..Limits::default() });
        board.engine(Arc::clone(&self.table)).search(&request, stop, &mut |_| {}).swap_remove(0)
    }
}

/// The number of a seed's first game.
fn offset(seed: u64) -> u32 {
    (mixed(seed) % u64::from(NUMBERS)) as u32
}
