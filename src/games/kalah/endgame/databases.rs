//! The interface of the command line: builds, checks and sizes of endgame databases.

use super::layer::{self, EXACT, LayerShape};
use super::verify::Wrong;
use super::{Endgame, Rules, build, folder, index, verify};
use crate::core::databases::{Databases, LayerInfo, Needs};
use crate::core::{Error, Options, StopFlag};
use crate::games::kalah::{Capture, Layout, text};
use crate::store::{mapped, space};
use std::fs;
use std::path::Path;

/// The endgame databases of Kalah.
#[derive(Debug)]
pub struct KalahDatabases;

/// Estimates the number of positions in the overflow of a layer; fitted to six houses (`docs/endgames.md`).
const fn overflow(positions: u64, seeds: usize) -> u64 {
    let beyond = seeds.saturating_sub(EXACT + 1) as u64;
    positions / 100_000 * (16 * beyond * beyond)
}

impl Databases for KalahDatabases {
    fn option(&self) -> &'static str {
        "KalahEndgames"
    }

    fn unit(&self) -> &'static str {
        "seeds"
    }

    fn needs(&self, options: &Options, folder: &Path, size: usize) -> Result<Needs, Error> {
        let rules = rules(options);
        build::check(rules, size)?;
        Ok(needs(rules, folder, size))
    }

    fn build(
        &self,
        options: &Options,
        folder: &Path,
        size: usize,
        threads: usize,
        stop: &StopFlag,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<bool, Error> {
        build::build(folder, rules(options), size, threads, stop, progress)
    }

    fn info(&self, folder: &Path) -> Result<Vec<LayerInfo>, Error> {
        let mut layers = Vec::new();
        for endgame in open(folder)? {
            let rules = endgame.rules();
            layers.extend(endgame.layers().iter().map(|layer| LayerInfo {
                rules: rules.options(),
                size: layer.seeds(),
                positions: layer::positions(rules.houses, layer.seeds()),
                overflow: layer.overflowing() as u64,
                bytes: layer.bytes(),
            }));
        }
        Ok(layers)
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
                if let Some(Wrong { board, stored, found }) = verify::verify(&endgame, layer, samples, seed, stop) {
                    let (path, board) = (folder.join(layer::name(endgame.rules(), layer.seeds())), board.contents());
                    let reason = format!("is wrong: {} is worth {found:+}, not {stored:+}", text::write(&board));
                    return Err(Error::bad_file(&path, reason));
                }
                if stop.is_raised() {
                    return Ok(all);
                }
                all += samples;
                progress(samples);
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

fn rules(options: &Options) -> Rules {
    let capture = if options.text("Capture") == "empty" { Capture::Empty } else { Capture::Standard };
    Rules { houses: options.spin("Houses").unsigned_abs() as usize, capture }
}

/// Returns what all layers up to `size` take.
pub(super) fn needs(rules: Rules, folder: &Path, size: usize) -> Needs {
    let layers = (0..=size).take_while(|&seeds| folder.join(layer::name(rules, seeds)).exists()).count();
    let (mut needs, mut bytes) =
        (Needs { rules: rules.options(), layers, free: space::free(folder), ..Needs::default() }, 0);
    for seeds in 0..=size {
        let (plan, positions) = (LayerShape::new(rules.houses, seeds), layer::positions(rules.houses, seeds));
        let overflow = overflow(positions, seeds) * layer::SHARE as u64;
        let size = mapped::size(&layer::subject(rules, seeds), plan.payload() as u64 + overflow);
        needs.positions += positions;
        bytes += size;
        if seeds >= layers {
            needs.missing += positions;
            needs.disk += size;
        }
        // The layer being built as well as its file, two of its blocks, and the lists of moves.
        let blocks = 2 * (plan.cells / (seeds / 2 + 1)) as u64;
        needs.memory = bytes + size + 2 * blocks;
    }
    needs.memory += (0..=size).map(|seeds| 120 * index::count(rules.houses, seeds) as u64).sum::<u64>();
    needs
}
