//! The limits of a search: a [`Limit`] or its keywords. Only this module reads them.

use super::{
    Argument, Value, as_timedelta, duration_or_zero, is_timedelta, milliseconds, seconds, unexpected, within,
    wrong_type,
};
use crate::python_modules::call_function;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use secateurs::core::{ClockLimits, Limits, Side};
use std::time::Duration;

/// The limits of a search, at least one. The search ends at the first that is reached. Every method with a parameter
/// ``limit`` also takes these keywords.
///
/// >>> limit = secateurs.Limit(depth=8, time=2.5)
/// >>> engine = secateurs.Engine(hash=1)
/// >>> engine.analyse(secateurs.Position("nim"), limit).depth <= 8
/// True
/// >>> engine.analyse(secateurs.Position("nim"), depth=8, time=2.5).depth <= 8
/// True
/// >>> limit == secateurs.Limit(time=2.5, depth=8), limit
/// (True, Limit(depth=8, time=2.5))
///
/// Times are in seconds, or a ``datetime.timedelta``. Methods take a ``chess.engine.Limit`` too; of its clocks, that of
/// the side to move counts.
///
/// :param depth: the deepest iteration, 1 to 255 plies.
/// :param nodes: the maximum number of nodes, at least 1.
/// :param time: the maximum time, more than 0 and up to 10^9 seconds; less than 1 ns counts as 1 ns.
/// :param movetime: the same in milliseconds, as in the protocol; only without ``time``.
/// :param mate: iterate until a win of the side to move within this number of full moves (two plies each) is proven, 1
///     to 65535.
/// :param remaining: the clock of the side to move, seconds, more than 0; the search uses a part of it.
/// :param increment: the increment per move, seconds, at least 0; only with ``remaining``.
/// :param moves_to_go: the number of moves to the next time control, at least 1; ``None``: the clock is for the rest of
///     the game; only with ``remaining``.
/// :raises ValueError: no limit is given, or one is out of range.
/// :raises TypeError: a limit has a wrong type or an unknown name.
#[pyclass(frozen, eq, hash, module = "secateurs")]
#[derive(PartialEq, Eq, Hash)]
pub struct Limit {
    /// The limits.
    pub limits: Limits,
}

/// The keywords, in the order of messages.
const KEYWORDS: [&str; 8] = ["depth", "nodes", "time", "movetime", "mate", "remaining", "increment", "moves_to_go"];

/// The keywords of an exact search.
const EXACT: [&str; 3] = ["nodes", "time", "movetime"];

/// Returns whether a keyword names a limit.
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Reads the limits of a search that requires at least one; they are keywords of `function`.
///
/// # Errors
/// `ValueError` if there is none; those of [`optional`].
pub fn required(function: &str, limit: Option<&Value<'_>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let limits = optional(function, limit, keywords)?;
    check_finite(&limits).map(|()| limits)
}

/// Refuses limits under which a search may not end.
///
/// # Errors
/// `ValueError`.
pub fn check_finite(limits: &Limits) -> PyResult<()> {
    if limits.is_finite() {
        return Ok(());
    }
    Err(PyValueError::new_err(
        "a search needs a limit: give depth (plies), nodes, time (seconds), mate (moves) or remaining (seconds on the clock)",
    ))
}

/// Reads the limits of a search that requires none. A keyword with the value `None` is ignored.
///
/// # Errors
/// `ValueError` for a `Limit` together with keywords and for values out of range; `TypeError` for unknown keywords and
/// wrong types.
pub fn optional(function: &str, limit: Option<&Value<'_>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    among(&KEYWORDS, function, limit, keywords)
}

/// Like [`optional`], for a search that takes only `known` limits; errors list them.
fn among(
    known: &[&str],
    function: &str,
    limit: Option<&Value<'_>>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Limits> {
    let read = read(known, function, keywords)?;
    let Some(limit) = limit else { return Ok(read) };
    let limit = native(limit.clone(), None)?;
    let limit = limit.cast::<Limit>().map_err(|_| wrong_type("limit", "a Limit, such as Limit(time=0.1)", &limit))?;
    if read == Limits::default() {
        return Ok(limit.get().limits.clone());
    }
    Err(PyValueError::new_err(format!("give a limit or its keywords ({}), not both", known.join(", "))))
}

/// Reads the limits of an exact search, which requires none and has no depth.
///
/// # Errors
/// `ValueError` for other limits than nodes and time; those of [`optional`].
pub fn exact(function: &str, limit: Option<&Value<'_>>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    match among(&EXACT, function, limit, keywords)? {
        limits @ Limits { depth: None, mate: None, clock: None, .. } => Ok(limits),
        _ => Err(PyValueError::new_err("an exact search has no limit but nodes and time")),
    }
}

