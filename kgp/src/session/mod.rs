//! The dialogue over one connection: what to send in answer to a message, a move found, and the passing of time.
//!
//! It sends nothing itself: messages and notices wait for `Session::take`. Each state has a search of its own, so that
//! several games can be played at a time; beyond `MOST` searches, states wait.

use super::clock::Clock;
use super::event::Event;
use super::line::Line;
use super::message::{Argument, Message};
use super::notice::{AnswerEnd, GameTag, Notice};
use super::search::{Search, first_move, tighter};
use super::settings::Settings;
use secateurs::core::error::Quoted;
use secateurs::core::{Limits, Proof, Report, Request, score};
use secateurs::engine::Board;
use std::collections::VecDeque;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// The maximum number of searches at a time.
pub(crate) const MOST: usize = 16;

/// The maximum number of states that wait for a search.
const MOST_WAITING: usize = 1_000;

/// The major version of the protocol that this client speaks.
const MAJOR: i64 = 1;

/// Whether the dialogue continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It continues.
    On,
    /// The server has said `goodbye`.
    Goodbye,
    /// This client cannot speak with this server.
    Impossible(String),
}

/// The state of a dialogue.
pub struct Session<'a> {
    settings: &'a Settings,
    events: SyncSender<Event>,
    /// Whether the server has greeted this client.
    greeted: bool,
    /// Whether the server plays: it has confirmed the mode, or sent a state.
    plays: bool,
    /// Whether it has sent a state.
    played: bool,
    /// The last error before it played.
    refusal: Option<String>,
    clock: Clock,
    game: GameTag,
    searches: Vec<Search>,
    waiting: VecDeque<(Option<u64>, Box<dyn Board>, GameTag)>,
    next: u64,
    messages: Vec<Message>,
    notices: Vec<Notice>,
}

impl<'a> Session<'a> {
    /// Begins the dialogue of a connection. Searches report to `events` with numbers from `first` on.
    pub(crate) fn new(settings: &'a Settings, events: SyncSender<Event>, first: u64) -> Self {
        Self {
            settings,
            events,
            greeted: false,
            plays: false,
            played: false,
            refusal: None,
            clock: Clock::default(),
            game: GameTag::default(),
            searches: Vec::new(),
            waiting: VecDeque::new(),
            next: first,
            messages: Vec::new(),
            notices: Vec::new(),
        }
    }

    /// Returns what is to be sent, and what has happened, since the last call.
    pub(crate) fn take(&mut self) -> (Vec<Message>, Vec<Notice>) {
        (std::mem::take(&mut self.messages), std::mem::take(&mut self.notices))
    }

    pub(crate) fn is_greeted(&self) -> bool {
        self.greeted
    }

    pub(crate) fn has_played(&self) -> bool {
        self.played
    }

    /// Executes a line of the server. A line that is not a message is ignored, except the first one.
    pub(crate) fn receive(&mut self, line: Line, now: Instant) -> Flow {
        let text = match line {
            Line::Whole(text) => text,
            Line::Bad(start, reason) => return self.pass_over(&format!("bad command {start}: {reason}")),
        };
        match Message::parse(&text) {
            Ok(None) => Flow::On,
            Ok(Some(message)) if self.greeted => self.execute(message, now),
            Ok(Some(message)) if message.name == "kgp" => self.greet(&message),
            Ok(Some(_)) => self.pass_over(&format!("the server begins with {}", Quoted::new(&text))),
            Err(error) => self.pass_over(&error.to_string()),
        }
    }

    fn pass_over(&self, what: &str) -> Flow {
        if !self.greeted {
            return Flow::Impossible(format!("the server does not speak the Kalah Game Protocol: {what}"));
        }
        log::info!("{what}");
        Flow::On
    }

    fn greet(&mut self, message: &Message) -> Flow {
        let version: Vec<_> = message.arguments.iter().filter_map(integer).collect();
        let &[major, minor, patch] = &version[..] else {
            return self.pass_over(&format!("{} names no version", Quoted::new(&message.to_string())));
        };
        if major != MAJOR {
            let reason = format!("version {major}.{minor}.{patch} of the protocol, not {MAJOR}");
            self.messages.push(Message::new("error").to(message.id).with(text(&format!("unsupported {reason}"))));
            return Flow::Impossible(format!("the server speaks {reason}"));
        }
        self.greeted = true;
        self.notices.push(Notice::Connected { version: [major, minor, patch] });
        let identity = &self.settings.identity;
        for (option, value) in [
            ("info:name", &identity.name),
            ("info:authors", &identity.authors),
            ("info:description", &identity.description),
            ("auth:token", &identity.token),
        ] {
            self.messages.extend(value.as_deref().map(|value| Message::set(option, value)));
        }
        self.messages.push(Message::new("mode").with(Argument::Word("freeplay".into())));
        Flow::On
    }

