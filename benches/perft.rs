//! Perft through `Position`: of chess beside cozy-chess alone, each with every move of the last ply made; of draughts
//! with these moves made, and with them only counted.
//!
//! `cargo bench --bench perft`, on an idle core.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it measures, and prints the figures")]

use cozy_chess::Board;
use secateurs::core::{Position, StopFlag};
use secateurs::games::chess::Chessboard;
use secateurs::games::draughts::variant::RuleSettings;
use secateurs::games::draughts::{Draughtsboard, English, International, Variant};
use secateurs::search::perft::perft;
use std::time::Instant;

/// Positions with a depth, plies.
const POSITIONS: [(&str, u8); 3] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
];

fn alone(board: &Board, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            leaves += alone(&after, depth - 1);
        }
        false
    });
    leaves
}

fn through_position<P: Position>(pos: &P, depth: u8, moves: &mut Vec<P::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let first = moves.len();
    pos.moves(moves);
    let mut leaves = 0;
    for index in first..moves.len() {
        let mut after = pos.clone();
        after.play(moves[index]);
        leaves += through_position(&after, depth - 1, moves);
    }
    moves.truncate(first);
    leaves
}

/// The leaves, and the least time of five runs in seconds, of both in turn.
fn measured(mut works: [&mut dyn FnMut() -> u64; 2]) -> [(u64, f64); 2] {
    let mut found = [(0, f64::INFINITY); 2];
    for _ in 0..5 {
        for (work, found) in works.iter_mut().zip(&mut found) {
            let start = Instant::now();
            let leaves = work();
            *found = (leaves, found.1.min(start.elapsed().as_secs_f64()));
        }
    }
    found
}

/// Prints the leaves a second from the start of a game of draughts, whose routes are apart.
fn draughts<V: Variant>(depth: u8) {
    let pos = Draughtsboard::<V>::start(RuleSettings { limit: 80, joined: false });
    let (mut moves, stop) = (Vec::new(), StopFlag::new());
    let found =
        measured([&mut || through_position(&pos, depth, &mut moves), &mut || perft(&pos, depth, &stop).unwrap()]);
    let [(leaves, made), (own, counted)] = found;
    assert_eq!(leaves, own);
    let speed = |time| leaves as f64 / 1e6 / time;
    println!("{:6.1} and {:6.1} million leaves/s, made and counted: {} {depth}", speed(made), speed(counted), V::NAME);
}

fn main() {
    draughts::<English>(10);
    draughts::<International>(8);
    let mut sums = [0.0; 2];
    for (fen, depth) in POSITIONS {
        let board: Board = fen.parse().unwrap();
        let (pos, mut moves) = (Chessboard::new(board.clone()), Vec::new());
        let found = measured([&mut || alone(&board, depth), &mut || through_position(&pos, depth, &mut moves)]);
        let [(leaves, raw), (own, time)] = found;
        assert_eq!(leaves, own, "{fen}");
        let speed = |time| leaves as f64 / 1e6 / time;
        println!("{:6.1} and {:6.1} million leaves/s, ratio {:.2}: {fen}", speed(raw), speed(time), raw / time);
        sums = [sums[0] + raw, sums[1] + time];
    }
    println!("ratio of all: {:.2}", sums[0] / sums[1]);
}
