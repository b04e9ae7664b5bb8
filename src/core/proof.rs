//! What is proven of a value: two bits.

use serde::{Deserialize, Serialize};

/// What a score says about the value of the game itself, whatever the depth of the search and its window.
///
/// The two bits belong to one score: with [`LOWER`](Self::LOWER) the value is at least the score, with
/// [`UPPER`](Self::UPPER) at most. [`reversed`](Self::reversed) when the score is negated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct Proof(u8);

impl Proof {
    /// Nothing is proven.
    pub const NONE: Self = Self(0);
    /// The value is at least the score.
    pub const LOWER: Self = Self(1);
    /// The value is at most the score.
    pub const UPPER: Self = Self(2);
    /// The value is the score.
    pub const EXACT: Self = Self(3);

    /// The proof of these bits, the lower one first; higher bits are cut off.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 3)
    }

    /// The two bits: 1 is the lower, 2 the upper.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The proof of the negated score.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self(self.0 >> 1 | (self.0 & 1) << 1)
    }

    /// What either proves.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both prove.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the value is at least the score.
    #[inline]
    #[must_use]
    pub const fn lower(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the value is at most the score.
    #[inline]
    #[must_use]
    pub const fn upper(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether the value is the score.
    #[inline]
    #[must_use]
    pub const fn exact(self) -> bool {
        self.0 == 3
    }

    /// `exact`, `lower`, `upper`, or `None` where nothing is proven.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self.0 {
            0 => None,
            1 => Some("lower"),
            2 => Some("upper"),
            _ => Some("exact"),
        }
    }
}

impl From<u8> for Proof {
    fn from(bits: u8) -> Self {
        Self::from_bits(bits)
    }
}

impl From<Proof> for u8 {
    fn from(proof: Proof) -> Self {
        proof.bits()
    }
}

#[cfg(test)]
mod tests {
    use super::Proof;

    #[test]
    fn negation_exchanges_the_bits() {
        let all = [Proof::NONE, Proof::LOWER, Proof::UPPER, Proof::EXACT];
        assert_eq!(all.map(Proof::reversed), [Proof::NONE, Proof::UPPER, Proof::LOWER, Proof::EXACT]);
        assert_eq!(all.map(|proof| Proof::from_bits(proof.bits())), all);
        assert_eq!(all.map(Proof::name), [None, Some("lower"), Some("upper"), Some("exact")]);
        assert!(Proof::LOWER.or(Proof::UPPER).exact() && !Proof::LOWER.and(Proof::UPPER).lower());
    }
}
