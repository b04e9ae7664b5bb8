//! Builds layers by rows, with all threads, from the smallest layer on.
//!
//! A block is built level by level; a level consists of the rows of one potential. The rows of a level do not depend on
//! each other, nor do blocks. A thread takes the next rows of the first block that has rows available. So few blocks
//! are in progress, which saves memory: the exact shares of a block stay in memory until it is finished.

use super::Rules;
use super::index::{self, MOST_SEEDS};
use super::layer::{self, Layer, LayerShape};
use super::moves::Moves;
use super::needs::needs;
use super::packed::{self, Packed};
use super::row::{Makings, Shares};
use crate::core::parallel::on_threads;
use crate::core::{Error, StopFlag};
use crate::endgame::folder::{check_space, lock};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// The number of cells in a batch of rows.
const BATCH: usize = 1 << 16;

/// The number of ranks that an overflow entry can express.
const MOST_RANKS: usize = 1 << 24;

/// Builds the missing layers of a folder up to `seeds`; false if the flag was raised before the last was finished.
/// Finished layers stay in any case. `progress` receives the number of positions finished since its last call.
///
/// # Errors
/// [`Error::BadOptions`] for a database that cannot exist, [`Error::File`], [`Error::BadFile`] for a file that is not a
/// valid layer.
pub fn build(
    folder: &Path,
    rules: Rules,
    seeds: usize,
    threads: usize,
    stop: &StopFlag,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<bool, Error> {
    check(rules, seeds)?;
    let _alone = lock(folder)?;
    let mut layers = Vec::new();
    while layers.len() <= seeds && folder.join(layer::name(rules, layers.len())).exists() {
        layers.push(Layer::open(folder, rules, layers.len())?);
    }
    if layers.len() > seeds {
        return Ok(true);
    }
    check_space(folder, &needs(rules, folder, seeds))?;
    let moves: Vec<_> = (0..=seeds).map(|side| Moves::new(rules.houses, side, seeds)).collect();
    while layers.len() <= seeds {
        let start = Instant::now();
        let makings = Makings { rules, layers: &layers, moves: &moves };
        let work = Work::new(makings, progress);
        if !work.run(threads, stop) {
            return Ok(false);
        }
        let made = start.elapsed();
        work.save(folder)?;
        // The mapped file takes as much memory again.
        drop(work);
        let (seeds, positions) = (layers.len(), layer::positions(rules.houses, layers.len()));
        layers.push(Layer::open(folder, rules, seeds)?);
        let all = start.elapsed();
        log::info!("{seeds} seeds: {positions} positions in {made:.3?}, {all:.3?} with the file");
    }
    Ok(true)
}

/// Checks whether such a database can exist.
///
/// # Errors
/// [`Error::BadOptions`].
pub fn check(rules: Rules, seeds: usize) -> Result<(), Error> {
    if !(1..=index::MOST_HOUSES).contains(&rules.houses) {
        let most = index::MOST_HOUSES;
        return Err(Error::BadOptions(format!("endgame databases have 1 to {most} houses a side")));
    }
    if seeds > MOST_SEEDS || index::count(rules.houses, seeds) > MOST_RANKS {
        let fits = |seeds: &usize| index::count(rules.houses, *seeds) <= MOST_RANKS;
        let most = (0..=MOST_SEEDS).rev().find(fits).unwrap_or(0);
        let houses = rules.houses;
        return Err(Error::BadOptions(format!("{seeds} seeds: with Houses {houses} at most {most} are possible")));
    }
    Ok(())
}

/// A layer that is being built.
struct Work<'a> {
    makings: Makings<'a>,
    plan: LayerShape,
    /// By the number of seeds of the poorer side.
    blocks: Vec<Making>,
    schedule: Mutex<Vec<Stage>>,
    changed: Condvar,
    rows: Vec<OnceLock<Packed>>,
    progress: &'a (dyn Fn(u64) + Sync),
}

/// The exact shares of a block with the richer side to move: one row each, by rank.
type Exact = Vec<OnceLock<Box<[u8]>>>;

/// A block that is being built; it has shares while it is in progress.
type Making = Mutex<Option<Arc<Exact>>>;

/// The progress of a block.
#[derive(Clone, Copy, Default)]
struct Stage {
    level: usize,
    /// The number of rows of the level that have been taken.
    taken: usize,
    /// The number of threads working on it.
    busy: usize,
}

