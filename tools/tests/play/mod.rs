//! `secateurs play` through pipes: whole games, every command, errors, records, Ctrl-C.

mod files;
mod input;

use secateurs::registry::GAMES;
use std::fs;
use std::io::Write;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The result of a session.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

fn spawn(folder: &Path, args: &[&str]) -> Child {
    spawn_in(folder, args, |_| {})
}

fn spawn_in(folder: &Path, args: &[&str], change: impl FnOnce(&mut Command)) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
    command.arg("play").args(args).current_dir(folder).env_remove("SECATEURS_LOG").env_remove("COLUMNS");
    change(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn play_in(folder: &Path, args: &[&str], input: &[u8]) -> Ran {
    let mut child = spawn(folder, args);
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_vec();
    // Input after `quit` is lost.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn play(args: &[&str], input: &str) -> Ran {
    let ran = play_in(&std::env::temp_dir(), args, input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?} {input:?}: {}", ran.out);
    ran
}

/// Checks that the parts occur in this order.
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part:?} is missing, or out of order, in\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn every_game_is_played_to_its_end() {
    for row in GAMES {
        for side in ["none", "first", "second", "both"] {
            // `go` makes the engine move for a person.
            let ran = play(&["--game", row.name, "--side", side, "--depth", "1"], &"go\n".repeat(1_000));
            assert!(ran.out.contains("The game is over."), "{} {side}: {}", row.name, ran.out);
            let last = ran.out.lines().last().unwrap();
            let ends = ["win.", "wins.", "draw.", "seed.", "seeds.", "disc.", "discs."];
            assert!(ends.iter().any(|end| last.ends_with(end)), "{} {side}: {last}", row.name);
            // All but the first line, which describes the game, is ASCII.
            assert!(ran.out.lines().skip(1).all(str::is_ascii), "{}: {}", row.name, ran.out);
        }
    }
}

#[test]
fn every_level_plays() {
    for level in 1..=10 {
        let ran = play(&["--level", &level.to_string(), "--side", "none", "--game", "nim"], "");
        in_order(&ran.out, &[&format!("at level {level}"), "Player", "wins."]);
    }
}

#[test]
fn every_command_is_understood() {
    let ran = play(
        &["--seed", "1", "--depth", "3"],
        "3\nHouse 1\nhistory\nundo\nundo\nredo\nmoves\nmo\nfoo\nhnit\n9\nhint\neval\nboard\nswap\nlevel 3\ndepth\ntime 0.1\nside\nresign\n3\nundo\nquit\nhint\n",
    );
    in_order(
        &ran.out,
        &[
            "You are South, I am North, playing at depth 3.",
            "Your move, South.",
            "You play 3 and have another turn.",
            "You play 1.",
            "I play ",
            "  1. South  3 1\n  2. North  ",
            "Your move, South.",
            "Your move, South.",
            "1 2 4 5 6\n",
            "1 2 4 5 6\n",
            "\"foo\" is not a legal move; the legal moves: 1 2 4 5 6",
            "There is no command \"hnit\"; did you mean hint?",
            "\"9\" is not a legal move; the legal moves: 1 2 4 5 6",
            "Play ",
            "Static evaluation for South, in seeds:",
            "Book: You win by 8 seeds, proven.",
            "You are North, I am South, playing at depth 3.",
            "I play ",
            "The engine plays at level 3.",
            "The engine plays at level 3.",
            "The engine plays at 0.1 s a move.",
            "You are North",
            "The game is over. You resign: I win.",
            "The game is over; `new` starts another",
            "Your move, North.",
            "The game is not over: <6,",
        ],
    );
    assert!(!ran.out.contains("South> ") && !ran.out.contains("North> "), "nobody is prompted: {}", ran.out);
}

#[test]
fn the_tree_of_a_search_is_shown_or_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("taken.txt"), "mine").unwrap();
    let ran = play_in(folder.path(), &[], b"tree 2\ntree 4 t.html\ntree taken.txt\ntree t.pdf\ntree 2 t.html\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    in_order(
        &ran.out,
        &["Wrote the tree to t.html.", "File taken.txt exists", "does not end in .txt", "File t.html exists"],
    );
    assert!(ran.out.lines().count() > 30, "the tree of two plies is shown: {}", ran.out);
    assert!(fs::read_to_string(folder.path().join("t.html")).unwrap().contains("<html"));
    assert_eq!(fs::read_to_string(folder.path().join("taken.txt")).unwrap(), "mine");
}

#[test]
fn a_deep_tree_is_announced() {
    let ran = play(&["--game", "nim", "--option", "Heaps=1,1"], "tree 8\ntree 50\n");
    assert_eq!(ran.out.matches("; Ctrl-C stops the search and shows the tree so far.").count(), 1, "{}", ran.out);
    in_order(&ran.out, &["Searching to depth 50", "window"]);
}

