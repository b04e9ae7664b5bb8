//! The procedures of the literature against minimax, on synthetic trees and on random games; and the laws that their papers
//! prove.
#![allow(clippy::unwrap_used, reason = "all of it is tests")]

mod common;

use common::Random;
use common::tree::{Shape, Tree as Game};
use secateur::core::score::{INFINITE, Score};
use secateur::core::{Position, Side};
use secateur::search::reference::aspiration::aspiration;
use secateur::search::reference::greedy::greedy;
use secateur::search::reference::memory::{self, Memory};
use secateur::search::reference::mtd::{dual, mtd, sss};
use secateur::search::reference::proof_number::can_get;
use secateur::search::reference::scout::negascout;
use secateur::search::reference::stack::{self, TooDeep};
use secateur::search::reference::tree::{Counts, Horizon, Tree, Walk};
use secateur::search::reference::uniform::Uniform;
use secateur::search::reference::{fail_soft, knuth_moore};

/// More than any of these trees has.
const LARGE: usize = 1 << 16;

/// What a procedure finds at the root, and what it did.
fn walked<T: Tree, R>(tree: &T, procedure: impl FnOnce(&mut Walk<T>, &T::Node) -> R) -> (R, Counts) {
    let mut walk = Walk::new(tree);
    let found = procedure(&mut walk, &tree.root());
    (found, walk.counts)
}

fn trees() -> impl Iterator<Item = Uniform> {
    let shapes = [(1, 5), (2, 0), (2, 7), (3, 4), (4, 5), (7, 3)];
    let rest = [(0.0, 0.0), (0.5, 0.3), (1.0, 0.0), (0.9, 0.9)];
    shapes.into_iter().flat_map(move |(width, depth)| {
        let trees = rest
            .into_iter()
            .flat_map(move |(order, same)| (0..10).map(move |seed| Uniform { width, depth, seed, order, same }));
        trees.collect::<Vec<_>>()
    })
}

/// Every procedure finds the value of the root.
fn all_agree<T: Tree>(tree: &T, value: Score, random: &mut Random) {
    let first = tree.turn(&tree.root()) == Side::First;
    let of_first = walked(tree, |walk, p| knuth_moore::minimax(walk, p)).0;
    assert_eq!(of_first, if first { value } else { -value }, "minimax");
    let found = [
        ("F", walked(tree, knuth_moore::f).0),
        ("F1", walked(tree, |walk, p| knuth_moore::f1(walk, p, INFINITE)).0),
        ("F2", walked(tree, |walk, p| knuth_moore::f2(walk, p, -INFINITE, INFINITE)).0),
        ("G2", -walked(tree, |walk, p| knuth_moore::g2(walk, p, -INFINITE, INFINITE)).0),
        ("stack", walked(tree, |walk, p| stack::f2(walk, p, -INFINITE, INFINITE, 20)).0.unwrap()),
        ("fail-soft", walked(tree, |walk, p| fail_soft::alpha_beta(walk, p, -INFINITE, INFINITE)).0),
        ("NegaScout", walked(tree, |walk, p| negascout(walk, p, -INFINITE, INFINITE)).0),
    ];
    for (name, found) in found {
        assert_eq!(found, value, "{name}");
    }
    for (positions, killers, soft) in
        [(0, false, false), (0, true, true), (3, true, false), (LARGE, false, true), (LARGE, true, false)]
    {
        let mut memory = Memory::new(positions, killers, soft);
        let found = walked(tree, |walk, p| memory::alpha_beta(walk, &mut memory, p, 0, -INFINITE, INFINITE)).0;
        assert_eq!(found, value, "{positions} positions, killers {killers}, soft {soft}");
    }
    let guess = value + random.below(401) as Score - 200;
    let (found, searches) = walked(tree, |walk, p| aspiration(walk, p, guess, 100)).0;
    assert_eq!((found, searches), (value, if (guess - value).abs() < 100 { 1 } else { 2 }), "aspiration");
    for positions in [16, LARGE] {
        let memory = || Memory::new(positions, false, true);
        assert_eq!(walked(tree, |walk, p| mtd(walk, &mut memory(), p, guess)).0.0, value, "MTD(f)");
        assert_eq!(walked(tree, |walk, p| sss(walk, &mut memory(), p)).0.0, value, "SSS*");
        assert_eq!(walked(tree, |walk, p| dual(walk, &mut memory(), p)).0.0, value, "DUAL*");
    }
    for (least, can) in [(value - 50, true), (value, true), (value + 1, false), (value + 50, false)] {
        assert_eq!(walked(tree, |walk, p| can_get(walk, p, least, 10_000_000)).0, Some(can), "df-pn");
    }
}

