//! The one-ply greedy choice: no search but one move, judged at once. What every search has to beat.

use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position};

/// The legal move after which the judgement is best for the side to move, the first of equals, and that judgement; `None` in a
/// finished game.
pub fn greedy<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P) -> Option<(P::Move, Score)> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let judged = moves.into_iter().map(|mv| {
        let after = pos.after(mv);
        let value = if after.is_over() { after.outcome().score() } else { heuristics.evaluate(&after) };
        let value = score::from_node(heuristics.known(&after).hold(value), 1);
        (mv, if after.turn() == pos.turn() { value } else { -value })
    });
    judged.reduce(|best, other| if other.1 > best.1 { other } else { best })
}