    fn execute(&mut self, message: Message, now: Instant) -> Flow {
        match (message.name.as_str(), &message.arguments[..]) {
            ("ping", _) => self.messages.push(Message::new("pong").to(message.id)),
            ("state", [Argument::Board(board)]) => self.state(message.id, board),
            ("state", _) => self.refuse(message.id, "a state has one board, <...>".into()),
            ("stop", _) => self.stop(message.reference, now),
            ("set", [Argument::Word(option) | Argument::Text(option), value]) => self.set(option, value),
            ("ok", _) => self.plays = true,
            ("error", arguments) => {
                let text = arguments.iter().map(plain).collect::<Vec<_>>().join(" ");
                if !self.plays {
                    self.refusal = Some(Quoted::new(&text).to_string());
                }
                self.notices.push(Notice::Fault(Quoted::new(&text)));
                self.searches.iter_mut().for_each(Search::repeat);
            }
            ("goodbye", _) => {
                return match self.refusal.take().filter(|_| !self.plays) {
                    Some(reason) => Flow::Impossible(format!("the server refuses this client: {reason}")),
                    None => Flow::Goodbye,
                };
            }
            // No reply: the server might answer it in turn, without end.
            _ => return self.pass_over(&format!("{} is passed over", Quoted::new(&message.to_string()))),
        }
        Flow::On
    }

    fn set(&mut self, option: &str, value: &Argument) {
        if let Err(expected) = self.clock.set(option, value) {
            log::info!("set {option} {} is passed over: {expected} is expected", Quoted::part(&plain(value)));
        }
        // An empty string clears a name.
        let named = || Some(plain(value)).filter(|name| !name.is_empty());
        match option {
            "info:name" => self.notices.push(Notice::Server(Quoted::new(&plain(value)))),
            "game:id" => self.game.id = named(),
            "game:uri" => self.game.uri = named(),
            "game:opponent" => self.game.opponent = named(),
            _ => {}
        }
    }

    /// Begins the search for a move.
    fn state(&mut self, id: Option<u64>, board: &str) {
        (self.plays, self.played) = (true, true);
        // The same number again is an error of the server; two answers to it would be an error of ours.
        let is_known = self.searches.iter().any(|search| search.id == id)
            || self.waiting.iter().any(|(waiting, ..)| *waiting == id);
        if is_known && id.is_some() {
            log::info!("the server has sent state {} twice", id.unwrap_or_default());
            return;
        }
        let board = match self.settings.setup.board(board) {
            Ok(board) => board,
            Err(error) => return self.refuse(id, error.to_string()),
        };
        if board.moves().is_empty() {
            return self.refuse(id, format!("there is no move in {}", Quoted::new(&board.text())));
        }
        let game = self.game.clone();
        if self.searches.len() < MOST {
            self.begin(id, board, game);
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back((id, board, game));
        } else {
            self.refuse(id, format!("more than {} states at a time", MOST + MOST_WAITING));
        }
    }

    /// Reports a state that cannot be played. Without `yield` the server would wait.
    fn refuse(&mut self, id: Option<u64>, reason: String) {
        self.messages.push(Message::new("error").to(id).with(text(&reason)));
        self.messages.push(Message::new("yield").to(id));
        self.notices.push(Notice::Refused { reason });
    }

    fn begin(&mut self, id: Option<u64>, board: Box<dyn Board>, game: GameTag) {
        let (number, only) = (self.next, board.moves().len() == 1);
        self.next += 1;
        self.notices.push(Notice::State { number, board: board.text(), game });
        // All searches share the threads.
        let threads = (self.settings.threads / (self.searches.len() + 1)).max(1);
        let limits = tighter(&self.settings.limits, &self.clock.limits());
        // A forced move needs no thought, but the search evaluates it.
        let limits = if only { tighter(&limits, &Limits::depth(1)) } else { limits };
        let request = Request { threads, ..Request::new(limits) };
        let (table, events) = (self.settings.table.clone(), self.events.clone());
        match Search::start(number, id, board.boxed(), request, table, events) {
            Ok(search) => self.searches.push(search),
            Err(error) => {
                log::warn!("no search: cannot start a thread: {error}");
                let report = first_move(&*board);
                self.send_move(number, id, &report, Duration::ZERO);
                self.messages.push(Message::new("yield").to(id));
                self.answered(number, id, AnswerEnd::Yielded, Some(report), Duration::ZERO);
            }
        }
    }

