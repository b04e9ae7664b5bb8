//! The main loop: one thread reads lines, one does the work, and this one alone writes.
//!
//! While work runs, `isready`, `stop`, `ponderhit`, `quit` and `debug` are executed at once; every other command waits
//! for the work to end, and so does an `isready` behind its final lines, unless other work waits. A `stop` or
//! `ponderhit` that does not apply to the running work waits for the work that it applies to; for a `ponderhit` that is
//! the first search that ponders. At the end of the input, pending commands are still answered; work that waits for
//! `stop` or `ponderhit` is stopped.

use super::command::{self, Command, Dialect, Query};
use super::format::Format;
use super::go::Go;
use super::hub::{self, Hub};
use super::log::ProtocolLog;
use super::reply;
use super::session::Session;
use super::solve::Solve;
use super::task::{self, ByTheBook, Output, Running, Search, Task};
use super::threads::{self, Event, Threads};
use super::tree::TreeRequest;
use super::waiting::Waiting;
use crate::core::StopFlag;
use crate::core::error::Error;
use crate::search::cpu;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// The time for work to clean up when the dialogue is over.
const TIDYING: Duration = Duration::from_secs(1);

/// The settings of a dialogue.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The game at the start, by its registered name; `None`: Kalah, or chess after `uci`.
    pub game: Option<String>,
    /// Options set before the first command, as name and value, as by `setoption`.
    pub options: Vec<(String, String)>,
    /// The path of the log, if any. A write error ends the log with a warning.
    pub log: Option<PathBuf>,
}

