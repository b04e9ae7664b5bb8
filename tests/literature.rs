//! The procedures of the literature against minimax, on synthetic trees and random games, and theorems of their papers.

use crate::common::Random;
use crate::common::tree::{Place, Shape, Tree as Game};
use secateurs::core::score::{INFINITE, Score, from_node};
use secateurs::core::{Bound, NodeCounts};
use secateurs::engine::{Board, GameNode, MoveOrder};
use secateurs::literature::budget::{Budget, Spent};
use secateurs::literature::memory::{self, Memory};
use secateurs::literature::mtd::sss;
use secateurs::literature::plausibility::{CATEGORIES, Category, Plausibilities};
use secateurs::literature::procedure::{PROCEDURES, Procedure, Settings, run};
use secateurs::literature::scout::negascout;
use secateurs::literature::tree::{Node, Walk};
use secateurs::literature::uniform::Uniform;
use secateurs::literature::{fail_soft, knuth_moore, stack};
use secateurs::registry::GAMES;
use std::time::Instant;

/// More positions than any of these trees has.
const LARGE: usize = 1 << 16;

/// Returns the result of a procedure at the root, and its counts.
fn walked<R>(root: &Node, procedure: impl FnOnce(&mut Walk, &Node) -> R) -> (R, NodeCounts) {
    let mut walk = Walk::new(Budget::default());
    let found = procedure(&mut walk, root);
    (found, walk.counts)
}

