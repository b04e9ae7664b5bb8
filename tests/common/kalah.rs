//! Random boards of Kalah, and their true values by plain recursion.

use super::Random;
use secateurs::core::{Outcome, Position, Side};
use secateurs::games::kalah::{BoardContents, Capture, Layout, Wide};
use std::collections::HashMap;

pub const RULES: [Capture; 2] = [Capture::Standard, Capture::Empty];
pub const SIDES: [Side; 2] = [Side::First, Side::Second];

pub fn lay<L: Layout>(contents: &BoardContents) -> L {
    L::lay(contents).unwrap()
}

pub fn moves<P: Position>(pos: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// Returns a random board of up to `most` seeds anywhere, often in one house, so that laps are sown.
pub fn random_board(capture: Capture, houses: usize, most: usize, random: &mut Random) -> BoardContents {
    let mut contents = BoardContents {
        capture,
        turn: *random.pick(&SIDES),
        stores: [0, 0],
        houses: [vec![0; houses], vec![0; houses]],
    };
    let mut left = random.below(most + 1);
    while left > 0 {
        let heap = if random.chance(30) { left } else { left.min(6) };
        let seeds = 1 + random.below(heap);
        left -= seeds;
        let side = random.below(2);
        match random.below(houses + 1) {
            house if house < houses => contents.houses[side][house] += seeds as u16,
            _ => contents.stores[side] += seeds as u16,
        }
    }
    contents
}

/// The values by rule, side to move and houses.
pub type Known = HashMap<(Capture, Side, [Vec<u16>; 2]), i32>;

/// Returns the margin, in seeds, that best play adds for the mover to that of the stores, by plain recursion.
pub fn gain(pos: &Wide, known: &mut Known) -> i32 {
    let seeds = (pos.capture(), pos.turn(), pos.contents().houses);
    if let Some(&gain) = known.get(&seeds) {
        return gain;
    }
    let lead = |after: &Wide| if after.turn() == pos.turn() { after.store_lead() } else { -after.store_lead() };
    let values = moves(pos).into_iter().map(|mv| {
        let after = pos.after(mv);
        let rest = gain(&after, known);
        lead(&after) - pos.store_lead() + if after.turn() == pos.turn() { rest } else { -rest }
    });
    let best = values.max().unwrap_or_else(|| {
        let Outcome::Margin(margin) = pos.outcome() else { panic!("Kalah has margins only") };
        i32::from(margin) - pos.store_lead()
    });
    known.insert(seeds, best);
    best
}
