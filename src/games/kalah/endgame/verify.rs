//! Verification of databases: random positions against the best of their successors.

use super::Endgame;
use super::index::{self, MOST_SEEDS};
use super::layer::Layer;
use crate::core::random::Random;
use crate::core::{Outcome, Position, StopFlag};
use crate::games::kalah::{House, Layout, Packed};
use std::collections::HashMap;

/// The maximum number of seeds of a position that plain recursion checks as well.
pub const SEARCHED: usize = 7;

/// A position with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The position, South to move, the stores empty.
    pub board: Packed,
    /// The value in the database, seeds.
    pub stored: i32,
    /// The value by the successors or by plain recursion, seeds.
    pub found: i32,
}

/// Checks random positions of a layer against their successors, and against plain recursion where they are small.
/// Returns their number, which is lower if the flag was raised.
///
/// # Errors
/// The first wrong position.
pub fn verify(endgame: &Endgame, layer: &Layer, samples: u64, seed: u64, stop: &StopFlag) -> Result<u64, Wrong> {
    let rules = endgame.rules();
    let mut random = Random(seed ^ layer.seeds() as u64);
    let mut known = HashMap::new();
    for checked in 0..samples {
        if stop.is_raised() {
            return Ok(checked);
        }
        let board = Packed::of_words(rules.houses, rules.capture, draw(&mut random, rules.houses, layer.seeds()));
        let stored = probe(endgame, &board);
        let mut found = vec![best(&board, &mut |after| probe(endgame, after))];
        if layer.seeds() <= SEARCHED {
            found.push(searched(&board, &mut known));
        }
        if let Some(&found) = found.iter().find(|found| **found != stored) {
            return Err(Wrong { board, stored, found });
        }
    }
    Ok(samples)
}

fn probe(endgame: &Endgame, board: &Packed) -> i32 {
    let [own, opposing] = board.sides();
    endgame.probe(own, opposing, board.in_play().into()).unwrap_or(i32::MIN)
}

/// Returns what best play from a position adds to the lead, by the `value` of its successors.
pub fn best(board: &Packed, value: &mut impl FnMut(&Packed) -> i32) -> i32 {
    let mut moves: Vec<House> = Vec::new();
    board.moves(&mut moves);
    let lead = |pos: &Packed| if pos.turn() == board.turn() { pos.store_lead() } else { -pos.store_lead() };
    let values = moves.into_iter().map(|mv| {
        let after = board.after(mv);
        let rest = value(&after);
        lead(&after) - board.store_lead() + if after.turn() == board.turn() { rest } else { -rest }
    });
    values.max().unwrap_or_else(|| match board.outcome() {
        Outcome::Margin(margin) => i32::from(margin) - board.store_lead(),
        _ => 0,
    })
}

/// Returns the value by plain recursion to the ends of the game.
fn searched(board: &Packed, known: &mut HashMap<[u64; 2], i32>) -> i32 {
    if let Some(&value) = known.get(&board.sides()) {
        return value;
    }
    let value = best(board, &mut |after| searched(after, known));
    known.insert(board.sides(), value);
    value
}

/// Draws a random distribution by stars and bars: each is equally likely.
fn draw(random: &mut Random, houses: usize, seeds: usize) -> [u64; 2] {
    let mut words = [0; 2];
    let (mut stars, mut bars) = (seeds, 2 * houses - 1);
    for _ in 0..seeds + 2 * houses - 1 {
        let at = 2 * houses - 1 - bars;
        if (random.draw() % (stars + bars) as u64) < stars as u64 {
            words[at / houses] += 1 << (8 * (at % houses));
            stars -= 1;
        } else {
            bars -= 1;
        }
    }
    debug_assert!(seeds <= MOST_SEEDS && index::seeds(words[0]) + index::seeds(words[1]) == seeds);
    words
}
