//! Batches: many positions at once.

mod annotate;
mod columns;
mod progress;
mod result;
mod solve;

pub use annotate::annotate_games;
pub use result::Batch;
pub use solve::solve_many;

use super::arguments::{self, Given, wrong_type};
use super::limit;
use super::options;
use super::position::Position;
use crate::error::OrRaise;
use progress::supervised;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::batch::{self, Given as Row, Job, Run};
use secateurs::registry::{self, Setup};

/// Searches many positions, each as if by a fresh engine, with ``threads`` threads and the GIL released. Returns the
/// columns of a :class:`Batch`, with a row for each position, in order.
///
/// Each search has one thread and a cleared table of its own, so that the rows do not depend on the number of threads;
/// with a time limit they depend on the machine. An error of a position, such as an unreadable text or no legal move,
/// is reported in its row.
///
/// >>> batch = secateurs.analyse_many(["3,4,5 1", "1,1 1", "5 heaps"], depth=9, game="nim", theory=False)
/// >>> batch["best_move"]
/// ['1-2', '1-1', None]
/// >>> batch[2]["error"][:27]
/// 'bad position "5 heaps": the'
/// >>> positions = [secateurs.Position("kalah", houses=houses) for houses in (2, 3, 4)]
/// >>> secateurs.analyse_many(positions, secateurs.Limit(depth=4), threads=2)["depth"]
/// [4, 4, 4]
///
/// With a ``checkpoint``, finished rows are stored in a file. A batch that ended early, by Ctrl-C or otherwise,
/// continues from there when called again with the same positions, limits and options: no finished row is searched
/// twice.
///
/// :param positions: an iterable of :class:`Position` and ``str``, which is read as by :meth:`Position.parse`. If one
///     is a state of a game in Python, a single thread searches all positions.
/// :param limit: the limits of each search: a :class:`Limit`, or its keywords.
/// :param threads: the number of concurrent searches, 1 to 256; ``None``: the number of cores.
/// :param hash: the table of each search, MiB, at least 1.
/// :param pv: whether to store the principal variations; a batch without them is smaller.
/// :param progress: ``True``: a progress bar, by tqdm if it is installed, otherwise occasional lines on stderr; or a
///     function that is called from time to time with the number of finished rows and the number of all rows.
/// :param checkpoint: the file, created if it does not exist.
/// :param game: the game of positions given as text.
/// :param limits_and_options: the keywords of a limit, and options of the game as for :class:`Position`.
/// :raises ValueError: no limit is given, or a limit, ``threads`` or ``hash`` is out of range.
/// :raises ValueError: ``checkpoint`` is combined with a game in Python.
/// :raises TypeError: a position is neither, or the value of an option is of the wrong type.
/// :raises BadOption: the game or the option does not exist, or the option does not take the value.
/// :raises BadFile: the checkpoint is damaged, in use, or of another batch; the message describes the difference.
/// :raises OSError: the checkpoint cannot be read or written.
/// :raises MemoryError: the tables together are larger than the memory available now.
#[pyfunction]
#[pyo3(
    signature = (
        positions, limit = None, *, threads = None, hash = None, pv = None, progress = None, checkpoint = None,
        game = None, **limits_and_options
    ),
    text_signature = "(positions, limit=None, *, threads=None, hash=4, pv=True, progress=None, checkpoint=None, \
                      game='kalah', **limits_and_options)"
)]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn analyse_many(
    py: Python<'_>,
    positions: &Bound<'_, PyAny>,
    limit: Option<Given<'_>>,
    threads: Option<Given<'_>>,
    hash: Option<Given<'_>>,
    pv: Option<Given<'_>>,
    progress: Option<&Given<'_>>,
    checkpoint: Option<Given<'_>>,
    game: Option<Given<'_>>,
    limits_and_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batch> {
    let (keywords, options) = apart(py, limits_and_options)?;
    let limits = limit::required(limit.as_ref(), Some(&keywords))?;
    let threads = arguments::threads(threads, arguments::cores())?;
    let hash = arguments::mebibytes(hash, 4)?;
    let pv = arguments::flag_or("pv", pv, true)?;
    let checkpoint = checkpoint.map(|path| arguments::path("checkpoint", &path)).transpose()?;
    let setup = setup(game, &options)?;
    let (given, python) = given(positions)?;
    if let (Some(index), Some(_)) = (python, &checkpoint) {
        let reason = "is a state of a game in Python, which a file cannot tell from another: leave checkpoint out";
        return Err(PyValueError::new_err(format!("positions[{index}] {reason}")));
    }
    // Only one thread at a time can run Python code.
    let threads = if python.is_some() { 1 } else { threads };
    let job = Job { setup, limits, hash, pv };
    supervised(py, progress, given.len(), python.is_some(), move |stop, done| {
        let run = Run { threads, checkpoint: checkpoint.as_deref(), stop: Some(stop), done: Some(done) };
        match batch::analyse(&given, &job, &run).or_raise()? {
            Some(rows) => Batch::new(&rows, pv, stop),
            None => Ok(None),
        }
    })
}

/// Returns the game of positions given as text, with its options.
fn setup(game: Option<Given<'_>>, options: &Bound<'_, PyDict>) -> PyResult<Setup> {
    let game = match game {
        Some(game) => registry::find(&arguments::text("game", &game)?).or_raise()?,
        None => &registry::GAMES[0],
    };
    Ok(Setup::with(game, options::read(game, Some(options))?))
}

/// Separates the keywords of a limit from the options of a game.
fn apart<'py>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let (limits, options) = (PyDict::new(py), PyDict::new(py));
    for (name, value) in given.into_iter().flatten() {
        let is_limit = limit::is_keyword(&name.str()?.to_string_lossy());
        if is_limit { &limits } else { &options }.set_item(name, value)?;
    }
    Ok((limits, options))
}

/// What the positions are.
const EXPECTED: &str = "an iterable of Position and str";

/// The error for one that is neither.
fn unreadable(name: &str, given: &Given<'_>) -> PyErr {
    wrong_type(name, "a Position or a str", given)
}

/// Reads the positions. Also returns the index of the first that is a state of a game in Python.
fn given(positions: &Given<'_>) -> PyResult<(Vec<Row>, Option<usize>)> {
    let (mut all, mut python) = (Vec::new(), None);
    for position in arguments::iterable("positions", positions, EXPECTED)? {
        let (name, position) = position?;
        all.push(if let Ok(position) = position.cast::<Position>() {
            python = python.or_else(|| position.get().is_python().then_some(all.len()));
            Row::Board(position.get().board().boxed())
        } else if let Ok(text) = position.cast::<PyString>() {
            // Text that is not valid Unicode is not a position; its row reports the error.
            Row::Text(text.to_string_lossy().into_owned())
        } else {
            return Err(unreadable(&name, &position));
        });
    }
    Ok((all, python))
}
