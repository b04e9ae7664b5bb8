//! [`Piece`]: the contents of a point.

use super::geometry::{ADVISORS, ELEPHANTS, PALACE, POINTS, SOLDIERS};
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

    /// Returns the kind that a letter of FEN or of WXF notation names, a capital or not.
    pub(crate) fn named(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|kind| letter == kind.row().fen || letter == char::from(kind.row().wxf))
    }

    pub(crate) const fn row(self) -> &'static KindRow {
        &ROWS[self as usize]
    }
}

/// The properties of a kind of piece.
pub(crate) struct KindRow {
    /// The letter in FEN, that of Red.
    pub fen: char,
    /// The letter in WXF notation.
    pub wxf: u8,
    pub name: &'static str,
    /// The Chinese characters of Red's piece and of Black's.
    pub characters: [&'static str; 2],
    /// The number of pieces that a side has at the start.
    pub most: usize,
    /// The points where Red's piece can stand, and those where Black's can.
    pub region: [u128; 2],
}

const ANYWHERE: [u128; 2] = [(1 << POINTS) - 1; 2];

/// In the order of the kinds.
static ROWS: [KindRow; 7] = [
    KindRow { fen: 'K', wxf: b'K', name: "general", characters: ["帥", "將"], most: 1, region: PALACE },
    KindRow { fen: 'A', wxf: b'A', name: "advisor", characters: ["仕", "士"], most: 2, region: ADVISORS },
    KindRow { fen: 'B', wxf: b'E', name: "elephant", characters: ["相", "象"], most: 2, region: ELEPHANTS },
    KindRow { fen: 'N', wxf: b'H', name: "horse", characters: ["傌", "馬"], most: 2, region: ANYWHERE },
    KindRow { fen: 'R', wxf: b'R', name: "chariot", characters: ["俥", "車"], most: 2, region: ANYWHERE },
    KindRow { fen: 'C', wxf: b'C', name: "cannon", characters: ["炮", "砲"], most: 2, region: ANYWHERE },
    KindRow { fen: 'P', wxf: b'P', name: "soldier", characters: ["兵", "卒"], most: 5, region: SOLDIERS },
];

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
