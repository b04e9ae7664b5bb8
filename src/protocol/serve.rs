//! The main loop: one thread reads lines, one does the work, and only this one writes.
//!
//! While work runs, `isready`, `stop`, `ponderhit`, `quit` and `debug` are executed at once. Every other command waits
//! for the work to end, and so does an `isready` that follows its final lines, unless other work waits. A `stop` or
//! `ponderhit` that does not apply to the running work waits for the work that it applies to; for a `ponderhit`, that
//! is the first search that ponders. At the end of the input, pending commands are still executed, and work that waits
//! for `stop` or `ponderhit` is stopped.

use super::command::{self, Command, Dialect};
use super::go::Go;
use super::hub::{self, Hub};
use super::input::{Event, start_threads};
use super::log::ProtocolLog;
use super::reply;
use super::running::Running;
use super::session::Session;
use super::task::{Output, Task};
use super::tree::TreeRequest;
use super::waiting::{FULL, Waiting};
use crate::core::StopFlag;
use crate::core::error::{Error, Quoted};
use crate::core::solution::SolveRequest;
use crate::registry::Setup;
use crate::search::cpu;
use std::io::{self, ErrorKind, Read, Write};
use std::panic;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// The time that work has to clean up when the dialogue is over.
const TIDYING: Duration = Duration::from_secs(1);

/// The settings of a dialogue.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The registered name of the game at the start; `None`: Kalah, or chess after `uci`.
    pub game: Option<String>,
    /// A game outside the registry, instead of `game`. It is the only one of the dialogue.
    pub outside: Option<Setup>,
    /// The names and values of options to set before the first command, as by `setoption`.
    pub options: Vec<(String, String)>,
    /// The path of the log, if any. A write error ends the log with a warning.
    pub log: Option<PathBuf>,
}

