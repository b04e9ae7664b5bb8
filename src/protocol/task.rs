//! Work that runs beside the dialogue, most of which can be stopped: searches, their trees, a perft, the benchmark,
//! saving and loading the table.

use super::reply;
use super::writer::Writer;
use crate::bench;
use crate::book::Reading;
use crate::core::error::Quoted;
use crate::core::solution::SolveRequest;
use crate::core::tree::Room;
use crate::core::{Error, Progress, Report, Request, StopFlag};
use crate::engine::{Board, Engine};
use crate::rote_learning::RoteLearning;
use crate::search::Table;
use crate::tables;
use crate::views::{self, Form};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

/// The table size of a search that prints its tree, in MiB.
const TREE_HASH: usize = 16;

/// The remark after a panic.
const FAULT: &str = "a fault of Secateurs ended this; please report it";

/// An output of a task.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// A line before the final ones.
    Line(String),
    /// The final lines. The task may continue for a moment.
    Closing(String),
    Done,
}

/// Sends a task's lines to the dialogue.
pub(super) struct Lines<'a> {
    send: &'a dyn Fn(Output),
    is_closed: Cell<bool>,
}

impl Lines<'_> {
    pub(super) fn say(&self, line: String) {
        (self.send)(Output::Line(line));
    }

    /// Sends the final lines, the first time it is called.
    pub(super) fn close(&self, lines: String) {
        if !self.is_closed.replace(true) {
            (self.send)(Output::Closing(lines));
        }
    }
}

