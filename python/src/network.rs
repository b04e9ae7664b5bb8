//! Networks and the positions that they are trained on, as bytes; `secateurs._network` makes arrays of them.

use crate::arguments::{Argument, Items, Value};
use crate::error::OrRaise;
use crate::position::Position;
use crate::threads::unwinding::with_thread_state;
use crate::threads::work::interruptible;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use secateurs::core::{NetworkShape, StopFlag};
use secateurs::network::NetworkFile;
use secateurs::store::paths;
use secateurs_tools::lab::network::TrainingSet;
use secateurs_tools::lab::positions::targets::Blend;
use std::path::PathBuf;
use std::sync::Arc;

/// The numbers of features, hidden neurons and buckets.
type ShapeTuple = (usize, usize, usize);

/// A network: the game, the shape, the scale, the origin, the weights and the biases of the outputs.
type Parts<'py> = (String, ShapeTuple, i32, String, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// The features of the side to move and of its opponent; the offsets at which those of each position begin, of both; the
/// buckets, the settled scores and the targets.
type Arrays<'py> = (
    [Bound<'py, PyByteArray>; 2],
    [Bound<'py, PyByteArray>; 2],
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
);

/// Reads the network of a game, or of any game.
#[pyfunction]
#[pyo3(name = "_read_network", signature = (path, game))]
pub fn read<'py>(py: Python<'py>, path: &Value<'py>, game: &Value<'py>) -> PyResult<Parts<'py>> {
    let (path, game) = (PathBuf::read("path", path)?, Option::<String>::read("game", game)?);
    let file = py.detach(|| NetworkFile::open(&path, game.as_deref())).or_raise()?;
    let NetworkFile { game, shape: NetworkShape { features, hidden, buckets }, scale, origin, weights, biases } = file;
    let weights = PyBytes::new(py, &bytes(weights.iter().map(|weight| weight.to_ne_bytes())));
    let biases = PyBytes::new(py, &bytes(biases.iter().map(|bias| bias.to_ne_bytes())));
    Ok((game, (features, hidden, buckets), scale, origin, weights, biases))
}

/// Writes a network, whose parts have been checked.
#[pyfunction]
#[pyo3(name = "_write_network")]
pub fn write(py: Python<'_>, path: &Value<'_>, parts: Parts<'_>) -> PyResult<()> {
    let path = PathBuf::read("path", path)?;
    let (game, (features, hidden, buckets), scale, origin, weights, biases) = parts;
    let file = NetworkFile {
        game,
        shape: NetworkShape { features, hidden, buckets },
        scale,
        origin,
        weights: weights.as_bytes().as_chunks().0.iter().map(|&bytes| i16::from_ne_bytes(bytes)).collect(),
        biases: biases.as_bytes().as_chunks().0.iter().map(|&bytes| i32::from_ne_bytes(bytes)).collect(),
    };
    py.detach(|| NetworkFile::check_replaced(&path, &file.game).and_then(|()| file.write(&path))).or_raise()
}

/// The positions of games of self-play, as `secateurs train` sees them.
#[pyclass(name = "_TrainingData", module = "secateurs._native", frozen)]
pub struct TrainingData(Arc<TrainingSet>);

#[pymethods]
impl TrainingData {
    /// Reads files. The arguments have been checked.
    #[new]
    fn new(
        paths: Items<PathBuf>,
        position: &Bound<'_, Position>,
        blend: f64,
        td_lambda: f64,
        held_out: f64,
        seed: u64,
    ) -> PyResult<Self> {
        let py = position.py();
        let ((setup, _), stop) = (position.get().setup()?, StopFlag::new());
        let paths = Vec::from(paths);
        paths::check_distinct("paths", &paths).or_raise()?;
        let blend = Blend { result: blend, lambda: td_lambda };
        let flag = stop.clone();
        let read = move || TrainingSet::load(&setup, &paths, blend, (held_out, seed), &flag, &mut |_| {});
        let read = interruptible(py, &stop, with_thread_state(position.get().is_python(), read))?.or_raise()?;
        // Only an exception raises the flag.
        read.map(|data| Self(Arc::new(data))).ok_or_else(|| PyKeyboardInterrupt::new_err(()))
    }

    /// The numbers of features, neurons and buckets.
    #[getter]
    fn shape(&self) -> ShapeTuple {
        let NetworkShape { features, hidden, buckets } = self.0.shape;
        (features, hidden, buckets)
    }

    /// The numbers of positions to train on, and of those held out.
    #[getter]
    fn positions(&self) -> [usize; 2] {
        self.0.positions()
    }

    /// The score that makes the odds of a win e to 1, centi-units.
    #[getter]
    fn scale(&self) -> f32 {
        self.0.scale
    }

    /// The number of positions in a step, where none is given.
    #[getter]
    fn batch(&self) -> usize {
        self.0.batch()
    }

    /// The initial weights.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        array(py, self.0.initial_weights().iter().map(|weight| weight.to_ne_bytes()))
    }

    /// The positions of an epoch in batches; `None`: those that are held out.
    #[pyo3(signature = (epoch, size))]
    fn batches(&self, epoch: Option<usize>, size: usize) -> Batches {
        let [_, held] = self.0.positions();
        let order = epoch.map_or_else(|| (0..held as u32).collect(), |epoch| self.0.order(epoch));
        Batches { data: Arc::clone(&self.0), held_out: epoch.is_none(), order, size: size.max(1), next: 0 }
    }
}

/// An iterator over batches of positions.
#[pyclass(name = "_Batches", module = "secateurs._native")]
pub struct Batches {
    data: Arc<TrainingSet>,
    held_out: bool,
    order: Vec<u32>,
    size: usize,
    next: usize,
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> Option<Arrays<'py>> {
        let end = self.next.saturating_add(self.size).min(self.order.len());
        let batch = self.order.get(self.next..end).filter(|batch| !batch.is_empty())?;
        self.next = end;
        let examples = self.data.examples(self.held_out, batch);
        let features = |side: usize| examples.iter().flat_map(move |example| example.features[side]);
        let offsets = |side: usize| {
            examples.iter().scan(0_i32, move |next, example| {
                let offset = *next;
                *next += example.features[side].len() as i32;
                Some(offset.to_ne_bytes())
            })
        };
        Some((
            [0, 1].map(|side| array(py, features(side).map(|&feature| i32::from(feature).to_ne_bytes()))),
            [0, 1].map(|side| array(py, offsets(side))),
            array(py, examples.iter().map(|example| (example.bucket as i32).to_ne_bytes())),
            array(py, examples.iter().map(|example| example.settled.to_ne_bytes())),
            array(py, examples.iter().map(|example| example.target.to_ne_bytes())),
        ))
    }
}

/// Returns numbers of 32 bits as bytes that PyTorch takes without a copy.
fn array(py: Python<'_>, numbers: impl Iterator<Item = [u8; 4]>) -> Bound<'_, PyByteArray> {
    PyByteArray::new(py, &bytes(numbers))
}

fn bytes<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    numbers.flatten().collect()
}
