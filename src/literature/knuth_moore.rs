//! The procedures of D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6
//! (1975).
//!
//! ```text
//!            F            everything                          w^d terminal positions
//!            F1           branch and bound: one bound, that of the position right above
//!            F2           alpha-beta: two bounds, so that the bound of a position
//!           /  \          far above cuts off deep below
//!         p1    p2        F2(p, alpha, beta) is F(p) between alpha and beta; at or outside them it
//!        /  \             is on the same side as F(p)
//! ```
//!
//! In the paper turns alternate. Here a successor with the same side to move keeps the sign of values and bounds.

use super::tree::{Node, Walk, across};
use crate::core::Side;
use crate::core::score::{INFINITE, Score};

/// Minimax with a flag: the value for the first player, who maximises; the second player minimises.
pub(crate) fn minimax(walk: &mut Walk, p: &Node) -> Score {
    let first = p.turn() == Side::First;
    match walk.enter(p, -INFINITE, INFINITE) {
        Err(value) => {
            if first {
                value
            } else {
                -value
            }
        }
        Ok(successors) => {
            let mut m = if first { -INFINITE } else { INFINITE };
            for q in &successors {
                let t = minimax(walk, q);
                if if first { t > m } else { t < m } {
                    m = t;
                    walk.choose(p, q);
                }
            }
            walk.leave(p, if first { m } else { -m }, INFINITE);
            m
        }
    }
}

/// F: the value for the side to move, the maximum of the negated values of the successors (section 2).
pub fn f(walk: &mut Walk, p: &Node) -> Score {
    let successors = match walk.enter(p, -INFINITE, INFINITE) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = -INFINITE;
    for q in &successors {
        let t = if walk.same(p, q) { f(walk, q) } else { -f(walk, q) };
        if t > m {
            m = t;
            walk.choose(p, q);
        }
    }
    walk.leave(p, m, INFINITE);
    m
}

/// F1: branch and bound without deep cut-offs (section 3). Returns F(p) if that is below `bound`; otherwise some value
/// that is not below it.
pub fn f1(walk: &mut Walk, p: &Node, bound: Score) -> Score {
    let successors = match walk.enter(p, -INFINITE, bound) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = -INFINITE;
    for q in &successors {
        let t = if walk.same(p, q) { f1(walk, q, bound) } else { -f1(walk, q, -m) };
        if t > m {
            m = t;
            walk.choose(p, q);
        }
        if m >= bound {
            walk.counts.cutoffs += 1;
            break;
        }
    }
    walk.leave(p, m, bound);
    m
}

/// F2: alpha-beta (section 4). Returns F(p) if it is between `alpha` and `beta`; otherwise at most `alpha` or at least
/// `beta`, like F(p).
pub fn f2(walk: &mut Walk, p: &Node, alpha: Score, beta: Score) -> Score {
    let successors = match walk.enter(p, alpha, beta) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = alpha;
    for q in &successors {
        let same = walk.same(p, q);
        let t = across(same, m, beta, |alpha, beta| f2(walk, q, alpha, beta));
        if t > m {
            m = t;
            walk.choose(p, q);
        }
        if m >= beta {
            break;
        }
    }
    walk.note(p, m, alpha, beta);
    m
}

/// G2, the mirror of F2 (section 4): the value for the side not to move, which is minimised. G2(p, alpha, beta) =
/// -F2(p, -beta, -alpha).
pub fn g2(walk: &mut Walk, p: &Node, alpha: Score, beta: Score) -> Score {
    let successors = match walk.enter(p, -beta, -alpha) {
        Ok(successors) => successors,
        Err(value) => return -value,
    };
    let mut m = beta;
    for q in &successors {
        let t = if walk.same(p, q) { g2(walk, q, alpha, m) } else { f2_of_g2(walk, q, alpha, m) };
        if t < m {
            m = t;
            walk.choose(p, q);
        }
        if m <= alpha {
            break;
        }
    }
    walk.note(p, -m, -beta, -alpha);
    m
}

/// F2 as called by G2: the two alternate with the players.
fn f2_of_g2(walk: &mut Walk, p: &Node, alpha: Score, beta: Score) -> Score {
    let successors = match walk.enter(p, alpha, beta) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = alpha;
    for q in &successors {
        let t = if walk.same(p, q) { f2_of_g2(walk, q, m, beta) } else { g2(walk, q, m, beta) };
        if t > m {
            m = t;
            walk.choose(p, q);
        }
        if m >= beta {
            break;
        }
    }
    walk.note(p, m, alpha, beta);
    m
}
