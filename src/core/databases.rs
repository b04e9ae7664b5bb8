//! [`Databases`]: the interface of the command line to a game's endgame databases.

use super::error::Error;
use super::limits::StopFlag;
use super::options::Options;
use std::fmt::Debug;
use std::path::Path;

/// How a game builds, describes and verifies its endgame databases. The search uses them through a game option that
/// names their folder.
pub trait Databases: Debug + Sync {
    /// Returns the name of that option.
    fn option(&self) -> &'static str;

    /// Returns the unit of a database's size, in the plural: `seeds`, `pieces`.
    fn unit(&self) -> &'static str;

    /// Returns the number of positions, the disk space and the memory that a plan takes under the rules of the options.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a database that cannot exist.
    fn needs(&self, options: &Options, folder: &Path, plan: BuildPlan) -> Result<Needs, Error>;

    /// Builds the missing tables of a folder. Returns false if the flag was raised before the last one was finished.
    /// Finished tables stay and are not built again.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a database that cannot exist, [`Error::File`], [`Error::BadFile`] for a file that is
    /// not a valid layer.
    fn build(&self, options: &Options, plan: BuildPlan, build: &Build<'_>) -> Result<bool, Error>;

    /// Verifies the tables of a folder, and describes each.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::BadFile`].
    fn info(&self, folder: &Path) -> Result<Vec<TableInfo>, Error>;

    /// Opens the databases of a folder for the rules of the options. Returns whether they show that a win comes before
    /// a draw by the clock; in games with a clock, only databases with distances do.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without a table for these rules.
    fn decides_wins(&self, options: &Options, folder: &Path) -> Result<bool, Error>;

    /// Checks `samples` random positions of every table against their successors; some games check small tables against
    /// plain recursion as well. Returns the number of positions checked: all of them unless the flag was raised.
    /// `progress` receives the number of each table.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::BadFile`]; the latter also for a wrong value, which it names.
    fn verify(
        &self,
        folder: &Path,
        samples: u64,
        seed: u64,
        stop: &StopFlag,
        progress: &dyn Fn(u64),
    ) -> Result<u64, Error>;
}

/// What to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildPlan {
    /// All positions up to this size, in [units](Databases::unit).
    pub size: usize,
    /// Whether the distances to the end of the game are stored too.
    pub distances: bool,
}

/// How a build runs.
pub struct Build<'a> {
    /// The folder of the tables.
    pub folder: &'a Path,
    /// The number of threads.
    pub threads: usize,
    /// The flag that stops the build.
    pub stop: &'a StopFlag,
    /// Receives the number of positions finished since its last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The cost of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The rules, as options: `Houses=6 Capture=standard`.
    pub rules: String,
    /// The number of tables already built.
    pub tables: usize,
    /// The number of positions in all tables.
    pub positions: u64,
    /// The number of positions still to be built.
    pub missing: u64,
    /// The approximate disk space of the missing positions, bytes.
    pub disk: u64,
    /// The free disk space, bytes, if the system reports it.
    pub free: Option<u64>,
    /// The approximate memory in use while the largest table is built, bytes, mapped files included.
    pub memory: u64,
}

/// A table on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// The rules, as options: `Houses=6 Capture=standard`; empty in games with one set of rules.
    pub rules: String,
    /// The size of its positions, in [units](Databases::unit).
    pub size: usize,
    /// The number of positions.
    pub positions: u64,
    /// The size of its files, bytes.
    pub bytes: u64,
    /// Further facts, by name.
    pub details: Vec<(&'static str, TableDetail)>,
}

/// A detail of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableDetail {
    /// A name.
    Text(String),
    /// A number of positions, shown as it is.
    Count(u64),
    /// A number of positions, shown as a share of all.
    Share(u64),
    /// The longest distance to the end of the game with best play, plies, if distances are stored.
    Longest(Option<u64>),
}
