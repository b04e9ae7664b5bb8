//! Batches: many positions at once.

mod columns;
mod progress;
mod result;
mod solve;

pub use result::Batch;
pub use solve::solve_many;

use super::arguments::{self, Given, refused, wrong_type};
use super::limit;
use super::options;
use super::position::Position;
use crate::batch::{self, Given as Row, Job, Run};
use crate::registry::{self, Setup};
use progress::supervised;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Searches many positions alike, each as if by a fresh engine, with ``threads`` at a time and the GIL released, and returns
/// the columns of a :class:`Batch`: a row for each position, in their order.
///
/// Each search has one thread and a table of its own, emptied before, so that the rows are the same for any number of
/// threads; with a limit of time they depend on the machine. What is wrong with a position, a text that cannot be read or no
/// legal move, is reported in its row.
///
/// >>> batch = secateur.analyse_many(["3,4,5 1", "1,1 1", "5 heaps"], depth=9, game="nim", theory=False)
/// >>> batch["best_move"]
/// ['1-2', '1-1', None]
/// >>> batch[2]["error"][:27]
/// 'bad position "5 heaps": the'
/// >>> positions = [secateur.Position("kalah", houses=houses) for houses in (2, 3, 4)]
/// >>> secateur.analyse_many(positions, secateur.Limit(depth=4), threads=2)["depth"]
/// [4, 4, 4]
///
/// With a ``checkpoint`` finished rows are kept in a file as they come. A batch that was ended, by Ctrl-C or otherwise, goes
/// on from there when it is asked for again with the same positions, limits and options: no finished row is searched twice.
///
/// :param positions: an iterable of :class:`Position` and ``str``; a ``str`` is read as :meth:`Position.parse` does. With a
///     state of a game in Python among them one thread searches all.
/// :param limit: when each search ends: a :class:`Limit`, or its keywords.
/// :param threads: so many searches at a time, 1 to 256; ``None``: as many as there are cores.
/// :param hash: the table of each, MiB, at least 1.
/// :param pv: whether the principal variations are kept; without them a batch is smaller.
/// :param progress: ``True``: a progress bar, by tqdm if that is installed, else a line now and then on stderr; or a
///     function, called now and then with the numbers of rows that are done and that there are.
/// :param checkpoint: the file; it is made if it is not there.
/// :param game: the game of positions that are given as text.
/// :param limits_and_options: the keywords of a limit; the others are options of the game, as :class:`Position` takes them.
/// :raises ValueError: no limit is given, or one is out of range; so for ``threads`` and ``hash``.
/// :raises ValueError: ``checkpoint`` goes with a game in Python.
/// :raises TypeError: one of the positions is neither, or an option's value is of the wrong type.
/// :raises BadOption: no such game, no such option, or a value that the option does not take.
/// :raises BadFile: the checkpoint is damaged, in use, or that of another batch; the message says how it differs.
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
    let pv = pv.map_or(Ok(true), |pv| arguments::flag("pv", &pv))?;
    let checkpoint = checkpoint.map(|path| arguments::path("checkpoint", &path)).transpose()?;
    let setup = setup(game, &options)?;
    let (given, python) = given(positions)?;
    if let (Some(index), Some(_)) = (python, &checkpoint) {
        let reason = "is a state of a game in Python, which a file cannot tell from another: leave checkpoint out";
        return Err(PyValueError::new_err(format!("positions[{index}] {reason}")));
    }
    // Only one thread at a time can be in Python.
    let threads = if python.is_some() { 1 } else { threads };
    let job = Job { setup, limits, hash, pv };
    supervised(py, progress, given.len(), python.is_some(), move |stop, done| {
        let run = Run { threads, checkpoint: checkpoint.as_deref(), stop: Some(stop), done: Some(done) };
        match batch::analyse(&given, &job, &run)? {
            Some(rows) => Batch::new(&rows, pv, stop),
            None => Ok(None),
        }
    })
}

/// The game of positions that are given as text, with its options.
fn setup(game: Option<Given<'_>>, options: &Bound<'_, PyDict>) -> PyResult<Setup> {
    let game = match game {
        Some(game) => registry::find(&arguments::text("game", &game)?)?,
        None => &registry::GAMES[0],
    };
    Ok(Setup::with(game, options::read(game, Some(options))?))
}

/// The keywords of a limit, and the options of a game.
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

/// The positions as they are given, and the index of the first that is a state of a game in Python.
fn given(positions: &Given<'_>) -> PyResult<(Vec<Row>, Option<usize>)> {
    let expected = "an iterable of Position and str";
    if arguments::is_text(positions) {
        return Err(wrong_type("positions", expected, positions));
    }
    let rows = refused(positions.try_iter(), "positions", expected, positions)?;
    let mut python = None;
    let mut all = Vec::with_capacity(positions.len().unwrap_or_default());
    for (index, position) in rows.enumerate() {
        let position = position?;
        if index.is_multiple_of(4096) {
            positions.py().check_signals()?;
        }
        all.push(if let Ok(position) = position.cast::<Position>() {
            python = python.or_else(|| position.get().is_python().then_some(index));
            Row::Board(position.get().board().boxed())
        } else if let Ok(text) = position.cast::<PyString>() {
            // What is no text of Unicode is no position either, and its row says so.
            Row::Text(text.to_string_lossy().into_owned())
        } else {
            return Err(wrong_type(&format!("positions[{index}]"), "a Position or a str", &position));
        });
    }
    Ok((all, python))
}
