//! The order of commands and answers: `stop`, `ponderhit`, `quit`, and the end of the input.

use super::script;
use crate::common::dialogue::Dialogue;
use std::time::Duration;

#[test]
fn a_search_with_a_limit_runs_to_its_end_when_the_input_ends() {
    for go in [
        "depth 9",
        "nodes 3000",
        "movetime 3000",
        "wtime 3000 btime 3000",
        "wtime 3000 btime 3000 winc 1 binc 1 movestogo 7",
        "p1time 3000 p2time 3000 p1inc 1 p2inc 1",
        "mate 2 nodes 3000",
        "depth 5 searchmoves 3 1",
        "searchmoves 2 movetime 3000 nodes 3000 depth 9 mate 4",
    ] {
        let said = script("kalah", format!("go {go}").as_bytes());
        assert!(said.last().unwrap().starts_with("bestmove "), "{go}: {said:?}");
        assert!(said.len() > 2 && said[0].starts_with("info depth 1 "), "{go}: {said:?}");
    }
}

/// A `ponderhit` that waits behind its search takes effect although the input has ended.
#[test]
fn a_queued_ponderhit_takes_effect_when_the_input_ends() {
    for text in ["isready\ngo ponder depth 5\nponderhit\n", "go depth 9\ngo ponder depth 5\nponderhit\n"] {
        let said = script("kalah", text.as_bytes());
        assert!(said.iter().rev().nth(1).is_some_and(|line| line.starts_with("info depth 5 ")), "{text}: {said:?}");
    }
}

#[test]
fn a_search_without_a_limit_answers_at_once_when_the_input_ends() {
    for go in [
        "go",
        "go infinite",
        "go infinite\nposition startpos moves 3\ngo",
        "go searchmoves 3",
        "go infinite depth 4",
        "go ponder",
        "go ponder infinite",
        "go ponder wtime 300000 btime 300000",
        "go ponder depth 4\ngo depth 3\ngo ponder searchmoves 3 movetime 100000",
    ] {
        let said = script("kalah", format!("{go}\n").as_bytes());
        assert_eq!(
            said.iter().filter(|line| line.starts_with("bestmove ")).count(),
            go.matches("go").count(),
            "{said:?}"
        );
        assert!(said.iter().any(|line| line.starts_with("info depth") && line.contains(" score ")));
    }
}

/// Whatever is queued when the input ends: every search answers, and the dialogue ends.
#[test]
fn every_queued_search_answers_when_the_input_ends() {
    let words = ["go depth 2", "go", "go ponder", "go ponder depth 2", "go infinite", "ponderhit", "stop"];
    for number in 0..words.len().pow(3) {
        let line = |at: u32| words[number / words.len().pow(at) % words.len()];
        let lines: String = (0..3).map(|at| format!("{}\n", line(at))).collect();
        let said = script("nim", lines.as_bytes());
        let answers = said.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, lines.matches("go").count(), "{lines}: {said:?}");
    }
}

#[test]
fn a_finished_infinite_search_withholds_its_answer_until_stop() {
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
fn commands_during_a_search_are_executed_after_it_in_order() {
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
fn stop_applies_to_the_first_search_not_yet_stopped() {
    for (input, moves) in [
        ("isready\ngo infinite\nposition startpos moves 6\nstop\nmoves\n", 1),
        ("isready\ngo ponder infinite\nponderhit\nstop\nmoves\n", 1),
        ("isready\ngo ponder wtime 50 btime 50\nponderhit\nmoves\n", 1),
        ("isready\nstop\nponderhit\nmoves\ngo depth 3\nmoves\n", 1),
        ("go infinite\nstop\ngo infinite\nmoves\nstop\n", 2),
        ("go infinite\ngo infinite\nnonsense\nstop\nstop\nmoves\n", 2),
        ("isready\ngo perft 99\ngo ponder depth 2\nstop\nponderhit\nmoves\n", 1),
    ] {
        let dialogue = Dialogue::new("kalah");
        // Allocating this table takes longer than sending these lines.
        dialogue.send("setoption name Hash value 512");
        dialogue.send_bytes(input.as_bytes());
        let mut said = Vec::new();
        while said.iter().filter(|line: &&String| line.starts_with("bestmove ")).count() < moves {
            said.push(dialogue.read());
        }
        assert_eq!(said.iter().any(|line| line == "readyok"), input.starts_with("isready"), "{input}: {said:?}");
        dialogue.read_to("1 2 3 4 5 6");
        assert_eq!(dialogue.finish(), [""; 0], "{input}");
    }
}

#[test]
fn a_stopped_perft_has_said_what_it_counted() {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("go perft 255");
    dialogue.send("stop");
    let nothing = dialogue.read();
    assert_eq!(nothing, "info string perft was stopped; 0 lines were counted");
    dialogue.send("go perft 11");
    let first = dialogue.read();
    dialogue.send("stop");
    let mut said = vec![first];
    while !said.last().unwrap().starts_with("info string") {
        said.push(dialogue.read());
    }
    let counts = said[..said.len() - 1].iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap());
    let stopped = format!("info string perft was stopped; {} lines were counted", counts.sum::<u64>());
    assert_eq!(said.last(), Some(&stopped));
    dialogue.finish();
}

#[test]
fn ponderhit_applies_to_the_first_pondering_search() {
    for (input, moves) in [
        ("go infinite\ngo ponder depth 2\nponderhit\nstop\n", 2),
        ("go infinite\ngo perft 2\ngo depth 2\ngo ponder depth 2\nponderhit\nstop\n", 3),
        ("go infinite\ngo ponder depth 2\ngo ponder depth 3\nponderhit\nponderhit\nstop\n", 3),
        ("go ponder depth 2\nponderhit\ngo ponder depth 3\nponderhit\n", 2),
    ] {
        let dialogue = Dialogue::new("kalah");
        dialogue.send_bytes(input.as_bytes());
        for _ in 0..moves {
            dialogue.read_to("bestmove ");
        }
        assert_eq!(dialogue.finish(), [""; 0], "{input}");
    }
}

#[test]
fn quit_names_the_tables_that_it_does_not_save() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
    let dialogue = Dialogue::new("kalah");
    dialogue.send("go infinite");
    for path in [&first, &second] {
        dialogue.send(&format!("savehash {}", path.display()));
    }
    dialogue.send("quit");
    for path in [&first, &second] {
        let said = dialogue.read_to("info string savehash ");
        let expected = format!("info string savehash {path:?} is not executed: quit ends all work");
        assert_eq!(said.last(), Some(&expected));
    }
    assert_eq!(dialogue.finish(), [""; 0]);
    assert!(!first.exists() && !second.exists());
}

