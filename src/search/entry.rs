//! A table entry packed into one data word.
//!
//! ```text
//! of a search to a depth   value 16 | evaluation 16 | code 16 | depth 8  | age 3 | pv 1 | bound 2 | proof 2
//! of an exact search       lower 16 | upper 16      | code 16 | effort 8 | age 3 | 1    | 0       | 0
//! ```
//!
//! Values are relative to the settled score and counted from the node; evaluations are relative to the settled score.
//! The fields that decide replacement, depth or effort and age, have the same place in both layouts. No word is 0.

use crate::core::report::Bound;
use crate::core::{Proof, Score};

/// The code of an entry without a move.
const NO_CODE: u16 = u16::MAX;

/// The evaluation of an entry or a frame where none has been computed.
pub(crate) const NO_EVALUATION: Score = i16::MIN as Score;

/// The bit of a PV node. If the bits of the bound are 0, the word is of an exact search.
const PV: u64 = 1 << 4;

/// The bits that tell the layouts apart: those of the bound.
const KIND: u64 = 3 << 2;

const AGE: u64 = 7 << 5;

/// The number of ages, at which they wrap.
pub(crate) const AGES: u8 = 8;

/// The result of a search to a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value without the settled score; win distances from the node.
    pub value: Score,
    /// The proof of the value, which holds at any depth.
    pub proof: Proof,
    /// The code of the best move, to be resolved among the legal moves.
    pub code: Option<u16>,
    /// The static evaluation without the settled score, or `NO_EVALUATION`.
    pub evaluation: Score,
    /// The remaining depth of the search, in plies.
    pub depth: u8,
    /// The relation of the value to that of a search of this depth.
    pub bound: Bound,
    /// Whether the position was searched with an open window.
    pub pv: bool,
}

/// The result of an exact search: bounds of the game's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The lower bound for the side to move, on the scale of [`Entry::value`].
    pub lower: Score,
    /// The upper bound for the side to move.
    pub upper: Score,
    /// The code of the move that showed the lower bound, to be resolved among the legal moves.
    pub code: Option<u16>,
    /// The cost of the search, on a scale with eight steps per doubling of nodes.
    pub effort: u8,
}

/// The approximate cost of a ply of depth on the scale of [`effort`].
const EFFORT_OF_A_PLY: i32 = 12;

/// Returns the cost of `nodes` nodes on the scale of entries: eight steps per doubling.
#[inline]
pub(crate) fn effort(nodes: u64) -> u8 {
    let bits = nodes.max(1).ilog2();
    let fraction = (u128::from(nodes) << 3 >> bits) as u32 & 7;
    (bits * 8 + fraction).min(255) as u8
}

/// The data word of an entry; see the [module](self) for its layouts. 0 is an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(pub u64);

impl From<&Entry> for Word {
    /// Returns the word of an entry, without an age.
    #[inline]
    fn from(entry: &Entry) -> Self {
        let pv = if entry.pv { PV } else { 0 };
        let kind = pv | (entry.bound as u64) << 2 | u64::from(entry.proof.bits());
        Self(layout([entry.value, entry.evaluation], entry.code, entry.depth) | kind)
    }
}

impl From<&Exact> for Word {
    /// Returns the word of an exact entry, without an age.
    #[inline]
    fn from(entry: &Exact) -> Self {
        Self(layout([entry.lower, entry.upper], entry.code, entry.effort) | PV)
    }
}

impl Word {
    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.0 & KIND == 0
    }

    /// Decodes the word of a search to a depth.
    #[inline]
    pub(crate) fn entry(self) -> Entry {
        let [value, evaluation] = self.scores();
        Entry {
            value,
            evaluation,
            code: self.code(),
            proof: Proof::from_bits(self.0 as u8),
            depth: self.weight(),
            bound: match self.0 >> 2 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: self.0 & PV != 0,
        }
    }

    /// Decodes the word of an exact search.
    #[inline]
    pub(crate) fn exact(self) -> Exact {
        let [lower, upper] = self.scores();
        Exact { lower, upper, code: self.code(), effort: self.weight() }
    }

    #[inline]
    pub(crate) fn aged(self, age: u8) -> Self {
        Self(self.0 & !AGE | u64::from(age % AGES) << 5)
    }

    #[inline]
    pub(crate) fn age(self) -> u8 {
        (self.0 >> 5) as u8 % AGES
    }

    /// Returns the number of searches between the entry's age and `now`, modulo `AGES`.
    #[inline]
    pub(crate) fn years(self, now: u8) -> u8 {
        (AGES + now - self.age()) % AGES
    }

    /// Returns the replacement worth: entries of least worth are replaced first.
    #[inline]
    pub(crate) fn worth(self) -> i32 {
        let each = if self.is_exact() { 1 } else { EFFORT_OF_A_PLY };
        i32::from(self.weight()) * each
    }

    /// Returns the remaining plies of a search to a depth, or the effort of an exact one.
    #[inline]
    pub(crate) fn weight(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Returns the two scores at the head of both layouts.
    #[inline]
    fn scores(self) -> [Score; 2] {
        let score = |shift: u32| Score::from((self.0 >> shift) as i16);
        [score(48), score(32)]
    }

    #[inline]
    fn code(self) -> Option<u16> {
        let code = (self.0 >> 16) as u16;
        (code != NO_CODE).then_some(code)
    }
}

/// Packs the fields that both layouts share.
#[inline]
#[expect(clippy::cast_sign_loss, reason = "scores fit 16 bits, by their scale")]
fn layout(scores: [Score; 2], code: Option<u16>, weight: u8) -> u64 {
    let score = |score: Score| u64::from(score as u16);
    score(scores[0]) << 48 | score(scores[1]) << 32 | u64::from(code.unwrap_or(NO_CODE)) << 16 | u64::from(weight) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_what_they_were_made_of() {
        for (value, bound) in [(-32_001, Bound::Exact), (28_800, Bound::Lower), (0, Bound::Upper)] {
            for code in [None, Some(0), Some(65_534)] {
                let proof = Proof::from_bits(code.unwrap_or(1) as u8);
                let (evaluation, pv) = (code.map_or(NO_EVALUATION, |_| -value), value == 0);
                let entry = Entry { value, evaluation, proof, code, depth: 255, bound, pv };
                let word = Word::from(&entry).aged(5);
                assert_eq!((word.entry(), word.age(), word.is_exact()), (entry, 5, false));
                let exact = Exact { lower: value, upper: -value, code, effort: 7 };
                let word = Word::from(&exact).aged(7).aged(3);
                assert_eq!((word.exact(), word.years(5), word.is_exact()), (exact, 2, true));
                assert_eq!(word.worth(), 7);
            }
        }
    }

    #[test]
    fn effort_grows_with_the_nodes() {
        assert!((1..100_000_u64).all(|nodes| effort(nodes) <= effort(nodes + 1)));
        assert_eq!([1, 2, 3, 1 << 20, u64::MAX].map(effort), [0, 8, 12, 160, 255]);
    }
}
