//! Two revisions of an engine in git: built, tested, and the verdict as the exit code.

use crate::engines::assert_gone;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const ENGINE: &str = env!("CARGO_BIN_EXE_secateurs");

/// An engine that always plays house 9, which does not exist, and so loses.
const BAD: &str = "#!/bin/sh\nwhile read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
                   go*) echo bestmove 9;; quit) exit;; esac; done\n";

fn good() -> String {
    format!("#!/bin/sh\nexec {ENGINE}\n")
}

fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(args);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a repository with an engine in each of its revisions, tagged r1, r2, ...
fn repository(engines: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q"]);
    for (engine, number) in engines.iter().zip(1..) {
        fs::write(folder.path().join("engine.src"), engine).unwrap();
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-q", "-m", "an engine", "--allow-empty"]);
        git(folder.path(), &["tag", &format!("r{number}")]);
    }
    folder
}

/// Returns the exit code and the output; checks that no checkout is left.
fn regress(repo: &Path, revisions: &str, build: &str, rest: &[&str]) -> (Option<i32>, String, String) {
    let temporary = tempfile::tempdir().unwrap();
    let mut command = Command::new(ENGINE);
    command.args(["regress", revisions, "--build", build, "--cmd", "./engine", "--repo"]).arg(repo);
    command.args(["--", "--option", "Houses=3", "--random-nodes", "50"]).args(rest);
    let output = command.env("TMPDIR", temporary.path()).stdin(Stdio::null()).output().unwrap();
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "checkouts are removed");
    assert_eq!(git(repo, &["worktree", "list"]).lines().count(), 1, "and git knows of none");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const BUILD: &str = "echo compiling; cp engine.src engine && chmod +x engine";

#[test]
fn the_verdict_is_the_exit_code() {
    let repo = repository(&[BAD, &good(), &good()]);
    let test = ["--each", "nodes=50 option.Hash=1 lenient=true", "--rounds", "60", "--sprt", "0,400"];
    let (code, out, err) = regress(repo.path(), "r1..r2", BUILD, &test);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("H1 accepted"), "{out}");
    for part in ["building r2-", "compiling", "built r1-"] {
        assert!(err.contains(part), "{part} in {err}");
    }
    let (code, out, err) = regress(repo.path(), "r2..r1", BUILD, &test);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(out.contains("H0 accepted") && out.lines().any(|line| line.starts_with("r1-")), "{out}");
    // HEAD is r3; two rounds decide nothing.
    let few = ["--each", "nodes=50 option.Hash=1 lenient=true", "--rounds", "2"];
    let (code, out, err) = regress(repo.path(), "r2", BUILD, &few);
    assert_eq!(code, Some(4), "{out}{err}");
    assert!(out.contains("SPRT [-5, 0]") && out.contains("undecided"), "the default test: {out}");
}

/// The folder of the checkouts is another one each time.
#[test]
fn the_same_command_continues_its_record() {
    let repo = repository(&[&good(), &good()]);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record");
    let rest = ["--each", "nodes=50 option.Hash=1 lenient=true", "--rounds", "2", "--record", record.to_str().unwrap()];
    let (code, first, err) = regress(repo.path(), "r1..r2", BUILD, &rest);
    assert_eq!(code, Some(4), "{first}{err}");
    let written = fs::read(&record).unwrap();
    let (code, again, err) = regress(repo.path(), "r1..r2", BUILD, &rest);
    assert!(code == Some(4) && first.ends_with(&again), "{first}\n{again}{err}");
    assert_eq!(fs::read(&record).unwrap(), written, "no game is played again");
    let (code, _, err) = regress(repo.path(), "r1..r2", BUILD, &[&rest[..], &["--seed", "7"]].concat());
    assert!(code == Some(1) && err.contains("another match"), "{code:?} {err}");
}

#[test]
fn bad_arguments_are_reported_before_any_build() {
    let repo = repository(&[BAD, BAD]);
    let count = repo.path().join("builds");
    let build = format!("echo build >> {}; false", count.display());
    let each = ["--each", "nodes=5"];
    for (revisions, rest, expected) in [
        ("r1..r7", &each[..], "\"r7\" is not a revision"),
        ("r1..r1", &each[..], " are the same commit"),
        ("--help..r1", &each[..], "--help"),
        ("r1..r2", &[][..], "no limit"),
        ("r1..r2", &["--each", "nodes=5", "-e", "cmd=x"][..], "after -- there is no --engine"),
        ("r1..r2", &["--each", "nodes=5", "--sprt", "5,0"][..], "elo0"),
        ("r1..r2", &["--each", "nodes=5", "--no-such"][..], "--no-such"),
        ("r1..r2", &["--each", "nodes=5", "--option", "Houses=99"][..], "Houses"),
    ] {
        let (code, out, err) = regress(repo.path(), revisions, &build, rest);
        assert!(code == Some(2) && err.contains(expected), "{revisions} {rest:?}: {code:?} {out}{err}");
    }
    assert!(!count.exists());
    let (code, _, err) = regress(repo.path(), "r1..r2", &build, &each);
    assert_eq!(code, Some(1));
    assert!(err.contains("r2-") && err.contains("the build failed: exit code 1"), "{err}");
    assert_eq!(fs::read_to_string(&count).unwrap(), "build\n", "the other one is not built any more");
    // The engine is built but does not start: not an error of the command line.
    let (code, out, err) = regress(repo.path(), "r1..r2", "true", &each);
    assert!(code == Some(1) && err.contains("r2-"), "{code:?} {out}{err}");
    let nowhere = tempfile::tempdir().unwrap();
    let output = Command::new(ENGINE)
        .args(["regress", "r1", "--cmd", "./x", "--repo"])
        .arg(nowhere.path())
        .args(["--", "--each", "nodes=1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a revision of"), "no repository there");
}

/// A signal ends a build with all its processes. Nothing is left.
#[test]
fn a_signal_during_a_build_leaves_no_process_and_no_checkout() {
    for (signal, expected) in [("INT", 1), ("TERM", 143), ("HUP", 129)] {
        let (repo, temporary) = (repository(&[BAD, BAD]), tempfile::tempdir().unwrap());
        let group = repo.path().join("group");
        let build = format!("echo $$ >{}; sleep 30 & echo compiling; wait", group.display());
        let mut command = Command::new(ENGINE);
        command.args(["regress", "r1..r2", "--build", &build, "--cmd", "./engine", "--repo"]);
        command.arg(repo.path()).args(["--", "--each", "nodes=5"]).env("TMPDIR", temporary.path());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line == "compiling"));
        assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{signal}");
        assert_gone(fs::read_to_string(group).unwrap().trim().parse().unwrap());
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "{signal}");
        assert_eq!(git(repo.path(), &["worktree", "list"]).lines().count(), 1, "{signal}");
    }
}
