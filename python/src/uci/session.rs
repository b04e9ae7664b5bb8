//! A UCI session with an engine process: requests and their outcomes.

use super::report;
use crate::error::{BadOption, EngineError};
use crate::threads::nesting::Nesting;
use crate::threads::work::POLL;
use pyo3::PyErr;
use secateurs::core::error::Quoted;
use secateurs::core::{Limits, OptionKind, Progress, Report, StopFlag};
use secateurs::engine::Board;
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs::registry::Setup;
use secateurs_tools::client::option::Kind;
use secateurs_tools::client::{Client, Fault, GameSpec};
use std::collections::BTreeSet;
use std::slice;
use std::time::{Duration, Instant};

/// The reason for a missing answer.
#[derive(Clone, Debug)]
pub enum RequestError {
    /// The engine has failed; the reason.
    Engine(String),
    /// The engine does not have an option or a game, or the option does not take the value.
    Option(String),
    /// An exception has ended the work that waits for the answer.
    Interrupted,
}

impl From<RequestError> for PyErr {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Engine(text) => EngineError::new_err(text),
            RequestError::Option(text) => BadOption::new_err(text),
            RequestError::Interrupted => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
        }
    }
}

impl From<Fault> for RequestError {
    fn from(fault: Fault) -> Self {
        let text = fault.to_string();
        match fault {
            Fault::UnknownOption { .. } | Fault::BadValue { .. } | Fault::NotHub(_) | Fault::OtherGame { .. } => {
                Self::Option(text)
            }
            _ => Self::Engine(text),
        }
    }
}

/// A search request to an engine.
pub struct SearchRequest {
    /// The position.
    pub board: Box<dyn Board>,
    /// The limits; without one the search continues until it is stopped.
    pub limits: Limits,
    /// The moves to search; empty: all.
    pub moves: Vec<String>,
    /// The number of lines.
    pub lines: usize,
}

/// An engine and the settings that persist between searches.
pub struct UciSession {
    /// The engine.
    pub client: Client,
    /// The game that is set.
    game: Option<GameSpec>,
    /// The options that the user has set.
    own: Vec<(String, String)>,
    /// The weights and files that positions have set.
    lent: BTreeSet<&'static str>,
    /// The number of lines that is set; 0 if unknown.
    lines: usize,
}

/// The time within which a search should end that an exception stops; its result is then kept.
const PATIENCE: Duration = Duration::from_millis(100);

/// The option for the number of lines.
const MULTIPV: &str = "MultiPV";

impl UciSession {
    /// Creates the session of a new engine, which has these options.
    pub fn new(client: Client, own: Vec<(String, String)>) -> Self {
        Self { client, game: None, own, lent: BTreeSet::new(), lines: 1 }
    }

