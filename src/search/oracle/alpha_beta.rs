//! Plain alpha-beta (Knuth and Moore 1975, procedure F2), fail-hard: two bounds, no table, no move ordering.

use crate::core::position::legal_moves;
use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position};

/// Returns the [`minimax`](super::minimax()) value of `pos`, clamped to the window `alpha..=beta`. `ply` is the
/// distance from the root: win distances in window and value are counted from there.
pub fn alpha_beta<P: Position, H: Heuristics<P>>(
    heuristics: &H,
    pos: &P,
    depth: u8,
    ply: u8,
    alpha: Score,
    beta: Score,
) -> Score {
    let from_root = |value| score::from_node(value, ply.into());
    let moves = legal_moves(pos);
    if moves.is_empty() {
        return from_root(pos.outcome().score()).clamp(alpha, beta);
    }
    let known = heuristics.static_bounds(pos).from_node(ply.into());
    if depth == 0 {
        return known.hold(from_root(heuristics.evaluate(pos))).clamp(alpha, beta);
    }
    // The rules narrow the window: no value lies outside their bounds.
    let (mut best, most) = (known.lower.clamp(alpha, beta), known.upper.clamp(alpha, beta));
    for mv in moves {
        if best >= most {
            break;
        }
        let child = pos.after(mv);
        let value = if child.turn() == pos.turn() {
            alpha_beta(heuristics, &child, depth - 1, ply + 1, best, most)
        } else {
            -alpha_beta(heuristics, &child, depth - 1, ply + 1, -most, -best)
        };
        best = best.max(value);
    }
    best
}
