//! Games of `secateurs play` are saved, loaded and appended as PGN.

use super::*;
use crate::arena::date;
use std::time::Duration;

fn setup(game: &str, options: &[(&str, &str)]) -> Setup {
    let mut setup = Setup::named(game).unwrap();
    options.iter().for_each(|(name, value)| setup.set(name, value).unwrap());
    setup
}

fn line(setup: &Setup, position: &str, moves: &[&str]) -> GameLine {
    let mut line = GameLine::new(setup.board(position).unwrap());
    moves.iter().for_each(|mv| line.play(mv, "+1.00/3 0.001s".into()).unwrap());
    line
}

/// Reads the last game of a text.
fn parse(text: &str, here: &Setup) -> Result<Loaded, String> {
    set_up(&last_game(text, here)?, here, &[])
}

#[test]
fn a_game_without_tags_is_loaded() {
    let chess = setup("chess", &[]);
    let loaded = parse("1. e4 e5 *\n\n1. d4 d5 2. c4 *\n", &chess).unwrap();
    assert_eq!(loaded.line.played().len(), 3);
    for text in ["hello", "1. buy milk *", "*"] {
        assert!(parse(text, &chess).is_err_and(|error| error.starts_with("holds no game with a tag")), "{text}");
    }
}

#[test]
fn games_survive_the_trip_through_a_file() {
    let weights = [("KalahWeights", "seed=5,mobility=100"), ("Houses", "4"), ("Seeds", "3")];
    let five = [("Columns", "5"), ("Rows", "4")];
    for (setup, position, moves, seats, strength) in [
        (setup("kalah", &weights), "startpos", &["2", "3"][..], Seats::First, Some(Strength::Level(8))),
        (setup("kalah", &[]), "<2,0,0,1,1,1,1> n", &["2"], Seats::Second, Some(Strength::Depth(255))),
        (setup("nim", &[("Misere", "true")]), "1,1 1", &["1-1", "2-1"], Seats::Both, None),
        (setup("cfour", &[]), "startpos", &["P@d1", "P@d2"], Seats::None, Some(Strength::Nodes(u64::MAX))),
        (setup("checkers", &[]), "startpos", &["11-15"], Seats::First, Some(Strength::Level(2))),
        (setup("connect4", &five), "startpos", &[], Seats::First, Some(Strength::Time(Duration::from_millis(1)))),
    ] {
        let mut line = line(&setup, position, moves);
        for resigned in [false, true] {
            if resigned && !line.is_over() {
                line.resign(Side::First);
            }
            let text = String::from_utf8(write(&line, &setup, seats, strength.unwrap_or(Strength::Level(1)))).unwrap();
            let back = parse(&text, &super::tests::setup("nim", &[])).unwrap();
            assert_eq!(back.line.board().text(), line.board().text(), "{text}");
            assert_eq!(back.line.start().text(), line.start().text(), "{text}");
            assert_eq!(back.line.played(), line.played(), "{text}");
            assert_eq!(back.line.resigned(), line.resigned(), "{text}");
            assert_eq!((back.seats, back.setup.options()), (Some(seats), setup.options()), "{text}");
            assert_eq!(back.strength, strength, "{text}");
        }
    }
}

#[test]
fn the_first_player_of_checkers_is_black() {
    for (game, number, white, result) in [("checkers", "21", "secateurs", "1-0"), ("draughts", "20", "person", "0-1")] {
        let setup = setup(game, &[]);
        let mut line = line(&setup, "startpos", &[]);
        line.resign(Side::First);
        let text = String::from_utf8(write(&line, &setup, Seats::First, Strength::Level(1))).unwrap();
        let [white, result] =
            [("White", white), ("Result", result)].map(|(tag, value)| format!("[{tag} \"{value}\"]\n"));
        assert!(text.contains(&white) && text.contains(&result), "{text}");
        assert!(text.contains(&format!("[GameType \"{number}\"]\n")), "{text}");
        // Files of other programs name the rules by their number alone.
        let bare = text.replace(&format!("[Variant \"{game}\"]\n"), "").replace(number, &format!("{number},W,10,0"));
        for text in [text, bare] {
            let back = parse(&text, &super::tests::setup("nim", &[])).unwrap();
            let read = (back.setup.row().name, back.seats, back.line.resigned());
            assert_eq!(read, (game, Some(Seats::First), Some(Side::First)));
        }
    }
}

