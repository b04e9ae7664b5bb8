//! The watchdog: a process that waits for the end of this one, and then kills the engines that are left running.
//!
//! It is a small process in its own group, out of reach of the terminal's Ctrl-C. Lines on its input, `guard N` and
//! `release N`, name the groups to guard. When the input ends, because this process has ended in any way, it kills the
//! groups that it still guards and exits. It is a script for the system's shell, because this program may be loaded by
//! another one, such as a Python interpreter or a notebook.

use super::group::{Exit, Group};
use secateurs::util::lock::lock;
use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The script of the watchdog, for any POSIX shell. It ignores lines that it cannot parse and group 1, which `kill`
/// takes for every process of the system.
pub const SCRIPT: &str = "\
groups=' '
while read -r word group; do
  case $group in ''|1|0*|*[!0-9]*) continue;; esac
  case $word in
    guard) groups=\"$groups$group \";;
    release) case $groups in *\" $group \"*) groups=\"${groups%%\" $group \"*} ${groups#*\" $group \"}\";; esac;;
  esac
done
for group in $groups; do kill -s KILL -- \"-$group\" 2>/dev/null; done
exit 0";

/// The time for a watchdog to exit after the end of its input.
const ENDING: Duration = Duration::from_secs(1);

/// A watchdog, shared by all engines of a process. If it was killed, it is replaced when needed.
///
/// A process that starts its own session or group escapes it, and so does an engine if this process is killed in the
/// microseconds before the watchdog learns of it.
pub struct Watchdog {
    post: Mutex<Post>,
}

struct Post {
    process: Group,
    input: Option<ChildStdin>,
    groups: BTreeSet<u32>,
}

impl Watchdog {
    /// Starts a watchdog.
    ///
    /// # Errors
    /// There is no shell, or it cannot be started.
    pub fn start() -> io::Result<Self> {
        Ok(Self { post: Mutex::new(Post::start(BTreeSet::new())?) })
    }

    /// Guards a group: it is killed when this process has ended. Fails if the watchdog was lost and cannot be
    /// restarted.
    pub(crate) fn guard(&self, group: u32) -> io::Result<()> {
        let mut post = lock(&self.post);
        post.groups.insert(group);
        if post.send("guard", group).is_err() {
            log::warn!("the watchdog was lost and is restarted");
            *post = Post::start(std::mem::take(&mut post.groups))?;
        }
        Ok(())
    }

    pub(crate) fn release(&self, group: u32) {
        let mut post = lock(&self.post);
        if post.groups.remove(&group) {
            // A lost watchdog is replaced at the next `guard`.
            let _ = post.send("release", group);
        }
    }

    /// Returns the ID of the watchdog's process.
    pub fn id(&self) -> u32 {
        lock(&self.post).process.id()
    }
}

impl Post {
    fn start(groups: BTreeSet<u32>) -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = Group::spawn(&mut command)?;
        let input = process.take_input();
        let mut post = Self { process, input, groups };
        for group in post.groups.clone() {
            post.send("guard", group)?;
        }
        Ok(post)
    }

    fn send(&mut self, word: &str, group: u32) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        input.write_all(format!("{word} {group}\n").as_bytes())
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        self.input = None;
        if self.process.is_ours() && self.process.wait(Instant::now() + ENDING) != Some(Exit::Code(0)) {
            log::warn!("the watchdog did not end properly");
        }
    }
}
