//! MTD(f): a sequence of null windows. A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth
//! minimax algorithms", Artificial Intelligence 87 (1996), which shows that SSS* (Stockman 1979) and DUAL* are special
//! cases.
//!
//! ```text
//!   lower .........|f|......... upper      is F(p) >= f? the value returned is a new bound and the next f
//! ```

use super::memory::{Memory, alpha_beta};
use super::tree::{Node, Walk};
use crate::core::score::{INFINITE, Score};

/// Returns F(p) from a first guess, and the number of searches. The memory must be fail-soft, and its table large: each
/// search reuses the entries of the last one.
pub(crate) fn mtd(walk: &mut Walk, memory: &mut Memory, p: &Node, f: Score) -> (Score, u32) {
    let (mut value, mut lower, mut upper, mut searches) = (f, -INFINITE, INFINITE, 0);
    while lower < upper && walk.spent().is_none() {
        let beta = value.max(lower + 1);
        value = alpha_beta(walk, memory, p, beta - 1, beta);
        if value < beta {
            upper = value;
        } else {
            lower = value;
        }
        searches += 1;
    }
    (value, searches)
}

/// SSS*: starts from above, so that the value is never underestimated.
pub fn sss(walk: &mut Walk, memory: &mut Memory, p: &Node) -> (Score, u32) {
    mtd(walk, memory, p, INFINITE)
}

/// DUAL*: starts from below.
pub(crate) fn dual(walk: &mut Walk, memory: &mut Memory, p: &Node) -> (Score, u32) {
    mtd(walk, memory, p, -INFINITE)
}
