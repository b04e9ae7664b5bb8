//! `secateurs match`: its output, exit codes and Ctrl-C.

use super::{ENGINE, file};
use secateurs_tools::arena::record::GameRecord;
use std::fs;
use std::io::BufRead;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn the_command_line_plays_a_match_and_prints_the_standings() {
    let path = file("line.jsonl");
    let run = |more: &[&str]| {
        let mut command = Command::new(ENGINE);
        command.args(["match", "--option", "Houses=4", "--rounds", "5", "--each", "nodes=100 option.Hash=1"]);
        command
            .args(["-e", &format!("cmd={ENGINE} name=one"), "-e", &format!("cmd={ENGINE} name=two nodes=50")])
            .args(more);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let record = path.to_str().unwrap();
    let (code, out, err) = run(&["--record", record, "--sprt", "0,10"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for part in ["10/10 games", "one", "two", "pairs by points", "SPRT [0, 10] of pairs", "ended: 10 by the rules"] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let table =
        |out: &str| out.lines().skip_while(|line| !line.starts_with("engine")).map(str::to_owned).collect::<Vec<_>>();
    let again = run(&["--record", record, "--sprt", "0,10"]);
    assert_eq!(table(&again.1), table(&out), "the table of a finished match is shown again");
    assert!(run(&["--record", record, "--sprt", "0,10", "--trinomial"]).1.contains("SPRT [0, 10] of games"));
    let (code, _, err) = run(&["--record", record, "--seed", "9"]);
    assert!(code == Some(2) && err.contains("seed"), "{err}");
    let (_, json, _) = run(&["--json"]);
    let records: Vec<GameRecord> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 10);
    // An engine that cannot be restarted after its first game.
    let once = file("once");
    let dies = format!(
        "test -e {0} && exit; touch {0}; while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) exit;; esac; done",
        once.display()
    );
    let dies = format!("cmd='sh -c \"{dies}\"' name=three lenient=true");
    let (code, _, err) = run(&["-e", &dies, "--format", "gauntlet"]);
    assert!(code == Some(1) && err.contains("three"), "{code:?} {err}");
    fs::remove_file(&once).unwrap();
    for (wrong, expected) in [
        (&["-e", "cmd=./no-such-engine name=three"][..], "no-such-engine"),
        (&["--sprt", "5,0"], "elo0"),
        (&["--openings", "no-such-file"], "no-such-file"),
    ] {
        let (code, _, err) = run(wrong);
        assert!(code == Some(2) && err.contains(expected), "{wrong:?}: {code:?} {err}");
    }
    fs::remove_file(&path).unwrap();
}

/// Runs `secateurs match` between two of Secateurs' engines on a small board.
fn matched(more: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(ENGINE);
    command.args(["match", "--option", "Houses=3", "--random-nodes", "50", "--each", "nodes=50 option.Hash=1"]);
    command.args(["-e", &format!("cmd={ENGINE} name=one"), "-e", &format!("cmd={ENGINE} name=two")]).args(more);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_match_that_could_not_begin_can_be_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record.jsonl");
    let matched = |more: &[&str]| matched(&[&["--rounds", "1", "--record", record.to_str().unwrap()], more].concat());
    for (wrong, expected) in [
        (&["-e", "cmd=./no-such-engine name=three"][..], "cannot start"),
        (&["--random-plies", "900"], "use fewer, by --random-plies"),
    ] {
        let (code, _, err) = matched(wrong);
        assert!(code == Some(2) && err.contains(expected), "{code:?} {err}");
    }
    let (code, out, err) = matched(&[]);
    assert!(code == Some(0) && out.contains("two"), "{code:?} {err}");
    assert_eq!(fs::read_to_string(&record).unwrap().lines().count(), 3);
}

#[test]
fn the_exit_code_is_the_verdict_on_request() {
    let test = ["--rounds", "2", "--sprt", "0,5"];
    assert_eq!(matched(&test).0, Some(0), "otherwise the match is over, and that is all");
    assert_eq!(matched(&[&test[..], &["--exit-code"]].concat()).0, Some(4));
    let (code, _, err) = matched(&["--exit-code"]);
    assert!(code == Some(2) && err.contains("--sprt"), "{err}");
}

#[test]
fn an_argument_for_another_that_is_missing_is_an_error() {
    for (arguments, missing) in [
        (&["--errors", "0.1,0.1"][..], "--sprt"),
        (&["--normalized"], "--sprt"),
        (&["--trinomial"], "--sprt"),
        (&["--event", "Cup"], "--pgn"),
        (&["--site", "Oslo"], "--pgn"),
    ] {
        let (code, _, err) = matched(arguments);
        assert!(code == Some(2) && err.contains(missing), "{arguments:?}: {err}");
    }
}

#[test]
fn debug_shows_the_dialogue_and_games_have_event_and_site() {
    let (pgn, transcript) = (file("occasion.pgn"), file("dialogue.log"));
    let files = ["--pgn", pgn.to_str().unwrap(), "--transcript", transcript.to_str().unwrap()];
    let (code, out, err) =
        matched(&[&files[..], &["--rounds", "1", "--event", "Cup", "--site", "Oslo", "--debug"]].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    for part in [" one > ugi\n", " two < ugiok\n", " > go nodes 50\n", " < bestmove "] {
        assert!(err.contains(part), "{part} in {err}");
    }
    assert_eq!(fs::read_to_string(&transcript).unwrap().lines().count(), err.lines().count(), "the same on paper");
    assert!(!out.contains("bestmove"), "{out}");
    let games = fs::read_to_string(&pgn).unwrap();
    for part in ["[Event \"Cup\"]", "[Site \"Oslo\"]", "[Date \"20"] {
        assert_eq!(games.matches(part).count(), 2, "{part} in {games}");
    }
    fs::remove_file(pgn).unwrap();
    fs::remove_file(transcript).unwrap();
}

/// The first Ctrl-C finishes the current games, with a message. The second aborts them and prints the table.
#[test]
fn ctrl_c_ends_a_match_in_steps() {
    let expected = |needle: &str, lines: &mut dyn Iterator<Item = std::io::Result<String>>| {
        lines.map(Result::unwrap).find(|line| line.contains(needle)).unwrap_or_else(|| panic!("no {needle}"))
    };
    let slow = "cmd='sh -c \"while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; \
                go*) sleep 100;; esac; done\"' name=slow lenient=true";
    let mut command = Command::new(ENGINE);
    command.args(["match", "--each", "nodes=5", "--debug", "-e", slow, "-e", &format!("cmd={ENGINE} name=quick")]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let interrupt = || {
        let status = Command::new("kill").args(["-s", "INT", &id]).status().unwrap();
        assert!(status.success());
    };
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    expected("slow > go", &mut lines);
    interrupt();
    expected("stopping after the games in progress; press Ctrl-C again to abort them", &mut lines);
    assert!(child.try_wait().unwrap().is_none(), "the game is still played");
    interrupt();
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(50), "the second breaks it off");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("engine"), "{output:?}");
}

#[test]
fn ctrl_c_while_engines_start_reports_no_fault() {
    let slow = "cmd='sh -c \"sleep 100\"' name=slow startup=100 proto=uci";
    let mut command = Command::new(ENGINE);
    command.args(["match", "--each", "nodes=5", "--debug", "-e", slow, "-e", &format!("cmd={ENGINE} name=quick")]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("slow > uci")));
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<_> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.iter().all(|line| !line.contains("error") && !line.contains("aborted")), "{rest:?}");
}

#[test]
fn rules_that_end_every_game_at_once_are_refused() {
    for (rule, value, expected) in [
        ("--resign", "0,500", "0 moves"),
        ("--resign", "3,0", "a score of 0"),
        ("--resign", "3,5.0", "the score is in centi-units: 500 is 5.00"),
        ("--hang", "0", "not 1 or more"),
        ("--random-candidates", "0", "not from 1 to"),
        ("--draw", "0,10,5", "0 moves"),
        ("--length", "0", "at least 1 ply"),
    ] {
        let (code, _, err) = matched(&["--rounds", "1", rule, value]);
        assert!(
            code == Some(2) && err.contains(&rule[2..]) && err.contains(expected),
            "{rule} {value}: {code:?} {err}"
        );
    }
}
