//! The results of a batch.

use super::columns::{Shape, columns, list, number, row, text};
use crate::arguments::{Items, place};
use crate::error::unpicklable;
use crate::python_modules::{call_function, missing};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PyString, PyType};
use secateurs::batch::BatchRow;
use secateurs::core::StopFlag;

/// The pickled form of a batch: the restoring function, the rows as JSON, and whether they have variations, numbers of
/// lines and SAN.
type PickledRow<'py> = (Bound<'py, PyAny>, (Vec<u8>, bool, bool, bool));

/// The result of :func:`analyse_many`: a row for each position, with ``multipv`` for each of its lines, in columns.
///
/// ==========  =============  =========================================================================
/// input       large_string   the text as given, or that of a :class:`Position`
/// position    large_string   the position in the game's notation, or the text that could not be read
/// best_move   large_string   the move to play; of another line than the best, its first move
/// score       int32          the value for the side to move, centi-units; 32,000 - n for a win in n plies
/// distance    int16          plies to a forced win, negative to a forced loss; null for other scores
/// bound       large_string   relation of the score to the value at this depth: exact, lower, upper
/// proven      large_string   what is proven of the game-theoretic value: exact, lower, upper, or null
/// depth       int16          depth of the last iteration, plies
/// nodes       int64          number of nodes
/// time_us     int64          time of the search, microseconds
/// history     large_list     moves since the setup, which affect results where positions can repeat
/// error       large_string   why there was no search; the columns of its result are then null
/// pv          large_list     the principal variation; missing with ``pv=False``
/// multipv     int16          the number of the line, 1 is the best; missing without ``multipv``
/// best_san    large_string   the move as people read it; missing without ``san=True``
/// pv_san      large_list     the principal variation likewise; missing without ``san=True`` or with ``pv=False``
/// ==========  =============  =========================================================================
///
/// Libraries that support Arrow read it without a copy: ``pyarrow.table(batch)``, ``polars.DataFrame(batch)``, DuckDB;
/// so do :meth:`to_pandas` and :meth:`to_polars`. Without them, ``batch["score"]`` is a column, ``batch[0]`` a row, a
/// slice another batch, and iteration yields the rows. Batches can be pickled.
///
/// >>> batch = secateurs.analyse_many(["3,4,5 1", "0 1"], depth=9, game="nim", theory=False, pv=False)
/// >>> len(batch), batch.columns[:3], batch.errors
/// (2, ['input', 'position', 'best_move'], 1)
/// >>> batch[1]["error"], batch["proven"]
/// ('the game is over', ['lower', None])
///
/// A score beyond +-28,800 is no margin: a win in ``n`` plies is 32,000 - ``n``, a loss in ``n`` plies -32,000 + ``n``,
/// and ``distance`` is ``n`` or -``n``. Exclude them from averages.
#[pyclass(frozen, module = "secateurs")]
pub struct Batch {
    columns: RecordBatch,
}

/// The error for columns that Arrow rejects.
fn arrow(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(format!("the columns cannot be made: {error}"))
}

impl Batch {
    /// Creates a batch from rows. `None` if the flag is raised meanwhile.
    ///
    /// # Errors
    /// Those of Arrow.
    pub fn new(rows: &[BatchRow], shape: Shape, stop: &StopFlag) -> PyResult<Option<Self>> {
        let columns = columns(rows, shape, stop).map_err(arrow)?;
        Ok(columns.map(|columns| Self { columns }))
    }

    /// Creates a batch that cannot be stopped.
    fn whole(rows: &[BatchRow], shape: Shape) -> PyResult<Self> {
        Self::new(rows, shape, &StopFlag::new())?.ok_or_else(|| PyRuntimeError::new_err("the batch was stopped"))
    }

    fn shape(&self) -> Shape {
        Shape::new(&self.columns)
    }

    fn rows(&self) -> impl Iterator<Item = BatchRow> {
        (0..self.columns.num_rows()).filter_map(|index| row(&self.columns, index))
    }

