//! A process with line-based input and output: sending, receiving with times, and its end.

use super::fault::{Fault, Lost};
use super::group::{Exit, Group};
use super::output_lines::{End, OutputLine, OutputLines};
use super::pipe_reader::PipeReader;
use super::stderr::Stderr;
use super::transcript::Voice;
use super::watchdog::Watchdog;
use secateurs::core::StopFlag;
use secateurs::core::error::Quoted;
use std::io::{self, ErrorKind, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval at which a silent process is checked for its end.
const ROUND: Duration = Duration::from_millis(100);

/// The interval at which a wait checks the abort flag.
const GLANCE: Duration = Duration::from_millis(20);

/// The time for a process to end after it has closed a pipe.
const ENDING: Duration = Duration::from_millis(100);

/// Returns the deadline after this wait, at most a year.
pub(super) fn within(wait: Duration) -> Instant {
    Instant::now() + wait.min(Duration::from_secs(365 * 24 * 3600))
}

/// A running process with its pipes. Dropping it kills and reaps the whole group and joins the reader thread.
pub struct Process {
    group: Group,
    input: Option<ChildStdin>,
    outgoing: Vec<u8>,
    torn: bool,
    lines: Arc<OutputLines>,
    reader: Option<PipeReader>,
    stderr: Option<Stderr>,
    watchdog: Option<Arc<Watchdog>>,
    voice: Option<Voice>,
    abort: StopFlag,
    last: String,
    /// The time of the last check, and whether the process had ended by then.
    looked: (Instant, bool),
}

impl Process {
    /// Starts a command whose stderr the caller has configured; if stderr is piped, its last line is stored. The
    /// watchdog kills the process however this one ends; the voice records the dialogue in a transcript.
    ///
    /// # Errors
    /// The program, its pipes, its thread or the watchdog cannot be started.
    pub fn spawn(command: &mut Command, watchdog: Option<Arc<Watchdog>>, voice: Option<Voice>) -> io::Result<Self> {
        let mut group = Group::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
        let (input, output) = group.take_input().zip(group.take_output()).ok_or(ErrorKind::BrokenPipe)?;
        let lines = Arc::new(OutputLines::default());
        // If anything fails from here on, dropping the process ends it.
        let mut process = Self {
            group,
            input: Some(input),
            outgoing: Vec::new(),
            torn: false,
            lines: Arc::clone(&lines),
            reader: None,
            stderr: None,
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
        let read = move |chunks| lines.read(chunks, voice.as_ref());
        process.reader = Some(PipeReader::spawn("engine", output, read)?);
        Ok(process)
    }

    /// Returns the process with an abort flag: once raised, it ends every wait.
    pub(crate) fn under(mut self, abort: StopFlag) -> Self {
        self.abort = abort;
        self
    }

    /// Returns the last line received; empty before the first.
    pub(crate) fn last(&self) -> &str {
        &self.last
    }

    /// Returns the last line of stderr that is not blank; `None` if there is none, or if stderr is not piped.
    pub(crate) fn last_error(&mut self) -> Option<Quoted> {
        // Output written before the end may still be in the pipe.
        let wait = if self.group.exit().is_some() { ENDING } else { Duration::ZERO };
        self.stderr.as_ref()?.last(wait)
    }

    /// Returns what has arrived of a line without its end.
    pub(crate) fn unfinished(&self) -> String {
        self.lines.unfinished()
    }

    pub(super) fn timed_out(&self) -> Lost {
        Lost::TimedOut { rest: self.unfinished() }
    }

    pub(super) fn lost(&mut self, awaited: &'static str, lost: Lost) -> Fault {
        Fault::Lost { awaited, lost, stderr: self.last_error() }
    }

    pub(super) fn not_sent(&mut self, line: &str, lost: Lost) -> Fault {
        Fault::NotSent { command: Quoted::part(line), lost, stderr: self.last_error() }
    }

    /// Returns the ID of the process and of its group.
    pub fn id(&self) -> u32 {
        self.group.id()
    }

    /// Returns how the process ended; `None` while it runs.
    pub fn exit(&mut self) -> Option<Exit> {
        self.group.exit()
    }

    /// Sends a line and returns the time just before. Outside Unix, where pipes have no time-outs, it may block.
    ///
    /// # Errors
    /// [`Lost::Stuck`] if the line is not written by the deadline, [`Lost::Deaf`], [`Lost::Failed`], and
    /// [`Lost::NotOneLine`] for a text of several lines.
    pub(crate) fn send(&mut self, line: &str, deadline: Instant) -> Result<Instant, Lost> {
        if line.contains(['\n', '\r', '\0']) {
            return Err(Lost::NotOneLine(Quoted::new(line)));
        }
        self.outgoing.clear();
        self.outgoing.extend_from_slice(line.as_bytes());
        self.outgoing.push(b'\n');
        let start = Instant::now();
        self.write(deadline)?;
        if let Some(voice) = &self.voice {
            voice.sent(line, start);
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

    /// Returns the next line if it arrived by the deadline; without a deadline, waits while the process lives. A line
    /// that arrived later stays queued and is late for every call with that deadline.
    ///
    /// # Errors
    /// [`Lost::TimedOut`] and [`Lost::Aborted`]; [`Lost::Closed`], [`Lost::TooLong`] and [`Lost::Failed`], permanently,
    /// after the last line.
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
                        // The process has ended, though its children may hold the pipe; its own output has had an
                        // interval to arrive.
                        if ended {
                            return Err(Lost::Closed { exit: self.group.exit(), rest: String::new() });
                        }
                        self.looked = (Instant::now(), self.group.exit().is_some());
                    }
                    if deadline.is_some_and(|deadline| deadline <= round) {
                        return Err(self.timed_out());
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

    /// Sends `quit`, waits for the process to end, or until the flag is raised, and kills what is left of its group.
    /// Returns how the process ended; `None` if it had to be killed.
    pub(crate) fn quit(&mut self, grace: Duration) -> Option<Exit> {
        let deadline = within(grace);
        // Keep its input open: some engines crash on the end of input after `quit`. A process that cannot receive it is
        // killed.
        let _ = self.send("quit", deadline);
        self.lines.forget();
        let mut exit = None;
        while exit.is_none() && !self.abort.is_raised() && Instant::now() < deadline {
            exit = self.group.wait(deadline.min(Instant::now() + GLANCE));
        }
        self.kill();
        exit
    }

    /// Kills the whole group and releases every thread and pipe.
    pub(crate) fn kill(&mut self) {
        self.input = None;
        let Self { group, reader, stderr, watchdog, lines, .. } = self;
        let readers = reader.iter_mut().chain(stderr.as_mut().map(|stderr| &mut stderr.reader));
        if !group.is_ours() {
            // After a `fork` other threads' locks may be held forever.
            readers.for_each(PipeReader::forget);
            return;
        }
        group.kill();
        // Release it before the system can reuse the ID.
        if let Some(watchdog) = watchdog.take() {
            watchdog.release(group.id());
        }
        group.reap();
        lines.forget();
        readers.for_each(PipeReader::close);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until the pipe is writable; false at the deadline.
#[cfg(unix)]
fn writable(input: &ChildStdin, deadline: Instant) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).ok();
        match poll(&mut [PollFd::new(input, PollFlags::OUT)], timeout.as_ref()) {
            Ok(0) => return false,
            Err(rustix::io::Errno::INTR) => {}
            // If polling fails, the write reports the error.
            _ => return true,
        }
    }
}

#[cfg(not(unix))]
fn writable(_: &ChildStdin, _: Instant) -> bool {
    false
}
