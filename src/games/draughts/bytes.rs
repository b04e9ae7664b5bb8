//! Positions in 23 bytes: seven each for the first player's pieces, the second player's, and the kings of both, the
//! lowest byte first; then the side to move, 0 or 1, and the plies without progress, at most 255.

use super::Draughts;
use super::geometry::Geometry;
use super::rules::Draughtsboard;
use super::text::validate;
use super::variant::{Settings, Variant};
use crate::core::{Position, Records, Side};

impl<V: Variant> Records for Draughts<V> {
    fn pack(&self, pos: &Draughtsboard<V>) -> Vec<u8> {
        pack(pos).to_vec()
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Draughtsboard<V>> {
        unpack(bytes.try_into().ok()?, self.settings)
    }
}

/// The length of a packed position in bytes.
pub(crate) const BYTES: usize = 23;

/// The bytes of a set of squares.
const SET: usize = 7;

pub(crate) fn pack<V: Variant>(pos: &Draughtsboard<V>) -> [u8; BYTES] {
    let [first, second] = [Side::First, Side::Second];
    let sets = [pos.pieces(first), pos.pieces(second), pos.kings(first) | pos.kings(second)];
    let mut bytes = [0; BYTES];
    for (bytes, set) in bytes.chunks_exact_mut(SET).zip(sets) {
        bytes.copy_from_slice(&set.to_le_bytes()[..SET]);
    }
    bytes[21] = pos.turn() as u8;
    bytes[22] = u8::try_from(pos.plies()).unwrap_or(u8::MAX);
    bytes
}

/// Unpacks a position; `None` unless the bytes are a legal position.
pub(crate) fn unpack<V: Variant>(bytes: &[u8; BYTES], settings: Settings) -> Option<Draughtsboard<V>> {
    let set = |number: usize| {
        let mut set = [0; 8];
        set[..SET].copy_from_slice(&bytes[SET * number..][..SET]);
        u64::from_le_bytes(set)
    };
    let (pieces, kings) = ([set(0), set(1)], set(2));
    let turn = match bytes[21] {
        0 => Side::First,
        1 => Side::Second,
        _ => return None,
    };
    let all = pieces[0] | pieces[1];
    let are_squares = all & !Geometry::<V>::ALL == 0 && pieces[0] & pieces[1] == 0 && kings & !all == 0;
    let is_legal = are_squares && validate::<V>(pieces, kings, turn).is_ok();
    is_legal.then(|| Draughtsboard::new(pieces, kings, turn, settings, bytes[22].into()))
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::super::variant::International;
    use super::*;

    const SETTINGS: Settings = Settings { limit: 50, joined: true };

    #[test]
    fn positions_are_read_back() {
        for text in ["W:W31-50:B1-20", "B:WK1,49:BK50,K5,20:H9", "W:W6:BK46"] {
            let pos = text::parse::<International>(text, SETTINGS).unwrap();
            assert_eq!(unpack(&pack(&pos), SETTINGS), Some(pos), "{text}");
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        let good = pack(&text::parse::<International>("W:W31-50:B1-20", SETTINGS).unwrap());
        for (index, value) in [(21, 2), (7, 255), (20, 255), (1, 255)] {
            let mut bytes = good;
            bytes[index] = value;
            let read = unpack::<International>(&bytes, SETTINGS);
            assert!(read.is_none(), "{index}");
        }
        assert!(unpack::<International>(&[255; BYTES], SETTINGS).is_none());
    }
}
