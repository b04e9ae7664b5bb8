//! The binary, run as a script or a person runs it.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail tests")]

use secateur::registry;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The result of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn secateur(args: &[&str]) -> Ran {
    with_input(args, "")
}

fn with_input(args: &[&str], input: &str) -> Ran {
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateur"));
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("SECATEUR_LOG").env_remove("COLUMNS");
    command
}

fn json(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn help_lists_subcommands_options_and_exit_codes() {
    let help = secateur(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    for word in ["analyse", "perft", "bench", "games", "--game", "--option", "--protocol-log", "Examples", "Exit codes"]
    {
        assert!(help.out.contains(word), "{word}");
    }
    for row in registry::GAMES {
        assert!(help.out.contains(row.name));
    }
    for command in ["analyse", "tree", "perft", "games"] {
        assert!(secateur(&[command, "--help"]).out.contains("Examples"), "{command}");
    }
    assert_eq!(secateur(&["--version"]).out, format!("secateur {}\n", env!("CARGO_PKG_VERSION")));
}

/// With little address space the engine says at its start that it lacks a thread, or answers every `go`.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_begins_answers_every_search() {
    let mut begun = Vec::new();
    for kib in (20_000..=120_000).step_by(4_000) {
        let script = format!("ulimit -v {kib}; exec {} --option Hash=1", env!("CARGO_BIN_EXE_secateur"));
        let mut shell = Command::new("sh");
        let pipes = shell.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        // The engine may have left already.
        let _ = child.stdin.take().unwrap().write_all(b"setoption name Threads value 2\nisready\ngo depth 8\n");
        let output = child.wait_with_output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let refused = output.status.code() == Some(1) && err.contains("cannot start a thread") && out.is_empty();
        let answered = out.contains("readyok\n") && out.contains("\nbestmove ");
        // With less than that the loader, the Rust runtime or the table has no memory.
        let unborn = begun.is_empty() && !refused && !answered;
        assert!(unborn || refused || answered, "{kib} KiB: {output:?}", output = (output.status, out, err));
        if !unborn {
            begun.push(answered);
        }
    }
    assert!(begun.contains(&true), "{begun:?}");
}

/// A file that may not grow is an error like that of a full disk, and the engine goes on.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_file_sizes_does_not_end_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, path) = (env!("CARGO_BIN_EXE_secateur"), folder.path().join("table.sct"));
    let input = format!("go depth 8\\nsavehash {}\\nisready\\n", path.display());
    let script = format!("ulimit -f 1; printf '{input}' | {engine}");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("readyok\n"), "{out} {:?}", output.status);
    assert!(out.contains("\ninfo string cannot write ") && !path.exists(), "{out}");
}

#[test]
fn a_game_without_exact_values_has_no_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chess.sbk");
    let ran = secateur(&["book", "build", "--game", "chess", "--hash", "1", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("has no exact value: a position repeats on a line of play"), "{}", ran.err);
}

