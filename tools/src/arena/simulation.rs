//! Random numbers for the tests.

use secateurs::util::random::{Random, unit};

/// A generator of classes and numbers.
pub struct Generator(Random);

impl Generator {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(Random(seed))
    }

    /// Returns a number from 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        unit(self.0.draw())
    }

    /// Returns a class, drawn by the share of each.
    pub(crate) fn class<const N: usize>(&mut self, shares: &[f64; N]) -> usize {
        let mut left = self.unit();
        let passed = shares.iter().take_while(|&&share| {
            left -= share;
            left >= 0.0
        });
        passed.count().min(N - 1)
    }
}
