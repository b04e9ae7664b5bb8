//! [`Sums`]: material and places, updated move by move.

use super::layout::{COUNT, MATERIAL, PLACES};
use super::material::{self, PieceCounts, balance};
use super::weights::WEIGHTS;
use crate::core::{Score, Side};
use crate::games::xiangqi::geometry::{FILES, POINTS, file, points, rank, seen};
use crate::games::xiangqi::piece::{Piece, PieceKind};
use crate::games::xiangqi::rules::{Move, Xiangqiboard};
use crate::games::xiangqi::weighted::{Counts, Sink, Tapered};

/// The sums over all pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The first side's sum less the second side's.
    pub score: Tapered,
    /// The phase: 0 without chariots, horses and cannons, `FULL` with all.
    pub phase: Score,
    /// The balance of material.
    pub material: Tapered,
    numbers: PieceCounts,
}

/// The share of each kind in the phase.
const PHASE: [Score; PieceKind::ALL.len()] = [0, 0, 0, 2, 4, 2, 0];

/// The value of each kind on each point, as its owner sees it.
static VALUES: [[Tapered; POINTS]; PieceKind::ALL.len()] = {
    let mut values = [[Tapered::new(0, 0); POINTS]; PieceKind::ALL.len()];
    let mut index = 0;
    while index < PieceKind::ALL.len() * POINTS {
        let (kind, at) = (index / POINTS, index % POINTS);
        values[kind][at] = WEIGHTS[MATERIAL.at(kind)].plus(WEIGHTS[place(kind, at as u8)]);
        index += 1;
    }
    values
};

/// The index of the weight of a place, as the owner sees it: left and right are alike.
const fn place(kind: usize, seen: u8) -> usize {
    let (file, other) = (file(seen), FILES - 1 - file(seen));
    let from_edge = if file < other { file } else { other };
    PLACES.at(50 * kind + 5 * rank(seen) as usize + from_edge as usize)
}

/// Counts the material and the places of a side.
pub(crate) fn count(pos: &Xiangqiboard, side: Side) -> Counts<COUNT> {
    let mut counts = Counts::default();
    material::count(&Sums::new(pos).numbers, side, &mut counts);
    for at in points(pos.side(side)) {
        if let Some(kind) = pos.piece(at).kind() {
            counts.add(MATERIAL.at(kind as usize), 1);
            counts.add(place(kind as usize, seen(at, side)), 1);
        }
    }
    counts
}

impl Sums {
    /// Returns the sums of a position.
    #[must_use]
    pub fn new(pos: &Xiangqiboard) -> Self {
        let mut sums = Self::default();
        for at in points(pos.occupied()) {
            sums.add(pos.piece(at), at, 1);
        }
        sums.material = balance(&sums.numbers);
        sums
    }

    /// Adds a piece, or removes it if `count` is -1.
    #[inline]
    fn add(&mut self, piece: Piece, at: u8, count: i8) {
        let (Some(kind), side) = (piece.kind(), piece.side()) else { return };
        let owner = if side == Side::First { count } else { -count };
        self.score += VALUES[kind as usize][usize::from(seen(at, side))] * owner.into();
        self.phase += PHASE[kind as usize] * Score::from(count);
        self.numbers[side.index()][kind as usize] += count;
    }

    #[inline]
    pub(crate) fn after(&self, pos: &Xiangqiboard, mv: Move) -> Self {
        let (mut sums, piece) = (*self, pos.piece(mv.from));
        if pos.is_capture(mv) {
            sums.add(pos.piece(mv.to), mv.to, -1);
            sums.material = balance(&sums.numbers);
        }
        sums.add(piece, mv.from, -1);
        sums.add(piece, mv.to, 1);
        sums
    }

    /// Whether the side with this score for the first one has nothing to win with.
    #[inline]
    pub(crate) fn is_blunt(&self, score: Score) -> bool {
        self.numbers[usize::from(score < 0)][PieceKind::Horse as usize..] == [0; 4]
    }
}
