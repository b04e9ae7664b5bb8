//! Options of the engine and what they add to its answers.

use super::script;
use crate::common::dialogue::Dialogue;
use std::collections::HashSet;
use std::time::Duration;

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
    for name in secateurs::registry::NAMES {
        let row = secateurs::registry::find(name).unwrap();
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
    for name in secateurs::registry::NAMES {
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

#[test]
fn search_parameters_are_checked_and_change_the_search() {
    let nodes = |text: &str| {
        let input = format!("setoption name SearchParameters value {text}\nposition startpos\ngo depth 5\n");
        let lines = script("chess", input.as_bytes());
        let nodes =
            lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok());
        (nodes.unwrap(), lines)
    };
    let (own, _) = nodes("<empty>");
    assert!(nodes("late_pruning=0, exchange_pruning=0").0 > own);
    let (refused, lines) = nodes("null_move=0");
    assert_eq!(refused, own);
    assert!(lines.iter().any(|line| line.contains("null_move 1 .. 255")), "{lines:?}");
}
