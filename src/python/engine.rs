//! An engine of ours: a search with a table of its own.

use super::analysis::Analysis;
use super::arguments::{self, Given};
use super::engine_search::recorded;
use super::game;
use super::interruptible::interruptible;
use super::limit;
use super::lock::lock;
use super::logs;
use super::play_result::PlayResult;
use super::query::{Analyser, Query};
use super::running::Running;
use super::solution::Solution;
use crate::certificate;
use crate::core::solution::SolveRequest;
use crate::core::{Score, StopFlag, Ties};
use crate::search::Table;
use crate::tables;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex};

/// An engine: an alpha-beta search with a transposition table of ``hash`` MiB (at least 1), which it keeps from
/// search to search. It searches any game, each search with ``threads`` threads (1 to 256), and several threads of
/// Python may search with one engine at the same time: they share the table.
///
/// Each method that searches takes ``limit``, a :class:`Limit`, or the keywords of one in its place. After :meth:`close` all
/// that need the table raise :class:`EngineError`.
///
/// >>> engine = secateur.Engine(hash=16)
/// >>> result = engine.analyse(secateur.Position("kalah", houses=3, seeds=3, capture="empty"), depth=40)
/// >>> print(result.score)  # South wins by 2 seeds
/// +2.00 proven
///
/// An engine pickles as its settings: what comes out has an empty table. A process that was forked has the engines of its
/// parent, each with a copy of the table as it was then; a search that was under way is not there.
///
/// :param hash: the size of the table, MiB, at least 1.
/// :param threads: the threads of each search, 1 to 256.
/// :param aspiration: half the width of the first aspiration window of each iteration, 1 to 28800 centi-units; ``None``: as the
///     game has it. It changes what a search costs, and not what is proven.
/// :raises MemoryError: the table is larger than the memory available now; the message says how much that is.
/// :raises ValueError: one of them is out of range.
#[pyclass(frozen, module = "secateur")]
pub struct Engine {
    /// None once it was closed.
    pub(super) table: Mutex<Option<Arc<Table>>>,
    hash: usize,
    pub(super) threads: usize,
    pub(super) aspiration: Option<Score>,
    pub(super) running: Running,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(
        signature = (hash = None, threads = None, aspiration = None),
        text_signature = "(hash=64, threads=1, aspiration=None)"
    )]
    fn new(hash: Option<Given<'_>>, threads: Option<Given<'_>>, aspiration: Option<Given<'_>>) -> PyResult<Self> {
        let (hash, threads) = (arguments::mebibytes(hash, 64)?, arguments::threads(threads, 1)?);
        let aspiration = aspiration.map(|width| arguments::aspiration(&width)).transpose()?;
        logs::warn_of(threads);
        let table = Arc::new(Table::new(hash)?);
        table.touch();
        Ok(Self { table: Mutex::new(Some(table)), hash, threads, aspiration, running: Running::default() })
    }

    /// Searches for the move to play, with the GIL released. The clock of a game is the limit ``remaining``, with
    /// ``increment`` and ``moves_to_go``.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> position = secateur.Position("nim", theory=False)
    /// >>> engine.play(position, secateur.Limit(depth=12)).move
    /// '1-2'
    /// >>> engine.play(secateur.Position("kalah"), remaining=60.0, increment=0.5, depth=6).move
    /// '6'
    ///
    /// :param position: the position; without a legal move there is none.
    /// :param limit: when the search ends: a :class:`Limit`, or its keywords.
    /// :param root_moves: only these moves are searched, at least one, each a ``str`` of :attr:`Position.legal_moves` or, where
    ///     the game numbers its moves, an ``int``; ``None``: all moves.
    /// :raises ValueError: no limit is given, one is out of range, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, root_moves = None, **limits))]
    fn play(
        &self,
        position: &Given<'_>,
        limit: Option<Given<'_>>,
        root_moves: Option<Given<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PlayResult> {
        Analyser::play(self, &Query::new(position, limit::required(limit.as_ref(), limits), root_moves)?)
    }

    /// Searches until the first limit is reached, with the GIL released. At least one limit must be given. Without ``multipv``
    /// it returns one result; with it a list of so many, the best first, or as many as there are moves.
    ///
    /// From a new or cleared engine with one thread, a search to a depth or a number of nodes always gives the same
    /// result. Ctrl-C raises ``KeyboardInterrupt`` within some 20 ms, if the call was made from the main thread; the
    /// engine can be used again afterwards. :meth:`stop`, from another thread, ends it with what it has found by then.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> [best, second] = engine.analyse(secateur.Position("kalah"), secateur.Limit(depth=6), multipv=2)
    /// >>> best.score >= second.score
    /// True
    /// >>> engine.analyse(secateur.Position("kalah"), depth=6, root_moves=[2]).best_move
    /// '2'
    /// >>> engine.analyse(secateur.Position("nim", heaps=[1, 2]), depth=12, root_moves=["2-2", "3-6"])
    /// Traceback (most recent call last):
    ///   ...
    /// secateur.IllegalMove: illegal move "3-6" in "1,2 1": legal moves are 1-1, 2-2, 2-1
    ///
    /// :param position: the position; without a legal move the result has none, and the score of the outcome.
    /// :param limit: when the search ends: a :class:`Limit`, or its keywords.
    /// :param multipv: so many of the best moves get a line of their own, at least 1; ``None``: one, and no list.
    /// :param root_moves: only these moves are searched, as for :meth:`play`.
    /// :param tree: ``True``: the tree of the last iteration is recorded, :meth:`Result.tree`, up to 10,000 nodes; a number: up
    ///     to so many. Such a search has one thread and one line.
    /// :raises ValueError: no limit is given, one is out of range, ``multipv`` is, ``root_moves`` is empty, or ``tree`` goes
    ///     with several lines or might need more than 1 GiB.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, multipv = None, root_moves = None, tree = None, **limits))]
    fn analyse<'py>(
        &self,
        position: &Given<'py>,
        limit: Option<Given<'_>>,
        multipv: Option<Given<'_>>,
        root_moves: Option<Given<'_>>,
        tree: Option<Given<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = Query::new(position, limit::required(limit.as_ref(), limits), root_moves)?;
        let room = tree.map_or(Ok(None), |tree| recorded(&tree))?;
        Analyser::analyse(self, Query { room, ..query }, multipv)
    }

    /// Begins a search in the background and returns at once: see :class:`Analysis`. Without a limit it goes on until it is
    /// stopped, or deeper iterations cannot change anything.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> [result.depth for result in engine.analysis(secateur.Position("kalah"), depth=3)]
    /// [1, 2, 3]
    ///
    /// :param position: the position.
    /// :param limit: when the search ends: a :class:`Limit`, or its keywords; ``None``: it must be stopped.
    /// :param multipv: the number of lines of each result, :attr:`Result.multipv`, at least 1; ``None``: one.
    /// :param root_moves: only these moves are searched, as for :meth:`play`.
    /// :raises ValueError: a limit is out of range, ``multipv`` is, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, multipv = None, root_moves = None, **limits))]
    fn analysis(
        &self,
        position: &Given<'_>,
        limit: Option<Given<'_>>,
        multipv: Option<Given<'_>>,
        root_moves: Option<Given<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Analysis> {
        let query = Query::new(position, limit::optional(limit.as_ref(), limits), root_moves)?;
        Analyser::analysis(self, query, multipv)
    }

    /// All moves that are exactly as good as the best, as deep as the limits let the search look: each with its score, which
    /// says what is proven of its value, in the order of the game's moves. Where the limits end the search before it is
    /// settled which others there are, it is the best move alone.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> engine.best_moves(secateur.Position.parse("1,1,2 1", "nim", theory=False), depth=9)
    /// {'3-2': Score(31997, 1, 'exact')}
    /// >>> engine.best_moves(secateur.Position("kalah", houses=3, seeds=3), depth=60)
    /// {'1': Score(200, 1, 'exact'), '2': Score(200, 1, 'exact')}
    ///
    /// :param position: the position; without a legal move there are none.
    /// :param limit: when the search ends: a :class:`Limit`, or its keywords.
    /// :param root_moves: only these moves are searched, as for :meth:`play`.
    /// :raises ValueError: no limit is given, one is out of range, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (position, limit = None, *, root_moves = None, **limits))]
    fn best_moves<'py>(
        &self,
        position: &Given<'py>,
        limit: Option<Given<'_>>,
        root_moves: Option<Given<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let query = Query::new(position, limit::required(limit.as_ref(), limits), root_moves)?;
        let (found, moves) = (self.search(&Query { ties: Ties::All, ..query })?, PyDict::new(position.py()));
        for (mv, score) in found.bests() {
            moves.set_item(mv, score)?;
        }
        Ok(moves)
    }

    /// Ends all searches that are under way with this engine, from any thread: each returns what it has found by then, and
    /// the engine can be used again. It does not wait for their ends, which are some milliseconds away.
    fn stop(&self) {
        self.running.stop();
    }

    /// Another engine over the same table, for one search: :meth:`stop` of this engine does not reach it, and its own ends the
    /// search even where that begins later.
    fn _sibling(&self) -> PyResult<Self> {
        let (table, aspiration) = (Mutex::new(Some(self.table()?)), self.aspiration);
        Ok(Self { table, hash: self.hash, threads: self.threads, aspiration, running: Running::awaited() })
    }

    /// Ends all searches by a ``CancelledError``, methods of a game in Python that go on too.
    fn _abandon(&self) {
        self.running.abandon();
    }

    /// Searches for the exact value of a position, to the ends of the game, with the GIL released: until it is known, or a
    /// limit is reached. Without a limit it may take days; Ctrl-C and :meth:`stop` work as in :meth:`analyse`, and what
    /// was found by then stays in the table, so that the next call goes on from there.
    ///
    /// From a new or cleared engine with one thread, and without a limit of time, the result is always the same.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> engine.solve(secateur.Position.parse("1,2 1", "nim", theory=False)).pv
    /// ['2-1', '1-1', '2-1']
    /// >>> engine.solve(secateur.Position("kalah"), nodes=100).proven is None
    /// True
    ///
    /// :param position: the position; a finished game has the value of its outcome.
    /// :param moves: which moves are valued beside the position: "none", and no line either; "best", all that are as good as
    ///     the best; "all", each with its value, :attr:`Solution.moves`.
    /// :param limit: a :class:`Limit` of nodes and time alone, or these keywords; without one it ends with the value.
    /// :param guess: where the value is looked for first, in games of margins, -288 to 288 units; far from the value the
    ///     questions are easy, and bounds on that side are proven first.
    /// :raises ValueError: a limit or ``guess`` is out of range, or ``moves`` is another word; or the game is none that can be
    ///     solved: a position repeats on a line of play, or a line is longer than 3,199 plies.
    #[pyo3(
        signature = (position, limit = None, *, moves = None, guess = None, **limits),
        text_signature = "($self, position, limit=None, *, moves='best', guess=None, **limits)"
    )]
    fn solve(
        &self,
        position: &Given<'_>,
        limit: Option<Given<'_>>,
        moves: Option<Given<'_>>,
        guess: Option<Given<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Solution> {
        let position = arguments::position(position)?;
        let (py, set_up) = (position.py(), position.get());
        let (board, moves) = (set_up.board().boxed(), arguments::valued(moves)?);
        let (limits, guess) = (limit::exact(limit.as_ref(), limits)?, arguments::guess(guess)?);
        let task = SolveRequest { limits, threads: set_up.threads(self.threads), moves, guess };
        let (table, run) = (self.table()?, self.running.enter());
        let stop = run.stop().clone();
        let work = game::held(set_up.is_python(), move || board.engine(table).solve(&task, &stop, &mut |_| {}));
        let found = run.interruptible(py, work)?;
        if let Some(reason) = found.refused {
            return Err(PyValueError::new_err(format!("{} cannot be solved: {reason}", set_up.game(py)?)));
        }
        Ok(Solution::new(found, moves, position))
    }

    /// Searches for the exact value, then writes a proof of it to a file, with the GIL released, and returns the number of
    /// its lines. The file, which docs/certificates.md describes, rests on the rules alone: ``secateur check`` verifies
    /// it. There is no limit but Ctrl-C: it is for small games. The file is replaced as a whole, or stays as it is.
    ///
    /// >>> import tempfile
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     lines = secateur.Engine(hash=1).certify(f"{folder}/nim.jsonl", secateur.Position("nim"))
    /// >>> lines > 100
    /// True
    ///
    /// :param path: the file.
    /// :param position: the position.
    /// :raises OSError: the file cannot be written.
    /// :raises RuntimeError: the value could not be proven; the message says why.
    fn certify(&self, py: Python<'_>, path: &Given<'_>, position: &Given<'_>) -> PyResult<u64> {
        let (path, position) = (arguments::path("path", path)?, arguments::position(position)?.get());
        let (board, task) =
            (position.registered()?.boxed(), SolveRequest { threads: self.threads, ..SolveRequest::default() });
        let (table, run) = (self.table()?, self.running.enter());
        let stop = run.stop().clone();
        let written = run.interruptible(py, move || {
            let mut engine = board.engine(table);
            certificate::save(&path, board.game(), board.options(), |tell| engine.certify(&task, &stop, tell))
        })?;
        Ok(written?.lines)
    }

    /// Saves the table to a file, with the GIL released, and returns the number of entries. Any position of the game and
    /// the options that were searched says what they are: :meth:`load` refuses the file to all others. The whole
    /// table is saved: clear it before, if it served other games or options that the file shall not hold. The file is
    /// replaced as a whole, or stays as it is.
    ///
    /// :param path: the file.
    /// :param position: a position with the game and the options that the engine searched.
    /// :raises OSError: the file cannot be written.
    fn save(&self, py: Python<'_>, path: &Given<'_>, position: &Given<'_>) -> PyResult<u64> {
        let (path, position) = (arguments::path("path", path)?, arguments::position(position)?.get());
        // Stopped only by an exception, which is returned in its place.
        let (board, stop, table) = (position.registered()?.boxed(), StopFlag::new(), self.table()?);
        let saved = interruptible(py, &stop.clone(), move || tables::save(&table, &*board, &path, &stop))?;
        Ok(saved?.unwrap_or_default())
    }

    /// Adds to the table what :meth:`save` put into a file, with the GIL released, and returns the number of entries. The
    /// sizes of the tables need not be the same; what a smaller one cannot hold is lost.
    ///
    /// >>> import tempfile
    /// >>> position = secateur.Position("kalah", houses=3, seeds=3)
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> nodes = engine.analyse(position, depth=9).nodes
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     saved = engine.save(f"{folder}/kalah.sct", position)
    /// ...     other = secateur.Engine(hash=2)
    /// ...     saved == other.load(f"{folder}/kalah.sct", position)
    /// True
    /// >>> other.analyse(position, depth=9).nodes < nodes
    /// True
    ///
    /// :param path: the file.
    /// :param position: a position with the game and the options that the engine will search.
    /// :raises OSError: the file cannot be read.
    /// :raises BadFile: it is no saved table, is damaged, or was saved for another game, other options, another
    ///     evaluation or another version; the table is as it was then.
    fn load(&self, py: Python<'_>, path: &Given<'_>, position: &Given<'_>) -> PyResult<u64> {
        let (path, position) = (arguments::path("path", path)?, arguments::position(position)?.get());
        let (board, stop, table) = (position.registered()?.boxed(), StopFlag::new(), self.table()?);
        let loaded = interruptible(py, &stop.clone(), move || tables::load(&table, &*board, &path, &stop))?;
        Ok(loaded?.unwrap_or_default())
    }

    /// Empties the table: the next search begins from nothing, and its node count can be repeated.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let table = self.table()?;
        py.detach(|| table.clear());
        Ok(())
    }

    /// Ends all searches under way, each with what it has found by then, and gives the memory of the table back. What needs
    /// the table raises :class:`EngineError` from then on. Closing again does nothing; the end of a ``with`` block closes too.
    ///
    /// >>> with secateur.Engine(hash=1) as engine:
    /// ...     played = engine.play(secateur.Position("kalah"), secateur.Limit(depth=3))
    /// >>> engine.closed
    /// True
    fn close(&self, py: Python<'_>) {
        self.stop();
        let table = lock(&self.table).take();
        py.detach(|| drop(table));
    }

    /// Whether it was closed.
    #[getter]
    fn closed(&self) -> bool {
        lock(&self.table).is_none()
    }

    /// The size of the table, MiB.
    #[getter]
    fn hash(&self) -> usize {
        self.hash
    }

    /// The threads of each search.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// Half the width of the first aspiration window, centi-units; ``None``: as the game has it.
    #[getter]
    fn aspiration(&self) -> Option<Score> {
        self.aspiration
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
