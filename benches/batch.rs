//! The cost of a row of a batch beyond its search: the same searches in a plain loop, and by one worker.
//!
//! `cargo bench --bench batch`, on an idle core. `benches/batch.py` measures the whole cost of a row, with what
//! Python adds: the columns and the list of positions.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it measures, and prints the figures")]

use secateurs::batch::{Given, Job, Run, analyse};
use secateurs::core::{Limits, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::{self, Setup};
use secateurs::search::Table;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const ROWS: usize = 100_000;

/// Positions of several games in play.
fn walk(setup: &Setup) -> Vec<Box<dyn Board>> {
    let start = setup.board("startpos").unwrap();
    let (mut boards, mut board) = (Vec::new(), start.boxed());
    while boards.len() < ROWS {
        boards.push(board.boxed());
        let moves = board.moves();
        board.play(&moves[boards.len() * 7 % moves.len()]).unwrap();
        if board.outcome().is_some() {
            board = start.boxed();
        }
    }
    boards
}

/// The minimum of five runs, microseconds a row.
fn measured(mut work: impl FnMut()) -> f64 {
    let times = (0..5).map(|_| {
        let began = Instant::now();
        work();
        began.elapsed().as_secs_f64() * 1e6 / ROWS as f64
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("{ROWS} rows of depth 1, us a row    loop   batch   more");
    for row in registry::GAMES {
        let (setup, limits) = (Setup::new(row), Limits::depth(1));
        let boards = walk(&setup);
        let given: Vec<Given> = boards.iter().map(|board| Given::Board(board.boxed())).collect();
        let (table, request) = (Arc::new(Table::new(4).unwrap()), Request::new(limits.clone()));
        let plain = measured(|| {
            for board in &boards {
                // So that these are the same searches.
                table.clear();
                let mut engine = board.engine(Arc::clone(&table));
                black_box(engine.search(&request, &StopFlag::new(), &mut |_| {}));
            }
        });
        let job = Job { setup, limits, hash: 4, pv: false, lines: 1 };
        let run = Run { threads: 1, ..Run::default() };
        let batch = measured(|| drop(black_box(analyse(&given, &job, &run).unwrap())));
        println!("{:28} {plain:7.2} {batch:7.2} {:6.2}", row.name, batch - plain);
    }
}
