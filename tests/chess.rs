//! The rules of chess and Chess960 against published counts of moves.

use secateurs::core::score::win_in;
use secateurs::core::{Evaluation, Outcome, Position, Progress, Proof, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::games::chess::{Chessboard, fen};
use secateurs::registry;
use secateurs::search::Table;
use secateurs::search::perft::perft;
use std::sync::Arc;

/// The files of `tests/data/chess`.
const FILES: [&str; 3] = ["perft_standard.epd", "perft_chess960.epd", "perft_published.epd"];

/// Counts each position of the files to the deepest of its depths that has no more than so many leaves. How many
/// positions have such a depth.
fn perft_to(most: u64) -> usize {
    let mut positions = 0;
    for file in FILES {
        let path = format!("{}/tests/data/chess/{file}", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let (fen, counts) = line.split_once(" ;").unwrap();
            let pos = fen::parse(fen).unwrap();
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
    assert_eq!(perft_to(1_000_000), 245);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test suite chess:: -- --ignored"]
fn deep_perft_agrees_with_published_counts() {
    assert_eq!(perft_to(u64::MAX), 259);
}

/// Along random games the codes of moves are distinct and below `CODES`, and a key is that of the position read anew.
#[test]
fn keys_and_codes_hold_along_random_games() {
    let mut random = secateurs::util::random::Random(7);
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

/// Sets up a position and plays moves.
fn board(fen: &str, moves: &str) -> Box<dyn Board> {
    let row = registry::find("chess").unwrap();
    let mut board = row.parse(&row.defaults(), fen).unwrap();
    moves.split_whitespace().for_each(|mv| board.play(mv).unwrap());
    board
}

#[test]
fn games_end_by_the_laws_of_chess() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    for (fen, moves, outcome, goes_on) in [
        ("startpos", "f2f3 e7e5 g2g4 d8h4", Some(Outcome::Loss), false),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", Some(Outcome::Draw), false),
        ("startpos", shuffle, None, true),
        ("startpos", &[shuffle; 2].join(" "), Some(Outcome::Draw), true),
        // The right to castle makes the first position another one.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8", None, true),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7",
            Some(Outcome::Draw),
            true,
        ),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "a1a2", None, true),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", Some(Outcome::Draw), true),
        // A mate with the last move before the fiftieth is a mate.
        ("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8", Some(Outcome::Loss), false),
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", Some(Outcome::Draw), true),
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
    for (fen, plies, best) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, "a1a8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "h5f7"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "a1a6"),
    ] {
        let table = Arc::new(Table::new(1).unwrap());
        let found =
            board(fen, "").engine(table).search(&Request::depth(plies as u8 + 2), &StopFlag::new(), &mut |_| {});
        assert_eq!((found[0].score, found[0].best().unwrap().as_str()), (win_in(plies), best), "{fen}");
    }
}

/// No line goes on after a draw by rule, which its search counts as the end.
#[test]
fn lines_end_where_a_rule_ends_the_game() {
    for fen in [
        "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1",
        "8/8/8/3k4/3n4/3K4/7p/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/7R w - - 94 90",
        "8/2k5/8/8/3p4/8/4K3/8 b - - 97 90",
        "8/8/8/8/5k2/8/4b2p/6K1 w - - 0 1",
        "8/5k2/8/8/8/B7/2K5/6n1 w - - 93 120",
        "8/8/7k/4B3/2B5/8/7K/8 b - - 95 80",
    ] {
        let (table, board) = (Arc::new(Table::new(1).unwrap()), board(fen, ""));
        for depth in [1, 4, 8, 12] {
            let mut lines = Vec::new();
            let mut engine = board.engine(Arc::clone(&table));
            let found = engine.search(&Request::depth(depth), &StopFlag::new(), &mut |progress| {
                if let Progress::Line(report) = progress {
                    lines.push(report.pv.clone());
                }
            });
            for pv in lines.into_iter().chain(found.into_iter().map(|report| report.pv)) {
                let mut line = board.boxed();
                for mv in &pv {
                    assert!(line.outcome().is_none(), "{fen}, depth {depth}: {pv:?} before {mv}");
                    line.play(mv).unwrap();
                }
            }
        }
    }
}

/// Where a rule has ended the game, what follows if it goes on proves nothing.
#[test]
fn nothing_is_proven_after_the_end_of_the_game() {
    for (fen, moves) in [
        ("4q3/8/8/8/8/7k/8/6K1 b - - 100 80", ""),
        ("4q3/8/8/8/8/7k/8/6K1 b - - 0 80", "e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8 h1g1"),
    ] {
        let board = board(fen, moves);
        assert_eq!(board.outcome(), Some(Outcome::Draw), "{fen}");
        let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
        let mut proofs = Vec::new();
        let found = engine.search(&Request::depth(4), &StopFlag::new(), &mut |progress| {
            if let Progress::Line(report) = progress {
                proofs.push(report.proof);
            }
        });
        proofs.push(found[0].proof);
        assert!(proofs.len() > 1 && proofs.iter().all(|&proof| proof == Proof::NONE), "{fen} {proofs:?}");
        assert!(found[0].best().is_some(), "{fen}");
    }
}

/// Chances sum to 1,000, grow with the score and mirror each other.
#[test]
fn win_draw_loss_chances_follow_the_score() {
    for fen in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/4k3/8/8/3PK3/8/8 b - - 0 1"] {
        let pos = secateurs::games::chess::fen::parse(fen).unwrap();
        let chances = |score| secateurs::games::chess::ChessHeuristics::new("").unwrap().wdl(&pos, score).unwrap();
        let mut last = 0;
        for score in (-3_000..=3_000).step_by(50) {
            let [win, draw, loss] = chances(score);
            assert_eq!(win + draw + loss, 1_000);
            assert!(win >= last && chances(-score)[2].abs_diff(win) <= 1, "{fen} {score}");
            last = win;
        }
        assert!(last > 990 && chances(0)[1] > 200, "{:?}", chances(0));
    }
}
