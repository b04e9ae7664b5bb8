//! Oware: perft, the rules in single positions, the rules against a plain implementation, the endgame databases against
//! two slow programs.

use crate::common::{Random, walk};
use secateurs::core::databases::{Build, BuildPlan, TableDetail};
use secateurs::core::position::legal_moves;
use secateurs::core::solution::SolveRequest;
use secateurs::core::{Error, Options, Outcome, Position, Proof, Request, Side, StopFlag};
use secateurs::endgame::build::needs;
use secateurs::endgame::{self, Database, Tables, verify};
use secateurs::games::oware::endgame::layer::Layer;
use secateurs::games::oware::endgame::{OwareDatabase, index};
use secateurs::games::oware::{Board, House, rules::HOUSES, text};
use secateurs::games::sowing::best;
use secateurs::registry::{self, GameRow};
use secateurs::search::Table;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn oware() -> &'static GameRow {
    registry::find("oware").unwrap()
}

fn board(text: &str) -> Box<dyn secateurs::engine::Board> {
    oware().parse(&oware().defaults(), text).unwrap()
}

/// Plays moves from a position and writes the resulting one.
fn after(from: &str, moves: &str) -> String {
    let mut pos = board(from);
    moves.split(' ').for_each(|mv| pos.play(mv).unwrap());
    pos.text()
}

/// To depth 5 the numbers are those of OpenSpiel's `oware`; beyond, those of this program.
#[test]
fn perft_has_the_known_numbers() {
    let start = oware().start(&oware().defaults()).unwrap();
    let counts: Vec<_> = (1..=8).map(|depth| start.perft(depth, &StopFlag::new()).unwrap()).collect();
    assert_eq!(counts, [6, 36, 190, 1014, 5219, 27_332, 139_157, 711_414]);
}

#[test]
fn twelve_seeds_skip_the_house_they_come_from() {
    assert_eq!(after("<6,0,0,12,0,0,0,0,0,0,0,0,0,0,0> s", "A"), "<6,0,0,0,2,1,1,1,1,1,1,1,1,1,1> n");
    assert_eq!(after("<6,0,0,23,0,0,0,0,0,0,0,0,0,0,0> s", "A"), "<6,0,0,0,3,2,2,2,2,2,2,2,2,2,2> n");
    // The last seed makes two in each of the first two houses, which are captured; North keeps others.
    assert_eq!(after("<6,0,0,0,0,0,0,0,14,0,0,0,0,0,0> s", "F"), "<6,6,0,1,1,1,1,1,0,0,0,0,1,1,1> n");
}

#[test]
fn captures_run_back_over_two_and_three() {
    let from = "<6,0,0,0,0,0,0,0,3,1,2,1,0,0,1> s";
    assert_eq!(after(from, "F"), "<6,7,0,0,0,0,0,0,0,0,0,0,0,0,1> n");
    // Four seeds end the chain.
    assert_eq!(after("<6,0,0,0,0,0,0,0,3,1,3,1,0,0,1> s", "F"), "<6,2,0,0,0,0,0,0,0,2,4,0,0,0,1> n");
    // One seed is no capture, and a chain ends with the opponent's row.
    assert_eq!(after("<6,0,0,0,0,0,0,1,1,0,1,1,0,0,0> s", "F"), "<6,0,0,0,0,0,0,1,0,1,1,1,0,0,0> n");
    assert_eq!(after("<6,0,0,0,0,0,0,2,2,1,4,0,0,0,0> s", "E"), "<6,2,0,0,0,0,0,0,3,0,4,0,0,0,0> n");
}

#[test]
fn a_grand_slam_captures_nothing() {
    assert_eq!(after("<6,0,0,0,0,0,0,1,3,1,2,1,0,0,0> s", "F"), "<6,0,0,0,0,0,0,1,0,2,3,2,0,0,0> n");
}

