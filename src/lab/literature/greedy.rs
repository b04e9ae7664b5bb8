//! The one-ply greedy choice: no search but one move, judged at once. What every search has to beat.

use super::tree::{GameTree, Walk};
use crate::core::score::{INFINITE, Score};

/// The judgement after the best move by judgement, the first of equals, for the side to move.
pub fn greedy<T: GameTree>(walk: &mut Walk<T>, p: &T::Node) -> Score {
    let successors = match walk.enter(p) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = -INFINITE;
    for q in &successors {
        let value = walk.evaluate(q);
        let t = if walk.same(p, q) { value } else { -value };
        if t > m {
            m = t;
            walk.choose(p, q);
        }
    }
    m
}
