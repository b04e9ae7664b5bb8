//! The theory of Nim (Bouton 1901) as the game's judgement.

use super::rules::{Heaps, Take};
use crate::core::score::{self, Score};
use crate::core::{Bounds, Heuristics, Position};

/// Judgement by theory, or none at all.
#[derive(Clone, Copy, Debug)]
pub struct NimHeuristics {
    /// Whether the theory is used.
    pub theory: bool,
}

/// Whether the player to move wins, or `None` where the theory does not say (misère play with a limit).
///
/// Normal play: the exclusive or of the heaps, each modulo the limit plus one, is not 0. Misère play: the same,
/// but with no heap above 1 an even number of ones wins.
#[must_use]
pub fn wins(pos: &Heaps) -> Option<bool> {
    let heaps = pos.heaps();
    let limited = heaps.iter().any(|&heap| heap > pos.max_take());
    if pos.is_misere() {
        if limited {
            return None;
        }
        if heaps.iter().all(|&heap| heap <= 1) {
            return Some(pos.objects() % 2 == 0);
        }
    }
    let period = u16::from(pos.max_take()) + 1;
    Some(heaps.iter().fold(0, |sum, &heap| sum ^ (u16::from(heap) % period)) != 0)
}

impl Heuristics<Heaps> for NimHeuristics {
    fn evaluate(&self, _pos: &Heaps) -> Score {
        0
    }

    /// The theory's word: a win takes at least one more ply (none where misère play has ended), at most one
    /// for each object.
    fn bounds(&self, pos: &Heaps) -> Bounds {
        if !self.theory {
            return Bounds::NONE;
        }
        let objects = pos.objects();
        let (far, near) = (score::win_in(objects), score::win_in(objects.min(1)));
        match wins(pos) {
            Some(true) => Bounds { lower: far, upper: near },
            Some(false) => Bounds { lower: -near, upper: -far },
            None => Bounds::NONE,
        }
    }

    /// Moves that leave the opponent lost come first.
    fn rank(&self, pos: &Heaps, mv: Take) -> i32 {
        if self.theory && wins(&pos.after(mv)) == Some(false) { 1 << 20 } else { 0 }
    }
}
