//! Annotated games, by `secateurs analyse --pgn` and in Rust.

use secateurs::annotate::{AnnotatedMove, Assessment, Plan, annotate};
use secateurs::core::{Request, StopFlag};
use secateurs::pgn::games;
use secateurs::registry::{self, Setup};
use secateurs::search::Table;
use serde_json::Value;
use std::io::Write;
use std::process::Command;
use std::sync::Arc;

/// The fool's mate with a comment and a variation, then a game of Nim in which the first move loses.
const GAMES: &str = "[Event \"a \\\"b\\\"\"]\n[White \"Fool\"]\n[Result \"0-1\"]\n\n1. f3 {[%clk 0:01:00]} (1. e4 e5) 1... e5 \
                     2. g4? Qh4# 0-1\n\n[Variant \"nim\"]\n[Options \"Heaps=1,2\"]\n\n1. 2-2 2. 1-1 0-1\n";

fn annotated(text: &str, depth: u8) -> Vec<Vec<AnnotatedMove>> {
    let (chess, table) = (Setup::new(registry::find("chess").unwrap()), Arc::new(Table::new(1).unwrap()));
    let request = Request::depth(depth);
    let plan = Plan { here: &chess, table: &table, request: &request, skip: 0 };
    let games = games(text, &chess).map(|game| {
        let game = game.unwrap();
        let mut positions = 0;
        let found = annotate(&game, &plan, &StopFlag::new(), &mut || positions += 1).unwrap().moves;
        assert_eq!((found.len() + 1, found.len()), (positions, game.moves.len()));
        found
    });
    games.collect()
}

#[test]
fn moves_have_scores_best_moves_and_losses() {
    let [chess, nim] = &annotated(GAMES, 4)[..] else { panic!("two games") };
    let last = &chess[3];
    assert_eq!((last.mv.as_str(), last.san.as_deref(), last.best_move.as_str()), ("d8h4", Some("Qh4#"), "d8h4"));
    assert_eq!((last.ply, last.player, last.score, last.best_score, last.loss), (4, 2, 31_999, 31_999, 0));
    // The move before allows the mate, which other moves do not.
    let blunder = &chess[2];
    assert_eq!((blunder.san.as_deref(), blunder.player, blunder.score), (Some("g4"), 1, -31_998));
    assert!(blunder.best_score > -1_000 && blunder.loss == blunder.best_score + 1_000, "{blunder:?}");
    let first = &nim[0];
    assert_eq!((first.mv.as_str(), first.san.as_ref(), first.best_move.as_str()), ("2-2", None, "2-1"));
    assert_eq!((first.score, first.best_score, first.loss), (-31_998, 31_997, 2_000));
    assert_eq!((blunder.assessment, first.assessment), (Some(Assessment::Blunder), Some(Assessment::Blunder)));
    assert_eq!(
        (last.win_percent, last.best_win_percent, last.accuracy, blunder.win_percent),
        (100.0, 100.0, 100.0, 0.0)
    );
}

/// The tag `Variant` names the game and its rules; what changes no rules is a matter of who annotates.
#[test]
fn options_beside_a_tag_hold_or_are_refused() {
    let table = Arc::new(Table::new(1).unwrap());
    let annotated = |options: &[(&str, &str)], tags: &str| {
        let mut here = Setup::named("kalah").unwrap();
        options.iter().for_each(|(name, value)| here.set(name, value).unwrap());
        let game = games(&format!("{tags}\n1. 3 *"), &here).next().unwrap().unwrap();
        let request = Request::depth(1);
        let plan = Plan { here: &here, table: &table, request: &request, skip: 0 };
        annotate(&game, &plan, &StopFlag::new(), &mut || {}).map_err(|error| error.to_string())
    };
    let (kalah, three) = ("[Variant \"kalah\"]\n", "[Options \"Seeds=3\"]\n");
    for weights in ["seed=100,mobility=0", "seed=100,mobility=90"] {
        let found = annotated(&[("KalahWeights", weights)], kalah).unwrap();
        let set = found.setup().options().changed().map(|(row, _)| row.name).collect::<Vec<_>>();
        assert_eq!(set, ["KalahWeights"], "{weights}");
    }
    let seeds = |options: &[(&str, &str)], tags: &str| {
        annotated(options, tags).map(|found| found.setup().board("startpos").unwrap().text())
    };
    let refused = "it is played with Seeds=4, not 3";
    let weights = "[Options \"KalahWeights=seed=100\"]\n";
    let error = seeds(&[("KalahWeights", "seed=90")], &[kalah, weights].concat()).unwrap_err();
    assert!(error.starts_with("it is played with KalahWeights=seed=100,"), "{error}");
    assert_eq!(seeds(&[("Seeds", "3")], kalah).unwrap_err(), refused);
    assert!(seeds(&[("Seeds", "3")], &[kalah, three].concat()).unwrap().contains("3,3,3"));
    assert!(seeds(&[("Seeds", "3")], "").unwrap().contains("3,3,3"));
    assert!(seeds(&[], &[kalah, three].concat()).unwrap().contains("3,3,3"));
}

