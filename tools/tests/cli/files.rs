//! Books, endgame databases, and files that cannot be read or written.

use super::{json, secateurs, with_input};
use secateurs::endgame::Material;
use secateurs::endgame::table::{Counts, TableKind};
use secateurs::games::draughts::{Draughtsboard, English};
use secateurs::store::FileLock;
use serde_json::Value;

/// A file that may not grow is an error like that of a full disk, and the engine goes on.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_file_sizes_does_not_end_the_engine() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let (engine, path) = (env!("CARGO_BIN_EXE_secateurs"), folder.path().join("table.sct"));
    let input = format!("go depth 8\\nsavehash {}\\nisready\\n", path.display());
    let script = format!("ulimit -f 1; printf '{input}' | {engine}");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("readyok\n"), "{out} {:?}", output.status);
    assert!(out.contains("\ninfo string cannot write ") && !path.exists(), "{out}");
}

/// Work that has begun and cannot be written is exit code 1: the command itself was right.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_during_self_play_is_no_mistake_of_the_command() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let (engine, path) = (env!("CARGO_BIN_EXE_secateurs"), folder.path().join("games.bin"));
    let play = format!("{engine} selfplay --game checkers --positions 100000 --nodes 20 {}", path.display());
    let output = Command::new("sh").args(["-c", &format!("ulimit -f 4; {play}")]).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && err.contains("cannot write"), "{err} {:?}", output.status);
    // The file ends with a whole game: later ones are the same as those of one run.
    let other = folder.path().join("other.bin");
    for path in [&path, &other] {
        let play = ["selfplay", "--game", "checkers", "--positions", "300", "--nodes", "20", path.to_str().unwrap()];
        assert_eq!(secateurs(&play).code, Some(0));
    }
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&other).unwrap());
}

/// Nothing is left of the game that found no room: others may follow when there is some again.
#[cfg(target_os = "linux")]
#[test]
fn a_record_of_a_match_ends_with_a_whole_line_on_a_full_disk() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let engine = |name| format!("-e 'cmd={} name={name}'", env!("CARGO_BIN_EXE_secateurs"));
    for (argument, end) in [("--record", "}\n"), ("--pgn", "\n\n"), ("--csv", "\n")] {
        let path = folder.path().join(argument);
        let play = format!(
            "{} match {} {} --each 'nodes=1 option.Hash=1' --rounds 50 {argument} {}",
            env!("CARGO_BIN_EXE_secateurs"),
            engine("one"),
            engine("two"),
            path.display()
        );
        let output = Command::new("sh").args(["-c", &format!("ulimit -f 8; {play}")]).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && err.contains("cannot write"), "{err} {:?}", output.status);
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.len() > 1_000 && written.ends_with(end), "{argument}: {written}");
    }
}

#[test]
fn a_game_without_exact_values_has_no_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chess.sbk");
    let ran = secateurs(&["book", "build", "--game", "chess", "--hash", "1", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("has no exact value: a position repeats on a line of play"), "{}", ran.err);
}

#[test]
fn solve_takes_values_from_the_own_book() {
    let solve = |more: &[&str]| {
        let args = [&["solve", "--json", "--fresh", "--moves", "none", "--nodes", "9"], more].concat();
        with_input(&args, "startpos\nstartpos moves 3\n")
    };
    for (more, solved) in [(&["--option", "Seeds=3"][..], false), (&["--option", "Seeds=3", "--own-book"], true)] {
        let ran = solve(more);
        for record in json(&ran.out) {
            assert_eq!((record["proven"] == "exact", record["nodes"] == 0), (solved, solved), "{record}");
        }
        assert_eq!(ran.err, "");
    }
    let none = solve(&["--own-book", "--option", "Seeds=7"]);
    assert!(none.err.contains("--own-book: kalah has no book for these options"), "{}", none.err);
}

#[test]
fn solve_leaves_out_the_line() {
    let solve = |more: &[&str]| {
        let args =
            [&["solve", "--json", "--moves", "all", "--option", "Houses=3", "--option", "Seeds=2"], more].concat();
        json(&with_input(&args, "startpos\n").out).remove(0)
    };
    let (with, without) = (solve(&[]), solve(&["--no-pv"]));
    assert_eq!((&with["value"], &with["moves"]), (&without["value"], &without["moves"]));
    assert!(with["pv"][0].is_string() && without["pv"].as_array().unwrap().is_empty(), "{with} {without}");
}

