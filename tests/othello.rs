//! Othello: the rules against published counts of moves, exact values against published ones, the solver of the last
//! squares against minimax.

use secateurs::core::position::legal_moves;
use secateurs::core::score::UNIT;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{Bounds, Evaluation, Position, Side, SmallTable, Solver, StopFlag};
use secateurs::games::othello::{Disc, Discs, OthelloHeuristics, Size, endgame, stability, text};
use secateurs::registry;
use secateurs::search::oracle::minimax;
use secateurs::search::perft::perft;
use secateurs::search::{Searcher, Table};
use secateurs::util::random::Random;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The positions after each number of plies from the start on 8 x 8, as published. A game that is over earlier counts
/// as one there.
const COUNTS: [u64; 10] = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284];

/// The games that are over after nine plies, the fewest.
const SHORTEST: u64 = 228;

fn count(size: Size, depth: u8) -> u64 {
    perft(&Discs::start(size), depth, &StopFlag::new()).unwrap()
}

/// Counts the games that are over after exactly `depth` plies.
fn over(pos: &Discs, depth: u8) -> u64 {
    if depth == 0 {
        return pos.is_over().into();
    }
    legal_moves(pos).into_iter().map(|mv| over(&pos.after(mv), depth - 1)).sum()
}

#[test]
fn perft_agrees_with_published_counts() {
    for (depth, expected) in (1..).zip(&COUNTS[..8]) {
        assert_eq!(count(Size::Eight, depth), *expected, "{depth}");
    }
}

/// The counts of ten plies, in which the first games are over.
#[test]
#[ignore = "24 million positions"]
fn deep_perft_agrees_with_published_counts() {
    assert_eq!(count(Size::Eight, 9), COUNTS[8]);
    assert_eq!(over(&Discs::start(Size::Eight), 9), SHORTEST);
    assert_eq!(count(Size::Eight, 10) + SHORTEST, COUNTS[9]);
}

/// Returns a position of a random game with at most this number of vacant squares.
fn late(size: Size, vacant: u32, random: &mut Random) -> Discs {
    loop {
        let mut pos = Discs::start(size);
        while !pos.is_over() && pos.vacant().count_ones() > vacant {
            let moves = legal_moves(&pos);
            pos = pos.after(moves[random.below(moves.len())]);
        }
        if !pos.is_over() {
            return pos;
        }
    }
}

fn exact(pos: &Discs, moves: Valued) -> (i32, Vec<String>) {
    let table = Arc::new(Table::new(64).unwrap());
    let request = SolveRequest { moves, ..SolveRequest::default() };
    let solution = Searcher::new(OthelloHeuristics, table).solve(pos, &request, &StopFlag::new(), &mut |_| {});
    assert!(solution.bounds.is_exact());
    let moves = solution.moves.iter().map(|(mv, _)| text::write_move(*mv, pos.size())).collect();
    (solution.bounds.lower / UNIT, moves)
}

/// A table that keeps nothing, or everything.
#[derive(Default)]
struct Kept {
    keeps: bool,
    bounds: RefCell<HashMap<u64, (Bounds, Option<u16>)>>,
    nodes: u64,
}

impl SmallTable for Kept {
    fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    fn probe(&self, key: u64) -> Option<(Bounds, Option<u16>)> {
        self.bounds.borrow().get(&key).copied()
    }

    fn keep(&self, key: u64, bounds: Bounds, code: Option<u16>, _nodes: u64) {
        if self.keeps {
            self.bounds.borrow_mut().insert(key, (bounds, code));
        }
    }
}

/// The solver of the last squares answers every question as minimax does, within its bounds.
#[test]
fn the_last_squares_have_their_minimax_values() {
    let mut random = Random(64);
    for number in 0..500 {
        let size = Size::ALL[number % 3];
        let pos = late(size, 1 + number as u32 % 9, &mut random);
        let value = minimax(&OthelloHeuristics, &pos, 20) / UNIT;
        let mut tables = [false, true].map(|keeps| Kept { keeps, ..Kept::default() });
        for alpha in [-64, value - 2, value - 1, value, value + 1, 10, 63] {
            for table in &mut tables {
                let bound = endgame::solve(pos.own(), pos.opposing(), size.board(), alpha, table).unwrap();
                assert_eq!(bound > alpha, value > alpha, "{} {alpha}", text::write(&pos));
                assert!(if bound > alpha { bound <= value } else { bound >= value }, "{} {alpha}", text::write(&pos));
            }
        }
        assert!(tables[0].nodes >= tables[1].nodes && tables[1].nodes > 0);
    }
}

