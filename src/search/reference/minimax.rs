//! Plain minimax (Shannon 1950): no window, no table, no order.

use crate::core::score::{self, Score};
use crate::core::{Heuristics, Position};

/// The value of `pos` for its side to move, searched `depth` plies deep, every line of it.
///
/// What the rules alone guarantee is knowledge at every node: a value is brought within the game's
/// [bounds](Heuristics::bounds). With sound bounds this changes nothing in a tree searched to its ends;
/// it keeps judgement at the horizon from contradicting the rules.
pub fn minimax<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P, depth: u8) -> Score {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    if moves.is_empty() {
        return pos.outcome().score();
    }
    let value = if depth == 0 {
        heuristics.evaluate(pos)
    } else {
        let values = moves.into_iter().map(|mv| {
            let child = pos.after(mv);
            // One ply farther from the end.
            let value = score::from_node(minimax(heuristics, &child, depth - 1), 1);
            if child.turn() == pos.turn() { value } else { -value }
        });
        values.max().unwrap_or(-score::WIN)
    };
    heuristics.known(pos).hold(value)
}
