//! The greedy choice: a one-ply search, the baseline for all other procedures.

use super::tree::{Node, Walk};
use crate::core::score::{INFINITE, Score};

/// Returns the static evaluation, for the side to move, after the first move that is best by static evaluation.
pub(crate) fn greedy(walk: &mut Walk, p: &Node) -> Score {
    let successors = match walk.enter(p, -INFINITE, INFINITE) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = -INFINITE;
    for q in &successors {
        let value = walk.evaluate(q, -INFINITE, INFINITE);
        let t = if walk.same(p, q) { value } else { -value };
        if t > m {
            m = t;
            walk.choose(p, q);
        }
    }
    walk.leave(p, m, INFINITE);
    m
}
