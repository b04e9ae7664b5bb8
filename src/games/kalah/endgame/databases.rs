//! The interface of the command line: builds, checks and sizes of endgame databases.

use super::layer;
use super::needs::needs;
use super::verify::Wrong;
use super::{Endgame, Endgames, Rules, build, folder, verify};
use crate::core::databases::{BuildPlan, Databases, Needs, TableDetail, TableInfo};
use crate::core::{Error, Options, StopFlag};
use crate::games::kalah::{Capture, Layout, text};
use std::fs;
use std::path::Path;

/// The endgame databases of Kalah.
#[derive(Debug)]
pub struct KalahDatabases;

impl Databases for KalahDatabases {
    fn option(&self) -> &'static str {
        "KalahEndgames"
    }

    fn unit(&self) -> &'static str {
        "seeds"
    }

    fn needs(&self, options: &Options, folder: &Path, plan: BuildPlan) -> Result<Needs, Error> {
        let rules = rules(options);
        check(rules, plan)?;
        Ok(needs(rules, folder, plan.size))
    }

    fn build(
        &self,
        options: &Options,
        folder: &Path,
        plan: BuildPlan,
        threads: usize,
        stop: &StopFlag,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error> {
        let rules = rules(options);
        check(rules, plan)?;
        build::build(folder, rules, plan.size, threads, stop, progress)
    }

    fn info(&self, folder: &Path) -> Result<Vec<TableInfo>, Error> {
        let mut layers = Vec::new();
        for endgame in open(folder)? {
            let rules = endgame.rules();
            layers.extend(endgame.layers().iter().map(|layer| TableInfo {
                rules: rules.options(),
                size: layer.seeds(),
                positions: layer::positions(rules.houses, layer.seeds()),
                bytes: layer.bytes(),
                detail: TableDetail::Overflow(layer.overflowing() as u64),
            }));
        }
        Ok(layers)
    }

    fn decides_wins(&self, options: &Options, folder: &Path) -> Result<bool, Error> {
        let rules = rules(options);
        // A folder without any database is named by the other error.
        if Endgames::open(folder, rules.capture)?.of(rules.houses).is_none() {
            let reason = format!("holds no endgame database of kalah with {}", rules.options());
            return Err(Error::bad_file(folder, reason));
        }
        Ok(true)
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
        for endgame in open(folder)? {
            for layer in endgame.layers() {
                let checked = verify::verify(&endgame, layer, samples, seed, stop).map_err(|wrong| {
                    let Wrong { board, stored, found } = wrong;
                    let (path, board) = (folder.join(layer::name(endgame.rules(), layer.seeds())), board.contents());
                    let reason = format!("is wrong: {} is worth {found:+}, not {stored:+}", text::write(&board));
                    Error::bad_file(&path, reason)
                })?;
                all += checked;
                if stop.is_raised() {
                    return Ok(all);
                }
                progress(checked);
            }
        }
        Ok(all)
    }
}

fn open(folder: &Path) -> Result<Vec<Endgame>, Error> {
    // A missing or unreadable folder is a different error than a folder without databases.
    fs::read_dir(folder).map_err(|error| Error::file("read", folder, &error))?;
    let found = folder::rules(folder);
    if found.is_empty() {
        return Err(Error::bad_file(folder, "holds no endgame database of kalah"));
    }
    found.into_iter().map(|rules| Endgame::open(folder, rules)).collect()
}

/// Checks whether such a database can exist.
fn check(rules: Rules, plan: BuildPlan) -> Result<(), Error> {
    if plan.distances {
        return Err(Error::BadOptions("the databases of kalah hold margins: there are no distances".into()));
    }
    build::check(rules, plan.size)
}

fn rules(options: &Options) -> Rules {
    let capture = if options.text("Capture") == "empty" { Capture::Empty } else { Capture::Standard };
    Rules { houses: options.spin("Houses").unsigned_abs() as usize, capture }
}
