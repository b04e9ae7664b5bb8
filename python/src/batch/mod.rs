//! Batches: many positions at once.

mod annotate;
mod columns;
mod result;
mod solve;

pub use annotate::{annotate_games, annotation_graph, annotation_page};
pub use result::Batch;
pub use solve::solve_many;

use crate::arguments::{self, Argument, Value, limit, options, wrong_type};
use crate::error::{BadPosition, OrRaise};
use crate::position::{Position, no_options};
use crate::progress::supervised;
use columns::Shape;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::batch::{self, Given as Row, Job, Run};
use secateurs::core::notation;
use secateurs::registry::{self, Setup};
use std::borrow::Cow;
use std::path::PathBuf;

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
/// >>> batch = secateurs.analyse_many(positions[:1], depth=4, multipv=2)
/// >>> batch["position"] == 2 * [positions[0].text], batch["multipv"]
/// (True, [1, 2])
/// >>> board = secateurs.Position("chess")
/// >>> batch = secateurs.analyse_many([board, board], depth=2, root_moves=[["g1f3"], ["b1c3"]], san=True)
/// >>> batch["best_san"]
/// ['Nf3', 'Nc3']
///
/// With a ``checkpoint``, finished rows are stored in a file. A batch that ended early, by Ctrl-C or otherwise,
/// continues from there when called again with the same positions, limits and options: no finished row is searched
/// twice.
///
/// :param positions: an iterable of :class:`Position` and ``str``, which is read as by :meth:`Position.parse`, and of
///     all else that :meth:`Engine.analyse` takes. If one is a state of a game in Python, a single thread searches all
///     positions.
/// :param limit: the limits of each search: a :class:`Limit`, or its keywords.
/// :param multipv: the number of lines of each position, at least 1: each is a row, the best first, and the column
///     ``multipv`` has its number; ``None``: one row and no such column.
/// :param root_moves: the moves to search: a move or a list of moves, for all positions, or a list with such a list or
///     ``None``, all moves, for each position. A move that is illegal in its position, or a list without a move, is the
///     error of the row.
/// :param threads: the number of concurrent searches, 1 to 256; ``None``: the number of cores.
/// :param hash: the table of each search, MiB, at least 1.
/// :param san: whether to add columns with the moves as people read them.
/// :param pv: whether to store the principal variations; a batch without them is smaller.
/// :param progress: ``True``: a progress bar, by tqdm if it is installed, otherwise occasional lines on stderr; or a
///     function that is called from time to time with the number of finished rows and the number of all rows.
/// :param checkpoint: the file, created if it does not exist.
/// :param game: the game of positions given as text; ``None``: chess or xiangqi if one of them is a FEN, otherwise
///     Kalah.
/// :param limits_and_options: the keywords of a limit, and options of the game as for :class:`Position`.
/// :raises ValueError: no limit is given, or a limit, ``multipv``, ``threads`` or ``hash`` is out of range; or
///     ``root_moves`` is empty, or has not an item for each position.
/// :raises ValueError: ``checkpoint`` is combined with a game in Python.
/// :raises TypeError: a position is neither, or the value of an option is of the wrong type.
/// :raises BadOption: the game or the option does not exist, or the option does not take the value.
/// :raises BadFile: the checkpoint is damaged, in use, or of another batch; the message describes the difference.
/// :raises OSError: the checkpoint cannot be read or written.
/// :raises MemoryError: the tables together are larger than the memory available now.
#[pyfunction]
#[pyo3(
    signature = (
        positions, limit = None, *, multipv = None, root_moves = None, threads = None, hash = None, pv = None, san = None,
        progress = None, checkpoint = None, game = None, **limits_and_options
    ),
    text_signature = "(positions, limit=None, *, multipv=None, root_moves=None, threads=None, hash=4, pv=True, san=False, \
                      progress=None, checkpoint=None, game=None, **limits_and_options)"
)]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn analyse_many(
    py: Python<'_>,
    positions: &Bound<'_, PyAny>,
    limit: Option<Value<'_>>,
    multipv: Option<Value<'_>>,
    root_moves: Option<Value<'_>>,
    threads: Option<Value<'_>>,
    hash: Option<Value<'_>>,
    pv: Option<Value<'_>>,
    san: Option<Value<'_>>,
    progress: Option<&Value<'_>>,
    checkpoint: Option<Value<'_>>,
    game: Option<Value<'_>>,
    limits_and_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batch> {
    let (keywords, options) = apart(py, limits_and_options)?;
    let threads = arguments::threads(threads, arguments::cores())?;
    let hash = arguments::mebibytes(hash, 4)?;
    let pv = bool::read_or("pv", pv, true)?;
    let checkpoint = checkpoint.map(|path| PathBuf::read("checkpoint", &path)).transpose()?;
    let shape = Shape { pv, multipv: multipv.is_some(), san: bool::read_or("san", san, false)? };
    let lines = arguments::multipv(multipv)?;
    let positions = read("positions", positions)?;
    let setup = setup("analyse_many", game.as_ref(), &positions, &options)?;
    let limits = limit::required("analyse_many", limit.as_ref(), Some(&keywords))?;
    let restricted = root_moves.map(|moves| restricted(&positions, &moves)).transpose()?;
    let (mut given, python) = rows(positions)?;
    if let Some(moves) = restricted {
        let among = |(given, moves): (Row, Option<Vec<_>>)| match moves {
            Some(moves) => Row::Among(Box::new(given), moves),
            None => given,
        };
        given = given.into_iter().zip(moves).map(among).collect();
    }
    if let (Some(index), Some(_)) = (python, &checkpoint) {
        let reason = "is a state of a game in Python, which a file cannot tell from another: leave checkpoint out";
        return Err(PyValueError::new_err(format!("positions[{index}] {reason}")));
    }
    // Only one thread at a time can run Python code.
    let threads = if python.is_some() { 1 } else { threads };
    let job = Job { setup, limits, hash, pv, lines };
    supervised(py, progress, (given.len(), "positions"), python.is_some(), move |stop, done| {
        let run = Run { threads, checkpoint: checkpoint.as_deref(), stop: Some(stop), done: Some(done) };
        match batch::analyse(&given, &job, &run).or_raise()? {
            Some(mut rows) => {
                if shape.san {
                    rows.iter_mut().zip(&given).for_each(|(row, given)| row.add_san(given, &job.setup));
                }
                Batch::new(&rows, shape, stop)
            }
            None => Ok(None),
        }
    })
}

/// Returns the game of positions given as text, with its options, keywords of `function`: the named one; otherwise that
/// of the first text, which a FEN names; without a text that of the first position; otherwise the default game.
///
/// # Errors
/// `BadOption` and `TypeError`, as for `Position`.
pub fn setup(
    function: &str,
    game: Option<&Value<'_>>,
    positions: &[Value<'_>],
    options: &Bound<'_, PyDict>,
) -> PyResult<Setup> {
    let game = match game {
        Some(game) => registry::find(&String::read("game", game)?).or_raise()?,
        None => {
            // Any FEN: one bad text must not decide on the others.
            let mut texts = positions.iter().filter_map(|given| given.cast::<PyString>().ok()).peekable();
            let has_texts = texts.peek().is_some();
            let position = positions.first().and_then(|given| given.cast::<Position>().ok()).map(Bound::get);
            if !has_texts && position.is_some_and(Position::is_python) && !options.is_empty() {
                return Err(no_options());
            }
            let of_text = texts.find_map(|text| registry::of_fen(&text.to_string_lossy()));
            let of_position = || position.and_then(|position| registry::find(position.board().game()).ok());
            of_text.or_else(|| if has_texts { None } else { of_position() }).unwrap_or(&registry::GAMES[0])
        }
    };
    Ok(Setup::with(game, options::read(game, Some(options), function)?))
}

/// Returns the name of the game that [`setup`] finds by the positions.
#[pyfunction(name = "_game_of")]
pub fn game_of(positions: &Value<'_>) -> PyResult<&'static str> {
    let (py, positions) = (positions.py(), read("positions", positions)?);
    Ok(setup("analyse_many", None, &positions, &PyDict::new(py))?.row().name)
}

/// Reads positions, each a text or what can only [mean](Position::meant) a `Position`, which it becomes; or a single
/// one of the latter.
///
/// # Errors
/// `TypeError` for the first that is neither; those of [`Position::meant`].
pub fn read<'py>(name: &str, positions: &Value<'py>) -> PyResult<Vec<Value<'py>>> {
    if let Some(position) = Position::meant(positions)? {
        return Ok(vec![position.into_any()]);
    }
    let checked = |position: PyResult<(String, Value<'py>)>| {
        let (name, given) = position?;
        if given.is_instance_of::<PyString>() {
            return Ok(given);
        }
        match Position::meant(&given) {
            Ok(Some(position)) => Ok(position.into_any()),
            Ok(None) => {
                // A column of Arrow has scalars.
                let text = if given.hasattr("as_py")? { given.call_method0("as_py")? } else { given };
                if text.is_instance_of::<PyString>() {
                    return Ok(text);
                }
                // A missing value of a table is a text that is no position, as a bad one is.
                match arguments::is_missing(&text)? {
                    true => Ok(text.str()?.into_any()),
                    false => Err(wrong_type(&name, "a Position or a str", &text)),
                }
            }
            // A bad position costs no other: its text has the same fault.
            Err(error) if error.is_instance_of::<BadPosition>(given.py()) => {
                bad_text(&given).ok_or_else(|| named(given.py(), &name, &error))
            }
            Err(error) => Err(named(given.py(), &name, &error)),
        }
    };
    let expected = "an iterable of Position and str";
    if positions.hasattr("columns")? {
        // Iterating over a table gives the names of its columns.
        let wrong = wrong_type(name, expected, positions).value(positions.py()).to_string();
        return Err(PyTypeError::new_err(format!("{wrong}: give one of its columns")));
    }
    arguments::iterable(name, positions, expected)?.map(checked).collect()
}

/// Returns the position of a board of python-chess as text, if it is none of chess.
fn bad_text<'py>(board: &Value<'py>) -> Option<Value<'py>> {
    let text = board.call_method0("fen").ok()?.cast_into::<PyString>().ok()?;
    let chess = registry::of_fen(&text.to_string_lossy())?;
    chess.parse(&chess.defaults(), &text.to_string_lossy()).is_err().then(|| text.into_any())
}

