//! Search by plausibility: R. W. Floyd's proposal, reported by D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta
//! Pruning", Artificial Intelligence 6 (1975), p. 302.
//!
//! A line has no fixed depth. It is followed while it is plausible: while the product of the likelihoods of its moves
//! is at least a threshold, such as 1e-8.
//!
//! ```text
//!   root 1 -.5-> .5 -.25-> .125 -1-> .125 -.01-> .00125 ...    forced moves cost nothing, implausible ones end a line
//! ```

use super::plausibility::{Plausibilities, categories};
use super::tree::{Node, Walk, across};
use crate::core::score::{INFINITE, Score};

/// The parameters of the search.
#[derive(Clone, Copy, Debug)]
pub struct Floyd<'a> {
    /// The likelihoods of the moves.
    pub plausibilities: &'a Plausibilities,
    /// The minimum plausibility of a line that is followed; below it, the position is evaluated.
    pub threshold: f64,
}

impl Floyd<'_> {
    /// Fail-soft alpha-beta over the plausible lines; `line` is the product of the likelihoods so far, 1 at the root.
    pub(crate) fn search(&self, walk: &mut Walk, p: &Node, line: f64, alpha: Score, beta: Score) -> Score {
        if line < self.threshold {
            return walk.evaluate(p, alpha, beta);
        }
        let successors = match walk.enter(p, alpha, beta) {
            Ok(successors) => successors,
            Err(value) => return value,
        };
        let categories = categories(&p.hints());
        let mut m = -INFINITE;
        for (q, category) in successors.iter().zip(categories) {
            let (same, line) = (walk.same(p, q), line * self.plausibilities.likelihood(category));
            let t = across(same, m.max(alpha), beta, |alpha, beta| self.search(walk, q, line, alpha, beta));
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
}
