//! The loop: one thread reads lines, one does the work, and this one alone speaks.
//!
//! While work runs, `isready`, `stop`, `quit` and `debug` are heard at once; every other command waits its turn
//! behind it. After the end of the input what was asked is still answered; work without an end is stopped then.

use super::command::{self, Command, Go, Query};
use super::line::{RawLine, read_line};
use super::record::Record;
use super::reply;
use super::session::Session;
use super::task::Task;
use crate::core::StopFlag;
use crate::core::error::{Error, Quoted};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The longest line, bytes; of a longer one nothing is heard.
const LONGEST_LINE: usize = 2 << 20;

/// Events that may wait to be handled; a faster reader or search is held back.
const WAITING_EVENTS: usize = 16;

/// Commands that may wait behind running work,
const WAITING_COMMANDS: usize = 10_000;

/// and the bytes of their lines, all together.
const WAITING_BYTES: usize = 8 << 20;

/// How long work may tidy up when the dialogue is over.
const TIDYING: Duration = Duration::from_secs(1);

/// How a dialogue begins.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game at the start, a name of the registry.
    pub game: String,
    /// Options set before the first command, name and value, as `setoption` would.
    pub options: Vec<(String, String)>,
    /// Where the dialogue is recorded with times, if anywhere.
    pub log: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { game: crate::registry::NAMES[0].into(), options: Vec::new(), log: None }
    }
}