#[test]
fn bad_arguments_are_reported() {
    for (args, named) in [
        (&["prune"][..], "prune"),
        (&["analyse", "--depth", "0"], "--depth"),
        (&["endgame", "build", "--seeds", "300", "nowhere"], "300 seeds: with Houses 6 at most"),
        (&["analyse", "--depth", "256"], "256"),
        (&["analyse", "--nodes", "many"], "many"),
        (&["analyse", "--game", "go"], "unknown game \"go\"; the games are kalah, nim, connect4, cfour, chess"),
        (&["--game", "go"], "unknown game \"go\""),
        (&["analyse", "--option", "Seeds"], "\"Seeds\" is not NAME=VALUE"),
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
        (&["analyse", "--game", "nim", "--option", "Capture=both"], "one of standard, empty"),
        (&["analyse", "--option", "Houses=12", "--option", "Seeds=100"], "2400 seeds"),
        (&["analyse", "--hash", "18446744073709551615"], "Hash 18446744073709551615 MiB refused"),
        (&["analyse", "--hash", "999999999"], "Hash 999999999 MiB refused"),
        (&["analyse", "--file", "no/such/file"], "cannot read no/such/file"),
        (&["analyse", "--file", "src"], "cannot read src"),
        (&["analyse", "--threads", "0"], "--threads"),
        (&["analyse", "--threads", "257"], "257"),
        (&["analyse", "--lines", "0"], "--lines"),
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
        (&["perft", "3", "startpos moves 9"], "illegal move \"9\""),
        (&["--protocol-log", "talk.log", "games"], "--protocol-log"),
        (&["--game", "nim", "bench"], "--game"),
    ] {
        let ran = secateur(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(named), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn json_lines_and_tables_agree() {
    let args = ["analyse", "--depth", "8", "startpos", "<6,9,8,0,5,1,7,0,1,2,0,6,5,1,3> n", "startpos moves 3 1"];
    let table = secateur(&args);
    let lines = json(&secateur(&[&args[..], &["--json"]].concat()).out);
    assert_eq!((table.code, lines.len()), (Some(0), 3));
    let blocks: Vec<_> = table.out.trim_end().split("\n\n").collect();
    assert_eq!(blocks.len(), 3);
    for ((block, line), position) in blocks.iter().zip(&lines).zip(&args[3..]) {
        assert!(block.starts_with(position));
        assert_eq!(line["position"], *position);
        assert_eq!((&line["depth"], &line["mate"], &line["bound"]), (&8.into(), &Value::Null, &"exact".into()));
        assert_eq!(line["best_move"], line["pv"][0]);
        let score = line["score"].as_f64().unwrap() / 100.0;
        let proven = match line["proven"].as_str() {
            None => "",
            Some("exact") => " proven",
            Some("lower") => " proven at least",
            Some(_) => " proven at most",
        };
        let best = line["best_move"].as_str().unwrap();
        let summary = format!("best move {best}, {score:+.2}{proven}, {} nodes", line["nodes"]);
        assert!(block.contains(&summary), "{block}\n{summary}");
        let depths = format!(" {}/{}  ", line["depth"], line["seldepth"]);
        assert!(line["seldepth"].as_u64() >= line["depth"].as_u64() && block.contains(&depths), "{block}\n{depths}");
        assert!(line["time_us"].is_u64() && line["nps"].is_u64());
    }
}

#[test]
fn trees_are_written_to_files_or_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for (suffix, format) in [("txt", "text"), ("jsonl", "json"), ("dot", "dot"), ("html", "html")] {
        let path = folder.path().join(format!("tree.{suffix}"));
        let ran = secateur(&["tree", "--depth", "3", "--moves", "3,6", "--output", path.to_str().unwrap()]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""), "{suffix}");
        let shown = secateur(&["tree", "--depth", "3", "--moves", "3,6", "--format", format]);
        assert_eq!((shown.code, shown.out), (Some(0), std::fs::read_to_string(&path).unwrap()), "{suffix}");
    }
    let lines = json(&secateur(&["tree", "--nodes", "500", "--plies", "1", "--format", "json"]).out);
    assert!(lines.len() > 2 && lines[1..].iter().all(|line| line["ply"].as_u64() <= Some(1)));
    assert_eq!(lines[0]["plies"], 1);
}

#[test]
fn wins_are_shown_in_moves() {
    let positions = ["1,2 1", "1,1 2", "0,0 1"];
    let lines = json(&secateur(&[&["analyse", "--game", "nim", "--json"], &positions[..]].concat()).out);
    let facts = |line: &Value| (line["mate"].clone(), line["score"].clone());
    let facts: Vec<_> = lines.iter().map(facts).collect();
    assert_eq!(facts, [(2.into(), 31_997.into()), ((-1).into(), (-31_998).into()), (0.into(), (-32_000).into())]);
    assert_eq!(lines[2]["best_move"], Value::Null);
    let table = secateur(&[&["analyse", "--game", "nim"], &positions[..]].concat()).out;
    for words in ["win in 2 moves", "loss in 1 move", "game over, lost"] {
        assert!(table.contains(words), "{words}");
    }
}

#[test]
fn bad_lines_are_reported_and_the_rest_is_analysed() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = b"; a comment\n\nstartpos ; the start\nrubbish\r\nstartpos moves 7\n<1,0,0,2,1> n\n\xff";
    std::fs::write(&file, text).unwrap();
    let path = file.path().to_str().unwrap();

    let ran = secateur(&["analyse", "--json", "--depth", "4", "--file", path]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines = json(&ran.out);
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["position"], &lines[3]["position"]), (&"startpos".into(), &"<1,0,0,2,1> n".into()));
    for (line, number, words) in [(1, 4, "\"rubbish\""), (2, 5, "illegal move \"7\""), (4, 7, "bad position")] {
        assert_eq!(lines[line]["line"], number);
        assert!(lines[line]["error"].as_str().unwrap().contains(words), "{}", lines[line]);
    }

    let ran = secateur(&["analyse", "--depth", "4", "--file", path]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out.matches("best move").count(), 2);
    for line in ["error: line 4: bad position \"rubbish\"", "error: line 5: illegal move \"7\"", "error: line 7: "] {
        assert!(ran.err.contains(line), "{}", ran.err);
    }
    assert!(secateur(&["analyse", path]).err.contains("--file"), "a file in the place of a position is recognised");
}

