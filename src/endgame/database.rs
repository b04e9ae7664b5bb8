//! [`Database`]: the description of a kind of endgame database.

use super::tables::{Opened, Tables};
use crate::core::databases::{Build, BuildPlan, TableDetail};
use crate::core::{Error, Options};
use crate::store::mapped::{self, Mapped};
use std::fmt::Debug;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

/// The endgame database of a game under one set of rules: tables, each built from those before it. A table has a
/// number, and a size in pieces or in seeds.
pub trait Database: Debug + Send + Sync + Sized + 'static {
    /// The name of the game.
    const GAME: &'static str;

    /// The game's option that names a folder of databases.
    const OPTION: &'static str;

    /// The unit of sizes, in the plural: `seeds`, `pieces`.
    const UNIT: &'static str;

    /// A table in its mapped files.
    type Table: Debug + Send + Sync + 'static;

    /// A position.
    type Position;

    /// Returns the databases of all sets of rules.
    fn all() -> Vec<Self>;

    /// Returns the database for the rules of the options.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for rules without a database.
    fn new(options: &Options) -> Result<Self, Error>;

    /// Returns the rules as options, `Houses=6 Capture=standard`; nothing in games with one set of rules.
    fn rules(&self) -> String {
        String::new()
    }

    /// Returns the possible sizes of tables.
    fn sizes(&self) -> RangeInclusive<usize>;

    /// Returns the numbers of the tables of a size, in the order in which they are built. By default, each size has one
    /// table, whose number is the size.
    fn numbers(&self, size: usize) -> Vec<usize> {
        vec![size]
    }

    /// Returns the file of a table.
    fn file(&self, number: usize) -> TableFile;

    /// Returns the file of a table's distances to the end of the game, if it can have some.
    fn distances(&self, _number: usize) -> Option<TableFile> {
        None
    }

    /// Returns the number of positions of a table.
    fn positions(&self, number: usize) -> u64;

    /// Returns the bytes of memory that building a table takes, not counting files.
    fn memory(&self, number: usize) -> u64;

    /// Returns a function that builds a table from those before it and writes its files; it returns false if the build
    /// was stopped.
    fn builder(&self, plan: BuildPlan) -> impl Fn(&Tables<Self::Table>, usize, &Build) -> Result<bool, Error>;

    /// Opens the files of a table and verifies them.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for a file that is truncated, damaged, foreign or of another version.
    fn open(&self, folder: &Path, number: usize) -> Result<Self::Table, Error>;

    /// Returns the tables that this process has open.
    fn opened() -> &'static Opened<Self::Table>;

    /// Describes a table.
    fn details(&self, number: usize, table: &Self::Table) -> Vec<(&'static str, TableDetail)>;

    /// Whether a table shows that a win comes before a draw by the clock.
    fn decides_wins(_table: &Self::Table) -> bool {
        true
    }

    /// Returns the end of the indices of a table: the number of positions, unless some indices have none.
    fn indices(&self, number: usize) -> usize {
        self.positions(number) as usize
    }

    /// Returns the position with an index in a table; `None` if there is none.
    fn at(&self, number: usize, index: usize) -> Option<Self::Position>;

    /// Returns a function that compares the values of a position of a table with those after its moves.
    fn checker(&self) -> impl FnMut(&Tables<Self::Table>, usize, &Self::Position) -> Result<(), Error>;

    /// Returns the tables of up to a size, in the order in which they are built: size and number.
    fn up_to(&self, size: usize) -> impl Iterator<Item = (usize, usize)> {
        let sizes = self.sizes().take_while(move |&other| other <= size);
        sizes.flat_map(|size| self.numbers(size).into_iter().map(move |number| (size, number)))
    }

    /// Returns the files of a table.
    fn files(&self, number: usize, distances: bool) -> impl Iterator<Item = TableFile> {
        let more = if distances { self.distances(number) } else { None };
        std::iter::once(self.file(number)).chain(more)
    }

    /// Whether a folder has the files of a table.
    fn has(&self, folder: &Path, number: usize, distances: bool) -> bool {
        self.files(number, distances).all(|file| folder.join(&file.name).exists())
    }

    /// Whether a folder has tables of the smallest size.
    fn is_in(&self, folder: &Path) -> bool {
        self.numbers(*self.sizes().start()).into_iter().any(|number| self.has(folder, number, false))
    }

    /// Returns the game with its rules.
    fn title(&self) -> String {
        format!("{} with {}", Self::GAME, self.rules()).trim_end_matches(" with ").into()
    }

    /// Checks whether such a database can exist.
    ///
    /// # Errors
    /// [`Error::BadOptions`].
    fn check(&self, plan: BuildPlan) -> Result<(), Error> {
        let (sizes, title, unit) = (self.sizes(), self.title(), Self::UNIT);
        if plan.distances && self.distances(self.numbers(*sizes.start())[0]).is_none() {
            let reason = format!("the databases of {} hold margins: there are no distances", Self::GAME);
            return Err(Error::BadOptions(reason));
        }
        if sizes.contains(&plan.size) {
            return Ok(());
        }
        let (least, most) = sizes.into_inner();
        Err(Error::BadOptions(format!("endgame databases of {title} have {least} to {most} {unit}, not {}", plan.size)))
    }
}

/// A file of a table.
#[derive(Clone, Debug)]
pub struct TableFile {
    /// Its name in a folder.
    pub name: String,
    /// The subject in its header.
    pub subject: String,
    /// The size of its contents, bytes; an estimate before it is built, if it depends on the values.
    pub payload: u64,
}

impl TableFile {
    pub(crate) fn size(&self) -> u64 {
        mapped::size(&self.subject, self.payload)
    }

    /// Writes the file.
    pub(crate) fn save(
        &self,
        folder: &Path,
        contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        mapped::save(&folder.join(&self.name), &self.subject, contents)
    }

    /// Maps the file and verifies it.
    pub(crate) fn open(&self, folder: &Path) -> Result<Mapped, Error> {
        self.open_with(folder, |_| self.payload as usize)
    }

    /// Opens the file as [`open`](Self::open) does, with the `size` of its contents read from the contents.
    pub(crate) fn open_with(&self, folder: &Path, size: impl FnOnce(&[u8]) -> usize) -> Result<Mapped, Error> {
        let path = folder.join(&self.name);
        let file = Mapped::open(&path, &self.subject)?;
        let payload = &file.bytes()[file.start()..];
        if payload.len() == size(payload) {
            Ok(file)
        } else {
            Err(Error::bad_file(&path, "is damaged: its length is wrong"))
        }
    }

    /// Returns the error for a wrong value in the file: the position, its value by its moves, the value in the file.
    pub(crate) fn wrong(&self, folder: &Path, position: &str, found: &str, stored: &str) -> Error {
        Error::bad_file(&folder.join(&self.name), format!("is wrong: {position} is {found}, not {stored}"))
    }
}
