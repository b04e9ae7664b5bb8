//! Othello (Reversi) on boards of 8 x 8, 6 x 6 and 4 x 4 squares.
//!
//! ```text
//!     a b c d e f g h       Black (X) begins
//!  1  . . . . . . . .       a disc flips all lines of the opponent's discs between it and another of its colour,
//!  2  . . . . . . . .       across, up or diagonally, and must flip at least one
//!  3  . . . + . . . .   +   a side that cannot do that passes; once neither side can, the game is over
//!  4  . . + O X . . .       the side with more discs wins by the difference;
//!  5  . . . X O + . .       the vacant squares count for the winner
//!  6  . . . . + . . .
//!  7  . . . . . . . .
//!  8  . . . . . . . .
//! ```
//!
//! - `bits`: the board as bits, moves and flipped discs; `rules`: positions and moves;
//! - [`text`]: positions and moves as text; `picture`: the board on a terminal;
//! - `symmetry`: the symmetries of the starting position; [`stability`]: discs that can never be flipped;
//! - `patterns`, `fitted`: the evaluation on 8 x 8; `evaluation`: that of the other sizes; `heuristics`: what the
//!   search knows of the game;
//! - [`endgame`]: a search of its own for the last squares.

mod bits;
pub mod endgame;
mod evaluation;
mod features;
mod fitted;
mod heuristics;
mod patterns;
mod picture;
mod rules;
pub mod stability;
mod symmetry;
pub mod text;

pub use heuristics::OthelloHeuristics;
pub use rules::{Disc, Discs, Size};

use crate::core::{BenchRow, Error, Game, OptionRow, Options, Records};
use crate::network::{WithNetwork, eval_file};

/// The option for a network.
const EVAL_FILE: &str = "OthelloEvalFile";

/// The game with the size of its starting position.
#[derive(Clone, Debug)]
pub struct Othello {
    size: Size,
    heuristics: WithNetwork<OthelloHeuristics>,
}

impl Game for Othello {
    type Position = Discs;
    type Heuristics = WithNetwork<OthelloHeuristics>;

    const NAME: &'static str = "othello";
    const ABOUT: &'static str = "Othello (Reversi) on 8 x 8, 6 x 6 or 4 x 4 squares";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::combo("BoardSize", "8", &["4", "6", "8"])
            .help("squares of a row and of a column in othello's startpos"),
        eval_file(EVAL_FILE),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 11 },
        BenchRow { options: &[("BoardSize", "6")], position: "startpos", depth: 13 },
        BenchRow {
            options: &[],
            position: "--OOOO----OOO---OOXXXOO--OOOXOO--XXXXOO--OOXOO----OO-------O---- X",
            depth: 8,
        },
    ];

    fn new(options: &Options) -> Result<Self, Error> {
        let width = options.text("BoardSize");
        let named = |size: &Size| size.width().to_string() == width;
        Ok(Self {
            size: Size::ALL.into_iter().find(named).unwrap_or(Size::Eight),
            heuristics: WithNetwork::open::<Discs>(OthelloHeuristics, Self::NAME, options.text(EVAL_FILE))?,
        })
    }

    fn heuristics(&self) -> WithNetwork<OthelloHeuristics> {
        self.heuristics.clone()
    }
}

impl Records for Othello {}
