//! The binary, run as a script or a person runs it.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail tests")]

mod analyse;
mod files;
mod generated;
#[cfg(unix)]
mod interrupts;
mod json;
mod pipes;
mod solve;

use secateurs::registry;
use serde_json::Value;
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

/// The result of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn secateurs(args: &[&str]) -> Ran {
    with_input(args, "")
}

fn with_input(args: &[&str], input: &str) -> Ran {
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    // A program that refuses its arguments may be gone before it has read anything.
    if let Err(error) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("SECATEURS_LOG").env_remove("COLUMNS");
    command
}

fn json(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn help_lists_subcommands_options_and_exit_codes() {
    let help = secateurs(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    for word in ["analyse", "perft", "bench", "games", "--game", "--option", "--protocol-log", "Examples", "Exit codes"]
    {
        assert!(help.out.contains(word), "{word}");
    }
    for row in registry::GAMES {
        assert!(help.out.contains(row.name));
    }
    for command in ["analyse", "tree", "perft", "games"] {
        assert!(secateurs(&[command, "--help"]).out.contains("Examples"), "{command}");
    }
    assert_eq!(secateurs(&["--version"]).out, format!("secateurs {}\n", env!("CARGO_PKG_VERSION")));
}

/// With little address space the engine says at its start that it lacks a thread or its table, or answers every `go`.
/// Which of them varies from run to run: the memory allocator reserves address space for each thread that allocates.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_begins_answers_every_search() {
    let mut begun = Vec::new();
    for kib in (20_000..=120_000).step_by(4_000) {
        let script = format!("ulimit -v {kib}; exec {} --option Hash=1", env!("CARGO_BIN_EXE_secateurs"));
        let mut shell = Command::new("sh");
        let pipes = shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        // The engine may have left already.
        let _ = child.stdin.take().unwrap().write_all(b"setoption name Threads value 2\nisready\ngo depth 8\n");
        let output = child.wait_with_output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let lacks = [(1, "cannot start a thread"), (2, "Hash 1 MiB refused")];
        let says = |&(code, lack)| output.status.code() == Some(code) && err.contains(lack);
        let refused = out.is_empty() && lacks.iter().any(says);
        let answered = out.contains("readyok\n") && out.contains("\nbestmove ");
        // With less than that the loader or the Rust runtime has no memory.
        let unborn = begun.is_empty() && !refused && !answered;
        assert!(unborn || refused || answered, "{kib} KiB: {output:?}", output = (output.status, out, err));
        if !unborn {
            begun.push(answered);
        }
    }
    assert!(begun.contains(&true), "{begun:?}");
}

#[test]
fn bad_arguments_are_reported() {
    for (args, named) in [
        (&["prune"][..], "prune"),
        (&["analyse", "--depth", "0"], "--depth"),
        (&["endgame", "build", "--seeds", "300", "nowhere"], "Houses=6 Capture=standard have 0 to 48 seeds, not 300"),
        (&["analyse", "--depth", "256"], "256"),
        (&["analyse", "--nodes", "many"], "many"),
        (&["analyse", "--game", "go"], "unknown game \"go\"; the games are kalah, nim, connect4, cfour, chess"),
        (&["--game", "go"], "unknown game \"go\""),
        (&["play", "--game", "module:Class"], "a game in Python, for the command of the Python package"),
        (&["analyse", "--option", "Seeds"], "\"Seeds\" is not NAME=VALUE"),
        (&["perft", "2", "--option", "Seeds=3", "--option", "seeds=5"], "--option Seeds is given twice"),
        (&["--option", "Seeds=3", "--option", "Seeds=5"], "--option Seeds is given twice"),
        (&["--option", "Seeds=3", "perft", "2", "--option", "seeds=5"], "--option Seeds is given twice"),
        (&["--game", "chess", "analyse", "--game", "nim"], "--game is given twice"),
        (&["perft", "2", "--option", "Stones=3"], "unknown option \"Stones\" of kalah"),
        (&["perft", "2", "--option", "Sedes=3"], "unknown option \"Sedes\" of kalah; did you mean Seeds?"),
        (&["compare", "--procedures", "mdtf"], "unknown procedure \"mdtf\"; did you mean mtdf?"),
        (&["compare", "--procedures", "negamax,alphabeta"], "did you mean alpha-beta?"),
        (&["compare", "--procedures", "frobnicate"], "unknown procedure \"frobnicate\"; there are minimax"),
        (&["endgame", "info", "no/such/folder"], "cannot read \"no/such/folder\": No such file"),
        (&["endgame", "verify", "no/such/folder"], "cannot read \"no/such/folder\": No such file"),
        (&["endgame", "probe", "no/such/folder", "startpos"], "cannot read \"no/such/folder\": No such file"),
        (&["endgame", "info", "Cargo.toml"], "cannot read \"Cargo.toml\": Not a directory"),
        (&["endgame", "info", "src"], "\"src\" holds no endgame database of kalah"),
        (&["analyse", "--option", "Seeds=three"], "bad value \"three\" for option Seeds: a whole number from 1 to 144"),
        (
            &["analyse", "--game", "nim", "--option", "Capture=both"],
            "\"Capture\" of nim; it is an option of kalah (--game)",
        ),
        (&["analyse", "--option", "Houses=12", "--option", "Seeds=100"], "2400 seeds"),
        (&["analyse", "--hash", "18446744073709551615"], "Hash 18446744073709551615 MiB refused"),
        (&["analyse", "--hash", "999999999"], "Hash 999999999 MiB refused"),
        (&["analyse", "--file", "no/such/file"], "cannot read \"no/such/file\""),
        (&["solve", "--file", "<4> n"], "cannot read \"<4> n\""),
        (&["analyse", "--file", "src"], "cannot read \"src\""),
        (&["analyse", "--threads", "0"], "--threads"),
        (&["analyse", "--threads", "257"], "257"),
        (&["analyse", "--multipv", "0"], "--multipv"),
        (&["analyse", "--mate", "0"], "--mate"),
        (&["analyse", "--mate", "65536"], "65536"),
        (&["tree", "--limit", "0"], "--limit"),
        (&["tree", "--limit", "99999999999"], "a tree of 99999999999 nodes may take"),
        (&["tree", "--plies", "0"], "--plies"),
        (&["tree", "--depth", "256"], "256"),
        (&["tree", "--format", "svg"], "svg"),
        (&["tree", "--output", "tree.svg"], "\"tree.svg\" does not end in .txt, .jsonl, .dot or .html"),
        (&["tree", "--output", "no/such/folder/tree.txt"], "cannot write \"no/such/folder/tree.txt\""),
        (&["tree", "nonsense"], "bad position \"nonsense\""),
        (&["tree", "--moves", "9"], "illegal move \"9\""),
        (&["perft"], "<DEPTH>"),
        (&["perft", "3", "nonsense"], "bad position \"nonsense\""),
        (
            &["--game", "kalah", "perft", "3", "8/8/8/8/8/5k2/7r/5K2 b - -"],
            "; it is a position of chess (--game chess, in Python game=",
        ),
        (&["perft", "3", "startpos moves 9"], "illegal move \"9\""),
        (&["--protocol-log", "talk.log", "games"], "--protocol-log"),
        (&["--game", "nim", "compare", "--tree", "width=2,depth=2"], "--tree takes no --game and no --option"),
        (&["compare", "--tree", "width=2,depth=2", "--option", "Seeds=3"], "--tree takes no --game and no --option"),
        (&["--game", "nim", "bench"], "--game"),
    ] {
        let ran = secateurs(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(named), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn trees_are_written_to_files_or_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for (suffix, format) in [("txt", "text"), ("jsonl", "json"), ("dot", "dot"), ("html", "html")] {
        let path = folder.path().join(format!("tree.{suffix}"));
        let ran = secateurs(&["tree", "--depth", "3", "--moves", "3,6", "--output", path.to_str().unwrap()]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""), "{suffix}");
        let shown = secateurs(&["tree", "--depth", "3", "--moves", "3,6", "--format", format]);
        assert_eq!((shown.code, shown.out), (Some(0), std::fs::read_to_string(&path).unwrap()), "{suffix}");
    }
    let lines = json(&secateurs(&["tree", "--nodes", "500", "--plies", "1", "--format", "json"]).out);
    assert!(lines.len() > 2 && lines[1..].iter().all(|line| line["ply"].as_u64() <= Some(1)));
    assert_eq!(lines[0]["plies"], 1);
}

#[test]
fn options_go_before_or_after_the_subcommand() {
    let after = secateurs(&["perft", "4", "--option", "Houses=5", "--option", "Seeds=3"]).out;
    let before = secateurs(&["--option", "Houses=5", "perft", "4", "--option", "Seeds=3"]).out;
    let counts = |out: &str| out.lines().filter(|line| line.contains(": ")).map(String::from).collect::<Vec<_>>();
    assert_eq!(counts(&after), counts(&before));
    assert_ne!(counts(&after), counts(&secateurs(&["perft", "4"]).out));
}

#[test]
fn perft_counts_what_playing_every_move_counts() {
    for row in registry::GAMES {
        let board = row.start(&row.defaults()).unwrap();
        for depth in 0..4 {
            let ran = secateurs(&["perft", &depth.to_string(), "--game", row.name]);
            let divided = board.moves().into_iter().filter(|_| depth > 0).map(|mv| {
                let mut child = board.boxed();
                child.play(&mv).unwrap();
                (mv, walk(child.as_ref(), depth - 1))
            });
            let mut expected: Vec<_> = divided.collect();
            let total = if depth == 0 { 1 } else { expected.iter().map(|(_, count)| count).sum() };
            let mut shown: Vec<_> = ran.out.lines().collect();
            assert!(shown.pop().unwrap().starts_with(&format!("total {total} in ")), "{}", ran.out);
            let shown: Vec<_> = shown.iter().map(|line| line.split_once(": ").unwrap()).collect();
            let expected: Vec<_> = expected.drain(..).map(|(mv, count)| (mv, count.to_string())).collect();
            assert!(shown.iter().copied().eq(expected.iter().map(|(mv, count)| (mv.as_str(), count.as_str()))));
        }
    }
}

/// Counts the leaves of the tree to a depth, one by one.
fn walk(board: &dyn secateurs::engine::Board, depth: u8) -> u64 {
    let children = board.moves().into_iter().map(|mv| {
        let mut child = board.boxed();
        child.play(&mv).unwrap();
        child
    });
    if depth == 0 { 1 } else { children.map(|child| walk(child.as_ref(), depth - 1)).sum() }
}

#[test]
fn every_game_and_option_is_listed() {
    let people = secateurs(&["games"]).out;
    let lines = json(&secateurs(&["games", "--json"]).out);
    assert_eq!(lines.len(), registry::GAMES.len());
    for (row, line) in registry::GAMES.iter().zip(&lines) {
        assert!(people.contains(&format!("{}: {}", row.name, row.about)));
        assert_eq!((&line["name"], &line["about"]), (&row.name.into(), &row.about.into()));
        assert_eq!(line["startpos"], row.start(&row.defaults()).unwrap().text());
        for (index, option) in row.options.iter().enumerate() {
            let shown = &line["options"][index];
            assert_eq!((&shown["name"], &shown["help"]), (&option.name.into(), &option.help.into()));
            let default = option.default_value().to_string();
            assert_eq!(shown["default"].to_string().trim_matches('"'), default);
            let (kind, help) = (option.kind.to_string(), option.help);
            let is_shown = |line: &str| [option.name, &kind, &default, help].iter().all(|part| line.contains(part));
            assert!(people.lines().any(is_shown), "{}", option.name);
        }
    }
}

#[test]
fn logs_go_to_stderr() {
    let mut command = command(&["analyse", "--json", "--depth", "3"]);
    let output = command.stdin(Stdio::null()).env("SECATEURS_LOG", "debug").output().unwrap();
    assert_eq!(json(std::str::from_utf8(&output.stdout).unwrap()).len(), 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("DEBUG"));
    for (level, warning) in [("", 0), ("OFF", 0), ("secateurs=warn", 0), ("bogus", 1)] {
        let perft = self::command(&["perft", "1"]).env("SECATEURS_LOG", level).output().unwrap();
        let err = String::from_utf8(perft.stderr).unwrap();
        assert_eq!(
            err.matches("SECATEURS_LOG is error, warn, info, debug, trace or off, not").count(),
            warning,
            "{err}"
        );
    }
}

/// Bad commands are answered in the protocol; they are not logged as warnings.
/// What a log quotes, such as the name of a file, does not control a terminal.
#[cfg(unix)]
#[test]
fn logs_have_no_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a\u{1b}[31mb");
    std::fs::write(&path, "").unwrap();
    let ran = secateurs(&["analyse", "--depth", "1", "--file", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: ") && ran.err.contains("a\\u{1b}[31mb\" has no position"), "{}", ran.err);
    // Nor has the output, but for JSON, which escapes them.
    let pages = secateurs(&["man", folder.path().join("c\u{1b}[31md").to_str().unwrap()]);
    assert!(pages.out.ends_with("c\\u{1b}[31md\n"), "{}", pages.out);
    let position = "8/8/8/8/8/5k2/7r/5K2 b - - id \"\u{1b}[31m\";";
    for args in [&["analyse", "--depth", "1"][..], &["solve", "--time", "0.1"], &["compare", "--depth", "1"]] {
        let ran = secateurs(&[args, &[position]].concat());
        assert!(ran.out.contains("id \"\\u{1b}[31m\";") && !ran.out.contains('\u{1b}'), "{args:?} {}", ran.out);
        let ran = secateurs(&[args, &["--json", position]].concat());
        assert!(ran.out.contains("\\u001b[31m") || args[0] == "compare", "{args:?} {}", ran.out);
    }
}

#[test]
fn bad_commands_are_not_logged_as_warnings() {
    let dialogue = "gibberish\nposition fen nonsense\ngo depth many\nquit\n";
    let ran = with_input(&[], dialogue);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out.matches("info string").count(), 3, "{}", ran.out);
    let mut child = command(&[]).env("SECATEURS_LOG", "info").stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(dialogue.as_bytes()).unwrap();
    let err = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(err.contains("INFO") && err.contains("gibberish") && err.contains("nonsense"), "{err}");
}

#[test]
fn without_a_subcommand_the_protocol_ends_with_its_input() {
    let ran = with_input(&["--game", "nim"], "quit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

/// A line exceeds the width only for a single word without blanks.
#[test]
fn everything_fits_a_narrow_terminal() {
    for args in [
        &["games"][..],
        &["analyse", "--depth", "4"],
        &["analyse", "--depth", "4", "--game", "cfour", "--ties", "--multipv", "2"],
        &["solve", "--file", "../tests/data/README.md"],
        &["tree", "--depth", "3"],
        &["compare", "--list"],
        &["compare", "--depth", "2", "--threshold", "1e-2", "startpos", "startpos moves 1"],
        &["compare", "--tree", "width=3,depth=3", "--trees", "4"],
        &["learn", "--games", "4", "--every", "2", "--depth", "1"],
        &["play", "--side", "none", "--depth", "2"],
    ] {
        for columns in [40_usize, 60, 80] {
            let mut command = command(args);
            let output = command.env("COLUMNS", columns.to_string()).stdin(Stdio::null()).output().unwrap();
            let out = String::from_utf8(output.stdout).unwrap();
            for line in out.lines() {
                let fits =
                    line.chars().count() <= columns || line.split_whitespace().any(|word| word.len() > columns / 2);
                assert!(fits, "{args:?} at {columns}: {line}");
            }
        }
    }
    let wide = secateurs(&["games"]).out;
    assert!(wide.lines().any(|line| line.chars().count() > 100), "a pipe has no width: {wide}");
}