#[test]
fn standard_input_is_read_and_its_lines_are_independent() {
    let nodes = |input: &str| {
        let ran = with_input(&["analyse", "--json", "--depth", "9", "--file", "-"], input);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let lines = json(&ran.out);
        lines.into_iter().map(|line| (line["position"].to_string(), line["nodes"].clone())).collect::<Vec<_>>()
    };
    let mut forwards = nodes("startpos\nstartpos moves 1\nstartpos moves 3 2");
    forwards.reverse();
    assert_eq!(forwards, nodes("startpos moves 3 2\nstartpos moves 1\nstartpos\n"));
    assert_eq!(nodes(""), []);
}

#[test]
fn limits_hold() {
    let line = &json(&secateur(&["analyse", "--json", "--nodes", "1000"]).out)[0];
    assert!(line["nodes"].as_u64().unwrap() <= 1_000 && !line["best_move"].is_null());
    let line = &json(&secateur(&["analyse", "--json", "--movetime", "20", "--option", "Seeds=12"]).out)[0];
    assert!(line["time_us"].as_u64().unwrap() < 1_000_000 && !line["best_move"].is_null());
    let line = &json(&secateur(&["analyse", "--json", "--depth", "3", "--nodes", "1000000"]).out)[0];
    assert_eq!(line["depth"], 3);
}

#[test]
fn json_has_only_the_requested_fields() {
    let line = &json(&secateur(&["analyse", "--json", "--depth", "3"]).out)[0];
    let names: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
    for name in ["proven", "mate", "wdl", "seldepth"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"lines") && !names.contains(&"ties"), "{names:?}");
}

#[test]
fn lines_and_ties_are_options() {
    let args = ["analyse", "--depth", "4", "--lines", "3", "--ties", "--threads", "2"];
    let line = &json(&secateur(&[&args[..], &["--json"]].concat()).out)[0];
    let lines = line["lines"].as_array().unwrap();
    assert!((1..=3).contains(&lines.len()));
    for (name, first) in [("move", "best_move"), ("score", "score"), ("bound", "bound"), ("pv", "pv")] {
        assert_eq!(lines[0][name], line[first]);
    }
    for moved in lines {
        assert_eq!(moved["move"], moved["pv"][0]);
        assert!(moved["score"].as_i64() <= line["score"].as_i64() && moved.get("proven").is_some());
    }
    let ties = line["ties"].as_array().unwrap();
    assert!(ties.is_empty() || ties.contains(&line["best_move"]));
    assert!(secateur(&args).out.contains("best move "));
}

#[test]
fn moves_must_be_legal_in_every_position() {
    let ran = secateur(&["analyse", "--json", "--depth", "3", "--moves", "2,3", "startpos", "startpos moves 2"]);
    assert_eq!(ran.code, Some(0));
    let ran = secateur(&["analyse", "--json", "--depth", "3", "--moves", "3,1", "startpos moves 3", "startpos"]);
    let lines = json(&ran.out);
    assert_eq!((ran.code, lines.len()), (Some(1), 2));
    assert!(lines[0]["error"].as_str().unwrap().starts_with("illegal move \"3\" in "), "{}", lines[0]);
    assert!(lines[1]["best_move"].is_string());
    assert!(secateur(&["analyse", "--moves", "7"]).err.starts_with("error: illegal move \"7\" in "));
}

#[test]
fn a_mate_search_without_a_mate_ends_at_its_depth() {
    let line = &json(&secateur(&["analyse", "--json", "--mate", "2"]).out)[0];
    assert!(line["depth"].as_u64().unwrap() <= 4 && line["mate"].is_null());
    let args = ["analyse", "--json", "--game", "nim", "--option", "Theory=false", "--mate", "2", "1,2 1"];
    assert_eq!(json(&secateur(&args).out)[0]["mate"], 2);
}

#[test]
fn options_go_before_or_after_the_subcommand() {
    let after = secateur(&["perft", "4", "--option", "Seeds=3", "--option", "Heaps=1"]).out;
    let before = secateur(&["--option", "Seeds=5", "--option", "heaps=1", "perft", "4", "--option", "seeds=3"]).out;
    let counts = |out: &str| out.lines().filter(|line| line.contains(": ")).map(String::from).collect::<Vec<_>>();
    assert_eq!(counts(&after), counts(&before));
    assert_ne!(counts(&after), counts(&secateur(&["perft", "4"]).out));
}

