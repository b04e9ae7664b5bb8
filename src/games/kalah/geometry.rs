//! [`Geometry`]: constants derived from the number of houses and the capture rule of a [packed](super::packed) board.

use super::Capture;
use crate::games::sowing::words::ONES;
use crate::util::random::GOLDEN;
use std::sync::LazyLock;
use std::{array, fmt};

pub(super) const MAX_HOUSES: usize = 8;

/// The number of places on the mover's way around the largest board, plus one for counting from 0.
const LAP: usize = 2 * MAX_HOUSES + 2;

/// The seeds that sowing adds, and the place where it ends.
#[derive(Clone, Copy)]
pub(super) struct Sowing {
    pub(super) own: u64,
    pub(super) opposing: u64,
    pub(super) store: u8,
    /// The last place: `0..m` are the mover's houses, `m` is the store, higher places are the opponent's houses.
    pub(super) last: u8,
}

/// The constants for a number of houses per side and a capture rule.
pub(super) struct Geometry {
    pub(super) houses: u8,
    pub(super) capture: Capture,
    /// The salt of keys: houses and capture rule, spread over a word.
    pub(super) salt: u64,
    /// A mask of the bytes that hold houses.
    pub(super) board: u64,
    /// The number of seeds with which each house is [banking](super::Layout::banking); 1 or 128 in the bytes beyond.
    pub(super) ways: u64,
    /// The number of seeds that makes each house a [banking](super::Layout::banking) one; 1 or 128 in the bytes beyond.
    pub(super) banking: u64,
    /// By last house: in the byte of each house, the number of seeds that ends there within a lap. The byte of the last
    /// house itself and the bytes beyond the board have 128, which they do not contain when that house is empty.
    pub(super) reaching: [u64; MAX_HOUSES],
    /// By origin, and by the number of seeds without whole laps.
    sowings: [[Sowing; LAP]; MAX_HOUSES],
}

static GEOMETRIES: LazyLock<[[Geometry; MAX_HOUSES]; 2]> = LazyLock::new(|| {
    [Capture::Standard, Capture::Empty].map(|capture| array::from_fn(|at| Geometry::new(at + 1, capture)))
});

impl Geometry {
    /// Returns the geometry of a board of 1 to 8 houses per side; for more, that of 8.
    #[inline]
    pub(super) fn get(houses: usize, capture: Capture) -> &'static Self {
        &GEOMETRIES[capture as usize][houses.clamp(1, MAX_HOUSES) - 1]
    }

    /// Returns the number of seeds in a whole lap.
    #[inline]
    pub(super) const fn lap(&self) -> u8 {
        2 * self.houses + 1
    }

    /// Returns the seeds that sowing adds, without whole laps.
    #[inline]
    pub(super) fn sowing(&self, house: usize, seeds: u8) -> &Sowing {
        let rest = if seeds >= self.lap() { seeds % self.lap() } else { seeds };
        &self.sowings[house][usize::from(rest)]
    }

    fn new(houses: usize, capture: Capture) -> Self {
        let rules = (houses as u64) << 1 | capture as u64;
        let lap = 2 * houses + 1;
        let ways = bytes(|house| if house < houses { houses - house } else { 128 });
        Self {
            houses: houses as u8,
            capture,
            salt: (rules + 1).wrapping_mul(GOLDEN),
            board: u64::MAX >> (64 - 8 * houses),
            ways,
            banking: match capture {
                Capture::Empty => ONES,
                Capture::Standard => ways,
            },
            reaching: array::from_fn(|last| {
                bytes(|house| if house == last || house >= houses { 128 } else { (last + lap - house) % lap })
            }),
            sowings: array::from_fn(|origin| sowings(houses, origin)),
        }
    }
}

/// Returns the word with these bytes, one for each house of the largest board.
fn bytes(byte: impl Fn(usize) -> usize) -> u64 {
    (0..MAX_HOUSES).fold(0, |word, house| word | (byte(house) as u64) << (8 * house))
}

/// Returns what is sown from a house, by the number of seeds.
fn sowings(houses: usize, origin: usize) -> [Sowing; LAP] {
    let (mut sowing, mut place) = (Sowing { own: 0, opposing: 0, store: 0, last: origin as u8 }, origin);
    array::from_fn(|_| {
        let sown = Sowing { last: place as u8, ..sowing };
        place = (place + 1) % (2 * houses + 1);
        if place < houses {
            sowing.own += 1 << (8 * place);
        } else if place == houses {
            sowing.store += 1;
        } else {
            sowing.opposing += 1 << (8 * (place - houses - 1));
        }
        sown
    })
}

impl PartialEq for Geometry {
    fn eq(&self, other: &Self) -> bool {
        (self.houses, self.capture) == (other.houses, other.capture)
    }
}

impl Eq for Geometry {}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} houses, {} captures", self.houses, self.capture.name())
    }
}
