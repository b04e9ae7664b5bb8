//! Games in files: records, `save` and `load`.

use super::{in_order, play, play_in, spawn};
use secateurs::registry::GAMES;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};

/// Reads to the next line with this part.
fn read_to(out: &mut impl BufRead, part: &str) {
    let mut line = String::new();
    while !line.contains(part) {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "{part:?} is missing");
    }
}

#[test]
fn games_are_recorded_saved_and_loaded() {
    for row in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let ran = |args: &[&str], input: &str| {
            let ran = play_in(folder.path(), &[args, &["--game", row.name, "--depth", "2"]].concat(), input.as_bytes());
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
            ran.out
        };
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let out = ran(
            &["--side", "second", "--record", "all.pgn"],
            "go\nsave one.pgn\nsave one.pgn\nsave all.pgn\nhistory\n",
        );
        in_order(
            &out,
            &[
                "Saved to one.pgn.",
                "Saved to one.pgn.",
                "The game is already recorded in all.pgn.",
                "It is recorded in all.pgn.",
            ],
        );
        assert_eq!(read("one.pgn"), read("all.pgn"), "{}", row.name);
        let [first, second] = secateurs::registry::find(row.name).unwrap().start(&row.defaults()).unwrap().sides();
        let [white, black] = if first == "Black" { ["person", "secateurs"] } else { ["secateurs", "person"] };
        let tags = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]");
        assert!(read("one.pgn").contains(&tags), "{}", read("one.pgn"));
        let history = |out: &str| {
            out.lines()
                .filter(|line| {
                    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
                    rest.starts_with(". ") && rest.len() < line.trim_start().len()
                })
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let moves: Vec<_> = history(&out);
        // The session resumes the last game, in its place in the record.
        let again =
            ran(&["--load", "all.pgn", "--record", "all.pgn"], "history\nresign\nnew\ngo\nload one.pgn\nhistory\n");
        in_order(&again, &[&format!("You are {second}, I am {first}"), "You resign: I win.", "Loaded from one.pgn"]);
        assert_eq!(history(&again)[..moves.len()], moves[..], "{}", row.name);
        assert!(history(&again).ends_with(&moves), "{}", row.name);
        let all = read("all.pgn");
        assert_eq!(all.matches("[Event \"secateurs play\"]").count(), 2, "{all}");
        assert!(all.contains("[Termination \"resignation\"]"), "{all}");
        let over = ran(&["--load", "all.pgn"], "save other.pgn\n");
        assert!(over.contains("Saved to other.pgn"), "{over}");
    }
}

#[test]
fn a_loaded_game_continues_at_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let ran = |args: &[&str], input: &str| {
        let ran = play_in(folder.path(), args, input.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        ran.out
    };
    ran(&["--level", "8", "--record", "eight.pgn"], "3\n");
    ran(&["--movetime", "20", "--record", "time.pgn"], "3\n1\n");
    in_order(&ran(&["--time", "0.02"], ""), &["playing at 0.02 s a move."]);
    let two = ran(&["--side", "both", "--record", "two.pgn"], "3\n");
    assert!(
        two.contains("Two people play")
            && !fs::read_to_string(folder.path().join("two.pgn")).unwrap().contains("Strength")
    );
    in_order(&ran(&["--load", "eight.pgn"], ""), &["playing at level 8."]);
    in_order(&ran(&["--load", "eight.pgn", "--level", "2"], ""), &["playing at level 2."]);
    in_order(&ran(&["--load", "time.pgn"], ""), &["playing at 0.02 s a move."]);
    in_order(&ran(&["--load", "two.pgn", "--side", "first"], ""), &["playing at level 5."]);
    let out = ran(&["--level", "3"], "load eight.pgn\nlevel\n");
    in_order(
        &out,
        &["playing at level 3.", "Loaded from eight.pgn", "playing at level 8.", "The engine plays at level 8."],
    );
    // A game without a tag for it is chess.
    fs::write(folder.path().join("bare.pgn"), "[Event \"a\"]\n\n1. e4 e5 *\n").unwrap();
    assert!(ran(&["--load", "bare.pgn", "--side", "both"], "history\n").contains("  2. Black  e5"));
    // Text without tags behind the last game may be a game, or none.
    fs::write(folder.path().join("behind.pgn"), "[Event \"a\"]\n\n1. e4 e5 *\n\n1. d4 *\n").unwrap();
    let loaded = play_in(folder.path(), &["--load", "behind.pgn", "--side", "both"], b"history\n");
    assert!(loaded.out.contains("Black  e5") && !loaded.out.contains("d4"), "{}", loaded.out);
    assert!(loaded.err.contains("the game in line 5 has no tag and is left out"), "{}", loaded.err);
    // Options that do not contradict it are those of the game.
    let weights = ["--load", "eight.pgn", "--option", "Seeds=4", "--option", "KalahWeights=seed=3", "--side", "both"];
    assert!(ran(&weights, "options\n").contains("seed=3"));
    // Recorded in its own file it stays, with what its program has written.
    ran(&["--load", "bare.pgn", "--record", "bare.pgn", "--side", "both"], "Nf3\n");
    let text = fs::read_to_string(folder.path().join("bare.pgn")).unwrap();
    assert!(text.starts_with("[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"secateurs play\"]"), "{text}");
    // An invalid strength is ignored; the game is loaded.
    let text = fs::read_to_string(folder.path().join("eight.pgn")).unwrap().replace("level 8", "level 99");
    fs::write(folder.path().join("odd.pgn"), text).unwrap();
    in_order(&ran(&["--load", "odd.pgn"], ""), &["playing at level 5."]);
}

