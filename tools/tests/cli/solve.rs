//! `solve` and `check`: values, checkpoints, certificates.

use super::{json, secateurs, with_input};
use secateurs::registry;
use serde_json::Value;

/// Runs `secateurs solve` on these lines and returns its JSON.
fn solve(args: &[&str], input: &str) -> (Option<i32>, Vec<Value>) {
    let ran = with_input(&[&["solve", "--json", "--hash", "8"], args].concat(), input);
    assert_eq!(ran.err, "", "{args:?}");
    (ran.code, json(&ran.out))
}

#[test]
fn solved_positions_have_value_moves_and_line() {
    let (code, lines) = solve(&["--option", "Seeds=3", "--moves", "all"], "startpos ; the start\n\n; nothing\n");
    assert_eq!((code, lines.len()), (Some(0), 1));
    let names: Vec<_> = lines[0].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["best_moves", "complete", "cpu_us", "lower", "moves", "nodes", "outcome", "position", "proven"];
    assert_eq!(names, [&expected[..], &["pv", "time_us", "upper", "value"]].concat());
    let line = &lines[0];
    assert_eq!((&line["position"], &line["value"], &line["proven"]), (&"startpos".into(), &2.into(), &"exact".into()));
    assert_eq!((&line["lower"], &line["upper"], &line["outcome"]), (&2.into(), &2.into(), &"win".into()));
    assert!(line["cpu_us"].as_f64().unwrap() > 0.0 && line["time_us"].is_u64() && line["nodes"].is_u64());
    let moves = line["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 6);
    let best: Vec<_> = moves.iter().filter(|mv| mv["lower"] == 2).map(|mv| mv["move"].clone()).collect();
    assert_eq!(line["best_moves"], Value::Array(best));
    assert!(moves.iter().all(|mv| mv["lower"] == mv["upper"] && mv["lower"].as_i64() <= Some(2)));
    assert!(line["best_moves"].as_array().unwrap().contains(&line["pv"][0]));
    // The principal variation is played to the end and reaches the value.
    let mut options = registry::find("kalah").unwrap().defaults();
    options.set("Seeds", "3").unwrap();
    let mut board = registry::find("kalah").unwrap().start(&options).unwrap();
    line["pv"].as_array().unwrap().iter().for_each(|mv| board.play(mv.as_str().unwrap()).unwrap());
    let sign = if board.turn() == secateurs::core::Side::First { 1 } else { -1 };
    assert_eq!(board.outcome().unwrap().score() * sign, 200);
}

#[test]
fn only_the_given_moves_are_valued() {
    for (moves, best, all, pv) in
        [("none", false, false, false), ("best", true, false, true), ("all", true, true, true)]
    {
        let (_, lines) = solve(&["--option", "Seeds=2", "--moves", moves], "startpos");
        let some = |name: &str| lines[0][name].as_array().is_some_and(|list| !list.is_empty());
        assert_eq!((some("best_moves"), some("moves"), some("pv")), (best, all, pv), "{moves}");
        assert_eq!(lines[0].get("moves").is_some(), all, "{moves}");
        assert_eq!((&lines[0]["value"], &lines[0]["proven"]), (&6.into(), &"exact".into()));
    }
}

#[test]
fn bad_lines_are_reported_and_the_rest_is_solved() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "; a comment\n\n<1,0,0,1,1> s ; easy\nrubbish\nstartpos moves 7\n<1,0,0,2,1> n\n").unwrap();
    let path = file.path().to_str().unwrap();
    let (code, lines) = solve(&["--file", path], "");
    assert_eq!((code, lines.len()), (Some(1), 4));
    assert_eq!((&lines[0]["position"], &lines[0]["value"]), (&"<1,0,0,1,1> s".into(), &0.into()));
    assert_eq!(lines[3]["proven"], "exact");
    for (line, number, position, words) in
        [(1, 4, "rubbish", "bad position \"rubbish\""), (2, 5, "startpos moves 7", "illegal move \"7\"")]
    {
        let names: Vec<_> = lines[line].as_object().unwrap().keys().collect();
        assert_eq!(names, ["error", "line", "position"]);
        assert_eq!((&lines[line]["line"], &lines[line]["position"]), (&number.into(), &position.into()));
        assert!(lines[line]["error"].as_str().unwrap().contains(words), "{}", lines[line]);
    }
    assert!(secateurs(&["solve", path]).err.contains("a file of positions is read by --file"));
    let ran = secateurs(&["solve", "--file", path]);
    assert_eq!((ran.code, ran.out.matches("  value ").count()), (Some(1), 2));
    assert!(ran.err.contains("error: line 4: bad position \"rubbish\""), "{}", ran.err);
    assert!(ran.err.contains("error: line 5: illegal move \"7\""), "{}", ran.err);
}