/// Why a dialogue could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A setting cannot be used, or the log cannot be created. No input has been read.
    #[error(transparent)]
    Settings(#[from] Error),
    /// The system cannot start a thread. No input has been read.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The output failed.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Runs a dialogue until `quit`, the end of the input, or a closed output. All threads that it needs start first: with
/// them, every `go` is answered.
///
/// # Errors
/// [`ServeError`].
pub fn serve(settings: &Settings, input: impl Read + Send + 'static, output: impl Write) -> Result<(), ServeError> {
    let session = Session::new(settings.game.as_deref(), &settings.options)?;
    let record = ProtocolLog::new(settings.log.as_deref())?;
    let Threads { tasks, events } = threads::start(input).map_err(ServeError::Thread)?;
    let mut dialogue = Dialogue {
        session,
        record,
        output,
        tasks,
        running: None,
        waiting: Waiting::default(),
        hub: None,
        ended: false,
        debug: false,
    };
    let result = dialogue.run(&events);
    dialogue.leave(&events);
    match result {
        // The reader has closed the output.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

/// Whether the dialogue continues.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Quit,
}

/// The reason why a command failed.
enum Failure {
    /// The command cannot be executed; nothing has changed.
    Refused(Error),
    /// The reply could not be written.
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

struct Dialogue<W> {
    session: Session,
    record: ProtocolLog,
    output: W,
    /// The tasks for the working thread; at most one runs.
    tasks: Sender<(Task, StopFlag)>,
    running: Option<Running>,
    waiting: Waiting,
    /// The state of the Hub protocol, after its handshake.
    hub: Option<Hub>,
    /// Whether the input has ended.
    ended: bool,
    debug: bool,
}

impl<W: Write> Dialogue<W> {
    fn run(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while !(self.ended && self.running.is_none()) {
            let Ok(event) = events.recv() else { break };
            let flow = match event {
                Event::Line(line) => self.receive(line)?,
                Event::End => {
                    self.ended = true;
                    self.stop_waiting()?
                }
                Event::Output(Output::Line(line)) => {
                    self.say(&line)?;
                    Flow::On
                }
                Event::Output(Output::Closing(line)) => {
                    self.close(line)?;
                    Flow::On
                }
                Event::Done => self.done()?,
            };
            if flow == Flow::Quit {
                break;
            }
        }
        Ok(())
    }

    /// Stops running work at the end of the dialogue.
    fn leave(&self, events: &Receiver<Event>) {
        let Some(running) = &self.running else { return };
        running.stop.raise();
        while running.untidy && events.recv_timeout(TIDYING).is_ok_and(|event| !matches!(event, Event::Done)) {}
    }

    /// Executes a received line at once, or queues it after the running work.
    fn receive(&mut self, line: Result<Vec<u8>, Error>) -> io::Result<Flow> {
        if let Ok(line) = &line {
            self.record.came(line);
        }
        let bytes = line.as_ref().map_or(0, Vec::len);
        let parsed = line.and_then(|line| match &mut self.hub {
            Some(hub) => hub.parse(&line),
            None => command::parse(&line),
        });
        let Some(command) = parsed.transpose() else { return Ok(Flow::On) };
        let Some(running) = &self.running else { return self.execute(command) };
        let fits = match command {
            Ok(Command::Ping | Command::Quit | Command::Debug(_)) => return self.execute(command),
            // Behind the final lines it prepares the next search, after the options that wait.
            Ok(Command::IsReady) if !running.closed || self.waiting.has_work() => return self.execute(command),
            Ok(Command::Stop) if running.can_stop() => return self.execute(command),
            Ok(Command::PonderHit) if running.can_be_hit() => return self.execute(command),
            Ok(word @ (Command::Stop | Command::PonderHit)) => self.waiting.push_word(bytes, word),
            command => self.waiting.push(bytes, command),
        };
        if !fits {
            self.remark("too many commands wait for the search to end; this one is ignored")?;
        }
        Ok(Flow::On)
    }

    fn execute(&mut self, command: Result<Command, Error>) -> io::Result<Flow> {
        match command {
            Ok(command) => self.act(command).or_else(|failure| match failure {
                Failure::Refused(error) => self.complain(&error),
                Failure::Output(error) => Err(error),
            }),
            Err(error) => {
                // Of either protocol: `position`, `pos`.
                if matches!(&error, Error::BadCommand(line, _) if line.starts_with("pos")) {
                    self.session.refuse_position();
                }
                self.complain(&error)
            }
        }
    }

    fn act(&mut self, command: Command) -> Result<Flow, Failure> {
        match command {
            Command::Quit => return Ok(Flow::Quit),
            Command::Stop => return Ok(self.stop()?),
            Command::PonderHit => return Ok(self.ponder_hit()?),
            Command::IsReady => self.ready()?,
            Command::Debug(on) => self.debug = on,
            Command::Handshake(dialect) => {
                let lines = self.session.handshake(dialect);
                if dialect == Dialect::Hub {
                    self.hub = Some(Hub::default());
                }
                self.say(&lines.join("\n"))?;
            }
            Command::Ping => self.say(hub::PONG)?,
            Command::NewGame => self.session.new_game(),
            Command::SetOption { name, value } => {
                self.session.set_option(&name, value.as_deref())?;
                let threads = name.eq_ignore_ascii_case("Threads").then(|| self.session.general().threads);
                if let Some(warning) = threads.and_then(cpu::too_many) {
                    self.remark(&warning)?;
                }
            }
            Command::Position { text, moves } => {
                if let Some(remark) = self.session.set_position(&text, &moves)? {
                    self.remark(&remark)?;
                }
            }
            Command::Go(go) => self.go(&go)?,
            Command::Solve(solve) => self.solve(&solve)?,
            Command::Tree(TreeRequest { request, room }) => {
                let board = self.session.board()?.boxed();
                let task = Task::Tree(Box::new(task::TreeTask { board, request, room }));
                self.begin(task, StopFlag::new(), false)?;
            }
            Command::Perft(depth) => {
                self.begin(Task::Perft(self.session.board()?.boxed(), depth), StopFlag::new(), false)?
            }
            Command::SaveHash(path) => {
                let task = Task::Save(self.session.table(), self.session.board()?.boxed(), path);
                self.begin(task, StopFlag::new(), false)?;
            }
            Command::LoadHash(path) => {
                let task = Task::Load(self.session.table(), self.session.board()?.boxed(), path);
                self.begin(task, StopFlag::new(), false)?;
            }
            Command::Bench => self.begin(Task::Bench, StopFlag::new(), false)?,
            Command::Query(query) => self.answer(&query)?,
            Command::Draw => self.say(&reply::board(self.session.board()?))?,
            Command::Moves => self.say(&self.session.board()?.moves().join(" "))?,
            Command::Eval => self.say(&reply::evaluation(self.session.board()?))?,
            Command::Help => self.say(reply::HELP)?,
        }
        Ok(Flow::On)
    }

    /// Replies at once while work runs; otherwise once the table's memory is ready, and books and learned positions are
    /// read.
    fn ready(&mut self) -> io::Result<()> {
        let reply = if self.hub.is_some() { hub::READY } else { reply::READY };
        if self.running.is_some() {
            return self.say(reply);
        }
        let (learned, remarks) = self.session.prepare_learning();
        for remark in remarks {
            self.remark(&remark)?;
        }
        if learned.is_none() && self.session.is_ready() {
            return self.say(reply);
        }
        let task = Task::Ready(self.session.table(), self.session.books().cloned(), learned, reply);
        self.begin(task, StopFlag::new(), false)
    }

    fn go(&mut self, go: &Go) -> Result<(), Failure> {
        let board = match self.session.board() {
            Ok(board) => board.boxed(),
            // A manager that waits for the end of the search goes on, with an error rather than a move elsewhere.
            Err(error) => {
                self.complain(&error)?;
                let end = if self.hub.is_some() { hub::DONE.into() } else { reply::best_move(None) };
                return Ok(self.say(&end)?);
            }
        };
        let (request, remarks) = self.session.request(go)?;
        for remark in remarks {
            self.remark(&remark)?;
        }
        if self.debug {
            let Go { ponder, infinite, .. } = go;
            self.remark(&format!("{request:?}, ponder: {ponder}, infinite: {infinite}"))?;
        }
        let is_hub = self.hub.is_some();
        let names_reply = is_hub || self.session.names_reply();
        let (format, table) = (Format { options: *self.session.general(), names_reply, is_hub }, self.session.table());
        let stop = if go.ponder { StopFlag::pondering() } else { StopFlag::new() };
        let endless = go.infinite || !request.limits.is_finite();
        if let Some(report) = self.session.by_the_book(&request).filter(|_| !endless) {
            let answer = Task::Book(Box::new(ByTheBook { report, format, board }));
            return Ok(self.begin(answer, stop, false)?);
        }
        // The manager need not have sent `isready`: the memory becomes available while the search begins with little of
        // it.
        table.touch();
        let (pupil, remark) = self.session.learn(&request);
        if let Some(remark) = remark {
            self.remark(&remark)?;
        }
        let engine = board.engine(table);
        let search = Search { engine, request, format, board, pupil };
        Ok(self.begin(Task::Search(Box::new(search)), stop, endless)?)
    }

    fn solve(&mut self, solve: &Solve) -> Result<(), Failure> {
        let (task, board) = (self.session.solve_request(solve), self.session.board()?.boxed());
        if self.debug {
            self.remark(&format!("{task:?}"))?;
        }
        let engine = board.engine(self.session.table());
        Ok(self.begin(Task::Solve(Box::new(task::Solve { engine, request: task, board })), StopFlag::new(), false)?)
    }

    fn begin(&mut self, task: Task, stop: StopFlag, endless: bool) -> io::Result<()> {
        let (stoppable, untidy) = (task.is_stoppable(), task.is_untidy());
        let running =
            Running { stop: stop.clone(), endless, stoppable, untidy, held: None, closed: false, ended: false };
        if self.ended && running.waits() {
            stop.raise();
        }
        self.running = Some(running);
        self.tasks.send((task, stop)).map_err(|_| io::Error::other("the working thread has ended"))
    }

    /// Writes the final lines of the running work unless they have to wait.
    fn close(&mut self, line: String) -> io::Result<()> {
        if let Some(running) = &mut self.running {
            if running.waits() {
                running.held = Some(line);
                return Ok(());
            }
            (running.stoppable, running.closed) = (false, true);
        }
        self.say(&line)
    }

    /// Executes the queued commands when the work has ended, unless its final lines have to wait.
    fn done(&mut self) -> io::Result<Flow> {
        if let Some(running) = &mut self.running
            && running.held.is_some()
        {
            running.ended = true;
            return Ok(Flow::On);
        }
        self.running = None;
        while let Some(command) = self.waiting.pop(self.running.is_some()) {
            if self.execute(command)? == Flow::Quit {
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::On)
    }

    fn stop(&mut self) -> io::Result<Flow> {
        if let Some(running) = &self.running {
            running.stop.raise();
        }
        self.release()
    }

    fn ponder_hit(&mut self) -> io::Result<Flow> {
        if let Some(running) = &self.running {
            running.stop.hit();
        }
        self.release()
    }

    /// Writes the held final lines if they need not wait any longer.
    fn release(&mut self) -> io::Result<Flow> {
        let Some(running) = self.running.as_mut().filter(|running| !running.waits()) else { return Ok(Flow::On) };
        let (held, ended) = (running.held.take(), running.ended);
        if let Some(line) = held {
            self.close(line)?;
        }
        if ended { self.done() } else { Ok(Flow::On) }
    }

    /// Stops work that waits for `stop` or `ponderhit`: the input has ended, and neither can follow.
    fn stop_waiting(&mut self) -> io::Result<Flow> {
        if self.running.as_ref().is_some_and(Running::waits) { self.stop() } else { Ok(Flow::On) }
    }

    fn answer(&mut self, query: &Query) -> Result<(), Failure> {
        let board = self.session.board()?;
        let answer = match query {
            Query::P1Turn => (board.turn().index() == 0).to_string(),
            Query::GameOver => board.outcome().is_some().to_string(),
            Query::Result => reply::result(board).to_owned(),
            Query::IsLegal(mv) => board.codes_of(std::slice::from_ref(mv)).is_ok().to_string(),
        };
        Ok(self.say(&format!("response {answer}"))?)
    }

    /// Reports a refused command in one line.
    fn complain(&mut self, error: &Error) -> io::Result<Flow> {
        log::info!("{error}");
        self.remark(&error.to_string())?;
        Ok(Flow::On)
    }

    /// Writes a remark, one line.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        self.say(&if self.hub.is_some() { hub::message(text) } else { reply::remark(text) })
    }

    /// Writes lines and flushes them.
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.record.went(text);
        self.output.write_all(text.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }
}
