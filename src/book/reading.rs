//! The books of a game, read in the background: reading takes up to half a second, and a clock may be running.

use super::Book;
use crate::registry::GameRow;
use std::sync::{Arc, OnceLock};
use std::thread;

/// All books of a game, read once. Clones share them.
#[derive(Clone, Debug)]
pub struct Reading {
    row: &'static GameRow,
    book: Arc<OnceLock<Book>>,
}

impl Reading {
    pub(crate) fn new(row: &'static GameRow) -> Self {
        Self { row, book: Arc::default() }
    }

    /// Begins to read the books on a separate thread.
    pub(crate) fn begin(self) -> Self {
        let reading = self.clone();
        // Without a thread they are read by the first `wait`.
        let _ = thread::Builder::new().name("book".into()).spawn(move || _ = reading.wait());
        self
    }

    pub(crate) fn game(&self) -> &'static str {
        self.row.name
    }

    pub(crate) fn get(&self) -> Option<&Book> {
        self.book.get()
    }

    /// Returns the books after they have been read; reads them if no thread does.
    pub(crate) fn wait(&self) -> &Book {
        self.book.get_or_init(|| {
            Book::built_in(self.row).unwrap_or_else(|error| {
                // The books are part of the program.
                log::error!("{}: {error}", self.row.name);
                Book::default()
            })
        })
    }
}
