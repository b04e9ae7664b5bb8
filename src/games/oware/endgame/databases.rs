//! The interface of the command line: builds, checks and sizes of endgame databases.

use super::layer::{Layer, name};
use super::{Endgames, build, index, verify};
use crate::core::databases::{BuildPlan, Databases, Needs, TableDetail, TableInfo};
use crate::core::{Error, Options, StopFlag};
use crate::games::oware::text;
use std::fs;
use std::path::Path;

/// The endgame databases of Oware.
#[derive(Debug)]
pub struct OwareDatabases;

impl Databases for OwareDatabases {
    fn option(&self) -> &'static str {
        "OwareEndgames"
    }

    fn unit(&self) -> &'static str {
        "seeds"
    }

    fn needs(&self, _options: &Options, folder: &Path, plan: BuildPlan) -> Result<Needs, Error> {
        check(plan)?;
        Ok(build::needs(folder, plan.size))
    }

    fn build(
        &self,
        _options: &Options,
        folder: &Path,
        plan: BuildPlan,
        threads: usize,
        stop: &StopFlag,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error> {
        check(plan)?;
        build::build(folder, plan.size, threads, stop, progress)
    }

    fn info(&self, folder: &Path) -> Result<Vec<TableInfo>, Error> {
        let describe = |layer: &Layer| TableInfo {
            rules: String::new(),
            size: layer.seeds(),
            positions: index::count(layer.seeds()) as u64,
            bytes: layer.bytes(),
            detail: TableDetail::Bounds(layer.open_positions()),
        };
        Ok(open(folder)?.layers().iter().map(describe).collect())
    }

    fn decides_wins(&self, _options: &Options, folder: &Path) -> Result<bool, Error> {
        Endgames::shared(folder).map(|_| true)
    }

    fn verify(
        &self,
        folder: &Path,
        samples: u64,
        seed: u64,
        stop: &StopFlag,
        progress: &dyn Fn(u64),
    ) -> Result<u64, Error> {
        let (endgames, mut all) = (open(folder)?, 0);
        for layer in endgames.layers() {
            let checked = verify::verify(&endgames, layer, samples, seed, stop).map_err(|wrong| {
                let (path, board) = (folder.join(name(layer.seeds())), text::write(&wrong.board));
                let [stored, found] = [wrong.stored, wrong.found]
                    .map(|[lower, upper, even]| format!("{lower} to {upper}, {even} evenly"));
                Error::bad_file(&path, format!("is wrong: {board} is worth {found}, not {stored}"))
            })?;
            all += checked;
            if stop.is_raised() {
                return Ok(all);
            }
            progress(checked);
        }
        Ok(all)
    }
}

fn open(folder: &Path) -> Result<Endgames, Error> {
    // A missing or unreadable folder is a different error than a folder without databases.
    fs::read_dir(folder).map_err(|error| Error::file("read", folder, &error))?;
    Endgames::open(folder)
}

/// Checks whether such a database can exist.
fn check(plan: BuildPlan) -> Result<(), Error> {
    if plan.distances {
        return Err(Error::BadOptions("the databases of oware hold margins: there are no distances".into()));
    }
    build::check(plan.size)
}
