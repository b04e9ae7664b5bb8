//! What games of sowing share: their [boards](Pits), and the drawing of these on a terminal ([`show`]) and as shapes
//! ([`picture`](fn@picture)).
//!
//! - `words`: a side's houses as the bytes of a word; `index`: the rank of such seeds; `features`: what a
//!   network sees;
//! - `text`: boards as text.

pub(super) mod features;
pub(super) mod index;
mod picture;
mod terminal;
pub(super) mod text;
pub(super) mod words;

pub use picture::picture;
pub use terminal::show;

use crate::core::position::legal_moves;
use crate::core::{Outcome, Position, Side};

/// A board of a game of sowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pits {
    /// South's and North's houses, each side's in its own sowing order.
    pub houses: [Vec<u16>; 2],
    /// South's and North's stores.
    pub stores: [u16; 2],
    /// The side to move; `None` at the end of the game.
    pub turn: Option<Side>,
}

impl Pits {
    /// Returns the board when each side has put the seeds in its houses into its store.
    fn swept(&self) -> Self {
        let mut swept = self.clone();
        for (houses, store) in swept.houses.iter_mut().zip(&mut swept.stores) {
            *store += houses.iter_mut().map(std::mem::take).sum::<u16>();
        }
        swept
    }
}

/// The name of a side's house, counted from 0.
pub type HouseName = fn(Side, usize) -> String;

/// Returns what best play adds to the lead of the side to move: a lower bound, an upper bound and a value between them.
/// `lead` is the difference between the players' stores, from the mover's view; `rest` is what the rest of the game
/// adds after a move.
///
/// # Errors
/// The errors of `rest`.
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
