//! Draughts by several rule sets: English draughts (checkers), international and Brazilian draughts.
//!
//! ```text
//!   1   . b . b . b . b    4      a man steps ahead diagonally and captures by jumping over a piece to the vacant
//!   5   b . b . b . b .    8      square behind it, again and again
//!   9   . b . b . b . b   12      captures are compulsory
//!  13   . . . . . . . .   16      a man that ends its move on the last row becomes a king, which also moves backward
//!  17   . . . . . . . .   20      a side that cannot move has lost
//!  21   w . w . w . w .   24
//!  25   . w . w . w . w   28
//!  29   w . w . w . w .   32
//! ```
//!
//! - [`variant`]: the rule sets;
//! - [`geometry`]: the board as bits;
//! - `rules`, `captures`: positions and moves;
//! - `text`, `notation`: positions and moves as text;
//! - `features`, `terms`, `heuristics`: what the search knows of the game; `endgame`: its databases;
//! - `picture`: the board on a terminal.

mod captures;
mod endgame;
mod features;
pub mod geometry;
mod heuristics;
mod notation;
mod picture;
mod rules;
mod terms;
mod text;
pub mod variant;

pub use heuristics::DraughtsHeuristics;
pub use rules::{Draughtsboard, Move};
pub use variant::{Brazilian, English, International, Variant};

use crate::core::{BenchRow, Databases, Error, Game, LoadNetwork, OptionRow, Options, Records};
use crate::endgame::{DatabasesOf, Retrograde, Tables};
use std::path::Path;
use variant::RuleSettings;

/// The game by a rule set.
#[derive(Clone, Debug)]
pub struct Draughts<V> {
    settings: RuleSettings,
    heuristics: DraughtsHeuristics<V>,
}

impl<V: Variant> Game for Draughts<V> {
    type Position = Draughtsboard<V>;
    type Heuristics = DraughtsHeuristics<V>;

    const NAME: &'static str = V::NAME;
    const ABOUT: &'static str = V::ABOUT;
    const OPTIONS: &'static [OptionRow] = V::OPTIONS;
    const BENCH: &'static [BenchRow] = V::BENCH;
    const DATABASES: Option<&'static dyn Databases> = Some(&DatabasesOf::<Retrograde<Draughtsboard<V>>>::ALL);
    const LOAD_NETWORK: Option<LoadNetwork> = Some(|bytes| V::NETWORK.load(bytes));

    fn new(options: &Options) -> Result<Self, Error> {
        let folder = options.text(V::ENDGAMES);
        let database = Retrograde::<Draughtsboard<V>>::default();
        let tables = if folder.is_empty() { None } else { Some(Tables::shared(&database, Path::new(folder))?) };
        let heuristics = DraughtsHeuristics::new(options.text(V::EVAL_FILE), tables)?;
        let heuristics = match V::TERM_WEIGHTS {
            None => heuristics,
            Some(name) => {
                let text = options.text(name);
                heuristics.weighted(text).map_err(|expected| Error::bad_value(name, text, expected))?
            }
        };
        Ok(Self { settings: V::settings(options), heuristics })
    }

    fn heuristics(&self) -> DraughtsHeuristics<V> {
        self.heuristics.clone()
    }
}

impl<V: Variant> Records for Draughts<V> {}