    /// Ends the searches for a state, or without a reference those for all states.
    fn stop(&mut self, reference: Option<u64>, now: Instant) {
        let is_meant = |id: Option<u64>| reference.is_none() || id == reference;
        self.waiting.retain(|(id, ..)| !is_meant(*id));
        let (stopped, others): (Vec<_>, _) =
            std::mem::take(&mut self.searches).into_iter().partition(|search| is_meant(search.id));
        self.searches = others;
        for search in stopped {
            search.stop();
            self.end(&search, AnswerEnd::Stopped, now);
        }
        self.begin_waiting();
    }

    /// Handles a report of a running search.
    pub(crate) fn found(&mut self, number: u64, report: Report) {
        if let Some(search) = self.search(number) {
            search.found(report);
        }
    }

    /// Handles the end of a search.
    pub(crate) fn done(&mut self, number: u64, report: Report) {
        if let Some(search) = self.search(number) {
            search.done(report);
        }
    }

    /// Returns a search by its number, unless it is stopped.
    fn search(&mut self, number: u64) -> Option<&mut Search> {
        self.searches.iter_mut().find(|search| search.number == number)
    }

    /// Returns when [`on_time`](Self::on_time) has something to send; `None`: not before the next event.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.searches.iter().filter_map(Search::due).min()
    }

    /// Sends the moves that are due, and ends the searches that are complete.
    pub(crate) fn on_time(&mut self, now: Instant) {
        for mut search in std::mem::take(&mut self.searches) {
            if !search.is_due(now) {
                self.searches.push(search);
                continue;
            }
            if let Some(report) = search.send(now) {
                self.send_move(search.number, search.id, &report, now - search.began);
            }
            if search.is_final() {
                self.messages.push(Message::new("yield").to(search.id));
                self.end(&search, AnswerEnd::Yielded, now);
            } else {
                self.searches.push(search);
            }
        }
        self.begin_waiting();
    }

    /// Ends all searches: the connection is over. A state for which a move was sent is answered.
    pub(crate) fn end_all(&mut self, now: Instant) {
        for search in std::mem::take(&mut self.searches) {
            search.stop();
            if search.report().is_some() {
                self.end(&search, AnswerEnd::Stopped, now);
            }
        }
        self.waiting.clear();
    }

    fn end(&mut self, search: &Search, end: AnswerEnd, now: Instant) {
        let time = now - search.began;
        self.clock.spend(time);
        self.answered(search.number, search.id, end, search.report().cloned(), time);
    }

    fn answered(&mut self, number: u64, id: Option<u64>, end: AnswerEnd, report: Option<Report>, time: Duration) {
        self.notices.push(Notice::Answered { number, id, end, report: report.map(Box::new), time });
    }

    fn begin_waiting(&mut self) {
        while self.searches.len() < MOST
            && let Some((id, board, game)) = self.waiting.pop_front()
        {
            self.begin(id, board, game);
        }
    }

    fn send_move(&mut self, number: u64, id: Option<u64>, report: &Report, time: Duration) {
        let Some(house) = report.best().and_then(|mv| mv.parse().ok()) else { return };
        if self.settings.comments {
            self.messages.push(Message::set("info:comment", &comment(report)));
        }
        self.messages.push(Message::new("move").to(id).with(Argument::Integer(house)));
        self.notices.push(Notice::Moved { number, report: Box::new(report.clone()), time });
    }
}

/// Returns the comment on a move that users of the server read.
pub(crate) fn comment(report: &Report) -> String {
    let (score, proven) = (f64::from(report.score) / f64::from(score::UNIT), report.proof != Proof::NONE);
    let proven = if proven { " proven" } else { "" };
    format!("score {score:+.2}{proven}, depth {}, nodes {}", report.depth, report.nodes)
}

fn text(text: &str) -> Argument {
    Argument::Text(text.into())
}

/// Returns an argument without quotes.
fn plain(argument: &Argument) -> String {
    match argument {
        Argument::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

fn integer(argument: &Argument) -> Option<i64> {
    match argument {
        Argument::Integer(number) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
