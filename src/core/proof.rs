//! [`Proof`]: the part of a score that is proven, in two bits.

use serde::{Deserialize, Serialize};

/// What a score proves about the value of the game itself, regardless of search depth and window.
///
/// The two bits belong to one score: with [`LOWER`](Self::LOWER) the value is at least the score, with
/// [`UPPER`](Self::UPPER) at most. Negating the score requires [`reversed`](Self::reversed).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct Proof(Bits);

/// The two bits, as an enum: the compiler knows that there are no other values, so an `Option` of it returns in one
/// register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
enum Bits {
    #[default]
    None = 0,
    Lower = 1,
    Upper = 2,
    Exact = 3,
}

impl Proof {
    /// Nothing is proven.
    pub const NONE: Self = Self(Bits::None);
    /// The value is at least the score.
    pub const LOWER: Self = Self(Bits::Lower);
    /// The value is at most the score.
    pub const UPPER: Self = Self(Bits::Upper);
    /// The value is the score.
    pub const EXACT: Self = Self(Bits::Exact);

    /// Returns the proof with these bits; higher bits are ignored.
    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::NONE,
            1 => Self::LOWER,
            2 => Self::UPPER,
            _ => Self::EXACT,
        }
    }

    /// Returns the two bits: 1 is the lower, 2 the upper.
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0 as u8
    }

    /// Returns the proof of the negated score.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::from_bits(self.bits() >> 1 | self.bits() << 1)
    }

    /// Returns what at least one of the two proves.
    #[inline]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self::from_bits(self.bits() | other.bits())
    }

    /// Returns what both prove.
    #[inline]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self::from_bits(self.bits() & other.bits())
    }

    /// Returns whether the value is at least the score.
    #[inline]
    #[must_use]
    pub const fn lower(self) -> bool {
        self.bits() & 1 != 0
    }

    /// Returns whether the value is at most the score.
    #[inline]
    #[must_use]
    pub const fn upper(self) -> bool {
        self.bits() & 2 != 0
    }

    /// Selects the bound of a value, from the lower and the upper one, that the proof refers to: the lower one for
    /// [`EXACT`](Self::EXACT), none for [`NONE`](Self::NONE).
    pub fn bound<T>(self, [lower, upper]: [Option<T>; 2]) -> Option<T> {
        if self.lower() { lower } else { upper.filter(|_| self.upper()) }
    }

    /// Returns whether the value is the score.
    #[inline]
    #[must_use]
    pub const fn exact(self) -> bool {
        self.bits() == 3
    }

    /// Returns `exact`, `lower` or `upper`; `None` if nothing is proven.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self.0 {
            Bits::None => None,
            Bits::Lower => Some("lower"),
            Bits::Upper => Some("upper"),
            Bits::Exact => Some("exact"),
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
