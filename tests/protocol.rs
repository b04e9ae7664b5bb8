//! The protocol: every transcript of protocol.md, and what it promises about bad input, about the end of the
//! input and about commands during a search.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::dialogue::Dialogue;
use proptest::prelude::*;
use secateur::protocol::{Settings, serve};
use std::io::{self, Write};
use std::time::Duration;

/// Holds a dialogue whose input is all there from the beginning.
fn script(game: &str, input: &[u8]) -> Vec<String> {
    let dialogue = Dialogue::new(game);
    dialogue.send_bytes(input);
    dialogue.finish()
}

/// Whether a reply is as the page shows it; `*` stands for anything.
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
    assert!(hold(include_str!("../protocol.md")) >= 8);
}

#[test]
fn the_dialogue_of_the_readme_is_true() {
    assert_eq!(hold(include_str!("../README.md")), 1);
}

/// Holds every dialogue of a page, and compares; returns how many there were.
fn hold(page: &str) -> usize {
    let mut transcripts = 0;
    for block in page.split("```dialogue").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut lines = block.lines();
        let arguments = lines.next().unwrap().trim();
        let game = arguments.strip_prefix("--game ").unwrap_or("kalah");
        let dialogue = Dialogue::new(game);
        let mut skipping = false;
        for line in lines {
            match line.split_at(line.len().min(2)) {
                (">" | "> ", typed) => dialogue.send(typed),
                ("< ", "...") => skipping = true,
                ("<" | "< ", shown) => {
                    let mut said = dialogue.read();
                    while skipping && !matches(shown, &said) {
                        said = dialogue.read();
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
fn a_search_with_a_limit_runs_to_its_end_when_the_input_ends() {
    for go in ["depth 9", "nodes 3000", "movetime 30", "wtime 300 btime 300", "p1time 300 p2time 300 p1inc 1 p2inc 1"] {
        let said = script("kalah", format!("go {go}").as_bytes());
        assert!(said.last().unwrap().starts_with("bestmove "), "{go}: {said:?}");
        assert!(said.len() > 2 && said[0].starts_with("info depth 1 "), "{go}: {said:?}");
    }
}

#[test]
fn a_search_without_a_limit_answers_at_once_when_the_input_ends() {
    for go in ["go", "go infinite", "go infinite\nposition startpos moves 3\ngo"] {
        let said = script("kalah", format!("{go}\n").as_bytes());
        assert_eq!(
            said.iter().filter(|line| line.starts_with("bestmove ")).count(),
            go.matches("go").count(),
            "{said:?}"
        );
        assert!(said.iter().any(|line| line.starts_with("info depth") && line.contains(" score ")));
    }
}

#[test]
fn an_endless_search_that_is_done_keeps_its_answer_until_stop() {
    let dialogue = Dialogue::new("nim");
    dialogue.send("position 1 1");
    dialogue.send("go infinite");
    dialogue.read_to("info depth 1 ");
    std::thread::sleep(Duration::from_millis(50));
    dialogue.send("isready");
    assert_eq!(dialogue.read_to("readyok"), ["readyok"]);
    dialogue.send("stop");
    assert_eq!(dialogue.read(), "bestmove 1-1");
    assert_eq!(dialogue.finish(), [""; 0]);
}

#[test]
fn commands_during_a_search_wait_their_turn_in_order() {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("go infinite");
    for line in ["nonsense", "position startpos moves 6", "moves", "setoption name Hash value 8", "go nodes 50", "eval"]
    {
        dialogue.send(line);
    }
    dialogue.send("isready");
    let before = dialogue.read_to("readyok");
    assert!(before.iter().rev().skip(1).all(|line| line.starts_with("info depth ")), "{before:?}");
    dialogue.send("stop");
    dialogue.read_to("bestmove ");
    assert!(dialogue.read().starts_with("info string bad command \"nonsense\""));
    assert_eq!(dialogue.read(), "1 2 3 4 5 6");
    dialogue.read_to("bestmove ");
    assert!(dialogue.read().starts_with("stores "));
    dialogue.finish();
}

#[test]
fn quit_leaves_at_once_without_a_move() {
    let mut dialogue = Dialogue::new("kalah");
    dialogue.send("go infinite");
    dialogue.read();
    dialogue.send("quit");
    let thread = dialogue.thread;
    dialogue.input.take();
    thread.join().unwrap().unwrap();
    assert!(!dialogue.output.try_iter().any(|line| line.starts_with("bestmove")));
}

#[test]
fn stop_without_a_search_says_nothing() {
    assert_eq!(script("kalah", b"stop\nstop\nisready\n"), ["readyok"]);
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
fn unusable_settings_are_refused_by_name() {
    for (game, option, named) in [
        ("chess960", ("Hash", "1"), "chess960"),
        ("kalah", ("Hush", "1"), "Hush"),
        ("kalah", ("Seeds", "200"), "200"),
        ("kalah", ("Seeds", "100"), "1200 seeds"),
    ] {
        let options = vec![(option.0.to_owned(), option.1.to_owned())];
        let settings = Settings { game: game.into(), options, log: None };
        let error = serve(&settings, io::empty(), io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn a_record_has_both_directions_and_times() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let settings = Settings { log: Some(file.path().into()), ..Settings::default() };
    serve(&settings, io::Cursor::new("isready\nmoves\n"), io::sink()).unwrap();
    let log = std::fs::read_to_string(file.path()).unwrap();
    let said: Vec<_> = log.lines().map(|line| line.trim_start().split_once(' ').unwrap()).collect();
    assert!(said.iter().all(|(time, _)| time.parse::<f64>().unwrap() >= 0.0));
    let words: Vec<_> = said.iter().map(|(_, words)| *words).collect();
    assert_eq!(words, ["> isready", "< readyok", "> moves", "< 1 2 3 4 5 6"]);
}

#[test]
fn what_is_wrong_is_said_in_one_line_and_changes_nothing() {
    let long_word = "x".repeat(1 << 20);
    let long_moves = format!("position startpos moves {}", "3 ".repeat(1 << 19));
    let digits = format!("go depth {}", "9".repeat(1 << 20));
    let too_long = "y".repeat(5 << 20);
    let bad: Vec<Vec<u8>> = vec![
        long_word.clone().into_bytes(),
        format!("position fen {long_word}").into_bytes(),
        format!("setoption name {long_word} value 3").into_bytes(),
        format!("setoption name Houses value {long_word}").into_bytes(),
        too_long.into_bytes(),
        long_moves.into_bytes(),
        b"\xff\xfe\x00position".to_vec(),
        b"position fen \xc3\x28 s".to_vec(),
        b"isready\x00".to_vec(),
        b"go depth -1".to_vec(),
        b"query".to_vec(),
        b"query winner".to_vec(),
        b"debug maybe".to_vec(),
        b"position startpos moves 1 2 3 4 5 6 7 8".to_vec(),
        "setoption name Houses value 6\u{1b}[31m".as_bytes().to_vec(),
    ];
    for line in bad {
        let mut input = b"position startpos moves 6\n".to_vec();
        input.extend_from_slice(&line);
        input.extend_from_slice(b"\nquery p1turn\nmoves\n");
        let said = script("kalah", &input);
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        assert_eq!(said.len(), 3, "{shown}: {said:?}");
        assert!(said[0].starts_with("info string "), "{shown}: {said:?}");
        assert!(said[0].len() < 500 && !said[0].contains(char::is_control), "{shown}: {said:?}");
        assert_eq!(said[1..], ["response false", "1 2 3 4 5 6"], "{shown}");
    }
    let said = script("kalah", format!("position <1,0,0,1,1> s\n{digits}\n").as_bytes());
    assert!(said[0].starts_with("info string depth ") && said[0].ends_with("is taken as 255"), "{said:?}");
}

/// Words that mean something, so that arbitrary lines get past the first one.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "go",
            "depth",
            "nodes",
            "movetime",
            "wtime",
            "btime",
            "movestogo",
            "infinite",
            "perft",
            "position",
            "startpos",
            "fen",
            "moves",
            "stop",
            "setoption",
            "name",
            "value",
            "Hash",
            "Seeds",
            "Houses",
            "UCI_Variant",
            "nim",
            "kalah",
            "query",
            "p1turn",
            "islegal",
            "isready",
            "eval",
            "d",
            "uci",
            "ugi",
            "ucinewgame",
            "Heaps",
            "3,4,5",
            "<2,0,0,1,1,1,1>",
            "s",
            "n",
            "1",
            "2",
            "3",
            "0",
            "-7",
            "99999999999999999999",
            "1-1",
            "\n",
            "\n",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_end_the_dialogue(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut input = bytes;
        input.extend_from_slice(b"\nstop\nisready\n");
        let said = script("kalah", &input);
        prop_assert!(said.iter().any(|line| line == "readyok"));
    }

    #[test]
    fn arbitrary_dialogues_are_answered_line_by_line(words in prop::collection::vec(word(), 0..60)) {
        // Whatever was asked must end: a limit on what may be long.
        let text = words.join(" ").replace("perft", "perf").replace("quit", "qui").replace("bench", "benc");
        let text = text.replace("go ", "go nodes 200 movetime 50 ").replace("go\n", "go nodes 20\n");
        let said = script("kalah", format!("{text}\nstop\nucinewgame\nmoves\nisready\n").as_bytes());
        prop_assert!(said.iter().any(|line| line == "readyok"), "{:?}", said);
        for line in &said {
            prop_assert!(!line.contains(char::is_control), "{:?}", line);
        }
    }
}
