//! The rule sets, one type each: what distinguishes English, international and Brazilian draughts.

use super::features::{HIDDEN, SHAPE};
use crate::core::chances::WinModel;
use crate::core::{BenchRow, OptionRow, Options};
use crate::network::{BuiltIn, eval_file};
use std::fmt::Debug;

/// The option for the draw by moves without progress in English draughts.
const DRAW_MOVES: &str = "DrawMoves";

/// The option that joins captures which differ only in their route.
const ROUTES: &str = "Routes";

/// The option for the weights of terms.
const TERM_WEIGHTS: &str = "CheckersWeights";

/// Returns the option for the folder of a game's endgame databases.
const fn endgames(name: &'static str) -> OptionRow {
    OptionRow::folder(name)
        .help("folder of this game's endgame databases, built by `secateurs endgame build`; empty: none")
}

/// A rule set. The defaults are the international rules, which other games with flying kings share.
pub trait Variant: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The name of the game.
    const NAME: &'static str;
    /// A description of one line.
    const ABOUT: &'static str;
    /// The options of the game, the [folder of its databases](Self::ENDGAMES) among them.
    const OPTIONS: &'static [OptionRow];
    /// The option for the folder of the endgame databases.
    const ENDGAMES: &'static str;
    /// The option for a network.
    const EVAL_FILE: &'static str;
    /// The positions that `bench` searches.
    const BENCH: &'static [BenchRow];

    /// The playing squares of a row: half the size of the board.
    const WIDTH: u32;

    /// The rows of men of either side at the start.
    const HOME_ROWS: u32;

    /// The letter of each side in FEN, beginning with the side that moves first.
    const LETTERS: [char; 2] = ['W', 'B'];

    /// The names of the sides.
    const SIDES: [&'static str; 2] = ["White", "Black"];

    /// Whether the first player's home row has the lowest numbers.
    const FIRST_HAS_LOW_NUMBERS: bool = false;

    /// Whether squares may also be read by file and rank, `c3`.
    const ALGEBRAIC: bool = false;

    /// Whether kings move and capture any distance, and men capture backward too.
    const FLYING: bool = true;

    /// Whether only the captures of the most men are legal.
    const MAJORITY: bool = true;

    /// The plies that make a draw, counted from the last capture, if one, two or three pieces with a king among them
    /// are left against a lone king; 0 if the rule set has no such draw.
    const LONE_KING: [u16; 3] = [0; 3];

    /// The network that evaluates positions.
    const NETWORK: &'static BuiltIn<HIDDEN>;

    /// The chances of a win by the score and the pieces on the board. Fitted by `benches/wdl.py`.
    const CHANCES: WinModel;

    /// The option for an evaluation by terms alone.
    const TERM_WEIGHTS: Option<&'static str> = None;

    /// Returns the settings that the options determine.
    fn settings(options: &Options) -> RuleSettings;
}

/// The options of a rule set, as a position holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSettings {
    /// Plies without a capture or a move of a man that make a draw.
    pub limit: u16,
    /// Whether captures that differ only in their route are one move.
    pub joined: bool,
}

static CHECKERS: BuiltIn<HIDDEN> = BuiltIn::new(English::NAME, SHAPE, include_bytes!("checkers.net"));
static DRAUGHTS: BuiltIn<HIDDEN> = BuiltIn::new(International::NAME, SHAPE, include_bytes!("draughts.net"));
static BRAZILIAN: BuiltIn<HIDDEN> = BuiltIn::new(Brazilian::NAME, SHAPE, include_bytes!("brazilian.net"));

/// English draughts, or checkers (the rules of the World Checkers and Draughts Federation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct English;

