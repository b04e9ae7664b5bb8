//! Solves a layer by retrograde analysis, in levels of falling value, as in Lincke and Marzetta, "Large endgame
//! databases with limited memory space", ICGA Journal 23(3), 2000, and Romein and Bal, "Solving Awari with parallel
//! retrograde analysis", IEEE Computer 36(10), 2003.
//!
//! Values are counted from 0 for losing all to a `top` for winning all, so that `v` is `top - v` for the opponent. At
//! level `v`, from the top down:
//!
//! - a position has a lower bound of `v` if a capture is sure to give it `v`, or if some other move leads to a position
//!   with an upper bound of `top - v`;
//! - a position has an upper bound of `top - v` if no capture may give more, and every other move leads to a position
//!   with a lower bound of `v` or more.
//!
//! Each bound found is passed on to the predecessors of its position. A bound that is never found belongs to a player
//! who can be held in a cycle. A layer is solved twice. The bounds of shares have levels down to 1, and a cycle is
//! worth nothing to the side that is held in it. The values with repetitions that divide the seeds evenly have levels
//! of margins above 0; a value that is never found is 0.

use super::index::{count, rank, words};
use super::layer::{Cell, Layer};
use crate::core::position::legal_moves;
use crate::core::{Outcome, Position, StopFlag};
use crate::games::oware::rules::{Board, HOUSES, House};
use crate::games::sowing::words::seeds_in;
use crate::util::lock::lock;
use crate::util::parallel::for_each;
use std::sync::Mutex;

/// A bound that is not found yet.
const OPEN: u8 = u8::MAX;

/// The number of positions that are set up between two checks of the flag.
const CHUNK: usize = 1 << 16;

/// The two ways to count a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repetition {
    /// All seeds go to the opponent of the side whose bound it is; values are shares.
    Worst,
    /// The seeds are divided evenly; values are margins plus the number of seeds.
    Even,
}

/// A position that is not solved yet.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    /// The value that captures, or the end of the game, guarantee, and the most that they may give.
    exits: [u8; 2],
    /// The number of moves without a capture whose positions do not yet have a sufficient lower bound.
    moves: u8,
}

