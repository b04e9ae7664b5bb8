//! The built-in engine: a search with a table of its own.

mod exact;
pub mod opponent;
pub mod proof;
mod search;

use crate::analyser::analysis::Analysis;
use crate::analyser::{Analyser, Query};
use crate::arguments::{self, Argument, Value, limit};
use crate::book::openings;
use crate::error::OrRaise;
use crate::position::Position;
use crate::python_modules::missing;
use crate::results::tree;
use crate::threads::lock::lock;
use crate::threads::logs;
use crate::threads::searches::CurrentSearches;
use crate::threads::work::interruptible;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::core::solution::SolveRequest;
use secateurs::core::{Error, Score, StopFlag, Ties};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::search::Table;
use secateurs::tables;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// An engine: an alpha-beta search with a transposition table of ``hash`` MiB, which persists between searches. It
/// searches any game, with ``threads`` threads per search. Several threads of Python may search with one engine at the
/// same time; they share the table.
///
/// Each method that searches takes ``limit``, a :class:`Limit`, or the keywords of one. After :meth:`close`, the
/// methods that need the table raise :class:`EngineError`.
///
/// >>> engine = secateurs.Engine(hash=16)
/// >>> result = engine.analyse(secateurs.Position("kalah", houses=3, seeds=3, capture="empty"), depth=40)
/// >>> print(result.score)  # South wins by 2 seeds
/// +2.00 proven
///
/// An engine pickles as its settings; the copy has an empty table. A forked process has the engines of its parent, with
/// copies of their tables, but not their current searches.
///
/// :param hash: the size of the table, MiB, at least 1.
/// :param threads: the threads of each search, 1 to 256.
/// :param aspiration: half the width of the first aspiration window of each iteration, 1 to 28800 centi-units;
///     ``None``: the default of the game. It affects the cost of a search, not what is proven.
/// :raises MemoryError: the table is larger than the memory available now, which the message reports.
/// :raises ValueError: an argument is out of range.
#[pyclass(frozen, weakref, module = "secateurs")]
pub struct Engine {
    /// `None` after the engine was closed.
    table: Mutex<Option<Arc<Table>>>,
    /// The size of the table, MiB.
    #[pyo3(get)]
    hash: usize,
    /// The number of threads of each search.
    #[pyo3(get)]
    threads: usize,
    /// Half the width of the first aspiration window, centi-units; ``None``: the default of the game.
    #[pyo3(get)]
    aspiration: Option<Score>,
    running: CurrentSearches,
}

/// Saves or loads a table; returns the number of entries, `None` if the flag is raised meanwhile.
type TableFile = fn(&Table, &dyn Board, &Path, &StopFlag) -> Result<Option<u64>, Error>;

