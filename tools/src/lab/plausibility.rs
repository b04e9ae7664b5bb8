//! Likelihoods of move categories, learned from recorded matches: the realization probabilities of Tsuruoka, Yokoyama
//! and Chikayama 2002, for Floyd's search.

use crate::arena::journal;
use crate::arena::record::GameRecord;
use secateurs::core::Error;
use secateurs::core::error::Quoted;
use secateurs::engine::MoveOrder;
use secateurs::literature::plausibility::{CATEGORIES, Category, Plausibilities, categories};
use secateurs::registry::Setup;
use secateurs::store::{Replacement, bounded};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The size limit of a file of counts, in bytes.
const LARGEST: u64 = 1 << 20;

/// The counts of move categories in recorded games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CategoryCounts {
    /// The game.
    pub game: String,
    /// The number of games.
    pub games: usize,
    /// The number of positions.
    pub positions: u64,
    /// The counts of each category that occurred.
    pub categories: Vec<Tally>,
}

/// The counts of a category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// The name of the category.
    pub category: String,
    /// The number of positions with a move of the category.
    pub offered: u64,
    /// The number of these positions in which such a move was played.
    pub played: u64,
}

impl Tally {
    /// Returns the share that was played, by Laplace's rule of succession, which gives no rare event a likelihood of
    /// 0 or 1.
    pub(crate) fn likelihood(&self) -> f64 {
        (self.played + 1) as f64 / (self.offered.max(self.played) + 2) as f64
    }
}

impl CategoryCounts {
    /// Counts the moves in the records of matches, which must be of one game.
    pub(crate) fn from_records(paths: &[PathBuf]) -> Result<Self, Error> {
        let (mut games, mut positions, mut counts) = (0, 0, [[0; 2]; CATEGORIES]);
        let name = journal::each_match(paths, |path, setup, records| {
            for record in records {
                positions += count(setup, record, &mut counts)
                    .map_err(|error| Error::bad_file(path, format!("game {}: {error}", record.number)))?;
                games += 1;
            }
            Ok(())
        })?;
        let name = name.filter(|_| positions > 0);
        let game = name.ok_or_else(|| Error::BadOptions("there are no games in the records".into()))?.into();
        let met = Category::all().zip(counts).filter(|(_, [offered, _])| *offered > 0);
        let tally = |(category, [offered, played]): (Category, [u64; 2])| Tally {
            category: category.to_string(),
            offered,
            played,
        };
        Ok(Self { game, games, positions, categories: met.map(tally).collect() })
    }

    /// Returns the likelihoods; categories that did not occur have their initial ones.
    pub fn plausibilities(&self) -> Plausibilities {
        let start = Plausibilities::default();
        let mut all = [0.0; CATEGORIES];
        for category in Category::all() {
            let name = category.to_string();
            let tally = self.categories.iter().find(|tally| tally.category == name);
            // A forced move always has likelihood 1.
            let learned = tally.filter(|_| category != Category::Only).map(Tally::likelihood);
            all[category.index()] = learned.unwrap_or_else(|| start.likelihood(category));
        }
        Plausibilities::new(all)
    }

    pub(crate) fn save(&self, path: &Path) -> Result<(), Error> {
        let json = serde_json::to_string_pretty(self).map_err(|error| Error::file("write", path, &error.into()))?;
        Replacement::write_whole(path, (json + "\n").as_bytes())
    }

    /// Reads a file written by `save`.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of another kind.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = bounded::bytes(path, LARGEST)?;
        serde_json::from_slice(&text)
            .map_err(|_| Error::bad_file(path, "is not a table of plausibilities, or is damaged"))
    }

    /// Checks that the counts, read from `path`, are of this game.
    ///
    /// # Errors
    /// [`Error::BadFile`] for those of another game.
    pub fn check(&self, path: &Path, game: &str) -> Result<(), Error> {
        if self.game == game {
            return Ok(());
        }
        let reason = format!("is learned from games of {}, not of {game}", Quoted::new(&self.game));
        Err(Error::bad_file(path, reason))
    }
}

/// Counts the moves of a game that the players chose, without the opening. Returns their number.
fn count(setup: &Setup, record: &GameRecord, counts: &mut [[u64; 2]; CATEGORIES]) -> Result<u64, Error> {
    let mut board = record.opening.board(setup)?;
    for mv in record.played() {
        let (codes, categories) = (board.codes(), categories(&board.tree(1, MoveOrder::Generated).hints()));
        let played = board.codes_of(std::slice::from_ref(&mv.mv))?;
        let mut seen = [false; CATEGORIES];
        for (code, category) in codes.iter().zip(&categories) {
            let [offered, chosen] = &mut counts[category.index()];
            *offered += u64::from(!std::mem::replace(&mut seen[category.index()], true));
            *chosen += u64::from(played.contains(code));
        }
        board.play(&mv.mv)?;
    }
    Ok(record.played().len() as u64)
}