#[test]
fn an_opponent_without_seeds_is_given_some() {
    let pos = board("<6,20,20,1,0,0,3,1,2,0,0,0,0,0,0> s");
    assert_eq!(pos.moves(), ["D", "F"]);
    let error = pos.boxed().play("A").unwrap_err().to_string();
    assert!(error.contains("must be given some"), "{error}");
    // Without such a move each side keeps its seeds.
    let pos = board("<6,20,20,1,0,0,1,1,0,0,0,0,0,0,0> s");
    assert_eq!((pos.moves().len(), pos.outcome()), (0, Some(Outcome::Margin(3))));
    // The same holds if the side to move has none.
    let pos = board("<6,20,20,0,0,0,0,0,0,0,0,0,0,3,5> s");
    assert_eq!((pos.moves().len(), pos.outcome()), (0, Some(Outcome::Margin(-8))));
}

/// The first repetition ends the game, and each side keeps the seeds in its houses.
#[test]
fn a_repetition_ends_the_game() {
    let mut pos = board("<6,20,24,0,0,0,0,0,1,0,0,0,0,0,3> s");
    let start = pos.text();
    let mut random = Random(3);
    let last = (0..).find_map(|_| walk(&*pos, &mut random).pop().filter(|last| !last.moves().is_empty())).unwrap();
    let seen: Vec<_> = last.history();
    assert!(!seen.is_empty());
    let mut texts = vec![start];
    for mv in &seen {
        assert_eq!(pos.outcome(), None, "{texts:?}");
        pos.play(mv).unwrap();
        texts.push(pos.text());
    }
    let repeated = texts.pop().unwrap();
    assert_eq!(texts.iter().filter(|text| **text == repeated).count(), 1, "{texts:?}");
    let numbers: Vec<i16> = repeated[1..].split(['>', ',']).filter_map(|word| word.parse().ok()).collect();
    let sides: Vec<i16> = [&numbers[3..9], &numbers[9..15]].iter().map(|row| row.iter().sum()).collect();
    let lead = numbers[1] + sides[0] - numbers[2] - sides[1];
    assert_eq!(pos.outcome().map(|outcome| outcome.of_first(pos.turn())), Some(Outcome::Margin(lead)));
}

/// A board in arrays, as a player sees it: the houses around the board from South's first, and the captured seeds.
#[derive(Clone, Debug)]
struct Plain {
    houses: [u8; 2 * HOUSES],
    stores: [u8; 2],
    mover: usize,
}

impl Plain {
    fn of(pos: &Board) -> Self {
        let [south, north] = pos.houses();
        Self { houses: [south, north].concat().try_into().unwrap(), stores: pos.stores(), mover: pos.turn().index() }
    }

    /// Returns the seeds in the houses of a side.
    fn side(&self, side: usize) -> u8 {
        self.houses[HOUSES * side..HOUSES * (side + 1)].iter().sum()
    }

    fn moves(&self) -> Vec<u8> {
        let starving = self.side(1 - self.mover) == 0;
        let seeds = |house: u8| self.houses[HOUSES * self.mover + usize::from(house)];
        let feeds = |house: u8| !starving || seeds(house) >= HOUSES as u8 - house;
        (0..HOUSES as u8).filter(|&house| seeds(house) > 0 && feeds(house)).collect()
    }

    fn play(&mut self, house: u8) {
        let origin = HOUSES * self.mover + usize::from(house);
        let (mut hand, mut place) = (std::mem::take(&mut self.houses[origin]), origin);
        while hand > 0 {
            place = (place + 1) % (2 * HOUSES);
            if place != origin {
                self.houses[place] += 1;
                hand -= 1;
            }
        }
        let other = 1 - self.mover;
        let mut captured = vec![];
        while place / HOUSES == other && [2, 3].contains(&self.houses[place]) {
            captured.push(place);
            if place == 0 {
                break;
            }
            place -= 1;
        }
        let sum: u8 = captured.iter().map(|&place| self.houses[place]).sum();
        if sum < self.side(other) {
            captured.iter().for_each(|&place| self.houses[place] = 0);
            self.stores[self.mover] += sum;
        }
        self.mover = other;
    }
}

