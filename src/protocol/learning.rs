//! Rote learning in a dialogue: the file that `LearnFile` names. `isready` opens it, or the first search that needs it.

use crate::core::error::Quoted;
use crate::core::{Error, Options};
use crate::engine::Board;
use crate::rote_learning::{MIB, RoteLearning};
use crate::util::counted::counted;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The option for the path of the file.
pub(super) const FILE: &str = "LearnFile";

/// The option for the size of the file, in MiB.
pub(super) const SIZE: &str = "LearnSize";

/// The values of `LearnFile` and `LearnSize`, and the open file.
#[derive(Default)]
pub(super) struct Learning {
    path: Option<PathBuf>,
    /// The size limit in bytes.
    limit: u64,
    opened: Option<Opened>,
}

/// The file opened for one game with these options; `learned` is `None` if opening failed.
struct Opened {
    game: &'static str,
    options: Options,
    learned: Option<RoteLearning>,
}

impl Opened {
    fn new(board: &dyn Board, learned: Option<RoteLearning>) -> Self {
        Self { game: board.game(), options: board.options().clone(), learned }
    }
}

impl Learning {
    /// Sets the values of the two options. The file is opened later: it must match options that may still change.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::BadFile`] for a path that cannot be a regular file; nothing changes then.
    pub(super) fn set(&mut self, options: &Options) -> Result<(), Error> {
        let path = Some(options.text(FILE)).filter(|text| !text.is_empty()).map(PathBuf::from);
        let limit = options.spin(SIZE).unsigned_abs().saturating_mul(MIB);
        if (&path, limit) != (&self.path, self.limit) {
            path.as_deref().map_or(Ok(()), possible)?;
            *self = Self { path, limit, opened: None };
        }
        Ok(())
    }

    /// Returns the learned positions of the board's game, if learning is on, and a remark if this opened the file. If
    /// the file cannot be opened, the remark is the error, and the engine plays without it.
    pub(super) fn for_board(&mut self, board: &dyn Board) -> (Option<RoteLearning>, Option<String>) {
        let remark = self.open(board);
        (self.learned().cloned(), remark)
    }

    /// Does what may take longer than a clock allows: opens the file, if it exists, for the game of a board that the
    /// next `position` may set up, and prunes it if it is full. The remarks include errors.
    pub(super) fn prepare(&mut self, board: &dyn Board) -> (Option<RoteLearning>, Vec<String>) {
        let exists = |path: &PathBuf| fs::metadata(path).is_ok_and(|found| found.len() > 0);
        let opened = if self.path.as_ref().is_some_and(exists) { self.open(board) } else { None };
        let failed = self.learned().and_then(|learned| learned.tidy().err());
        let remarks = opened.into_iter().chain(failed.map(|error| error.to_string())).collect();
        (self.learned().cloned(), remarks)
    }

    /// Opens the file for the game of a board unless that has been tried already; returns a remark.
    fn open(&mut self, board: &dyn Board) -> Option<String> {
        let path = self.path.as_ref().filter(|_| !self.was_tried(board))?;
        // Close the old file first: it may be the same file.
        self.opened = None;
        let learned = RoteLearning::open(path, board, self.limit);
        let remark = learned.as_ref().map_or_else(Error::to_string, |learned| opened(path, learned));
        self.opened = Some(Opened::new(board, learned.ok()));
        Some(remark)
    }

    /// Whether the file is open for the game and the options of a board, or has failed to open for them.
    fn was_tried(&self, board: &dyn Board) -> bool {
        self.opened.as_ref().is_some_and(|opened| (opened.game, &opened.options) == (board.game(), board.options()))
    }

    fn learned(&self) -> Option<&RoteLearning> {
        self.opened.as_ref().and_then(|opened| opened.learned.as_ref())
    }
}

fn opened(path: &Path, learned: &RoteLearning) -> String {
    let file = Quoted::new(&path.to_string_lossy());
    let note = if learned.is_saved() { "" } else { "; another process writes it: what is learned here is not kept" };
    let is = if learned.positions() == 1 { "is" } else { "are" };
    format!("{} {is} remembered from {file}{note}", counted(learned.positions(), "position"))
}

/// Checks that the path is a regular file, or that its folder exists.
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
