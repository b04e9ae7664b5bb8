//! The board as text, with the numbers of the squares at the ends of its rows, and as shapes.

use super::Draughts;
use super::rules::{Draughtsboard, Move};
use super::text::{bit, symbol};
use super::variant::Variant;
use crate::core::picture::{Anchor, Area, Paint, Perspective, Picture, Pictures, Shape, Spot};
use crate::core::{Ink, Side, Style};
use crate::games::lattice::{self, Lattice};

/// A crown on a king.
const CROWN: &str = "M13.5 29l-2-11.5 6 5 5-8.5 5 8.5 6-5-2 11.5z";

impl<V: Variant> Pictures for Draughts<V> {
    const SIDES: [&'static str; 2] = V::SIDES;

    fn note(&self, pos: &Draughtsboard<V>) -> String {
        if pos.must_capture() { ", must capture" } else { "" }.into()
    }

    fn show(&self, pos: &Draughtsboard<V>, last: Option<(&Draughtsboard<V>, Move)>, style: Style) -> String {
        show(pos, last.map(|(_, mv)| mv), style)
    }

    /// Describes the board: the pieces on the dark squares with their numbers, square 1 at the top unless rotated.
    fn picture(&self, pos: &Draughtsboard<V>, perspective: Perspective) -> Picture {
        let below = if V::FIRST_HAS_LOW_NUMBERS { Side::Second } else { Side::First };
        let (width, is_turned) = (2 * V::WIDTH as usize, perspective.below.is_some_and(|side| side != below));
        let lattice = Lattice::new(width, width, is_turned, Perspective { coordinates: false, ..perspective });
        let mut picture = lattice.picture(|_| String::new(), |_| String::new());
        picture.ground.push(lattice.chequered());
        picture.is_way = true;
        let mut numbers = Vec::new();
        for (number, (column, row, _)) in (1..).zip(lattice.squares().filter(|&(.., is_dark)| is_dark)) {
            let area = lattice.square(column, row);
            if perspective.coordinates {
                let [x, y] = area.top_left();
                numbers.push(Shape::text(x + 2.5, y + 10.5, number, 9.0, Paint::Edge).anchored(Anchor::Start));
            }
            let symbol = bit::<V>(number).and_then(|bit| symbol(pos, bit));
            let mut spot = Spot::new(number.to_string(), area);
            if let Some(symbol) = symbol {
                picture.pieces.push(drawn(area, symbol));
                let colour = if symbol.eq_ignore_ascii_case(&'w') { "white" } else { "black" };
                spot = spot.with(format!("{colour} {}", if symbol.is_ascii_uppercase() { "king" } else { "man" }));
            }
            picture.spots.push(spot);
        }
        picture.marks.push(Shape::Group(numbers));
        picture
    }
}

/// Draws the board with square 1 at the top; `last` is the last move.
pub(crate) fn show<V: Variant>(pos: &Draughtsboard<V>, last: Option<Move>, style: Style) -> String {
    let width = V::WIDTH as u16;
    let mut board = String::new();
    for row in 0..2 * width {
        let first = row * width + 1;
        let squares = (0..2 * width).map(|column| {
            let square = ((row + column) % 2 == 1).then(|| bit::<V>(first + column / 2)).flatten();
            square.map_or_else(|| (Ink::Faint, " ".into()), |bit| (ink(pos, bit, last), piece(pos, bit, style)))
        });
        let end = style.paint(Ink::Faint, &format!(" {:>3}", first + width - 1));
        board += &(lattice::row(style, &format!("{first:>3} "), squares) + &end + "\n");
    }
    board
}

fn ink<V: Variant>(pos: &Draughtsboard<V>, bit: u8, last: Option<Move>) -> Ink {
    let square = 1 << bit;
    match symbol(pos, bit) {
        _ if last.is_some_and(|mv| (1 << mv.from | 1 << mv.to | mv.captured) & square != 0) => Ink::Marked,
        None => Ink::Faint,
        Some(_) if pos.pieces(Side::First) & square != 0 => Ink::Strong,
        Some(_) => Ink::Second,
    }
}

/// The symbol of a playing square: White's pieces are outlined in Unicode, and kings are capital letters in ASCII.
fn piece<V: Variant>(pos: &Draughtsboard<V>, bit: u8, style: Style) -> String {
    let Some(symbol) = symbol(pos, bit) else { return style.either("·", ".").into() };
    if !style.unicode {
        return symbol.into();
    }
    match symbol {
        'w' => "⛀",
        'W' => "⛁",
        'b' => "⛂",
        _ => "⛃",
    }
    .into()
}

/// Returns a man, or a king with a crown.
fn drawn(area: Area, symbol: char) -> Shape {
    let (own, other) =
        if symbol.eq_ignore_ascii_case(&'w') { (Paint::White, Paint::Black) } else { (Paint::Black, Paint::White) };
    let disc = area.inset(5.5).rounded(17.0);
    let mut shapes = vec![Shape::Area(disc, own), Shape::Ring(disc, Paint::Edge, 1.2)];
    if symbol.is_ascii_uppercase() {
        shapes.push(Shape::Piece(area.top_left(), [CROWN, ""], other));
    } else {
        let line = if own == Paint::White { Paint::Edge } else { Paint::Detail };
        shapes.push(Shape::Ring(disc.inset(5.0), line, 1.0));
    }
    Shape::Group(shapes)
}
