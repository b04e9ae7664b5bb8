//! The protocol: every transcript of protocol.md, and its promises about bad input, the end of the input and commands
//! during a search.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::dialogue::{Dialogue, TIMEOUT};
use proptest::prelude::*;
use secateur::protocol::{ServeError, Settings, serve};
use std::collections::HashSet;
use std::io::{self, Write};
use std::time::Duration;

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
    assert!(hold(include_str!("../protocol.md")) >= 8);
}

#[test]
fn the_dialogue_of_the_quick_start_is_true() {
    assert_eq!(hold(include_str!("../docs/quickstart.md")), 1);
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

/// Plays a game of up to `most` moves by the engine; returns the moves so far and the answer at every turn.
fn game(game: &str, opening: &[&str], most: usize) -> Vec<(String, String)> {
    let dialogue = Dialogue::new(game);
    for line in opening {
        dialogue.send(line);
    }
    let mut moves = String::new();
    let mut answers = Vec::new();
    while answers.len() < most {
        dialogue.send(&format!("position startpos moves{moves}"));
        dialogue.send("go depth 4");
        let best = dialogue.read_to("bestmove ").pop().unwrap();
        let mv = best.split(' ').nth(1).unwrap().to_owned();
        answers.push((moves.clone(), best));
        if mv == "(none)" {
            break;
        }
        moves += &format!(" {mv}");
    }
    dialogue.finish();
    answers
}

#[test]
fn the_ponder_move_is_the_opponents() {
    for name in secateur::registry::NAMES {
        let row = secateur::registry::find(name).unwrap();
        let mut named = 0;
        for (moves, best) in game(name, &["uci", "setoption name Ponder value true"], 40) {
            let words: Vec<_> = best.split(' ').collect();
            let [_, mv, "ponder", reply] = words[..] else {
                assert_eq!(words.len(), 2, "{best}");
                continue;
            };
            let mut board = row.start(&row.defaults()).unwrap();
            moves.split_whitespace().for_each(|mv| board.play(mv).unwrap());
            let turn = board.turn();
            board.play(mv).unwrap();
            assert_ne!(board.turn(), turn, "{name}{moves}: {best}");
            board.play(reply).unwrap();
            named += 1;
        }
        assert!(named > 0, "{name}");
    }
}

#[test]
fn bestmove_has_no_ponder_move_without_the_option_or_in_ugi() {
    for name in secateur::registry::NAMES {
        let pondering = ["ugi", "setoption name Ponder value true", "isready"];
        for (opening, most) in [(&pondering[..], 40), (&[], 5), (&["setoption name Ponder value true", "ugi"], 5)] {
            for (_, best) in game(name, opening, most) {
                assert_eq!(best.split(' ').count(), 2, "{best}");
            }
        }
    }
}

#[test]
fn there_are_no_more_lines_than_moves() {
    let input = b"setoption name MultiPV value 256\ngo depth 4\nposition startpos moves 3\ngo searchmoves 2 depth 3\n";
    let said = script("kalah", input);
    let line = |info: &str| info.split_once(" multipv ").map(|(_, rest)| rest.split(' ').next().unwrap().to_owned());
    let lines: Vec<usize> = said.iter().filter_map(|info| line(info)).map(|line| line.parse().unwrap()).collect();
    assert!(lines.iter().all(|line| (1..=6).contains(line)), "{said:?}");
    let infos = said.iter().filter(|line| line.starts_with("info depth ")).count();
    assert_eq!(infos, lines.len(), "every line says which it is: {said:?}");
}

#[test]
fn moves_lines_and_ties_are_honoured() {
    for mv in ["1", "2", "6"] {
        let said = script("kalah", format!("go depth 5 searchmoves {mv}").as_bytes());
        assert_eq!(said.last().unwrap(), &format!("bestmove {mv}"));
    }
    for (lines, expected) in [(3, 3), (256, 6)] {
        let said = script("kalah", format!("setoption name MultiPV value {lines}\ngo depth 4").as_bytes());
        for line in 1..=expected {
            let expected =
                |info: &String| info.starts_with("info depth 4 ") && info.contains(&format!(" multipv {line} "));
            assert!(said.iter().any(expected), "{line}: {said:?}");
        }
    }
    let ties = "setoption name Theory value false\nsetoption name EqualMoves value true\nposition 1,1 1\ngo depth 4\n";
    let said = script("nim", ties.as_bytes());
    assert_eq!(said[said.len() - 2..], ["info string equal 1-1 2-1", "bestmove 1-1"]);
    let draws = |seed: u32| {
        let settings = format!("setoption name RandomTies value true\nsetoption name RandomSeed value {seed}\n");
        script("nim", (settings + ties).as_bytes()).pop().unwrap()
    };
    assert_eq!(draws(7), draws(7));
    assert!((1..50).any(|seed| draws(seed) == "bestmove 1-1") && (1..50).any(|seed| draws(seed) == "bestmove 2-1"));
}

/// A value may be proven by another move than the first one of its score, or by the rules alone: the move played keeps
/// it.
#[test]
fn the_best_move_keeps_the_proven_value() {
    let proven = "position <3,9,10,2,1,4,4,0,2> s\nsolve moves none\ngo depth 5\n";
    assert_eq!(script("kalah", proven.as_bytes()).last().unwrap(), "bestmove 1", "move 3 gives a draw");
    let unshown = "position <4,10,10,2,0,1,0,3,1,1,0> s\ngo depth 4\n";
    assert_eq!(script("kalah", unshown.as_bytes()).last().unwrap(), "bestmove 3", "move 1 loses by two");
    for nodes in 1..=6 {
        let solved = format!("position <6,6,10,0,0,0,1,0,9,1,1,2,9,9,0> n\ngo depth 255\ngo nodes {nodes}\n");
        assert_eq!(script("kalah", solved.as_bytes()).last().unwrap(), "bestmove 2", "{nodes}: move 5 gives a draw");
        let guessed = format!("position <6,21,18,0,0,0,2,0,0,1,1,3,0,0,2> n\ngo depth 255\ngo nodes {nodes}\n");
        assert_eq!(script("kalah", guessed.as_bytes()).last().unwrap(), "bestmove 1", "{nodes}: move 3 gives a draw");
    }
}

#[test]
fn equal_moves_of_several_lines_are_listed_once() {
    let heaps = ["199"; 16].join(",");
    let settings =
        format!("setoption name Theory value false\nsetoption name Heaps value {heaps}\nposition startpos\n");
    for ties in ["EqualMoves", "EqualMoves value true\nsetoption name RandomTies"] {
        let options = format!("setoption name MultiPV value 4\nsetoption name {ties} value true\n");
        let said = script("nim", (settings.clone() + &options + "moves\ngo depth 1\n").as_bytes());
        let equal = said[said.len() - 2].strip_prefix("info string equal ").unwrap();
        let [equal, legal]: [Vec<_>; 2] = [equal, &said[0]].map(|line| line.split(' ').collect());
        assert_eq!(equal.len(), 16 * 199);
        assert_eq!(equal.iter().collect::<HashSet<_>>(), legal.iter().collect());
    }
}

#[test]
fn general_options_are_checked_when_they_are_set() {
    for (name, value) in [
        ("Threads", "0"),
        ("Threads", "257"),
        ("threads", "many"),
        ("MultiPV", "0"),
        ("MultiPV", "257"),
        ("Ponder", "yes"),
        ("Ponder", ""),
        ("UCI_ShowWDL", "1"),
        ("EqualMoves", "all"),
        ("RandomTies", "2"),
        ("RandomSeed", "-1"),
        ("RandomSeed", "2147483648"),
    ] {
        let said = script("kalah", format!("setoption name {name} value {value}\nisready\n").as_bytes());
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with(&format!("info string bad value \"{value}\" for option ")), "{said:?}");
        assert_eq!(said[1], "readyok");
    }
    let input =
        b"setoption name Threads value 1\nsetoption name RandomSeed value 2147483647\nsetoption name randomties value TRUE\n";
    assert_eq!(script("nim", input), [""; 0]);
}

