//! [`Settings`]: how a client connects, plays and describes itself.

use super::address::Address;
use secateurs::core::Limits;
use secateurs::registry::Setup;
use secateurs::search::Table;
use std::path::PathBuf;
use std::sync::Arc;

/// How a client describes itself to the server.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// `info:name`.
    pub name: Option<String>,
    /// `info:authors`.
    pub authors: Option<String>,
    /// `info:description`.
    pub description: Option<String>,
    /// `auth:token`.
    pub token: Option<String>,
}

/// The settings of a client.
pub struct Settings {
    /// The server.
    pub address: Address,
    /// How the client describes itself.
    pub identity: Identity,
    /// Whether to send a comment, `info:comment`, with each move.
    pub comments: bool,
    /// Kalah, with standard captures.
    pub setup: Setup,
    /// The transposition table that all searches share.
    pub table: Arc<Table>,
    /// The number of search threads, at least 1.
    pub threads: usize,
    /// The limits of each search, in addition to the server's.
    pub limits: Limits,
    /// The maximum number of successive attempts to connect; `None`: no limit.
    pub attempts: Option<u32>,
    /// The file for the log of the dialogue, if any.
    pub log: Option<PathBuf>,
}
