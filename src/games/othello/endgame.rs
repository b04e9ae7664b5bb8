//! The end of the game: is the value above `alpha`? This is a search of its own for positions with few vacant squares,
//! to which nearly all positions of an exact search belong. It works on two sets of discs.
//!
//! - With one vacant square, the discs that it flips decide; with two to four, the squares are tried in the order of
//!   parity: first those in a quarter of the board with an odd number of vacant squares, where the side that begins
//!   also moves last.
//! - With more, the moves that leave the opponent the fewest moves come first. Stable discs bound the value if the lead
//!   in question is large. Positions of eight vacant squares and more are stored in the table of the search.
//! - A position that takes too many nodes is abandoned, and left to the general search.
//!
//! Values are leads in discs, fail-soft: above `alpha` they are lower bounds, otherwise upper bounds. The code is
//! compiled once for every x86-64 processor and once for those that count bits and have vectors of four words.

use super::bits::{flips, odd, reached, squares};
use super::evaluation::{corners, frontier};
use super::rules::mixed;
use super::stability;
use crate::core::score::UNIT;
use crate::core::{Bounds, SmallTable};
use std::cmp::Ordering;

/// The maximum number of vacant squares that [`solve`] accepts.
pub(crate) const MOST: u32 = 13;

/// The number of vacant squares from which moves are ordered by the opponent's mobility.
const ORDERED: u32 = 7;

/// The number of vacant squares from which positions are stored in the table.
const KEPT: u32 = 8;

/// The number of nodes after which a position is abandoned: about 3 ms, during which no limit of the search is checked.
/// In self-play one call in a thousand with thirteen vacant squares takes as many (docs/performance.md).
pub const MOST_NODES: u64 = 1 << 16;

/// The score of the move from the table.
const HASH_MOVE: i32 = 1000;

/// Returns the lead at the end of the game, given the number of vacant squares.
#[inline(always)]
fn lead(own: u64, vacant: i32, squares: i32) -> i32 {
    let own = own.count_ones().cast_signed();
    let lead = 2 * own - (squares - vacant);
    match lead.cmp(&0) {
        Ordering::Greater => lead + vacant,
        Ordering::Equal => 0,
        Ordering::Less => lead - vacant,
    }
}

/// Returns a bound of the value of a position with at most `MOST` vacant squares that decides whether it is above
/// `alpha`; `None` if that would take more than [`MOST_NODES`].
#[inline]
pub fn solve(own: u64, opposing: u64, board: u64, alpha: i32, table: &mut impl SmallTable) -> Option<i32> {
    let vacant = board & !(own | opposing);
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: the processor has the features.
        #[allow(unsafe_code)]
        return unsafe { wide::solve(own, opposing, vacant, alpha, table) };
    }
    plain::solve(own, opposing, vacant, alpha, table)
}

/// Whether the processor has the features of [`wide`].
#[cfg(target_arch = "x86_64")]
#[inline]
fn is_wide() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")
}

