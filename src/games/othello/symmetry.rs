//! The symmetries of the starting position: the reflections in both diagonals, and the half turn, which is both of
//! them. Tables merge the first positions of the game by them.

/// Reflect in the diagonal from a1 to h8.
const DIAGONAL: u32 = 1;

/// Rotate by half a turn.
const HALF_TURN: u32 = 2;

/// The symmetries, as sums of [`DIAGONAL`] and [`HALF_TURN`]. Each is its own inverse.
const ALL: [u32; 4] = [0, DIAGONAL, HALF_TURN, DIAGONAL + HALF_TURN];

/// Returns the set with columns and rows exchanged (delta swaps: Knuth, *The Art of Computer Programming* 4A, 7.1.3).
const fn transposed(set: u64) -> u64 {
    const fn swapped(set: u64, mask: u64, shift: u32) -> u64 {
        let changed = (set ^ set >> shift) & mask;
        set ^ changed ^ changed << shift
    }
    let set = swapped(set, 0x00aa_00aa_00aa_00aa, 7);
    let set = swapped(set, 0x0000_cccc_0000_cccc, 14);
    swapped(set, 0x0000_0000_f0f0_f0f0, 28)
}

const fn image(set: u64, symmetry: u32) -> u64 {
    let set = if symmetry & DIAGONAL == 0 { set } else { transposed(set) };
    if symmetry & HALF_TURN == 0 { set } else { set.reverse_bits() }
}

pub(crate) const fn image_of(square: u32, symmetry: u32) -> u32 {
    image(1 << (square % 64), symmetry).trailing_zeros()
}

/// Returns the lowest of the images of two sets, and the symmetry that gives it.
pub(crate) fn least(own: u64, opposing: u64) -> ([u64; 2], u32) {
    let images = ALL.map(|symmetry| ([image(own, symmetry), image(opposing, symmetry)], symmetry));
    images.into_iter().min().unwrap_or(images[0])
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Discs, Size};
    use super::*;
    use crate::core::Side;

    #[test]
    fn the_start_is_symmetric_and_symmetries_are_their_own_inverses() {
        for size in Size::ALL {
            let start = Discs::start(size);
            for side in [Side::First, Side::Second] {
                assert!(ALL.iter().all(|&symmetry| image(start.discs(side), symmetry) == start.discs(side)));
            }
        }
        for square in 0..64 {
            assert!(ALL.iter().all(|&symmetry| image_of(image_of(square, symmetry), symmetry) == square));
        }
        assert_eq!([image_of(1, DIAGONAL), image_of(1, HALF_TURN), image_of(1, 3)], [8, 62, 55], "b1: a2, g8, h7");
        let (images, symmetry) = least(1 << 62, 1 << 63);
        assert_eq!(images, least(1 << 1, 1).0);
        assert_eq!(images.map(|set| image(set, symmetry)), [1 << 62, 1 << 63]);
    }
}
