//! Kalah's notation: the board of the Kalah Game Protocol, then the side to move.
//!
//! `<m,south store,north store,south's houses,north's houses> s|n`, each side's houses in its own sowing order:
//! `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s`. Without a side, South is to move.

use super::{Capture, Contents, MAX_HOUSES, MAX_SEEDS};
use crate::core::error::Quoted;
use crate::core::{Error, Side};

/// Reads a position; the capture rule is not part of the text.
///
/// # Errors
/// [`Error::BadPosition`] with the reason: brackets, a number, the number of houses, too many seeds, the side.
pub fn parse(text: &str, capture: Capture) -> Result<Contents, Error> {
    let bad = |reason: String| Error::bad_position(text, reason);
    let (board, side) = text.trim().strip_prefix('<').and_then(|rest| rest.split_once('>')).ok_or_else(|| {
        bad("a board is written <houses,south store,north store,south houses,north houses> s|n".into())
    })?;
    let turn = match side.trim() {
        "s" | "" => Side::First,
        "n" => Side::Second,
        other => return Err(bad(format!("the side to move is s or n, not {}", Quoted::part(other)))),
    };
    let mut numbers = Vec::new();
    for field in board.split(',') {
        if numbers.len() > 2 * MAX_HOUSES + 2 {
            break;
        }
        let number = field.trim().parse().ok().filter(|&seeds| seeds <= MAX_SEEDS);
        numbers.push(number.ok_or_else(|| bad(format!("{} is no number from 0 to 288", Quoted::part(field.trim()))))?);
    }
    let houses = usize::from(numbers[0]);
    if !(1..=MAX_HOUSES).contains(&houses) {
        return Err(bad(format!("{houses} houses a side; 1 to {MAX_HOUSES} are possible")));
    }
    if numbers.len() != 2 * houses + 3 {
        let expected = 2 * houses + 3;
        return Err(bad(format!("{houses} houses a side take {expected} numbers, not {}", board.split(',').count())));
    }
    let all: u32 = numbers[1..].iter().map(|&seeds| u32::from(seeds)).sum();
    if all > u32::from(MAX_SEEDS) {
        return Err(bad(format!("{all} seeds in all; at most {MAX_SEEDS} are allowed")));
    }
    Ok(Contents {
        capture,
        turn,
        stores: [numbers[1], numbers[2]],
        houses: [numbers[3..3 + houses].to_vec(), numbers[3 + houses..].to_vec()],
    })
}

/// Writes a position.
#[must_use]
pub fn write(board: &Contents) -> String {
    let [south, north] = &board.houses;
    let numbers = board.stores.iter().chain(south).chain(north);
    let list: Vec<_> = std::iter::once(south.len().to_string()).chain(numbers.map(u16::to_string)).collect();
    format!("<{}> {}", list.join(","), if board.turn == Side::First { "s" } else { "n" })
}

/// Draws the board for a terminal: North above, South below, with houses numbered as in moves.
#[must_use]
pub fn draw(board: &Contents) -> String {
    let [south, north] = &board.houses;
    let [south_store, north_store] = board.stores;
    let cells = |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| format!(" {cell:>3} ")).collect::<Vec<_>>();
    let numbers = cells(&mut (1..=south.len()).map(|number| number.to_string()));
    let backwards: Vec<_> = numbers.iter().rev().cloned().collect();
    let upper = cells(&mut north.iter().rev().map(u16::to_string)).join("|");
    let lower = cells(&mut south.iter().map(u16::to_string)).join("|");
    let edge = format!("+-----{}+-----+\n", "+-----".repeat(south.len()));
    let middle = format!("| {north_store:>3} {}| {south_store:>3} |\n", "+-----".repeat(south.len()));
    let (turn, rule) = (
        if board.turn == Side::First { "South" } else { "North" },
        if board.capture == Capture::Empty { "empty" } else { "standard" },
    );
    format!(
        "       {}   North\n{edge}|     |{upper}|     |\n{middle}|     |{lower}|     |\n{edge}       {}   South\n{turn} to move, {rule} captures\n",
        backwards.join(" "),
        numbers.join(" "),
    )
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
