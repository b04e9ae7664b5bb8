//! The loop.

use std::io::{self, Read, Write};

/// How a dialogue begins.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game at the start, a name of the registry.
    pub game: String,
    /// Options set before the first command, name and value, as `setoption` would.
    pub options: Vec<(String, String)>,
    /// Where the dialogue is recorded with times, if anywhere.
    pub log: Option<std::path::PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { game: "kalah".into(), options: Vec::new(), log: None }
    }
}

/// Runs a dialogue until `quit`, the end of the input, or a closed output.
///
/// # Errors
/// Settings that cannot be used (as `InvalidInput`), a log that cannot be written, or an output that fails
/// otherwise than by being closed.
pub fn serve(_settings: &Settings, _input: impl Read + Send + 'static, _output: impl Write) -> io::Result<()> {
    Ok(())
}
