//! The rules of Oware (Abapa) on two machine words.
//!
//! ```text
//!           byte  7   6   5   4   3   2   1   0
//! own           |   |   | h6| h5| h4| h3| h2| h1|    the mover's houses
//! opposing      |   |   | h6| h5| h4| h3| h2| h1|    the opponent's, in the opponent's sowing order
//! ```
//!
//! Seeds are sown over the mover's houses and on over the opponent's, never into the house that they come from. Words
//! belong to the mover and the opponent, not to South and North: each move exchanges them.

use crate::core::{Outcome, Position, Side};
use crate::games::sowing::words::{at_least, seeds, seeds_in};
use crate::util::random::{GOLDEN, folded};

/// The number of houses per side.
pub const HOUSES: usize = 6;

/// The maximum number of seeds on a board, stores included.
pub(crate) const MAX_SEEDS: u16 = 144;

/// A seed in every house of a side.
pub(super) const ROW: u64 = 0x0101_0101_0101;

/// A seed in every house of a side; 128, which no house has, in the bytes beyond.
pub(super) const FILLED: u64 = ROW | 0x8080 << 48;

/// The number of seeds that reach every other house once.
const LAP: u8 = 2 * HOUSES as u8 - 1;

/// The seeds that sowing adds to the mover's and to the opponent's houses, by origin and by the number of seeds, up to
/// a lap.
static SOWINGS: [[[u64; 2]; LAP as usize + 1]; HOUSES] = sowings();

const fn sowings() -> [[[u64; 2]; LAP as usize + 1]; HOUSES] {
    let mut table = [[[0; 2]; LAP as usize + 1]; HOUSES];
    let mut origin = 0;
    while origin < HOUSES {
        let mut seeds = 1;
        while seeds <= LAP as usize {
            let place = (origin + seeds) % (2 * HOUSES);
            table[origin][seeds] = table[origin][seeds - 1];
            table[origin][seeds][place / HOUSES] += 1 << (8 * (place % HOUSES));
            seeds += 1;
        }
        origin += 1;
    }
    table
}

/// A move: the mover's house, counted from 0 in sowing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct House(pub u8);

/// A board; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    own: u64,
    opposing: u64,
    own_store: u8,
    opposing_store: u8,
    /// The plies since the last capture.
    quiet: u16,
    turn: Side,
}

impl Board {
    /// Creates a board from South's and North's houses and stores: at most `MAX_SEEDS` seeds in all.
    #[must_use]
    pub fn new(houses: [[u8; HOUSES]; 2], stores: [u8; 2], turn: Side) -> Self {
        let word = |side: usize| houses[side].iter().rev().fold(0, |word, &seeds| word << 8 | u64::from(seeds));
        let (mover, other) = (turn.index(), turn.other().index());
        Self {
            own: word(mover),
            opposing: word(other),
            own_store: stores[mover],
            opposing_store: stores[other],
            quiet: 0,
            turn,
        }
    }

    /// Creates a board with empty stores, South to move, from the words of the mover and of the opponent.
    #[must_use]
    pub const fn of_words([own, opposing]: [u64; 2]) -> Self {
        Self { own, opposing, own_store: 0, opposing_store: 0, quiet: 0, turn: Side::First }
    }

    /// Returns the words of the mover and of the opponent.
    #[inline]
    #[must_use]
    pub const fn words(&self) -> [u64; 2] {
        [self.own, self.opposing]
    }

    /// Returns the houses of South and of North, each side's in its own sowing order.
    #[must_use]
    pub fn houses(&self) -> [[u8; HOUSES]; 2] {
        let row = |word: u64| std::array::from_fn(|at| seeds_in(word, at));
        self.by_side([row(self.own), row(self.opposing)])
    }

    /// Returns the seeds that South and North have captured.
    #[must_use]
    pub fn stores(&self) -> [u8; 2] {
        self.by_side([self.own_store, self.opposing_store])
    }

    fn by_side<T>(&self, [own, opposing]: [T; 2]) -> [T; 2] {
        if self.turn == Side::First { [own, opposing] } else { [opposing, own] }
    }

