//! Random numbers that are the same on every machine and in every version: SplitMix64 (Steele, Lea and Flood 2014,
//! "Fast splittable pseudorandom number generators").

/// The increment of the state: 2^64 divided by the golden ratio.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The mixer: maps neighbouring numbers to unrelated ones.
#[must_use]
pub const fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Multiplies two numbers and folds the product: a good mixer of three instructions (Wang Yi's wyhash).
#[inline]
pub(crate) const fn folded(one: u64, other: u64) -> u64 {
    let product = one as u128 * other as u128;
    (product >> 64) as u64 ^ product as u64
}

/// Maps a number to the interval from 0 to below 1.
#[must_use]
pub const fn unit(number: u64) -> f64 {
    (number >> 11) as f64 / (1_u64 << 53) as f64
}

/// A generator, given by its state.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next number of 64 bits.
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mixed(self.0)
    }

    /// Returns a random number below `end`, which must not be 0.
    pub const fn below(&mut self, end: usize) -> usize {
        ((self.draw() as u128 * end as u128) >> 64) as usize
    }

    /// Shuffles items (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers from state 1234567, as the authors' program prints them (Vigna, splitmix64.c).
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random(1_234_567);
        let drawn = [random.draw(), random.draw(), random.draw()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert!((0..1_000).all(|_| Random(random.draw()).below(3) < 3));
        assert!(unit(0) == 0.0 && unit(u64::MAX) < 1.0);
    }
}
