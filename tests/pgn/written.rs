//! What is written in Portable Game Notation, and read again.

use super::read;
use proptest::prelude::*;
use secateurs::pgn::{self, Pgn, PgnMove, games, write_moves};
use secateurs::registry::{self, STARTPOS, Setup};

#[test]
fn a_comment_is_broken_between_commands() {
    let setup = Setup::named("chess").unwrap();
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].map(|mv| PgnMove::new(mv, "[%eval 0.59,9] x".into()));
    let mut out = Vec::new();
    write_moves(&mut out, &setup, STARTPOS, "", &moves, "*").unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.matches("{[%eval 0.59,9] x}").count() + text.matches("{[%eval 0.59,9]\nx}").count(), 5, "{text}");
    assert!(text.lines().count() > 2 && text.lines().all(|line| line.len() <= 79), "{text}");
}

/// A comment does not nest: a brace in it is a character.
#[test]
fn a_brace_in_a_comment_is_kept() {
    let [game] = &read("{a {b} 1. e4 {c {{ d} (1. d4 {e {f}) e5 *")[..] else { panic!("a game") };
    assert_eq!((&game.comment[..], &game.moves[0].comment[..]), ("a {b", "c {{ d"));
    let mut out = Vec::new();
    write_moves(&mut out, &Setup::named("chess").unwrap(), STARTPOS, &game.comment, &game.moves, "*").unwrap();
    assert_eq!(String::from_utf8(out).unwrap().trim(), "{a {b} 1. e4 {c {{ d} (1. d4 {e {f}) 1... e5 *");
}

/// Writes moves without comments.
fn numbered(game: &str, position: &str, moves: &[&str]) -> String {
    let moves: Vec<_> = moves.iter().map(|mv| PgnMove::new(mv, String::new())).collect();
    let mut out = Vec::new();
    write_moves(&mut out, &Setup::named(game).unwrap(), position, "", &moves, "*").unwrap();
    String::from_utf8(out).unwrap().trim().to_owned()
}

#[test]
fn pairs_of_moves_have_a_number() {
    assert_eq!(numbered("draughts", STARTPOS, &["32-28", "19-23", "28x19"]), "1. 32-28 19-23 2. 28x19 *");
    assert_eq!(numbered("draughts", "B:W31:B2", &["2-7", "31-26"]), "1. 2-7 31-26 *");
    assert_eq!(numbered("draughts", "B:W 31, 32, K29:B 1, 12", &["12-17", "31-26"]), "1. 12-17 31-26 *");
    assert_eq!(numbered("checkers", STARTPOS, &["11-15", "23-18"]), "1. 11-15 23-18 *");
    assert_eq!(numbered("connect4", STARTPOS, &["4", "4", "5"]), "1. 4 4 2. 5 *");
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 4 12";
    assert_eq!(numbered("xiangqi", fen, &["h7e7", "h0g2"]), "12... h7e7 13. h0g2 *");
    // The third move of Kalah is the same player's.
    assert_eq!(numbered("kalah", STARTPOS, &["3", "6", "1"]), "1. 3 2. 6 3. 1 *");
}

/// Python-chess takes it for a move.
#[test]
fn no_variation_ends_with_a_result() {
    let [game] = &read("1. e4 e5 (1... c5 2. Nf3 (2. c3 *) {*} *) 2. Nf3 *")[..] else { panic!("a game") };
    assert_eq!(game.moves[1].variations, ["1... c5 2. Nf3 (2. c3) {*}"]);
    let [game] = &read("1. e4 e5 (1... c5 2. Nf3 (2. c3 1/2-1/2) 1-0) 2. Nf3 *")[..] else { panic!("a game") };
    assert_eq!(game.moves[1].variations, ["1... c5 2. Nf3 (2. c3 {1/2-1/2}) {1-0}"]);
}

#[test]
fn quotation_marks_protect_moves_in_variations() {
    for mv in ["a;1", "(1", "a)1", "a{1", "a (b c", r#"a \" ) b"#] {
        let variation = format!("2. \"{mv}\" 3. {} \"{mv}\"", "x ".repeat(40).trim());
        let text = format!("1. e4 (1. d4 ({variation}) e5) e5 *");
        let [game] = &read(&text)[..] else { panic!("{text}: a game") };
        assert_eq!(game.moves[0].variations, [format!("1. d4 ({variation}) e5")]);
        let mut out = Vec::new();
        write_moves(&mut out, &Setup::named("chess").unwrap(), STARTPOS, "", &game.moves, "*").unwrap();
        let [again] = &read(std::str::from_utf8(&out).unwrap())[..] else { panic!("{mv}: a game") };
        assert_eq!(again.moves[0].variations, game.moves[0].variations, "{mv}");
    }
}

