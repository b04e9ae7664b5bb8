//! Builds a layer by rows, with all threads.
//!
//! A block is built level by level; a level consists of the rows of one potential, which do not depend on each other. Blocks
//! do not depend on each other either. They are built one after the other, which saves memory: the exact shares of a block
//! stay in memory until it is finished.

use super::layer::LayerShape;
use super::packed::Packed;
use super::row::{Makings, Shares};
use crate::core::Error;
use crate::core::parallel::for_each;
use crate::endgame::Build;
use std::sync::OnceLock;

/// The number of cells in a batch of rows.
const BATCH: usize = 1 << 16;

/// The number of ranks that an overflow entry can express.
pub const MOST_RANKS: usize = 1 << 24;

/// Builds the layer above those of the makings. Returns its rows in order; `None` if the build was
/// stopped.
pub fn rows(makings: &Makings<'_>, shape: &LayerShape, build: &Build) -> Result<Option<Vec<Packed>>, Error> {
    let rows: Vec<_> = (0..shape.rows).map(|_| OnceLock::new()).collect();
    // The largest blocks come first.
    for poorer in (0..=shape.seeds / 2).rev() {
        let (moves, block) = (&makings.moves[poorer], &shape.blocks[poorer]);
        // By rank, the richer side to move.
        let exact: Vec<_> = moves.words.iter().map(|_| OnceLock::<Box<[u8]>>::new()).collect();
        let below = |row: usize| exact[row].get().map_or(&[][..], |row| row);
        for level in &moves.levels {
            let batches: Vec<_> = level.chunks((BATCH / block.columns).max(1)).collect();
            let work = |number: usize| {
                let (batch, mut shares) = (batches[number], Shares::default());
                for &rank in batch {
                    let rank = rank as usize;
                    makings.row(moves.words[rank], shape.seeds - poorer, below, &mut shares);
                    let _ = exact[rank].set(shares.richer().into());
                    let _ = rows[block.first + rank].set(shares.pack(shape.seeds));
                }
                // Blocks of equal sides contain every position twice.
                let cells = (batch.len() * block.columns) as u64;
                (build.progress)(if 2 * poorer == shape.seeds { cells } else { 2 * cells });
                Ok(())
            };
            if !for_each(build.threads, batches.len(), build.stop, work)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(rows.into_iter().filter_map(OnceLock::into_inner).collect()))
}
