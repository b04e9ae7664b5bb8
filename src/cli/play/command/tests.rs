use super::*;

fn read(line: &str) -> Command {
    parse(line).unwrap().unwrap()
}

#[test]
fn lines_become_commands() {
    for (line, command) in [
        ("hint", Command::Hint),
        ("  HINT ", Command::Hint),
        ("undo", Command::Undo(1)),
        ("u 3", Command::Undo(3)),
        ("time 2", Command::Strength(Some(Strength::Time(Duration::from_secs(2))))),
        ("time 500 ms", Command::Strength(Some(Strength::Time(Duration::from_millis(500))))),
        ("level 10", Command::Strength(Some(Strength::Level(10)))),
        ("depth", Command::Strength(None)),
        ("side SECOND", Command::Side(Some(Side::Second))),
        ("save my game.pgn", Command::Save("my game.pgn".into(), false)),
        ("save my game.pgn replace", Command::Save("my game.pgn".into(), true)),
        ("new nim Heaps=1,2", Command::New(vec!["nim".into(), "Heaps=1,2".into()])),
        ("tree", Command::Tree(3, None)),
        ("tree 5 my tree.html", Command::Tree(5, Some("my tree.html".into()))),
        ("tree t.txt", Command::Tree(3, Some("t.txt".into()))),
        ("?", Command::Help(None)),
        ("help Level", Command::Help(Some("level".into()))),
        ("3 1", Command::Moves("3 1".into())),
        ("exit", Command::Quit),
    ] {
        assert_eq!(read(line), command, "{line}");
    }
    assert_eq!(parse(" \t"), Ok(None));
}

#[test]
fn what_is_wrong_is_named() {
    for (line, expected) in [
        ("undo x", "\"x\""),
        ("undo 0", "a number from 1"),
        ("level 11", "a level is a number from 1 to 10, not \"11\""),
        ("depth 256", "1 to 255"),
        ("time nan", "\"nan\""),
        ("time -1", "\"-1\""),
        ("time 1e300", "up to a day"),
        ("nodes 0", "from 1"),
        ("side third", "\"third\""),
        ("save", "the name of a file is missing"),
        ("load", "the name of a file is missing"),
        ("hint now", "\"now\" is too much"),
    ] {
        let error = parse(line).unwrap_err();
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn beginnings_and_slips_are_understood() {
    let rescued = |line| rescue(line, "no move".into());
    assert_eq!(rescued("und 2"), Ok(Command::Undo(2)));
    assert_eq!(rescued("re").unwrap_err(), "\"re\" can be any of redo, resign");
    assert_eq!(rescued("hnit").unwrap_err(), "there is no command \"hnit\"; did you mean hint?");
    assert_eq!(rescued("quti").unwrap_err(), "there is no command \"quti\"; did you mean quit?");
    for line in ["7", "zzz", "e4", &"x".repeat(10_000)] {
        assert_eq!(rescued(line).unwrap_err(), "no move");
    }
}

#[test]
fn words_are_unique_and_the_help_has_them_all() {
    let words: Vec<_> = COMMANDS.iter().flat_map(|row| std::iter::once(&row.name).chain(row.also)).collect();
    let distinct: std::collections::HashSet<_> = words.iter().collect();
    assert_eq!(words.len(), distinct.len());
    assert!(
        help(None).lines().count() == COMMANDS.len() && help(None).lines().all(|line| line.len() <= 100),
        "{}",
        help(None)
    );
}
