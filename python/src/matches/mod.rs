//! Matches from Python: the arena with players of all kinds.

pub mod ledger;
mod player;
pub mod standings;

use crate::arguments::limit::Limit;
use crate::arguments::{Argument, Value, duration_or_zero, field, one_of, parts, seconds};
use crate::error::{BadOption, EngineError, OrRaise, exception};
use crate::position::Position;
use crate::python_game::PythonGame;
use crate::threads::lock::attach;
use crate::threads::nesting::Nesting;
use crate::threads::unwinding::caught;
use crate::threads::work::{attended, interrupted};
use crate::uci::spec::{dialect, settings, spec};
use crate::uci::{UciEngine, pipe};
use player::FunctionPlayer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use secateurs::core::{Error, Limits, StopFlag};
use secateurs::engine::GameBoard;
use secateurs::registry::Setup;
use secateurs::store::{FreshFile, paths, regular};
use secateurs_tools::arena::adjudication::{Adjudication, Agreement};
use secateurs_tools::arena::clock::{Control, TimeControl};
use secateurs_tools::arena::contestant::number_duplicates;
use secateurs_tools::arena::journal::Journal;
use secateurs_tools::arena::openings::{self, RandomWalk, Source};
use secateurs_tools::arena::record::GameRecord;
use secateurs_tools::arena::referee::Timeouts;
use secateurs_tools::arena::schedule::{Format, Schedule};
use secateurs_tools::arena::{Contestant, InHouse, Model, Restart, Sprt, Stopped, Test, Tournament, sprt};
use secateurs_tools::cli::output::FileKind;
use secateurs_tools::client::{GameSpec, Spec, Surroundings, Transcript};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

/// The parameters of a test: both differences, both error rates, normalized, trinomial.
type TestPlan = (f64, f64, f64, f64, bool, bool);

/// The openings.
enum Lines {
    Texts(Vec<String>),
    /// The moves from the start of a game in Python.
    Moves(Vec<Vec<String>>),
    File(PathBuf),
}

impl<'py> Argument<'py> for Lines {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        if let Ok(lines) = given.cast::<PyList>() {
            match lines.extract() {
                Ok(moves) if !lines.is_empty() => Ok(Self::Moves(moves)),
                _ => Vec::read(name, given).map(Self::Texts),
            }
        } else {
            PathBuf::read(name, given).map(Self::File)
        }
    }
}

/// Creates the test.
///
/// # Errors
/// `BadOption` for invalid parameters.
pub fn test((elo0, elo1, alpha, beta, normalized, trinomial): TestPlan) -> PyResult<Test> {
    let model = if normalized { Model::Normalized } else { Model::Logistic };
    let named = |error| match error {
        Error::BadValue { name, expected, .. } => {
            let arguments = [("elo0", "sprt[0]", elo0), ("elo1", "sprt[1]", elo1), ("alpha", "errors[0]", alpha)];
            let found = arguments.into_iter().find(|(of_test, ..)| *of_test == name);
            let (_, argument, value) = found.unwrap_or(("beta", "errors[1]", beta));
            BadOption::new_err(format!("{argument} is {}, not {value}", expected.replace("elo1", "sprt[1]")))
        }
        error => exception(error),
    };
    Ok(Test { sprt: Sprt::new(elo0, elo1, alpha, beta, model).map_err(named)?, trinomial })
}

impl<'py> Argument<'py> for Agreement {
    fn read(name: &str, given: &Value<'py>) -> PyResult<Self> {
        let found = parts(name, given, "a tuple (moves, score) or (moves, score, after)", 2..=3)?;
        Ok(Self {
            moves: usize::read(&found[0].0, &found[0].1)?,
            score: i32::read(&found[1].0, &found[1].1)?,
            after: found.get(2).map_or(Ok(0), |(name, after)| usize::read(name, after))?,
        })
    }
}

