//! Bounds by following up: what a side is sure of that answers every stone.
//!
//! ```text
//!   6 | f  f  f  .  .  f  f      m is to move. Where an even number of squares is vacant, f answers every stone in its
//!   5 | m  m  m  .  .  m  m      column: m gets the lower and f the upper square of each pair. A column with an odd number
//!   4 | f  f  f  .  .  f  f      of vacant squares has a single one below the pairs, s: to such a square f answers with
//!   3 | m  m  m  .  .  m  m      another one. (# is a stone.)
//!   2 | f  s  s  .  .  f  f
//!   1 | m  #  #  .  .  m  m
//!     +---------------------
//!       1  2  3  4  5  6  7
//! ```
//!
//! These are the claimeven and the odd threat of V. Allis ("A Knowledge-Based Approach of Connect-Four", 1988), on boards of
//! any height and for either player.

use super::rules::Grid;
use super::size::Size;
use crate::core::score::{self, Score};

/// The most distributions of the single squares that a bound looks at. There are up to 1111 of six squares, the most on
/// boards of seven columns, but 62217 of eight and more than 10^13 of sixteen.
const WORK: u32 = 1 << 11;

/// An upper bound of the value for the side to move, m, from what the other one, f, gets by following up, for those who ask
/// whether the value is above `alpha`: what would not tell is left out.
#[inline]
#[must_use]
pub fn upper_bound<S: Size>(pos: &Grid<S>, alpha: Score) -> Score {
    if pos.left().is_multiple_of(2) { in_all_columns(pos, alpha) } else { in_all_but_one(pos) }
}

/// With an even number of vacant squares there is an even number of single ones, and f has an answer to every stone. If m has
/// no four with all that it may get, it does not win. If f has one besides with what it is sure to get, f wins.
#[inline]
fn in_all_columns<S: Size>(pos: &Grid<S>, alpha: Score) -> Score {
    let (upper, vacant) = (upper_squares(pos.size()), pos.vacant());
    let single = pos.playable() & upper;
    let sure = pos.opposing() | (vacant & upper & !single);
    let wins = pos.has_four(sure);
    if (alpha < 0 && !wins) || !are_shared(pos, pos.own() | (vacant & !upper), single) {
        score::INFINITE
    } else if wins {
        -score::win_in(latest(pos, sure))
    } else {
        0
    }
}

/// The plies until f has a four at the latest, being sure of these squares: however m puts its columns off, what lies above
/// a square comes after it.
fn latest<S: Size>(pos: &Grid<S>, sure: u64) -> Score {
    let (size, rows) = (pos.size(), pos.size().rows());
    let below = |above: u32| sure & (size.bottom() * ((1_u64 << (rows - above)) - 1));
    let suffice = |above: &u32| pos.has_four(pos.opposing() | below(*above));
    let above = (2..rows).step_by(2).take_while(suffice).last().unwrap_or(0);
    pos.left().saturating_sub(above).cast_signed()
}

/// With an odd number of vacant squares f has an answer to every stone outside of one column with a single square. Let f have
/// a threat there, an odd number of vacant squares being below it: m has to play the last of these when all else is full, if
/// not before. If m has no four with all that it may get until then, f wins.
#[inline]
fn in_all_but_one<S: Size>(pos: &Grid<S>) -> Score {
    let (size, upper, vacant) = (pos.size(), upper_squares(pos.size()), pos.vacant());
    let threats = pos.threats()[1] & !upper;
    if threats == 0 {
        return score::INFINITE;
    }
    let single = pos.playable() & upper;
    let wins = squares(threats).filter_map(|threat| {
        let column = size.column(pos.column_of(threat).0.into());
        // Below the threat the pairs begin at the bottom: the upper squares are m's.
        let elsewhere = vacant & !upper & !column;
        let below = vacant & column & (threat - 1) & upper;
        let above = (column & !(threat | (threat - 1))).count_ones();
        let holds = single & column != 0 && are_shared(pos, pos.own() | elsewhere | below, single & !column);
        holds.then(|| -score::win_in((pos.left() - above).cast_signed()))
    });
    wins.min().unwrap_or(score::INFINITE)
}

/// Whether m, which chooses first among the single squares, gets no four beside its own if f takes another one each time.
/// What [`WORK`] does not suffice to show counts as not so: the bound is left out then.
fn are_shared<S: Size>(pos: &Grid<S>, own: u64, single: u64) -> bool {
    let mut work = WORK;
    are_shared_within(&mut work, pos, own, single)
}

fn are_shared_within<S: Size>(work: &mut u32, pos: &Grid<S>, own: u64, single: u64) -> bool {
    let Some(left) = work.checked_sub(1) else { return false };
    *work = left;
    let is_shared = |taken| {
        let rest = single ^ taken;
        squares(rest).any(|answer| are_shared_within(work, pos, own | taken, rest ^ answer))
    };
    !pos.has_four(own | single) || (!pos.has_four(own) && squares(single).all(is_shared))
}

/// The upper square of each pair, from the top.
#[inline]
fn upper_squares<S: Size>(size: S) -> u64 {
    if size.rows().is_multiple_of(2) { size.even_rows() } else { size.odd_rows() }
}

/// The squares of a set, one by one.
#[inline]
fn squares(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let square = set & set.wrapping_neg();
        set ^= square;
        (square != 0).then_some(square)
    })
}
