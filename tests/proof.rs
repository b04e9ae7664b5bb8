//! No proof is ever wrong: random small positions of every game, searched by random requests over one small table that
//! is never cleared, against brute force.

use crate::common::Random;
use crate::common::claims::{Case, Totals, check, legal, random_request};
use crate::common::kalah::{Known, RULES, gain, lay, random_board};
use crate::common::tree::{Shape, Tree};
use secateurs::core::score::{self, Score, UNIT};
use secateurs::core::{Heuristics, Position, Side, Ties};
use secateurs::games::connect4::{Connect4Heuristics, Free, Grid, Size};
use secateurs::games::kalah::{KalahHeuristics, Layout, Packed, Wide};
use secateurs::games::nim::{Heaps, NimHeuristics};
use secateurs::search::Table;
use secateurs::search::oracle::minimax;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;

/// Draws a position and checks a search of it.
type Draw<'a> = Box<dyn FnMut(&Bench, &mut Random, &mut Totals) + 'a>;

/// Returns every game by name, with its draw function.
fn games() -> Vec<(&'static str, Draw<'static>)> {
    vec![
        ("kalah", kalah()),
        ("nim", nim()),
        ("connect4", connect4()),
        ("trees", Box::new(trees)),
        ("graphs", Box::new(graphs)),
    ]
}

/// The tables of the searches: none, and one for all of them.
struct Bench {
    tables: [Arc<Table>; 2],
}

impl Bench {
    fn new() -> Self {
        Self { tables: [Arc::new(Table::none()), Arc::new(Table::new(1).unwrap())] }
    }

    /// Searches by a random request. A search that picks one of the best moves at random is repeated and must pick the
    /// same.
    fn search<P, H>(&self, case: &Case<'_, P>, oracle: &H, random: &mut Random, totals: &mut Totals)
    where
        P: Position,
        H: Heuristics<P>,
    {
        let mut request = random_request(case.root, random);
        let with_table = random.chance(80);
        let returned = check(case, oracle, &self.tables[usize::from(with_table)], &request, totals);
        let last = &returned[0];
        if matches!(request.ties, Ties::Random(_)) && request.limits.depth == Some(255) {
            assert!(last.best().is_none_or(|best| last.ties.contains(best)), "{}: {last:?}", case.name);
            request.threads = 1 + random.below(2);
            let again = check(case, oracle, random.pick(&self.tables), &request, totals);
            assert_eq!(again[0].best(), last.best(), "{}: {request:?}: {last:?}", case.name);
        }
    }
}

/// Boards of one to four houses a side, on either layout, by either rule, with many seeds on the smallest ones.
fn kalah() -> Draw<'static> {
    let known = RefCell::new(Known::new());
    Box::new(move |bench, random, totals| {
        let houses = 1 + random.below(4);
        let contents = random_board(*random.pick(&RULES), houses, [60, 24, 18, 15][houses - 1], random);
        let truth = |pos: &Wide| (pos.store_lead() + gain(pos, &mut known.borrow_mut())) * UNIT;
        let (oracle, name) = (KalahHeuristics::default(), format!("{contents:?}"));
        if random.chance(2) && contents.houses.iter().flatten().sum::<u16>() < 8 {
            let pos = lay(&contents);
            assert_eq!(minimax(&oracle, &pos, 255), truth(&pos), "{name}");
        }
        if random.chance(50) {
            let (root, truth) = (lay(&contents), |pos: &Packed| truth(&lay(&pos.contents())));
            bench.search(&Case { name, root: &root, truth: &truth }, &oracle, random, totals);
        } else {
            bench.search(&Case { name, root: &lay(&contents), truth: &truth }, &oracle, random, totals);
        }
    })
}

/// Returns the value of a position with alternating turns, by plain recursion.
fn value<P: Position + Debug>(pos: &P, known: &mut HashMap<String, Score>) -> Score {
    let name = format!("{pos:?}");
    let found = known.get(&name).copied();
    found.unwrap_or_else(|| {
        let moves = legal(pos).into_iter();
        let best = moves.map(|mv| -score::from_node(value(&pos.after(mv), known), 1)).max();
        let best = best.unwrap_or_else(|| pos.outcome().score());
        known.insert(name, best);
        best
    })
}

