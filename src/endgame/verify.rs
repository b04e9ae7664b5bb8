//! Verification of tables: random positions against their successors.

use super::database::Database;
use super::tables::Tables;
use crate::core::{Error, StopFlag};
use crate::util::random::Random;

/// Checks random positions of a table. Returns their number, which is lower if the flag was raised.
///
/// # Errors
/// [`Error::BadFile`] for the first wrong position, or for a table that is missing.
pub fn verify<D: Database>(
    database: &D,
    tables: &Tables<D::Table>,
    number: usize,
    samples: u64,
    seed: u64,
    stop: &StopFlag,
) -> Result<u64, Error> {
    let (mut random, mut check) = (Random(seed ^ (number as u64) << 32), database.checker());
    let mut checked = 0;
    while checked < samples && !stop.is_raised() {
        if let Some(pos) = database.at(number, random.below(database.indices(number))) {
            check(tables, number, &pos)?;
            checked += 1;
        }
    }
    Ok(checked)
}
