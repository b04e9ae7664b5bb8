//! Positions in 29 bytes.
//!
//! | bytes | contents |
//! |---|---|
//! | 12 | the occupied points, a bit each, the lowest point in the lowest bit; bit 95 is set if Black is to move |
//! | 16 | the piece on each of them in this order, four bits each, the lower half of a byte first |
//! | 1 | plies without a capture |
//!
//! A piece is the number of its [kind](PieceKind); bit 3 is set for Black. The move number is not stored.

use super::Xiangqi;
use super::fen;
use super::geometry::{POINTS, points};
use super::piece::{Piece, PieceKind};
use super::rules::Xiangqiboard;
use crate::core::{Position, Records, Side};

impl Records for Xiangqi {
    fn pack(&self, pos: &Xiangqiboard) -> Vec<u8> {
        pack(pos).to_vec()
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Xiangqiboard> {
        unpack(bytes.try_into().ok()?)
    }
}

/// The length of a packed position in bytes.
pub(crate) const BYTES: usize = 29;

/// The bytes of the set of points.
const SET: usize = 12;

/// The byte of the plies.
const PLIES: usize = 28;

/// The bit of the side to move.
const BLACK: u128 = 1 << 95;

pub(crate) fn pack(pos: &Xiangqiboard) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let turn = if pos.turn() == Side::Second { BLACK } else { 0 };
    bytes[..SET].copy_from_slice(&(pos.occupied() | turn).to_le_bytes()[..SET]);
    for (index, at) in points(pos.occupied()).enumerate() {
        if let Some(byte) = bytes[SET..PLIES].get_mut(index / 2) {
            *byte |= (pos.piece(at).index() as u8) << (4 * (index % 2));
        }
    }
    bytes[PLIES] = pos.plies() as u8;
    bytes
}

/// Unpacks a position; `None` unless the bytes are a legal position.
pub(crate) fn unpack(bytes: &[u8; BYTES]) -> Option<Xiangqiboard> {
    let mut set = [0; 16];
    set[..SET].copy_from_slice(&bytes[..SET]);
    let set = u128::from_le_bytes(set);
    let (turn, occupied) = (if set & BLACK == 0 { Side::First } else { Side::Second }, set & !BLACK);
    if occupied >> POINTS != 0 {
        return None;
    }
    let mut cells = [Piece::NONE; POINTS];
    for (index, at) in points(occupied).enumerate() {
        let code = bytes[SET..PLIES].get(index / 2)? >> (4 * (index % 2)) & 15;
        let kind = *PieceKind::ALL.get(usize::from(code & 7))?;
        cells[usize::from(at)] = Piece::new(kind, if code & 8 == 0 { Side::First } else { Side::Second });
    }
    fen::board(cells, turn, bytes[PLIES].into(), 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_back() {
        for text in [
            fen::START,
            "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 b - - 7 1",
            "3k5/9/9/9/9/9/9/9/9/4K4 w - - 120 1",
        ] {
            let pos = fen::parse(text).unwrap();
            assert_eq!(unpack(&pack(&pos)), Some(pos), "{text}");
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        let good = pack(&fen::parse(fen::START).unwrap());
        // A piece off the board, one without a kind, a general outside its palace.
        for (index, value) in [(11, 0x10), (12, 0x47), (12, 0)] {
            let mut bytes = good;
            bytes[index] = value;
            assert!(unpack(&bytes).is_none(), "{index}");
        }
        assert!(unpack(&[0; BYTES]).is_none() && unpack(&[255; BYTES]).is_none());
    }
}
