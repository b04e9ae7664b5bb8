//! The features of Kalah: the seeds in each house.

use super::{KalahHeuristics, Layout};
use crate::core::{Features, NetworkShape, Side};
use crate::games::sowing::features;

impl<L: Layout> Features<L> for KalahHeuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        features::shape(hidden)
    }

    fn active(&self, pos: &L, side: Side, found: impl FnMut(usize)) {
        let is_own = side == pos.turn();
        let row = |own: bool| move |house| if own { pos.own(house) } else { pos.opposing(house) };
        features::active([row(is_own), row(!is_own)], pos.houses(), found);
    }

    fn bucket(&self, pos: &L) -> usize {
        features::bucket(pos.in_play().into())
    }
}
