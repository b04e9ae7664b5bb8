//! The limits of a search: a value, [`Limit`], or its keywords. This is the only place that reads them.

use super::arguments::{Given, LONGEST, duration, real, seconds, within, wrong_type};
use crate::core::{ClockLimits, Limits};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::time::Duration;

/// The limits of a search, at least one of them: the one that is reached first ends it. Every method that takes a ``limit``
/// takes these keywords in its place.
///
/// >>> limit = secateur.Limit(depth=8, time=2.5)
/// >>> engine = secateur.Engine(hash=1)
/// >>> engine.analyse(secateur.Position("nim"), limit).depth <= 8
/// True
/// >>> engine.analyse(secateur.Position("nim"), depth=8, time=2.5).depth <= 8
/// True
/// >>> limit == secateur.Limit(time=2.5, depth=8), limit
/// (True, Limit(depth=8, time=2.5))
///
/// :param depth: the deepest iteration, 1 to 255 plies.
/// :param nodes: at most so many positions are entered, at least 1.
/// :param time: at most so many seconds, more than 0 and up to 10^9.
/// :param mate: iterations to at most so many full moves (two plies each), 1 to 65535, until it is proven that the side
///     to move wins.
/// :param remaining: the clock of the side to move, seconds, more than 0: the search takes the part of it that one move may
///     have.
/// :param increment: what the clock gains with each move, seconds, at least 0; only with ``remaining``.
/// :param moves_to_go: the moves until the clock is set again, at least 1; ``None``: the clock is for the rest of the game;
///     only with ``remaining``.
/// :raises ValueError: there is none, or one is out of range.
/// :raises TypeError: one is of a wrong type, or is none of these.
#[pyclass(frozen, eq, module = "secateur")]
#[derive(PartialEq, Eq)]
pub struct Limit {
    limits: Limits,
}

/// The keywords, as messages list them.
const KEYWORDS: [&str; 7] = ["depth", "nodes", "time", "mate", "remaining", "increment", "moves_to_go"];

/// Whether a keyword is one of a limit.
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// The limits of a search that needs at least one.
///
/// # Errors
/// `ValueError` without any; those of [`optional`].
pub fn required(limit: Option<&Given<'_>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let limits = optional(limit, keywords)?;
    if limits.is_finite() {
        return Ok(limits);
    }
    Err(PyValueError::new_err(
        "a search needs a limit: give depth (plies), nodes, time (seconds), mate (moves) or remaining (seconds on the clock)",
    ))
}

/// The limits of a search that needs none. A keyword of the value `None` counts as left out.
///
/// # Errors
/// `ValueError` for a `Limit` beside keywords, and for a value out of range; `TypeError` for what is no limit, and for a wrong
/// type.
pub fn optional(limit: Option<&Given<'_>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let read = read(keywords)?;
    let Some(limit) = limit else { return Ok(read) };
    let limit = limit.cast::<Limit>().map_err(|_| wrong_type("limit", "a Limit", limit))?;
    if read == Limits::default() {
        return Ok(limit.get().limits.clone());
    }
    Err(PyValueError::new_err(format!("give a limit or its keywords ({}), not both", KEYWORDS.join(", "))))
}

/// The limits of an exact search, which needs none and has no depth.
///
/// # Errors
/// `ValueError` for a limit that it does not have; those of [`optional`].
pub fn exact(limit: Option<&Given<'_>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    match optional(limit, keywords)? {
        limits @ Limits { depth: None, mate: None, clock: None, .. } => Ok(limits),
        _ => Err(PyValueError::new_err("an exact search has no limit but nodes and time")),
    }
}