/// At the prompt as by `--load`: other programs write chess without the tag `Variant`.
#[test]
fn a_game_without_a_tag_for_it_is_the_current_one_or_chess() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bare.pgn"), "[Event \"x\"]\n\n1. 3 *\n").unwrap();
    let fen = "[FEN \"k7/8/8/8/8/8/8/K6R w - - 0 1\"]\n\n1. Rh5 Kb7 *\n";
    fs::write(folder.path().join("rook.pgn"), fen).unwrap();
    let ran = play_in(folder.path(), &["--side", "both"], b"load bare.pgn\nhistory\nload rook.pgn\nhistory\n");
    in_order(
        &ran.out,
        &["Loaded from bare.pgn, 1 move", "South  3", "Loaded from rook.pgn, 2 moves", "chess: ", "Rh5"],
    );
}

#[test]
fn bad_files_and_arguments_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter"), "Dear reader").unwrap();
    fs::write(folder.path().join("bytes"), [0xff, 0xfe]).unwrap();
    fs::write(folder.path().join("kalah.pgn"), "[Variant \"kalah\"]\n\n1. 3 *\n").unwrap();
    let five = "[Variant \"kalah\"]\n[Options \"Seeds=5 KalahWeights=seed=1\"]\n\n1. 3 *\n";
    fs::write(folder.path().join("five.pgn"), five).unwrap();
    fs::write(folder.path().join("packed.pgn"), b"\x1f\x8b\x08\0").unwrap();
    fs::write(folder.path().join("nim.pgn"), "[Variant \"nim\"]\n\n1. 1-1 *\n").unwrap();
    fs::write(folder.path().join("illegal.pgn"), "[Variant \"kalah\"]\n\n1. 3 2. 9 *\n").unwrap();
    for (args, named) in [
        (&["--load", "nowhere"][..], "cannot read \"nowhere\""),
        (&["--load", "."], "not a regular file"),
        (&["--load", "letter"], "\"letter\" holds no game"),
        (&["--load", "packed.pgn"], "cannot read \"packed.pgn\": it is compressed by gzip: unpack it first, by gunzip"),
        (&["--record", "packed.pgn"], "cannot read \"packed.pgn\": it is compressed by gzip"),
        (&["--load", "bytes"], "\"bytes\" holds no game"),
        (&["--load", "illegal.pgn"], "move 2: illegal move \"9\""),
        (&["--load", "kalah.pgn", "--game", "chess"], "\"kalah.pgn\" has a game of kalah, not of chess"),
        (&["--load", "kalah.pgn", "--option", "Seeds=3"], "\"kalah.pgn\" has a game with Seeds=4, not 3"),
        (&["--load", "five.pgn", "--option", "seeds=3"], "\"five.pgn\" has a game with Seeds=5, not 3"),
        (&["--load", "five.pgn", "--option", "KalahWeights=seed=2"], "has a game with KalahWeights=seed=1"),
        (&["--load", "nim.pgn", "--option", "Seeds=3"], "has a game of nim, which has no option \"Seeds\""),
        (&["--record", "letter"], "does not start with a game in PGN"),
        (&["--record", "no/such/folder"], "cannot write \"no/such/folder\""),
        (&["--load", "x", "startpos"], "[POSITION]"),
        (&["startpos moves 7"], "illegal move \"7\""),
        (&["--level", "11"], "invalid value \"11\" for '--level <N>': not from 1 to 10"),
        (&["--level", "3", "--depth", "2"], "--depth"),
        (&["--seed", "x"], "\"x\"".trim_matches('"')),
        (&["--side", "third"], "third"),
        (&["--hash", "999999999"], "Hash 999999999 MiB refused"),
        (&["--game", "go"], "unknown game \"go\""),
    ] {
        let ran = play_in(folder.path(), args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(named) && !ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
    let said = play_in(
        folder.path(),
        &[],
        b"load nowhere\nload letter\nsave letter\nsave no/such/file\nsave .\nload illegal.pgn\n\xff\n",
    );
    in_order(
        &said.out,
        &[
            "Cannot read \"nowhere\"",
            "holds no game",
            "File letter exists; `save letter replace`",
            "Cannot write",
            "Cannot write \".\": not a regular file",
            "move 2:",
            "The line is not UTF-8",
        ],
    );
    assert_eq!(fs::read_to_string(folder.path().join("letter")).unwrap(), "Dear reader");
    let long = play(&[], &"x".repeat(5_000));
    assert!(long.out.contains("The line has more than 4096 bytes"), "{}", long.out);
}

#[test]
fn typed_text_may_be_utf_16() {
    let typed: Vec<u8> = "\u{feff}3\r\nhistory\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let said = play_in(std::path::Path::new("."), &["--side", "both"], &typed);
    in_order(&said.out, &["1. South  3", "after 1 move."]);
    assert!(!said.out.contains("not a legal move"), "{}", said.out);
}

/// Old games in another encoding are rewritten with the new one, not without a word.
#[test]
fn a_record_that_is_not_utf_8_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.pgn");
    let record = |old: &[u8]| {
        fs::write(&path, old).unwrap();
        play_in(folder.path(), &["--record", "g.pgn", "--side", "both"], b"3\nquit\n").err
    };
    let latin = record(b"[White \"J\xf6rg\"]\n[Variant \"kalah\"]\n\n1. 3 *\n");
    assert!(latin.contains("\"g.pgn\" is not UTF-8: it is read as ISO 8859-1 or UTF-16, and rewritten"), "{latin}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("[White \"Jörg\"]") && text.matches("[White ").count() == 2, "{text}");
    for old in [text.as_bytes(), &[b"\xef\xbb\xbf", text.as_bytes()].concat()] {
        assert_eq!(record(old), "");
    }
}

