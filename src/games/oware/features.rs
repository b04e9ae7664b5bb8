//! The features of Oware: the seeds in each house.

use super::OwareHeuristics;
use super::rules::{Board, HOUSES};
use crate::core::{Features, Position, Shape, Side};
use crate::games::sowing::features;
use crate::games::sowing::words::seeds_in;

impl Features<Board> for OwareHeuristics {
    fn shape_with(&self, hidden: usize) -> Shape {
        features::shape(hidden)
    }

    fn active(&self, pos: &Board, side: Side, found: impl FnMut(usize)) {
        let [own, opposing] = pos.words();
        let words = if side == pos.turn() { [own, opposing] } else { [opposing, own] };
        features::active(words.map(|word| move |house| seeds_in(word, house).into()), HOUSES, found);
    }

    fn bucket(&self, pos: &Board) -> usize {
        features::bucket(pos.in_play().into())
    }
}