/// Rows to build: the block, and a range of the ranks of a level.
struct RowTask {
    block: usize,
    level: usize,
    ranks: Range<usize>,
}

impl<'a> Work<'a> {
    fn new(makings: Makings<'a>, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        let plan = LayerShape::new(makings.rules.houses, makings.layers.len());
        let blocks = plan.seeds / 2 + 1;
        Self {
            blocks: (0..blocks).map(|_| Mutex::default()).collect(),
            schedule: Mutex::new(vec![Stage::default(); blocks]),
            changed: Condvar::new(),
            rows: (0..plan.rows).map(|_| OnceLock::new()).collect(),
            makings,
            plan,
            progress,
        }
    }

    /// Builds all rows; false if the flag was raised before the last.
    fn run(&self, threads: usize, stop: &StopFlag) -> bool {
        on_threads(threads.min(self.plan.cells / BATCH + 1), &|| self.work(stop));
        self.rows.iter().all(|row| row.get().is_some())
    }

    fn work(&self, stop: &StopFlag) {
        let mut shares = Shares::default();
        while let Some(task) = self.take(stop) {
            let exact = self.exact(task.block);
            let moves = &self.makings.moves[task.block];
            for &rank in &moves.levels[task.level][task.ranks.clone()] {
                let rank = rank as usize;
                let below = |row: usize| exact[row].get().map_or(&[][..], |row| row);
                self.makings.row(moves.words[rank], self.plan.seeds - task.block, below, &mut shares);
                let _ = exact[rank].set(shares.richer().into());
                let _ = self.rows[self.plan.blocks[task.block].first + rank].set(shares.pack(self.plan.seeds));
            }
            drop(exact);
            self.done(&task);
        }
    }

    /// Returns the next rows that can be built, and waits until there are some; `None` if there are no more, or the
    /// flag is raised.
    fn take(&self, stop: &StopFlag) -> Option<RowTask> {
        let mut schedule = self.schedule();
        loop {
            if stop.is_raised() {
                self.changed.notify_all();
                return None;
            }
            let mut all_taken = true;
            // The largest blocks come first.
            for (block, stage) in schedule.iter_mut().enumerate().rev() {
                let levels = &self.makings.moves[block].levels;
                if stage.level == levels.len() {
                    continue;
                }
                all_taken = false;
                let (rows, taken) = (levels[stage.level].len(), stage.taken);
                if taken < rows {
                    let count = (BATCH / self.plan.blocks[block].columns).max(1).min(rows - taken);
                    stage.taken += count;
                    stage.busy += 1;
                    return Some(RowTask { block, level: stage.level, ranks: taken..taken + count });
                }
            }
            if all_taken {
                return None;
            }
            schedule = self.changed.wait(schedule).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, task: &RowTask) {
        let levels = &self.makings.moves[task.block].levels;
        let mut schedule = self.schedule();
        let stage = &mut schedule[task.block];
        stage.busy -= 1;
        if stage.busy == 0 && stage.taken == levels[stage.level].len() {
            *stage = Stage { level: stage.level + 1, ..Stage::default() };
            if stage.level == levels.len() {
                *self.block(task.block) = None;
            }
            self.changed.notify_all();
        }
        drop(schedule);
        // Blocks of equal sides contain every position twice.
        let cells = (task.ranks.len() * self.plan.blocks[task.block].columns) as u64;
        let positions = if 2 * task.block == self.plan.seeds { cells } else { 2 * cells };
        (self.progress)(positions);
    }

    /// Returns the exact shares of a block, allocated on the first request.
    fn exact(&self, block: usize) -> Arc<Exact> {
        let rows = self.makings.moves[block].words.len();
        let make = || Arc::new((0..rows).map(|_| OnceLock::new()).collect());
        Arc::clone(self.block(block).get_or_insert_with(make))
    }

    fn block(&self, block: usize) -> MutexGuard<'_, Option<Arc<Exact>>> {
        self.blocks[block].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn schedule(&self) -> MutexGuard<'_, Vec<Stage>> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn save(&self, folder: &Path) -> Result<(), Error> {
        let rows: Vec<_> = self.rows.iter().filter_map(OnceLock::get).collect();
        packed::save(folder, self.makings.rules, &self.plan, &rows)
    }
}
