//! The values in the books of a start, as entries of the table.

use super::Contents;
use crate::core::Error;
use crate::engine::Board;
use crate::registry;
use crate::search::Table;
use crate::search::entry::Exact;

/// The values of all opening positions in the books of a start. In the table of an exact search they settle these
/// positions and those before them.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    entries: Vec<(u64, Exact)>,
}

impl Openings {
    /// Returns the values in the books of the game of this board, for the rules and the start of its options; none if
    /// no book begins there.
    ///
    /// # Errors
    /// [`Error::BadFile`] for an invalid book.
    pub fn for_board(board: &dyn Board) -> Result<Self, Error> {
        let row = registry::find(board.game())?;
        let (start, mut openings) = (row.start(board.options())?, Self::default());
        for contents in Contents::built_in(row) {
            let contents = contents?;
            if contents.start()?.book_key() == start.book_key() {
                openings.add(&contents, &*start)?;
            }
        }
        Ok(openings)
    }

    /// Adds the values in a book with this start.
    ///
    /// # Errors
    /// [`Error::BadFile`] if the entries do not fit the positions.
    pub fn add(&mut self, contents: &Contents, start: &dyn Board) -> Result<(), Error> {
        contents.visit(start, &mut |board, entry| self.entries.extend(board.exact_entry(entry.value)))
    }

    /// Stores the values in a table, before a search. Returns whether the table has room for at least 99 % of them.
    pub fn store(&self, table: &Table) -> bool {
        100 * table.preload_exact(&self.entries) <= self.entries.len()
    }

    /// Returns whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