macro_rules! solver {
    ($name:ident, $($features:meta)?) => {
        mod $name {
            use super::*;

            /// See [`super::solve`].
            $(#[$features])?
            pub fn solve<T: SmallTable>(
                own: u64,
                opposing: u64,
                vacant: u64,
                alpha: i32,
                table: &mut T,
            ) -> Option<i32> {
                let squares = (own | opposing | vacant).count_ones().cast_signed();
                let mut solver = Solver { squares, board: own | opposing | vacant, nodes: 0, table };
                let value = solver.any(own, opposing, vacant, alpha);
                let nodes = solver.nodes;
                table.count(nodes);
                (nodes <= MOST_NODES).then_some(value)
            }

            struct Solver<'a, T> {
                squares: i32,
                board: u64,
                nodes: u64,
                table: &'a mut T,
            }

            impl<T: SmallTable> Solver<'_, T> {
                $(#[$features])?
                fn any(&mut self, own: u64, opposing: u64, vacant: u64, alpha: i32) -> i32 {
                    match vacant.count_ones() {
                        0 => lead(own, 0, self.squares),
                        1 => self.one(own, opposing, vacant.trailing_zeros(), alpha),
                        2 => {
                            let second = vacant & (vacant - 1);
                            self.two(own, opposing, vacant.trailing_zeros(), second.trailing_zeros(), alpha)
                        }
                        3 | 4 => self.few(own, opposing, vacant, alpha),
                        _ => self.many(own, opposing, vacant, alpha),
                    }
                }

                /// One vacant square: the side to move takes it, or the other side, or neither.
                $(#[$features])?
                #[inline]
                fn one(&mut self, own: u64, opposing: u64, square: u32, alpha: i32) -> i32 {
                    self.nodes += 1;
                    let all = 2 * own.count_ones().cast_signed() - self.squares + 1;
                    let turned = flips(own, opposing, square);
                    if turned != 0 {
                        return all + 2 * turned.count_ones().cast_signed() + 1;
                    }
                    // The lowest value without a move, which a move of the other side can only lower.
                    let none = all + if all > 0 { 1 } else { -1 };
                    if none <= alpha {
                        return none;
                    }
                    let turned = flips(opposing, own, square);
                    if turned == 0 { none } else { all - 2 * turned.count_ones().cast_signed() - 1 }
                }

                $(#[$features])?
                #[inline]
                fn two(&mut self, own: u64, opposing: u64, first: u32, second: u32, alpha: i32) -> i32 {
                    self.nodes += 1;
                    let mut best = -100;
                    for (square, other) in [(first, second), (second, first)] {
                        let turned = flips(own, opposing, square);
                        if turned != 0 {
                            let after = own | turned | 1 << square;
                            best = best.max(-self.one(opposing & !turned, after, other, -alpha - 1));
                            if best > alpha {
                                return best;
                            }
                        }
                    }
                    if best > -100 {
                        return best;
                    }
                    // A pass: the other side's best move, which is the worst for the side to move.
                    let mut best = 100;
                    for (square, other) in [(first, second), (second, first)] {
                        let turned = flips(opposing, own, square);
                        if turned != 0 {
                            let after = opposing | turned | 1 << square;
                            best = best.min(self.one(own & !turned, after, other, alpha));
                            if best <= alpha {
                                return best;
                            }
                        }
                    }
                    if best < 100 { best } else { lead(own, 2, self.squares) }
                }

                /// Three or four vacant squares.
                $(#[$features])?
                fn few(&mut self, own: u64, opposing: u64, vacant: u64, alpha: i32) -> i32 {
                    self.nodes += 1;
                    let best = self.tried(own, opposing, vacant, alpha);
                    if best > -100 {
                        return best;
                    }
                    let best = self.tried(opposing, own, vacant, -alpha - 1);
                    if best > -100 { -best } else { lead(own, vacant.count_ones().cast_signed(), self.squares) }
                }

                /// Tries the vacant squares; -100 if none can be taken.
                $(#[$features])?
                #[inline]
                fn tried(&mut self, own: u64, opposing: u64, vacant: u64, alpha: i32) -> i32 {
                    let mut best = -100;
                    let odd = odd(vacant);
                    let is_three = vacant.count_ones() == 3;
                    for mut group in [odd, vacant & !odd] {
                        while group != 0 {
                            let square = group.trailing_zeros();
                            group &= group - 1;
                            let turned = flips(own, opposing, square);
                            if turned == 0 {
                                continue;
                            }
                            let (after, rest) = (own | turned | 1 << square, vacant & !(1 << square));
                            let (next, alpha) = (opposing & !turned, -alpha - 1);
                            let value = if is_three {
                                let second = rest & (rest - 1);
                                self.two(next, after, rest.trailing_zeros(), second.trailing_zeros(), alpha)
                            } else {
                                self.few(next, after, rest, alpha)
                            };
                            best = best.max(-value);
                            if best > -alpha - 1 {
                                return best;
                            }
                        }
                    }
                    best
                }

                /// Five vacant squares or more.
                $(#[$features])?
                fn many(&mut self, own: u64, opposing: u64, vacant: u64, alpha: i32) -> i32 {
                    self.nodes += 1;
                    let count = vacant.count_ones();
                    if alpha >= 2 * count.cast_signed() - 2 {
                        let stable = stability::stable(opposing, own, self.board).count_ones();
                        let most = self.squares - 2 * stable.cast_signed();
                        if most <= alpha {
                            return most;
                        }
                    }
                    let moves = reached(own, opposing) & vacant;
                    if moves == 0 {
                        if reached(opposing, own) & vacant == 0 {
                            return lead(own, count.cast_signed(), self.squares);
                        }
                        return -self.many(opposing, own, vacant, -alpha - 1);
                    }
                    if count < ORDERED {
                        let odd = odd(vacant);
                        let mut best = -100;
                        for mut group in [moves & odd, moves & !odd] {
                            while group != 0 {
                                let square = group.trailing_zeros();
                                group &= group - 1;
                                let turned = flips(own, opposing, square);
                                let (after, rest) = (own | turned | 1 << square, vacant & !(1 << square));
                                let next = opposing & !turned;
                                let value = if count == 5 {
                                    -self.few(next, after, rest, -alpha - 1)
                                } else {
                                    -self.many(next, after, rest, -alpha - 1)
                                };
                                best = best.max(value);
                                if best > alpha {
                                    return best;
                                }
                            }
                        }
                        return best;
                    }
                    self.ordered(own, opposing, vacant, moves, alpha)
                }

                /// The moves in the order of the opponent's mobility after them.
                $(#[$features])?
                fn ordered(&mut self, own: u64, opposing: u64, vacant: u64, moves: u64, alpha: i32) -> i32 {
                    let is_kept = vacant.count_ones() >= KEPT;
                    let mut known = Bounds { lower: -self.squares, upper: self.squares };
                    let (mut key, mut first, before) = (0, 64, self.nodes);
                    if is_kept {
                        key = mixed(own, opposing, self.board.count_ones().into());
                        if let Some((bounds, code)) = self.table.probe(key) {
                            known = Bounds { lower: bounds.lower / UNIT, upper: bounds.upper / UNIT };
                            if known.lower > alpha {
                                return known.lower;
                            }
                            if known.upper <= alpha {
                                return known.upper;
                            }
                            first = code.map_or(64, u32::from);
                        }
                    }
                    let (best, square) = self.in_order(own, opposing, vacant, moves, first, alpha);
                    if is_kept && self.nodes <= MOST_NODES {
                        let is_above = best > alpha;
                        let lower = if is_above { best } else { known.lower };
                        let upper = if is_above { known.upper } else { best };
                        let code = if is_above { square } else { first };
                        let bounds = Bounds { lower: lower * UNIT, upper: upper * UNIT };
                        self.table.keep(key, bounds, (code < 64).then_some(code as u16), self.nodes - before);
                    }
                    best
                }

                /// Returns the best value, and the move that proves it if it is above `alpha`; `first` is tried first.
                $(#[$features])?
                #[inline]
                fn in_order(
                    &mut self,
                    own: u64,
                    opposing: u64,
                    vacant: u64,
                    moves: u64,
                    first: u32,
                    alpha: i32,
                ) -> (i32, u32) {
                    let (odd, corners) = (odd(vacant), corners(self.board));
                    let mut list = [(0i32, 0u32, 0u64); MOST as usize];
                    let mut length = 0;
                    for square in squares(moves) {
                        let turned = flips(own, opposing, square);
                        let (after, next) = (own | turned | 1 << square, opposing & !turned);
                        if next == 0 {
                            return (self.squares, square);
                        }
                        let replies = reached(next, after) & vacant & !(1 << square);
                        let replies = replies.count_ones() + (replies & corners).count_ones();
                        let is_in = |set: u64| i32::from(set >> square & 1 != 0);
                        let exposed = (after & frontier(vacant & !(1 << square))).count_ones();
                        let score = 8 * replies.cast_signed() + exposed.cast_signed()
                            - 4 * (is_in(odd) + is_in(corners))
                            - HASH_MOVE * i32::from(square == first);
                        let mut place = length;
                        while place > 0 && list[place - 1].0 > score {
                            list[place] = list[place - 1];
                            place -= 1;
                        }
                        list[place] = (score, square, turned);
                        length += 1;
                    }
                    let mut best = -100;
                    for &(_, square, turned) in &list[..length] {
                        let (after, rest) = (own | turned | 1 << square, vacant & !(1 << square));
                        let value = -self.many(opposing & !turned, after, rest, -alpha - 1);
                        best = best.max(value);
                        if best > alpha || self.nodes > MOST_NODES {
                            return (best, square);
                        }
                    }
                    (best, 64)
                }
            }
        }
    };
}

solver!(plain,);
#[cfg(target_arch = "x86_64")]
solver!(wide, target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt"));