#[test]
fn all_agree_on_synthetic_trees() {
    let mut random = Random(1);
    for tree in trees() {
        all_agree(&tree, Uniform::known(&tree.root()), &mut random);
    }
}

#[test]
fn all_agree_on_random_games() {
    let mut random = Random(2);
    for (number, shape) in Shape::all(None).chain(Shape::all(Some(4))).enumerate() {
        for game in 0..20 {
            let pos = Game::draw(Shape { bounds: 0, ..shape }, &mut Random((number * 100 + game) as u64));
            let depth = game as u8 % 8;
            let tree = Horizon { heuristics: pos.heuristics(), pos, depth };
            let value = walked(&tree, knuth_moore::f).0;
            all_agree(&tree, value, &mut random);
            if depth == 7 && shape.width.is_none() {
                assert_eq!(value, tree.pos.value(), "to the end of the game");
            }
        }
    }
}

#[test]
fn windows_keep_their_contracts() {
    let mut random = Random(3);
    for tree in trees() {
        let value = Uniform::known(&tree.root());
        for _ in 0..5 {
            let alpha = value + random.below(601) as Score - 400;
            let beta = alpha + 1 + random.below(300) as Score;
            let (hard, counts) = walked(&tree, |walk, p| knuth_moore::f2(walk, p, alpha, beta));
            match value {
                _ if value <= alpha => assert!(hard <= alpha),
                _ if value >= beta => assert!(hard >= beta),
                _ => assert_eq!(hard, value),
            }
            // The mirror sees the same.
            let mirrored = walked(&tree, |walk, p| knuth_moore::g2(walk, p, -beta, -alpha));
            assert_eq!(mirrored, (-hard, counts));
            // So does the stack.
            let stacked = walked(&tree, |walk, p| stack::f2(walk, p, alpha, beta, 20));
            assert_eq!(stacked, (Ok(hard), counts));
            // Fail-soft: the same positions, and bounds outside of the window.
            let (soft, same) = walked(&tree, |walk, p| fail_soft::alpha_beta(walk, p, alpha, beta));
            assert_eq!((same.nodes, same.terminal), (counts.nodes, counts.terminal));
            assert!(if soft <= alpha {
                value <= soft
            } else {
                value >= soft.min(beta) && (soft >= beta || soft == value)
            });
            assert!(soft <= hard.max(alpha) || soft >= beta);
            let scouted = walked(&tree, |walk, p| negascout(walk, p, alpha, beta)).0;
            assert!(if scouted <= alpha { value <= scouted } else { value >= scouted });
        }
    }
}

#[test]
fn perfect_order_meets_the_least_positions() {
    for (width, depth) in [(1, 4), (2, 10), (3, 7), (5, 4), (6, 5), (30, 2)] {
        for seed in 0..20 {
            let tree = Uniform { width, depth, seed, order: 1.0, same: 0.0 };
            let (_, all) = walked(&tree, knuth_moore::f);
            assert_eq!(all.terminal, (width as u64).pow(depth.into()));
            let (_, shallow) = walked(&tree, |walk, p| knuth_moore::f1(walk, p, INFINITE));
            let (_, deep) = walked(&tree, |walk, p| knuth_moore::f2(walk, p, -INFINITE, INFINITE));
            assert_eq!(deep.terminal, tree.least(), "{tree:?}");
            // No deep cut-off is missed where the order is perfect (Knuth and Moore, section 4).
            assert!(shallow.terminal >= deep.terminal);
            // One position of type 1 at each inner depth.
            assert_eq!(deep.kinds.pv, u64::from(depth));
            assert_eq!(deep.nodes - deep.terminal, deep.kinds.pv + deep.kinds.cut + deep.kinds.all);
        }
    }
}