impl Variant for English {
    const NAME: &'static str = "checkers";
    const ABOUT: &'static str = "English draughts (American checkers), 8 x 8";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::spin(DRAW_MOVES, 40, 1..=1_000)
            .help("moves of each side without a capture or a man's move that make a draw in checkers"),
        OptionRow::combo(ROUTES, "apart", &["apart", "together"])
            .help("whether captures in checkers that differ only in their route are different moves"),
        OptionRow::text(TERM_WEIGHTS, "")
            .help("weights of terms that evaluate checkers instead of the network, centi-units: man=100,king=140; empty: the network"),
        endgames(Self::ENDGAMES),
        eval_file(Self::EVAL_FILE),
    ];
    const CHANCES: WinModel = WinModel { even_lead: [1.511, -1.033], scale: [0.360, 0.212] };
    const ENDGAMES: &'static str = "CheckersEndgames";
    const EVAL_FILE: &'static str = "CheckersEvalFile";
    const TERM_WEIGHTS: Option<&'static str> = Some(TERM_WEIGHTS);
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 11 },
        BenchRow { options: &[], position: "W:WK3,K7,24,32:BK10,12,19,20", depth: 11 },
    ];
    const WIDTH: u32 = 4;
    const HOME_ROWS: u32 = 3;
    const LETTERS: [char; 2] = ['B', 'W'];
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const FIRST_HAS_LOW_NUMBERS: bool = true;
    const FLYING: bool = false;
    const MAJORITY: bool = false;
    const NETWORK: &'static BuiltIn<HIDDEN> = &CHECKERS;

    fn settings(options: &Options) -> RuleSettings {
        let moves = u16::try_from(options.spin(DRAW_MOVES)).unwrap_or(u16::MAX / 2);
        RuleSettings { limit: 2 * moves, joined: options.text(ROUTES) == "together" }
    }
}

/// International draughts (the rules of the Fédération Mondiale du Jeu de Dames).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct International;

impl Variant for International {
    const NAME: &'static str = "draughts";
    const ABOUT: &'static str = "international draughts, 10 x 10";
    const OPTIONS: &'static [OptionRow] = &[endgames(Self::ENDGAMES), eval_file(Self::EVAL_FILE)];
    const CHANCES: WinModel = WinModel { even_lead: [3.250, -2.835], scale: [1.051, 0.045] };
    const ENDGAMES: &'static str = "DraughtsEndgames";
    const EVAL_FILE: &'static str = "DraughtsEvalFile";
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 9 },
        BenchRow {
            options: &[],
            position: "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
            depth: 11,
        },
    ];
    const WIDTH: u32 = 5;
    const HOME_ROWS: u32 = 4;
    const LONE_KING: [u16; 3] = [2 * 5, 2 * 5, 2 * 16];
    const NETWORK: &'static BuiltIn<HIDDEN> = &DRAUGHTS;

    fn settings(_options: &Options) -> RuleSettings {
        RuleSettings { limit: 2 * 25, joined: true }
    }
}

/// Brazilian draughts: the international rules on 8 x 8 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brazilian;

impl Variant for Brazilian {
    const NAME: &'static str = "brazilian";
    const ABOUT: &'static str = "Brazilian draughts, 8 x 8";
    const OPTIONS: &'static [OptionRow] = &[endgames(Self::ENDGAMES), eval_file(Self::EVAL_FILE)];
    const CHANCES: WinModel = WinModel { even_lead: [3.816, -3.123], scale: [0.680, 0.426] };
    const ALGEBRAIC: bool = true;
    const ENDGAMES: &'static str = "BrazilianEndgames";
    const EVAL_FILE: &'static str = "BrazilianEvalFile";
    const BENCH: &'static [BenchRow] = &[BenchRow { options: &[], position: "startpos", depth: 9 }];
    const WIDTH: u32 = 4;
    const HOME_ROWS: u32 = 3;
    const LONE_KING: [u16; 3] = [2 * 5, 2 * 5, 0];
    const NETWORK: &'static BuiltIn<HIDDEN> = &BRAZILIAN;

    fn settings(_options: &Options) -> RuleSettings {
        RuleSettings { limit: 2 * 20, joined: true }
    }
}