/// Converts a limit of python-chess to a `Limit`, with the clock of the player to move; returns other objects as they
/// are.
///
/// # Errors
/// `ValueError` for values out of range, and for clocks without a player.
pub fn native<'py>(given: Value<'py>, turn: Option<Side>) -> PyResult<Value<'py>> {
    if given.is_instance_of::<Limit>() {
        return Ok(given);
    }
    let (py, player) = (given.py(), turn.map(Side::index).map(|index| index + 1));
    let keywords = call_function(py, ("secateurs._python_chess", "limit"), (&given, player))?;
    match keywords.extract::<Option<Bound<'py, PyDict>>>()? {
        Some(keywords) => Ok(Bound::new(py, Limit { limits: required("Limit", None, Some(&keywords))? })?.into_any()),
        None => Ok(given),
    }
}

fn read(known: &[&str], function: &str, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Limits> {
    let (mut limits, mut clock, mut beside) = (Limits::default(), None, None);
    let (mut increment, mut moves_to_go) = (Duration::ZERO, None);
    for (name, given) in keywords.into_iter().flatten() {
        let name = name.str()?.to_string_lossy().into_owned();
        if !is_keyword(&name) {
            let mut keywords = super::known(given.py(), function, &[]);
            keywords.retain(|keyword| !is_keyword(keyword) || known.contains(&&**keyword));
            return Err(unexpected(
                given.py(),
                function,
                &name,
                keywords,
                &format!("; limits are {}", known.join(", ")),
            ));
        }
        if given.is_none() {
            continue;
        }
        match name.as_str() {
            "depth" => limits.depth = Some(within(&name, &given, 1.., "a whole number from 1 to 255, plies")?),
            "nodes" => limits.nodes = Some(within(&name, &given, 1.., "a whole number, at least 1")?),
            "time" | "movetime" if limits.movetime.is_some() => {
                return Err(PyValueError::new_err("give time (seconds) or movetime (milliseconds), not both"));
            }
            "movetime" if !is_timedelta(&as_timedelta(&given)?)? => {
                limits.movetime = Some(milliseconds(&name, f64::read(&name, &given)?)?);
            }
            "time" | "movetime" => limits.movetime = Some(Duration::read(&name, &given)?),
            "mate" => limits.mate = Some(within(&name, &given, 1.., "a whole number from 1 to 65535, moves")?),
            "remaining" => clock = Some(Duration::read(&name, &given)?),
            "increment" => (increment, beside) = (duration_or_zero(&name, seconds(&name, &given)?)?, Some(name)),
            _ => (moves_to_go, beside) = (Some(within(&name, &given, 1.., "a whole number, at least 1")?), Some(name)),
        }
    }
    if let (None, Some(name)) = (clock, beside) {
        return Err(PyValueError::new_err(format!("{name} goes with remaining, the seconds on the clock")));
    }
    let clock = clock.map(|remaining| ClockLimits { remaining, increment, moves_to_go, overhead: Duration::ZERO });
    Ok(Limits { clock, ..limits })
}

impl Limit {
    fn clock<T>(&self, part: impl FnOnce(&ClockLimits) -> T) -> Option<T> {
        self.limits.clock.as_ref().map(part)
    }

    /// Returns the keywords of the limits that are set.
    fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        let values = [
            self.depth().into_pyobject(py)?,
            self.nodes().into_pyobject(py)?,
            self.time().into_pyobject(py)?,
            // The same as the time.
            None::<f64>.into_pyobject(py)?,
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
        signature = (*values, **limits),
        text_signature = "(*, depth=None, nodes=None, time=None, movetime=None, mate=None, remaining=None, increment=None, moves_to_go=None)"
    )]
    fn new(values: &Bound<'_, PyTuple>, limits: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if !values.is_empty() {
            return Err(PyTypeError::new_err("Limit takes keywords, such as Limit(depth=8) or Limit(time=0.1)"));
        }
        Ok(Self { limits: required("Limit", None, limits)? })
    }

    /// The deepest iteration, plies.
    #[getter]
    fn depth(&self) -> Option<u8> {
        self.limits.depth
    }

    /// The maximum number of nodes.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.limits.nodes
    }

    /// The maximum time, seconds.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.limits.movetime.map(|time| time.as_secs_f64())
    }

    /// The maximum number of full moves to a proven win.
    #[getter]
    fn mate(&self) -> Option<u16> {
        self.limits.mate
    }

    /// The clock of the side to move, seconds.
    #[getter]
    fn remaining(&self) -> Option<f64> {
        self.clock(|clock| clock.remaining.as_secs_f64())
    }

    /// The increment per move, seconds; ``None`` without a clock.
    #[getter]
    fn increment(&self) -> Option<f64> {
        self.clock(|clock| clock.increment.as_secs_f64())
    }

    /// The number of moves to the next time control; ``None`` if the clock is for the rest of the game.
    #[getter]
    fn moves_to_go(&self) -> Option<u32> {
        self.clock(|clock| clock.moves_to_go).flatten()
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
