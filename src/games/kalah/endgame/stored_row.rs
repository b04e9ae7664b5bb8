//! Rows in their stored form, and the file of a layer made of them.

use super::index::MOST_SEEDS;
use super::layer::{EXACT, LayerShape, OVERFLOW};
use crate::core::Error;
use crate::endgame::TableFile;
use std::path::Path;

/// Writes a layer from its rows, in order.
///
/// # Errors
/// [`Error::File`].
pub(crate) fn save(file: &TableFile, folder: &Path, shape: &LayerShape, rows: &[StoredRow]) -> Result<(), Error> {
    file.save(folder, |out| {
        rows.iter().try_for_each(|row| out.write_all(&row.cells))?;
        if shape.is_coded() {
            let mut begin = 0_u32;
            for row in rows {
                out.write_all(&begin.to_le_bytes())?;
                out.write_all(&[row.bases[0], row.bases[1], 0, 0])?;
                begin += row.overflow.len() as u32;
            }
            out.write_all(&u64::from(begin).to_le_bytes())?;
            for row in rows {
                row.overflow.iter().try_for_each(|share| out.write_all(&share.to_le_bytes()))?;
            }
        }
        Ok(())
    })
}

/// A row in its stored form.
#[derive(Debug)]
pub struct StoredRow {
    cells: Box<[u8]>,
    bases: [u8; 2],
    overflow: Box<[u32]>,
}

impl StoredRow {
    /// Packs the shares of a row: first those with the poorer side to move, then those with the richer.
    pub(crate) fn new(seeds: usize, shares: [&[u8]; 2]) -> Self {
        if seeds <= EXACT {
            let cells = shares[0].iter().zip(shares[1]).map(|(&low, &high)| low | high << 4).collect();
            return Self { cells, bases: [0; 2], overflow: Box::default() };
        }
        let bases = shares.map(|shares| base(seeds, shares));
        let code = |share: u8, side: usize| share.wrapping_sub(bases[side]).min(OVERFLOW);
        let cells = shares[0].iter().zip(shares[1]).map(|(&low, &high)| code(low, 0) | code(high, 1) << 4).collect();
        let mut overflow = Vec::new();
        for (column, (&low, &high)) in shares[0].iter().zip(shares[1]).enumerate() {
            for (side, share) in [low, high].into_iter().enumerate() {
                if code(share, side) == OVERFLOW {
                    overflow.push((column as u32) << 8 | (side as u32) << 7 | u32::from(share));
                }
            }
        }
        Self { cells, bases, overflow: overflow.into() }
    }
}

/// Returns the base that leaves the fewest shares without a code.
fn base(seeds: usize, shares: &[u8]) -> u8 {
    let mut counts = [0_u32; 2 * MOST_SEEDS];
    for &share in shares {
        counts[usize::from(share)] += 1;
    }
    let covered = |base: &usize| counts[*base..base + usize::from(OVERFLOW)].iter().sum::<u32>();
    (0..=seeds + 1 - usize::from(OVERFLOW)).max_by_key(covered).unwrap_or(0) as u8
}
