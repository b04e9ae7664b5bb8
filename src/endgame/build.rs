//! Builds the missing tables of a folder, one after the other.

use super::database::Database;
use super::folder;
use super::tables::Tables;
use crate::core::Error;
use crate::core::databases::{Build, BuildPlan, Needs};
use crate::store::space;
use std::path::Path;
use web_time::Instant;

/// Returns the cost of a plan.
pub fn needs(database: &impl Database, folder: &Path, plan: BuildPlan) -> Needs {
    let mut needs = Needs { rules: database.rules(), free: space::free(folder), ..Needs::default() };
    let mut memory = 0;
    for (_, number) in database.up_to(plan.size) {
        let bytes: u64 = database.files(number, plan.distances).map(|file| file.size()).sum();
        let positions = database.positions(number);
        needs.positions += positions;
        needs.memory += bytes;
        if database.has(folder, number, plan.distances) {
            needs.tables += 1;
        } else {
            needs.missing += positions;
            needs.disk += bytes;
            memory = memory.max(database.memory(number));
        }
    }
    needs.memory += memory;
    needs
}

/// Builds the missing tables of a folder. Returns false if the flag was raised before the last one was finished.
/// Finished tables stay.
///
/// # Errors
/// [`Error::BadOptions`] for a database that cannot exist, [`Error::File`], [`Error::BadFile`] for a file that is not a
/// valid table.
pub fn build<D: Database>(database: &D, plan: BuildPlan, build: &Build<'_>) -> Result<bool, Error> {
    database.check(plan)?;
    let folder = build.folder;
    let _alone = folder::lock(folder)?;
    let mut tables = Tables::read(database, folder, plan.size, plan.distances)?;
    let needs = needs(database, folder, plan);
    folder::check_space(folder, &needs)?;
    if needs.missing == 0 {
        return Ok(true);
    }
    let make = database.builder(plan);
    for (size, number) in database.up_to(plan.size) {
        if tables.get(number).is_some() {
            continue;
        }
        let start = Instant::now();
        // Some are built together with another one.
        if !database.has(folder, number, plan.distances) && !make(&tables, number, build)? {
            return Ok(false);
        }
        tables.add(size, number, database.open(folder, number)?);
        let (name, positions) = (database.file(number).name, database.positions(number));
        log::info!("{name}: {positions} positions in {:.3?}", start.elapsed());
    }
    Ok(true)
}