/// As for `analyse`: positions are arguments too, and a FEN names its game. A position that is given up has its reason.
#[test]
fn positions_are_arguments_and_given_up_with_a_reason() {
    let (code, lines) = solve(&["--option", "Seeds=2", "startpos", "startpos moves 1"], "");
    assert_eq!((code, lines.len()), (Some(0), 2));
    assert_eq!((lines[0].get("reason"), &lines[1]["position"]), (None, &"startpos moves 1".into()));
    let reason = |args: &[&str]| solve(args, "").1[0]["reason"].as_str().unwrap().to_owned();
    assert_eq!(reason(&["startpos", "--nodes", "10"]), "the limit of 10 nodes is reached");
    assert_eq!(reason(&["startpos", "--time", "0.01"]), "the limit of time is reached");
    let ran = secateurs(&["solve", "--json", "8/8/8/8/8/5k2/7r/5K2 w - - 0 80"]);
    assert!(json(&ran.out)[0]["reason"].as_str().unwrap().starts_with("a position repeats"), "{}", ran.out);
}

#[test]
fn the_public_sets_of_connect_four_are_read_unchanged() {
    let set = include_str!("../../../tests/data/Test_L3_R1").lines().take(20).collect::<Vec<_>>();
    let (code, lines) = solve(&["--game", "connect4", "--moves", "none", "--fresh"], &set.join("\n"));
    assert_eq!((code, lines.len()), (Some(0), 20));
    for (line, text) in lines.iter().zip(set) {
        assert_eq!(line["position"], text);
        assert_eq!(line["value"].to_string(), text.split(' ').nth(1).unwrap(), "{text}");
    }
}

#[test]
fn a_fresh_table_repeats_the_node_count() {
    let nodes = |more: &[&str]| {
        let (_, lines) = solve(&[&["--option", "Seeds=2"], more].concat(), "startpos\nstartpos\n");
        [0, 1].map(|index| lines[index]["nodes"].as_u64().unwrap())
    };
    let (fresh, shared) = (nodes(&["--fresh"]), nodes(&[]));
    assert_eq!(fresh[0], fresh[1]);
    assert!(shared[0] == fresh[0] && shared[1] * 10 < shared[0], "{fresh:?} {shared:?}");
}

#[test]
fn a_position_that_is_given_up_has_bounds() {
    let given_up = |args: &[&str], input: &str| {
        let (code, lines) = solve(args, input);
        assert_eq!(code, Some(1), "{lines:?}");
        for line in &lines {
            let [value, proven, lower, upper] = ["value", "proven", "lower", "upper"].map(|name| &line[name]);
            match proven.as_str() {
                None => assert_eq!(value, &Value::Null, "{line}"),
                Some("lower") => assert_eq!(value, lower, "{line}"),
                Some("upper") => assert_eq!(value, upper, "{line}"),
                other => panic!("{other:?} {line}"),
            }
            assert!(line["pv"] == Value::Array(vec![]) && line["best_moves"] == Value::Array(vec![]));
        }
        lines
    };
    for limit in [["--nodes", "1"], ["--nodes", "2000"], ["--nodes", "50000"], ["--movetime", "30"]] {
        let line = &given_up(&limit, "startpos")[0];
        assert!(line["lower"].as_i64() <= Some(8) && line["upper"].as_i64() >= Some(8), "{line}");
    }
    let nothing = &given_up(&["--nodes", "1", "--game", "nim", "--option", "Theory=false"], "startpos")[0];
    assert_eq!([&nothing["lower"], &nothing["upper"]], [&Value::Null; 2]);
    // The next position is still searched.
    let (code, lines) = solve(&["--nodes", "2000"], "startpos\n<1,0,0,1,1> s\n");
    assert_eq!((code, &lines[1]["proven"]), (Some(1), &"exact".into()));
}

