//! Endgame databases by retrograde analysis: the contract of the games that have them, every value against a slow
//! program, published counts, interrupted builds, damaged files, and their use by a search.

mod slow;

use secateurs::core::databases::{Build, BuildPlan};
use secateurs::core::position::legal_moves;
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{Bounds, Error, Game, Limits, Notation, Position, Proof, Request, Side, StopFlag, score};
use secateurs::endgame::table::{Counts, TableKind};
use secateurs::endgame::{self, Class, ClassTable, Material, Retrograde, Tables, Value};
use secateurs::games::draughts::{Brazilian, Draughts, Draughtsboard, English, International, Variant};
use secateurs::registry;
use secateurs::search::Table;
use secateurs::util::random::Random;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

const fn plan(size: usize) -> BuildPlan {
    BuildPlan { size, distances: true }
}

fn database<V: Variant>() -> Retrograde<Draughtsboard<V>> {
    Retrograde::default()
}

fn build<V: Variant>(
    folder: &Path,
    plan: BuildPlan,
    threads: usize,
    stop: &StopFlag,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    endgame::build(&database::<V>(), plan, &Build { folder, threads, stop, progress })
}

fn verify<V: Variant>(tables: &Tables<ClassTable>, class: Class, samples: u64) -> Result<u64, Error> {
    endgame::verify(&database::<V>(), tables, class.0.into(), samples, 1, &StopFlag::new())
}

fn table(tables: &Tables<ClassTable>, class: Class) -> &ClassTable {
    tables.get(class.0.into()).unwrap()
}

/// Builds the databases of a rule set up to a number of pieces.
fn built<V: Variant>(plan: BuildPlan) -> (TempDir, Tables<ClassTable>) {
    let folder = tempfile::tempdir().unwrap();
    let progress = AtomicU64::new(0);
    let count = |positions| {
        progress.fetch_add(positions, Ordering::Relaxed);
    };
    assert_eq!(build::<V>(folder.path(), plan, 2, &StopFlag::new(), &count), Ok(true));
    let all = classes::<V>(plan.size).into_iter().map(Draughtsboard::<V>::positions).sum::<u64>();
    assert_eq!(progress.into_inner(), all);
    let tables = Tables::open(&database::<V>(), folder.path()).unwrap();
    (folder, tables)
}

fn classes<V: Variant>(size: usize) -> Vec<Class> {
    (2..=size).flat_map(Draughtsboard::<V>::classes).collect()
}

/// Returns the number that identifies a position, and that of the same position with colours exchanged.
fn place<P: Material>(pos: &P) -> (Class, usize) {
    (pos.class(), pos.index(pos.class()))
}

/// Every class has as many positions as it says, each with an index of its own. Moves within the material lead to the
/// reverse, others to earlier classes, and predecessors are the moves taken back.
fn the_contract_holds<V: Variant>(size: usize) {
    let classes = classes::<V>(size);
    let rank: HashMap<Class, usize> = classes.iter().enumerate().map(|(rank, &class)| (class, rank)).collect();
    for &class in &classes {
        let reverse = Draughtsboard::<V>::reversed(class);
        assert_eq!(Draughtsboard::<V>::reversed(reverse), class);
        let (mut count, mut led, mut back) = (0, Vec::new(), Vec::new());
        for index in 0..Draughtsboard::<V>::indices(class) {
            let Some(pos) = Draughtsboard::<V>::at(class, index) else { continue };
            count += 1;
            assert_eq!((place(&pos), pos.turn()), ((class, index), Side::First));
            for mv in legal_moves(&pos) {
                let after = pos.after(mv);
                if after.class() == reverse {
                    led.push((index, after.index(reverse)));
                } else if after.piece_count() > 1 && !after.is_over() {
                    assert!(rank[&after.class()] < rank[&class].min(rank[&reverse]));
                }
            }
            let mut before = Vec::new();
            pos.predecessors(&mut before);
            back.extend(before.into_iter().map(|before| {
                assert_eq!((before.class(), before.turn()), (reverse, Side::Second));
                (before.index(reverse), index)
            }));
        }
        assert_eq!(count, Draughtsboard::<V>::positions(class), "{}", Draughtsboard::<V>::name(class));
        // The moves of the reverse, in a second sweep, are what the predecessors take back.
        let mut reversed = Vec::new();
        for index in 0..Draughtsboard::<V>::indices(reverse) {
            let Some(pos) = Draughtsboard::<V>::at(reverse, index) else { continue };
            let after = legal_moves(&pos).into_iter().map(|mv| pos.after(mv));
            reversed.extend(after.filter(|after| after.class() == class).map(|after| (index, after.index(class))));
        }
        back.sort_unstable();
        reversed.sort_unstable();
        assert_eq!(back, reversed, "{}", Draughtsboard::<V>::name(class));
        led.sort_unstable();
        assert!(led.windows(2).all(|pair| pair[0] != pair[1]), "two moves lead to one position");
    }
}

