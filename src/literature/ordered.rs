//! A tree whose moves are put in order by their values: from the worst order, in which alpha-beta prunes least, to the
//! best.

use super::tree::Node;
use crate::core::Side;
use crate::core::score::Score;
use crate::engine::{MoveHint, TreeNode};
use crate::util::random::{mixed, unit};
use std::rc::Rc;

/// The order of the moves of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByValue {
    /// The share of the inner positions whose best move is the first, 0 to 1. At the others the worst move is the
    /// first.
    pub share: f64,
    /// The seed that selects these positions.
    pub seed: u64,
    /// The most positions of a tree.
    pub most: u64,
}

impl ByValue {
    /// Returns the tree below a position in this order; `None` if it is too large.
    #[must_use]
    pub fn order(&self, root: &Node) -> Option<Node> {
        Some(self.ordered(root, &mut 0)?.1)
    }

    /// Returns the value of a position for its side to move, and the position with its moves in order.
    fn ordered(&self, node: &Node, count: &mut u64) -> Option<(Score, Node)> {
        *count += 1;
        if *count > self.most {
            return None;
        }
        let (successors, hints) = (node.successors(), node.hints());
        if successors.is_empty() {
            return Some((node.value(), Rc::clone(node)));
        }
        let mut below = Vec::with_capacity(successors.len());
        for (successor, hint) in successors.iter().zip(hints) {
            let (value, ordered) = self.ordered(successor, count)?;
            let same = node.turn() == successor.turn();
            below.push((if same { value } else { -value }, ordered, hint));
        }
        let is_best_first = unit(mixed(node.key() ^ mixed(self.seed))) < self.share;
        below.sort_by_key(|&(value, ..)| if is_best_first { -value } else { value });
        let value = below.iter().map(|&(value, ..)| value).max()?;
        let hints = (0..).zip(&below).map(|(place, row)| MoveHint { score: -place, ..row.2 }).collect();
        let below = below.into_iter().map(|(_, node, _)| node).collect();
        Some((value, Rc::new(Ordered { node: Rc::clone(node), below, hints })))
    }
}

/// An inner position with its successors in order.
struct Ordered {
    node: Node,
    below: Vec<Node>,
    hints: Vec<MoveHint>,
}

impl TreeNode for Ordered {
    fn turn(&self) -> Side {
        self.node.turn()
    }

    fn successors(&self) -> Vec<Node> {
        self.below.clone()
    }

    fn value(&self) -> Score {
        self.node.value()
    }

    fn key(&self) -> u64 {
        self.node.key()
    }

    fn code(&self) -> u16 {
        self.node.code()
    }

    fn ply(&self) -> u8 {
        self.node.ply()
    }

    fn hints(&self) -> Vec<MoveHint> {
        self.hints.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literature::toy::Toy;
    use crate::literature::uniform::Uniform;
    use crate::literature::{Budget, Procedure, Settings, procedure::run};

    /// Returns the leaves in their order.
    fn leaves(node: &Node) -> Vec<Score> {
        let below = node.successors();
        if below.is_empty() {
            // For the side at the root.
            return vec![if node.ply().is_multiple_of(2) { node.value() } else { -node.value() }];
        }
        below.iter().flat_map(leaves).collect()
    }

    #[test]
    fn moves_are_put_in_order() {
        let by_value = |share| ByValue { share, seed: 0, most: 100 };
        let toy: Toy = "((3 12 8) (2 4 6) (14 5 2))".parse().unwrap();
        assert_eq!(leaves(&by_value(1.0).order(&toy.clone().root()).unwrap()), [3, 8, 12, 2, 4, 6, 2, 5, 14]);
        assert_eq!(leaves(&by_value(0.0).order(&toy.clone().root()).unwrap()), [6, 4, 2, 14, 5, 2, 12, 8, 3]);
        let uneven: Toy = "(1 (7 (2 9)) 5)".parse().unwrap();
        assert_eq!(leaves(&by_value(1.0).order(&uneven.root()).unwrap()), [7, 9, 2, 5, 1]);
        assert!(ByValue { most: 12, ..by_value(1.0) }.order(&toy.root()).is_none());
    }

    #[test]
    fn the_better_the_order_the_fewer_leaves() {
        let mut last = u64::MAX;
        for share in [0.0, 0.5, 1.0] {
            let mut leaves = 0;
            for seed in 0..5 {
                let root = Uniform { width: 4, depth: 5, seed, order: 0.0, same: 0.2 }.root();
                let ordered = ByValue { share, seed: 7, most: 10_000 }.order(&root).unwrap();
                let [one, two] = [&root, &ordered]
                    .map(|root| run(root, Procedure::AlphaBeta, &Settings::default(), Budget::default()));
                assert_eq!(one.value, two.value);
                leaves += two.counts.terminal;
            }
            assert!(leaves < last, "{share}: {leaves}");
            last = leaves;
        }
    }
}
