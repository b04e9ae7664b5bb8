//! Certificates: every game has them, and any change in one is refused with its line.

use crate::common::{Random, describe, variants, walk};
use secateurs::certificate::{Proven, Writer, check, save};
use secateurs::core::solution::{SolveRequest, Unsolvable, Valued};
use secateurs::core::{Error, Limits, StopFlag, Uncertified};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::search::Table;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

fn limited(nodes: u64) -> SolveRequest {
    SolveRequest {
        limits: Limits { nodes: Some(nodes), ..Limits::default() },
        moves: Valued::None,
        ..SolveRequest::default()
    }
}

fn certificate(board: &dyn Board, table: &Arc<Table>, task: &SolveRequest) -> Result<String, Uncertified> {
    let mut writer = Writer::new(Vec::new(), board.game(), board.options()).unwrap();
    let on_claim = &mut |claim: &_| writer.add(claim).unwrap();
    board.engine(Arc::clone(table)).certify(task, &StopFlag::new(), on_claim)?;
    let (bytes, written) = writer.finish().unwrap();
    assert_eq!(written.bytes, bytes.len() as u64);
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(written.lines, text.lines().count() as u64);
    Ok(text)
}

fn checked(text: &str) -> Result<Proven, Error> {
    check(Path::new("proof.jsonl"), text.as_bytes())
}

/// Returns why a certificate is refused: line and reason.
fn refusal(text: &str) -> String {
    checked(text).unwrap_err().to_string()
}

fn kalah(options: &[(&str, &str)]) -> Box<dyn Board> {
    let kalah = registry::find("kalah").unwrap();
    let mut all = kalah.defaults();
    for (name, value) in options {
        all.set(name, value).unwrap();
    }
    kalah.start(&all).unwrap()
}