/// Runs to the end or until the flag is raised, and returns the final lines.
type Work = dyn FnOnce(&StopFlag, &Lines<'_>) -> String + Send;

/// Work for the worker thread.
pub(super) struct Task {
    run: Box<Work>,
    /// Returns the final lines after a panic.
    fail: Box<dyn FnOnce(&Lines<'_>) -> String + Send>,
    /// Stops the task, or ends its pondering.
    pub(super) stop: StopFlag,
    /// Whether the result waits for `stop` even if the work has ended.
    pub(super) is_endless: bool,
    /// Whether `stop` ends the task.
    pub(super) is_stoppable: bool,
    /// Whether the task must clean up when the dialogue is over.
    pub(super) cleans_up: bool,
}

/// Executes the tasks until the dialogue is over.
pub(super) fn work(tasks: &Receiver<Task>, send: &dyn Fn(Output)) {
    for task in tasks {
        task.complete(send);
    }
}

impl Task {
    fn new(run: impl FnOnce(&StopFlag, &Lines<'_>) -> String + Send + 'static) -> Self {
        Self {
            run: Box::new(run),
            fail: Box::new(|_| reply::remark(FAULT)),
            stop: StopFlag::new(),
            is_endless: false,
            is_stoppable: true,
            cleans_up: false,
        }
    }

    /// Runs the task to its end. It sends lines before the final ones and then these, once, even after a panic.
    pub(super) fn complete(self, send: &dyn Fn(Output)) {
        let Self { run, fail, stop, .. } = self;
        let lines = Lines { send, is_closed: Cell::new(false) };
        // State that a panic leaves inconsistent is dropped with the task; the table is always consistent.
        let closing = catch_unwind(AssertUnwindSafe(|| run(&stop, &lines)));
        lines.close(closing.unwrap_or_else(|payload| {
            // What is no message was raised by the rules of a game outside the registry.
            if !payload.is::<&str>() && !payload.is::<String>() {
                resume_unwind(payload);
            }
            fail(&lines)
        }));
        send(Output::Done);
    }

    /// Creates a search of this board. Its final lines are written before it has ended unless it learns. Even after a
    /// panic it plays a legal move.
    pub(super) fn search(
        mut engine: Box<dyn Engine>,
        learned: Option<RoteLearning>,
        request: Request,
        writer: Arc<dyn Writer>,
        board: Box<dyn Board>,
    ) -> Self {
        let (root, moves) = (board.boxed(), request.moves.clone());
        let failing = Arc::clone(&writer);
        let fail = Box::new(move |lines: &Lines<'_>| {
            lines.say(failing.remark(FAULT));
            failing.failed(first_move(&*root, &moves).as_deref(), &*root)
        });
        let run = move |stop: &StopFlag, lines: &Lines<'_>| {
            let progress = &mut |event: Progress<'_>| match event {
                Progress::Line(report) => lines.say(writer.info(report, &*board)),
                Progress::Move { depth, mv, number } => {
                    writer.current_move(depth, mv, number).into_iter().for_each(|line| lines.say(line));
                }
                Progress::Result(found) => lines.close(writer.closing(&found[0], &*board)),
            };
            let (found, saved) = match &learned {
                Some(learned) => learned.search(&mut *engine, &request, stop, progress),
                None => (engine.search(&request, stop, progress), Ok(())),
            };
            if let Err(error) = saved {
                lines.say(writer.remark(&error.to_string()));
            }
            writer.closing(&found[0], &*board)
        };
        Self { fail, ..Self::new(run) }
    }

    /// Creates the book's answer in place of a search.
    pub(super) fn book(report: Report, writer: Arc<dyn Writer>, board: Box<dyn Board>) -> Self {
        Self::new(move |_, lines| {
            lines.say(writer.info(&report, &*board));
            writer.closing(&report, &*board)
        })
    }

    pub(super) fn solve(mut engine: Box<dyn Engine>, request: SolveRequest, board: Box<dyn Board>) -> Self {
        Self::new(move |stop, lines| {
            let solution = engine.solve(&request, stop, &mut |known| lines.say(reply::known(known, &*board)));
            if let Some(reason) = solution.refused {
                lines.say(reply::remark(&format!("solve: {reason}")));
            }
            reply::solved(&solution, request.moves, &*board)
        })
    }

    /// Creates a search that prints its tree. It starts from an empty table and is therefore reproducible.
    pub(super) fn tree(board: Box<dyn Board>, request: Request, room: Room) -> Self {
        Self::new(move |stop, _| {
            let table = match Table::new(TREE_HASH) {
                Ok(table) => Arc::new(table),
                Err(error) => return reply::remark(&error.to_string()),
            };
            let (_, tree) = board.engine(table).record(&request, room, stop, &mut |_| {});
            // The flag has ended the search; what it has found is still written.
            let tree = board.named(&tree, &StopFlag::new());
            views::written(Form::Text, &tree, &*board) + &reply::tree(&tree)
        })
    }

    /// Creates a perft to a depth in plies. It reports the count below each first move as soon as it is known.
    pub(super) fn perft(board: Box<dyn Board>, depth: u8) -> Self {
        Self::new(move |stop, lines| {
            let mut counted = 0;
            let total = board.divide(depth, stop, &mut |mv, count| {
                counted += count;
                lines.say(format!("{mv}: {count}"));
            });
            match total {
                Some(total) => format!("\nperft {depth}: {total}"),
                None => reply::remark(&format!("perft was stopped; {counted} lines were counted")),
            }
        })
    }

    pub(super) fn bench() -> Self {
        Self::new(|stop, lines| match bench::run(stop, &mut |line| lines.say(line.to_string())) {
            Ok(Some(total)) => total.to_string(),
            Ok(None) => reply::remark("bench was stopped"),
            Err(error) => reply::remark(&error.to_string()),
        })
    }

    /// Creates a task that waits for the memory of a new table and for books, adds learned positions, and then replies.
    pub(super) fn ready(
        table: Arc<Table>,
        books: Option<Reading>,
        learned: Option<RoteLearning>,
        reply: &'static str,
    ) -> Self {
        let run = move |stop: &StopFlag, _: &Lines<'_>| {
            table.ready(stop);
            let _ = books.as_ref().map(Reading::wait);
            learned.iter().for_each(|learned| learned.preload(&table, usize::MAX));
            reply.to_owned()
        };
        // A `quit` directly behind `isready` is no reason to leave it without its reply.
        Self { is_stoppable: false, cleans_up: true, ..Self::new(run) }
    }

    /// Saves the table of this board to a file.
    pub(super) fn save(table: Arc<Table>, board: Box<dyn Board>, path: PathBuf) -> Self {
        let run = move |stop: &StopFlag, _: &Lines<'_>| {
            let saved = tables::save(&table, &*board, &path, stop);
            file_remark(saved, "savehash", |entries| format!("saved {entries} entries to {}", shown(&path)))
        };
        Self { cleans_up: true, ..Self::new(run) }
    }

    /// Adds the entries of a file to the table of this board.
    pub(super) fn load(table: Arc<Table>, board: Box<dyn Board>, path: PathBuf) -> Self {
        Self::new(move |stop, _| {
            let loaded = tables::load(&table, &*board, &path, stop);
            file_remark(loaded, "loadhash", |entries| format!("loaded {entries} entries from {}", shown(&path)))
        })
    }
}

