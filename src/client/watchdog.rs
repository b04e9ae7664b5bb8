//! Nothing is left running, even if we are killed: a process that waits for our end, and then ends what we left.
//!
//! The warden is a small process with a group of its own, out of reach of the terminal's Ctrl-C. It is told by lines on
//! its input which groups to guard, `guard N` and `release N`. When the input ends, because we have ended in
//! whatever way, it kills the groups that it still guards, and ends as well. It is the system's shell with a script, for
//! our own program may be anything that has loaded us: an interpreter of Python, a notebook.

use super::group::{Exit, Group};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The warden, in the words of every POSIX shell. It passes over lines that it does not understand, and groups that are
/// none of ours: to `kill`, group 1 means every process that there is.
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

/// How long a warden without input may take to end.
const ENDING: Duration = Duration::from_secs(1);

/// A warden, shared by all engines of a process. One that was killed is replaced when it is needed.
///
/// A process that starts a session or a group of its own escapes it, and so does an engine whose starter is killed
/// in the microseconds before the warden is told.
pub struct Watchdog {
    post: Mutex<Post>,
}

/// The warden on duty.
struct Post {
    process: Group,
    input: Option<ChildStdin>,
    groups: BTreeSet<u32>,
}

impl Watchdog {
    /// Starts a warden.
    ///
    /// # Errors
    /// There is no shell, or it cannot be started.
    pub fn start() -> io::Result<Self> {
        Ok(Self { post: Mutex::new(Post::start(BTreeSet::new())?) })
    }

    /// From now on a group is killed when we have ended.
    ///
    /// # Errors
    /// The warden was lost, and cannot be started anew.
    pub fn guard(&self, group: u32) -> io::Result<()> {
        let mut post = self.post.lock().unwrap_or_else(PoisonError::into_inner);
        post.groups.insert(group);
        if post.say("guard", group).is_err() {
            log::warn!("the warden was lost and is started anew");
            *post = Post::start(std::mem::take(&mut post.groups))?;
        }
        Ok(())
    }

    /// A group is no longer guarded.
    pub fn release(&self, group: u32) {
        let mut post = self.post.lock().unwrap_or_else(PoisonError::into_inner);
        if post.groups.remove(&group) {
            // A warden that was lost is replaced when the next group comes.
            let _ = post.say("release", group);
        }
    }

    /// The number of the warden's process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.post.lock().unwrap_or_else(PoisonError::into_inner).process.id()
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
            post.say("guard", group)?;
        }
        Ok(post)
    }

    fn say(&mut self, word: &str, group: u32) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        input.write_all(format!("{word} {group}\n").as_bytes())
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        self.input = None;
        if self.process.is_ours() && self.process.wait(Instant::now() + ENDING) != Some(Exit::Code(0)) {
            log::warn!("the warden did not end as it should");
        }
    }
}