impl Engine {
    /// Saves or loads the table, with the GIL released, and returns the number of entries.
    fn entries(&self, py: Python<'_>, path: &Value<'_>, position: &Value<'_>, file: TableFile) -> PyResult<u64> {
        let (path, position) = (PathBuf::read("path", path)?, Position::read(position)?);
        let (board, stop, table) = (position.get().registered()?.boxed(), StopFlag::new(), self.table()?);
        let count = interruptible(py, &stop.clone(), move || file(&table, &*board, &path, &stop))?;
        // Only an exception stops the work; it is returned instead.
        Ok(count.or_raise()?.unwrap_or_default())
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (hash = None, threads = None, aspiration = None, **others),
        text_signature = "(hash=64, threads=1, aspiration=None)"
    )]
    fn new(
        py: Python<'_>,
        hash: Option<Value<'_>>,
        threads: Option<Value<'_>>,
        aspiration: Option<Value<'_>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        arguments::no_others(py, "Engine", others)?;
        if let Some(game) = hash.as_ref().filter(|hash| names_a_game(hash)) {
            let wrong = arguments::wrong_type("hash", "an int, MiB", game).value(py).to_string();
            return Err(PyTypeError::new_err(format!("{wrong}: an engine searches any game, and takes none")));
        }
        let (hash, threads) = (arguments::mebibytes(hash, 64)?, arguments::threads(threads, 1)?);
        let aspiration = aspiration.map(|width| arguments::aspiration(&width)).transpose()?;
        logs::warn_of(threads);
        let table = Arc::new(Table::new(hash).or_raise()?);
        table.touch();
        Ok(Self { table: Mutex::new(Some(table)), hash, threads, aspiration, running: CurrentSearches::default() })
    }

    /// Searches for the move to play, with the GIL released. With a game clock the limits are ``remaining``,
    /// ``increment`` and ``moves_to_go``.
    ///
    /// >>> engine = secateurs.Engine(hash=1)
    /// >>> position = secateurs.Position("nim", theory=False)
    /// >>> engine.play(position, secateurs.Limit(depth=12)).move
    /// '1-2'
    /// >>> engine.play(secateurs.Position("kalah"), remaining=60.0, increment=0.5, depth=6).move
    /// '6'
    ///
    /// >>> engine.play(secateurs.Position("chess").text, depth=3).move  # a FEN needs no Position
    /// 'd2d4'
    ///
    /// :param position: the position: a :class:`Position`, or what can only mean one, which is a ``chess.Board`` with
    ///     its moves, a FEN of chess or xiangqi, or a state of a game in Python. The results of a ``chess.Board`` have
    ///     moves of python-chess, other results have text. Without a legal move the result has none.
    /// :param limit: a :class:`Limit`, a ``chess.engine.Limit``, or the keywords of a :class:`Limit`.
    /// :param root_moves: the move to search, or an iterable of them, at least one, each a ``str`` of
    ///     :attr:`Position.legal_moves`, a ``chess.Move`` or, in games that number their moves, an ``int``; ``None``:
    ///     all moves.
    /// :raises ValueError: no limit is given, one is out of range, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, root_moves = None, **limits))]
    fn play<'py>(
        &self,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Analyser::play(self, &Query::new("Engine.play", position, limit, limits, root_moves)?)
    }

    /// Searches until the first limit is reached, with the GIL released. At least one limit is required. Without
    /// ``multipv`` it returns one result, otherwise a list of at most ``multipv`` results, the best first.
    ///
    /// From a new or cleared engine with one thread, a search to a depth or a number of nodes is deterministic. Ctrl-C
    /// raises ``KeyboardInterrupt`` within about 20 ms if the main thread made the call; the engine can be used again.
    /// :meth:`stop` from another thread ends the search, which returns its result so far.
    ///
    /// >>> engine = secateurs.Engine(hash=1)
    /// >>> [best, second] = engine.analyse(secateurs.Position("kalah"), secateurs.Limit(depth=6), multipv=2)
    /// >>> best.score >= second.score
    /// True
    /// >>> engine.analyse(secateurs.Position("kalah"), depth=6, root_moves=[2]).best_move
    /// '2'
    /// >>> engine.analyse(secateurs.Position("nim", heaps=[1, 2]), depth=12, root_moves=["2-2", "3-6"])
    /// Traceback (most recent call last):
    ///   ...
    /// secateurs.IllegalMove: illegal move "3-6" in "1,2 1": legal moves are 1-1, 2-2, 2-1
    ///
    /// :param position: the position; without a legal move the result has no move and the score of the outcome.
    /// :param limit: a :class:`Limit`, or its keywords.
    /// :param multipv: the number of lines, at least 1; ``None``: one result instead of a list.
    /// :param root_moves: the moves to search, as for :meth:`play`.
    /// :param tree: the number of nodes of the last iteration to record for :meth:`Result.tree`; ``True``: 10,000. Such
    ///     a search has one thread and one line.
    /// :raises ValueError: no limit is given, a limit or ``multipv`` is out of range, ``root_moves`` is empty, or
    ///     ``tree`` is combined with several lines or might need more than 1 GiB.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, multipv = None, root_moves = None, tree = None, **limits))]
    fn analyse<'py>(
        &self,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        multipv: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        tree: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = Query::new("Engine.analyse", position, limit, limits, root_moves)?;
        let room = tree.map_or(Ok(None), |tree| tree::recorded(&tree))?;
        Analyser::analyse(self, Query { room, ..query }, multipv)
    }

    /// Starts a search in the background and returns at once: see :class:`Analysis`. Without a limit the search
    /// continues until it is stopped, or until deeper iterations cannot change the result.
    ///
    /// >>> engine = secateurs.Engine(hash=1)
    /// >>> [result.depth for result in engine.analysis(secateurs.Position("kalah"), depth=3)]
    /// [1, 2, 3]
    ///
    /// :param position: the position.
    /// :param limit: a :class:`Limit`, or its keywords; ``None``: no limit.
    /// :param multipv: the number of lines of each result, :attr:`Result.multipv`, at least 1; ``None``: one.
    /// :param root_moves: the moves to search, as for :meth:`play`.
    /// :raises ValueError: a limit or ``multipv`` is out of range, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, multipv = None, root_moves = None, **limits))]
    fn analysis(
        &self,
        position: &Value<'_>,
        limit: Option<Value<'_>>,
        multipv: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Analysis> {
        let query = Query::new("Engine.analysis", position, limit, limits, root_moves)?;
        Analyser::analysis(self, query, multipv)
    }

    /// Searches for all moves that are exactly as good as the best, within the limits. Returns each move with its
    /// score, which includes what is proven, in the order of the game's moves. If a limit ends the search before the
    /// other moves are settled, it returns the best move alone. A limit of depth returns the moves that this depth
    /// shows to be equal; a deeper search may add others. Where play can return to an earlier position, a move may stay
    /// unsettled at any depth, or be worth less within the depth than it is: it is missing then.
    ///
    /// >>> engine = secateurs.Engine(hash=1)
    /// >>> engine.best_moves(secateurs.Position.parse("1,1,2 1", "nim", theory=False), depth=9)
    /// {'3-2': Score(31997, 1, 'exact')}
    /// >>> engine.best_moves(secateurs.Position("kalah", houses=3, seeds=3), depth=60)
    /// {'1': Score(200, 1, 'exact'), '2': Score(200, 1, 'exact')}
    ///
    /// :param position: the position; without a legal move the result is empty.
    /// :param limit: a :class:`Limit`, or its keywords.
    /// :param root_moves: the moves to search, as for :meth:`play`.
    /// :raises ValueError: no limit is given, one is out of range, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, root_moves = None, **limits))]
    fn best_moves<'py>(
        &self,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let query = Query::new("Engine.best_moves", position, limit, limits, root_moves)?;
        let query = Query { ties: Ties::All, ..query };
        let (found, moves) = (self.search(&query)?, PyDict::new(position.py()));
        for (mv, score) in found.bests() {
            moves.set_item(query.position.get().result_move(position.py(), mv)?, score)?;
        }
        Ok(moves)
    }

    /// Stops all current searches of this engine, from any thread. Each returns its result so far, within some
    /// milliseconds; this method does not wait. The engine can be used again.
    fn stop(&self) {
        self.running.stop();
    }

    /// Another engine with the same table, for one search. :meth:`stop` of this engine does not affect it; its own also
    /// stops a search that starts later.
    fn _sibling(&self) -> PyResult<Self> {
        let (table, aspiration) = (Mutex::new(Some(self.table()?)), self.aspiration);
        Ok(Self {
            table,
            hash: self.hash,
            threads: self.threads,
            aspiration,
            running: CurrentSearches::with_lasting_stop(),
        })
    }

    /// Ends all searches with a ``CancelledError``, and interrupts methods of a game in Python.
    fn _abandon(&self) {
        self.running.abandon();
    }

    /// Searches for the exact value of a position, to the ends of the game, with the GIL released, until it is known or
    /// a limit is reached. Without a limit this may take days. Ctrl-C and :meth:`stop` work as in :meth:`analyse`; the
    /// table keeps what was found, so that the next call continues from there.
    ///
    /// From a new or cleared engine with one thread and without a time limit, the result is deterministic.
    ///
    /// >>> engine = secateurs.Engine(hash=1)
    /// >>> engine.solve(secateurs.Position.parse("1,2 1", "nim", theory=False)).pv
    /// ['2-1', '1-1', '2-1']
    /// >>> engine.solve(secateurs.Position("kalah"), nodes=100).proven is None
    /// True
    ///
    /// :param position: the position; a finished game has the value of its outcome, or 0 in games valued by plies to
    ///     the win.
    /// :param moves: the moves to value: "none", which also omits the line; "best", all moves as good as the best;
    ///     "all", each with its value, ``Solution.moves``.
    /// :param pv: whether to search for a line of best play too, ``Solution.pv``.
    /// :param limit: a :class:`Limit` with only nodes and time, or these keywords; ``None``: no limit.
    /// :param guess: the first guess of the value in games of margins, -288 to 288 units. Far from the value the tests
    ///     are easy, and bounds on that side are proven first.
    /// :param book: a :class:`Book` whose values are stored in the table first; ``True``: the game's own, which needs
    ///     32 MiB, and which the first such search reads for half a second. Without one for the position's options it
    ///     changes nothing.
    /// :param progress: a function that is called with a :class:`Solution` whenever more is known than before, and in
    ///     the end with the result; ``True``: lines on stderr.
    /// :raises ValueError: a limit or ``guess`` is out of range, ``moves`` is another word, or the book is of another
    ///     game; or the value cannot be found: a position repeats on a line of play, the clock of moves without
    ///     progress runs out, or a line is longer than 3,199 plies.
    #[pyo3(
        signature = (
            position, limit = None, *, moves = None, pv = None, guess = None, book = None, progress = None, **limits
        ),
        text_signature = "($self, position, limit=None, *, moves='best', pv=True, guess=None, book=False, \
                          progress=None, **limits)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn solve<'py>(
        &self,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        moves: Option<Value<'_>>,
        pv: Option<Value<'_>>,
        guess: Option<Value<'_>>,
        book: Option<Value<'_>>,
        progress: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = Position::read(position)?;
        let request = SolveRequest {
            limits: limit::exact("Engine.solve", limit.as_ref(), limits)?,
            moves: arguments::valued(moves)?,
            pv: bool::read_or("pv", pv, true)?,
            guess: arguments::guess(guess)?,
            ..SolveRequest::default()
        };
        let openings = book.map_or(Ok(None), |book| openings(&book, position.get()))?;
        self.solved(&position, &request, openings, progress.as_ref())
    }

    /// Searches for the exact value and writes a proof of it to a file, with the GIL released. Returns the number of
    /// lines. The file, described in docs/certificates.md, depends only on the rules; ``secateurs check`` verifies it.
    /// There is no limit except Ctrl-C: use it for small games. The file is replaced as a whole or unchanged, and only
    /// if it is a certificate.
    ///
    /// >>> import tempfile
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     lines = secateurs.Engine(hash=1).certify(f"{folder}/nim.jsonl", secateurs.Position("nim"))
    /// >>> lines > 100
    /// True
    ///
    /// :param path: the file.
    /// :param position: the position.
    /// :param progress: ``True``: lines on stderr; or a function that is called from time to time with the number of
    ///     claims written so far: 0 until the value is known.
    /// :raises OSError: the file cannot be written.
    /// :raises BadFile: there is another file.
    /// :raises RuntimeError: the value could not be proven; the message gives the reason.
    #[pyo3(signature = (path, position, *, progress = None))]
    fn certify(
        &self,
        py: Python<'_>,
        path: &Value<'_>,
        position: &Value<'_>,
        progress: Option<&Value<'_>>,
    ) -> PyResult<u64> {
        self.certified(py, PathBuf::read("path", path)?, Position::read(position)?.get(), progress)
    }

    /// Saves the table to a file, with the GIL released, and returns the number of entries. :meth:`load` accepts the
    /// file only for the game and the options of the position. The whole table is saved: clear it first if it holds
    /// other games or options that the file must not contain. The file is replaced as a whole or unchanged, and only if
    /// it is a saved table of the same game.
    ///
    /// :param path: the file.
    /// :param position: any position with the game and the options that the engine searched.
    /// :raises OSError: the file cannot be written.
    /// :raises BadFile: there is another file.
    fn save(&self, py: Python<'_>, path: &Value<'_>, position: &Value<'_>) -> PyResult<u64> {
        self.entries(py, path, position, tables::save)
    }

    /// Adds the entries of a file that :meth:`save` wrote to the table, with the GIL released, and returns their
    /// number. The sizes of the tables may differ; entries that do not fit into a smaller table are lost.
    ///
    /// >>> import tempfile
    /// >>> position = secateurs.Position("kalah", houses=3, seeds=3)
    /// >>> engine = secateurs.Engine(hash=1)
    /// >>> nodes = engine.analyse(position, depth=9).nodes
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     saved = engine.save(f"{folder}/kalah.sct", position)
    /// ...     other = secateurs.Engine(hash=2)
    /// ...     saved == other.load(f"{folder}/kalah.sct", position)
    /// True
    /// >>> other.analyse(position, depth=9).nodes < nodes
    /// True
    ///
    /// :param path: the file.
    /// :param position: any position with the game and the options that the engine will search.
    /// :raises OSError: the file cannot be read.
    /// :raises BadFile: the file is not a saved table, is damaged, or was saved for another game, other options,
    ///     another evaluation or another version; the table is then unchanged.
    fn load(&self, py: Python<'_>, path: &Value<'_>, position: &Value<'_>) -> PyResult<u64> {
        self.entries(py, path, position, tables::load)
    }

    /// Clears the table, so that the node count of the next search is reproducible.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let table = self.table()?;
        py.detach(|| table.clear());
        Ok(())
    }

    /// Stops all current searches, each of which returns its result so far, and releases the memory of the table.
    /// Methods that need the table then raise :class:`EngineError`. Closing a closed engine has no effect. The end of a
    /// ``with`` block also closes the engine.
    ///
    /// >>> with secateurs.Engine(hash=1) as engine:
    /// ...     played = engine.play(secateurs.Position("kalah"), secateurs.Limit(depth=3))
    /// >>> engine.closed
    /// True
    fn close(&self, py: Python<'_>) {
        self.stop();
        let table = lock(&self.table).take();
        py.detach(|| drop(table));
    }

    /// Whether the engine was closed.
    #[getter]
    fn closed(&self) -> bool {
        lock(&self.table).is_none()
    }

    /// Raises the error for an attribute that does not exist; for one of python-chess it names what there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        missing(slf, name)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __getnewargs__(&self) -> (usize, usize, Option<Score>) {
        (self.hash, self.threads, self.aspiration)
    }

    fn __repr__(&self) -> String {
        let aspiration = self.aspiration.map_or_else(String::new, |width| format!(", aspiration={width}"));
        format!("Engine(hash={}, threads={}{aspiration})", self.hash, self.threads)
    }
}

/// Whether an argument is the name of a game.
fn names_a_game(given: &Value<'_>) -> bool {
    given.cast::<PyString>().is_ok_and(|name| registry::find(&name.to_string_lossy()).is_ok())
}
