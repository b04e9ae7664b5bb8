//! The evaluation: a sum of weighted counts, tapered between middlegame and endgame.
//!
//! A term counts what it finds for each side; every count has a weight for the middlegame and one for the endgame, in
//! [one table](weights), set by hand, that `secateur tune` can fit to games of self-play. A position's phase is the number of chariots,
//! horses and cannons left, weighted. Without a piece that can cross the river a side is never better than even.
//!
//! - [`layout`], [`weights`]: the weights by name, and their values; [`source`]: new values as source text;
//! - [`terms`]: the counts; material and places are updated move by move in [`Sums`].

pub mod layout;
pub mod source;
pub mod terms;
pub mod weights;

use super::geometry::{FILES, file, points, rank, seen};
use super::piece::{Kind, Piece};
use super::rules::{Move, Xiangqiboard};
use crate::core::score::MAX_GAME;
use crate::core::{Linear, Position, Score, Side};
use layout::{COUNT, GROUPS, MATERIAL, PLACES, TEMPO, Term};
use weights::WEIGHTS;

/// The phase of the starting position.
pub const FULL: Score = 32;

/// A receiver of one side's counts. The terms are generic over it, so the search compiles to additions of weights.
pub trait Sink {
    /// Counts `count` times what the weight at `index` is for.
    fn add(&mut self, index: usize, count: i32);
}

/// The sums of weights for the middlegame and the endgame, centi-units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total([Score; 2]);

impl Sink for Total {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        let weights = WEIGHTS[index];
        self.0[0] += Score::from(weights[0]) * count;
        self.0[1] += Score::from(weights[1]) * count;
    }
}

/// The counts of each weight.
#[derive(Clone, Copy)]
struct Counts([i32; COUNT]);

impl Sink for Counts {
    fn add(&mut self, index: usize, count: i32) {
        self.0[index] += count;
    }
}

/// What is updated move by move: material and places, and the pieces that cross the river.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The first side's sum less the second side's.
    score: Total,
    phase: Score,
    /// The horses, chariots, cannons and soldiers of either side.
    attackers: [i8; 2],
}

/// Counts a piece on its point.
#[inline(always)]
fn add_piece<S: Sink>(sink: &mut S, kind: Kind, side: Side, at: u8, count: i32) {
    let seen = seen(at, side);
    let from_edge = file(seen).min(FILES - 1 - file(seen));
    let place = 50 * kind as usize + 5 * usize::from(rank(seen)) + usize::from(from_edge);
    sink.add(MATERIAL.at(kind as usize), count);
    sink.add(PLACES.at(place), count);
}

impl Sums {
    /// Returns the sums of a position.
    #[must_use]
    pub fn of(pos: &Xiangqiboard) -> Self {
        let mut sums = Self::default();
        for at in points(pos.occupied()) {
            sums.add(pos.piece(at), at, 1);
        }
        sums
    }

    /// Adds a piece, or removes it.
    #[inline]
    fn add(&mut self, piece: Piece, at: u8, count: i8) {
        let (Some(kind), side) = (piece.kind(), piece.side()) else { return };
        let sign = if side == Side::First { 1 } else { -1 };
        add_piece(&mut self.score, kind, side, at, sign * i32::from(count));
        self.phase += i32::from(count)
            * match kind {
                Kind::Chariot => 4,
                Kind::Horse | Kind::Cannon => 2,
                _ => 0,
            };
        self.attackers[side.index()] += if kind >= Kind::Horse { count } else { 0 };
    }

    /// Returns the sums after a move.
    #[inline]
    #[must_use]
    pub fn after(&self, pos: &Xiangqiboard, mv: Move) -> Self {
        let (mut sums, piece) = (*self, pos.piece(mv.from));
        sums.add(pos.piece(mv.to), mv.to, -1);
        sums.add(piece, mv.from, -1);
        sums.add(piece, mv.to, 1);
        sums
    }

    /// Whether the side with this score for the first one has nothing to win with.
    #[inline]
    fn is_blunt(&self, score: Score) -> bool {
        self.attackers[usize::from(score < 0)] == 0
    }

    /// Returns the score between middlegame and endgame.
    #[inline]
    fn tapered(&self, [middlegame, endgame]: [Score; 2]) -> Score {
        (middlegame * self.phase + endgame * (FULL - self.phase)) / FULL
    }
}

/// Returns the score for the first side.
#[inline]
fn of_first(pos: &Xiangqiboard, sums: &Sums) -> Score {
    let mut sides = [Total::default(); 2];
    terms::count(pos, &mut sides);
    sides[pos.turn().index()].add(TEMPO.at(0), 1);
    let total = |stage: usize| sums.score.0[stage] + sides[0].0[stage] - sides[1].0[stage];
    sums.tapered([total(0), total(1)]).clamp(-MAX_GAME, MAX_GAME)
}

/// Returns the evaluation for the side to move, centi-units; `sums` are those of the position.
#[must_use]
pub fn evaluate(pos: &Xiangqiboard, sums: &Sums) -> Score {
    let first = of_first(pos, sums);
    let first = if sums.is_blunt(first) { 0 } else { first };
    if pos.turn() == Side::First { first } else { -first }
}

/// Counts everything, for the first side less the second.
fn counts(pos: &Xiangqiboard) -> Counts {
    let mut sides = [Counts([0; COUNT]); 2];
    for at in points(pos.occupied()) {
        let piece = pos.piece(at);
        if let Some(kind) = piece.kind() {
            add_piece(&mut sides[piece.side().index()], kind, piece.side(), at, 1);
        }
    }
    terms::count(pos, &mut sides);
    sides[pos.turn().index()].add(TEMPO.at(0), 1);
    let [mut first, second] = sides;
    first.0.iter_mut().zip(second.0).for_each(|(first, second)| *first -= second);
    first
}

/// Returns the evaluation as a sum of weighted counts for the side to move; `None` where it is not their sum.
#[must_use]
pub fn linear(pos: &Xiangqiboard) -> Option<Linear> {
    let sums = Sums::of(pos);
    if sums.is_blunt(of_first(pos, &sums)) {
        return None;
    }
    let sign = if pos.turn() == Side::First { 1 } else { -1 };
    let counts = counts(pos);
    let counts = counts.0.iter().zip(0..).filter(|(count, _)| **count != 0);
    #[expect(clippy::cast_possible_truncation, reason = "no position has as many as that")]
    let counts = counts.map(|(&count, index)| (index, (sign * count) as i16)).collect();
    let share = sums.phase as f32 / FULL as f32;
    Some(Linear { counts, stages: vec![share, 1.0 - share], constant: 0.0 })
}

/// Returns the terms of the evaluation for the side to move, centi-units. They add up to [it](evaluate).
#[must_use]
pub fn explain(pos: &Xiangqiboard) -> Vec<(&'static str, Score)> {
    let sums = Sums::of(pos);
    let sign = if pos.turn() == Side::First { 1 } else { -1 };
    let counts = counts(pos);
    let value = |term: Term| {
        let mut total = Total::default();
        for group in GROUPS.iter().filter(|group| group.term == term) {
            (group.first..group.first + group.len).for_each(|index| total.add(index, counts.0[index]));
        }
        sign * sums.tapered(total.0)
    };
    let mut terms: Vec<_> = Term::ALL.into_iter().map(|term| (term.name(), value(term))).collect();
    // What a side that cannot win does not gain, and what was lost by rounding.
    let rest = evaluate(pos, &sums) - terms.iter().map(|(_, score)| score).sum::<Score>();
    terms.push(("rest", rest));
    terms
}
