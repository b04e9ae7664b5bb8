//! Oware by the rules called Abapa: six houses per side, sowing and capturing.
//!
//! ```text
//!             North
//!    f   e   d   c   b   a         each side's houses in its own sowing order, counter-clockwise
//!  +---+---+---+---+---+---+
//!  | 4 | 4 | 4 | 4 | 4 | 4 |       sowing skips the house that the seeds come from
//!  +---+---+---+---+---+---+       last seed makes two or three in a house of the opponent's: capture,
//!  | 4 | 4 | 4 | 4 | 4 | 4 |       and the houses before it, as long as they hold two or three
//!  +---+---+---+---+---+---+       an opponent without seeds must be given some
//!    A   B   C   D   E   F
//!         South (moves first)
//! ```
//!
//! - [`rules`]: the rules on two machine words;
//! - `heuristics`: evaluation, move ordering, bounds;
//! - [`endgame`]: databases of bounds for all positions with few seeds;
//! - [`text`]: positions and moves as text; `picture`: the board on a terminal.

pub mod endgame;
mod features;
mod heuristics;
mod picture;
pub mod rules;
pub mod text;

use crate::core::{BenchRow, Databases, Error, Game, LoadNetwork, OptionRow, Options, Records};
use crate::endgame::{DatabasesOf, Tables};
use crate::network::eval_file;
use endgame::OwareDatabase;
use std::path::Path;

pub use heuristics::OwareHeuristics;
pub use rules::{Board, House};

use features::NETWORK;
use rules::{HOUSES, MAX_SEEDS};

/// The option for a network.
const EVAL_FILE: &str = "OwareEvalFile";

/// The game, with its options.
#[derive(Clone, Debug)]
pub struct Oware {
    seeds: u8,
    heuristics: OwareHeuristics,
}

impl Game for Oware {
    type Position = Board;
    type Heuristics = OwareHeuristics;

    const NAME: &'static str = "oware";
    const ABOUT: &'static str = "Oware, Abapa rules: a grand slam captures nothing, a repetition ends the game";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::spin("OwareSeeds", 4, 1..=MAX_SEEDS as i64 / (2 * HOUSES as i64))
            .help("seeds per house in oware's startpos"),
        OptionRow::folder("OwareEndgames")
            .help("folder of oware's endgame databases, built by `secateurs endgame build`; empty: none"),
        eval_file(EVAL_FILE),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 15 },
        BenchRow { options: &[], position: "<6,10,9,0,1,7,0,2,3,1,4,0,2,8,1> n", depth: 18 },
        BenchRow { options: &[], position: "<6,17,15,1,0,3,0,2,1,0,2,4,1,0,2> s", depth: 22 },
    ];

    const DATABASES: Option<&'static dyn Databases> = Some(&DatabasesOf::<OwareDatabase>::ALL);
    const LOAD_NETWORK: Option<LoadNetwork> = Some(|bytes| NETWORK.load(bytes));

    fn new(options: &Options) -> Result<Self, Error> {
        let folder = options.text("OwareEndgames");
        let endgames = if folder.is_empty() { None } else { Some(Tables::shared(&OwareDatabase, Path::new(folder))?) };
        let heuristics = OwareHeuristics::new(options.text(EVAL_FILE), endgames)?;
        Ok(Self { seeds: u8::try_from(options.spin("OwareSeeds")).unwrap_or(4), heuristics })
    }

    fn heuristics(&self) -> OwareHeuristics {
        self.heuristics.clone()
    }
}

impl Records for Oware {
    /// The houses from the point of view of the side to move.
    fn book_key(&self, pos: &Board) -> Vec<u8> {
        text::write(&Board::of_words(pos.words())).into()
    }
}
