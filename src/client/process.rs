//! A process that talks by lines: what it is told, what it says and when, and its end.

use super::fault::Fault;
use super::group::{Exit, Group};
use super::output_lines::{End, LONGEST_LINE, OutputLine, OutputLines, Rest};
use super::stderr::Stderr;
use super::transcript::Voice;
use super::watchdog::Watchdog;
use crate::core::StopFlag;
use crate::core::error::Quoted;
use std::io::{self, ErrorKind, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a process that says nothing is looked after.
const ROUND: Duration = Duration::from_millis(100);

/// How often somebody who waits looks whether it was told to give up.
const GLANCE: Duration = Duration::from_millis(20);

/// How long a process may take to end after it has closed a pipe, to be known as ended.
const ENDING: Duration = Duration::from_millis(100);

/// Why a line did not go or come.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// Nothing came by the deadline.
    #[error("it did not answer in time")]
    TimedOut,
    /// Its output has ended, perhaps in the middle of a line, or the process has.
    #[error("it closed its output{}{}", ended(*exit), unfinished(rest))]
    Closed {
        /// How the process ended; `None` if it lives.
        exit: Option<Exit>,
        /// The line without an end that it said last; empty if there is none.
        rest: String,
    },
    /// It does not take input any more.
    #[error("it closed its input{}", ended(*exit))]
    Deaf {
        /// How the process ended; `None` if it lives.
        exit: Option<Exit>,
    },
    /// It did not read its input by the deadline. Nothing can be said to it any more.
    #[error("it does not read its input")]
    Stuck,
    /// It said a line longer than [`LONGEST_LINE`] bytes, which begins so. Nothing is read from it any more.
    #[error("it said a line of more than {LONGEST_LINE} bytes: {0}")]
    TooLong(Quoted),
    /// What should be said is not one line.
    #[error("{0} cannot be said in one line")]
    Unspeakable(Quoted),
    /// A pipe failed, in the words of the system.
    #[error("{0}")]
    Failed(String),
    /// Whoever waited was told to give up.
    #[error("it is not waited for any more")]
    Aborted,
}

/// The time so much later; no wait is longer than a year.
pub(super) fn within(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(365 * 24 * 3600))
}

fn ended(exit: Option<Exit>) -> String {
    exit.map_or_else(String::new, |exit| format!(" ({exit})"))
}

fn unfinished(rest: &str) -> String {
    if rest.is_empty() { String::new() } else { format!(" in the middle of {}", Quoted::new(rest)) }
}

/// A running process with its pipes. Dropped, it is killed with its whole group and reaped, and its thread has ended.
pub struct Process {
    group: Group,
    input: Option<ChildStdin>,
    /// What is being written.
    outgoing: Vec<u8>,
    /// Whether a line went only in part.
    torn: bool,
    lines: Arc<OutputLines>,
    reader: Option<JoinHandle<()>>,
    stderr: Option<Stderr>,
    /// Closed to end the reader.
    #[cfg(unix)]
    attention: Option<io::PipeWriter>,
    watchdog: Option<Arc<Watchdog>>,
    voice: Option<Voice>,
    abort: StopFlag,
    /// The line that was received last.
    last: String,
    /// When it was looked after, and whether it had ended by then.
    looked: (Instant, bool),
}

impl Process {
    /// Starts a command whose stderr the caller has set; of one that is piped the last line is kept. With a warden the process dies with us, however we end;
    /// with a voice all that is said is put down in a transcript.
    ///
    /// # Errors
    /// The program, its pipes, its thread or the warden cannot be had.
    pub fn spawn(command: &mut Command, watchdog: Option<Arc<Watchdog>>, voice: Option<Voice>) -> io::Result<Self> {
        let (rest, attention) = Rest::new()?;
        #[cfg(not(unix))]
        let () = attention;
        let mut group = Group::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let (input, output) = group.take_input().zip(group.take_output()).ok_or(ErrorKind::BrokenPipe)?;
        let lines = Arc::new(OutputLines::default());
        // Whatever fails from here on: dropping the process ends it.
        let mut process = Self {
            group,
            input: Some(input),
            outgoing: Vec::new(),
            torn: false,
            lines: Arc::clone(&lines),
            reader: None,
            stderr: None,
            #[cfg(unix)]
            attention: Some(attention),
            watchdog,
            voice: voice.clone(),
            abort: StopFlag::new(),
            last: String::new(),
            looked: (Instant::now(), false),
        };
        if let Some(watchdog) = &process.watchdog {
            watchdog.guard(process.id())?;
        }
        process.stderr = process.group.take_errors().map(Stderr::new).transpose()?;
        #[cfg(unix)]
        if let Some(input) = &process.input {
            rustix::io::ioctl_fionbio(input, true)?;
        }
        let read = move || lines.read(output, &rest, voice.as_ref());
        process.reader = Some(thread::Builder::new().name("engine".into()).spawn(read)?);
        Ok(process)
    }

    /// The same process, of which nothing is awaited any more once the flag is raised.
    #[must_use]
    pub fn under(mut self, abort: StopFlag) -> Self {
        self.abort = abort;
        self
    }

    /// The line that was received last; empty before the first.
    #[must_use]
    pub fn last(&self) -> &str {
        &self.last
    }

    /// The last line of its stderr that is not blank; `None` if there is none, or if its stderr is not piped.
    pub fn last_error(&mut self) -> Option<Quoted> {
        // What it wrote before it ended may still be on its way.
        let wait = if self.group.exit().is_some() { ENDING } else { Duration::ZERO };
        self.stderr.as_ref()?.last(wait)
    }