/// Solves the layer above `layers`, which are all layers with fewer seeds. Returns its cells by rank; `None` if the
/// flag was raised.
pub(crate) fn solve(
    layers: &[&Layer],
    threads: usize,
    stop: &StopFlag,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<Vec<Cell>> {
    let seeds = layers.len();
    let Bounded { lower, upper } = bound(layers, Repetition::Worst, threads, stop)?;
    let found = |bound: u8, other: u8| if bound == OPEN { other } else { bound };
    let cell = |(lower, upper)| Cell::of_shares(found(lower, 0), found(upper, seeds as u8));
    let mut cells: Vec<_> = lower.into_iter().zip(upper).map(cell).collect();
    progress(count(seeds) as u64 / 2);
    let Bounded { lower, upper } = bound(layers, Repetition::Even, threads, stop)?;
    for (cell, (lower, upper)) in cells.iter_mut().zip(lower.into_iter().zip(upper)) {
        *cell = cell.with_even(found(lower, found(upper, seeds as u8)));
    }
    progress(count(seeds) as u64 - count(seeds) as u64 / 2);
    Some(cells)
}

/// The bounds of a layer, by rank; [`OPEN`] if a cycle leaves them undecided.
struct Bounded {
    lower: Vec<u8>,
    upper: Vec<u8>,
}

/// Finds the bounds of a layer.
fn bound(layers: &[&Layer], repetition: Repetition, threads: usize, stop: &StopFlag) -> Option<Bounded> {
    let seeds = layers.len();
    let mut starts = vec![Start::default(); count(seeds)];
    let chunks: Vec<_> = starts.chunks_mut(CHUNK).map(Mutex::new).collect();
    let Ok(true) = for_each(threads, chunks.len(), stop, |number| {
        let mut chunk = lock(&chunks[number]);
        for (at, start) in chunk.iter_mut().enumerate() {
            *start = begin(layers, repetition, words(seeds, number * CHUNK + at));
        }
        Ok(())
    }) else {
        return None;
    };
    let open = vec![OPEN; starts.len()];
    let [top, least] = match repetition {
        Repetition::Worst => [seeds, 1],
        Repetition::Even => [2 * seeds, seeds + 1],
    };
    let work = LayerWork { seeds, top: top as u8, starts, lower: open.clone(), upper: open, found: Vec::new() };
    work.run(least as u8, stop)
}

/// Returns what is known of a position at first: its end, its captures, the number of its other moves.
fn begin(layers: &[&Layer], repetition: Repetition, at: [u64; 2]) -> Start {
    let (pos, seeds) = (Board::of_words(at), layers.len());
    let moves = legal_moves(&pos);
    if moves.is_empty() {
        let Outcome::Margin(margin) = pos.outcome() else { return Start::default() };
        let value = (margin + seeds as i16) as u8;
        return Start { exits: [if repetition == Repetition::Even { value } else { value / 2 }; 2], moves: 0 };
    }
    let mut start = Start::default();
    for mv in moves {
        let captured = usize::from(pos.captured(mv));
        let Some(layer) = layers.get(seeds - captured) else {
            start.moves += 1;
            continue;
        };
        let cell = layer.cell(rank(pos.after(mv).words()));
        // The seeds captured, and those of the rest that the opponent does not get.
        let values = match repetition {
            Repetition::Worst => cell.shares().map(|share| seeds as u8 - share),
            Repetition::Even => [(2 * seeds - cell.even()) as u8; 2],
        };
        start.exits[0] = start.exits[0].max(values[1]);
        start.exits[1] = start.exits[1].max(values[0]);
    }
    start
}

/// A bound that was found: the rank, and whether it is the upper bound.
type Found = (u32, bool);

struct LayerWork {
    seeds: usize,
    top: u8,
    starts: Vec<Start>,
    lower: Vec<u8>,
    upper: Vec<u8>,
    /// The bounds that have not been passed on yet.
    found: Vec<Found>,
}

impl LayerWork {
    fn run(mut self, least: u8, stop: &StopFlag) -> Option<Bounded> {
        for level in (least..=self.top).rev() {
            for rank in 0..self.starts.len() {
                self.look(rank, level);
                while let Some((rank, is_upper)) = self.found.pop() {
                    self.pass_on(rank as usize, is_upper, level);
                }
                if rank % CHUNK == 0 && stop.is_raised() {
                    return None;
                }
            }
        }
        Some(Bounded { lower: self.lower, upper: self.upper })
    }

    /// Finds the bounds that a position has at a level by its exits, or because no move is left that could give more.
    fn look(&mut self, rank: usize, level: u8) {
        let Start { exits: [sure, most], moves } = self.starts[rank];
        if self.lower[rank] == OPEN && sure >= level {
            self.lower[rank] = level;
            self.found.push((rank as u32, false));
        }
        let rest = self.top - level;
        if self.upper[rank] == OPEN && moves == 0 && most <= rest {
            self.upper[rank] = rest;
            self.found.push((rank as u32, true));
        }
    }

    /// Passes a bound on to the predecessors of a position.
    fn pass_on(&mut self, rank: usize, is_upper: bool, level: u8) {
        let at = words(self.seeds, rank);
        before(at, |before| {
            let at = super::index::rank(before);
            if is_upper {
                if self.lower[at] == OPEN {
                    self.lower[at] = level;
                    self.found.push((at as u32, false));
                }
            } else {
                self.starts[at].moves -= 1;
                if self.starts[at].moves == 0 {
                    self.look(at, level);
                }
            }
        });
    }
}

/// Calls `each` with the boards from which a legal move that captures nothing leads to a board.
pub(crate) fn before([own, opposing]: [u64; 2], mut each: impl FnMut([u64; 2])) {
    for origin in 0..HOUSES {
        // The houses of the player who has moved, then the others; the origin is empty.
        let mut sides = [opposing, own];
        if seeds_in(opposing, origin) > 0 {
            continue;
        }
        let mut place = origin;
        for seeds in 1_u64.. {
            place = (place + 1) % (2 * HOUSES);
            if place == origin {
                place = (place + 1) % (2 * HOUSES);
            }
            let (side, shift) = (place / HOUSES, 8 * (place % HOUSES));
            if sides[side] >> shift & 0xff == 0 {
                break;
            }
            sides[side] -= 1 << shift;
            let from = [sides[0] | seeds << (8 * origin), sides[1]];
            let pos = Board::of_words(from);
            let mv = House(origin as u8);
            if pos.allows(mv) && pos.captured(mv) == 0 {
                each(from);
            }
        }
    }
}
