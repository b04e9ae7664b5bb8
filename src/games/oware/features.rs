//! The features of Oware: the seeds in each house.

use super::Oware;
use super::heuristics::{HIDDEN, OwareHeuristics};
use super::rules::{Board, HOUSES};
use crate::core::{Features, Game, NetworkShape, Position, Side};
use crate::games::sowing::features;
use crate::games::sowing::words::seeds_in;
use crate::network::BuiltIn;

/// The shape of the network.
pub(super) const SHAPE: NetworkShape = features::shape(HIDDEN);

/// The network that evaluates Oware.
pub(super) static NETWORK: BuiltIn<HIDDEN> = BuiltIn::new(Oware::NAME, SHAPE, include_bytes!("oware.net"));

impl Features<Board> for OwareHeuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { hidden, ..SHAPE }
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
