//! `analyse`: limits, lines, files of positions.

use super::{json, secateurs, with_input};
use serde_json::Value;

#[test]
fn json_lines_and_tables_agree() {
    let args = ["analyse", "--depth", "8", "startpos", "<6,9,8,0,5,1,7,0,1,2,0,6,5,1,3> n", "startpos moves 3 1"];
    let table = secateurs(&args);
    let lines = json(&secateurs(&[&args[..], &["--json"]].concat()).out);
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
fn wins_are_shown_in_moves() {
    let positions = ["1,2 1", "1,1 2", "0,0 1"];
    let lines = json(&secateurs(&[&["analyse", "--game", "nim", "--json"], &positions[..]].concat()).out);
    let facts = |line: &Value| (line["mate"].clone(), line["score"].clone());
    let facts: Vec<_> = lines.iter().map(facts).collect();
    assert_eq!(facts, [(2.into(), 31_997.into()), ((-1).into(), (-31_998).into()), (0.into(), (-32_000).into())]);
    assert_eq!(lines[2]["best_move"], Value::Null);
    let table = secateurs(&[&["analyse", "--game", "nim"], &positions[..]].concat()).out;
    for words in ["win in 2 moves", "loss in 1 move", "game over, lost"] {
        assert!(table.contains(words), "{words}");
    }
}

/// One error, not one for each line of a game.
#[test]
fn a_file_of_games_is_no_file_of_positions() {
    let folder = tempfile::tempdir().unwrap();
    let [games, other] = ["games.pgn", "games.txt"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let text = "\n[Event \"x; y\"]\n[Site \"?\"]\n\n1. e4 e5 *\n";
    std::fs::write(&games, "1. e4 e5 *\n").unwrap();
    std::fs::write(&other, text).unwrap();
    for (args, input) in [
        (&["analyse", "-f", &games][..], ""),
        (&["analyse", "-f", &other], ""),
        (&["analyse", "-f", "-"], text),
        (&["analyse"], text),
        (&["solve", "-f", &games], ""),
        (&["compare", "-f", &other], ""),
    ] {
        let ran = with_input(args, input);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(2), "", 1), "{args:?} {}", ran.err);
        assert!(ran.err.contains("is a file of games, not of positions: analyse --pgn FILE"), "{args:?} {}", ran.err);
    }
}

#[test]
fn bad_lines_are_reported_and_the_rest_is_analysed() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = b"; a comment\n\nstartpos ; the start\nrubbish\r\nstartpos moves 7\n<1,0,0,2,1> n\n\xff";
    std::fs::write(&file, text).unwrap();
    let path = file.path().to_str().unwrap();

    let ran = secateurs(&["analyse", "--json", "--depth", "4", "--file", path]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines = json(&ran.out);
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["position"], &lines[3]["position"]), (&"startpos".into(), &"<1,0,0,2,1> n".into()));
    for (line, number, words) in [(1, 4, "\"rubbish\""), (2, 5, "illegal move \"7\""), (4, 7, "bad position")] {
        assert_eq!(lines[line]["line"], number);
        assert!(lines[line]["error"].as_str().unwrap().contains(words), "{}", lines[line]);
    }

    let ran = secateurs(&["analyse", "--depth", "4", "--file", path]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out.matches("best move").count(), 2);
    for line in ["error: line 4: bad position \"rubbish\"", "error: line 5: illegal move \"7\"", "error: line 7: "] {
        assert!(ran.err.contains(line), "{}", ran.err);
    }
    assert!(secateurs(&["analyse", path]).err.contains("--file"), "a file in the place of a position is recognised");
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
    let ran = with_input(&["analyse", "--file", "-"], "; nothing\n");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("standard input has no position"), "{}", ran.err);
}

#[test]
fn limits_hold() {
    let line = &json(&secateurs(&["analyse", "--json", "--nodes", "1000"]).out)[0];
    assert!(line["nodes"].as_u64().unwrap() <= 1_000 && !line["best_move"].is_null());
    let line = &json(&secateurs(&["analyse", "--json", "--movetime", "20", "--option", "Seeds=12"]).out)[0];
    assert!(line["time_us"].as_u64().unwrap() < 1_000_000 && !line["best_move"].is_null());
    let line = &json(&secateurs(&["analyse", "--json", "--depth", "3", "--nodes", "1000000"]).out)[0];
    assert_eq!(line["depth"], 3);
}

#[test]
fn json_has_only_the_requested_fields() {
    let line = &json(&secateurs(&["analyse", "--json", "--depth", "3"]).out)[0];
    let names: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
    for name in ["proven", "mate", "wdl", "seldepth"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"lines") && !names.contains(&"ties"), "{names:?}");
}

#[test]
fn lines_and_ties_are_options() {
    let args = ["analyse", "--depth", "4", "--multipv", "3", "--ties", "--threads", "2"];
    let line = &json(&secateurs(&[&args[..], &["--json"]].concat()).out)[0];
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
    assert!(secateurs(&args).out.contains("best move "));
}