/// Returns the tree below a position of a random game.
fn game_tree(pos: Place, depth: u8, order: MoveOrder) -> Node {
    GameNode::root(pos.heuristics(), pos, &[], depth, order)
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

/// Checks that every exact procedure finds the value of the root and a move of that value.
fn all_agree(root: &Node, random: &mut Random) {
    let value = walked(root, knuth_moore::f).0;
    let worth = |q: &Node| {
        let value = knuth_moore::f(&mut Walk::new(Budget::default()), q);
        if q.turn() == root.turn() { value } else { -value }
    };
    let moves = root.successors();
    let best: Vec<u16> = moves.iter().filter(|q| worth(q) == value).map(|q| q.code()).collect();
    let guess = value + random.below(401) as Score - 200;
    for row in PROCEDURES.iter().filter(|row| row.procedure.is_exact()) {
        // Tables for all positions and for a few, fail-soft and fail-hard.
        for (table, soft) in [(LARGE, true), (LARGE, false), (3, true)] {
            if table < LARGE && row.procedure == Procedure::DfPn {
                continue;
            }
            let settings = Settings { table, soft, guess, window: 100, ..Settings::default() };
            let found = run(root, row.procedure, &settings, Budget::default());
            let name = row.name;
            assert_eq!((found.value, found.bound), (Ok(value), Bound::Exact), "{name}, table {table}, soft {soft}");
            match found.best {
                Some(code) => assert!(best.contains(&code), "{name}: {code} of {best:?}"),
                None => assert!(moves.is_empty(), "{name}"),
            }
            if row.procedure == Procedure::Aspiration {
                assert_eq!(found.searches, if (guess - value).abs() < 100 { 1 } else { 2 }, "{guess} for {value}");
            }
        }
    }
    for (least, bound) in [(value - 50, Bound::Lower), (value, Bound::Lower), (value + 1, Bound::Upper)] {
        let settings = Settings { least: Some(least), ..Settings::default() };
        let found = run(root, Procedure::DfPn, &settings, Budget::default());
        let expected = if bound == Bound::Lower { least } else { least - 1 };
        assert_eq!((found.value, found.bound), (Ok(expected), bound), "df-pn, at least {least}");
    }
}

#[test]
fn all_agree_on_synthetic_trees() {
    let mut random = Random(1);
    for tree in trees() {
        assert_eq!(walked(&tree.root(), knuth_moore::f).0, tree.root().value());
        all_agree(&tree.root(), &mut random);
    }
}

#[test]
fn all_agree_on_random_games() {
    let mut random = Random(2);
    for (number, shape) in Shape::all(None).chain(Shape::all(Some(4))).enumerate() {
        for game in 0..20 {
            let pos = Game::draw(Shape { bounds: 0, ..shape }, &mut Random((number * 100 + game) as u64));
            let depth = game as u8 % 8;
            let order = if game % 3 == 0 { MoveOrder::Scored } else { MoveOrder::Generated };
            let tree = game_tree(pos.clone(), depth, order);
            all_agree(&tree, &mut random);
            if depth == 7 && shape.width.is_none() {
                assert_eq!(walked(&tree, knuth_moore::f).0, pos.value(), "to the end of the game");
            }
        }
    }
}

/// On positions of random games of every game; a child's value is one ply nearer to its ends.
#[test]
fn all_agree_on_every_game() {
    let mut random = Random(4);
    for game in GAMES {
        for plies in [0, 7, 20] {
            let mut board = game.start(&game.defaults()).unwrap();
            for _ in 0..plies {
                let moves = board.moves();
                if let [_, ..] = &moves[..] {
                    board.play(&moves[random.below(moves.len())]).unwrap();
                }
            }
            // Some of the procedures visit every position.
            let depth = if board.moves().len() <= 10 { 4 } else { 3 };
            let refer = |board: &dyn Board, procedure, depth, order| {
                run(&board.tree(depth, order), procedure, &Settings::default(), Budget::default())
            };
            let worth = |mv: &String| {
                let mut child = board.boxed();
                child.play(mv).unwrap();
                let value = refer(&*child, Procedure::Negamax, depth - 1, MoveOrder::Generated).value.unwrap();
                from_node(if child.turn() == board.turn() { value } else { -value }, 1)
            };
            let values: Vec<Score> = board.moves().iter().map(worth).collect();
            let codes = board.codes();
            let value = values.iter().max();
            for order in [MoveOrder::Generated, MoveOrder::Scored] {
                for row in PROCEDURES.iter().filter(|row| row.procedure.is_exact()) {
                    let found = refer(&*board, row.procedure, depth, order);
                    let place = format!("{} in {} of {}", row.name, board.text(), game.name);
                    let Some(value) = value else {
                        assert!(found.value.is_ok() && found.best.is_none(), "{place}");
                        continue;
                    };
                    assert_eq!(found.value, Ok(*value), "{place}");
                    let best = codes.iter().position(|&code| Some(code) == found.best).unwrap();
                    assert_eq!(values[best], *value, "{place}");
                }
            }
        }
    }
}

#[test]
fn windows_keep_their_contracts() {
    let mut random = Random(3);
    for tree in trees() {
        let value = tree.root().value();
        for _ in 0..5 {
            let alpha = value + random.below(601) as Score - 400;
            let beta = alpha + 1 + random.below(300) as Score;
            let (hard, counts) = walked(&tree.root(), |walk, p| knuth_moore::f2(walk, p, alpha, beta));
            match value {
                _ if value <= alpha => assert!(hard <= alpha),
                _ if value >= beta => assert!(hard >= beta),
                _ => assert_eq!(hard, value),
            }
            // The mirrored procedure finds the same.
            let mirrored = walked(&tree.root(), |walk, p| knuth_moore::g2(walk, p, -beta, -alpha));
            assert_eq!(mirrored, (-hard, counts));
            // So does the one with an explicit stack.
            let stacked = walked(&tree.root(), |walk, p| stack::f2(walk, p, alpha, beta, 20));
            assert_eq!(stacked, (hard, counts));
            // Fail-soft visits the same positions and returns bounds outside the window.
            let (soft, same) = walked(&tree.root(), |walk, p| fail_soft::alpha_beta(walk, p, alpha, beta));
            assert_eq!((same.nodes, same.terminal), (counts.nodes, counts.terminal));
            assert!(if soft <= alpha {
                value <= soft
            } else {
                value >= soft.min(beta) && (soft >= beta || soft == value)
            });
            assert!(soft <= hard.max(alpha) || soft >= beta);
            let scouted = walked(&tree.root(), |walk, p| negascout(walk, p, alpha, beta)).0;
            assert!(if scouted <= alpha { value <= scouted } else { value >= scouted });
        }
    }
}

#[test]
fn perfect_order_enters_the_minimal_tree() {
    for (width, depth) in [(1, 4), (2, 10), (3, 7), (5, 4), (6, 5), (30, 2)] {
        for seed in 0..20 {
            let tree = Uniform { width, depth, seed, order: 1.0, same: 0.0 };
            let (_, all) = walked(&tree.root(), knuth_moore::f);
            assert_eq!(all.terminal, (width as u64).pow(depth.into()));
            let (_, shallow) = walked(&tree.root(), |walk, p| knuth_moore::f1(walk, p, INFINITE));
            let (_, deep) = walked(&tree.root(), |walk, p| knuth_moore::f2(walk, p, -INFINITE, INFINITE));
            assert_eq!(deep.terminal, tree.least(), "{tree:?}");
            // With perfect order there is no deep cut-off to miss (Knuth and Moore, section 4).
            assert!(shallow.terminal >= deep.terminal);
            // There is one position of type 1 at each inner depth.
            assert_eq!(deep.kinds.pv, u64::from(depth));
            assert_eq!(deep.nodes - deep.terminal, deep.kinds.pv + deep.kinds.cut + deep.kinds.all);
        }
    }
}

#[test]
fn deep_cutoffs_save_nodes_and_sss_dominates_alpha_beta() {
    let (mut shallow, mut deep) = (0, 0);
    for seed in 0..100 {
        let tree = Uniform { width: 4, depth: 6, seed, order: 0.2, same: 0.0 };
        let (_, one) = walked(&tree.root(), |walk, p| knuth_moore::f1(walk, p, INFINITE));
        let (_, two) = walked(&tree.root(), |walk, p| knuth_moore::f2(walk, p, -INFINITE, INFINITE));
        assert!(two.terminal <= one.terminal);
        (shallow, deep) = (shallow + one.terminal, deep + two.terminal);
        // SSS* enters no terminal position that alpha-beta does not (Stockman 1979), if its table holds all positions.
        let mut memory = Memory::new(LARGE * 4, false, true);
        let (_, best_first) = walked(&tree.root(), |walk, p| sss(walk, &mut memory, p));
        assert!(best_first.terminal <= two.terminal, "seed {seed}: {best_first:?} {two:?}");
    }
    assert!(deep < shallow);
}

#[test]
fn a_stack_too_small_is_reported() {
    let tree = Uniform { width: 2, depth: 6, seed: 1, order: 0.0, same: 0.2 };
    let found = |stack| {
        let settings = Settings { stack, ..Settings::default() };
        run(&tree.root(), Procedure::Stack, &settings, Budget::default())
    };
    assert_eq!((found(5).value, found(5).best), (Err(Spent::Stack(5)), None));
    assert_eq!(Spent::Stack(5).to_string(), "the tree is deeper than a stack of 5 positions");
    assert!(found(6).value.is_ok());
}

#[test]
fn procedures_give_up_at_their_budget() {
    let tree = Uniform { width: 6, depth: 8, seed: 5, order: 0.0, same: 0.2 };
    let game = Game::draw(Shape { height: 12, width: Some(30), bounds: 0, ..Shape::TREE }, &mut Random(9));
    let game = game_tree(game, 12, MoveOrder::Generated);
    for row in PROCEDURES.iter().filter(|row| row.procedure != Procedure::Greedy) {
        for nodes in [0, 1, 2, 10, 100] {
            let found = run(&tree.root(), row.procedure, &Settings::default(), Budget::nodes(nodes));
            assert_eq!((found.value, found.best), (Err(Spent::Nodes), None), "{}", row.name);
            assert_eq!(found.counts.nodes, nodes, "{}", row.name);
            let found = run(&game, row.procedure, &Settings::default(), Budget::nodes(nodes));
            assert!(
                found.counts.nodes <= nodes && (found.value.is_ok() || found.counts.nodes == nodes),
                "{}",
                row.name
            );
        }
        let stopped = Budget::default();
        stopped.stop.raise();
        let found = run(&tree.root(), row.procedure, &Settings::default(), stopped);
        assert_eq!((found.value, found.counts.nodes), (Err(Spent::Stopped), 0), "{}", row.name);
        let late = Budget { deadline: Some(Instant::now()), ..Budget::default() };
        assert_eq!(
            run(&tree.root(), row.procedure, &Settings::default(), late).value,
            Err(Spent::Time),
            "{}",
            row.name
        );
    }
    let settings = Settings { table: 100, ..Settings::default() };
    assert_eq!(run(&tree.root(), Procedure::DfPn, &settings, Budget::default()).value, Err(Spent::Table(100)));
}

#[test]
fn transpositions_are_answered_by_the_table() {
    // A graph: the table answers; killers and move ordering alone do not.
    let pos = Game::draw(Shape { height: 9, width: Some(3), bounds: 0, ..Shape::TREE }, &mut Random(9));
    let tree = game_tree(pos, 9, MoveOrder::Generated);
    let nodes = |positions, killers| {
        let mut memory = Memory::new(positions, killers, true);
        walked(&tree, |walk, p| memory::alpha_beta(walk, &mut memory, p, -INFINITE, INFINITE)).1
    };
    assert_eq!(nodes(0, false).hits, 0);
    assert!(nodes(LARGE, false).hits > 0);
    assert!(nodes(LARGE, true).nodes < nodes(0, false).nodes);
}

#[test]
fn greedy_equals_a_one_ply_search() {
    for seed in 0..50 {
        let pos = Game::draw(Shape { bounds: 0, ..Shape::TREE }, &mut Random(seed));
        let of_depth = |depth| game_tree(pos.clone(), depth, MoveOrder::Generated);
        let found = |depth, procedure| run(&of_depth(depth), procedure, &Settings::default(), Budget::default());
        let (greedy, one_ply) = (found(5, Procedure::Greedy), found(1, Procedure::Negamax));
        assert_eq!((greedy.value, greedy.best, greedy.counts), (one_ply.value, one_ply.best, one_ply.counts));
    }
}

#[test]
fn floyd_ends_lines_that_are_not_plausible() {
    let category = |forcing, place| Category::Choice { forcing, place };
    for seed in 0..50 {
        let pos = Game::draw(Shape { bounds: 0, ..Shape::TREE }, &mut Random(seed));
        let tree = game_tree(pos.clone(), 20, MoveOrder::Generated);
        let found = |plausibilities: &Plausibilities, threshold| {
            let settings = Settings { plausibilities: plausibilities.clone(), threshold, ..Settings::default() };
            run(&tree, Procedure::Floyd, &settings, Budget::default())
        };
        // Everything is plausible: alpha-beta to the ends of the game.
        let all = found(&Plausibilities::default(), 1e-30);
        assert_eq!(all.value, Ok(pos.value()));
        // Only a first move or a forced one is plausible.
        let none = found(&Plausibilities::new([0.5; CATEGORIES]), 1.0);
        assert!(none.counts.nodes <= all.counts.nodes);
        let mut likelihoods = [1e-6; CATEGORIES];
        likelihoods[Category::Only.index()] = 1.0;
        likelihoods[category(false, 0).index()] = 0.99;
        // A single line, and one position for each move that branches off it.
        let line = found(&Plausibilities::new(likelihoods), 0.5);
        assert!(line.counts.nodes <= 1 + 4 * 6, "{line:?}");
    }
}
