//! A thread that reads a pipe of a process.

use secateurs::util::forks::tracked;
use std::io::{self, ErrorKind, Read};
#[cfg(unix)]
use std::os::fd::AsFd as Pipe;
use std::thread::{Builder, JoinHandle};

const CHUNK: usize = 1 << 14;

/// The number of reads after the signal to end, for the output that is still in the pipe.
const LAST_READS: usize = 8;

/// The thread. It ends with the pipe; [`close`](Self::close) ends it if a process that has left the group holds the
/// pipe open.
pub(super) struct PipeReader {
    thread: Option<JoinHandle<()>>,
    /// Dropped to end the thread.
    alarm: Option<Alarm>,
}

impl PipeReader {
    pub(crate) fn spawn<P: Pipe + Read + Send + 'static>(
        name: &str,
        pipe: P,
        work: impl FnOnce(Chunks<P>) + Send + 'static,
    ) -> io::Result<Self> {
        let (bell, alarm) = alarm()?;
        let thread = Builder::new().name(name.into()).spawn(tracked(move || work(Chunks { pipe, bell })))?;
        Ok(Self { thread: Some(thread), alarm: Some(alarm) })
    }

    /// Ends the thread after the end of the process.
    pub(crate) fn close(&mut self) {
        self.alarm = None;
        // Outside Unix, another process that holds the pipe would block the join.
        if let Some(thread) = self.thread.take().filter(|thread| cfg!(unix) || thread.is_finished()) {
            let _ = thread.join();
        }
    }

    /// Abandons the thread: after a `fork` the child process has no thread to join.
    pub(crate) fn forget(&mut self) {
        std::mem::forget(self.thread.take());
    }
}

pub(super) struct Chunks<P> {
    pipe: P,
    bell: Bell,
}

impl<P: Pipe + Read> Chunks<P> {
    /// Calls a function for each chunk until it returns `false`. Returns whether the pipe was read to its end.
    pub(crate) fn each(mut self, mut on_chunk: impl FnMut(&[u8]) -> bool) -> io::Result<bool> {
        let (mut chunk, mut reads) = (vec![0; CHUNK], LAST_READS);
        loop {
            let (is_ready, is_signalled) = self.bell.wait(&self.pipe);
            reads -= usize::from(is_signalled);
            if !is_ready || reads == 0 {
                return Ok(false);
            }
            match self.pipe.read(&mut chunk) {
                Ok(0) => return Ok(true),
                Ok(count) if on_chunk(&chunk[..count]) => {}
                Ok(_) => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(unix)]
type Alarm = io::PipeWriter;

/// The other end of the alarm.
#[cfg(unix)]
struct Bell(io::PipeReader);

#[cfg(unix)]
fn alarm() -> io::Result<(Bell, Alarm)> {
    io::pipe().map(|(reader, writer)| (Bell(reader), writer))
}

#[cfg(unix)]
impl Bell {
    /// Waits. Returns whether the pipe has data or its end, and whether the thread should end.
    fn wait(&self, pipe: &impl Pipe) -> (bool, bool) {
        use rustix::event::{PollFd, PollFlags, poll};
        let mut both = [PollFd::new(pipe, PollFlags::IN), PollFd::new(&self.0, PollFlags::IN)];
        // If polling fails, the read reports the error.
        match rustix::io::retry_on_intr(|| poll(&mut both, None)) {
            Ok(_) => (!both[0].revents().is_empty(), !both[1].revents().is_empty()),
            Err(_) => (true, false),
        }
    }
}

#[cfg(not(unix))]
type Alarm = ();

#[cfg(not(unix))]
struct Bell;

#[cfg(not(unix))]
pub(super) trait Pipe {}

#[cfg(not(unix))]
impl<T: Read> Pipe for T {}

#[cfg(not(unix))]
fn alarm() -> io::Result<(Bell, Alarm)> {
    Ok((Bell, ()))
}

#[cfg(not(unix))]
impl Bell {
    fn wait<T>(&self, _: &T) -> (bool, bool) {
        (true, false)
    }
}
