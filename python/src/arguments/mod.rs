//! Arguments from Python, converted to the types of the library. A wrong type is a `TypeError`, a value out of range a
//! `ValueError`; both messages name the argument and the values that it takes. An `int` may have any size.

mod argument;
mod items;
mod keywords;
pub mod limit;
pub mod options;

pub use argument::{Argument, field};
pub use items::{
    Items, as_timedelta, entries, import_classes, is_missing, is_timedelta, iterable, one_or_more, pairs, parts,
    sequence,
};
pub use keywords::{hint, known, no_others, unexpected};

use crate::error::{class_name, name_of};
use crate::threads::calls;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyCFunction, PyString, PyType};
use secateurs::core::error::Quoted;
use secateurs::core::score::{MAX_EVALUATION, Score, UNIT};
use secateurs::core::solution::Valued;
use secateurs::util::parallel;
use std::ops::RangeBounds;
use std::time::Duration;

/// An argument before conversion. For parameters of other types, the errors of pyo3 do not name the parameter.
pub type Value<'py> = Bound<'py, PyAny>;

/// Creates a `TypeError` that names the expected and the given type.
pub fn wrong_type(name: &str, expected: &str, given: &Value<'_>) -> PyErr {
    let method =
        given.cast::<PyCFunction>().ok().and_then(|method| method.getattr(intern!(given.py(), "__name__")).ok());
    let found = match (given.cast::<PyType>(), method) {
        (Ok(class), _) => format!("the class {}", name_of(class)),
        (_, Some(name)) => format!("a method: call it as {name}()"),
        _ => class_name(given),
    };
    PyTypeError::new_err(format!("{name} is {expected}, not {found}{}", conversion(given)))
}

/// Returns how an object of another package becomes one of ours, as the end of a message.
fn conversion(given: &Value<'_>) -> &'static str {
    let class = given.get_type();
    let is_named = |end: &str| class.name().is_ok_and(|name| name.to_string_lossy().ends_with(end));
    let module = class.getattr(intern!(given.py(), "__module__")).map(|module| module.to_string()).unwrap_or_default();
    match module.contains("pyspiel") || module.contains("open_spiel") {
        _ if module == "chess.engine" && is_named("Engine") => ": secateurs.UciEngine(command) starts the program",
        true if is_named("State") => ": secateurs.openspiel.position_of(state) converts it",
        true if is_named("Game") => ": secateurs.openspiel.game(game) converts it",
        _ => "",
    }
}

/// Replaces Python's own `TypeError` by [`wrong_type`]. Other exceptions, raised by a method of the object, are
/// unchanged.
///
/// # Errors
/// Those of `found`, as described.
pub fn refused<T>(found: PyResult<T>, name: &str, expected: &str, given: &Value<'_>) -> PyResult<T> {
    let py = given.py();
    found.map_err(
        |error| {
            if error.is_instance_of::<PyTypeError>(py) { wrong_type(name, expected, given) } else { error }
        },
    )
}

/// Formats a number as Python does; a number with too many digits is not written out.
///
/// # Errors
/// The exception of a signal handler, which Python may run while it formats a large number.
pub fn shown(number: &Value<'_>) -> PyResult<String> {
    if let Ok(number) = number.extract::<i64>() {
        return Ok(number.to_string());
    }
    let large = || "a very large number".to_owned();
    match number.str() {
        Ok(text) => Ok(Some(text.to_string_lossy().into_owned())
            .filter(|text| text.len() <= Quoted::PART)
            .unwrap_or_else(large)),
        Err(error) if error.is_instance_of::<PyValueError>(number.py()) => Ok(large()),
        Err(error) => Err(error),
    }
}

/// Creates an exception with a number in its message.
fn about(number: &Value<'_>, error: impl FnOnce(String) -> PyErr) -> PyErr {
    shown(number).map_or_else(|error| error, error)
}

/// Converts a whole number of any size.
///
/// # Errors
/// `TypeError` with `expected`, also for a bool; the exception of `__index__`.
pub fn index<'py>(name: &str, given: &Value<'py>, expected: &str) -> PyResult<Value<'py>> {
    refused(calls::number(given).map(Bound::into_any), name, expected, given)
}

/// Converts a whole number; `None` if it has more than 64 bits.
///
/// # Errors
/// Those of [`index`].
pub fn whole(name: &str, given: &Value<'_>) -> PyResult<Option<i64>> {
    match index(name, given, "an int")?.extract::<i64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => Ok(None),
        found => found.map(Some),
    }
}

