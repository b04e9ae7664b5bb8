//! [`Tables`]: the tables of a database in a folder, opened once and shared.

use super::database::Database;
use super::folder::{Listing, each};
use crate::core::Error;
use crate::util::lock::lock;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

/// The tables of a [database](Database) that a folder has.
#[derive(Debug)]
pub struct Tables<T> {
    folder: PathBuf,
    /// The largest size of a table.
    size: usize,
    /// By number.
    tables: Vec<Option<T>>,
}

impl<T: Send + Sync + 'static> Tables<T> {
    /// Opens the tables of a folder and verifies them.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without any table of the database.
    pub fn open<D: Database<Table = T>>(database: &D, folder: &Path) -> Result<Self, Error> {
        if database.is_in(folder) {
            return Self::read(database, folder, *database.sizes().end(), false);
        }
        Err(Error::bad_file(folder, format!("holds no endgame database of {}", database.title())))
    }

    /// Opens the tables of up to a size that a folder has, and verifies them.
    pub(super) fn read<D: Database<Table = T>>(
        database: &D,
        folder: &Path,
        size: usize,
        distances: bool,
    ) -> Result<Self, Error> {
        let found: Vec<_> =
            database.up_to(size).filter(|&(_, number)| database.has(folder, number, distances)).collect();
        let opened = each(found.len(), |index| database.open(folder, found[index].1))?;
        let mut tables = Self { folder: folder.into(), size: 0, tables: Vec::new() };
        for ((size, number), table) in found.into_iter().zip(opened) {
            tables.add(size, number, table);
        }
        Ok(tables)
    }

    /// Returns the tables of a folder, shared by all users in this process. They are verified on the first request and
    /// after a change.
    pub(crate) fn shared<D: Database<Table = T>>(database: &D, folder: &Path) -> Result<Arc<Self>, Error> {
        let sight = Listing::read(folder).map_err(|error| Error::file("read", folder, &error))?;
        // A second caller waits here and finds the tables open.
        let mut opened = lock(&D::opened().0);
        let Open { used, recent } = &mut *opened;
        let title = database.title();
        let same = used.iter().find(|(other, of, _)| (other, of) == (&sight, &title));
        if let Some(found) = same.and_then(|(.., found)| found.upgrade()) {
            return Ok(found);
        }
        let found = Arc::new(Self::open(database, folder)?);
        if used.iter().any(|(other, ..)| *other != sight) {
            recent.clear();
        }
        used.retain(|(.., found)| found.strong_count() > 0);
        used.push((sight, title, Arc::downgrade(&found)));
        recent.push(Arc::clone(&found));
        Ok(found)
    }

    pub(super) fn add(&mut self, size: usize, number: usize, table: T) {
        self.size = self.size.max(size);
        let count = self.tables.len().max(number + 1);
        self.tables.resize_with(count, || None);
        self.tables[number] = Some(table);
    }

    /// Returns the largest size of a table.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the table with a number.
    #[inline]
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&T> {
        self.tables.get(number)?.as_ref()
    }

    /// Returns the tables, by number.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.tables.iter().flatten()
    }

    pub(crate) fn missing(&self, name: impl Display) -> Error {
        Error::bad_file(&self.folder, format!("has no table of {name}"))
    }
}

/// The tables that this process has open.
pub struct Opened<T>(Mutex<Open<T>>);

struct Open<T> {
    /// All tables in use, by folder and title of the database.
    used: Vec<(Listing, String, Weak<Tables<T>>)>,
    /// The tables of the folder requested last, kept open because boards are set up one after another.
    recent: Vec<Arc<Tables<T>>>,
}

impl<T> Opened<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Open { used: Vec::new(), recent: Vec::new() }))
    }
}
