//! The board on a terminal and as shapes. The last disc is highlighted, on a terminal with those that it has flipped,
//! and the squares that the side to move can take are marked.

use super::Othello;
use super::rules::{Disc, Discs};
use super::text::{name, sign};
use crate::core::picture::{Area, Paint, Perspective, Picture, Pictures, Shape, Spot};
use crate::core::{Ink, Position, Side, Style};
use crate::games::lattice::{self, Lattice};

impl Pictures for Othello {
    const SIDES: [&'static str; 2] = ["Black", "White"];
    const UNITS: Option<[&'static str; 2]> = Some(["disc", "discs"]);

    fn remark(&self, before: &Discs, mv: Disc) -> Option<String> {
        remark(before, mv)
    }

    /// Returns the discs of both sides and the side to move.
    fn status(&self, pos: &Discs) -> String {
        let [black, white] = [Side::First, Side::Second].map(|side| pos.discs(side).count_ones());
        let turn = if pos.turn() == Side::First { "Black (X)" } else { "White (O)" };
        let state = if pos.is_over() {
            "the game is over".into()
        } else if pos.mobile() == 0 {
            format!("{turn} must pass")
        } else {
            format!("{turn} to move")
        };
        format!("X {black}, O {white}; {state}")
    }

    fn show(&self, pos: &Discs, last: Option<(&Discs, Disc)>, style: Style) -> String {
        show(pos, last, style)
    }

    /// Describes the board: discs on green cloth, and dots where the side to move can play.
    fn picture(&self, pos: &Discs, perspective: Perspective) -> Picture {
        let width = pos.size().width();
        let lattice = Lattice::new(width as usize, width as usize, false, perspective);
        let mut picture = lattice.picture(lattice::letter, |row| (row + 1).to_string());
        picture.ground.push(Shape::Area(lattice.board(), Paint::Edge));
        for (column, row, _) in lattice.squares() {
            let (square, area) = (pos.size().square(row as u32, column as u32), lattice.square(column, row).inset(0.5));
            picture.ground.push(Shape::Area(area, Paint::Felt));
            let spot = Spot::new(name(square, pos.size()), area);
            let disc = |radius| Area::disc(area.x, area.y, radius);
            let (spot, piece) = match sign(pos, square) {
                'X' => (spot.with("black disc"), Some((18.0, Paint::Black))),
                'O' => (spot.with("white disc"), Some((18.0, Paint::White))),
                _ if pos.mobile() >> square & 1 != 0 => (spot, Some((4.0, Paint::Detail))),
                _ => (spot, None),
            };
            picture.spots.push(spot);
            picture.pieces.extend(piece.map(|(radius, paint)| Shape::Area(disc(radius), paint)));
        }
        picture
    }
}

/// Draws the board; `last` is the position before the last move, and that move.
pub(crate) fn show(pos: &Discs, last: Option<(&Discs, Disc)>, style: Style) -> String {
    let (width, changed) = (pos.size().width(), last.map_or(0, |(before, mv)| mv.bit() | before.turned_over(mv)));
    let letters: Vec<_> = (0..width as usize).map(lattice::letter).collect();
    let mut board = format!("    {}\n", style.paint(Ink::Faint, &letters.join(" ")));
    for row in 0..width {
        let squares = (0..width).map(|column| {
            let square = pos.size().square(row, column);
            let (ink, text) = cell(pos, square, style);
            (if changed >> square & 1 != 0 { Ink::Marked } else { ink }, text.to_owned())
        });
        board += &(lattice::row(style, &format!("{:>3}", row + 1), squares) + "\n");
    }
    board
}

fn cell(pos: &Discs, square: u32, style: Style) -> (Ink, &'static str) {
    match sign(pos, square) {
        'X' => (Ink::First, style.either("●", "X")),
        'O' => (Ink::Second, style.either("○", "O")),
        _ if pos.mobile() >> square & 1 != 0 => (Ink::Faint, "+"),
        _ => (Ink::Faint, style.either("·", ".")),
    }
}

/// Describes how many discs a move flips.
pub(crate) fn remark(before: &Discs, mv: Disc) -> Option<String> {
    match before.turned_over(mv).count_ones() {
        0 => None,
        1 => Some("turns over 1 disc".into()),
        count => Some(format!("turns over {count} discs")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::Size;
    use super::*;
    use crate::games::othello::OthelloHeuristics;

    fn draw(pos: &Discs) -> String {
        Othello { size: pos.size(), heuristics: OthelloHeuristics.into() }.draw(pos)
    }

    #[test]
    fn the_last_disc_and_those_it_turned_over_are_marked() {
        let start = Discs::start(Size::Four);
        assert_eq!(
            draw(&start),
            "    a b c d\n  1 . + . .\n  2 + O X .\n  3 . X O +\n  4 . . + .\nX 2, O 2; Black (X) to move\n"
        );
        let mv = Disc(Size::Four.square(0, 1) as u8);
        let style = Style { unicode: true, colour: true, columns: None };
        let shown = show(&start.after(mv), Some((&start, mv)), style);
        let marked = style.paint(Ink::Marked, "●");
        assert_eq!(shown.matches(&marked).count(), 2, "{shown}");
        assert_eq!(remark(&start, mv).as_deref(), Some("turns over 1 disc"));
    }

    #[test]
    fn a_pass_and_the_end_are_named() {
        let pass = Discs::new([1, 2], Side::Second, Size::Eight);
        assert!(draw(&pass).ends_with("X 1, O 1; White (O) must pass\n"), "{}", draw(&pass));
        let end = pass.after(Disc::PASS).after(Disc(2));
        assert!(draw(&end).ends_with("X 3, O 0; the game is over\n"), "{}", draw(&end));
        assert_eq!(remark(&pass, Disc::PASS), None);
    }
}
