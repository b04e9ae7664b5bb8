//! An engine as a user describes it.

use crate::protocol::command::Dialect;
use crate::registry::Setup;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How an engine is started, and what it is told first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What it is called; if it is empty, what it calls itself.
    pub name: String,
    /// The program: a name is looked for in `PATH`, a relative path begins where we run, whatever `folder` is.
    pub program: PathBuf,
    /// Its arguments, passed on as they are: no shell reads them.
    pub arguments: Vec<String>,
    /// Its working folder; `None`: ours.
    pub folder: Option<PathBuf>,
    /// What its environment has beside ours.
    pub environment: Vec<(String, String)>,
    /// A file to which its stderr is appended; `None`: only its last line is kept, for the text of a [`Fault`](super::Fault).
    pub stderr: Option<PathBuf>,
    /// What it speaks.
    pub dialect: Dialect,
    /// Whether that is not sure: it is tried first, then the other one, and the engine's answer decides.
    pub probe: bool,
    /// The game, where it is not chess.
    pub game: Option<GameSpec>,
    /// Options with their values, set in this order after those of the game.
    pub options: Vec<(String, String)>,
    /// Whether options that the engine does not declare are passed over with a warning. By default they are errors: a
    /// match with a mistyped `Hash` is a match between other engines.
    pub lenient: bool,
    /// The longest time from its start to the end of the handshake, from then until it is ready, and until it is ready
    /// for each new game.
    pub startup: Duration,
    /// The longest time for any other answer (but `bestmove`), and for a line to be taken.
    pub response: Duration,
    /// The longest time from `quit` to its end.
    pub grace: Duration,
}

/// The game that an engine is to play, by its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The value of `UCI_Variant`, which is set if the engine declares that option.
    pub variant: String,
    /// The game's own options: those that the engine declares are set, the others are passed over with a warning.
    pub options: Vec<(String, String)>,
}

impl GameSpec {
    /// The game with those of its options that are not as they always are: the others need not be said, and not every
    /// engine knows them.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let options = setup.options().changed().map(|(row, value)| (row.name.to_owned(), value.to_string())).collect();
        Self { variant: setup.row().name.to_owned(), options }
    }
}

impl Spec {
    /// An engine with nothing particular: 10 s to start, 60 s to answer, 5 s to quit.
    #[must_use]
    pub fn new(dialect: Dialect, program: impl Into<PathBuf>) -> Self {
        Self {
            name: String::new(),
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            environment: Vec::new(),
            stderr: None,
            dialect,
            probe: false,
            game: None,
            options: Vec::new(),
            lenient: false,
            startup: Duration::from_secs(10),
            response: Duration::from_secs(60),
            grace: Duration::from_secs(5),
        }
    }

    /// The name, or that of the program.
    #[must_use]
    pub fn title(&self) -> String {
        let program = || self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if self.name.is_empty() { program() } else { self.name.clone() }
    }

    /// The command, stderr set.
    ///
    /// # Errors
    /// The file for stderr cannot be opened.
    pub(super) fn command(&self) -> io::Result<Command> {
        let path = self.program.components().count() > 1;
        let mut command = Command::new(if path { std::path::absolute(&self.program)? } else { self.program.clone() });
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.stderr(match &self.stderr {
            Some(path) => Stdio::from(append(path)?),
            None => Stdio::piped(),
        });
        Ok(command)
    }
}

fn append(path: &Path) -> io::Result<std::fs::File> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| io::Error::new(error.kind(), format!("its stderr cannot go to {}: {error}", path.display())))
}
