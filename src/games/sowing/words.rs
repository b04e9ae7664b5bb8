//! A side's houses as the bytes of a word, the first house lowest.

/// A seed in every byte.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;

#[inline]
pub(crate) const fn seeds_in(word: u64, house: usize) -> u8 {
    (word >> (8 * house)) as u8
}

/// Returns the number of seeds in all houses, at most 255.
#[inline]
pub(crate) const fn seeds(word: u64) -> u8 {
    (word.wrapping_mul(ONES) >> 56) as u8
}

/// Returns the high bits of the bytes of a word that are at least those of `need`, from 1 to 128.
#[inline]
pub(crate) const fn at_least(word: u64, need: u64) -> u64 {
    const HIGH: u64 = ONES << 7;
    // The high bit of a byte is set if it was set before, or if its lower bits plus 128 less `need` carry into it.
    (((word & !HIGH) + (HIGH - need)) | word) & HIGH
}

pub(crate) fn word(houses: &[u16]) -> u64 {
    houses.iter().rev().fold(0, |word, &seeds| word << 8 | u64::from(seeds))
}
