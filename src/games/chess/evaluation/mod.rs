//! The evaluation: a sum of weighted counts, tapered between middlegame and endgame.
//!
//! A term counts what it finds for each side; every count has a weight for the middlegame and one for the endgame, in
//! [one table](weights) that `secateurs tune` fits to games of self-play. A position's phase is the weighted number of
//! the pieces left: the value is interpolated linearly between the middlegame's sum, with all pieces on the board, and
//! the endgame's, with none. Where an advantage does not win, only [a part](endings::scale) of the endgame's sum
//! counts.
//!
//! For terms, counts and weights see [weighted evaluations](crate::games::weighted).
//!
//! - [`places`]: material and piece-square tables, updated move by move; [`material`]: its balance, and [`pawns`]:
//!   their structure, both kept from move to move;
//! - [`pieces`], [`passed`], [`kings`], [`threats`]: the other terms, over [the same attacks](view);
//! - [`endings`]: a lone king, and advantages that do not win; [`lone_pawn`]: king and pawn against king;
//! - [`layout`], [`weights`]: the weights by name, and their values; `bits`: sets of squares.

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
pub mod threats;
pub mod view;
pub mod weights;

pub use places::Sums;

use super::rules::Chessboard;
use crate::core::{Position, Score};
use crate::games::weighted::{self, Counts, Sink, Tapered, WHOLE};
use cozy_chess::{BitBoard, Board, Color};
use layout::{COUNT, GROUPS, TEMPO};
use view::View;
use weights::WEIGHTS;

/// The phase of the starting position.
pub(crate) const FULL: Score = 24;

/// The number of weights in a line of their file: one rank.
pub(crate) const IN_A_LINE: usize = 8;

/// The sum of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total(pub Tapered);

impl Sink for Total {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        self.0 += WEIGHTS[index] * count;
    }
}

/// Counts all terms except those that are updated move by move, for White and for Black, given the passed pawns.
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

/// Returns the evaluation for the side to move in centipawns; `sums` are those of the position.
pub(crate) fn evaluate(pos: &Chessboard, sums: Sums) -> Score {
    let board = pos.board();
    let white = endings::lone_king(board).unwrap_or_else(|| {
        let [white, black] = count::<Total>(board, sums.pawns.passed);
        let total = sums.score + sums.material + sums.pawns.score + white.0 - black.0;
        total.at::<FULL>(sums.phase(), scale(board, total))
    });
    if board.side_to_move() == Color::White { white } else { -white }
}

/// Returns how much of the endgame's score counts, in parts of [`WHOLE`].
#[inline]
fn scale(board: &Board, total: Tapered) -> Score {
    let strong = if total.endgame() > 0 { Color::White } else { Color::Black };
    endings::scale(board, strong)
}

/// The counts of a position.
pub type Trace = weighted::Trace<COUNT, FULL>;

/// Counts the terms of a position; `None` if the evaluation is not their sum.
pub(crate) fn trace(pos: &Chessboard) -> Option<Trace> {
    let board = pos.board();
    if endings::lone_king(board).is_some() {
        return None;
    }
    let (structure, passed) = pawns::count::<Counts<COUNT>>(board);
    let [mut white, mut black] = count::<Counts<COUNT>>(board, passed);
    places::count(board, Color::White, &mut white);
    places::count(board, Color::Black, &mut black);
    let material = material::count::<Counts<COUNT>>(board);
    for (counts, sign) in [(&black, -1), (&structure[0], 1), (&structure[1], -1), (&material[0], 1), (&material[1], -1)]
    {
        white.merge(counts, sign);
    }
    let mut trace = Trace { counts: white, phase: Sums::new(pos).phase(), scale: WHOLE };
    trace.scale = scale(board, trace.total(&WEIGHTS, 0..COUNT));
    Some(trace)
}

/// Returns the terms of the evaluation for the side to move in centipawns. They add up to [it](evaluate).
pub(crate) fn explain(pos: &Chessboard) -> Vec<(&'static str, Score)> {
    let evaluation = evaluate(pos, Sums::new(pos));
    match trace(pos) {
        None => vec![("lone king", evaluation)],
        // The difference by the scale and by rounding.
        Some(trace) => trace.explain(GROUPS, &WEIGHTS, (pos.turn(), evaluation), "scale"),
    }
}

#[cfg(test)]
mod tests;
