//! The checks of the fuzz targets. The targets call them with generated inputs, `tests/corpus.rs` with those of the
//! corpus.

pub mod command;
pub mod dialogue;
pub mod game;

use secateurs::core::Error;
use secateurs::core::error::Quoted;

/// Checks that an error message is short and free of control characters.
fn presentable(error: &Error) {
    let message = error.to_string();
    let texts = if matches!(error, Error::IllegalMove(..)) { 2 } else { 1 };
    // The quoted input, truncated, and the message's own words.
    assert!(message.len() <= texts * Quoted::LIMIT + 120, "{} bytes: {message}", message.len());
    assert!(!message.contains(char::is_control), "{message:?}");
}
