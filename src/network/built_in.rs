//! [`BuiltIn`]: the network of a game that has no other evaluation.

use super::{Network, NetworkFile};
use crate::core::{Error, NetworkShape};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The network of a game: built in by the feature `networks`, or loaded by a page for browsers with its first game.
#[derive(Debug)]
pub struct BuiltIn<const H: usize> {
    game: &'static str,
    shape: NetworkShape,
    /// The file; empty if the network is not built in.
    file: &'static [u8],
    network: OnceLock<Arc<Network<H>>>,
}

impl<const H: usize> BuiltIn<H> {
    /// Describes the network of a game with this shape, and its file, which is left out without the feature.
    pub(crate) const fn new(game: &'static str, shape: NetworkShape, file: &'static [u8]) -> Self {
        let file = if cfg!(feature = "networks") { file } else { b"" };
        Self { game, shape, file, network: OnceLock::new() }
    }

    /// Returns the network in a file, or with an empty path the one that is built in or was loaded.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of something else; [`Error::BadOptions`] if none was loaded.
    pub fn open(&self, path: &str) -> Result<Arc<Network<H>>, Error> {
        if !path.is_empty() {
            return Network::open(Path::new(path), self.game, self.shape).map(Arc::new);
        }
        if self.network.get().is_none() && !self.file.is_empty() {
            self.load(self.file)?;
        }
        let missing = || Error::BadOptions(format!("the network of {} is not loaded", self.game));
        self.network.get().cloned().ok_or_else(missing)
    }

    /// Uses the network in these bytes of a file, unless there is one already.
    ///
    /// # Errors
    /// [`Error::BadFile`] for a file of something else.
    pub fn load(&self, bytes: &[u8]) -> Result<(), Error> {
        let name = format!("{}.net", self.game);
        let path = Path::new(&name);
        let network = NetworkFile::read(path, bytes, Some(self.game))?.network(path, self.shape)?;
        self.network.get_or_init(|| Arc::new(network));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_something_else_are_refused() {
        let shape = NetworkShape { features: 2, hidden: 64, buckets: 1 };
        let network = BuiltIn::<64>::new("nim", shape, b"");
        for bytes in [&b""[..], b"a text", &[7; 300]] {
            let error = network.load(bytes).unwrap_err().to_string();
            assert!(error.contains("nim.net"), "{error}");
        }
        let error = network.open("").unwrap_err().to_string();
        assert!(error.contains("the network of nim is not loaded"), "{error}");
    }
}
