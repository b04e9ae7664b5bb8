//! Opening books from files, also of games in Python; the game's [own](cache) ones.

mod cache;

use crate::arguments::{self, Argument, Value, within};
use crate::error::OrRaise;
use crate::position::Position;
use crate::progress::Listener;
use crate::results::solution;
use crate::threads::unwinding::{caught, with_thread_state};
use crate::threads::work::{attended, interrupted, interruptible};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use secateurs::book::build::{BookPlan, BuildStep};
use secateurs::book::{Book as Entries, BookSubject, Builder, Contents, LARGEST, Openings};
use secateurs::core::solution::Valued;
use secateurs::core::{Error, StopFlag};
use secateurs::search::Table;
use secateurs::store::bounded;
use secateurs::util::counted::counted;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The interval at which a book is saved while it is built.
const EVERY: Duration = Duration::from_secs(60);

/// An opening book in memory: the exact values of the first positions of a game, with all their best moves.
/// :meth:`build` makes one, also for a game in Python; docs/books.md says which positions it has.
///
/// >>> import tempfile
/// >>> nim = secateurs.Position("nim", heaps=[1, 2], theory=False)
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     book = secateurs.Book.build(f"{folder}/nim.sbk", nim, plies=2, hash=1)
/// ...     secateurs.Book(f"{folder}/nim.sbk")
/// <Book of nim, 4 positions to ply 1>
/// >>> book[nim].best_moves
/// ['2-1']
/// >>> nim.play("1-1") in book, nim.play("2-1").play("1-1") in book
/// (True, False)
///
/// ``book[position]`` is as :meth:`get`, but raises ``KeyError``; ``len(book)`` is the number of positions. A book
/// cannot be iterated over: a file does not have the positions themselves.
///
/// :param path: the file.
/// :param position: the start, for a book of a game in Python; ``None`` for other games, whose books name it.
/// :raises OSError: the file cannot be read.
/// :raises BadFile: the file is not a book, is damaged, or has another start.
#[pyclass(frozen, module = "secateurs")]
pub struct Book {
    contents: Arc<Contents>,
    start: Py<Position>,
    entries: Entries,
    /// The number of moves before the last position, plies; of a complete book, the number of its plies.
    #[pyo3(get)]
    plies: usize,
}

#[pymethods]
impl Book {
    #[new]
    #[pyo3(signature = (path, position = None))]
    fn new(py: Python<'_>, path: &Value<'_>, position: Option<&Value<'_>>) -> PyResult<Self> {
        let path = PathBuf::read("path", path)?;
        let contents = bounded::bytes(&path, LARGEST).and_then(|bytes| Contents::read(&path, &bytes)).or_raise()?;
        let start = match position.filter(|position| !position.is_none()) {
            Some(position) => Position::read(position)?,
            None => {
                let start = contents.start().map_err(|error| match error {
                    Error::UnknownGame(..) => {
                        let reason = format!("is {}, a game in Python: give its start", contents.subject);
                        Error::bad_file(&path, reason)
                    }
                    error => error,
                });
                Bound::new(py, Position::from(start.or_raise()?))?
            }
        };
        let complete = contents.subject.complete;
        let wanted = BookSubject { complete, ..subject(py, start.get())? };
        if wanted != contents.subject {
            let reason = format!("is {}, not {wanted}", contents.subject);
            return Err(Error::bad_file(&path, reason)).or_raise();
        }
        Self::open(contents, start)
    }