/// Why a dialogue could not begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A setting is invalid, or the log cannot be created; no input has been read. In a dialogue: a command cannot be
    /// executed, and nothing has changed.
    #[error(transparent)]
    Refused(#[from] Error),
    /// The system cannot start a thread. No input has been read.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The output failed.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Runs a dialogue until `quit`, the end of the input, or a closed output. It starts all the threads it needs first:
/// once they run, every `go` is answered.
///
/// # Errors
/// [`ServeError`].
pub fn serve(settings: &Settings, input: impl Read + Send + 'static, output: impl Write) -> Result<(), ServeError> {
    let (sender, tasks) = channel();
    let mut dialogue = Dialogue::new(settings, output, sender)?;
    let events = start_threads(input, tasks).map_err(ServeError::Thread)?;
    let result = dialogue.run(&events);
    dialogue.leave(&events);
    match result {
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

pub(super) struct Dialogue<W> {
    session: Session,
    log: ProtocolLog,
    output: W,
    /// The tasks for the worker thread; at most one runs.
    tasks: Sender<Task>,
    running: Option<Running>,
    waiting: Waiting,
    hub: Hub,
    input_ended: bool,
    pub(super) has_quit: bool,
    debug: bool,
}

impl<W: Write> Dialogue<W> {
    pub(super) fn new(settings: &Settings, output: W, tasks: Sender<Task>) -> Result<Self, ServeError> {
        let session = match &settings.outside {
            Some(setup) => Session::outside(setup, &settings.options),
            None => Session::new(settings.game.as_deref(), &settings.options),
        }?;
        session.check_words()?;
        Ok(Self {
            session,
            log: ProtocolLog::new(settings.log.as_deref())?,
            output,
            tasks,
            running: None,
            waiting: Waiting::default(),
            hub: Hub::default(),
            input_ended: false,
            has_quit: false,
            debug: false,
        })
    }

    fn run(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        while !(self.has_quit || (self.input_ended && self.running.is_none())) {
            let Ok(event) = events.recv() else { break };
            match event {
                Event::Line(line) => self.receive(line)?,
                Event::End => {
                    self.input_ended = true;
                    self.end_wait();
                    self.release()?;
                }
                Event::Task(output) => self.work(output)?,
                Event::Raised(payload) => panic::resume_unwind(payload),
            }
        }
        Ok(())
    }

    /// Passes on an output of the running work.
    pub(super) fn work(&mut self, output: Output) -> io::Result<()> {
        match output {
            Output::Line(line) => self.say(&line),
            Output::Closing(lines) => self.close(lines),
            Output::Done => self.done(),
        }
    }

    /// Stops running work at the end of the dialogue. Work that must clean up also says how it ended.
    fn leave(&mut self, events: &Receiver<Event>) {
        let Some(running) = &self.running else { return };
        running.stop.raise();
        while self.running.as_ref().is_some_and(|running| running.cleans_up) {
            match events.recv_timeout(TIDYING) {
                Ok(Event::Task(Output::Closing(lines))) => drop(self.say(&lines)),
                Ok(Event::Task(Output::Done)) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    /// Executes a received line at once, or queues it after the running work.
    pub(super) fn receive(&mut self, line: Result<Vec<u8>, Error>) -> io::Result<()> {
        if let Ok(line) = &line {
            self.log.received(line);
        }
        let bytes = line.as_ref().map_or(0, Vec::len);
        let parsed = line.and_then(|line| match self.session.dialect() {
            Dialect::Hub => self.hub.parse(&line),
            Dialect::Uci | Dialect::Ugi => command::parse(&line),
        });
        let Some(command) = parsed.transpose() else { return Ok(()) };
        let Some(running) = &self.running else { return self.execute(command) };
        let fits = match command {
            Ok(Command::Ping | Command::Quit | Command::Debug(_)) => return self.execute(command),
            // Once the final lines are written it prepares the next search, after the options that wait.
            Ok(Command::IsReady) if !running.is_closed || self.waiting.has_work() => return self.execute(command),
            Ok(Command::Stop) if running.can_stop() => return self.execute(command),
            Ok(Command::PonderHit) if running.can_be_hit() => return self.execute(command),
            Ok(word @ (Command::Stop | Command::PonderHit)) => self.waiting.push_word(bytes, word),
            command => {
                let is_go = command.as_ref().is_ok_and(Command::is_go);
                let fits = self.waiting.push(bytes, command);
                if !fits && is_go {
                    self.waiting.refuse();
                    return Ok(());
                }
                fits
            }
        };
        if fits { Ok(()) } else { self.remark(FULL) }
    }

    fn execute(&mut self, command: Result<Command, Error>) -> io::Result<()> {
        let mut is_go = command.as_ref().is_ok_and(Command::is_go);
        let refused = match command {
            Ok(command) => match self.act(command) {
                Ok(()) => return Ok(()),
                Err(ServeError::Refused(error)) => error,
                Err(ServeError::Output(error) | ServeError::Thread(error)) => return Err(error),
            },
            Err(error) => {
                if let Error::BadCommand(line, _) = &error {
                    is_go = line.starts_with("go ") || *line == Quoted::new("go");
                    // `position` or, in Hub, `pos`.
                    if line.starts_with("pos") {
                        self.session.refuse_position();
                    }
                }
                error
            }
        };
        self.complain(&refused)?;
        // A manager that waits for the end of the search continues with an error rather than another search's move.
        if is_go { self.say(&self.session.writer().no_move()) } else { Ok(()) }
    }

    fn act(&mut self, command: Command) -> Result<(), ServeError> {
        match command {
            Command::Quit => self.quit()?,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::IsReady => self.ready()?,
            Command::Debug(on) => self.debug = on,
            Command::Handshake(dialect) => {
                let lines = self.session.handshake(dialect)?;
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
                let (note, placed) = self.session.place(&text, &moves);
                if let Some(note) = note {
                    self.remark(&note)?;
                }
                placed?;
            }
            Command::Go(go) => self.go(&go)?,
            Command::Solve(request) => self.solve(request)?,
            Command::Tree(TreeRequest { request, room }) => {
                self.begin(Task::tree(self.session.board()?.boxed(), request, room))?;
            }
            Command::Perft(depth) => self.begin(Task::perft(self.session.board()?.boxed(), depth))?,
            Command::SaveHash(path) => {
                self.begin(Task::save(self.session.table(), self.session.board()?.boxed(), path))?;
            }
            Command::LoadHash(path) => {
                self.begin(Task::load(self.session.table(), self.session.board()?.boxed(), path))?;
            }
            Command::Bench => self.begin(Task::bench())?,
            Command::Query(query) => self.say(&reply::response(&query, self.session.board()?))?,
            Command::Draw => self.say(&reply::board(self.session.board()?))?,
            Command::Moves => self.say(&self.session.board()?.moves().join(" "))?,
            Command::Eval => self.say(&reply::evaluation(self.session.board()?))?,
            Command::Help => self.say(reply::HELP)?,
        }
        Ok(())
    }

    /// Ends the dialogue, and names the files that waiting commands would have saved.
    fn quit(&mut self) -> io::Result<()> {
        self.has_quit = true;
        let paths: Vec<_> = self.waiting.saves().map(|path| Quoted::new(&path.to_string_lossy())).collect();
        paths.iter().try_for_each(|path| self.remark(&format!("savehash {path} is not executed: quit ends all work")))
    }

    /// Replies at once while work runs, otherwise once the table's memory, books and learned positions are ready.
    fn ready(&mut self) -> io::Result<()> {
        let reply = self.session.writer().ready();
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
        self.begin(Task::ready(self.session.table(), self.session.books().cloned(), learned, reply))
    }

    fn go(&mut self, go: &Go) -> Result<(), ServeError> {
        let board = self.session.board()?.boxed();
        let (request, remarks) = go.request(&*board, self.session.general())?;
        for remark in remarks {
            self.remark(&remark)?;
        }
        if self.debug {
            let Go { ponder, infinite, .. } = go;
            self.remark(&format!("{request:?}, ponder: {ponder}, infinite: {infinite}"))?;
        }
        let is_endless = go.infinite || !request.limits.is_finite();
        let mut task = match self.session.by_the_book(&request).filter(|_| !is_endless) {
            Some(report) => Task::book(report, self.session.writer(), board),
            None => {
                let (learned, remark) = self.session.learned();
                if let Some(remark) = remark {
                    self.remark(&remark)?;
                }
                Task::search(board.engine(self.session.table()), learned, request, self.session.writer(), board)
            }
        };
        if go.ponder {
            task.stop = StopFlag::pondering();
        }
        task.is_endless = is_endless;
        Ok(self.begin(task)?)
    }

    fn solve(&mut self, mut request: SolveRequest) -> Result<(), ServeError> {
        request.threads = self.session.general().threads;
        let board = self.session.board()?.boxed();
        if self.debug {
            self.remark(&format!("{request:?}"))?;
        }
        Ok(self.begin(Task::solve(board.engine(self.session.table()), request, board))?)
    }

    fn begin(&mut self, task: Task) -> io::Result<()> {
        self.running = Some(Running::new(&task));
        self.end_wait();
        self.tasks.send(task).map_err(|_| io::Error::other("the worker thread has ended"))
    }

    /// Stops work that waits for `stop` or `ponderhit` if neither can follow: the input has ended, and none is queued
    /// behind its command.
    fn end_wait(&self) {
        let waits = self.running.as_ref().filter(|running| running.waits());
        if let Some(running) = waits.filter(|_| self.input_ended && !self.waiting.has_word()) {
            running.stop.raise();
        }
    }

    /// Writes the final lines of the running work unless they must wait.
    fn close(&mut self, lines: String) -> io::Result<()> {
        let lines = match &mut self.running {
            Some(running) => running.close(lines),
            None => Some(lines),
        };
        lines.map_or(Ok(()), |lines| self.say(&lines))
    }

    /// Executes the queued commands when the work has ended, unless its final lines must wait.
    fn done(&mut self) -> io::Result<()> {
        if let Some(running) = self.running.as_mut().filter(|running| running.holds_lines()) {
            running.has_ended = true;
            return Ok(());
        }
        self.running = None;
        while !self.has_quit
            && let Some(command) = self.waiting.pop(self.running.is_some())
        {
            self.execute(command)?;
        }
        Ok(())
    }

    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &self.running {
            running.stop.raise();
        }
        self.release()
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        if let Some(running) = &self.running {
            running.stop.hit();
        }
        // A search without limits now waits for `stop`.
        self.end_wait();
        self.release()
    }

    /// Writes the held final lines if they need not wait any longer.
    fn release(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let (lines, has_ended) = (running.release(), running.has_ended);
        let Some(lines) = lines else { return Ok(()) };
        self.say(&lines)?;
        if has_ended { self.done() } else { Ok(()) }
    }

    /// Reports a rejected command in one line.
    fn complain(&mut self, error: &Error) -> io::Result<()> {
        log::info!("{error}");
        self.remark(&error.to_string())
    }

    /// Writes a remark in one line.
    fn remark(&mut self, text: &str) -> io::Result<()> {
        self.say(&self.session.writer().remark(text))
    }

    /// Writes lines and flushes them.
    fn say(&mut self, text: &str) -> io::Result<()> {
        self.log.sent(text);
        self.output.write_all(text.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }
}