#[test]
fn the_text_output_has_values_moves_and_lines() {
    let ran =
        with_input(&["solve", "--option", "Seeds=2", "--hash", "8"], "startpos\n<6,24,20,0,0,0,0,0,0,1,0,0,0,0,3> n\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for words in
        ["startpos\n  value 6 (win), ", " nodes, ", "\n  moves ", "\n  line  ", "n\n  value 0 (draw), 0 nodes, "]
    {
        assert!(ran.out.contains(words), "{words:?} {}", ran.out);
    }
    let ran = with_input(&["solve", "--option", "Seeds=2", "--hash", "8", "--moves", "all"], "startpos");
    let moves = ran.out.lines().find_map(|line| line.strip_prefix("  moves ")).unwrap();
    assert!(moves.split(", ").count() == 6 && moves.split(", ").any(|mv| mv.ends_with(" 6")), "{moves}");
    let ran = with_input(&["solve", "--hash", "8", "--nodes", "1"], "startpos");
    assert!(ran.code == Some(1) && ran.out.contains("value unknown, -44 to 44 by the rules, 1 node, "), "{}", ran.out);
}

#[test]
fn a_search_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kalah.sct");
    let file = path.to_str().unwrap();
    let nodes = |more: &[&str], input: &str| {
        let (code, lines) = solve(&[&["--option", "Seeds=3", "--checkpoint", file], more].concat(), input);
        let nodes = lines.iter().map(|line| line["nodes"].as_u64().unwrap()).sum::<u64>();
        (code, lines.last().map(|line| line["value"].clone()), nodes)
    };
    // The search is given up, and the table is saved.
    let (code, _, given_up) = nodes(&["--nodes", "5000"], "startpos");
    assert!(code == Some(1) && given_up == 5_000 && path.metadata().unwrap().len() > 1_000);
    let (code, value, whole) = nodes(&[], "startpos");
    assert_eq!((code, value), (Some(0), Some(2.into())));
    let (code, value, again) = nodes(&[], "startpos");
    assert_eq!((code, value), (Some(0), Some(2.into())));
    assert!(again * 10 < whole, "{again} {whole}");
    let ran = with_input(&["solve", "--option", "Seeds=3", "--hash", "8", "--checkpoint", file], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("standard input has no position"), "{}", ran.err);
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 1, "nothing is left beside it");
}

#[test]
fn a_foreign_checkpoint_is_refused_and_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let file = path.to_str().unwrap();
    assert_eq!(solve(&["--checkpoint", file, "--option", "Capture=empty"], "<1,0,0,1,1> s").0, Some(0));
    let whole = std::fs::read(&path).unwrap();
    let refused = |args: &[&str], words: &str| {
        let before = std::fs::read(&path).unwrap();
        let ran = with_input(&[&["solve", "--hash", "8", "--checkpoint", file], args].concat(), "<1,0,0,1,1> s");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
        assert!(ran.err.contains(file) && ran.err.contains(words), "{}", ran.err);
        assert_eq!(before, std::fs::read(&path).unwrap());
    };
    refused(&[], "was saved for \"kalah Capture=empty\"; this is \"kalah Capture=standard\"");
    refused(&["--game", "connect4"], "was saved for \"kalah");
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    refused(&["--option", "Capture=empty"], "is damaged");
    std::fs::write(&path, "my diary").unwrap();
    refused(&[], "is not a saved table");
    for (file, words) in
        [("no/such/folder/table", "cannot write \"no/such/folder/table\""), ("src", "not a regular file")]
    {
        let ran = with_input(&["solve", "--hash", "8", "--checkpoint", file], "startpos");
        assert!(ran.code == Some(2) && ran.out.is_empty() && ran.err.contains(words), "{}", ran.err);
    }
    let ran = secateurs(&["solve", "--checkpoint", file, "--fresh"]);
    assert!(ran.code == Some(2) && ran.err.contains("--fresh"), "{}", ran.err);
}

