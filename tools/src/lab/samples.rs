//! Positions of recorded matches, each with its features and its target.

use crate::arena::GameResult;
use crate::arena::record::{GameRecord, MoveRecord, read_score};
use crate::client;
use clap::ValueEnum;
use secateurs::core::report::Bound;
use secateurs::core::score::UNIT;
use secateurs::core::{Error, Score, Side};
use secateurs::registry::Setup;
use serde::Serialize;

/// The quantity that an evaluation is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The margin at the end of the game
    Margin,
    /// The result: a logistic curve of the evaluation (Texel's tuning)
    Result,
    /// The score of the search that selected the move (Samuel 1959)
    Search,
}

/// A position, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The settled score, in centi-units, which further play cannot change.
    pub settled: f64,
    /// The features to be weighted.
    pub features: Vec<f64>,
    /// The target: centi-units, or points.
    pub target: f64,
    /// The group: games from the same opening are not independent and share this number.
    pub group: usize,
}

/// Adds the positions of a game that have a target: a game that was not played to its end has no margin, one that a
/// fault ended has no result, and neither a win in n plies nor a bound is an evaluation.
pub(crate) fn add(
    samples: &mut Vec<Sample>,
    setup: &Setup,
    record: &GameRecord,
    target: Target,
    group: usize,
) -> Result<(), Error> {
    let mut board = record.opening.board(setup)?;
    for mv in record.played() {
        if let Some(target) = target_of(record, mv, target, board.turn()) {
            samples.push(Sample {
                settled: board.settled().into(),
                features: board.features().into_iter().map(f64::from).collect(),
                target,
                group,
            });
        }
        board.play(&mv.mv)?;
    }
    Ok(())
}

fn target_of(record: &GameRecord, mv: &MoveRecord, target: Target, turn: Side) -> Option<f64> {
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
            let Some((client::Score::Cp(score), Bound::Exact)) = read_score(&mv.score) else { return None };
            Some(score.into())
        }
    }
}
