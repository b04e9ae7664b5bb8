//! Connect Four on a terminal, with the last column and the winning four highlighted, and as shapes.

use super::Connect4;
use super::convention::Convention;
use super::rules::{Column, Grid};
use super::size::Size;
use super::text::{self, at};
use crate::core::picture::{Area, Paint, Perspective, Picture, Pictures, Shape, Spot};
use crate::core::{Ink, Position, Score, Side, Style, score};
use crate::games::lattice::{self, Lattice};

impl<S: Size, N: Convention> Pictures for Connect4<S, N> {
    const SIDES: [&'static str; 2] = ["x", "o"];

    /// Returns the score in the convention of the public test sets: 1 for a win with the winner's last stone, 2 for a
    /// win with the stone before, and so on; negative for a loss. On a full board of an odd number of squares, the last
    /// stone is the first player's.
    fn count(&self, pos: &Grid<S>, score: Score) -> i64 {
        let Some(plies) = score::distance(score) else { return 0 };
        let vacant = self.size.squares().cast_signed() - pos.stones().cast_signed() - plies.abs();
        // Every other vacant square belongs to the winner.
        let left = vacant / 2 + 1;
        i64::from(if plies > 0 { left } else { -left })
    }

    fn status(&self, pos: &Grid<S>) -> String {
        let [turn, other] = [pos.turn(), pos.turn().other()].map(text::letter);
        match (pos.is_won(), pos.left()) {
            (true, _) => format!("{other} has four"),
            (false, 0) => "the board is full".into(),
            (false, _) => format!("{turn} to move"),
        }
    }

    fn show(&self, pos: &Grid<S>, last: Option<(&Grid<S>, Column)>, style: Style) -> String {
        show(pos, last.map(|(_, column)| column), style)
    }

    /// Describes the board: discs in a frame, those of a four with a ring.
    fn picture(&self, pos: &Grid<S>, perspective: Perspective) -> Picture {
        let (columns, rows) = (pos.size().columns(), pos.size().rows());
        let lattice = Lattice::new(columns as usize, rows as usize, false, perspective);
        let mut picture = lattice.picture(|column| (column + 1).to_string(), |_| String::new());
        picture.players = Some(["Red", "Yellow"]);
        let mut frame = vec![Shape::Area(lattice.board().inset(-5.0).rounded(14.0), Paint::Frame)];
        for (column, row, _) in lattice.squares() {
            let (place, height) = (lattice.square(column, row), rows - 1 - row as u32);
            let disc = |radius| Area::disc(place.x, place.y, radius);
            frame.push(Shape::Area(disc(18.0), Paint::Paper));
            let spot = Spot::new(format!("{}{}", lattice::letter(column), height + 1), disc(21.0));
            let Some(side) = at(pos, column as u32, height) else {
                picture.spots.push(spot);
                continue;
            };
            picture.spots.push(spot.with(["red stone", "yellow stone"][side.index()]));
            let stone = Shape::Area(disc(18.0), [Paint::First, Paint::Second][side.index()]);
            picture.pieces.push(if in_four(pos, column as u32, height, side) {
                Shape::Group(vec![stone, Shape::Ring(disc(11.0), Paint::Won, 5.0)])
            } else {
                stone
            });
        }
        picture.ground.push(Shape::Group(frame));
        picture
    }

    /// Returns the square that the stone reaches.
    fn spots(&self, picture: &Picture, pos: &Grid<S>, mv: Column) -> Vec<usize> {
        picture.named(&text::write_drop(pos, mv))
    }
}

/// Draws the board; `last` is the column of the last move.
pub(crate) fn show<S: Size>(grid: &Grid<S>, last: Option<Column>, style: Style) -> String {
    let (columns, rows) = (grid.size().columns(), grid.size().rows());
    // On narrow terminals squares are two characters wide, without brackets around a four.
    let width = if style.has_room(3 * columns as usize + 3) { 3 } else { 2 };
    let edge = style.paint(Ink::Faint, style.either("│", "|"));
    let mut board = String::new();
    if let Some(Column(last)) = last {
        let arrow = style.paint(Ink::Marked, style.either("▾", "v"));
        board += &format!("{}{arrow}\n", " ".repeat(3 + width * usize::from(last)));
    }
    for row in (0..rows).rev() {
        let cells: String = (0..columns).map(|column| cell(grid, column, row, width, style)).collect();
        board += &format!(" {edge}{cells}{edge}\n");
    }
    let [left, dash, right] = if style.unicode { ["╰", "─", "╯"] } else { ["+", "-", "+"] };
    let floor = format!("{left}{}{right}", dash.repeat(width * columns as usize));
    // If two digits do not fit, only the last is shown.
    let number = |number: u32| if width == 3 { format!("{number:^3}") } else { format!(" {}", number % 10) };
    let numbers: String = (1..=columns).map(number).collect();
    let [first, second] = [Side::First, Side::Second].map(|side| stone(side, style));
    board += &format!(" {}\n  {}\n", style.paint(Ink::Faint, &floor), style.paint(Ink::Strong, &numbers));
    if style.unicode {
        board += &format!("  {first} x  {second} o\n");
    }
    board
}

/// Draws a square, three or two characters wide; a stone of a four has brackets, or at two characters another form.
fn cell<S: Size>(grid: &Grid<S>, column: u32, row: u32, width: usize, style: Style) -> String {
    let gap = if width == 3 { " " } else { "" };
    match at(grid, column, row) {
        None => format!(" {}{gap}", style.paint(Ink::Faint, style.either("·", "."))),
        Some(side) if in_four(grid, column, row, side) && width == 2 => {
            let four = [style.either("◉", "X"), style.either("◎", "O")][side.index()];
            format!(" {}", style.paint(Ink::Marked, four))
        }
        Some(side) if in_four(grid, column, row, side) => {
            let [open, close] = ["[", "]"].map(|bracket| style.paint(Ink::Marked, bracket));
            format!("{open}{}{close}", stone(side, style))
        }
        Some(side) => format!(" {}{gap}", stone(side, style)),
    }
}

fn stone(side: Side, style: Style) -> String {
    match side {
        Side::First => style.paint(Ink::First, style.either("●", "x")),
        Side::Second => style.paint(Ink::Second, style.either("○", "o")),
    }
}

/// Returns whether the stone of this player is part of a four.
fn in_four<S: Size>(grid: &Grid<S>, column: u32, row: u32, side: Side) -> bool {
    let [width, height] = [grid.size().columns(), grid.size().rows()];
    let run = |right: i32, up: i32| {
        let place = |step: i32| {
            let (column, row) = (column.checked_add_signed(right * step)?, row.checked_add_signed(up * step)?);
            (column < width && row < height).then(|| at(grid, column, row)).flatten()
        };
        (1..4).take_while(|&step| place(step) == Some(side)).count()
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| run(right, up) + run(-right, -up) >= 3)
}

#[cfg(test)]
mod tests {
    use super::super::size::Standard;
    use super::super::text;
    use super::*;

