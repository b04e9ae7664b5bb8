//! The rules of Connect Four in two words of bits.
//!
//! A column is `rows + 1` bits, its lowest square first. The bit above its highest square stays empty, so that no four
//! extends over the top of one column into the next (Tromp, Fhourstones; Pons, "Solving Connect Four", 2015):
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
//! Adding the lowest square of a column to the occupied squares carries into its lowest vacant square.

use super::size::Size;
use super::squares::Squares;
use crate::core::position::LOCAL_BITS;
use crate::core::{Outcome, Position, Side};
use crate::util::random::{GOLDEN, mixed};

/// A move: a column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(pub u8);

/// A position: the stones of the side to move, and the occupied squares. Their number determines the side to move.
///
/// Sets of squares are words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid<S: Size> {
    own: S::Set,
    occupied: S::Set,
    /// The vacant squares that complete a four for the side to move, and for the other side. A move changes one of the
    /// sets.
    threats: [S::Set; 2],
    /// Whether the side that moved last has a four.
    won: bool,
    /// The number of stones.
    stones: u8,
    size: S,
}

impl<S: Size> Grid<S> {
    /// Returns the empty board.
    pub fn empty(size: S) -> Self {
        Self::with_stones(size, S::Set::NONE, S::Set::NONE)
    }

    /// Creates the position with these stones of the side to move and these occupied squares.
    fn with_stones(size: S, own: S::Set, occupied: S::Set) -> Self {
        let stones = occupied.count_ones() as u8;
        let bare = Self { own, occupied, threats: [S::Set::NONE; 2], won: false, stones, size };
        let opposing = own ^ occupied;
        let threats = [bare.completing(own), bare.completing(opposing)];
        Self { threats, won: bare.has_four(opposing), ..bare }
    }

    /// Creates the position with these stones of the first and the second player; `None` unless every stone rests on
    /// the bottom or on another stone, the players take turns, and the side to move has no four.
    pub fn with(size: S, [first, second]: [S::Set; 2]) -> Option<Self> {
        let occupied = first | second;
        let rests =
            (occupied & size.board()) == occupied && (((occupied & !size.bottom()) >> 1) & !occupied).is_empty();
        let (x, o) = (first.count_ones(), second.count_ones());
        let grid = Self::with_stones(size, if x == o { first } else { second }, occupied);
        let regular = !first.meets(second) && rests && (x == o || x == o + 1);
        (regular && !grid.has_four(grid.own)).then_some(grid)
    }

    /// Returns the size of the board.
    #[inline]
    pub fn size(&self) -> S {
        self.size
    }

    /// Returns the stones of the side to move.
    #[inline]
    pub(crate) fn own(&self) -> S::Set {
        self.own
    }

    /// Returns the stones of the other side, which moved last.
    #[inline]
    pub(crate) fn opposing(&self) -> S::Set {
        self.own ^ self.occupied
    }

    /// Returns the stones of a player.
    #[inline]
    pub fn stones_of(&self, side: Side) -> S::Set {
        if side == self.turn() { self.own } else { self.opposing() }
    }

    /// Returns the occupied squares.
    #[inline]
    pub fn occupied(&self) -> S::Set {
        self.occupied
    }

    /// Returns the vacant squares.
    #[inline]
    pub fn vacant(&self) -> S::Set {
        self.occupied ^ self.size.board()
    }

    /// Returns the number of stones, which is the number of plies played.
    #[inline]
    pub fn stones(&self) -> u32 {
        self.stones.into()
    }

    /// Returns the number of plies until the board is full.
    #[inline]
    pub fn left(&self) -> u32 {
        self.size.squares() - self.stones()
    }

    /// Returns the squares that the next stone can occupy, one in each column that is not full, even after a win.
    #[inline]
    pub fn playable(&self) -> S::Set {
        (self.occupied + self.size.bottom()) & self.size.board()
    }

    /// Returns the vacant squares that complete a four of these stones, whether or not they are playable now.
    #[inline]
    pub(crate) fn completing(&self, stones: S::Set) -> S::Set {
        let up = (stones << 1) & (stones << 2) & (stones << 3);
        let rows = self.size.rows();
        let found = [rows, rows + 1, rows + 2].into_iter().fold(up, |found, shift| {
            // A gap at either end of three, or between one and two.
            let before = (stones << shift) & (stones << (2 * shift));
            let behind = (stones >> shift) & (stones >> (2 * shift));
            let ends = (before & (stones << (3 * shift))) | (behind & (stones >> (3 * shift)));
            found | ends | (before & (stones >> shift)) | (behind & (stones << shift))
        });
        found & self.vacant()
    }

    /// Returns the vacant squares that complete a four for a player.
    #[inline]
    pub fn winning(&self, side: Side) -> S::Set {
        self.completing(self.stones_of(side))
    }

    /// Returns the number of non-vertical lines of four with two of these stones and two vacant squares.
    #[inline]
    pub(crate) fn pairs(&self, stones: S::Set) -> i32 {
        let (rows, vacant) = (self.size.rows(), self.vacant());
        let along = |shift: u32| {
            let (b, c, d) = (stones >> shift, stones >> (2 * shift), stones >> (3 * shift));
            let (q, r, s) = (vacant >> shift, vacant >> (2 * shift), vacant >> (3 * shift));
            (stones & b & r & s) | (vacant & q & c & d) | (((stones & q) | (vacant & b)) & ((c & s) | (d & r)))
        };
        let (x, y, z) = (along(rows), along(rows + 1), along(rows + 2));
        // Bitwise addition of three sets: the ones and the twos of the sum.
        let (ones, twos) = (x ^ y ^ z, (x & y) | (z & (x ^ y)));
        (ones.count_ones() + 2 * twos.count_ones()).cast_signed()
    }

