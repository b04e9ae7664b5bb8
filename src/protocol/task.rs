//! What runs beside the dialogue, so that it can be stopped: a search, a perft, the benchmark, work on the table.

use super::reply;
use crate::bench;
use crate::core::error::Quoted;
use crate::core::{Error, Limits, StopFlag};
use crate::engine::{Board, Engine};
use crate::search::Table;
use crate::tables;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// A piece of work for a thread of its own.
pub enum Task {
    /// A search within limits.
    Search(Box<dyn Engine>, Limits),
    /// Perft to a depth, plies.
    Perft(Box<dyn Board>, u8),
    /// The benchmark.
    Bench,
    /// Waiting for the memory of a new table; the answer is that of `isready`.
    Ready(Arc<Table>),
    /// Saving the table, used by this board, to a file.
    Save(Arc<Table>, Box<dyn Board>, PathBuf),
    /// Adding to the table what a file holds for this board.
    Load(Arc<Table>, Box<dyn Board>, PathBuf),
}

impl Task {
    /// Whether it ends by itself.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Search(_, limits) => limits.is_finite(),
            Self::Perft(..) | Self::Bench | Self::Ready(_) | Self::Save(..) | Self::Load(..) => true,
        }
    }

    /// Whether it has something to tidy up when the dialogue is over.
    #[must_use]
    pub fn is_untidy(&self) -> bool {
        matches!(self, Self::Save(..))
    }

    /// Begins on a thread of its own. `say` gets the lines on the way, `done` the closing one.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn spawn(
        self,
        stop: StopFlag,
        say: impl Fn(String) + Send + 'static,
        done: impl FnOnce(String) + Send + 'static,
    ) -> std::io::Result<()> {
        thread::Builder::new().name("task".into()).spawn(move || done(self.run(&stop, &say))).map(drop)
    }

    /// Runs to the end, or until the flag is raised, and returns the closing line.
    fn run(self, stop: &StopFlag, say: &dyn Fn(String)) -> String {
        match self {
            Self::Search(mut engine, limits) => {
                let last = engine.search(&limits, stop, &mut |report| say(reply::info(report)));
                reply::best_move(&last)
            }
            Self::Perft(board, depth) => match board.divide(depth, stop) {
                Some(divided) => reply::perft(&divided, depth),
                None => reply::remark("perft was stopped"),
            },
            Self::Bench => match bench::run(stop, &mut |line| say(line.to_string())) {
                Ok(Some(total)) => total.to_string(),
                Ok(None) => reply::remark("bench was stopped"),
                Err(error) => reply::remark(&error.to_string()),
            },
            Self::Ready(table) => {
                table.ready();
                reply::READY.to_owned()
            }
            Self::Save(table, board, path) => {
                let saved = tables::save(&table, &*board, &path, stop);
                told(saved, "savehash", |entries| format!("saved {entries} entries to {}", shown(&path)))
            }
            Self::Load(table, board, path) => {
                let loaded = tables::load(&table, &*board, &path, stop);
                told(loaded, "loadhash", |entries| format!("loaded {entries} entries from {}", shown(&path)))
            }
        }
    }
}

/// The closing line of work on a file.
fn told(result: Result<Option<u64>, Error>, command: &str, done: impl Fn(u64) -> String) -> String {
    reply::remark(&match result {
        Ok(Some(entries)) => done(entries),
        Ok(None) => format!("{command} was stopped"),
        Err(error) => error.to_string(),
    })
}

fn shown(path: &Path) -> Quoted {
    Quoted::new(&path.to_string_lossy())
}