#[test]
fn perft_counts_what_playing_every_move_counts() {
    for row in registry::GAMES {
        let board = row.start(&row.defaults()).unwrap();
        for depth in 0..5 {
            let ran = secateur(&["perft", &depth.to_string(), "--game", row.name]);
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
fn walk(board: &dyn secateur::engine::Board, depth: u8) -> u64 {
    let children = board.moves().into_iter().map(|mv| {
        let mut child = board.boxed();
        child.play(&mv).unwrap();
        child
    });
    if depth == 0 { 1 } else { children.map(|child| walk(child.as_ref(), depth - 1)).sum() }
}

#[test]
fn every_game_and_option_is_listed() {
    let people = secateur(&["games"]).out;
    let lines = json(&secateur(&["games", "--json"]).out);
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
    let output = command.stdin(Stdio::null()).env("SECATEUR_LOG", "debug").output().unwrap();
    assert_eq!(json(std::str::from_utf8(&output.stdout).unwrap()).len(), 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("DEBUG"));
}

/// Bad commands are answered in the protocol; they are not logged as warnings.
#[test]
fn bad_commands_are_not_logged_as_warnings() {
    let dialogue = "gibberish\nposition fen nonsense\ngo depth many\nquit\n";
    let ran = with_input(&[], dialogue);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out.matches("info string").count(), 3, "{}", ran.out);
    let mut child = command(&[]).env("SECATEUR_LOG", "info").stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(dialogue.as_bytes()).unwrap();
    let err = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(err.contains("INFO") && err.contains("gibberish") && err.contains("nonsense"), "{err}");
}

#[test]
fn a_closed_pipe_ends_the_process_quietly() {
    let endless = "startpos\n".repeat(10_000);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, endless).unwrap();
    let path = file.path().to_str().unwrap();
    for args in
        [&["analyse", "--depth", "5", "--file", path][..], &["analyse", "--json", "--depth", "5", "--file", path]]
    {
        let mut child = command(args).stdin(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("startpos"));
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{args:?}");
    }
}

/// Runs a command with its output closed; returns the exit code and stderr.
fn unread(args: &[&str]) -> (Option<i32>, String) {
    let mut child = command(args).stdin(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_closed_pipe_changes_neither_files_nor_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (table, endgames, proof, positions) = (path("table"), path("endgames"), path("proof"), path("positions"));
    std::fs::write(&positions, "startpos\n").unwrap();
    for args in [
        &["analyse", "--depth", "4", "--save-hash", &table][..],
        &["endgame", "build", "--size", "4", &endgames],
        &["solve", "--option", "Houses=2", "--option", "Seeds=2", "--certificate", &proof, &positions],
        &["endgame", "verify", &endgames],
        &["check", &proof],
    ] {
        assert_eq!(unread(args), (Some(0), String::new()), "{args:?}");
    }
    assert!(std::fs::metadata(&table).unwrap().len() > 0 && std::fs::read_dir(&endgames).unwrap().next().is_some());
    let lines = std::fs::read_to_string(&proof).unwrap();
    std::fs::write(&proof, lines.replace("\"upper\":2", "\"upper\":1")).unwrap();
    let (code, err) = unread(&["check", &proof]);
    assert_ne!(code, Some(0), "{err}");
}

/// The moves of a game count although its output is closed.
#[cfg(unix)]
#[test]
fn a_closed_pipe_keeps_the_record_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let play = ["play", "--side", "both", "--game", "nim", "--record", path.to_str().unwrap()];
    let mut child = command(&play).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    // The process may have ended with its output; then this input has no reader.
    let _ = child.stdin.take().unwrap().write_all(b"1-1\n2-1\n3-5\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
    assert!(std::fs::read_to_string(&path).unwrap().contains("1. 1-1 2. 2-1 3. 3-5"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_decide_the_test() {
    let engine = |name: &str| format!("cmd={} name={name} nodes=20 option.Hash=1", env!("CARGO_BIN_EXE_secateur"));
    let (one, two) = (engine("one"), engine("two"));
    let game = ["match", "--option", "Houses=2", "-e", &one, "-e", &two, "--random-candidates", "1"];
    let test = ["--rounds", "2", "--random-plies", "2", "--sprt", "0,100", "--exit-code"];
    assert_eq!(unread(&[&game[..], &test].concat()).0, Some(4));
}

#[test]
fn bench_ends_quietly_when_its_output_is_closed() {
    let mut child = command(&["bench"]).stdin(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn without_a_subcommand_the_protocol_ends_with_its_input() {
    let ran = with_input(&["--game", "nim"], "quit\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn books_are_built_shown_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.sbk").to_str().unwrap().to_owned();
    let kalah = ["--option", "Houses=4", "--option", "Seeds=2"];
    let build = |more: &[&str]| secateur(&[&["book", "build", "--plies", "5", &path], &kalah[..], more].concat());
    let first = build(&["--entries", "9"]);
    assert_eq!((first.code, first.out.as_str(), first.err.as_str()), (Some(0), "9 positions\n", ""));
    assert_eq!(build(&[]).code, Some(0));
    let info = json(&secateur(&["book", "info", &path]).out);
    assert_eq!((&info[0]["game"], &info[0]["plies"]), (&Value::from("kalah"), &Value::from(4)));
    assert_eq!(info[0]["options"], serde_json::json!({"Houses": "4", "Seeds": "2"}));
    assert!(info[0]["entries"].as_u64().unwrap() > 40);

    let options = [&["book", "probe", &path, "startpos", "<4,9,0,1,0,0,0,0,0,0,1> n", "<x> s"], &kalah[..]].concat();
    let probed = secateur(&options);
    assert_eq!((probed.code, &json(&probed.out)[0]["value"]), (Some(1), &Value::from(6)));
    assert_eq!(json(&probed.out)[0]["moves"], serde_json::json!(["4"]));
    let records = json(&probed.out);
    assert_eq!(records.len(), 3, "one for each position");
    assert!(records[1]["error"].as_str().unwrap().contains("does not have it"));
    assert_eq!(records[2]["position"], Value::from("<x> s"));
    assert!(probed.err.contains("does not have it") && probed.err.contains("bad position \"<x> s\""), "{}", probed.err);

    let other = secateur(&["book", "build", &path, "--option", "Houses=3"]);
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("of another start: its options.Houses is \"4\", not \"3\""), "{}", other.err);
    assert!(secateur(&["book", "info", "Cargo.toml"]).err.contains("\"Cargo.toml\" is no opening book"));
    assert_eq!(secateur(&["book", "build", "--plies", "0", &path]).code, Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for argument in ["--help", "--version"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&[argument]).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && err.contains("cannot write"), "{argument}: {err}");
    }
}

/// An endless file is refused before it fills the memory.
#[test]
fn endless_files_are_refused() {
    for args in [&["book", "info", "/dev/zero"][..], &["book", "probe", "/dev/zero", "startpos"]] {
        let ran = secateur(args);
        assert!(ran.code == Some(2) && ran.err.contains("it has more than 256 MiB"), "{args:?} {}", ran.err);
    }
    let plausibilities = ["compare", "--depth", "1", "--plausibilities", "/dev/zero"];
    let checkpoint = ["learn", "--games", "1", "--checkpoint", "/dev/zero"];
    for (args, most) in [(&plausibilities[..], 1), (&checkpoint, 16)] {
        let ran = secateur(args);
        assert!(ran.code == Some(2) && ran.err.contains(&format!("it has more than {most} MiB")), "{}", ran.err);
    }
    assert!(secateur(&["endgame", "build", "--seeds", "2", "Cargo.toml"]).err.contains("is not a folder"));
    let [one, two] = ["one", "two"].map(|name| format!("cmd={} name={name}", env!("CARGO_BIN_EXE_secateur")));
    for (args, reason) in [
        (&["analyse", "--depth", "1", "--file", "/dev/zero"][..], "a line has more than 256 MiB"),
        (&["solve", "/dev/zero"], "a line has more than 256 MiB"),
        (&["compare", "--depth", "1", "--file", "/dev/zero"], "a line has more than 256 MiB"),
        (&["match", "--each", "nodes=1", "-e", &one, "-e", &two, "--openings", "/dev/zero"], "it has more than 64 MiB"),
        (&["tune", "/dev/zero"], "a line has 64 MiB or more"),
        (&["plausibility", "/dev/zero"], "a line has 64 MiB or more"),
    ] {
        let ran = secateur(args);
        assert!(
            ran.code == Some(2) && ran.err.contains(reason) && ran.err.contains("/dev/zero"),
            "{args:?} {}",
            ran.err
        );
    }
    let check = secateur(&["check", "/dev/zero"]);
    assert!(
        check.code == Some(1) && check.err.contains("/dev/zero") && check.err.contains("too long"),
        "{}",
        check.err
    );
}

#[test]
fn endgames_are_built_listed_verified_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").to_str().unwrap().to_owned();
    let kalah = ["--option", "Houses=3", "--option", "Capture=empty"];
    let endgame = |action: &str, more: &[&str]| secateur(&[&["endgame", action, &path], &kalah[..], more].concat());

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

    let texts = ["<3,2,1,1,0,2,0,1,3> n", "<3,0,0,9,9,9,9,9,9> s", "<3,1,1> s"];
    let probed = endgame("probe", &[&["--json"], &texts[..]].concat());
    assert_eq!(probed.code, Some(1));
    let probed = json(&probed.out);
    let options = [&["analyse", "--json", "--depth", "40", texts[0]], &kalah[..]].concat();
    let searched = &json(&secateur(&options).out)[0];
    assert_eq!((&probed[0]["value"], &Value::from("exact")), (&searched["score"], &searched["proven"]));
    let best = probed[0]["moves"].as_array().unwrap().iter().find(|mv| mv["move"] == searched["best_move"]).unwrap();
    assert_eq!(best["value"], searched["score"]);
    assert!(probed[1]["error"].as_str().unwrap().contains("no database of"));
    assert!(probed[2]["error"].as_str().unwrap().contains("bad position"));

    let option = format!("KalahEndgames={path}");
    let helped = &json(&secateur(&[&options[..], &["--option", &option]].concat()).out)[0];
    assert_eq!((&helped["score"], &helped["proven"]), (&searched["score"], &searched["proven"]));
    assert!(helped["nodes"].as_u64() < searched["nodes"].as_u64(), "{helped} {searched}");

    std::fs::write(folder.path().join("new/kalah-3-empty-4.sde"), "x").unwrap();
    for damaged in [endgame("info", &[]), endgame("build", &["--seeds", "9"]), endgame("probe", &[texts[0]])] {
        assert_eq!(damaged.code, Some(2));
        assert!(damaged.err.contains("kalah-3-empty-4.sde") && damaged.err.contains("is no endgame database"));
    }
    let nim = secateur(&["endgame", "info", &path, "--game", "nim"]);
    assert!(nim.code == Some(2) && nim.err.contains("nim has no endgame databases; there are some for kalah"));
}

/// Runs `secateur solve` on these lines and returns its JSON.
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
    let expected = ["best_moves", "cpu_us", "lower", "moves", "nodes", "position", "proven", "pv", "time_us", "upper"];
    assert_eq!(names, [&expected[..], &["value"]].concat());
    let line = &lines[0];
    assert_eq!((&line["position"], &line["value"], &line["proven"]), (&"startpos".into(), &2.into(), &"exact".into()));
    assert_eq!((&line["lower"], &line["upper"]), (&2.into(), &2.into()));
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
    let sign = if board.turn() == secateur::core::Side::First { 1 } else { -1 };
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
    let (code, lines) = solve(&[path], "");
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
    let ran = secateur(&["solve", path]);
    assert_eq!((ran.code, ran.out.matches("  value ").count()), (Some(1), 2));
    assert!(ran.err.contains("error: line 4: bad position \"rubbish\""), "{}", ran.err);
    assert!(ran.err.contains("error: line 5: illegal move \"7\""), "{}", ran.err);
}

#[test]
fn the_public_sets_of_connect_four_are_read_unchanged() {
    let set = include_str!("data/Test_L3_R1").lines().take(20).collect::<Vec<_>>();
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
    for words in ["startpos\n  value 6, ", " nodes, ", "\n  moves ", "\n  line  ", "n\n  value 0, 0 nodes, "] {
        assert!(ran.out.contains(words), "{words:?} {}", ran.out);
    }
    let ran = with_input(&["solve", "--option", "Seeds=2", "--hash", "8", "--moves", "all"], "startpos");
    let moves = ran.out.lines().find_map(|line| line.strip_prefix("  moves ")).unwrap();
    assert!(moves.split(", ").count() == 6 && moves.split(", ").any(|mv| mv.ends_with(" 6")), "{moves}");
    let ran = with_input(&["solve", "--hash", "8", "--nodes", "1"], "startpos");
    assert!(ran.code == Some(1) && ran.out.contains("value -44 to 44, "), "{}", ran.out);
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
    assert_eq!(nodes(&[], "").0, Some(0), "nothing to solve");
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
    refused(&[], "was saved for \"kalah Capture=empty\"; this is \"Capture=standard\"");
    refused(&["--game", "connect4"], "was saved for \"kalah");
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    refused(&["--option", "Capture=empty"], "is damaged");
    std::fs::write(&path, "my diary").unwrap();
    refused(&[], "is no saved table");
    for (file, words) in
        [("no/such/folder/table", "cannot write \"no/such/folder/table\""), ("src", "not a regular file")]
    {
        let ran = with_input(&["solve", "--hash", "8", "--checkpoint", file], "startpos");
        assert!(ran.code == Some(2) && ran.out.is_empty() && ran.err.contains(words), "{}", ran.err);
    }
    let ran = secateur(&["solve", "--checkpoint", file, "--fresh"]);
    assert!(ran.code == Some(2) && ran.err.contains("--fresh"), "{}", ran.err);
}

/// The first Ctrl-C ends the search with its bounds, saves the checkpoint and reads no further line.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_solve_with_the_bounds_so_far() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let args = ["solve", "--json", "--hash", "8", "--every", "1", "--checkpoint", path.to_str().unwrap()];
    let interrupt = |child: &std::process::Child| {
        kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    };
    // During a search, once the checkpoint has been saved; and while a line is awaited.
    for input in ["startpos\nstartpos\n", "<1,0,0,1,1> s\n"] {
        let mut child = command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let mut lines = child.stdin.take().unwrap();
        lines.write_all(input.as_bytes()).unwrap();
        let began = Instant::now();
        while !path.exists() && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let saved = path.metadata().unwrap().modified().unwrap();
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        drop(lines);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(130), 0));
        let said = json(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!(said.len(), 1, "{said:?}");
        let given_up = said[0]["position"] == "startpos";
        assert_eq!(said[0]["proven"] != "exact", given_up, "{said:?}");
        assert!(path.metadata().unwrap().modified().unwrap() >= saved);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        std::fs::remove_file(&path).unwrap();
    }
}

/// Ctrl-C ends every command with its exit code from the start of `main`. Most of these commands wait for a pipe
/// without a writer. No program can handle a signal during its loading: the test waits for the handler.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_every_command_from_its_start() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let pipe = path.to_str().unwrap();
    let [one, two] = ["one", "two"].map(|name| format!("cmd={} name={name}", env!("CARGO_BIN_EXE_secateur")));
    for args in [
        &["analyse", "--file", pipe][..],
        &["solve", pipe],
        &["match", "--each", "nodes=1", "-e", &one, "-e", &two, "--openings", pipe],
        &["check", pipe],
        &["play"],
        &["bench"],
        &[],
    ] {
        let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        let status = format!("/proc/{}/status", child.id());
        let handled = || {
            let status = std::fs::read_to_string(&status).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & 1 << (Signal::INT.as_raw() - 1) != 0
        };
        while !handled() {
            assert_eq!(child.try_wait().unwrap(), None, "{args:?}");
            assert!(began.elapsed() < Duration::from_secs(30), "{args:?}");
            std::thread::yield_now();
        }
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        // `play` may reach its prompt first, where Ctrl-C does not end it.
        drop(child.stdin.take());
        let code = child.wait_with_output().unwrap().status.code();
        assert!(code == Some(130) || args == ["play"] && code == Some(0), "{args:?}: {code:?}");
    }
}