#[test]
fn the_contract_of_material_holds() {
    the_contract_holds::<English>(3);
    the_contract_holds::<Brazilian>(2);
    the_contract_holds::<International>(2);
}

#[test]
fn every_value_equals_that_of_a_slow_program() {
    let (_folder, tables) = built::<English>(plan(3));
    assert_eq!(slow::compare::<English>(&tables, 3), 2 * (3_488 + 196_032));
    let (_folder, tables) = built::<Brazilian>(plan(3));
    slow::compare::<Brazilian>(&tables, 3);
    let (_folder, tables) = built::<International>(plan(2));
    slow::compare::<International>(&tables, 2);
}

/// Returns the sums over all classes.
fn sums<V: Variant>(tables: &Tables<ClassTable>, size: usize) -> Counts {
    let mut sums = Counts::default();
    for class in classes::<V>(size) {
        let counts = table(tables, class).counts();
        sums.outcomes.iter_mut().zip(counts.outcomes).for_each(|(sum, count)| *sum += count);
        sums.longest = sums.longest.max(counts.longest);
    }
    sums
}

/// Returns the counts of a class by its name.
fn counts<V: Variant>(tables: &Tables<ClassTable>, name: &str) -> Counts {
    let class = classes::<V>(4).into_iter().find(|&class| Draughtsboard::<V>::name(class) == name).unwrap();
    table(tables, class).counts()
}

/// English draughts: king against king by Trice (damforum.nl, 2008: won 230, drawn 654, lost 108, 11 plies at most);
/// all positions of two to four pieces by Pixel4youcorp/checkers-endgame-tablebase (README.md). International draughts:
/// king against king, and king and man against king and man, by gwiesenekker/GWDEGTB (test_generator.c, README.md).
#[test]
fn counts_agree_with_published_ones() {
    let (_folder, tables) = built::<English>(plan(4));
    assert_eq!(counts::<English>(&tables, "1k-1k"), Counts { outcomes: [230, 654, 108], longest: 11 });
    assert_eq!(sums::<English>(&tables, 4), Counts { outcomes: [2_675_270, 1_728_769, 2_004_797], longest: 109 });
    let (_folder, tables) = built::<International>(plan(3));
    assert_eq!(counts::<International>(&tables, "1k-1k"), Counts { outcomes: [424, 2_024, 2], longest: 3 });
}

#[test]
#[ignore = "takes a minute: cargo test --release --test suite retrograde:: -- --ignored"]
fn counts_of_larger_classes_agree_with_published_ones() {
    let (_folder, tables) = built::<International>(plan(4));
    let expected = Counts { outcomes: [882_645, 3_568_953, 26_562], longest: 19 };
    assert_eq!(counts::<International>(&tables, "1m1k-1m1k"), expected);
}

/// Returns the database files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "sde"));
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap())).collect()
}

#[test]
fn threads_and_interruptions_leave_the_same_files() {
    let (whole, _) = built::<English>(plan(3));
    for threads in [1, 3] {
        let folder = tempfile::tempdir().unwrap();
        let mut rounds = 0;
        let build = |stop: &StopFlag, limit: u64| {
            let built = AtomicU64::new(0);
            build::<English>(folder.path(), plan(3), threads, stop, &|positions| {
                if built.fetch_add(positions, Ordering::Relaxed) >= limit {
                    stop.raise();
                }
            })
        };
        while !build(&StopFlag::new(), 500 << rounds).unwrap() {
            // A file that a killed process leaves.
            fs::write(folder.path().join(".secateurs-abc.part"), "half a table").unwrap();
            rounds += 1;
        }
        assert!(rounds > 3, "{rounds}");
        // A build that was stopped between the two files of a class begins with the class again.
        fs::remove_file(folder.path().join("checkers-1k-1m-distances.sde")).unwrap();
        assert_eq!(build(&StopFlag::new(), u64::MAX), Ok(true));
        assert!(!folder.path().join(".secateurs-abc.part").exists());
        assert_eq!(files(folder.path()), files(whole.path()), "{threads} threads");
    }
}

