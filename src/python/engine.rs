//! A search with a table of its own.

use super::analysis::Analysis;
use super::arguments::{self, Given};
use super::game;
use super::interruptible::interruptible;
use super::logs;
use super::result::SearchResult;
use super::running::Running;
use super::searched::{Wanted, recorded};
use super::solution::Solution;
use super::trail::Trail;
use crate::certificate;
use crate::core::solution::SolveRequest;
use crate::core::{StopFlag, Ties};
use crate::search::Table;
use crate::tables;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use std::sync::Arc;

/// An engine: an alpha-beta search with a transposition table of ``hash`` MiB (at least 1), which it keeps from
/// search to search. It searches any game, each search with ``threads`` threads (1 to 256), and several threads of
/// Python may search with one engine at the same time: they share the table.
///
/// >>> engine = secateur.Engine(hash=16)
/// >>> result = engine.search(secateur.Position("kalah", houses=3, seeds=3, capture="empty"), depth=40)
/// >>> print(result.score)  # South wins by 2 seeds
/// +2.00 proven
///
/// An engine pickles as its settings: what comes out has an empty table. A process that was forked has the engines of its
/// parent, each with a copy of the table as it was then; a search that was under way is not there.
///
/// :raises MemoryError: the table is larger than the memory available now; the message says how much that is.
/// :raises ValueError: ``hash`` is less than 1, or ``threads`` out of range.
#[pyclass(frozen, module = "secateur")]
pub struct Engine {
    pub(super) table: Arc<Table>,
    pub(super) threads: usize,
    pub(super) running: Running,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (hash = None, threads = None), text_signature = "(hash=64, threads=1)")]
    fn new(hash: Option<Given<'_>>, threads: Option<Given<'_>>) -> PyResult<Self> {
        let threads = arguments::threads(threads, 1)?;
        logs::warn_of(threads);
        let table = Arc::new(Table::new(arguments::mebibytes(hash, 64)?)?);
        table.touch();
        Ok(Self { table, threads, running: Running::default() })
    }

    /// Searches until the first limit is reached, with the GIL released. At least one limit must be given.
    ///
    /// From a new or cleared engine with one thread, a search to a depth or a number of nodes always gives the same
    /// result. Ctrl-C raises ``KeyboardInterrupt`` within some 20 ms, if the call was made from the main thread; the
    /// engine can be used again afterwards. :meth:`stop`, from another thread, ends it with what it has found by then.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> position = secateur.Position("nim", theory=False)
    /// >>> engine.search(position, depth=12).best_move
    /// '1-2'
    /// >>> engine.search(secateur.Position("nim", heaps="1,2"), secateur.Limit(depth=12), moves=["2-2", "3-6"])
    /// Traceback (most recent call last):
    ///   ...
    /// secateur.IllegalMove: illegal move "3-6" in "1,2 1": legal moves are 1-1, 2-2, 2-1
    ///
    /// :param position: the position; in a finished game the result has no move, and the score of the outcome.
    /// :param limit: the limits as a value, :class:`Limit`, in place of the four that follow.
    /// :param depth: the deepest iteration, 1 to 255 plies.
    /// :param nodes: at most so many positions are entered, at least 1.
    /// :param time: at most so many seconds, more than 0.
    /// :param mate: iterations to at most so many full moves (two plies each), 1 to 65535, until it is proven that the side
    ///     to move wins.
    /// :param moves: only these moves are searched, as :attr:`Position.legal_moves` writes them, at least one; ``None``:
    ///     all moves.
    /// :param lines: so many of the best moves get a line of their own, :attr:`Result.lines`; at least 1, and never more
    ///     than there are moves.
    /// :param ties: whether all moves that are exactly as good as the best are to be found, :attr:`Result.ties`.
    /// :param tree: ``True``: the tree of the last iteration is recorded, :meth:`Result.tree`, up to 10,000 nodes; a number: up
    ///     to so many. Such a search has one thread and one line.
    /// :raises ValueError: no limit is given, one is out of range, ``lines`` is, ``moves`` is empty, or ``tree`` goes with
    ///     several ``lines`` or might need more than 1 GiB.
    /// :raises IllegalMove: one of ``moves`` is not legal in the position.
    #[pyo3(
        signature = (
            position, limit = None, *, depth = None, nodes = None, time = None, mate = None, moves = None, lines = None,
            ties = None, tree = None
        ),
        text_signature = "($self, position, limit=None, *, depth=None, nodes=None, time=None, mate=None, moves=None, \
                          lines=1, ties=False, tree=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn search(
        &self,
        position: &Given<'_>,
        limit: Option<Given<'_>>,
        depth: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        mate: Option<Given<'_>>,
        moves: Option<Given<'_>>,
        lines: Option<Given<'_>>,
        ties: Option<Given<'_>>,
        tree: Option<Given<'_>>,
    ) -> PyResult<SearchResult> {
        let position = arguments::position(position)?;
        let limits = arguments::limited(limit, (depth, nodes, time, mate))?;
        let (moves, lines) = (arguments::moves("moves", moves)?, arguments::lines("lines", lines)?);
        let ties = ties.map_or(Ok(false), |ties| arguments::flag("ties", &ties))?;
        let room = tree.map_or(Ok(None), |tree| recorded(&tree))?;
        if room.is_some() && lines > 1 {
            return Err(PyValueError::new_err(format!("a search whose tree is recorded has one line, not {lines}")));
        }
        let wanted = Wanted { lines, ties: if ties { Ties::All } else { Ties::First } };
        self.found(position, &self.request(position.get(), limits, &moves, wanted)?, room)
    }

    /// The same search under the names that python-chess has: with ``multipv`` a list of so many results, the best first,
    /// or as many as there are moves; without it one result.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> [best, second] = engine.analyse(secateur.Position("kalah"), secateur.Limit(depth=6), multipv=2)
    /// >>> best.score >= second.score
    /// True
    /// >>> engine.analyse(secateur.Position("kalah"), depth=6, root_moves=["2"]).pv[0]
    /// '2'
    ///
    /// :param position: the position.
    /// :param limit: as for :meth:`search`, and so ``depth``, ``nodes``, ``time`` and ``mate``.
    /// :param multipv: the number of lines, at least 1.
    /// :param root_moves: only these moves are searched, at least one; ``None``: all moves.
    /// :raises ValueError: no limit is given, one is out of range, ``multipv`` is, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(signature = (
        position, limit = None, *, depth = None, nodes = None, time = None, mate = None, multipv = None,
        root_moves = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn analyse<'py>(
        &self,
        position: &Given<'py>,
        limit: Option<Given<'_>>,
        depth: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        mate: Option<Given<'_>>,
        multipv: Option<Given<'_>>,
        root_moves: Option<Given<'_>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = arguments::position(position)?;
        let limits = arguments::limited(limit, (depth, nodes, time, mate))?;
        let (moves, alone) = (arguments::moves("root_moves", root_moves)?, multipv.is_none());
        let wanted = Wanted { lines: arguments::lines("multipv", multipv)?, ties: Ties::First };
        let request = self.request(position.get(), limits, &moves, wanted)?;
        let found = Bound::new(position.py(), self.found(position, &request, None)?)?;
        if alone { Ok(found.into_any()) } else { found.getattr("lines") }
    }

    /// Begins a search in the background and returns at once: see :class:`Analysis`. Without a limit it goes on until it is
    /// stopped, or deeper iterations cannot change anything.
    ///
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> [result.depth for result in engine.analysis(secateur.Position("kalah"), depth=3)]
    /// [1, 2, 3]
    ///
    /// :param position: the position.
    /// :param limit: as for :meth:`search`, and so ``depth``, ``nodes``, ``time`` and ``mate``; all may be left out.
    /// :param multipv: the number of lines of each result, :attr:`Result.lines`, at least 1.
    /// :param root_moves: only these moves are searched, at least one; ``None``: all moves.
    /// :raises ValueError: a limit is out of range, ``multipv`` is, or ``root_moves`` is empty.
    /// :raises IllegalMove: one of ``root_moves`` is not legal in the position.
    #[pyo3(
        signature = (
            position, limit = None, *, depth = None, nodes = None, time = None, mate = None, multipv = None,
            root_moves = None
        ),
        text_signature = "($self, position, limit=None, *, depth=None, nodes=None, time=None, mate=None, multipv=1, \
                          root_moves=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn analysis(
        &self,
        position: &Given<'_>,
        limit: Option<Given<'_>>,
        depth: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        mate: Option<Given<'_>>,
        multipv: Option<Given<'_>>,
        root_moves: Option<Given<'_>>,
    ) -> PyResult<Analysis> {
        let position = arguments::position(position)?;
        let limits = arguments::any_limits(limit, (depth, nodes, time, mate))?;
        let (board, moves) = (position.get().board(), arguments::moves("root_moves", root_moves)?);
        let wanted = Wanted { lines: arguments::lines("multipv", multipv)?, ties: Ties::First };
        let request = self.request(position.get(), limits, &moves, wanted)?;
        let mut engine = board.engine(Arc::clone(&self.table));
        let trail = Trail::new(if moves.is_empty() { board.codes().len() } else { request.moves.len() }, request.lines);
        Analysis::begin(position.clone().unbind(), trail, self.running.enter(), move |stop, tell| {
            Ok(engine.search(&request, stop, tell))
        })
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
    /// :param position: the position; a finished game has none.
    /// :param limit: as for :meth:`search`, and so ``depth``, ``nodes``, ``time`` and ``mate``.
    /// :raises ValueError: no limit is given, or one is out of range.
    #[pyo3(signature = (position, limit = None, *, depth = None, nodes = None, time = None, mate = None))]
    fn best_moves<'py>(
        &self,
        position: &Given<'py>,
        limit: Option<Given<'_>>,
        depth: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        mate: Option<Given<'_>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = arguments::position(position)?;
        let limits = arguments::limited(limit, (depth, nodes, time, mate))?;
        let wanted = Wanted { lines: 1, ties: Ties::All };
        let request = self.request(position.get(), limits, &[], wanted)?;
        let (found, moves) = (self.found(position, &request, None)?, PyDict::new(position.py()));
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
    fn _sibling(&self) -> Self {
        Self { table: Arc::clone(&self.table), threads: self.threads, running: Running::awaited() }
    }

    /// Ends all searches by a ``CancelledError``, methods of a game in Python that go on too.
    fn _abandon(&self) {
        self.running.abandon();
    }

    /// Searches for the exact value of a position, to the ends of the game, with the GIL released: until it is known, or a
    /// limit is reached. Without a limit it may take days; Ctrl-C and :meth:`stop` are obeyed as in :meth:`search`, and what
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
    /// :param nodes: at most so many positions are entered, at least 1.
    /// :param time: at most so many seconds, more than 0.
    /// :param guess: where the value is looked for first, in games of margins, -288 to 288 units; far from the value the
    ///     questions are easy, and bounds on that side are proven first.
    /// :raises ValueError: a limit or ``guess`` is out of range, or ``moves`` is another word; or the game is none that can be
    ///     solved: a position repeats on a line of play, or a line is longer than 3,199 plies.
    #[pyo3(
        signature = (position, *, moves = None, nodes = None, time = None, guess = None),
        text_signature = "($self, position, *, moves='best', nodes=None, time=None, guess=None)"
    )]
    fn solve(
        &self,
        position: &Given<'_>,
        moves: Option<Given<'_>>,
        nodes: Option<Given<'_>>,
        time: Option<Given<'_>>,
        guess: Option<Given<'_>>,
    ) -> PyResult<Solution> {
        let position = arguments::position(position)?;
        let (py, set_up) = (position.py(), position.get());
        let (board, moves) = (set_up.board().boxed(), arguments::valued(moves)?);
        let (limits, guess) = (arguments::exact_limits(nodes, time)?, arguments::guess(guess)?);
        let task = SolveRequest { limits, threads: set_up.threads(self.threads), moves, guess };
        let run = self.running.enter();
        let (table, stop) = (Arc::clone(&self.table), run.stop().clone());
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
        let run = self.running.enter();
        let (table, stop) = (Arc::clone(&self.table), run.stop().clone());
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
        let (board, stop, table) = (position.registered()?.boxed(), StopFlag::new(), Arc::clone(&self.table));
        let saved = interruptible(py, &stop.clone(), move || tables::save(&table, &*board, &path, &stop))?;
        Ok(saved?.unwrap_or_default())
    }

    /// Adds to the table what :meth:`save` put into a file, with the GIL released, and returns the number of entries. The
    /// sizes of the tables need not be the same; what a smaller one cannot hold is lost.
    ///
    /// >>> import tempfile
    /// >>> position = secateur.Position("kalah", houses=3, seeds=3)
    /// >>> engine = secateur.Engine(hash=1)
    /// >>> nodes = engine.search(position, depth=9).nodes
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     saved = engine.save(f"{folder}/kalah.sct", position)
    /// ...     other = secateur.Engine(hash=2)
    /// ...     saved == other.load(f"{folder}/kalah.sct", position)
    /// True
    /// >>> other.search(position, depth=9).nodes < nodes
    /// True
    ///
    /// :param path: the file.
    /// :param position: a position with the game and the options that the engine will search.
    /// :raises OSError: the file cannot be read.
    /// :raises BadFile: it is no saved table, is damaged, or was saved for another game, other options, another
    ///     evaluation or another version; the table is as it was then.
    fn load(&self, py: Python<'_>, path: &Given<'_>, position: &Given<'_>) -> PyResult<u64> {
        let (path, position) = (arguments::path("path", path)?, arguments::position(position)?.get());
        let (board, stop, table) = (position.registered()?.boxed(), StopFlag::new(), Arc::clone(&self.table));
        let loaded = interruptible(py, &stop.clone(), move || tables::load(&table, &*board, &path, &stop))?;
        Ok(loaded?.unwrap_or_default())
    }

    /// Empties the table: the next search begins from nothing, and its node count can be repeated.
    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.table.clear());
    }

    /// The size of the table, MiB.
    #[getter]
    fn hash(&self) -> usize {
        self.table.mib()
    }

    /// The threads of each search.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (usize, usize)) {
        (py.get_type::<Self>(), (self.table.mib(), self.threads))
    }

    fn __repr__(&self) -> String {
        format!("Engine(hash={}, threads={})", self.table.mib(), self.threads)
    }
}
