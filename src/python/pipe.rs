//! An engine at the end of a pipe, for one talk at a time.

use super::interruptible::{POLL, interrupted};
use super::lock::lock;
use super::talk::{Asked, Seat, Trouble};
use crate::client::{Client, Spec, Surroundings, Watchdog};
use crate::core::error::Quoted;
use crate::core::{Progress, Report, Request, StopFlag};
use crate::search::Table;
use pyo3::PyErr;
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// The warden of all engines of this process.
static WARDEN: Mutex<Option<(u32, Arc<Watchdog>)>> = Mutex::new(None);

/// The engines that run.
static PIPES: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// An engine that runs, and whoever talks to it. Dropped, it is killed.
pub struct Pipe(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    free: Condvar,
    abort: StopFlag,
    /// How people know it.
    command: String,
    timeout: Duration,
    /// A process that was forked has the pipes of its parent, and must not talk through them.
    process: u32,
}

struct State {
    /// None while somebody talks to it, and after its end.
    seat: Option<Seat>,
    talk: Option<Talk>,
    /// Why it serves no longer.
    ended: Option<String>,
}

/// A talk under way.
#[derive(Clone)]
struct Talk {
    stop: StopFlag,
    /// Whether it ends only when it is stopped.
    endless: bool,
}

impl Clone for Pipe {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl Pipe {
    /// Starts an engine. What it says of itself is told before anybody can talk to it.
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn start<T>(spec: &Spec, told: impl FnOnce(&Client) -> T, abort: &StopFlag) -> Result<(Self, T), Trouble> {
        let words = std::iter::once(spec.program.to_string_lossy()).chain(spec.arguments.iter().map(Into::into));
        let command = Quoted::new(&words.collect::<Vec<_>>().join(" ")).to_string();
        let surroundings = Surroundings { watchdog: warden(), abort: abort.clone(), transcript: None };
        let client = Client::start(spec.clone(), surroundings).map_err(|fault| match Trouble::from(fault) {
            Trouble::Engine(text) => Trouble::Engine(format!("engine {command}: {text}")),
            other => other,
        })?;
        let told = told(&client);
        let seat = Some(Seat::new(client));
        let shared = Arc::new(Shared {
            state: Mutex::new(State { seat, talk: None, ended: None }),
            free: Condvar::new(),
            abort: abort.clone(),
            command,
            timeout: spec.response,
            process: process::id(),
        });
        let mut pipes = lock(&PIPES);
        pipes.retain(|pipe| pipe.strong_count() > 0);
        pipes.push(Arc::downgrade(&shared));
        Ok((Self(shared), told))
    }

    /// Searches. Where the caller is the main thread of Python (`watch`), signal handlers get their turn.
    ///
    /// # Errors
    /// [`Trouble`]. After a failure of the engine it serves no longer; interrupted, it does.
    pub fn search(
        &self,
        asked: &Asked,
        stop: &StopFlag,
        raised: &mut Option<PyErr>,
        watch: bool,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<Report>, Trouble> {
        if asked.board.codes().is_empty() {
            // Engines are not asked for moves where there are none, and many would not survive it.
            let table = Table::new(1).map_err(|error| Trouble::Engine(error.to_string()))?;
            let request = Request::depth(1);
            return Ok(asked.board.engine(Arc::new(table)).search(&request, stop, tell));
        }
        let mut interrupt = || {
            if watch && raised.is_none() {
                *raised = interrupted();
            }
            raised.is_some()
        };
        let talk = Talk { stop: stop.clone(), endless: !asked.limits.is_finite() };
        self.talk(talk, &mut interrupt, |seat, interrupt| seat.search(asked, stop, self.0.timeout, interrupt, tell))
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
        let talk = Talk { stop: StopFlag::new(), endless: false };
        self.talk(talk, &mut interrupt, |seat, interrupt| seat.configure(options, self.0.timeout, interrupt))
    }

    /// Ends the searches under way; what they have found they return.
    pub fn stop(&self) {
        if let Some(talk) = &self.0.state().talk {
            talk.stop.raise();
        }
    }

    /// Asks it to leave, and sees to it. Who talks to it is interrupted.
    pub fn close(&self) {
        let shared = &self.0;
        if shared.process != process::id() {
            return;
        }
        let mut state = shared.state();
        state.ended.get_or_insert_with(|| "it was closed".into());
        if let Some(seat) = state.seat.take() {
            drop(state);
            seat.client.quit();
            return;
        }
        shared.abort.raise();
        while state.talk.is_some() {
            state = shared.free.wait_timeout(state, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether it serves.
    pub fn is_open(&self) -> bool {
        self.0.state().ended.is_none()
    }

    /// Talks to the engine alone.
    fn talk<T>(
        &self,
        talk: Talk,
        interrupt: &mut dyn FnMut() -> bool,
        say: impl FnOnce(&mut Seat, &mut dyn FnMut() -> bool) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let (mut seat, shared) = (self.take(talk, interrupt)?, &self.0);
        let found = say(&mut seat, interrupt);
        let said = seat.client.last_said();
        let said = if said.is_empty() { String::new() } else { format!("; it said last: {}", Quoted::new(said)) };
        let mut state = shared.state();
        let result = found.map_err(|trouble| match trouble {
            Trouble::Engine(why) => {
                let why = state.ended.get_or_insert(format!("{why}{said}"));
                Trouble::Engine(format!("engine {}: {why}", shared.command))
            }
            other => other,
        });
        state.talk = None;
        if state.ended.is_none() {
            state.seat = Some(seat);
        } else {
            drop(state);
            // Killed, and reaped, before anybody hears of it.
            drop(seat);
        }
        shared.free.notify_all();
        result
    }

    fn take(&self, talk: Talk, interrupt: &mut dyn FnMut() -> bool) -> Result<Seat, Trouble> {
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
            if let Some(seat) = state.seat.take() {
                state.talk = Some(talk);
                return Ok(seat);
            }
            if state.talk.as_ref().is_some_and(|talk| talk.endless && !talk.stop.is_raised()) {
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
        lock(&self.state)
    }
}

/// Ends all engines: Python leaves.
pub fn end() {
    let pipes: Vec<_> = lock(&PIPES).drain(..).filter_map(|pipe| pipe.upgrade()).collect();
    for shared in pipes.into_iter().filter(|shared| shared.process == process::id()) {
        shared.abort.raise();
        let mut state = shared.state();
        state.ended.get_or_insert_with(|| "Python has left".into());
        let seat = state.seat.take();
        drop(state);
        drop(seat);
    }
    // The warden's input ends with us.
    *lock(&WARDEN) = None;
}

/// The warden of this process; without one engines that hang may survive our being killed.
pub fn warden() -> Option<Arc<Watchdog>> {
    let mut warden = lock(&WARDEN);
    match &*warden {
        Some((process, warden)) if *process == process::id() => Some(Arc::clone(warden)),
        _ => {
            let begun = Watchdog::start().inspect_err(|error| log::warn!("engines are not watched: {error}"));
            let begun = Arc::new(begun.ok()?);
            *warden = Some((process::id(), Arc::clone(&begun)));
            Some(begun)
        }
    }
}
