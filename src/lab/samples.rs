//! Positions of recorded matches, each with its features and with what became of it.

use crate::arena::GameResult;
use crate::arena::record::{GameRecord, MoveRecord};
use crate::core::score::UNIT;
use crate::core::{Error, Score, Side};
use crate::registry::Setup;

/// What an evaluation is to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The margin at the end of the game.
    Margin,
    /// The chance to win: 1 for a win, a half for a draw (Texel's tuning: Österlund 2014).
    Result,
    /// What the search said that was asked for the move (as Samuel's player learnt in 1959).
    Search,
}

/// A position, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What no play can change any more, centi-units.
    pub settled: f64,
    /// What is weighed.
    pub features: Vec<f64>,
    /// What became of it: centi-units, or points.
    pub target: f64,
    /// Games from the same opening are no witnesses of their own: they have this number in common.
    pub group: usize,
}

/// Adds the positions of a game. Left out are those where the game is over, and those of which nothing became: games
/// that were not played to their end have no margin, a win in so many moves is no evaluation.
///
/// # Errors
/// A position or a move that the game does not take.
pub fn add(
    samples: &mut Vec<Sample>,
    setup: &Setup,
    record: &GameRecord,
    target: Target,
    group: usize,
) -> Result<(), Error> {
    let mut board = setup.board(&record.opening.position)?;
    record.opening.moves.iter().try_for_each(|mv| board.play(mv))?;
    for mv in &record.moves {
        if let Some(target) = of(record, mv, target, board.turn()) {
            samples.push(Sample {
                settled: board.static_evaluation().settled.into(),
                features: board.features().into_iter().map(f64::from).collect(),
                target,
                group,
            });
        }
        board.play(&mv.0)?;
    }
    Ok(())
}

fn of(record: &GameRecord, mv: &MoveRecord, target: Target, turn: Side) -> Option<f64> {
    match target {
        Target::Margin => {
            let margin = f64::from(Score::from(record.margin?) * UNIT);
            Some(if turn == Side::First { margin } else { -margin })
        }
        Target::Result if record.ending.is_fault() => None,
        Target::Result => Some(match record.result.result(turn) {
            GameResult::Win => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Loss => 0.0,
        }),
        Target::Search => {
            let units: f64 = mv.2.split(' ').next()?.parse().ok()?;
            Some(units * f64::from(UNIT))
        }
    }
}
