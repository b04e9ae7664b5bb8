//! An engine process that serves one request at a time.

use super::interruptible::{POLL, interrupted};
use super::lock::lock;
use super::uci_session::{SearchRequest, Trouble, UciSession};
use pyo3::PyErr;
use secateurs::core::error::Quoted;
use secateurs::core::{Progress, Report, Request, StopFlag};
use secateurs::search::Table;
use secateurs_tools::client::{Client, Spec, Surroundings, Watchdog};
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// The watchdog of all engines of this process.
static WATCHDOG: Mutex<Option<(u32, Arc<Watchdog>)>> = Mutex::new(None);

/// The running engines.
static PIPES: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// A running engine, shared by the threads that use it. The last drop kills it.
pub struct Pipe(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    free: Condvar,
    abort: StopFlag,
    /// The command in messages.
    command: String,
    timeout: Duration,
    /// The process that started it. A forked process must not use the pipes of its parent.
    process: u32,
}

struct State {
    /// `None` while a thread uses it and after its end.
    session: Option<UciSession>,
    exchange: Option<Exchange>,
    /// The reason why it no longer serves.
    ended: Option<String>,
}

/// A request in progress.
#[derive(Clone)]
struct Exchange {
    stop: StopFlag,
    /// Whether only a stop ends it.
    endless: bool,
}

impl Clone for Pipe {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl Pipe {
    /// Starts an engine. Calls `described` before any other call can use the engine.
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn start<T>(spec: &Spec, described: impl FnOnce(&Client) -> T, abort: &StopFlag) -> Result<(Self, T), Trouble> {
        let words = std::iter::once(spec.program.to_string_lossy()).chain(spec.arguments.iter().map(Into::into));
        let command = Quoted::new(&words.collect::<Vec<_>>().join(" ")).to_string();
        let surroundings = Surroundings { watchdog: watchdog(), abort: abort.clone(), transcript: None };
        let client = Client::start(spec.clone(), surroundings).map_err(|fault| match Trouble::from(fault) {
            Trouble::Engine(text) => Trouble::Engine(format!("engine {command}: {text}")),
            other => other,
        })?;
        let described = described(&client);
        let session = Some(UciSession::new(client));
        let shared = Arc::new(Shared {
            state: Mutex::new(State { session, exchange: None, ended: None }),
            free: Condvar::new(),
            abort: abort.clone(),
            command,
            timeout: spec.response,
            process: process::id(),
        });
        let mut pipes = lock(&PIPES);
        pipes.retain(|pipe| pipe.strong_count() > 0);
        pipes.push(Arc::downgrade(&shared));
        Ok((Self(shared), described))
    }

