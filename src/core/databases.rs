//! [`Databases`]: the endgame databases of a game, as the command line works on them.

use super::error::Error;
use super::limits::StopFlag;
use super::options::Options;
use std::fmt::Debug;
use std::path::Path;

/// How a game makes its endgame databases, and what it tells of them. They are used through a game option that
/// names their folder.
pub trait Databases: Debug + Sync {
    /// The name of that option.
    fn option(&self) -> &'static str;

    /// What the size of a database counts, in the plural: `seeds`.
    fn unit(&self) -> &'static str;

    /// What it takes to have all positions up to a size, by the rules that the options ask for.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a database that cannot be.
    fn needs(&self, options: &Options, folder: &Path, size: usize) -> Result<Needs, Error>;

    /// Builds what a folder lacks of the layers up to a size; false if the flag was raised before the last. What is
    /// finished stays, and is not built again. `progress` is told the positions finished since it was told last.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a database that cannot be, [`Error::File`], [`Error::BadFile`] for a layer found there
    /// that is none.
    fn build(
        &self,
        options: &Options,
        folder: &Path,
        size: usize,
        threads: usize,
        stop: &StopFlag,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error>;

    /// The databases of a folder, each verified.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::BadFile`].
    fn info(&self, folder: &Path) -> Result<Vec<LayerInfo>, Error>;

    /// Holds so many positions of every layer, drawn by lot, against the positions after them; small ones against plain
    /// recursion as well. Returns how many, all of them unless the flag was raised; `progress` is told the number of
    /// each layer's.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::BadFile`]: also for a wrong value, which it names.
    fn verify(
        &self,
        folder: &Path,
        samples: u64,
        seed: u64,
        stop: &StopFlag,
        progress: &dyn Fn(u64),
    ) -> Result<u64, Error>;
}

/// What a build takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The rules, as options: `Houses=6 Capture=standard`.
    pub rules: String,
    /// Layers that are there already.
    pub layers: usize,
    /// Positions of all layers,
    pub positions: u64,
    /// and of those to be built.
    pub missing: u64,
    /// Bytes of disk for those, about.
    pub disk: u64,
    /// Bytes of disk that are free, where the system tells.
    pub free: Option<u64>,
    /// Bytes of memory while the last one is built, about, the mapped files included.
    pub memory: u64,
}

/// A layer that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerInfo {
    /// The rules, as options: `Houses=6 Capture=standard`.
    pub rules: String,
    /// Its size.
    pub size: usize,
    /// Its positions.
    pub positions: u64,
    /// Values that have no code of their own.
    pub overflow: u64,
    /// Bytes of its file.
    pub bytes: u64,
}
