//! A child process at the head of a process group of its own, so that what it starts can be ended with it.
//!
//! That a child has ended is seen without reaping it: until it is reaped its number belongs to nobody else, and the
//! group can be killed without ever hitting a stranger.

use std::fmt;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::thread;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It has ended; somebody else was told how.
    Unknown,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Unknown => f.write_str("it has ended"),
        }
    }
}

/// A process and the group that it heads. Dropped, it is killed and reaped. Where there are no process groups, the
/// process stands alone.
#[derive(Debug)]
pub struct Group {
    child: Child,
    /// Our own process: in a copy of it made by `fork`, as Python does, the group is that of somebody else.
    owner: u32,
    reaped: Option<Exit>,
}

impl Group {
    /// Starts a command. The terminal's Ctrl-C does not reach it.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Self { child: command.spawn()?, owner: std::process::id(), reaped: None })
    }

    /// The number of the process and of its group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether this process started it, and not the one that it is a copy of.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.owner == std::process::id()
    }

    /// Its input, if that was piped and has not been taken.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its output, if that was piped and has not been taken.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Its error output, if that was piped and has not been taken.
    pub fn take_errors(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// How the process ended; `None` while it runs.
    pub fn exit(&mut self) -> Option<Exit> {
        self.reaped.or_else(|| system::exit(&mut self.child))
    }

    /// Waits for the process to end, to the deadline at most.
    pub fn wait(&mut self, deadline: Instant) -> Option<Exit> {
        let mut nap = Duration::from_micros(50);
        loop {
            let exit = self.exit();
            let left = deadline.saturating_duration_since(Instant::now());
            if exit.is_some() || left.is_zero() {
                return exit;
            }
            thread::sleep(nap.min(left));
            nap = (2 * nap).min(Duration::from_millis(10));
        }
    }

    /// Kills all of the group that still lives; its number stays its own until it is [reaped](Self::reap).
    pub fn kill(&mut self) {
        if self.reaped.is_none() && self.is_ours() {
            system::kill(&mut self.child);
        }
    }

    /// Kills the group and takes the process off the system's list: its number may belong to others from now on.
    pub fn reap(&mut self) -> Exit {
        if let Some(exit) = self.reaped {
            return exit;
        }
        if !self.is_ours() {
            return Exit::Unknown;
        }
        self.kill();
        let exit = self.child.wait().map_or(Exit::Unknown, system::read);
        self.reaped = Some(exit);
        exit
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.reap();
    }
}

#[cfg(unix)]
mod system {
    use super::Exit;
    use rustix::io::{Errno, retry_on_intr};
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, ExitStatus};

    pub fn exit(child: &mut Child) -> Option<Exit> {
        let seen = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match retry_on_intr(|| waitid(WaitId::Pid(Pid::from_child(child)), seen)) {
            Ok(status) => {
                let status = status?;
                let signal = status.terminating_signal().map(Exit::Signal);
                Some(status.exit_status().map(Exit::Code).or(signal).unwrap_or(Exit::Unknown))
            }
            // Whoever embeds us lets the system reap.
            Err(Errno::CHILD) => Some(Exit::Unknown),
            Err(_) => None,
        }
    }

    pub fn read(status: ExitStatus) -> Exit {
        let signal = status.signal().map(Exit::Signal);
        status.code().map(Exit::Code).or(signal).unwrap_or(Exit::Unknown)
    }

    pub fn kill(child: &mut Child) {
        kill_group(child.id());
    }

    fn kill_group(id: u32) {
        // To `kill`, group 1 means every process that there is.
        let id = i32::try_from(id).ok().filter(|&id| id > 1).and_then(Pid::from_raw);
        if let Some(id) = id {
            // It fails where nobody is left.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::Exit;
    use std::process::{Child, ExitStatus};

    pub fn exit(child: &mut Child) -> Option<Exit> {
        child.try_wait().ok().flatten().map(read)
    }

    pub fn read(status: ExitStatus) -> Exit {
        status.code().map_or(Exit::Unknown, Exit::Code)
    }

    pub fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
