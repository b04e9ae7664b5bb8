//! Learning: by rote through the protocol, by temporal differences on the command line.

use crate::common::dialogue::Dialogue;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Returns the nodes of a search in a dialogue of its own, and the output.
fn search(path: &Path, setting: &str, position: &str, depth: u8) -> (u64, Vec<String>) {
    let dialogue = Dialogue::new("kalah");
    for line in [&format!("setoption name LearnFile value {}", path.display()), setting, "ucinewgame", position] {
        dialogue.send(line);
    }
    dialogue.send(&format!("go depth {depth}"));
    let said = dialogue.read_to("bestmove ");
    dialogue.finish();
    (nodes_of(&said), said)
}

/// Returns the nodes of a search from its output.
fn nodes_of(said: &[String]) -> u64 {
    let last = said.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_next_dialogue_remembers_what_one_has_learned() {
    let folder = tempfile::tempdir().unwrap();
    let [path, none] = ["learned", "none"].map(|name| folder.path().join(name));
    let (plain, _) = search(&none, "", "position startpos", 6);
    for mv in 1..=6 {
        search(&path, "", &format!("position startpos moves {mv}"), 11);
    }
    let (nodes, said) = search(&path, "", "position startpos", 6);
    assert_eq!(said[0], format!("info string 6 positions are remembered from {:?}", path.to_str().unwrap()));
    assert!(nodes < plain, "{nodes} of {plain}");
    // A file of other rules or weights is reported, and the engine plays on.
    for (setting, text) in
        [("setoption name Seeds value 5", "Seeds=4"), ("setoption name KalahWeights value seed=3", "KalahWeights")]
    {
        let (_, said) = search(&path, setting, "position startpos", 3);
        assert!(said[0].starts_with("info string ") && said[0].contains(text), "{said:?}");
        assert!(said.last().unwrap().starts_with("bestmove "));
    }
    // Searches of selected moves and exact searches store nothing.
    let before = fs::read(&path).unwrap();
    let dialogue = Dialogue::new("kalah");
    dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
    dialogue.send("go depth 9 searchmoves 2");
    dialogue.send("solve nodes 1000");
    dialogue.read_to("solved ");
    dialogue.finish();
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_is_read_before_readyok() {
    let folder = tempfile::tempdir().unwrap();
    let [path, none] = ["learned", "none"].map(|name| folder.path().join(name));
    let (plain, _) = search(&none, "", "position startpos", 6);
    for mv in 1..=6 {
        search(&path, "", &format!("position startpos moves {mv}"), 11);
    }
    let dialogue = Dialogue::new("kalah");
    let ready = || {
        dialogue.send("isready");
        dialogue.read_to("readyok")
    };
    dialogue.send(&format!("setoption name LearnFile value {}", none.with_file_name("new").display()));
    assert_eq!(ready().len(), 1, "a file that does not exist is not created");
    dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
    dialogue.send("setoption name Seeds value 5");
    let refused = ready();
    assert!(
        refused.len() == 2 && refused[0].contains("learned\" was saved for "),
        "one of other rules is named: {refused:?}"
    );
    dialogue.send("setoption name Seeds value 4");
    assert!(ready()[0].starts_with("info string 6 positions are remembered from "));
    for _ in 0..2 {
        dialogue.send("ucinewgame");
        assert_eq!(ready().len(), 1);
        dialogue.send("go depth 6");
        let said = dialogue.read_to("bestmove ");
        assert!(said.iter().all(|line| !line.contains("string")), "{said:?}");
        assert!(nodes_of(&said) < plain, "{said:?}: {plain} nodes without the file");
    }
    dialogue.finish();
}

#[test]
fn two_dialogues_can_share_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let dialogues = [(); 2].map(|()| Dialogue::new("kalah"));
    let said = dialogues.iter().map(|dialogue| {
        dialogue.send(&format!("setoption name LearnFile value {}", path.display()));
        dialogue.send("go depth 4");
        dialogue.read_to("bestmove ").remove(0)
    });
    let said: Vec<_> = said.collect();
    assert!(!said[0].contains("another process") && said[1].contains("another process writes it"), "{said:?}");
    for mv in ["1", "2"] {
        for dialogue in &dialogues {
            dialogue.send(&format!("position startpos moves {mv}"));
            dialogue.send("go depth 4");
            dialogue.read_to("bestmove ");
        }
    }
    for dialogue in dialogues {
        dialogue.finish();
    }
    let (_, said) = search(&path, "", "position startpos", 2);
    assert!(said[0].contains("string 3 positions"), "{said:?}");
}

fn learn(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateurs")).arg("learn").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Kalah(4, 3), searched to 2 plies.
const SMALL: [&str; 8] = ["--option", "Houses=4", "--option", "Seeds=3", "--depth", "2", "--random-plies", "4"];

#[test]
fn learning_is_deterministic_with_and_without_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["checkpoint", "games", "whole"].map(|name| folder.path().join(name));
    let [checkpoint, games, whole] = paths.each_ref().map(|path| path.to_str().unwrap());
    let run = |more: &[&str]| text(&learn(&[&SMALL[..], &["--every", "20", "--json"], more].concat()));
    let once = run(&["--games", "80", "--record", whole]);
    assert_eq!(once, run(&["--games", "80"]));
    assert_ne!(once, run(&["--games", "80", "--seed", "2"]));
    let first = run(&["--games", "40", "--checkpoint", checkpoint, "--record", games]);
    let second = run(&["--games", "80", "--checkpoint", checkpoint, "--record", games]);
    assert_eq!(once, first + &second);
    assert_eq!(fs::read_to_string(games).unwrap(), fs::read_to_string(whole).unwrap());
    assert_eq!(run(&["--games", "80", "--checkpoint", checkpoint]), "");
    let fewer = learn(&[&SMALL[..], &["--games", "79", "--checkpoint", checkpoint]].concat());
    let error = String::from_utf8_lossy(&fewer.stderr);
    assert!(fewer.status.code() == Some(2) && error.contains("holds 80 games: resume it with at least 80, not 79"));
    // A checkpoint with other parameters is refused with the difference.
    let other = learn(&[&SMALL[..], &["--lambda", "0.1", "--checkpoint", checkpoint]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("its --lambda is 0.7, not 0.1"));
}

/// Reads a checkpoint, changes it, with or without its checksum, and returns how learning that goes on from it ends.
fn resumed(sums: bool, change: impl Fn(&mut serde_json::Value)) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let more = |games: &'static str| ["--games", games, "--checkpoint", path.to_str().unwrap()];
    text(&learn(&[&SMALL[..], &more("2")].concat()));
    let text = fs::read_to_string(&path).unwrap();
    let (first, sum) = text.split_once('\n').unwrap();
    let mut checkpoint = serde_json::from_str(first).unwrap();
    change(&mut checkpoint);
    let changed = format!("{checkpoint}\n");
    let right = format!("{{\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(changed.as_bytes()));
    let changed = changed + if sums { &right } else { sum };
    fs::write(&path, &changed).unwrap();
    let output = learn(&[&SMALL[..], &more("3")].concat());
    assert_eq!(fs::read_to_string(&path).unwrap() == changed, output.status.code() != Some(0));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_checkpoint_with_other_numbers_is_refused() {
    assert_eq!(resumed(true, |_| {}).0, Some(0));
    let (code, error) = resumed(false, |checkpoint| checkpoint["state"]["weights"][1] = 1.into());
    assert!(code == Some(2) && error.contains("checkpoint\" is damaged: its checksum is wrong"), "{error}");
    for list in ["weights", "mean", "squares"] {
        type Change = fn(&mut Vec<serde_json::Value>);
        let changes: [(Change, &str); 3] = [
            (|list| drop(list.pop()), "has 5 numbers, not 6"),
            (|list| list.push(0.into()), "has 7 numbers, not 6"),
            (|list| list[1] = (-1e300).into(), "has -1e300, which is not between"),
        ];
        for (change, reason) in changes {
            let (code, error) = resumed(true, |checkpoint| change(checkpoint["state"][list].as_array_mut().unwrap()));
            assert_eq!(code, Some(2), "{error}");
            assert!(error.contains(&format!("is not a checkpoint of learning: {list} {reason}")), "{error}");
        }
    }
}

/// Least squares fitted the final margins of the same games by these weights, extra_turn, hoard, mobility, risk, seed
/// and threat (`tune --target margin` of revision 64649566).
const LEAST_SQUARES: [f64; 6] = [61.35, 20.12, 132.29, -78.44, 37.09, 146.16];

#[test]
fn learned_weights_approach_a_fit_to_the_same_games() {
    let wrong = "seed=0,mobility=-100,extra_turn=-100,threat=-50,risk=50,hoard=0";
    let rule = ["--rule", "td", "--lambda", "1", "--games", "1500", "--every", "1500", "--json"];
    let weights = |from: &str| -> Vec<f64> {
        let said = text(&learn(&[&SMALL[..], &rule, &["--from", from]].concat()));
        let row: serde_json::Value = serde_json::from_str(&said).unwrap();
        row["weights"].as_object().unwrap().values().map(|weight| weight.as_f64().unwrap()).collect()
    };
    let (zero, wrong) = (weights("zero"), weights(wrong));
    let near = |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(one, other)| (one - other).abs() < 45.0);
    assert!(near(&zero, &wrong) && near(&zero, &LEAST_SQUARES), "{zero:?} {wrong:?}");
}

#[test]
fn a_continued_run_begins_with_its_games_and_weights() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("learned");
    let first = |games: &str| {
        let shown = text(&learn(&["--games", games, "--depth", "1", "--checkpoint", file.to_str().unwrap()]));
        shown.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!([first("20"), first("30")], ["0", "20"]);
}

#[test]
fn what_cannot_be_learned_is_named() {
    let failed = learn(&["--game", "checkers", "--games", "5"]);
    let message = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(!failed.status.success() && message.contains("checkers with the option CheckersWeights"), "{message}");
    let zero = learn(&[&CHECKERS[..], &["--games", "3", "--rule", "samuel"]].concat());
    let message = String::from_utf8_lossy(&zero.stderr).into_owned();
    assert!(message.contains("all weights are still 0: --rule samuel needs one that is kept"), "{message}");
}

/// Checkers by terms, from the man alone.
const CHECKERS: [&str; 6] = ["--game", "checkers", "--option", "CheckersWeights=man=100", "--depth", "2"];

#[test]
fn results_teach_checkers_what_a_king_is_worth() {
    for rule in ["samuel", "td", "leaf"] {
        let more = ["--games", "300", "--every", "300", "--json", "--keep", "man", "--rule", rule];
        let row: serde_json::Value = serde_json::from_str(&text(&learn(&[&CHECKERS[..], &more].concat()))).unwrap();
        let weight = |name: &str| row["weights"][name].as_f64().unwrap();
        assert_eq!(weight("man"), 100.0, "{rule}: it is kept, also from zero");
        assert!(weight("king") + weight("only_king") > 15.0, "{rule}: {row}");
        assert!((0.0..=1.0).contains(&row["loss"].as_f64().unwrap()), "{rule}: points");
    }
}

#[test]
fn games_without_margins_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    let games = games.to_str().unwrap();
    text(&learn(&[&CHECKERS[..], &["--games", "40", "--record", games]].concat()));
    let counted = ["plausibility", "--json", games];
    let counted = Command::new(env!("CARGO_BIN_EXE_secateurs")).args(counted).output().unwrap();
    let counted: serde_json::Value = serde_json::from_str(&text(&counted)).unwrap();
    assert_eq!((&counted["game"], &counted["games"]), (&"checkers".into(), &40.into()), "{counted}");
    let players = ["match", "-e", "cmd=x nodes=1", "-e", "cmd=y nodes=1"];
    let arguments = [&players[..], &["--game", "checkers", "--record", games]].concat();
    let refused = Command::new(env!("CARGO_BIN_EXE_secateurs")).args(arguments).output().unwrap();
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("is the record of a run of `learn`, not of a match"), "{error}");
}

#[test]
fn bad_arguments_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "nothing of the kind").unwrap();
    let file = file.to_str().unwrap();
    for (arguments, said) in [
        (&["--game", "nim"][..], "the evaluation of nim has no weights"),
        (&["--game", "connect4"], "no weights"),
        (&["--game", "checkers"], "no weights"),
        (&["--game", "checkers", "--option", "CheckersWeights=pawn=1"], "the names are man, king"),
        (&["--keep", "house"], "\"house\" is no weight of kalah: they are seed"),
        (&["--from", "seed=x"], "the names are seed"),
        (&["--alpha", "0"], "above 0"),
        (&["--lambda", "2"], "from 0 to 1"),
        (&["--depth", "0"], "0"),
        (&["--games", "1", "--random-plies", "500"], "use fewer"),
        (&["--checkpoint", file], "is not a checkpoint of learning"),
        (&["--record", file], "is not a record of a match"),
        (&["--checkpoint", "no/such/folder/file"], "cannot write"),
    ] {
        let output = learn(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code > 0) && error.contains(said), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
