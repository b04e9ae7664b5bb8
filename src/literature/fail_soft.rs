//! Fail-soft alpha-beta: J. P. Fishburn, "Another optimization of alpha-beta search", SIGART Newsletter 84 (1983).
//!
//! ```text
//!   fail-hard      alpha <- m              m begins at alpha: lower values are not returned
//!   fail-soft      -inf  <- m              m begins at -inf: a value outside the window is a bound
//! ```

use super::tree::{Node, Walk, across};
use crate::core::score::{INFINITE, Score};

/// Alpha-beta whose values outside the window are bounds: v <= alpha means F(p) <= v, v >= beta means F(p) >= v, and a
/// value between them is F(p). It enters the same positions as F2.
pub fn alpha_beta(walk: &mut Walk, p: &Node, alpha: Score, beta: Score) -> Score {
    let successors = match walk.enter(p, alpha, beta) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = -INFINITE;
    for q in &successors {
        let same = walk.same(p, q);
        let t = across(same, m.max(alpha), beta, |alpha, beta| alpha_beta(walk, q, alpha, beta));
        if t > m.max(alpha) {
            walk.choose(p, q);
        }
        m = m.max(t);
        if m >= beta {
            break;
        }
    }
    walk.note(p, m, alpha, beta);
    m
}