#[test]
fn a_record_keeps_its_ends_of_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.pgn");
    fs::write(&path, "[White \"x\"]\r\n[Variant \"kalah\"]\r\n\r\n1. 3 *\r\n").unwrap();
    for games in 2..4 {
        play_in(folder.path(), &["--record", "g.pgn", "--side", "both"], b"3\n1\nquit\n");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
        assert_eq!((text.matches("[White ").count(), text.matches("\r\n\r\n\r\n").count()), (games, 0), "{text:?}");
    }
}

#[test]
fn save_keeps_an_earlier_game_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let typed = b"3\nsave a\n1\nsave a\nnew\nsave a\nload a\nsave a\n";
    let said = play_in(folder.path(), &["--side", "both"], typed);
    let saved = "Saved to a.";
    in_order(&said.out, &[saved, saved, "File a exists; `save a replace`", "Loaded from a, 2 moves", saved]);
}

#[test]
fn save_does_not_replace_what_others_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let mut child = spawn(folder.path(), &["--side", "both"]);
    let (mut input, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut read_to = |part: &str| read_to(&mut out, part);
    writeln!(input, "3\nsave a").unwrap();
    read_to("Saved to a.");
    let more = fs::read_to_string(&path).unwrap() + "\n[Event \"other\"]\n\n*\n";
    fs::write(&path, &more).unwrap();
    writeln!(input, "1\nsave a").unwrap();
    read_to("File a exists; `save a replace`");
    assert_eq!(fs::read_to_string(&path).unwrap(), more);
    writeln!(input, "quit").unwrap();
    child.wait().unwrap();
}

