//! `LearnFile`: what is done at `isready` and not on a clock, and what a full disk leaves of the file.

use crate::common::dialogue::Dialogue;
use secateurs::core::report::Bound;
use secateurs::core::{Proof, Score};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::rote_learning::{MIB, RoteLearning};
use secateurs::search::entry::Entry;
use std::fs;
use std::path::Path;

/// The bytes of a position, and about those of the head.
const RECORD: u64 = 28;
const HEAD: u64 = 200;

fn kalah() -> Box<dyn Board> {
    let row = registry::find("kalah").unwrap();
    row.start(&row.defaults()).unwrap()
}

/// Writes a file of some positions.
fn learnt(path: &Path, positions: u64) {
    let learned = RoteLearning::open(path, &*kalah(), 1024 * MIB).unwrap();
    for key in 0..positions {
        let entry = Entry {
            value: key as Score % 100,
            proof: Proof::NONE,
            code: Some(1),
            depth: 5,
            bound: Bound::Exact,
            evaluation: 0,
            pv: true,
        };
        learned.learn(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), &entry).unwrap();
    }
}

/// Returns every first move with a reply or, after a further turn, a second move.
fn pairs() -> Vec<[String; 2]> {
    let mut pairs = Vec::new();
    for first in kalah().moves() {
        let mut board = kalah();
        board.play(&first).unwrap();
        pairs.extend(board.moves().into_iter().map(|second| [first.clone(), second]));
    }
    pairs
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// Starts a dialogue with a file of at most one MiB.
fn dialogue(path: &Path) -> Dialogue {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("setoption name LearnSize value 1");
    dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
    dialogue
}

/// Sends commands, and returns the remarks before the reply.
fn remarks(dialogue: &Dialogue, commands: &str, reply: &str) -> Vec<String> {
    dialogue.send(commands);
    let lines = dialogue.read_to(reply);
    lines.into_iter().filter(|line| line.starts_with("info string")).collect()
}

#[test]
fn isready_reports_a_damaged_file_and_no_search_reads_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learnt");
    learnt(&path, 100);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let dialogue = dialogue(&path);
    let said = remarks(&dialogue, "isready", "readyok");
    assert!(said.len() == 1 && said[0].contains("\" is damaged: the checksum of the record at byte "), "{said:?}");
    // It would be read now.
    fs::write(&path, &whole).unwrap();
    for (commands, reply) in
        [("go depth 1", "bestmove"), ("isready", "readyok"), ("ucinewgame\ngo depth 1", "bestmove")]
    {
        assert!(remarks(&dialogue, commands, reply).is_empty(), "{commands}");
    }
    dialogue.send("setoption name LearnSize value 2");
    assert!(remarks(&dialogue, "isready", "readyok")[0].contains(" 100 positions are remembered "));
    dialogue.finish();
    assert_eq!(size(&path), whole.len() as u64);
}

#[test]
fn isready_follows_the_options_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["one", "two"].map(|name| folder.path().join(name));
    paths.iter().for_each(|path| learnt(path, 3));
    let dialogue = Dialogue::new("kalah");
    // The option comes while the work before it, which has answered, is about to end.
    for path in paths.iter().cycle().take(100) {
        dialogue.send("go depth 1");
        dialogue.read_to("bestmove ");
        dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
        let said = remarks(&dialogue, "isready", "readyok");
        assert!(said.len() == 1 && said[0].contains("positions are remembered from "), "{said:?}");
    }
    dialogue.finish();
}

#[test]
fn only_isready_shortens_a_file_and_only_a_full_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learnt");
    let most = (MIB - HEAD) / RECORD;
    learnt(&path, most - 50);
    let (dialogue, before) = (dialogue(&path), size(&path));
    assert_eq!(remarks(&dialogue, "isready", "readyok").len(), 1);
    assert_eq!(size(&path), before, "it is not full");
    // More searches than the file has room for.
    for moves in pairs() {
        dialogue.send(&format!("position startpos moves {}", moves.join(" ")));
        for command in ["go depth 1", "ucinewgame\ngo depth 2", "go movetime 1000 depth 3"] {
            assert_eq!(remarks(&dialogue, command, "bestmove"), Vec::<String>::new());
            assert!(size(&path) >= before && size(&path) <= MIB);
        }
    }
    assert!(size(&path) + RECORD > MIB, "{} bytes", size(&path));
    assert!(remarks(&dialogue, "isready", "readyok").is_empty());
    assert!(size(&path) < MIB / 2 + HEAD, "{} bytes", size(&path));
    dialogue.send("position startpos");
    assert!(remarks(&dialogue, "go depth 4", "bestmove").is_empty());
    dialogue.finish();
}

/// On a full disk, which a limit of file sizes stands for.
#[cfg(all(feature = "cli", target_os = "linux"))]
mod full_disk {
    use super::*;
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    use std::collections::BTreeSet;
    use std::io::{BufRead, BufReader, Write};
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
        let path = folder.path().join("learnt");
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
        assert_eq!(RoteLearning::open(&path, &*kalah(), MIB).unwrap().len(), keys.len());
    }

    #[test]
    fn a_full_file_that_cannot_be_shortened_is_used_and_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learnt");
        learnt(&path, MIB / RECORD + 1);
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
}
