//! The database of Oware as the [interface of all databases](Database) sees it: a table is a layer, its number and its
//! size are the seeds on the board.

use super::index::{MOST_SEEDS, count, rank, words};
use super::layer::{self, CELL, Layer};
use super::solve::solve;
use crate::core::databases::{Build, BuildPlan, TableDetail};
use crate::core::{Error, Options};
use crate::endgame::{Database, Opened, TableFile, Tables};
use crate::games::oware::{Board, text};
use crate::games::sowing::best;
use std::ops::RangeInclusive;
use std::path::Path;

/// The tables that this process has open.
static OPENED: Opened<Layer> = Opened::new();

/// The bytes in memory for each position of the layer being built: exits, moves, bounds; the cell is in the file.
const IN_MEMORY: u64 = 5;

/// The database of Oware.
#[derive(Clone, Copy, Debug)]
pub struct OwareDatabase;

impl Database for OwareDatabase {
    const GAME: &'static str = "oware";
    const OPTION: &'static str = "OwareEndgames";
    const UNIT: &'static str = "seeds";

    type Table = Layer;
    type Position = Board;

    fn all() -> Vec<Self> {
        vec![Self]
    }

    fn new(_options: &Options) -> Result<Self, Error> {
        Ok(Self)
    }

    fn sizes(&self) -> RangeInclusive<usize> {
        0..=MOST_SEEDS
    }

    fn file(&self, seeds: usize) -> TableFile {
        TableFile {
            name: format!("oware-{seeds}.sde"),
            subject: format!("oware seeds={seeds}"),
            payload: (CELL * count(seeds)) as u64,
        }
    }

    fn positions(&self, seeds: usize) -> u64 {
        count(seeds) as u64
    }

    fn memory(&self, seeds: usize) -> u64 {
        IN_MEMORY * count(seeds) as u64
    }

    fn builder(&self, _plan: BuildPlan) -> impl Fn(&Tables<Layer>, usize, &Build) -> Result<bool, Error> {
        |tables, seeds, build| {
            let layers: Vec<_> = tables.iter().take(seeds).collect();
            let Some(cells) = solve(&layers, build.threads, build.stop, build.progress) else { return Ok(false) };
            layer::save(build.folder, seeds, &cells).map(|()| true)
        }
    }

    fn open(&self, folder: &Path, seeds: usize) -> Result<Layer, Error> {
        Layer::open(folder, seeds)
    }

    fn opened() -> &'static Opened<Layer> {
        &OPENED
    }

    fn details(&self, _seeds: usize, layer: &Layer) -> Vec<(&'static str, TableDetail)> {
        vec![("open", TableDetail::Share(layer.open_positions()))]
    }

    fn at(&self, seeds: usize, index: usize) -> Option<Board> {
        Some(Board::of_words(words(seeds, index)))
    }

    fn checker(&self) -> impl FnMut(&Tables<Layer>, usize, &Board) -> Result<(), Error> {
        |tables, seeds, board| {
            let values = |board: &Board| -> Result<_, Error> {
                let (rank, in_play) = (rank(board.words()), board.in_play().into());
                let layer = tables.get(in_play).ok_or_else(|| tables.missing(format!("{in_play} seeds")))?;
                let [lower, upper] = layer.bounds(rank);
                Ok([lower, upper, layer.even(rank)])
            };
            let (stored, found) = (values(board)?, best(board, Board::store_lead, values)?);
            if found == stored {
                return Ok(());
            }
            let worth = |[lower, upper, even]: [i32; 3]| format!("worth {lower} to {upper}, {even} evenly");
            let file = self.file(seeds);
            Err(file.wrong(tables.folder(), &text::write(board), &worth(found), &worth(stored)))
        }
    }
}
