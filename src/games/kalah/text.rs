//! Kalah's notation: boards of the Kalah Game Protocol.

use super::{Capture, Contents, MAX_HOUSES, MAX_SEEDS};
use crate::core::Error;
use crate::games::sowing::text::{self, BoardText};

/// Reads a position; the capture rule is not part of the text.
///
/// # Errors
/// [`Error::BadPosition`] with the reason.
pub fn parse(text: &str, capture: Capture) -> Result<Contents, Error> {
    let BoardText { turn, stores, houses } = text::parse(text, 1..=MAX_HOUSES, MAX_SEEDS)?;
    Ok(Contents { capture, turn, stores, houses })
}

/// Writes a position.
#[must_use]
pub fn write(board: &Contents) -> String {
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
