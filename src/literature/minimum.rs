//! The fewest terminal positions that any procedure must visit to find the value of a tree.
//!
//! Knuth and Moore 1975, theorem 1: alpha-beta with the best order of moves visits the critical positions only, and on
//! a uniform tree of width w and depth d these have w^ceil(d/2) + w^floor(d/2) - 1 terminal ones (Slagle and Dixon
//! 1969).
//!
//! Here the same is computed for any finite tree, with any turns. Let v be the value of the root. Whoever claims v must
//! prove that the value is at least v and that it is at most v:
//!
//! ```text
//!   at least v: one move that gets v where the root's side moves, every move elsewhere      a proof tree
//!   at most v:  every move where the root's side moves, one that holds v elsewhere          the other
//!   both:       the two share the line from the root that is worth v, and only that
//! ```
//!
//! The positions of type 1 are those of the line; those of types 2 and 3 are in one of the two proof trees. Equal
//! positions that two lines reach count twice, as in procedures without a table.

use super::budget::{Budget, Spent};
use super::knuth_moore::f;
use super::tree::{Node, Walk};
use crate::core::Side;
use crate::core::score::{INFINITE, Score};

/// The fewest terminal positions below a node that prove a statement about its value and the value v of the root, if
/// the statement is true. Values are for the side to move at the root.
struct Fewest {
    value: Score,
    at_least: Option<u64>,
    at_most: Option<u64>,
    /// Both together.
    exactly: Option<u64>,
}

/// Returns the fewest terminal positions that any procedure must visit to find the value of the root.
///
/// # Errors
/// The limit that was reached; the whole tree is entered twice.
pub fn fewest_terminal_positions(root: &Node, budget: Budget) -> Result<u64, Spent> {
    let mut walk = Walk::new(budget);
    let value = f(&mut walk, root);
    let fewest = fewest(&mut walk, root, root.turn(), value);
    match walk.spent() {
        Some(spent) => Err(spent),
        None => Ok(fewest.exactly.unwrap_or_default()),
    }
}

fn fewest(walk: &mut Walk, p: &Node, root: Side, v: Score) -> Fewest {
    let maximises = p.turn() == root;
    let successors = match walk.enter(p, -INFINITE, INFINITE) {
        Ok(successors) => successors,
        Err(value) => {
            let value = if maximises { value } else { -value };
            let one = |holds: bool| holds.then_some(1);
            return Fewest { value, at_least: one(value >= v), at_most: one(value <= v), exactly: one(value == v) };
        }
    };
    let below: Vec<Fewest> = successors.iter().map(|q| fewest(walk, q, root, v)).collect();
    let values = below.iter().map(|q| q.value);
    let value = if maximises { values.max() } else { values.min() }.unwrap_or_default();
    // What one move proves, and what takes all of them.
    type Part = fn(&Fewest) -> Option<u64>;
    let (at_least, at_most): (Part, Part) = (|q| q.at_least, |q| q.at_most);
    let (by_one, by_all) = if maximises { (at_least, at_most) } else { (at_most, at_least) };
    let one = below.iter().filter_map(by_one).min();
    let all = below.iter().map(by_all).try_fold(0_u64, |sum, part| part.map(|part| sum.saturating_add(part)));
    let exactly = all.and_then(|all| {
        let best = below.iter().filter_map(|q| Some((all - by_all(q)?).saturating_add(q.exactly?)));
        best.min()
    });
    let (at_least, at_most) = if maximises { (one, all) } else { (all, one) };
    Fewest { value, at_least, at_most, exactly }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literature::procedure::{Procedure, Settings, run};
    use crate::literature::toy::Toy;
    use crate::literature::uniform::Uniform;

    fn fewest_of(root: &Node) -> u64 {
        fewest_terminal_positions(root, Budget::default()).unwrap()
    }

    #[test]
    fn uniform_trees_have_the_published_minimum() {
        for (width, depth) in [(1, 4), (2, 1), (2, 5), (3, 4), (4, 3), (5, 2), (3, 0)] {
            for seed in 0..5 {
                let tree = Uniform { width, depth, seed, order: 0.3, same: 0.0 };
                assert_eq!(fewest_of(&tree.root()), tree.least(), "{tree:?}");
            }
        }
    }

    #[test]
    fn no_procedure_visits_fewer_where_turns_do_not_alternate() {
        for seed in 0..50 {
            let tree = Uniform { width: 3, depth: 5, seed, order: 0.8, same: 0.4 };
            let least = fewest_of(&tree.root());
            for procedure in [Procedure::AlphaBeta, Procedure::NegaScout, Procedure::FailSoft, Procedure::Minimax] {
                let found = run(&tree.root(), procedure, &Settings::default(), Budget::default());
                assert!(found.counts.terminal >= least, "{procedure:?} {tree:?}");
            }
        }
    }

    /// All orders of the moves of a tree given by nested lists.
    fn orders(toy: &Toy) -> Vec<Toy> {
        let Toy::Inner(below) = toy else { return vec![toy.clone()] };
        let mut permutations: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in below {
            let longer = permutations.iter().flat_map(|order| {
                let rest = (0..below.len()).filter(|index| !order.contains(index));
                rest.map(|index| [order.as_slice(), &[index]].concat()).collect::<Vec<_>>()
            });
            permutations = longer.collect();
        }
        let choices: Vec<Vec<Toy>> = below.iter().map(orders).collect();
        let mut all = Vec::new();
        for order in permutations {
            let mut partial: Vec<Vec<Toy>> = vec![Vec::new()];
            for &index in &order {
                let next = partial.iter().flat_map(|before| {
                    choices[index]
                        .iter()
                        .map(|toy| [before.as_slice(), std::slice::from_ref(toy)].concat())
                        .collect::<Vec<_>>()
                });
                partial = next.collect();
            }
            all.extend(partial.into_iter().map(Toy::Inner));
        }
        all
    }

    #[test]
    fn the_best_of_all_orders_reaches_it() {
        let texts = [
            "((3 12 8)(2 4 6)(14 5 2))",
            "(1 2)",
            "7",
            "((1 (2 0)) ((5 3) 4) 2)",
            "(((1 2)(3 4))((0 5)(2 2)))",
            "((1 1)(1 (1 1)))",
        ];
        for text in texts {
            let toy: Toy = text.parse().unwrap();
            let visited = orders(&toy).into_iter().map(|toy| {
                let root = toy.root();
                run(&root, Procedure::AlphaBeta, &Settings::default(), Budget::default()).counts.terminal
            });
            assert_eq!(visited.min().unwrap(), fewest_of(&toy.root()), "{text}");
        }
    }
}