    /// Returns the value of a column in a row.
    fn cell<'py>(&self, py: Python<'py>, column: usize, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let column = self.columns.column(column);
        match column.data_type() {
            DataType::LargeUtf8 => Ok(text(column, index).into_pyobject(py)?.into_any()),
            DataType::LargeList(_) => Ok(list(column, index).into_pyobject(py)?.into_any()),
            _ => Ok(number(column, index).into_pyobject(py)?.into_any()),
        }
    }

    fn row<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let row = PyDict::new(py);
        for (number, field) in self.columns.schema_ref().fields().iter().enumerate() {
            row.set_item(field.name(), self.cell(py, number, index)?)?;
        }
        Ok(row.into_any())
    }

    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let number = self.columns.schema_ref().index_of(name);
        let wrong = |_| PyKeyError::new_err(format!("{name:?} is none of the columns: {}", self.columns().join(", ")));
        let number = number.map_err(wrong)?;
        let cells = (0..self.columns.num_rows()).map(|index| self.cell(py, number, index));
        Ok(PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)?.into_any())
    }

    fn slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<Self> {
        let part = slice.indices(self.columns.num_rows().try_into()?)?;
        if part.step == 1 {
            let (start, len) = (part.start.try_into()?, part.slicelength);
            return Ok(Self { columns: self.columns.slice(start, len) });
        }
        let places = (0..part.slicelength)
            .scan(part.start, |next, _| Some(std::mem::replace(next, next.wrapping_add(part.step))));
        let rows: Vec<BatchRow> = places.filter_map(|index| row(&self.columns, usize::try_from(index).ok()?)).collect();
        Self::whole(&rows, self.shape())
    }
}

#[pymethods]
impl Batch {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.columns.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Raises the error for an attribute that does not exist: it names the column or the method there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        missing(slf, name)
    }

    /// The number of rows with an error.
    #[getter]
    fn errors(&self) -> usize {
        let column = self.columns.column_by_name("error");
        column.map_or(0, |column| column.len() - column.null_count())
    }

    /// Returns a :class:`pandas.DataFrame` with Arrow's types that shares the memory; requires the extra ``pandas``.
    ///
    /// :raises ImportError: pandas or pyarrow is not installed.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        batch_module(slf, "to_pandas")
    }

    /// Returns a :class:`polars.DataFrame` that shares the memory; requires the extra ``polars``.
    ///
    /// :raises ImportError: polars is not installed.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        batch_module(slf, "to_polars")
    }

    /// Returns the columns by name as lists, which ``json.dumps`` accepts; ``list(batch)`` has the rows.
    ///
    /// >>> secateurs.analyse_many(["1,1 1"], depth=9, game="nim", theory=False).to_dict()["best_move"]
    /// ['1-1']
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        batch_module(slf, "to_dict")
    }

    /// Returns the columns, :meth:`to_dict`, as JSON.
    fn to_json<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call_function(slf.py(), ("secateurs._dicts", "to_json"), (slf,))
    }

    /// Returns the columns as an Arrow stream, for other libraries.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows this: callers cast to other types themselves.
        let _ = requested_schema;
        let columns = RecordBatchIterator::new([Ok(self.columns.clone())], self.columns.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(columns)), c"arrow_array_stream")
    }

    /// Concatenates batches.
    #[staticmethod]
    fn _concat(py: Python<'_>, parts: Items<Py<Self>>) -> PyResult<Self> {
        let parts: Vec<_> = parts.iter().map(|part| part.bind(py).get()).collect();
        let rows: Vec<BatchRow> = parts.iter().flat_map(|part| part.rows()).collect();
        let has = |optional: fn(Shape) -> bool| parts.iter().any(|part| optional(part.shape()));
        let (pv, multipv, san) = (has(|shape| shape.pv), has(|shape| shape.multipv), has(|shape| shape.san));
        Self::whole(&rows, Shape { pv, multipv, san })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.cast::<PyString>() {
            self.column(py, &name.to_string_lossy())
        } else if let Ok(slice) = key.cast::<PySlice>() {
            Ok(Bound::new(py, self.slice(slice)?)?.into_any())
        } else if key.hasattr("__index__")? {
            self.row(py, place("row", key, "batch", self.columns.num_rows())?)
        } else {
            Err(PyTypeError::new_err("a batch takes the number of a row, the name of a column, or a slice"))
        }
    }

    fn __len__(&self) -> usize {
        self.columns.num_rows()
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        batch_module(slf, "rows")
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.columns == other.columns
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<PickledRow<'py>> {
        let rows: Vec<BatchRow> = self.rows().collect();
        let state = serde_json::to_vec(&rows).map_err(unpicklable)?;
        let Shape { pv, multipv, san } = self.shape();
        Ok((py.get_type::<Self>().getattr("_restore")?, (state, pv, multipv, san)))
    }

    #[classmethod]
    #[pyo3(signature = (state, pv, multipv, san = false))]
    fn _restore(_class: &Bound<'_, PyType>, state: &[u8], pv: bool, multipv: bool, san: bool) -> PyResult<Self> {
        let rows: Vec<BatchRow> = serde_json::from_slice(state).map_err(unpicklable)?;
        Self::whole(&rows, Shape { pv, multipv, san })
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        batch_module(slf, "html")?.extract()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        batch_module(slf, "text")?.extract()
    }
}

/// Calls a function of `secateurs._batch` with a batch.
fn batch_module<'py>(batch: &Bound<'py, Batch>, function: &str) -> PyResult<Bound<'py, PyAny>> {
    call_function(batch.py(), ("secateurs._batch", function), (batch,))
}
