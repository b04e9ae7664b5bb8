//! What becomes of a term's counts: the search adds weights, the laboratory keeps the counts.

use super::layout::COUNT;
use super::tapered::Tapered;
use super::weights::WEIGHTS;

/// A receiver of one side's counts. The terms are generic over it, so the search compiles to additions of weights.
pub trait Sink: Default {
    /// Counts `count` times what the weight at `index` is for.
    fn add(&mut self, index: usize, count: i32);
}

/// The sum of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total(pub Tapered);

impl Sink for Total {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        self.0 += WEIGHTS[index] * count;
    }
}

/// The counts of each weight.
#[derive(Clone, Debug)]
pub struct Counts(pub [i32; COUNT]);

impl Default for Counts {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

impl Sink for Counts {
    fn add(&mut self, index: usize, count: i32) {
        self.0[index] += count;
    }
}
