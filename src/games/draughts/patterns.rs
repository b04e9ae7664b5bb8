//! Patterns: the men on eight neighbouring squares, read as a number with three digits a square.
//!
//! A region is two playing squares wide and four rows high. Regions overlap by half in both directions: 9 on a board of
//! 8 x 8, 16 on one of 10 x 10. [Wide](Variant::WIDE) regions are four playing squares wide and two rows high, the
//! first at the second row: 8 on 10 x 10. Each way to fill a region with men has a weight of its own; kings count as
//! vacant. Buro describes the method for Othello ("Experiments with Multi-ProbCut and a new high-quality evaluation
//! function for Othello", 1997); Scan has shown what it is worth in draughts.

use super::geometry::{Geometry, bits};
use super::rules::Draughtsboard;
use super::variant::Variant;
use crate::core::Side;
use std::marker::PhantomData;

/// The ways to fill the squares of a region.
pub(crate) const FILLINGS: usize = 3_usize.pow(SQUARES as u32);

/// The squares of a region.
const SQUARES: usize = 8;

/// An upper bound of the number of regions of a board: a power of two.
pub(crate) const MAX_REGIONS: usize = 32;

/// The maximum number of regions that share a square.
const SHARING: usize = 6;

/// For a man on each square, the regions to whose numbers it adds, and the power of three that it adds.
type Places = [[(u8, u16); SHARING]; 64];

/// The regions of a board.
#[derive(Clone, Copy, Debug)]
pub struct Regions<V>(PhantomData<V>);

impl<V: Variant> Regions<V> {
    /// The number of regions beside each other.
    const ACROSS: u32 = V::WIDTH - 1;

    /// The number of wide regions beside each other.
    const WIDE_ACROSS: u32 = V::WIDTH - 3;

    /// The number of regions that are not wide.
    const HIGH: u32 = Self::ACROSS * (V::WIDTH - 1);

    /// The number of regions.
    pub(crate) const COUNT: usize =
        (Self::HIGH + if V::WIDE { Self::WIDE_ACROSS * (V::WIDTH - 1) } else { 0 }) as usize;

    /// The maximum number of regions that share a square.
    const SHARING: usize = if V::WIDE { SHARING } else { 4 };

    /// The places of each square. Unused entries add nothing.
    const PLACES: Places = {
        let mut places = [[(0, 0); SHARING]; 64];
        let mut used = [0; 64];
        let mut region = 0;
        while region < Self::COUNT as u32 {
            let (row, column, width) = if region < Self::HIGH {
                (2 * (region / Self::ACROSS), region % Self::ACROSS, 2)
            } else {
                let wide = region - Self::HIGH;
                (1 + 2 * (wide / Self::WIDE_ACROSS), wide % Self::WIDE_ACROSS, 4)
            };
            let (mut square, mut power) = (0, 1);
            while square < SQUARES as u32 {
                let bit = Geometry::<V>::bit((row + square / width) * V::WIDTH + column + square % width) as usize;
                places[bit][used[bit]] = (region as u8, power);
                used[bit] += 1;
                power *= 3;
                square += 1;
            }
            region += 1;
        }
        places
    };
}

/// The number of each region, as either side sees the board: a digit is 1 for a man of its own, 2 for the opponent's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatternNumbers([[u16; MAX_REGIONS]; 2]);

impl PatternNumbers {
    pub(crate) fn new<V: Variant>(pos: &Draughtsboard<V>) -> Self {
        let mut numbers = Self::default();
        for side in [Side::First, Side::Second] {
            numbers.change::<V>(pos.men(side), side, u16::wrapping_add);
        }
        numbers
    }

    #[inline]
    pub(crate) fn after<V: Variant>(&self, pos: &Draughtsboard<V>, after: &Draughtsboard<V>) -> Self {
        let mut numbers = *self;
        for side in [Side::First, Side::Second] {
            let (old, new) = (pos.men(side), after.men(side));
            numbers.change::<V>(old & !new, side, u16::wrapping_sub);
            numbers.change::<V>(new & !old, side, u16::wrapping_add);
        }
        numbers
    }

    #[inline(always)]
    fn change<V: Variant>(&mut self, men: u64, side: Side, change: impl Fn(u16, u16) -> u16) {
        let last = Geometry::<V>::bit(Geometry::<V>::SQUARES - 1) as usize;
        let digits = match side {
            Side::First => [1, 2],
            Side::Second => [2, 1],
        };
        for bit in bits(men) {
            let bit = usize::from(bit & 63);
            // The second player sees the board rotated.
            for (view, square) in [bit, last - bit].into_iter().enumerate() {
                for &(region, power) in &Regions::<V>::PLACES[square][..Regions::<V>::SHARING] {
                    let number = &mut self.0[view][usize::from(region) % MAX_REGIONS];
                    *number = change(*number, digits[view] * power);
                }
            }
        }
    }

    /// Returns the numbers as a side sees them.
    #[inline]
    pub(crate) fn seen_by<V: Variant>(&self, side: Side) -> &[u16] {
        &self.0[side.index()][..Regions::<V>::COUNT]
    }
}

#[cfg(test)]
mod tests {
    use super::super::variant::{English, International, Settings};
    use super::*;

    fn squares_are_covered<V: Variant>(regions: usize) {
        assert_eq!(Regions::<V>::COUNT, regions);
        let mut covered = [0; MAX_REGIONS];
        for bit in 0..64 {
            let used = Regions::<V>::PLACES[bit].iter().filter(|(_, power)| *power > 0);
            used.clone().for_each(|&(region, _)| covered[usize::from(region)] += 1);
            assert_eq!(used.count() > 0, Geometry::<V>::ALL & 1 << bit != 0);
        }
        assert!(covered[..regions].iter().all(|&squares| squares == SQUARES));
        let start = Draughtsboard::<V>::start(Settings { limit: 80, joined: false });
        let numbers = PatternNumbers::new(&start);
        assert_eq!(numbers.seen_by::<V>(Side::First), numbers.seen_by::<V>(Side::Second), "the start is symmetric");
        assert!(numbers.seen_by::<V>(Side::First).iter().all(|&number| usize::from(number) < FILLINGS));
    }

    #[test]
    fn regions_cover_the_board() {
        squares_are_covered::<English>(9);
        squares_are_covered::<International>(24);
    }
}
