//! The evaluation: a sum of weighted counts, tapered between middlegame and endgame.
//!
//! A term counts what it finds for each side; every count has a weight for the middlegame and one for the endgame, in
//! [one table](weights) that `secateur tune` fits to games of self-play. A position's phase is the number of pieces left,
//! weighted: the value moves in a straight line from the middlegame's sum, with all pieces on the board, to the endgame's,
//! with none. Of the endgame's sum only [a part](endings::scale) counts where an advantage does not win.
//!
//! The terms are written once, [generic over what becomes of the counts](sink::Sink): the search adds weights, the
//! laboratory records the counts.
//!
//! - [`places`]: material and piece-square tables, updated move by move; [`material`]: its balance, and [`pawns`]: their
//!   structure, both kept from move to move;
//! - [`pieces`], [`passed`], [`kings`], [`threats`]: the other terms, over [the same attacks](view);
//! - [`endings`]: a lone king, and advantages that do not win; [`lone_pawn`]: king and pawn against king;
//! - [`layout`], [`weights`]: the weights by name, and their values; [`source`]: new values as source text;
//! - [`tapered`], `bits`: pairs of scores, sets of squares.

mod bits;
pub mod endings;
pub mod kings;
pub mod layout;
pub mod lone_pawn;
pub mod material;
pub mod passed;
pub mod pawns;
pub mod pieces;
pub mod places;
pub mod sink;
pub mod source;
pub mod tapered;
pub mod threats;
pub mod view;
pub mod weights;

pub use places::Sums;

use super::rules::Chessboard;
use crate::core::{Linear, Score};
use cozy_chess::{BitBoard, Board, Color};
use layout::{COUNT, GROUPS, TEMPO, Term};
use sink::{Counts, Sink, Total};
use tapered::{FULL, Tapered, WHOLE};
use view::View;
use weights::WEIGHTS;

/// Counts all terms but those that are updated move by move, for White and for Black, given the passed pawns.
#[inline(always)]
fn count<S: Sink>(board: &Board, passed: [BitBoard; Color::NUM]) -> [S; Color::NUM] {
    let mut view = View::new(board, passed);
    let (mut white, mut black) = (S::default(), S::default());
    pieces::count::<true, false, S>(&mut view, &mut white);
    pieces::count::<false, true, S>(&mut view, &mut black);
    passed::count::<true, S>(&view, &mut white);
    passed::count::<false, S>(&view, &mut black);
    kings::count::<true, S>(&view, &mut white);
    kings::count::<false, S>(&view, &mut black);
    threats::count::<true, false, S>(&view, &mut white);
    threats::count::<false, true, S>(&view, &mut black);
    let mover = if board.side_to_move() == Color::White { &mut white } else { &mut black };
    mover.add(TEMPO.at(0), 1);
    [white, black]
}

/// Returns the evaluation for the side to move, centipawns; `sums` are those of the position.
#[must_use]
pub fn evaluate(pos: &Chessboard, sums: Sums) -> Score {
    let board = pos.board();
    let white = endings::lone_king(board).unwrap_or_else(|| {
        let [white, black] = count::<Total>(board, sums.pawns.passed);
        let total = sums.score + sums.material + sums.pawns.score + white.0 - black.0;
        total.at(sums.phase(), scale(board, total))
    });
    if board.side_to_move() == Color::White { white } else { -white }
}

/// Returns the parts in [`WHOLE`] of the endgame's score that count.
#[inline]
fn scale(board: &Board, total: Tapered) -> Score {
    let strong = if total.endgame() > 0 { Color::White } else { Color::Black };
    endings::scale(board, strong)
}

/// The counts of a position, White's less Black's.
#[derive(Clone, Debug)]
pub struct Trace {
    /// One for each weight.
    pub counts: [i32; COUNT],
    /// The phase: 0 without pieces, [`FULL`] with all.
    pub phase: Score,
    /// The parts in [`WHOLE`] of the endgame's score that count.
    pub scale: Score,
}

impl Trace {
    /// Counts the terms of a position; `None` where the evaluation is not their sum.
    #[must_use]
    pub fn of(pos: &Chessboard) -> Option<Self> {
        let board = pos.board();
        if endings::lone_king(board).is_some() {
            return None;
        }
        let (structure, passed) = pawns::count::<Counts>(board);
        let [mut white, mut black] = count::<Counts>(board, passed);
        places::count(board, Color::White, &mut white);
        places::count(board, Color::Black, &mut black);
        let material = material::count::<Counts>(board);
        for (counts, sign) in
            [(&black, -1), (&structure[0], 1), (&structure[1], -1), (&material[0], 1), (&material[1], -1)]
        {
            white.0.iter_mut().zip(&counts.0).for_each(|(white, count)| *white += sign * count);
        }
        let mut trace = Self { counts: white.0, phase: Sums::of(pos).phase(), scale: WHOLE };
        trace.scale = scale(board, trace.total(0..COUNT));
        Some(trace)
    }

    /// Returns the counts for the side to move.
    #[must_use]
    pub fn linear(&self, turn: Color) -> Linear {
        let sign = if turn == Color::White { 1 } else { -1 };
        let counts = self.counts.iter().zip(0..).filter(|&(&count, _)| count != 0);
        #[expect(clippy::cast_possible_truncation, reason = "no position has as many as that")]
        let counts = counts.map(|(&count, index)| (index, (sign * count) as i16)).collect();
        let share = |part: Score, whole: Score| part as f32 / whole as f32;
        let endgame = share(FULL - self.phase, FULL) * share(self.scale, WHOLE);
        Linear { counts, stages: vec![share(self.phase, FULL), endgame], constant: 0.0 }
    }

    /// Returns the sum of some weights times their counts.
    #[must_use]
    pub fn total(&self, indices: std::ops::Range<usize>) -> Tapered {
        let weighted = indices.map(|index| WEIGHTS[index] * self.counts[index]);
        weighted.fold(Tapered::default(), |sum, part| sum + part)
    }
}

/// Returns the terms of the evaluation for the side to move, centipawns. They add up to [it](evaluate).
#[must_use]
pub fn explain(pos: &Chessboard) -> Vec<(&'static str, Score)> {
    let evaluation = evaluate(pos, Sums::of(pos));
    let Some(trace) = Trace::of(pos) else {
        return vec![("lone king", evaluation)];
    };
    let sign = if pos.board().side_to_move() == Color::White { 1 } else { -1 };
    let value = |term: Term| {
        let groups = GROUPS.iter().filter(|group| group.term == term);
        let total =
            groups.fold(Tapered::default(), |sum, group| sum + trace.total(group.first..group.first + group.len));
        sign * total.at(trace.phase, WHOLE)
    };
    let mut terms: Vec<_> = Term::ALL.into_iter().map(|term| (term.name(), value(term))).collect();
    // What the scale takes away, and what was lost by rounding.
    let rest = evaluation - terms.iter().map(|(_, score)| score).sum::<Score>();
    terms.push(("scale", rest));
    terms
}

#[cfg(test)]
mod tests;
