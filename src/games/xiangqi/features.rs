//! The features of xiangqi: the pieces on their points, as each side sees them from its end.

use super::Xiangqi;
use super::geometry::{POINTS, points, seen};
use super::heuristics::{HIDDEN, XiangqiHeuristics};
use super::piece::{Piece, PieceKind};
use super::rules::{Move, Xiangqiboard};
use crate::core::features::Changes;
use crate::core::{Features, Game, NetworkShape, Side};
use crate::network::BuiltIn;

/// The features of one side's pieces.
const SIDE: usize = PieceKind::ALL.len() * POINTS;

/// The number of buckets, and the pieces of each.
const BUCKETS: usize = 8;
const PIECES: usize = 4;

/// The shape of the network.
const SHAPE: NetworkShape = NetworkShape { features: 2 * SIDE, hidden: HIDDEN, buckets: BUCKETS };

/// The network that evaluates xiangqi.
pub(super) static NETWORK: BuiltIn<HIDDEN> = BuiltIn::new(Xiangqi::NAME, SHAPE, include_bytes!("xiangqi.net"));

/// Returns the number of a piece as a side sees it; `None` for no piece.
#[inline]
fn feature(side: Side, piece: Piece, at: u8) -> Option<usize> {
    let owner = if piece.side() == side { 0 } else { SIDE };
    Some(owner + piece.kind()? as usize * POINTS + usize::from(seen(at, side)))
}

impl Features<Xiangqiboard> for XiangqiHeuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { hidden, ..SHAPE }
    }

    fn active(&self, pos: &Xiangqiboard, side: Side, found: impl FnMut(usize)) {
        points(pos.occupied()).filter_map(|at| feature(side, pos.piece(at), at)).for_each(found);
    }

    #[inline]
    fn bucket(&self, pos: &Xiangqiboard) -> usize {
        (pos.occupied().count_ones() as usize / PIECES).min(BUCKETS - 1)
    }

    #[inline]
    fn changes(&self, pos: &Xiangqiboard, mv: Move, _after: &Xiangqiboard, side: Side, changes: &mut Changes) -> bool {
        let piece = pos.piece(mv.from);
        feature(side, piece, mv.from).into_iter().for_each(|feature| changes.removed.push(feature));
        feature(side, pos.piece(mv.to), mv.to).into_iter().for_each(|feature| changes.removed.push(feature));
        feature(side, piece, mv.to).into_iter().for_each(|feature| changes.added.push(feature));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::fen;
    use crate::network::testing::{self, check_updates};

    #[test]
    fn updated_sums_are_those_from_scratch() {
        let heuristics = XiangqiHeuristics { network: testing::network(Xiangqi::NAME, SHAPE).into() };
        let starts = [
            fen::START,
            "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w",
            "2bak4/4a4/4b4/4C3p/2n6/p5P2/P3p3P/4B1N2/4A4/2BAK4 w",
        ];
        check_updates(&heuristics, starts.map(|start| fen::parse(start).unwrap()));
    }
}
