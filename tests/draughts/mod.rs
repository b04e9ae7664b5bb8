//! The rules of the draughts games against published counts of moves, and their notation.

mod slow;

use secateurs::core::position::legal_moves;
use secateurs::core::{Error, Game, Notation, Outcome, Position, StopFlag};
use secateurs::engine::Board;
use secateurs::games::draughts::geometry::bits;
use secateurs::games::draughts::{Brazilian, Draughts, English, International, Variant};
use secateurs::registry;
use secateurs::search::perft::perft;
use secateurs::util::random::Random;

/// The game with its default options, or with others.
fn game<V: Variant>(options: &[(&str, &str)]) -> Draughts<V> {
    let row = registry::find(V::NAME).unwrap();
    let mut all = row.defaults();
    options.iter().for_each(|(name, value)| all.set(name, value).unwrap());
    Draughts::new(&all).unwrap()
}

/// Counts the leaves below a position at each depth, from 1.
fn counts<V: Variant>(options: &[(&str, &str)], text: &str, depths: u8) -> Vec<u64> {
    let game = game::<V>(options);
    let text = if text == "startpos" { game.start().unwrap() } else { text.into() };
    let pos = game.parse(&text).unwrap();
    (1..=depths).map(|depth| perft(&pos, depth, &StopFlag::new()).unwrap()).collect()
}

/// English draughts from the start, captures by different routes counted apart (OEIS A133046).
const ENGLISH: [u64; 14] = [
    7,
    49,
    302,
    1_469,
    7_361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
    1_766_623_630,
    7_978_439_499,
];

/// International draughts from the start, as Scan counts.
const INTERNATIONAL: [u64; 10] = [9, 81, 658, 4_265, 27_117, 167_140, 1_049_442, 6_483_961, 41_022_423, 258_895_763];

/// A position with many captures.
const WOLDOUBY: &str = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26";

/// The counts of that position.
const WOLDOUBY_COUNTS: [u64; 11] = [6, 12, 30, 73, 215, 590, 1_944, 6_269, 22_369, 88_050, 377_436];

