//! Persistent files: versioned, checksummed, replaced as a whole or not at all.
//!
//! - [`append`]: appends all of some bytes or none of them;
//! - [`bounded`]: files that are read as a whole, up to a maximum size;
//! - [`checkpoint`]: checkpoints as JSON;
//! - [`container`]: the common header and checksum of the formats;
//! - [`entries`]: the entries of a transposition table;
//! - [`fresh`]: a file that its first write begins anew;
//! - [`identity`]: the game, options and evaluation that entries were made for;
//! - [`lock`]: locks against a second writer;
//! - [`mapped`]: a large file that is mapped, not read;
//! - [`paths`]: refuses one file for two purposes;
//! - [`records`]: records appended to a file;
//! - [`regular`]: refuses pipes and folders before they are opened;
//! - [`replacement`]: a file that replaces another once it is complete;
//! - [`space`]: free disk space;
//! - [`unfinished`]: the names of unfinished files and of locks, and what killed processes left of them.

pub mod append;
pub mod bounded;
pub mod checkpoint;
pub mod container;
pub mod entries;
pub mod fresh;
pub mod identity;
pub mod lock;
pub mod mapped;
pub mod paths;
pub mod records;
pub mod regular;
pub mod replacement;
pub mod space;
pub mod unfinished;

pub use checkpoint::Checkpoint;
pub use entries::{Saved, check_replaced, save};
pub use fresh::FreshFile;
pub use identity::Identity;
pub use lock::FileLock;
pub use records::Records;
pub use replacement::Replacement;
