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

    /// Returns the unit of a database's size, in the plural: `seeds`.
    fn unit(&self) -> &'static str;

    /// Returns what the layers up to `size` take under the rules of the options.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a database that cannot exist.
    fn needs(&self, options: &Options, folder: &Path, size: usize) -> Result<Needs, Error>;

    /// Builds the missing layers of a folder up to `size`. Returns false if the flag was raised before the last one was
    /// finished. Finished layers stay and are not built again. `progress` receives the number of positions finished
    /// since its last call.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a database that cannot exist, [`Error::File`], [`Error::BadFile`] for a file that is
    /// not a valid layer.
    fn build(
        &self,
        options: &Options,
        folder: &Path,
        size: usize,
        threads: usize,
        stop: &StopFlag,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error>;

    /// Returns the layers of a folder, each verified.
    ///
    /// # Errors
    /// [`Error::File`], [`Error::BadFile`].
    fn info(&self, folder: &Path) -> Result<Vec<LayerInfo>, Error>;

    /// Checks `samples` random positions of every layer against their successors; small layers against plain recursion
    /// as well. Returns the number of positions checked: all of them unless the flag was raised. `progress` receives
    /// the number of each layer.
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

/// What a build takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The rules, as options: `Houses=6 Capture=standard`.
    pub rules: String,
    /// The number of layers already built.
    pub layers: usize,
    /// The number of positions in all layers.
    pub positions: u64,
    /// The number of positions still to be built.
    pub missing: u64,
    /// The approximate disk space for those, bytes.
    pub disk: u64,
    /// The free disk space, bytes, where the system reports it.
    pub free: Option<u64>,
    /// The approximate memory in use while the last layer is built, bytes, mapped files included.
    pub memory: u64,
}

/// A layer on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerInfo {
    /// The rules, as options: `Houses=6 Capture=standard`.
    pub rules: String,
    /// The size of the layer, in [units](Databases::unit).
    pub size: usize,
    /// The number of positions.
    pub positions: u64,
    /// The number of values without a code of their own.
    pub overflow: u64,
    /// The size of the file, bytes.
    pub bytes: u64,
}