/// A limit may end a search between the value and the last move, or within the line: the solution is incomplete then.
#[test]
fn solve_reports_what_a_limit_left_out() {
    let position = "oo2o1/xx1xx1/xx1ooo/oo1xxx/ox1xoo/oxoxxo x\n";
    let solve = |more: &[&str]| {
        let args = [&["solve", "--game", "connect4", "--option", "Columns=6", "--hash", "1"], more].concat();
        with_input(&args, position)
    };
    let whole = json(&solve(&["--json"]).out).remove(0);
    assert_eq!((&whole["best_moves"], &whole["complete"]), (&serde_json::json!(["4", "6"]), &Value::from(true)));
    let nodes = whole["nodes"].as_u64().unwrap();
    let mut without_moves = 0;
    for limit in 1..=nodes {
        let ran = solve(&["--json", "-n", &limit.to_string()]);
        let record = json(&ran.out).remove(0);
        let is_whole = ["value", "best_moves", "pv"].iter().all(|field| record[field] == whole[field]);
        assert_eq!((&record["complete"], ran.code), (&Value::from(is_whole), Some(i32::from(!is_whole))), "{record}");
        without_moves += usize::from(record["proven"] == "exact" && record["best_moves"] != whole["best_moves"]);
    }
    assert!(without_moves > 0, "the value is known before the moves");
    let limited = solve(&["-n", "5", "--no-pv"]);
    assert!(limited.code == Some(1) && limited.out.contains("\n  incomplete: "), "{}", limited.out);
    assert!(!solve(&["--no-pv"]).out.contains("incomplete"));
}

/// The book of Connect Four fits a table of 32 MiB.
#[test]
fn a_table_too_small_for_the_book_is_reported() {
    let solve = |hash: &str| {
        with_input(&["solve", "--game", "connect4", "--own-book", "--moves", "none", "--hash", hash], "startpos\n")
    };
    let small = solve("1");
    assert!(small.err.contains("a table of 1 MiB has room for a part of the book only"), "{}", small.err);
    assert_eq!((solve("32").code, solve("32").err), (Some(0), String::new()));
}

#[test]
fn books_are_built_shown_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.sbk").to_str().unwrap().to_owned();
    let kalah = ["--option", "Houses=4", "--option", "Seeds=2"];
    let build = |more: &[&str]| secateurs(&[&["book", "build", "--plies", "5", &path], &kalah[..], more].concat());
    let first = build(&["--entries", "9"]);
    assert_eq!((first.code, first.out.as_str(), first.err.as_str()), (Some(0), "9 positions\n", ""));
    assert_eq!(build(&[]).code, Some(0));
    let info = json(&secateurs(&["book", "info", &path]).out);
    assert_eq!((&info[0]["game"], &info[0]["plies"]), (&Value::from("kalah"), &Value::from(4)));
    assert_eq!(info[0]["options"], serde_json::json!({"Houses": "4", "Seeds": "2"}));
    assert!(info[0]["entries"].as_u64().unwrap() > 40);

    let options = [&["book", "probe", &path, "startpos", "<4,9,0,1,0,0,0,0,0,0,1> n", "<x> s"], &kalah[..]].concat();
    let probed = secateurs(&options);
    assert_eq!((probed.code, &json(&probed.out)[0]["value"]), (Some(1), &Value::from(6)));
    assert_eq!(json(&probed.out)[0]["moves"], serde_json::json!(["4"]));
    let records = json(&probed.out);
    assert_eq!(records.len(), 3, "one for each position");
    assert!(records[1]["error"].as_str().unwrap().contains("does not have it"));
    assert_eq!(records[2]["position"], Value::from("<x> s"));
    assert!(probed.err.contains("does not have it") && probed.err.contains("bad position \"<x> s\""), "{}", probed.err);

    // A complete book: one more file, with the value of every position after two plies.
    let complete = folder.path().join("complete.sbk").to_str().unwrap().to_owned();
    let build = |more: &[&str]| {
        secateurs(&[&["book", "build", "--complete", "--plies", "2", &complete], &kalah[..], more].concat())
    };
    let few = build(&["--entries", "3"]);
    assert!(
        few.code == Some(2) && few.err.contains("2 plies have more than 3 positions: allow more entries"),
        "{}",
        few.err
    );
    assert_eq!(build(&["--threads", "2"]).out, "15 positions\n");
    let info = json(&secateurs(&["book", "info", &complete]).out);
    assert_eq!((&info[0]["complete"], &info[0]["plies"]), (&Value::from(true), &Value::from(2)));
    let probed = secateurs(&[&["book", "probe", &complete, "startpos"], &kalah[..]].concat());
    assert_eq!(
        (&json(&probed.out)[0]["value"], &json(&probed.out)[0]["moves"][0]),
        (&Value::from(6), &Value::from("4"))
    );

    // The message says why the book does not have a position.
    for (position, reason) in [
        ("startpos moves 1 1 2", "its positions come after fewer than 2 plies"),
        ("<4,8,8,0,0,0,0,0,0,0,0> s", "the game is over there"),
    ] {
        let missing = secateurs(&[&["book", "probe", &complete, position], &kalah[..]].concat());
        assert!(missing.err.contains(reason), "{}", missing.err);
    }
    let other = secateurs(&["book", "probe", &complete, "startpos"]);
    assert!(
        other.err.contains("does not have it: it is a complete book of kalah Houses=4 Seeds=2 to 2 plies\n"),
        "{}",
        other.err
    );

    let other = secateurs(&["book", "build", &path, "--option", "Houses=3"]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("is a book of kalah Houses=4 Seeds=2, not a book of kalah Houses=3\n"), "{}", other.err);
    // A file that is no book does not hide the others.
    let info = secateurs(&["book", "info", "Cargo.toml", &path]);
    assert!(info.code == Some(1) && info.err.contains("\"Cargo.toml\" is not an opening book"), "{}", info.err);
    assert_eq!(json(&info.out).len(), 1);
    assert_eq!(secateurs(&["book", "build", "--plies", "0", &path]).code, Some(2));
}