/// Interrupts a child after it has written `lines` lines.
fn interrupted(args: &[&str], input: &str, lines: usize) -> Ran {
    use rustix::process::{Pid, Signal, kill_process};
    let mut child = command(args).stdin(Stdio::piped()).spawn().unwrap();
    // The input stays open: more lines may follow.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    for _ in 0..lines {
        assert!(out.read_line(&mut text).unwrap() > 0, "{args:?} ended: {text}");
    }
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    std::io::Read::read_to_string(&mut out, &mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran { code: output.status.code(), out: text, err: String::from_utf8(output.stderr).unwrap() }
}

#[test]
fn ctrl_c_ends_an_analysis_with_the_best_move_so_far() {
    // Three lines: the position, the header, the first iteration.
    let ran = interrupted(&["analyse", "--depth", "200", "startpos", "startpos moves 1"], "", 3);
    assert_eq!((ran.code, ran.err.as_str()), (Some(130), ""), "{}", ran.out);
    assert!(ran.out.contains("\nbest move ") && !ran.out.contains("startpos moves 1"), "{}", ran.out);
    // A table to be saved is saved.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let save = ["analyse", "--depth", "200", "--hash", "1", "--save-hash", path.to_str().unwrap()];
    assert_eq!(interrupted(&save, "", 3).code, Some(130));
    assert!(secateur(&["analyse", "--depth", "2", "--load-hash", path.to_str().unwrap()]).code == Some(0));
    // One position is finished; the next one is being searched, or a line is awaited.
    for input in ["<1,0,0,1,1> s\nstartpos\nstartpos\n", "<1,0,0,1,1> s\n"] {
        let ran = interrupted(&["analyse", "--json", "--nodes", "10000000000", "--file", "-"], input, 1);
        assert_eq!((ran.code, ran.err.as_str()), (Some(130), ""));
        let lines = json(&ran.out);
        assert!(
            (1..=2).contains(&lines.len()) && lines.iter().all(|line| line["best_move"].is_string()),
            "{}",
            ran.out
        );
    }
}

