//! Weights of a game's evaluation, fitted to recorded matches.

use super::fit::{Fit, fit, loss};
use super::samples::{self, Sample, Target};
use crate::arena::journal;
use secateurs::core::{Error, Score, Weight, weights};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::util::random::{GOLDEN, mixed, unit};
use serde::Serialize;
use std::path::PathBuf;

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedWeights {
    /// The game.
    pub game: &'static str,
    /// The quantity that was fitted.
    pub target: Target,
    /// The number of games, and of those held out.
    pub games: [usize; 2],
    /// The number of positions in the games that were not held out, and in those that were.
    pub positions: [usize; 2],
    /// The weights.
    pub weights: Vec<FittedWeight>,
    /// The loss with the current and with the fitted weights: first in the games used for the fit, then in those held
    /// out. In units of the game, or nats for results.
    pub loss: [[f64; 2]; 2],
    /// The evaluation, in centi-units, that makes the odds of a win e to 1, with the current and with the fitted
    /// weights; for results only.
    pub scale: Option<[f64; 2]>,
}

/// A weight, in centi-units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedWeight {
    /// The name.
    pub name: &'static str,
    /// The current value.
    pub now: Score,
    /// The fitted value.
    pub fitted: f64,
    /// The standard error of the fitted value; `None` if the weight was fixed, or the games do not determine it.
    pub error: Option<f64>,
}

impl FittedWeights {
    /// Returns the names of the weights that are beyond the range of the game's option.
    pub(crate) fn clipped(&self) -> Vec<&'static str> {
        let is_beyond = |row: &&FittedWeight| f64::from(weights::rounded(row.fitted)) != row.fitted.round();
        self.weights.iter().filter(is_beyond).map(|row| row.name).collect()
    }

    /// Formats the fitted weights for the game's option: rounded, and within its range.
    pub(crate) fn text(&self) -> String {
        let rounded = |row: &FittedWeight| (row.name, weights::rounded(row.fitted));
        weights::write(&self.weights.iter().map(rounded).collect::<Vec<_>>())
    }
}

/// The parameters of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitPlan {
    /// The quantity that the evaluation is fitted to.
    pub target: Target,
    /// The names of weights that are not fitted.
    pub fixed: Vec<String>,
    /// The share of the openings that is held out, with all their games.
    pub held_out: f64,
    /// The seed that selects them.
    pub seed: u64,
}

/// Fits the weights of the game of the matches.
///
/// # Errors
/// A file that cannot be read or is not a match; matches of several games; a game without weights; an unknown name of a
/// weight; no positions.
pub fn tune(paths: &[PathBuf], plan: &FitPlan) -> Result<FittedWeights, Error> {
    let &FitPlan { target, held_out, seed, .. } = plan;
    let mut recorded: Option<Vec<Weight>> = None;
    let (mut parts, mut games, mut first_group) = ([Vec::new(), Vec::new()], [0, 0], 0);
    let name = journal::each_match(paths, |path, setup, records| {
        let weights = setup.board(STARTPOS)?.weights();
        if recorded.get_or_insert_with(|| weights.clone()).len() != weights.len() {
            let reason = "is a match with another evaluation than those before it: only one of them has weights";
            return Err(Error::bad_file(path, reason));
        }
        for record in records {
            let group = first_group + record.round;
            let held = usize::from(is_held_out(group, held_out, seed));
            samples::add(&mut parts[held], setup, record, target, group)
                .map_err(|error| Error::bad_file(path, format!("game {}: {error}", record.number)))?;
            games[0] += 1;
            games[1] += held;
        }
        first_group += records.iter().map(|record| record.round + 1).max().unwrap_or(0);
        Ok(())
    })?;
    let (name, recorded) =
        name.zip(recorded).ok_or_else(|| Error::BadOptions("there are no records of matches".into()))?;
    // The current weights are the defaults, or those of the first match if only an option provides them.
    let now = Setup::named(name)?.board(STARTPOS)?.weights();
    let now = if now.is_empty() { recorded } else { now };
    if now.is_empty() {
        return Err(Error::BadOptions(format!("the evaluation of {name} has no weights to be fitted")));
    }
    let fixed = weights::are_named(&now, &plan.fixed, name)?;
    let [training, held] = &parts;
    let none = match target {
        Target::Margin => "there is no game to be fitted to, with a margin at its end: --target result needs none",
        Target::Result | Target::Search => "there is no game to be fitted to",
    };
    check_parts([training.len(), held.len()], none)?;
    let values: Vec<f64> = now.iter().map(|(_, value)| f64::from(*value)).collect();
    let Fit { weights, errors, scale } = fit_but(training, &values, &fixed, target)?;
    let loss_of = |samples: &[Sample]| {
        [loss(samples, &values, scale.map(|[now, _]| now)), loss(samples, &weights, scale.map(|[_, fitted]| fitted))]
    };
    let rows = now.iter().zip(&weights).zip(errors);
    Ok(FittedWeights {
        game: name,
        target,
        games,
        positions: [training.len(), held.len()],
        loss: [loss_of(training), loss_of(held)],
        weights: rows.map(|((&(name, now), &fitted), error)| FittedWeight { name, now, fitted, error }).collect(),
        scale,
    })
}

/// Fits the weights except the fixed ones, whose part of the evaluation is added to the settled score.
fn fit_but(samples: &[Sample], now: &[f64], fixed: &[bool], target: Target) -> Result<Fit, Error> {
    let free = |all: &[f64]| -> Vec<f64> {
        all.iter().zip(fixed).filter(|(_, fixed)| !**fixed).map(|(value, _)| *value).collect()
    };
    let without = |sample: &Sample| {
        let seen = sample.features.iter().zip(now).zip(fixed).filter(|(_, fixed)| **fixed);
        let value: f64 = seen.map(|((count, weight), _)| count * weight).sum();
        Sample { settled: sample.settled + value, features: free(&sample.features), ..*sample }
    };
    let samples: Vec<_> = samples.iter().map(without).collect();
    let Fit { weights, errors, scale } = fit(&samples, &free(now), target)?;
    let (mut fitted, mut errors) = (weights.into_iter(), errors.into_iter());
    let (weights, errors) = now
        .iter()
        .zip(fixed)
        .map(|(&now, &fixed)| if fixed { (now, None) } else { (fitted.next().unwrap_or(now), errors.next().flatten()) })
        .unzip();
    Ok(Fit { weights, errors, scale })
}

/// Checks the numbers of positions to learn from and of those held out.
///
/// # Errors
/// [`Error::BadOptions`] without the former: all are held out or, without any, the reason `none`.
pub(super) fn check_parts([training, held]: [usize; 2], none: &str) -> Result<(), Error> {
    match (training, held) {
        (0, 0) => Err(Error::BadOptions(none.into())),
        (0, _) => Err(Error::BadOptions("all games are held out: give a smaller --held-out, or more games".into())),
        _ => Ok(()),
    }
}

/// Whether a group is held out with this seed.
pub(super) fn is_held_out(group: usize, share: f64, seed: u64) -> bool {
    let drawn = mixed(seed.wrapping_add((group as u64 + 1).wrapping_mul(GOLDEN)));
    unit(drawn) <= share && share > 0.0
}
