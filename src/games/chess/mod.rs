//! Chess and Chess960. The registry does not have them yet: notation and evaluation are missing.
//!
//! - [`rules`]: the position, by `cozy-chess`.

pub mod rules;

pub use rules::Chessboard;