#[test]
fn ctrl_c_ends_every_long_command_with_the_same_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let endgames = path("endgames");
    for (args, lines, says) in [
        (&["perft", "30"][..], 0, "paths were counted"),
        (&["learn", "--games", "1000000", "--depth", "1", "--every", "1"], 3, ""),
        (&["endgame", "build", "--seeds", "24", &endgames], 1, "the same command goes on"),
    ] {
        let ran = if lines > 0 { interrupted(args, "", lines) } else { interrupted_after(args) };
        assert_eq!(ran.code, Some(130), "{args:?} {}", ran.err);
        assert!(ran.err.contains(says), "{args:?} {}", ran.err);
    }
    let book = path("book");
    let ran = interrupted_after(&["book", "build", "--option", "Seeds=6", "--hash", "8", &book]);
    assert!(ran.code == Some(130) && ran.err.contains("the same command goes on"), "{}", ran.err);
    let tree = interrupted_after(&["tree", "--depth", "200", "--plies", "1"]);
    assert!(tree.code == Some(130) && tree.out.contains("player 1 to move"), "{}", tree.out);
}

/// Interrupts a child after a second; it writes no line to wait for.
fn interrupted_after(args: &[&str]) -> Ran {
    use rustix::process::{Pid, Signal, kill_process};
    let child = command(args).stdin(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A line exceeds the width only for a single word without blanks.
#[test]
fn everything_fits_a_narrow_terminal() {
    for args in [
        &["games"][..],
        &["analyse", "--depth", "4"],
        &["analyse", "--depth", "4", "--game", "cfour", "--ties", "--lines", "2"],
        &["solve", "tests/data/README.md"],
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
    let wide = secateur(&["games"]).out;
    assert!(wide.lines().any(|line| line.chars().count() > 100), "a pipe has no width: {wide}");
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
    let given_up = solve("startpos", &["--nodes", "10"]);
    assert_eq!(given_up.code, Some(1));
    assert!(given_up.err.contains("no certificate: stopped") && !path.exists(), "{}", given_up.err);
    assert_eq!(solve("startpos", &[]).code, Some(0));
    let checked = secateur(&["check", file]);
    assert_eq!((checked.code, checked.err.as_str()), (Some(0), ""));
    assert!(checked.out.contains("position <3,0,0,3,3,3,3,3,3> s\n  value    2\n"), "{}", checked.out);
    assert!(checked.out.contains("Capture=standard"), "{}", checked.out);
    let text = std::fs::read_to_string(&path).unwrap();
    let short = text.trim_end().rsplit_once('\n').unwrap().0;
    std::fs::write(&path, format!("{short}\n")).unwrap();
    let checked = secateur(&["check", file]);
    assert_eq!((checked.code, checked.out.as_str()), (Some(1), ""));
    assert!(checked.err.contains("no later line shows"), "{}", checked.err);
    assert_eq!(secateur(&["check", "no/such/file"]).code, Some(2));
    assert_eq!(secateur(&["check", "--game", "nim", file]).code, Some(2));
    assert!(secateur(&["check", "--help"]).out.contains("Examples"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_certified_search() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateur"));
    command.args(["solve", "--threads", "256", "--hash", "1", "--certificate", "proof.jsonl"]);
    command.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"startpos\n").unwrap();
    // The warning of 256 threads comes after the handler of Ctrl-C is set.
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(errors.any(|line| line.contains("256 threads")));
    kill_process(Pid::from_raw(child.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    let rest: Vec<_> = errors.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{rest:?}");
}
