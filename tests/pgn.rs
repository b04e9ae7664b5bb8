//! Games in Portable Game Notation.

use proptest::prelude::*;
use secateurs::pgn::{self, Pgn, PgnError, PgnGame, PgnMove, games, write_moves};
use secateurs::registry::{self, STARTPOS, Setup};

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

/// The points of international draughts (PDN 3.0) are results in draughts and moves in Nim.
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
        ("*", &[""]),
        ("1. 3228 1923 *", &["3228 1923"]),
        ("1-0 0-1 *", &["", "", ""]),
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
    assert_eq!(doubts("[Result \"0-0\"]\n\n1. e4 0-0"), "has the result \"0-0\", which PGN has not: it becomes *");
    assert_eq!(doubts("[Result \"1/2\"]\n\n1. e4 1/2-1/2"), "");
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

#[test]
fn faults_are_found_in_their_line() {
    let chess = Setup::named("chess").unwrap();
    let text = "[White \"a\"]\n\n1. e4\n{two\nlines} e5\n2. Ke3 Nc6\n*\n\n[White \"b\"]\n[FEN \"x\"]\n\n1. e4 *\n\n1. d4 --\n*";
    let games = read(text);
    let lines: Vec<_> = games.iter().map(|game| (game.line, game.line_at_fault(&chess))).collect();
    assert_eq!(lines, [(1, 6), (9, 9), (14, 14)]);
    let error = games[2].board(&chess, 9).err().unwrap().to_string();
    assert!(error.contains("a null move is against the rules; legal moves are "), "{error}");
}

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
        ("[Event \"bad\"]\n[White \"x]\n[Black \"y\"]\n\n1. e4 *\n\n", "line 6 has a bad tag"),
        ("[Event \"bad]\n[White \"x\"]\n\n1. e4 *\n\n", "line 5 has a bad tag"),
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
    // A comment may have what looks like a game in it.
    let quoted = read("1. e4 {as in\n\n[Event \"x\"]\n\n1. d4} e5 *\n");
    assert_eq!((quoted.len(), moves(&quoted[0])), (1, vec!["e4", "e5"]));
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
    assert_eq!(numbered("draughts", "B:W31:B2", &["2-7", "31-26"]), "1... 2-7 2. 31-26 *");
    assert_eq!(numbered("checkers", STARTPOS, &["11-15", "23-18"]), "1. 11-15 23-18 *");
    assert_eq!(numbered("connect4", STARTPOS, &["4", "4", "5"]), "1. 4 4 2. 5 *");
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 4 12";
    assert_eq!(numbered("xiangqi", fen, &["h7e7", "h0g2"]), "12... h7e7 13. h0g2 *");
    // The third move of Kalah is the same player's.
    assert_eq!(numbered("kalah", STARTPOS, &["3", "6", "1"]), "1. 3 2. 6 3. 1 *");
}

/// A game as `Pgn` writes it: the number of its row, moves by random numbers, and texts.
type Drawn = (usize, Vec<usize>, [String; 4], Vec<String>, &'static str);

fn drawn() -> impl Strategy<Value = Drawn> {
    let text = || prop_oneof![".*", "[ {}();%\\[\\]\"\\\\0-9a-z\n\x1b.$*-]{0,40}"];
    let results = vec!["1-0", "0-1", "1/2-1/2", "*", "0-0", "2-0", "", "won"];
    (
        0..registry::GAMES.len(),
        proptest::collection::vec(0_usize..1_000, 0..40),
        [text(), text(), text(), text()],
        proptest::collection::vec(text(), 40),
        proptest::sample::select(results),
    )
}

/// Returns a text as a reader has it: in one line, with other braces.
fn plain(comment: &str) -> String {
    let visible = comment.replace(char::is_control, " ").replace('{', "(").replace('}', ")");
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
