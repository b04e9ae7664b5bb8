//! A closed output ends every command quietly.

use super::command;
#[cfg(unix)]
use std::io::Write;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_closed_pipe_ends_the_process_quietly() {
    let endless = "startpos\n".repeat(10_000);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, endless).unwrap();
    let path = file.path().to_str().unwrap();
    for args in
        [&["analyse", "--depth", "5", "--file", path][..], &["analyse", "--json", "--depth", "5", "--file", path]]
    {
        let mut child = command(args).stdin(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("startpos"));
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
    }
}

/// Runs a command with its output closed; returns the exit code and stderr.
fn unread(args: &[&str]) -> (Option<i32>, String) {
    let mut child = command(args).stdin(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_closed_pipe_changes_neither_files_nor_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (table, endgames, proof, positions) = (path("table"), path("endgames"), path("proof"), path("positions"));
    std::fs::write(&positions, "startpos\n").unwrap();
    for args in [
        &["analyse", "--depth", "4", "--save-hash", &table][..],
        &["endgame", "build", "--size", "4", &endgames],
        &["solve", "--option", "Houses=2", "--option", "Seeds=2", "--certificate", &proof, "--file", &positions],
        &["endgame", "verify", &endgames],
        &["check", &proof],
    ] {
        assert_eq!(unread(args), (Some(0), String::new()), "{args:?}");
    }
    assert!(std::fs::metadata(&table).unwrap().len() > 0 && std::fs::read_dir(&endgames).unwrap().next().is_some());
    let lines = std::fs::read_to_string(&proof).unwrap();
    std::fs::write(&proof, lines.replace("\"upper\":2", "\"upper\":1")).unwrap();
    let (code, err) = unread(&["check", &proof]);
    assert_ne!(code, Some(0), "{err}");
}

/// The moves of a game count although its output is closed.
#[cfg(unix)]
#[test]
fn a_closed_pipe_keeps_the_record_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let play = ["play", "--side", "both", "--game", "nim", "--record", path.to_str().unwrap()];
    let mut child = command(&play).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    // The process may have ended with its output; then this input has no reader.
    let _ = child.stdin.take().unwrap().write_all(b"1-1\n2-1\n3-5\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. 1-1 2-1 2. 3-5"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_decide_the_test() {
    let engine = |name: &str| format!("cmd={} name={name} nodes=20 option.Hash=1", env!("CARGO_BIN_EXE_secateurs"));
    let (one, two) = (engine("one"), engine("two"));
    let game = ["match", "--option", "Houses=2", "-e", &one, "-e", &two, "--random-candidates", "1"];
    let test = ["--rounds", "2", "--random-plies", "2", "--sprt", "0,100", "--exit-code"];
    assert_eq!(unread(&[&game[..], &test].concat()).0, Some(4));
}

#[test]
fn bench_ends_quietly_when_its_output_is_closed() {
    let mut child = command(&["bench"]).stdin(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for argument in ["--help", "--version"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&[argument]).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && err.contains("cannot write"), "{argument}: {err}");
    }
}