/// The options that the caller gives become a tag, so that the game is read as it was searched.
#[test]
fn a_game_keeps_its_options() {
    let table = Arc::new(Table::new(1).unwrap());
    let chess = Setup::named("chess").unwrap();
    for (name, options, moves) in [
        ("kalah", &[("Houses", "3"), ("Seeds", "2")][..], "1. 2 2. 1 *"),
        ("othello", &[("BoardSize", "4")], ""),
        ("chess", &[("UCI_Chess960", "true")], "1. e4 *"),
        ("chess", &[], "1. e4 *"),
    ] {
        let mut here = Setup::named(name).unwrap();
        options.iter().for_each(|(name, value)| here.set(name, value).unwrap());
        let first = &here.board("startpos").unwrap().moves()[0];
        let moves = if name == "othello" { format!("1. {first} *") } else { moves.to_owned() };
        for tags in ["", "[Options \"\"]\n\n"] {
            let game = games(&format!("{tags}{moves}"), &here).next().unwrap().unwrap();
            let plan = Plan { here: &here, table: &table, request: &Request::depth(2), skip: 0 };
            let mut out = Vec::new();
            annotate(&game, &plan, &StopFlag::new(), &mut || {}).unwrap().write(&mut out, &game).unwrap();
            let text = String::from_utf8(out).unwrap();
            let again = games(&text, &chess).next().unwrap().unwrap();
            assert_eq!(again.setup(&chess).unwrap().options(), here.options(), "{text}");
            assert_eq!(again.moves.len(), game.moves.len(), "{text}");
            assert_eq!(text.contains("[Variant"), name != "chess" || !options.is_empty(), "{text}");
        }
    }
}

/// A rule that ends the game counts, although the moves after it would mate.
#[test]
fn draws_by_rule_are_no_losses() {
    for (text, score) in [
        ("[FEN \"8/8/8/8/8/5k2/7r/5K2 b - - 0 80\"]\n\n80... Rh3 81. Kg1 Rh2 82. Kf1 Re2 83. Kg1 Rh2 84. Kf1 *\n", 0),
        ("[FEN \"7k/8/5K2/8/8/8/r5Q1/8 b - - 99 100\"]\n\n100... Kh7 *\n", 0),
    ] {
        let last = annotated(text, 4).swap_remove(0).pop().unwrap();
        assert_eq!(last.score, score, "{last:?}");
        assert_eq!(last.loss, last.best_score.clamp(-1_000, 1_000).max(0), "{last:?}");
    }
}

/// Returns the games of a text with comments, in one line.
fn written(text: &str, depth: u8) -> String {
    written_after(text, depth, 0)
}

/// The same without annotations of the first plies.
fn written_after(text: &str, depth: u8, skip: usize) -> String {
    let (chess, table) = (Setup::new(registry::find("chess").unwrap()), Arc::new(Table::new(1).unwrap()));
    let mut out = Vec::new();
    for game in games(text, &chess) {
        let game = game.unwrap();
        let plan = Plan { here: &chess, table: &table, request: &Request::depth(depth), skip };
        annotate(&game, &plan, &StopFlag::new(), &mut || {}).unwrap().write(&mut out, &game).unwrap();
    }
    String::from_utf8(out).unwrap().replace('\n', " ")
}

#[test]
fn annotations_of_others_are_kept() {
    let text = written("{Intro} 1. e4! (1. d4 $14 {vv}) e5 $6 (1... c5) (1... e6) 2. Nf3?! Nc6 *", 1);
    let parts: Vec<_> =
        text.split("{[%eval ").map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
    assert!(text.contains("  {Intro} 1. e4 $1 {[%eval "), "{text}");
    assert_eq!(parts[1..], [" (1. d4 $14 {vv}) 1... e5 $6 ", " (1... c5) (1... e6) 2. Nf3 $6 ", " 2... Nc6 ", " *  ",]);
}

