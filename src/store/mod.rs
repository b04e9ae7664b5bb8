//! Files that last: versioned, checksummed, replaced as a whole or not at all.
//!
//! - [`entries`]: the entries of a transposition table;
//! - [`identity`]: what entries were made for, and what differs if they are met by something else;
//! - [`replacement`]: a file that takes the place of another once it is complete.

pub mod entries;
pub mod identity;
pub mod replacement;

pub use entries::{Saved, save};
pub use identity::Identity;
pub use replacement::Replacement;
