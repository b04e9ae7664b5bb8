//! Builds a layer by rows, with all threads.
//!
//! A block is built level by level; a level consists of the rows of one potential, which do not depend on each other.
//! Blocks do not depend on each other either. A few are built at a time, level beside level: enough rows for all
//! threads, and little memory, since the exact shares of a block stay there until it is finished.

use super::layer::LayerShape;
use super::row::{RowBuilder, Shares};
use super::stored_row::StoredRow;
use crate::core::Error;
use crate::core::databases::Build;
use crate::util::parallel::for_each;
use std::sync::OnceLock;

/// The number of cells in a batch of rows.
const BATCH: usize = 1 << 16;

/// The number of blocks that are built at a time.
pub(crate) const TOGETHER: usize = 4;

/// The number of ranks that an overflow entry can express.
pub(crate) const MOST_RANKS: usize = 1 << 24;

/// Builds the layer above those of the builder. Returns its rows in order; `None` if the build was stopped.
pub(crate) fn rows(
    builder: &RowBuilder<'_>,
    shape: &LayerShape,
    build: &Build,
) -> Result<Option<Vec<StoredRow>>, Error> {
    let rows = slots(shape.rows);
    // The largest blocks come first.
    let blocks: Vec<_> = (0..=shape.seeds / 2).rev().collect();
    for blocks in blocks.chunks(TOGETHER) {
        // By block and rank, the richer side to move.
        let exact: Vec<Vec<OnceLock<Box<[u8]>>>> =
            blocks.iter().map(|&poorer| slots(builder.moves[poorer].words.len())).collect();
        let work = |&(number, ranks): &(usize, &[u32])| -> Result<(), Error> {
            let (poorer, exact, mut shares) = (blocks[number], &exact[number], Shares::default());
            let (words, block) = (&builder.moves[poorer].words, &shape.blocks[poorer]);
            let below = |row: usize| exact[row].get().map_or(&[][..], AsRef::as_ref);
            for &rank in ranks {
                let rank = rank as usize;
                builder.row(words[rank], shape.seeds - poorer, below, &mut shares);
                let _ = exact[rank].set(shares.richer().into());
                let _ = rows[block.first + rank].set(shares.pack(shape.seeds));
            }
            // Blocks of equal sides contain every position twice.
            let cells = (ranks.len() * block.columns) as u64;
            (build.progress)(if 2 * poorer == shape.seeds { cells } else { 2 * cells });
            Ok(())
        };
        for level in 0.. {
            let levels = blocks.iter().enumerate().filter_map(|(number, &poorer)| {
                let size = (BATCH / shape.blocks[poorer].columns).max(1);
                Some(builder.moves[poorer].levels.get(level)?.chunks(size).map(move |ranks| (number, ranks)))
            });
            let batches: Vec<_> = levels.flatten().collect();
            if batches.is_empty() {
                break;
            }
            if !for_each(build.threads, batches.len(), build.stop, |batch| work(&batches[batch]))? {
                return Ok(None);
            }
        }
    }
    Ok(Some(rows.into_iter().filter_map(OnceLock::into_inner).collect()))
}

fn slots<T>(count: usize) -> Vec<OnceLock<T>> {
    (0..count).map(|_| OnceLock::new()).collect()
}