    /// Searches. `watch`: run signal handlers while the caller waits.
    ///
    /// # Errors
    /// [`Trouble`]. After a failure the engine no longer serves; after an interruption it does.
    pub fn search(
        &self,
        request: &SearchRequest,
        stop: &StopFlag,
        raised: &mut Option<PyErr>,
        watch: bool,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<Report>, Trouble> {
        if request.board.codes().is_empty() {
            // Many engines would not survive a search without legal moves, so the built-in search evaluates the
            // position.
            let table = Table::new(1).map_err(|error| Trouble::Engine(error.to_string()))?;
            return Ok(request.board.engine(Arc::new(table)).search(&Request::depth(1), stop, progress));
        }
        let mut interrupt = || {
            if watch && raised.is_none() {
                *raised = interrupted();
            }
            raised.is_some()
        };
        let exchange = Exchange { stop: stop.clone(), endless: !request.limits.is_finite() };
        self.exchange(exchange, &mut interrupt, |session, interrupt| {
            session.search(request, stop, self.0.timeout, interrupt, progress)
        })
    }

    /// Sets options.
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn configure(&self, options: &[(String, String)], raised: &mut Option<PyErr>) -> Result<(), Trouble> {
        let mut interrupt = || {
            *raised = interrupted();
            raised.is_some()
        };
        let exchange = Exchange { stop: StopFlag::new(), endless: false };
        self.exchange(exchange, &mut interrupt, |session, interrupt| {
            session.configure(options, self.0.timeout, interrupt)
        })
    }

    /// Stops the current search, which returns its result so far.
    pub fn stop(&self) {
        if let Some(exchange) = &self.0.state().exchange {
            exchange.stop.raise();
        }
    }

    /// Ends the engine; a current search is interrupted.
    pub fn close(&self) {
        let shared = &self.0;
        if shared.process != process::id() {
            return;
        }
        let mut state = shared.state();
        state.ended.get_or_insert_with(|| "it was closed".into());
        if let Some(session) = state.session.take() {
            drop(state);
            session.client.quit();
            return;
        }
        shared.abort.raise();
        while state.exchange.is_some() {
            state = shared.free.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns whether the engine serves.
    pub fn is_open(&self) -> bool {
        self.0.state().ended.is_none()
    }

    /// Uses the engine exclusively.
    fn exchange<T>(
        &self,
        exchange: Exchange,
        interrupt: &mut dyn FnMut() -> bool,
        say: impl FnOnce(&mut UciSession, &mut dyn FnMut() -> bool) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let (mut session, shared) = (self.take(exchange, interrupt)?, &self.0);
        let found = say(&mut session, interrupt);
        let said = session.client.last_said();
        let said = if said.is_empty() { String::new() } else { format!("; its last line was {}", Quoted::new(said)) };
        let mut state = shared.state();
        let result = found.map_err(|trouble| match trouble {
            Trouble::Engine(why) => {
                let why = state.ended.get_or_insert(format!("{why}{said}"));
                Trouble::Engine(format!("engine {}: {why}", shared.command))
            }
            other => other,
        });
        state.exchange = None;
        if state.ended.is_none() {
            state.session = Some(session);
        } else {
            drop(state);
            // The process is killed and reaped before the error is returned.
            drop(session);
        }
        shared.free.notify_all();
        result
    }

    fn take(&self, exchange: Exchange, interrupt: &mut dyn FnMut() -> bool) -> Result<UciSession, Trouble> {
        let shared = &self.0;
        let wrong = |why: &str| Trouble::Engine(format!("engine {}: {why}", shared.command));
        if shared.process != process::id() {
            return Err(wrong("it belongs to the process that this one is a copy of"));
        }
        let mut state = shared.state();
        loop {
            if let Some(why) = &state.ended {
                return Err(wrong(&format!("it does not run any more: {why}")));
            }
            if let Some(session) = state.session.take() {
                state.exchange = Some(exchange);
                return Ok(session);
            }
            if state.exchange.as_ref().is_some_and(|exchange| exchange.endless && !exchange.stop.is_raised()) {
                return Err(wrong("it is busy with an analysis without limit, which has to be stopped first"));
            }
            state = shared.free.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
            drop(state);
            if interrupt() {
                return Err(Trouble::Interrupted);
            }
            state = shared.state();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends all engines when Python shuts down.
pub fn end() {
    let pipes: Vec<_> = lock(&PIPES).drain(..).filter_map(|pipe| pipe.upgrade()).collect();
    for shared in pipes.into_iter().filter(|shared| shared.process == process::id()) {
        shared.abort.raise();
        let mut state = shared.state();
        state.ended.get_or_insert_with(|| "Python has left".into());
        let session = state.session.take();
        drop(state);
        drop(session);
    }
    // The watchdog ends when its input closes with this process.
    *lock(&WATCHDOG) = None;
}

/// Returns the watchdog of this process; without one, engines that hang may survive when this process is killed.
pub fn watchdog() -> Option<Arc<Watchdog>> {
    let mut watchdog = lock(&WATCHDOG);
    match &*watchdog {
        Some((process, watchdog)) if *process == process::id() => Some(Arc::clone(watchdog)),
        _ => {
            let begun = Watchdog::start().inspect_err(|error| log::warn!("engines are not watched: {error}"));
            let begun = Arc::new(begun.ok()?);
            *watchdog = Some((process::id(), Arc::clone(&begun)));
            Some(begun)
        }
    }
}