    /// Returns whether these stones contain a four.
    #[inline]
    pub(crate) fn has_four(&self, stones: S::Set) -> bool {
        let rows = self.size.rows();
        let fours = [1, rows, rows + 1, rows + 2].into_iter().fold(S::Set::NONE, |fours, shift| {
            let pairs = stones & (stones >> shift);
            fours | (pairs & (pairs >> (2 * shift)))
        });
        !fours.is_empty()
    }

    /// Returns whether the side that moved last has won.
    #[inline]
    pub fn is_won(&self) -> bool {
        self.won
    }

    /// Returns the vacant squares that complete a four for the side to move, and for the other side, whether or not
    /// they are playable now.
    #[inline]
    pub(crate) fn threats(&self) -> [S::Set; 2] {
        self.threats
    }

    /// Returns the squares where the side to move wins immediately.
    #[inline]
    pub fn winning_now(&self) -> S::Set {
        self.threats[0] & self.playable()
    }

    /// Returns the [playable](Self::playable) squares after which the other side does not win immediately. If there is
    /// none, and the side to move cannot win immediately, it has lost.
    #[inline]
    pub fn safe(&self) -> S::Set {
        let (playable, threats) = (self.playable(), self.threats[1]);
        let urgent = playable & threats;
        // One threat must be met, two cannot be; and a stone directly below a threat loses.
        let met = if urgent.is_empty() {
            playable
        } else if urgent.is_power_of_two() {
            urgent
        } else {
            S::Set::NONE
        };
        met & !(threats >> 1)
    }

    /// Returns the position after a stone on a [playable](Self::playable) square.
    #[inline]
    pub fn placed(&self, square: S::Set) -> Self {
        let placed = Self { own: self.opposing(), occupied: self.occupied | square, stones: self.stones + 1, ..*self };
        let threats = [self.threats[1] & !square, placed.completing(self.own | square)];
        Self { threats, won: self.threats[0].meets(square), ..placed }
    }

    /// Returns the playable square of a column; empty if the column is full.
    #[inline]
    pub fn landing(&self, column: Column) -> S::Set {
        (self.occupied + self.size.lowest(column.0.into())) & self.size.column(column.0.into())
    }

    /// Returns the column of a square.
    #[inline]
    pub fn column_of(&self, square: S::Set) -> Column {
        Column((square.trailing_zeros() / (self.size.rows() + 1)) as u8)
    }

    /// Returns the mirror image: the first column becomes the last.
    #[inline]
    pub fn mirrored(&self) -> Self {
        let image = |squares: S::Set| self.size.mirrored(squares);
        let (own, occupied) = (image(self.own), image(self.occupied));
        let threats = [image(self.threats[0]), image(self.threats[1])];
        Self { own, occupied, threats, ..*self }
    }

    /// Returns a number unique to the position among those of this size, below 2 to the power of `columns * (rows +
    /// 1)`: in each column, the occupied squares plus the stones of the side to move (Pons).
    #[inline]
    pub fn number(&self) -> S::Set {
        self.own + self.occupied
    }
}

impl<S: Size> Position for Grid<S> {
    type Move = Column;
    const CODES: usize = S::Set::BITS as usize;

    #[inline]
    fn turn(&self) -> Side {
        if self.stones() & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.occupied == self.size.board() || self.is_won()
    }

    /// The middle columns come first, then outwards, alternating sides.
    #[inline]
    fn moves(&self, out: &mut Vec<Column>) {
        if self.is_won() {
            return;
        }
        let (mut columns, mut count) = ([Column(0); super::MAX_COLUMNS], 0);
        for index in 0..self.size.columns() {
            let column = self.size.outwards(index);
            columns[count] = Column(column as u8);
            count += usize::from(!self.occupied.meets(self.size.highest(column)));
        }
        out.extend_from_slice(&columns[..count]);
    }

    fn outcome(&self) -> Outcome {
        if self.is_won() { Outcome::Loss } else { Outcome::Draw }
    }

    #[inline]
    fn after(&self, mv: Column) -> Self {
        self.placed(self.landing(mv))
    }

    /// Neighbours in the tree share the stones of the two lowest rows, and with them the region of the table. The other
    /// bits are unique as long as the number fits them, for instance on boards of 7 x 6: each step of their mixer is
    /// invertible (Stafford's variant 13, truncated). Bits of the number that do not fit are first mixed separately: if
    /// they were folded unmixed, two columns that exchange stones would cancel out.
    #[inline]
    fn key(&self) -> u64 {
        const OTHERS: u64 = u64::MAX >> LOCAL_BITS;
        let number = self.number();
        let near = number & (self.size().bottom() | self.size().bottom() << 1);
        let fits = self.size().columns() * (self.size().rows() + 1) <= OTHERS.count_ones();
        let rest = if fits { 0 } else { mixed((number >> OTHERS.count_ones()).digest()) };
        let mut others = (number.low() ^ rest) & OTHERS;
        others = (others ^ others >> 26).wrapping_mul(0xbf58_476d_1ce4_e5b9) & OTHERS;
        others = (others ^ others >> 25).wrapping_mul(0x94d0_49bb_1331_11eb) & OTHERS;
        mixed(near.digest().wrapping_add(GOLDEN)) & !OTHERS | (others ^ others >> 27)
    }

    /// The square that the stone occupies, so that the history heuristic distinguishes the squares of a column.
    #[inline]
    fn code(&self, mv: Column) -> u16 {
        self.landing(mv).trailing_zeros() as u16
    }
}