#[test]
fn new_games_can_begin_at_any_time() {
    let ran = play(
        &["--side", "both"],
        "new houses=4 seeds=3\nmoves\nnew nim heaps=1,1\n1 1\nheap 2 take 1\nnew\nnew go\nnew heaps=x\nnew columns=3\nnew kalah houses=4 Houses=5\nnew x y\nnew connect4 columns=5 rows=4\n3 3 3\nhistory\n",
    );
    in_order(
        &ran.out,
        &[
            "kalah: ",
            "Houses=4, Seeds=3",
            "1 2 3 4\n",
            "nim: ",
            "Heaps=1,1",
            "The game is over. Player 2 wins.",
            "Heaps=1,1",
            "Unknown game \"go\"",
            "Bad value \"x\" for option Heaps",
            "Nim has no option \"columns\"",
            "The option \"houses\" is given twice",
            "Unknown game \"x\"",
            "connect4: ",
            "x to move.",
            "o plays 3.",
            "o to move.",
            "  1. x  3\n  2. o  3\n  3. x  3\n",
        ],
    );
}

#[test]
fn wins_are_announced_and_the_four_is_marked() {
    let ran = play(&["--game", "connect4", "--side", "both"], "1 2 1 2 1 2\nhint\n1\n");
    in_order(&ran.out, &["Play 1. x wins in 1 move, proven.", "v\n", "[x] .", "[x] o", "The game is over. x wins."]);
    let ran = play(&["--game", "cfour", "startpos moves P@d1 P@d2", "--depth", "2"], "D\nundo 9\nmoves\n");
    in_order(&ran.out, &["You play P@d3.", "I play P@", "P@d1"]);
}

#[test]
fn a_seed_repeats_the_game_and_debug_has_no_random_moves() {
    let game = |args: &[&str]| play(&[args, &["--side", "none", "--level", "3"]].concat(), "history\n").out;
    assert_eq!(game(&["--seed", "7"]), game(&["--seed", "7"]));
    let games: std::collections::HashSet<_> = (0..4).map(|_| game(&[])).collect();
    assert!(games.len() > 1, "four games are all the same");
    let debug = play(&["--debug", "--depth", "4", "--side", "second", "--no-book"], "").out;
    in_order(&debug, &["info depth 1", "info depth 4", "I play"]);
    let without = |text: String| text.lines().filter(|line| !line.starts_with("info")).collect::<Vec<_>>().join("\n");
    let no_book = || without(play(&["--debug", "--depth", "4", "--side", "none", "--no-book"], "").out);
    assert_eq!(no_book(), no_book());
}

#[test]
fn undo_says_how_many_moves_it_takes_back() {
    let ran = play(&["--side", "both"], "3\n1\n5\nundo 99\nredo 99\nundo 3\nredo 2\nundo 2\nundo\n");
    let said: Vec<_> = ran.out.lines().filter(|line| line.starts_with("There ")).collect();
    let expected = ["There were only 3 moves to undo.", "There were only 3 moves to redo.", "There is no move to undo"];
    assert_eq!(said, expected, "{}", ran.out);
}

#[test]
fn help_is_plain_text_and_fits_the_terminal() {
    let ran = play(&[], "help\nhelp save\nhelp OPTIONS\nhelp levek\nLEVEL 11\nhint now\n");
    in_order(
        &ran.out,
        &[
            "Commands:\n  hint ",
            "[aliases: u, back]",
            "Type a move in the notation of the game",
            "`save FILE replace` overwrites an existing file.",
            "Usage: save <FILE> [replace]",
            "  Houses=6 ",
            "There is no command \"levek\"; did you mean level?",
            "Invalid value \"11\": not from 1 to 10",
            "Unexpected argument \"now\"",
        ],
    );
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    let mut child = spawn_in(&std::env::temp_dir(), &[], |command| {
        command.env("COLUMNS", "40");
    });
    child.stdin.take().unwrap().write_all(b"help\nhelp level\n").unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains("Commands:") && out.lines().all(|line| line.chars().count() <= 40), "{out}");
}

#[test]
fn colours_and_characters_are_options() {
    assert!(!play(&[], "").out.contains('\u{1b}'));
    assert!(play(&["--color", "always"], "").out.contains('\u{1b}'));
    assert!(play(&["--color", "always", "--ascii"], "").out.is_ascii());
}

#[cfg(unix)]
#[test]
fn ctrl_c_lets_the_engine_move_and_leaves_at_the_prompt() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let mut child = spawn(
        folder.path(),
        &["--side", "second", "--movetime", "600000", "--no-book", "--debug", "--record", "r.pgn"],
    );
    let stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let interrupt = |child: &Child| kill_process(Pid::from_child(child), Signal::INT).unwrap();
    assert!(lines.by_ref().any(|line| line.starts_with("info depth 5")));
    let start = Instant::now();
    interrupt(&child);
    let answer = lines.by_ref().find(|line| line.starts_with("I play")).unwrap();
    assert!(start.elapsed() < Duration::from_secs(30), "{answer}");
    // South may have another turn.
    let mut answer = answer;
    while answer.contains("another turn") {
        assert!(lines.by_ref().any(|line| line.starts_with("info depth 5")));
        interrupt(&child);
        answer = lines.by_ref().find(|line| line.starts_with("I play")).unwrap();
    }
    assert!(lines.by_ref().any(|line| line == "Your move, North."));
    // The prompt is reached a moment later.
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert!(lines.by_ref().any(|line| line.starts_with("The game is not over")));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(fs::read_to_string(folder.path().join("r.pgn")).unwrap().contains("1. "));
    drop(stdin);
}