#[test]
fn words_play_like_arrays() {
    let mut random = Random(11);
    for seeds in [1, 2, 4, 4, 4, 8, 12] {
        for _ in 0..60 {
            let mut pos = Board::new([[seeds; HOUSES]; 2], [0; 2], Side::First);
            let mut plain = Plain::of(&pos);
            for _ in 0..200 {
                let moves = legal_moves(&pos);
                assert_eq!(moves, plain.moves().into_iter().map(House).collect::<Vec<_>>(), "{}", text::write(&pos));
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                let captured = pos.captured(mv);
                let before = plain.stores[plain.mover];
                plain.play(mv.0);
                pos = pos.after(mv);
                assert_eq!(captured, plain.stores[1 - plain.mover] - before);
                let found = Plain::of(&pos);
                assert_eq!((found.houses, found.stores, found.mover), (plain.houses, plain.stores, plain.mover));
            }
        }
    }
}

const fn plan(size: usize) -> BuildPlan {
    BuildPlan { size, distances: false }
}

fn build(folder: &Path, seeds: usize, threads: usize, stop: &StopFlag) -> Result<bool, Error> {
    endgame::build(&OwareDatabase, plan(seeds), &Build { folder, threads, stop, progress: &|_| {} })
}

fn built(seeds: usize) -> (TempDir, Tables<Layer>) {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(build(folder.path(), seeds, 2, &StopFlag::new()), Ok(true));
    let endgames = Tables::open(&OwareDatabase, folder.path()).unwrap();
    assert_eq!((endgames.size(), endgames.iter().count()), (seeds, seeds + 1));
    (folder, endgames)
}

/// The bounds and the values of every position, by sweeps over whole layers until nothing changes.
#[test]
fn the_databases_equal_value_iteration() {
    let most = 7;
    let (_folder, endgames) = built(most);
    let mut known: HashMap<[u64; 2], [i32; 3]> = HashMap::new();
    for seeds in 0..=most {
        let boards: Vec<_> = (0..index::count(seeds)).map(|rank| Board::of_words(index::words(seeds, rank))).collect();
        let all = seeds as i32;
        known.extend(boards.iter().map(|board| (board.words(), [-all, all, 0])));
        let sweep = |known: &HashMap<[u64; 2], [i32; 3]>| -> Vec<_> {
            let step = |board: &Board| {
                best(board, Board::store_lead, |after| known.get(&after.words()).copied().ok_or(())).unwrap()
            };
            boards.iter().map(|board| (board.words(), step(board))).collect()
        };
        // From the worst for both, bounds only improve.
        let mut found = sweep(&known);
        while found.iter().any(|(words, [lower, upper, _])| known[words][..2] != [*lower, *upper]) {
            known.extend(found);
            found = sweep(&known);
        }
        // Levels of margins: what is at least `level` for the side to move, and what is at most `-level`. Others count
        // 0.
        for board in &boards {
            known.entry(board.words()).and_modify(|[.., even]| *even = 0);
        }
        for level in (1..=all).rev() {
            loop {
                let found = sweep(&known);
                let news: Vec<_> = found
                    .into_iter()
                    .filter(|(words, [.., even])| known[words][2] == 0 && even.abs() >= level)
                    .map(|(words, [.., even])| (words, [known[&words][0], known[&words][1], even.signum() * level]))
                    .collect();
                if news.is_empty() {
                    break;
                }
                known.extend(news);
            }
        }
        for board in &boards {
            let bounds = endgames.probe(board.words(), seeds).unwrap();
            let even = endgames.even(board.words(), seeds).unwrap();
            assert_eq!([bounds[0], bounds[1], even], known[&board.words()], "{}", text::write(board));
            assert!((bounds[0]..=bounds[1]).contains(&even), "{}: {bounds:?} {even}", text::write(board));
        }
    }
    assert_eq!(endgames.probe([0; 2], most + 1), None);
}

