//! Endgame databases: every value against plain recursion, damaged files, interrupted builds, and their use by a
//! search.

use crate::common::kalah::{Known, RULES, gain, lay, random_board};
use crate::common::{Random, newer, walk};
use secateurs::core::databases::{Build, BuildPlan};
use secateurs::core::{Error, Options, Proof, Request, Side, StopFlag};
use secateurs::endgame::{self, Database, Tables, verify};
use secateurs::engine::Board;
use secateurs::games::kalah::endgame::layer::{Layer, positions};
use secateurs::games::kalah::endgame::{Rules, index};
use secateurs::games::kalah::{BoardContents, Capture, Layout, Packed, Wide};
use secateurs::registry::{self, GameRow};
use secateurs::search::Table;
use secateurs::tables;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn build(
    folder: &Path,
    rules: Rules,
    size: usize,
    threads: usize,
    stop: &StopFlag,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    endgame::build(&rules, BuildPlan { size, distances: false }, &Build { folder, threads, stop, progress })
}

fn built(rules: Rules, seeds: usize) -> (TempDir, Tables<Layer>) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(build(folder.path(), rules, seeds, 2, &StopFlag::new(), &|_| {}), Ok(true));
    let endgame = Tables::open(&rules, folder.path()).unwrap();
    assert_eq!((endgame.size(), endgame.iter().count()), (seeds, seeds + 1));
    (folder, endgame)
}

fn contents(rules: Rules, words: [u64; 2]) -> BoardContents {
    let row = |word: u64| (0..rules.houses).map(|at| index::house(word, at) as u16).collect::<Vec<_>>();
    BoardContents { capture: rules.capture, turn: Side::First, stores: [0, 0], houses: words.map(row) }
}

/// Every position of every layer, from one house with many laps to eight with few seeds. The last layers of two and
/// three houses have more values than codes.
#[test]
fn every_value_equals_plain_recursion() {
    for capture in RULES {
        for (houses, most) in [(1, 40), (2, 26), (3, 17), (4, 9), (5, 7), (6, 6), (8, 4)] {
            let rules = Rules { houses, capture };
            let ((_folder, endgame), mut known) = (built(rules, most), Known::new());
            for seeds in 0..=most {
                let mut count = 0;
                for mine in 0..=seeds {
                    for own in index::words(houses, mine) {
                        for opposing in index::words(houses, seeds - mine) {
                            let pos: Wide = lay(&contents(rules, [own, opposing]));
                            let expected = Some(gain(&pos, &mut known));
                            assert_eq!(endgame.probe(own, opposing, seeds), expected, "{:?}", pos.contents());
                            count += 1;
                        }
                    }
                }
                assert_eq!(count, positions(houses, seeds));
            }
            assert_eq!(endgame.probe(0, 0, most + 1), None);
            let overflowing: usize = endgame.iter().map(Layer::overflowing).sum();
            assert_eq!(overflowing > 0, houses == 2 || houses == 3, "{rules:?}: {overflowing}");
        }
    }
}

#[test]
fn larger_layers_follow_from_smaller_ones() {
    for (capture, houses, most) in [(Capture::Standard, 6, 12), (Capture::Empty, 6, 11), (Capture::Standard, 4, 18)] {
        let rules = Rules { houses, capture };
        let (_folder, endgame) = built(rules, most);
        for seeds in 0..=most {
            assert_eq!(verify(&rules, &endgame, seeds, 3_000, 7, &StopFlag::new()), Ok(3_000));
        }
    }
}

/// Returns the database files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "sde"));
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap())).collect()
}

