//! Rote learning: what is remembered, and what becomes of the file.

use crate::common::learning::RECORD;
use crate::common::newer;
use secateurs::core::report::Bound;
use secateurs::core::{Error, Options, Proof, Report, Request, Score, StopFlag};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::rote_learning::{MIB, RoteLearning};
use secateurs::search::Table;
use secateurs::search::entry::Entry;
use secateurs::util::random::mixed;
use std::fs;
use std::sync::Arc;

fn options(set: &[(&str, &str)]) -> Options {
    let mut options = registry::find("kalah").unwrap().defaults();
    set.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    options
}

fn board(set: &[(&str, &str)], moves: &[&str]) -> Box<dyn Board> {
    let mut board = registry::find("kalah").unwrap().start(&options(set)).unwrap();
    moves.iter().for_each(|mv| board.play(mv).unwrap());
    board
}

/// Searches with a new table that contains the learned positions, and learns the result.
fn search(learned: Option<&RoteLearning>, board: &dyn Board, depth: u8) -> Report {
    let (table, request) = (Arc::new(Table::new(4).unwrap()), Request::depth(depth));
    let (mut engine, stop) = (board.engine(table), StopFlag::new());
    let mut lines = match learned {
        Some(learned) => {
            let (lines, saved) = learned.search(&mut *engine, &request, &stop, &mut |_| {});
            saved.unwrap();
            lines
        }
        None => engine.search(&request, &stop, &mut |_| {}),
    };
    lines.remove(0)
}

fn entry(depth: u8) -> Entry {
    Entry {
        value: Score::from(depth),
        proof: Proof::NONE,
        code: Some(1),
        depth,
        bound: Bound::Exact,
        evaluation: 0,
        pv: true,
    }
}

#[test]
fn what_is_remembered_is_worth_its_depth_when_it_is_met_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let start = board(&[], &[]);
    // Every position after the first move is searched to 9 plies; a search to 10 plies then finds their values in its
    // null windows.
    let learned = RoteLearning::open(&path, &*start, MIB).unwrap();
    let mut values = Vec::new();
    for mv in start.moves() {
        let after = board(&[], &[&mv]);
        let report = search(Some(&learned), &*after, 9);
        let sign = if after.turn() == start.turn() { 1 } else { -1 };
        values.push(sign * report.score);
    }
    assert_eq!(learned.positions(), start.moves().len());
    let best = *values.iter().max().unwrap();
    drop(learned);
    // Also after a restart.
    let learned = RoteLearning::open(&path, &*start, MIB).unwrap();
    let report = search(Some(&learned), &*start, 10);
    assert_eq!(report.score, best);
    assert_eq!(values[start.moves().iter().position(|mv| *mv == report.pv[0]).unwrap()], best);
    let alone = search(None, &*start, 10);
    assert!(report.nodes < alone.nodes, "{} of {} nodes", report.nodes, alone.nodes);
}

#[test]
fn deeper_values_stay_and_those_as_deep_are_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let start = board(&[], &[]);
    let learned = RoteLearning::open(&path, &*start, MIB).unwrap();
    for (depth, taken) in [(5, true), (4, false), (5, false), (6, true), (1, false)] {
        assert_eq!(learned.learn(7, &entry(depth)).unwrap(), taken, "{depth}");
    }
    let other = Entry { value: 99, ..entry(6) };
    assert!(learned.learn(7, &other).unwrap(), "as deep, and newer");
    let proven = Entry { proof: Proof::EXACT, ..entry(2) };
    assert!(learned.learn(7, &proven).unwrap() && !learned.learn(7, &entry(9)).unwrap());
    drop(learned);
    let (table, learned) = (Table::new(1).unwrap(), RoteLearning::open(&path, &*start, MIB).unwrap());
    learned.preload(&table, usize::MAX);
    assert_eq!(table.probe(7), Some(proven));
    // New positions are added; all of them once the table is cleared.
    learned.learn(8, &entry(6)).unwrap();
    learned.preload(&table, usize::MAX);
    assert_eq!(table.probe(8), Some(entry(6)));
    table.clear();
    learned.preload(&table, usize::MAX);
    assert!(table.probe(7).is_some() && table.probe(8).is_some());
}

#[test]
fn other_rules_weights_and_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    assert!(RoteLearning::open(&path, &*board(&[], &[]), MIB).unwrap().learn(1, &entry(5)).unwrap());
    let refused = |board: &dyn Board| RoteLearning::open(&path, board, MIB).unwrap_err().to_string();
    assert!(refused(&*board(&[("Seeds", "5")], &[])).contains("Seeds=4"));
    assert!(refused(&*board(&[("Capture", "empty")], &[])).contains("Capture=standard"));
    assert!(refused(&*board(&[("KalahWeights", "seed=5")], &[])).contains("KalahWeights"));
    assert!(
        refused(&*registry::find("nim").unwrap().start(&registry::find("nim").unwrap().defaults()).unwrap())
            .contains("\"kalah\"")
    );
    let whole = fs::read(&path).unwrap();
    let newer = newer(&whole);
    for (bytes, expected) in [(&newer[..], "a newer version"), (b"nothing of the kind", "is not a learning file")] {
        fs::write(&path, bytes).unwrap();
        assert!(refused(&*board(&[], &[])).contains(expected));
        assert_eq!(fs::read(&path).unwrap(), bytes, "left as it was");
    }
    assert!(matches!(RoteLearning::open(folder.path(), &*board(&[], &[]), MIB), Err(Error::BadFile(..))));
    assert!(matches!(RoteLearning::open(&path.join("x"), &*board(&[], &[]), MIB), Err(Error::File { .. })));
}