/// Returns the best move of a failed search: the first legal one, or the first of these codes if there are any.
fn first_move(board: &dyn Board, codes: &[u16]) -> Option<String> {
    let mut legal = board.codes().into_iter().zip(board.moves());
    let first = legal.find(|(code, _)| codes.is_empty() || codes.contains(code));
    first.map(|(_, mv)| mv)
}

/// Returns the final line of work on a file.
fn file_remark(result: Result<Option<u64>, Error>, command: &str, done: impl Fn(u64) -> String) -> String {
    reply::remark(&match result {
        Ok(Some(entries)) => done(entries),
        Ok(None) => format!("{command} was stopped"),
        Err(error) => error.to_string(),
    })
}

fn shown(path: &Path) -> Quoted {
    Quoted::new(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    //! A fault in an engine: the dialogue continues, and a search is still answered.

    use super::*;
    use crate::core::solution::{Claim, Solution, Uncertified};
    use crate::core::tree::SearchTree;
    use crate::core::{Limits, NodeCounts, Options};
    use crate::protocol::options::{General, OPTIONS};
    use crate::protocol::reply::UciWriter;
    use crate::registry::GAMES;
    use crate::search::entry::Entry;
    use std::cell::RefCell;

    /// An engine that panics, before its result or after it.
    struct Faulty {
        result: Option<Report>,
    }

    impl Engine for Faulty {
        fn table(&self) -> &Table {
            panic!("a fault")
        }

        fn search(&mut self, _: &Request, _: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
            self.result.iter().for_each(|report| progress(Progress::Result(std::slice::from_ref(report))));
            panic!("a fault")
        }

        fn root_entry(&self, _: &Report) -> (u64, Entry) {
            panic!("a fault")
        }

        fn record(
            &mut self,
            _: &Request,
            _: Room,
            _: &StopFlag,
            _: &mut dyn FnMut(Progress<'_>),
        ) -> (Vec<Report>, SearchTree<u16>) {
            panic!("a fault")
        }

        fn count(&mut self, _: &Request, _: &StopFlag) -> (Vec<Report>, NodeCounts) {
            panic!("a fault")
        }

        fn solve(&mut self, _: &SolveRequest, _: &StopFlag, _: &mut dyn FnMut(&Solution)) -> Solution {
            panic!("a fault")
        }

        fn certify(&mut self, _: &SolveRequest, _: &StopFlag, _: &mut dyn FnMut(&Claim)) -> Result<(), Uncertified> {
            panic!("a fault")
        }
    }

    #[test]
    fn a_search_that_fails_still_plays_a_legal_move() {
        let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
        let last = board.codes().pop().unwrap();
        for (codes, best) in [(vec![], board.moves()[0].clone()), (vec![last], board.moves().pop().unwrap())] {
            let closing = Output::Closing(format!("bestmove {best}"));
            assert_eq!(written(&*board, codes, None), [Output::Line(REMARK.into()), closing, Output::Done]);
        }
    }

    #[test]
    fn a_search_that_fails_after_its_result_has_one_answer() {
        let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
        let report = board.engine(Arc::new(Table::new(1).unwrap())).search(
            &Request::new(Limits::depth(1)),
            &StopFlag::new(),
            &mut |_| {},
        );
        let closing = Output::Closing(format!("bestmove {}", report[0].pv[0]));
        let all = [closing, Output::Line(REMARK.into()), Output::Done];
        assert_eq!(written(&*board, vec![], report.into_iter().next()), all);
    }

    const REMARK: &str = "info string a fault of Secateurs ended this; please report it";

    /// Returns what a search of these moves by a [`Faulty`] engine writes.
    fn written(board: &dyn Board, moves: Vec<u16>, result: Option<Report>) -> Vec<Output> {
        let request = Request { moves, ..Request::new(Limits::depth(3)) };
        let writer = Arc::new(UciWriter { options: General::new(&Options::new(OPTIONS), 1), names_reply: false });
        let written = RefCell::new(Vec::new());
        let task = Task::search(Box::new(Faulty { result }), None, request, writer, board.boxed());
        task.complete(&|output| written.borrow_mut().push(output));
        written.into_inner()
    }
}
