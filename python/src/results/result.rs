//! The result of a search.

use super::RecordedTree;
use super::tree::{self, Pickled, Tree};
use crate::arguments::{Value, no_others};
use crate::error::{OrRaise, unpicklable};
use crate::position::Position;
use crate::python_modules::{call_function, from_json, missing, shown};
use crate::score::Score;
use crate::threads::unwinding::{caught, with_thread_state};
use crate::threads::work::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};
use secateurs::core::{self, Proof, Report, Request, StopFlag, score};
use secateurs::search::Table;
use secateurs::views::report::Analysis;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The result of a search, returned by :meth:`Engine.analyse`.
///
/// >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position("nim", heaps=[1, 2], theory=False), depth=5)
/// >>> print(result.pv, result.score)
/// ['2-1', '1-1', '2-1'] win in 3 plies proven
///
/// Results are equal if their positions, lines and iterations are, including the nodes and the time. A recorded tree is
/// not compared.
#[pyclass(frozen, generic, name = "Result", module = "secateurs")]
pub struct SearchResult {
    /// The position searched.
    #[pyo3(get)]
    position: Py<Position>,
    report: Report,
    /// The other lines.
    others: Vec<Py<Self>>,
    /// The best line of every window.
    windows: Vec<Arc<Report>>,
    moves: RootMoves,
    /// The tree, if it was recorded.
    tree: Option<RecordedTree>,
}

/// The moves that a search was restricted to, all if empty; `None` for an external engine, whose search cannot be
/// repeated for its tree.
pub type RootMoves = Option<Vec<String>>;

/// What a pickle has beside the position and the tree: the lines, the windows and the moves.
pub type Kept = (Vec<Report>, Vec<Report>, RootMoves);

/// The score in the report of an engine that reports none, at least which the value is.
pub const UNKNOWN: core::Score = -score::INFINITE;

/// The table size of a search that is repeated for its tree, MiB.
const TREE_HASH: usize = 16;

impl SearchResult {
    /// Creates a result from the lines, the best one first, the reports of all windows, and the moves.
    ///
    /// # Errors
    /// None but those of Python itself.
    pub fn new(
        py: Python<'_>,
        position: &Py<Position>,
        mut lines: Vec<Report>,
        windows: Vec<Arc<Report>>,
        moves: &RootMoves,
    ) -> PyResult<Self> {
        let alone = |report| {
            let (position, moves) = (position.clone_ref(py), moves.clone());
            Self { position, report, others: Vec::new(), windows: Vec::new(), moves, tree: None }
        };
        let others = lines.split_off(1).into_iter().map(|report| Py::new(py, alone(report)));
        Ok(Self { others: others.collect::<PyResult<_>>()?, windows, ..alone(lines.swap_remove(0)) })
    }

    /// Adds the recorded tree, if any.
    pub fn with_tree(self, tree: Option<RecordedTree>) -> Self {
        Self { tree, ..self }
    }

    /// Returns the final report if it has a score.
    pub fn scored_report(&self) -> Option<&Report> {
        Some(&self.report).filter(|report| report.score != UNKNOWN)
    }

    /// Returns all moves as good as the best, each with its score; only the best if the others are not settled.
    pub fn bests(&self) -> Vec<(&str, Option<Score>)> {
        let Report { ties, tie_proofs, .. } = &self.report;
        let scored = ties.iter().zip(tie_proofs).map(|(mv, &proof)| (mv.as_str(), self.scored(proof)));
        if ties.is_empty() {
            self.report.best().map(|mv| (mv.as_str(), self.score())).into_iter().collect()
        } else {
            scored.collect()
        }
    }

    fn scored(&self, proof: Proof) -> Option<Score> {
        self.scored_report().map(|report| Score::new(report.score, self.position.get().board().turn(), proof))
    }
}

