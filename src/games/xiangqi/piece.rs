//! [`Piece`]: the contents of a point.

use crate::core::Side;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// The general, or king.
    General,
    /// The advisor, or guard.
    Advisor,
    /// The elephant, or bishop.
    Elephant,
    /// The horse, or knight.
    Horse,
    /// The chariot, or rook.
    Chariot,
    /// The cannon.
    Cannon,
    /// The soldier, or pawn.
    Soldier,
}

impl PieceKind {
    /// All kinds, in the order of their numbers.
    pub(crate) const ALL: [Self; 7] =
        [Self::General, Self::Advisor, Self::Elephant, Self::Horse, Self::Chariot, Self::Cannon, Self::Soldier];
}

/// The contents of a point: a piece of a side, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece(u8);

impl Piece {
    pub(crate) const NONE: Self = Self(7);

    /// The number of values, for tables.
    pub(crate) const COUNT: usize = 16;

    #[inline]
    pub(crate) const fn new(kind: PieceKind, side: Side) -> Self {
        Self((side as u8) << 3 | kind as u8)
    }

    /// Returns the kind; `None` without a piece.
    #[inline]
    pub(crate) const fn kind(self) -> Option<PieceKind> {
        match self.0 & 7 {
            0 => Some(PieceKind::General),
            1 => Some(PieceKind::Advisor),
            2 => Some(PieceKind::Elephant),
            3 => Some(PieceKind::Horse),
            4 => Some(PieceKind::Chariot),
            5 => Some(PieceKind::Cannon),
            6 => Some(PieceKind::Soldier),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn side(self) -> Side {
        if self.0 & 8 == 0 { Side::First } else { Side::Second }
    }

    /// Returns a number below [`COUNT`](Self::COUNT).
    #[inline]
    pub(crate) const fn index(self) -> usize {
        (self.0 & 15) as usize
    }
}
