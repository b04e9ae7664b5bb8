//! A searched tree.

use super::arguments::{self, Given};
use super::error::unpicklable;
use super::game;
use super::position::Position;
use super::result::Pickled;
use super::score::{self, Score};
use crate::core::score::INFINITE;
use crate::core::tree::Room;
use crate::core::{self, Error};
use crate::store::Replacement;
use crate::views::{self, Form};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyType};
use pyo3::{PyTraverseError, PyVisit};
use std::io::Write;
use std::sync::Arc;

/// The tree of the last iteration of a search: :meth:`Result.tree` makes these. At the top are the aspiration windows, one
/// after the other; below each of them are the moves in the order in which they were searched. Where there were more
/// nodes than were asked for, the farthest plies are left out and only counted.
///
/// >>> position = secateur.Position.parse("1,2 1", "nim", theory=False)
/// >>> tree = secateur.Engine(hash=1).analyse(position, depth=3, tree=True).tree()
/// >>> [(node.move, str(node.value), node.end) for node in tree.roots[-1].children]
/// [('2-1', 'win in 3 proven', 'cutoff'), ('1-1', 'at most loss in 2', 'table'), ('2-2', 'at most loss in 2', 'table')]
///
/// It is a sequence of its nodes, in the order in which they were entered; printed it is a table, and in a notebook a page
/// that folds and unfolds. docs/tree.md explains it.
#[pyclass(frozen, sequence, module = "secateur")]
pub struct Tree {
    position: Py<Position>,
    tree: Arc<core::SearchTree>,
}

/// How much of a tree is recorded: so many nodes, under the name of the argument, down to so many plies.
///
/// # Errors
/// `TypeError`; `ValueError` for one that is out of range.
pub fn room(name: &str, nodes: &Given<'_>, plies: Option<Given<'_>>) -> PyResult<Room> {
    let nodes = arguments::within(name, nodes, 1.., "a whole number of nodes, at least 1")?;
    let plies = plies.map(|plies| arguments::within("plies", &plies, 1.., "a whole number from 1 to 255"));
    let room = Room::new(nodes, plies.transpose()?.unwrap_or(u8::MAX));
    room.map_err(|error| PyValueError::new_err(format!("{name} is too large: {error}")))
}

impl Tree {
    /// The tree of a search of a position.
    pub fn new(position: Py<Position>, tree: Arc<core::SearchTree>) -> Self {
        Self { position, tree }
    }

    fn written(&self, form: Form) -> PyResult<String> {
        game::caught(|| views::written(form, &self.tree, self.position.get().board()))
    }
}

#[pymethods]
impl Tree {
    /// The position that was searched.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// The iteration, plies.
    #[getter]
    fn depth(&self) -> u8 {
        self.tree.depth
    }

    /// The farthest ply of which there are nodes.
    #[getter]
    fn plies(&self) -> u8 {
        self.tree.plies
    }

    /// Nodes that were entered in the iteration, those that are left out too; the windows at the root are not counted.
    #[getter]
    fn entered(&self) -> u64 {
        self.tree.entered
    }

    /// The aspiration windows at the root, in their order; none without a legal move.
    #[getter]
    fn roots(slf: &Bound<'_, Self>) -> Vec<Node> {
        slf.get().tree.roots().map(|at| Node { tree: slf.clone().unbind(), at }).collect()
    }

    /// A table for people, indented by ply; ``*`` marks the principal variation.
    ///
    /// :raises Exception: what a game in Python raised; so do the other forms.
    fn text(&self) -> PyResult<String> {
        self.written(Form::Text)
    }

    /// A JSON object a line: the first about the tree, the others about its nodes.
    fn to_json_lines(&self) -> PyResult<String> {
        self.written(Form::Json)
    }

    /// A graph in the language of Graphviz.
    fn to_dot(&self) -> PyResult<String> {
        self.written(Form::Dot)
    }

    /// A page that folds and unfolds, and needs nothing beside itself.
    fn to_html(&self) -> PyResult<String> {
        self.written(Form::Html)
    }

