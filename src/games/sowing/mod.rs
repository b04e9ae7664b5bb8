//! What games of sowing share.
//!
//! - `words`: a side's houses as the bytes of a word; `index`: the rank of such seeds;
//! - `text`: boards as text; `weights`: an evaluation by weighted counts.

pub(super) mod index;
pub(super) mod text;
pub(super) mod weights;
pub(super) mod words;

use crate::core::position::legal_moves;
use crate::core::{Ink, Outcome, Position, Side};

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

/// Returns what best play adds to the lead of the side to move: a lower bound, an upper bound and a value between them.
/// `lead` is the difference of what the players have stored, from the mover's view; `rest` is what the rest of the game adds
/// after a move.
///
/// # Errors
/// Those of `rest`.
pub fn best<P: Position, E>(
    pos: &P,
    lead: impl Fn(&P) -> i32,
    mut rest: impl FnMut(&P) -> Result<[i32; 3], E>,
) -> Result<[i32; 3], E> {
    let moves = legal_moves(pos);
    if let (true, Outcome::Margin(margin)) = (moves.is_empty(), pos.outcome()) {
        return Ok([i32::from(margin) - lead(pos); 3]);
    }
    let mut best = [i32::MIN; 3];
    for mv in moves {
        let after = pos.after(mv);
        let [lower, upper, even] = rest(&after)?.map(|rest| lead(&after) + rest);
        let same = after.turn() == pos.turn();
        let found = if same { [lower, upper, even] } else { [-upper, -lower, -even] };
        best.iter_mut().zip(found).for_each(|(best, found)| *best = (*best).max(found - lead(pos)));
    }
    Ok(best)
}