/// Readers of PDN take a second number for a part of a move.
#[test]
fn a_pair_that_a_comment_parts_has_its_number_again_in_pgn_alone() {
    for (game, moves, expected) in [
        ("chess", ["e2e4", "e7e5"], "1. e4 {x} 1... e5 {x} *"),
        ("checkers", ["11-15", "23-18"], "1. 11-15 {x} 23-18 {x} *"),
    ] {
        let mut out = Vec::new();
        let moves = moves.map(|mv| PgnMove::new(mv, "x".into()));
        write_moves(&mut out, &Setup::named(game).unwrap(), STARTPOS, "", &moves, "*").unwrap();
        assert_eq!(String::from_utf8(out).unwrap().trim(), expected);
    }
}

/// A game as `Pgn` writes it: the number of its row, moves by random numbers, and texts.
type Drawn = (usize, Vec<usize>, [String; 4], Vec<String>, &'static str);

fn drawn() -> impl Strategy<Value = Drawn> {
    let text = || {
        prop_oneof![
            ".*",
            "([a-z {]{0,99}\\[Event \"x\"\\][a-z {\n]{0,99}){1,3}",
            "[ {}();%\\[\\]\"\\\\0-9a-z\n\x1b.$*-]{0,40}"
        ]
    };
    let results = vec!["1-0", "0-1", "1/2-1/2", "*", "0-0", "2-0", "", "won"];
    (
        0..registry::GAMES.len(),
        proptest::collection::vec(0_usize..1_000, 0..40),
        [text(), text(), text(), text()],
        proptest::collection::vec(text(), 40),
        proptest::sample::select(results),
    )
}

/// Returns a text as a reader has it: in one line, without the brace that ends a comment.
fn plain(comment: &str) -> String {
    let visible = comment.replace(char::is_control, " ").replace('}', ")");
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// What is written is read, whatever is in the texts; written again it is the same.
    #[test]
    fn what_is_written_is_read((row, numbers, [event, white, black, site], comments, result) in drawn()) {
        let setup = Setup::new(&registry::GAMES[row]);
        let mut board = setup.board(STARTPOS).unwrap();
        let mut moves = Vec::new();
        for (number, comment) in numbers.iter().zip(&comments) {
            let legal = board.moves();
            if legal.is_empty() {
                break;
            }
            let mv = &legal[number % legal.len()];
            moves.push(PgnMove::new(mv, comment.clone()));
            board.play(mv).unwrap();
        }
        let written = Pgn {
            event: &event,
            site: &site,
            date: None,
            round: "1".into(),
            players: [&white, &black],
            result,
            setup: &setup,
            position: STARTPOS,
            margin: None,
            termination: "normal".into(),
            tags: Vec::new(),
            moves: moves.clone(),
        };
        let mut text = Vec::new();
        written.write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let other = Setup::named("kalah").unwrap();
        let found: Vec<_> = games(&text, &other).collect();
        prop_assert_eq!(found.len(), 1, "{}", text);
        let game = found[0].as_ref().unwrap();
        let read_setup = game.setup(&other).unwrap();
        prop_assert_eq!(read_setup.row().name, setup.row().name);
        prop_assert_eq!(game.board(&read_setup, 99).unwrap().history(), board.history(), "{}", &text);
        let known = if pgn::RESULTS.contains(&result) { result } else if result == "2-0" { "1-0" } else { "*" };
        prop_assert_eq!(pgn::result(&setup, game.result), known);
        prop_assert!(game.is_ended);
        prop_assert_eq!(game.tag("Event"), Some(&*event.replace(char::is_control, " ")));
        for (played, written) in game.moves.iter().zip(&moves) {
            prop_assert_eq!(&played.comment, &plain(&written.comment), "{}", &text);
        }
        let mut again = Vec::new();
        let legal = board.history();
        let moves = game.moves.iter().zip(&legal).map(|(played, mv)| PgnMove { mv: mv.clone(), ..played.clone() });
        write_moves(&mut again, &setup, STARTPOS, "", &moves.collect::<Vec<_>>(), game.result).unwrap();
        prop_assert!(text.ends_with(&String::from_utf8(again).unwrap()), "{}", &text);
    }
}