#[test]
fn outcomes_alone_are_those_with_distances() {
    let (whole, with) = built::<Brazilian>(plan(3));
    let (folder, without) = built::<Brazilian>(BuildPlan { size: 3, distances: false });
    for class in classes::<Brazilian>(3) {
        let [one, other] = [&with, &without].map(|tables| table(tables, class));
        assert_eq!((one.counts().outcomes, other.counts().longest), (other.counts().outcomes, 0));
        for index in 0..Draughtsboard::<Brazilian>::indices(class) {
            assert_eq!(one.outcome(index), other.outcome(index));
            assert_eq!(one.value(index).outcome(), one.outcome(index));
        }
        assert_eq!(verify::<Brazilian>(&without, class, 300), Ok(300));
        assert_eq!(verify::<Brazilian>(&with, class, 300), Ok(300));
    }
    let outcomes = |files: BTreeMap<String, Vec<u8>>| {
        files.into_iter().filter(|(name, _)| !name.contains("distances")).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(outcomes(files(whole.path())), files(folder.path()));
    // Distances can be added later.
    build::<Brazilian>(folder.path(), plan(3), 1, &StopFlag::new(), &|_| {}).unwrap();
    assert_eq!(files(whole.path()), files(folder.path()));
}

#[test]
fn files_that_cannot_be_used_are_refused_by_name() {
    let (folder, _) = built::<English>(plan(2));
    let open = || Tables::open(&database::<English>(), folder.path()).map(drop);
    for name in ["checkers-1k-1k.sde", "checkers-1m-1k-distances.sde"] {
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        for bit in (0..whole.len() * 8).step_by(997) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, bytes).unwrap();
            let error = open().unwrap_err();
            assert!(matches!(error, Error::BadFile(..)) && error.to_string().contains(name), "{error}");
        }
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        assert!(open().is_err());
        fs::write(&path, &whole).unwrap();
        open().unwrap();
    }
    let other = folder.path().join("checkers-1k-1k.sde");
    let whole = fs::read(&other).unwrap();
    fs::copy(folder.path().join("checkers-1m-1k.sde"), &other).unwrap();
    let error = open().unwrap_err().to_string();
    assert!(error.contains("holds \"checkers outcomes 1m-1k\", not \"checkers outcomes 1k-1k\""), "{error}");
    fs::write(&other, whole).unwrap();
    // A table is wrong in a byte, with a right checksum; and one that others lead to is missing.
    let databases = registry::find("checkers").unwrap().databases.unwrap();
    let verified = || databases.verify(folder.path(), 10_000, 1, &StopFlag::new(), &|_| {});
    assert_eq!(verified(), Ok(40_000));
    let class = classes::<English>(2)[0];
    let mut levels: Vec<u8> = vec![0; Draughtsboard::<English>::indices(class)];
    levels[0] = 4;
    let counts = Counts::from_levels(levels.iter().copied(), true);
    TableKind::Distances.save::<Draughtsboard<English>>(folder.path(), class, counts, &levels).unwrap();
    let wrong = verified().unwrap_err().to_string();
    assert!(wrong.contains("1k-1k-distances.sde\" is wrong: ") && wrong.contains(", not drawn"), "{wrong}");
    fs::remove_file(&other).unwrap();
    assert!(verified().unwrap_err().to_string().contains("has no table of 1k-1k"));
    let none = Tables::open(&database::<Brazilian>(), folder.path()).map(drop).unwrap_err().to_string();
    assert!(none.contains("holds no endgame database of brazilian"), "{none}");
    for size in [0, 1, 8] {
        let refused = build::<English>(folder.path(), plan(size), 1, &StopFlag::new(), &|_| {});
        assert!(refused.unwrap_err().to_string().contains("have 2 to 7 pieces"));
    }
}

/// Returns the published problems of up to four pieces: position, and the sign of the result for the side to move.
fn problems() -> Vec<(String, i32)> {
    let game = Draughts::<English>::new(&registry::find("checkers").unwrap().defaults()).unwrap();
    let rows = include_str!("../data/checkers_problems.tsv").lines().skip(1).map(|line| {
        let [_, text, result] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        (text.to_owned(), ["loss", "draw", "win"].iter().position(|&known| known == result).unwrap() as i32 - 1)
    });
    rows.filter(|(text, _)| game.parse(text).unwrap().piece_count() <= 4).collect()
}

