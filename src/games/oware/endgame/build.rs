//! Builds the missing layers of a folder, from the smallest on.

use super::index::{MOST_SEEDS, count};
use super::layer::{self, CELL, Layer, name, subject};
use super::solve::solve;
use crate::core::databases::Needs;
use crate::core::{Error, StopFlag};
use crate::endgame::folder::{check_space, lock};
use crate::store::{mapped, space};
use std::path::Path;
use std::time::Instant;

/// The bytes in memory of each position of the layer that is built: exits, moves, bounds, the cell.
const IN_MEMORY: u64 = 7;

/// Checks whether such a database can exist.
///
/// # Errors
/// [`Error::BadOptions`].
pub fn check(seeds: usize) -> Result<(), Error> {
    if seeds <= MOST_SEEDS {
        return Ok(());
    }
    Err(Error::BadOptions(format!("endgame databases of oware have at most {MOST_SEEDS} seeds, not {seeds}")))
}

/// Returns what all layers up to `seeds` take.
#[must_use]
pub fn needs(folder: &Path, seeds: usize) -> Needs {
    let tables = (0..=seeds).take_while(|&seeds| folder.join(name(seeds)).exists()).count();
    let mut needs = Needs { tables, free: space::free(folder), ..Needs::default() };
    let mut bytes = 0;
    for seeds in 0..=seeds {
        let positions = count(seeds) as u64;
        let size = mapped::size(&subject(seeds), CELL as u64 * positions);
        needs.positions += positions;
        needs.memory = bytes + IN_MEMORY * positions;
        bytes += size;
        if seeds >= tables {
            needs.missing += positions;
            needs.disk += size;
        }
    }
    needs
}

/// Builds the missing layers of a folder up to `seeds`; false if the flag was raised before the last was finished.
/// Finished layers stay in any case. `progress` receives the number of positions finished since its last call.
///
/// # Errors
/// [`Error::BadOptions`] for a database that cannot exist, [`Error::File`], [`Error::BadFile`] for a file that is not a
/// valid layer.
pub fn build(
    folder: &Path,
    seeds: usize,
    threads: usize,
    stop: &StopFlag,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    check(seeds)?;
    let _alone = lock(folder)?;
    let mut layers = Vec::new();
    while layers.len() <= seeds && folder.join(name(layers.len())).exists() {
        layers.push(Layer::open(folder, layers.len())?);
    }
    check_space(folder, &needs(folder, seeds))?;
    while layers.len() <= seeds {
        let (start, seeds) = (Instant::now(), layers.len());
        let Some(cells) = solve(&layers, threads, stop, progress) else { return Ok(false) };
        layer::save(folder, seeds, &cells)?;
        drop(cells);
        layers.push(Layer::open(folder, seeds)?);
        log::info!("{seeds} seeds: {} positions in {:.3?}", count(seeds), start.elapsed());
    }
    Ok(true)
}
