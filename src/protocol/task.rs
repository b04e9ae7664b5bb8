//! What runs beside the dialogue, so that it can be stopped: a search, a perft, the benchmark, work on the table.

use super::options::General;
use super::reply;
use crate::bench;
use crate::book::Reading;
use crate::core::error::Quoted;
use crate::core::solution;
use crate::core::tree::Room;
use crate::core::{Error, Progress, Report, Request, StopFlag};
use crate::engine::{Board, Engine};
use crate::rote_learning::Pupil;
use crate::search::{STACK, Table};
use crate::tables;
use crate::views::{self, Form};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// A piece of work for a thread of its own.
pub enum Task {
    /// A search.
    Search(Box<Search>),
    /// No search: the book has the position.
    Book(Box<ByTheBook>),
    /// An exact search.
    Solve(Box<Solve>),
    /// A search whose tree is shown.
    Tree(Box<TreeTask>),
    /// Perft to a depth, plies.
    Perft(Box<dyn Board>, u8),
    /// The benchmark.
    Bench,
    /// Waiting for the memory of a new table, and for books; the answer is that of `isready`.
    Ready(Arc<Table>, Option<Reading>),
    /// Saving the table, used by this board, to a file.
    Save(Arc<Table>, Box<dyn Board>, PathBuf),
    /// Adding to the table what a file holds for this board.
    Load(Arc<Table>, Box<dyn Board>, PathBuf),
}

/// A search, and how it is told.
pub struct Search {
    /// What searches.
    pub engine: Box<dyn Engine>,
    /// What it is asked.
    pub request: Request,
    /// What its lines say.
    pub options: General,
    /// The board.
    pub board: Box<dyn Board>,
    /// Whether the closing words name the reply that is expected.
    pub names_reply: bool,
    /// What learns from it.
    pub pupil: Option<Pupil>,
}

/// What the book says of a position, and how it is told.
pub struct ByTheBook {
    /// The line.
    pub report: Report,
    /// What its line says.
    pub options: General,
    /// The board.
    pub board: Box<dyn Board>,
    /// Whether the closing words name the reply that is expected.
    pub names_reply: bool,
}

/// An exact search of a board.
pub struct Solve {
    /// What searches.
    pub engine: Box<dyn Engine>,
    /// What it is asked.
    pub request: solution::SolveRequest,
    /// The board, which counts its values.
    pub board: Box<dyn Board>,
}

/// A search whose tree is shown, from an empty table: what it finds can be repeated.
pub struct TreeTask {
    /// The board.
    pub board: Box<dyn Board>,
    /// What is asked.
    pub request: Request,
    /// How much is shown.
    pub room: Room,
}

/// The table of a search whose tree is shown, MiB.
const TREE_HASH: usize = 16;

/// A task under way, as the dialogue sees it.
pub struct Running {
    /// Stops it, or ends its pondering.
    pub stop: StopFlag,
    /// Whether it is not over before `stop`, even if it comes to an end by itself.
    pub endless: bool,
    /// Whether `stop` is for it at all.
    pub stoppable: bool,
    /// Whether it has something to tidy up when the dialogue is over.
    pub untidy: bool,
    /// Its closing words, if it came to an end before somebody wants them.
    pub held: Option<String>,
}

impl Running {
    /// Whether nobody wants its closing words yet: it waits for `stop`, or for `ponderhit`.
    #[must_use]
    pub fn waits(&self) -> bool {
        !self.stop.is_raised() && (self.endless || self.stop.is_pondering())
    }

    /// Whether a `stop` is for it: it was not stopped before, and is more than an `isready` that waits.
    #[must_use]
    pub fn can_stop(&self) -> bool {
        self.stoppable && !self.stop.is_raised()
    }

    /// Whether a `ponderhit` is for it: it ponders, and was not stopped.
    #[must_use]
    pub fn can_be_hit(&self) -> bool {
        self.can_stop() && self.stop.is_pondering()
    }
}

impl Task {
    /// Whether `stop` ends it.
    #[must_use]
    pub fn is_stoppable(&self) -> bool {
        !matches!(self, Self::Ready(..))
    }

    /// Whether it has something to tidy up when the dialogue is over.
    #[must_use]
    pub fn is_untidy(&self) -> bool {
        matches!(self, Self::Save(..))
    }