#[test]
fn a_search_knows_what_the_databases_know() {
    let (folder, _) = built::<English>(plan(4));
    let row = registry::find("checkers").unwrap();
    let mut options = row.defaults();
    options.set("CheckersEndgames", folder.path().to_str().unwrap()).unwrap();
    options.set("DrawMoves", "1000").unwrap();
    let problems = problems();
    assert!(problems.len() > 5);
    for (text, expected) in &problems {
        let board = row.parse(&options, text).unwrap();
        let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
        let lines = engine.search(&Request::depth(3), &StopFlag::new(), &mut |_| {});
        assert_eq!((lines[0].score.signum(), lines[0].proof), (*expected, Proof::EXACT), "{text}");
        let game = Draughts::<English>::new(&options).unwrap();
        let pos = game.parse(text).unwrap();
        let Some(value) = Tables::open(&database::<English>(), folder.path()).unwrap().value(&pos) else {
            panic!("{text}")
        };
        if let Value::Distance(plies) = value {
            assert_eq!(score::distance(lines[0].score).map(i32::abs), Some(plies.into()), "{text}");
        }
    }
    // The longest win takes longer than the clock of the default rules: it is no proof there, but still a win.
    options.set("DrawMoves", "40").unwrap();
    let board = row.parse(&options, "W:W13,25:B3,4").unwrap();
    let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
    let lines = engine.search(&Request::depth(3), &StopFlag::new(), &mut |_| {});
    assert!(lines[0].score > 10_000 && !lines[0].proof.exact(), "{:?}", lines[0]);

    // Exact search regards the clock, the positions of the game, and that it is over.
    let solved = |text: &str, moves: &str| {
        let mut board = row.parse(&options, text).unwrap();
        moves.split_whitespace().for_each(|mv| board.play(mv).unwrap());
        let request = SolveRequest {
            limits: Limits { nodes: Some(1_000), ..Limits::default() },
            moves: Valued::All,
            ..SolveRequest::default()
        };
        board.engine(Arc::new(Table::new(1).unwrap())).solve(&request, &StopFlag::new(), &mut |_| {})
    };
    let win = solved("W:WK14,K31:BK19", "");
    assert!(win.bounds.is_exact() && win.bounds.lower > 0, "{win:?}");
    for (text, moves) in [
        ("W:W13,25:B3,4", ""),
        ("W:WK14,K31:BK19:H78", ""),
        ("W:WK14,K31:BK19:H79", ""),
        ("W:WK14,K31:BK19", "14-17 19-15 17-14 15-19 14-17 19-15"),
    ] {
        let found = solved(text, moves);
        assert!(!found.bounds.is_exact() && found.bounds.lower <= 0, "{text} {moves}: {found:?}");
    }
    let over = solved("W:WK14,K31:BK19", "14-17 19-15 17-14 15-19 14-17 19-15 17-14 15-19");
    assert!(over.bounds == Bounds::exactly(0) && over.moves.is_empty() && over.pv.is_empty(), "{over:?}");
}

/// With flying kings a lone king starts a clock of five moves. A win that takes longer may be drawn by it, although the
/// present clock leaves enough.
#[test]
fn a_win_across_a_shorter_clock_is_no_proof() {
    let (folder, tables) = built::<Brazilian>(plan(3));
    let row = registry::find("brazilian").unwrap();
    let mut options = row.defaults();
    options.set("BrazilianEndgames", folder.path().to_str().unwrap()).unwrap();
    let game = Draughts::<Brazilian>::new(&options).unwrap();
    let mut random = Random(5);
    let [mut long, mut short] = [0; 2];
    for class in classes::<Brazilian>(3) {
        for _ in 0..100 {
            let index = random.below(Draughtsboard::<Brazilian>::indices(class));
            let Some(pos) = Draughtsboard::<Brazilian>::at(class, index) else { continue };
            let pos = game.parse(&game.write(&pos)).unwrap();
            let (Some(Value::Distance(plies)), Some(clock)) = (tables.value(&pos), pos.clock()) else { continue };
            let (plies, least) = (i32::from(plies), i32::from(pos.least_limit().unwrap()));
            if plies % 2 == 0 || plies > clock.left() {
                continue;
            }
            let board = row.parse(&options, &game.write(&pos)).unwrap();
            let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
            let found = engine.search(&Request::depth(1), &StopFlag::new(), &mut |_| {}).remove(0);
            let is_proven_win = found.score > 0 && found.proof.lower() && score::is_decisive(found.score);
            if plies <= least {
                assert!(is_proven_win, "{}: {plies} {found:?}", game.write(&pos));
                short += 1;
            } else if plies > least + 1 {
                assert!(!is_proven_win, "{}: {plies} {found:?}", game.write(&pos));
                long += 1;
            }
        }
    }
    assert!(short > 50 && long > 10, "{short} {long}");
}