#[test]
fn deep_cutoffs_save_and_sss_dominates() {
    let (mut shallow, mut deep) = (0, 0);
    for seed in 0..100 {
        let tree = Uniform { width: 4, depth: 6, seed, order: 0.2, same: 0.0 };
        let (_, one) = walked(&tree, |walk, p| knuth_moore::f1(walk, p, INFINITE));
        let (_, two) = walked(&tree, |walk, p| knuth_moore::f2(walk, p, -INFINITE, INFINITE));
        assert!(two.terminal <= one.terminal);
        (shallow, deep) = (shallow + one.terminal, deep + two.terminal);
        // SSS* enters no terminal position that alpha-beta does not (Stockman 1979), given room for all that it met.
        let mut memory = Memory::new(LARGE * 4, false, true);
        let (_, best_first) = walked(&tree, |walk, p| sss(walk, &mut memory, p));
        assert!(best_first.terminal <= two.terminal, "seed {seed}: {best_first:?} {two:?}");
    }
    assert!(deep < shallow);
}

#[test]
fn a_stack_has_its_bound() {
    let tree = Uniform { width: 2, depth: 6, seed: 1, order: 0.0, same: 0.2 };
    assert_eq!(walked(&tree, |walk, p| stack::f2(walk, p, -INFINITE, INFINITE, 5)).0, Err(TooDeep(5)));
    assert_eq!(TooDeep(5).to_string(), "the tree is deeper than a stack of 5 positions");
    assert!(walked(&tree, |walk, p| stack::f2(walk, p, -INFINITE, INFINITE, 6)).0.is_ok());
}

#[test]
fn what_is_met_again_is_known() {
    // A graph: a table answers, killers and order alone do not.
    let pos = Game::draw(Shape { height: 9, width: Some(3), bounds: 0, ..Shape::TREE }, &mut Random(9));
    let tree = Horizon { heuristics: pos.heuristics(), pos, depth: 9 };
    let nodes = |positions, killers| {
        let mut memory = Memory::new(positions, killers, true);
        walked(&tree, |walk, p| memory::alpha_beta(walk, &mut memory, p, 0, -INFINITE, INFINITE)).1
    };
    assert_eq!(nodes(0, false).hits, 0);
    assert!(nodes(LARGE, false).hits > 0);
    assert!(nodes(LARGE, true).nodes < nodes(0, false).nodes);
}

#[test]
fn proof_numbers_give_up_in_time() {
    let tree = Uniform { width: 6, depth: 6, seed: 5, order: 0.0, same: 0.0 };
    let value = Uniform::known(&tree.root());
    let (found, counts) = walked(&tree, |walk, p| can_get(walk, p, value, 100));
    assert_eq!((found, counts.nodes), (None, 100));
}

#[test]
fn greed_looks_one_ply_ahead() {
    for seed in 0..50 {
        let pos = Game::draw(Shape { bounds: 0, ..Shape::TREE }, &mut Random(seed));
        let tree = Horizon { heuristics: pos.heuristics(), pos, depth: 1 };
        let Some((mv, value)) = greedy(&tree.heuristics, &tree.pos) else {
            assert!(tree.pos.is_over());
            continue;
        };
        assert_eq!(value, walked(&tree, knuth_moore::f).0);
        let mut moves = Vec::new();
        tree.pos.moves(&mut moves);
        assert!(moves.contains(&mv));
    }
}
