//! Connect Four: stones fall into columns, four in a line win.
//!
//! ```text
//!   6 | .  .  .  .  .  .  .      a move is a column: the stone falls on the lowest vacant square
//!   5 | .  .  .  .  .  .  .      four in a line, in any direction, win
//!   4 | .  .  .  x  .  .  .      a full board without one is a draw
//!   3 | .  .  o  o  .  .  .
//!   2 | .  .  x  x  o  .  .      the first player is x: it is the turn of o
//!   1 | .  o  x  x  o  x  .
//!     +---------------------
//!       1  2  3  4  5  6  7
//! ```
//!
//! - `rules`: the position in two words of bits, and the sets of squares that players reason about;
//! - `squares`: those words, of 64 or 128 bits;
//! - `size`: the sizes of the board, one of them a compile-time constant;
//! - `heuristics`: evaluation, move ordering, exact bounds; `order`: the move ordering of exact search;
//! - `live`: what decides the rest of a game, the key of exact search;
//! - `zugzwang`: bounds from follow-up play;
//! - `picture`: the board on a terminal;
//! - [`text`]: boards, games as columns, the FEN and the moves of cutechess;
//! - `convention`: the choice between them. `cfour` is this game under cutechess's name and in its notation.

mod convention;
mod features;
mod heuristics;
mod live;
mod order;
mod picture;
mod rules;
mod size;
mod squares;
pub mod text;
mod zugzwang;

use crate::core::{BenchRow, Error, Game, OptionRow, Options, Records};
use crate::network::WithNetwork;
use std::marker::PhantomData;

pub use convention::{Columns, Convention, Drops};
pub use heuristics::Connect4Heuristics;
pub use rules::{Column, Grid};
pub use size::{Fixed, Free, Large, Size, Standard};
pub use squares::Squares;

pub(crate) const MAX_COLUMNS: usize = 16;

pub(crate) const MAX_ROWS: u32 = 15;

/// The game for one kind of board size, in one notation.
#[derive(Clone, Debug)]
pub struct Connect4<S, N> {
    size: S,
    heuristics: WithNetwork<Connect4Heuristics>,
    notation: PhantomData<fn() -> N>,
}

impl<S: Size, N: Convention> Game for Connect4<S, N> {
    type Position = Grid<S>;
    type Heuristics = WithNetwork<Connect4Heuristics>;

    const NAME: &'static str = N::NAME;
    const ABOUT: &'static str = N::ABOUT;
    const OPTIONS: &'static [OptionRow] = N::OPTIONS;
    const BENCH: &'static [BenchRow] = N::BENCH;

    fn new(options: &Options) -> Result<Self, Error> {
        let [columns, rows] = N::size(options);
        let size = S::new(columns, rows).ok_or_else(|| {
            let bits = columns * (rows + 1);
            Error::BadOptions(format!(
                "Columns {columns} and Rows {rows} do not go together: Columns times one more than Rows is {bits}, at most {} are possible",
                <S::Set as Squares>::BITS
            ))
        })?;
        let heuristics =
            WithNetwork::open::<Grid<S>>(Connect4Heuristics, Self::NAME, options.text(convention::EVAL_FILE))?;
        Ok(Self { size, heuristics, notation: PhantomData })
    }

    fn heuristics(&self) -> WithNetwork<Connect4Heuristics> {
        self.heuristics.clone()
    }
}

impl<S: Size, N: Convention> Records for Connect4<S, N> {
    const BOOKS: &'static [&'static [u8]] = &[include_bytes!("books/connect4.sbk")];

    /// The size of the board and the [number](Grid::number) of the position, without the notation: both names of the
    /// game share a book.
    fn book_key(&self, pos: &Grid<S>) -> Vec<u8> {
        let (number, size) = (pos.number(), [pos.size().columns() as u8, pos.size().rows() as u8]);
        let words = [number, number >> 63 >> 1].map(|word| word.low().to_le_bytes());
        [&size[..], words.as_flattened()].concat()
    }

    fn symmetric_key(&self, pos: &Grid<S>) -> Vec<u8> {
        let image = pos.mirrored();
        self.book_key(if image.number() < pos.number() { &image } else { pos })
    }
}
