//! Files of learned positions of Kalah.

use secateurs::core::report::Bound;
use secateurs::core::{Proof, Score};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::rote_learning::{MIB, RoteLearning};
use secateurs::search::entry::Entry;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The bytes of a position, and about those of the head.
pub const RECORD: u64 = 28;
pub const HEAD: u64 = 200;

pub fn kalah() -> Box<dyn Board> {
    let row = registry::find("kalah").unwrap();
    row.start(&row.defaults()).unwrap()
}

/// Writes a file of some positions.
pub fn learned(path: &Path, positions: u64) {
    let learned = RoteLearning::open(path, &*kalah(), 1024 * MIB).unwrap();
    for key in 0..positions {
        let entry = Entry {
            value: key as Score % 100,
            proof: Proof::NONE,
            code: Some(1),
            depth: 5,
            bound: Bound::Exact,
            evaluation: 0,
            pv: true,
        };
        learned.learn(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), &entry).unwrap();
    }
    drop(learned);
    // A process that another test starts has the lock too, until it runs its own program.
    let file = fs::File::open(path).unwrap();
    while file.try_lock().is_err() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// Returns every first move with a reply or, after a further turn, a second move.
pub fn pairs() -> Vec<[String; 2]> {
    let mut pairs = Vec::new();
    for first in kalah().moves() {
        let mut board = kalah();
        board.play(&first).unwrap();
        pairs.extend(board.moves().into_iter().map(|second| [first.clone(), second]));
    }
    pairs
}

pub fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}
