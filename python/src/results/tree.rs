//! RecordedTree search trees.

use crate::arguments::{self, Argument, Value};
use crate::error::{OrRaise, unpicklable};
use crate::position::Position;
use crate::score::Score;
use crate::threads::unwinding::caught;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyType};
use pyo3::{PyTraverseError, PyVisit};
use secateurs::core;
use secateurs::core::score::INFINITE;
use secateurs::core::tree::Room;
use secateurs::store::Replacement;
use secateurs::views::{self, Form};
use secateurs_tools::cli::output::FileKind;
use std::path::PathBuf;
use std::sync::Arc;

/// The pickled form of a tree, a result or a solution: the restoring function, the position, the rest.
pub type Pickled<'py> = (Bound<'py, PyAny>, (Py<Position>, String));

/// The tree of the last iteration of a search, returned by :meth:`Result.tree`. Its roots are the aspiration windows in
/// order; below each are the moves in the order in which they were searched. If the search had more nodes than were
/// requested, the deepest plies are counted but not included.
///
/// >>> position = secateurs.Position.parse("1,2 1", "nim", theory=False)
/// >>> tree = secateurs.Engine(hash=1).analyse(position, depth=3, tree=True).tree()
/// >>> [(node.move, str(node.value), node.end) for node in tree.roots[-1].children]
/// [('2-1', 'win in 3 plies proven', 'cutoff'), ('1-1', 'loss within 2 plies', 'table'), ('2-2', 'loss within 2 plies', 'table')]
///
/// It is a sequence of its nodes, in the order in which they were entered. It prints as a table, and notebooks display
/// it as a collapsible page. docs/tree.md describes it.
/// Trees are equal if their positions and nodes are.
#[pyclass(frozen, sequence, module = "secateurs")]
pub struct Tree {
    /// The position searched.
    #[pyo3(get)]
    position: Py<Position>,
    tree: Arc<core::SearchTree>,
}

/// Converts the argument `tree`: no tree, the default number of nodes, or a number of nodes.
///
/// # Errors
/// `TypeError`; `ValueError` for a number out of range.
pub fn recorded(tree: &Value<'_>) -> PyResult<Option<Room>> {
    if let Ok(all) = tree.extract::<bool>() {
        return Ok(all.then(Room::default));
    }
    let takes_int = tree.hasattr("__index__")?;
    if !takes_int {
        return Err(arguments::wrong_type("tree", "a bool or an int", tree));
    }
    room("tree", tree, None).map(Some)
}

/// Reads the limits of a recorded tree: the number of nodes, an argument called `name`, and the number of plies.
///
/// # Errors
/// `TypeError`; `ValueError` if one is out of range.
pub fn room(name: &str, nodes: &Value<'_>, plies: Option<Value<'_>>) -> PyResult<Room> {
    let nodes = arguments::within(name, nodes, 1.., "a whole number of nodes, at least 1")?;
    let plies = plies.map(|plies| arguments::within("plies", &plies, 1.., "a whole number from 1 to 255"));
    let room = Room::new(nodes, plies.transpose()?.unwrap_or(u8::MAX));
    room.map_err(|error| PyValueError::new_err(format!("{name} is too large: {error}")))
}

impl Tree {
    /// Creates the tree of a search of a position.
    pub fn new(position: Py<Position>, tree: Arc<core::SearchTree>) -> Self {
        Self { position, tree }
    }

    fn written(&self, form: Form) -> PyResult<String> {
        caught(|| views::written(form, &self.tree, self.position.get().board()))
    }
}

#[pymethods]
impl Tree {
    /// The depth of the iteration, plies.
    #[getter]
    fn depth(&self) -> u8 {
        self.tree.depth
    }

    /// The deepest ply included.
    #[getter]
    fn plies(&self) -> u8 {
        self.tree.plies
    }

    /// The number of nodes entered in the iteration, including those that are not in the tree, without the windows at
    /// the root.
    #[getter]
    fn entered(&self) -> u64 {
        self.tree.entered
    }

