//! The playing squares as bits: a vacant bit after every second row makes each diagonal step one shift.
//!
//! ```text
//!   row 3 |  13    14    15    16        the bits of the first four rows, four playing squares each
//!   row 2 |      9    10    11    12     no square has bit 8 or 17
//!   row 1 |   4     5     6     7
//!   row 0 |      0     1     2     3     the first player's home
//! ```
//!
//! Rows of five squares follow the same pattern: bits 0 to 4, 5 to 9, then 11 and so on.

use super::variant::Variant;
use crate::core::Side;
use std::marker::PhantomData;

/// A diagonal direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Away from the first player's home, to the lower bit.
    NearAhead,
    /// Away from the first player's home, to the higher bit.
    FarAhead,
    /// The opposite of `NearAhead`.
    NearBack,
    /// The opposite of `FarAhead`.
    FarBack,
}

impl Direction {
    /// The directions of the first player's men.
    pub(crate) const AHEAD: [Self; 2] = [Self::NearAhead, Self::FarAhead];

    /// The directions of the second player's men.
    pub(crate) const BACK: [Self; 2] = [Self::NearBack, Self::FarBack];

    pub(crate) const ALL: [Self; 4] = [Self::NearAhead, Self::FarAhead, Self::NearBack, Self::FarBack];

    /// Whether the men of a side move in this direction.
    #[inline]
    pub(crate) const fn is_ahead(self, side: Side) -> bool {
        matches!(
            (self, side),
            (Self::NearAhead | Self::FarAhead, Side::First) | (Self::NearBack | Self::FarBack, Side::Second)
        )
    }

    #[inline]
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::NearAhead => Self::NearBack,
            Self::FarAhead => Self::FarBack,
            Self::NearBack => Self::NearAhead,
            Self::FarBack => Self::FarAhead,
        }
    }
}

/// The board of a rule set.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<V>(PhantomData<V>);

impl<V: Variant> Geometry<V> {
    pub(crate) const ROWS: u32 = 2 * V::WIDTH;

    pub(crate) const SQUARES: u32 = V::WIDTH * Self::ROWS;

    /// All playing squares.
    pub const ALL: u64 = {
        let (mut all, mut row) = (0, 0);
        while row < Self::ROWS {
            all |= Self::row(row);
            row += 1;
        }
        all
    };

    /// The row where each player's men are crowned.
    pub const CROWNING: [u64; 2] = [Self::row(Self::ROWS - 1), Self::row(0)];

    /// Returns the squares of a row, the first player's home row being 0.
    pub(crate) const fn row(row: u32) -> u64 {
        ((1 << V::WIDTH) - 1) << (row * V::WIDTH + row / 2)
    }

    /// Returns the bit of a playing square, counted by rows from the first player's home.
    pub(crate) const fn bit(index: u32) -> u32 {
        index + index / (2 * V::WIDTH)
    }

    /// Returns the number of the playing square with a bit, the inverse of [`bit`](Self::bit).
    pub(crate) const fn index(bit: u32) -> u32 {
        bit - bit / (2 * V::WIDTH + 1)
    }

    /// Returns the squares one step further in a direction.
    #[inline]
    pub(crate) const fn step(squares: u64, direction: Direction) -> u64 {
        let moved = match direction {
            Direction::NearAhead => squares << V::WIDTH,
            Direction::FarAhead => squares << (V::WIDTH + 1),
            Direction::NearBack => squares >> V::WIDTH,
            Direction::FarBack => squares >> (V::WIDTH + 1),
        };
        moved & Self::ALL
    }

    /// Returns the squares turned by 180 degrees, as the other player sees them.
    #[inline]
    pub(crate) const fn turned(squares: u64) -> u64 {
        squares.reverse_bits() >> (63 - Self::bit(Self::SQUARES - 1))
    }
}

/// Yields the bits of a set, the lowest first.
pub fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            bit as u8
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::variant::{English, International};
    use super::*;

    /// Row and column of a playing square, from the first player's side.
    fn place<V: Variant>(index: u32) -> (i32, i32) {
        let (row, place) = (index / V::WIDTH, index % V::WIDTH);
        (row.cast_signed(), (2 * place + 1 - row % 2).cast_signed())
    }

    fn steps_are_diagonal<V: Variant>() {
        let size = 2 * V::WIDTH.cast_signed();
        for index in 0..Geometry::<V>::SQUARES {
            let (row, column) = place::<V>(index);
            assert_eq!(Geometry::<V>::index(Geometry::<V>::bit(index)), index);
            assert_ne!(Geometry::<V>::row(index / V::WIDTH) & 1 << Geometry::<V>::bit(index), 0);
            for (direction, [up, right]) in Direction::ALL.into_iter().zip([[1, -1], [1, 1], [-1, 1], [-1, -1]]) {
                let to = Geometry::<V>::step(1 << Geometry::<V>::bit(index), direction);
                let (row, column) = (row + up, column + right);
                if (0..size).contains(&row) && (0..size).contains(&column) {
                    assert_eq!(place::<V>(Geometry::<V>::index(to.trailing_zeros())), (row, column));
                } else {
                    assert_eq!(to, 0, "square {index} {direction:?}");
                }
            }
        }
        assert_eq!(Geometry::<V>::ALL.count_ones(), Geometry::<V>::SQUARES);
        assert_eq!(Geometry::<V>::turned(Geometry::<V>::ALL), Geometry::<V>::ALL);
        assert_eq!(Geometry::<V>::turned(1), 1 << Geometry::<V>::bit(Geometry::<V>::SQUARES - 1));
    }

    #[test]
    fn every_step_is_to_a_diagonal_neighbour() {
        steps_are_diagonal::<English>();
        steps_are_diagonal::<International>();
    }
}
