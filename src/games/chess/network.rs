//! The network that evaluates chess. The feature `chess-network` builds it in; a page for browsers loads it with its first
//! game of chess.

use super::Chess;
use super::features::SHAPE;
use super::heuristics::HIDDEN;
use crate::core::{Error, Game};
use crate::network::{Network, NetworkFile};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The network of this process.
static NETWORK: OnceLock<Arc<Network<HIDDEN>>> = OnceLock::new();

/// Opens a network in a file.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file of something else.
pub(super) fn open(path: &Path) -> Result<Arc<Network<HIDDEN>>, Error> {
    Network::open(path, Chess::NAME, SHAPE).map(Arc::new)
}

/// Uses the network in these bytes of a file, unless there is one already.
///
/// # Errors
/// [`Error::BadFile`] for a file of something else.
pub fn load(bytes: &[u8]) -> Result<(), Error> {
    let path = Path::new("chess.net");
    let network = NetworkFile::read(path, bytes, Some(Chess::NAME))?.network(path, SHAPE)?;
    NETWORK.get_or_init(|| Arc::new(network));
    Ok(())
}

/// Returns the network that is built in or was loaded.
///
/// # Errors
/// [`Error::BadOptions`] if none was.
pub(super) fn loaded() -> Result<Arc<Network<HIDDEN>>, Error> {
    #[cfg(feature = "chess-network")]
    if NETWORK.get().is_none() {
        load(include_bytes!("chess.net"))?;
    }
    NETWORK.get().cloned().ok_or_else(|| Error::BadOptions("the network of chess is not loaded".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_something_else_are_refused() {
        for bytes in [&b""[..], b"a text", &[7; 300]] {
            let error = load(bytes).unwrap_err().to_string();
            assert!(error.contains("chess.net"), "{error}");
        }
        assert!(loaded().is_ok());
    }
}