/// Runs a dialogue until `quit`, the end of the input, or a closed output.
///
/// # Errors
/// Settings that cannot be used (as `InvalidInput`), a log that cannot be written, or an output that fails
/// otherwise than by being closed.
pub fn serve(settings: &Settings, input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let session = Session::new(&settings.game, &settings.options)
        .map_err(|error| io::Error::new(ErrorKind::InvalidInput, error.to_string()))?;
    let record = Record::new(settings.log.as_deref())?;
    let (sender, events) = sync_channel(WAITING_EVENTS);
    let lines = sender.clone();
    thread::Builder::new().name("input".into()).spawn(move || read_lines(BufReader::new(input), &lines))?;
    let mut dialogue = Dialogue {
        session,
        record,
        output,
        sender,
        running: None,
        waiting: VecDeque::new(),
        waiting_bytes: 0,
        ended: false,
        debug: false,
    };
    let result = dialogue.run(&events);
    dialogue.leave(&events);
    match result {
        // Nobody listens any more.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// What the loop waits for.
enum Event {
    /// A line came in, or what is wrong with it.
    Line(Result<Vec<u8>, Error>),
    /// No more lines will come.
    End,
    /// The running work says something.
    Say(String),
    /// The running work has ended; its closing words.
    Done(String),
}

/// Whether the dialogue goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Quit,
}

/// Why a command was not carried out.
enum Failure {
    /// It cannot be; nothing has changed.
    Refused(Error),
    /// Its answer could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Work that runs beside the dialogue.
struct Running {
    stop: StopFlag,
    finite: bool,
    untidy: bool,
    /// The closing words of endless work that came to an end by itself: nobody has asked for them yet.
    held: Option<String>,
}

struct Dialogue<W> {
    session: Session,
    record: Record,
    output: W,
    sender: SyncSender<Event>,
    running: Option<Running>,
    /// What came in meanwhile, mistakes too, to be dealt with in order; each with the length of its line.
    waiting: VecDeque<(usize, Result<Command, Error>)>,
    waiting_bytes: usize,
    /// No more lines will come.
    ended: bool,
    debug: bool,
}

impl<W: Write> Dialogue<W> {
    fn run(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while !(self.ended && self.running.is_none()) {
            let Ok(event) = events.recv() else { break };
            let flow = match event {
                Event::Line(line) => self.hear(line)?,
                Event::End => {
                    self.ended = true;
                    self.stop_endless()?
                }
                Event::Say(line) => {
                    self.say(&line)?;
                    Flow::On
                }
                Event::Done(line) => self.finish(line)?,
            };
            if flow == Flow::Quit {
                break;
            }
        }
        Ok(())
    }

    /// The dialogue is over: what still runs is stopped.
    fn leave(&self, events: &Receiver<Event>) {
        let Some(running) = &self.running else { return };
        running.stop.raise();
        while running.untidy && events.recv_timeout(TIDYING).is_ok_and(|event| !matches!(event, Event::Done(_))) {}
    }

    /// A line came in: acted on at once, or put behind the running work.
    fn hear(&mut self, line: Result<Vec<u8>, Error>) -> io::Result<Flow> {
        if let Ok(line) = &line {
            self.record.came(line)?;
        }
        let bytes = line.as_ref().map_or(0, Vec::len);
        let Some(command) = line.and_then(|line| command::parse(&line)).transpose() else { return Ok(Flow::On) };
        let urgent = matches!(command, Ok(Command::IsReady | Command::Stop | Command::Quit | Command::Debug(_)));
        if urgent || self.running.is_none() {
            return self.obey(command);
        }
        if self.waiting.len() >= WAITING_COMMANDS || self.waiting_bytes + bytes > WAITING_BYTES {
            self.say(&reply::remark("too many commands wait for the search to end; this one is not heard"))?;
        } else {
            self.waiting.push_back((bytes, command));
            self.waiting_bytes += bytes;
        }
        Ok(Flow::On)
    }

    fn obey(&mut self, command: Result<Command, Error>) -> io::Result<Flow> {
        match command {
            Ok(command) => self.act(command).or_else(|failure| match failure {
                Failure::Refused(error) => self.complain(&error),
                Failure::Output(error) => Err(error),
            }),
            Err(error) => self.complain(&error),
        }
    }

    fn act(&mut self, command: Command) -> Result<Flow, Failure> {
        match command {
            Command::Quit => return Ok(Flow::Quit),
            Command::Stop => return Ok(self.stop()?),
            Command::IsReady => self.ready()?,
            Command::Debug(on) => self.debug = on,
            Command::Handshake(dialect) => self.say(&self.session.handshake(dialect).join("\n"))?,
            Command::NewGame => self.session.new_game(),
            Command::SetOption { name, value } => self.session.set_option(&name, value.as_deref())?,
            Command::Position { text, moves } => self.session.set_position(&text, &moves)?,
            Command::Go(go) => self.go(&go)?,
            Command::Perft(depth) => self.begin(Task::Perft(self.session.board().boxed(), depth))?,
            Command::SaveHash(path) => {
                self.begin(Task::Save(self.session.table(), self.session.board().boxed(), path))?;
            }
            Command::LoadHash(path) => {
                self.begin(Task::Load(self.session.table(), self.session.board().boxed(), path))?;
            }
            Command::Bench => self.begin(Task::Bench)?,
            Command::Query(query) => self.answer(&query)?,
            Command::Draw => self.say(&reply::board(self.session.board()))?,
            Command::Moves => self.say(&self.session.board().moves().join(" "))?,
            Command::Eval => self.say(&reply::evaluation(self.session.board()))?,
            Command::Help => self.say(reply::HELP)?,
        }
        Ok(Flow::On)
    }

    /// At once beside running work; otherwise when the memory of the table is there.
    fn ready(&mut self) -> io::Result<()> {
        let table = self.session.table();
        if self.running.is_some() || table.is_ready() { self.say(reply::READY) } else { self.begin(Task::Ready(table)) }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let (limits, remarks) = self.session.limits(go);
        for remark in remarks {
            self.say(&reply::remark(&remark))?;
        }
        if self.debug {
            self.say(&reply::remark(&format!("{limits:?}")))?;
        }
        let engine = self.session.board().engine(self.session.table());
        self.begin(Task::Search(engine, limits))
    }

    fn begin(&mut self, task: Task) -> io::Result<()> {
        let stop = StopFlag::new();
        let (finite, untidy) = (task.is_finite(), task.is_untidy());
        if self.ended && !finite {
            stop.raise();
        }
        self.running = Some(Running { stop: stop.clone(), finite, untidy, held: None });
        let (say, done) = (self.sender.clone(), self.sender.clone());
        // A send fails only when the dialogue is over and nobody listens.
        task.spawn(stop, move |line| drop(say.send(Event::Say(line))), move |line| drop(done.send(Event::Done(line))))
    }

    /// The work has ended: its closing words, unless they have to wait for `stop`; then what waited behind it.
    fn finish(&mut self, line: String) -> io::Result<Flow> {
        if let Some(running) = &mut self.running
            && !running.finite
            && !running.stop.is_raised()
        {
            running.held = Some(line);
            return Ok(Flow::On);
        }
        self.running = None;
        self.say(&line)?;
        while self.running.is_none()
            && let Some((bytes, command)) = self.waiting.pop_front()
        {
            self.waiting_bytes -= bytes;
            if self.obey(command)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::On)
    }

    fn stop(&mut self) -> io::Result<Flow> {
        if let Some(running) = &mut self.running {
            running.stop.raise();
            if let Some(line) = running.held.take() {
                return self.finish(line);
            }
        }
        Ok(Flow::On)
    }

    /// The input has ended: nobody will say `stop`.
    fn stop_endless(&mut self) -> io::Result<Flow> {
        if self.running.as_ref().is_some_and(|running| !running.finite) { self.stop() } else { Ok(Flow::On) }
    }

    fn answer(&mut self, query: &Query) -> io::Result<()> {
        let board = self.session.board();
        let answer = match query {
            Query::P1Turn => (board.turn().index() == 0).to_string(),
            Query::GameOver => board.outcome().is_some().to_string(),
            Query::Result => reply::result(board).to_owned(),
            Query::IsLegal(mv) => board.moves().contains(mv).to_string(),
        };
        self.say(&format!("response {answer}"))
    }

    /// A command was refused: one line says why.
    fn complain(&mut self, error: &Error) -> io::Result<Flow> {
        log::warn!("{error}");
        self.say(&reply::remark(&error.to_string()))?;
        Ok(Flow::On)
    }

    /// Writes lines and flushes them.
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.record.went(text)?;
        self.output.write_all(text.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }
}

/// Sends every line of the input, then its end. An input that fails has ended.
fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    while let Ok(Some(RawLine { bytes, whole })) = read_line(&mut input, LONGEST_LINE) {
        let too_long = || Error::BadCommand(Quoted::bytes(&bytes), format!("a line has at most {LONGEST_LINE} bytes"));
        let line = if whole { Ok(bytes) } else { Err(too_long()) };
        // A send fails only when the dialogue is over.
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}