#[test]
fn the_move_overhead_is_subtracted_from_the_time() {
    for (overhead, movetime, searched) in [(10, 100, "90ms"), (0, 5, "5ms"), (30, 20, "1ms"), (5, 0, "0ns")] {
        let input = format!("debug on\nsetoption name Move Overhead value {overhead}\ngo movetime {movetime}\n");
        let said = script("nim", input.as_bytes());
        assert!(said[0].contains(&format!("movetime: Some({searched})")), "{overhead}: {said:?}");
        assert!(said[said.len() - 1].starts_with("bestmove "), "{said:?}");
    }
}

#[test]
fn more_threads_than_cores_give_a_warning() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let dialogue = Dialogue::new("kalah");
    dialogue.send("setoption name Hash value 1");
    dialogue.send("setoption name Threads value 256");
    if cores < 256 {
        let warning = format!("info string 256 threads on {cores} core");
        assert!(dialogue.read().starts_with(&warning), "{warning}");
    }
    dialogue.send("go infinite");
    std::thread::sleep(Duration::from_millis(50));
    dialogue.send("stop");
    dialogue.read_to("bestmove ");
    dialogue.finish();
}

/// Returns the value of a word in a line of an exact search.
fn word_of<'a>(line: &'a str, name: &str) -> &'a str {
    line.split(' ').skip_while(|&word| word != name).nth(1).unwrap_or_default()
}