/// Reads a player of a match, of one of four kinds: a program; the specification of a running engine; a function, see
/// [`FunctionPlayer`]; if all are `None`, the built-in engine in this process.
fn contestant(
    entry: &Value<'_>,
    setup: &Setup,
    start: Option<&GameBoard<PythonGame>>,
    library: Option<&PathBuf>,
    specs: &mut Vec<Spec>,
) -> PyResult<Contestant> {
    let (name, protocol): (Option<String>, Option<Value<'_>>) = (field(entry, "name")?, field(entry, "protocol")?);
    let function: Option<Value<'_>> = field(entry, "function")?;
    let (clock, limit): (Option<String>, Option<Bound<'_, Limit>>) = (field(entry, "clock")?, field(entry, "limit")?);
    let mut control = control(clock.as_deref(), limit.as_ref().map(|limit| &limit.get().limits))?;
    control.margin = field::<Option<_>>(entry, "margin")?.as_ref().map(grace).transpose()?;
    let words = [("auto", Restart::Auto), ("on", Restart::On), ("off", Restart::Off)];
    let restart = one_of("restart", &field(entry, "restart")?, &words)?;
    if function.is_none() && !control.is_finite() {
        return Err(PyValueError::new_err("clock: \"inf\" alone is no limit: give depth, nodes or time"));
    }
    if let Some(protocol) = &protocol {
        dialect(protocol)?;
    }
    let spec = match field(entry, "command")? {
        Some(command) => Some(spec(&command, None, protocol)?),
        None => field::<Option<Bound<'_, UciEngine>>>(entry, "uci")?.map(|uci| uci.get().spec.clone()),
    };
    let mut options = settings(&field(entry, "options")?)?;
    for (name, value) in spec.iter().flat_map(|spec| &spec.options).chain(&options) {
        if let Some((name, here)) = setup.other_game(name, value) {
            let reason = format!("{name}={value}: the match is played with {name}={here}, as its position has it");
            return Err(PyValueError::new_err(reason));
        }
    }
    let mut contestant = match (spec, function) {
        (Some(mut spec), _) => {
            spec.options.append(&mut options);
            specs.push(spec.clone());
            Contestant::new(Spec { game: Some(GameSpec::new(setup)), ..spec }, control)
        }
        (None, Some(function)) => {
            let described = name.clone().unwrap_or_else(|| "player".into());
            let (function, start) = (Arc::new(function.unbind()), start.cloned());
            Contestant::new(FunctionPlayer { function, described, start }, control)
        }
        (None, None) => {
            let player = InHouse { setup: setup.clone(), options, library: library.cloned() };
            Contestant::new(player, control)
        }
    };
    contestant.restart = restart;
    if let Some(name) = name {
        contestant.name = name;
    }
    Ok(contestant)
}

/// Reads the time by which a clock may be exceeded.
fn grace(margin: &Value<'_>) -> PyResult<Duration> {
    duration_or_zero("margin", seconds("margin", margin)?)
}

fn control(clock: Option<&str>, limits: Option<&Limits>) -> PyResult<Control> {
    let wrong = |error| PyValueError::new_err(format!("clock: {error}"));
    let clock = clock.map(|text| TimeControl::or_infinite(text).map_err(wrong)).transpose()?.flatten();
    let limits = limits.cloned().unwrap_or_default();
    if limits.mate.is_some() {
        return Err(PyValueError::new_err("mate is no limit of a player: give depth, nodes, time or a clock"));
    }
    if limits.clock.is_some() {
        return Err(PyValueError::new_err(
            "remaining is no limit of a player, whose clock the match keeps: give clock",
        ));
    }
    let Limits { movetime, nodes, depth, .. } = limits;
    Ok(Control { clock, movetime, nodes, depth, margin: None })
}

/// Returns the factor of all times of the players in a part of a match; `None`: this is a whole match.
fn scale(plan: &Value<'_>) -> PyResult<Option<f64>> {
    field(plan, "scale")
}

/// Refuses a file that the match would write for two purposes, or both read and write.
fn check_paths(
    openings: Option<&Lines>,
    record: Option<&Path>,
    transcript: Option<&Path>,
    specs: &[Spec],
) -> Result<(), Error> {
    let openings = openings.and_then(|lines| match lines {
        Lines::Texts(_) | Lines::Moves(_) => None,
        Lines::File(path) => Some(path.as_path()),
    });
    let files: Vec<_> = specs.iter().flat_map(Spec::files).filter(|file| file.is_file()).collect();
    let mut inputs = paths::listed("a player", &files);
    inputs.push(("openings", openings));
    let outputs = [("record", record), ("transcript", transcript)];
    let appended = specs.iter().map(|spec| ("stderr", spec.stderr.as_deref()));
    paths::check_appended(&inputs, &outputs, &appended.collect::<Vec<_>>())
}

/// Returns the match that `secateurs._matches` describes, and the file that records its games. The attributes of `plan`
/// have the names of `secateurs.match`.
fn tournament(plan: &Value<'_>, abort: &StopFlag) -> PyResult<(Tournament, Option<PathBuf>)> {
    let (setup, board) = field::<Bound<'_, Position>>(plan, "position")?.get().setup()?;
    let (library, mut specs) = (field::<Option<PathBuf>>(plan, "library")?, Vec::new());
    let contestant = |entry: &Value<'_>| contestant(entry, &setup, board.as_ref(), library.as_ref(), &mut specs);
    let players: Vec<Value<'_>> = field(plan, "players")?;
    let mut contestants = players.iter().map(contestant).collect::<PyResult<Vec<_>>>()?;
    let openings: Option<Lines> = field(plan, "openings")?;
    let (record, transcript): (Option<PathBuf>, Option<PathBuf>) = (field(plan, "record")?, field(plan, "transcript")?);
    check_paths(openings.as_ref(), record.as_deref(), transcript.as_deref(), &specs).or_raise()?;
    number_duplicates(&mut contestants);
    let scale = scale(plan)?.unwrap_or(1.0);
    contestants.iter_mut().for_each(|contestant| contestant.control.scale(scale));
    // Python has checked the types.
    let test = plan.getattr("sprt")?.extract::<Option<TestPlan>>()?.map(test).transpose()?;
    if contestants.len() < 2 {
        return Err(PyValueError::new_err("a match needs at least two players"));
    }
    let opening_plies: Option<usize> = field(plan, "opening_plies")?;
    let lines = |lines| match lines {
        Lines::Texts(lines) => openings::of_texts(&setup, &lines),
        Lines::Moves(lines) => openings::of_moves(&setup, lines),
        Lines::File(path) => regular::check(&path).and_then(|()| openings::load(&setup, &path, opening_plies)),
    };
    let orders = [("sequential", false), ("random", true)];
    let shuffled = one_of("order", &field(plan, "order")?, &orders)?;
    let start: usize = field(plan, "start")?;
    if openings.is_none() && start != 1 {
        return Err(PyValueError::new_err("start is the number of an opening in openings, and there are none"));
    }
    if openings.is_none() && shuffled {
        return Err(PyValueError::new_err("order is that of openings, and there are none"));
    }
    let (resign, one_sided): (Option<Agreement>, _) = (field(plan, "resign")?, !field::<bool>(plan, "twosided")?);
    if resign.is_none() && one_sided {
        return Err(PyValueError::new_err("twosided is for a match with resign"));
    }
    if opening_plies.is_some() && !matches!(openings, Some(Lines::File(_))) {
        return Err(PyValueError::new_err("opening_plies shortens the games of a file in PGN: openings is none"));
    }
    let openings = match openings.map(lines).transpose().or_raise()? {
        Some(openings) => Source::Lines { openings, shuffled, start },
        None => {
            let RandomWalk { plies, candidates, nodes } = RandomWalk::default();
            Source::Random(RandomWalk {
                plies: field::<Option<_>>(plan, "random_plies")?.unwrap_or(plies),
                candidates: field::<Option<_>>(plan, "random_candidates")?.unwrap_or(candidates),
                nodes: field::<Option<_>>(plan, "random_nodes")?.unwrap_or(nodes),
            })
        }
    };
    openings.check().or_raise()?;
    FileKind::Dialogue.check("transcript", transcript.as_deref()).or_raise()?;
    let rounds = field::<Option<_>>(plan, "rounds")?.unwrap_or(if test.is_some() { sprt::DEFAULT_ROUNDS } else { 10 });
    let formats = [("round-robin", Format::RoundRobin), ("gauntlet", Format::Gauntlet)];
    let format = one_of("format", &field(plan, "format")?, &formats)?;
    let adjudication = Adjudication {
        resign,
        one_sided,
        draw: field(plan, "draw")?,
        proven: field(plan, "proven")?,
        length: field(plan, "length")?,
        databases: field::<Option<PathBuf>>(plan, "databases")?.map(|folder| folder.to_string_lossy().into_owned()),
    };
    adjudication.check(&setup).or_raise()?;
    let timeouts = Timeouts { margin: grace(&field(plan, "margin")?)?, hang: field(plan, "hang")? };
    let (concurrency, pinned, seed) = (field(plan, "concurrency")?, field(plan, "pin")?, field(plan, "seed")?);
    let created = |path: PathBuf| regular::check_output(&path).and_then(|()| FreshFile::open(&path));
    let transcript = transcript.map(created).transpose().or_raise()?.map(Transcript::new);
    let tournament = Tournament {
        schedule: Schedule { format, engines: contestants.len(), rounds },
        setup,
        contestants,
        openings,
        seed,
        adjudication,
        timeouts,
        concurrency,
        pinned,
        test,
        surroundings: Surroundings { watchdog: pipe::watchdog(), transcript, abort: abort.clone() },
        start_handler: None,
    };
    Ok((tournament, record))
}

/// Returns a record as JSON.
fn text(record: &GameRecord) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// Plays a match with the GIL released. Calls `begun` before the first game, with the header of the match as JSON and
/// the number of planned games. Appends the record of each game, as JSON, to `records`, starting with those already in
/// the file, and calls `report` on this thread, if it is given. An exception of either, or of a signal handler, aborts
/// the match without waiting for the current games; it cannot come between a game and its place in the list.
#[pyfunction]
#[pyo3(name = "_play_match")]
pub fn play(
    py: Python<'_>,
    plan: &Value<'_>,
    begun: &Bound<'_, PyAny>,
    records: Py<PyList>,
    report: Option<Py<PyAny>>,
) -> PyResult<()> {
    let abort = StopFlag::new();
    let (mut tournament, path) = caught(|| tournament(plan, &abort))??;
    let header = caught(|| tournament.header())?;
    let open = |path: PathBuf| Journal::open_as(&path, &header, &tournament.setup, tournament.schedule.rounds);
    let (mut journal, earlier) = path.map(open).transpose().or_raise()?.unzip();
    let earlier = earlier.unwrap_or_default();
    if scale(plan)?.is_none() {
        caught(|| tournament.warn_of_few_openings())?.or_raise()?;
    }
    begun.call1((header.to_string(), tournament.schedule.games()))?;
    let append = |py: Python<'_>, record| {
        records.bind(py).append(record)?;
        report.as_ref().map_or(Ok(()), |report| report.call0(py).map(drop))
    };
    for record in &earlier {
        append(py, text(record))?;
    }
    let ((sender, mut receiver), stop) = (mpsc::channel(), abort.clone());
    let play = move || {
        tournament.start_handler = Nesting::around().map(|work| Box::new(work.start_handler()) as _);
        let played =
            tournament.play(journal.as_mut(), &earlier, &stop, &mut |record, _| drop(sender.send(text(record))));
        // Players may hold Python objects.
        (played, tournament)
    };
    let games = &mut receiver;
    let poll = move || {
        let failed = games.try_iter().find_map(|record| attach(|py| append(py, record)).and_then(Result::err));
        failed.or_else(interrupted)
    };
    let played = attended(py, &abort, play, poll);
    // No game is lost by an exception.
    let failed = receiver.try_iter().fold(None, |failed, record| failed.or(append(py, record).err()));
    let (played, _tournament) = played?;
    match (failed, played) {
        (Some(failed), _) => Err(failed),
        (None, Ok(_)) => Ok(()),
        (None, Err(unfinished)) => Err(match unfinished.why {
            Stopped::Error(error) => exception(error),
            stopped @ Stopped::Engine(..) => EngineError::new_err(stopped.to_string()),
        }),
    }
}
