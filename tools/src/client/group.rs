//! A child process that leads its own process group, so that its children can be killed with it.
//!
//! The end of a child is detected without reaping it. Until it is reaped, the system does not reuse its ID, so killing
//! the group cannot hit another process.

use std::fmt;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use std::thread;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Exited with this code.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// It has ended; its status was reaped elsewhere.
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

/// A process and the group that it leads. Dropping it kills and reaps it. On systems without process groups it is the
/// process alone.
#[derive(Debug)]
pub struct Group {
    child: Child,
    /// The ID of the process that started it: after a `fork`, as by Python, the group belongs to the parent.
    owner: u32,
    reaped: Option<Exit>,
}

impl Group {
    /// Starts a command, which the terminal's Ctrl-C does not reach.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        Ok(Self { child: command.spawn()?, owner: std::process::id(), reaped: None })
    }

    /// Returns the ID of the process and of its group.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether this process started it, rather than its parent before a `fork`.
    pub(crate) fn is_ours(&self) -> bool {
        self.owner == std::process::id()
    }

    pub(crate) fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    pub(crate) fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    pub(crate) fn take_errors(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Returns how the process ended; `None` while it runs.
    pub(crate) fn exit(&mut self) -> Option<Exit> {
        self.reaped.or_else(|| system::exit(&mut self.child))
    }

    pub(crate) fn wait(&mut self, deadline: Instant) -> Option<Exit> {
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

    /// Kills the group. The system does not reuse its ID before it is [reaped](Self::reap).
    pub(crate) fn kill(&mut self) {
        if self.reaped.is_none() && self.is_ours() {
            system::kill(&mut self.child);
        }
    }

    /// Kills the group and reaps the process; the system may reuse its ID from then on.
    pub(crate) fn reap(&mut self) -> Exit {
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

    pub(crate) fn exit(child: &mut Child) -> Option<Exit> {
        let seen = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match retry_on_intr(|| waitid(WaitId::Pid(Pid::from_child(child)), seen)) {
            Ok(status) => {
                let status = status?;
                let signal = status.terminating_signal().map(Exit::Signal);
                Some(status.exit_status().map(Exit::Code).or(signal).unwrap_or(Exit::Unknown))
            }
            // The embedding program has the system reap its children.
            Err(Errno::CHILD) => Some(Exit::Unknown),
            Err(_) => None,
        }
    }

    pub(crate) fn read(status: ExitStatus) -> Exit {
        let signal = status.signal().map(Exit::Signal);
        status.code().map(Exit::Code).or(signal).unwrap_or(Exit::Unknown)
    }

    pub(crate) fn kill(child: &mut Child) {
        kill_group(child.id());
    }

    fn kill_group(id: u32) {
        // `kill` takes group 1 for every process of the system.
        let id = i32::try_from(id).ok().filter(|&id| id > 1).and_then(Pid::from_raw);
        if let Some(id) = id {
            // It fails if no process is left.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

#[cfg(not(unix))]
mod system {
    use super::Exit;
    use std::process::{Child, ExitStatus};

    pub(crate) fn exit(child: &mut Child) -> Option<Exit> {
        child.try_wait().ok().flatten().map(read)
    }

    pub(crate) fn read(status: ExitStatus) -> Exit {
        status.code().map_or(Exit::Unknown, Exit::Code)
    }

    pub(crate) fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