/// The second of two commands that would write one file at their end is refused before its work.
#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, net, games) = (at("file"), at("net"), at("games.pgn"));
    std::fs::write(&games, "1. e4 *\n").unwrap();
    let _held = FileLock::new(file.as_ref()).unwrap();
    for args in [
        &["train", "--game", "chess", &games, "--output", &file][..],
        &["train", "--game", "chess", &games, "--output", &net, "--checkpoint", &file],
        &["train", "--game", "chess", &games, "--output", &net, "--report", &file],
        &["tune", "--game", "othello", &games, "--output", &file],
        &["plausibility", &games, "--output", &file],
        &["learn", "--games", "1", "--checkpoint", &file],
        &["book", "build", "--plies", "1", &file],
        &["solve", "startpos", "--option", "Houses=2", "--checkpoint", &file],
        &["solve", "startpos", "--option", "Houses=2", "--certificate", &file],
        &["analyse", "startpos", "--depth", "1", "--save-hash", &file],
        &["analyse", "--pgn", &games, "--depth", "1", "--html", &file],
        &["tree", "--depth", "1", "--format", "html", "--output", &file],
    ] {
        let refused = secateurs(args);
        let words = format!("error: \"{file}\" is already being written\n");
        assert_eq!((refused.code, refused.out, refused.err), (Some(2), String::new(), words), "{args:?}");
    }
}

