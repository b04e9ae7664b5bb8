//! Games in Portable Game Notation.

mod lines;
mod written;

use secateurs::pgn::{self, PgnError, PgnGame, games};
use secateurs::registry::Setup;

/// Reads games, those without tags as a game of the registry.
fn read_as(game: &str, text: &str) -> Vec<Result<PgnGame, PgnError>> {
    games(text, &Setup::named(game).unwrap()).collect()
}

fn read(text: &str) -> Vec<PgnGame> {
    read_as("chess", text).into_iter().map(Result::unwrap).collect()
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
    assert_eq!((moves(&found[1]), found[1].result), (vec!["3", "1", "5"], "1-0"));
    assert_eq!(found[2].result, "*");
    assert_eq!(found[1].moves[0].comment, "ok so");
    assert_eq!((moves(&found[2]), found[2].tags.len()), (vec!["e4", "e5"], 0));
    assert_eq!((found[3].tag("Event"), found[3].moves.len()), (Some("y"), 0));
    let ended = read("1. e4 e5* 1. d4 {x}* 1. c4!?*");
    assert_eq!(ended.iter().map(moves).collect::<Vec<_>>(), [vec!["e4", "e5"], vec!["d4"], vec!["c4"]]);
    assert!(read("").is_empty() && read(" \n; nothing\n{ here }\n").is_empty());
}

