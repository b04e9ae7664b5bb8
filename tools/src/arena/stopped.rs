//! Why a match could not be completed.

use super::standings::Standings;
use secateurs::core::Error;

/// The reason why a match could not be completed. The journal contains the games played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// An error of the match or of a file.
    #[error(transparent)]
    Error(#[from] Error),
    /// An engine that cannot be started or restarted: its name and the reason.
    #[error("{0}: {1}")]
    Engine(String, String),
}

/// A match that could not be completed, with its standings.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Unfinished {
    /// The reason.
    pub why: Stopped,
    /// The standings after all games played, those of the records included.
    pub standings: Standings,
}
