//! What an entry of the table says, in one word.
//!
//! ```text
//! of a search to a depth   value 16 | depth 8 · proof 2 · bound 2 · learnt 1 · - 3 | code 16 | effort 8 | age 4 | 0
//! of an exact search       lower 16 | upper 16                                       | code 16 | effort 8 | age 4 | 1
//! ```
//!
//! Values are relative to what is banked and counted from the node. What decides which entry gives way, effort and
//! age, lies in the same place in both.

use crate::core::report::Bound;
use crate::core::{Proof, Score};

/// The code of an entry without a move.
const NO_CODE: u16 = u16::MAX;

/// The bit of an entry that was learnt.
const LEARNT: u64 = 1 << 35;

/// Ages wrap at 16.
pub const AGES: u8 = 16;

/// What a search to a depth found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value, less what is banked; win distances from the node.
    pub value: Score,
    /// What of the value is proven: it counts at any depth.
    pub proof: Proof,
    /// The best move, to be resolved among the legal ones.
    pub code: Option<u16>,
    /// Remaining plies of the search that found it.
    pub depth: u8,
    /// How the value relates to that of a search so deep.
    pub bound: Bound,
    /// What it cost, see [`effort`].
    pub effort: u8,
    /// It was the root of another search: no shallower one takes its place, and a principal variation may end with it.
    pub learnt: bool,
}

/// What an exact search found: bounds of the game's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The side to move gets at least this; on the scale of [`Entry::value`].
    pub lower: Score,
    /// The side to move gets at most this.
    pub upper: Score,
    /// The move that showed the lower bound, to be resolved among the legal ones.
    pub code: Option<u16>,
    /// What it cost, see [`effort`].
    pub effort: u8,
}

/// The cost of so many nodes on the scale of entries: eight steps to a doubling.
#[inline]
#[must_use]
pub fn effort(nodes: u64) -> u8 {
    let bits = nodes.max(1).ilog2();
    let fraction = (u128::from(nodes) << 3 >> bits) as u32 & 7;
    (bits * 8 + fraction).min(255) as u8
}

/// The data word of an entry; see the [module](self) for its layouts. 0 is no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub u64);

impl Word {
    /// The word of an entry, of no age.
    #[inline]
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        let how = u64::from(entry.depth) << 8 | u64::from(entry.proof.bits()) << 6 | (entry.bound as u64) << 4;
        let learnt = if entry.learnt { LEARNT } else { 0 };
        Self(high(entry.value) << 48 | how << 32 | learnt | tail(entry.code, entry.effort))
    }

    /// The word of an exact entry, of no age.
    #[inline]
    #[must_use]
    pub fn of_exact(entry: &Exact) -> Self {
        Self(high(entry.lower) << 48 | high(entry.upper) << 32 | tail(entry.code, entry.effort) | 1)
    }

    /// Whether it is the word of an entry that was learnt.
    #[inline]
    #[must_use]
    pub fn is_learnt(self) -> bool {
        self.0 & (LEARNT | 1) == LEARNT
    }

    /// Whether it is the word of an exact entry.
    #[inline]
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.0 & 1 != 0
    }

    /// What the word of a search to a depth says.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "fields are cut out of the word")]
    pub fn entry(self) -> Entry {
        Entry {
            value: Score::from((self.0 >> 48) as i16),
            code: self.code(),
            proof: Proof::from_bits((self.0 >> 38) as u8),
            depth: self.depth(),
            effort: self.effort(),
            learnt: self.0 & LEARNT != 0,
            bound: match self.0 >> 36 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }

    /// What the word of an exact search says.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "fields are cut out of the word")]
    pub fn exact(self) -> Exact {
        let (lower, upper) = (Score::from((self.0 >> 48) as i16), Score::from((self.0 >> 32) as i16));
        Exact { lower, upper, code: self.code(), effort: self.effort() }
    }

    /// The same, found in this year.
    #[inline]
    #[must_use]
    pub fn aged(self, age: u8) -> Self {
        Self(self.0 & !0xf0 | u64::from(age % AGES) << 4)
    }

    /// When it was found.
    #[inline]
    #[must_use]
    pub fn age(self) -> u8 {
        (self.0 >> 4) as u8 % AGES
    }

    /// How long ago that is.
    #[inline]
    #[must_use]
    pub fn years(self, now: u8) -> u8 {
        (AGES + now - self.age()) % AGES
    }

    /// What it cost.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a field is cut out of the word")]
    pub fn effort(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// The remaining plies of a search to a depth.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a field is cut out of the word")]
    pub fn depth(self) -> u8 {
        (self.0 >> 40) as u8
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a field is cut out of the word")]
    fn code(self) -> Option<u16> {
        let code = (self.0 >> 16) as u16;
        (code != NO_CODE).then_some(code)
    }
}

/// A score in 16 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "scores fit 16 bits, by their scale")]
fn high(score: Score) -> u64 {
    u64::from(score as u16)
}

/// What both layouts have in common.
#[inline]
fn tail(code: Option<u16>, effort: u8) -> u64 {
    u64::from(code.unwrap_or(NO_CODE)) << 16 | u64::from(effort) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_they_were_made_of() {
        for (value, bound) in [(-32_001, Bound::Exact), (28_800, Bound::Lower), (0, Bound::Upper)] {
            for code in [None, Some(0), Some(65_534)] {
                let proof = Proof::from_bits(code.unwrap_or(1) as u8);
                let learnt = code.is_none();
                let entry = Entry { value, proof, code, depth: 255, bound, effort: 200, learnt };
                let word = Word::of(&entry).aged(11);
                assert_eq!((word.entry(), word.age(), word.is_exact()), (entry, 11, false));
                let exact = Exact { lower: value, upper: -value, code, effort: 7 };
                let word = Word::of_exact(&exact).aged(15).aged(3);
                assert_eq!((word.exact(), word.years(5), word.is_exact()), (exact, 2, true));
                assert_eq!(word.effort(), 7);
            }
        }
    }

    #[test]
    fn effort_grows_with_the_nodes() {
        assert!((1..100_000_u64).all(|nodes| effort(nodes) <= effort(nodes + 1)));
        assert_eq!([1, 2, 3, 1 << 20, u64::MAX].map(effort), [0, 8, 12, 160, 255]);
    }
}