#[test]
fn threads_and_interruptions_leave_the_same_files() {
    let rules = Rules { houses: 4, capture: Capture::Standard };
    let (whole, _) = built(rules, 17);
    for (threads, timeout) in [(1, u64::MAX), (3, u64::MAX), (1, 1), (2, 50_000)] {
        let folder = tempfile::tempdir().unwrap();
        let mut rounds = 0;
        loop {
            let (stop, built) = (StopFlag::new(), std::sync::atomic::AtomicU64::new(0));
            let done = build(folder.path(), rules, 17, threads, &stop, &|positions| {
                // The limit doubles each round, so that the build ends.
                if built.fetch_add(positions, std::sync::atomic::Ordering::Relaxed)
                    >= timeout.saturating_mul(1 << rounds)
                {
                    stop.raise();
                }
            });
            // A file that a killed process leaves.
            fs::write(folder.path().join(".secateurs-abc.part"), "half a layer").unwrap();
            rounds += 1;
            if done.unwrap() {
                break;
            }
        }
        assert!((rounds > 3) == (timeout < u64::MAX), "{rounds}");
        assert_eq!(build(folder.path(), rules, 17, threads, &StopFlag::new(), &|_| panic!("all is there")), Ok(true));
        assert!(!folder.path().join(".secateurs-abc.part").exists());
        assert_eq!(files(folder.path()), files(whole.path()), "{threads} threads, {rounds} rounds");
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_by_name() {
    let rules = Rules { houses: 3, capture: Capture::Empty };
    let (folder, _) = built(rules, 16);
    let path = folder.path().join(rules.file(16).name);
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        for error in [
            Tables::open(&rules, folder.path()).map(drop).unwrap_err(),
            build(folder.path(), rules, 17, 1, &StopFlag::new(), &|_| {}).unwrap_err(),
        ] {
            let said = error.to_string();
            assert!(matches!(error, Error::BadFile(..)) && said.contains("kalah-3-empty-16.sde"), "{said}");
            assert!(said.contains(what), "{said}");
        }
    };
    for bit in (0..whole.len() * 8).step_by(997) {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        refused(&bytes, "");
    }
    for len in (0..whole.len()).step_by(499) {
        refused(&whole[..len], "");
    }
    refused(&newer(&whole), "a newer version of the format, 3; this is 2");
    refused(b"SQLite format 3", "is not an endgame database");
    refused(
        &fs::read(folder.path().join(rules.file(15).name)).unwrap(),
        "holds \"kalah Houses=3 Capture=empty seeds=15\"",
    );
    fs::write(&path, &whole).unwrap();
    assert!(Tables::open(&rules, folder.path()).is_ok());
    let other = Tables::open(&Rules { houses: 4, ..rules }, folder.path()).map(drop).unwrap_err().to_string();
    assert!(other.contains("holds no endgame database of kalah with Houses=4 Capture=empty"), "{other}");
}

#[test]
fn impossible_builds_are_refused_in_advance() {
    let folder = tempfile::tempdir().unwrap();
    let rules = |houses| Rules { houses, capture: Capture::Standard };
    for (houses, size, words) in [
        ("9", 3, "1 to 8 houses"),
        ("6", 49, "Houses=6 Capture=standard have 0 to 48 seeds, not 49"),
        ("8", 40, "Houses=8 Capture=standard have 0 to 32 seeds, not 40"),
    ] {
        let (row, options) = kalah(&[("Houses", houses)]);
        let needs = row.databases.unwrap().needs(&options, folder.path(), BuildPlan { size, distances: false });
        let error = needs.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    // The build needs more space than any disk has; only the lock remains.
    let error = build(folder.path(), rules(6), 48, 1, &StopFlag::new(), &|_| {}).unwrap_err();
    let full = |error: &Error| matches!(error, Error::File { kind: std::io::ErrorKind::StorageFull, .. });
    assert!(full(&error) && error.to_string().contains("MiB of disk are needed"), "{error}");
    assert_eq!(files(folder.path()).len(), 0);
}

fn kalah(set: &[(&str, &str)]) -> (&'static GameRow, Options) {
    let row = registry::find("kalah").unwrap();
    let mut options = row.defaults();
    for (name, value) in set {
        row.set(&mut options, name, value).unwrap();
    }
    (row, options)
}

fn solve(board: &dyn Board) -> (i32, Proof, u64) {
    let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
    let found = engine.search(&Request::depth(60), &StopFlag::new(), &mut |_| {}).swap_remove(0);
    (found.score, found.proof, found.nodes)
}

/// Databases reduce the nodes and change no result, on the boards of a folder; on others they change nothing.
#[test]
fn databases_save_nodes_and_change_no_result() {
    let (folder, _) = built(Rules { houses: 4, capture: Capture::Empty }, 12);
    let path = folder.path().to_str().unwrap();
    build(folder.path(), Rules { houses: 3, capture: Capture::Empty }, 9, 1, &StopFlag::new(), &|_| {}).unwrap();
    let mut random = Random(11);
    for (houses, helped) in [(3, true), (4, true), (5, false)] {
        let (mut with, mut without) = (0, 0);
        for round in 0..20 {
            let board = random_board(Capture::Empty, houses, 16, &mut random);
            let text = secateurs::games::kalah::text::write(&board);
            let plain = [("Capture", "empty")];
            // Options may come in any order.
            let probing = if round % 2 == 0 {
                [("KalahEndgames", path), ("Capture", "empty")]
            } else {
                [("Capture", "empty"), ("KalahEndgames", path)]
            };
            let [(score, proof, nodes), (expected, exact, all)] = [&probing[..], &plain[..]].map(|set| {
                let (row, options) = kalah(set);
                solve(&*row.parse(&options, &text).unwrap())
            });
            assert_eq!((score, proof), (expected, exact), "{text}");
            with += nodes;
            without += all;
        }
        assert_eq!(with < without, helped, "{houses} houses: {with} nodes, {without} without");
    }
}

#[test]
fn bounds_are_exact_within_the_database() {
    let rules = Rules { houses: 5, capture: Capture::Standard };
    let (folder, endgame) = built(rules, 8);
    let (row, options) = kalah(&[("KalahEndgames", folder.path().to_str().unwrap()), ("Houses", "5"), ("Seeds", "2")]);
    let mut random = Random(3);
    for board in (0..20).flat_map(|_| walk(&*row.start(&options).unwrap(), &mut random)) {
        let evaluated = board.static_evaluation();
        let contents = secateurs::games::kalah::text::parse(&board.text(), rules.capture).unwrap();
        let pos: Packed = lay(&contents);
        let [own, opposing] = pos.sides();
        let known = endgame.probe(own, opposing, pos.in_play().into());
        assert_eq!(known.is_some(), pos.in_play() <= 8);
        if let Some(gain) = known {
            let value = evaluated.settled + 100 * gain;
            assert_eq!((evaluated.bounds.lower, evaluated.bounds.upper), (value, value), "{}", board.text());
        }
    }
}

/// The folder of the databases is not part of a table's identity.
#[test]
fn the_identity_of_a_table_ignores_databases() {
    let (folder, _) = built(Rules { houses: 6, capture: Capture::Standard }, 7);
    let ((row, plain), (_, helped)) = (kalah(&[]), kalah(&[("KalahEndgames", folder.path().to_str().unwrap())]));
    let identity = |options| tables::identity(&*row.start(options).unwrap()).unwrap();
    assert_eq!(identity(&plain), identity(&helped));
}

#[test]
fn an_unusable_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (row, options) = kalah(&[]);
    let set = |value: &str| row.set(&mut options.clone(), "KalahEndgames", value).map_err(|error| error.to_string());
    assert_eq!((set(""), set("<empty>")), (Ok(()), Ok(())));
    for (value, words) in [
        ("/no/such/folder", "cannot read \"/no/such/folder\""),
        (folder.path().to_str().unwrap(), "holds no endgame database of kalah"),
    ] {
        let said = set(value).unwrap_err();
        assert!(said.contains(words), "{said}");
    }
    // A database of the other rule: the rule may still be chosen later.
    let rules = Rules { houses: 2, capture: Capture::Empty };
    build(folder.path(), rules, 3, 1, &StopFlag::new(), &|_| {}).unwrap();
    assert_eq!(set(folder.path().to_str().unwrap()), Ok(()));
    let path = folder.path().join(rules.file(2).name);
    fs::write(&path, "").unwrap();
    let (_, mut empty) = kalah(&[("Capture", "empty")]);
    empty.set("KalahEndgames", folder.path().to_str().unwrap()).unwrap();
    let said = row.start(&empty).err().unwrap().to_string();
    assert!(said.contains("kalah-2-empty-2.sde\" is not an endgame database"), "{said}");
}

/// Measures the cost of a probe per layer; not a test of time.
#[test]
#[ignore = "a measurement: cargo test --release --test suite endgame:: -- --ignored --nocapture cost_of_a_probe"]
#[allow(clippy::print_stdout, reason = "a measurement")]
fn cost_of_a_probe() {
    let rules = Rules { houses: 6, capture: Capture::Empty };
    let (_folder, endgame) = built(rules, 20);
    let mut random = Random(1);
    for seeds in [8, 12, 15, 16, 18, 20] {
        let mut positions = Vec::new();
        for _ in 0..1 << 20 {
            let mut words = [0_u64; 2];
            (0..seeds).for_each(|_| words[random.below(2)] += 1 << (8 * random.below(6)));
            positions.push(words);
        }
        let mut sum = 0;
        let mut time = |positions: &[[u64; 2]], rounds: usize| {
            let start = std::time::Instant::now();
            for _ in 0..rounds {
                for &[own, opposing] in positions {
                    // Each probe waits for the one before, as in a search.
                    let wait = u64::from(sum == i32::MAX);
                    sum += endgame.probe(own | wait, opposing, seeds).unwrap();
                }
            }
            start.elapsed().as_secs_f64() * 1e9 / (rounds * positions.len()) as f64
        };
        let (far, near) = (time(&positions, 1), time(&positions[..1 << 8], 1 << 10));
        println!("{seeds} seeds: {far:.1} ns anywhere, {near:.1} ns in the cache");
    }
}
