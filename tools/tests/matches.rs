//! The output of `secateurs match`: its test, its files, its tables.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "all of it is tests")]

use secateurs::store::{FileLock, FreshFile};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_secateurs");

/// Returns a path at which no file exists.
fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Runs `secateurs match` between two of Secateurs' engines, with further arguments: exit code, output, stderr.
fn run_match(words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(ENGINE);
    command.args(["--option", "Houses=4", "match", "--each", "option.Hash=1"]);
    command.args(["-e", &format!("cmd={ENGINE} name=one nodes=100"), "-e", &format!("cmd={ENGINE} name=two nodes=50")]);
    let output = command.args(words).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn faults_of_an_opening_file_are_reported() {
    let openings = file("wrong-openings");
    for (text, expected) in [
        ("; none\n", "has no opening"),
        ("startpos\nstartpos moves 99\n", "in line 2, \"startpos moves 99\": illegal move"),
    ] {
        fs::write(&openings, text).unwrap();
        let (code, _, err) = run_match(&["--openings", openings.to_str().unwrap()]);
        assert!(code == Some(2) && err.contains("wrong-openings\" ") && err.contains(expected), "{err}");
    }
    let (code, _, err) = run_match(&["--openings", openings.to_str().unwrap(), "--opening-plies", "2"]);
    assert!(code == Some(2) && err.contains("--opening-plies shortens no other --openings"), "{err}");
    let (code, _, err) = run_match(&["--openings", openings.to_str().unwrap(), "--opening-plies", "0"]);
    assert!(code == Some(2) && err.contains("not 1 or more"), "{err}");
    fs::remove_file(&openings).unwrap();
    let (code, _, err) = run_match(&["-e", "cmd=. nodes=1"]);
    assert!(code == Some(2) && err.contains(".: cannot start \".\": it is a folder"), "{err}");
    let script = file("script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let (code, _, err) = run_match(&["-e", &format!("cmd={} nodes=1", script.display())]);
    assert!(code == Some(2) && err.contains("the interpreter of a script"), "{err}");
}

#[test]
fn openings_begin_at_a_number_and_go_on_there_after_a_stop() {
    let (openings, record) = (file("numbered"), file("numbered.jsonl"));
    fs::write(&openings, "\u{feff}startpos moves 1\nstartpos moves 2\n; none\nstartpos moves 3\n").unwrap();
    let of = |words: &[&str]| run_match(&[&["--openings", openings.to_str().unwrap()], words].concat());
    let played = |rounds: &str, more: &[&str]| {
        let (code, out, err) = of(&[&["--json", "--rounds", rounds], more].concat());
        assert_eq!(code, Some(0), "{err}");
        let game = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        out.lines().map(|line| game(line)["opening"]["moves"][0].as_str().unwrap().to_owned()).collect::<String>()
    };
    assert_eq!(played("4", &["--start", "3"]), "33112233", "after the last opening comes the first");
    let random = ["--order", "random", "--seed", "4"];
    let all = played("5", &random);
    assert_eq!(played("3", &[&random[..], &["--start", "2"]].concat()), all[2..8]);
    // A resumed match plays the openings that an uninterrupted one has.
    let recorded = ["--start", "3", "--record", record.to_str().unwrap()];
    assert_eq!(played("1", &recorded) + &played("4", &recorded), "33112233");
    for (words, reason) in [
        (&["--start", "4"][..], "start is the number of an opening, 1 to 3, not 4"),
        (&["--start", "0"], "not from 1 to 4294967295"),
        (&["--start", "-1"], "invalid value \"-1\" for '--start <N>'"),
        (&["--order", "backward"], "[possible values: sequential, random]"),
        (&["--start", "2", "--record", record.to_str().unwrap()], "is the record of another match: its openings"),
    ] {
        let (code, _, err) = of(words);
        assert!(code == Some(2) && err.contains(reason), "{words:?}: {err}");
    }
    let (code, _, err) = run_match(&["--start", "2"]);
    assert!(code == Some(2) && err.contains("--openings <FILE>"), "{err}");
    fs::remove_file(openings).unwrap();
    fs::remove_file(record).unwrap();
}

#[test]
fn databases_end_games_and_are_named() {
    let (folder, pgn, record) = (tempfile::tempdir().unwrap(), file("databases.pgn"), file("databases.jsonl"));
    let path = folder.path().to_str().unwrap();
    let build = ["endgame", "build", path, "--option", "Houses=4", "--seeds", "5"];
    assert!(Command::new(ENGINE).args(build).stdout(Stdio::null()).status().unwrap().success());
    let words = ["--rounds", "2", "--databases", path, "--record", record.to_str().unwrap()];
    let (code, out, err) = run_match(&[&words[..], &["--pgn", pgn.to_str().unwrap()]].concat());
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("1 by the rules, 3 adjudicated by databases"), "{out}");
    assert!(
        run_match(&words).1.contains("1 by the rules, 3 adjudicated by databases"),
        "the records are accepted again"
    );
    let games = fs::read_to_string(&pgn).unwrap().replace('\n', " ");
    for part in [
        "[Termination \"adjudication\"] [TerminationDetails \"adjudicated by databases\"]",
        ", adjudicated by databases}",
    ] {
        assert_eq!(games.matches(part).count(), 3, "{part} in {games}");
    }
    let records = fs::read_to_string(&record).unwrap();
    assert_eq!(records.matches("\"ending\":\"databases\"").count(), 3, "{records}");
    let header: serde_json::Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    assert_eq!(header["adjudication"]["databases"].as_str(), Some(path));
    assert_eq!(header["options"]["KalahEndgames"].as_str(), Some(""), "the players do not get them");
    let (code, _, err) = run_match(&["--databases", path, "--option", "Capture=empty"]);
    assert!(code == Some(2) && err.contains("no endgame database of kalah with Houses=4 Capture=empty"), "{err}");
    fs::remove_file(pgn).unwrap();
    fs::remove_file(record).unwrap();
}

#[test]
fn repeated_games_do_not_count_and_are_reported() {
    let openings = file("openings");
    fs::write(&openings, "startpos moves 1\nstartpos moves 2\n").unwrap();
    let two =
        |rounds: &str| run_match(&["--openings", openings.to_str().unwrap(), "--rounds", rounds, "--sprt", "0,50"]);
    let (few, many) = (two("2"), two("20"));
    let elo = |out: &str| {
        let row = out.lines().rfind(|line| line.starts_with("one ")).unwrap().to_owned();
        row.split_whitespace().skip(6).collect::<Vec<_>>().join(" ")
    };
    let (code, out, err) = many;
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(elo(&few.1), elo(&out), "{out}");
    assert!(err.contains("2 openings for 20 rounds"), "{err}");
    for part in [
        "40/40 games",
        ", 4 distinct, SPRT",
        "openings: 2 distinct ones in 20 rounds",
        "repeated: 36 of 40 games",
        "undecided; 18 of 20 pairs repeat earlier ones and do not count: more openings are needed",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert!(!few.1.contains("repeat") && few.2.is_empty(), "{few:?}");
    // Random openings are exhausted as well.
    let (_, out, err) = run_match(&["--random-plies", "1", "--rounds", "9"]);
    assert!(err.contains("after 4 rounds there are no more random openings"), "{err}");
    assert!(out.contains("openings: 4 distinct ones in 9 rounds") && out.contains("repeated: 10 of 18 games"), "{out}");
    fs::remove_file(&openings).unwrap();
}

#[test]
fn a_changed_engine_is_reported() {
    let (script, path) = (file("engine.sh"), file("changed.jsonl"));
    let engine = format!("cmd='sh {}' name=three nodes=10", script.display());
    let play = || {
        let words = ["-e", &engine, "--format", "gauntlet", "--rounds", "1", "--record", path.to_str().unwrap()];
        run_match(&words)
    };
    fs::write(&script, format!("exec {ENGINE}\n")).unwrap();
    let (code, out, err) = play();
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(play().2.is_empty());
    fs::write(&script, format!("exec {ENGINE} # a new version\n")).unwrap();
    let (code, out, err) = play();
    let expected = format!("three: \"{}\" has changed since the match began", script.display());
    assert!(code == Some(0) && err.contains(&expected) && out.contains(&format!("changed: {expected}")), "{out}{err}");
    // Journals of earlier versions do not record the files.
    let text = fs::read_to_string(&path).unwrap();
    let (header, games) = text.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    for engine in header["engines"].as_array_mut().unwrap() {
        assert!(engine.as_object_mut().unwrap().remove("files").is_some());
    }
    fs::write(&path, format!("{header}\n{games}")).unwrap();
    assert_eq!((play().0, play().2.as_str()), (Some(0), ""));
    fs::remove_file(&path).unwrap();
    fs::remove_file(&script).unwrap();
}

#[test]
fn files_are_checked_before_the_first_game_and_written_game_by_game() {
    for words in [
        &["--pgn", "/no/such/folder/games.pgn"][..],
        &["--csv", "/no/such/folder/games.csv"],
        &["--transcript", "/no/such/folder/talk"],
        &["--record", "/no/such/folder/record"],
        &["--pgn", env!("CARGO_TARGET_TMPDIR")],
    ] {
        let (code, out, err) = run_match(words);
        assert!(code == Some(2) && out.is_empty() && err.contains(words[1]), "{words:?}: {out}{err}");
    }
    let (pgn, csv) = (file("games.pgn"), file("games.csv"));
    let (games, table) = (pgn.to_str().unwrap(), csv.to_str().unwrap());
    let (code, _, err) = run_match(&["--pgn", games, "--record", games]);
    assert!(code == Some(2) && err.contains("--record and --pgn name the same file"), "{err}");
    const OLD: &str = "[Event \"what was there\"]\n";
    fs::write(&pgn, OLD).unwrap();
    let nobody = "cmd=./no-such-engine name=three nodes=1";
    assert_eq!(run_match(&["--pgn", games, "--csv", table, "-e", nobody]).0, Some(2));
    assert_eq!(fs::read_to_string(&pgn).unwrap(), OLD, "of a match that has not begun nothing is written");
    assert!(!csv.exists());
    // An engine that plays three games and then fails to start.
    let starts = file("starts");
    let dies = format!(
        "echo >>{0}; test $(wc -l <{0}) -gt 4 && exit 7; while read -r line; do case $line in ugi) echo ugiok;; \
         isready) echo readyok;; go*) exit;; esac; done",
        starts.display()
    );
    let dies = format!("cmd='sh -c \"{dies}\"' name=three proto=ugi lenient=true nodes=1");
    let words = ["-e", &dies, "--format", "gauntlet", "--rounds", "50", "--pgn", games, "--csv", table];
    let (code, out, err) = run_match(&words);
    assert!(code == Some(1) && err.contains("exit code 7"), "{err}");
    let row = out.lines().find(|line| line.starts_with("three ")).unwrap();
    let written = fs::read_to_string(&pgn).unwrap();
    let games = out.lines().find(|line| line.starts_with("one ")).unwrap().split_whitespace().nth(1).unwrap();
    assert!(row.contains(" 3 ") && written.matches("[Event ").count().to_string() == games, "{out}\n{written}");
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 1 + written.matches("[Event ").count());
    for path in [pgn, csv, starts] {
        fs::remove_file(path).unwrap();
    }
}

/// Two matches would write over each other's games.
#[test]
fn a_match_writes_no_file_of_another_match() {
    let path = file("shared");
    let name = path.to_str().unwrap();
    let held = FreshFile::open(&path).unwrap();
    for argument in ["--pgn", "--csv", "--transcript", "--record"] {
        let (code, out, err) = run_match(&["--rounds", "1", argument, name]);
        assert!(code == Some(2) && out.is_empty() && err.contains("is already being written"), "{err}");
    }
    drop(held);
    let _held = FileLock::new(&path).unwrap();
    let (code, _, err) = run_match(&["--rounds", "1", "--report", name]);
    assert!(code == Some(2) && err.contains("is already being written"), "{err}");
}

#[test]
fn a_match_that_cannot_begin_keeps_the_old_transcript() {
    const OLD: &str = "    0.000213 south > uci\n";
    let (talk, record) = (file("talk"), file("talk.jsonl"));
    let (name, recorded) = (talk.to_str().unwrap(), record.to_str().unwrap());
    assert_eq!(run_match(&["--rounds", "1", "--record", recorded]).0, Some(0));
    fs::write(&talk, OLD).unwrap();
    for words in [&["--pgn", "/no/such/folder/games.pgn"][..], &["--record", recorded, "--seed", "7"]] {
        assert_eq!(run_match(&[&["--transcript", name], words].concat()).0, Some(2), "{words:?}");
        assert_eq!(fs::read_to_string(&talk).unwrap(), OLD, "{words:?}");
    }
    assert_eq!(run_match(&["--rounds", "1", "--transcript", name]).0, Some(0));
    let written = fs::read_to_string(&talk).unwrap();
    assert!(written.contains(" one > go nodes 100\n") && !written.contains("0.000213 south"));
    [talk, record].iter().for_each(|path| fs::remove_file(path).unwrap());
}

/// The games are played, and the exit code tells that the file is not whole.
#[cfg(target_os = "linux")]
#[test]
fn a_transcript_that_cannot_be_written_is_an_error() {
    let (code, out, err) = run_match(&["--rounds", "1", "--transcript", "/dev/full"]);
    assert!(code == Some(1) && out.contains("\nended: 2 by the rules\n"), "{out}{err}");
    assert!(err.contains("error: cannot write \"/dev/full\": No space left on device"), "{err}");
    assert_eq!(run_match(&["--rounds", "1", "--transcript", "/dev/null"]).0, Some(0));
}

/// A mistyped name costs no file.
#[test]
fn a_match_replaces_no_file_of_another_kind() {
    let path = file("script.py");
    let name = path.to_str().unwrap();
    for (argument, kind) in [
        ("--pgn", "games in PGN"),
        ("--csv", "the games of a match in CSV"),
        ("--report", "an HTML page"),
        ("--transcript", "the record of a dialogue"),
    ] {
        fs::write(&path, "import os\n").unwrap();
        let (code, out, err) = run_match(&["--rounds", "1", argument, name]);
        let reason = format!("script.py\" is not {kind}, and {argument} would replace it");
        assert!(code == Some(2) && out.is_empty() && err.contains(&reason), "{argument}: {out}{err}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "import os\n");
        // What a match has written is replaced.
        fs::remove_file(&path).unwrap();
        for _ in 0..2 {
            let (code, _, err) = run_match(&["--rounds", "1", argument, name]);
            assert_eq!((code, err.as_str()), (Some(0), ""), "{argument}");
        }
    }
    // The words of an engine are appended to a log alone.
    let logged = format!("cmd={ENGINE} name=three nodes=1 stderr={name}");
    for other in ["[Event \"x\"]\n\n1. e4 *\n", "game,round\n", "\0\u{1}"] {
        fs::write(&path, other).unwrap();
        let (code, _, err) = run_match(&["--rounds", "1", "-e", &logged]);
        assert!(code == Some(2) && err.contains("is not a log, and stderr= would be appended to it"), "{err}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
    fs::remove_file(&path).unwrap();
    // An engine would create it.
    let learns = format!("cmd={ENGINE} name=three nodes=1 option.LearnFile={name}");
    let (code, _, err) = run_match(&["--rounds", "1", "--pgn", name, "-e", &learns]);
    assert!(code == Some(2) && err.contains("an engine and --pgn name the same file"), "{err}");
    assert!(!path.exists());
}

#[test]
fn a_match_of_three_has_interim_ratings_and_a_crosstable() {
    let third = format!("cmd={ENGINE} name=three nodes=20");
    let (code, out, err) = run_match(&["-e", &third, "--rounds", "4", "--rating-interval", "6"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("6/24 games, ") && line.contains(" +- ")), "{out}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("engine ")).count(), 4, "{out}");
    let at = lines.iter().rposition(|line| line.starts_with("points")).unwrap();
    let rows: Vec<Vec<&str>> = lines[at + 1..at + 4].iter().map(|line| line.split_whitespace().collect()).collect();
    for (row, words) in rows.iter().enumerate() {
        assert_eq!((words[0], words[2 + row]), ((row + 1).to_string().as_str(), "-"), "{out}");
        for other in (0..3).filter(|&other| other != row) {
            let points = |words: &[&str], column: usize| -> f64 {
                words[2 + column].strip_suffix("/8").unwrap().parse().unwrap()
            };
            assert_eq!(points(words, other) + points(&rows[other], row), 8.0, "{out}");
        }
    }
    let (_, out, _) = run_match(&["--rounds", "4"]);
    assert!(out.contains("draw ratio ") && out.contains(" of pairs; pairs ratio "), "{out}");
}
