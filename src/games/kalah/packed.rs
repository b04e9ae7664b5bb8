//! Kalah on two machine words, for boards of up to 8 houses per side and 255 seeds.
//!
//! ```text
//!           byte  7   6   5   4   3   2   1   0
//! own           |   |   | h6| h5| h4| h3| h2| h1|    the mover's houses
//! opposing      |   |   | h6| h5| h4| h3| h2| h1|    the opponent's, in the opponent's sowing order
//! ```
//!
//! A house is a byte, which cannot overflow on such a board, so sowing is one addition per word; a table has the
//! addends by houses, origin and number of seeds. Words belong to the mover and the opponent, not to South and North:
//! when the turn passes, they are exchanged.

use super::geometry::{Geometry, MAX_HOUSES};
use super::{BoardContents, Capture, House, Layout};
use crate::core::{Outcome, Position, Side};
use crate::games::sowing::words::{ONES, at_least, seeds, seeds_in, word};
use crate::util::random::folded;

const MAX_SEEDS: u16 = 255;

/// A board on two words: the mover's houses and the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    own: u64,
    opposing: u64,
    geometry: &'static Geometry,
    own_store: u8,
    opposing_store: u8,
    in_play: u8,
    turn: Side,
}

impl Packed {
    /// Creates a board with empty stores, South to move, from the mover's and the opponent's houses, a byte per house:
    /// at most 8 houses per side and 255 seeds. Bytes beyond the board must be 0.
    pub(crate) fn of_words(houses: usize, capture: Capture, [own, opposing]: [u64; 2]) -> Self {
        Self {
            own,
            opposing,
            geometry: Geometry::get(houses, capture),
            own_store: 0,
            opposing_store: 0,
            in_play: seeds(own).wrapping_add(seeds(opposing)),
            turn: Side::First,
        }
    }

    /// Returns the mover's and the opponent's houses, a byte per house.
    #[inline]
    #[must_use]
    pub const fn sides(&self) -> [u64; 2] {
        [self.own, self.opposing]
    }
}

/// Returns the number of bytes of a word that are at least the bytes of `need`.
#[inline]
const fn reaching(word: u64, need: u64) -> i32 {
    ((at_least(word, need) >> 7).wrapping_mul(ONES) >> 56) as i32
}

/// Returns the high bits of the bytes that are equal in two words.
#[inline]
const fn equal(a: u64, b: u64) -> u64 {
    at_least(a ^ b, ONES) ^ ONES << 7
}

