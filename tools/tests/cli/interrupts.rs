//! Ctrl-C ends every command with its exit code.

use super::{Ran, command, json, secateurs};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The first Ctrl-C ends the search with its bounds, saves the checkpoint and reads no further line.
#[test]
fn ctrl_c_ends_solve_with_the_bounds_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let args = ["solve", "--json", "--hash", "8", "--every", "1", "--checkpoint", path.to_str().unwrap()];
    let interrupt = |child: &std::process::Child| {
        kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    };
    // During a search, once the checkpoint has been saved; and while a line is awaited.
    for input in ["startpos\nstartpos\n", "<1,0,0,1,1> s\n"] {
        let mut child = command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let mut lines = child.stdin.take().unwrap();
        lines.write_all(input.as_bytes()).unwrap();
        let began = Instant::now();
        while !path.exists() && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let saved = path.metadata().unwrap().modified().unwrap();
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        drop(lines);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(130), 0));
        let said = json(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!(said.len(), 1, "{said:?}");
        let given_up = said[0]["position"] == "startpos";
        assert_eq!(said[0]["proven"] != "exact", given_up, "{said:?}");
        assert!(path.metadata().unwrap().modified().unwrap() >= saved);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        std::fs::remove_file(&path).unwrap();
    }
}

/// Ctrl-C ends every command with its exit code from the start of `main`. Most of these commands wait for a pipe
/// without a writer. No program can handle a signal during its loading: the test waits for the handler.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_every_command_from_its_start() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let pipe = path.to_str().unwrap();
    let [one, two] = ["one", "two"].map(|name| format!("cmd={} name={name}", env!("CARGO_BIN_EXE_secateurs")));
    for args in [
        &["analyse", "--file", pipe][..],
        &["solve", "--file", pipe],
        &["match", "--each", "nodes=1", "-e", &one, "-e", &two, "--openings", pipe],
        &["play"],
        &["bench"],
        &[],
    ] {
        // The tests may run in the background of a script, which ignores Ctrl-C, and so would the program.
        let program = command(args);
        let mut usual = Command::new("env");
        usual.arg("--default-signal=INT").arg(program.get_program()).args(program.get_args());
        let mut child = usual.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        let status = format!("/proc/{}/status", child.id());
        let handled = || {
            let status = std::fs::read_to_string(&status).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & 1 << (Signal::INT.as_raw() - 1) != 0
        };
        while !handled() {
            assert_eq!(child.try_wait().unwrap(), None, "{args:?}");
            assert!(began.elapsed() < Duration::from_secs(30), "{args:?}");
            std::thread::yield_now();
        }
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        // The end of the input would end a dialogue too. `play` may reach its prompt first, where Ctrl-C does not end
        // it.
        let stdin = child.stdin.take().filter(|_| args != ["play"]);
        let code = child.wait_with_output().unwrap().status.code();
        drop(stdin);
        assert!(code == Some(130) || args == ["play"] && code == Some(0), "{args:?}: {code:?}");
    }
}

/// Interrupts a child after it has written `lines` lines.
fn interrupted(args: &[&str], input: &str, lines: usize) -> Ran {
    use rustix::process::{Pid, Signal, kill_process};
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    // The input stays open: more lines may follow.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    for _ in 0..lines {
        assert!(out.read_line(&mut text).unwrap() > 0, "{args:?} ended: {text}");
    }
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    std::io::Read::read_to_string(&mut out, &mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran { code: output.status.code(), out: text, err: String::from_utf8(output.stderr).unwrap() }
}

#[test]
fn ctrl_c_ends_an_analysis_with_the_best_move_so_far() {
    // Three lines: the position, the header, the first iteration.
    let ran = interrupted(&["analyse", "--depth", "200", "startpos", "startpos moves 1"], "", 3);
    assert_eq!((ran.code, ran.err.as_str()), (Some(130), ""), "{}", ran.out);
    assert!(ran.out.contains("\nbest move ") && !ran.out.contains("startpos moves 1"), "{}", ran.out);
    // A table to be saved is saved.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let save = ["analyse", "startpos", "--depth", "200", "--hash", "1", "--save-hash", path.to_str().unwrap()];
    assert_eq!(interrupted(&save, "", 3).code, Some(130));
    assert!(secateurs(&["analyse", "--depth", "2", "--load-hash", path.to_str().unwrap()]).code == Some(0));
    // One position is finished; the next one is being searched, or a line is awaited.
    for input in ["<1,0,0,1,1> s\nstartpos\nstartpos\n", "<1,0,0,1,1> s\n"] {
        let ran = interrupted(&["analyse", "--json", "--nodes", "10000000000", "--file", "-"], input, 1);
        assert_eq!((ran.code, ran.err.as_str()), (Some(130), ""));
        let lines = json(&ran.out);
        assert!(
            (1..=2).contains(&lines.len()) && lines.iter().all(|line| line["best_move"].is_string()),
            "{}",
            ran.out
        );
    }
}