/// No output of a command replaces another one, or an input.
#[test]
fn a_file_has_one_purpose() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    std::fs::write(old, "startpos").unwrap();
    let (engine, each) = (format!("cmd=y nodes=1 stderr={new}"), format!("stderr={old}"));
    let learned = format!("LearnFile={old}");
    let [script, network, option, program, itself] = [
        format!("cmd='sh {old}' nodes=1"),
        format!("cmd='y --weights={old}' nodes=1"),
        format!("cmd=y option.EvalFile=old dir={} nodes=1", folder.path().display()),
        format!("cmd={old} nodes=1"),
        format!("cmd={old} stderr={old} nodes=1"),
    ];
    for (args, names) in [
        (vec!["solve", "--certificate", new, "--checkpoint", new], "--checkpoint and --certificate"),
        (vec!["solve", "--file", old, "--certificate", old], "--file and --certificate"),
        (vec!["solve", "--file", old, "--checkpoint", old], "--file and --checkpoint"),
        (vec!["analyse", "--file", old, "--save-hash", old], "--file and --save-hash"),
        (vec!["plausibility", old, "--output", old], "RECORDS and --output"),
        (vec!["tune", "--game", "chess", old, "--output", old], "GAMES and --output"),
        (vec!["learn", "--checkpoint", new, "--record", new], "--checkpoint and --record"),
        (vec!["book", "build", new, "--checkpoint", new], "FILE and --checkpoint"),
        (vec!["match", "-e", "cmd=x nodes=1", "-e", &engine, "--record", new], "--record and stderr="),
        (vec!["--option", &learned, "--protocol-log", old], "--option and --protocol-log"),
        (vec!["match", "-e", "cmd=x nodes=1", "-e", &script, "--pgn", old], "an engine and --pgn"),
        (vec!["match", "-e", "cmd=x nodes=1", "-e", &network, "--transcript", old], "an engine and --transcript"),
        (vec!["match", "-e", "cmd=x nodes=1", "-e", &option, "--report", old], "an engine and --report"),
        (vec!["match", "-e", "cmd=x nodes=1", "-e", &program, "--csv", old], "an engine and --csv"),
        (vec!["match", "-e", "cmd=x nodes=1", "-e", &itself, "--csv", new], "an engine and stderr="),
        (
            vec!["match", "-e", "cmd=x nodes=1", "-e", "cmd=y nodes=1", "--each", &each, "--openings", old],
            "--openings and stderr=",
        ),
    ] {
        let ran = secateurs(&args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(&format!("{names} name the same file, ")), "{args:?}: {}", ran.err);
        assert_eq!(
            (std::fs::read_to_string(old).unwrap().as_str(), std::fs::exists(new).unwrap()),
            ("startpos", false)
        );
    }
    let both = ["analyse", "--depth", "3", "--hash", "1", "--load-hash", new, "--save-hash", new];
    assert_eq!(secateurs(&both[..5].iter().chain(&both[7..]).copied().collect::<Vec<_>>()).code, Some(0));
    assert_eq!(secateurs(&both).code, Some(0), "a table is saved where it was loaded");
}

/// A mistyped name costs no file, and the work that it would cost is not begun.
#[test]
fn a_file_of_another_kind_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = path("games.pgn");
    std::fs::write(&games, "1. e4 e5 *\n").unwrap();
    for (name, args) in [
        ("tree.html", &["tree", "--depth", "1", "--output"][..]),
        ("tree.txt", &["tree", "--depth", "1", "--output"]),
        ("tree.dot", &["tree", "--depth", "1", "--output"]),
        ("tree.jsonl", &["tree", "--depth", "1", "--output"]),
        ("page.html", &["analyse", "--depth", "1", "--pgn", &games, "--html"]),
        ("table", &["analyse", "--depth", "1", "--save-hash"]),
        ("log", &["--protocol-log"]),
    ] {
        let path = path(name);
        let args = [args, &[&path]].concat();
        std::fs::write(&path, "import os\n").unwrap();
        let ran = secateurs(&args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?} {}", ran.err);
        assert!(ran.err.contains(&format!("{name}\" is not ")), "{args:?} {}", ran.err);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "import os\n");
        std::fs::remove_file(&path).unwrap();
        for _ in 0..2 {
            let ran = with_input(&args, "startpos\n");
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_place_for_a_file_is_named() {
    let ran = with_input(&[], "savehash /dev/full\nsavehash /dev/null\n");
    let expected = ["full", "null"].map(|name| format!("info string cannot write \"/dev/{name}\": not a regular file"));
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), expected);
    let ran = secateurs(&["man", "/proc"]);
    assert!(ran.code == Some(1) && ran.err.contains("No such file or directory"), "{}", ran.err);
    assert!(!ran.err.contains("entity") && !ran.err.contains(".part"), "{}", ran.err);
}

