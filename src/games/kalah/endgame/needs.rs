//! What endgame databases take: positions, disk space, memory.

use super::layer::{self, EXACT, LayerShape};
use super::{Rules, index};
use crate::core::databases::Needs;
use crate::store::{mapped, space};
use std::path::Path;

/// Returns what all layers up to `size` take.
pub fn needs(rules: Rules, folder: &Path, size: usize) -> Needs {
    let layers = (0..=size).take_while(|&seeds| folder.join(layer::name(rules, seeds)).exists()).count();
    let (mut needs, mut bytes) =
        (Needs { rules: rules.options(), tables: layers, free: space::free(folder), ..Needs::default() }, 0);
    for seeds in 0..=size {
        let (plan, positions) = (LayerShape::new(rules.houses, seeds), layer::positions(rules.houses, seeds));
        let overflow = overflow(positions, seeds) * layer::SHARE as u64;
        let size = mapped::size(&layer::subject(rules, seeds), plan.payload() as u64 + overflow);
        needs.positions += positions;
        bytes += size;
        if seeds >= layers {
            needs.missing += positions;
            needs.disk += size;
        }
        // The layer being built as well as its file, two of its blocks, and the lists of moves.
        let blocks = 2 * (plan.cells / (seeds / 2 + 1)) as u64;
        needs.memory = bytes + size + 2 * blocks;
    }
    needs.memory += (0..=size).map(|seeds| 120 * index::count(rules.houses, seeds) as u64).sum::<u64>();
    needs
}

/// Estimates the number of positions in the overflow of a layer; fitted to six houses (`docs/endgames.md`).
const fn overflow(positions: u64, seeds: usize) -> u64 {
    let beyond = seeds.saturating_sub(EXACT + 1) as u64;
    positions / 100_000 * (16 * beyond * beyond)
}
