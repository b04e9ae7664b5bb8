//! Verification of databases: random positions against the best of their successors.

use super::Endgames;
use super::index::{count, words};
use super::layer::Layer;
use crate::core::position::legal_moves;
use crate::core::random::Random;
use crate::core::{Outcome, Position, StopFlag};
use crate::games::oware::rules::Board;

/// A position with wrong bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The position, South to move, without captured seeds.
    pub board: Board,
    /// The bounds in the database, and the value with repetitions that divide evenly, seeds.
    pub stored: [i32; 3],
    /// The same by the successors, seeds.
    pub found: [i32; 3],
}

/// Checks random positions of a layer against their successors. Returns their number, which is lower if the flag was
/// raised.
///
/// # Errors
/// The first wrong position.
pub fn verify(endgames: &Endgames, layer: &Layer, samples: u64, seed: u64, stop: &StopFlag) -> Result<u64, Box<Wrong>> {
    let seeds = layer.seeds();
    let mut random = Random(seed ^ seeds as u64);
    for checked in 0..samples {
        if stop.is_raised() {
            return Ok(checked);
        }
        let board = Board::of_words(words(seeds, (random.draw() % count(seeds) as u64) as usize));
        let value = |pos: &Board| {
            let (words, in_play) = (pos.words(), pos.in_play().into());
            let [lower, upper] = endgames.probe(words, in_play)?;
            Some([lower, upper, endgames.even(words, in_play)?])
        };
        let stored = value(&board).unwrap_or([i32::MAX; 3]);
        let found = best(&board, value).unwrap_or([i32::MIN; 3]);
        if found != stored {
            return Err(Box::new(Wrong { board, stored, found }));
        }
    }
    Ok(samples)
}

/// Returns the bounds and the value of a position by those of its successors; `None` if one has none.
pub fn best(board: &Board, value: impl Fn(&Board) -> Option<[i32; 3]>) -> Option<[i32; 3]> {
    let moves = legal_moves(board);
    if moves.is_empty() {
        let Outcome::Margin(margin) = board.outcome() else { return None };
        return Some([i32::from(margin) - board.store_lead(); 3]);
    }
    moves.into_iter().try_fold([i32::MIN; 3], |most, mv| {
        let (gain, [lower, upper, even]) = (i32::from(board.captured(mv)), value(&board.after(mv))?);
        Some([most[0].max(gain - upper), most[1].max(gain - lower), most[2].max(gain - even)])
    })
}