fn read(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let (mut limits, mut clock, mut beside) = (Limits::default(), None, None);
    let (mut increment, mut moves_to_go) = (Duration::ZERO, None);
    for (name, given) in keywords.into_iter().flatten() {
        let name = name.str()?.to_string_lossy().into_owned();
        if !is_keyword(&name) {
            let name = crate::core::error::Quoted::new(&name);
            let known = KEYWORDS.join(", ");
            return Err(PyTypeError::new_err(format!("unexpected keyword argument {name}; limits are {known}")));
        }
        if given.is_none() {
            continue;
        }
        match name.as_str() {
            "depth" => limits.depth = Some(within(&name, &given, 1.., "a whole number from 1 to 255, plies")?),
            "nodes" => limits.nodes = Some(within(&name, &given, 1.., "a whole number, at least 1")?),
            "time" => limits.movetime = Some(seconds(&name, &given)?),
            "mate" => limits.mate = Some(within(&name, &given, 1.., "a whole number from 1 to 65535, moves")?),
            "remaining" => clock = Some(seconds(&name, &given)?),
            "increment" => (increment, beside) = (gained(&given)?, Some(name)),
            _ => (moves_to_go, beside) = (Some(within(&name, &given, 1.., "a whole number, at least 1")?), Some(name)),
        }
    }
    if let (None, Some(name)) = (clock, beside) {
        return Err(PyValueError::new_err(format!("{name} goes with remaining, the seconds on the clock")));
    }
    let clock = clock.map(|remaining| ClockLimits { remaining, increment, moves_to_go, overhead: Duration::ZERO });
    Ok(Limits { clock, ..limits })
}

/// An increment; none is one as well.
fn gained(given: &Given<'_>) -> PyResult<Duration> {
    match real("increment", given)? {
        0.0 => Ok(Duration::ZERO),
        seconds if seconds > 0.0 => duration("increment", seconds),
        seconds => {
            let expected = format!("a number of seconds from 0 to {LONGEST:e}");
            Err(PyValueError::new_err(format!("increment is {expected}, not {seconds}")))
        }
    }
}

impl Limit {
    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    fn clock<T>(&self, part: impl FnOnce(&ClockLimits) -> T) -> Option<T> {
        self.limits.clock.as_ref().map(part)
    }

    /// The keywords that make it.
    fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        let values = [
            self.depth().into_pyobject(py)?,
            self.nodes().into_pyobject(py)?,
            self.time().into_pyobject(py)?,
            self.mate().into_pyobject(py)?,
            self.remaining().into_pyobject(py)?,
            self.increment().filter(|&seconds| seconds > 0.0).into_pyobject(py)?,
            self.moves_to_go().into_pyobject(py)?,
        ];
        for (name, value) in KEYWORDS.into_iter().zip(values).filter(|(_, value)| !value.is_none()) {
            keywords.set_item(name, value)?;
        }
        Ok(keywords)
    }
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(
        signature = (**limits),
        text_signature = "(*, depth=None, nodes=None, time=None, mate=None, remaining=None, increment=None, moves_to_go=None)"
    )]
    fn new(limits: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Ok(Self { limits: required(None, limits)? })
    }

    /// The deepest iteration, plies.
    #[getter]
    fn depth(&self) -> Option<u8> {
        self.limits.depth
    }

    /// The most positions that are entered.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// The most seconds.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.limits.movetime.map(|time| time.as_secs_f64())
    }

    /// The most full moves to a proven win.
    #[getter]
    fn mate(&self) -> Option<u16> {
        self.limits.mate
    }

    /// The clock of the side to move, seconds.
    #[getter]
    fn remaining(&self) -> Option<f64> {
        self.clock(|clock| clock.remaining.as_secs_f64())
    }

    /// What the clock gains with each move, seconds; ``None`` without a clock.
    #[getter]
    fn increment(&self) -> Option<f64> {
        self.clock(|clock| clock.increment.as_secs_f64())
    }

    /// The moves until the clock is set again; ``None`` where it is for the rest of the game.
    #[getter]
    fn moves_to_go(&self) -> Option<u32> {
        self.clock(|clock| clock.moves_to_go).flatten()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, self.keywords(py)?.items())?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut parts = Vec::new();
        for (name, value) in self.keywords(py)? {
            parts.push(format!("{name}={}", value.repr()?.to_cow()?));
        }
        Ok(format!("Limit({})", parts.join(", ")))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.keywords(py)?))
    }
}