/// An endless file is refused before it fills the memory.
#[test]
fn endless_files_are_refused() {
    for (args, code) in [(&["book", "info", "/dev/zero"][..], 1), (&["book", "probe", "/dev/zero", "startpos"], 2)] {
        let ran = secateurs(args);
        assert!(ran.code == Some(code) && ran.err.contains("is not a regular file"), "{args:?} {}", ran.err);
    }
    let plausibilities = ["compare", "--depth", "1", "--plausibilities", "/dev/zero"];
    let checkpoint = ["learn", "--games", "1", "--checkpoint", "/dev/zero"];
    let ran = secateurs(&plausibilities);
    assert!(ran.code == Some(2) && ran.err.contains("is not a regular file"), "{}", ran.err);
    let ran = secateurs(&checkpoint);
    assert!(ran.code == Some(2) && ran.err.contains("\"/dev/zero\" is not a regular file"), "{}", ran.err);
    assert!(secateurs(&["endgame", "build", "--seeds", "2", "Cargo.toml"]).err.contains("is not a folder"));
    let [one, two] = ["one", "two"].map(|name| format!("cmd={} name={name}", env!("CARGO_BIN_EXE_secateurs")));
    for (args, reason) in [
        (&["analyse", "--depth", "1", "--file", "/dev/zero"][..], "a line has more than 256 MiB"),
        (&["solve", "--file", "/dev/zero"], "a line has more than 256 MiB"),
        (&["compare", "--depth", "1", "--file", "/dev/zero"], "a line has more than 256 MiB"),
        (&["match", "--each", "nodes=1", "-e", &one, "-e", &two, "--openings", "/dev/zero"], "it has more than 64 MiB"),
        (&["tune", "/dev/zero"], "\"/dev/zero\" is not a regular file"),
        (&["plausibility", "/dev/zero"], "a line has 64 MiB or more"),
    ] {
        let ran = secateurs(args);
        assert!(
            ran.code == Some(2) && ran.err.contains(reason) && ran.err.contains("/dev/zero"),
            "{args:?} {}",
            ran.err
        );
    }
    for (path, reason) in
        [("/dev/zero", "is not a regular file"), ("src", "is not a regular file"), ("no", "cannot read \"no\"")]
    {
        let check = secateurs(&["check", path]);
        assert!(check.code == Some(2) && check.err.contains(path) && check.err.contains(reason), "{}", check.err);
    }
}

#[test]
fn endgames_are_built_listed_verified_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").to_str().unwrap().to_owned();
    let kalah = ["--option", "Houses=3", "--option", "Capture=empty"];
    let endgame = |action: &str, more: &[&str]| secateurs(&[&["endgame", action, &path], &kalah[..], more].concat());

    let none = endgame("info", &[]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("cannot read") && none.err.contains("No such file"), "{}", none.err);

    let built = endgame("build", &["--seeds", "6"]);
    assert_eq!((built.code, built.err.as_str()), (Some(0), ""));
    // C(12, 6) positions of up to 6 seeds in 6 houses.
    for words in ["kalah Houses=3 Capture=empty, up to 6 seeds: 924 positions, 924 of them", " of disk", " of memory"] {
        assert!(built.out.contains(words), "{words}: {}", built.out);
    }
    let more = json(&endgame("build", &["--size", "9", "--threads", "2", "--json"]).out);
    assert_eq!((&more[0]["positions"], &more[0]["built"]), (&Value::from(5005), &Value::from(5005 - 924)));
    let again = json(&endgame("build", &["--size", "9", "--json"]).out);
    assert_eq!((&again[0]["built"], &again[0]["rules"]), (&Value::from(0), &Value::from("Houses=3 Capture=empty")));

    let layers = json(&endgame("info", &["--json"]).out);
    assert_eq!(layers.len(), 10);
    assert_eq!((&layers[9]["size"], &layers[9]["positions"]), (&Value::from(9), &Value::from(2002)));
    assert!(endgame("info", &[]).out.contains("kalah Houses=3 Capture=empty\n"));
    assert_eq!(endgame("verify", &["--samples", "50"]).out, "checksums and 500 positions are right\n");
    assert_eq!(endgame("verify", &["--samples", "0"]).out, "checksums are right\n");

    let texts = ["<3,2,1,1,0,2,0,1,3> n", "<3,0,0,9,9,9,9,9,9> s", "<3,1,1> s"];
    let probed = endgame("probe", &[&["--json"], &texts[..]].concat());
    assert_eq!(probed.code, Some(1));
    let probed = json(&probed.out);
    let options = [&["analyse", "--json", "--depth", "40", texts[0]], &kalah[..]].concat();
    let searched = &json(&secateurs(&options).out)[0];
    assert_eq!((&probed[0]["value"], &Value::from("exact")), (&searched["score"], &searched["proven"]));
    let best = probed[0]["moves"].as_array().unwrap().iter().find(|mv| mv["move"] == searched["best_move"]).unwrap();
    assert_eq!(best["value"], searched["score"]);
    assert!(probed[1]["error"].as_str().unwrap().contains("no database in"));
    assert!(probed[2]["error"].as_str().unwrap().contains("bad position"));

    let option = format!("KalahEndgames={path}");
    let helped = &json(&secateurs(&[&options[..], &["--option", &option]].concat()).out)[0];
    assert_eq!((&helped["score"], &helped["proven"]), (&searched["score"], &searched["proven"]));
    assert!(helped["nodes"].as_u64() < searched["nodes"].as_u64(), "{helped} {searched}");

    std::fs::write(folder.path().join("new/kalah-3-empty-4.sde"), "x").unwrap();
    for damaged in [endgame("info", &[]), endgame("build", &["--seeds", "9"]), endgame("probe", &[texts[0]])] {
        assert_eq!(damaged.code, Some(2));
        assert!(damaged.err.contains("kalah-3-empty-4.sde") && damaged.err.contains("is not an endgame database"));
    }
    let nim = secateurs(&["endgame", "info", &path, "--game", "nim"]);
    assert!(
        nim.code == Some(2) && nim.err.contains("nim has no endgame databases; there are some for kalah, checkers")
    );
    let plies = endgame("build", &["--seeds", "3", "--distances"]);
    assert!(plies.code == Some(2) && plies.err.contains("hold margins"), "{}", plies.err);
}

