//! MTD(f): null windows alone, each where the last one left off. A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first
//! fixed-depth minimax algorithms", Artificial Intelligence 87 (1996), where SSS* (Stockman 1979) and DUAL* turn out to be cases.
//!
//! ```text
//!   lower .........|f|......... upper      is F(p) >= f? one bound moves there, and the value it told is the next f
//! ```

use super::memory::{Memory, alpha_beta};
use super::tree::{GameTree, Walk};
use crate::core::score::{INFINITE, Score};

/// F(p) from a first guess, with the searches that it took. The memory shall be soft, and its table large: each search goes
/// through what the last one left.
pub fn mtd<T: GameTree>(walk: &mut Walk<T>, memory: &mut Memory, p: &T::Node, f: Score) -> (Score, u32) {
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

/// SSS*: from above, the value never underestimated.
pub fn sss<T: GameTree>(walk: &mut Walk<T>, memory: &mut Memory, p: &T::Node) -> (Score, u32) {
    mtd(walk, memory, p, INFINITE)
}

/// DUAL*: from below.
pub fn dual<T: GameTree>(walk: &mut Walk<T>, memory: &mut Memory, p: &T::Node) -> (Score, u32) {
    mtd(walk, memory, p, -INFINITE)
}
