//! Work that runs beside the dialogue and can be stopped: a search, a perft, the benchmark, saving and loading the
//! table.

use super::format::Format;
use super::reply;
use crate::bench;
use crate::book::Reading;
use crate::core::error::Quoted;
use crate::core::solution;
use crate::core::tree::Room;
use crate::core::{Error, Progress, Report, Request, StopFlag};
use crate::engine::{Board, Engine};
use crate::rote_learning::{Pupil, RoteLearning};
use crate::search::Table;
use crate::tables;
use crate::views::{self, Form};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a task writes.
#[derive(Debug, PartialEq, Eq)]
pub enum Output {
    /// A line on the way.
    Line(String),
    /// The final lines. The task may go on for a moment.
    Closing(String),
}

/// A piece of work for the working thread.
pub enum Task {
    /// A search.
    Search(Box<Search>),
    /// A book move in place of a search.
    Book(Box<ByTheBook>),
    /// An exact search.
    Solve(Box<Solve>),
    /// A search that prints its tree.
    Tree(Box<TreeTask>),
    /// A perft to a depth in plies.
    Perft(Box<dyn Board>, u8),
    /// The benchmark.
    Bench,
    /// Waits for the memory of a new table and for books, and adds learned positions; then gives the reply to `isready`.
    Ready(Arc<Table>, Option<Reading>, Option<RoteLearning>, &'static str),
    /// Saves the table of this board to a file.
    Save(Arc<Table>, Box<dyn Board>, PathBuf),
    /// Adds the entries of a file to the table of this board.
    Load(Arc<Table>, Box<dyn Board>, PathBuf),
}

/// A search.
pub struct Search {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// The request.
    pub request: Request,
    /// How its lines are written.
    pub format: Format,
    /// The board at the root.
    pub board: Box<dyn Board>,
    /// The observer that learns from the search.
    pub pupil: Option<Pupil>,
}

/// The book's report of a position.
pub struct ByTheBook {
    /// The report.
    pub report: Report,
    /// How its lines are written.
    pub format: Format,
    /// The board at the root.
    pub board: Box<dyn Board>,
}

/// An exact search of a board.
pub struct Solve {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// The request.
    pub request: solution::SolveRequest,
    /// The board, which converts scores to margins.
    pub board: Box<dyn Board>,
}

/// A search that prints its tree. It starts from an empty table and is therefore reproducible.
pub struct TreeTask {
    /// The board at the root.
    pub board: Box<dyn Board>,
    /// The request.
    pub request: Request,
    /// The limits of the printed tree.
    pub room: Room,
}

/// The table size of a search that prints its tree, in MiB.
const TREE_HASH: usize = 16;

/// A running task, as the dialogue sees it.
pub struct Running {
    /// Stops the task, or ends its pondering.
    pub stop: StopFlag,
    /// Whether the result waits for `stop` even if the work ends by itself.
    pub endless: bool,
    /// Whether `stop` applies to the task: not to `isready`, nor once the final lines are written.
    pub stoppable: bool,
    /// Whether the task has to clean up when the dialogue is over.
    pub untidy: bool,
    /// The final lines of a task that come before they may be sent.
    pub held: Option<String>,
    /// Whether its final lines are written.
    pub closed: bool,
    /// Whether the task has ended.
    pub ended: bool,
}

impl Running {
    /// Returns whether the final lines must wait for `stop` or `ponderhit`.
    #[must_use]
    pub fn waits(&self) -> bool {
        !self.stop.is_raised() && (self.endless || self.stop.is_pondering())
    }

    /// Returns whether a `stop` applies: the task takes it and is not stopped yet.
    #[must_use]
    pub fn can_stop(&self) -> bool {
        self.stoppable && !self.stop.is_raised()
    }

    /// Returns whether a `ponderhit` applies: the task ponders and is not stopped.
    #[must_use]
    pub fn can_be_hit(&self) -> bool {
        self.can_stop() && self.stop.is_pondering()
    }
}

impl Task {
    /// Returns whether `stop` ends the task.
    #[must_use]
    pub fn is_stoppable(&self) -> bool {
        !matches!(self, Self::Ready(..))
    }

    /// Returns whether the task has to clean up when the dialogue is over.
    #[must_use]
    pub fn is_untidy(&self) -> bool {
        matches!(self, Self::Save(..))
    }

    /// Runs the task to its end. `write` receives the lines on the way and, once, the final lines, also after a panic.
    pub fn complete(mut self, stop: &StopFlag, write: &dyn Fn(Output)) {
        let closed = Cell::new(false);
        let write = |output| match output {
            Output::Closing(_) if closed.replace(true) => {}
            output => write(output),
        };
        // State that a panic leaves inconsistent is dropped with the task; the table is consistent at any time.
        let closing = catch_unwind(AssertUnwindSafe(|| self.run(stop, &write)));
        write(Output::Closing(closing.unwrap_or_else(|_| self.failed(&|line| write(Output::Line(line))))));
    }

