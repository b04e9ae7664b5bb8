//! The rules of Connect Four on two machine words.
//!
//! A column is `rows + 1` bits, its lowest square first. The bit above its highest square stays empty, so that no four
//! runs over the top of one column into the next (Tromp, Fhourstones; Pons, "Solving Connect Four", 2015):
//!
//! ```text
//!       6 13 20 27 34 41 48      the sentinels
//!     +---------------------+
//!   6 | 5 12 19 26 33 40 47 |
//!   5 | 4 11 18 25 32 39 46 |    the four directions, as shifts:
//!   4 | 3 10 17 24 31 38 45 |      1         up
//!   3 | 2  9 16 23 30 37 44 |      rows      right and down
//!   2 | 1  8 15 22 29 36 43 |      rows + 1  right
//!   1 | 0  7 14 21 28 35 42 |      rows + 2  right and up
//!     +---------------------+
//!       1  2  3  4  5  6  7
//! ```
//!
//! Adding the lowest square of a column to the occupied squares carries a bit to its lowest empty one.

use super::size::Size;
use crate::core::{Outcome, Position, Side};

/// A move: a column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(pub u8);

/// A position: the stones of the side to move, and the squares that are taken. Whose turn it is follows from their number.
///
/// Sets of squares are words as the [module](self) shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid<S> {
    own: u64,
    occupied: u64,
    size: S,
}

impl<S: Size> Grid<S> {
    /// The empty board.
    #[must_use]
    pub fn empty(size: S) -> Self {
        Self { own: 0, occupied: 0, size }
    }

    /// The board with these stones of the first and the second player; `None` unless every stone lies on the floor or on
    /// another one, the players take turns, and the side to move has no four yet.
    #[must_use]
    pub fn with(size: S, [first, second]: [u64; 2]) -> Option<Self> {
        let occupied = first | second;
        let rests = (occupied & size.board()) == occupied && ((occupied & !size.bottom()) >> 1) & !occupied == 0;
        let (x, o) = (first.count_ones(), second.count_ones());
        let grid = Self { own: if x == o { first } else { second }, occupied, size };
        let regular = first & second == 0 && rests && (x == o || x == o + 1);
        (regular && !grid.has_four(grid.own)).then_some(grid)
    }

    /// The size of the board.
    #[inline]
    #[must_use]
    pub fn size(&self) -> S {
        self.size
    }

    /// The stones of the side to move.
    #[inline]
    #[must_use]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The stones of the other side, which moved last.
    #[inline]
    #[must_use]
    pub fn opposing(&self) -> u64 {
        self.own ^ self.occupied
    }

    /// The stones of a player.
    #[inline]
    #[must_use]
    pub fn stones_of(&self, side: Side) -> u64 {
        if side == self.turn() { self.own } else { self.opposing() }
    }

    /// The squares that are taken.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// The squares that are not.
    #[inline]
    #[must_use]
    pub fn vacant(&self) -> u64 {
        self.occupied ^ self.size.board()
    }

