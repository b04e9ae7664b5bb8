//! [`Geometry`]: constants derived from the number of houses and the capture rule of a [packed](super::packed) board,
//! computed at compile time.

use super::Capture;
use crate::games::sowing::words::ONES;
use crate::util::random::GOLDEN;
use std::fmt;

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

static GEOMETRIES: [[Geometry; MAX_HOUSES]; 2] = [geometries(Capture::Standard), geometries(Capture::Empty)];

const fn geometries(capture: Capture) -> [Geometry; MAX_HOUSES] {
    [
        Geometry::new(1, capture),
        Geometry::new(2, capture),
        Geometry::new(3, capture),
        Geometry::new(4, capture),
        Geometry::new(5, capture),
        Geometry::new(6, capture),
        Geometry::new(7, capture),
        Geometry::new(8, capture),
    ]
}

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

    const fn new(houses: usize, capture: Capture) -> Self {
        let rules = (houses as u64) << 1 | capture as u64;
        let ways = ways(houses);
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
            reaching: reaching(houses),
            sowings: sowings(houses),
        }
    }
}

const fn ways(houses: usize) -> u64 {
    let (mut ways, mut house) = (0, 0);
    while house < MAX_HOUSES {
        let way = if house < houses { houses - house } else { 128 };
        ways |= (way as u64) << (8 * house);
        house += 1;
    }
    ways
}

const fn reaching(houses: usize) -> [u64; MAX_HOUSES] {
    let mut table = [0; MAX_HOUSES];
    let lap = 2 * houses + 1;
    let mut last = 0;
    while last < houses {
        let mut house = 0;
        while house < MAX_HOUSES {
            let seeds = if house == last || house >= houses { 128 } else { (last + lap - house) % lap };
            table[last] |= (seeds as u64) << (8 * house);
            house += 1;
        }
        last += 1;
    }
    table
}

const fn sowings(houses: usize) -> [[Sowing; LAP]; MAX_HOUSES] {
    let nothing = Sowing { own: 0, opposing: 0, store: 0, last: 0 };
    let mut table = [[nothing; LAP]; MAX_HOUSES];
    let mut origin = 0;
    while origin < houses {
        let (mut sowing, mut place, mut seeds) = (nothing, origin, 0);
        while seeds < LAP {
            sowing.last = place as u8;
            table[origin][seeds] = sowing;
            place = (place + 1) % (2 * houses + 1);
            if place < houses {
                sowing.own += 1 << (8 * place);
            } else if place == houses {
                sowing.store += 1;
            } else {
                sowing.opposing += 1 << (8 * (place - houses - 1));
            }
            seeds += 1;
        }
        origin += 1;
    }
    table
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
