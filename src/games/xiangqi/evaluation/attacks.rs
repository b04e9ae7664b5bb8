//! The points that the pieces of a side attack.

use crate::games::xiangqi::geometry::{FILES, bit, file, point, rank};
use crate::games::xiangqi::piece::PieceKind;
use crate::games::xiangqi::sight::places;

/// The first kind of the attackers.
pub(crate) const FIRST_ATTACKER: usize = PieceKind::Horse as usize;

/// The points that a side's pieces attack.
#[derive(Clone, Copy, Default)]
pub struct Attacks {
    /// Horses, chariots, cannons, soldiers.
    pub attackers: [u128; 4],
    /// The advisors and elephants, each with the points that they attack.
    pub guards: [[u128; 2]; 2],
    /// All pieces.
    pub all: u128,
    /// The vacant points that cannons reach.
    pub cannon_moves: u128,
    /// The pieces of each kind.
    pub counts: [i32; 7],
}

/// Returns the points of the file and the rank of a point, given as bits from their beginnings.
#[inline]
pub(crate) fn lines(at: u8, [along, across]: [u16; 2]) -> u128 {
    let mut set = u128::from(across) << (rank(at) * FILES);
    for rank in places(along) {
        set |= bit(point(file(at), rank));
    }
    set
}