    /// The fault of an answer that did not come.
    pub(super) fn lost(&mut self, awaited: &'static str, lost: Lost) -> Fault {
        Fault::Lost { awaited, lost, stderr: self.last_error() }
    }

    /// The fault of a line that did not go.
    pub(super) fn unsaid(&mut self, line: &str, lost: Lost) -> Fault {
        Fault::Unsaid { command: Quoted::part(line), lost, stderr: self.last_error() }
    }

    /// The number of the process and of its group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.group.id()
    }

    /// How the process ended; `None` while it runs.
    pub fn exit(&mut self) -> Option<Exit> {
        self.group.exit()
    }

    /// Says a line, and returns the time just before. Where pipes cannot time out (outside Unix), it may block.
    ///
    /// # Errors
    /// [`Lost::Stuck`] if the line has not gone by the deadline, [`Lost::Deaf`], [`Lost::Failed`], and
    /// [`Lost::Unspeakable`] for a text of several lines.
    pub fn send(&mut self, line: &str, deadline: Instant) -> Result<Instant, Lost> {
        if line.contains(['\n', '\r', '\0']) {
            return Err(Lost::Unspeakable(Quoted::new(line)));
        }
        self.outgoing.clear();
        self.outgoing.extend_from_slice(line.as_bytes());
        self.outgoing.push(b'\n');
        let start = Instant::now();
        self.write(deadline)?;
        if let Some(voice) = &self.voice {
            voice.went(line, start);
        }
        Ok(start)
    }

    fn write(&mut self, deadline: Instant) -> Result<(), Lost> {
        let Some(input) = &mut self.input else { return Err(Lost::Deaf { exit: self.group.exit() }) };
        if self.torn {
            return Err(Lost::Stuck);
        }
        let mut rest = self.outgoing.as_slice();
        while !rest.is_empty() {
            let gone = match input.write(rest) {
                Ok(count) if count > 0 => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => 0,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !writable(input, deadline) {
                        self.torn = rest.len() < self.outgoing.len();
                        return Err(Lost::Stuck);
                    }
                    0
                }
                Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(Lost::Failed(error.to_string())),
                _ => return Err(Lost::Deaf { exit: self.group.wait(Instant::now() + ENDING) }),
            };
            rest = &rest[gone..];
        }
        Ok(())
    }

    /// The next line, if it has arrived by the deadline; without one it is waited for as long as the process lives.
    /// A line that arrived later is kept: it is late even for a caller who comes late.
    ///
    /// # Errors
    /// [`Lost::TimedOut`]; [`Lost::Closed`], [`Lost::TooLong`] and [`Lost::Failed`], for good, after the last line.
    pub fn receive(&mut self, deadline: Option<Instant>) -> Result<OutputLine, Lost> {
        loop {
            if self.abort.is_raised() {
                return Err(Lost::Aborted);
            }
            let glance = Instant::now() + GLANCE;
            let round = deadline.map_or(glance, |deadline| deadline.min(glance));
            match self.lines.next(round) {
                Ok(Some(line)) => {
                    self.last.clone_from(&line.text);
                    return Ok(line);
                }
                Ok(None) => {
                    let (looked, ended) = self.looked;
                    if looked.elapsed() >= ROUND {
                        // Its children may hold the pipe; what it said itself has had a round to arrive.
                        if ended {
                            return Err(Lost::Closed { exit: self.group.exit(), rest: String::new() });
                        }
                        self.looked = (Instant::now(), self.group.exit().is_some());
                    }
                    if deadline.is_some_and(|deadline| deadline <= round) {
                        return Err(Lost::TimedOut);
                    }
                }
                Err(End::Closed(rest)) => {
                    return Err(Lost::Closed { exit: self.group.wait(Instant::now() + ENDING), rest });
                }
                Err(End::TooLong(start)) => return Err(Lost::TooLong(start)),
                Err(End::Failed(reason)) => return Err(Lost::Failed(reason)),
            }
        }
    }

    /// Says `quit`, waits for the process to end, then kills what is left of its group. How it ended; `None` if it had
    /// to be killed.
    pub fn quit(&mut self, grace: Duration) -> Option<Exit> {
        let deadline = within(grace);
        // Its input stays open: some do not survive the end of their input behind it. One that cannot hear is killed.
        let _ = self.send("quit", deadline);
        self.lines.forget();
        let exit = self.group.wait(deadline);
        self.kill();
        exit
    }

    /// Kills the whole group, and leaves nothing of it: no process, no thread, no pipe.
    pub fn kill(&mut self) {
        self.input = None;
        if !self.group.is_ours() {
            // In a copy of the process that started it there is no thread to join, and locks may be held for good.
            std::mem::forget(self.reader.take());
            if let Some(stderr) = &mut self.stderr {
                stderr.forget();
            }
            return;
        }
        self.group.kill();
        // Before its number can belong to somebody else.
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.release(self.group.id());
        }
        self.group.reap();
        self.lines.forget();
        if let Some(stderr) = &mut self.stderr {
            stderr.close();
        }
        #[cfg(unix)]
        drop(self.attention.take());
        if let Some(reader) = self.reader.take() {
            // Elsewhere a stranger who holds the pipe would hold us as well.
            if cfg!(unix) || reader.is_finished() {
                let _ = reader.join();
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until something can be written; false if nothing can by the deadline.
#[cfg(unix)]
fn writable(input: &ChildStdin, deadline: Instant) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(input, PollFlags::OUT)], timeout.as_ref()) {
            Ok(0) => return false,
            Err(rustix::io::Errno::INTR) => {}
            // What is wrong, if something is, writing says.
            _ => return true,
        }
    }
}

#[cfg(not(unix))]
fn writable(_: &ChildStdin, _: Instant) -> bool {
    false
}
