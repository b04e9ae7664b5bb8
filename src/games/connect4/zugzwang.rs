//! Bounds from follow-up play: what a side can be sure of by answering every stone.
//!
//! ```text
//!   6 | f  f  f  .  .  f  f      m is to move. In a column with an even number of vacant squares, f answers every
//!   5 | m  m  m  .  .  m  m      stone: m gets the lower and f the upper square of each pair. A column with an odd
//!   4 | f  f  f  .  .  f  f      number of vacant squares has a single square s below the pairs: f answers a stone
//!   3 | m  m  m  .  .  m  m      there with one on another single square. (# is a stone.)
//!   2 | f  s  s  .  .  f  f
//!   1 | m  #  #  .  .  m  m
//!     +---------------------
//!       1  2  3  4  5  6  7
//! ```
//!
//! These are the claimeven and the odd threat of V. Allis ("A Knowledge-Based Approach of Connect-Four", 1988), on
//! boards of any height and for either player.

use super::live::{above, fours};
use super::rules::Grid;
use super::size::Size;
use super::squares::Squares;
use crate::core::score::{self, Score};

/// The maximum number of distributions of the single squares that a bound examines. Six squares, the most on boards of
/// seven columns, have up to 1111, but eight have 62217 and sixteen more than 10^13.
const WORK: u32 = 1 << 11;

/// Returns an upper bound of the value for the side to move, m: what the other side, f, achieves by follow-up. The
/// caller tests whether the value is above `alpha`; bounds that cannot decide this are not computed.
#[inline]
pub(crate) fn upper_bound<S: Size>(pos: &Grid<S>, alpha: Score) -> Score {
    if pos.left().is_multiple_of(2) {
        in_all_columns(pos, alpha)
    } else if alpha >= 0 && !pos.has_four(pos.own() | pos.vacant()) {
        in_all_but_one(pos).min(0)
    } else {
        in_all_but_one(pos)
    }
}

/// With an even number of vacant squares, the number of single squares is even, and f can answer every stone. If m has
/// no four with all squares that it may get, it does not win. If f also has a four with the squares that it is sure to
/// get, f wins.
#[inline]
fn in_all_columns<S: Size>(pos: &Grid<S>, alpha: Score) -> Score {
    let (upper, vacant) = (upper_squares(pos.size()), pos.vacant());
    let single = pos.playable() & upper;
    let sure = pos.opposing() | (vacant & upper & !single);
    let wins = pos.has_four(sure);
    let own = pos.own() | (vacant & !upper);
    if (alpha < 0 && !wins) || !(are_shared(pos, own, single) || (wins && are_late(pos, own | single, sure))) {
        score::INFINITE
    } else if wins {
        -score::win_in(latest(pos, sure))
    } else {
        0
    }
}

/// Returns whether each four of m in a direction lies above one of f in the same columns, which is complete sooner.
#[inline]
fn are_late<S: Size>(pos: &Grid<S>, own: S::Set, sure: S::Set) -> bool {
    let rows = pos.size().rows();
    let is_late = |shift| (fours(shift, own) & !above(pos.size(), fours(shift, sure))).is_empty();
    fours(1, own).is_empty() && [rows, rows + 1, rows + 2].into_iter().all(is_late)
}

/// Returns the number of plies within which f completes a four on these sure squares. m may delay its columns, but the
/// squares above a square are filled after it.
fn latest<S: Size>(pos: &Grid<S>, sure: S::Set) -> Score {
    let (size, rows) = (pos.size(), pos.size().rows());
    let below = |above: u32| sure & size.lowest_rows(rows - above);
    let suffice = |above: &u32| pos.has_four(pos.opposing() | below(*above));
    let above = (2..rows).step_by(2).take_while(suffice).last().unwrap_or(0);
    pos.left().saturating_sub(above).cast_signed()
}

/// With an odd number of vacant squares, f can answer every stone outside one column with a single square. Suppose that
/// f has a threat in that column with an odd number of vacant squares below it: m must play the last of these when
/// everything else is full, if not before. If m has no four with all squares that it may get until then, f wins.
#[inline]
fn in_all_but_one<S: Size>(pos: &Grid<S>) -> Score {
    let (size, upper, vacant) = (pos.size(), upper_squares(pos.size()), pos.vacant());
    let threats = pos.threats()[1] & !upper;
    if threats.is_empty() {
        return score::INFINITE;
    }
    let single = pos.playable() & upper;
    let wins = squares(threats).filter_map(|threat| {
        let column = size.column(pos.column_of(threat).0.into());
        // Below the threat the pairs begin at the bottom, so m may get the upper squares.
        let elsewhere = vacant & !upper & !column;
        let below = vacant & column & (threat - S::Set::FIRST) & upper;
        let above = (column & !(threat | (threat - S::Set::FIRST))).count_ones();
        let holds = single.meets(column) && are_shared(pos, pos.own() | elsewhere | below, single & !column);
        holds.then(|| -score::win_in((pos.left() - above).cast_signed()))
    });
    wins.min().unwrap_or(score::INFINITE)
}

/// Returns whether m, which chooses first among the single squares, gets no four with them and its own if f takes
/// another one each time. Returns false, which means no bound, if [`WORK`] does not suffice to decide.
fn are_shared<S: Size>(pos: &Grid<S>, own: S::Set, single: S::Set) -> bool {
    let mut work = WORK;
    are_shared_within(&mut work, pos, own, single)
}

fn are_shared_within<S: Size>(work: &mut u32, pos: &Grid<S>, own: S::Set, single: S::Set) -> bool {
    let Some(left) = work.checked_sub(1) else { return false };
    *work = left;
    let is_shared = |taken| {
        let rest = single ^ taken;
        squares(rest).any(|answer| are_shared_within(work, pos, own | taken, rest ^ answer))
    };
    !pos.has_four(own | single) || (!pos.has_four(own) && squares(single).all(is_shared))
}

/// Returns the upper square of each pair, paired from the top.
#[inline]
fn upper_squares<S: Size>(size: S) -> S::Set {
    if size.rows().is_multiple_of(2) { size.even_rows() } else { size.odd_rows() }
}

/// Iterates over the squares of a set.
#[inline]
fn squares<W: Squares>(mut set: W) -> impl Iterator<Item = W> {
    std::iter::from_fn(move || {
        (!set.is_empty()).then(|| {
            let square = set.lowest();
            set = set ^ square;
            square
        })
    })
}
