//! The engine at the board: by lot, by the book, or by search.

use super::level::Strength;
use crate::book::Book;
use crate::core::random::mixed;
use crate::core::tree::{Room, SearchTree};
use crate::core::{Error, Limits, Progress, Report, Request, StopFlag, Ties};
use crate::engine::Board;
use crate::registry::GameRow;
use crate::search::Table;
use std::sync::Arc;
use std::time::Duration;

/// What is thought about a hint.
const ADVICE: Limits =
    Limits { depth: None, nodes: Some(500_000), movetime: Some(Duration::from_secs(2)), clock: None, mate: None };

/// The table of such searches, MiB.
const ADVICE_HASH: usize = 8;

/// Our engine, with what it remembers of a game.
pub struct Thinker {
    table: Arc<Table>,
    /// Hints have a table of their own: they do not make the engine play otherwise.
    advice: Arc<Table>,
    book: Option<Book>,
    threads: usize,
    /// Decides among equal moves; `None`: the first one is played.
    seed: Option<u64>,
    games: u64,
}

impl Thinker {
    /// An engine with a table of so many MiB.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub fn new(hash: u64, threads: usize, seed: Option<u64>) -> Result<Self, Error> {
        let table = Table::new(usize::try_from(hash).unwrap_or(usize::MAX))?;
        let advice = Table::new(ADVICE_HASH)?;
        Ok(Self { table: Arc::new(table), advice: Arc::new(advice), book: None, threads, seed, games: 0 })
    }

    /// Begins a game; by the books of `row`, if they are used.
    ///
    /// # Errors
    /// [`Error::BadFile`] for a book that is none.
    pub fn begin(&mut self, row: &GameRow, book: bool) -> Result<(), Error> {
        self.book = book.then(|| Book::of(row)).transpose()?;
        self.table.clear();
        self.advice.clear();
        self.games += 1;
        Ok(())
    }

    /// The move to play and what is thought of it; there is a legal move.
    pub fn think(
        &self,
        board: &dyn Board,
        strength: Strength,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Report {
        let mut request = self.request(strength.limits());
        let seed = self.seed.map_or(0, |seed| mixed(seed ^ mixed(self.games)));
        if let Some(code) = strength.random_moves(seed).draw(board.key(), &board.codes()) {
            request.moves = vec![code];
            request.ties = Ties::First;
        } else if let Some(report) = self.by_the_book(board, strength, request.ties) {
            return report;
        }
        searched(board, &self.table, &request, stop, progress)
    }

    /// What the engine would play if it thought as long as a person waits for a hint.
    pub fn advise(&self, board: &dyn Board, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Report {
        let known = self.book.as_ref().and_then(|book| book.report(board, Ties::First));
        let request = Request { ties: Ties::First, ..self.request(ADVICE) };
        known.unwrap_or_else(|| searched(board, &self.advice, &request, stop, progress))
    }

    /// The tree of a search, which begins with an empty table.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub fn tree(&self, board: &dyn Board, depth: u8, room: Room, stop: &StopFlag) -> Result<SearchTree, Error> {
        let table = Arc::new(Table::new(ADVICE_HASH)?);
        Ok(board.engine(table).record(&Request::depth(depth), room, stop, &mut |_| {}).1)
    }

    fn by_the_book(&self, board: &dyn Board, strength: Strength, ties: Ties) -> Option<Report> {
        self.book.as_ref().filter(|_| strength.knows_book())?.report(board, ties)
    }

    fn request(&self, limits: Limits) -> Request {
        let ties = self.seed.map_or(Ties::First, |seed| Ties::Random(mixed(seed ^ mixed(self.games))));
        Request { threads: self.threads, ties, ..Request::new(limits) }
    }
}

/// The best line of a search.
fn searched(
    board: &dyn Board,
    table: &Arc<Table>,
    request: &Request,
    stop: &StopFlag,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Report {
    // There is a report for each line, never none.
    let mut reports = board.engine(Arc::clone(table)).search(request, stop, progress);
    reports.swap_remove(0)
}
