//! Certificates of exact values: files that prove the result of a search without trust in the search.
//!
//! `docs/certificates.md` describes the file. Nothing here uses a search: [`save`] writes the claims that it is given,
//! and [`check`] checks them by the rules of the game alone.

mod check;
mod format;
mod write;

pub use check::{Proven, check};
pub use format::{LONGEST, VERSION};
pub use write::{Writer, Written, check_file, save};