/// Returns what the rest of the game adds to the lead, by plain minimax over lines of play, in which the first
/// repetition ends the game; `None` after too many nodes.
fn truth(pos: &Board, line: &mut Vec<u64>, nodes: &mut u64) -> Option<i32> {
    *nodes = nodes.checked_sub(1)?;
    let moves = legal_moves(pos);
    if moves.is_empty() || line.contains(&pos.key()) {
        let Outcome::Margin(margin) = pos.outcome() else { panic!() };
        return Some(i32::from(margin) - pos.store_lead());
    }
    line.push(pos.key());
    let mut best = i32::MIN;
    for mv in moves {
        let next = pos.after(mv);
        best = best.max(i32::from(pos.captured(mv)) - truth(&next, line, nodes)?);
    }
    line.pop();
    Some(best)
}

/// The bounds of the databases hold by the rules, repetitions included.
#[test]
fn the_bounds_hold_where_repetitions_count() {
    let (_folder, endgames) = built(4);
    let (mut checked, mut exact) = (0, 0);
    for seeds in 0..=4 {
        for rank in 0..index::count(seeds) {
            let pos = Board::of_words(index::words(seeds, rank));
            let Some(value) = truth(&pos, &mut Vec::new(), &mut 10_000) else { continue };
            let [lower, upper] = endgames.probe(pos.words(), seeds).unwrap();
            assert!((lower..=upper).contains(&value), "{}: {value} beside {lower} to {upper}", text::write(&pos));
            checked += 1;
            exact += u32::from(lower == upper);
        }
    }
    assert!(checked > 680 && exact > 600 && exact < checked, "{exact} of {checked}");
}

#[test]
fn layers_follow_from_each_other_and_are_verified() {
    let (folder, endgames) = built(9);
    for seeds in 0..=9 {
        assert_eq!(verify(&OwareDatabase, &endgames, seeds, 2_000, 5, &StopFlag::new()), Ok(2_000));
    }
    // A second build finds all layers, whatever the threads.
    let needs = needs(&OwareDatabase, folder.path(), plan(9));
    assert_eq!((needs.tables, needs.missing, needs.disk), (10, 0, 0));
    let other = tempfile::tempdir().unwrap();
    build(other.path(), 9, 1, &StopFlag::new()).unwrap();
    for seeds in 0..=9 {
        let name = OwareDatabase.file(seeds).name;
        assert_eq!(fs::read(folder.path().join(&name)).unwrap(), fs::read(other.path().join(&name)).unwrap());
    }
    // A damaged layer is refused by its name.
    let path = other.path().join(OwareDatabase.file(3).name);
    let mut bytes = fs::read(&path).unwrap();
    bytes[200] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = Tables::open(&OwareDatabase, other.path()).map(drop).unwrap_err().to_string();
    assert!(error.contains("oware-3.sde") && error.contains("is damaged"), "{error}");
}

/// With databases a search proves values that it otherwise cannot, and a raised flag leaves no layer.
#[test]
fn a_search_uses_the_databases() {
    let (folder, endgames) = built(8);
    let mut options = oware().defaults();
    options.set("OwareEndgames", folder.path().to_str().unwrap()).unwrap();
    let score = |options: &Options, text: &str| {
        let board = oware().parse(options, text).unwrap();
        let table = Arc::new(Table::new(1).unwrap());
        let mut lines = board.engine(table).search(&Request::depth(6), &StopFlag::new(), &mut |_| {});
        let report = lines.swap_remove(0);
        (report.score, report.proof, report.nodes)
    };
    let mut proven = 0;
    for rank in (0..index::count(8)).step_by(997) {
        let pos = Board::of_words(index::words(8, rank));
        let [lower, upper] = endgames.probe(pos.words(), 8).unwrap();
        if lower == upper && !pos.is_over() {
            let (value, proof, _) = score(&options, &text::write(&pos));
            assert_eq!((value, proof), (100 * lower, Proof::EXACT), "{}", text::write(&pos));
            proven += 1;
        }
    }
    assert!(proven > 20, "{proven}");
    let stop = StopFlag::new();
    stop.raise();
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(build(empty.path(), 3, 1, &stop), Ok(false));
}

