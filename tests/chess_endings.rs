//! Endings of chess that the engine must win within the fifty moves, against itself.

use secateurs::core::{Limits, Outcome, Request, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::search::Table;
use secateurs::util::random::Random;
use std::sync::Arc;

/// Returns a random position with these pieces of White against a king, White to move, in which nothing is captured or
/// stalemate at once.
fn position(random: &mut Random, setup: &Setup, pieces: &str) -> Box<dyn Board> {
    loop {
        let mut squares = vec!['1'; 64];
        for piece in pieces.chars().chain(['k', 'K']) {
            let square = loop {
                let square = random.below(64);
                if squares[square] == '1' {
                    break square;
                }
            };
            squares[square] = piece;
        }
        let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
        // Runs of empty squares are counts.
        let board = (2..=8).rev().fold(rows.join("/"), |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        // With Black to move no piece of White's may be capturable, and Black must have a move.
        let Ok(black) = setup.board(&format!("{board} b - - 0 1")) else { continue };
        let safe = !black.moves().is_empty()
            && black.moves().iter().all(|mv| {
                let mut next = black.boxed();
                next.play(mv).unwrap();
                next.text().chars().filter(char::is_ascii_uppercase).count() == pieces.len() + 1
            });
        if safe && let Ok(white) = setup.board(&format!("{board} w - - 0 1")) {
            return white;
        }
    }
}

/// The plies that White needs to mate from a position, the engine on both sides; `None` if it does not.
fn plies_to_mate(mut board: Box<dyn Board>, nodes: u64) -> Option<usize> {
    let table = Arc::new(Table::new(8).unwrap());
    let request = Request::new(Limits { nodes: Some(nodes), ..Limits::default() });
    for ply in 0.. {
        if let Some(outcome) = board.outcome() {
            return (outcome.of_first(board.turn()) == Outcome::Win).then_some(ply);
        }
        let lines = board.engine(Arc::clone(&table)).search(&request, &StopFlag::new(), &mut |_| {});
        board.play(lines[0].best().unwrap()).unwrap();
    }
    None
}

/// Plays an ending from random positions.
fn wins(pieces: &str, games: usize, nodes: u64) {
    let setup = Setup::named("chess").unwrap();
    let mut random = Random(11);
    for game in 0..games {
        let board = position(&mut random, &setup, pieces);
        assert_eq!(board.turn(), Side::First);
        let text = board.text();
        assert!(plies_to_mate(board, nodes).is_some(), "{pieces}, game {game}: {text}");
    }
}

#[test]
fn queen_and_rook_mate_a_lone_king() {
    wins("Q", 4, 1_000);
    wins("R", 4, 2_000);
}

#[test]
fn two_bishops_mate_a_lone_king() {
    let setup = Setup::named("chess").unwrap();
    let board = setup.board("8/8/8/4k3/8/8/2BB4/4K3 w - - 0 1").unwrap();
    assert!(plies_to_mate(board, 4_000).is_some());
}

#[test]
fn a_won_pawn_is_promoted() {
    let setup = Setup::named("chess").unwrap();
    for fen in ["8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "8/8/8/1k6/8/8/1PK5/8 w - - 0 1"]
    {
        let board = setup.board(fen).unwrap();
        assert!(plies_to_mate(board, 2_000).is_some(), "{fen}");
    }
}

#[test]
#[ignore = "takes a minute: cargo test --release --test suite chess_endings:: -- --ignored"]
fn bishop_and_knight_mate_a_lone_king() {
    wins("BN", 20, 20_000);
    wins("Q", 100, 2_000);
    wins("R", 100, 4_000);
}