    /// The aspiration windows at the root, in order; empty without a legal move.
    #[getter]
    fn roots(slf: &Bound<'_, Self>) -> Vec<Node> {
        slf.get().tree.roots().map(|at| Node { tree: slf.clone().unbind(), at }).collect()
    }

    /// Returns a table indented by ply; ``*`` marks the principal variation.
    ///
    /// :raises Exception: an exception of a game in Python; this also holds for the other formats.
    fn text(&self) -> PyResult<String> {
        self.written(Form::Text)
    }

    /// Returns a JSON object per line: the first for the tree, the others for its nodes.
    fn to_json_lines(&self) -> PyResult<String> {
        self.written(Form::Json)
    }

    /// Returns a graph in the language of Graphviz.
    fn to_dot(&self) -> PyResult<String> {
        self.written(Form::Dot)
    }

    /// Returns a self-contained, collapsible HTML page.
    fn to_html(&self) -> PyResult<String> {
        self.written(Form::Html)
    }

    /// Writes the tree to a file in the format of its suffix: .txt, .jsonl, .dot or .html. A file there is replaced
    /// only if it has this format.
    ///
    /// :raises BadFile: the suffix is another one, or there is another file.
    /// :raises OSError: the file cannot be written.
    fn save(&self, path: &Value<'_>) -> PyResult<()> {
        let path = PathBuf::read("path", path)?;
        let form = Form::from_path(&path).or_raise()?;
        FileKind::of_tree(form).check("path", Some(&path)).or_raise()?;
        let text = self.written(form)?;
        Replacement::write_whole(&path, text.as_bytes()).or_raise()
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        Ok(self.tree == other.tree && self.position.get().__eq__(other.position.get())?)
    }

    fn __hash__(&self) -> u64 {
        self.position.get().key() ^ self.tree.entered
    }

    fn __len__(&self) -> usize {
        self.tree.nodes.len()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, key: &Value<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, len) = (slf.py(), slf.get().tree.nodes.len());
        let node = |at| Bound::new(py, Node { tree: slf.clone().unbind(), at });
        let Ok(slice) = key.cast::<PySlice>() else {
            return Ok(node(arguments::place("node", key, "tree", len)?)?.into_any());
        };
        let part = slice.indices(len.try_into()?)?;
        let places = (0..part.slicelength).map(|number| part.start + number.cast_signed() * part.step);
        let nodes = places.map(|at| node(at.try_into()?)).collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, nodes)?.into_any())
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        slf.get_item(PySlice::full(slf.py()))?.try_iter()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.position)
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let page = self.to_html()?.replace('&', "&amp;").replace('"', "&quot;");
        Ok(format!("<iframe srcdoc=\"{page}\" style=\"width:100%;height:36rem;border:1px solid #8884\"></iframe>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let text = serde_json::to_string(&*self.tree).map_err(unpicklable)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.position.clone_ref(py), text)))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, position: Py<Position>, text: &str) -> PyResult<Self> {
        Ok(Self { position, tree: Arc::new(restored(serde_json::from_str(text).map_err(unpicklable)?)?) })
    }

    fn __repr__(&self) -> String {
        let core::SearchTree { depth, entered, .. } = *self.tree;
        format!("<Tree, depth {depth}, {entered} nodes>")
    }
}

/// Checks that the nodes of an unpickled tree are consistent.
///
/// # Errors
/// `ValueError` if they are not.
pub fn restored(tree: core::SearchTree) -> PyResult<core::SearchTree> {
    if tree.is_sound() { Ok(tree) } else { Err(unpicklable(serde::de::Error::custom("no tree"))) }
}

/// Returns the ends of a window; `None` for an open end.
pub fn ends([low, high]: [core::Score; 2]) -> (Option<core::Score>, Option<core::Score>) {
    let end = |end: core::Score| Some(end).filter(|end| end.abs() < INFINITE);
    (end(low), end(high))
}

/// The pickled form of a node: the restoring function, its tree, its index.
type PickledNode<'py> = (Bound<'py, PyAny>, (Py<Tree>, usize));

