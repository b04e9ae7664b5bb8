//! The benchmark.

use secateurs::bench::{BenchTotal, over, rows, run};
use secateurs::core::{BenchRow, StopFlag};
use secateurs::registry::{self, GameRow};
use std::time::Duration;

/// Every row, at a depth that the test profile can afford.
fn shallow() -> impl Iterator<Item = (&'static GameRow, &'static BenchRow)> {
    rows().map(|(game, row)| (game, &*Box::leak(Box::new(BenchRow { depth: row.depth.min(7), ..*row }))))
}

#[test]
fn the_total_is_the_same_in_every_run() {
    let nodes = || {
        let mut lines = Vec::new();
        let total = over(shallow(), &StopFlag::new(), &mut |line| lines.push(line.report.nodes));
        let total = total.unwrap().unwrap().nodes;
        assert_eq!(total, lines.iter().sum::<u64>());
        (total, lines)
    };
    let (total, lines) = nodes();
    assert!(total > 0 && !lines.is_empty());
    assert_eq!(nodes(), (total, lines));
}

#[test]
fn a_raised_flag_ends_it_without_a_total() {
    let stop = StopFlag::new();
    stop.raise();
    let mut lines = 0;
    assert_eq!(run(&stop, &mut |_| lines += 1), Ok(None));
    assert_eq!(lines, 0);
}

#[test]
fn every_game_has_rows_and_every_row_is_read() {
    for game in registry::GAMES {
        assert!(!game.bench.is_empty(), "{}", game.name);
        for row in game.bench {
            let stop = StopFlag::new();
            stop.raise();
            assert_eq!(over([(game, row)].into_iter(), &stop, &mut |_| {}), Ok(None), "{} {row:?}", game.name);
        }
    }
}

#[test]
fn the_last_line_is_the_one_that_test_farms_read() {
    let total = BenchTotal { nodes: 3_000, time: Duration::from_millis(2) };
    assert_eq!(total.to_string(), "3000 nodes 1500000 nps");
    assert_eq!(BenchTotal::default().to_string(), "0 nodes 0 nps");
}
