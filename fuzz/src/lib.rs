//! What each fuzz target asserts. The targets call it with what the fuzzer makes up, `tests/corpus.rs` with what is
//! in the corpus.

pub mod command;
pub mod dialogue;
pub mod game;

use secateur::core::Error;
use secateur::core::error::Quoted;

/// Checks that an error is short and free of control characters.
fn presentable(error: &Error) {
    let message = error.to_string();
    let texts = if matches!(error, Error::IllegalMove(..)) { 2 } else { 1 };
    // The foreign text that is shown, a part of it, and our own words.
    assert!(message.len() <= texts * Quoted::LIMIT + 120, "{} bytes: {message}", message.len());
    assert!(!message.contains(char::is_control), "{message:?}");
}
