//! Games in Portable Game Notation.

use secateurs::pgn::{self, PgnGame, PgnMove, games, write_moves};
use secateurs::registry::{self, STARTPOS, Setup};

fn read(text: &str) -> Vec<PgnGame> {
    games(text).map(Result::unwrap).collect()
}

fn moves(game: &PgnGame) -> Vec<&str> {
    game.moves.iter().map(|played| played.mv.as_str()).collect()
}

#[test]
fn games_of_a_file_are_separate() {
    let text = "\u{feff}[Event \"x\"]\n[Variant \"nim\"]\n\n1. 1-1 *\n\n[White \"a \\\"b\\\"\"]\n[Variant \"Kalah\"]\n\n\
                1.3 {ok\n so} 2...1 ; more\n 3. 5 $1 1-0\n\n1. e4 e5\n[Event \"y\"]\n\n0-1 { the end }\n";
    let found = read(text);
    assert_eq!(found.len(), 4);
    assert_eq!((found[0].line, found[0].tag("variant"), moves(&found[0])), (1, Some("nim"), vec!["1-1"]));
    assert_eq!((found[1].line, found[1].tag("White")), (6, Some("a \"b\"")));
    assert_eq!((moves(&found[1]), found[1].result.as_str()), (vec!["3", "1", "5"], "1-0"));
    assert_eq!(found[2].result, "*");
    assert_eq!(found[1].moves[0].comment, "ok so");
    assert_eq!((moves(&found[2]), found[2].tags.len()), (vec!["e4", "e5"], 0));
    assert_eq!((found[3].tag("Event"), found[3].moves.len()), (Some("y"), 0));
    assert!(read("").is_empty() && read(" \n; nothing\n{ here }\n").is_empty());
}

#[test]
fn annotators_add_variations_and_glyphs() {
    let text = "1. e4 $1 (1. d4 d5 {a ) b} (1... Nf6 ; (\n2. c4) 2. c4) 1... e5!? {[%clk 0:01]} (1... c5)\n\
                % escaped e4\n2. Nf3?! Nc6 1/2-1/2";
    assert_eq!(moves(&read(text)[0]), ["e4", "e5", "Nf3", "Nc6"]);
    let chess = Setup::new(registry::find("chess").unwrap());
    let board = read(text)[0].board(&chess, 99).unwrap();
    assert_eq!(board.history(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert_eq!(read(text)[0].board(&chess, 1).unwrap().history(), ["e2e4"]);
}

#[test]
fn what_annotators_add_is_kept() {
    let text = "[Event \"x\"]\n\n{In\n tro} ; too\n1. e4! $14$6 {a} (1. d4 $14\n {v  v} (1. c4) ; {x} (\n d5) {b}\n(1. f4)\n\
                1... e5 ?? 2. Nf3?! $x Nc6!!! *\n{after}\n[Event \"y\"]\n\n1. d4 *";
    let found = read(text);
    assert_eq!((found[0].comment.as_str(), found[1].comment.as_str()), ("In tro too", ""));
    assert_eq!(moves(&found[0]), ["e4", "e5", "Nf3", "Nc6"]);
    let [e4, e5, nf3, nc6] = &found[0].moves[..] else { panic!("four moves") };
    assert_eq!((&e4.nags[..], e4.comment.as_str()), (&[1, 14, 6][..], "a b"));
    assert_eq!(e4.variations, ["1. d4 $14 {v v} (1. c4) {{x) (} d5", "1. f4"]);
    assert_eq!((&e5.nags[..], &nf3.nags[..], &nc6.nags[..]), (&[4][..], &[6][..], &[][..]));
}

#[test]
fn the_game_is_that_of_the_tags() {
    let here = Setup::new(registry::find("nim").unwrap());
    let of = |tags: &str| read(&format!("{tags}\n*"))[0].setup(&here);
    for (variant, name, is_chess960) in [
        ("Standard", "chess", false),
        ("chess", "chess", false),
        ("From Position", "chess", false),
        ("Chess960", "chess", true),
        ("fischerandom", "chess", true),
        ("Kalah", "kalah", false),
    ] {
        let setup = of(&format!("[Variant \"{variant}\"]")).unwrap();
        assert_eq!(setup.row().name, name, "{variant}");
        assert!(setup.row().name != "chess" || setup.options().check("UCI_Chess960") == is_chess960, "{variant}");
        assert_eq!(pgn::variant(&of("[Variant \"Chess960\"]").unwrap()), "Chess960");
    }
    assert_eq!(of("[Event \"x\"]").unwrap().row().name, "nim");
    assert!(of("[Variant \"go\"]").unwrap_err().to_string().contains("unknown game \"go\""));
    assert!(of("[Variant \"nim\"]\n[Options \"Go=1\"]").unwrap_err().to_string().contains("unknown option \"Go\""));
}

#[test]
fn what_was_cut_off_contradicts_its_tags() {
    let cut = |tags: &str, end: &str| read(&format!("{tags}\n\n1. e4 e5 2. Nf3{end}"))[0].cut();
    let (won, count) = ("[Result \"1-0\"]\n", "[PlyCount \"41\"]\n");
    assert_eq!(cut(&[won, count].concat(), "").as_deref(), Some("ends after 3 of 41 plies"));
    assert_eq!(cut(count, "\n\n[Event \"next\"]\n\n*").as_deref(), Some("ends after 3 of 41 plies"));
    assert_eq!(cut(won, "").as_deref(), Some("ends without its result, 1-0"));
    for (tags, end) in [(&*[won, count].concat(), " 1-0"), (won, " *"), ("[Result \"*\"]", ""), ("", "")] {
        assert_eq!(cut(tags, end), None, "{tags}{end}");
    }
    assert_eq!(cut("[PlyCount \"3\"]\n[Result \"*\"]", ""), None);
}

#[test]
fn a_tag_need_not_end_its_line() {
    let found = read("[FEN \"B:W32:B1\"] *\n[FEN \"W:W31:B2\"][Event \"a \"b\" \\\\\" ] 1. 31-27 *\n");
    assert_eq!([found[0].tag("fen"), found[1].tag("fen")], [Some("B:W32:B1"), Some("W:W31:B2")]);
    assert_eq!((found[1].tag("event"), moves(&found[1])), (Some("a \"b\" \\"), vec!["31-27"]));
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (text, expected) in [
        ("[Event \"x\"\n", "line 1 has a bad tag, \"[Event \\\"x\\\"\""),
        ("[Event x]\n", "a bad tag"),
        ("1. e4\n{ e5", "line 2 has a comment without an end"),
        ("1. e4 (1. d4 (1. c4)\n", "line 1 has a variation without an end"),
        ("1. e4 ) e5", "line 1 has a parenthesis"),
    ] {
        let found: Vec<_> = games(text).collect();
        let error = found.last().unwrap().as_ref().unwrap_err();
        assert!(found.len() == 1 && error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_comment_is_broken_between_commands() {
    let setup = Setup::new(registry::find("chess").unwrap());
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].map(|mv| PgnMove::new(mv, "[%eval 0.59,9] x".into()));
    let mut out = Vec::new();
    write_moves(&mut out, &setup, STARTPOS, "", &moves, "*").unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.matches("{[%eval 0.59,9] x}").count() + text.matches("{[%eval 0.59,9]\nx}").count(), 5, "{text}");
    assert!(text.lines().count() > 2 && text.lines().all(|line| line.len() <= 79), "{text}");
}
