//! Search parameters tuned by games.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail tests")]

use secateurs::core::StopFlag;
use secateurs::core::parameters::Parameters;
use secateurs::registry::{Setup, find};
use secateurs_tools::lab::spsa::{Spsa, SpsaPlan, Tuned};
use serde_json::Value;
use std::process::{Command, Output};

fn tune(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateurs")).arg("tune").args(args).output().unwrap()
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
        tune(&[&fixed[..], &[checkpoint.to_str().unwrap()], args].concat())
    };
    let of_json = |output: Output| -> Value { serde_json::from_slice(&output.stdout).unwrap() };
    let first = of_json(run(&["--json", "--pairs", "2", "--concurrency", "2"]));
    assert_eq!(first["pairs"], 2);
    assert!(first["parameters"].as_array().unwrap().len() > 10, "{first}");
    assert!(Parameters::read(first["text"].as_str().unwrap()).is_ok(), "{first}");
    assert_eq!(of_json(run(&["--json", "--pairs", "2"])), first, "nothing is left to play");
    for (args, expected) in [
        (&["--pairs", "3"][..], "other tuning: its --pairs is 2, not 3"),
        (&["--parameters", "futility=0"], "is not a number above 0"),
        (&["--parameters", "futile"], "no search parameter \"futile\"; the parameters are aspiration,"),
        (&["--parameters", "futility,futility"], "futility is named twice"),
        (&["games.jsonl"], "does not take games.jsonl"),
        (&["--pairs", "0"], "--pairs"),
        (&["--blend", "1"], "cannot be used with"),
    ] {
        let output = run(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{expected}: {error}");
    }
    let whole = std::fs::read_to_string(&checkpoint).unwrap();
    for (from, to, reason) in [
        ("\"pairs\":2,\"scores\"", "\"pairs\":1,\"scores\"", "it has 1 of 2 pairs, and the scores of 2"),
        ("\"value\":", "\"value\":-1e9,\"was\":", "which is not between"),
        ("\"--nodes\":40,", "\"--nodes\":41,", "other tuning: its --nodes is 41, not 40"),
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
    let output = tune(&["--pairs", "3", "games.jsonl"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("--search"));
    let output = tune(&["--search", "--game", "nim"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("sets no search parameter"));
}
