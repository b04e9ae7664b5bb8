//! The interface of the command line: [`Retrograde`].

use super::build;
use super::material::Material;
use super::table::{Table, Value};
use super::tables::Tables;
use super::verify::{Flaw, verify};
use crate::core::databases::{BuildPlan, Databases, Needs, TableDetail, TableInfo};
use crate::core::{Error, Game, Options, StopFlag};
use std::fmt::{self, Debug};
use std::fs;
use std::marker::PhantomData;
use std::path::Path;

/// The databases of a game by retrograde analysis.
pub struct Retrograde<G> {
    /// The option that names their folder.
    pub option: &'static str,
    /// The game.
    pub game: PhantomData<fn() -> G>,
}

impl<G> Debug for Retrograde<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retrograde").field("option", &self.option).finish()
    }
}

impl<G: Game<Position: Material>> Retrograde<G> {
    fn open(folder: &Path) -> Result<Tables, Error> {
        // A missing or unreadable folder is a different error than a folder without databases.
        fs::read_dir(folder).map_err(|error| Error::file("read", folder, &error))?;
        Tables::open::<G::Position>(folder, G::NAME)
    }
}

impl<G: Game<Position: Material>> Databases for Retrograde<G> {
    fn option(&self) -> &'static str {
        self.option
    }

    fn unit(&self) -> &'static str {
        "pieces"
    }

    fn needs(&self, _options: &Options, folder: &Path, plan: BuildPlan) -> Result<Needs, Error> {
        build::check::<G::Position>(plan)?;
        Ok(build::needs::<G::Position>(folder, G::NAME, plan))
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
        build::build::<G::Position>(folder, G::NAME, plan, threads, stop, progress)
    }

    fn info(&self, folder: &Path) -> Result<Vec<TableInfo>, Error> {
        let tables = Self::open(folder)?;
        let mut found = Vec::new();
        for size in 2..=G::Position::MOST_PIECES {
            for class in G::Position::classes(size) {
                let Some(table) = tables.of(class) else { continue };
                let counts = table.counts();
                let detail = TableDetail::Outcomes {
                    material: G::Position::name(class),
                    counts: counts.outcomes,
                    longest: table.has_distances().then_some(counts.longest),
                };
                let positions = G::Position::positions(class);
                found.push(TableInfo { rules: String::new(), size, positions, bytes: table.bytes(), detail });
            }
        }
        Ok(found)
    }

    fn decides_wins(&self, _options: &Options, folder: &Path) -> Result<bool, Error> {
        let tables = Tables::shared::<G::Position>(folder, G::NAME)?;
        let mut classes = (2..=G::Position::MOST_PIECES).flat_map(G::Position::classes);
        Ok(classes.any(|class| tables.of(class).is_some_and(Table::has_distances)))
    }

    fn verify(
        &self,
        folder: &Path,
        samples: u64,
        seed: u64,
        stop: &StopFlag,
        progress: &dyn Fn(u64),
    ) -> Result<u64, Error> {
        let (tables, game) = (Self::open(folder)?, G::new(&Options::new(G::OPTIONS))?);
        let mut all = 0;
        for class in (2..=G::Position::MOST_PIECES).flat_map(G::Position::classes) {
            if tables.of(class).is_none() {
                continue;
            }
            let checked = verify::<G::Position>(&tables, class, samples, seed, stop).map_err(|flaw| match flaw {
                Flaw::Wrong { kind, pos, stored, found } => {
                    let path = kind.path::<G::Position>(folder, G::NAME, class);
                    let [stored, found] = [stored, found].map(text);
                    Error::bad_file(&path, format!("is wrong: {} is {found}, not {stored}", game.write(&pos)))
                }
                Flaw::Missing(class) => {
                    Error::bad_file(folder, format!("has no table of {}", G::Position::name(class)))
                }
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

/// Describes a value for the side to move.
fn text(value: Value) -> String {
    let outcome = match value.outcome() {
        Value::Win => "won",
        Value::Draw => "drawn",
        _ => "lost",
    };
    match value {
        Value::Distance(plies) => format!("{outcome} in {plies} plies"),
        _ => outcome.into(),
    }
}
