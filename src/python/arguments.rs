//! Numbers as Python gives them, read into the types of the library. Out of range is a `ValueError` that names
//! the argument; wrong types (`TypeError`) and more than 64 bits (`OverflowError`) are pyo3's to refuse.

use super::limit::Limit;
use crate::core::Limits;
use crate::core::error::Quoted;
use crate::core::score::{Score, UNIT};
use crate::core::solution::Valued;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::RangeBounds;
use std::time::Duration;

/// The limits of a search: at least one of them. Depth in plies, time in seconds, mate in full moves.
///
/// # Errors
/// `ValueError` without any limit, or for one that is out of range.
pub fn limits(depth: Option<i64>, nodes: Option<i64>, time: Option<f64>, mate: Option<i64>) -> PyResult<Limits> {
    let limits = Limits {
        depth: depth.map(|plies| within("depth", plies, 1.., "a whole number from 1 to 255, plies")).transpose()?,
        nodes: nodes.map(|nodes| within("nodes", nodes, 1.., "a whole number, at least 1")).transpose()?,
        movetime: time.map(duration).transpose()?,
        mate: mate.map(|moves| within("mate", moves, 1.., "a whole number from 1 to 65535, moves")).transpose()?,
        clock: None,
    };
    if !limits.is_finite() {
        return Err(PyValueError::new_err(
            "a search needs a limit: give depth (plies), nodes, time (seconds) or mate (moves)",
        ));
    }
    Ok(limits)
}

/// The limits of a search, given as a value or in parts.
///
/// # Errors
/// `ValueError` for both, and those of [`limits`].
pub fn limited(limit: Option<&Limit>, parts: Parts) -> PyResult<Limits> {
    match (limit, parts) {
        (Some(limit), (None, None, None, None)) => Ok(limit.limits().clone()),
        (Some(_), _) => Err(PyValueError::new_err("give a limit, or depth, nodes, time and mate: not both")),
        (None, (depth, nodes, time, mate)) => limits(depth, nodes, time, mate),
    }
}

/// The same, of a search that needs none: somebody will stop it.
///
/// # Errors
/// Those of [`limited`], but for none at all.
pub fn any_limits(limit: Option<&Limit>, parts: Parts) -> PyResult<Limits> {
    match (limit, parts) {
        (None, (None, None, None, None)) => Ok(Limits::default()),
        (limit, parts) => limited(limit, parts),
    }
}

/// Depth, nodes, time and mate.
pub type Parts = (Option<i64>, Option<i64>, Option<f64>, Option<i64>);

/// The limits of an exact search, which needs none. Time in seconds.
///
/// # Errors
/// `ValueError` for one that is out of range.
pub fn exact_limits(nodes: Option<i64>, time: Option<f64>) -> PyResult<Limits> {
    match (nodes, time) {
        (None, None) => Ok(Limits::default()),
        (nodes, time) => limits(None, nodes, time, None),
    }
}

/// The moves that an exact search values.
///
/// # Errors
/// `ValueError` for another word.
pub fn valued(moves: &str) -> PyResult<Valued> {
    let wrong = || PyValueError::new_err(format!("moves is \"none\", \"best\" or \"all\", not {}", Quoted::new(moves)));
    Valued::named(moves).ok_or_else(wrong)
}

/// Where an exact search begins: a margin in units, as a score.
///
/// # Errors
/// `ValueError` if it is out of range.
pub fn guess(units: Option<i64>) -> PyResult<Option<Score>> {
    let margin = |units| within("guess", units, -288..=288, "a whole number from -288 to 288, units");
    Ok(units.map(margin).transpose()?.map(|units: Score| units * UNIT))
}

/// The size of a table, MiB.
///
/// # Errors
/// `ValueError` if it is not positive.
pub fn mebibytes(hash: i64) -> PyResult<usize> {
    within("hash", hash, 1.., "a whole number of MiB, at least 1")
}

/// Threads that search.
///
/// # Errors
/// `ValueError` if it is out of range.
pub fn threads(threads: i64) -> PyResult<usize> {
    within("threads", threads, 1..=256, "a whole number from 1 to 256")
}

/// Workers of a batch; none given, one for each core that this process may use.
///
/// # Errors
/// `ValueError` if it is out of range.
pub fn workers(workers: Option<i64>) -> PyResult<usize> {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get().min(256));
    workers.map_or_else(|| Ok(cores()), threads)
}

/// The moves that a search is restricted to, under the name of the argument; none given, no restriction.
///
/// # Errors
/// `ValueError` for a list without moves.
pub fn moves(name: &str, moves: Option<Vec<String>>) -> PyResult<Vec<String>> {
    match moves {
        Some(moves) if moves.is_empty() => {
            Err(PyValueError::new_err(format!("{name} is empty: None stands for all moves")))
        }
        moves => Ok(moves.unwrap_or_default()),
    }
}

/// The number of lines, under the name of the argument.
///
/// # Errors
/// `ValueError` if it is not positive.
pub fn lines(name: &str, lines: i64) -> PyResult<usize> {
    within(name, lines, 1.., "a whole number, at least 1")
}

/// The depth of a perft, plies.
///
/// # Errors
/// `ValueError` if it is out of range.
pub fn perft_depth(depth: i64) -> PyResult<u8> {
    within("depth", depth, 0.., "a whole number from 0 to 255, plies")
}

/// A whole number within a range, under the name of the argument.
///
/// # Errors
/// `ValueError` if it is out of range: it is what was `expected`.
pub fn within<T: TryFrom<i64>>(name: &str, value: i64, range: impl RangeBounds<i64>, expected: &str) -> PyResult<T> {
    let fits = Some(value).filter(|value| range.contains(value)).and_then(|value| T::try_from(value).ok());
    fits.ok_or_else(|| PyValueError::new_err(format!("{name} is {expected}, not {value}")))
}

/// A time in seconds.
///
/// # Errors
/// `ValueError` if it is not positive.
pub fn duration(seconds: f64) -> PyResult<Duration> {
    let positive = Some(seconds).filter(|&seconds| seconds > 0.0);
    let duration = positive.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| PyValueError::new_err(format!("time is a positive number of seconds, not {seconds}")))
}
