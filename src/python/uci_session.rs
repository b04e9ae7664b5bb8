//! A UCI session with an engine process: requests and their outcomes.

use super::error::{BadOption, EngineError};
use super::interruptible::POLL;
use super::uci_report;
use crate::client::{Client, Fault, GameSpec};
use crate::core::error::Quoted;
use crate::core::{Limits, Progress, Report, StopFlag};
use crate::engine::Board;
use crate::protocol::go::Go;
use crate::protocol::options::VARIANT;
use crate::registry::{STARTPOS, Setup};
use pyo3::PyErr;
use std::time::{Duration, Instant};

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

/// A search for an engine.
pub struct SearchRequest {
    /// The position.
    pub board: Box<dyn Board>,
    /// When it must end; without a limit it goes on until it is stopped.
    pub limits: Limits,
    /// Only these moves; empty: all.
    pub moves: Vec<String>,
    /// How many lines.
    pub lines: usize,
}

/// An engine, and the settings that hold for the next search too.
pub struct UciSession {
    /// The engine.
    pub client: Client,
    /// The game that it is set to.
    game: Option<GameSpec>,
    /// The number of lines; 0 if unknown.
    lines: usize,
}

/// The option for the number of lines.
const MULTIPV: &str = "MultiPV";

impl UciSession {
    /// Of an engine that was just started.
    pub fn new(client: Client) -> Self {
        Self { client, game: None, lines: 1 }
    }

    /// Searches until a limit is reached, or it is stopped.
    ///
    /// # Errors
    /// [`Trouble`]; interrupted, the search is left to itself.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        stop: &StopFlag,
        timeout: Duration,
        interrupt: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<Report>, Trouble> {
        let SearchRequest { board, limits, moves, lines } = request;
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
            // The other clock is not known: as if it showed the same.
            time: [limits.clock.map(|clock| clock.remaining); 2],
            increment: [limits.clock.map_or(Duration::ZERO, |clock| clock.increment); 2],
            moves_to_go: limits.clock.and_then(|clock| clock.moves_to_go),
            moves: moves.clone(),
            infinite: !limits.is_finite(),
            ..Go::default()
        })?;
        let begun = Instant::now();
        let (mut last_line, mut stopped) = (begun, None);
        loop {
            let answer = self.client.answer(Some(Instant::now() + POLL), &mut |info| {
                last_line = Instant::now();
                if let Some(report) = uci_report::report(info, board.as_ref(), begun.elapsed()) {
                    tell(Progress::Line(&report));
                }
            })?;
            if let Some(answer) = answer {
                return uci_report::lines(&answer, board.as_ref(), moves, lines);
            }
            if interrupt() {
                // It may go on for a while: the next search waits for that.
                self.client.stop()?;
                return Err(Trouble::Interrupted);
            }
            if stopped.is_none() && stop.is_raised() {
                self.client.stop()?;
                stopped = Some(Instant::now());
            }
            // From when on it is waited for; what has no limit is silent as long as it likes.
            let due = match (stopped, limits.movetime.or(limits.clock.map(|clock| clock.remaining))) {
                (Some(stopped), _) => Some(stopped),
                (None, Some(time)) => Some(begun + time),
                (None, None) => limits.is_finite().then_some(last_line),
            };
            if due.is_some_and(|due| Instant::now().saturating_duration_since(due) > timeout) {
                return Err(self.client.timed_out().into());
            }
        }
    }

    /// Sets options.
    ///
    /// # Errors
    /// [`Trouble`].
    pub fn configure(
        &mut self,
        options: &[(String, String)],
        timeout: Duration,
        interrupt: &mut dyn FnMut() -> bool,
    ) -> Result<(), Trouble> {
        self.settle(timeout, interrupt)?;
        for (name, value) in options {
            self.client.set_option(name, value)?;
            if name.eq_ignore_ascii_case(MULTIPV) {
                self.lines = 0;
            }
        }
        self.client.ready()?;
        Ok(())
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
                return Err(self.client.timed_out().into());
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
        let variant = (VARIANT.to_owned(), game.variant.clone());
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
