//! Values and bounds against brute force and published values.

use super::{Plain, boards, free, large, moves, standard};
use crate::common::Random;
use secateurs::core::score::{self, Score};
use secateurs::core::solution::SolveRequest;
use secateurs::core::{Bounds, Claim, Position, Proof, Request, Side, Solver, StopFlag};
use secateurs::games::connect4::{Connect4Heuristics, Grid, Large, Size, text};
use secateurs::registry;
use secateurs::search::{Searcher, Table};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SETS: &str = include_str!("../data/Test_L3_R1");

/// Returns the value by the rules alone, and stores that of every position from here on; a win counts its plies.
fn values<S: Size>(pos: &Grid<S>, known: &mut HashMap<S::Set, (Grid<S>, Score)>) -> Score {
    if let Some(&(_, value)) = known.get(&pos.number()) {
        return value;
    }
    let worth = |mv| score::from_node(-values(&pos.after(mv), known), 1);
    let value = moves(pos).into_iter().map(worth).max().unwrap_or_else(|| pos.outcome().score());
    known.insert(pos.number(), (*pos, value));
    value
}

/// On small boards the bounds contain the value of every position, and a search from the start finds its value.
#[test]
fn small_boards_have_their_brute_force_values() {
    for (columns, rows, expected) in [(5, 4, 0), (4, 5, 0)] {
        has_its_brute_force_values(free(columns, rows), expected);
    }
    for (columns, rows, expected) in [(4, 4, 0), (7, 2, 0), (3, 6, 0), (1, 7, 0), (9, 1, 0)] {
        has_its_brute_force_values(free(columns, rows), expected);
        has_its_brute_force_values(large(columns, rows), expected);
    }

    fn has_its_brute_force_values<S: Size>(start: Grid<S>, expected: Score) {
        let mut known = HashMap::new();
        assert_eq!(values(&start, &mut known), expected, "{:?}", start.size());
        for &(pos, value) in known.values() {
            let Bounds { lower, upper } = Connect4Heuristics.bounds(&pos);
            assert!((lower..=upper).contains(&value), "{}: {lower} {value} {upper}", text::write(&pos));
            closer_bounds_hold(&pos, value);
        }
        let mut random = Random(u64::from(start.left()));
        let table = Arc::new(Table::new(4).unwrap());
        for _ in 0..20 {
            let mut pos = start;
            while !pos.is_over() {
                assert_eq!(solve(pos, &table), known[&pos.number()].1, "{}", text::write(&pos));
                pos = pos.after(*random.pick(&moves(&pos)));
            }
        }
    }
}

/// Returns the value in stones by the plain rules alone: the number that the winner has left, the winning one included;
/// negative for a loss.
fn stones_left(plain: &Plain, known: &mut HashMap<Vec<Vec<usize>>, i64>) -> i64 {
    if let Some(&value) = known.get(&plain.columns) {
        return value;
    }
    let squares = plain.columns.len() * plain.rows;
    let last = 1 - plain.played % 2;
    let value = if plain.has_four(last) {
        // The first player has one stone more than the second if the number of squares is odd.
        let all = [squares.div_ceil(2), squares / 2][last];
        let placed = [plain.played.div_ceil(2), plain.played / 2][last];
        -((all - placed + 1) as i64)
    } else {
        let legal = (0..plain.columns.len()).filter(|&column| plain.columns[column].len() < plain.rows);
        let worth = legal.map(|column| {
            let mut next = plain.clone();
            next.play(column as u8);
            -stones_left(&next, known)
        });
        worth.max().unwrap_or(0)
    };
    known.insert(plain.columns.clone(), value);
    value
}

/// On every board with an odd number of squares: the stones reported by `solve` and by a certificate.
#[test]
fn odd_boards_have_their_brute_force_values() {
    let row = registry::find("connect4").unwrap();
    let (table, mut random, mut lost) = (Arc::new(Table::new(4).unwrap()), Random(15), 0);
    let sizes: Vec<_> = boards::<Large>().map(|board| board.size()).filter(|size| size.squares() % 2 == 1).collect();
    assert_eq!(sizes.len(), 52);
    for size in sizes {
        let mut options = row.defaults();
        options.set("Columns", &size.columns().to_string()).unwrap();
        options.set("Rows", &size.rows().to_string()).unwrap();
        // Small boards from the start, the others near the end.
        let (mut known, near) = (HashMap::new(), if size.squares() <= 15 { 11 } else { 8 });
        for _ in 0..10 {
            let mut pos = Grid::empty(size);
            while !pos.is_over() {
                let all = moves(&pos);
                let quiet: Vec<_> = all.iter().copied().filter(|&mv| !pos.after(mv).is_won()).collect();
                if pos.left() <= near {
                    let expected = stones_left(&Plain::of(&pos), &mut known);
                    let board = row.parse(&options, &text::write(&pos)).unwrap();
                    let mut engine = board.engine(Arc::clone(&table));
                    let found = engine.solve(&SolveRequest::default(), &StopFlag::new(), &mut |_| {});
                    assert_eq!(found.value().map(|score| board.count(score)), Some(expected), "{}", board.text());
                    let mut claimed = None;
                    let on_claim = &mut |claim: &Claim| claimed = claimed.or(Some(claim.bounds));
                    engine.certify(&SolveRequest::default(), &StopFlag::new(), on_claim).unwrap();
                    assert_eq!(claimed.map(|bounds| board.count(bounds.lower)), Some(expected), "{}", board.text());
                    lost += usize::from((expected < 0) == (pos.turn() == Side::First) && expected != 0);
                }
                pos = pos.after(*random.pick(if quiet.is_empty() { &all } else { &quiet }));
            }
        }
    }
    // The second player's wins, once counted with one stone too many.
    assert!(lost > 100, "{lost}");
    for (columns, rows, text, value) in [("5", "3", "xx1x1/oo1o1/oxoxx o", 2), ("5", "5", "1212324", 9)] {
        let mut options = row.defaults();
        options.set("Columns", columns).unwrap();
        options.set("Rows", rows).unwrap();
        let board = row.parse(&options, text).unwrap();
        let found = board.engine(Arc::clone(&table)).solve(&SolveRequest::default(), &StopFlag::new(), &mut |_| {});
        assert_eq!(found.value().map(|score| board.count(score)), Some(value), "{text}");
    }
}

