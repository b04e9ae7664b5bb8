//! What boards of squares share: the geometry of their pictures, and their rows on a terminal.

use crate::core::picture::{Area, Paint, Perspective, Picture, Shape};
use crate::core::{Ink, Style};

/// The side of a square.
pub(crate) const SIDE: f64 = 45.0;

/// The squares of a board in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    columns: usize,
    rows: usize,
    is_turned: bool,
    edge: f64,
}

impl Lattice {
    /// Returns the squares of a board; `is_turned` rotates it by half a turn.
    pub(crate) const fn new(columns: usize, rows: usize, is_turned: bool, perspective: Perspective) -> Self {
        Self { columns, rows, is_turned, edge: if perspective.coordinates { 22.0 } else { 8.0 } }
    }

    /// Returns the area of a square, given its column from the left and its row from the top of the unturned board.
    pub(crate) fn square(&self, column: usize, row: usize) -> Area {
        let [column, row] = self.seen(column, row);
        Area::corner(self.edge + SIDE * column as f64, self.edge / 2.0 + SIDE * row as f64, SIDE, SIDE)
    }

    fn seen(&self, column: usize, row: usize) -> [usize; 2] {
        if self.is_turned { [self.columns - 1 - column, self.rows - 1 - row] } else { [column, row] }
    }

    /// Returns the area of all squares.
    pub(crate) fn board(&self) -> Area {
        let (width, height) = (SIDE * self.columns as f64, SIDE * self.rows as f64);
        Area::corner(self.edge, self.edge / 2.0, width, height)
    }

    /// Returns all squares: columns and rows, and whether they are dark on a chequered board.
    pub(crate) fn squares(&self) -> impl Iterator<Item = (usize, usize, bool)> + use<> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |row| (0..columns).map(move |column| (column, row, (column + row) % 2 == 1)))
    }

    /// Returns a picture of the size of the board, with the names of its columns and rows if they are wanted.
    pub(crate) fn picture(&self, column_name: impl Fn(usize) -> String, row_name: impl Fn(usize) -> String) -> Picture {
        let board = self.board();
        let (width, height) = (board.width + 2.0 * self.edge, board.height + 1.5 * self.edge + 6.0);
        let mut picture = Picture { width, height, ..Picture::default() };
        if self.edge > 10.0 {
            let [left, below] = [self.edge / 2.0, height - 8.0];
            let label = |x, y, text: String| Shape::text(x, y, text, 12.0, Paint::Faint);
            picture.ground.extend((0..self.columns).map(|at| label(self.square(at, 0).x, below, column_name(at))));
            picture.ground.extend((0..self.rows).map(|at| label(left, self.square(0, at).y + 4.0, row_name(at))));
        }
        picture
    }

    /// Returns the squares of a chequered board.
    pub(crate) fn chequered(&self) -> Shape {
        let dark = self.squares().filter(|&(.., is_dark)| is_dark);
        let dark = dark.map(|(column, row, _)| Shape::Area(self.square(column, row), Paint::DarkSquare));
        Shape::Group([Shape::Area(self.board(), Paint::LightSquare)].into_iter().chain(dark).collect())
    }
}

/// Returns the letter of a column.
pub(crate) fn letter(column: usize) -> String {
    char::from(b'a' + column as u8).to_string()
}

/// Returns a row of a board on a terminal, without its end: a label, and the squares, each behind a blank.
pub(crate) fn row(style: Style, label: &str, squares: impl Iterator<Item = (Ink, String)>) -> String {
    squares.fold(style.paint(Ink::Faint, label), |row, (ink, text)| row + " " + &style.paint(ink, &text))
}
