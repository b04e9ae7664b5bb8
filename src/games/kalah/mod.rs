//! Kalah(m, n): m houses per side, n seeds per house.
//!
//! ```text
//!            North
//!      6   5   4   3   2   1        each side's houses in its own sowing order, counter-clockwise
//!  +---+---+---+---+---+---+---+---+
//!  |   | 4 | 4 | 4 | 4 | 4 | 4 |   |     sowing skips the opponent's store
//!  | 0 +---+---+---+---+---+---+ 0 |     last seed in your store: you move again
//!  |   | 4 | 4 | 4 | 4 | 4 | 4 |   |     last seed alone in your house: capture
//!  +---+---+---+---+---+---+---+---+     a side is empty: each side keeps its seeds
//!        1   2   3   4   5   6
//!            South (moves first)
//! ```
//!
//! - `rules`: a plain implementation on arrays, for boards of any size and as the oracle of the packed one;
//! - `packed`: the rules on two machine words, for boards that fit;
//! - `heuristics`: evaluation, move ordering, exact bounds; `weights`: the sum of weighted counts;
//! - [`endgame`]: databases of the values of all positions with few seeds in play;
//! - `picture`: the board on a terminal;
//! - [`text`]: positions in the notation of the Kalah Game Protocol.

pub mod endgame;
mod features;
mod geometry;
mod heuristics;
mod packed;
mod picture;
mod rules;
pub mod text;
mod weights;

use crate::core::{BenchRow, Databases, Error, Game, OptionRow, Options, Position, Records, Side};
use crate::network::{WithNetwork, eval_file};
use std::marker::PhantomData;
use std::path::Path;

pub use endgame::Endgames;
pub use heuristics::KalahHeuristics;
pub use packed::Packed;
pub use rules::Wide;

/// The option for a network.
const EVAL_FILE: &str = "KalahEvalFile";

/// The maximum number of houses per side.
pub(crate) const MAX_HOUSES: usize = 12;

/// The maximum number of seeds on a board, stores included.
pub(crate) const MAX_SEEDS: u16 = 288;

/// The rule by which a last seed, alone in the mover's house, captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// Only if the opposite house contains seeds (Kalah Game Protocol, OpenSpiel, Wikipedia).
    Standard,
    /// Always; opposite an empty house, only the last seed goes to the store (Irving et al. 2000).
    Empty,
}

impl Capture {
    /// Returns the value of the option `Capture`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Empty => "empty",
        }
    }

    fn from_options(options: &Options) -> Self {
        if options.text("Capture") == Self::Empty.name() { Self::Empty } else { Self::Standard }
    }
}

/// A move: the mover's house, counted from 0 in sowing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct House(pub u8);

/// A board for evaluation and text, independent of its memory layout. Houses count from 0, in their owner's sowing
/// order; the house opposite `i` is `houses - 1 - i`.
pub trait Layout: Position<Move = House> {
    /// Creates the board with these contents; `None` if it does not fit this layout.
    fn lay(board: &BoardContents) -> Option<Self>;
    /// Returns the contents of the board.
    fn contents(&self) -> BoardContents;
    /// Returns a hash of the seeds in the houses, the mover's and the opponent's, and of the rules. It omits the
    /// stores, since seeds in them stay there, and the turn, since the board is symmetric in the players.
    fn seeds_key(&self) -> u64;
    /// Returns the houses of the mover and of the opponent, a byte per house, for probing endgame databases; `None` if
    /// the layout has no such words.
    #[inline]
    fn words(&self) -> Option<[u64; 2]> {
        None
    }
    /// Returns the number of houses per side.
    fn houses(&self) -> usize;
    /// Returns the capture rule.
    fn capture(&self) -> Capture;
    /// Returns the number of seeds in a house of the side to move.
    fn own(&self, house: usize) -> u16;
    /// Returns the number of seeds in a house of the opponent.
    fn opposing(&self, house: usize) -> u16;
    /// Returns the seeds in the store of the side to move, less those in the opponent's.
    fn store_lead(&self) -> i32;
    /// Returns the board with the other side to move.
    fn turned(&self) -> Self;
    /// Returns the number of seeds in all houses.
    fn in_play(&self) -> u16;
    /// Returns the numbers of seeds in the houses of the mover and of the opponent.
    fn in_houses(&self) -> [i32; 2] {
        (0..self.houses()).fold([0; 2], |[own, opposing], house| {
            [own + i32::from(self.own(house)), opposing + i32::from(self.opposing(house))]
        })
    }
    /// Returns the numbers of houses with seeds, of the mover and of the opponent.
    fn filled(&self) -> [i32; 2] {
        (0..self.houses()).fold([0; 2], |[own, opposing], house| {
            [own + i32::from(self.own(house) > 0), opposing + i32::from(self.opposing(house) > 0)]
        })
    }
    /// Returns the mover's houses whose last seed reaches the store within the first lap, as bits.
    fn storing(&self) -> u32 {
        let comes = |&house: &usize| usize::from(self.own(house)) == self.houses() - house;
        (0..self.houses()).filter(comes).fold(0, |bits, house| bits | 1 << house)
    }
    /// Returns the largest number of seeds opposite an empty house of the mover's that a last seed can reach next.
    fn threat(&self) -> u16 {
        let lap = 2 * self.houses() + 1;
        let comes = |house: usize, last: usize| usize::from(self.own(house)) == (last + lap - house) % lap;
        let lasts = (0..self.houses()).filter(|&last| self.own(last) == 0);
        let reached = lasts.filter(|&last| (0..self.houses()).any(|house| house != last && comes(house, last)));
        reached.map(|last| self.opposing(self.houses() - 1 - last)).max().unwrap_or(0)
    }
    /// Returns a lower bound of the seeds that the mover is sure to store: by successive extra turns, a capture after
    /// them, and the remaining [`banking`](Self::banking) houses. The count may stop at `enough`.
    fn assured(&self, _enough: i32) -> i32 {
        (self.banking()[0] + 1) / 2
    }