/// Checks the follow-up bounds for every alpha of a search; returns whether one excludes a win or a loss.
fn closer_bounds_hold<S: Size>(pos: &Grid<S>, value: Score) -> bool {
    let alphas = (0..=pos.left().cast_signed()).flat_map(|plies| [score::win_in(plies), -score::win_in(plies)]);
    let mut decided = false;
    for alpha in alphas.chain([0, -1]) {
        let Bounds { lower, upper } = Connect4Heuristics.expensive_bounds(pos, alpha);
        assert!((lower..=upper).contains(&value), "{}: {lower} {value} {upper}, alpha {alpha}", text::write(pos));
        decided |= upper < score::WIN || lower > -score::WIN;
    }
    decided
}

/// On wide boards the single squares could be distributed in 10^13 ways, so the bounds must not try them all.
#[test]
fn follow_up_bounds_are_fast_on_wide_boards() {
    let (mut random, began) = (Random(7), Instant::now());
    fn bounds<S: Size>(mut pos: Grid<S>, random: &mut Random) {
        while !pos.is_over() {
            Connect4Heuristics.expensive_bounds(&pos, -1);
            pos = pos.after(*random.pick(&moves(&pos)));
        }
    }
    for _ in 0..25 {
        [free(16, 1), free(15, 1), free(16, 2), free(16, 3)].into_iter().for_each(|pos| bounds(pos, &mut random));
        [large(16, 4), large(16, 7)].into_iter().for_each(|pos| bounds(pos, &mut random));
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// On larger boards, late positions of random games against a search without these bounds.
#[test]
fn follow_up_bounds_hold() {
    let (mut decided, table, mut random) = ([0; 3], Arc::new(Table::new(4).unwrap()), Random(7));
    let sizes = [(7, 6), (6, 5), (5, 5), (5, 7), (8, 5), (7, 7), (6, 6), (12, 1)];
    for (columns, rows) in sizes.into_iter().cycle().take(sizes.len() * 100) {
        hold(free(columns, rows), &table, &mut random, &mut decided);
    }
    for (columns, rows) in [(8, 8), (10, 6), (9, 7)].into_iter().cycle().take(60) {
        hold(large(columns, rows), &table, &mut random, &mut decided);
    }
    assert!(decided[0] > 100 && decided[1] > 100 && decided[2] == 0, "{decided:?}");

    fn hold<S: Size>(mut pos: Grid<S>, table: &Arc<Table>, random: &mut Random, decided: &mut [u32; 3]) {
        while pos.left() > 14 && !pos.is_over() {
            let all = moves(&pos);
            let quiet: Vec<_> = all.iter().copied().filter(|&mv| !pos.after(mv).is_won()).collect();
            pos = pos.after(*random.pick(if quiet.is_empty() { &all } else { &quiet }));
        }
        while !pos.is_over() {
            let value = solve(pos, table);
            if closer_bounds_hold(&pos, value) {
                decided[(value.signum() + 1) as usize] += 1;
            }
            pos = pos.after(*random.pick(&moves(&pos)));
        }
    }
}

/// Returns the value of a position, searched to its end.
fn solve<S: Size>(pos: Grid<S>, table: &Arc<Table>) -> Score {
    let mut searcher = Searcher::new(Connect4Heuristics, Arc::clone(table));
    let last = &searcher.search(&pos, &Request::depth(64), &StopFlag::new(), &mut |_| {})[0];
    assert_eq!(last.proof, Proof::EXACT, "{}", text::write(&pos));
    last.score
}

/// Returns the distance of a win for a score of the public sets: 1 wins with the side's last stone, 2 with the one
/// before.
fn distance(stones: i32, value: i32) -> Score {
    let (own, opposing) = (stones / 2, (stones + 1) / 2);
    match value {
        0 => 0,
        1.. => score::win_in(2 * (22 - value - own) - 1),
        _ => -score::win_in(2 * (22 + value - opposing)),
    }
}

fn solves(lines: impl Iterator<Item = &'static str>) {
    let table = Arc::new(Table::new(16).unwrap());
    for line in lines {
        let (played, value) = line.trim().split_once(' ').unwrap();
        let pos = text::parse(played, standard().size()).unwrap();
        assert_eq!(solve(pos, &table), distance(played.len() as i32, value.parse().unwrap()), "{line}");
    }
}

#[test]
fn the_search_finds_the_values_of_the_public_set() {
    assert_eq!(SETS.lines().count(), 1_000);
    solves(SETS.lines().take(100));
}

#[test]
#[ignore = "takes a while without optimisation"]
fn the_search_finds_all_values_of_the_public_set() {
    solves(SETS.lines());
}
