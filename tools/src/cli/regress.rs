//! `secateurs regress`: builds two git revisions of an engine, and runs a sequential test between them.

use super::interrupt::Interrupt;
use super::output::Output;
use super::read::read;
use super::setup::GameArgs;
use super::{Cli, Command as Subcommand, Failure, Status, matches};
use crate::arena::Tournament;
use crate::client::Exit;
use crate::client::group::Group;
use secateurs::core::StopFlag;
use secateurs::core::error::Quoted;
use secateurs::util::lock::lock;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The arguments of `regress`.
#[derive(clap::Args)]
#[command(after_help = NOTES)]
pub struct RegressArgs {
    /// Two git revisions; BASE alone is compared with HEAD
    #[arg(value_name = "BASE..HEAD")]
    revisions: Revisions,
    /// Shell command that builds a revision, run in its own checkout
    #[arg(long, value_name = "COMMAND")]
    build: Option<String>,
    /// The engine: a program and its arguments; a relative path starts at the checkout
    #[arg(long = "cmd", value_name = "COMMAND")]
    command: String,
    /// The repository, or a folder in it
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    repo: PathBuf,
    /// Arguments of `secateurs match`: clocks, openings, the test [default test: --sprt=-5,0]
    #[arg(last = true, value_name = "MATCH")]
    rest: Vec<String>,
}

const NOTES: &str = "\
The first engine of the match is HEAD. Both are built in temporary checkouts (git worktree), which are removed at the end; \
what is not committed is not tested. With the default test H0 says that HEAD is weaker by 5 Elo, H1 that it is not weaker.

Examples:
  secateurs regress main..HEAD --build \"cargo build --release\" --cmd target/release/engine -- --each tc=1+0.01 -c 2
  secateurs regress v1.2 --build \"make -j\" --cmd ./engine -- --each \"proto=uci nodes=20000\" --sprt 0,5

Exit codes: 0 H1 accepted; 3 H0 accepted; 4 undecided; 1 a build failed, an engine did not start, or it was stopped; 2 an \
argument or a revision cannot be used, and nothing was built; 130 the third Ctrl-C.";

/// The default test.
const TEST: &str = "--sprt=-5,0";

/// The time between two looks at a build.
const POLL: Duration = Duration::from_millis(10);

/// The two revisions of `BASE..HEAD`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Revisions {
    base: String,
    head: String,
}

impl FromStr for Revisions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (base, head) = text.split_once("..").unwrap_or((text, ""));
        if base.is_empty() || head.starts_with('.') {
            return Err("not BASE..HEAD".into());
        }
        Ok(Self { base: base.into(), head: if head.is_empty() { "HEAD" } else { head }.into() })
    }
}

/// Builds both revisions, and plays the match.
pub(super) fn run(args: &RegressArgs, game: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.outlive();
    let revisions = [&args.revisions.head, &args.revisions.base].map(|name| Revision::find(&args.repo, name));
    let [head, base] = revisions;
    let (head, base) = (head?, base?);
    if head.commit == base.commit {
        return Err(Failure::Usage(format!("{} and {} are the same commit", base.name, head.name)));
    }
    let unusable = |error: io::Error| Failure::Usage(format!("no folder for the checkouts: {error}"));
    let folder = tempfile::Builder::new().prefix("secateurs-regress-").tempdir().map_err(unusable)?;
    let folders = ["head", "base"].map(|name| folder.path().join(name));
    // Report errors in the match arguments before the builds.
    let (arguments, tournament) = match_of(args, game, [&head, &base], &folders)?;
    let interrupt = Interrupt::listen();
    let (repo, parent, running) = (args.repo.clone(), folder.path().to_owned(), Running::default());
    let building = running.clone();
    interrupt.at_exit(move || {
        building.end();
        let _ = std::fs::remove_dir_all(&parent);
        let _ = git(&repo, &["worktree", "prune"]);
    });
    let mut checkouts = Checkouts { repo: &args.repo, folders: Vec::new(), _parent: folder };
    for (revision, folder) in [head, base].iter().zip(folders) {
        checkouts.add(revision, folder.clone())?;
        let start = Instant::now();
        if let Some(command) = &args.build {
            writeln!(out.err(), "building {}", revision.name)?;
            running.build(command, &folder, &revision.name, &interrupt.stop)?;
            writeln!(out.err(), "built {} in {:.1} s", revision.name, start.elapsed().as_secs_f64())?;
        }
    }
    matches::play(&arguments, tournament, out, &interrupt).map_err(|failure| match failure {
        // The arguments were valid: an engine does not start, or a file cannot be used.
        Failure::Usage(why) => Failure::Stopped(why),
        other => other,
    })
}

