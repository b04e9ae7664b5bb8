//! The dialogue with an engine: handshake, options, positions, searches, queries.

use super::fault::{Fault, Lost};
use super::group::Exit;
use super::handshake::{self, Identity};
use super::hub;
use super::info::Info;
use super::option::Declared;
use super::output_lines::OutputLine;
use super::process::{Process, within};
use super::search::{Answer, Search};
use super::spec::{GameSpec, Spec, Surroundings};
use super::words;
use secateurs::core::Side;
use secateurs::core::error::Quoted;
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs::protocol::options::VARIANT;
use std::time::{Duration, Instant};

/// A running engine. Dropping it kills the engine and every process that it has started.
///
/// Every failure of the engine is returned as a [`Fault`]. After a fault of the pipe ([`Fault::lost`]) the engine is
/// unusable until [`restart`](Self::restart).
pub struct Client {
    spec: Spec,
    surroundings: Surroundings,
    process: Process,
    identity: Identity,
    search: Option<Search>,
    /// The side to move in the last position, where the dialect needs it.
    turn: Side,
    /// The last line before `bestmove` in the last search, and its time since `go`.
    output: Option<(String, Duration)>,
}

impl Client {
    /// Starts an engine, performs the handshake, sets its options, and waits until it is ready.
    ///
    /// # Errors
    /// Any [`Fault`] except [`Fault::Searching`] and [`Fault::Idle`]; the engine is then killed.
    pub fn start(mut spec: Spec, surroundings: Surroundings) -> Result<Self, Fault> {
        let (process, identity) = handshake::connect(&mut spec, &surroundings)?;
        let mut client = Self { spec, surroundings, process, identity, search: None, turn: Side::First, output: None };
        client.configure()?;
        Ok(client)
    }

