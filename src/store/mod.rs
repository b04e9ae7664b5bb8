//! Files that last: versioned, checksummed, replaced as a whole or not at all.
//!
//! - [`bounded`]: files that are read whole, if they are not too large;
//! - [`entries`]: the entries of a transposition table;
//! - [`head`]: what all of them begin with; `summed`: how they end;
//! - [`identity`]: what entries were made for, and what differs if they are met by something else;
//! - [`mapped`]: a large file that is mapped, not read;
//! - [`records`]: records in a file that grows;
//! - [`replacement`]: a file that takes the place of another once it is complete;
//! - [`space`]: room on disks.

pub mod bounded;
pub mod entries;
pub mod head;
pub mod identity;
pub mod mapped;
pub mod records;
pub mod replacement;
pub mod space;
mod summed;

pub use entries::{Saved, save};
pub use identity::Identity;
pub use records::Records;
pub use replacement::Replacement;