#[test]
fn moves_must_be_legal_in_every_position() {
    let ran = secateurs(&["analyse", "--json", "--depth", "3", "--moves", "2,3", "startpos", "startpos moves 2"]);
    assert_eq!(ran.code, Some(0));
    let ran = secateurs(&["analyse", "--json", "--depth", "3", "--moves", "\"3\", 1", "startpos moves 3", "startpos"]);
    let lines = json(&ran.out);
    assert_eq!((ran.code, lines.len()), (Some(1), 2));
    assert!(lines[0]["error"].as_str().unwrap().starts_with("illegal move \"3\" in "), "{}", lines[0]);
    assert!(lines[1]["best_move"].is_string());
    assert!(secateurs(&["analyse", "startpos", "--moves", "7"]).err.starts_with("error: illegal move \"7\" in "));
}

#[test]
fn a_mate_search_without_a_mate_ends_at_its_depth() {
    let line = &json(&secateurs(&["analyse", "--json", "--mate", "2"]).out)[0];
    assert!(line["depth"].as_u64().unwrap() <= 4 && line["mate"].is_null());
    let args = ["analyse", "--json", "--game", "nim", "--option", "Theory=false", "--mate", "2", "1,2 1"];
    assert_eq!(json(&secateurs(&args).out)[0]["mate"], 2);
}

/// People read standard algebraic notation, programs the moves of the protocol.
#[test]
fn chess_is_shown_as_people_read_it() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let shown = |args: &[&str]| {
        let ran = secateurs(args);
        assert_eq!(ran.code, Some(0), "{args:?} {}", ran.err);
        ran.out
    };
    let table = shown(&["analyse", mate, "--depth", "3"]);
    assert!(table.contains("best move Ra8#,") && !table.contains("a1a8"), "{table}");
    let line = &json(&shown(&["analyse", mate, "--depth", "3", "--json"]))[0];
    assert_eq!((&line["best_move"], &line["pv"][0]), (&"a1a8".into(), &"a1a8".into()));
    let solved = shown(&["solve", mate]);
    assert!(solved.contains("moves Ra8#\n") && solved.contains("line  Ra8#"), "{solved}");
    for format in ["text", "dot", "html"] {
        let tree = shown(&["tree", mate, "--depth", "2", "--format", format]);
        assert!(tree.contains("Ra8#") && !tree.contains("a1a8"), "{format}: {tree}");
    }
    assert!(shown(&["tree", mate, "--depth", "2", "--format", "json"]).contains("\"a1a8\""));
    let compared = shown(&["compare", mate, "--depth", "2", "--procedures", "pvs"]);
    assert!(compared.contains("Ra8#") && !compared.contains("a1a8"), "{compared}");
    assert!(shown(&["compare", mate, "--depth", "2", "--procedures", "pvs", "--csv"]).contains("a1a8"));
    // Legal moves are listed in the notation of the illegal one.
    for (illegal, first, other) in [("Rh8", "Rb1, ", "a1b1"), ("a1h8", "a1b1, ", "Rb1"), ("a1h8q", "a1b1, ", "Rb1")] {
        let ran = secateurs(&["analyse", &format!("{mate} moves {illegal}")]);
        assert!(ran.err.contains(&format!("legal moves are {first}")) && !ran.err.contains(other), "{}", ran.err);
    }
    let said = with_input(&["play", "--side", "both", mate], "moves\na1a8\nhistory\n");
    assert!(said.out.contains(" Ra8# ") && said.out.contains("White plays Ra8#."), "{}", said.out);
    assert!(!said.out.contains("a1a8"), "{}", said.out);
}

/// The protocol names it in an `info string`.
#[test]
fn what_is_ignored_in_a_position_is_named() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w KQ e6 0 1";
    let (castling, square) = ("castling rights KQ lack their king or rook: they are ignored", "en passant square e6");
    for args in [
        &["analyse", "--depth", "1", fen][..],
        &["perft", "1", &format!("{fen} moves e1e2")],
        &["tree", "--depth", "1", fen],
        &["play", fen],
    ] {
        let ran = secateurs(args);
        let notes: Vec<_> = ran.err.lines().collect();
        assert!(ran.code == Some(0) && notes.len() == 1, "{args:?} {}", ran.err);
        assert!(notes[0].contains(castling) && notes[0].contains(square), "{args:?} {}", ran.err);
    }
    let file = with_input(&["analyse", "--game", "chess", "--depth", "1", "--file", "-"], &format!("\n{fen}\n"));
    assert!(file.code == Some(0) && file.err.contains(&format!("line 2: {castling}")), "{}", file.err);
    let whole = secateurs(&["analyse", "--depth", "1", "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1"]);
    assert_eq!((whole.code, whole.err.as_str()), (Some(0), ""));
}