#[test]
fn endgames_of_draughts_have_outcomes_and_distances() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    let endgame =
        |action: &str, more: &[&str]| secateurs(&[&["endgame", action, &path, "--game", "checkers"], more].concat());
    let built = endgame("build", &["--pieces", "2"]);
    assert!(
        built.out.starts_with("checkers, up to 2 pieces: 3488 positions, 3488 of them to be built"),
        "{}",
        built.out
    );
    let king = "W:WK3:BK32";
    let probe = || json(&endgame("probe", &["--json", king, "W:WK9:BK14"]).out);
    let outcomes = probe();
    assert_eq!((&outcomes[0]["value"], &outcomes[0]["outcome"]), (&Value::from(0), &Value::from("draw")));
    // The king is captured: the game is over behind that move.
    assert_eq!((&outcomes[1]["value"], &outcomes[1]["outcome"]), (&Value::Null, &Value::from("win")));
    assert_eq!(outcomes[1]["moves"][0]["value"], Value::from(31_999));
    let solve = ["solve", "--game", "checkers", "--option", &format!("CheckersEndgames={path}"), "--nodes", "1"];
    // Of a win without its distance it is not known whether it comes before the draw by moves without progress.
    let won = with_input(&[&solve[..], &["--json"]].concat(), "W:WK15:BK4").out;
    let won = &json(&won)[0];
    assert_eq!((&won["outcome"], &won["lower"], &won["upper"]), (&Value::Null, &Value::from(0), &Value::from(2)));
    assert_eq!((&won["value"], &won["proven"]), (&Value::from(2), &Value::from("upper")));
    let won = with_input(&solve, "W:WK15:BK4").out;
    assert!(won.contains("\n  value unknown: no loss and no win within 1 ply, "), "{won}");
    assert_eq!(json(&endgame("build", &["--pieces", "2", "--distances", "--json"]).out)[0]["built"], Value::from(3488));
    assert_eq!(probe()[1]["value"], Value::from(31_999));
    assert!(endgame("probe", &["W:WK9:BK14"]).out.contains("value win in 1 move\n"));
    let tables = json(&endgame("info", &["--json"]).out);
    assert_eq!(tables.len(), 4);
    assert_eq!(tables[0]["material"], Value::from("1k-1k"));
    assert_eq!(
        [&tables[0]["wins"], &tables[0]["draws"], &tables[0]["losses"], &tables[0]["longest"]],
        [230, 654, 108, 11]
    );
    assert!(endgame("info", &[]).out.contains("1k-1k           230           654           108            11"));
    assert_eq!(endgame("verify", &["--samples", "50"]).out, "checksums and 200 positions are right\n");
    // The file of outcomes is checked too where there are distances.
    type Checkers = Draughtsboard<English>;
    let class = Checkers::classes(2)[0];
    let drawn = vec![0; Checkers::indices(class)];
    TableKind::Outcomes.save::<Checkers>(folder.path(), class, Counts::default(), &drawn).unwrap();
    let wrong = endgame("verify", &["--samples", "50"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("checkers-1k-1k.sde\" is wrong: "), "{}", wrong.err);
    assert!(wrong.err.contains(" is won, not drawn") || wrong.err.contains(" is lost, not drawn"), "{}", wrong.err);
    let unknown = endgame("probe", &["W:WK1,K2:BK32"]);
    assert!(unknown.code == Some(1) && unknown.err.contains("no database in"), "{}", unknown.err);
    std::fs::write(folder.path().join("checkers-1m-1k.sde"), "x").unwrap();
    assert!(endgame("info", &[]).err.contains("checkers-1m-1k.sde\" is not an endgame database"));
}