#[test]
fn bounds_tighten_until_the_position_is_solved() {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("setoption name Seeds value 3");
    dialogue.send("position startpos");
    dialogue.send("solve moves all");
    let said = dialogue.read_to("solved ");
    let (last, before) = said.split_last().unwrap();
    assert!(last.starts_with("solved value 2 proven exact lower 2 upper 2 nodes "), "{last}");
    let bounds = |line: &str| [word_of(line, "lower"), word_of(line, "upper")].map(|word| word.parse::<i64>().unwrap());
    let mut known = [-36, 36];
    for line in before {
        assert!(line.starts_with("info string solve lower ") && line.contains(" hashfull "), "{line}");
        let [lower, upper] = bounds(line);
        assert!(known[0] <= lower && lower <= upper && upper <= known[1], "{said:?}");
        known = [lower, upper];
    }
    assert!(last.contains(" moves ") && last.contains(" values 1 ") && last.contains(" pv "), "{last}");
    // The result is in the table of the session.
    dialogue.send("solve moves none");
    let again = dialogue.read_to("solved ").pop().unwrap();
    assert!(again.starts_with("solved value 2 proven exact ") && !again.contains(" moves ") && !again.contains(" pv "));
    let nodes = |line: &str| word_of(line, "nodes").parse::<u64>().unwrap();
    assert!(nodes(&again) * 10 < nodes(last), "{again} {last}");
    assert_eq!(dialogue.finish(), [""; 0]);
}

#[test]
fn an_exact_search_ends_by_its_limits_by_stop_or_by_quit() {
    let given_up = |line: &str| {
        let fits = line.starts_with("solved value ") && !line.contains(" proven exact ") && !line.contains(" pv ");
        assert!(fits, "{line}");
    };
    // A board with 12 houses a side and 12 seeds in each cannot be solved in this time.
    let board = "setoption name Houses value 12\nsetoption name Seeds value 12\nposition startpos\n";
    let threads = "setoption name Threads value 2\nsetoption name Hash value 8\n";
    for limit in ["nodes 3000", "movetime 30", "nodes 5000 movetime 100000", "moves all movetime 30"] {
        for settings in ["", threads] {
            let said = script("kalah", format!("{board}{settings}solve {limit}\nmoves").as_bytes());
            given_up(&said[said.len() - 2]);
            assert!(said[said.len() - 1].starts_with("1 2 3 "), "{said:?}");
        }
    }
    let dialogue = Dialogue::new("kalah");
    dialogue.send_bytes(board.as_bytes());
    dialogue.send("solve");
    for line in ["position fen <1,0,0,1,1> s", "solve", "isready"] {
        dialogue.send(line);
    }
    let before = dialogue.read_to("readyok");
    assert!(before.iter().rev().skip(1).all(|line| line.starts_with("info string solve ")), "{before:?}");
    dialogue.send("ponderhit");
    dialogue.send("stop");
    given_up(&dialogue.read_to("solved ").pop().unwrap());
    assert!(dialogue.read_to("solved ").pop().unwrap().starts_with("solved value 0 proven exact "));
    dialogue.send_bytes(board.as_bytes());
    dialogue.send("solve");
    dialogue.send("quit");
    let rest: Vec<_> = dialogue.output.iter().collect();
    assert!(rest.iter().all(|line| line.starts_with("info string solve ")), "{rest:?}");
    dialogue.thread.join().unwrap().unwrap();
}

