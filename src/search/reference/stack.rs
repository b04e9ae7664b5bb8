//! Alpha-beta without recursion, on an explicit stack: the iterative form of Knuth and Moore 1975, section 4, where a
//! position has a first successor and each successor a next one.
//!
//! ```text
//!   root   alpha beta m | next ...      down: the next successor is entered with what it inherits
//!     p1   alpha beta m | next ...      up:   a finished position tells its m to the one below it on the stack
//!      p12 alpha beta m | next ...  <- top
//! ```

use super::tree::{Tree, Walk};
use crate::core::Side;
use crate::core::score::Score;
use std::vec::IntoIter;

/// The stack was to grow beyond its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tree is deeper than a stack of {0} positions")]
pub struct TooDeep(pub usize);

/// An inner position on the way from the root.
struct Frame<N> {
    p: N,
    /// The successors from the next one on.
    rest: IntoIter<N>,
    alpha: Score,
    beta: Score,
    m: Score,
}

/// F2 on a stack of at most `bound` positions.
///
/// # Errors
/// [`TooDeep`] if that is not enough.
pub fn f2<T: Tree>(
    walk: &mut Walk<T>,
    root: &T::Node,
    alpha: Score,
    beta: Score,
    bound: usize,
) -> Result<Score, TooDeep> {
    let mut stack: Vec<Frame<T::Node>> = Vec::new();
    let mut down = Some((root.clone(), alpha, beta));
    let mut told: Option<(Side, Score)> = None;
    loop {
        if let Some((p, alpha, beta)) = down.take() {
            match walk.enter(&p) {
                Err(value) => told = Some((walk.tree.turn(&p), value)),
                Ok(_) if stack.len() == bound => return Err(TooDeep(bound)),
                Ok(successors) => stack.push(Frame { p, rest: successors.into_iter(), alpha, beta, m: alpha }),
            }
        }
        let Some(top) = stack.last_mut() else { return Ok(told.map_or(alpha, |(_, value)| value)) };
        let turn = walk.tree.turn(&top.p);
        if let Some((whose, value)) = told.take() {
            top.m = top.m.max(if whose == turn { value } else { -value });
        }
        let next = if top.m < top.beta { top.rest.next() } else { None };
        if let Some(q) = next {
            let (alpha, beta) = if walk.tree.turn(&q) == turn { (top.m, top.beta) } else { (-top.beta, -top.m) };
            down = Some((q, alpha, beta));
        } else {
            walk.note(top.m, top.alpha, top.beta);
            told = Some((turn, top.m));
            stack.pop();
        }
    }
}
