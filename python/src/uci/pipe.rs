//! An engine process that serves one request at a time.

use super::session::{RequestError, SearchRequest, UciSession};
use crate::threads::lock::lock;
use crate::threads::nesting::Nesting;
use crate::threads::work::POLL;
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
#[derive(Clone)]
pub struct Pipe(Arc<Shared>);

struct Shared {
    state: Mutex<PipeState>,
    free: Condvar,
    abort: StopFlag,
    /// The command in messages.
    command: String,
    timeout: Duration,
    /// The process that started it. A forked process must not use the pipes of its parent.
    process: u32,
}

struct PipeState {
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

impl Pipe {
    /// Starts an engine. Calls `described` before any other call can use the engine.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn start<T>(
        spec: &Spec,
        described: impl FnOnce(&Client) -> T,
        abort: &StopFlag,
    ) -> Result<(Self, T), RequestError> {
        let words = std::iter::once(spec.program.to_string_lossy()).chain(spec.arguments.iter().map(Into::into));
        let command = Quoted::new(&words.collect::<Vec<_>>().join(" ")).to_string();
        let surroundings = Surroundings { watchdog: watchdog(), abort: abort.clone(), transcript: None };
        let client = Client::start(spec.clone(), surroundings).map_err(|fault| match RequestError::from(fault) {
            RequestError::Engine(text) => RequestError::Engine(format!("engine {command}: {text}")),
            other => other,
        })?;
        let described = described(&client);
        let session = Some(UciSession::new(client, spec.options.clone()));
        let shared = Arc::new(Shared {
            state: Mutex::new(PipeState { session, exchange: None, ended: None }),
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

    /// Searches until the flag is raised or an exception ends the work of this thread.
    ///
    /// # Errors
    /// [`RequestError`]. After a failure the engine no longer serves; after an interruption it does.
    pub fn search(
        &self,
        request: &SearchRequest,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<Report>, RequestError> {
        if request.board.codes().is_empty() {
            // Many engines would not survive a search without legal moves, so the built-in search evaluates the
            // position.
            let table = Table::new(1).map_err(|error| RequestError::Engine(error.to_string()))?;
            return Ok(request.board.engine(Arc::new(table)).search(&Request::depth(1), stop, progress));
        }
        let exchange = Exchange { stop: stop.clone(), endless: !request.limits.is_finite() };
        self.exchange(exchange, |session| session.search(request, stop, self.0.timeout, progress))
    }

    /// Sets options.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn configure(&self, options: &[(String, String)]) -> Result<(), RequestError> {
        let exchange = Exchange { stop: StopFlag::new(), endless: false };
        self.exchange(exchange, |session| session.configure(options, self.0.timeout))
    }

    /// Announces a new game.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn clear(&self) -> Result<(), RequestError> {
        let exchange = Exchange { stop: StopFlag::new(), endless: false };
        self.exchange(exchange, |session| session.clear(self.0.timeout))
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

    /// Refuses requests to an engine that does not serve.
    ///
    /// # Errors
    /// [`RequestError`], with the reason.
    pub fn check(&self) -> Result<(), RequestError> {
        self.0.check(&self.0.state())
    }

    /// Uses the engine exclusively.
    fn exchange<T>(
        &self,
        exchange: Exchange,
        say: impl FnOnce(&mut UciSession) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        let (mut session, shared) = (self.take(exchange)?, &self.0);
        let found = say(&mut session);
        let line = session.client.last_line();
        let last = if line.is_empty() { String::new() } else { format!("; its last line was {}", Quoted::new(line)) };
        let mut state = shared.state();
        let result = found.map_err(|error| match error {
            RequestError::Engine(why) => shared.error(state.ended.get_or_insert(format!("{why}{last}"))),
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

    /// Waits until no other thread uses the engine.
    fn take(&self, exchange: Exchange) -> Result<UciSession, RequestError> {
        let shared = &self.0;
        if shared.process != process::id() {
            return Err(shared.error("it belongs to the process that this one is a copy of"));
        }
        let mut state = shared.state();
        loop {
            shared.check(&state)?;
            if let Some(session) = state.session.take() {
                state.exchange = Some(exchange);
                return Ok(session);
            }
            if state.exchange.as_ref().is_some_and(|exchange| exchange.endless && !exchange.stop.is_raised()) {
                return Err(shared.error("it is busy with an analysis without limit, which has to be stopped first"));
            }
            state = shared.free.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
            if Nesting::is_abandoned() {
                return Err(RequestError::Interrupted);
            }
        }
    }
}

impl Shared {
    fn error(&self, why: &str) -> RequestError {
        RequestError::Engine(format!("engine {}: {why}", self.command))
    }

    fn check(&self, state: &PipeState) -> Result<(), RequestError> {
        let ended = |why| Err(self.error(&format!("it does not run any more: {why}")));
        state.ended.as_ref().map_or(Ok(()), ended)
    }

    fn state(&self) -> MutexGuard<'_, PipeState> {
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