/// Up to four heaps with up to nine objects, normal and misère, with the theory and without.
fn nim() -> Draw<'static> {
    let known = RefCell::new(HashMap::new());
    Box::new(move |bench, random, totals| {
        let mut left = 9;
        let mut heap = |random: &mut Random| {
            let objects = random.below(left + 1);
            left -= objects;
            objects as u8
        };
        let heaps: Vec<_> = (0..random.below(5)).map(|_| heap(random)).collect();
        let turn = *random.pick(&[Side::First, Side::Second]);
        let pos = Heaps::new(&heaps, turn, random.chance(50), *random.pick(&[1, 2, 3, 4, 255]));
        let oracle = NimHeuristics { theory: random.chance(50) };
        let truth = |pos: &Heaps| value(pos, &mut known.borrow_mut());
        if random.chance(2) && pos.objects() < 8 {
            assert_eq!(minimax(&NimHeuristics { theory: false }, &pos, 255), truth(&pos), "{pos:?}");
        }
        bench.search(&Case { name: format!("{pos:?} {oracle:?}"), root: &pos, truth: &truth }, &oracle, random, totals);
    })
}

/// Four by four squares, some of them taken.
fn connect4() -> Draw<'static> {
    let known = RefCell::new(HashMap::new());
    Box::new(move |bench, random, totals| {
        let mut root = Grid::empty(Free::new(4, 4).unwrap());
        for _ in 0..random.below(16) {
            let next = root.after(*random.pick(&legal(&root)));
            if next.is_over() {
                break;
            }
            root = next;
        }
        let truth = |pos: &Grid<Free>| value(pos, &mut known.borrow_mut());
        let name = format!("{root:?}");
        bench.search(&Case { name, root: &root, truth: &truth }, &Connect4Heuristics, random, totals);
    })
}

fn trees(bench: &Bench, random: &mut Random, totals: &mut Totals) {
    drawn(None, 3 + random.below(4), bench, random, totals);
}

/// Graphs in which lines of different lengths meet.
fn graphs(bench: &Bench, random: &mut Random, totals: &mut Totals) {
    drawn(Some(2 + random.below(11)), 3 + random.below(6), bench, random, totals);
}

fn drawn(width: Option<usize>, height: usize, bench: &Bench, random: &mut Random, totals: &mut Totals) {
    let shapes: Vec<_> = Shape::all(width)
        .flat_map(|shape| [false, true].map(|selective| Shape { height, selective, ..shape }))
        .collect();
    let (shape, seed) = (*random.pick(&shapes), random.next());
    let root = Tree::draw(shape, &mut Random(seed));
    let name = format!("{shape:?} game {seed}");
    if random.chance(10) && height < 7 {
        assert_eq!(minimax(&root.heuristics(), &root, 255), root.value(), "{name}");
    }
    bench.search(&Case { name, root: &root, truth: &|pos| pos.value() }, &root.heuristics(), random, totals);
}

/// Checks `positions` positions of a game, drawn from a seed.
fn no_proof_is_wrong(name: &str, positions: usize, seed: u64) {
    let mut games = games();
    let (_, draw) = games.iter_mut().find(|(game, _)| *game == name).unwrap();
    let (bench, mut random, mut totals) = (Bench::new(), Random(seed), Totals::default());
    for _ in 0..positions {
        draw(&bench, &mut random, &mut totals);
    }
    println!("{name}: {totals:?}");
    let Totals { lower, upper, exact, ends, ties, promises, .. } = totals;
    assert!([lower, upper, ties].iter().all(|&count| count > positions / 20), "{name}: {totals:?}");
    assert!(exact > positions && ends > positions / 2 && promises > 0, "{name}: {totals:?}");
}

#[test]
fn no_proof_is_wrong_in_kalah() {
    no_proof_is_wrong("kalah", 3_000, 1);
}

#[test]
fn no_proof_is_wrong_in_nim() {
    no_proof_is_wrong("nim", 3_000, 1);
}

#[test]
fn no_proof_is_wrong_in_connect_four() {
    no_proof_is_wrong("connect4", 3_000, 1);
}

#[test]
fn no_proof_is_wrong_on_trees() {
    no_proof_is_wrong("trees", 3_000, 1);
}

#[test]
fn no_proof_is_wrong_on_graphs() {
    no_proof_is_wrong("graphs", 3_000, 1);
}

/// Takes the number of positions of each game from `PROOF_POSITIONS` and the seed from `PROOF_SEED`.
#[test]
#[ignore = "takes minutes: cargo test --release --test suite proof:: -- --ignored --nocapture"]
fn no_proof_is_wrong_on_many_positions() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    for (game, _) in games() {
        no_proof_is_wrong(game, number("PROOF_POSITIONS", 100_000) as usize, number("PROOF_SEED", 2));
    }
}