#[pymethods]
impl SearchResult {
    /// The best move, legal however early the search ended; ``None`` only if there is none.
    #[getter]
    fn best_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.report.best().map(|mv| self.position.get().result_move(py, mv)).transpose()
    }

    /// The value for the side to move, with what is proven of it; ``None`` if a :class:`UciEngine` reports no score.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.scored(self.report.proof)
    }

    /// The search window, centi-units for the side to move; ``None`` for an open end. The score is exact inside it and
    /// a bound outside it.
    #[getter]
    fn window(&self) -> (Option<i32>, Option<i32>) {
        tree::ends(self.report.window)
    }

    /// The relation of the score to the value at this depth: "exact", or "lower" or "upper" if the search ended with
    /// only a bound; ``None`` without a score.
    #[getter]
    fn bound(&self) -> Option<&'static str> {
        self.scored_report().map(|report| report.bound.name())
    }

    /// What is proven of the game-theoretic value, independent of the depth: it is the score ("exact"), at least the
    /// score ("lower") or at most the score ("upper"); ``None``: nothing. In a search restricted to some moves this is
    /// the value of the best of them; in each of :attr:`multipv` after the first it is the value of the move of that
    /// line.
    #[getter]
    fn proven(&self) -> Option<&'static str> {
        self.report.proof.name()
    }

    /// The probabilities of a win, a draw and a loss for the side to move, per mille; ``None`` if the game has no model
    /// of them.
    #[getter]
    fn wdl(&self) -> Option<(u16, u16, u16)> {
        self.report.wdl.map(|[win, draw, loss]| (win, draw, loss))
    }

    /// Full moves to the forced end of a won (positive) or lost (negative) game; ``None`` for other scores.
    #[getter]
    fn mate(&self) -> Option<i32> {
        self.scored_report().and_then(|report| score::mate(report.score))
    }

    /// The principal variation, starting with the best move; empty only without a legal move.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.position.get().result_moves(py, &self.report.pv)
    }

    /// The best move as people read it: in standard algebraic notation, where the game has it; ``None`` only if there
    /// is none.
    ///
    /// >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position("chess").play_line("e4 e5 Qh5 Ke7"), depth=3)
    /// >>> result.best_san, result.pv_san
    /// ('Qxe5#', ['Qxe5#'])
    #[getter]
    fn best_san(&self) -> PyResult<Option<String>> {
        let board = self.position.get().board();
        self.report.best().map(|mv| caught(|| board.readable(mv))).transpose()
    }

    /// The principal variation as people read it.
    #[getter]
    fn pv_san(&self) -> PyResult<Vec<String>> {
        caught(|| self.position.get().board().readable_line(&self.report.pv))
    }

    /// The depth of the last iteration with a report, plies; 0 if the search ended before its first report.
    #[getter]
    fn depth(&self) -> u8 {
        self.report.depth
    }

    /// The selective depth of the last iteration: its longest line, plies.
    #[getter]
    fn seldepth(&self) -> u8 {
        self.report.seldepth
    }

    /// The best lines, each a result with its own score and variation, starting with this one: ``multipv`` lines, or as
    /// many as there are moves.
    ///
    /// >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position("nim"), depth=3)
    /// >>> result.multipv[0] is result
    /// True
    #[getter]
    fn multipv<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let others = slf.get().others.iter().map(|line| line.clone_ref(slf.py()));
        lines(slf.py(), std::iter::once(slf.clone().unbind()).chain(others).collect())
    }

    /// The reports of the search: a result for each window in order, including failed ones (:attr:`bound`). It covers
    /// the best line only and is empty for the others.
    ///
    /// >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position("kalah"), depth=3)
    /// >>> [step.depth for step in result.iterations if step.bound == "exact"]
    /// [1, 2, 3]
    #[getter]
    fn iterations(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let one =
            |window: &Arc<Report>| Self::new(py, &self.position, vec![(**window).clone()], Vec::new(), &self.moves);
        self.windows.iter().map(one).collect()
    }

    /// The number of nodes: positions entered after a move.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// The time of the search, seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.report.time.as_secs_f64()
    }

    /// Nodes per second; the number of nodes if no time was measured.
    #[getter]
    fn nps(&self) -> u64 {
        self.report.nps()
    }

    /// The part of the table that this search filled, per mille.
    #[getter]
    fn hashfull(&self) -> u16 {
        self.report.hashfull
    }

    /// The tree of the last iteration, if the search recorded it (``tree=True``): each call plays the moves on the
    /// lines of the tree again. Otherwise the same moves are searched again to the same depth, for one line, by one
    /// thread with an empty table; this takes as long as the first search, and the tree may differ from its tree. The
    /// GIL is released, and Ctrl-C works as in :meth:`Engine.analyse`.
    ///
    /// >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position("kalah"), depth=4)
    /// >>> tree = result.tree(plies=2)
    /// >>> tree.plies, tree.depth
    /// (2, 4)
    ///
    /// :param plies: the maximum number of plies, 1 to 255; ``None``: no maximum.
    /// :param limit: the maximum number of nodes, at least 1; only whole plies are included.
    /// :raises ValueError: an argument is out of range, the nodes might need more than 1 GiB, or the search was that of
    ///     a :class:`UciEngine`, which reports no tree.
    #[pyo3(
        signature = (plies = None, limit = None, **others),
        text_signature = "($self, plies=None, limit=10000)"
    )]
    fn tree(
        &self,
        py: Python<'_>,
        plies: Option<Value<'_>>,
        limit: Option<Value<'_>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Tree> {
        no_others(py, "Result.tree", others)?;
        let limit = match limit {
            Some(limit) => limit,
            None => 10_000_i64.into_pyobject(py)?.into_any(),
        };
        let room = tree::room("limit", &limit, plies)?;
        let Some(moves) = self.moves.clone() else {
            let message = "the search of an external engine has no tree: secateurs.Engine searches with tree=True";
            return Err(PyValueError::new_err(message));
        };
        let (recorded, depth, stop) = (self.tree.clone(), self.report.depth.max(1), StopFlag::new());
        let (board, flag) = (self.position.get().board().boxed(), stop.clone());
        let work = move || {
            if let Some(recorded) = recorded {
                return Ok(recorded.within(room, &*board, &stop));
            }
            let mut engine = board.engine(Arc::new(Table::new(TREE_HASH)?));
            let request = Request { moves: board.codes_of(&moves)?, ..Request::depth(depth) };
            let (_, tree) = engine.record(&request, room, &stop, &mut |_| {});
            Ok::<_, core::Error>(board.named(&tree, &stop))
        };
        let found = interruptible(py, &flag, with_thread_state(self.position.get().is_python(), work))?.or_raise()?;
        Ok(Tree::new(self.position.clone_ref(py), Arc::new(found)))
    }

    /// Plots the search by depth with matplotlib (the extra ``plot``): the value with its window, the failed windows,
    /// and the nodes. Returns the figure.
    ///
    /// :raises ImportError: matplotlib is not installed.
    fn plot<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        shown(slf.py(), "plot", (&slf,))
    }

    /// Returns the result as a ``dict`` that ``json.dumps`` accepts. Its keys are the attributes; the position is its
    /// ``game``, ``options``, ``text`` and ``history``, the score is in centi-units for the side to move, and
    /// ``multipv`` and ``iterations`` are lists of ``dict`` without a position.
    ///
    /// >>> result = secateurs.Engine(hash=1).analyse(secateurs.Position("nim", heaps=[1, 2], theory=False), depth=5)
    /// >>> row = result.to_dict()
    /// >>> row["game"], row["text"], row["best_move"], row["score"], row["proven"]
    /// ('nim', '1,2 1', '2-1', 31997, 'exact')
    fn to_dict<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call_function(slf.py(), ("secateurs._dicts", "of_result"), (&slf,))
    }

    /// Returns the lines of :attr:`multipv` as a :class:`pandas.DataFrame`, a row each, with the attributes of
    /// :meth:`to_dict`; requires the extra ``pandas``.
    ///
    /// :raises ImportError: pandas is not installed.
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::multipv(&slf)?.call_method0("to_pandas")
    }

    /// Returns the lines of :attr:`multipv` as a :class:`polars.DataFrame`, a row each; requires the extra ``polars``.
    ///
    /// :raises ImportError: polars is not installed.
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::multipv(&slf)?.call_method0("to_polars")
    }

    /// Returns the number of the line; 1 is the best.
    fn _line(&self) -> usize {
        self.report.line
    }

    /// Returns the lines as a page shows them.
    fn _page<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let others = self.others.iter().map(|other| other.get().report.clone());
        let lines: Vec<_> = std::iter::once(self.report.clone()).chain(others).collect();
        let page = caught(|| Analysis::new(self.position.get().board(), &lines))?;
        from_json(py, &page)
    }

    /// Returns :meth:`to_dict` as JSON.
    fn to_json<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call_function(slf.py(), ("secateurs._dicts", "to_json"), (&slf,))
    }

    /// Returns an item of the result as a ``chess.engine.InfoDict``, which :func:`secateurs.chess.info_of` returns:
    /// ``result["score"].white()`` and ``result["pv"]`` are objects of python-chess. Attributes are those of all games.
    ///
    /// :raises KeyError: there is no such item; the message names those there are.
    /// :raises TypeError: the game is not chess.
    fn __getitem__<'py>(slf: &Bound<'py, Self>, key: &Value<'py>) -> PyResult<Bound<'py, PyAny>> {
        call_function(slf.py(), ("secateurs._python_chess", "item"), (slf, key))
    }

    fn __contains__(slf: &Bound<'_, Self>, key: &Value<'_>) -> PyResult<bool> {
        info(slf, Some(key))?.contains(key)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Ok(info(slf, None)?.try_iter()?.into_any())
    }

    /// Returns the keys of the result as a ``chess.engine.InfoDict``.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        info(slf, None)?.call_method0("keys")
    }

    /// Returns an item of the result as a ``chess.engine.InfoDict``, or ``default``.
    #[pyo3(signature = (key, default = None))]
    fn get<'py>(slf: &Bound<'py, Self>, key: &Value<'py>, default: Option<Value<'py>>) -> PyResult<Bound<'py, PyAny>> {
        info(slf, Some(key))?.call_method1("get", (key, default))
    }

    /// Raises the error for an attribute that does not exist; for one of python-chess it names what there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        missing(slf, name)
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<String> {
        shown(slf.py(), "result_html", (&slf,))?.extract()
    }

    pub fn __eq__(&self, other: &Self) -> PyResult<bool> {
        let alike = self.report == other.report && self.windows == other.windows;
        let lines = |result: &Self| result.others.iter().map(|line| line.get().report.clone()).collect::<Vec<_>>();
        Ok(alike && lines(self) == lines(other) && self.position.get().__eq__(other.position.get())?)
    }

    pub fn __hash__(&self) -> u64 {
        let Report { score, depth, nodes, time, pv, .. } = &self.report;
        let mut hasher = DefaultHasher::new();
        (self.position.get().key(), score, depth, nodes, time, pv).hash(&mut hasher);
        hasher.finish()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.position)?;
        self.others.iter().try_for_each(|other| visit.call(other))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let others = self.others.iter().map(|other| other.get().report.clone());
        let lines: Vec<_> = std::iter::once(self.report.clone()).chain(others).collect();
        let windows = self.windows.iter().map(|windows| (**windows).clone()).collect::<Vec<_>>();
        let parts = (lines, windows, self.moves.clone());
        let text = match &self.tree {
            Some(tree) => tree.pickled(py, self.position.get(), parts)?,
            None => serde_json::to_string(&(parts, None::<core::SearchTree>)),
        };
        let text = text.map_err(unpicklable)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.position.clone_ref(py), text)))
    }

    #[classmethod]
    fn _restore(class: &Bound<'_, PyType>, position: Py<Position>, text: &str) -> PyResult<Self> {
        let ((lines, windows, moves), tree): (Kept, Option<core::SearchTree>) =
            serde_json::from_str(text).map_err(unpicklable)?;
        if lines.is_empty() {
            return Err(PyValueError::new_err("no result without lines"));
        }
        let tree = tree.map(tree::restored).transpose()?.map(|tree| RecordedTree::Named(Arc::new(tree)));
        let windows = windows.into_iter().map(Arc::new).collect();
        Ok(Self::new(class.py(), &position, lines, windows, &moves)?.with_tree(tree))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Report { depth, nodes, .. } = self.report;
        let (best, score) = (self.best_move(py)?.into_pyobject(py)?.repr()?, self.score().into_pyobject(py)?.repr()?);
        let (best, score) = (best.to_cow()?, score.to_cow()?);
        let bound = self.bound().filter(|bound| *bound != "exact");
        let bound = bound.map_or_else(String::new, |bound| format!(", bound='{bound}'"));
        Ok(format!("Result(best_move={best}, score={score}, depth={depth}, nodes={nodes}{bound})"))
    }
}

/// Returns lines as a list that notebooks display as a table.
///
/// # Errors
/// None but those of Python itself.
pub fn lines(py: Python<'_>, lines: Vec<Py<SearchResult>>) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "secateurs._results", "Lines")?.call1((lines,))
}

/// Returns a result as python-chess has it, for one of its keys.
fn info<'py>(result: &Bound<'py, SearchResult>, key: Option<&Value<'py>>) -> PyResult<Bound<'py, PyAny>> {
    call_function(result.py(), ("secateurs._python_chess", "info"), (result, key))
}
