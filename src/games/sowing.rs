//! What games of sowing share: how seeds in houses are drawn and counted.

use crate::core::{Ink, Side};

/// The dots of a braille character in the order in which seeds fill it, two in each row.
const BRAILLE: [u32; 8] = [0, 3, 1, 4, 2, 5, 6, 7];

/// Returns the ink of a side's seeds.
#[must_use]
pub const fn ink(side: Side) -> Ink {
    match side {
        Side::First => Ink::First,
        Side::Second => Ink::Second,
    }
}

/// Orders cells from left to right: North's houses run the other way.
#[must_use]
pub fn in_sight(side: Side, mut cells: Vec<String>) -> Vec<String> {
    if side == Side::Second {
        cells.reverse();
    }
    cells
}

/// Draws dots in at most `room` characters of two by four.
#[must_use]
pub fn braille(seeds: u16, room: usize) -> String {
    let whole = usize::from(seeds / 8).min(room);
    let mut dots = "\u{28ff}".repeat(whole);
    let part = BRAILLE[..usize::from(seeds % 8)].iter().fold(0x2800_u32, |bits, dot| bits | 1 << dot);
    if whole < room && !seeds.is_multiple_of(8) {
        dots.extend(char::from_u32(part));
    }
    dots
}

/// Draws dots in ASCII, two in each of at most `room` characters.
#[must_use]
pub fn points(seeds: u16, room: usize) -> String {
    let whole = usize::from(seeds / 2).min(room);
    let odd = if whole < room && seeds % 2 == 1 { "." } else { "" };
    ":".repeat(whole) + odd
}

/// Returns a table of which entry `[i][t]` is C(t + i, i + 1): the number of multisets of i + 1 out of t. Saturated entries
/// belong to databases that are too large to exist.
#[must_use]
pub const fn ways<const HOUSES: usize, const SPAN: usize>() -> [[u32; SPAN]; HOUSES] {
    let mut table = [[0; SPAN]; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        let mut seeds = 1;
        while seeds < SPAN {
            let fewer: u32 = if house == 0 { 1 } else { table[house - 1][seeds] };
            table[house][seeds] = fewer.saturating_add(table[house][seeds - 1]);
            seeds += 1;
        }
        house += 1;
    }
    table
}
