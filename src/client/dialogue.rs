//! The dialogue with an engine: handshake, options, positions, searches, questions.

use super::fault::Fault;
use super::group::Exit;
use super::handshake::{self, Identity};
use super::info::Info;
use super::option::Declared;
use super::output_lines::OutputLine;
use super::process::{Lost, Process, within};
use super::search::{Answer, Search};
use super::spec::Spec;
use super::transcript::Transcript;
use super::watchdog::Watchdog;
use super::words;
use crate::core::StopFlag;
use crate::core::error::Quoted;
use crate::protocol::go::Go;
use crate::protocol::options::VARIANT;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What surrounds an engine.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// Sees to it that the engine dies with us.
    pub watchdog: Option<Arc<Watchdog>>,
    /// Takes down what is said.
    pub transcript: Option<Transcript>,
    /// Raised, it ends whatever an engine is waited for by [`Lost::Aborted`].
    pub abort: StopFlag,
}

/// An engine that runs, and is talked to. Dropped, it is killed with all that it started.
///
/// Whatever it does wrong comes back as a [`Fault`]. After a fault of the pipe ([`Fault::lost`]) it serves no longer,
/// until it is [started anew](Self::restart).
pub struct Client {
    spec: Spec,
    surroundings: Surroundings,
    process: Process,
    identity: Identity,
    search: Option<Search>,
    /// What it said last in a search before the answer, and how long after `go`.
    output: Option<(String, Duration)>,
}

impl Client {
    /// Starts an engine, shakes hands, sets its options, and waits until it is ready.
    ///
    /// # Errors
    /// Any [`Fault`] but [`Fault::Searching`] and [`Fault::Idle`]; nothing is left of the engine then.
    pub fn start(spec: Spec, surroundings: Surroundings) -> Result<Self, Fault> {
        let process = spawn(&spec, &surroundings)?;
        let mut client =
            Self { spec, surroundings, process, identity: Identity::default(), search: None, output: None };
        client.set_up()?;
        Ok(client)
    }

    /// Kills what is left of the engine, and starts it anew as it was started first.
    ///
    /// # Errors
    /// As of [`start`](Self::start); it can be tried again.
    pub fn restart(&mut self) -> Result<(), Fault> {
        self.process.kill();
        self.search = None;
        self.process = spawn(&self.spec, &self.surroundings)?;
        self.set_up().inspect_err(|_| self.process.kill())
    }

    /// What it was asked to be.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What the user calls it, or else what it calls itself.
    #[must_use]
    pub fn name(&self) -> String {
        let Self { spec, identity, .. } = self;
        if spec.name.is_empty() && !identity.name.is_empty() { identity.name.clone() } else { spec.title() }
    }

    /// Whom it calls its author; empty if it names none.
    #[must_use]
    pub fn author(&self) -> &str {
        &self.identity.author
    }

    /// The options that it declares, in its order.
    #[must_use]
    pub fn options(&self) -> &[Declared] {
        &self.identity.options
    }

    /// The number of its process and of its process group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// How its process ended; `None` while it runs.
    pub fn exit(&mut self) -> Option<Exit> {
        self.process.exit()
    }

    /// What it said last; empty if it has said nothing yet.
    #[must_use]
    pub fn last_said(&self) -> &str {
        self.process.last()
    }

    /// What it said last in its last search before the move, and how long after `go`; `None` if it said nothing.
    #[must_use]
    pub fn last_output(&self) -> Option<(&str, Duration)> {
        self.output.as_ref().map(|(line, after)| (line.as_str(), *after))
    }

