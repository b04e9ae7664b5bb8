//! The books of a game, read in the background: that takes a tenth of a second, and a clock may be running.

use super::Book;
use crate::registry::GameRow;
use std::sync::{Arc, OnceLock};
use std::thread;

/// All books of a game together, read once. Clones share them.
#[derive(Clone, Debug)]
pub struct Reading {
    row: &'static GameRow,
    book: Arc<OnceLock<Book>>,
}

impl Reading {
    /// The books of a game, not read yet.
    #[must_use]
    pub fn new(row: &'static GameRow) -> Self {
        Self { row, book: Arc::default() }
    }

    /// Begins to read them on a thread of its own.
    #[must_use]
    pub fn begin(self) -> Self {
        let reading = self.clone();
        // Without a thread they are read when they are waited for.
        let _ = thread::Builder::new().name("book".into()).spawn(move || _ = reading.wait());
        self
    }

    /// The game whose books they are.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.row.name
    }

    /// The books, once they are read.
    #[must_use]
    pub fn get(&self) -> Option<&Book> {
        self.book.get()
    }

    /// Waits for the books, or reads them.
    #[must_use]
    pub fn wait(&self) -> &Book {
        self.book.get_or_init(|| {
            Book::of(self.row).unwrap_or_else(|error| {
                // They are part of the program.
                log::error!("{}: {error}", self.row.name);
                Book::default()
            })
        })
    }
}
