//! Positions as text: the FEN of Portable Draughts Notation (PDN), and the boards of the Hub protocol.
//!
//! - `W:W31,32,K45:B1-20`: the side to move, then the pieces of each side by the numbers of their squares, `K` before
//!   kings, and `-` between the ends of a range. A full stop may follow, and `:H12` for 12 plies without progress, as
//!   Lidraughts writes them, with or without `:F20` for the number of the move, which is ignored;
//! - `Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww`: the side to move and every square in order, `w` and `b` for
//!   men, `W` and `B` for kings, `e` for a vacant square.

use super::geometry::{Geometry, bits};
use super::rules::Draughtsboard;
use super::variant::{RuleSettings, Variant};
use crate::core::error::Quoted;
use crate::core::{Position, Side};
use crate::util::number::read as read_number;
use std::fmt::Write;

/// Returns the number of the square with a bit, from 1.
pub(crate) fn number<V: Variant>(bit: u8) -> u16 {
    let index = Geometry::<V>::index(bit.into()) as u16;
    if V::FIRST_HAS_LOW_NUMBERS { index + 1 } else { Geometry::<V>::SQUARES as u16 - index }
}

/// Returns the bit of the square with a number; `None` beyond the board.
pub(crate) fn bit<V: Variant>(number: u16) -> Option<u8> {
    let squares = Geometry::<V>::SQUARES;
    let number = u32::from(number);
    let index = if V::FIRST_HAS_LOW_NUMBERS { number.checked_sub(1)? } else { squares.checked_sub(number)? };
    (index < squares).then(|| Geometry::<V>::bit(index) as u8)
}

pub(crate) const fn letter<V: Variant>(side: Side) -> char {
    V::LETTERS[side.index()]
}

/// Parses a square by its number or, in Brazilian draughts, by its file and rank, from White's left.
pub(super) fn square<V: Variant>(word: &str) -> Option<u8> {
    match *word.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] if V::ALGEBRAIC => {
            let (file, rank) = (file - b'a', rank - b'1');
            let is_dark = (file + rank).is_multiple_of(2);
            is_dark.then(|| bit::<V>(u16::from((7 - rank) * 4 + file / 2 + 1))).flatten()
        }
        [b'0', digit @ b'1'..=b'9'] => bit::<V>((digit - b'0').into()),
        _ => bit::<V>(read_number(word)?),
    }
}

/// Returns the side with a letter, in upper or lower case.
fn side<V: Variant>(text: &str) -> Option<Side> {
    [Side::First, Side::Second]
        .into_iter()
        .find(|&side| text.eq_ignore_ascii_case(letter::<V>(side).encode_utf8(&mut [0; 4])))
}

/// Pieces as they are parsed.
#[derive(Default)]
struct Pieces {
    of: [u64; 2],
    kings: u64,
}

/// Parses a position in either notation.
///
/// # Errors
/// A description of the first mistake.
pub(crate) fn parse<V: Variant>(text: &str, settings: RuleSettings) -> Result<Draughtsboard<V>, String> {
    let text = text.trim();
    let (turn, pieces, plies) = if text.contains(':') { parse_fen::<V>(text)? } else { parse_hub::<V>(text)? };
    validate::<V>(pieces.of, pieces.kings, turn)?;
    Ok(Draughtsboard::new(pieces.of, pieces.kings, turn, settings, plies))
}

fn parse_fen<V: Variant>(text: &str) -> Result<(Side, Pieces, u16), String> {
    let letters = V::LETTERS.map(String::from).join(" or ");
    let mut fields = text.trim_end_matches('.').split(':').map(str::trim);
    let turn = fields.next().unwrap_or_default();
    let turn = side::<V>(turn).ok_or_else(|| format!("the side to move is {letters}, not {}", Quoted::part(turn)))?;
    let (mut pieces, mut seen, mut plies) = (Pieces::default(), [false; 2], 0);
    for field in fields {
        let mut rest = field.chars();
        let first = rest.next().map(String::from).unwrap_or_default();
        let rest = rest.as_str().trim();
        match side::<V>(&first) {
            Some(side) if seen[side.index()] => {
                return Err(format!("the pieces of {} are given twice", letter::<V>(side)));
            }
            Some(side) => {
                seen[side.index()] = true;
                parse_pieces::<V>(rest, side, &mut pieces)?;
            }
            None if first == "H" => {
                plies = rest.parse().map_err(|_| {
                    format!(
                        "the plies without progress, after H, are a number up to {}, not {}",
                        u16::MAX,
                        Quoted::part(rest)
                    )
                })?;
            }
            None if first == "F" && !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()) => {}
            None => return Err(format!("the pieces of a side begin with {letters}, not {}", Quoted::part(field))),
        }
    }
    match seen {
        [true, true] => Ok((turn, pieces, plies)),
        [first, _] => {
            let missing = if first { Side::Second } else { Side::First };
            Err(format!("the pieces of {} are missing", letter::<V>(missing)))
        }
    }
}

