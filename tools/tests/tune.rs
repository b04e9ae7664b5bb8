//! Weights fitted to the games of a match.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail tests")]

use secateurs::core::parameters::Parameters;
use secateurs::core::{StopFlag, weights};
use secateurs::registry::{Setup, find};
use secateurs_tools::arena::journal::Journal;
use secateurs_tools::arena::openings::Opening;
use secateurs_tools::arena::record::{Ending, GameRecord, MoveRecord, Winner};
use secateurs_tools::lab::spsa::{Spsa, SpsaPlan, Tuned};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Writes a journal of games that vary with their number, as a match would.
fn journal(folder: &Path, game: &str, games: usize) -> PathBuf {
    let path = folder.join(format!("{game}.jsonl"));
    let options = if game == "kalah" { json!({"Houses": "4", "Seeds": "3"}) } else { json!({}) };
    let header = json!({"secateurs": 1, "game": game, "options": options});
    let (mut journal, _) = Journal::open(&path, &header, usize::MAX).unwrap();
    let mut setup = Setup::new(find(game).unwrap());
    for (name, value) in options.as_object().unwrap() {
        setup.set(name, value.as_str().unwrap()).unwrap();
    }
    for number in 0..games {
        let mut board = setup.board("startpos").unwrap();
        let mut moves = Vec::new();
        while let Some(mv) = board.moves().get((number * 7 + moves.len() * 5) % board.moves().len().max(1)) {
            board.play(mv).unwrap();
            moves.push(MoveRecord { mv: mv.clone(), micros: 1, score: "+0.50".into(), depth: 1, nodes: 1 });
        }
        let first = board.outcome().unwrap();
        let margin = if board.turn() == secateurs::core::Side::First { first } else { first.reversed() }.score() / 100;
        let result = [Winner::Second, Winner::Nobody, Winner::First][(margin.signum() + 1) as usize];
        let opening = Opening { position: "startpos".into(), moves: Vec::new() };
        let margin = (game == "kalah").then(|| margin.try_into().unwrap());
        let players = ["A".into(), "B".into()];
        let (ending, detail, wrong_claims) = (Ending::Rules, String::new(), [0, 0]);
        let record = GameRecord {
            number,
            round: number / 2,
            players,
            opening,
            result,
            ending,
            detail,
            margin,
            wrong_claims,
            started: None,
            moves,
        };
        journal.add(&record).unwrap();
    }
    path
}

fn tune(args: &[&str], paths: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateurs")).arg("tune").args(args).args(paths).output().unwrap()
}

#[test]
fn weights_are_fitted_to_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path(), "kalah", 60);
    for target in ["margin", "result", "search"] {
        let run = || tune(&["--target", target, "--json", "--keep", "mobility"], &[&path]);
        let output = run();
        assert_eq!(output.stdout, run().stdout, "the same again");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((result["game"].as_str(), result["games"].as_u64()), (Some("kalah"), Some(60)));
        assert!((4..28).contains(&result["held_out"].as_u64().unwrap()), "{result}");
        assert!(
            result["loss"]["training"]["fitted"].as_f64() <= result["loss"]["training"]["now"].as_f64(),
            "{result}"
        );
        assert_eq!(result["scale"].is_null(), target != "result");
        let weights = result["weights"].as_array().unwrap();
        let fixed = weights.iter().find(|weight| weight["name"] == "mobility").unwrap();
        assert!(fixed["error"].is_null() && fixed["fitted"].as_f64() == fixed["now"].as_f64(), "{fixed}");
        let board = Setup::new(find("kalah").unwrap()).board("startpos").unwrap();
        weights::read(result["text"].as_str().unwrap(), &mut board.weights()).unwrap();
    }
    let people = String::from_utf8(tune(&[], &[&path]).stdout).unwrap();
    for word in ["kalah: 60 games", "seed ", "held out", "root mean square", "seed="] {
        assert!(people.contains(word), "{word}: {people}");
    }
}

#[test]
fn bad_journals_and_arguments_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (kalah, nim) = (journal(folder.path(), "kalah", 4), journal(folder.path(), "nim", 4));
    let text = folder.path().join("text");
    std::fs::write(&text, "no journal\n").unwrap();
    for (args, paths, result) in [
        (&[][..], &[&nim][..], "no weights"),
        (&[], &[&kalah, &nim], "a match of nim"),
        (&[], &[&text], "not a record of a match"),
        (&[], &[&folder.path().join("missing")], "cannot read"),
        (&["--keep", "house"], &[&kalah], "\"house\" is no weight"),
        (&["--held-out", "1"], &[&kalah], "--held-out"),
        (&["--held-out", "0.999"], &[&kalah], "all games are held out"),
    ] {
        let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
        let output = tune(args, &paths);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(result), "{result}: {error}");
    }
}