#[test]
fn annotators_add_variations_and_glyphs() {
    let text = "1. e4 $1 (1. d4 d5 {a ) b} (1... Nf6 ; (\n2. c4) 2. c4) 1... e5!? {[%clk 0:01]} (1... c5)\n\
                % escaped e4\n2. Nf3?! Nc6 1/2-1/2";
    assert_eq!(moves(&read(text)[0]), ["e4", "e5", "Nf3", "Nc6"]);
    let chess = Setup::named("chess").unwrap();
    let board = read(text)[0].board(&chess, 99).unwrap();
    assert_eq!(board.history(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert_eq!(read(text)[0].board(&chess, 1).unwrap().history(), ["e2e4"]);
}

#[test]
fn what_annotators_add_is_kept() {
    let text = "[Event \"x\"]\n\n{In\n tro} ; too\n1. e4! $14$6 {a} (1. d4 $14\n {v  v} (1. c4) ; {x} (\n d5) {b}\n(1. f4)\n\
                1... e5 ?? 2. Nf3?! Nc6!!! *\n{after}\n[Event \"y\"]\n\n1. d4 *";
    let found = read(text);
    assert_eq!((found[0].comment.as_str(), found[1].comment.as_str()), ("In tro too", ""));
    assert_eq!(moves(&found[0]), ["e4", "e5", "Nf3", "Nc6"]);
    let [e4, e5, nf3, nc6] = &found[0].moves[..] else { panic!("four moves") };
    assert_eq!((&e4.nags[..], e4.comment.as_str()), (&[1, 14, 6][..], "a b"));
    assert_eq!(e4.variations, ["1. d4 $14 {v v} (1. c4) {{x) (} d5", "1. f4"]);
    assert_eq!((&e5.nags[..], &nf3.nags[..], &nc6.nags[..]), (&[4][..], &[6][..], &[3][..]));
}

/// A glyph ends with its digits (8.2.4).
#[test]
fn a_move_may_follow_a_glyph_at_once() {
    for (text, expected) in [
        ("1. e4 $1e5 2. Nf3 *", vec!["e4", "e5", "Nf3"]),
        ("1. e4$1e5$2 2. Nf3$3$4*", vec!["e4", "e5", "Nf3"]),
        ("1. e4 $e5 *", vec!["e4", "e5"]),
        ("1. e4 e5=/∞ 2. Nf3 =/∞ *", vec!["e4", "e5", "Nf3"]),
    ] {
        assert_eq!(moves(&read(text)[0]), expected, "{text}");
    }
    let nags = |text: &str| -> Vec<Vec<u16>> { read(text)[0].moves.iter().map(|played| played.nags.clone()).collect() };
    assert_eq!(nags("1. e4$1e5$2 2. Nf3$3$4* "), [vec![1], vec![2], vec![3, 4]]);
    assert_eq!(nags("1. e4 e5=/∞"), [vec![], vec![44]]);
    assert_eq!(moves(&read_as("checkers", "1. 11-15 $122-18 2. 15x22 *")[0].clone().unwrap()).len(), 3);
}

#[test]
fn a_variation_of_no_move_is_named() {
    assert_eq!(read("(1. d4) *")[0].doubts(), ["has a variation but no move: it is left out"]);
    assert!(read("(1. d4) 1. e4 *")[0].doubts().is_empty());
}

/// As `chess.pgn.read_game` has it, but for a comment before tags, which is a game of its own there.
#[test]
fn a_comment_after_a_blank_line_belongs_to_the_next_game() {
    let comments = |text: &str| -> Vec<[String; 2]> {
        let of = |game: PgnGame| [game.comment, game.moves.last().unwrap().comment.clone()];
        read(text).into_iter().map(of).collect()
    };
    for (between, last, next) in [
        ("\n\n{of the next} ", "", "of the next"),
        ("\n\n; of the next\n", "", "of the next"),
        ("\n \n{of\n\nthe} ; next\n\n", "", "of the next"),
        (" {of the last} ; too\n; and this\n\n{of the next}\n", "of the last too and this", "of the next"),
        ("\n{of the last}\n\n", "of the last", ""),
        ("\n\n{of the next}\n[Event \"x\"]\n\n", "", "of the next"),
        ("\n\n; of\n\n[Event \"x\"]\n\n{the next} ", "", "of the next"),
        ("\n{of the last}\n[Event \"x\"]\n\n", "of the last", ""),
        ("\n\n{of the prose}\nProse.\n\n[Event \"x\"]\n\n", "", ""),
    ] {
        let found = comments(&format!("1. e4 e5 1-0{between}1. d4 d5 *\n\n{{the}} ; end\n"));
        assert_eq!(found, [["", last], [next, "the end"]], "{between:?}");
    }
}

#[test]
fn the_game_is_that_of_the_tags() {
    let here = Setup::named("nim").unwrap();
    let of = |tags: &str| read(&format!("{tags}\n*"))[0].setup(&here);
    for (variant, name, is_chess960) in [
        ("Standard", "chess", false),
        ("chess", "chess", false),
        ("From Position", "chess", false),
        ("Chess960", "chess", true),
        ("fischerandom", "chess", true),
        ("Fischer Random", "chess", true),
        ("chess 960", "chess", true),
        ("CHESS-960", "chess", true),
        ("Fischer Random Chess", "chess", true),
        ("Normal", "chess", false),
        ("classical", "chess", false),
        ("", "chess", false),
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

/// The words of a tag may stand in two lines (section 8.1: tokens).
#[test]
fn a_tag_may_end_in_the_next_line() {
    for end in ["\n", "\r\n"] {
        let text = format!("[Event{end}\"x\"]{end}[White \"A.{end}Bee\"]{end}{end}1. e4{end}e9 *{end}");
        let [game] = &read(&text)[..] else { panic!("{text}") };
        assert_eq!((game.tag("event"), moves(game)), (Some("x"), vec!["e4", "e9"]), "{text}");
        assert_eq!((game.tag("white"), game.line_at_fault(&Setup::named("chess").unwrap())), (Some("A. Bee"), 7));
    }
}

/// As python-chess reads it, and as a dictionary of the tags has it.
#[test]
fn the_last_of_two_tags_of_a_name_holds() {
    let text = "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[fen \"k7/8/8/8/8/8/P7/K7 w - - 0 1\"]\n\n1. a4 *\n";
    let (game, chess) = (&read(text)[0], Setup::named("chess").unwrap());
    assert_eq!(game.board(&chess, 1).unwrap().text(), "k7/8/8/8/P7/8/8/K7 b - - 0 1");
    let wrong = &read(&text.replace("k7/8/8/8/8/8/P7/K7", "x"))[0];
    assert_eq!(wrong.line_at_fault(&chess), 2);
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (text, expected) in [
        ("[Event \"x\"\n", "line 1 has a bad tag, \"[Event \\\"x\\\"\""),
        ("[Event x]\n", "a bad tag"),
        ("1. e4\n{ e5", "line 2 has a comment without an end"),
        ("1. e4 (1. d4 (1. c4)\n", "line 1 has a variation without an end"),
        ("1. e4 ) e5", "line 1 has a parenthesis"),
        ("1. e4 } e5", "line 1 has a brace"),
    ] {
        let found = read_as("chess", text);
        let error = found.last().unwrap().as_ref().unwrap_err();
        assert!(found.len() == 1 && error.to_string().contains(expected), "{text}: {error}");
    }
}

/// Where the tag says that the last word is the result, it is, even if a move has the same text.
#[test]
fn the_last_word_is_the_result_of_the_tag() {
    let moves_and_result = |text: &str| {
        let game = read(text).remove(0);
        (game.moves.len(), game.result, game.is_ended)
    };
    let opening = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 0-0";
    for (tag, end, expected) in [
        ("[Result \"0-0\"]\n\n", "", (6, "*", true)),
        ("[Result \"0-0\"]\n\n", " {both lost} ; so\n\n[Event \"next\"]\n\n*", (6, "*", true)),
        ("[Result \"0-0\"]\n\n", " d6", (8, "*", false)),
        ("[Result \"1-0\"]\n\n", " 1-0", (7, "1-0", true)),
        ("", "", (7, "*", false)),
        ("", " 0-0", (7, "*", true)),
        ("", " d6 2-0", (8, "1-0", true)),
        ("[Result \"1/2-1/2\"]\n\n", " 1/2", (7, "1/2-1/2", true)),
        ("[Result \"?\"]\n\n", " ½-½", (7, "1/2-1/2", true)),
        ("[Result \"1:0\"]\n\n", "", (7, "1-0", false)),
        ("[Result \"0–1\"]\n\n", " 0–1", (7, "0-1", true)),
        ("[Result \"1/2\"]\n\n", " 1/2", (7, "1/2-1/2", true)),
        ("[Result \"forfeit\"]\n\n", "", (7, "*", false)),
    ] {
        assert_eq!(moves_and_result(&format!("{tag}{opening}{end}")), expected, "{tag}{end}");
    }
}

#[test]
fn tags_of_other_programs_are_read() {
    let text = "[Event \"C:\\games\"]\n[Site \"\\\"]\n[White \"a \\\"b\\\" \\\\\"]\n\n1. e4 *\n";
    let [game] = &read(text)[..] else { panic!("a game") };
    assert_eq!(["Event", "Site", "White"].map(|name| game.tag(name).unwrap()), ["C:\\games", "\\", "a \"b\" \\"]);
    // Russian draughts; the game is not taken for chess.
    let chess = Setup::named("chess").unwrap();
    let [game] = &read("[GameType \"25\"]\n\n1. c3-d4 *")[..] else { panic!("a game") };
    let error = game.setup(&chess).err().unwrap().to_string();
    assert_eq!(error, "unknown game \"GameType 25\"; 21 is checkers, 20 is draughts, 26 is brazilian");
}

#[test]
fn games_are_read_as_other_programs_write_them() {
    let played = |text: &str| read(text).iter().map(|game| moves(game).join(" ")).collect::<Vec<_>>();
    for (text, games) in [
        ("1 e4 e5 2 Nf3 2 ... Nc6 3\n. Bb5 *", &["e4 e5 Nf3 Nc6 Bb5"][..]),
        ("[Event \"a\"]\n\n1. e4 1-0\n\nSome text, as it is.\n\n[Event \"b\"]\n\n1. d4 *\nand more", &["e4", "d4"]),
        ("1. e4 *\r\n\x1a\0\0", &["e4"]),
        // A byte order mark in UTF-8, read as Windows-1252.
        ("ï»¿[Event \"a\"]\n\n1. e4 *\n", &["e4"]),
        ("ï»¿1. e4 *\n", &["e4"]),
        ("*", &[""]),
        ("1. 3228 1923 *", &["3228 1923"]),
        ("1-0 0-1 *", &[""]),
        (" {none} ", &[]),
    ] {
        assert_eq!(played(text), games, "{text:?}");
    }
    let [game] = &read("(1. d4) 1. e4 1-0 {after the game} ; indeed")[..] else { panic!("a game") };
    assert_eq!((&game.moves[0].variations[0][..], &game.moves[0].comment[..]), ("1. d4", "after the game indeed"));
    let [one, other] = &read_as("kalah", "1 3 2 6 1-0\n\n1. 3 2. 6 1-0")[..] else { panic!("two games") };
    assert_eq!(
        (moves(one.as_ref().unwrap()), moves(other.as_ref().unwrap())),
        (vec!["1", "3", "2", "6"], vec!["3", "6"])
    );
    let doubts = |text: &str| read(text)[0].doubts().join(" ");
    assert_eq!(doubts("[Result \"1-0\"]\n\n1. e4 0-1"), "ends with 0-1, and its tag has the result \"1-0\"");
    assert_eq!(
        doubts("[Result \"0-0\"]\n\n1. e4 0-0"),
        "has the result \"0-0\", which PGN does not have: it becomes *"
    );
    assert_eq!(doubts("[Result \"1/2\"]\n\n1. e4 1/2-1/2"), "");
}

/// A tag that cannot be read costs no move, unless the moves depend on it.
#[test]
fn a_bad_tag_is_named_and_the_game_is_read() {
    let text = "[Event \"x\"]\n[White \"x]\n[Black Miller]\n[Site \"y\"]\n\n1. e4 e5 1-0";
    let [game] = &read(text)[..] else { panic!("a game") };
    assert_eq!((moves(game), game.result, game.tag("Site")), (vec!["e4", "e5"], "1-0", Some("y")));
    assert_eq!(
        game.doubts(),
        [
            "is read without a tag: line 2 has a bad tag, \"[White \\\"x]\"",
            "is read without a tag: line 3 has a bad tag, \"[Black Miller]\""
        ]
    );
    // A game with no other tags is one by its moves; a list is none.
    let found = read_as("chess", "[WhiteElo 2500]\n[Round 3]\n\n1. d4 *\n[1, 2, 3]\n");
    assert_eq!((moves(found[0].as_ref().unwrap()), found[0].as_ref().unwrap().doubts().len()), (vec!["d4"], 2));
    assert!(found[1].is_err() && found.len() == 2, "{found:?}");
}

/// Annotators write clocks, evaluations and variations in brackets, and programs a tag between moves.
#[test]
fn brackets_between_moves_end_no_game() {
    let all = "e4 e5 Bc4 Nc6";
    for (text, comment) in [
        ("1. e4 e5 [clk 1] 2. Bc4 Nc6 *", "[clk 1]"),
        ("1. e4 e5 [1... c5 2. Nf3 [2. c3] d6] 2. Bc4 Nc6 *", "[1... c5 2. Nf3 [2. c3] d6]"),
        ("1. e4 e5 [0:05]2. Bc4 Nc6 1-0", "[0:05]"),
        ("1. e4 e5\n[1... c5\n2. Nf3] {good} 2. Bc4 Nc6", "[1... c5 2. Nf3] good"),
        ("1. e4 e5\n[Annotator \"me\"]\n2. Bc4 Nc6 *", ""),
    ] {
        for text in [text.to_owned(), format!("[Event \"g\"]\n\n{text}\n\n[Event \"h\"]\n\n1. d4 *\n")] {
            let found = read(&text);
            assert_eq!(moves(&found[0]).join(" "), all, "{text}");
            assert_eq!((found[0].moves[1].comment.as_str(), found[0].doubts()), (comment, Vec::new()), "{text}");
            assert_eq!(found.len(), 1 + usize::from(text.contains("d4")), "{text}");
        }
    }
    let game = &read("[Event \"g\"]\n\n[#] 1. e4 e5\n[Annotator \"me\"]\n2. Bc4 *")[0];
    assert_eq!((game.comment.as_str(), game.tag("Annotator")), ("[#]", Some("me")));
    // The tags of another game, also without a blank line before them.
    assert_eq!(read("1. e4 e5\n[White \"a\"]\n[Black \"b\"]\n1. d4 *").len(), 2);
    let unclosed = read_as("chess", "[Event \"g\"]\n\n1. e4 [1... c5\n\n[Event \"h\"]\n\n1. d4 *");
    assert_eq!(unclosed[0].as_ref().unwrap_err().to_string(), "line 3 has a bracket without an end");
    assert_eq!((moves(unclosed[1].as_ref().unwrap()), unclosed.len()), (vec!["d4"], 2));
}

/// What web pages and old disks have in place of the signs of ASCII.
#[test]
fn records_of_all_games_are_read_as_people_write_them() {
    for (game, text, played) in [
        ("draughts", "[GameType \"20\"]\n\n1. 32–28 19—23 2. 28×19 *", "32-28 19-23 28x19"),
        ("draughts", "1. 32-28 19-23 2. 28X19 *", "32-28 19-23 28x19"),
        ("chess", "[GameType \"Brazilian\"]\n\n1. 24–20 *", "24-20"),
        ("chess", "[Game \"Chinese Chess\"]\n\n1. C2=5 H8+7 *", "h3e3 h10g8"),
        ("chess", "[Variant \"Chinese Chess\"]\n\n1. H2–E2 *", "h3e3"),
        ("xiangqi", "1. R1+1 R1+1 2. R1−1 *", "i1i2 a10a9 i2i1"),
        ("chess", "1. f3 e5 2. g4 Qh4 # 0-1\u{1a}", "f2f3 e7e5 g2g4 d8h4"),
        ("chess", "1. e4 e5 2. Qh5 Nf6 3. Qxf7 + *\u{1a}\u{1a}", "e2e4 e7e5 d1h5 g8f6 h5f7"),
    ] {
        let found = read_as(game, text);
        let here = Setup::named(game).unwrap();
        let read = found[0].as_ref().unwrap();
        let board = read.board(&read.setup(&here).unwrap(), 99).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((board.history().join(" ").as_str(), found.len()), (played, 1), "{text}");
    }
}

/// A number that does not count the moves is no number of a move: it is not left out.
#[test]
fn other_numbers_are_taken_for_moves() {
    for (text, expected) in [
        ("1. 32 28 19 23 *", "32 28 19 23"),
        ("1. 32-28 19-23 2 28x19 3 14x23 4. 33-28 *", "32-28 19-23 28x19 14x23 33-28"),
        ("1. 3228 1923 *", "3228 1923"),
    ] {
        assert_eq!(moves(read_as("draughts", text)[0].as_ref().unwrap()).join(" "), expected, "{text}");
    }
    // A number that directly follows another one.
    assert_eq!(moves(read_as("nim", "1. 2 3 *")[0].as_ref().unwrap()), ["2", "3"]);
    assert_eq!(moves(&read("1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 00 *")[0]).join(" "), "e4 e5 Nf3 Nc6 Bb5 a6 00");
    let fen = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 30\"]\n\n";
    assert_eq!(moves(&read(&format!("{fen}30 e4 e5 31 Nf3 *"))[0]).join(" "), "e4 e5 Nf3");
}

/// What people and programs write beside the standard: `words` and the notation of chess list it.
#[test]
fn chess_is_read_as_people_write_it() {
    let text =
        "1. e4 D e5 D 2. ♘f3!?= …♞c6 3. Bb5+- ...a6-+ 4. ♗a4?! Nf6 5. O–O+= Be7 N 6. d4 6… exd4!+/- 7. e5 OO ½-½";
    let [game] = &read(text)[..] else { panic!("a game") };
    let board = game.board(&Setup::named("chess").unwrap(), 99).unwrap();
    let played = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 d2d4 e5d4 e4e5 e8g8";
    assert_eq!((board.history().join(" ").as_str(), game.result), (played, "1/2-1/2"));
    let nags: Vec<_> = game.moves.iter().map(|played| &played.nags[..]).collect();
    let expected: [&[u16]; 14] =
        [&[201], &[201], &[5, 10], &[], &[18], &[19], &[6], &[], &[14], &[146], &[], &[1, 16], &[], &[]];
    assert_eq!(nags, expected);
    for (end, result) in [
        ("1 - 0", "1-0"),
        ("0 – 1", "0-1"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("1/2 – 1/2 {agreed}", "1/2-1/2"),
        ("½ : ½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("1:0", "1-0"),
        ("0–1", "0-1"),
    ] {
        let [game] = &read(&format!("1. e4 e5 {end}\n\n"))[..] else { panic!("{end}") };
        assert_eq!((game.moves.len(), game.result, game.is_ended), (2, result, true), "{end}");
    }
    let [game] = &read("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#1-0")[..] else { panic!("a game") };
    assert_eq!((moves(game).last(), game.result), (Some(&"Qxf7#"), "1-0"));
    let [game, next] = &read("1. e4 d6!1-0 (resigned)\n\n1. d4 0-1 [%clk 0:01]")[..] else { panic!("two games") };
    assert_eq!(
        (moves(game), game.result, &*game.doubts()[0]),
        (vec!["e4", "d6"], "1-0", "has text behind its result, \"(resigned)\": it is left out")
    );
    assert_eq!((moves(next), next.result, &*next.moves[0].comment), (vec!["d4"], "0-1", "[%clk 0:01]"));
    let cut = read_as("chess", "1. e4 [%clk 0:01 e5 2. Nf3 1-0");
    assert_eq!(cut[0].as_ref().unwrap_err().to_string(), "line 1 has a command without an end");
    let [game] = &read("1. e4 e5 [%clk 0:01]\n\n[%eval 0.2] 2. Nf3 *")[..] else { panic!("a game") };
    assert_eq!((moves(game), &*game.moves[1].comment), (vec!["e4", "e5", "Nf3"], "[%clk 0:01] [%eval 0.2]"));
    // A letter is a glyph unless it is a move.
    assert_eq!(moves(read_as("oware", "1. D! a *\n\nD a *")[0].as_ref().unwrap()), ["D", "a"]);
    assert_eq!(read_as("oware", "1. D a *\n\nD a *").len(), 2);
    // Numbers are moves too.
    assert_eq!(moves(read_as("oware", "1. 1 3 2. 2 *")[0].as_ref().unwrap()), ["1", "3", "2"]);
    assert_eq!(moves(read_as("oware", "1 3 2 *")[0].as_ref().unwrap()), ["1", "3", "2"]);
    // A piece behind a square is that of a promotion, not a novelty.
    let fen = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N N Kg7 *";
    let [game] = &read(fen)[..] else { panic!("a game") };
    assert_eq!((moves(game), &game.moves[0].nags[..]), (vec!["a8=N", "Kg7"], &[146][..]));
    let [game] = &read(&fen.replace("a8=N N", "a8(Q)+!(a8/N) (a8(R))"))[..] else { panic!("a game") };
    assert_eq!(
        (moves(game), &game.moves[0].variations[..]),
        (vec!["a8(Q)+", "Kg7"], &["a8/N".into(), "a8(R)".into()][..])
    );
}

#[test]
fn draughts_are_read_as_other_programs_write_them() {
    for (game, text, played) in [
        ("checkers", "1. 09-13 22-18", "9-13 22-18"),
        ("checkers", "1. 09-14 22-18 2. 14-17 21:14", "9-14 22-18 14-17 21x14"),
        ("brazilian", "1. c3-d4 b6-c5 2. d4:b6 a7:c5", "22-18 9-14 18x9 5x14"),
    ] {
        let setup = Setup::named(game).unwrap();
        let board = read_as(game, text)[0].as_ref().unwrap().board(&setup, 9);
        let history = board.map(|board| board.history().join(" "));
        assert_eq!(history, Ok(played.into()), "{text}");
    }
}

#[test]
fn symbols_of_annotators_are_glyphs() {
    let [game] = &read("1. e4 = e5 N 2. Nf3! +- Ng8-f6 -+ 3. d4 □ exd4 e.p.?! 4. c3 dxc3 e.p. *")[..] else {
        panic!("a game")
    };
    assert_eq!(moves(game), ["e4", "e5", "Nf3", "Ng8-f6", "d4", "exd4", "c3", "dxc3"]);
    let nags: Vec<_> = game.moves.iter().map(|played| &played.nags[..]).collect();
    assert_eq!(nags, [&[10][..], &[146], &[1, 18], &[19], &[7], &[6], &[], &[]]);
}

/// Books of draughts mark an only move so.
#[test]
fn a_star_before_other_moves_is_no_result() {
    for (text, expected) in [
        ("1. 11-15* 24-19 2. 15x24* {so} 28x19* *", &["11-15", "24-19", "15x24", "28x19"][..]),
        ("1. 11-15* 1. 10-14 *", &["11-15"]),
        ("1. 11-15*\n\n1. 10-14 *", &["11-15"]),
        ("1. 11-15* {so}", &["11-15"]),
    ] {
        let game = read_as("checkers", text)[0].clone().unwrap();
        assert!(moves(&game) == expected && game.is_ended, "{text}: {game:?}");
        let nags: Vec<_> = game.moves.iter().map(|played| played.nags.first()).collect();
        let is_star = |at: usize| expected.len() > 1 && at != 1;
        assert!(nags.iter().enumerate().all(|(at, nag)| *nag == is_star(at).then_some(&7)), "{text}: {nags:?}");
    }
}

/// Annotators of draughts write the strength of a move in parentheses.
#[test]
fn a_strength_in_parentheses_is_no_variation() {
    let text = "[Event\"x\"][Site \"y\"]\n1. 11-15(!) 24-19(?!) (1... 23-19 (!)) 2. 15x24 (!!) 28x19! (!) (!) *";
    let game = read_as("checkers", text)[0].clone().unwrap();
    assert_eq!((game.tag("Event"), game.tag("Site")), (Some("x"), Some("y")));
    assert_eq!(moves(&game), ["11-15", "24-19", "15x24", "28x19"]);
    let nags: Vec<_> = game.moves.iter().map(|played| &played.nags[..]).collect();
    assert_eq!(nags, [&[1][..], &[6], &[3], &[1]]);
    assert_eq!(game.moves[1].variations, ["1... 23-19 (!)"]);
}

/// The symbol of a novelty follows its move: where a move is missing, it is a knight without its square.
#[test]
fn a_letter_in_place_of_a_move_is_one() {
    for (text, expected) in [
        ("1. e4 e5 2. N *", &["e4", "e5", "N"][..]),
        ("1. e4 e5 2.N Nc6 *", &["e4", "e5", "N", "Nc6"]),
        ("1. e4 e5 2 {here} N *", &["e4", "e5", "N"]),
        ("N e4 *", &["N", "e4"]),
        ("1. e4 N 1... e5 N 2. Nf3 $1 N *", &["e4", "e5", "Nf3"]),
    ] {
        assert_eq!(moves(&read(text)[0]), expected, "{text}");
    }
}

#[test]
fn faults_are_found_in_their_line() {
    let chess = Setup::named("chess").unwrap();
    let text = "[White \"a\"]\n\n1. e4\n{two\nlines} e5\n2. Ke3 Nc6\n*\n\n[White \"b\"]\n[FEN \"x\"]\n\n1. e4 *\n\n1. d4 --\n*";
    let games = read(text);
    let lines: Vec<_> = games.iter().map(|game| (game.line, game.line_at_fault(&chess))).collect();
    assert_eq!(lines, [(1, 6), (9, 10), (14, 14)]);
    for tags in [
        "[Variant \"go\"]",
        "[GameType \"25\"]",
        "[Variant \"nim\"]\n[Options \"Go=1\"]",
        "[Event \"x\"] [FEN \"x\"]",
        "[Variant \"kalah\"]\n[Options \"Houses=12 Seeds=144\"]",
    ] {
        let text = format!("\n[White \"a\"]\n{tags}\n[Black \"b\"]\n\n1. e4 *");
        assert_eq!(read(&text)[0].line_at_fault(&chess), 2 + tags.lines().count(), "{tags}");
    }
    let error = games[2].board(&chess, 9).err().unwrap().to_string();
    assert!(error.contains("a null move is against the rules; legal moves are "), "{error}");
    for text in ["0000 b3 *", "0000 1. b3 Nh6 *", "1. e4 0000 2. d4 *"] {
        let [game] = &read(text)[..] else { panic!("{text}") };
        let error = game.board(&chess, 9).err().unwrap().to_string();
        assert!(error.contains("illegal move \"0000\"") && error.contains("a null move is"), "{text}: {error}");
    }
}

#[test]
fn a_game_of_another_game_is_recognised() {
    let chess = Setup::named("chess").unwrap();
    let error = |text: &str| read(text)[0].board(&chess, 9).err().unwrap().to_string();
    let hint = "; it is a game of checkers (--game checkers, in Python game=\"checkers\")";
    assert!(error("1. 11-15 23-19 *").ends_with(hint));
    for text in ["[Variant \"chess\"]\n\n1. 11-15 23-19 *", "1. 11-15 e5 *", "1. e4 11-15 *"] {
        assert!(!error(text).contains("it is a game of"), "{text}");
    }
}

/// The points of international draughts (PDN 3.0) are results in draughts and moves in Nim.
#[test]
fn points_are_results_in_draughts() {
    for (points, result) in [("2-0", "1-0"), ("0-2", "0-1"), ("1-1", "1/2-1/2"), ("0-0", "*")] {
        for (here, tags) in [
            ("draughts", String::new()),
            ("chess", format!("[GameType \"20\"]\n[Result \"{points}\"]\n\n")),
            ("chess", "[Variant \"draughts\"]\n\n".into()),
        ] {
            let game = read_as(here, &format!("{tags}1. 32-28 19-23 {points}\n")).remove(0).unwrap();
            assert_eq!((game.moves.len(), game.result, game.is_ended), (2, result, true), "{here} {tags}");
        }
    }
    let nim = read_as("nim", "[Options \"Heaps=1,2\"]\n\n1. 1-1 2-2 *").remove(0).unwrap();
    assert_eq!((moves(&nim), nim.result), (vec!["1-1", "2-2"], "*"));
}

/// One bad game costs no other one.
#[test]
fn games_after_a_bad_one_are_read() {
    let good = "[Event \"good\"]\n\n1. e4 {fine} (1. d4 {also} d5) e5 1-0\n\n";
    for (bad, reason) in [
        ("[Event \"bad\"]\n\n1. e4 {without an end e5 *\n\n", "line 7 has a comment without an end"),
        ("[Event \"bad\"]\n[FEN \"x]\n[Black \"y\"]\n\n1. e4 *\n\n", "line 6 has a bad tag"),
        ("[Event \"bad\"]\n[ variant x]\n\n1. e4 *\n\n", "line 6 has a bad tag"),
        ("[Event \"bad]\n\n1. e9 *\n\n", "line 5 has a bad tag"),
        ("[Event \"bad\"]\n\n1. e4 (1. d4 {x} d5 *\n\n", "line 7 has a variation without an end"),
        ("[Event \"bad\"]\n\n1. e4 (1. d4 {x d5 *\n\n", "line 7 has a comment without an end"),
        ("[Event \"bad\"]\n\n1. e4 ) e5 *\n\n", "line 7 has a parenthesis that no other opens"),
    ] {
        let found = read_as("chess", &[good, bad, good, good].concat());
        let [first, second, third, fourth] = &found[..] else { panic!("{bad}: {found:?}") };
        let error = second.as_ref().unwrap_err().to_string();
        assert!(error.starts_with(reason), "{bad}: {error}");
        for game in [first, third, fourth] {
            assert_eq!(moves(game.as_ref().unwrap()), ["e4", "e5"], "{bad}");
        }
    }
    // A stray brace in a later game does not end the comment.
    let stray = "[Event \"x\"]\n\n1. d4} d5 *\n\n";
    let found = read_as("chess", &["[Event \"bad\"]\n\n1. e4 {open e5 *\n\n", good, good, stray].concat());
    assert_eq!(found.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, true, false]);
    // A comment may have what looks like a game in it.
    let quoted = read("1. e4 {as in\n\n[Event \"x\"]\n\n1. d4} e5 *\n");
    assert_eq!((quoted.len(), moves(&quoted[0])), (1, vec!["e4", "e5"]));
}

/// Headings, rules and stars may stand before, between and behind the games.
#[test]
fn text_between_games_is_left_out() {
    for text in [
        "-----",
        "--- Game 2 ---",
        "# Game 2",
        "<hr>",
        "* * *",
        "***",
        "*",
        "1-0",
        "=====",
        "Game 2",
        "\u{2013}",
        "Wow! 3 wins",
    ] {
        let tagged = "[Event \"x\"]\n\n1. e4 e5 1-0\n\n";
        let found = read(&format!("{tagged}{text}\n\n{tagged}{text}\n{tagged}{text}\n"));
        assert_eq!(found.iter().map(moves).collect::<Vec<_>>(), vec![vec!["e4", "e5"]; 3], "{text}");
    }
    for text in ["Games of the tournament", "From: x\nSubject: 3 games", "-----", "<html>"] {
        let found = read(&format!("{text}\n\n[Event \"x\"]\n\n1. e4 e5 1-0\n"));
        assert_eq!(found.iter().map(moves).collect::<Vec<_>>(), [["e4", "e5"]], "{text}");
        assert!(!read(&format!("{text}\n")).is_empty(), "{text}");
    }
    assert_eq!(read("*\n").len(), 1);
}

/// Marks and results in parentheses are no variations.
#[test]
fn what_is_in_parentheses_has_its_meaning() {
    let game = &read("1. e4 d5 2. e5 f5 3. exf6 (e.p.) exf6 (*) 4. d4 ep (1-0) {so}\n\n1. e4 *")[0];
    assert_eq!((moves(game).join(" "), game.result), ("e4 d5 e5 f5 exf6 exf6 d4".into(), "1-0"));
    assert!(game.moves.iter().all(|played| played.variations.is_empty()) && game.moves[5].nags == [7], "{game:?}");
    assert_eq!(read("1. e4 (1-0) e5 *")[0].moves[0].variations, ["1-0"]);
}

#[test]
fn forms_of_books_and_pages_are_read() {
    let chess = Setup::named("chess").unwrap();
    let text = "\u{200b}1.\u{200b}e4 e5 2.\u{200e}Qh5 Ke7 3. Qxe5mate";
    for text in [
        text.to_owned(),
        text.replace("mate", "ch"),
        text.replace("mate", " mate 1-0"),
        text.replace("mate", " dis.ch. 1-0."),
    ] {
        let board = read(&text)[0].board(&chess, 9).unwrap();
        assert_eq!(board.history().join(" "), "e2e4 e7e5 d1h5 e8e7 h5e5", "{text}");
    }
    for (marker, result) in
        [("0,5-0,5", "1/2-1/2"), ("=-=", "1/2-1/2"), ("1-0F", "1-0"), ("0-1F", "0-1"), ("1/2-1/2.", "1/2-1/2")]
    {
        let [game] = &read(&format!("1. e4 e5 {marker}"))[..] else { panic!("{marker}: a game") };
        assert_eq!((moves(game).join(" "), game.result), ("e4 e5".into(), result), "{marker}");
    }
    // Captures are compulsory: a dash is unambiguous.
    for text in [
        "[GameType \"21\"]\n[Variant \"English\"]\n\n1. 11-15 22-18 2. 15-22 25-18 *",
        "[GameType \"20\"]\n[Variant \"International\"]\n\n1. 32-28 19-23 2. 28-19 14-23 *",
    ] {
        let game = &read(text)[0];
        let board = game.board(&game.setup(&chess).unwrap(), 9).unwrap();
        assert_eq!(board.history().iter().filter(|mv| mv.contains('x')).count(), 2, "{text}");
    }
}

/// Tags of FICS and of programs that number them are read; so are files with the ends of lines of old Macs.
#[test]
fn tags_and_lines_of_other_programs_are_read() {
    let chess = Setup::named("chess").unwrap();
    for variant in ["wild/0", "wild/5", "wild/8a", "Illegal"] {
        let game = &read(&format!("[Variant \"{variant}\"]\n\n1. e4 *"))[0];
        assert_eq!(game.setup(&chess).unwrap().row().name, "chess", "{variant}");
    }
    assert!(read("[Variant \"wild/9\"]\n\n1. e4 *")[0].setup(&chess).is_err());
    let game = &read("[Event \"x\"]\n[1stPrize \"100\"]\n[0:05]\n[White \"y\"]\n\n1. e4 *")[0];
    assert_eq!(["1stPrize", "White"].map(|name| game.tag(name)), [Some("100"), Some("y")]);
    assert_eq!(game.comment, "[0:05]");
    let text = secateurs::pgn::decode(b"[Event \"a\"]\r\r1. e4 e5\r2. Ke3 *\r".to_vec());
    assert_eq!(read(&text)[0].line_at_fault(&chess), 4);
}

/// A move behind its number is no result, whatever the tag says.
#[test]
fn the_last_move_is_kept() {
    let castles = "[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0";
    for (text, last) in [
        (castles, "0-0"),
        ("[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4 0-0 {so} ; end\n", "0-0"),
        ("[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 0-0", "d3"),
        ("[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nf6 3. 0-0", "Nf6"),
    ] {
        assert_eq!(moves(&read(text)[0]).last(), Some(&last), "{text}");
    }
    let nim = read_as("nim", "[Options \"Heaps=1,1\"]\n[Result \"1-1\"]\n\n1. 1-1")[0].clone().unwrap();
    assert_eq!(moves(&nim), ["1-1"]);
}

/// Some programs of draughts write a blank behind the sign of a move.
#[test]
fn a_move_of_numbers_may_have_a_blank() {
    let text = "[GameType \"20\"]\n\n1. 32- 28 19- 23 2.28x 19 14x 23 2- 0";
    let game = &read(text)[0];
    assert_eq!((moves(game), game.result), (vec!["32-28", "19-23", "28x19", "14x23"], "1-0"));
}

/// What follows the result, and a result that PGN does not have, are named; glyphs are not repeated.
#[test]
fn what_is_left_out_is_named() {
    for (text, doubts) in [
        ("1. e4 * e5 2. Nf3 1-0\n", &["has text behind its result, \"e5 2. Nf3 1-0\": it is left out"][..]),
        ("1. e4 1-0 White resigns\n", &["has text behind its result, \"White resigns\": it is left out"]),
        ("1. e4 1-0 1-0\n", &["has text behind its result, \"1-0\": it is left out"]),
        ("1. e4 1-0 2. Nf3\n3. d4 1-0\n", &["has text behind its result, \"2. Nf3\": it is left out"]),
        ("1. e4 * {so} 1... e5\n", &["has text behind its result, \"1... e5\": it is left out"]),
        ("1. e4 1-0 -----\n", &["has text behind its result, \"-----\": it is left out"]),
        (
            "[Result \"White won\"]\n\n1. e4 1-0",
            &["has the result \"White won\", which PGN does not have: it becomes 1-0"],
        ),
        ("1. e4 e5 0-0\n", &["ends with 0-0, which PGN does not have: it becomes *"]),
        (
            "[Result \"1-1\"]\n\n1. e4 e5 0-0",
            &[
                "ends with 0-0, which PGN does not have: it becomes *",
                "ends with *, and its tag has the result \"1-1\"",
            ],
        ),
        ("[Result \"0-0\"]\n\n1. e4 e5 0-0", &["has the result \"0-0\", which PGN does not have: it becomes *"]),
        (
            "[Variant \"draughts\"]\n[GameType \"21\"]\n\n1. 32-28 *",
            &["is one of draughts, and its tag has the GameType \"21\""],
        ),
        ("[GameType \"20\"]\n[Variant \"draughts\"]\n\n1. 32-28 *", &[]),
        ("1. e4 e5 0.5-0.5", &[]),
        ("1. e4 1-0 {mate} ; soon\nProse between games.\n\n", &[]),
    ] {
        let found = read(text);
        assert_eq!((found.len(), found[0].doubts()), (1, doubts.iter().map(ToString::to_string).collect()), "{text}");
    }
    assert_eq!(read("1. e4 e5 0.5-0.5")[0].result, "1/2-1/2");
    assert_eq!(read("1. e4! $1 $6 e5 *")[0].moves[0].nags, [1, 6]);
}

/// A game may have tags alone.
#[test]
fn tags_after_a_blank_line_may_be_those_of_another_game() {
    let found = read("[Event \"a\"]\n[White \"b\"]\n\n[Event \"c\"]\n[White \"d\"]\n\n1. e4 *\n");
    assert_eq!(found.iter().map(|game| game.tag("White")).collect::<Vec<_>>(), [Some("b"), Some("d")]);
    let split = read("[Event \"a\"]\n\n[White \"b\"]\n[White \"c\"]\n\n1. e4 *\n");
    assert_eq!((split.len(), split[0].tags.len()), (1, 3));
}

#[test]
fn what_is_not_utf_8_is_latin_1() {
    let mixed = b"{\xe9}\n{\xc3\xa9}\n{\x93a\x94 \x96 \x80}".to_vec();
    assert_eq!(pgn::decode(mixed), "{é}\n{é}\n{“a” – €}");
    let units: Vec<u16> = "1. Müller".encode_utf16().collect();
    let bytes = |mark: [u8; 2], pair: fn(u16) -> [u8; 2]| {
        mark.into_iter().chain(units.iter().flat_map(|&unit| pair(unit))).collect::<Vec<_>>()
    };
    assert_eq!(pgn::decode(bytes([0xff, 0xfe], u16::to_le_bytes)), "1. Müller");
    assert_eq!(pgn::decode(bytes([0xfe, 0xff], u16::to_be_bytes)), "1. Müller");
    assert_eq!(pgn::decode("[White \"Müller\"]".into()), "[White \"Müller\"]");
    assert_eq!(pgn::decode(b"[White \"M\xfcller\"]".to_vec()), "[White \"Müller\"]");
    assert_eq!(pgn::decode(b"\xef\xbb\xbf[White \"M\xfcller\"]".to_vec()), "[White \"Müller\"]");
}
