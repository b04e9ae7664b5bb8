//! Chess and Chess960 (Fischer random chess), by the rules of FIDE.
//!
//! - `rules`: the position, by `cozy-chess`;
//! - [`fen`]: positions as text;
//! - `notation`: moves as text;
//! - `features`: what the network sees of a position; `men`: what a move changes of it; `endings`, `lone_pawn`: what it
//!   does not evaluate alone;
//! - `exchange`, `heuristics`: what else the search knows of the game; `zobrist`: keys before the move is made;
//! - `picture`: the board on a terminal; `bits`: sets of squares.

mod bits;
mod endings;
mod exchange;
mod features;
pub mod fen;
mod heuristics;
mod lone_pawn;
mod men;
mod notation;
mod picture;
mod rules;
mod zobrist;

use features::NETWORK;
pub use heuristics::ChessHeuristics;
pub(crate) use heuristics::tuning;
pub use rules::Chessboard;

use crate::core::{BenchRow, Error, Game, LoadNetwork, MissingOption, OptionRow, Options, Records};
use crate::network::eval_file;

/// The option for Chess960.
const CHESS960: &str = "UCI_Chess960";

/// The option for a network.
const EVAL_FILE: &str = "EvalFile";

/// The game: chess, with castling written in one of two ways.
#[derive(Clone, Debug)]
pub struct Chess {
    chess960: bool,
    heuristics: ChessHeuristics,
}

impl Game for Chess {
    type Position = Chessboard;
    type Heuristics = ChessHeuristics;

    const NAME: &'static str = "chess";
    const ABOUT: &'static str = "chess and Chess960";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::check(CHESS960, false)
            .help("write castling in chess as the king's move to the square of its rook, e1h1"),
        eval_file(EVAL_FILE),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 9 },
        BenchRow {
            options: &[],
            position: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            depth: 7,
        },
        BenchRow { options: &[], position: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", depth: 11 },
        BenchRow {
            options: &[(CHESS960, "true")],
            position: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            depth: 8,
        },
    ];

    const LOAD_NETWORK: Option<LoadNetwork> = Some(|bytes| NETWORK.load(bytes));

    fn new(options: &Options) -> Result<Self, Error> {
        let heuristics = ChessHeuristics::new(options.text(EVAL_FILE))?;
        Ok(Self { chess960: options.check(CHESS960), heuristics })
    }

    fn heuristics(&self) -> ChessHeuristics {
        self.heuristics.clone()
    }
}

impl Records for Chess {
    fn missing_option(&self, pos: &Chessboard) -> Option<MissingOption> {
        let (rights, without) = fen::without_chess960(pos).filter(|_| !self.chess960)?;
        Some(MissingOption { name: CHESS960, value: "true", needed_by: format!("castling rights {rights}"), without })
    }
}