#[test]
fn values_have_the_units_of_the_game() {
    for (game, input, expected) in [
        ("connect4", "position 7422341735647741166133573473242566\nsolve moves all", "solved value 1 proven exact "),
        ("cfour", "position 2252576253462244111563365343671351441\nsolve", "solved value -1 proven exact "),
        ("nim", "solve moves none nodes 1", "solved value none proven none lower 12 upper 1 nodes "),
        ("nim", "position 0,0 1\nsolve", "solved value 0 proven exact lower 0 upper 0 nodes 0 time "),
        (
            "nim",
            "setoption name Theory value false\nposition startpos\nsolve nodes 1",
            "solved value none proven none lower none upper none nodes 1 time ",
        ),
        (
            "nim",
            "setoption name Theory value false\nposition 1,1 1\nsolve moves all",
            "solved value -2 proven exact lower -2 upper -2 nodes ",
        ),
    ] {
        let said = script(game, input.as_bytes());
        assert!(said[said.len() - 1].starts_with(expected), "{said:?}");
    }
}

#[test]
fn stop_without_a_search_is_silent() {
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
        let settings = Settings { game: Some(game.into()), options, log: None };
        let error = serve(&settings, io::empty(), io::sink()).unwrap_err();
        assert!(matches!(error, ServeError::Settings(_)));
        assert!(error.to_string().contains(named), "{error}");
    }
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

#[test]
fn errors_take_one_line_and_change_nothing() {
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
        b"go mate -1".to_vec(),
        b"go searchmoves".to_vec(),
        b"go searchmoves depth 3".to_vec(),
        b"go depth 3 searchmoves 1 7".to_vec(),
        format!("go ponder searchmoves 2 {long_word} depth 3").into_bytes(),
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

#[test]
fn a_path_with_a_nul_is_refused() {
    let said = script("kalah", b"savehash a\0b\nloadhash a\0b\nsetoption name LearnFile value a\0b\ngo depth 1\n");
    for line in &said[..2] {
        assert!(line.ends_with(" \"a\\0b\": a path has no NUL"), "{said:?}");
    }
    assert!(said.iter().all(|line| !line.contains("nul byte")), "{said:?}");
}

/// Known words, so that arbitrary lines get past the first one.
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
            "ponder",
            "ponderhit",
            "searchmoves",
            "mate",
            "perft",
            "solve",
            "best",
            "all",
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
            "Threads",
            "MultiPV",
            "Ponder",
            "true",
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
        // Every command must end: the long ones get a limit.
        let text = words.join(" ").replace("perft", "perf").replace("quit", "qui").replace("bench", "benc");
        let text = text.replace("solve", "solve nodes 50");
        let text = text.replace("go ", "go nodes 200 movetime 50 ").replace("go\n", "go nodes 20\n");
        let said = script("kalah", format!("{text}\nstop\nucinewgame\nmoves\nisready\n").as_bytes());
        prop_assert!(said.iter().any(|line| line == "readyok"), "{:?}", said);
        for line in &said {
            prop_assert!(!line.contains(char::is_control), "{:?}", line);
        }
    }
}
