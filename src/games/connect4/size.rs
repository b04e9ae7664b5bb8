//! Board sizes, and the sets of squares derived from them.

use super::squares::{Squares, Wide};
use super::{MAX_COLUMNS, MAX_ROWS};

/// A size whose `columns * (rows + 1)` bits fit into a [set](Self::Set). Columns and rows are counted from 0.
pub trait Size: Copy + Eq + Send + Sync + std::fmt::Debug + 'static {
    /// A set of squares.
    type Set: Squares;

    /// Creates a size; `None` if this type does not support it.
    fn new(columns: u32, rows: u32) -> Option<Self>;
    /// Returns the number of columns, 1 to `MAX_COLUMNS`.
    fn columns(self) -> u32;
    /// Returns the number of rows, 1 to `MAX_ROWS`.
    fn rows(self) -> u32;
    /// Returns the lowest row.
    fn bottom(self) -> Self::Set;

    /// Returns the number of squares.
    #[inline]
    fn squares(self) -> u32 {
        self.columns() * self.rows()
    }

    /// Returns all squares.
    #[inline]
    fn board(self) -> Self::Set {
        self.lowest_rows(self.rows())
    }

    /// Returns the `count` lowest rows.
    #[inline]
    fn lowest_rows(self, count: u32) -> Self::Set {
        (self.bottom() << count) - self.bottom()
    }

    /// Returns every other row from the lowest: the odd rows, counted from 1.
    #[inline]
    fn odd_rows(self) -> Self::Set {
        self.bottom() * (Self::Set::from(0x5555) & self.column(0))
    }

    /// Returns the even rows, counted from 1.
    #[inline]
    fn even_rows(self) -> Self::Set {
        self.board() ^ self.odd_rows()
    }

    /// Returns the lowest square of a column.
    #[inline]
    fn lowest(self, column: u32) -> Self::Set {
        Self::Set::bit(column * (self.rows() + 1))
    }

    /// Returns the highest square of a column.
    #[inline]
    fn highest(self, column: u32) -> Self::Set {
        self.lowest(column) << (self.rows() - 1)
    }

    /// Returns the squares of a column.
    #[inline]
    fn column(self, column: u32) -> Self::Set {
        let lowest = self.lowest(column);
        (lowest << self.rows()) - lowest
    }

    /// Returns the column with this index in the order from the middle outwards.
    #[inline]
    fn outwards(self, index: u32) -> u32 {
        let (middle, step) = (self.columns() / 2, index.div_ceil(2));
        if index.is_multiple_of(2) { middle + step } else { middle - step }
    }

    /// Returns the distance of a column from the middle, in half columns.
    #[inline]
    fn distance_from_middle(self, column: u32) -> i32 {
        (2 * column + 1).abs_diff(self.columns()).cast_signed()
    }

    /// Returns the mirror image of a set: the first column becomes the last.
    #[inline]
    fn mirrored(self, squares: Self::Set) -> Self::Set {
        let (stride, first) = (self.rows() + 1, self.column(0));
        let turn = |(mirrored, rest), _| ((mirrored << stride) | (rest & first), rest >> stride);
        (0..self.columns()).fold((Self::Set::NONE, squares), turn).0
    }
}

/// Returns the lowest row of a board, at compile time.
const fn bottom(columns: u32, rows: u32) -> u64 {
    let (mut bottom, mut column) = (0, 0);
    while column < columns {
        bottom |= 1 << (column * (rows + 1));
        column += 1;
    }
    bottom
}

/// A size fixed at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed<const COLUMNS: u32, const ROWS: u32>;

/// The usual size.
pub type Standard = Fixed<7, 6>;

impl<const COLUMNS: u32, const ROWS: u32> Size for Fixed<COLUMNS, ROWS> {
    type Set = u64;

    fn new(columns: u32, rows: u32) -> Option<Self> {
        (columns == COLUMNS && rows == ROWS).then_some(Self)
    }