/// Returns an error of the same kind that begins with the name of the position.
fn named(py: Python<'_>, name: &str, error: &PyErr) -> PyErr {
    PyErr::from_type(error.get_type(py), format!("{name}: {}", error.value(py)))
}

/// Reads positions for functions in Python.
#[pyfunction(name = "_read")]
pub fn read_positions<'py>(positions: &Value<'py>) -> PyResult<Vec<Value<'py>>> {
    read("positions", positions)
}

/// Returns the moves of a text; one with white space stands in quotation marks.
#[pyfunction(name = "_moves")]
pub fn moves_in(text: &Bound<'_, PyString>) -> Vec<String> {
    notation::moves(&text.to_string_lossy()).map(Cow::into_owned).collect()
}

/// Returns the position that an object is or can only [mean](Position::meant); `None` for other objects.
#[pyfunction(name = "_meant")]
pub fn meant<'py>(given: &Value<'py>) -> PyResult<Option<Bound<'py, Position>>> {
    Position::meant(given)
}

/// Returns the moves to search for each of the positions that [`read_positions`] returned, as `analyse_many` reads
/// them.
#[pyfunction(name = "_moves_of")]
pub fn moves_of(positions: Vec<Value<'_>>, moves: &Value<'_>) -> PyResult<Vec<Option<Vec<String>>>> {
    restricted(&positions, moves)
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

/// Converts the moves to search: for each position those of its own, or those of all; `None`: all moves.
///
/// # Errors
/// `TypeError`; `ValueError` if there are none, or not as many items as positions.
fn restricted(positions: &[Value<'_>], given: &Value<'_>) -> PyResult<Vec<Option<Vec<String>>>> {
    let expected = "a list of moves, or of such lists and None";
    // A move of a game in Python may have items, as a tuple.
    let is_move = |item: &Value<'_>| -> PyResult<bool> {
        for position in positions {
            if let Ok(position) = position.cast::<Position>()
                && position.get().equal(item)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let is_one = given.is_instance_of::<PyString>() || arguments::uci(given)?.is_some();
    let items = if is_one || is_move(given)? {
        vec![("root_moves".to_owned(), given.clone())]
    } else {
        arguments::sequence("root_moves", given, expected)?.collect::<PyResult<Vec<_>>>()?
    };
    if items.is_empty() {
        return Err(PyValueError::new_err("root_moves is empty: None stands for all moves"));
    }
    let is_missing = |item: &Value<'_>| arguments::is_missing(item).unwrap_or(false);
    let is_own = |item: &Value<'_>| is_missing(item) || (!arguments::is_text(item) && item.try_iter().is_ok());
    let moves = |items: Vec<(String, Value<'_>)>, position: &Value<'_>| {
        let position = position.cast::<Position>().ok();
        let mv = |(name, given): (String, Value<'_>)| match position {
            Some(position) => position.get().mv(&name, &given),
            None => arguments::mv(&name, &given),
        };
        items.into_iter().map(mv).collect::<PyResult<Vec<_>>>().map(Some)
    };
    if !is_own(&items[0].1) || is_move(&items[0].1)? {
        return positions.iter().map(|position| moves(items.clone(), position)).collect();
    }
    if items.len() != positions.len() {
        let counts = format!("{} items for {} positions", items.len(), positions.len());
        return Err(PyValueError::new_err(format!("root_moves has {counts}: give one for each, or moves for all")));
    }
    let own = |((name, item), position): ((String, Value<'_>), &Value<'_>)| {
        if arguments::is_missing(&item)? {
            return Ok(None);
        }
        moves(arguments::iterable(&name, &item, "a list of moves or None")?.collect::<PyResult<_>>()?, position)
    };
    items.into_iter().zip(positions).map(own).collect()
}

/// Converts the positions to rows. Also returns the index of the first that is a state of a game in Python.
fn rows(positions: Vec<Value<'_>>) -> PyResult<(Vec<Row>, Option<usize>)> {
    let (mut all, mut python) = (Vec::with_capacity(positions.len()), None);
    for given in positions {
        all.push(if let Ok(position) = given.cast::<Position>() {
            python = python.or_else(|| position.get().is_python().then_some(all.len()));
            Row::Board(position.get().board().boxed())
        } else {
            // Text that is not valid Unicode is not a position; its row reports the error.
            Row::Text(String::read("position", &given)?)
        });
    }
    Ok((all, python))
}
