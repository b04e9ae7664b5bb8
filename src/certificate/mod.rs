//! Certificates of exact values: files that prove what a search has found to those who do not trust it.
//!
//! `docs/certificates.md` describes the file. Nothing here knows of any search: [`save`] is told the claims, and
//! [`check`] holds them against the rules of movement and the ends of games alone.

mod check;
mod format;
mod write;

pub use check::{Proven, check};
pub use format::{LONGEST, VERSION};
pub use write::{Writer, Written, save};
