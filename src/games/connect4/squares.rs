//! Sets of squares as bits of a word: 64 of them suffice for most boards, large ones take 128.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Mul, Not, Shl, Shr, Sub};

/// A word with a bit for each square. The layout is that of the [rules](super::rules).
pub trait Squares:
    Copy
    + Debug
    + Hash
    + Ord
    + Send
    + Sync
    + From<u16>
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + 'static
{
    /// The number of bits.
    const BITS: u32;
    /// The empty set.
    const NONE: Self;
    /// The set of the lowest bit.
    const FIRST: Self;

    /// Returns the number of squares.
    fn count_ones(self) -> u32;

    /// Returns the number of bits below the lowest square.
    fn trailing_zeros(self) -> u32;

    /// Returns the 64 lowest bits.
    fn low(self) -> u64;

    /// Returns a number of 64 bits for hashes: the set itself if it fits, otherwise a hash of all bits.
    fn digest(self) -> u64;

    /// Returns the lowest square of a set that is not empty.
    #[inline]
    fn lowest(self) -> Self {
        self & !(self - Self::FIRST)
    }

    /// Returns whether the set has exactly one square.
    #[inline]
    fn is_power_of_two(self) -> bool {
        self.count_ones() == 1
    }

    /// Returns whether the set has no square.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns whether the sets have a square in common.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
}

impl Squares for u64 {
    const BITS: u32 = Self::BITS;
    const NONE: Self = 0;
    const FIRST: Self = 1;

    #[inline]
    fn count_ones(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn low(self) -> u64 {
        self
    }

    #[inline]
    fn digest(self) -> u64 {
        self
    }
}

impl Squares for u128 {
    const BITS: u32 = Self::BITS;
    const NONE: Self = 0;
    const FIRST: Self = 1;

    #[inline]
    fn count_ones(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline]
    fn digest(self) -> u64 {
        product(self as u64 ^ 0x2d35_8dcc_aa6c_78a5, (self >> 64) as u64 ^ 0x8bb8_4b93_962e_acc9)
    }
}

/// Returns the two halves of a product, combined: a hash of both factors.
#[inline]
pub(super) const fn product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}
