//! Alpha-beta without recursion, on an explicit stack: the iterative form of Knuth and Moore 1975, section 4, where a
//! position has a first successor and each successor has a next one.
//!
//! ```text
//!   root   alpha beta m | next ...      down: the next successor is entered with the window it inherits
//!     p1   alpha beta m | next ...      up:   a finished position passes its m to the one below it on the stack
//!      p12 alpha beta m | next ...  <- top
//! ```

use super::budget::Spent;
use super::tree::{Node, Walk};
use crate::core::score::Score;
use std::vec::IntoIter;

/// An inner position on the path from the root.
struct Frame {
    p: Node,
    /// The successors not entered yet.
    rest: IntoIter<Node>,
    alpha: Score,
    beta: Score,
    m: Score,
}

/// F2 on a stack of at most `bound` positions. If the tree is deeper, the walk gives up with [`Spent::Stack`].
pub fn f2(walk: &mut Walk, root: &Node, alpha: Score, beta: Score, bound: usize) -> Score {
    let mut stack: Vec<Frame> = Vec::new();
    let mut down = Some((root.clone(), alpha, beta));
    let mut last: Option<(Node, Score)> = None;
    loop {
        if let Some((p, alpha, beta)) = down.take() {
            match walk.enter(&p, alpha, beta) {
                Err(value) => last = Some((p, value)),
                Ok(_) if stack.len() == bound => {
                    walk.give_up(Spent::Stack(bound));
                    return alpha;
                }
                Ok(successors) => stack.push(Frame { p, rest: successors.into_iter(), alpha, beta, m: alpha }),
            }
        }
        let Some(top) = stack.last_mut() else { return last.map_or(alpha, |(_, value)| value) };
        if let Some((q, value)) = last.take() {
            let t = if walk.same(&top.p, &q) { value } else { -value };
            if t > top.m {
                top.m = t;
                walk.choose(&top.p, &q);
            }
        }
        let next = if top.m < top.beta { top.rest.next() } else { None };
        if let Some(q) = next {
            let (alpha, beta) = if walk.same(&top.p, &q) { (top.m, top.beta) } else { (-top.beta, -top.m) };
            down = Some((q, alpha, beta));
        } else if let Some(Frame { p, alpha, beta, m, .. }) = stack.pop() {
            walk.note(&p, m, alpha, beta);
            last = Some((p, m));
        }
    }
}