    #[test]
    fn the_four_that_has_won_is_marked() {
        let grid = text::parse("1525354", Standard::new(7, 6).unwrap()).unwrap();
        let expected = "            v
 | .  .  .  .  .  .  . |
 | .  .  .  .  .  .  . |
 | .  .  .  .  .  .  . |
 | .  .  .  .  o  .  . |
 | .  .  .  .  o  .  . |
 |[x][x][x][x] o  .  . |
 +---------------------+
   1  2  3  4  5  6  7 
";
        let shown = show(&grid, Some(Column(3)), Style::PLAIN);
        assert_eq!(shown, expected);
        let unicode = show(&grid, None, Style { unicode: true, ..Style::PLAIN });
        assert!(unicode.contains("│[●][●][●][●] ○  ·  · │\n ╰─"), "{unicode}");
    }

    #[test]
    fn narrow_terminals_have_narrow_squares() {
        let grid = text::parse("1525354", Standard::new(7, 6).unwrap()).unwrap();
        let style = Style { columns: Some(20), ..Style::PLAIN };
        let shown = show(&grid, Some(Column(3)), style);
        let expected = "         v
 | . . . . . . .|
 | . . . . . . .|
 | . . . . . . .|
 | . . . . o . .|
 | . . . . o . .|
 | X X X X o . .|
 +--------------+
   1 2 3 4 5 6 7
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn lines_in_every_direction_are_seen() {
        for (game, stones) in [("1212121", 4), ("12233434464", 4), ("443322", 0)] {
            let grid = text::parse(game, Standard::new(7, 6).unwrap()).unwrap();
            assert_eq!(show(&grid, None, Style::PLAIN).matches('[').count(), stones, "{game}");
        }
    }
}
