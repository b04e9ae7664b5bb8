//! The board on a terminal, with the numbers of the squares at the ends of its rows.

use super::rules::{Draughtsboard, Move};
use super::text::{bit, symbol};
use super::variant::Variant;
use crate::core::{Ink, Side, Style};

/// Draws the board with square 1 at the top; `last` is the last move.
#[must_use]
pub fn show<V: Variant>(pos: &Draughtsboard<V>, last: Option<Move>, style: Style) -> String {
    let width = V::WIDTH as u16;
    let mut board = String::new();
    for row in 0..2 * width {
        let first = row * width + 1;
        board += &style.paint(Ink::Faint, &format!("{first:>3} "));
        for column in 0..2 * width {
            let square = ((row + column) % 2 == 1).then(|| bit::<V>(first + column / 2)).flatten();
            let text =
                square.map_or_else(|| " ".into(), |bit| style.paint(ink(pos, bit, last), &piece(pos, bit, style)));
            board.push(' ');
            board += &text;
        }
        let end = format!(" {:>3}", first + width - 1);
        board += &style.paint(Ink::Faint, &end);
        board.push('\n');
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

/// Draws the board for a protocol, with the side to move.
#[must_use]
pub fn draw<V: Variant>(pos: &Draughtsboard<V>) -> String {
    let turn = pos.to_move();
    let captures = if pos.must_capture() { ", must capture" } else { "" };
    format!("{}{} to move{captures}\n", show(pos, None, Style::PLAIN), V::SIDES[turn.index()])
}