    #[inline]
    fn columns(self) -> u32 {
        COLUMNS
    }

    #[inline]
    fn rows(self) -> u32 {
        ROWS
    }

    #[inline]
    fn bottom(self) -> u64 {
        const { bottom(COLUMNS, ROWS) }
    }
}

/// Any size that fits a word of type `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnySize<W> {
    bottom: W,
    columns: u8,
    rows: u8,
}

/// A size that fits 64 bits.
pub type Free = AnySize<u64>;

/// A size that fits 128 bits. Searches are slower than with 64.
pub type Large = AnySize<Wide>;

impl<W: Squares> Size for AnySize<W> {
    type Set = W;

    fn new(columns: u32, rows: u32) -> Option<Self> {
        let known = (1..=MAX_COLUMNS as u32).contains(&columns) && (1..=MAX_ROWS).contains(&rows);
        (known && columns * (rows + 1) <= W::BITS).then(|| Self {
            bottom: (0..columns).fold(W::NONE, |bottom, column| bottom | W::bit(column * (rows + 1))),
            columns: columns as u8,
            rows: rows as u8,
        })
    }

    #[inline]
    fn columns(self) -> u32 {
        self.columns.into()
    }

    #[inline]
    fn rows(self) -> u32 {
        self.rows.into()
    }

    #[inline]
    fn bottom(self) -> W {
        self.bottom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the sets of squares of every size with a plain enumeration of columns and rows.
    #[test]
    fn the_sets_of_squares_are_what_they_say() {
        fn check<W: Squares>(columns: u32, rows: u32) -> bool {
            let Some(size) = AnySize::<W>::new(columns, rows) else { return false };
            let squares = |wanted: &dyn Fn(u32, u32) -> bool| {
                let all = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
                let wanted = all.filter(|&(column, row)| wanted(column, row));
                wanted.fold(W::NONE, |set, (column, row)| set | W::bit(column * (rows + 1) + row))
            };
            assert_eq!(size.board(), squares(&|_, _| true), "{size:?}");
            assert_eq!(size.board().count_ones(), size.squares());
            assert_eq!(size.bottom(), squares(&|_, row| row == 0));
            assert_eq!(size.odd_rows(), squares(&|_, row| row % 2 == 0));
            assert_eq!(size.even_rows(), squares(&|_, row| row % 2 == 1));
            let mut order: Vec<_> = (0..columns).map(|index| size.outwards(index)).collect();
            order.sort_unstable();
            assert_eq!(order, (0..columns).collect::<Vec<_>>());
            for column in 0..columns {
                assert_eq!(size.column(column), squares(&|other, _| other == column));
                assert_eq!(size.lowest(column), squares(&|other, row| other == column && row == 0));
                assert_eq!(size.highest(column), squares(&|other, row| other == column && row == rows - 1));
                assert_eq!(size.mirrored(size.column(column)), size.column(columns - 1 - column));
            }
            for count in 0..=rows {
                assert_eq!(size.lowest_rows(count), squares(&|_, row| row < count));
            }
            true
        }
        let all = || (0..40).flat_map(|columns| (0..70).map(move |rows| (columns, rows)));
        assert_eq!(all().filter(|&(columns, rows)| check::<u64>(columns, rows)).count(), 126);
        assert_eq!(all().filter(|&(columns, rows)| check::<Wide>(columns, rows)).count(), 193);
    }

    #[test]
    fn the_standard_size_is_the_free_one() {
        let (fixed, free) = (Standard::new(7, 6).unwrap(), Free::new(7, 6).unwrap());
        assert_eq!((fixed.bottom(), fixed.board(), fixed.odd_rows()), (free.bottom(), free.board(), free.odd_rows()));
        assert_eq!((0..7).map(|index| fixed.outwards(index)).collect::<Vec<_>>(), [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(Standard::new(6, 7), None);
    }
}
