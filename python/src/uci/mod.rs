//! An external engine, with the interface of the built-in one.

pub mod pipe;
mod report;
mod session;
pub mod spec;

use crate::analyser::analysis::Analysis;
use crate::analyser::{Analyser, Query, Search};
use crate::arguments::{self, Argument, Value};
use crate::error::OrRaise;
use crate::python_modules::{from_json, missing};
use crate::results::RootMoves;
use crate::threads::searches::CurrentSearches;
use crate::threads::work::interruptible;
use pipe::Pipe;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::core::error::Quoted;
use secateurs::core::{Error, StopFlag};
use secateurs::store::regular;
use secateurs_tools::cli::output::check_log;
use secateurs_tools::client::option::Declared;
use secateurs_tools::client::{Client, Spec};
use session::SearchRequest;
use spec::{settings, spec};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// An external engine that speaks UCI or UGI through a pipe, with the methods and results of :class:`Engine`. The
/// constructor starts the process. It runs until :meth:`close`, the end of a ``with`` block, or the deletion of the
/// object, and all its child processes end with it, even if Python is killed.
///
/// >>> import sys
/// >>> with secateurs.UciEngine([sys.executable, "-m", "secateurs"], options={"Hash": 1}) as engine:
/// ...     result = engine.analyse(secateurs.Position("nim", heaps=[1, 2], theory=False), depth=5)
/// >>> print(engine.name[:9], result.best_move, result.score)
/// Secateurs 2-1 win in 3 plies proven
///
/// The engine receives the game of each position as ``UCI_Variant`` and the options of the game that it declares. It
/// runs one search at a time; other calls wait. :attr:`Result.score` is ``None`` if the engine reports no score, or one
/// that cannot be, such as a mate in 99999; evaluations beyond ±288 units count as ±288. An engine that crashes, hangs,
/// or sends invalid output raises :class:`EngineError` and cannot be used again.
///
/// :param command: the program, or a list of the program and its arguments, without a shell.
/// :param options: options of the engine, each a ``bool``, an ``int`` or a ``str``; ``None`` for a button.
/// :param protocol: "uci", "ugi", or "hub" for draughts; ``None``: the first two are tried, UCI first.
/// :param cwd: the working directory; ``None``: that of this process.
/// :param env: additional environment variables.
/// :param stderr: a file to which stderr is appended; ``None``: stderr is discarded.
/// :param startup: the time-out of the start and of the first ``readyok``, seconds.
/// :param timeout: the time-out of any other answer, seconds. For a search it starts at the end of the search time, at
///     :meth:`stop`, or, with other limits, at the last output. A search without a limit has no time-out.
/// :raises EngineError: the engine cannot be started, or sends invalid output.
/// :raises OSError: ``cwd`` is not a readable directory.
/// :raises BadFile: ``stderr`` is a file of another kind than a log.
/// :raises BadOption: the engine does not have the option, or the option does not take the value.
#[pyclass(frozen, weakref, module = "secateurs")]
pub struct UciEngine {
    pipe: Pipe,
    /// How the engine was started.
    pub spec: Spec,
    running: CurrentSearches,
    /// The name that the engine reports.
    #[pyo3(get)]
    name: String,
    /// The author that the engine reports; empty if it reports none.
    #[pyo3(get)]
    author: String,
    declared: Vec<Declared>,
    /// The process ID.
    #[pyo3(get)]
    pid: u32,
}

impl Analyser for UciEngine {
    fn running(&self) -> &CurrentSearches {
        &self.running
    }

    fn prepare(&self, query: &Query<'_>) -> PyResult<Search> {
        let request = SearchRequest {
            board: query.position.get().registered()?.boxed(),
            limits: query.limits.clone(),
            moves: query.root_moves.clone(),
            lines: query.multipv,
        };
        self.pipe.check()?;
        let pipe = self.pipe.clone();
        Ok(Box::new(move |stop, progress| Ok(pipe.search(&request, stop, progress)?.into())))
    }

    fn repeated(&self, _: &Query<'_>) -> RootMoves {
        None
    }
}