    /// Returns the seeds that the side to move has captured, less those of the opponent.
    #[inline]
    #[must_use]
    pub fn store_lead(&self) -> i32 {
        i32::from(self.own_store) - i32::from(self.opposing_store)
    }

    /// Returns the number of seeds in all houses.
    #[inline]
    pub(crate) fn in_play(&self) -> u8 {
        seeds(self.own + self.opposing)
    }

    /// Returns a hash of the houses of the mover and of the opponent. It omits the stores, since their seeds stay
    /// there, and the turn, since the board is symmetric in the players.
    #[inline]
    pub(super) fn seeds_key(&self) -> u64 {
        folded(self.own ^ GOLDEN, self.opposing ^ 0xe703_7ed1_a0b4_28db)
    }

    /// Returns the high bits of the bytes of the houses that may be sown. If the opponent has no seeds, these are the
    /// houses that give it some.
    #[inline]
    fn playable(&self) -> u64 {
        /// The number of seeds by which each house reaches the opponent; 128, which no house has, beyond the row.
        const FEEDING: u64 = 0x8080_0102_0304_0506;
        at_least(self.own, if self.opposing == 0 { FEEDING } else { FILLED })
    }

    #[inline]
    pub(super) fn allows(&self, House(house): House) -> bool {
        self.playable() >> (8 * house) & 0x80 != 0
    }

    /// Returns the houses after sowing, and those of the opponent after the capture.
    #[inline]
    fn sown(&self, origin: usize) -> [u64; 3] {
        let count = seeds_in(self.own, origin);
        let (laps, rest) = if count <= LAP { (0, count) } else { ((count - 1) / LAP, (count - 1) % LAP + 1) };
        let [row, across] = SOWINGS[origin][usize::from(rest)];
        let mut own = (self.own & !(0xff << (8 * origin))) + row;
        let mut opposing = self.opposing + across;
        if laps > 0 {
            own += (ROW & !(1 << (8 * origin))) * u64::from(laps);
            opposing += ROW * u64::from(laps);
        }
        let last = origin + usize::from(rest);
        let mut left = opposing;
        if (HOUSES..2 * HOUSES).contains(&last) {
            for at in (0..=last - HOUSES).rev() {
                if !matches!(seeds_in(opposing, at), 2 | 3) {
                    break;
                }
                left &= !(0xff << (8 * at));
            }
            // A grand slam: all of the opponent's seeds stay there.
            if left == 0 {
                left = opposing;
            }
        }
        [own, opposing, left]
    }

    /// Returns the number of seeds that a move from a house captures; the house has seeds.
    #[inline]
    #[must_use]
    pub fn captured(&self, House(origin): House) -> u8 {
        let [_, opposing, left] = self.sown(origin.into());
        seeds(opposing - left)
    }
}

impl Position for Board {
    type Move = House;
    const CODES: usize = HOUSES;
    const CYCLIC: bool = true;
    const FOLD: usize = 2;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn moves(&self, out: &mut Vec<House>) {
        let mut playable = self.playable();
        while playable != 0 {
            out.push(House((playable.trailing_zeros() / 8) as u8));
            playable &= playable - 1;
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.playable() == 0
    }

    /// Each side keeps the seeds in its houses.
    fn outcome(&self) -> Outcome {
        let rest = i16::from(seeds(self.own)) - i16::from(seeds(self.opposing));
        Outcome::Margin(i16::from(self.own_store) - i16::from(self.opposing_store) + rest)
    }

    /// Each side keeps the seeds in its houses, as if there were no move.
    fn repeated(&self, _cycle: &mut dyn Iterator<Item = &Self>) -> Option<Outcome> {
        Some(self.outcome())
    }

    #[inline]
    fn reach(&self) -> usize {
        self.quiet.into()
    }

    #[inline]
    fn after(&self, House(origin): House) -> Self {
        let [own, opposing, left] = self.sown(origin.into());
        let captured = seeds(opposing - left);
        Self {
            own: left,
            opposing: own,
            own_store: self.opposing_store,
            opposing_store: self.own_store + captured,
            quiet: if captured > 0 { 0 } else { self.quiet.saturating_add(1) },
            turn: self.turn.other(),
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