    /// Writes the tree to a file, as the end of its name says: .txt, .jsonl, .dot or .html.
    ///
    /// :raises BadFile: the name ends otherwise.
    /// :raises OSError: the file cannot be written.
    fn save(&self, path: &Given<'_>) -> PyResult<()> {
        let path = arguments::path("path", path)?;
        let form = Form::of(&path)?;
        let text = self.written(form)?;
        let written = Replacement::new(&path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.commit()
        });
        Ok(written.map_err(|error| Error::file("write", &path, &error))?)
    }

    fn __len__(&self) -> usize {
        self.tree.nodes.len()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, key: &Given<'py>) -> PyResult<Bound<'py, PyAny>> {
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

/// A tree that was pickled; its nodes must fit together.
///
/// # Errors
/// `ValueError` for what is no tree.
pub fn restored(tree: core::SearchTree) -> PyResult<core::SearchTree> {
    if tree.is_sound() { Ok(tree) } else { Err(unpicklable(serde::de::Error::custom("no tree"))) }
}

/// What a node is pickled as: what restores it, its tree, its place there.
type PickledNode<'py> = (Bound<'py, PyAny>, (Py<Tree>, usize));

/// A position of a :class:`Tree` that was entered, once for each time that it was. Every value is that of the side to move
/// at the root: where that side moves a node has the largest value of its moves, elsewhere the smallest.
///
/// It is equal to itself alone, and pickles with its tree.
#[pyclass(frozen, module = "secateur")]
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
    /// The move that led to it; ``None`` of the root.
    #[getter]
    fn r#move(&self) -> Option<&str> {
        self.node().mv.as_deref()
    }

    /// The player to move, 1 or 2.
    #[getter]
    fn turn(&self) -> u8 {
        score::number(self.node().turn)
    }

    /// Plies from the root.
    #[getter]
    fn ply(&self) -> u8 {
        self.node().ply
    }

    /// Plies still to be searched; negative in quiescence search.
    #[getter]
    fn depth(&self) -> i16 {
        self.node().depth
    }

    /// How it was searched: "full", with the window that its parent had left; "null", with a null window; "reduced", with a
    /// null window and less deep; "quiescence", beyond the horizon.
    #[getter]
    fn kind(&self) -> &'static str {
        self.node().kind.name()
    }

    /// Whether the same move was searched just before, and this is the second look at it.
    #[getter]
    fn again(&self) -> bool {
        self.node().again
    }

    /// Whether it is on the principal variation.
    #[getter]
    fn pv(&self) -> bool {
        self.node().pv
    }

    /// The window on entry, centi-units; ``None`` for an end that was open.
    #[getter]
    fn window(&self) -> (Option<i32>, Option<i32>) {
        let end = |end: core::Score| Some(end).filter(|end| end.abs() < INFINITE);
        let [low, high] = self.node().window;
        (end(low), end(high))
    }

    /// What the game said of it on entry, without any search.
    #[getter]
    fn provisional(&self) -> Score {
        self.score(self.node().provisional, core::Proof::NONE)
    }

    /// What the search said in the end, with what is proven of it; ``None`` where it was stopped before.
    #[getter]
    fn value(&self) -> Option<Score> {
        self.node().value.map(|value| self.score(value, self.node().proof))
    }

    /// How that relates to the value at this depth: "exact", "lower" (it is at least that) or "upper" (at most).
    #[getter]
    fn bound(&self) -> &'static str {
        self.node().bound().name()
    }

    /// Why it ended: "cutoff" (:attr:`by` a move), "moves" (all were searched), "table", "enhanced" (the table knew that a
    /// move refutes), "rules", "database", "horizon", "over" or "stopped".
    #[getter]
    fn end(&self) -> &'static str {
        self.node().end.name()
    }

    /// The move that ended it, if one did.
    #[getter]
    fn by(&self) -> Option<&str> {
        self.node().end.by().map(String::as_str)
    }

    /// Nodes that were entered below it, those that are left out too.
    #[getter]
    fn below(&self) -> u64 {
        self.node().below
    }

    /// The nodes right below it.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<Self> {
        self.tree().children(self.at).map(|at| Self { tree: self.tree.clone_ref(py), at }).collect()
    }

    /// The same node of the same tree.
    fn __eq__(&self, other: &Self) -> bool {
        self.tree.is(&other.tree) && self.at == other.at
    }

    fn __hash__(&self) -> usize {
        self.at
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.tree)
    }

    /// Pickled with its tree.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PickledNode<'py>> {
        Ok((py.import("operator")?.getattr("getitem")?, (self.tree.clone_ref(py), self.at)))
    }

    fn __repr__(&self) -> String {
        let node = self.node();
        let mv = node.mv.as_ref().map_or_else(|| "None".into(), |mv| format!("'{mv}'"));
        let value = self.value().map_or_else(|| "None".into(), Score::shown);
        format!("<Node, move {mv}, ply {}, value {value}, end '{}'>", node.ply, node.end.name())
    }
}