#[test]
fn the_last_game_of_a_file_is_read() {
    let text = "[Event \"x\"]\n[Variant \"nim\"]\n\n1. 1-1 *\n\n[White \"a \\\"b\\\"\"]\n[Variant \"Kalah\"]\n\n1.3 {ok} 2...1 ; more\n 3. 5 $1 1-0\n";
    let read = parse(text, &setup("nim", &[])).unwrap();
    assert_eq!(read.line.board().history(), ["3", "1", "5"]);
    assert_eq!((read.seats, read.line.resigned(), read.strength), (None, None, None));
    // Lines of comments and commands that look like tags.
    let text = "[Variant \"nim\"]\n\n1. 1-1 {a\n[%clk 0:01] b\n[White \"x\"]} 2. 1-2\n[%clk 0:02]\n3. 2-4 *\n";
    assert_eq!(parse(text, &setup("kalah", &[])).unwrap().line.board().history(), ["1-1", "1-2", "2-4"]);
}

#[test]
fn what_is_wrong_with_a_file_is_named() {
    for (text, expected) in [
        ("", "holds no game"),
        ("; a comment", "holds no game"),
        ("1. 9 *", "holds no game with a tag such as [Variant \"kalah\"]"),
        ("[Variant \"go\"]\n\n", "unknown game \"go\""),
        ("[Variant \"kalah\"]\n[Options \"Houses=99\"]\n\n", "line 2: bad value \"99\""),
        ("[Variant \"kalah\"]\n[Options \"rubbish\"]\n\n", "unknown option \"rubbish\""),
        ("[Variant \"kalah\"]\n[FEN \"x\"]\n\n", "line 2: bad position \"x\""),
        ("[Variant \"kalah\"]\n\n1. 3\n2. 9 *\n", "line 4, move 2: illegal move \"9\""),
        (
            "[Variant \"kalah\"]\n[Result \"1-0\"]\n[PlyCount \"41\"]\n\n1. 3 2. 1",
            "is cut off: its last game ends after 2 of 41 plies",
        ),
        ("[Variant \"kalah\"]\n[Result \"0-1\"]\n\n1. 3", "ends without its result, 0-1"),
        ("[Variant \"kalah\"]\n\n1. 3 {x", "line 3 has a comment without an end"),
        ("[Variant \"kalah\"]\n\n1. 3 (2. 4", "line 3 has a variation without an end"),
    ] {
        let error = parse(text, &setup("kalah", &[])).err().unwrap();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn games_are_appended_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let (setup, games) =
        (setup("kalah", &[]), |path: &Path| fs::read_to_string(path).unwrap().matches("[Event").count());
    let game = |moves: &[&str]| write(&line(&setup, "startpos", moves), &setup, Seats::First, Strength::Level(5));
    let mut recorder = Recorder::open(&path).unwrap();
    recorder.update(&game(&[]), false).unwrap();
    assert!(!path.exists());
    recorder.update(&game(&["3"]), true).unwrap();
    recorder.update(&game(&["3", "1"]), true).unwrap();
    assert_eq!(games(&path), 1);
    recorder.next(&game(&["3", "1"]));
    recorder.update(&game(&["1"]), true).unwrap();
    assert_eq!(games(&path), 2);
    drop(recorder);
    let mut again = Recorder::open(&path).unwrap();
    again.update(&game(&["2"]), true).unwrap();
    assert_eq!(games(&path), 3);
    drop(again);
    // The last game is continued, not written twice.
    let mut taken = Recorder::open(&path).unwrap();
    let (loaded, texts) = load(&path, &setup, &[]).unwrap();
    assert_eq!(loaded.line.board().history(), ["2"]);
    taken.resume(&path, texts);
    taken.update(&game(&["2", "1"]), true).unwrap();
    assert_eq!((games(&path), load(&path, &setup, &[]).unwrap().0.line.played().len()), (3, 2));
    drop(taken);
    // Games need no tags.
    fs::write(&path, "1. 1 2 *\n").unwrap();
    Recorder::open(&path).unwrap().update(&game(&["2"]), true).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("1. 1 2 *\n\n[Event ") && games(&path) == 1, "{text}");
    // A game that was cut off within a comment takes none behind it with it.
    fs::write(&path, "[Event \"x\"]\n\n1. 1 {cut o").unwrap();
    let mut recorder = Recorder::open(&path).unwrap();
    recorder.update(&game(&["2"]), true).unwrap();
    recorder.update(&game(&["2", "1"]), true).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("[Event \"x\"]\n\n1. 1 {cut o}\n\n[Event ") && games(&path) == 2, "{text}");
    drop(recorder);
    fs::write(&path, "a letter").unwrap();
    assert!(Recorder::open(&path).err().unwrap().to_string().contains("does not start with a game in PGN"));
    assert!(Recorder::open(folder.path()).is_err());
}