#[test]
fn a_torn_record_is_dropped_and_a_second_process_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let start = board(&[], &[]);
    let open = || RoteLearning::open(&path, &*start, MIB).unwrap();
    let first = open();
    (0..3).for_each(|key| assert!(first.learn(key, &entry(5)).unwrap()));
    let second = open();
    assert_eq!((second.positions(), second.is_saved(), first.is_saved()), (3, false, true));
    assert!(second.learn(9, &entry(5)).unwrap(), "remembered, but not kept");
    assert_eq!(second.positions(), 4);
    drop((first, second));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let again = open();
    assert_eq!((again.positions(), again.is_saved()), (2, true));
    again.learn(5, &entry(5)).unwrap();
    drop(again);
    assert_eq!(open().positions(), 3);
    assert_eq!(fs::metadata(&path).unwrap().len(), whole.len() as u64);
}

#[test]
fn a_full_file_forgets_what_is_shallow_and_old() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let start = board(&[], &[]);
    let limit = 4_096;
    let learned = RoteLearning::open(&path, &*start, limit).unwrap();
    let size = || fs::metadata(&path).unwrap().len();
    let header = size();
    // One position in ten is deep.
    let depth = |key: u64| if key.is_multiple_of(10) { 14 } else { 5 };
    for key in 0..160 {
        let before = size();
        learned.learn(mixed(key), &entry(depth(key))).unwrap();
        assert!((before..=limit).contains(&size()), "no search waits for it");
    }
    // Those without room are in memory.
    assert!(learned.positions() == 160 && size() + RECORD > limit);
    learned.tidy().unwrap();
    assert!(size() <= limit / 2 + header && size() > limit / 2);
    let table = Table::new(1).unwrap();
    let holds = |learned: &RoteLearning, key: u64| {
        table.clear();
        learned.preload(&table, usize::MAX);
        table.probe(mixed(key)).is_some()
    };
    let len = learned.positions();
    assert!(len < 80 && holds(&learned, 159), "{len}");
    learned.learn(mixed(7_777), &entry(9)).unwrap();
    for key in 160..400 {
        if key % 8 == 0 {
            // Met again without a new result.
            learned.learn(mixed(7_777), &entry(1)).unwrap();
        }
        learned.learn(mixed(key), &entry(depth(key))).unwrap();
        learned.tidy().unwrap();
        assert!(size() <= limit);
    }
    assert!(holds(&learned, 7_777));
    drop(learned);
    let learned = RoteLearning::open(&path, &*start, limit).unwrap();
    assert!(holds(&learned, 399) && !holds(&learned, 1));
    let remembered = |deep: bool| (240..280).filter(|&key| (key % 10 == 0) == deep && holds(&learned, key)).count();
    assert!(remembered(true) == 4 && remembered(false) < 12, "of 4 and 36: {} {}", remembered(true), remembered(false));
}

#[test]
fn a_larger_file_is_read_whole_and_shortened_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let start = board(&[], &[]);
    let learned = RoteLearning::open(&path, &*start, MIB).unwrap();
    (0..200).for_each(|key| assert!(learned.learn(key, &entry(5)).unwrap()));
    drop(learned);
    let size = || fs::metadata(&path).unwrap().len();
    let before = size();
    // Full is a file without room for one more.
    for (limit, is_full) in [(before + RECORD, false), (before + RECORD - 1, true)] {
        let learned = RoteLearning::open(&path, &*start, limit).unwrap();
        assert_eq!((learned.positions(), size()), (200, before));
        learned.tidy().unwrap();
        assert_eq!((learned.positions() < 120, size() < before), (is_full, is_full));
    }
}

#[test]
fn large_memories_enter_the_table_by_steps() {
    let folder = tempfile::tempdir().unwrap();
    let start = board(&[], &[]);
    let learned = RoteLearning::open(&folder.path().join("learned"), &*start, MIB).unwrap();
    let table = Table::new(1).unwrap();
    (0..100).for_each(|key| assert!(learned.learn(mixed(key), &entry(5)).unwrap()));
    let held = || (0..100).filter(|&key| table.probe(mixed(key)).is_some()).count();
    // The new ones, once.
    learned.preload(&table, 10);
    assert_eq!(held(), 100);
    for (most, expected) in [(10, 10), (10, 20), (usize::MAX, 100)] {
        if most == expected {
            table.clear();
        }
        learned.preload(&table, most);
        assert_eq!(held(), expected);
    }
}
