//! Plain minimax (Shannon 1950): no window, no table, no move ordering.

use crate::core::position::legal_moves;
use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position};

/// Returns the value of `pos` for the side to move, searched `depth` plies deep over all lines.
///
/// The rules apply at every node: a value is clamped to the game's [bounds](crate::core::Solver::bounds). Sound bounds
/// change nothing in a tree that is searched to its end; at the horizon they keep the evaluation consistent with the
/// rules.
pub fn minimax<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P, depth: u8) -> Score {
    let moves = legal_moves(pos);
    if moves.is_empty() {
        return pos.outcome().score();
    }
    let value = if depth == 0 {
        heuristics.evaluate(pos)
    } else {
        let values = moves.into_iter().map(|mv| {
            let child = pos.after(mv);
            // The child is one ply nearer to the end.
            let value = score::from_node(minimax(heuristics, &child, depth - 1), 1);
            if child.turn() == pos.turn() { value } else { -value }
        });
        values.max().unwrap_or(-score::WIN)
    };
    heuristics.static_bounds(pos).hold(value)
}