/// What another program puts into the file during a game stays, wherever it stands.
#[test]
fn a_file_that_changes_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let setup = setup("kalah", &[]);
    let game = |moves: &[&str]| write(&line(&setup, "startpos", moves), &setup, Seats::First, Strength::Level(5));
    let other = |name: &str| format!("[Event \"{name}\"]\n\n1. 3 *\n");
    let read = || fs::read_to_string(&path).unwrap();
    let holds = |names: &[&str], moves: usize| {
        let text = read();
        assert_eq!(text.matches("[Event").count(), names.len() + 1, "{text}");
        assert!(names.iter().all(|name| text.contains(&other(name))), "{text}");
        assert_eq!(load(&path, &setup, &[]).unwrap().0.line.played().len(), moves, "the current game is the last one");
    };
    fs::write(&path, other("old")).unwrap();
    let mut recorder = Recorder::open(&path).unwrap();
    assert!(Recorder::open(&path).err().unwrap().to_string().ends_with("is already being written"));
    recorder.update(&game(&["3"]), true).unwrap();
    fs::write(&path, read() + "\n" + &other("after")).unwrap();
    recorder.update(&game(&["3", "1"]), true).unwrap();
    holds(&["old", "after"], 2);
    // Another program has the file open while it is replaced.
    let mut late = fs::OpenOptions::new().append(true).open(&path).unwrap();
    recorder.update(&game(&["3", "1", "5"]), true).unwrap();
    std::io::Write::write_all(&mut late, other("late").as_bytes()).unwrap();
    recorder.update(&game(&["3", "1"]), true).unwrap();
    holds(&["old", "after", "late"], 2);
    // Another one replaces it.
    fs::write(&path, other("new")).unwrap();
    recorder.update(&game(&["3", "1", "5"]), true).unwrap();
    holds(&["new"], 3);
    recorder.next(&game(&["3", "1", "5"]));
    recorder.update(&game(&["1"]), true).unwrap();
    fs::write(&path, read() + "\n" + &other("after")).unwrap();
    // Without a folder nothing is written, and the games that are missing come later.
    let away = folder.path().with_extension("away");
    fs::rename(folder.path(), &away).unwrap();
    assert!(recorder.update(&game(&["1", "2"]), true).is_err() && recorder.is_incomplete());
    recorder.next(&game(&["1", "2"]));
    fs::rename(&away, folder.path()).unwrap();
    recorder.update(&game(&["2", "2"]), true).unwrap();
    assert_eq!(read().matches("[Event").count(), 5, "{}", read());
    fs::write(&path, "a letter").unwrap();
    let error = recorder.update(&game(&["2"]), true).unwrap_err().to_string();
    assert!(error.contains("does not start with a game in PGN and is left unchanged"), "{error}");
    assert_eq!(read(), "a letter");
}

/// A game has the date of its first day, also when it is loaded and played on.
#[test]
fn games_have_their_date() {
    let setup = setup("nim", &[]);
    let mut game = line(&setup, "startpos", &[]);
    let text = |game: &GameLine| String::from_utf8(write(game, &setup, Seats::First, Strength::Level(1))).unwrap();
    let today = date::day(date::now());
    assert!(text(&game).contains(&format!("[Date \"{today}\"]")) || date::day(date::now()) != today);
    game.set_date("2001.02.03");
    let loaded = parse(&text(&game), &setup).ok().unwrap();
    assert!(text(&loaded.line).contains("[Date \"2001.02.03\"]"));
}