#[test]
fn check_verifies_the_certificates_of_solve() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof.jsonl");
    let file = path.to_str().unwrap();
    let solve = |input: &str, more: &[&str]| {
        let args = ["solve", "--option", "Houses=3", "--option", "Seeds=3", "--certificate", file];
        with_input(&[&args[..], more].concat(), input)
    };
    let two = solve("startpos\nstartpos moves 1\n", &[]);
    assert_eq!((two.code, two.out.as_str()), (Some(2), ""));
    assert!(two.err.contains("--certificate is for one position: line 2 has another"), "{}", two.err);
    let none = solve("; no position\n", &[]);
    assert_eq!((none.code, none.err.contains("standard input has none")), (Some(2), true), "{}", none.err);
    let given_up = solve("startpos", &["--nodes", "10"]);
    assert_eq!(given_up.code, Some(1));
    assert!(given_up.err.contains("no certificate: stopped") && !path.exists(), "{}", given_up.err);
    assert_eq!(solve("startpos", &[]).code, Some(0));
    let checked = secateurs(&["check", file]);
    assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""));
    assert!(checked.out.contains("position <3,0,0,3,3,3,3,3,3> s\n  value    2\n"), "{}", checked.out);
    assert!(checked.out.contains("Capture=standard"), "{}", checked.out);
    let text = std::fs::read_to_string(&path).unwrap();
    let short = text.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::write(&path, format!("{short}\n")).unwrap();
    let checked = secateurs(&["check", file]);
    assert_eq!((checked.code, checked.out.as_str()), (Some(1), ""));
    assert!(checked.err.contains("no later line shows"), "{}", checked.err);
    assert_eq!(solve("startpos", &[]).code, Some(0), "a certificate is replaced");
    std::fs::write(&path, "1. e4 e5\n").unwrap();
    let other = solve("startpos", &[]);
    assert_eq!((other.code, other.out.as_str()), (Some(2), ""));
    assert!(other.err.contains("is not a certificate, and is not replaced"), "{}", other.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "1. e4 e5\n");
    assert_eq!(secateurs(&["check", "no/such/file"]).code, Some(2));
    assert!(secateurs(&["check", "-", "-"]).err.contains("standard input, -, is given twice"));
    assert_eq!(secateurs(&["check", "--game", "nim", file]).code, Some(2));
    assert!(secateurs(&["check", "--help"]).out.contains("Examples"));
}

/// With little address space a thread is refused in the middle of the command: that is an error and no panic.
#[cfg(target_os = "linux")]
#[test]
fn a_refused_thread_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions");
    std::fs::write(&file, "startpos\n").unwrap();
    let mut refused = 0;
    for (kib, command) in (30_000..=90_000).step_by(500).flat_map(|kib| {
        // The table leaves less than a thread needs of what was there when the first one began.
        ["solve --hash 7 --file", "solve --hash 5 --checkpoint table --file", "analyse --depth 2 --hash 7 --file"]
            .map(|command| (kib, command))
    }) {
        let engine = env!("CARGO_BIN_EXE_secateurs");
        let script = format!("ulimit -v {kib}; exec {engine} {command} positions --option Houses=2 --option Seeds=2");
        let script = script.replace("--file positions", "--file=positions");
        let ran = std::process::Command::new("sh").args(["-c", &script]).current_dir(&folder).output().unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        // The standard library itself panics in a thread that gets no memory for its signal stack.
        let is_ours = err.contains("panicked") && !err.contains("failed to allocate an alternative stack");
        assert!(!is_ours && ran.status.code() != Some(101), "{kib} KiB, {command}: {err}");
        refused += u32::from(ran.status.code() == Some(1) && err.contains("cannot start a thread: "));
    }
    assert!(refused > 0);
}