/// A record whose last line is cut off is used without it, with a warning.
#[test]
fn a_cut_record_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path(), "kalah", 8);
    let whole = std::fs::read(&path).unwrap();
    for args in [&["tune", "--json"][..], &["plausibility", "--json"]] {
        let run = || Command::new(env!("CARGO_BIN_EXE_secateurs")).args(args).arg(&path).output().unwrap();
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(run().stderr, b"");
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let cut = run();
        let found: Value = serde_json::from_slice(&cut.stdout).unwrap();
        let err = String::from_utf8(cut.stderr).unwrap();
        assert!(cut.status.success() && found["games"] == 7, "{found}");
        assert!(err.contains("kalah.jsonl: the last line was cut off and is left out"), "{err}");
    }
}

/// Tunes to the end, with pauses after so many pairs, for which the state is written and read again.
fn spsa(pauses: &[u64]) -> Spsa {
    let setup = Setup::new(find("chess").unwrap());
    let plan = SpsaPlan { pairs: 6, nodes: 200, random_plies: 6, rate: 0.5, seed: 3 };
    let parameters =
        ["futility_margin", "late_reduction_base"].map(|name| Tuned { step: 80.0, ..Tuned::new(name, 90) });
    let parameters = parameters.to_vec();
    let mut spsa = Spsa::new(plan, parameters);
    for &pause in pauses.iter().chain([&u64::MAX]) {
        let stop = StopFlag::new();
        let done = spsa.run(&setup, 1, &stop, &mut |spsa| {
            if spsa.pairs == pause {
                stop.raise();
            }
            Ok(())
        });
        assert_eq!(done.unwrap(), pause == u64::MAX);
        spsa = serde_json::from_str(&serde_json::to_string(&spsa).unwrap()).unwrap();
    }
    spsa
}

#[test]
fn search_parameters_are_tuned_the_same_with_pauses() {
    let whole = spsa(&[]);
    assert_eq!((whole.pairs, whole.scores.iter().sum::<u64>()), (6, 6));
    assert_eq!(spsa(&[2, 5]), whole);
    assert!(whole.parameters.iter().any(|tuned| tuned.value != 90.0), "{whole:?}");
}

#[test]
fn search_parameters_are_tuned_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("spsa.json");
    let run = |args: &[&str]| {
        let fixed = ["--search", "--game", "chess", "--nodes", "40", "--random-plies", "6", "--checkpoint"];
        tune(&[&fixed[..], &[checkpoint.to_str().unwrap()], args].concat(), &[])
    };
    let of_json = |output: Output| -> Value { serde_json::from_slice(&output.stdout).unwrap() };
    let first = of_json(run(&["--json", "--pairs", "2", "--concurrency", "2"]));
    assert_eq!(first["pairs"], 2);
    assert!(first["parameters"].as_array().unwrap().len() > 10, "{first}");
    assert!(Parameters::read(first["text"].as_str().unwrap()).is_ok(), "{first}");
    assert_eq!(of_json(run(&["--json", "--pairs", "2"])), first, "nothing is left to play");
    for (args, expected) in [
        (&["--pairs", "3"][..], "other tuning: its plan.pairs is 2, not 3"),
        (&["--parameters", "futility=0"], "is not a number above 0"),
        (&["--parameters", "futile"], "no search parameter \"futile\"; the parameters are aspiration,"),
        (&["--parameters", "futility,futility"], "futility is named twice"),
        (&["games.jsonl"], "does not take games.jsonl"),
        (&["--pairs", "0"], "--pairs"),
        (&["--positions"], "cannot be used with"),
    ] {
        let output = run(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{expected}: {error}");
    }
    let whole = std::fs::read_to_string(&checkpoint).unwrap();
    for (from, to, reason) in [
        ("\"pairs\":2,\"scores\"", "\"pairs\":1,\"scores\"", "it has 1 of 2 pairs, and the scores of 2"),
        ("\"value\":", "\"value\":-1e9,\"was\":", "which is not between"),
        ("\"nodes\":40,", "\"nodes\":41,", "other tuning: its plan.nodes is 41, not 40"),
    ] {
        assert!(whole.contains(from), "{whole}");
        let changed = whole.lines().next().unwrap().replacen(from, to, 1) + "\n";
        std::fs::write(&checkpoint, format!("{changed}{}\n", whole.lines().nth(1).unwrap())).unwrap();
        let error = String::from_utf8(run(&["--pairs", "2"]).stderr).unwrap();
        assert!(error.contains("spsa.json\" is damaged: its checksum is wrong"), "{error}");
        let sum = format!("{{\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(changed.as_bytes()));
        std::fs::write(&checkpoint, changed + &sum).unwrap();
        let output = run(&["--pairs", "2"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(reason), "{reason}: {error}");
    }
    std::fs::write(&checkpoint, "{}").unwrap();
    assert!(String::from_utf8(run(&["--pairs", "2"]).stderr).unwrap().contains("is not a checkpoint of tune --search"));
    let output = tune(&["--pairs", "3", "games.jsonl"], &[]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("--search"));
    let output = tune(&["--search", "--game", "nim"], &[]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("sets no search parameter"));
}
