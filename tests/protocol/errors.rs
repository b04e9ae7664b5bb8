//! Bad input is answered in one line and changes nothing.

use super::script;
use proptest::prelude::*;
use secateurs::protocol::{ServeError, Settings, serve};
use std::io;

#[test]
fn unusable_settings_are_refused_by_name() {
    for (game, option, named) in [
        ("chess960", ("Hash", "1"), "chess960"),
        ("kalah", ("Hush", "1"), "Hush"),
        ("kalah", ("Seeds", "200"), "200"),
        ("kalah", ("Seeds", "100"), "1200 seeds"),
    ] {
        let options = vec![(option.0.to_owned(), option.1.to_owned())];
        let settings = Settings { game: Some(game.into()), options, ..Settings::default() };
        let error = serve(&settings, io::empty(), io::sink()).unwrap_err();
        assert!(matches!(error, ServeError::Refused(_)));
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn errors_take_one_line_and_change_nothing() {
    let long_word = "x".repeat(1 << 20);
    let long_moves = format!("position startpos moves {}", "3 ".repeat(1 << 19));
    let digits = format!("go depth {}", "9".repeat(1 << 20));
    let too_long = "y".repeat(5 << 20);
    let bad: Vec<Vec<u8>> = vec![
        long_word.clone().into_bytes(),
        format!("position fen {long_word}").into_bytes(),
        format!("setoption name {long_word} value 3").into_bytes(),
        format!("setoption name Houses value {long_word}").into_bytes(),
        too_long.into_bytes(),
        long_moves.into_bytes(),
        b"\xff\xfe\x00position".to_vec(),
        b"position fen \xc3\x28 s".to_vec(),
        b"isready\x00".to_vec(),
        b"go depth -1".to_vec(),
        b"go mate -1".to_vec(),
        b"go searchmoves".to_vec(),
        b"go searchmoves depth 3".to_vec(),
        b"go depth 3 searchmoves 1 7".to_vec(),
        format!("go ponder searchmoves 2 {long_word} depth 3").into_bytes(),
        b"query".to_vec(),
        b"query winner".to_vec(),
        b"debug maybe".to_vec(),
        b"position startpos moves 1 2 3 4 5 6 7 8".to_vec(),
        "setoption name Houses value 6\u{1b}[31m".as_bytes().to_vec(),
    ];
    for line in bad {
        let mut input = b"position startpos moves 6\n".to_vec();
        input.extend_from_slice(&line);
        input.extend_from_slice(b"\nquery p1turn\nmoves\n");
        let said = script("kalah", &input);
        let shown = String::from_utf8_lossy(&line[..line.len().min(60)]).into_owned();
        let is_position = shown.starts_with("position");
        let ends = if shown.starts_with("go") { vec!["bestmove (none)"] } else { vec![] };
        assert!(said[0].starts_with("info string "), "{shown}: {said:?}");
        assert!(said[0].len() < 500 && !said[0].contains(char::is_control), "{shown}: {said:?}");
        let none = "info string there is no position: the last one was refused";
        let expected = if is_position { [none; 2] } else { ["response false", "1 2 3 4 5 6"] };
        assert_eq!(said[1..], [&ends[..], &expected].concat(), "{shown}");
    }
    let said = script("kalah", format!("position <1,0,0,1,1> s\n{digits}\n").as_bytes());
    assert_eq!(said[0], "info string depth above 255 is taken as 255");
}

/// Each `go` has one `bestmove`, so that no manager waits for one in vain.
#[test]
fn a_search_that_is_refused_ends() {
    let unread =
        ["wtime abc btime 3", "ponder mate soon", "btime 5 wtime", "movestogo 3 depth -1", "searchmoves e2e4 depth x"];
    let bad = ["depth x", "depth -3", "nodes -5", "movetime", "foo", "depth 1 searchmoves e2e5", "searchmoves"];
    for bad in bad.into_iter().chain(unread) {
        let said = script("chess", format!("go {bad}\nisready\n").as_bytes());
        assert!(said.len() == 3 && said[0].starts_with("info string "), "{bad}: {said:?}");
        assert_eq!(said[1..], ["bestmove (none)", "readyok"], "{bad}");
    }
    let said = script("chess", "\u{feff}isready\n".as_bytes());
    assert_eq!(said, ["readyok"]);
}

/// A manager that sends a bad position gets no move in another one, and waits for none.
#[test]
fn there_is_no_position_after_one_that_was_refused() {
    let none = "info string there is no position: the last one was refused";
    for bad in ["position", "position fen 8/8 w", "position startpos moves e2e5", "position fen \u{fffd}"] {
        let input = format!(
            "position startpos moves e2e4\n{bad}\ngo depth 1\nsolve\ngo perft 1\ntree\nd\neval\nquery result\nucinewgame\n\
             isready\ngo infinite\nposition startpos\ngo depth 1\n"
        );
        let said = script("chess", input.as_bytes());
        assert!(said[0].starts_with("info string bad") || said[0].contains("illegal move"), "{said:?}");
        assert_eq!(said[1..3], [none, "bestmove (none)"]);
        assert_eq!(said[3..6], [none, none, "bestmove (none)"]);
        assert!(said[6..10].iter().all(|line| line == none), "{said:?}");
        assert_eq!(said[10..13], ["readyok", none, "bestmove (none)"]);
        assert!(
            said.len() > 13 && said[said.len() - 1].starts_with("bestmove ") && !said.last().unwrap().contains("none")
        );
    }
    // A game selected by name begins at its starting position.
    let said = script("kalah", b"position x\nsetoption name UCI_Variant value nim\nmoves\n");
    assert!(said[1].starts_with("1-"), "{said:?}");
    // Hub has its own words.
    let said = script("draughts", b"hub\npos pos=x\ngo think\nquit\n");
    assert_eq!(said[said.len() - 2..], [format!("error message=\"{}\"", &none[12..]), "done".into()]);
}

/// A manager of ordinary chess would call the move illegal.
#[test]
fn castling_of_chess960_needs_its_option() {
    let fen = "1r2k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1";
    let ignored = "info string castling rights Kq need the option UCI_Chess960=true: they are ignored";
    let said = script("chess", format!("position fen {fen}\nmoves\nd\n").as_bytes());
    assert_eq!(said[0], ignored);
    assert!(said[1].contains("e1c1") && !said[1].contains("e1g1") && !said[1].contains("e1a1"), "{said:?}");
    assert!(said.iter().any(|line| line == "position 1r2k2r/8/8/8/8/8/8/R3K1R1 w Qk - 0 1"), "{said:?}");
    // The remark explains an illegal move.
    let said = script("chess", format!("position fen {fen} moves e1g1\ngo depth 1\n").as_bytes());
    assert!(said[0] == ignored && said[1].contains("illegal move") && said[3] == "bestmove (none)", "{said:?}");
    let said = script(
        "chess",
        format!("setoption name UCI_Chess960 value true\nposition fen {fen} moves e1g1\nd\n").as_bytes(),
    );
    assert!(said.iter().any(|line| line == "position 1r2k2r/8/8/8/8/8/8/R4RK1 b hb - 1 1"), "{said:?}");
}

/// Moves are shown as a manager writes them.
#[test]
fn a_null_move_is_answered_with_coordinates() {
    let said = script("chess", b"go depth 1 searchmoves 0000\n");
    assert!(said[0].contains("a null move is against the rules") && said[0].contains("g1f3"), "{said:?}");
}

#[test]
fn a_path_with_a_nul_is_refused() {
    let said = script("kalah", b"savehash a\0b\nloadhash a\0b\nsetoption name LearnFile value a\0b\ngo depth 1\n");
    for line in &said[..2] {
        assert!(line.ends_with(" \"a\\0b\": a path has no NUL"), "{said:?}");
    }
    assert!(said.iter().all(|line| !line.contains("nul byte")), "{said:?}");
}

/// Known words, so that arbitrary lines get past the first one.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "go",
            "depth",
            "nodes",
            "movetime",
            "wtime",
            "btime",
            "movestogo",
            "infinite",
            "ponder",
            "ponderhit",
            "searchmoves",
            "mate",
            "perft",
            "solve",
            "best",
            "all",
            "position",
            "startpos",
            "fen",
            "moves",
            "stop",
            "setoption",
            "name",
            "value",
            "Hash",
            "Seeds",
            "Houses",
            "Threads",
            "MultiPV",
            "Ponder",
            "true",
            "UCI_Variant",
            "nim",
            "kalah",
            "query",
            "p1turn",
            "islegal",
            "isready",
            "eval",
            "d",
            "uci",
            "ugi",
            "ucinewgame",
            "Heaps",
            "3,4,5",
            "<2,0,0,1,1,1,1>",
            "s",
            "n",
            "1",
            "2",
            "3",
            "0",
            "-7",
            "99999999999999999999",
            "1-1",
            "\n",
            "\n",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,6}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_end_the_dialogue(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let mut input = bytes;
        input.extend_from_slice(b"\nstop\nisready\n");
        let said = script("kalah", &input);
        prop_assert!(said.iter().any(|line| line == "readyok"));
    }

    #[test]
    fn arbitrary_dialogues_are_answered_line_by_line(words in prop::collection::vec(word(), 0..60)) {
        // Every command must end: the long ones get a limit.
        let text = words.join(" ").replace("perft", "perf").replace("quit", "qui").replace("bench", "benc");
        let text = text.replace("solve", "solve nodes 50");
        let text = text.replace("go ", "go nodes 200 movetime 50 ").replace("go\n", "go nodes 20\n");
        let said = script("kalah", format!("{text}\nstop\nucinewgame\nmoves\nisready\n").as_bytes());
        prop_assert!(said.iter().any(|line| line == "readyok"), "{:?}", said);
        for line in &said {
            prop_assert!(!line.contains(char::is_control), "{:?}", line);
        }
    }
}
