//! Oware's notation: boards of the Kalah Game Protocol.

use super::Oware;
use super::rules::{Board, HOUSES, House, MAX_SEEDS};
use crate::core::position::legal_moves;
use crate::core::{Error, Notation, Position, Side};
use crate::games::sowing::text::{self, BoardText};
use crate::games::sowing::words::seeds_in;

impl Notation for Oware {
    fn start(&self) -> Result<String, Error> {
        Ok(write(&Board::new([[self.seeds; HOUSES]; 2], [0; 2], Side::First)))
    }

    fn parse(&self, text: &str) -> Result<Board, Error> {
        parse(text)
    }

    fn write(&self, pos: &Board) -> String {
        write(pos)
    }

    fn write_move(&self, pos: &Board, mv: House) -> String {
        letter(pos.turn(), mv).into()
    }

    fn read_move(&self, pos: &Board, text: &str) -> Option<House> {
        let mv = read_move(text)?;
        legal_moves(pos).contains(&mv).then_some(mv)
    }

    fn forbidden(&self, pos: &Board, text: &str) -> Option<String> {
        let house = read_move(text)?;
        let has_seeds = seeds_in(pos.words()[0], house.0.into()) > 0;
        (has_seeds && !pos.allows(house) && !pos.is_over())
            .then(|| "the opponent has no seeds and must be given some".into())
    }
}

/// Parses a position.
///
/// # Errors
/// [`Error::BadPosition`] with the reason.
pub(crate) fn parse(text: &str) -> Result<Board, Error> {
    let BoardText { turn, stores, houses } = text::parse(text, HOUSES..=HOUSES, MAX_SEEDS)?;
    let row = |houses: &Vec<u16>| std::array::from_fn(|at| houses[at] as u8);
    Ok(Board::new([row(&houses[0]), row(&houses[1])], stores.map(|seeds| seeds as u8), turn))
}

/// Writes a position.
#[must_use]
pub fn write(board: &Board) -> String {
    let [south, north] = board.houses();
    text::write(board.turn(), &board.stores(), [&south, &north])
}

/// Writes a move: the letter of the house, a capital for South.
pub(crate) const fn letter(turn: Side, House(house): House) -> char {
    let first = match turn {
        Side::First => b'A',
        Side::Second => b'a',
    };
    (first + house) as char
}

/// Parses a move: a letter of either case, or the number of the house from 1.
pub(crate) fn read_move(text: &str) -> Option<House> {
    let [byte] = *text.as_bytes() else { return None };
    let house = match byte {
        b'A'..=b'F' => byte - b'A',
        b'a'..=b'f' => byte - b'a',
        b'1'..=b'6' => byte - b'1',
        _ => return None,
    };
    Some(House(house))
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
            ("<5,0,0,4,4,4,4,4,4,4,4,4,4> s", "5 houses a side; 6 are possible"),
            ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4> s", "6 houses a side take 15 numbers, not 14"),
            ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4> s", "6 houses a side take 15 numbers, not 16"),
            ("<6,0,0,144,4,4,4,4,4,4,4,4,4,4,4> s", "188 seeds in all; at most 144 are allowed"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