/// Two processes do not replace each other's work, and no command waits for the other end of a pipe.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_written_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (busy, pipe) = (folder.path().join("busy"), folder.path().join("pipe"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let lock = secateurs::store::FileLock::new(&busy).unwrap();
    let positions = folder.path().join("positions");
    std::fs::write(&positions, "").unwrap();
    let (positions, book) = (positions.to_str().unwrap(), folder.path().join("book"));
    let small = ["--option", "Houses=2", "--option", "Seeds=1"];
    for args in [
        &["learn", "--games", "1", "--checkpoint"][..],
        &["tune", "--search", "--game", "chess", "--pairs", "1", "--checkpoint"],
        &["solve", "--hash", "1", positions, "--checkpoint"],
        &["analyse", "--depth", "1", "--hash", "1", "--save-hash"],
        &["play", "--record"],
        &["book", "build", "--hash", "1", book.to_str().unwrap(), "--checkpoint"],
        &["book", "build", "--hash", "1"],
        &["selfplay", "--game", "chess", "--positions", "1"],
    ] {
        let with = |path: &std::path::Path| {
            let small = if args.contains(&"chess") { &[][..] } else { &small };
            secateurs(&[args, &[path.to_str().unwrap()], small].concat())
        };
        let ran = with(&pipe);
        assert!(ran.code == Some(2) && ran.err.contains("pipe\" is not a regular file"), "{args:?}: {}", ran.err);
        if args[0] != "selfplay" {
            let ran = with(&busy);
            let reason = "busy\" is already being written";
            assert!(ran.code == Some(2) && ran.err.contains(reason), "{args:?}: {}", ran.err);
            assert!(!busy.exists());
        }
    }
    drop(lock);
    std::fs::remove_file(&pipe).unwrap();
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["positions"]);
}

