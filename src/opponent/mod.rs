//! An opponent for people: levels, and the engine's moves, random, from the book or by search.

mod level;
mod random_moves;

pub use level::{DEFAULT, LEVELS, Level, Strength};
pub use random_moves::RandomMoves;

use crate::book::Book;
use crate::core::tree::{Room, SearchTree};
use crate::core::{ClockLimits, Error, Limits, Progress, Report, Request, StopFlag, Ties};
use crate::engine::Board;
use crate::registry::GameRow;
use crate::search::Table;
use crate::util::random::mixed;
use std::sync::Arc;
use std::time::Duration;

/// The limits of the search for a hint.
const ADVICE: Limits =
    Limits { depth: None, nodes: Some(500_000), movetime: Some(Duration::from_secs(2)), clock: None, mate: None };

/// The table size of searches for hints and trees, in MiB.
const ADVICE_HASH: usize = 8;

/// The engine as an opponent, with its state in a game.
pub struct Opponent {
    table: Arc<Table>,
    /// Hints have their own table, so that they do not change the engine's play.
    advice: Arc<Table>,
    book: Option<Book>,
    threads: usize,
    /// The seed of random choices; `None`: the first of equal moves is played.
    seed: Option<u64>,
    games: u64,
}

impl Opponent {
    /// Creates an opponent with its table and a number of threads.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub fn new(table: Arc<Table>, threads: usize, seed: Option<u64>) -> Result<Self, Error> {
        Ok(Self { table, advice: Arc::new(Table::new(ADVICE_HASH)?), book: None, threads, seed, games: 0 })
    }

    /// Starts a game, with the books of `row` if requested.
    ///
    /// # Errors
    /// [`Error::BadFile`] for an invalid book.
    pub fn begin(&mut self, row: &GameRow, book: bool) -> Result<(), Error> {
        self.book = book.then(|| Book::built_in(row)).transpose()?;
        self.table.clear();
        self.advice.clear();
        self.games += 1;
        Ok(())
    }

    /// Returns the move to play and its evaluation; the game must not be over.
    pub fn think(
        &self,
        board: &dyn Board,
        strength: Strength,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        self.think_by(board, strength, None, stop, progress)
    }

    /// Returns the move to play by a strength and the clock of the side to move: the first limit reached ends the
    /// search.
    pub fn think_by(
        &self,
        board: &dyn Board,
        strength: Strength,
        clock: Option<ClockLimits>,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        let mut request = self.request(strength.limits_by(clock));
        let seed = self.seed.map_or(0, |seed| mixed(seed ^ mixed(self.games)));
        if let Some(code) = strength.random_moves(seed).draw(board.key(), &board.codes()) {
            request.moves = vec![code];
            request.ties = Ties::First;
        } else if let Some(report) = self.by_the_book(board, strength, request.ties) {
            return report;
        }
        searched(board, &self.table, &request, stop, progress)
    }

    /// Returns a hint, by the book or a search of at most two seconds.
    pub fn advise(&self, board: &dyn Board, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Report {
        let known = self.book.as_ref().and_then(|book| book.report(board, Ties::First));
        let request = Request { ties: Ties::First, ..self.request(ADVICE) };
        known.unwrap_or_else(|| searched(board, &self.advice, &request, stop, progress))
    }

    /// Returns the tree of a search that starts from an empty table.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub fn tree(&self, board: &dyn Board, depth: u8, room: Room, stop: &StopFlag) -> Result<SearchTree, Error> {
        let table = Arc::new(Table::new(ADVICE_HASH)?);
        let (_, tree) = board.engine(table).record(&Request::depth(depth), room, stop, &mut |_| {});
        Ok(board.named(&tree, &StopFlag::new()))
    }

    fn by_the_book(&self, board: &dyn Board, strength: Strength, ties: Ties) -> Option<Report> {
        self.book.as_ref().filter(|_| strength.knows_book())?.report(board, ties)
    }

    fn request(&self, limits: Limits) -> Request {
        let ties = self.seed.map_or(Ties::First, |seed| Ties::Random(mixed(seed ^ mixed(self.games))));
        Request { threads: self.threads, ties, ..Request::new(limits) }
    }
}

/// Returns the best line of a search.
fn searched(
    board: &dyn Board,
    table: &Arc<Table>,
    request: &Request,
    stop: &StopFlag,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Report {
    // A search returns at least one report.
    let mut reports = board.engine(Arc::clone(table)).search(request, stop, progress);
    reports.swap_remove(0)
}