#[test]
fn ctrl_c_ends_an_annotation_and_says_what_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let [games, page] = ["games.pgn", "page.html"].map(|name| folder.path().join(name));
    std::fs::write(&games, "1. e4 e5 *\n\n".repeat(3)).unwrap();
    let arguments =
        |depth| ["analyse", "--depth", depth, "--pgn", games.to_str().unwrap(), "--html", page.to_str().unwrap()];
    assert_eq!(secateurs(&arguments("1")).code, Some(0));
    let before = std::fs::read(&page).unwrap();
    let ran = interrupted_after(&arguments("200"));
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    assert!(ran.err.ends_with("interrupted in game 1; left out: 3 games\n"), "{}", ran.err);
    assert!(std::fs::read(&page).unwrap() == before, "a page of no game replaces none");
}

#[test]
fn ctrl_c_ends_every_long_command_with_the_same_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let endgames = path("endgames");
    for (args, lines, says) in [
        (&["perft", "30"][..], 0, "stopped; 0 of 6 moves were counted: 0 paths"),
        (&["learn", "--games", "1000000", "--depth", "1", "--every", "1"], 3, ""),
        (&["endgame", "build", "--seeds", "24", &endgames], 1, "the same command continues"),
    ] {
        let ran = if lines > 0 { interrupted(args, "", lines) } else { interrupted_after(args) };
        assert_eq!(ran.code, Some(130), "{args:?} {}", ran.err);
        assert!(ran.err.contains(says), "{args:?} {}", ran.err);
    }
    secateurs(&["endgame", "build", "--seeds", "3", &path("small")]);
    let ran = interrupted_after(&["endgame", "verify", "--samples", "100000000000", &path("small")]);
    assert!(ran.code == Some(130) && !ran.err.contains("stopped; 0 positions were right"), "{}", ran.err);
    let book = path("book");
    let ran = interrupted_after(&["book", "build", "--option", "Seeds=6", "--hash", "8", &book]);
    assert!(ran.code == Some(130) && ran.err.contains("the same command continues"), "{}", ran.err);
    let tree = interrupted_after(&["tree", "--depth", "200", "--plies", "1"]);
    assert!(tree.code == Some(130) && tree.out.contains("player 1 to move"), "{}", tree.out);
}

/// Interrupts a child after a second; it writes no line to wait for.
fn interrupted_after(args: &[&str]) -> Ran {
    use rustix::process::{Pid, Signal, kill_process};
    let child = command(args).stdin(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_certified_search() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
    command.args(["solve", "--threads", "256", "--hash", "1", "--certificate", "proof.jsonl"]);
    command.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"startpos\n").unwrap();
    // The warning of 256 threads comes after the handler of Ctrl-C is set.
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(errors.any(|line| line.contains("256 threads")));
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    let rest: Vec<_> = errors.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{rest:?}");
}

/// A signal that ends the process at once leaves no unfinished page, and keeps an older one. The lock without an owner
/// that it leaves is removed by the next process.
#[test]
fn a_signal_leaves_no_unfinished_page() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, "<!DOCTYPE html>\nolder").unwrap();
    let args = ["analyse", "--json", "--depth", "1", "--html", page.to_str().unwrap(), "--pgn", "-"];
    for args in [&args[..], &["tree", "--depth", "200", "--output", page.to_str().unwrap()]] {
        let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(500));
        kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
        child.wait().unwrap();
        let files = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
        let left: Vec<_> = files().into_iter().filter(|path| path.extension() != Some("lock".as_ref())).collect();
        assert_eq!(
            (left, std::fs::read_to_string(&page).unwrap().contains("older")),
            (vec![page.clone()], true),
            "{args:?}"
        );
        let next = command(&["tree", "--depth", "1", "--output", page.to_str().unwrap()]).output().unwrap();
        assert!(next.status.success(), "{args:?}");
        assert_eq!(files(), std::slice::from_ref(&page), "{args:?}");
        std::fs::write(&page, "<!DOCTYPE html>\nolder").unwrap();
    }
}
