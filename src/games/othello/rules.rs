//! Positions and moves.

use super::bits::{flips, reached, squares};
use crate::core::{Outcome, Position, Side};
use crate::util::random::{GOLDEN, folded};

/// The sizes of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// 4 x 4.
    Four,
    /// 6 x 6.
    Six,
    /// 8 x 8.
    Eight,
}

impl Size {
    /// All sizes.
    pub const ALL: [Self; 3] = [Self::Four, Self::Six, Self::Eight];

    /// Returns the number of squares of a row.
    #[inline]
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Self::Four => 4,
            Self::Six => 6,
            Self::Eight => 8,
        }
    }

    /// Returns the set of the squares.
    #[inline]
    #[must_use]
    pub const fn board(self) -> u64 {
        match self {
            Self::Four => 0x0000_3c3c_3c3c_0000,
            Self::Six => 0x007e_7e7e_7e7e_7e00,
            Self::Eight => u64::MAX,
        }
    }

    /// Returns the square of a row and a column, counted from 0.
    pub(crate) const fn square(self, row: u32, column: u32) -> u32 {
        let margin = (8 - self.width()) / 2;
        (row + margin) * 8 + column + margin
    }
}

/// A move: a disc on a square, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Disc(pub u8);

impl Disc {
    /// The pass, which the rules force on a side that cannot flip a disc.
    pub const PASS: Self = Self(64);

    /// Returns the square as a set; empty for a pass.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        if self.0 < 64 { 1 << self.0 } else { 0 }
    }
}

/// A position. The squares that the side to move can take are part of it, because every position needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discs {
    own: u64,
    opposing: u64,
    mobile: u64,
    turn: Side,
    size: Size,
}

impl Discs {
    /// Creates a position from the discs of the first player, Black, and of the second. They must be on the board, and
    /// on different squares.
    #[must_use]
    pub fn new([black, white]: [u64; 2], turn: Side, size: Size) -> Self {
        let [own, opposing] = if turn == Side::First { [black, white] } else { [white, black] };
        Self::with(own, opposing, turn, size)
    }

    /// Returns the starting position: two discs of each colour in the middle, Black to move.
    #[must_use]
    pub fn start(size: Size) -> Self {
        Self::new([0x0000_0008_1000_0000, 0x0000_0010_0800_0000], Side::First, size)
    }

    #[inline(always)]
    fn with(own: u64, opposing: u64, turn: Side, size: Size) -> Self {
        let mobile = reached(own, opposing) & size.board() & !(own | opposing);
        Self { own, opposing, mobile, turn, size }
    }

    /// Returns the discs of the side to move.
    #[inline]
    #[must_use]
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// Returns the discs of the opponent.
    #[inline]
    #[must_use]
    pub const fn opposing(&self) -> u64 {
        self.opposing
    }

    /// Returns the discs of a player.
    #[must_use]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.turn { self.own } else { self.opposing }
    }

    /// Returns the vacant squares.
    #[inline]
    #[must_use]
    pub const fn vacant(&self) -> u64 {
        self.size.board() & !(self.own | self.opposing)
    }

    /// Returns the squares that the side to move can take.
    #[inline]
    pub(crate) const fn mobile(&self) -> u64 {
        self.mobile
    }

    /// Returns the squares that the opponent could take if it were to move.
    #[inline]
    pub(crate) fn opposing_mobile(&self) -> u64 {
        reached(self.opposing, self.own) & self.vacant()
    }

    /// Returns the size of the board.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the lead in discs of the side to move. The vacant squares of a finished game count for the winner (rules
    /// of the World Othello Federation).
    #[inline]
    pub(crate) fn final_lead(&self) -> i32 {
        let lead = self.own.count_ones().cast_signed() - self.opposing.count_ones().cast_signed();
        lead + lead.signum() * self.vacant().count_ones().cast_signed()
    }

    #[inline]
    pub(crate) fn turned_over(&self, mv: Disc) -> u64 {
        if mv == Disc::PASS { 0 } else { flips(self.own, self.opposing, mv.0.into()) }
    }
}

impl Position for Discs {
    type Move = Disc;
    const CODES: usize = 65;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Disc>) {
        if self.mobile == 0 && !self.is_over() {
            out.push(Disc::PASS);
        }
        for square in squares(self.mobile) {
            out.push(Disc(square as u8));
        }
    }

    /// The game is over once neither side can flip a disc.
    #[inline]
    fn is_over(&self) -> bool {
        self.mobile == 0 && self.opposing_mobile() == 0
    }

    #[inline]
    fn outcome(&self) -> Outcome {
        Outcome::Margin(self.final_lead() as i16)
    }

    #[inline]
    fn after(&self, mv: Disc) -> Self {
        let turned = self.turned_over(mv);
        let own = self.own | turned | mv.bit();
        Self::with(self.opposing & !turned, own, self.turn.other(), self.size)
    }

    #[inline]
    fn key(&self) -> u64 {
        mixed(self.own, self.opposing, self.turn as u64 + 2 * self.size as u64)
    }

    #[inline]
    fn code(&self, mv: Disc) -> u16 {
        mv.0.into()
    }
}

/// Returns a hash of two sets of discs and of another number.
#[inline]
pub(super) fn mixed(own: u64, opposing: u64, other: u64) -> u64 {
    let first = folded(own ^ GOLDEN, 0xd1b5_4a32_d192_ed03);
    let second = folded(opposing ^ 0xa076_1d64_78bd_642f, 0x8bb8_4b93_962e_acc9 ^ other << 1);
    folded(first ^ second.rotate_left(32), GOLDEN) ^ other.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::position::legal_moves;

    #[test]
    fn black_begins_with_four_moves() {
        for size in Size::ALL {
            let start = Discs::start(size);
            assert_eq!(legal_moves(&start).len(), 4);
            assert_eq!(start.vacant().count_ones(), size.width() * size.width() - 4);
        }
        let squares: Vec<_> = legal_moves(&Discs::start(Size::Eight)).iter().map(|mv| mv.0).collect();
        assert_eq!(squares, [19, 26, 37, 44], "d3, c4, f5 and e6");
    }

    #[test]
    fn a_side_without_a_move_passes_and_two_such_sides_end_the_game() {
        // Black has a1, White b1; White can take nothing, Black takes c1.
        let pos = Discs::new([1, 2], Side::Second, Size::Eight);
        assert_eq!(legal_moves(&pos), [Disc::PASS]);
        let end = pos.after(Disc::PASS).after(Disc(2));
        assert_eq!((end.is_over(), legal_moves(&end).len(), end.outcome()), (true, 0, Outcome::Margin(-64)));
    }

    #[test]
    fn vacant_squares_count_for_the_winner() {
        let even = Discs::new([1, 1 << 63], Side::First, Size::Eight);
        assert_eq!((even.is_over(), even.outcome()), (true, Outcome::Margin(0)));
        let ahead = Discs::new([0x0101, 1 << 63], Side::Second, Size::Eight);
        assert_eq!((ahead.is_over(), ahead.outcome()), (true, Outcome::Margin(-62)));
    }
}
