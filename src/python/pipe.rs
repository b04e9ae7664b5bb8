//! An engine at the end of a pipe, for one talk at a time.

use super::error::{BadOption, EngineError};
use super::heard;
use super::interruptible::{POLL, interrupted};
use crate::client::{Client, Fault, GameSpec, Lost, Spec, Surroundings, Warden};
use crate::core::error::Quoted;
use crate::core::{Limits, Progress, Report, StopFlag};
use crate::engine::Board;
use crate::protocol::go::Go;
use crate::registry::{STARTPOS, Setup};
use crate::search::Table;
use pyo3::PyErr;
use std::process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The warden of all engines of this process.
static WARDEN: Mutex<Option<(u32, Arc<Warden>)>> = Mutex::new(None);

/// The engines that run.
static PIPES: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The engine has failed: how.
    Engine(String),
    /// An option that it does not have, or that does not take the value.
    Option(String),
    /// A signal handler has raised something.
    Interrupted,
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Engine(text) => EngineError::new_err(text),
            Trouble::Option(text) => BadOption::new_err(text),
            Trouble::Interrupted => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        let text = fault.to_string();
        match fault {
            Fault::UnknownOption { .. } | Fault::BadValue { .. } => Self::Option(text),
            _ => Self::Engine(text),
        }
    }
}

/// What an engine is asked.
pub struct Asked {
    /// The position.
    pub board: Box<dyn Board>,
    /// When it must end; without a limit it goes on until it is stopped.
    pub limits: Limits,
    /// Only these moves; empty: all.
    pub moves: Vec<String>,
    /// How many lines.
    pub lines: usize,
}

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

/// An engine, and what it was told that holds for the next search too.
struct Seat {
    client: Client,
    game: Option<GameSpec>,
    lines: usize,
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
        let surroundings = Surroundings { warden: warden(), abort: abort.clone(), transcript: None };
        let client = Client::start(spec.clone(), surroundings).map_err(|fault| match Trouble::from(fault) {
            Trouble::Engine(text) => Trouble::Engine(format!("engine {command}: {text}")),
            other => other,
        })?;
        let told = told(&client);
        let seat = Some(Seat { client, game: None, lines: 1 });
        let shared = Arc::new(Shared {
            state: Mutex::new(State { seat, talk: None, ended: None }),
            free: Condvar::new(),
            abort: abort.clone(),
            command,
            timeout: spec.patience,
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
            let request = crate::core::Request::depth(1);
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
        self.talk(talk, &mut interrupt, |seat, interrupt| {
            seat.settle(self.0.timeout, interrupt)?;
            for (name, value) in options {
                seat.client.set_option(name, value)?;
                if name.eq_ignore_ascii_case(MULTIPV) {
                    seat.lines = 0;
                }
            }
            seat.client.ready()?;
            Ok(())
        })
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

/// The option for the number of lines.
const MULTIPV: &str = "MultiPV";

impl Seat {
    fn search(
        &mut self,
        asked: &Asked,
        stop: &StopFlag,
        timeout: Duration,
        interrupt: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<Report>, Trouble> {
        let Asked { board, limits, moves, lines } = asked;
        self.settle(timeout, interrupt)?;
        self.play(board.as_ref())?;
        let lines = (*lines).min(if moves.is_empty() { board.codes().len() } else { moves.len() });
        if lines != self.lines {
            self.client.set_option(MULTIPV, &lines.to_string())?;
            self.lines = lines;
        }
        let setup = Setup::of(board.as_ref()).and_then(|setup| setup.board(STARTPOS));
        let start = board.start();
        let usual = setup.is_ok_and(|usual| usual.text() == start);
        self.client.position(if usual { STARTPOS } else { &start }, &board.history().join(" "))?;
        self.client.go(&Go {
            depth: limits.depth.map(Into::into),
            nodes: limits.nodes,
            mate: limits.mate.map(Into::into),
            movetime: limits.movetime,
            moves: moves.clone(),
            infinite: !limits.is_finite(),
            ..Go::default()
        })?;
        let begun = Instant::now();
        let (mut heard, mut told) = (begun, None);
        loop {
            let answer = self.client.answer(Some(Instant::now() + POLL), &mut |info| {
                heard = Instant::now();
                if let Some(report) = heard::report(info, board.as_ref(), begun.elapsed()) {
                    tell(Progress::Line(&report));
                }
            })?;
            if let Some(answer) = answer {
                return heard::lines(&answer, board.as_ref(), moves, lines);
            }
            if interrupt() {
                // It may go on for a while: the next search waits for that.
                self.client.stop()?;
                return Err(Trouble::Interrupted);
            }
            if told.is_none() && stop.is_raised() {
                self.client.stop()?;
                told = Some(Instant::now());
            }
            // From when on it is waited for; what has no limit is silent as long as it likes.
            let due = match (told, limits.movetime) {
                (Some(told), _) => Some(told),
                (None, Some(time)) => Some(begun + time),
                (None, None) => limits.is_finite().then_some(heard),
            };
            if due.is_some_and(|due| Instant::now().saturating_duration_since(due) > timeout) {
                return Err(Fault::Lost { awaited: "bestmove", lost: Lost::TimedOut }.into());
            }
        }
    }

    /// Waits for the end of a search that was left to itself.
    fn settle(&mut self, timeout: Duration, interrupt: &mut dyn FnMut() -> bool) -> Result<(), Trouble> {
        let begun = Instant::now();
        while self.client.is_searching() {
            if self.client.answer(Some(Instant::now() + POLL), &mut |_| {})?.is_some() {
                break;
            }
            if interrupt() {
                return Err(Trouble::Interrupted);
            }
            if begun.elapsed() > timeout {
                return Err(Fault::Lost { awaited: "bestmove", lost: Lost::TimedOut }.into());
            }
        }
        Ok(())
    }

    /// Tells it which game is played, if that is another than the last time. Options that it does not declare are passed
    /// over: an engine of one game need not have them.
    fn play(&mut self, board: &dyn Board) -> Result<(), Trouble> {
        let setup = Setup::of(board).map_err(|error| Trouble::Engine(error.to_string()))?;
        let game = GameSpec::of(&setup);
        if self.game.as_ref() == Some(&game) {
            return Ok(());
        }
        // What the last position had of its own is as usual again.
        let rows = setup.options().iter().map(|(row, value)| (row.name.to_owned(), value.to_string()));
        let variant = (crate::protocol::options::VARIANT.to_owned(), game.variant.clone());
        for (name, value) in std::iter::once(variant).chain(rows) {
            let changed = game.options.iter().any(|(option, _)| *option == name);
            match self.client.declared(&name) {
                None if changed => log::warn!("{}: has no option {}", self.client.name(), Quoted::new(&name)),
                None => {}
                Some(_) => self.client.set_option(&name, &value)?,
            }
        }
        self.client.new_game()?;
        self.game = Some(game);
        Ok(())
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
pub fn warden() -> Option<Arc<Warden>> {
    let mut warden = lock(&WARDEN);
    match &*warden {
        Some((process, warden)) if *process == process::id() => Some(Arc::clone(warden)),
        _ => {
            let begun = Warden::start().inspect_err(|error| log::warn!("engines are not watched: {error}"));
            let begun = Arc::new(begun.ok()?);
            *warden = Some((process::id(), Arc::clone(&begun)));
            Some(begun)
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