/// Two sessions do not write one file, and a game that another program appends to it stays.
#[test]
fn a_record_has_one_writer_and_keeps_what_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.pgn");
    let args = ["--record", "g.pgn", "--side", "both", "--game", "nim"];
    let mut child = spawn(folder.path(), &args);
    let (mut input, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut read_to = |part: &str| read_to(&mut out, part);
    read_to("Type a move");
    let second = play_in(folder.path(), &args, b"go\n");
    assert_eq!(second.code, Some(2), "{}", second.out);
    assert!(second.err.contains("\"g.pgn\" is already being written"), "{}", second.err);
    writeln!(input, "go\nhistory").unwrap();
    read_to(" 1. ");
    let added = "\n[Event \"added\"]\n[Variant \"nim\"]\n\n1. 1-1 *\n";
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(added.as_bytes()).unwrap();
    writeln!(input, "go\nquit").unwrap();
    assert!(child.wait().unwrap().success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.matches("[Event ").count() == 2 && text.contains(added.trim()), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The last lines say whether the game is in its file, and so does the exit code.
#[test]
fn only_a_game_that_is_in_the_file_is_said_to_be_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let ran = |args: &[&str], input: &str| {
        let ran = play_in(folder.path(), &[args, &["--side", "both"]].concat(), input.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        ran.out.contains("It is recorded in ")
    };
    let has = |name: &str| folder.path().join(name).exists();
    assert_eq!((ran(&["--record", "none.pgn"], ""), has("none.pgn")), (false, false));
    assert_eq!((ran(&["--record", "one.pgn"], "3\n"), has("one.pgn")), (true, true));
    assert_eq!((ran(&["--load", "one.pgn", "--record", "two.pgn"], ""), has("two.pgn")), (false, false));
    assert!(ran(&["--load", "one.pgn", "--record", "one.pgn"], ""), "the file has it");
    // A game that is resigned at once has a result.
    assert!(ran(&["--record", "resigned.pgn"], "resign\n"));
    let text = fs::read_to_string(folder.path().join("resigned.pgn")).unwrap();
    assert!(text.contains("[Termination \"resignation\"]") && text.ends_with("0-1\n\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn names_of_files_have_no_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let (name, shown) = ("a\u{1b}[31m.txt", "a\\u{1b}[31m.txt");
    let input = format!("3\nsave {name}\nsave {name}\nload {name}\nnew\nsave {name}\ntree {name}\ntree b{name}\n");
    let ran = play_in(folder.path(), &["--side", "both", "--record", name], input.as_bytes());
    assert!(ran.code == Some(0) && ran.out.contains(&format!("in {shown}")), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
}

#[test]
fn a_record_that_cannot_be_written_is_not_claimed() {
    for come_back in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let gone = folder.path().join("gone");
        fs::create_dir(&gone).unwrap();
        let args = ["--record", "gone/g.pgn", "--side", "both", "--game", "nim"];
        let mut child = spawn(folder.path(), &args);
        let (mut input, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut read_to = |part: &str| read_to(&mut out, part);
        // The file is opened before the first line is written.
        read_to("Type a move");
        fs::remove_dir_all(&gone).unwrap();
        writeln!(input, "go").unwrap();
        read_to("The game is not recorded: ");
        if come_back {
            fs::create_dir(&gone).unwrap();
            writeln!(input, "go").unwrap();
        }
        writeln!(input, "quit").unwrap();
        let (mut rest, output) = (String::new(), child.wait_with_output().unwrap());
        out.read_to_string(&mut rest).unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(rest.contains("It is recorded in gone/g.pgn."), come_back, "{rest}");
        assert_eq!(output.status.code(), Some(if come_back { 0 } else { 1 }), "{rest}{err}");
        assert_eq!(err.contains("the record in gone/g.pgn is incomplete"), !come_back, "{err}");
        assert_eq!(gone.join("g.pgn").exists(), come_back);
    }
}