#[pymethods]
impl UciEngine {
    #[new]
    #[pyo3(
        signature = (
            command, *, options = None, protocol = None, cwd = None, env = None, stderr = None, startup = None,
            timeout = None, **others
        ),
        text_signature = "(command, *, options=None, protocol=None, cwd=None, env=None, stderr=None, startup=10.0, \
                          timeout=60.0)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        command: &Value<'_>,
        options: Option<Value<'_>>,
        protocol: Option<Value<'_>>,
        cwd: Option<Value<'_>>,
        env: Option<Value<'_>>,
        stderr: Option<Value<'_>>,
        startup: Option<Value<'_>>,
        timeout: Option<Value<'_>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        arguments::no_others(py, "UciEngine", others)?;
        let path = |name, given: Option<Value<'_>>| given.map(|given| PathBuf::read(name, &given)).transpose();
        let seconds =
            |name, given: Option<Value<'_>>, default| Duration::read_or(name, given, Duration::from_secs(default));
        let variable = |(name, value): (String, _)| {
            if name.is_empty() || name.contains(['=', '\0']) {
                let wrong = format!("env has {}, which no variable can be called", Quoted::new(&name));
                return Err(PyValueError::new_err(wrong));
            }
            let value = arguments::word(&format!("env[{}]", Quoted::new(&name)), &value)?;
            Ok((name, value))
        };
        let env = env.map(|env| arguments::pairs("env", &env)).transpose()?.unwrap_or_default();
        let spec = Spec {
            folder: path("cwd", cwd)?,
            environment: env.into_iter().map(variable).collect::<PyResult<_>>()?,
            stderr: path("stderr", stderr)?,
            startup: seconds("startup", startup, 10)?,
            response: seconds("timeout", timeout, 60)?,
            ..spec(command, options, protocol)?
        };
        spec.stderr.as_deref().map_or(Ok(()), regular::check_output).or_raise()?;
        check_log("stderr", spec.stderr.as_deref()).or_raise()?;
        if let Some(folder) = &spec.folder {
            fs::read_dir(folder).map_err(|error| Error::file("work in", folder, &error)).or_raise()?;
        }
        let abort = StopFlag::new();
        let said =
            |client: &Client| (client.name(), client.author().to_owned(), client.options().to_vec(), client.id());
        let (of_pipe, stop) = (spec.clone(), abort.clone());
        let started = interruptible(py, &abort, move || Pipe::start(&of_pipe, said, &stop))?;
        let (pipe, (name, author, declared, pid)) = started?;
        Ok(Self { pipe, spec, running: CurrentSearches::default(), name, author, declared, pid })
    }

    /// Searches for the move to play: see :meth:`Engine.play`.
    ///
    /// :raises EngineError: the engine crashes, hangs, or returns an illegal move.
    /// :raises ValueError: as for :meth:`Engine.play`, including :class:`IllegalMove`; or the game is written in
    ///     Python.
    #[pyo3(signature = (position, limit = None, *, root_moves = None, **limits))]
    fn play<'py>(
        &self,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Analyser::play(self, &Query::new("UciEngine.play", position, limit, limits, root_moves)?)
    }

    /// Searches until the first limit is reached, with the GIL released: see :meth:`Engine.analyse`.
    ///
    /// Ctrl-C raises ``KeyboardInterrupt`` within about 20 ms if the main thread made the call; the engine is stopped
    /// and can be used again. :meth:`stop` from another thread ends the search, which returns its result so far.
    ///
    /// :raises EngineError: the engine crashes, hangs, or returns an illegal move.
    /// :raises BadOption: ``multipv`` is more than 1, and the engine has no option MultiPV that allows it.
    /// :raises ValueError: as for :meth:`Engine.analyse`, including :class:`IllegalMove`; or the game is written in
    ///     Python.
    #[pyo3(signature = (position, limit = None, *, multipv = None, root_moves = None, **limits))]
    fn analyse<'py>(
        &self,
        position: &Value<'py>,
        limit: Option<Value<'_>>,
        multipv: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = Query::new("UciEngine.analyse", position, limit, limits, root_moves)?;
        Analyser::analyse(self, query, multipv)
    }

    /// Starts a search in the background and returns at once: see :meth:`Engine.analysis`. Without a limit the engine
    /// searches until it is stopped, and other searches raise :class:`EngineError`.
    ///
    /// :raises EngineError: the engine no longer runs; the methods of the analysis raise its later errors.
    /// :raises ValueError: as for :meth:`Engine.analysis`, including :class:`IllegalMove`; or the game is written in
    ///     Python.
    #[pyo3(signature = (position, limit = None, *, multipv = None, root_moves = None, **limits))]
    fn analysis(
        &self,
        position: &Value<'_>,
        limit: Option<Value<'_>>,
        multipv: Option<Value<'_>>,
        root_moves: Option<Value<'_>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Analysis> {
        let query = Query::new("UciEngine.analysis", position, limit, limits, root_moves)?;
        Analyser::analysis(self, query, multipv)
    }

    /// Sets options of the engine, as at its start.
    ///
    /// :raises BadOption: the engine does not have an option, or it does not take the value; the options before it are
    ///     set.
    /// :raises EngineError: the engine has failed.
    fn configure(&self, py: Python<'_>, options: &Value<'_>) -> PyResult<()> {
        let (settings, pipe) = (settings(options)?, self.pipe.clone());
        Ok(interruptible(py, &StopFlag::new(), move || pipe.configure(&settings))??)
    }

    /// Announces a new game (``ucinewgame``): the engine forgets what it knows of earlier searches, its table included.
    ///
    /// :raises EngineError: the engine has failed.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let pipe = self.pipe.clone();
        Ok(interruptible(py, &StopFlag::new(), move || pipe.clear())??)
    }

    /// Stops all current searches, from any thread. Each returns its result so far.
    fn stop(&self) {
        self.running.stop();
        self.pipe.stop();
    }

    /// Sends ``quit``, waits up to 5 seconds, then kills the engine with its child processes. A current search fails.
    /// Closing a closed engine has no effect.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.pipe.close());
    }

    /// The program and its arguments.
    #[getter]
    fn command(&self) -> Vec<String> {
        let words = std::iter::once(self.spec.program.to_string_lossy().into_owned());
        words.chain(self.spec.arguments.iter().cloned()).collect()
    }

    /// Whether the engine was closed or has failed.
    #[getter]
    fn closed(&self) -> bool {
        !self.pipe.is_open()
    }

    /// The options that the engine declares: for each its ``type`` ("check", "spin", "combo", "string", "filename" or
    /// "button") and, where they exist, ``default``, ``min``, ``max`` and ``choices``.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for option in &self.declared {
            all.set_item(&option.name, from_json(py, &option.kind)?)?;
        }
        Ok(all)
    }

    /// Raises the error for an attribute that does not exist; for one of python-chess it names what there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        missing(slf, name)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        let state = if self.pipe.is_open() { "" } else { ", closed" };
        format!("<UciEngine {}, process {}{state}>", Quoted::new(&self.name), self.pid)
    }
}
