//! Positions in 17 bytes: eight for Black's discs and eight for White's, the lowest byte first; then the side to move,
//! 0 or 1, plus twice the size of the board, 0 to 2.

use super::Othello;
use super::rules::{Discs, Size};
use crate::core::{Position, Records, Side};

impl Records for Othello {
    fn pack(&self, pos: &Discs) -> Vec<u8> {
        pack(pos).to_vec()
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Discs> {
        unpack(bytes.try_into().ok()?)
    }
}

/// The length of a packed position in bytes.
pub(crate) const BYTES: usize = 17;

pub(crate) fn pack(pos: &Discs) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes[..8].copy_from_slice(&pos.discs(Side::First).to_le_bytes());
    bytes[8..16].copy_from_slice(&pos.discs(Side::Second).to_le_bytes());
    bytes[16] = pos.turn() as u8 + 2 * pos.size() as u8;
    bytes
}

/// Unpacks a position; `None` unless the bytes are a position.
pub(crate) fn unpack(bytes: &[u8; BYTES]) -> Option<Discs> {
    let [low, high, last] = [&bytes[..8], &bytes[8..16], &bytes[16..]];
    let [black, white] = [u64::from_le_bytes(low.try_into().ok()?), u64::from_le_bytes(high.try_into().ok()?)];
    let size = *Size::ALL.get(usize::from(last[0] / 2))?;
    let turn = if last[0] % 2 == 0 { Side::First } else { Side::Second };
    let fits = black & white == 0 && (black | white) & !size.board() == 0;
    fits.then(|| Discs::new([black, white], turn, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_back() {
        for size in Size::ALL {
            let start = Discs::start(size);
            let next = start.after(crate::core::position::legal_moves(&start)[0]);
            for pos in [start, next] {
                assert_eq!(unpack(&pack(&pos)), Some(pos));
            }
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        let mut bytes = pack(&Discs::start(Size::Four));
        bytes[0] = 1;
        assert_eq!(unpack(&bytes), None, "a1 is not on the board of four");
        let mut bytes = pack(&Discs::start(Size::Eight));
        bytes[16] = 6;
        assert_eq!(unpack(&bytes), None);
        assert_eq!(unpack(&[255; BYTES]), None);
    }
}