/// A second annotation replaces the first one and keeps the rest.
#[test]
fn annotations_do_not_pile_up() {
    let text =
        "1. f3 {Why? [%eval 0.03,3][%clk 0:01:00] a3 was better by 9.87 Space.} e5 2. g4 {It was better by far.} *";
    let once = written(text, 4);
    assert!(once.contains(" Why? [%clk 0:01:00] Space.} ") && once.contains(" It was better by far.} "), "{once}");
    assert!(once.matches("[%eval ").count() == 3 && once.contains(" 2. g4 $4 {[%eval #-1,4] Blunder: "), "{once}");
    assert!(!once.contains("a3 was") && once.matches('(').count() == 2, "{once}");
    let (_, moves) = once.split_once("]  ").unwrap();
    assert_eq!(written(moves, 4), once);
    // The words of the author stay.
    let author =
        "1. f3 {Here White was better by 0.70 according to Kasparov} e5 2. g4 {[%eval 0.1] or c3 was better by 1.23} *";
    let kept = written(author, 1);
    assert!(
        kept.contains(" Here White was better by 0.70 according to Kasparov} ")
            && kept.contains(" or c3 was better by 1.23} "),
        "{kept}"
    );
    // A score of other programs has no depth; a second annotation keeps words of the author that look like ours.
    let alike = "1. e4 {[%eval 0.17] d4 was better by 0.70} e5 {d5 was better by 0.70} *";
    let once = written(alike, 1);
    assert!(once.contains("d4 was better by 0.70") && once.contains("d5 was better by 0.70"), "{once}");
    assert_eq!(written(once.split_once("]  ").unwrap().1, 1), once);
    let other = written("1. f3 {[%eval 7.00,1] c3 was better by 1.23 [%eval #1} *", 1);
    assert!(!other.contains("7.00") && !other.contains("c3 was") && other.contains(" [%eval #1} "), "{other}");
}

/// Moves that are numbers are no numbers of moves.
#[test]
fn annotations_of_games_whose_moves_are_numbers_do_not_pile_up() {
    for (game, moves) in [("kalah", "1. 1 2. 4 3. 2"), ("connect4", "1. 4 1 2. 4 1 3. 1 4")] {
        let once = written(&format!("[Variant \"{game}\"]\n\n{moves} *"), 3);
        assert!(once.contains("[%eval") && once.contains('('), "{once}");
        assert_eq!(written(&once, 3), once);
    }
}

/// A variation of the author stays, though it begins as ours.
#[test]
fn variations_of_the_author_stay() {
    let author = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 (3... g6 {note} 4. Qf3 (4. Qd1 {back})) (3... g6 4. Qd1) 4. Qxf7# *";
    let once = written(author, 5);
    let again = written(&once, 5);
    assert_eq!([&again, &written(&again, 5)], [&once; 2]);
    assert!(once.contains("} (3... g6 4. Q"), "{once}");
    assert!(once.contains(") (3... g6 {note} 4. Qf3 (4. Qd1 {back})) (3... g6 4. Qd1) "), "{once}");
}

/// Tags of an earlier annotation do not stay; a result that only the moves have is written.
#[test]
fn tags_are_those_of_the_last_annotation() {
    let text = "[Result \"1-0 (forfeit)\"]\n[BlackAccuracy \"1.0\"]\n[White \"a\"]\n\n1. e4 e5 2. d4 1-0";
    let skipped = written_after(text, 1, 2);
    assert!(skipped.starts_with("[Result \"1-0\"] [White \"a\"] [Annotator"), "{skipped}");
    assert!(skipped.contains("[WhiteAccuracy ") && !skipped.contains("[BlackAccuracy "), "{skipped}");
}

