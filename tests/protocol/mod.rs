//! The protocol: every transcript of protocol.md, and its promises about bad input, the end of the input and commands
//! during a search.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod clocks;
mod errors;
mod handshakes;
mod inline;
mod learning;
mod options;
mod order;
mod session;
mod solve;

use crate::common::dialogue::{Dialogue, TIMEOUT};
use secateurs::protocol::{Settings, serve};
use std::io::{self, Write};

/// Runs a dialogue whose whole input is there from the beginning.
fn script(game: &str, input: &[u8]) -> Vec<String> {
    let dialogue = Dialogue::new(game);
    dialogue.send_bytes(input);
    dialogue.finish()
}

/// Returns whether a reply is as the page shows it; `*` stands for any text.
fn matches(shown: &str, said: &str) -> bool {
    let mut parts = shown.split('*');
    let Some(mut rest) = said.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let found = if parts.peek().is_none() { rest.strip_suffix(part).map(|_| rest.len()) } else { rest.find(part) };
        let Some(at) = found else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.is_empty()
}

#[test]
fn every_transcript_of_the_specification_is_true() {
    assert!(hold(include_str!("../../protocol.md")) >= 8);
}

#[test]
fn the_dialogue_of_the_quick_start_is_true() {
    assert_eq!(hold(include_str!("../../docs/quickstart.md")), 1);
}

/// Runs every dialogue of a page and compares the replies; returns the number of dialogues.
fn hold(page: &str) -> usize {
    let mut transcripts = 0;
    for block in page.split("```dialogue").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut lines = block.lines();
        let arguments = lines.next().unwrap().trim();
        let game = arguments.strip_prefix("--game ").map(Into::into);
        let dialogue = Dialogue::with(Settings { game, ..Settings::default() });
        let mut skipping = false;
        for line in lines {
            match line.split_at(line.len().min(2)) {
                (">" | "> ", typed) => dialogue.send(typed),
                ("< ", "...") => skipping = true,
                ("<" | "< ", shown) => {
                    let read =
                        || dialogue.output.recv_timeout(TIMEOUT).unwrap_or_else(|_| panic!("nothing like {shown}"));
                    let mut said = read();
                    while skipping && !matches(shown, &said) {
                        said = read();
                    }
                    assert!(matches(shown, &said), "the page shows\n  {shown}\nbut the engine says\n  {said}");
                    skipping = false;
                }
                _ => panic!("neither typed nor answered: {line}"),
            }
        }
        assert_eq!(dialogue.finish(), [""; 0], "after the transcript that begins {block:.80}");
        transcripts += 1;
    }
    transcripts
}

#[test]
fn a_closed_output_ends_the_dialogue_quietly() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }
    serve(&Settings::default(), io::Cursor::new("isready\ngo infinite\n"), Closed).unwrap();
}

#[test]
fn a_record_has_both_directions_and_times() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let settings = Settings { log: Some(file.path().into()), ..Settings::default() };
    serve(&settings, io::Cursor::new("moves\nisready\n"), io::sink()).unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    let said: Vec<_> = log.lines().map(|line| line.trim_start().split_once(' ').unwrap()).collect();
    assert!(said.iter().all(|(time, _)| time.parse::<f64>().unwrap() >= 0.0));
    let words: Vec<_> = said.iter().map(|(_, words)| *words).collect();
    assert_eq!(words, ["> moves", "< 1 2 3 4 5 6", "> isready", "< readyok"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_record_that_cannot_be_written_does_not_end_the_dialogue() {
    let settings = Settings { log: Some("/dev/full".into()), ..Settings::default() };
    let mut said = Vec::new();
    serve(&settings, io::Cursor::new("moves\ngo depth 2\nisready\n"), &mut said).unwrap();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("1 2 3 4 5 6\n") && said.contains("bestmove ") && said.contains("readyok\n"), "{said}");
}
