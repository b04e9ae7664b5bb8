//! The theory of Nim (Bouton 1901) as heuristics.

use super::rules::{Heaps, Take};
use crate::core::score::{self, Score};
use crate::core::{Bounds, Evaluation, MoveOrdering, Position, Pruning, Solver};

/// Heuristics by theory, or none at all.
#[derive(Clone, Copy, Debug)]
pub struct NimHeuristics {
    /// Whether the theory is used.
    pub theory: bool,
}

/// Returns whether the player to move wins.
///
/// The residue of a heap is its size modulo the limit plus one. Normal play is lost if the exclusive or of the residues
/// is 0, else won. Misère play is the same as long as a residue is above 1; otherwise an even number of ones wins.
///
/// Proof of the misère rule with a limit, after Bouton: a move changes one residue, and can lower any.
/// - Lost positions: if a residue is above 1, at least two are. One of them remains after the move, and the exclusive
///   or is no longer 0. An odd number of ones becomes even, or a single residue is above 1.
/// - Won positions: if a residue is above 1, the move of normal play wins, or, if it is the only such residue, the move
///   that leaves an odd number of ones. An even number of ones becomes odd by taking one object or, if every residue is
///   0, the limit from some heap. A player without objects to take has won.
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
    /// Moves that leave the opponent a lost position come first.
    fn move_score(&self, pos: &Heaps, mv: Take) -> i32 {
        if self.theory && !wins(&pos.after(mv)) { 1 << 20 } else { 0 }
    }
}

impl Pruning<Heaps> for NimHeuristics {}

impl Solver<Heaps> for NimHeuristics {
    /// The bounds of the theory: a win takes at least one more ply (none if misère play has ended), at most one per
    /// object.
    fn bounds(&self, pos: &Heaps) -> Bounds {
        if !self.theory {
            return Bounds::NONE;
        }
        let objects = pos.objects();
        let (far, near) = (score::win_in(objects), score::win_in(objects.min(1)));
        if wins(pos) { Bounds { lower: far, upper: near } } else { Bounds { lower: -near, upper: -far } }
    }
}