/// Returns the lines of a certificate of Kalah(3, 3).
fn small() -> Vec<String> {
    let board = kalah(&[("Houses", "3"), ("Seeds", "3")]);
    let text = certificate(&*board, &Arc::new(Table::new(1).unwrap()), &SolveRequest::default()).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns the certificate with one line changed.
fn with(lines: &[String], index: usize, change: impl FnOnce(&mut Value)) -> String {
    let mut lines = lines.to_vec();
    let mut line = serde_json::from_str(&lines[index]).unwrap();
    change(&mut line);
    lines[index] = line.to_string();
    joined(&lines)
}

#[test]
fn every_game_has_certificates_of_what_search_proves() {
    let table = Arc::new(Table::new(4).unwrap());
    let mut certified = 0;
    for (number, (row, options)) in variants().into_iter().enumerate() {
        let start = row.start(&options).unwrap();
        let mut random = Random(number as u64);
        for board in (0..3).flat_map(|_| walk(&*start, &mut random)).collect::<Vec<_>>().iter().rev().take(10) {
            let name = format!("{} {}", describe(row, &options), board.text());
            table.clear();
            let task = limited(2_000);
            let solution = board.engine(table.clone()).solve(&task, &StopFlag::new(), &mut |_| {});
            match certificate(&**board, &table, &task) {
                Ok(text) => {
                    let proven = checked(&text).unwrap();
                    assert_eq!((proven.game, &proven.position), (row.name, &board.text()), "{name}");
                    assert_eq!(solution.bounds.hold(proven.score), proven.score, "{name}");
                    assert_eq!(proven.value, board.count(proven.score), "{name}");
                    certified += 1;
                }
                // A game whose positions repeat, or whose clock runs out, has no exact search.
                Err(Uncertified::Unsolvable(
                    Unsolvable::Repetition | Unsolvable::NearRepetition | Unsolvable::Clock,
                )) => {
                    assert!(row.is_cyclic, "{name}");
                }
                Err(reason) => assert_eq!(reason, Uncertified::Stopped, "{name}"),
            }
        }
    }
    assert!(certified > 100, "{certified}");
}

/// A rule ends these games on lines that the proof follows: neither side has mating material.
#[test]
fn games_that_a_rule_ends_need_no_line() {
    let chess = registry::find("chess").unwrap();
    for (position, value) in [
        ("8/1P6/k7/2K5/8/8/8/8 w - - 0 60", 3),
        ("8/8/8/8/k1K5/6Q1/8/8 w - - 0 1", 3),
        ("8/8/8/8/8/2k5/8/K1B5 w - - 0 1", 0),
    ] {
        let board = chess.parse(&chess.defaults(), position).unwrap();
        let table = Arc::new(Table::new(1).unwrap());
        let proven = checked(&certificate(&*board, &table, &SolveRequest::default()).unwrap()).unwrap();
        assert_eq!((proven.value, &proven.position), (value, &board.text()));
    }
}

#[test]
fn small_boards_have_the_published_values() {
    let table = Arc::new(Table::new(8).unwrap());
    for (houses, capture, value) in [("3", "standard", 2), ("3", "empty", 2), ("4", "standard", 6), ("4", "empty", 8)] {
        let board = kalah(&[("Houses", houses), ("Seeds", "3"), ("Capture", capture)]);
        let proven = checked(&certificate(&*board, &table, &SolveRequest::default()).unwrap()).unwrap();
        assert_eq!(proven.value, value, "{houses} {capture}");
        assert!(proven.options.contains(&("Capture".into(), capture.into())));
    }
}

#[test]
fn a_certificate_without_one_line_or_move_is_refused() {
    let lines = small();
    assert_eq!(checked(&joined(&lines)).unwrap().lines, lines.len() as u64);
    for index in 1..lines.len() {
        let mut less = lines.clone();
        less.remove(index);
        let reason = refusal(&joined(&less));
        assert!(reason.contains("no later line shows") || reason.contains("nothing rests on") || index == 1);
        let moves = serde_json::from_str::<Value>(&lines[index]).unwrap()["moves"].as_array().unwrap().len();
        for mv in 0..moves {
            let reason = refusal(&with(&lines, index, |line| drop(line["moves"].as_array_mut().unwrap().remove(mv))));
            assert!(reason.contains(&format!("line {}: ", index + 1)), "{reason}");
            assert!(reason.contains("show its bounds"), "{reason}");
        }
    }
}

#[test]
fn weaker_claims_and_other_root_values_are_refused() {
    let lines = small();
    for index in 1..lines.len() {
        for (bound, weaker) in [("lower", -1), ("upper", 1)] {
            let bound_value = serde_json::from_str::<Value>(&lines[index]).unwrap()[bound].as_i64();
            let Some(bound_value) = bound_value else { continue };
            for changed in [json!(bound_value + weaker), Value::Null] {
                let reason = refusal(&with(&lines, index, |line| line[bound] = changed));
                assert!(reason.contains(&format!("line {}: ", index + 1)), "{reason}");
            }
            // A stronger claim may be true as well, but the root's value does not change.
            let stronger = checked(&with(&lines, index, |line| line[bound] = json!(bound_value - weaker)));
            assert!(stronger.is_err() || (index > 1 && stronger.unwrap().value == 2));
        }
    }
    for value in [-18, 0, 1, 3, 4, 18] {
        let changed = with(&lines, 1, |line| (line["lower"], line["upper"]) = (json!(value), json!(value)));
        assert!(checked(&changed).is_err(), "{value}");
    }
}

#[test]
fn faults_are_reported_with_their_line() {
    let lines = small();
    let text = joined(&lines);
    let change = |index, key: &str, value: Value| with(&lines, index, |line| line[key] = value);
    let root = "<3,0,0,3,3,3,3,3,3> s";
    let (mut twice, mut swapped) = (lines.clone(), lines.clone());
    twice.insert(3, lines[2].clone());
    swapped.swap(1, 2);
    for (text, named) in [
        (joined(&lines[..1]), "line 1: nothing is claimed"),
        (text[..text.len() - 1].into(), "is cut off"),
        (text[..text.len() - 20].into(), "is cut off"),
        (format!("{}\n", &text[..text.len() - 20]), "the text ends too early"),
        (joined(&lines[..lines.len() - 1]), "no later line shows"),
        (joined(&lines[1..]), "the unknown field \"position\""),
        (joined(&twice), "line 4: nothing rests on"),
        (joined(&swapped), "line 2: \"<3,1,0,3,3,0,4,4,3> n\" is the first and has no exact value"),
        (change(0, "certificate", json!(2)), "line 1: version 2, not 1"),
        (change(0, "game", json!("go")), "line 1: unknown game \"go\""),
        (change(0, "options", json!({"Stones": "3"})), "line 1: unknown option \"Stones\""),
        (change(0, "options", json!({"KalahEndgames": "x"})), "line 1: unknown option \"KalahEndgames\""),
        (change(0, "options", json!({"Houses": "0"})), "line 1: bad value \"0\""),
        (change(1, "position", json!("startpos")), "line 2: \"startpos\" is written \"<3,0"),
        (change(1, "position", json!("<3,0,0,3,3,3,3,3,3>  s")), "is written \"<3,0,0,3,3,3,3,3,3> s\""),
        (change(1, "position", json!(format!("{root} moves 1"))), "is written"),
        (change(1, "position", json!("<3,0,0,3,3,3,3,3> s")), "line 2: bad position"),
        (change(2, "position", json!(root)), "line 3: nothing rests on"),
        (change(1, "lower", json!(3)), "lower bound above the upper"),
        (change(1, "lower", json!(0)), "has no exact value"),
        (change(1, "lower", json!(1_000)), "a bound that is not a value"),
        (change(1, "lower", json!("2")), "the text \"2\" where a whole number"),
        (change(1, "moves", json!(["1", "2", "2"])), "line 2: \"2\" is not a move of \"<3,0"),
        (change(1, "moves", json!(["1", "2", "4"])), "line 2: \"4\" is not a move of \"<3,0"),
        (change(1, "worth", json!(2)), "the unknown field \"worth\""),
        (change(2, "lower", json!(-3)), "but line 2 rests on a value of at least -2"),
    ] {
        let reason = refusal(&text);
        assert!(reason.starts_with("\"proof.jsonl\" line ") && reason.contains(named), "{named}: {reason}");
    }
    assert_eq!(refusal(""), "\"proof.jsonl\" is empty");
    for cut in 0..600 {
        refusal(&text[..cut]);
    }
}

#[test]
fn finished_games_are_proven_by_the_rules() {
    let proof = |position: &str, value: i32, moves: Value| {
        let line = json!({"position": position, "lower": value, "upper": value, "moves": moves});
        format!("{}\n{line}\n", json!({"certificate": 1, "game": "kalah", "options": {"Houses": "2"}}))
    };
    assert_eq!(checked(&proof("<2,3,1,0,0,0,5> s", -3, json!([]))).unwrap().value, -3);
    assert!(refusal(&proof("<2,3,1,0,0,0,5> s", -2, json!([]))).contains("is over, and worth -3"));
    assert!(refusal(&proof("<2,3,1,0,0,0,5> s", -3, json!(["1"]))).contains("is over"));
    assert_eq!(checked(&proof("<2,0,0,0,1,1,0> s", 0, json!(["2"]))).unwrap().value, 0);
    let reason = refusal(&proof("<2,0,0,0,1,1,0> s", 1, json!(["2"])));
    assert!(reason.contains("\"2\" ends \"<2,0,0,0,1,1,0> s\" at 0, but 1 is needed there"), "{reason}");
}

/// No move shows a win at no plies: it would follow from itself.
#[test]
fn a_win_at_no_plies_is_refused_before_the_end() {
    let header = |game: &str, options: Value| json!({"certificate": 1, "game": game, "options": options});
    let line = |position: &str, lower: Value, upper: Value, moves: Value| json!({"position": position, "lower": lower, "upper": upper, "moves": moves});
    let nim = |misere: &str| header("nim", json!({"Heaps": "1,1", "Misere": misere}));
    let (win, loss) = (json!(32_000), json!(-32_000));
    for forged in [
        vec![
            nim("false"),
            line("1,1 1", json!(-31_999), json!(-31_999), json!(["1-1", "2-1"])),
            line("0,1 2", win.clone(), json!(null), json!(["2-1"])),
            line("1,0 2", win.clone(), json!(null), json!(["1-1"])),
        ],
        vec![nim("true"), line("0,1 1", loss.clone(), loss, json!(["2-1"]))],
        vec![
            header("connect4", json!({"Columns": "4", "Rows": "4"})),
            line("4/4/ooo1/xxx1 x", win.clone(), win, json!(["4"])),
        ],
    ] {
        let text: String = forged.iter().map(|line| format!("{line}\n")).collect();
        let reason = refusal(&text);
        assert!(reason.contains("it is not over: no win is nearer than one ply"), "{reason}");
    }
}

#[test]
fn unproven_values_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof.jsonl");
    let board = kalah(&[]);
    let table = Arc::new(Table::new(1).unwrap());
    assert_eq!(certificate(&*board, &table, &limited(1_000)), Err(Uncertified::Stopped));
    let prove = |_: &mut dyn FnMut(&_)| Err(Uncertified::Stopped);
    let error = save(&path, board.game(), board.options(), prove).unwrap_err();
    assert_eq!(error.to_string(), "no certificate: stopped before the value was proven");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
