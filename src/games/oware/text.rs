//! Oware's notation: the board as the Kalah Game Protocol writes it, then the side to move.
//!
//! `<6,South's seeds,North's seeds,South's houses,North's houses> s|n`, each side's houses in its own sowing order:
//! `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s`. Without a side, South is to move.

use super::rules::{Board, HOUSES, House, MAX_SEEDS};
use crate::core::error::Quoted;
use crate::core::{Error, Position, Side};

/// The numbers of a board: houses per side, captured seeds, seeds in the houses.
const NUMBERS: usize = 3 + 2 * HOUSES;

/// Reads a position.
///
/// # Errors
/// [`Error::BadPosition`] with the reason: brackets, a number, the number of houses, too many seeds, the side.
pub fn parse(text: &str) -> Result<Board, Error> {
    let bad = |reason: String| Error::bad_position(text, reason);
    let (board, side) = text.trim().strip_prefix('<').and_then(|rest| rest.split_once('>')).ok_or_else(|| {
        bad("a board is written <6,South's seeds,North's seeds,South's houses,North's houses> s|n".into())
    })?;
    let turn = match side.trim() {
        "s" | "" => Side::First,
        "n" => Side::Second,
        other => return Err(bad(format!("the side to move is s or n, not {}", Quoted::part(other)))),
    };
    let mut numbers = [0; NUMBERS];
    let count = board.split(',').count();
    for (number, field) in numbers.iter_mut().zip(board.split(',')) {
        let found = field.trim().parse().ok().filter(|&seeds: &u8| u16::from(seeds) <= MAX_SEEDS);
        *number =
            found.ok_or_else(|| bad(format!("{} is no number from 0 to {MAX_SEEDS}", Quoted::part(field.trim()))))?;
    }
    let [houses, south, north, rest @ ..] = numbers;
    if usize::from(houses) != HOUSES {
        return Err(bad(format!("{houses} houses a side; Oware has {HOUSES}")));
    }
    if count != NUMBERS {
        return Err(bad(format!("a board takes {NUMBERS} numbers, not {count}")));
    }
    let all: u16 = numbers[1..].iter().map(|&seeds| u16::from(seeds)).sum();
    if all > MAX_SEEDS {
        return Err(bad(format!("{all} seeds in all; at most {MAX_SEEDS} are allowed")));
    }
    let row = |first: usize| std::array::from_fn(|at| rest.get(first + at).copied().unwrap_or(0));
    Ok(Board::new([row(0), row(HOUSES)], [south, north], turn))
}

/// Writes a position.
#[must_use]
pub fn write(board: &Board) -> String {
    let (stores, [south, north]) = (board.stores(), board.houses());
    let numbers = stores.iter().chain(&south).chain(&north).map(u8::to_string);
    let list: Vec<_> = std::iter::once(HOUSES.to_string()).chain(numbers).collect();
    format!("<{}> {}", list.join(","), if board.turn() == Side::First { "s" } else { "n" })
}

/// Writes a move: the letter of the house, a capital for South.
#[must_use]
pub const fn letter(turn: Side, House(house): House) -> char {
    let first = match turn {
        Side::First => b'A',
        Side::Second => b'a',
    };
    (first + house) as char
}

/// Reads a move: a letter of either case, or the number of the house from 1.
#[must_use]
pub fn read_move(text: &str) -> Option<House> {
    let [byte] = *text.as_bytes() else { return None };
    let house = match byte {
        b'A'..=b'F' => byte - b'A',
        b'a'..=b'f' => byte - b'a',
        b'1'..=b'6' => byte - b'1',
        _ => return None,
    };
    Some(House(house))
}

/// Draws the board for a terminal: North above, South below, with the letters of the houses.
#[must_use]
pub fn draw(board: &Board) -> String {
    let (stores, [south, north]) = (board.stores(), board.houses());
    let cells = |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| format!(" {cell:>3} ")).collect::<Vec<_>>();
    let letters = |side: Side| (0..HOUSES as u8).map(move |house| letter(side, House(house)).to_string());
    let edge = "+-----".repeat(HOUSES) + "+\n";
    let row = |cells: Vec<String>| format!("|{}|\n", cells.join("|"));
    let turn = if board.turn() == Side::First { "South" } else { "North" };
    [
        format!(" {}   North, {} captured\n", cells(&mut letters(Side::Second).rev()).join(" "), stores[1]),
        edge.clone(),
        row(cells(&mut north.iter().rev().map(u8::to_string))),
        edge.clone(),
        row(cells(&mut south.iter().map(u8::to_string))),
        edge,
        format!(" {}   South, {} captured\n", cells(&mut letters(Side::First)).join(" "), stores[0]),
        format!("{turn} to move\n"),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_the_trip_through_text() {
        for text in [
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s",
            "<6,24,20,0,0,0,0,0,1,0,0,0,0,0,3> n",
            "<6,0,0,144,0,0,0,0,0,0,0,0,0,0,0> s",
        ] {
            assert_eq!(write(&parse(text).unwrap()), text);
        }
        assert_eq!(write(&parse(" <6, 1,0,0,0,0,0,0,1,0,0,0,0,0,3> ").unwrap()), "<6,1,0,0,0,0,0,0,1,0,0,0,0,0,3> s");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, reason) in [
            ("6,0,0", "a board is written"),
            ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> x", "the side to move is s or n"),
            ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,-4> s", "is no number from 0 to 144"),
            ("<6,0,0,145,4,4,4,4,4,4,4,4,4,4,4> s", "is no number from 0 to 144"),
            ("<5,0,0,4,4,4,4,4,4,4,4,4,4> s", "5 houses a side; Oware has 6"),
            ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4> s", "a board takes 15 numbers, not 14"),
            ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4> s", "a board takes 15 numbers, not 16"),
            ("<6,0,0,144,4,4,4,4,4,4,4,4,4,4,4> s", "188 seeds in all; at most 144 are allowed"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn the_board_has_the_letters_of_its_houses() {
        let expected = "    f     e     d     c     b     a    North, 2 captured
+-----+-----+-----+-----+-----+-----+
|  12 |   0 |   0 |   3 |   2 |   1 |
+-----+-----+-----+-----+-----+-----+
|   4 |   4 |   0 |   1 |   0 |   6 |
+-----+-----+-----+-----+-----+-----+
    A     B     C     D     E     F    South, 5 captured
North to move
";
        assert_eq!(draw(&parse("<6,5,2,4,4,0,1,0,6,1,2,3,0,0,12> n").unwrap()), expected);
    }
}