    /// Begins on a thread of its own. `say` gets the lines on the way, `done` the closing words.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn spawn(
        mut self,
        stop: StopFlag,
        say: impl Fn(String) + Send + 'static,
        done: impl FnOnce(String) + Send + 'static,
    ) -> std::io::Result<()> {
        let thread = thread::Builder::new().name("task".into()).stack_size(STACK);
        let work = move || {
            // What a fault leaves half done is dropped with the task, or is a table, which is whole at any time.
            let closing = catch_unwind(AssertUnwindSafe(|| self.run(&stop, &say)));
            let closing = closing.unwrap_or_else(|_| self.failed(&say));
            drop(self);
            done(closing);
        };
        thread.spawn(work).map(drop)
    }

    /// The closing words after a fault: a search plays a move in any case.
    fn failed(&self, say: &dyn Fn(String)) -> String {
        let fault = reply::remark("a fault of Secateur ended this; please report it");
        let Self::Search(search) = self else { return fault };
        say(fault);
        first_move(&*search.board, &search.request.moves)
    }

    /// Runs to the end, or until the flag is raised, and returns the closing words.
    fn run(&mut self, stop: &StopFlag, say: &dyn Fn(String)) -> String {
        match self {
            Self::Search(search) => search.run(stop, say),
            Self::Book(book) => {
                let ByTheBook { report, options, board, names_reply } = &**book;
                say(reply::info(report, options));
                reply::closing(report, options, expected_reply(&**board, report).filter(|_| *names_reply))
            }
            Self::Solve(solve) => solve.run(stop, say),
            Self::Tree(tree) => tree.run(stop),
            Self::Perft(board, depth) => match board.divide(*depth, stop) {
                Some(divided) => reply::perft(&divided, *depth),
                None => reply::remark("perft was stopped"),
            },
            Self::Bench => match bench::run(stop, &mut |line| say(line.to_string())) {
                Ok(Some(total)) => total.to_string(),
                Ok(None) => reply::remark("bench was stopped"),
                Err(error) => reply::remark(&error.to_string()),
            },
            Self::Ready(table, books) => {
                table.ready(stop);
                let _ = books.as_ref().map(Reading::wait);
                reply::READY.to_owned()
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
    fn run(&mut self, stop: &StopFlag, say: &dyn Fn(String)) -> String {
        let Self { engine, request, options, board, names_reply, pupil } = self;
        let lines = engine.search(request, stop, &mut |event| {
            if let Some(pupil) = pupil {
                pupil.observe(&event);
            }
            match event {
                Progress::Line(report) => say(reply::info(report, options)),
                Progress::Move { depth, mv, number } => say(reply::current_move(depth, mv, number)),
            }
        });
        if let Some(Err(error)) = pupil.take().map(|pupil| pupil.learn(&**engine, lines[0].nodes)) {
            say(reply::remark(&error.to_string()));
        }
        reply::closing(&lines[0], options, expected_reply(&**board, &lines[0]).filter(|_| *names_reply))
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
        views::written(Form::Text, &tree, &**board) + &reply::tree(&tree)
    }
}

/// The closing words of a search that failed: the first legal move, of those with these codes if there are any.
fn first_move(board: &dyn Board, codes: &[u16]) -> String {
    let mut legal = board.codes().into_iter().zip(board.moves());
    let first = legal.find(|(code, _)| codes.is_empty() || codes.contains(code));
    format!("bestmove {}", first.map_or_else(|| "(none)".to_owned(), |(_, mv)| mv))
}

/// The opponent's reply to the best move, by the principal variation; none if the same side moves again.
fn expected_reply<'a>(board: &dyn Board, report: &'a Report) -> Option<&'a str> {
    let [best, reply, ..] = report.pv.as_slice() else { return None };
    let mut after = board.boxed();
    after.play(best).ok()?;
    (after.turn() != board.turn()).then_some(reply)
}

/// The closing line of work on a file.
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
#[allow(clippy::unwrap_used, clippy::panic, reason = "all of it is tests")]
mod tests {
    use super::super::options::OPTIONS;
    use super::*;
    use crate::core::solution::{Claim, Solution, Uncertified};
    use crate::core::{Limits, NodeCounts, Options, tree};
    use crate::registry::GAMES;
    use crate::search::entry::Entry;
    use std::sync::mpsc::channel;

    /// An engine with a fault.
    struct Faulty;

    impl Engine for Faulty {
        fn search(&mut self, _: &Request, _: &StopFlag, _: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
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
        ) -> (Vec<Report>, tree::SearchTree) {
            panic!("a fault")
        }

        fn count(&mut self, _: &Request, _: &StopFlag) -> (Vec<Report>, NodeCounts) {
            panic!("a fault")
        }

        fn solve(&mut self, _: &solution::SolveRequest, _: &StopFlag, _: &mut dyn FnMut(&Solution)) -> Solution {
            panic!("a fault")
        }

        fn certify(
            &mut self,
            _: &solution::SolveRequest,
            _: &StopFlag,
            _: &mut dyn FnMut(&Claim),
        ) -> Result<(), Uncertified> {
            panic!("a fault")
        }
    }

    #[test]
    fn a_search_that_fails_still_plays_a_legal_move() {
        let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
        let last = board.codes().pop().unwrap();
        for (codes, best) in [(vec![], board.moves()[0].clone()), (vec![last], board.moves().pop().unwrap())] {
            let request = Request { moves: codes, ..Request::new(Limits::depth(3)) };
            let (options, board) = (General::new(&Options::new(OPTIONS), 1), board.boxed());
            let search = Search { engine: Box::new(Faulty), request, options, board, names_reply: false, pupil: None };
            let (sender, lines) = channel();
            let closing = sender.clone();
            let task = Task::Search(Box::new(search));
            task.spawn(
                StopFlag::new(),
                move |line| sender.send(line).unwrap(),
                move |line| closing.send(line).unwrap(),
            )
            .unwrap();
            assert!(lines.recv().unwrap().starts_with("info string a fault of Secateur"));
            assert_eq!(lines.recv().unwrap(), format!("bestmove {best}"));
        }
    }
}
