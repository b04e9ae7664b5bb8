use super::*;
use std::time::Duration;

fn read(line: &str) -> Command {
    parse(line).unwrap().unwrap()
}

#[test]
fn lines_become_commands() {
    let file = |name: &str| Some(PathBuf::from(name));
    for (line, command) in [
        ("hint", Command::Hint),
        ("  HINT ", Command::Hint),
        ("undo", Command::Undo { count: 1 }),
        ("u 3", Command::Undo { count: 3 }),
        ("forth 2", Command::Redo { count: 2 }),
        ("depth", Command::Depth { strength: None }),
        ("side", Command::Side { side: None }),
        ("side SECOND", Command::Side { side: Some(Side::Second) }),
        ("save my game.pgn", Command::Save { to: ("my game.pgn".into(), false) }),
        ("save my  game.pgn replace", Command::Save { to: ("my  game.pgn".into(), true) }),
        ("save --record", Command::Save { to: ("--record".into(), false) }),
        ("load my  game.pgn", Command::Load { file: "my  game.pgn".into() }),
        ("new nim Heaps=1,2", Command::New { words: "nim Heaps=1,2".into() }),
        ("tree", Command::Tree { tree: (3, None) }),
        ("tree 5", Command::Tree { tree: (5, None) }),
        ("tree 5  my tree.html", Command::Tree { tree: (5, file("my tree.html")) }),
        ("tree t.txt", Command::Tree { tree: (3, file("t.txt")) }),
        ("tree 2024.txt", Command::Tree { tree: (3, file("2024.txt")) }),
        ("?", Command::Help { topic: None }),
        ("help Level", Command::Help { topic: Some("Level".into()) }),
        ("exit", Command::Quit),
    ] {
        assert_eq!(read(line), command, "{line}");
    }
    for line in ["", " \t", "3 1", "und", "a/hint", "--help"] {
        assert_eq!(parse(line), None, "{line}");
    }
}

#[test]
fn strengths_are_read_as_they_are_written() {
    for (line, strength) in [
        ("time 2", Strength::Time(Duration::from_secs(2))),
        ("time 2 s", Strength::Time(Duration::from_secs(2))),
        ("seconds 500 ms", Strength::Time(Duration::from_millis(500))),
        ("level 10", Strength::Level(10)),
        ("depth 255", Strength::Depth(255)),
        ("nodes 3000", Strength::Nodes(3_000)),
    ] {
        assert_eq!(read(line).strength(), Some(strength), "{line}");
        assert_eq!(read(&strength.command()).strength(), Some(strength), "{line}");
    }
    assert_eq!(read("hint").strength(), None);
}

#[test]
fn what_is_wrong_is_named() {
    for (line, expected) in [
        ("undo x", "invalid value \"x\": not a whole number"),
        ("undo 0", "invalid value \"0\": not from 1 to 65535"),
        ("undo 1 2", "invalid value \"1 2\": not a whole number"),
        ("level 11", "invalid value \"11\": not from 1 to 10"),
        ("level ten", "invalid value \"ten\": not a whole number"),
        ("tree 0", "invalid value \"0\": the depth is not from 1 to 255"),
        ("tree 256 t.txt", "invalid value \"256 t.txt\": the depth is not from 1 to 255"),
        ("depth 256", "invalid value \"256\": not from 1 to 255"),
        ("depth -1", "invalid value \"-1\": not from 1 to 255"),
        ("time nan", "invalid value \"nan\": expected 1 ms to 86400 s"),
        ("time -1", "invalid value \"-1\": expected 1 ms to 86400 s"),
        ("time 1e300", "invalid value \"1e300\": expected 1 ms to 86400 s"),
        ("side white", "; first is the side that begins: White in chess, Black in checkers and Othello"),
        ("nodes 0", "invalid value \"0\": not 1 or more"),
        ("nodes 99999999999999999999", "too large a number"),
        ("side third", "invalid value \"third\": expected first, second, both, none"),
        ("save", "missing argument <FILE>"),
        ("load", "missing argument <FILE>"),
        ("hint now", "unexpected argument \"now\""),
        ("hint --help", "unexpected argument \"--help\""),
        ("resign undo", "unexpected argument \"undo\""),
        ("hint \u{1b}[31m", "unexpected argument \"\\u{1b}[31m\""),
    ] {
        let error = parse(line).unwrap().unwrap_err();
        assert!(error.starts_with(expected) || error.ends_with(expected), "{line}: {error}");
    }
    let long = parse(&format!("undo {}", "x".repeat(4_000))).unwrap().unwrap_err();
    assert!(long.len() < 100, "{long}");
}

#[test]
fn beginnings_and_slips_are_understood() {
    let rescued = |line| rescue(line, "no move".into());
    assert_eq!(rescued("und 2"), Ok(Command::Undo { count: 2 }));
    assert_eq!(rescued("UND"), Ok(Command::Undo { count: 1 }));
    assert_eq!(rescued("und x").unwrap_err(), "invalid value \"x\": not a whole number");
    assert_eq!(rescued("re").unwrap_err(), "there is no command \"re\"; did you mean redo or resign or restart?");
    assert_eq!(rescued("hnit").unwrap_err(), "there is no command \"hnit\"; did you mean hint?");
    assert_eq!(rescued("quti").unwrap_err(), "there is no command \"quti\"; did you mean quit?");
    for line in ["7", "zzz", "e4", "d", "house 9", "column 9", "a/hint", "--help", &"x".repeat(10_000)] {
        assert_eq!(rescued(line).unwrap_err(), "no move", "{line}");
    }
}

#[test]
fn the_help_describes_every_command() {
    Command::command().debug_assert();
    let list = help(None, None, false).unwrap();
    for command in Command::command().get_subcommands() {
        let name = command.get_name();
        assert!(list.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name} in\n{list}");
        let more = help(Some(&name.to_uppercase()), None, false).unwrap();
        assert!(more.contains(&format!("Usage: {name}")) && !more.contains("--help"), "{more}");
    }
    assert!(list.contains("[aliases: u, back]") && list.contains("Type a move"), "{list}");
    assert!(help(Some("level"), None, false).unwrap().contains("7 % random moves"));
    assert!(help(Some("mov"), None, false).unwrap().contains("Type a move"));
    assert_eq!(help(Some("hnit"), None, false).unwrap_err(), "there is no command \"hnit\"; did you mean hint?");
    for columns in [40, 80, 300] {
        let list = help(None, Some(columns), false).unwrap();
        assert!(list.lines().all(|line| line.len() <= columns.min(WIDTH)), "{columns}\n{list}");
    }
    assert!(!list.contains('\u{1b}') && help(None, None, true).unwrap().contains('\u{1b}'));
}
