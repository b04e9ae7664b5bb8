//! The user's description of an engine, and the services that engines share.

use super::transcript::Transcript;
use super::watchdog::Watchdog;
use secateurs::core::StopFlag;
use secateurs::core::error::{Quoted, harmless};
use secateurs::protocol::command::Dialect;
use secateurs::registry::Setup;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The description of an engine: how to start and configure it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Its name; if empty, the name that it reports.
    pub name: String,
    /// The program: a plain name is searched in `PATH`; a relative path starts at the current folder, not at `folder`.
    pub program: PathBuf,
    /// Its arguments, passed on unchanged, without a shell.
    pub arguments: Vec<String>,
    /// Its working folder; `None`: the current one.
    pub folder: Option<PathBuf>,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
    /// A file to which its stderr is appended; `None`: only the last line is stored, for the message of a
    /// [`Fault`](super::Fault).
    pub stderr: Option<PathBuf>,
    /// Its dialect.
    pub dialect: Dialect,
    /// Whether the dialect is uncertain: it is tried first, then the other one, and the engine's reply decides.
    pub probe: bool,
    /// The game, unless it is chess.
    pub game: Option<GameSpec>,
    /// Options with their values, set in this order after those of the game.
    pub options: Vec<(String, String)>,
    /// Whether undeclared options are ignored with a warning, the one that selects the game included. By default they
    /// are errors, so that a mistyped `Hash` does not change the match.
    pub lenient: bool,
    /// The time-out of the handshake, of the first `isready`, and of `isready` for each new game.
    pub startup: Duration,
    /// The time-out of any other reply except `bestmove`, and of sending a line.
    pub response: Duration,
    /// The time-out from `quit` to the end of the process.
    pub grace: Duration,
}

/// The game that an engine plays, as options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSpec {
    /// The value of `UCI_Variant`, set if the engine declares that option.
    pub variant: String,
    /// The game's own options: undeclared ones are ignored with a warning.
    pub options: Vec<(String, String)>,
}

impl GameSpec {
    /// Returns the game with its non-default options; not every engine declares the others.
    pub fn new(setup: &Setup) -> Self {
        let options = setup.options().changed().map(|(row, value)| (row.name.to_owned(), value.to_string())).collect();
        Self { variant: setup.row().name.to_owned(), options }
    }
}

impl Spec {
    /// Returns a description with default settings: 10 s to start, 60 s to reply, 5 s to quit.
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

    /// Returns the name, or else that of the program.
    pub(crate) fn title(&self) -> String {
        let program = || self.program.file_name().unwrap_or(self.program.as_os_str()).to_string_lossy().into_owned();
        if self.name.is_empty() { harmless(&program()) } else { self.name.clone() }
    }

    /// Returns the program as records name it: relative to its working folder if it lies there, so that a record stays
    /// valid after the folder has moved.
    pub(crate) fn recorded_program(&self) -> &Path {
        let folder = self.folder.as_deref().filter(|folder| !folder.as_os_str().is_empty());
        folder.and_then(|folder| self.program.strip_prefix(folder).ok()).unwrap_or(&self.program)
    }

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
    // Of another kind than a missing program.
    opened.map_err(|error| {
        io::Error::other(format!("its stderr cannot go to {}: {error}", Quoted::new(&path.to_string_lossy())))
    })
}

/// Shared services for engines.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// Kills the engine if this process dies.
    pub watchdog: Option<Arc<Watchdog>>,
    /// Records the dialogue.
    pub transcript: Option<Transcript>,
    /// When raised, ends every wait for an engine with [`Lost::Aborted`](super::Lost::Aborted).
    pub abort: StopFlag,
}