    /// The number of stones, which is the number of plies played.
    #[inline]
    #[must_use]
    pub fn stones(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The number of plies to a full board.
    #[inline]
    #[must_use]
    pub fn left(&self) -> u32 {
        self.size.squares() - self.stones()
    }

    /// The squares on which the next stone can come to lie, one in each column that is not full; by the rules of movement
    /// alone: also where somebody has won.
    #[inline]
    #[must_use]
    pub fn playable(&self) -> u64 {
        (self.occupied + self.size.bottom()) & self.size.board()
    }

    /// The vacant squares that complete a four of these stones, whether or not they can be reached now.
    #[inline]
    #[must_use]
    pub fn completing(&self, stones: u64) -> u64 {
        let up = (stones << 1) & (stones << 2) & (stones << 3);
        let rows = self.size.rows();
        let found = [rows, rows + 1, rows + 2].into_iter().fold(up, |found, shift| {
            // A hole at either end of three, or between one and two.
            let before = (stones << shift) & (stones << (2 * shift));
            let behind = (stones >> shift) & (stones >> (2 * shift));
            let ends = (before & (stones << (3 * shift))) | (behind & (stones >> (3 * shift)));
            found | ends | (before & (stones >> shift)) | (behind & (stones << shift))
        });
        found & self.vacant()
    }

    /// The vacant squares that complete a four for a player.
    #[inline]
    #[must_use]
    pub fn winning(&self, side: Side) -> u64 {
        self.completing(self.stones_of(side))
    }

    /// Whether there is a four among these stones.
    #[inline]
    #[must_use]
    pub fn has_four(&self, stones: u64) -> bool {
        let rows = self.size.rows();
        let fours = [1, rows, rows + 1, rows + 2].into_iter().fold(0, |fours, shift| {
            let pairs = stones & (stones >> shift);
            fours | (pairs & (pairs >> (2 * shift)))
        });
        fours != 0
    }

    /// Whether the side that moved last has won.
    #[inline]
    #[must_use]
    pub fn is_won(&self) -> bool {
        self.has_four(self.opposing())
    }

    /// The squares where the side to move wins at once.
    #[inline]
    #[must_use]
    pub fn winning_now(&self) -> u64 {
        self.completing(self.own) & self.playable()
    }

    /// The [playable](Self::playable) squares after which the other side does not win at once. Where the side to move
    /// cannot win at once itself and there is none, it has lost.
    #[inline]
    #[must_use]
    pub fn safe(&self) -> u64 {
        let (playable, threats) = (self.playable(), self.completing(self.opposing()));
        let urgent = playable & threats;
        // One threat must be met, two cannot be; and no stone goes below a threat.
        let met = match urgent {
            0 => playable,
            _ if urgent.is_power_of_two() => urgent,
            _ => 0,
        };
        met & !(threats >> 1)
    }

    /// The position after a stone on a [playable](Self::playable) square.
    #[inline]
    #[must_use]
    pub fn placed(&self, square: u64) -> Self {
        Self { own: self.opposing(), occupied: self.occupied | square, size: self.size }
    }

    /// The playable square of a column; none if the column is full.
    #[inline]
    #[must_use]
    pub fn landing(&self, column: Column) -> u64 {
        (self.occupied + self.size.lowest(column.0.into())) & self.size.column(column.0.into())
    }

    /// The column of a square.
    #[inline]
    #[must_use]
    pub fn column_of(&self, square: u64) -> Column {
        Column((square.trailing_zeros() / (self.size.rows() + 1)) as u8)
    }

    /// The position in a mirror: the first column becomes the last.
    #[inline]
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { own: self.size.mirrored(self.own), occupied: self.size.mirrored(self.occupied), size: self.size }
    }

    /// A number that no other position of this size has, below 2 to the power of `columns * (rows + 1)`: in each
    /// column the taken squares and the own stones, added (Pons).
    #[inline]
    #[must_use]
    pub fn number(&self) -> u64 {
        self.own + self.occupied
    }
}

impl<S: Size> Position for Grid<S> {
    type Move = Column;
    const CODES: usize = super::MAX_COLUMNS;

    #[inline]
    fn turn(&self) -> Side {
        if self.stones() & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.occupied == self.size.board() || self.is_won()
    }

    /// The middle first, then from side to side.
    #[inline]
    fn moves(&self, out: &mut Vec<Column>) {
        if self.is_won() {
            return;
        }
        let (mut columns, mut count) = ([Column(0); super::MAX_COLUMNS], 0);
        for index in 0..self.size.columns() {
            let column = self.size.outwards(index);
            columns[count] = Column(column as u8);
            count += usize::from(self.occupied & self.size.highest(column) == 0);
        }
        out.extend_from_slice(&columns[..count]);
    }

    fn outcome(&self) -> Outcome {
        if self.is_won() { Outcome::Loss } else { Outcome::Draw }
    }

    #[inline]
    fn after(&self, mv: Column) -> Self {
        let occupied = self.occupied | (self.occupied + self.size.lowest(mv.0.into()));
        Self { own: self.opposing(), occupied, size: self.size }
    }

    /// No two positions of one size share it: each step can be undone (Stafford's mixer, variant 13).
    #[inline]
    fn key(&self) -> u64 {
        let mixed = self.number().wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    #[inline]
    fn code(&self, mv: Column) -> u16 {
        mv.0.into()
    }
}