/// Parses the match as a command line.
fn match_of(
    args: &RegressArgs,
    game: &GameArgs,
    revisions: [&Revision; 2],
    folders: &[PathBuf; 2],
) -> Result<(Box<matches::MatchArgs>, Tournament), Failure> {
    let usage = |text: &str| Failure::Usage(text.trim_start_matches("error: ").trim_end().to_owned());
    let is_engine = |word: &String| ["-e", "--engine"].contains(&&**word) || word.starts_with("--engine=");
    if args.rest.iter().any(is_engine) {
        return Err(usage("a regression test is between two revisions: after -- there is no --engine"));
    }
    let mut line = vec!["secateurs".to_owned(), "match".to_owned(), "--exit-code".to_owned()];
    for (revision, folder) in revisions.into_iter().zip(folders) {
        line.extend(["--engine".to_owned(), words(&args.command, &revision.name, folder).map_err(|why| usage(&why))?]);
    }
    if !args.rest.iter().any(|word| word == "--sprt" || word.starts_with("--sprt=")) {
        line.push(TEST.into());
    }
    line.extend(args.rest.iter().cloned());
    match read(line) {
        Ok(Cli { command: Some(Subcommand::Match(args)), .. }) => {
            let tournament = matches::tournament(&args, args.game.with(game)?.setup()?)?;
            Ok((args, tournament))
        }
        Ok(_) => Err(usage("these are not the arguments of a match")),
        Err(error) => Err(usage(&error.to_string())),
    }
}

/// Returns the description of an engine in its checkout, as words of a match.
fn words(command: &str, name: &str, folder: &Path) -> Result<String, String> {
    let bad = || format!("--cmd {} is not a command", Quoted::new(command));
    let mut parts = shlex::split(command).filter(|parts| !parts.is_empty()).ok_or_else(bad)?;
    // A bare name is searched in PATH.
    if Path::new(&parts[0]).components().count() > 1 || parts[0].starts_with("./") {
        parts[0] = folder.join(&parts[0]).to_string_lossy().into_owned();
    }
    let quoted = |parts: &[String]| shlex::try_join(parts.iter().map(String::as_str)).map_err(|_| bad());
    let words =
        [format!("cmd={}", quoted(&parts)?), format!("name={name}"), format!("dir={}", folder.to_string_lossy())];
    quoted(&words)
}

/// The build that is running, if any, with all processes that it started.
#[derive(Clone, Default)]
struct Running(Arc<Mutex<Option<Group>>>);

impl Running {
    /// Runs a build in its folder; its output goes to stderr. It is killed when the flag is raised.
    fn build(&self, command: &str, folder: &Path, name: &str, stop: &StopFlag) -> Result<(), Failure> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(folder).stdin(Stdio::null()).stdout(io::stderr());
        let failed = |why: String| Failure::Stopped(format!("{name}: the build {why}"));
        {
            // A signal that ends the process waits until the build can be killed.
            let mut running = lock(&self.0);
            let group = Group::spawn(outside_git(&mut shell));
            *running = Some(group.map_err(|error| failed(format!("cannot be started: {error}")))?);
        }
        let built = loop {
            // The lock is released before the pause: a signal that ends the process kills the build.
            let exit = lock(&self.0).as_mut().and_then(Group::exit);
            match exit {
                _ if stop.is_raised() => break Err(Failure::Stopped("stopped by Ctrl-C".into())),
                Some(Exit::Code(0)) => break Ok(()),
                Some(exit) => break Err(failed(format!("failed: {exit}"))),
                None => thread::sleep(POLL),
            }
        };
        *lock(&self.0) = None;
        built
    }

    /// Kills the build before the process ends. It keeps the lock: no build starts afterwards.
    fn end(&self) {
        let mut running = lock(&self.0);
        *running = None;
        mem::forget(running);
    }
}

