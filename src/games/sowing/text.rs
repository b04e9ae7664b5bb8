//! Boards in the notation of the Kalah Game Protocol, then the side to move.
//!
//! `<m,South's store,North's store,South's houses,North's houses> s|n`, each side's houses in its own sowing order:
//! `<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s`. Without a side, South is to move.

use crate::core::error::Quoted;
use crate::core::{Error, Side};
use std::ops::RangeInclusive;

/// The seeds of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardText {
    /// The side to move.
    pub turn: Side,
    /// South's and North's stores.
    pub stores: [u16; 2],
    /// South's and North's houses, each side's in its own sowing order; both of the same length.
    pub houses: [Vec<u16>; 2],
}

/// Parses a board with some number of houses per side and at most `most` seeds.
///
/// # Errors
/// [`Error::BadPosition`] with the reason: brackets, a number, the number of houses, too many seeds, the side.
pub(crate) fn parse(text: &str, houses: RangeInclusive<usize>, most: u16) -> Result<BoardText, Error> {
    let bad = |reason: String| Error::bad_position(text, reason);
    let (board, side) = text.trim().strip_prefix('<').and_then(|rest| rest.split_once('>')).ok_or_else(|| {
        bad("a board is written <houses,south store,north store,south houses,north houses> s|n".into())
    })?;
    let turn = match side.trim() {
        "s" | "" => Side::First,
        "n" => Side::Second,
        other => return Err(bad(format!("the side to move is s or n, not {}", Quoted::part(other)))),
    };
    let (least_houses, most_houses) = houses.clone().into_inner();
    let mut numbers = Vec::new();
    for field in board.split(',').take(2 * most_houses + 4) {
        let number = field.trim().parse().ok().filter(|&seeds| seeds <= most);
        let wrong = || bad(format!("{} is no number from 0 to {most}", Quoted::part(field.trim())));
        numbers.push(number.ok_or_else(wrong)?);
    }
    let count = usize::from(numbers[0]);
    if !houses.contains(&count) {
        let range = if least_houses == most_houses { String::new() } else { format!("{least_houses} to ") };
        return Err(bad(format!("{count} houses a side; {range}{most_houses} are possible")));
    }
    let (given, expected) = (board.split(',').count(), 2 * count + 3);
    if given != expected {
        return Err(bad(format!("{count} houses a side take {expected} numbers, not {given}")));
    }
    let all: u32 = numbers[1..].iter().map(|&seeds| u32::from(seeds)).sum();
    if all > u32::from(most) {
        return Err(bad(format!("{all} seeds in all; at most {most} are allowed")));
    }
    let houses = [numbers[3..3 + count].to_vec(), numbers[3 + count..].to_vec()];
    Ok(BoardText { turn, stores: [numbers[1], numbers[2]], houses })
}

pub(crate) fn write(turn: Side, stores: &[impl ToString], houses: [&[impl ToString]; 2]) -> String {
    let numbers = stores.iter().map(ToString::to_string);
    let numbers = numbers.chain(houses.into_iter().flatten().map(ToString::to_string));
    let list: Vec<_> = std::iter::once(houses[0].len().to_string()).chain(numbers).collect();
    format!("<{}> {}", list.join(","), if turn == Side::First { "s" } else { "n" })
}
