//! The theory of Nim (Bouton 1901) as the game's judgement.

use super::rules::{Heaps, Take};
use crate::core::score::{self, Score};
use crate::core::{Bounds, Evaluation, MoveOrdering, Position, Pruning, Solver};

/// Judgement by theory, or none at all.
#[derive(Clone, Copy, Debug)]
pub struct NimHeuristics {
    /// Whether the theory is used.
    pub theory: bool,
}

/// Whether the player to move wins.
///
/// Read each heap modulo the limit plus one: its residue. Normal play is lost if the exclusive or of the residues is 0,
/// else won. Misère play is the same as long as a residue is above 1; else an even number of ones wins.
///
/// The misère rule with a limit, by Bouton's argument: a move changes one residue, and can lower any. From a lost
/// position with a residue above 1 there are two such, so one stays, and the sum is no longer 0; from an odd number of
/// ones either the number becomes even or one residue alone is above 1. A won position with a residue above 1 has the
/// move of normal play, or, where that residue is alone, the one that leaves ones in odd number; an even number of
/// ones is made odd by taking one, or, where every residue is 0, the limit from some heap; and who finds no object left
/// has won.
#[must_use]
pub fn wins(pos: &Heaps) -> bool {
    let period = u16::from(pos.max_take()) + 1;
    let residues = || pos.heaps().iter().map(|&heap| u16::from(heap) % period);
    if pos.is_misere() && residues().all(|residue| residue <= 1) {
        return residues().sum::<u16>() % 2 == 0;
    }
    residues().fold(0, |sum, residue| sum ^ residue) != 0
}

impl Evaluation<Heaps> for NimHeuristics {
    type State = ();

    fn evaluate(&self, _pos: &Heaps) -> Score {
        0
    }
}

impl MoveOrdering<Heaps> for NimHeuristics {
    /// Moves that leave the opponent lost come first.
    fn move_score(&self, pos: &Heaps, mv: Take) -> i32 {
        if self.theory && !wins(&pos.after(mv)) { 1 << 20 } else { 0 }
    }
}

impl Pruning<Heaps> for NimHeuristics {}

impl Solver<Heaps> for NimHeuristics {
    /// The theory's word: a win takes at least one more ply (none where misère play has ended), at most one
    /// for each object.
    fn bounds(&self, pos: &Heaps) -> Bounds {
        if !self.theory {
            return Bounds::NONE;
        }
        let objects = pos.objects();
        let (far, near) = (score::win_in(objects), score::win_in(objects.min(1)));
        if wins(pos) { Bounds { lower: far, upper: near } } else { Bounds { lower: -near, upper: -far } }
    }
}