    /// Returns the final lines after a panic: a search still plays a legal move.
    fn failed(&self, say: &dyn Fn(String)) -> String {
        const FAULT: &str = "a fault of Secateurs ended this; please report it";
        let Self::Search(search) = self else { return reply::remark(FAULT) };
        let Search { format, board, request, .. } = &**search;
        say(format.remark(FAULT));
        format.failed(first_move(&**board, &request.moves).as_deref(), &**board)
    }

    /// Runs to the end or until the flag is raised, and returns the final lines.
    fn run(&mut self, stop: &StopFlag, write: &dyn Fn(Output)) -> String {
        let say = &|line| write(Output::Line(line));
        match self {
            Self::Search(search) => search.run(stop, write),
            Self::Book(book) => {
                let ByTheBook { report, format, board } = &**book;
                say(format.info(report, &**board));
                format.closing(report, &**board)
            }
            Self::Solve(solve) => solve.run(stop, say),
            Self::Tree(tree) => tree.run(stop),
            Self::Perft(board, depth) => perft(&**board, *depth, stop, say),
            Self::Bench => match bench::run(stop, &mut |line| say(line.to_string())) {
                Ok(Some(total)) => total.to_string(),
                Ok(None) => reply::remark("bench was stopped"),
                Err(error) => reply::remark(&error.to_string()),
            },
            Self::Ready(table, books, learned, reply) => {
                table.ready(stop);
                let _ = books.as_ref().map(Reading::wait);
                learned.iter().for_each(|learned| learned.teach(table, usize::MAX));
                (*reply).to_owned()
            }
            Self::Save(table, board, path) => {
                let saved = tables::save(table, &**board, path, stop);
                file_remark(saved, "savehash", |entries| format!("saved {entries} entries to {}", shown(path)))
            }
            Self::Load(table, board, path) => {
                let loaded = tables::load(table, &**board, path, stop);
                file_remark(loaded, "loadhash", |entries| format!("loaded {entries} entries from {}", shown(path)))
            }
        }
    }
}

impl Search {
    /// Searches and returns the final lines. They are written before the search has ended unless something is learned.
    fn run(&mut self, stop: &StopFlag, write: &dyn Fn(Output)) -> String {
        let Self { engine, request, format, board, pupil } = self;
        let say = &|line| write(Output::Line(line));
        let lines = engine.search(request, stop, &mut |event| {
            if let Some(pupil) = pupil {
                pupil.observe(&event);
            }
            match event {
                Progress::Line(report) => say(format.info(report, &**board)),
                Progress::Move { depth, mv, number } => {
                    format.current_move(depth, mv, number).into_iter().for_each(say)
                }
                Progress::Result(lines) if pupil.is_none() => {
                    write(Output::Closing(format.closing(&lines[0], &**board)))
                }
                Progress::Result(_) => {}
            }
        });
        if let Some(Err(error)) = pupil.take().map(|pupil| pupil.learn(&**engine, lines[0].nodes)) {
            say(format.remark(&error.to_string()));
        }
        format.closing(&lines[0], &**board)
    }
}

impl Solve {
    fn run(&mut self, stop: &StopFlag, say: &dyn Fn(String)) -> String {
        let board = &*self.board;
        let solution = self.engine.solve(&self.request, stop, &mut |known| say(reply::known(known, board)));
        if let Some(reason) = solution.refused {
            say(reply::remark(&format!("solve: {reason}")));
        }
        reply::solved(&solution, self.request.moves, board)
    }
}

impl TreeTask {
    fn run(&self, stop: &StopFlag) -> String {
        let Self { board, request, room } = self;
        let table = match Table::new(TREE_HASH) {
            Ok(table) => Arc::new(table),
            Err(error) => return reply::remark(&error.to_string()),
        };
        let (_, tree) = board.engine(table).record(request, *room, stop, &mut |_| {});
        // The flag ends the search; what it has found is shown.
        let tree = board.named(&tree, &StopFlag::new());
        views::written(Form::Text, &tree, &**board) + &reply::tree(&tree)
    }
}

/// Returns the best move of a failed search: the first legal one, among these codes if any are given.
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

/// Says the count below each first move as soon as it is known, and returns the last line.
fn perft(board: &dyn Board, depth: u8, stop: &StopFlag, say: &dyn Fn(String)) -> String {
    let mut counted = 0;
    let total = board.divide(depth, stop, &mut |mv, count| {
        counted += count;
        say(format!("{mv}: {count}"));
    });
    match total {
        Some(total) => format!("\nperft {depth}: {total}"),
        None => reply::remark(&format!("perft was stopped; {counted} lines were counted")),
    }
}
