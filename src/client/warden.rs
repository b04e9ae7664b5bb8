//! Nothing is left running, even if we are killed: a process that waits for our end, and then ends what we left.
//!
//! The warden is a small process with a group of its own, out of reach of the terminal's Ctrl-C. It is told by lines on
//! its input which groups to guard, `guard N` and `release N`. When the input ends, because we have ended in
//! whatever way, it kills the groups that it still guards, and ends as well. Its program is this crate's own binary by
//! its hidden subcommand `warden`, or any other that calls [`watch`].

use super::group::{Exit, Group, kill_group};
use crate::protocol::line::read_line;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, ErrorKind, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a warden without input may take to end.
const ENDING: Duration = Duration::from_secs(1);

/// A warden, shared by all engines of a process. One that was killed is replaced when it is needed.
///
/// A process that starts a session or a group of its own escapes it, and so does an engine whose starter is killed
/// in the microseconds before the warden is told.
pub struct Warden {
    command: Vec<OsString>,
    post: Mutex<Post>,
}

/// The warden on duty.
struct Post {
    process: Group,
    input: Option<ChildStdin>,
    groups: BTreeSet<u32>,
}

impl Warden {
    /// Starts a warden by its command line: the program, then its arguments.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(command: impl IntoIterator<Item = impl Into<OsString>>) -> io::Result<Self> {
        let command: Vec<OsString> = command.into_iter().map(Into::into).collect();
        let post = Mutex::new(Post::take_up(&command, BTreeSet::new())?);
        Ok(Self { command, post })
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
            *post = Post::take_up(&self.command, std::mem::take(&mut post.groups))?;
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
    fn take_up(command: &[OsString], groups: BTreeSet<u32>) -> io::Result<Self> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a warden needs a command"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null());
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

/// What a warden does, to the end of its input. Lines that it does not understand are passed over.
pub fn watch(mut input: impl BufRead) {
    let mut groups = BTreeSet::new();
    while let Ok(Some(line)) = read_line(&mut input, 100) {
        let text = String::from_utf8_lossy(&line.bytes);
        let mut words = text.split_whitespace();
        match (words.next(), words.next().and_then(|word| word.parse().ok())) {
            (Some("guard"), Some(group)) => drop(groups.insert(group)),
            (Some("release"), Some(group)) => drop(groups.remove(&group)),
            _ => {}
        }
    }
    groups.into_iter().for_each(kill_group);
}
