//! The interface of the command line: [`DatabasesOf`].

use super::build;
use super::database::Database;
use super::tables::Tables;
use super::verify::verify;
use crate::core::databases::{Build, BuildPlan, Databases, Needs, TableInfo};
use crate::core::{Error, Options, StopFlag};
use std::fmt::{self, Debug};
use std::fs;
use std::marker::PhantomData;
use std::path::Path;

/// The databases of a game: those of every set of rules.
pub struct DatabasesOf<D>(PhantomData<fn() -> D>);

impl<D> DatabasesOf<D> {
    pub(crate) const ALL: Self = Self(PhantomData);
}

impl<D: Database> Debug for DatabasesOf<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DatabasesOf").field(&D::GAME).finish()
    }
}

/// Returns the databases that a folder has. Fails if it has none of the game.
pub(crate) fn present<D: Database>(folder: &Path) -> Result<Vec<D>, Error> {
    fs::read_dir(folder).map_err(|error| Error::file("read", folder, &error))?;
    let found: Vec<_> = D::all().into_iter().filter(|database| database.is_in(folder)).collect();
    if found.is_empty() {
        return Err(Error::bad_file(folder, format!("holds no endgame database of {}", D::GAME)));
    }
    Ok(found)
}

/// Calls a function for each table of a folder, with its database, all tables of the database, its size and its number,
/// until the function returns false.
fn visit<D: Database>(
    folder: &Path,
    mut each: impl FnMut(&D, &Tables<D::Table>, usize, usize) -> Result<bool, Error>,
) -> Result<(), Error> {
    for database in present::<D>(folder)? {
        let tables = Tables::open(&database, folder)?;
        for (size, number) in database.up_to(tables.size()) {
            if tables.get(number).is_some() && !each(&database, &tables, size, number)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

impl<D: Database> Databases for DatabasesOf<D> {
    fn option(&self) -> &'static str {
        D::OPTION
    }

    fn unit(&self) -> &'static str {
        D::UNIT
    }

    fn needs(&self, options: &Options, folder: &Path, plan: BuildPlan) -> Result<Needs, Error> {
        let database = D::new(options)?;
        database.check(plan)?;
        Ok(build::needs(&database, folder, plan))
    }

    fn build(&self, options: &Options, plan: BuildPlan, build: &Build<'_>) -> Result<bool, Error> {
        build::build(&D::new(options)?, plan, build)
    }

    fn info(&self, folder: &Path) -> Result<Vec<TableInfo>, Error> {
        let mut found = Vec::new();
        visit::<D>(folder, |database, tables, size, number| {
            let files = database.files(number, true).filter_map(|file| fs::metadata(folder.join(file.name)).ok());
            let bytes = files.map(|file| file.len()).sum();
            found.extend(tables.get(number).map(|table| TableInfo {
                rules: database.rules(),
                size,
                positions: database.positions(number),
                bytes,
                details: database.details(number, table),
            }));
            Ok(true)
        })?;
        Ok(found)
    }

    fn decides_wins(&self, options: &Options, folder: &Path) -> Result<bool, Error> {
        Ok(Tables::shared(&D::new(options)?, folder)?.iter().any(D::decides_wins))
    }

    fn verify(
        &self,
        folder: &Path,
        samples: u64,
        seed: u64,
        stop: &StopFlag,
        progress: &dyn Fn(u64),
    ) -> Result<u64, Error> {
        let mut all = 0;
        visit::<D>(folder, |database, tables, _, number| {
            let checked = verify(database, tables, number, samples, seed, stop)?;
            all += checked;
            if !stop.is_raised() {
                progress(checked);
            }
            Ok(!stop.is_raised())
        })?;
        Ok(all)
    }
}