#[test]
fn positions_are_read_from_a_pipe() {
    let lines = "startpos moves 3\n; a comment\nstartpos moves 3 1\n";
    for command in ["analyse", "compare"] {
        let ran = with_input(&[command, "--depth", "2", "--json"], lines);
        let subject = |row: &Value| row.get("position").unwrap_or(&row["subject"]).clone();
        let mut positions: Vec<_> = json(&ran.out).iter().map(subject).collect();
        positions.dedup();
        assert_eq!((ran.code, positions.len()), (Some(0), 2), "{command} {positions:?} {}", ran.err);
        // A pipe without positions is as good as none, and positions of the command line leave it alone.
        for (more, input) in [(&[][..], ""), (&["startpos"], lines)] {
            let args = [&[command, "--depth", "2", "--json"], more].concat();
            let [piped, alone] = [with_input(&args, input), secateurs(&[command, "--depth", "2", "--json"])];
            assert_eq!((piped.code, json(&piped.out).len()), (Some(0), json(&alone.out).len()), "{}", piped.err);
        }
    }
    // A file that is named has something in it.
    for command in [["analyse", "--file"], ["analyse", "--pgn"], ["solve", "--file"], ["compare", "--file"]] {
        let ran = with_input(&[command[0], command[1], "-"], "\n");
        assert!(ran.code == Some(2) && ran.err.starts_with("error: standard input has no "), "{}", ran.err);
    }
    // Positions before it are still analysed.
    let ran = with_input(&["analyse", "startpos", "--file", "-", "--depth", "1", "--json"], "\n");
    assert_eq!((ran.code, json(&ran.out).len()), (Some(0), 1), "{}", ran.err);
    assert!(ran.err.contains("standard input has no position"), "{}", ran.err);
    let ran = with_input(&["analyse", "--pgn", "-", "--depth", "1"], "1. e4 e5 *\n");
    assert!(ran.code == Some(0) && ran.out.contains("1. e4 {[%eval "), "{} {}", ran.out, ran.err);
    let ran = with_input(&["analyse", "--pgn", "-", "--depth", "1"], "[Result \"0-0\"]\n\n1. e4 e5 0-0\n");
    assert!(
        ran.out.ends_with(" *\n\n")
            && ran.err.contains("has the result \"0-0\", which PGN does not have: it becomes *"),
        "{}",
        ran.err
    );
}

#[test]
fn mistyped_words_have_suggestions() {
    for (args, hint) in [
        (&["analyse", "--game", "ches"][..], "unknown game \"ches\"; did you mean chess?"),
        (&["analyse", "startpos move 3"], "; did you mean moves for move?"),
        (&["compare", "--tree", "widths=3"], "order and same; did you mean width?"),
        (
            &["match", "-e", "cmd=x names=A", "-e", "cmd=y"],
            "\"names=A\" is not a word that describes an engine; did you mean name?",
        ),
        (&["analyse", "--lines", "2"], "'--multipv'"),
    ] {
        let ran = secateurs(args);
        assert!(ran.code != Some(0) && ran.err.contains(hint), "{args:?} {}", ran.err);
    }
    let ran = secateurs(&["tree", "--lines", "2"]);
    assert!(ran.code == Some(2) && !ran.err.contains("multipv"), "{}", ran.err);
}

/// Each text that is no position gets a message that names the right way.
#[test]
fn texts_in_the_wrong_place_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [games, positions] = [path("games.pgn"), path("positions.txt")];
    std::fs::write(&games, "1. e4 *\n").unwrap();
    std::fs::write(&positions, "startpos\n").unwrap();
    let split = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let split: Vec<_> = split.split(' ').collect();
    let quoted = "a position is one argument: quote it, as \"";
    for (words, hint) in [
        (&["analyse", "chess"][..], "; a game is named by --game chess"),
        (&["tree", "NIM"], "; a game is named by --game nim"),
        (&["solve", &games], "; a file of games is read by analyse --pgn and by play --load"),
        (&["play", &games], "; a file of games is read by analyse --pgn and by play --load"),
        (&["perft", "1", &positions], "; a file of positions is read by --file of analyse, solve and compare"),
        (&["analyse", "position startpos"], "; it is written without \"position\""),
        (&["tree", "3 1"], "; moves follow a position and the word moves: \"startpos moves 3 1\""),
        (&["analyse", "--game", "chess", "startpos e4 e5"], "and the word moves: \"startpos moves e4 e5\""),
        (&["analyse", "startpos", "moves", "e2e4"], &format!("{quoted}startpos moves e2e4\"")),
        (&[&["analyse"], &split[..]].concat(), &format!("{quoted}rnbqkbnr/")),
        (&[&["compare", "fen"], &split[..]].concat(), &format!("{quoted}rnbqkbnr/")),
    ] {
        let ran = secateurs(words);
        assert!(ran.code == Some(2) || ran.code == Some(1), "{words:?}: {:?}", ran.code);
        assert!(ran.err.contains(hint), "{words:?}: {}", ran.err);
    }
    // Several positions, each quoted or of one word, are several.
    let start = split.join(" ");
    let start = start.as_str();
    for words in [[start, start], [start, "startpos"], [start, "startpos moves e4"]] {
        let ran = secateurs(&[&["analyse", "--game", "chess", "--depth", "1", "--json"], &words[..]].concat());
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 2), "{words:?}: {}", ran.err);
    }
}