    /// Kills the engine and starts it again with the same description.
    ///
    /// # Errors
    /// As [`start`](Self::start); the call can be repeated.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.process.kill();
        self.search = None;
        (self.process, self.identity) = handshake::connect(&mut self.spec, &self.surroundings)?;
        self.configure().inspect_err(|_| self.process.kill())
    }

    /// Returns the description of the engine.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the user's name for the engine, or else the name that the engine reports.
    pub fn name(&self) -> String {
        let Self { spec, identity, .. } = self;
        if spec.name.is_empty() && !identity.name.is_empty() { identity.name.clone() } else { spec.title() }
    }

    /// Returns the author that the engine reports; empty if it reports none.
    pub fn author(&self) -> &str {
        &self.identity.author
    }

    /// Returns the declared options, in the engine's order.
    pub fn options(&self) -> &[Declared] {
        &self.identity.options
    }

    /// Returns the ID of the process, which is also that of its process group.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns how the process ended; `None` while it runs.
    pub fn exit(&mut self) -> Option<Exit> {
        self.process.exit()
    }

    /// Returns the last line received; empty before the first.
    pub fn last_line(&self) -> &str {
        self.process.last()
    }

    /// Returns the last line before `bestmove` in the last search, and its time since `go`; `None` if there was none.
    pub(crate) fn last_output(&self) -> Option<(&str, Duration)> {
        self.output.as_ref().map(|(line, after)| (line.as_str(), *after))
    }

    /// Returns what it has sent of a line without its end.
    pub(crate) fn unfinished(&self) -> String {
        self.process.unfinished()
    }

    /// Returns the word with which the answer to a search begins, in the dialect of the engine.
    pub(crate) fn awaited(&self) -> &'static str {
        words::of_dialect(self.spec.dialect).answer
    }

    /// Returns whether a `go` is unanswered.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Sets an option; the value of a button is empty. The engine does not reply: a failure shows, if at all, at
    /// the next [`ready`](Self::ready).
    ///
    /// # Errors
    /// [`Fault::UnknownOption`], [`Fault::BadValue`], [`Fault::Searching`], [`Fault::NotSent`].
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Some(option) = self.declared(name) else {
            let names: Vec<&str> = self.options().iter().map(|option| option.name.as_str()).collect();
            let declared = (!names.is_empty()).then(|| Quoted::new(&names.join(", ")));
            return Err(Fault::UnknownOption { name: Quoted::new(name), declared });
        };
        let bad = |expected| Fault::BadValue { name: Quoted::new(&option.name), value: Quoted::new(value), expected };
        if self.spec.dialect == Dialect::Hub && value.contains('"') {
            return Err(bad("a text without quotation marks, which the Hub protocol cannot write".into()));
        }
        let written = option.value_for(value).map_err(bad)?;
        let line = words::set_option(self.spec.dialect, option, &written);
        self.send_idle(&line, "setoption")
    }

    /// Returns the declared option of that name, ignoring case.
    pub fn declared(&self, name: &str) -> Option<&Declared> {
        self.identity.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Selects the game of the positions to come. An engine without an option for it plays a single game: chess in UCI,
    /// international draughts in Hub, any game in UGI.
    ///
    /// # Errors
    /// [`Fault::NotHub`] for a game that the Hub protocol does not have, [`Fault::OtherGame`] for one that the engine
    /// does not play, unless [`Spec::lenient`] is set, and the errors of [`set_option`](Self::set_option).
    pub fn select(&mut self, variant: &str) -> Result<(), Fault> {
        let (name, value) = match self.spec.dialect {
            Dialect::Uci | Dialect::Ugi => (VARIANT, variant),
            Dialect::Hub => hub::variant(variant).ok_or_else(|| Fault::NotHub(Quoted::new(variant)))?,
        };
        if self.declared(name).is_some() {
            self.set_option(name, value)?;
        } else if words::of_dialect(self.spec.dialect).default_game.is_some_and(|game| game != variant) {
            let fault = Fault::OtherGame { option: name, game: Quoted::new(variant) };
            if !self.spec.lenient {
                return Err(fault);
            }
            log::warn!("{}: {fault}", self.name());
        }
        variant.clone_into(&mut self.spec.game.get_or_insert_default().variant);
        Ok(())
    }

    /// Waits for `readyok` and returns the time that it took. A search continues.
    ///
    /// # Errors
    /// [`Fault::NotSent`], [`Fault::Lost`].
    pub fn ready(&mut self) -> Result<Duration, Fault> {
        self.ready_within(self.spec.response)
    }

    /// Sends a command and waits for its reply. Returns the time that it took.
    fn exchange(&mut self, (command, reply): (&str, &'static str), longest: Duration) -> Result<Duration, Fault> {
        let since = self.send(command)?;
        let line = self.await_line(reply, since, longest, |text| text == reply)?;
        Ok(line.at.saturating_duration_since(since))
    }

    fn ready_within(&mut self, longest: Duration) -> Result<Duration, Fault> {
        self.exchange(words::of_dialect(self.spec.dialect).ready, longest)
    }

    /// Announces a new game and waits until the engine is ready, at most [`Spec::startup`].
    ///
    /// # Errors
    /// [`Fault::Searching`], [`Fault::NotSent`], [`Fault::Lost`].
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.send_idle(words::of_dialect(self.spec.dialect).new_game, "new game")?;
        self.ready_within(self.spec.startup).map(drop)
    }

    /// Sets up a position, `startpos` or the game's notation, and the moves from there, separated by spaces.
    ///
    /// # Errors
    /// [`Fault::Searching`], [`Fault::NotSent`]; [`Fault::NotHub`] for a position or moves that the Hub protocol does
    /// not have.
    pub fn position(&mut self, text: &str, moves: &str) -> Result<(), Fault> {
        if self.spec.dialect != Dialect::Hub {
            return self.send_idle(&words::position(text, moves), "position");
        }
        let game = self.spec.game.as_ref().map(|game| game.variant.as_str());
        let (line, turn) = hub::position(game, text, moves).ok_or_else(|| Fault::NotHub(Quoted::new(text)))?;
        self.turn = turn;
        self.send_idle(&line, "position")
    }

    /// Starts a search and its clock.
    ///
    /// # Errors
    /// [`Fault::Searching`], [`Fault::NotSent`].
    pub fn go(&mut self, go: &Go) -> Result<(), Fault> {
        if self.search.is_some() {
            return Err(Fault::Searching("go"));
        }
        let dialect = self.spec.dialect;
        let line = if dialect == Dialect::Hub {
            let [level, line] = hub::go(go, self.turn);
            self.send(&level)?;
            line
        } else {
            words::go(go, dialect)
        };
        let since = self.send(&line)?;
        self.search = Some(Search::new(dialect, since));
        self.output = None;
        Ok(())
    }

    /// Waits for `bestmove` until the deadline; `None` if it has not arrived, and the call can be repeated. A caller
    /// that allows a margin compares [`Answer::time`] with its limit. `progress` receives every `info`.
    ///
    /// # Errors
    /// [`Fault::Idle`], [`Fault::Lost`], and [`Fault::BadAnswer`], which ends the search.
    pub fn answer(
        &mut self,
        deadline: Option<Instant>,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Option<Answer>, Fault> {
        let search = self.search.as_mut().ok_or(Fault::Idle(words::of_dialect(self.spec.dialect).answer))?;
        loop {
            if let Some(answer) = search.take() {
                self.search = None;
                return answer.map(Some);
            }
            match self.process.receive(deadline) {
                Ok(line) => {
                    search.receive(&line, progress);
                    if let Some(after) = search.unanswered(line.at) {
                        self.output = Some((line.text, after));
                    }
                }
                Err(Lost::TimedOut { .. }) => return Ok(None),
                Err(lost) => return Err(self.process.lost(words::of_dialect(self.spec.dialect).answer, lost)),
            }
        }
    }

    /// Searches and waits for `bestmove`, at most `longest`.
    ///
    /// # Errors
    /// As [`go`](Self::go) and [`answer`](Self::answer), and [`Lost::TimedOut`] in a [`Fault::Lost`]; the engine is
    /// then still searching.
    pub fn search(&mut self, go: &Go, longest: Duration) -> Result<Answer, Fault> {
        self.go(go)?;
        let answer = self.answer(Some(within(longest)), &mut |_| {})?;
        answer.ok_or_else(|| self.timed_out())
    }

    /// Returns the fault of a search whose `bestmove` has timed out.
    pub fn timed_out(&mut self) -> Fault {
        let lost = self.process.timed_out();
        self.process.lost(words::of_dialect(self.spec.dialect).answer, lost)
    }

    /// Sends `stop` if a search is running.
    ///
    /// # Errors
    /// [`Fault::NotSent`].
    pub fn stop(&mut self) -> Result<(), Fault> {
        if self.search.is_some() {
            self.send("stop")?;
        }
        Ok(())
    }

    /// Sends `ponderhit` and restarts the clock.
    ///
    /// # Errors
    /// [`Fault::Idle`], [`Fault::NotSent`].
    pub fn ponderhit(&mut self) -> Result<(), Fault> {
        if self.search.is_none() {
            return Err(Fault::Idle("ponderhit"));
        }
        let at = self.send(words::of_dialect(self.spec.dialect).ponderhit)?;
        if let Some(search) = &mut self.search {
            search.restart_clock(at);
        }
        Ok(())
    }

    /// Sends a UGI query about the position (`p1turn`, `gameover`, `result`, `islegal M`) and returns the words after
    /// `response`.
    ///
    /// # Errors
    /// [`Fault::NotSent`], [`Fault::Lost`], also if the engine does not know the query.
    pub fn query(&mut self, question: &str) -> Result<String, Fault> {
        let since = self.send(&format!("query {question}"))?;
        let is_response = |text: &str| text.split_whitespace().next() == Some("response");
        let line = self.await_line("response", since, self.spec.response, is_response)?;
        Ok(line.text.trim_start().trim_start_matches("response").trim().to_owned())
    }

    /// Sends a query whose reply is `true` or `false`.
    ///
    /// # Errors
    /// As [`query`](Self::query), and [`Fault::BadAnswer`].
    pub fn query_truth(&mut self, question: &str) -> Result<bool, Fault> {
        let answer = self.query(question)?;
        let bad = || Fault::BadAnswer { line: Quoted::new(&format!("response {answer}")), reason: "true or false" };
        answer.parse().map_err(|_| bad())
    }

    /// Sends `quit` and waits for the end. Returns how the process ended; `None` if it was killed after
    /// [`Spec::grace`].
    pub fn quit(mut self) -> Option<Exit> {
        let grace = self.spec.grace;
        self.process.quit(grace)
    }

    fn configure(&mut self) -> Result<(), Fault> {
        if let Some(GameSpec { variant, options }) = self.spec.game.clone() {
            self.select(&variant)?;
            self.set_options(options, true)?;
        }
        self.set_options(self.spec.options.clone(), self.spec.lenient)?;
        if let Some(exchange) = words::of_dialect(self.spec.dialect).after_options {
            self.exchange(exchange, self.spec.startup)?;
        }
        self.ready_within(self.spec.startup).map(drop)
    }

    fn set_options(&mut self, options: impl IntoIterator<Item = (String, String)>, lenient: bool) -> Result<(), Fault> {
        for (name, value) in options {
            match self.set_option(&name, &value) {
                Err(fault @ Fault::UnknownOption { .. }) if lenient => log::warn!("{}: {fault}", self.name()),
                other => other?,
            }
        }
        Ok(())
    }

    /// Sends a line that is invalid during a search.
    fn send_idle(&mut self, line: &str, what: &'static str) -> Result<(), Fault> {
        if self.search.is_some() {
            return Err(Fault::Searching(what));
        }
        self.send(line).map(drop)
    }

    fn send(&mut self, line: &str) -> Result<Instant, Fault> {
        let deadline = within(self.spec.response);
        self.process.send(line, deadline).map_err(|lost| self.process.not_sent(line, lost))
    }

    /// Waits, at most `longest`, for the first wanted line received at or after `since`. Other lines are passed to the
    /// search.
    fn await_line(
        &mut self,
        awaited: &'static str,
        since: Instant,
        longest: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<OutputLine, Fault> {
        let deadline = within(longest);
        loop {
            let line = self.process.receive(Some(deadline)).map_err(|lost| self.process.lost(awaited, lost))?;
            if line.at >= since && wanted(line.text.trim()) {
                return Ok(line);
            }
            if let Some(search) = &mut self.search {
                search.receive(&line, &mut |_| {});
            } else if refuses(&line.text) {
                log::warn!("{}: {}", self.name(), Quoted::new(&line.text));
            } else {
                log::debug!("{}: {}", self.name(), Quoted::new(&line.text));
            }
        }
    }
}

/// The beginnings of what engines say, in an `info string`, when they do not take the value of an option.
const REFUSALS: [&str; 7] = ["bad", "cannot", "could not", "error", "illegal", "invalid", "unknown"];

/// Returns whether an engine that does not search says that something was refused: an option has no other answer.
fn refuses(line: &str) -> bool {
    let line = line.trim();
    let text = line.strip_prefix("info string ").map(|text| text.trim_start().to_lowercase());
    // In Hub, any error: also the reply to `init` of an engine that is not ready then.
    line.starts_with("error ")
        || text.is_some_and(|text| text.contains(" refused") || REFUSALS.iter().any(|word| text.starts_with(word)))
}
