//! What a dialogue learns by rote: the file that `LearnFile` names, opened when a search first needs it.

use crate::core::error::Quoted;
use crate::core::{Error, Options};
use crate::engine::Board;
use crate::rote_learning::{MIB, RoteLearning};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The option that names the file.
pub const FILE: &str = "LearnFile";

/// The option for its size, MiB.
pub const SIZE: &str = "LearnSize";

/// What `LearnFile` and `LearnSize` ask for, and what came of it.
#[derive(Default)]
pub struct Learning {
    path: Option<PathBuf>,
    /// Bytes.
    limit: u64,
    opened: Option<Opened>,
}

/// What was opened for the boards of a game with these options; nothing if it could not be.
struct Opened {
    game: &'static str,
    options: Options,
    learned: Option<RoteLearning>,
}

impl Learning {
    /// Takes the values of the two options. Nothing is opened yet: the options that the file must fit may come later.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::BadFile`] for a path that can be no file; nothing is changed then.
    pub fn set(&mut self, options: &Options) -> Result<(), Error> {
        let path = Some(options.text(FILE)).filter(|text| !text.is_empty() && *text != "<empty>").map(PathBuf::from);
        let limit = options.spin(SIZE).unsigned_abs().saturating_mul(MIB);
        if (&path, limit) != (&self.path, self.limit) {
            path.as_deref().map_or(Ok(()), possible)?;
            *self = Self { path, limit, opened: None };
        }
        Ok(())
    }

    /// What is remembered of a board's game, if anything is to be, and what is to be said about that: once, when the file is
    /// opened. If it cannot be, the engine plays on without it.
    pub fn of(&mut self, board: &dyn Board) -> (Option<&RoteLearning>, Option<String>) {
        let Some(path) = &self.path else { return (None, None) };
        let (game, options) = (board.game(), board.options());
        let mut remark = None;
        if self.opened.as_ref().is_none_or(|opened| (opened.game, &opened.options) != (game, options)) {
            // The old one is closed first: it may be the same file.
            self.opened = None;
            let learned = RoteLearning::open(path, board, self.limit);
            remark = Some(match &learned {
                Ok(learned) => opened(path, learned),
                Err(error) => error.to_string(),
            });
            self.opened = Some(Opened { game, options: options.clone(), learned: learned.ok() });
        }
        (self.opened.as_ref().and_then(|opened| opened.learned.as_ref()), remark)
    }

    /// A new game: what takes time is done now.
    pub fn new_game(&self) {
        let learned = self.opened.as_ref().and_then(|opened| opened.learned.as_ref());
        if let Some(Err(error)) = learned.map(RoteLearning::tidy) {
            log::warn!("{error}");
        }
    }
}

fn opened(path: &Path, learned: &RoteLearning) -> String {
    let file = Quoted::new(&path.to_string_lossy());
    let note = if learned.is_saved() { "" } else { "; another process writes it: what is learnt here is not kept" };
    format!("{} positions are remembered from {file}{note}", learned.len())
}

/// Whether there can be a file: what is there is one, or there is a folder for it.
fn possible(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Error::bad_file(path, "is not a regular file")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            match fs::metadata(folder) {
                Ok(found) if !found.is_dir() => {
                    Err(Error::file("open", path, &io::Error::from(ErrorKind::NotADirectory)))
                }
                found => found.map(drop).map_err(|error| Error::file("open", path, &error)),
            }
        }
        Err(error) => Err(Error::file("open", path, &error)),
    }
}
