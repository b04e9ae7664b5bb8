//! Names and notations of Connect Four: [`Columns`] for users, [`Drops`] for cutechess.
//!
//! A manager chooses a game by its name and expects its own notation, so `cfour` is a separate row of the registry, and
//! the layers above need not know of notations. Both read everything that either writes.

use super::rules::{Column, Grid};
use super::size::Size;
use super::{Connect4, MAX_COLUMNS, MAX_ROWS, text};
use crate::core::position::legal_moves;
use crate::core::{BenchRow, Error, Notation, OptionRow, Options};
use crate::network::eval_file;

/// The option for a network.
pub(super) const EVAL_FILE: &str = "Connect4EvalFile";

/// A name of the game and the notation written under it.
pub trait Convention: Clone + Send + Sync + 'static {
    /// The name of the game.
    const NAME: &'static str;
    /// A description of one line.
    const ABOUT: &'static str;
    /// The options of the game.
    const OPTIONS: &'static [OptionRow];
    /// The positions that `bench` searches.
    const BENCH: &'static [BenchRow];

    /// Returns the numbers of columns and rows that the options set.
    fn size(options: &Options) -> [u32; 2];

    /// Writes a position.
    fn write<S: Size>(pos: &Grid<S>) -> String;

    /// Writes a move.
    fn write_move<S: Size>(pos: &Grid<S>, mv: Column) -> String;
}

impl<S: Size, N: Convention> Notation for Connect4<S, N> {
    fn start(&self) -> Result<String, Error> {
        Ok(N::write(&Grid::empty(self.size)))
    }

    fn parse(&self, text: &str) -> Result<Grid<S>, Error> {
        text::parse(text, self.size)
    }

    fn write(&self, pos: &Grid<S>) -> String {
        N::write(pos)
    }

    fn write_move(&self, pos: &Grid<S>, mv: Column) -> String {
        N::write_move(pos, mv)
    }

    fn read_move(&self, pos: &Grid<S>, text: &str) -> Option<Column> {
        legal_moves(pos).into_iter().find(|&mv| text::is_column(mv, text) || text::is_drop(pos, mv, text))
    }
}

/// Boards with `x` and `o`; moves as column numbers.
#[derive(Clone, Copy, Debug)]
pub struct Columns;

impl Convention for Columns {
    const NAME: &'static str = "connect4";
    const ABOUT: &'static str = "Connect Four, four in a line, on boards of 7 x 6 or other sizes";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::spin("Columns", 7, 1..=MAX_COLUMNS as i64)
            .help("columns of connect4's board; Columns x (Rows + 1) is at most 128"),
        OptionRow::spin("Rows", 6, 1..=MAX_ROWS as i64).help("rows of connect4's board"),
        eval_file(EVAL_FILE),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 13 },
        BenchRow { options: &[("Columns", "6"), ("Rows", "5")], position: "startpos", depth: 12 },
    ];

    fn size(options: &Options) -> [u32; 2] {
        ["Columns", "Rows"].map(|name| u32::try_from(options.spin(name)).unwrap_or(0))
    }

    fn write<S: Size>(pos: &Grid<S>) -> String {
        text::write(pos)
    }

    fn write_move<S: Size>(_pos: &Grid<S>, mv: Column) -> String {
        text::write_column(mv)
    }
}

/// The variant `cfour` of cutechess: FEN with stones in hand; moves as drops.
#[derive(Clone, Copy, Debug)]
pub struct Drops;

impl Convention for Drops {
    const NAME: &'static str = "cfour";
    const ABOUT: &'static str = "Connect Four on 7 x 6 in the notation of cutechess: FEN, moves such as P@d1";
    const OPTIONS: &'static [OptionRow] = &[];
    const BENCH: &'static [BenchRow] = &[BenchRow { options: &[], position: "startpos", depth: 8 }];

    fn size(_options: &Options) -> [u32; 2] {
        [7, 6]
    }

    fn write<S: Size>(pos: &Grid<S>) -> String {
        text::write_fen(pos)
    }

    fn write_move<S: Size>(pos: &Grid<S>, mv: Column) -> String {
        text::write_drop(pos, mv)
    }
}
