//! Xiangqi, Chinese chess.
//!
//! ```text
//!  10  r n b a k a b n r      k general   within its palace, d to f, three ranks; generals may not face each other
//!   9  . . . . . . . . .      a advisor   diagonally within the palace
//!   8  . c . . . . . c .      b elephant  two points diagonally, not over a piece, not over the river
//!   7  p . p . p . p . p      n horse     one point orthogonally, not over a piece, and one diagonally
//!   6  . . . . . . . . .      r chariot   any distance orthogonally
//!      ------ river ----      c cannon    like the chariot; it captures over exactly one piece
//!   5  . . . . . . . . .      p soldier   one point ahead, beyond the river also sideways
//!   4  P . P . P . P . P
//!   3  . C . . . . . C .      A side that has no legal move has lost, in check or not.
//!   2  . . . . . . . . .
//!   1  R N B A K A B N R
//!      a b c d e f g h i
//! ```
//!
//! - `geometry`, `sight`: the board as points, steps and lines;
//! - `piece`, `rules`, `moves`: positions and legal moves;
//! - [`fen`], `notation`: positions and moves as text;
//! - `features`: what the network sees of a position; `exchange`, `heuristics`: what else the search knows of the game;
//! - `picture`: the board on a terminal.

mod exchange;
mod features;
pub mod fen;
mod geometry;
mod heuristics;
mod moves;
mod notation;
mod picture;
mod piece;
mod rules;
mod sight;

use features::NETWORK;
pub use heuristics::XiangqiHeuristics;
pub use rules::{Move, Xiangqiboard};

use crate::core::{BenchRow, Error, Game, LoadNetwork, OptionRow, Options, Records};
use crate::network::eval_file;

/// The option for a network.
const EVAL_FILE: &str = "XiangqiEvalFile";

/// The option for the number of the first rank.
const FIRST_RANK: &str = "XiangqiFirstRank";

/// The game: xiangqi, with ranks counted from 1 or 0 in moves.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    first_rank: u8,
    heuristics: XiangqiHeuristics,
}

impl Game for Xiangqi {
    type Position = Xiangqiboard;
    type Heuristics = XiangqiHeuristics;

    const NAME: &'static str = "xiangqi";
    const ABOUT: &'static str = "xiangqi, Chinese chess";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::spin(FIRST_RANK, 1, 0..=1)
            .help("number of the first rank in moves of xiangqi: 1 as in Fairy-Stockfish, 0 as in Pikafish"),
        eval_file(EVAL_FILE),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 11 },
        BenchRow {
            options: &[],
            position: "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
            depth: 13,
        },
        BenchRow { options: &[], position: "2bak4/4a4/4b4/4C3p/2n6/p5P2/P3p3P/4B1N2/4A4/2BAK4 w - - 0 1", depth: 19 },
    ];

    const LOAD_NETWORK: Option<LoadNetwork> = Some(|bytes| NETWORK.load(bytes));

    fn new(options: &Options) -> Result<Self, Error> {
        let heuristics = XiangqiHeuristics::new(options.text(EVAL_FILE))?;
        Ok(Self { first_rank: options.spin(FIRST_RANK) as u8, heuristics })
    }

    fn heuristics(&self) -> XiangqiHeuristics {
        self.heuristics.clone()
    }
}

impl Records for Xiangqi {}
