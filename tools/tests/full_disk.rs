//! Learning on a full disk, which a limit of file sizes stands for.

use crate::common::learning::{HEAD, RECORD, kalah, learned, pairs, size};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use secateurs::rote_learning::{MIB, RoteLearning};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// An engine of which no file may grow beyond a KiB.
struct Engine {
    process: Child,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn new(path: &Path) -> Self {
        let script = format!("ulimit -S -f 1; exec {}", env!("CARGO_BIN_EXE_secateurs"));
        let mut process = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut engine = Self { process, output };
        engine.send("setoption name LearnSize value 1");
        engine.send(&format!("setoption name LearnFile value {}", path.display()));
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.process.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a command, and returns the remarks before the reply.
    fn remarks(&mut self, command: &str, reply: &str) -> Vec<String> {
        self.send(command);
        let lines = (&mut self.output).lines().map(Result::unwrap);
        lines.take_while(|line| !line.starts_with(reply)).filter(|line| line.starts_with("info string")).collect()
    }

    /// Searches the positions after two moves, and returns the remarks.
    fn search(&mut self) -> Vec<String> {
        let mut said = Vec::new();
        for moves in pairs() {
            self.send(&format!("position startpos moves {}", moves.join(" ")));
            said.extend(self.remarks("go depth 2", "bestmove"));
        }
        said
    }

    fn end_of_the_limit(&self) {
        let unlimited = Rlimit { current: None, maximum: None };
        prlimit(Some(Pid::from_child(&self.process)), Resource::Fsize, unlimited).unwrap();
    }

    fn finish(mut self) {
        self.send("quit");
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn nothing_is_lost_but_what_was_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let mut engine = Engine::new(&path);
    let said = engine.search();
    let failed = said.iter().filter(|line| line.contains("cannot write")).count();
    assert_eq!((failed, said.len()), (1, 2), "once, beside the line on the new file: {said:?}");
    let written = size(&path);
    assert!(written <= 1024, "{written} bytes");
    engine.end_of_the_limit();
    engine.send("position startpos");
    assert!(engine.remarks("go depth 2", "bestmove").is_empty());
    assert_eq!(size(&path), written + RECORD, "the next record stands behind whole ones");
    assert!(engine.remarks("isready", "readyok").is_empty());
    engine.finish();
    // Also those that found no room.
    let mut keys = BTreeSet::from([kalah().key()]);
    for moves in pairs() {
        let mut board = kalah();
        moves.iter().for_each(|mv| board.play(mv).unwrap());
        keys.insert(board.key());
    }
    assert_eq!(RoteLearning::open(&path, &*kalah(), MIB).unwrap().positions(), keys.len());
}

#[test]
fn a_full_file_that_cannot_be_shortened_is_used_and_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    learned(&path, MIB / RECORD + 1);
    let before = size(&path);
    let mut engine = Engine::new(&path);
    let said = engine.remarks("isready", "readyok");
    assert!(said.len() == 2 && said[0].contains(" positions are remembered "), "{said:?}");
    assert!(said[1].contains("cannot write "), "{said:?}");
    assert_eq!(engine.search(), Vec::<String>::new());
    assert!(engine.remarks("isready", "readyok").is_empty());
    assert_eq!((size(&path), fs::read_dir(folder.path()).unwrap().count()), (before, 1));
    engine.end_of_the_limit();
    assert!(engine.remarks("isready", "readyok").is_empty());
    assert!(size(&path) < MIB / 2 + HEAD, "{} bytes", size(&path));
    engine.finish();
}