/// A node of a :class:`Tree`: one visit of a position. All values are for the side to move at the root: where that side
/// moves, a node has the maximum of the values of its moves, elsewhere the minimum.
///
/// Nodes are equal if they are the same node of equal trees. A node is pickled with its tree.
#[pyclass(frozen, module = "secateurs")]
pub struct Node {
    tree: Py<Tree>,
    at: usize,
}

impl Node {
    fn tree(&self) -> &core::SearchTree {
        &self.tree.get().tree
    }

    fn node(&self) -> &core::tree::Node {
        &self.tree().nodes[self.at]
    }

    fn score(&self, value: core::Score, proof: core::Proof) -> Score {
        Score::new(value, self.tree().turn, proof)
    }
}

#[pymethods]
impl Node {
    /// The move that led to it; ``None`` for a root.
    #[getter]
    fn r#move(&self) -> Option<&str> {
        self.node().mv.as_deref()
    }

    /// The player to move, 1 or 2.
    #[getter]
    fn turn(&self) -> u8 {
        self.node().turn.number()
    }

    /// Plies from the root.
    #[getter]
    fn ply(&self) -> u8 {
        self.node().ply
    }

    /// The remaining depth, plies; negative in quiescence search.
    #[getter]
    fn depth(&self) -> i16 {
        self.node().depth
    }

    /// How it was searched: "full", with the window that remained at its parent; "null", with a null window; "reduced",
    /// with a null window and a reduced depth; "quiescence", beyond the horizon.
    #[getter]
    fn kind(&self) -> &'static str {
        self.node().kind.name()
    }

    /// Whether this is a re-search of the move searched just before.
    #[getter]
    fn again(&self) -> bool {
        self.node().again
    }

    /// Whether it is on the principal variation.
    #[getter]
    fn pv(&self) -> bool {
        self.node().pv
    }

    /// The window on entry, centi-units; ``None`` for an open end.
    #[getter]
    fn window(&self) -> (Option<i32>, Option<i32>) {
        ends(self.node().window)
    }

    /// The static value on entry, without any search.
    #[getter]
    fn provisional(&self) -> Score {
        self.score(self.node().provisional, core::Proof::NONE)
    }

    /// The result of the search, with what is proven of it; ``None`` if the search was stopped first.
    #[getter]
    fn value(&self) -> Option<Score> {
        self.node().value.map(|value| self.score(value, self.node().proof))
    }

    /// The relation of the value to the value at this depth: "exact", "lower" (a lower bound) or "upper" (an upper
    /// bound).
    #[getter]
    fn bound(&self) -> &'static str {
        self.node().bound().name()
    }

    /// Why the search of the node ended: "cutoff" (:attr:`by` a move), "moves" (all were searched), "table", "enhanced"
    /// (an enhanced transposition cut-off by a move), "pruned" (by its static evaluation or a null move), "rules",
    /// "database", "horizon", "over" or "stopped".
    #[getter]
    fn end(&self) -> &'static str {
        self.node().end.name()
    }

    /// The move that caused a cut-off, if any.
    #[getter]
    fn by(&self) -> Option<&str> {
        self.node().end.by().map(String::as_str)
    }

    /// The number of nodes entered below it, including those that are not in the tree.
    #[getter]
    fn below(&self) -> u64 {
        self.node().below
    }

    /// Its child nodes.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<Self> {
        self.tree().children(self.at).map(|at| Self { tree: self.tree.clone_ref(py), at }).collect()
    }

    fn __eq__(&self, other: &Self) -> PyResult<bool> {
        Ok(self.at == other.at && (self.tree.is(&other.tree) || self.tree.get().__eq__(other.tree.get())?))
    }

    fn __hash__(&self) -> usize {
        self.at
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.tree)
    }

    /// Pickles the node with its tree.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PickledNode<'py>> {
        Ok((py.import("operator")?.getattr("getitem")?, (self.tree.clone_ref(py), self.at)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let node = self.node();
        let mv = node.mv.as_deref().into_pyobject(py)?.repr()?;
        let value = self.value().map_or_else(|| "None".into(), Score::shown);
        Ok(format!("<Node, move {}, ply {}, value {value}, end '{}'>", mv.to_cow()?, node.ply, node.end.name()))
    }
}
