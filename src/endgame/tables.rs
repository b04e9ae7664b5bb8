//! [`Tables`]: the databases of a game in a folder.

use super::folder::{self, Opened};
use super::material::{Class, Material};
use super::table::{Kind, Table, Value};
use crate::core::{Bounds, Error};
use std::path::Path;
use std::sync::Arc;

/// The databases that this process has open, by the name of the game.
static OPEN: Opened<&'static str, Tables> = Opened::new();

/// The tables of a game. Classes may be missing.
#[derive(Debug)]
pub struct Tables {
    /// The most pieces of a class that is there.
    pieces: usize,
    /// By the number of the class.
    tables: Vec<Option<Table>>,
}

impl Tables {
    /// Returns no tables at all.
    #[must_use]
    pub fn empty<P: Material>() -> Self {
        Self { pieces: 0, tables: (0..P::CLASSES).map(|_| None).collect() }
    }

    /// Returns the tables of a folder, shared by all users in this process. They are verified on the first request and
    /// after a change.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without any table of the game.
    pub fn shared<P: Material>(folder: &Path, game: &'static str) -> Result<Arc<Self>, Error> {
        OPEN.get(folder, game, || Self::open::<P>(folder, game))
    }

    /// Opens the tables of a folder and verifies them.
    ///
    /// # Errors
    /// Those of [`shared`](Self::shared).
    pub fn open<P: Material>(folder: &Path, game: &str) -> Result<Self, Error> {
        let is_there = |class: &Class| Kind::Outcomes.path::<P>(folder, game, *class).exists();
        let all =
            (2..=P::MOST_PIECES).flat_map(|pieces| P::classes(pieces).into_iter().map(move |class| (pieces, class)));
        let found: Vec<_> = all.filter(|(_, class)| is_there(class)).collect();
        if found.is_empty() {
            return Err(Error::bad_file(folder, format!("holds no endgame database of {game}")));
        }
        let opened = folder::each(found.len(), |number| Table::open::<P>(folder, game, found[number].1))?;
        let mut tables = Self::empty::<P>();
        for ((pieces, class), table) in found.into_iter().zip(opened) {
            tables.add(pieces, class, table);
        }
        Ok(tables)
    }

    /// Adds the table of a class.
    pub(super) fn add(&mut self, pieces: usize, class: Class, table: Table) {
        self.pieces = self.pieces.max(pieces);
        self.tables[usize::from(class.0)] = Some(table);
    }

    /// Returns the table of a class.
    #[inline]
    #[must_use]
    pub fn of(&self, class: Class) -> Option<&Table> {
        self.tables.get(usize::from(class.0))?.as_ref()
    }

    /// Returns the table of a position and its index there.
    #[inline]
    fn place<P: Material>(&self, pos: &P) -> Option<(&Table, usize)> {
        if pos.piece_count() > self.pieces {
            return None;
        }
        let class = pos.class();
        self.of(class).map(|table| (table, pos.index(class)))
    }

    /// Returns the value of a position for the side to move, without regard to repetitions and clocks.
    #[inline]
    #[must_use]
    pub fn value<P: Material>(&self, pos: &P) -> Option<Value> {
        self.place(pos).map(|(table, index)| table.value(index))
    }

    /// Returns the value of a position in the file of a kind, as [`Table::stored`] does.
    #[must_use]
    pub fn stored<P: Material>(&self, kind: Kind, pos: &P) -> Option<Value> {
        self.place(pos).map(|(table, index)| table.stored(kind, index))
    }

    /// Returns the value of a position as bounds.
    #[inline]
    #[must_use]
    pub fn bounds<P: Material>(&self, pos: &P) -> Option<Bounds> {
        self.value(pos).map(Value::bounds)
    }
}