    /// Searches until a limit is reached or the search is stopped.
    ///
    /// # Errors
    /// [`RequestError`]. The next request waits for the end of a search that was interrupted.
    pub fn search(
        &mut self,
        request: &SearchRequest,
        stop: &StopFlag,
        timeout: Duration,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Vec<Report>, RequestError> {
        let SearchRequest { board, limits, moves, lines } = request;
        for (word, is_given) in [("root_moves", !moves.is_empty()), ("mate", limits.mate.is_some())] {
            if is_given && self.client.spec().dialect == Dialect::Hub {
                return Err(RequestError::Option(format!("the Hub protocol has no {word}")));
            }
        }
        self.settle(timeout)?;
        self.play(board.as_ref())?;
        let lines = (*lines).min(if moves.is_empty() { board.codes().len() } else { moves.len() });
        if lines != self.lines {
            self.client.set_option(MULTIPV, &lines.to_string())?;
            self.lines = lines;
        }
        let setup = Setup::from_board(board.as_ref());
        let start = setup.map_or_else(|_| board.start(), |setup| setup.short_text(board.start()));
        self.client.position(&start, &board.history().join(" "))?;
        self.client.go(&Go {
            depth: limits.depth.map(Into::into),
            nodes: limits.nodes,
            mate: limits.mate.map(Into::into),
            movetime: limits.movetime,
            // The other clock is unknown: send the same time.
            time: [limits.clock.map(|clock| clock.remaining); 2],
            increment: [limits.clock.map_or(Duration::ZERO, |clock| clock.increment); 2],
            moves_to_go: limits.clock.and_then(|clock| clock.moves_to_go),
            // As other programs read them.
            moves: moves.iter().flat_map(|mv| report::legal(board.as_ref(), slice::from_ref(mv))).collect(),
            infinite: !limits.is_finite(),
            ..Go::default()
        })?;
        let begun = Instant::now();
        let (mut last_line, mut stopped) = (begun, None);
        loop {
            let answer = self.client.answer(Some(Instant::now() + POLL), &mut |info| {
                last_line = Instant::now();
                if let Some(report) = report::report(info, board.as_ref(), begun.elapsed()) {
                    progress(Progress::Line(&report));
                }
            })?;
            if let Some(answer) = answer {
                return report::lines(&answer, board.as_ref(), moves, lines).map_err(RequestError::Engine);
            }
            if stopped.is_none() && stop.is_raised() {
                self.client.stop()?;
                stopped = Some(Instant::now());
            }
            if Nesting::is_abandoned() && stopped.is_some_and(|stopped| stopped.elapsed() > PATIENCE) {
                // The search has not ended at once: the next one waits for its end.
                return Err(RequestError::Interrupted);
            }
            // The start of the time-out. A search without a limit may be silent.
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
    /// [`RequestError`].
    pub fn configure(&mut self, options: &[(String, String)], timeout: Duration) -> Result<(), RequestError> {
        self.settle(timeout)?;
        for (name, value) in options {
            self.client.set_option(name, value)?;
            self.own.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
            self.own.push((name.clone(), value.clone()));
            if name.eq_ignore_ascii_case(MULTIPV) {
                self.lines = 0;
            }
        }
        self.client.ready()?;
        Ok(())
    }

    /// Announces a new game.
    ///
    /// # Errors
    /// [`RequestError`].
    pub fn clear(&mut self, timeout: Duration) -> Result<(), RequestError> {
        self.settle(timeout)?;
        Ok(self.client.new_game()?)
    }

    /// Waits for the end of an interrupted search.
    fn settle(&mut self, timeout: Duration) -> Result<(), RequestError> {
        let begun = Instant::now();
        while self.client.is_searching() {
            if self.client.answer(Some(Instant::now() + POLL), &mut |_| {})?.is_some() {
                break;
            }
            if Nesting::is_abandoned() {
                return Err(RequestError::Interrupted);
            }
            if begun.elapsed() > timeout {
                return Err(self.client.timed_out().into());
            }
        }
        Ok(())
    }

    /// Sets the game if it has changed. Options that the engine does not declare are skipped: an engine for one game
    /// may lack them. Weights and files are those of the engine or of the user, unless the position has others.
    fn play(&mut self, board: &dyn Board) -> Result<(), RequestError> {
        let setup = Setup::from_board(board).map_err(|error| RequestError::Engine(error.to_string()))?;
        let game = GameSpec::new(&setup);
        if self.game.as_ref() == Some(&game) {
            return Ok(());
        }
        self.client.select(&game.variant)?;
        for (row, value) in setup.options().iter() {
            let changed = game.options.iter().any(|(option, _)| *option == row.name);
            let Some(declared) = self.client.declared(row.name) else {
                if changed {
                    log::warn!("{}: has no option {}", self.client.name(), Quoted::new(row.name));
                }
                continue;
            };
            let own =
                self.own.iter().find(|(name, _)| name.eq_ignore_ascii_case(row.name)).map(|(_, own)| own.as_str());
            let default = match &declared.kind {
                Kind::Text { default } | Kind::File { default } => default,
                _ => "",
            };
            let there = own.unwrap_or(default);
            let is_lent = match row.kind {
                OptionKind::File | OptionKind::Folder => true,
                // Of the texts, some are rules, such as the heaps of Nim.
                OptionKind::Text { .. } => setup.other_game(row.name, there).is_none(),
                _ => false,
            };
            // Everything else is sent: this resets what only the last position changed.
            let value = if is_lent && !changed {
                if !self.lent.remove(row.name) {
                    continue;
                }
                there.to_owned()
            } else {
                value.to_string()
            };
            self.client.set_option(row.name, &value)?;
            if is_lent && changed {
                self.lent.insert(row.name);
            }
        }
        self.client.new_game()?;
        self.game = Some(game);
        Ok(())
    }
}
