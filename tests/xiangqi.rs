//! The rules of xiangqi against published counts of moves and those of Fairy-Stockfish, and how games end.

use secateurs::core::score::win_in;
use secateurs::core::{MoveOrdering, Outcome, Position, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::games::xiangqi::{XiangqiHeuristics, fen};
use secateurs::registry;
use secateurs::search::Table;
use secateurs::search::perft::perft;
use std::sync::Arc;

/// Counts the leaves below a position.
fn count(fen: &str, depth: u8) -> u64 {
    perft(&fen::parse(fen).unwrap(), depth, &StopFlag::new()).unwrap()
}

/// The counts that programs of xiangqi publish for the start and for an endgame.
#[test]
fn perft_agrees_with_published_counts() {
    for (depth, leaves) in (1..).zip([44, 1_920, 79_666]) {
        assert_eq!(count(fen::START, depth), leaves, "depth {depth}");
    }
    assert_eq!(count("1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w", 3), 100_326);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test suite xiangqi:: -- --ignored"]
fn deep_perft_agrees_with_published_counts() {
    assert_eq!(count(fen::START, 5), 133_312_995);
    assert_eq!(count("1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w", 4), 4_485_547);
}

/// Positions of random games, with the leaves at depth 2 that Fairy-Stockfish 11.1 counts.
#[test]
fn perft_agrees_with_fairy_stockfish() {
    let path = format!("{}/tests/data/xiangqi/perft.epd", env!("CARGO_MANIFEST_DIR"));
    let mut positions = 0;
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (fen, leaves) = line.split_once(" ;D2 ").unwrap();
        assert_eq!(count(fen, 2), leaves.parse::<u64>().unwrap(), "{fen}");
        positions += 1;
    }
    assert_eq!(positions, 200);
}

/// Along random games the key and the moves of a code are those of the position read anew.
#[test]
fn keys_and_moves_are_those_of_the_position() {
    let heuristics = XiangqiHeuristics::new("").unwrap();
    let mut random = secateurs::util::random::Random(3);
    for _ in 0..40 {
        let mut pos = fen::parse(fen::START).unwrap();
        for _ in 0..150 {
            let (mut moves, mut noisy, mut quiet) = (Vec::new(), Vec::new(), Vec::new());
            pos.moves(&mut moves);
            heuristics.noisy_moves(&pos, &mut noisy);
            heuristics.quiet_moves(&pos, &mut quiet);
            let (captures, others): (Vec<_>, Vec<_>) = moves.iter().partition(|&&mv| pos.is_capture(mv));
            assert_eq!((noisy, quiet), (captures, others), "{}", fen::write(&pos));
            assert_eq!(moves.is_empty(), pos.is_over());
            for code in (0..u16::MAX).step_by(7).chain(moves.iter().map(|&mv| pos.code(mv))) {
                let found = moves.iter().copied().find(|&mv| pos.code(mv) == code);
                assert_eq!(heuristics.legal_move(&pos, code), found, "{} {code}", fen::write(&pos));
            }
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
            let after = pos.after(mv);
            assert_eq!(pos.key_after(mv), after.key());
            assert_eq!(pos.is_attacked(after.turn(), Some(mv)), after.is_check());
            assert!(!after.is_attacked(pos.turn(), None));
            pos = after;
            let again = fen::parse(&fen::write(&pos)).unwrap();
            assert_eq!((again, again.key()), (pos, pos.key()));
        }
    }
}

/// Sets up a position and plays moves.
fn board(fen: &str, moves: &str) -> Box<dyn Board> {
    let row = registry::find("xiangqi").unwrap();
    let mut board = row.parse(&row.defaults(), fen).unwrap();
    moves.split_whitespace().for_each(|mv| board.play(mv).unwrap());
    board
}

#[test]
fn games_end_by_the_rules() {
    let shuffle = ["a1a2 a10a9 a2a1 a9a10"; 2].join(" ");
    let chase = "a1a10 d10d9 a10a9 d9d10 a9a10 d10d9 a10a9 d9d10";
    let lone = "3k5/9/9/9/9/9/9/9/4K4/R8 w - - 0 1";
    let (win, draw, loss) = (Some(Outcome::Win), Some(Outcome::Draw), Some(Outcome::Loss));
    for (fen, moves, outcome, goes_on) in [
        // Mate, and no move without check.
        ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", "b1b10", loss, false),
        ("3k5/2P6/9/9/9/9/9/9/9/4K4 b", "", loss, false),
        ("startpos", &shuffle[..21], None, true),
        ("startpos", &shuffle, draw, true),
        // Red gives check with every move: Black wins at the third occurrence, whoever makes it.
        (lone, chase, None, true),
        (lone, &format!("{chase} a9a10"), win, true),
        (&lone.replace("R8", "8R"), "i1i10 d10d9 i10i9 d9d10 i9i10 d10d9 i10i9 d9d10 i9i10", win, true),
        // Every other move of the cycle gives check.
        (lone, "a1a10 d10d9 a10a8 d9d10 a8a10 d10d9 a10a8 d9d10 a8a10", draw, true),
        // The clock, and the last move before it runs out.
        (&lone.replace(" 0 1", " 118 90"), "a1a2", None, true),
        (&lone.replace(" 0 1", " 119 90"), "a1a2", draw, true),
        ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 119 90", "b1b10", loss, false),
        ("3k5/9/9/9/9/9/9/9/4p4/4K4 w - - 119 90", "e1e2", draw, true),
        // Nobody can cross the river.
        ("3k5/4a4/9/9/2b6/9/9/9/9/4KA3 w", "f1e2", draw, true),
    ] {
        let board = board(fen, moves);
        assert_eq!((board.outcome(), !board.moves().is_empty()), (outcome, goes_on), "{fen} {moves}");
        if goes_on {
            let found = board.engine(Arc::new(Table::none())).search(&Request::depth(3), &StopFlag::new(), &mut |_| {});
            assert!(found[0].best().is_some(), "{fen} {moves}: a manager may play on");
        }
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    for (fen, plies) in [("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", 1), ("4k4/9/R8/9/9/9/9/9/9/1R3K3 w", 3)] {
        let table = Arc::new(Table::new(1).unwrap());
        let request = Request::depth(plies as u8 + 2);
        let found = board(fen, "").engine(table).search(&request, &StopFlag::new(), &mut |_| {});
        assert_eq!(found[0].score, win_in(plies), "{fen}");
    }
}