    /// Whether a `go` has not been answered.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Sets an option to a value; a button takes the empty one. What the engine makes of it is heard, if at all, at
    /// the next [`ready`](Self::ready).
    ///
    /// # Errors
    /// [`Fault::UnknownOption`], [`Fault::BadValue`], [`Fault::Searching`], [`Fault::Unsaid`].
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let Some(option) = self.declared(name) else {
            let names: Vec<&str> = self.options().iter().map(|option| option.name.as_str()).collect();
            let (name, declared) = (Quoted::new(name), Quoted::new(&names.join(", ")));
            return Err(Fault::UnknownOption { name, declared });
        };
        let bad = |expected| Fault::BadValue { name: Quoted::new(&option.name), value: Quoted::new(value), expected };
        let line = option.set(value).map_err(bad)?;
        self.say_idle(&line, "setoption")
    }

    /// The option of that name, whatever its case.
    #[must_use]
    pub fn declared(&self, name: &str) -> Option<&Declared> {
        self.identity.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Waits until it has done what it was told. How long that took. A search goes on.
    ///
    /// # Errors
    /// [`Fault::Unsaid`], [`Fault::Lost`].
    pub fn ready(&mut self) -> Result<Duration, Fault> {
        self.ready_within(self.spec.response)
    }

    fn ready_within(&mut self, longest: Duration) -> Result<Duration, Fault> {
        let since = self.say("isready")?;
        let line = self.await_line("readyok", since, longest, |text| text == "readyok")?;
        Ok(line.at.saturating_duration_since(since))
    }

    /// A new game begins, and it is ready for it, within [`Spec::startup`].
    ///
    /// # Errors
    /// [`Fault::Searching`], [`Fault::Unsaid`], [`Fault::Lost`].
    pub fn new_game(&mut self) -> Result<(), Fault> {
        self.say_idle(words::new_game(self.spec.dialect), "new game")?;
        self.ready_within(self.spec.startup).map(drop)
    }

    /// Sets up a position, `startpos` or the game's notation, and moves from there, separated by blanks.
    ///
    /// # Errors
    /// [`Fault::Searching`], [`Fault::Unsaid`].
    pub fn position(&mut self, text: &str, moves: &str) -> Result<(), Fault> {
        self.say_idle(&words::position(text, moves), "position")
    }

    /// Begins a search; the clock runs.
    ///
    /// # Errors
    /// [`Fault::Searching`], [`Fault::Unsaid`].
    pub fn go(&mut self, go: &Go) -> Result<(), Fault> {
        let line = words::go(go, self.spec.dialect);
        if self.search.is_some() {
            return Err(Fault::Searching("go"));
        }
        let since = self.say(&line)?;
        self.search = Some(Search::new(since));
        self.output = None;
        Ok(())
    }

    /// The answer to the search, if it arrives by the deadline; `None`: not yet, and it may be asked for again. A
    /// caller who allows a margin learns from [`Answer::time`] whether it was needed. `progress` gets every `info`.
    ///
    /// # Errors
    /// [`Fault::Idle`], [`Fault::Lost`], and [`Fault::BadAnswer`], which ends the search.
    pub fn answer(
        &mut self,
        deadline: Option<Instant>,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Option<Answer>, Fault> {
        let search = self.search.as_mut().ok_or(Fault::Idle("bestmove"))?;
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
                Err(Lost::TimedOut) => return Ok(None),
                Err(lost) => return Err(self.process.lost("bestmove", lost)),
            }
        }
    }

    /// Searches, and waits for the answer for so long.
    ///
    /// # Errors
    /// Those of [`go`](Self::go) and [`answer`](Self::answer), and [`Lost::TimedOut`] in a [`Fault::Lost`]; the
    /// engine then still searches.
    pub fn search(&mut self, go: &Go, longest: Duration) -> Result<Answer, Fault> {
        self.go(go)?;
        let answer = self.answer(Some(within(longest)), &mut |_| {})?;
        answer.ok_or_else(|| self.timed_out())
    }

    /// The fault of a search whose answer is not waited for any longer.
    pub fn timed_out(&mut self) -> Fault {
        self.process.lost("bestmove", Lost::TimedOut)
    }

    /// Asks for the answer now. Without a search nothing is said.
    ///
    /// # Errors
    /// [`Fault::Unsaid`].
    pub fn stop(&mut self) -> Result<(), Fault> {
        if self.search.is_some() {
            self.say("stop")?;
        }
        Ok(())
    }

    /// The move pondered on was played: the clock runs from now on.
    ///
    /// # Errors
    /// [`Fault::Idle`], [`Fault::Unsaid`].
    pub fn ponderhit(&mut self) -> Result<(), Fault> {
        if self.search.is_none() {
            return Err(Fault::Idle("ponderhit"));
        }
        let at = self.say("ponderhit")?;
        if let Some(search) = &mut self.search {
            search.restart_clock(at);
        }
        Ok(())
    }

    /// Asks about the position, in UGI: `p1turn`, `gameover`, `result`, `islegal M`. The words behind `response`.
    ///
    /// # Errors
    /// [`Fault::Unsaid`], [`Fault::Lost`]: it may not know the question.
    pub fn query(&mut self, question: &str) -> Result<String, Fault> {
        let since = self.say(&format!("query {question}"))?;
        let is_response = |text: &str| text.split_whitespace().next() == Some("response");
        let line = self.await_line("response", since, self.spec.response, is_response)?;
        Ok(line.text.trim_start().trim_start_matches("response").trim().to_owned())
    }

    /// The same for a question that is answered by `true` or `false`.
    ///
    /// # Errors
    /// The same, and [`Fault::BadAnswer`].
    pub fn query_truth(&mut self, question: &str) -> Result<bool, Fault> {
        let answer = self.query(question)?;
        let bad = || Fault::BadAnswer { line: Quoted::new(&format!("response {answer}")), reason: "true or false" };
        answer.parse().map_err(|_| bad())
    }

    /// Asks it to leave, and sees to it. How it ended; `None` if it had to be killed after [`Spec::grace`].
    pub fn quit(mut self) -> Option<Exit> {
        let grace = self.spec.grace;
        self.process.quit(grace)
    }

    fn set_up(&mut self) -> Result<(), Fault> {
        self.identity = self.shake_hands()?;
        if let Some(game) = self.spec.game.clone() {
            let rows = std::iter::once((VARIANT.to_owned(), game.variant)).chain(game.options);
            self.set_options(rows, true)?;
        }
        self.set_options(self.spec.options.clone(), self.spec.lenient)?;
        self.ready_within(self.spec.startup).map(drop)
    }

    /// The handshake. Where nobody has said what the engine speaks, it is known afterwards.
    fn shake_hands(&mut self) -> Result<Identity, Fault> {
        let Self { spec, process, .. } = self;
        let first = match handshake::shake_hands(process, spec) {
            // Some leave at a word that they do not know.
            Err(fault) if spec.probe && matches!(fault.lost(), Some(Lost::Closed { .. } | Lost::Deaf { .. })) => fault,
            other => return other,
        };
        let other = Spec { dialect: handshake::other(spec.dialect), probe: false, ..spec.clone() };
        self.process.kill();
        self.process = spawn(&other, &self.surroundings)?;
        let identity = handshake::shake_hands(&mut self.process, &mut other.clone()).map_err(|_| first)?;
        self.spec = other;
        Ok(identity)
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

    /// Says a line that is not for an engine that searches.
    fn say_idle(&mut self, line: &str, what: &'static str) -> Result<(), Fault> {
        if self.search.is_some() {
            return Err(Fault::Searching(what));
        }
        self.say(line).map(drop)
    }

    fn say(&mut self, line: &str) -> Result<Instant, Fault> {
        let deadline = within(self.spec.response);
        self.process.send(line, deadline).map_err(|lost| self.process.unsaid(line, lost))
    }

    /// The first line since a time that is wanted, waited for so long. What others say about a search is not lost.
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
            } else {
                log::debug!("{}: {}", self.name(), Quoted::new(&line.text));
            }
        }
    }
}

fn spawn(spec: &Spec, Surroundings { watchdog, transcript, abort }: &Surroundings) -> Result<Process, Fault> {
    let voice = transcript.as_ref().map(|transcript| transcript.voice(&spec.title()));
    let started = spec.command().and_then(|mut command| Process::spawn(&mut command, watchdog.clone(), voice));
    let started = started.map(|process| process.under(abort.clone()));
    started.map_err(|error| Fault::Start {
        program: Quoted::new(&spec.program.to_string_lossy()),
        reason: error.to_string(),
    })
}
