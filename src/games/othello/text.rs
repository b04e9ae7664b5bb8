//! Positions and moves as text.
//!
//! A position is its squares, row by row from a1, `X` for a black disc, `O` for a white one and `-` for a vacant
//! square, then a blank and the side to move: a line of an OBF file without its moves. The number of squares, 64, 36 or
//! 16, determines the size of the board.

use super::Othello;
use super::rules::{Disc, Discs, Size};
use crate::core::error::Quoted;
use crate::core::position::legal_moves;
use crate::core::{Error, Notation, Position, Side};

impl Notation for Othello {
    fn start(&self) -> Result<String, Error> {
        Ok(write(&Discs::start(self.size)))
    }

    fn parse(&self, text: &str) -> Result<Discs, Error> {
        parse(text).map_err(|reason| Error::bad_position(text, reason))
    }

    fn write(&self, pos: &Discs) -> String {
        write(pos)
    }

    fn write_move(&self, pos: &Discs, mv: Disc) -> String {
        write_move(mv, pos.size())
    }

    fn read_move(&self, pos: &Discs, text: &str) -> Option<Disc> {
        let mv = read_move(text, pos.size())?;
        legal_moves(pos).contains(&mv).then_some(mv)
    }

    fn forbidden(&self, pos: &Discs, text: &str) -> Option<String> {
        let mv = read_move(text, pos.size())?;
        let rule = if pos.is_over() {
            "the game is over"
        } else if mv == Disc::PASS {
            "a side that has a move must not pass"
        } else if mv.bit() & pos.vacant() == 0 {
            "the square is taken"
        } else if pos.mobile() == 0 {
            "no disc can be turned over; the only move is a pass"
        } else {
            "a move turns over at least one disc"
        };
        Some(rule.into())
    }
}

pub(crate) const PASS: &str = "pass";

/// Parses a position.
///
/// # Errors
/// A description of what is wrong with the text.
pub fn parse(text: &str) -> Result<Discs, String> {
    let signs: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    let words: Vec<_> = text.split_whitespace().collect();
    let size = Size::ALL.into_iter().find(|size| signs.len() == (size.width() * size.width()) as usize + 1);
    let Some((size, (&turn, squares))) = size.zip(signs.split_last()) else {
        let (squares, side) = match words.split_last() {
            Some((last, squares)) if last.chars().count() == 1 => (squares.concat().chars().count(), ""),
            _ => (signs.len(), ", and the side to move, X or O, is missing"),
        };
        if Size::ALL.iter().any(|size| squares == (size.width() * size.width()) as usize) {
            return Err("the side to move, X or O, is missing behind the squares".into());
        }
        return Err(format!("a board has 64, 36 or 16 squares, not {squares}{side}"));
    };
    let mut discs = [0; 2];
    for (index, &sign) in (0..).zip(squares) {
        let square = size.square(index / size.width(), index % size.width());
        match colour(sign) {
            Some(side) => discs[side.index()] |= 1 << square,
            None if matches!(sign, '-' | '.' | '_') => {}
            None => {
                let (sign, square) = (Quoted::new(&sign.to_string()), name(square, size));
                return Err(format!("{square} is X, O or -, not {sign}"));
            }
        }
    }
    let turn =
        colour(turn).ok_or_else(|| format!("the side to move is X or O, not {}", Quoted::new(&turn.to_string())))?;
    Ok(Discs::new(discs, turn, size))
}

/// Returns the player with discs of this sign: X, * and B are Black, O and W White.
fn colour(sign: char) -> Option<Side> {
    match sign {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Side::First),
        'O' | 'o' | 'W' | 'w' | '0' => Some(Side::Second),
        _ => None,
    }
}

pub(crate) fn sign(pos: &Discs, square: u32) -> char {
    let bit = 1 << square;
    if pos.discs(Side::First) & bit != 0 {
        'X'
    } else if pos.discs(Side::Second) & bit != 0 {
        'O'
    } else {
        '-'
    }
}

pub(crate) const fn sign_of(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

/// Writes a position.
#[must_use]
pub fn write(pos: &Discs) -> String {
    let width = pos.size().width();
    let squares = (0..width * width).map(|index| sign(pos, pos.size().square(index / width, index % width)));
    squares.chain([' ', sign_of(pos.turn())]).collect()
}

/// Returns the name of a square: its column as a letter, its row as a digit from the top.
pub(crate) fn name(square: u32, size: Size) -> String {
    let margin = (8 - size.width()) / 2;
    let (row, column) = (square / 8 - margin, square % 8 - margin);
    let letter = char::from(b'a' + column as u8);
    format!("{letter}{}", row + 1)
}

/// Writes a move.
#[must_use]
pub fn write_move(mv: Disc, size: Size) -> String {
    if mv == Disc::PASS { PASS.into() } else { name(mv.0.into(), size) }
}

/// Parses a move with letters of either case; a pass is `pass`, `pa`, `ps` or `--`. The move need not be legal.
pub(crate) fn read_move(text: &str, size: Size) -> Option<Disc> {
    let text = text.to_ascii_lowercase();
    if matches!(text.as_str(), PASS | "pa" | "ps" | "--") {
        return Some(Disc::PASS);
    }
    let &[letter, digit] = text.as_bytes() else { return None };
    let (column, row) = (letter.checked_sub(b'a')?, digit.checked_sub(b'1')?);
    let width = size.width();
    let (row, column) = (u32::from(row), u32::from(column));
    (row < width && column < width).then(|| Disc(size.square(row, column) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_back() {
        for (size, text) in [
            (Size::Four, "-----OX--XO----- X"),
            (Size::Six, "--------------OX----XO-------------- X"),
            (Size::Eight, "---------------------------OX------XO--------------------------- X"),
        ] {
            assert_eq!(write(&Discs::start(size)), text);
            assert_eq!(parse(text), Ok(Discs::start(size)));
        }
        let other = "....\n.w*.\n.bo.\n....  w";
        assert_eq!(parse(other).map(|pos| write(&pos)), Ok("-----OX--XO----- O".into()));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, expected) in [
            ("", "a board has 64, 36 or 16 squares, not 0, and the side to move, X or O, is missing"),
            ("-----OX--XO-----", "the side to move, X or O, is missing behind the squares"),
            ("-----OX--XO---- X", "a board has 64, 36 or 16 squares, not 15"),
            ("-----OX--XO----- -", "the side to move is X or O, not \"-\""),
            ("-----OX--XQ----- X", "c3 is X, O or -, not \"Q\""),
        ] {
            assert_eq!(parse(text), Err(expected.into()), "{text}");
        }
    }

    #[test]
    fn moves_are_read_back() {
        for size in Size::ALL {
            for row in 0..size.width() {
                for column in 0..size.width() {
                    let mv = Disc(size.square(row, column) as u8);
                    assert_eq!(read_move(&write_move(mv, size), size), Some(mv));
                }
            }
            for text in ["pass", "PS", "--"] {
                assert_eq!(read_move(text, size), Some(Disc::PASS));
            }
        }
        assert_eq!(read_move("F5", Size::Eight), Some(Disc(37)));
        for text in ["", "a", "a9", "i1", "a0", "a12", "é", "5f"] {
            assert_eq!(read_move(text, Size::Eight), None, "{text}");
        }
        assert_eq!(read_move("e1", Size::Four), None);
    }
}