    /// Returns the numbers of houses of the mover and of the opponent from which they can store a seed whenever they
    /// are to move.
    ///
    /// Under standard captures these are the houses whose seeds reach the store. Under empty captures it is every house
    /// with a seed, the rightmost first: its last seed passes the store, or falls alone into an empty house and is
    /// captured.
    fn banking(&self) -> [i32; 2] {
        let mut counts = [0; 2];
        for house in 0..self.houses() {
            let need = if self.capture() == Capture::Empty { 1 } else { self.houses() - house };
            counts[0] += i32::from(usize::from(self.own(house)) >= need);
            counts[1] += i32::from(usize::from(self.opposing(house)) >= need);
        }
        counts
    }
}

/// The contents of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardContents {
    /// The capture rule.
    pub capture: Capture,
    /// The side to move.
    pub turn: Side,
    /// South's and North's stores.
    pub stores: [u16; 2],
    /// South's and North's houses, each side's in its own sowing order; both of the same length, 1 to 12.
    pub houses: [Vec<u16>; 2],
}

/// The game, for one layout of the board.
#[derive(Clone, Debug)]
pub struct Kalah<L> {
    houses: usize,
    seeds: u16,
    capture: Capture,
    first: Side,
    heuristics: WithNetwork<KalahHeuristics>,
    layout: PhantomData<fn() -> L>,
}

impl<L: Layout> Game for Kalah<L> {
    type Position = L;
    type Heuristics = WithNetwork<KalahHeuristics>;

    const NAME: &'static str = "kalah";
    const ABOUT: &'static str = "Kalah(m, n) with extra turns, standard or empty captures";
    /// A last seed in the mover's store gives another turn.
    const ALTERNATES: bool = false;
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::spin("Houses", 6, 1..=MAX_HOUSES as i64).help("houses per side in kalah's startpos"),
        OptionRow::spin("Seeds", 4, 1..=(MAX_SEEDS / 2) as i64)
            .help("seeds per house in kalah's startpos; at most 288 on the whole board"),
        OptionRow::combo("Capture", "standard", &["standard", "empty"])
            .help("kalah's captures: only opposite seeds (standard), or also opposite an empty house (empty)"),
        OptionRow::combo("First", "south", &["south", "north"]).help("side to move in kalah's startpos; South is p1"),
        OptionRow::text("KalahWeights", heuristics::WEIGHTS)
            .help("weights of kalah's evaluation, centi-units; weights that are not named keep their defaults"),
        OptionRow::folder("KalahEndgames")
            .help("folder of kalah's endgame databases, built by `secateurs endgame build`; empty: none"),
        eval_file(EVAL_FILE),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 18 },
        BenchRow { options: &[("Capture", "empty")], position: "startpos", depth: 18 },
        BenchRow { options: &[("Seeds", "6")], position: "startpos", depth: 16 },
        BenchRow { options: &[("Houses", "8"), ("Seeds", "6")], position: "startpos", depth: 14 },
        BenchRow { options: &[("Houses", "12"), ("Seeds", "12")], position: "startpos", depth: 10 },
        BenchRow { options: &[], position: "<6,9,8,0,5,1,7,0,1,2,0,6,5,1,3> n", depth: 28 },
    ];

    const DATABASES: Option<&'static dyn Databases> = Some(&endgame::KalahDatabases::ALL);

    fn new(options: &Options) -> Result<Self, Error> {
        let mut heuristics = KalahHeuristics::default();
        heuristics.weights.set(options, "KalahWeights")?;
        let (capture, folder) = (Capture::from_options(options), options.text("KalahEndgames"));
        let endgames = if folder.is_empty() { None } else { Some(Endgames::open(Path::new(folder), capture)?.into()) };
        let heuristics = KalahHeuristics { endgames, ..heuristics };
        Ok(Self {
            heuristics: WithNetwork::open::<L>(heuristics, Self::NAME, options.text(EVAL_FILE))?,
            houses: options.spin("Houses").unsigned_abs() as usize,
            seeds: u16::try_from(options.spin("Seeds")).unwrap_or(MAX_SEEDS),
            capture,
            first: if options.text("First") == "north" { Side::Second } else { Side::First },
            layout: PhantomData,
        })
    }

    fn heuristics(&self) -> WithNetwork<KalahHeuristics> {
        self.heuristics.clone()
    }
}

impl<L: Layout> Records for Kalah<L> {
    const BOOKS: &'static [&'static [u8]] = &[
        include_bytes!("books/6-3-empty.sbk"),
        include_bytes!("books/6-3-standard.sbk"),
        include_bytes!("books/6-4-empty.sbk"),
        include_bytes!("books/6-4-standard.sbk"),
        include_bytes!("books/6-5-empty.sbk"),
        include_bytes!("books/6-5-standard.sbk"),
    ];

    /// The houses from the point of view of the side to move, and the capture rule.
    fn book_key(&self, pos: &L) -> Vec<u8> {
        let BoardContents { capture, turn, houses: [south, north], .. } = pos.contents();
        let houses = if turn == Side::First { [south, north] } else { [north, south] };
        (text::write(&BoardContents { capture, turn: Side::First, stores: [0, 0], houses }) + capture.name()).into()
    }
}