/// A commit and its name in the match.
struct Revision {
    commit: String,
    name: String,
}

impl Revision {
    fn find(repo: &Path, name: &str) -> Result<Self, Failure> {
        let commit = format!("{name}^{{commit}}");
        let found = git(repo, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
        let found = found.map_err(|why| {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            Failure::Usage(format!("{} is not a revision of {}{why}", Quoted::new(name), repo.display()))
        })?;
        let short: String = found.chars().take(10).collect();
        let name = if found.starts_with(name) { short } else { format!("{name}-{short}") };
        Ok(Self { commit: found, name })
    }
}

/// Checkouts of revisions; dropping this removes them.
struct Checkouts<'a> {
    repo: &'a Path,
    folders: Vec<PathBuf>,
    _parent: TempDir,
}

impl Checkouts<'_> {
    fn add(&mut self, revision: &Revision, folder: PathBuf) -> Result<(), Failure> {
        let text = folder.to_string_lossy().into_owned();
        let added = git(self.repo, &["worktree", "add", "--detach", "--force", &text, &revision.commit]);
        self.folders.push(folder);
        added.map(drop).map_err(|why| Failure::Stopped(format!("{} cannot be checked out: {why}", revision.name)))
    }
}

impl Drop for Checkouts<'_> {
    fn drop(&mut self) {
        for folder in &self.folders {
            // If git cannot remove a checkout, delete its folder and let `prune` update the repository.
            if let Err(why) = git(self.repo, &["worktree", "remove", "--force", &folder.to_string_lossy()]) {
                log::debug!("{}: {why}", folder.display());
                let _ = std::fs::remove_dir_all(folder);
                let _ = git(self.repo, &["worktree", "prune"]);
            }
        }
    }
}

/// Runs git and returns its trimmed output.
///
/// # Errors
/// The trimmed stderr of git.
fn git(repo: &Path, args: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(repo).args(args).stdin(Stdio::null());
    // Ctrl-C is for the match and the builds, not for git.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let output = outside_git(&mut command).output().map_err(|error| format!("git cannot be started: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Removes the variables by which a git hook points its programs to its own repository.
fn outside_git(command: &mut Command) -> &mut Command {
    command.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").env_remove("GIT_INDEX_FILE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_read() {
        let read = |text: &str| text.parse::<Revisions>().map(|Revisions { base, head }| (base, head)).ok();
        let some = |base: &str, head: &str| Some((base.to_owned(), head.to_owned()));
        assert_eq!(read("main..topic"), some("main", "topic"));
        assert_eq!(read("v1.2"), some("v1.2", "HEAD"));
        assert_eq!(read("HEAD~3.."), some("HEAD~3", "HEAD"));
        for wrong in ["", "..", "..x", "a...b"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn engines_are_those_of_the_checkouts() {
        let folder = Path::new("/tmp/a b");
        let read = |command: &str| shlex::split(&words(command, "HEAD-1", folder).unwrap()).unwrap();
        assert_eq!(
            read("./engine --mode 'a b'"),
            ["cmd='/tmp/a b/./engine' --mode 'a b'", "name=HEAD-1", "dir=/tmp/a b"]
        );
        assert_eq!(read("python3 engine.py")[0], "cmd=python3 engine.py");
        assert_eq!(read("/usr/bin/engine")[0], "cmd=/usr/bin/engine");
        assert!(words("", "x", folder).is_err() && words("'", "x", folder).is_err());
    }
}