    /// Builds a book in a file by exact search, with the GIL released, or continues the one that is there. Ctrl-C ends
    /// it with the positions so far in the file: the same call continues from there.
    ///
    /// :param path: the file.
    /// :param position: the start of the game, or any state of a game in Python.
    /// :param plies: the number of plies, 1 to 255: the book has positions after fewer moves.
    /// :param entries: the largest number of positions.
    /// :param complete: whether the book has all positions after fewer than ``plies`` moves, and not only those in
    ///     whose line one side has played only best moves.
    /// :param hash: the size of the table of the search, MiB, at least 1.
    /// :param threads: the number of threads, 1 to 256; a game in Python has one.
    /// :param progress: ``True``: lines on stderr; or a function that is called from time to time with the number of
    ///     positions so far.
    /// :raises ValueError: an argument is out of range; the position is not the start of its game, has no exact value
    ///     as in :meth:`Engine.solve`, or ``complete`` would need more than ``entries`` positions.
    /// :raises OSError: the file cannot be written.
    /// :raises BadFile: there is another file, or a book with another start.
    #[staticmethod]
    #[pyo3(
        signature = (
            path, position, *, plies = None, entries = None, complete = None, hash = None, threads = None, progress = None
        ),
        text_signature = "(path, position, *, plies=8, entries=10_000, complete=False, hash=64, threads=1, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn build(
        py: Python<'_>,
        path: &Value<'_>,
        position: &Value<'_>,
        plies: Option<Value<'_>>,
        entries: Option<Value<'_>>,
        complete: Option<Value<'_>>,
        hash: Option<Value<'_>>,
        threads: Option<Value<'_>>,
        progress: Option<Value<'_>>,
    ) -> PyResult<Self> {
        let (path, start) = (PathBuf::read("path", path)?, Position::read(position)?);
        let plan = BookPlan {
            plies: plies.map_or(Ok(8), |plies| within("plies", &plies, 1.., "a whole number from 1 to 255"))?,
            entries: entries.map_or(Ok(10_000), |most| within("entries", &most, 1.., "a whole number, at least 1"))?,
            threads: start.get().threads(arguments::threads(threads, 1)?),
            complete: bool::read_or("complete", complete, false)?,
        };
        let table = Arc::new(Table::new(arguments::mebibytes(hash, 64)?).or_raise()?);
        let subject = subject(py, start.get())?;
        let listener = Listener::begin(py, progress.as_ref(), "a function of a number", ("Counting", ("positions",)))?;
        let mut builder = Builder::new(&path, subject, plan, EVERY).or_raise()?;
        let found = Arc::new(AtomicUsize::new(builder.contents().entries.count()));
        let (stop, counter, board) = (StopFlag::new(), Arc::clone(&found), start.get().board().boxed());
        let flag = stop.clone();
        let work = with_thread_state(start.get().is_python(), move || {
            let mut count = |step: BuildStep<'_>| {
                if let BuildStep::Entries(count) = step {
                    counter.store(count, Ordering::Relaxed);
                }
            };
            builder.build(&*board, &table, &flag, &mut count)?;
            Ok::<_, Error>(builder.contents().clone())
        });
        let count = || (found.load(Ordering::Relaxed),);
        let mut reports = listener.throttled(count);
        let built = attended(py, &stop, work, || interrupted().or_else(&mut reports));
        listener.end(py)?;
        let contents = built?.or_raise()?;
        listener.report(py, count())?;
        Self::open(contents, start)
    }

    /// Returns what the book knows of a position, without a line of play: its value, all its best moves and, in
    /// ``moves``, the value of each move whose position it has too; ``None`` if it does not have the position.
    ///
    /// :param position: a position of the game of the book.
    /// :raises ValueError: it is a position of another game.
    fn get<'py>(&self, position: &Value<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let position = Position::read(position)?;
        let (py, start) = (position.py(), self.start.get());
        self.check_game(position.get())?;
        let board = position.get().numbered_as(py, start)?;
        let known = caught(|| self.entries.solution(&*board))?;
        known.map(|known| solution(&known, Valued::All, &position)).transpose()
    }

    /// The name of the game, for a game in Python that of the class.
    #[getter]
    fn game(&self) -> String {
        self.start.get().game()
    }

    /// The start.
    #[getter]
    fn start(&self, py: Python<'_>) -> Py<Position> {
        self.start.clone_ref(py)
    }

    /// Whether it has all positions of its first plies.
    #[getter]
    fn complete(&self) -> bool {
        self.contents.subject.complete.is_some()
    }

    fn __getitem__<'py>(&self, position: &Value<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get(position)?.ok_or_else(|| PyKeyError::new_err(position.clone().unbind()))
    }

    fn __contains__(&self, position: &Value<'_>) -> PyResult<bool> {
        let Some(meant) = Position::meant(position)? else { return Ok(false) };
        let is_own = meant.get().game() == self.game();
        Ok(is_own && self.get(meant.as_any())?.is_some())
    }

    fn __iter__(&self) -> PyResult<Py<Self>> {
        Err(PyTypeError::new_err("a book is not iterable: it has keys in place of positions"))
    }

    fn __len__(&self) -> usize {
        self.entries.len()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.start)
    }

    fn __repr__(&self) -> String {
        let complete = if self.complete() { "complete, " } else { "" };
        let positions = counted(self.entries.len(), "position");
        format!("<Book of {}, {complete}{positions} to ply {}>", self.game(), self.plies)
    }
}

