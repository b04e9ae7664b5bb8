//! The end of Python: our threads, searches and engines end before it.

use crate::threads::{background, lock, workers};
use crate::uci::pipe;
use pyo3::prelude::*;

/// Stops all threads and engines and waits for their ends. Python calls it at exit.
///
/// # Errors
/// None but those of Python itself.
#[pyfunction]
#[pyo3(name = "_end")]
pub fn end(py: Python<'_>) -> PyResult<()> {
    lock::end();
    let threads = background::stop();
    workers::end();
    py.detach(pipe::end);
    background::leave_python(py)?;
    py.detach(|| background::join(threads));
    Ok(())
}