/// Converts a whole number within a range.
///
/// # Errors
/// `TypeError`; `ValueError` with `expected` if the number is out of range.
pub fn within<T: TryFrom<i64>>(
    name: &str,
    given: &Value<'_>,
    range: impl RangeBounds<i64>,
    expected: &str,
) -> PyResult<T> {
    let number = whole(name, given)?;
    let fits = number.filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
    fits.ok_or_else(|| {
        // If `expected` names no upper end, the message names that of the type.
        let widest = [i64::MAX, u32::MAX.into(), i32::MAX.into(), u16::MAX.into(), u8::MAX.into()];
        let most = widest.into_iter().find(|&most| T::try_from(most).is_ok());
        let is_above = range.end_bound() == std::ops::Bound::Unbounded && given.gt(most).unwrap_or(false);
        let most = most.filter(|_| is_above && !expected.contains(" to ")).map(|most| format!(" and at most {most}"));
        about(given, |given| {
            PyValueError::new_err(format!("{name} is {expected}{}, not {given}", most.unwrap_or_default()))
        })
    })
}

/// Converts an index into a `sequence` of `len` elements, each called `thing`. Negative indices count from the end.
///
/// # Errors
/// `TypeError` if it is no whole number; `IndexError` if it is out of range.
pub fn place(thing: &str, given: &Value<'_>, sequence: &str, len: usize) -> PyResult<usize> {
    let number = whole(thing, given)?.and_then(|number| isize::try_from(number).ok());
    let place =
        number.and_then(|number| if number < 0 { len.checked_add_signed(number) } else { number.try_into().ok() });
    let wrong = |given| PyIndexError::new_err(format!("{thing} {given} of a {sequence} that has {len}"));
    place.filter(|&place| place < len).ok_or_else(|| about(given, wrong))
}

/// Converts one of several words.
///
/// # Errors
/// `TypeError`; `ValueError` for another word.
pub fn one_of<T: Copy>(name: &str, given: &Value<'_>, words: &[(&str, T)]) -> PyResult<T> {
    let text = String::read(name, given)?;
    words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value).ok_or_else(|| {
        let quoted: Vec<_> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        let (last, before) = quoted.split_last().map_or(("", &[][..]), |(last, before)| (last.as_str(), before));
        let all = format!("{} or {last}", before.join(", "));
        PyValueError::new_err(format!("{name} is {all}, not {}", Quoted::new(&text)))
    })
}

/// Returns whether the argument is a text or a string of bytes, both of which Python treats as sequences.
pub fn is_text(given: &Value<'_>) -> bool {
    given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() || given.is_instance_of::<PyByteArray>()
}

/// Converts a text for the command line or the environment of a process.
///
/// # Errors
/// `TypeError`; `ValueError` for a NUL character.
pub fn word(name: &str, given: &Value<'_>) -> PyResult<String> {
    let text = String::read(name, given)?;
    let nul = || PyValueError::new_err(format!("{name} has a NUL character, which no process can be given"));
    if text.contains('\0') { Err(nul()) } else { Ok(text) }
}

/// Converts the choice of moves that an exact search values; by default the best.
///
/// # Errors
/// `TypeError`; `ValueError` for another word.
pub fn valued(moves: Option<Value<'_>>) -> PyResult<Valued> {
    let words = [("none", Valued::None), ("best", Valued::Best), ("all", Valued::All)];
    moves.map_or(Ok(Valued::Best), |moves| one_of("moves", &moves, &words))
}

/// Converts the first guess of an exact search: a margin in units, returned as a score.
///
/// # Errors
/// `TypeError`; `ValueError` if it is out of range.
pub fn guess(units: Option<Value<'_>>) -> PyResult<Option<Score>> {
    let margin = |units| within("guess", &units, -288..=288, "a whole number from -288 to 288, units");
    Ok(units.map(margin).transpose()?.map(|units: Score| units * UNIT))
}

/// Converts half the width of an aspiration window, in centi-units.
///
/// # Errors
/// `TypeError`; `ValueError` if it is out of range.
pub fn aspiration(width: &Value<'_>) -> PyResult<Score> {
    within("aspiration", width, 1..=MAX_EVALUATION.into(), "a whole number from 1 to 28800, centi-units")
}

/// Converts the size of a table, in MiB.
///
/// # Errors
/// `TypeError`; `ValueError` if it is not positive.
pub fn mebibytes(hash: Option<Value<'_>>, default: usize) -> PyResult<usize> {
    hash.map_or(Ok(default), |hash| within("hash", &hash, 1.., "a whole number of MiB, at least 1"))
}

