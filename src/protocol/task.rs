//! What runs beside the dialogue, so that it can be stopped: a search, a perft, the benchmark.

use super::reply;
use crate::bench;
use crate::core::{Progress, Request, StopFlag};
use crate::engine::{Board, Engine};
use std::thread;

/// A piece of work for a thread of its own.
pub enum Task {
    /// A search.
    Search(Box<dyn Engine>, Request),
    /// Perft to a depth, plies.
    Perft(Box<dyn Board>, u8),
    /// The benchmark.
    Bench,
}

impl Task {
    /// Whether it ends by itself.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Search(_, request) => request.limits.is_finite(),
            Self::Perft(..) | Self::Bench => true,
        }
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
            Self::Search(mut engine, request) => {
                let lines = engine.search(&request, stop, &mut |told| match told {
                    Progress::Line(report) => say(reply::info(report)),
                    Progress::Move { .. } => {}
                });
                reply::best_move(&lines[0])
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
        }
    }
}
