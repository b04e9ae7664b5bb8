//! The database of Kalah as the [interface of all databases](Database) sees it: a table is a layer, its number and its
//! size are the seeds in play.

use super::Rules;
use super::build::{MOST_RANKS, TOGETHER, rows};
use super::index::{self, MOST_HOUSES, MOST_SEEDS};
use super::layer::{EXACT, Layer, LayerShape, SHARE, positions};
use super::moves::Moves;
use super::row::RowBuilder;
use super::stored_row;
use crate::core::databases::{Build, BuildPlan, TableDetail};
use crate::core::{Error, Options};
use crate::endgame::{Database, Opened, TableFile, Tables};
use crate::games::kalah::{Capture, Layout, Packed, text};
use crate::games::sowing::best;
use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::path::Path;

/// The maximum number of seeds of a position that is checked by plain recursion too.
const SEARCHED: usize = 7;

/// The tables that this process has open.
static OPENED: Opened<Layer> = Opened::new();

impl Database for Rules {
    const GAME: &'static str = "kalah";
    const OPTION: &'static str = "KalahEndgames";
    const UNIT: &'static str = "seeds";

    type Table = Layer;
    type Position = Packed;

    fn all() -> Vec<Self> {
        let all = [Capture::Standard, Capture::Empty].into_iter();
        all.flat_map(|capture| (1..=MOST_HOUSES).map(move |houses| Self { houses, capture })).collect()
    }

    fn new(options: &Options) -> Result<Self, Error> {
        let rules =
            Self { houses: options.spin("Houses").unsigned_abs() as usize, capture: Capture::from_options(options) };
        if (1..=MOST_HOUSES).contains(&rules.houses) {
            return Ok(rules);
        }
        Err(Error::BadOptions(format!("endgame databases have 1 to {MOST_HOUSES} houses a side")))
    }

    fn rules(&self) -> String {
        format!("Houses={} Capture={}", self.houses, self.capture.name())
    }

    fn sizes(&self) -> RangeInclusive<usize> {
        let fits = |seeds: &usize| index::count(self.houses, *seeds) <= MOST_RANKS;
        0..=(0..=MOST_SEEDS).rev().find(fits).unwrap_or(0)
    }

    fn file(&self, seeds: usize) -> TableFile {
        let (houses, capture) = (self.houses, self.capture.name());
        let overflow = overflow(positions(houses, seeds), seeds) * SHARE as u64;
        TableFile {
            name: format!("kalah-{houses}-{capture}-{seeds}.sde"),
            subject: format!("kalah {} seeds={seeds}", self.rules()),
            payload: LayerShape::new(houses, seeds).payload() as u64 + overflow,
        }
    }

    fn positions(&self, seeds: usize) -> u64 {
        positions(self.houses, seeds)
    }

    /// The layer, the blocks that are built at a time, and the lists of moves.
    fn memory(&self, seeds: usize) -> u64 {
        let blocks = TOGETHER * LayerShape::new(self.houses, seeds).cells / (seeds / 2 + 1);
        let lists: usize = (0..=seeds).map(|side| 120 * index::count(self.houses, side)).sum();
        self.file(seeds).size() + (blocks + lists) as u64
    }

    fn builder(&self, plan: BuildPlan) -> impl Fn(&Tables<Layer>, usize, &Build) -> Result<bool, Error> {
        let moves: Vec<_> = (0..=plan.size).map(|side| Moves::new(self.houses, side, plan.size)).collect();
        move |tables, seeds, build| {
            let layers: Vec<_> = tables.iter().take(seeds).collect();
            let builder = RowBuilder { rules: *self, layers: &layers, moves: &moves };
            let shape = LayerShape::new(self.houses, seeds);
            let Some(rows) = rows(&builder, &shape, build)? else { return Ok(false) };
            stored_row::save(&self.file(seeds), build.folder, &shape, &rows).map(|()| true)
        }
    }

    fn open(&self, folder: &Path, seeds: usize) -> Result<Layer, Error> {
        Layer::open(folder, *self, seeds)
    }

    fn opened() -> &'static Opened<Layer> {
        &OPENED
    }

    fn details(&self, _seeds: usize, layer: &Layer) -> Vec<(&'static str, TableDetail)> {
        vec![("overflow", TableDetail::Share(layer.overflowing() as u64))]
    }

    /// The seeds of the side to move come first, then its rank, then that of the opponent.
    fn at(&self, seeds: usize, mut index: usize) -> Option<Packed> {
        for own in 0..=seeds {
            let [rows, columns] = [own, seeds - own].map(|side| index::count(self.houses, side));
            if index < rows * columns {
                let word = |seeds, rank| index::word(self.houses, seeds, rank);
                let words = [word(own, index / columns), word(seeds - own, index % columns)];
                return Some(Packed::of_words(self.houses, self.capture, words));
            }
            index -= rows * columns;
        }
        None
    }

    /// Checks small positions by plain recursion too.
    fn checker(&self) -> impl FnMut(&Tables<Layer>, usize, &Packed) -> Result<(), Error> {
        let mut known = HashMap::new();
        move |tables, seeds, board| {
            let probe = |board: &Packed| {
                let ([own, opposing], in_play) = (board.sides(), board.in_play().into());
                tables.probe(own, opposing, in_play).ok_or_else(|| tables.missing(format!("{in_play} seeds")))
            };
            let stored = probe(board)?;
            let mut found = vec![best(board, Packed::store_lead, |after| probe(after).map(|rest| [rest; 3]))?[0]];
            if seeds <= SEARCHED {
                found.push(searched(board, &mut known));
            }
            let Some(found) = found.into_iter().find(|found| *found != stored) else { return Ok(()) };
            let (text, [found, stored]) =
                (text::write(&board.contents()), [found, stored].map(|value| format!("worth {value:+}")));
            Err(self.file(seeds).wrong(tables.folder(), &text, &found, &stored))
        }
    }
}

/// Estimates the number of positions in the overflow of a layer; fitted to six houses (`docs/endgames.md`).
const fn overflow(positions: u64, seeds: usize) -> u64 {
    let beyond = seeds.saturating_sub(EXACT + 1) as u64;
    positions / 100_000 * (16 * beyond * beyond)
}

/// Returns what the rest of the game adds to the lead, by plain recursion to its ends.
fn searched(board: &Packed, known: &mut HashMap<[u64; 2], i32>) -> i32 {
    if let Some(&value) = known.get(&board.sides()) {
        return value;
    }
    let Ok([value, ..]) = best(board, Packed::store_lead, |after| Ok::<_, Infallible>([searched(after, known); 3]));
    known.insert(board.sides(), value);
    value
}