#[test]
fn quit_waits_for_a_pending_readyok() {
    assert_eq!(script("kalah", b"isready\nquit\n"), ["readyok"]);
}

#[test]
fn quit_leaves_at_once_without_a_move() {
    for go in ["go infinite", "go ponder", "go ponder depth 1"] {
        let mut dialogue = Dialogue::new("kalah");
        dialogue.send(go);
        dialogue.read();
        dialogue.send("quit");
        let thread = dialogue.thread;
        dialogue.input.take();
        thread.join().unwrap().unwrap();
        assert!(!dialogue.output.try_iter().any(|line| line.starts_with("bestmove")), "{go}");
    }
}

/// Sends `isready` and checks that only `info` lines come before its answer.
fn assert_undecided(dialogue: &Dialogue, after: &str) {
    dialogue.send("isready");
    let said = dialogue.read_to("readyok");
    assert!(said.iter().rev().skip(1).all(|line| line.starts_with("info depth ")), "{after}: {said:?}");
}

#[test]
fn pondering_ends_by_ponderhit_or_stop() {
    for (go, words) in [
        // The search ends while it ponders.
        ("go ponder depth 3", &["ponderhit"][..]),
        ("go ponder depth 3", &["stop"]),
        ("go ponder nodes 200 searchmoves 3", &["ponderhit"]),
        // The search continues, within its limits or until `stop`.
        ("go ponder wtime 100 btime 100", &["ponderhit"]),
        ("go ponder movetime 30", &["ponderhit"]),
        ("go ponder wtime 100000 btime 100000", &["stop"]),
        ("go ponder", &["ponderhit", "stop"]),
        ("go ponder infinite depth 3", &["ponderhit", "stop"]),
        ("go ponder infinite", &["ponderhit", "ponderhit", "stop"]),
        ("go infinite depth 3", &["ponderhit", "stop"]),
    ] {
        let dialogue = Dialogue::new("kalah");
        dialogue.send(go);
        dialogue.send("position startpos moves 6");
        std::thread::sleep(Duration::from_millis(50));
        assert_undecided(&dialogue, go);
        let (last, before) = words.split_last().unwrap();
        for word in before {
            dialogue.send(word);
            assert_undecided(&dialogue, go);
        }
        dialogue.send(last);
        dialogue.read_to("bestmove ");
        // Queued commands are executed, and late ones do no harm.
        for line in ["query p1turn", "ponderhit", "stop"] {
            dialogue.send(line);
        }
        assert_eq!(dialogue.read(), "response false", "{go}");
        assert_eq!(dialogue.finish(), [""; 0], "{go}");
    }
}

#[test]
fn an_early_ponderhit_takes_effect() {
    let said = script("kalah", b"go ponder depth 3\nponderhit\ngo ponder movetime 20\nponderhit\n");
    assert!(said.iter().filter(|line| line.starts_with("bestmove ")).count() == 2, "{said:?}");
}

#[test]
fn ponderhit_without_pondering_is_silent() {
    assert_eq!(script("kalah", b"ponderhit\nisready\nponderhit\n"), ["readyok"]);
    let said = script("kalah", b"go perft 3\nponderhit\n");
    assert!(said.last().unwrap().starts_with("perft 3: "), "{said:?}");
    let dialogue = Dialogue::new("kalah");
    dialogue.send("go infinite");
    dialogue.send("ponderhit");
    assert_undecided(&dialogue, "go infinite");
    dialogue.send("stop");
    dialogue.read_to("bestmove ");
    assert_eq!(dialogue.finish(), [""; 0]);
}

#[test]
fn stop_without_a_search_is_silent() {
    assert_eq!(script("kalah", b"stop\nstop\nisready\n"), ["readyok"]);
}

/// A manager waits for the answer to each `go`, also to one that found no room among the waiting commands.
#[test]
fn a_search_for_which_there_is_no_room_is_answered_in_its_turn() {
    let dialogue = Dialogue::new("nim");
    dialogue.send("go infinite");
    dialogue.send_bytes("position startpos\n".repeat(10_000).as_bytes());
    dialogue.send_bytes(b"go depth 1\ngo depth 1\nstop\n");
    let said = dialogue.read_to("bestmove ");
    assert!(!said.last().unwrap().ends_with("(none)"), "{said:?}");
    for _ in 0..2 {
        let said = dialogue.read_to("bestmove ");
        assert!(said[0].contains("too many commands wait") && said[1..] == ["bestmove (none)"], "{said:?}");
    }
    dialogue.send("go depth 1");
    assert!(!dialogue.read_to("bestmove ").pop().unwrap().ends_with("(none)"));
    dialogue.finish();
}
