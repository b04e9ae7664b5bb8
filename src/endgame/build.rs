//! Builds the missing tables of a folder, class by class.

use super::folder;
use super::material::{Class, Material};
use super::retrograde;
use super::table::{Counts, Kind, Table};
use super::tables::Tables;
use crate::core::databases::{BuildPlan, Needs};
use crate::core::{Error, StopFlag};
use crate::store::space;
use std::path::Path;
use std::time::Instant;

/// The bytes in memory of each index of the class and of its reverse while they are built: level, moves and exits.
const IN_MEMORY: u64 = 3;

/// Checks whether such a database can exist.
///
/// # Errors
/// [`Error::BadOptions`].
pub fn check<P: Material>(plan: BuildPlan) -> Result<(), Error> {
    if (2..=P::MOST_PIECES).contains(&plan.size) {
        return Ok(());
    }
    Err(Error::BadOptions(format!("endgame databases have 2 to {} pieces, not {}", P::MOST_PIECES, plan.size)))
}

/// Returns the classes of a plan with their pieces, in the order in which they are built.
fn classes<P: Material>(plan: BuildPlan) -> impl Iterator<Item = (usize, Class)> {
    (2..=plan.size).flat_map(|pieces| P::classes(pieces).into_iter().map(move |class| (pieces, class)))
}

/// Whether the files of a class are there.
fn is_there<P: Material>(folder: &Path, game: &str, class: Class, plan: BuildPlan) -> bool {
    let kinds = Kind::ALL.iter().filter(|&&kind| kind == Kind::Outcomes || plan.distances);
    kinds.into_iter().all(|kind| kind.path::<P>(folder, game, class).exists())
}

/// Returns what the tables of a plan take.
pub fn needs<P: Material>(folder: &Path, game: &str, plan: BuildPlan) -> Needs {
    let mut needs = Needs { free: space::free(folder), ..Needs::default() };
    let (mut mapped, mut largest) = (0, 0);
    for (_, class) in classes::<P>(plan) {
        let positions = P::positions(class);
        let kinds = Kind::ALL.iter().filter(|&&kind| kind == Kind::Outcomes || plan.distances);
        let bytes: u64 = kinds.map(|kind| kind.size::<P>(game, class)).sum();
        needs.positions += positions;
        mapped += bytes;
        if is_there::<P>(folder, game, class, plan) {
            needs.tables += 1;
        } else {
            needs.missing += positions;
            needs.disk += bytes;
            let halves = if P::reversed(class) == class { 1 } else { 2 };
            largest = largest.max(halves * IN_MEMORY * P::indices(class) as u64);
        }
    }
    needs.memory = mapped + largest;
    needs
}

/// Builds the missing tables of a folder. Returns false if the flag was raised before the last one was finished.
///
/// # Errors
/// [`Error::BadOptions`] for a database that cannot exist, [`Error::File`], [`Error::BadFile`] for a file that is not a
/// valid table.
pub fn build<P: Material>(
    folder: &Path,
    game: &str,
    plan: BuildPlan,
    threads: usize,
    stop: &StopFlag,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    check::<P>(plan)?;
    let _alone = folder::lock(folder)?;
    let present: Vec<_> = classes::<P>(plan).filter(|(_, class)| is_there::<P>(folder, game, *class, plan)).collect();
    let opened = folder::each(present.len(), |number| Table::open::<P>(folder, game, present[number].1))?;
    let mut tables = Tables::empty::<P>();
    for ((pieces, class), table) in present.into_iter().zip(opened) {
        tables.add(pieces, class, table);
    }
    folder::check_space(folder, &needs::<P>(folder, game, plan))?;
    for (pieces, class) in classes::<P>(plan) {
        if tables.of(class).is_some() {
            continue;
        }
        let start = Instant::now();
        let value = |pos: &P| {
            let missing = || Error::bad_file(folder, format!("has no table of {}", P::name(pos.class())));
            tables.value(pos).ok_or_else(missing)
        };
        let Some(solved) = retrograde::solve(class, threads, stop, &value, progress)? else { return Ok(false) };
        for (class, levels) in solved {
            let counts = Counts::of(levels.iter().copied(), plan.distances);
            for kind in Kind::ALL {
                if kind == Kind::Outcomes || plan.distances {
                    kind.save::<P>(folder, game, class, counts, &levels)?;
                }
            }
            drop(levels);
            tables.add(pieces, class, Table::open::<P>(folder, game, class)?);
        }
        log::info!("{}: {} positions in {:.3?}", P::name(class), P::positions(class), start.elapsed());
    }
    Ok(true)
}