impl Position for Packed {
    type Move = House;
    const CODES: usize = MAX_HOUSES;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.own == 0 || self.opposing == 0
    }

    #[inline]
    fn moves(&self, out: &mut Vec<House>) {
        if self.is_over() {
            return;
        }
        let mut filled = at_least(self.own, ONES);
        let (mut houses, mut count) = ([House(0); MAX_HOUSES], 0);
        while filled != 0 && count < MAX_HOUSES {
            houses[count] = House((filled.trailing_zeros() / 8) as u8);
            count += 1;
            filled &= filled - 1;
        }
        out.extend_from_slice(&houses);
        out.truncate(out.len() - MAX_HOUSES + count);
    }

    fn outcome(&self) -> Outcome {
        // Only one side has seeds left.
        let rest = i16::from(self.in_play);
        let rest = if self.opposing == 0 { rest } else { -rest };
        Outcome::Margin(i16::from(self.own_store) - i16::from(self.opposing_store) + rest)
    }

    #[inline]
    fn after(&self, mv: House) -> Self {
        let (origin, geometry) = (usize::from(mv.0), self.geometry);
        let (count, lap) = (usize::from(geometry.houses), geometry.lap());
        let seeds = seeds_in(self.own, origin);
        let sowing = geometry.sowing(origin, seeds);
        let mut own = (self.own & !(0xff << (8 * origin))) + sowing.own;
        let mut opposing = self.opposing + sowing.opposing;
        let mut stored = sowing.store;
        if seeds >= lap {
            // Each whole lap adds a seed to every house and one to the store.
            let laps = seeds / lap;
            let all = (ONES & geometry.board) * u64::from(laps);
            own += all;
            opposing += all;
            stored += laps;
        }
        let last = usize::from(sowing.last);
        if last < count && seeds_in(own, last) == 1 {
            let across = count - 1 - last;
            let opposite = seeds_in(opposing, across);
            if opposite > 0 || geometry.capture == Capture::Empty {
                stored += 1 + opposite;
                own &= !(0xff << (8 * last));
                opposing &= !(0xff << (8 * across));
            }
        }
        let own_store = self.own_store + stored;
        let in_play = self.in_play - stored;
        if last == count {
            Self { own, opposing, own_store, in_play, ..*self }
        } else {
            Self {
                own: opposing,
                opposing: own,
                own_store: self.opposing_store,
                opposing_store: own_store,
                in_play,
                turn: self.turn.other(),
                ..*self
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.seeds_key() ^ ((self.turn as u64).wrapping_neg() & 0x5851_f42d_4c95_7f2d)
    }

    #[inline]
    fn code(&self, mv: House) -> u16 {
        mv.0.into()
    }
}

impl Layout for Packed {
    fn lay(board: &BoardContents) -> Option<Self> {
        let (mover, count) = (board.turn.index(), board.houses[0].len());
        let in_play: u16 = board.houses.iter().flatten().sum();
        let all = in_play + board.stores[0] + board.stores[1];
        if count > MAX_HOUSES || all > MAX_SEEDS {
            return None;
        }
        Some(Self {
            own: word(&board.houses[mover]),
            opposing: word(&board.houses[1 - mover]),
            geometry: Geometry::get(count, board.capture),
            own_store: u8::try_from(board.stores[mover]).ok()?,
            opposing_store: u8::try_from(board.stores[1 - mover]).ok()?,
            in_play: u8::try_from(in_play).ok()?,
            turn: board.turn,
        })
    }

    fn contents(&self) -> BoardContents {
        let row = |word: u64| (0..self.houses()).map(|house| seeds_in(word, house).into()).collect::<Vec<u16>>();
        let (own, opposing) = (row(self.own), row(self.opposing));
        let stores = [self.own_store.into(), self.opposing_store.into()];
        let (houses, stores) = match self.turn {
            Side::First => ([own, opposing], stores),
            Side::Second => ([opposing, own], [stores[1], stores[0]]),
        };
        BoardContents { capture: self.geometry.capture, turn: self.turn, stores, houses }
    }

    #[inline]
    fn seeds_key(&self) -> u64 {
        folded(self.own ^ self.geometry.salt, self.opposing ^ 0xe703_7ed1_a0b4_28db)
    }

    #[inline]
    fn words(&self) -> Option<[u64; 2]> {
        Some(self.sides())
    }

    #[inline]
    fn houses(&self) -> usize {
        self.geometry.houses.into()
    }

    #[inline]
    fn capture(&self) -> Capture {
        self.geometry.capture
    }

    #[inline]
    fn own(&self, house: usize) -> u16 {
        seeds_in(self.own, house).into()
    }

    #[inline]
    fn opposing(&self, house: usize) -> u16 {
        seeds_in(self.opposing, house).into()
    }

    #[inline]
    fn store_lead(&self) -> i32 {
        i32::from(self.own_store) - i32::from(self.opposing_store)
    }

    #[inline]
    fn turned(&self) -> Self {
        Self {
            own: self.opposing,
            opposing: self.own,
            own_store: self.opposing_store,
            opposing_store: self.own_store,
            turn: self.turn.other(),
            ..*self
        }
    }

    #[inline]
    fn in_play(&self) -> u16 {
        self.in_play.into()
    }

    #[inline]
    fn in_houses(&self) -> [i32; 2] {
        [seeds(self.own).into(), seeds(self.opposing).into()]
    }

    #[inline]
    fn filled(&self) -> [i32; 2] {
        [reaching(self.own, ONES), reaching(self.opposing, ONES)]
    }

    #[inline]
    fn storing(&self) -> u32 {
        // The multiplication moves bit 0 of each byte to a separate bit of the highest byte.
        let found = equal(self.own, self.geometry.ways) >> 7;
        (found.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }

    #[inline]
    fn threat(&self) -> u16 {
        let geometry = self.geometry;
        let mut empty = equal(self.own, 0) & geometry.board;
        let mut most = 0;
        while empty != 0 {
            let last = empty.trailing_zeros() as usize / 8;
            if equal(self.own, geometry.reaching[last]) != 0 {
                most = most.max(seeds_in(self.opposing, usize::from(geometry.houses) - 1 - last));
            }
            empty &= empty - 1;
        }
        most.into()
    }

    #[inline]
    fn assured(&self, enough: i32) -> i32 {
        let &Geometry { ways, board, banking, .. } = self.geometry;
        let (mut now, mut stored, mut best) = (*self, 0, 0);
        loop {
            best = best.max(stored + (reaching(now.own, banking) + 1) / 2 + i32::from(now.threat()));
            let storing = equal(now.own, ways) & board;
            if storing == 0 || best >= enough {
                return best;
            }
            // The house nearest to the store comes first: sowing it changes none of the others.
            let house = 8 * (7 - storing.leading_zeros() / 8);
            now.own = (now.own & !(0xff << house)) + ((ONES << house << 8) & board);
            stored += 1;
        }
    }

    #[inline]
    fn banking(&self) -> [i32; 2] {
        let need = self.geometry.banking;
        [reaching(self.own, need), reaching(self.opposing, need)]
    }
}
