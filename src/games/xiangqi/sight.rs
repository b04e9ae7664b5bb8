//! [`Sight`]: what chariots and cannons see along a file or rank, whose points are bits.

/// What a piece on a file or rank sees along it, as bits from its beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight {
    /// The vacant points up to the first piece on either side.
    pub vacant: u16,
    /// The first piece on either side.
    pub first: u16,
    /// The second piece on either side.
    pub second: u16,
}

/// Returns what is seen from a place on a line of `length` points, given its occupied points.
#[inline]
pub(crate) const fn sight(occupied: u16, at: u8, length: u8) -> Sight {
    let before = (1_u16 << at) - 1;
    let above = occupied & !before & !(1 << at);
    let below = occupied & before;
    let (above_first, below_first) = (lowest(above), highest(below));
    let (above_second, below_second) = (lowest(above & !above_first), highest(below & !below_first));
    let vacant_above = above_first.wrapping_sub(1) & !before & !(1 << at) & ((1 << length) - 1);
    let vacant_below = before & !(below_first << 1).saturating_sub(1);
    Sight { vacant: vacant_above | vacant_below, first: above_first | below_first, second: above_second | below_second }
}

/// Returns the lowest bit alone.
#[inline]
const fn lowest(bits: u16) -> u16 {
    bits & bits.wrapping_neg()
}

/// Returns the highest bit alone.
#[inline]
const fn highest(bits: u16) -> u16 {
    if bits == 0 { 0 } else { 1 << (15 - bits.leading_zeros()) }
}

/// Iterates over the set bits of a line.
#[inline]
pub(crate) fn places(mut bits: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let next = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
        (next < 16).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_see_up_to_the_second_piece() {
        let seen = sight(0b1_0010_0110, 4, 9);
        assert_eq!((seen.vacant, seen.first, seen.second), (0b1000, 0b10_0100, 0b1_0000_0010));
        let seen = sight(0b10_0000_0000, 0, 10);
        assert_eq!((seen.vacant, seen.first, seen.second), (0b1_1111_1110, 0b10_0000_0000, 0));
        let seen = sight(0, 8, 9);
        assert_eq!((seen.vacant, seen.first, seen.second), (0b1111_1111, 0, 0));
    }
}
