//! The features of xiangqi: the pieces on their points, as each side sees them from its end.

use super::geometry::{POINTS, points, seen};
use super::heuristics::XiangqiHeuristics;
use super::piece::PieceKind;
use super::rules::Xiangqiboard;
use crate::core::{Features, Shape, Side};

/// The features of one side's pieces.
const SIDE: usize = PieceKind::ALL.len() * POINTS;

/// The number of buckets, and the pieces of each.
const BUCKETS: usize = 8;
const PIECES: usize = 4;

impl Features<Xiangqiboard> for XiangqiHeuristics {
    fn shape_with(&self, hidden: usize) -> Shape {
        Shape { features: 2 * SIDE, hidden, buckets: BUCKETS }
    }

    fn active(&self, pos: &Xiangqiboard, side: Side, mut found: impl FnMut(usize)) {
        for at in points(pos.occupied()) {
            let piece = pos.piece(at);
            if let Some(kind) = piece.kind() {
                let owner = if piece.side() == side { 0 } else { SIDE };
                found(owner + kind as usize * POINTS + usize::from(seen(at, side)));
            }
        }
    }

    fn bucket(&self, pos: &Xiangqiboard) -> usize {
        (pos.occupied().count_ones() as usize / PIECES).min(BUCKETS - 1)
    }
}