#[test]
fn perft_agrees_with_published_counts() {
    assert_eq!(counts::<English>(&[], "startpos", 8), ENGLISH[..8]);
    assert_eq!(counts::<International>(&[], "startpos", 7), INTERNATIONAL[..7]);
    assert_eq!(counts::<International>(&[], WOLDOUBY, 10), WOLDOUBY_COUNTS[..10]);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test suite draughts:: -- --ignored"]
fn deep_perft_agrees_with_published_counts() {
    assert_eq!(counts::<English>(&[], "startpos", 13), ENGLISH[..13]);
    assert_eq!(counts::<English>(&[("Routes", "together")], "startpos", 12)[10..], [ENGLISH[10], 388_617_999]);
    assert_eq!(counts::<International>(&[], "startpos", 10), INTERNATIONAL);
    assert_eq!(counts::<International>(&[], WOLDOUBY, 11), WOLDOUBY_COUNTS);
}

/// The legal moves of a position as text.
fn moves<V: Variant>(options: &[(&str, &str)], text: &str) -> Vec<String> {
    let game = game::<V>(options);
    let pos = game.parse(text).unwrap();
    let mut moves: Vec<_> = legal_moves(&pos).into_iter().map(|mv| game.write_move(&pos, mv)).collect();
    moves.sort();
    moves
}

#[test]
fn captures_are_compulsory_and_written_with_their_squares_where_they_must_be() {
    for (options, text, expected) in [
        (&[][..], "B:W18:B14,1", &["14x23"][..]),
        (&[], "B:W18,26:B14,1", &["14x30"]),
        (&[], "W:W18:B14,15,6", &["18x11", "18x2"]),
        (&[], "W:WK1:B6,7,14,15", &["1x17", "1x19", "1x3"]),
    ] {
        assert_eq!(moves::<English>(options, text), expected, "{text}");
    }
    // Around a circle, in either direction.
    let circle = "W:WK3:B7,8,15,16";
    assert_eq!(moves::<English>(&[], circle), ["3x10x19x12x3", "3x12x19x10x3"]);
    assert_eq!(moves::<English>(&[("Routes", "together")], circle), ["3x3"]);
    let game = game::<English>(&[("Routes", "together")]);
    let pos = game.parse(circle).unwrap();
    for text in ["3x3", "3-3", "3x10x19x12x3", "3x12x19x10x3", "3x3x7x8x15x16"] {
        assert!(game.read_move(&pos, text).is_some(), "{text}");
    }
    for text in ["3x10", "3x10x19x12", "3x19x3", "3x3x7x8x15", "3x3x7x7x8x15x16"] {
        assert_eq!(game.read_move(&pos, text), None, "{text}");
    }
}

#[test]
fn a_man_of_english_draughts_is_crowned_and_stops() {
    // From 32 the new king could capture on.
    assert_eq!(moves::<English>(&[], "B:W26,27:B23,1"), ["23x30", "23x32"]);
    let game = game::<English>(&[]);
    let pos = game.parse("B:W26,27:B22,1").unwrap();
    let mv = game.read_move(&pos, "22x31").unwrap();
    assert_eq!(game.write(&pos.after(mv)), "W:W27:B1,K31");
}

#[test]
fn the_international_majority_must_be_captured_by_flying_kings_too() {
    for (text, expected) in [
        ("W:W28:B22,23,12", &["28x8", "28x8"][..1]),
        ("W:WK46:B32,19", &["46x14", "46x10", "46x5"]),
        // A man passes through the last row without being crowned.
        ("W:W12:B7,8,9", &["12x14"]),
    ] {
        let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        expected.sort();
        assert_eq!(moves::<International>(&[], text), expected, "{text}");
    }
}

/// Every legal move along random games is read back, and a code is that of one move.
fn moves_are_read_back<V: Variant>(options: &[(&str, &str)]) {
    let game = game::<V>(options);
    let mut random = Random(5);
    for _ in 0..40 {
        let mut pos = game.parse(&game.start().unwrap()).unwrap();
        for _ in 0..150 {
            let moves = legal_moves(&pos);
            assert_eq!(moves.is_empty(), pos.is_over());
            for &mv in &moves {
                let text = game.write_move(&pos, mv);
                assert_eq!(game.read_move(&pos, &text), Some(mv), "{}: {text}", game.write(&pos));
                assert!(usize::from(pos.code(mv)) < <Draughts<V> as Game>::Position::CODES);
                assert_eq!(moves.iter().filter(|&&other| pos.code(other) == pos.code(mv)).count(), 1);
            }
            if moves.is_empty() {
                assert_eq!(pos.outcome(), Outcome::Loss);
                break;
            }
            pos = pos.after(moves[random.below(moves.len())]);
            assert_eq!(game.parse(&game.write(&pos)).unwrap(), pos);
        }
    }
}

#[test]
fn moves_and_positions_are_read_back_along_random_games() {
    moves_are_read_back::<English>(&[]);
    moves_are_read_back::<English>(&[("Routes", "together")]);
    moves_are_read_back::<International>(&[]);
    moves_are_read_back::<Brazilian>(&[]);
}

/// Random positions with many kings have the captures that the slow program finds.
fn captures_agree<V: Variant>(options: &[(&str, &str)]) -> usize {
    let (game, mut random, mut multiple) = (game::<V>(options), Random(11), 0);
    let joined = V::MAJORITY || options.iter().any(|&(_, value)| value == "together");
    for _ in 0..3_000 {
        let squares = (2 * V::WIDTH * V::WIDTH) as usize;
        let mut numbers: Vec<usize> = (1..=squares).collect();
        random.shuffle(&mut numbers);
        let (own, other) = (1 + random.below(3), 1 + random.below(squares / 4));
        let list = |numbers: &[usize], kings: bool| -> String {
            numbers.iter().map(|n| format!("{}{n}", if kings { "K" } else { "" })).collect::<Vec<_>>().join(",")
        };
        let text =
            format!("W:W{}:B{}", list(&numbers[..own], random.below(4) > 0), list(&numbers[own..own + other], true));
        let Ok(pos) = game.parse(&text) else { continue };
        let place = slow::place::<V>;
        let mut expected: Vec<_> = slow::captures::<V>(&pos)
            .into_iter()
            .map(|(from, (to, mut taken))| {
                taken.sort_unstable();
                (from, to, taken)
            })
            .collect();
        expected.sort();
        if joined {
            expected.dedup();
        }
        let mut found: Vec<_> = legal_moves(&pos)
            .into_iter()
            .filter(|mv| mv.captured != 0)
            .map(|mv| {
                let mut taken: Vec<_> = bits(mv.captured).map(place).collect();
                taken.sort_unstable();
                (place(mv.from), place(mv.to), taken)
            })
            .collect();
        found.sort();
        assert_eq!(found, expected, "{text}");
        multiple += usize::from(found.iter().any(|(_, _, taken)| taken.len() > 2));
    }
    multiple
}

#[test]
fn captures_of_random_positions_are_those_of_a_slow_program() {
    let counts = [
        captures_agree::<English>(&[]),
        captures_agree::<English>(&[("Routes", "together")]),
        captures_agree::<International>(&[]),
        captures_agree::<Brazilian>(&[]),
    ];
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
}

#[test]
fn both_notations_of_positions_are_read() {
    let game = game::<International>(&[]);
    let start = game.parse(&game.start().unwrap()).unwrap();
    let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    for text in ["W:W31-50:B1-20", "w:b1-20:w31-50.", "W:W31-50:B1-20:H0:F1", &hub] {
        assert_eq!(game.parse(text).unwrap(), start, "{text}");
    }
    let kings = game.parse("B:WK1,7-9:BK46-48:H7").unwrap();
    assert_eq!(game.write(&kings), "B:WK1,7,8,9:BK46,K47,K48:H7");
}

/// Portable Draughts Notation names the squares of Brazilian draughts by file and rank, in moves and in FEN.
#[test]
fn squares_of_brazilian_draughts_have_letters_too() {
    let game = game::<Brazilian>(&[]);
    let pos = game.parse("W:Wc3,Kd4:Bd6,01").unwrap();
    assert_eq!(game.write(&pos), game.write(&game.parse("W:W22,K18:B1,10").unwrap()));
    assert!(game.parse("W:Wc4:Bd6").is_err(), "a light square");
}

#[test]
fn what_is_wrong_with_a_position_is_named() {
    let game = game::<English>(&[]);
    for (text, reason) in [
        ("", "a position is the side to move and the pieces"),
        ("X:W1:B2", "the side to move is B or W, not \"X\""),
        ("W:W21", "the pieces of B are missing"),
        ("W:W21:W22:B1", "the pieces of W are given twice"),
        ("W:W21:B0", "squares are numbered 1 to 32, not \"0\""),
        ("W:W21:BK33", "squares are numbered 1 to 32, not \"K33\""),
        ("W:W21-:B1", "squares are numbered 1 to 32, not \"21-\""),
        ("W:W25-21:B1", "the range \"25-21\" is empty"),
        ("W:W21,21:B1", "two pieces are on square 21"),
        ("W:W21:B21", "two pieces are on square 21"),
        ("W:W4:B20", "the man of W on square 4 would be a king"),
        ("W:W21:B29", "the man of B on square 29 would be a king"),
        ("W:W17-29:B1", "W has 13 pieces, more than 12"),
        ("W:W17:B", "B is not to move and has no pieces"),
        ("W:W17:B1:Hx", "the plies without progress, after H, are a number up to 65535, not \"x\""),
        ("W:W17:B1:Z", "the pieces of a side begin with B or W, not \"Z\""),
        ("Wbbbb", "33 characters expected, 5 given"),
        (&format!("W{}", "e".repeat(50)), "33 characters expected, 51 given: the variant may not be set"),
        (&format!("E{}", "e".repeat(32)), "a position is the side to move and the pieces"),
        (&format!("W{}xw", "e".repeat(30)), "square 31 has w or b, W or B for a king, or e, not \"x\""),
    ] {
        let Err(Error::BadPosition(..)) = game.parse(text) else { panic!("{text} is read") };
        let error = game.parse(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_move_is_named() {
    for (game, text, mv, expected) in [
        (
            "checkers",
            "W:W31:B18,19,26,27",
            "31x15",
            "ambiguous move \"31x15\" in \"W:W31:B18,19,26,27\": it may be 31x",
        ),
        (
            "checkers",
            "W:W31:B18,19,26,27",
            "31x16",
            "illegal move \"31x16\" in \"W:W31:B18,19,26,27\": legal moves are 31x",
        ),
        (
            "checkers",
            "B:W18:B14,1",
            "1-6",
            "illegal move \"1-6\" in \"B:W18:B1,14\": a capture is compulsory; legal moves are 14x",
        ),
        ("checkers", "B:W18:B14,1", "1-7", "illegal move \"1-7\" in \"B:W18:B1,14\": legal moves are 14x"),
        (
            "checkers",
            "B:W18,26:B14",
            "14x23",
            "illegal move \"14x23\" in \"B:W18,26:B14\": the capture goes on; legal ",
        ),
        (
            "draughts",
            "W:W32,40:B28,19,35",
            "40x24",
            "illegal move \"40x24\" in \"W:W32,40:B19,28,35\": legal moves are 32x",
        ),
        (
            "draughts",
            "W:W32,40:B28,19,34",
            "40x29",
            "illegal move \"40x29\" in \"W:W32,40:B19,28,34\": a capture of 2 pieces exists",
        ),
        (
            "draughts",
            "W:W32,40:B28,19",
            "32x23",
            "illegal move \"32x23\" in \"W:W32,40:B19,28\": a capture of 2 pieces exists",
        ),
        (
            "draughts",
            "W:W32,40:B28,19",
            "40-35",
            "illegal move \"40-35\" in \"W:W32,40:B19,28\": a capture is compulsory; ",
        ),
    ] {
        let error = board(game, text, "").play(mv).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

fn board(game: &str, text: &str, moves: &str) -> Box<dyn Board> {
    let row = registry::find(game).unwrap();
    let mut board = row.parse(&row.defaults(), text).unwrap();
    moves.split_whitespace().for_each(|mv| board.play(mv).unwrap());
    board
}

#[test]
fn games_end_without_a_move_by_repetition_and_by_the_clock() {
    let shuffle = "1-6 32-27 6-1 27-32";
    let kings = "B:WK32:BK1,5";
    for (game, text, moves, outcome) in [
        ("checkers", "W:W:B1", "", Some(Outcome::Loss)),
        ("checkers", "B:W21:B17,K13", "17-22", None),
        ("checkers", kings, shuffle, None),
        ("checkers", kings, &[shuffle; 2].join(" "), Some(Outcome::Draw)),
        ("checkers", "B:WK32:BK1,5:H79", "1-6", Some(Outcome::Draw)),
        ("checkers", "B:WK32:BK1,5:H79", "5-9", None),
        ("draughts", "B:WK46:BK1,6:H9", "6-11", Some(Outcome::Draw)),
        // Two kings against one: five moves each.
        ("draughts", "W:WK46,K47:BK5", "", None),
        ("draughts", "W:WK46,K47:BK4:H10", "", Some(Outcome::Draw)),
        ("draughts", "W:WK46,K47,K48:BK4:H31", "", None),
        ("draughts", "W:WK46,K47,K48:BK4:H32", "", Some(Outcome::Draw)),
        ("draughts", "W:WK46,K47,K48,K49:BK4:H49", "", None),
        ("draughts", "W:WK46,K47,K48,K49:BK4:H50", "", Some(Outcome::Draw)),
    ] {
        assert_eq!(board(game, text, moves).outcome(), outcome, "{game} {text} {moves}");
    }
}