/// Exact search takes nothing from the databases that a repetition of the game so far may change.
#[test]
fn exact_values_regard_the_game_so_far() {
    let (folder, _) = built(4);
    let mut options = oware().defaults();
    options.set("OwareEndgames", folder.path().to_str().unwrap()).unwrap();
    let (mut random, mut exact, mut refused, mut ended) = (Random(17), 0, 0, 0);
    for rank in 0..index::count(4) {
        let mut pos = Board::of_words(index::words(4, rank));
        let mut board = oware().parse(&options, &text::write(&pos)).unwrap();
        let mut line = Vec::new();
        for _ in 0..random.below(14) {
            let moves = legal_moves(&pos);
            if board.outcome().is_some() || moves.is_empty() {
                break;
            }
            let choice = random.below(moves.len());
            let mv = moves[choice];
            line.push(pos.key());
            // After a capture no position comes back.
            if pos.captured(mv) > 0 {
                line.clear();
            }
            board.play(&board.moves()[choice]).unwrap();
            pos = pos.after(mv);
        }
        let Some(rest) = truth(&pos, &mut line, &mut 20_000) else { continue };
        let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
        let found = engine.solve(&SolveRequest::default(), &StopFlag::new(), &mut |_| {});
        ended += u32::from(board.outcome().is_some() && !legal_moves(&pos).is_empty());
        if found.bounds.is_exact() {
            assert_eq!(found.bounds.lower, 100 * (rest + pos.store_lead()), "{} after {line:?}", text::write(&pos));
            exact += 1;
        } else {
            assert!(found.refused.is_some());
            refused += 1;
        }
    }
    assert!(exact > 400 && refused > 100 && ended > 0, "{exact} {refused} {ended}");
}

/// The interface of the command line: needs, build, table list, verification, refusals.
#[test]
fn the_command_line_builds_and_describes_databases() {
    let (setup, folder) = (registry::Setup::new(oware()), tempfile::tempdir().unwrap());
    let (databases, options) = (setup.databases().unwrap(), setup.options().clone());
    let plan = |size, distances| BuildPlan { size, distances };
    let needs = databases.needs(&options, folder.path(), plan(5, false)).unwrap();
    assert_eq!((needs.tables, needs.positions, needs.missing), (0, 6_188, 6_188));
    let build = Build { folder: folder.path(), threads: 1, stop: &StopFlag::new(), progress: &|_| {} };
    assert_eq!(databases.build(&options, plan(5, false), &build), Ok(true));
    let tables = databases.info(folder.path()).unwrap();
    let found: Vec<_> = tables.iter().map(|table| (table.size, table.positions, table.details.clone())).collect();
    let expected = [(0, 1, 0), (1, 12, 0), (2, 78, 13), (3, 364, 64), (4, 1_365, 371), (5, 4_368, 278)];
    assert_eq!(
        found,
        expected.map(|(size, positions, open)| (size, positions, vec![("open", TableDetail::Share(open))]))
    );
    assert_eq!(databases.verify(folder.path(), 100, 1, &StopFlag::new(), &|_| {}), Ok(600));
    for (size, distances, words) in [(29, false, "have 0 to 28 seeds, not 29"), (5, true, "there are no distances")] {
        let error = databases.needs(&options, folder.path(), plan(size, distances)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let empty = tempfile::tempdir().unwrap();
    let error = databases.info(empty.path()).unwrap_err().to_string();
    assert!(error.contains("holds no endgame database of oware"), "{error}");
}
