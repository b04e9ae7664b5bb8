//! Kalah's notation: boards of the Kalah Game Protocol.

use super::{BoardContents, Capture, House, Kalah, Layout, MAX_HOUSES, MAX_SEEDS};
use crate::core::position::legal_moves;
use crate::core::{Error, Notation};
use crate::games::sowing::text::{self, BoardText};
use crate::util::number;

impl<L: Layout> Notation for Kalah<L> {
    fn start(&self) -> Result<String, Error> {
        let all = 2 * self.houses * usize::from(self.seeds);
        if all > usize::from(MAX_SEEDS) {
            let (houses, seeds) = (self.houses, self.seeds);
            let reason = format!("Houses {houses} and Seeds {seeds} make {all} seeds; at most {MAX_SEEDS} are allowed");
            return Err(Error::BadOptions(reason));
        }
        let houses = vec![self.seeds; self.houses];
        let houses = [houses.clone(), houses];
        Ok(write(&BoardContents { capture: self.capture, turn: self.first, stores: [0, 0], houses }))
    }

    fn parse(&self, text: &str) -> Result<L, Error> {
        let contents = parse(text, self.capture)?;
        L::lay(&contents).ok_or_else(|| Error::bad_position(text, "does not fit the packed layout"))
    }

    fn write(&self, pos: &L) -> String {
        write(&pos.contents())
    }

    fn write_move(&self, _pos: &L, mv: House) -> String {
        (mv.0 + 1).to_string()
    }

    fn read_move(&self, pos: &L, text: &str) -> Option<House> {
        let house = number::read(text)?;
        legal_moves(pos).into_iter().find(|mv| u16::from(mv.0) + 1 == house)
    }
}

/// Parses a position; the capture rule is not part of the text.
///
/// # Errors
/// [`Error::BadPosition`] with the reason.
pub fn parse(text: &str, capture: Capture) -> Result<BoardContents, Error> {
    let BoardText { turn, stores, houses } = text::parse(text, 1..=MAX_HOUSES, MAX_SEEDS)?;
    Ok(BoardContents { capture, turn, stores, houses })
}

/// Writes a position.
#[must_use]
pub fn write(board: &BoardContents) -> String {
    let [south, north] = &board.houses;
    text::write(board.turn, &board.stores, [south, north])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_the_trip_through_text() {
        for text in [
            "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s",
            "<1,280,7,1,0> n",
            "<12,0,0,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12> n",
        ] {
            assert_eq!(write(&parse(text, Capture::Standard).unwrap()), text);
        }
        assert_eq!(write(&parse(" < 1, 0,0 ,1,1 > ", Capture::Empty).unwrap()), "<1,0,0,1,1> s");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, reason) in [
            ("", "a board is written"),
            ("<6,0,0", "a board is written"),
            ("<0,0,0> s", "0 houses a side"),
            ("<13,0,0> s", "13 houses a side"),
            ("<1,0,0,1,1> x", "the side to move is s or n, not \"x\""),
            ("<1,0,0,1> s", "take 5 numbers, not 4"),
            ("<1,0,0,-1,1> s", "\"-1\" is no number"),
            ("<1,0,0,,1> s", "\"\" is no number"),
            ("<1,99999999999999999999,0,1,1> s", "is no number"),
            ("<1,288,0,1,1> s", "290 seeds in all"),
        ] {
            let error = parse(text, Capture::Standard).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for long in [",1".repeat(1_000_000), ",1,".to_owned() + &"x".repeat(1_000_000)] {
            for text in [format!("<1{long}>"), format!("<1,0,0,1,1> {long}"), long] {
                assert!(parse(&text, Capture::Standard).unwrap_err().to_string().len() <= 320);
            }
        }
    }
}
