//! Sets of squares as bits of a word: 64 of them suffice for most boards, large ones take 128.

use crate::util::random::folded;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// A word with a bit for each square, in the layout of the rules. Shifts are by fewer than 64 bits: a line of four
/// extends over at most 51 bits, on a board of fifteen rows.
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

    /// Returns the set of a bit, counted from 0, below [`BITS`](Self::BITS).
    fn bit(index: u32) -> Self;

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
    fn bit(index: u32) -> Self {
        1 << index
    }

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

/// 128 bits, for the boards that need more than 64. Shifts by fewer than 64 bits take fewer instructions than those of
/// `u128`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wide(u128);

impl Squares for Wide {
    const BITS: u32 = u128::BITS;
    const NONE: Self = Self(0);
    const FIRST: Self = Self(1);

    #[inline]
    fn bit(index: u32) -> Self {
        Self(1 << index)
    }

    #[inline]
    fn count_ones(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.0.trailing_zeros()
    }

    #[inline]
    fn low(self) -> u64 {
        self.0 as u64
    }

    #[inline]
    fn digest(self) -> u64 {
        folded(self.0 as u64 ^ 0x2d35_8dcc_aa6c_78a5, (self.0 >> 64) as u64 ^ 0x8bb8_4b93_962e_acc9)
    }
}

impl From<u16> for Wide {
    #[inline]
    fn from(bits: u16) -> Self {
        Self(bits.into())
    }
}

impl Shl<u32> for Wide {
    type Output = Self;

    #[inline]
    fn shl(self, count: u32) -> Self {
        debug_assert!(count < 64, "{count}");
        Self(self.0 << (count & 63))
    }
}

impl Shr<u32> for Wide {
    type Output = Self;

    #[inline]
    fn shr(self, count: u32) -> Self {
        debug_assert!(count < 64, "{count}");
        Self(self.0 >> (count & 63))
    }
}

impl Not for Wide {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Implements operators between words by those of `u128`.
macro_rules! operators {
    ($($operator:ident $function:ident),+) => {$(
        impl $operator for Wide {
            type Output = Self;

            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(self.0.$function(other.0))
            }
        }
    )+};
}

operators!(BitAnd bitand, BitOr bitor, BitXor bitxor, Add add, Sub sub, Mul mul);