/// Tags that say how the moves are written are those of the moves below them.
#[test]
fn tags_of_the_notation_are_those_of_the_written_moves() {
    let xiangqi = written("[Game \"Chinese Chess\"]\n[Format \"ICCS\"]\n\n1. H2-E2 H9-G7 *", 1);
    assert!(xiangqi.contains("[Format \"WXF\"]") && xiangqi.contains(" 1. C2=5 "), "{xiangqi}");
    let letters = written("[GameType \"26,W,8,8,A0,0\"]\n\n1. c3-d4 d6-c5 *", 1);
    assert!(letters.contains("[GameType \"26,W,8,8,N2,0\"]") && letters.contains(" 1. 22-18 "), "{letters}");
    let placed = "[GameType \"26,W,8,8,A0,0\"]\n[FEN \"B:Wc3,e3:Bd6,f6\"]\n\n1. d6-c5 *";
    let placed = written(placed, 1);
    assert!(placed.contains("[FEN \"B:W22,23:B10,11\"]") && placed.contains(" 1. 10-14 "), "{placed}");
    let numbers = written("[GameType \"21,B,8,8,N1,0\"]\n[Format \"x\"]\n\n1. 11-15 23-19 *", 1);
    assert!(numbers.contains("[GameType \"21,B,8,8,N1,0\"] [Format \"x\"]"), "{numbers}");
}

/// Glyphs, words and variations are those of the last annotation; the author's stay.
#[test]
fn glyphs_and_variations_are_those_of_the_last_annotation() {
    let once = written("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6?? (3... g6 {of the author}) 4. Qxf7# *", 5);
    // A glyph and a line of the author stay alone.
    assert!(once.contains(" 3... Nf6 $4 {[%eval #0,") || once.contains(" 3... Nf6 $4 {[%eval #1,"), "{once}");
    assert!(once.contains(" (3... g6 {of the author}) ") && !once.contains("Blunder: g6"), "{once}");
    let ours = written("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# *", 5);
    assert!(ours.contains(" 3... Nf6 $4 {") && ours.contains("Blunder: "), "{ours}");
    let again = written(ours.split_once("]  ").unwrap().1, 5);
    assert_eq!(again, ours);
    let skipped = written_after("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# *", 5, 5);
    assert!(skipped.contains(" 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $4 {[%eval "), "{skipped}");
    assert!(skipped.contains("[BlackAverageLoss \""), "{skipped}");
}

/// The only moves that hold are marked, unless a search of two plies finds them.
#[test]
fn good_moves_are_marked() {
    // A smothered mate: all other moves lose, and this one gives up the queen.
    let text = "[FEN \"q4r1k/6pp/7N/8/8/1Q6/r4PPP/6K1 w - - 0 1\"]\n\n1. Qg8+ Rxg8 2. Nf7# *\n";
    let [moves] = &annotated(text, 5)[..] else { panic!("a game") };
    let first = &moves[0];
    assert_eq!((first.best_move.as_str(), first.assessment), ("b3g8", Some(Assessment::Only)), "{first:?}");
    assert!(first.lead.unwrap() > 0, "{first:?}");
    assert_eq!(moves[1].assessment, None, "the only legal move");
    let text = written(text, 5);
    assert!(text.contains("1. Qg8+ $7 {[%eval #1,") && text.contains("Only move: Qg8+ was best by "), "{text}");
}

/// Each search that was complete counts.
#[test]
fn a_stopped_annotation_has_the_last_moves() {
    let (chess, table, stop) = (Setup::named("chess").unwrap(), Arc::new(Table::new(1).unwrap()), StopFlag::new());
    let game = games("1. e4 e5 2. Nf3 Nc6 *", &chess).next().unwrap().unwrap();
    let plan = Plan { here: &chess, table: &table, request: &Request::depth(3), skip: 0 };
    let mut left = 3;
    let found = annotate(&game, &plan, &stop, &mut || {
        left -= 1;
        if left == 0 {
            stop.raise();
        }
    });
    let found = found.unwrap();
    assert_eq!(found.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [3, 4]);
    let mut out = Vec::new();
    found.write(&mut out, &game).unwrap();
    let text = String::from_utf8(out).unwrap().replace('\n', " ");
    assert!(text.contains("1. e4 e5 2. Nf3 {[%eval ") && text.contains("Nc6 {[%eval "), "{text}");
}