/// An argument that needs another one is never ignored because a third excludes that one.
#[test]
fn arguments_without_what_they_need_are_refused() {
    for args in [
        &["analyse", "--depth", "1", "--html", "page.html", "startpos"][..],
        &["analyse", "--depth", "1", "--skip", "4", "startpos"],
        &["tune", "--search", "--game", "chess", "--output", "weights"],
        &["tune", "--search", "--epochs", "3"],
        &["compare", "--trees", "3", "--depth", "2"],
        &["solve", "--fresh", "--every", "3", "startpos"],
        &["match", "-e", "cmd=a", "-e", "cmd=b", "--opening-plies", "3", "--random-plies", "2"],
    ] {
        let ran = secateurs(args);
        assert!(ran.code == Some(2) && ran.err.contains("cannot be used with"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn results_do_not_replace_files_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (games, record, notes) = (path("games.ssp"), path("record.jsonl"), path("notes"));
    assert_eq!(secateurs(&["selfplay", "--game", "othello", "-n", "30", "-p", "200", &games]).code, Some(0));
    let engine = |name| format!("cmd={} name={name} nodes=50", env!("CARGO_BIN_EXE_secateurs"));
    let play = ["match", "-e", &engine("a"), "-e", &engine("b"), "--rounds", "1", "--record", &record];
    assert_eq!(secateurs(&play).code, Some(0));
    std::fs::write(&notes, "my notes").unwrap();
    for other in [&games, &record, &notes] {
        let copy = path("copy");
        std::fs::copy(other, &copy).unwrap();
        for (args, kind) in [
            (&["tune", "--game", "othello", &games, "--output", &copy][..], "weights of othello"),
            (&["plausibility", &record, "--output", &copy], "plausibilities in JSON"),
        ] {
            let ran = secateurs(args);
            let reason = format!("copy\" is not {kind}, and --output would replace it");
            assert!(ran.code == Some(2) && ran.err.contains(&reason), "{args:?}: {}", ran.err);
            assert_eq!(std::fs::read(other).unwrap(), std::fs::read(&copy).unwrap());
        }
    }
    // What these commands have written is replaced.
    for _ in 0..2 {
        let (weights, counts) = (path("weights.rs"), path("counts.json"));
        let tune = ["tune", "--game", "othello", &games, "--epochs", "1", "--output", &weights];
        assert_eq!(secateurs(&tune).code, Some(0));
        assert_eq!(secateurs(&["plausibility", &record, "--output", &counts]).code, Some(0));
    }
    for args in [["tune", &games, &games], ["plausibility", &record, &record]] {
        let ran = secateurs(&args);
        assert!(ran.code == Some(2) && ran.err.contains(&format!("{} twice", args[1])), "{}", ran.err);
    }
}

#[test]
fn results_do_not_replace_those_of_another_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (proof, counts) = (path("proof.jsonl"), path("counts.json"));
    let solve = ["solve", "startpos", "--certificate", &proof, "--game"];
    let record = |game: &str| {
        let record = path(game);
        let engine = |name| format!("cmd={} name={name} nodes=50", env!("CARGO_BIN_EXE_secateurs"));
        let play =
            ["match", "--game", game, "-e", &engine("a"), "-e", &engine("b"), "--rounds", "1", "--record", &record];
        assert_eq!(secateurs(&play).code, Some(0));
        record
    };
    let (kalah, nim) = (record("kalah"), record("nim"));
    let own = [&solve[..], &["nim"]].concat();
    let small = [&solve[..], &["kalah", "--option", "Houses=2", "--option", "Seeds=1"]].concat();
    for (own, other, file, reason) in [
        (&own[..], &small[..], &proof, "is a certificate of \"nim\"; this is \"kalah\", and it is not replaced"),
        (
            &["plausibility", &nim, "--output", &counts],
            &["plausibility", &kalah, "--output", &counts],
            &counts,
            "is learned from games of \"nim\"; these are of \"kalah\", and it is not replaced",
        ),
    ] {
        for _ in 0..2 {
            assert_eq!(secateurs(own).code, Some(0), "{own:?}");
        }
        let before = std::fs::read(file).unwrap();
        let ran = secateurs(other);
        assert!(
            ran.code == Some(2) && ran.out.is_empty() && ran.err.contains(reason),
            "{other:?}: {}{}",
            ran.out,
            ran.err
        );
        assert_eq!(std::fs::read(file).unwrap(), before);
    }
}

/// An engine has no answer to an option but an `info string`.
#[test]
fn a_match_shows_which_options_an_engine_refuses() {
    let engine = |more| format!("cmd={} nodes=50 {more}", env!("CARGO_BIN_EXE_secateurs"));
    let [one, two] = [engine("name=A option.SearchParameters=zz=3 option.KalahEndgames=/nowhere"), engine("name=B")];
    let ran = secateurs(&["match", "-e", &one, "-e", &two, "--rounds", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("A: \"info string bad value") && ran.err.contains("A: \"info string cannot read"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("B: "), "{}", ran.err);
}

/// An engine that is not ready says so instead of `ready`.
#[test]
#[cfg(unix)]
fn a_match_shows_the_error_of_an_engine_in_hub() {
    const ENGINE: &str =
        "while read -r word rest; do case $word in hub) echo wait;; init) echo 'error no net';; esac; done";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine.sh");
    std::fs::write(&path, ENGINE).unwrap();
    let [one, two] =
        [format!("'sh {}' name=A startup=1", path.display()), format!("{} name=B", env!("CARGO_BIN_EXE_secateurs"))]
            .map(|engine| format!("cmd={engine} proto=hub depth=1"));
    let ran = secateurs(&["match", "--game", "draughts", "-e", &one, "-e", &two, "--rounds", "1"]);
    assert!(ran.err.contains("A: \"error no net\""), "{}", ran.err);
}
