//! Aspiration: a narrow window around a guess, and a second search if the value is outside. G. Baudet, "The Design and
//! Analysis of Algorithms for Asynchronous Multiprocessors" (1978); Greenblatt's program used it in 1967.
//!
//! ```text
//!   -inf ........ guess - e [ F2 ] guess + e ........ +inf
//!        [ again, up to v ]        [ again, from v ]
//! ```

use super::knuth_moore::f2;
use super::tree::{Node, Walk};
use crate::core::score::{INFINITE, Score};

/// Returns F(p) by F2(p, guess - e, guess + e), with a second search on the failed side if that fails, and the number
/// of searches, 1 or 2. `e` is at least 1.
pub(crate) fn aspiration(walk: &mut Walk, p: &Node, guess: Score, e: Score) -> (Score, u32) {
    let (alpha, beta) = (guess - e.max(1), guess + e.max(1));
    let v = f2(walk, p, alpha, beta);
    if v <= alpha {
        (f2(walk, p, -INFINITE, v), 2)
    } else if v >= beta {
        (f2(walk, p, v, INFINITE), 2)
    } else {
        (v, 1)
    }
}
