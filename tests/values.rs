//! The published values of Kalah(m, n), of the starting position and of each opening move, by search alone.

use secateurs::core::score::UNIT;
use secateurs::core::{Bound, Request, Score, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::search::Table;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The number of rows of the data.
const ROWS: usize = 63;

/// Rule, houses, seeds.
type Of = (&'static str, &'static str, &'static str);

/// Rows out of reach of this test: they need hours, or a table of gigabytes.
const FAR: &[Of] = &[
    ("empty", "5", "5"),
    ("empty", "6", "4"),
    ("empty", "6", "5"),
    ("empty", "6", "6"),
    ("standard", "6", "4"),
    ("standard", "6", "5"),
];

/// Half a minute, and half a gigabyte: see `long_published_values_are_found`.
const LONG: &[Of] = &[("standard", "6", "3")];

/// A few seconds for the value, but minutes for those of the opening moves, which are far from the static evaluation.
const LONG_MOVES: &[Of] = &[("empty", "5", "4"), ("empty", "6", "3")];

/// A row of the data: rule, houses and seeds, the value, and the values of the opening moves if they are known; in
/// seeds, for the first player.
struct Row {
    of: Of,
    value: Score,
    moves: Vec<Score>,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("data/kalah_values.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let [rule, houses, seeds, value, moves] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let moves = moves.split_whitespace().map(|value| value.parse().unwrap()).collect();
        Row { of: (rule, houses, seeds), value: value.parse().unwrap(), moves }
    };
    let mut rows: Vec<Row> = lines.map(row).collect();
    // The longest first, so that no core waits for them at the end.
    rows.sort_by_key(|row| Reverse(row.of.1.parse::<u32>().unwrap() * row.of.2.parse::<u32>().unwrap()));
    rows
}

fn start(row: &Row) -> Box<dyn Board> {
    let kalah = registry::find("kalah").unwrap();
    let mut options = kalah.defaults();
    for (name, value) in [("Capture", row.of.0), ("Houses", row.of.1), ("Seeds", row.of.2)] {
        options.set(name, value).unwrap();
    }
    kalah.start(&options).unwrap()
}

/// Returns the exact margin for the first player, in seeds.
fn solve(board: &dyn Board, table: &Arc<Table>) -> Score {
    let last = &board.engine(Arc::clone(table)).search(&Request::depth(255), &StopFlag::new(), &mut |_| {})[0];
    assert_eq!(last.bound, Bound::Exact);
    let value = if board.turn() == Side::First { last.score } else { -last.score };
    assert_eq!(value % UNIT, 0, "an end, not an evaluation");
    value / UNIT
}

/// Solves rows on every core, each with a table of `hash` MiB; returns the numbers of starting positions and opening
/// moves verified.
fn verify(rows: &[Row], hash: usize) -> (usize, usize) {
    let (next, moves, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let solver = || {
        let table = Arc::new(Table::new(hash).unwrap());
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (began, board) = (Instant::now(), start(row));
            let root = solve(&*board, &table);
            let mut found = Vec::new();
            for mv in board.moves().into_iter().filter(|_| !row.moves.is_empty()) {
                let mut after = board.boxed();
                after.play(&mv).unwrap();
                found.push(solve(&*after, &table));
            }
            println!("{:?}: {root} {found:?} in {:.1?}", row.of, began.elapsed());
            moves.fetch_add(found.len(), Ordering::Relaxed);
            if root != row.value || found != row.moves {
                wrong
                    .lock()
                    .unwrap()
                    .push(format!("{:?}: {root} {found:?}, not {} {:?}", row.of, row.value, row.moves));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |cores| cores.get().min(4)) {
            scope.spawn(solver);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
    (rows.len(), moves.into_inner())
}

#[test]
fn published_values_are_found() {
    let mut near: Vec<_> = rows().into_iter().filter(|row| !FAR.contains(&row.of) && !LONG.contains(&row.of)).collect();
    for row in near.iter_mut().filter(|row| LONG_MOVES.contains(&row.of)) {
        row.moves.clear();
    }
    assert_eq!(verify(&near, 128), (ROWS - FAR.len() - LONG.len(), 4 + 4 + 5 + 6));
}

/// A minute or two: `cargo test --test suite values:: -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn long_published_values_are_found() {
    let long: Vec<_> =
        rows().into_iter().filter(|row| LONG.contains(&row.of) || LONG_MOVES.contains(&row.of)).collect();
    assert_eq!(verify(&long, 512), (LONG.len() + LONG_MOVES.len(), 5 + 6));
}

#[test]
fn every_row_is_accounted_for() {
    let rows = rows();
    assert_eq!(rows.len(), ROWS);
    for of in [FAR, LONG, LONG_MOVES].concat() {
        assert!(rows.iter().any(|row| row.of == of), "{of:?} is no row");
    }
}
