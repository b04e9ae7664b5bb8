//! A score with its proof: the value of a node.

use crate::core::{Bounds, Proof, Score, score};

/// A value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) score: Score,
    /// The proof: which bounds of the game's value the score is.
    pub(crate) proof: Proof,
}

impl Value {
    /// Returns an unproven score.
    #[inline]
    pub(crate) const fn guess(score: Score) -> Self {
        Self { score, proof: Proof::NONE }
    }

    /// Returns a score that is proven to be the value.
    #[inline]
    pub(crate) const fn exact(score: Score) -> Self {
        Self { score, proof: Proof::EXACT }
    }

    #[inline]
    pub(crate) const fn reversed(self) -> Self {
        Self { score: -self.score, proof: self.proof.reversed() }
    }

    /// Returns the value within known bounds; a score at a known bound is proven by it.
    #[inline]
    pub(crate) fn within(self, known: Bounds) -> Self {
        let score = known.hold(self.score);
        let mut proof = if score == self.score { self.proof } else { Proof::NONE };
        if score == known.lower {
            proof = proof.or(Proof::LOWER);
        }
        if score == known.upper {
            proof = proof.or(Proof::UPPER);
        }
        Self { score, proof }
    }

    /// Returns the value, `ply` plies below the root, in a game that is drawn after `left` more plies without progress:
    /// a win is proven only if it comes before that.
    #[inline]
    pub(crate) fn within_clock(self, ply: usize, left: Score) -> Self {
        let known = Bounds::exactly(score::to_node(self.score, ply as Score)).within_clock(left);
        let mut proof = self.proof;
        if !known.is_exact() {
            proof = proof.and(if self.score > 0 { Proof::UPPER } else { Proof::LOWER });
        }
        Self { proof, ..self }
    }

    /// Returns the bounds of the game's value that the score proves.
    #[inline]
    pub(crate) const fn bounds(self) -> Bounds {
        Bounds {
            lower: if self.proof.lower() { self.score } else { Bounds::NONE.lower },
            upper: if self.proof.upper() { self.score } else { Bounds::NONE.upper },
        }
    }

    /// Whether the side to move is proven to win, by a win after some plies, or to lose; `None` if neither is proven.
    pub(crate) fn is_won(self) -> Option<bool> {
        let plies = score::distance(self.score)?;
        let is_proven = if plies > 0 { self.proof.lower() } else { plies < 0 && self.proof.upper() };
        is_proven.then_some(plies > 0)
    }

    /// Whether the value neither proves `lower` nor exceeds it.
    #[inline]
    pub(crate) const fn shows_less(self, lower: Score) -> bool {
        self.score < lower || (self.score == lower && !self.proof.lower())
    }

    /// Returns the chances of a win, a draw and a loss, per mille: the game's guess, limited by the proof.
    pub(crate) fn wdl(self, guess: impl FnOnce() -> Option<[u16; 3]>) -> Option<[u16; 3]> {
        let Self { score, proof } = self;
        let (not_lost, not_won) = (score >= 0 && proof.lower(), score <= 0 && proof.upper());
        if score > 0 && not_lost {
            Some([1000, 0, 0])
        } else if score < 0 && not_won {
            Some([0, 0, 1000])
        } else if not_lost && not_won {
            Some([0, 1000, 0])
        } else {
            guess().map(|[win, draw, loss]| match (not_lost, not_won) {
                (true, _) => [win, draw + loss, 0],
                (_, true) => [0, draw + win, loss],
                _ => [win, draw, loss],
            })
        }
    }

    /// Returns the value, if known bounds settle the window `alpha..beta`.
    #[inline]
    pub(crate) fn settled(known: Bounds, alpha: Score, beta: Score) -> Option<Self> {
        let score = if known.lower >= beta || known.lower == known.upper {
            known.lower
        } else if known.upper <= alpha {
            known.upper
        } else {
            return None;
        };
        Some(Self::guess(score).within(known))
    }
}

/// Returns a score of a node as stored in tables: without the settled score, win distances from the node.
#[inline]
pub(crate) fn to_table(score: Score, settled: Score, ply: usize) -> Score {
    if score::is_decisive(score) { score::to_node(score, ply as Score) } else { score - settled }
}

/// Returns the score of a table entry at a node: the inverse of [`to_table`].
#[inline]
pub(crate) fn from_table(score: Score, settled: Score, ply: usize) -> Score {
    if score::is_decisive(score) { score::from_node(score, ply as Score) } else { score + settled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bounds_prove_what_they_hold() {
        let known = Bounds { lower: -200, upper: 400 };
        assert_eq!(Value::guess(-300).within(known), Value { score: -200, proof: Proof::LOWER });
        assert_eq!(Value::guess(500).within(known), Value { score: 400, proof: Proof::UPPER });
        assert_eq!(Value::guess(100).within(known), Value::guess(100));
        assert_eq!(Value::settled(known, 400, 401), Some(Value { score: 400, proof: Proof::UPPER }));
        assert_eq!(Value::settled(known, -201, -200), Some(Value { score: -200, proof: Proof::LOWER }));
        assert_eq!(Value::settled(known, -200, 400), None);
        assert_eq!(Value::settled(Bounds { lower: 100, upper: 100 }, -200, 400), Some(Value::exact(100)));
    }
}