#[test]
fn files_are_annotated_as_pgn_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let broken = "[Event \"c\"]\n\n1. e4 e4 *\n";
    std::fs::File::create(&path).unwrap().write_all(format!("{GAMES}\n{broken}").as_bytes()).unwrap();
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
        let output = command.args(["analyse", "--depth", "3", "--pgn"]).arg(&path).args(more).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out, err)
    };
    let (code, out, err) = run(&[]);
    assert!(code == Some(1) && err.contains("games.pgn\": game 3, line 14: illegal move \"e4\" in "), "{code:?} {err}");
    assert!(
        out.contains("[Event \"a \\\"b\\\"\"]\n[White \"Fool\"]\n[Result \"0-1\"]\n[Annotator \"Secateurs "),
        "{out}"
    );
    let text = out.replace('\n', " ");
    assert!(text.contains(" [%clk 0:01:00]} (1. ") && text.contains(" (1. e4 e5) 1... e5 {[%eval "), "{out}");
    assert!(text.contains(" 2. g4 $2 {[%eval #-1,3] ") && text.contains(" was better by "), "{out}");
    assert!(text.contains(" 2... Qh4# 0-1  [Variant \"nim\"]"), "{out}");
    let page = folder.path().join("games.html");
    let (_, same, _) = run(&["--html", page.to_str().unwrap()]);
    assert_eq!(same, out);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("Fool – Black 0-1, a \\\"b\\\"") && page.matches("\"graph\":\"\\u003csvg").count() == 2);
    // What was written can be read and annotated again.
    assert_eq!(annotated(&out, 2).len(), 2);
    let (code, out, err) = run(&["--json"]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |row: &Value, name: &str| row[name].clone();
    assert_eq!(rows.len(), 9);
    let summary = &rows[4]["players"][0];
    assert_eq!((of(summary, "blunders"), of(&rows[4], "game")), (1.into(), 1.into()));
    assert!(summary["accuracy"].as_f64().unwrap() < 50.0, "{summary}");
    assert_eq!((of(&rows[3], "game"), of(&rows[3], "ply"), of(&rows[3], "san")), (1.into(), 4.into(), "Qh4#".into()));
    assert_eq!((of(&rows[8], "game"), of(&rows[8], "line")), (3.into(), 14.into()));
    std::fs::write(&path, "1. e4 {").unwrap();
    let (code, out, err) = run(&[]);
    assert!(code == Some(1) && err.contains("game 1: line 1 has a comment without an end"), "{code:?} {err}");
    assert_eq!(out, "");
    // A bad game costs no other; the file is in ISO 8859-1; nothing in it controls a terminal.
    let mixed = b"[White \"M\xfcller\"]\n\n1. e4 {a\x1b[31mb} *\n\n[FEN \"x\n\n1. d4 *\n\n[Event \"z\"]\n\n1. c4 *\n";
    std::fs::write(&path, mixed).unwrap();
    let (code, out, err) = run(&[]);
    assert!(code == Some(1) && err.contains("game 2: line 5 has a bad tag") && err.lines().count() == 1, "{err}");
    assert!(out.contains("[White \"Müller\"]") && out.contains("a [31mb} *") && out.contains("1. c4 {"), "{out}");
    assert!(!out.contains('\x1b'), "{out}");
    let (code, out, _) = run(&["--json"]);
    let bad: Value = serde_json::from_str(out.lines().nth(2).unwrap()).unwrap();
    assert_eq!((code, of(&bad, "game"), of(&bad, "line")), (Some(1), 2.into(), 5.into()));
    assert!(bad["error"].as_str().unwrap().starts_with("line 5 has a bad tag"), "{bad}");
    std::fs::write(&path, "[PlyCount \"41\"]\n\n1. e4 e5\n").unwrap();
    let (code, _, err) = run(&[]);
    assert!(
        code == Some(0) && err.contains("games.pgn\": game 1 in line 1 ends after 2 of 41 plies"),
        "{code:?} {err}"
    );
    // A game without a tag `Variant` is chess, or the game of the arguments with their options.
    std::fs::write(&path, "1. e4 *").unwrap();
    assert_eq!(run(&[]).0, Some(0));
    let (code, _, err) = run(&["--option", "Heaps=1,2"]);
    assert!(code == Some(2) && err.contains("\"Heaps\" of chess; it is an option of nim (--game)"), "{code:?} {err}");
    std::fs::write(&path, "1. 2-2 1-1 *").unwrap();
    let (code, out, err) = run(&["--game", "nim", "--option", "Heaps=1,2"]);
    assert!(code == Some(0) && out.contains("[%eval #-1,2] Blunder: 2-1 was better"), "{code:?} {out} {err}");
}