impl Book {
    /// Reads the entries of a book.
    fn open(contents: Contents, start: Bound<'_, Position>) -> PyResult<Self> {
        let board = start.get().board();
        let read = || {
            let mut entries = Entries::default();
            entries.add(&contents, board)?;
            Ok::<_, Error>((entries, contents.plies(board)?))
        };
        let (entries, plies) = caught(read)?.or_raise()?;
        Ok(Self { contents: Arc::new(contents), start: start.unbind(), entries, plies })
    }

    fn check_game(&self, position: &Position) -> PyResult<()> {
        let (own, other) = (self.start.get().game(), position.game());
        let error = || PyValueError::new_err(format!("a book of {own} has no positions of {other}"));
        (own == other).then_some(()).ok_or_else(error)
    }
}

/// Returns the values of a book for the table of a search, read with the GIL released: of a [`Book`], or, for `True`,
/// of the books of the position's game; `None` for `False`.
///
/// # Errors
/// `TypeError` for another object; `ValueError` for a book of another game; the exceptions of a game in Python.
pub fn openings(given: &Value<'_>, position: &Position) -> PyResult<Option<Arc<Openings>>> {
    let py = given.py();
    if let Ok(wanted) = given.extract::<bool>() {
        let board = position.board().boxed();
        let of_game = || interruptible(py, &StopFlag::new(), move || cache::openings(&*board));
        let wanted = wanted && !position.is_python();
        return wanted.then(of_game).transpose()?.transpose().or_raise();
    }
    let Ok(book) = given.cast::<Book>() else { return Err(arguments::wrong_type("book", "a bool or a Book", given)) };
    book.get().check_game(position)?;
    let (start, contents) = (book.get().start.get(), Arc::clone(&book.get().contents));
    let board = start.board().boxed();
    let read = move || {
        let mut openings = Openings::default();
        openings.add(&contents, &*board)?;
        Ok::<_, Error>(Arc::new(openings))
    };
    interruptible(py, &StopFlag::new(), with_thread_state(start.is_python(), read))?.map(Some).or_raise()
}

/// Whether the state of a game in Python has a text of its own: that of every object is its address.
fn has_text(py: Python<'_>, start: &Position) -> PyResult<bool> {
    let (own, every) = (start.state(py)?.map(|state| state.get_type()), py.get_type::<PyAny>());
    let Some(own) = own else { return Ok(true) };
    let is_own = |name: &str| Ok::<_, PyErr>(!own.getattr(name)?.is(&every.getattr(name)?));
    Ok(is_own("__str__")? || is_own("__repr__")?)
}

/// Describes the books with a start. A game in Python has no options: the state is the one called `state`.
///
/// # Errors
/// `ValueError` for a position of a registered game that is not its start.
fn subject(py: Python<'_>, start: &Position) -> PyResult<BookSubject> {
    if start.is_python() {
        let state = caught(|| start.board().text())?;
        if !has_text(py, start)? {
            let wrong = format!(
                "a book of {0} needs a text that identifies its start: give {0} a method __str__",
                start.game()
            );
            return Err(PyValueError::new_err(wrong));
        }
        return Ok(BookSubject {
            game: start.game(),
            options: BTreeMap::from([("state".into(), state)]),
            complete: None,
        });
    }
    let subject = BookSubject::new(start.board());
    if subject.start().or_raise()?.book_key() == start.board().book_key() {
        return Ok(subject);
    }
    let [game, text] = [start.game(), start.board().text()];
    Err(PyValueError::new_err(format!("a book of {game} begins at the start of the game, not at \"{text}\"")))
}