/// A position that takes the solver of the last squares too long is given up and left to the search, which finds the
/// value that a solver without the limit has found.
#[test]
fn long_endgames_are_left_to_the_search() {
    let text = "XX-O-X-XOX-OXXOXOOOOOO--XX-XXOX-XXOXO--O-XXXOXOXOO-OXOOOOXO-OXXX X";
    let pos = text::parse(text).unwrap();
    let mut table = Kept::default();
    assert_eq!(endgame::solve(pos.own(), pos.opposing(), u64::MAX, 7, &mut table), None);
    assert!((endgame::MOST_NODES..2 * endgame::MOST_NODES).contains(&table.nodes), "{}", table.nodes);
    assert_eq!(exact(&pos, Valued::None).0, 6);
}

/// Exact search, and the bounds of stable discs, agree with minimax.
#[test]
fn exact_search_agrees_with_minimax() {
    let mut random = Random(65);
    for number in 0..60 {
        let size = Size::ALL[number % 3];
        let pos = late(size, 8, &mut random);
        let value = minimax(&OthelloHeuristics, &pos, 20);
        assert_eq!(exact(&pos, Valued::None).0 * UNIT, value, "{}", text::write(&pos));
        for alpha in [-6_400, -1, 6_399] {
            let Bounds { lower, upper } = OthelloHeuristics.expensive_bounds(&pos, alpha);
            assert!(lower <= value && value <= upper, "{}: {lower} {upper}", text::write(&pos));
        }
    }
}

/// Positions that are images of each other have one evaluation.
#[test]
fn the_evaluation_is_symmetric() {
    let (mut random, mut decided) = (Random(66), 0);
    for number in 0..300 {
        let size = Size::ALL[number % 3];
        let pos = late(size, 1 + number as u32 % (size.width() * size.width() - 5), &mut random);
        let value = OthelloHeuristics.evaluate(&pos);
        for image in [u64::swap_bytes, u64::reverse_bits] {
            let discs = [Side::First, Side::Second].map(|side| image(pos.discs(side)));
            let mirrored = Discs::new(discs, pos.turn(), size);
            assert_eq!(OthelloHeuristics.evaluate(&mirrored), value, "{}", text::write(&pos));
        }
        decided += u32::from(value != 0);
    }
    assert!(decided > 200, "{decided}");
}

#[test]
fn discs_of_a_full_board_are_stable() {
    assert_eq!(stability::count(u64::MAX >> 1, 1 << 63, Size::Eight), 63);
}

/// The second player wins on 4 x 4 by ten discs, if the vacant squares count for it.
#[test]
fn four_by_four_is_lost_by_ten() {
    assert_eq!(exact(&Discs::start(Size::Four), Valued::None).0, -10);
}

/// Checks the values and the best moves of a file of positions, from and to a number of them.
fn check(file: &str, from: usize, to: usize) {
    let path = format!("{}/tests/data/othello/{file}", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(path).unwrap();
    for line in lines.lines().skip(from).take(to - from) {
        let mut parts = line.split(';').map(str::trim).filter(|part| !part.is_empty());
        let pos = text::parse(parts.next().unwrap()).unwrap();
        let moves: Vec<(&str, i32)> =
            parts.map(|part| part.split_once(':').unwrap()).map(|(mv, value)| (mv, value.parse().unwrap())).collect();
        let best = moves.iter().map(|(_, value)| *value).max().unwrap();
        let (value, found) = exact(&pos, Valued::Best);
        assert_eq!(value, best, "{line}");
        let expected: Vec<_> =
            moves.iter().filter(|(_, value)| *value == best).map(|(mv, _)| mv.to_lowercase()).collect();
        assert!(expected.iter().all(|mv| found.contains(mv)), "{line}: {found:?}");
    }
}

/// The first endgame positions of the French Othello Federation (FFO), with 6 to 19 vacant squares.
#[test]
fn easy_endgames_have_the_published_values() {
    check("ffo_20_39.obf", 0, 4);
}

#[test]
#[ignore = "minutes"]
fn endgames_have_the_published_values() {
    check("ffo_20_39.obf", 4, 20);
    check("ffo_40_49.obf", 0, 8);
}

#[test]
fn illegal_moves_get_the_rule_that_forbids_them() {
    let row = registry::find("othello").unwrap();
    let mut board = row.start(&row.defaults()).unwrap();
    for (mv, rule) in [
        ("d4", "the square is taken"),
        ("a1", "a move turns over at least one disc"),
        ("pass", "a side that has a move must not pass"),
    ] {
        let message = board.play(mv).unwrap_err().to_string();
        assert!(message.contains(rule), "{message}");
    }
    board.play("F5").unwrap();
    assert_eq!(board.history(), ["f5"]);
    let pass = Discs::new([1, 2], Side::Second, Size::Eight);
    assert_eq!(legal_moves(&pass), [Disc::PASS]);
}
