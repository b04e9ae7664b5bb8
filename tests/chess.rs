//! The rules of chess and Chess960 against published counts of moves.

use secateur::core::{Position, StopFlag};
use secateur::games::chess::Chessboard;
use secateur::search::perft::perft;

/// The files of `tests/data/chess`, and whether castling rights are files of rooks (Shredder-FEN).
const FILES: [(&str, bool); 2] = [("perft_standard.epd", false), ("perft_chess960.epd", true)];

/// Counts each position of the files to the deepest of its depths that has no more than so many leaves. How many positions
/// have such a depth.
fn perft_to(most: u64) -> usize {
    let mut positions = 0;
    for (file, shredder) in FILES {
        let path = format!("{}/tests/data/chess/{file}", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let (fen, counts) = line.split_once(" ;").unwrap();
            let pos = Chessboard::new(cozy_chess::Board::from_fen(fen, shredder).unwrap());
            let counts = counts.split(" ;").map(|count| {
                let (depth, leaves) = count.trim()[1..].split_once(' ').unwrap();
                (depth.parse::<u8>().unwrap(), leaves.parse::<u64>().unwrap())
            });
            let Some((depth, leaves)) = counts.take_while(|&(_, leaves)| leaves <= most).last() else { continue };
            assert_eq!(perft(&pos, depth, &StopFlag::new()), Some(leaves), "{fen}, depth {depth}");
            positions += 1;
        }
    }
    positions
}

#[test]
fn perft_agrees_with_published_counts() {
    assert_eq!(perft_to(1_000_000), 227);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test suite chess:: -- --ignored"]
fn deep_perft_agrees_with_published_counts() {
    assert_eq!(perft_to(u64::MAX), 227);
}

/// Along random games the codes of moves are distinct and below `CODES`, and a key is that of the position read anew.
#[test]
fn keys_and_codes_hold_along_random_games() {
    let mut random = secateur::core::random::Random(7);
    for _ in 0..50 {
        let mut pos = Chessboard::new(cozy_chess::Board::startpos());
        for _ in 0..120 {
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            assert_eq!(moves.is_empty(), pos.is_over());
            let mut codes: Vec<_> = moves.iter().map(|&mv| pos.code(mv)).collect();
            assert!(codes.iter().all(|&code| usize::from(code) < Chessboard::CODES));
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), moves.len(), "{}", pos.board());
            let Some(&mv) = moves.get((random.draw() % moves.len().max(1) as u64) as usize) else { break };
            pos = pos.after(mv);
            assert_eq!(pos.key(), Chessboard::new(pos.board().to_string().parse().unwrap()).key(), "{}", pos.board());
        }
    }
}