/// Parses the squares of one side's pieces.
fn parse_pieces<V: Variant>(text: &str, side: Side, pieces: &mut Pieces) -> Result<(), String> {
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (squares, is_king) = match word.strip_prefix(['K', 'k']) {
            Some(squares) => (squares, true),
            None => (word, false),
        };
        let square = |text: &str| square::<V>(text).map(number::<V>);
        let (low, high) = squares.split_once('-').unwrap_or((squares, squares));
        let (Some(low), Some(high)) = (square(low), square(high)) else {
            return Err(format!("squares are numbered 1 to {}, not {}", Geometry::<V>::SQUARES, Quoted::part(word)));
        };
        if low > high {
            return Err(format!("the range {} is empty", Quoted::part(word)));
        }
        for number in low..=high {
            place::<V>(pieces, number, side, is_king)?;
        }
    }
    Ok(())
}

fn place<V: Variant>(pieces: &mut Pieces, number: u16, side: Side, is_king: bool) -> Result<(), String> {
    let square = bit::<V>(number).map_or(0, |bit| 1_u64 << bit);
    if (pieces.of[0] | pieces.of[1]) & square != 0 {
        return Err(format!("two pieces are on square {number}"));
    }
    pieces.of[side.index()] |= square;
    if is_king {
        pieces.kings |= square;
    }
    Ok(())
}

fn parse_hub<V: Variant>(text: &str) -> Result<(Side, Pieces, u16), String> {
    let squares = Geometry::<V>::SQUARES as usize;
    let mut letters = text.chars();
    let first = letters.next().map(String::from).unwrap_or_default();
    let given = text.chars().count();
    let Some(turn) = side::<V>(&first).filter(|_| given == squares + 1) else {
        let is_board = given > 1 && text.chars().all(|c| "wbe".contains(c.to_ascii_lowercase()));
        return Err(match given {
            // A board of the other size.
            33 | 51 if is_board && given != squares + 1 => {
                format!("{} characters expected, {given} given: the variant may not be set", squares + 1)
            }
            _ if is_board && given != squares + 1 => format!("{} characters expected, {given} given", squares + 1),
            _ => format!("a position is the side to move and the pieces, as in \"{0}:W30,31:B1,K2\"", V::LETTERS[0]),
        });
    };
    let mut pieces = Pieces::default();
    for (number, piece) in (1..).zip(letters) {
        let owner = side::<V>(piece.encode_utf8(&mut [0; 4]));
        match owner {
            Some(side) => place::<V>(&mut pieces, number, side, piece.is_ascii_uppercase())?,
            None if piece == 'e' => {}
            None => {
                return Err(format!(
                    "square {number} has w or b, W or B for a king, or e, not {}",
                    Quoted::part(piece.encode_utf8(&mut [0; 4]))
                ));
            }
        }
    }
    Ok((turn, pieces, 0))
}

/// Checks that a position is possible by the rules, given the pieces of each side on different squares.
///
/// # Errors
/// A description of the first mistake.
pub(crate) fn validate<V: Variant>(pieces: [u64; 2], kings: u64, turn: Side) -> Result<(), String> {
    let most = V::HOME_ROWS * V::WIDTH;
    for side in [Side::First, Side::Second] {
        let (all, letter) = (pieces[side.index()], letter::<V>(side));
        if all.count_ones() > most {
            return Err(format!("{letter} has {} pieces, more than {most}", all.count_ones()));
        }
        if let Some(bit) = bits(all & !kings & Geometry::<V>::CROWNING[side.index()]).next() {
            return Err(format!("the man of {letter} on square {} would be a king", number::<V>(bit)));
        }
    }
    if pieces[turn.other().index()] == 0 {
        return Err(format!("{} is not to move and has no pieces", letter::<V>(turn.other())));
    }
    Ok(())
}

/// Returns the numbers of squares, the lowest first.
fn numbers<V: Variant>(squares: u64) -> Vec<u16> {
    let mut numbers: Vec<_> = bits(squares).map(number::<V>).collect();
    numbers.sort_unstable();
    numbers
}

/// Writes the FEN.
pub(crate) fn write<V: Variant>(pos: &Draughtsboard<V>) -> String {
    let mut text = String::from(letter::<V>(pos.turn()));
    // White comes first, as in PDN.
    let mut sides = [Side::First, Side::Second];
    sides.sort_by_key(|&side| letter::<V>(side) != 'W');
    for side in sides {
        let _ = write!(text, ":{}", letter::<V>(side));
        let squares = numbers::<V>(pos.pieces(side));
        for (index, number) in squares.into_iter().enumerate() {
            let is_king = bit::<V>(number).is_some_and(|bit| pos.kings(side) & 1 << bit != 0);
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(text, "{comma}{}{number}", if is_king { "K" } else { "" });
        }
    }
    if pos.plies() > 0 {
        let _ = write!(text, ":H{}", pos.plies());
    }
    text
}

/// Returns the letter of the piece on a square, a capital for a king.
pub(crate) fn symbol<V: Variant>(pos: &Draughtsboard<V>, bit: u8) -> Option<char> {
    let square = 1 << bit;
    let side = [Side::First, Side::Second].into_iter().find(|&side| pos.pieces(side) & square != 0)?;
    let letter = letter::<V>(side);
    Some(if pos.kings(side) & square != 0 { letter } else { letter.to_ascii_lowercase() })
}