/// Converts a number of threads.
///
/// # Errors
/// `TypeError`; `ValueError` if it is out of range.
pub fn threads(threads: Option<Value<'_>>, default: usize) -> PyResult<usize> {
    threads.map_or(Ok(default), |threads| within("threads", &threads, 1..=256, "a whole number from 1 to 256"))
}

/// Returns the number of cores that this process may use, at most 256: the default number of workers.
pub fn cores() -> usize {
    parallel::cores().min(256)
}

/// Converts a move: its text, an `int` in games that number their moves, or a move of python-chess.
///
/// # Errors
/// `TypeError`.
pub fn mv(name: &str, given: &Value<'_>) -> PyResult<String> {
    if given.is_instance_of::<PyString>() {
        return String::read(name, given);
    }
    if let Some(text) = uci(given)? {
        return Ok(text);
    }
    // A number that is not a move of any game fails later as an illegal move.
    shown(&index(name, given, "a str, or an int where the game numbers its moves")?)
}

/// Returns the text of a move of python-chess; `None` for other objects.
///
/// # Errors
/// None but those of Python itself.
pub fn uci(given: &Value<'_>) -> PyResult<Option<String>> {
    let is_move = !given.is_instance_of::<PyType>() && given.hasattr(intern!(given.py(), "uci"))?;
    if is_move { String::read("uci()", &given.call_method0(intern!(given.py(), "uci"))?).map(Some) } else { Ok(None) }
}

/// Converts the number of principal variations, by default 1.
///
/// # Errors
/// `TypeError`; `ValueError` if it is not positive.
pub fn multipv(given: Option<Value<'_>>) -> PyResult<usize> {
    given.map_or(Ok(1), |lines| within("multipv", &lines, 1.., "a whole number, at least 1"))
}

/// The longest time in seconds, about 30 years: no clock overflows.
const LONGEST: f64 = 1e9;

/// Converts seconds to a duration, at least 1 ns.
///
/// # Errors
/// `ValueError` unless it is positive and at most [`LONGEST`].
pub fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    positive(name, seconds, ("seconds", 1.0))
}

/// Converts milliseconds to a duration, at least 1 ns.
///
/// # Errors
/// `ValueError` unless it is positive and at most a thousand times [`LONGEST`].
pub fn milliseconds(name: &str, milliseconds: f64) -> PyResult<Duration> {
    positive(name, milliseconds, ("milliseconds", 1e3))
}

/// Formats a number; a very large or small one with an exponent.
fn short(number: f64) -> String {
    format!("{number:?}").trim_end_matches(".0").into()
}

/// Converts a number in a unit, of which a second has so many, to a duration.
fn positive(name: &str, number: f64, (unit, per_second): (&str, f64)) -> PyResult<Duration> {
    let found = at_most_longest(number / per_second).filter(|_| number > 0.0);
    found.ok_or_else(|| {
        let (most, number) = (LONGEST * per_second, short(number));
        PyValueError::new_err(format!("{name} is a positive number of {unit} up to {most:e}, not {number}"))
    })
}

/// Converts a number of seconds or a `datetime.timedelta` to seconds.
///
/// # Errors
/// `TypeError`.
pub fn seconds(name: &str, given: &Value<'_>) -> PyResult<f64> {
    let given = &as_timedelta(given)?;
    if is_timedelta(given)? {
        return given.call_method0(intern!(given.py(), "total_seconds"))?.extract();
    }
    f64::read(name, given).map_err(|error| {
        let is_type = error.is_instance_of::<PyTypeError>(given.py());
        if is_type { wrong_type(name, "a number of seconds or a timedelta", given) } else { error }
    })
}

/// Converts seconds to a duration, 0 or at least 1 ns.
///
/// # Errors
/// `ValueError` unless it is from 0 to [`LONGEST`].
pub fn duration_or_zero(name: &str, seconds: f64) -> PyResult<Duration> {
    let wrong = || format!("{name} is a number of seconds from 0 to {LONGEST:e}, not {}", short(seconds));
    let positive = || at_most_longest(seconds).ok_or_else(|| PyValueError::new_err(wrong()));
    if seconds == 0.0 { Ok(Duration::ZERO) } else { positive() }
}

fn at_most_longest(seconds: f64) -> Option<Duration> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|_| seconds <= LONGEST)?;
    Some(duration.max(Duration::from_nanos(1)))
}
