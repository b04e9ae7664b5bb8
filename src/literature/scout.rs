//! NegaScout, a principal-variation search: A. Reinefeld, "An improvement to the scout tree search algorithm", ICCA
//! Journal 6 (1983); after SCOUT (Pearl 1980) and PVS (Finkel and Fishburn 1982, Marsland and Campbell 1982).
//!
//! The first move is searched with the full window, the others with a null window. A move that fails high is searched
//! again for its value. Reinefeld makes an exception of the last two plies, where the first value is exact already; in
//! the trees here leaves stand at any depth, and there is no exception.

use super::tree::{Node, Walk, across};
use crate::core::score::{INFINITE, Score};

/// Returns the value within `alpha` and `beta`, and a bound outside them, as [fail-soft](super::fail_soft) alpha-beta
/// does.
pub fn negascout(walk: &mut Walk, p: &Node, alpha: Score, beta: Score) -> Score {
    let successors = match walk.enter(p, alpha, beta) {
        Ok(successors) => successors,
        Err(value) => return value,
    };
    let mut m = -INFINITE;
    for (index, q) in successors.iter().enumerate() {
        let (same, floor) = (walk.same(p, q), m.max(alpha));
        let ceiling = if index == 0 { beta } else { floor + 1 };
        let mut t = across(same, floor, ceiling, |alpha, beta| negascout(walk, q, alpha, beta));
        if t >= ceiling && t < beta {
            // Better by an unknown amount: the value is at least t.
            t = across(same, t, beta, |alpha, beta| negascout(walk, q, alpha, beta));
        }
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
