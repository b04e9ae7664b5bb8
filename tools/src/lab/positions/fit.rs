//! Parameters fitted to positions: the cross-entropy of a logistic curve (Österlund 2014, *Texel's tuning method*),
//! minimised by Adam (Kingma and Ba 2015) over small batches.

use super::parts::{check_parts, is_held_out};
use super::replay::{Labelled, replay};
use super::targets::{Blend, Recorded, targets};
use crate::lab::curve::{self, Observation, expected};
use crate::numbers::{part, real, share};
use secateurs::core::{Error, StopFlag, Weight, weights};
use secateurs::network::adam::{Adam, cosine};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::util::random::Random;
use std::path::PathBuf;

const BATCH: usize = 16_384;

/// The size of the first steps and of the last, centi-units.
const STEPS: [f64; 2] = [2.0, 0.02];

/// The root mean square of a gradient below which a parameter moves less: none moves for no reason.
const EPSILON: f64 = 1e-12;

/// The settings of a fit, and the arguments for them.
#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub struct PositionsPlan {
    /// Share of the openings that is held out, with all games from them, to validate the fit.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = part)]
    pub held_out: f64,
    /// Seed of their selection; with --search, of everything random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Share of the result in what is fitted to; the rest is from the scores of the searches.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    pub blend: f64,
    /// Share of the next position's target in that rest, as in TD(lambda); 0: only the score of a position's own search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub lambda: f64,
    /// Passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub epochs: usize,
    // A parameter that few positions determine moves little.
    /// Standard deviation of the weights around their current values, centi-units.
    #[arg(long, value_name = "SIZE", default_value_t = 30.0, value_parser = real("a number above 0", |size| size > 0.0 && size.is_finite()))]
    pub spread: f64,
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedParameters {
    /// The parameters, centi-units.
    pub parameters: Vec<f64>,
    /// The names of the weights and their values before, in games that have names for them.
    pub names: Vec<Weight>,
    /// The number of positions used for the fit, and of those held out.
    pub positions: [usize; 2],
    /// The evaluation, centi-units, that makes the odds of a win e to 1.
    pub scale: f64,
    /// The cross-entropy of results, nats, before and after: in the positions used for the fit, then in those held out.
    pub loss: [[f64; 2]; 2],
}

impl FittedParameters {
    /// Returns the names of the weights that are beyond the range of the game's option.
    pub(crate) fn clipped(&self) -> Vec<&'static str> {
        let fitted = self.names.iter().zip(&self.parameters);
        fitted
            .filter(|(_, own)| f64::from(weights::rounded(**own)) != own.round())
            .map(|((name, _), _)| *name)
            .collect()
    }

    /// Formats the weights that have names for the game's option: rounded, and within its range.
    pub(crate) fn text(&self) -> String {
        let fitted = self.names.iter().zip(&self.parameters);
        weights::write(&fitted.map(|(&(name, _), &own)| (name, weights::rounded(own))).collect::<Vec<_>>())
    }
}

/// Positions whose evaluations are sums, in flat lists.
#[derive(Debug, Default)]
struct Sums {
    counts: Vec<(u32, i16)>,
    /// The shares of the stages, the same number for each position.
    stages: Vec<f32>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    /// The end of its counts.
    end: usize,
    constant: f32,
    recorded: Recorded,
}

impl Sums {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn position(&self, index: usize, stages: usize) -> (&[(u32, i16)], &[f32]) {
        let start = index.checked_sub(1).map_or(0, |before| self.rows[before].end);
        (&self.counts[start..self.rows[index].end], &self.stages[index * stages..][..stages])
    }

    fn value(&self, index: usize, stages: usize, parameters: &[f64]) -> f64 {
        let (counts, shares) = self.position(index, stages);
        let mut value = f64::from(self.rows[index].constant);
        for &(at, count) in counts {
            let own = &parameters[(at as usize) * stages..][..stages];
            let weight: f64 = own.iter().zip(shares).map(|(own, &share)| own * f64::from(share)).sum();
            value += weight * f64::from(count);
        }
        value
    }

    /// Returns the results, each with the value that these parameters give.
    fn observed(&self, stages: usize, parameters: &[f64]) -> Vec<Observation> {
        let observe = |index: usize| (self.value(index, stages, parameters), self.rows[index].recorded.points().into());
        (0..self.len()).map(observe).collect()
    }
}

/// Fits the parameters of a game's evaluation to the positions of files; `progress` is called with the number of epochs
/// done. If the flag is raised, it returns the parameters so far.
///
/// # Errors
/// [`Error::BadOptions`] for a game whose evaluation is not a sum, and without positions; [`Error::File`],
/// [`Error::BadFile`].
pub fn fit_positions(
    setup: &Setup,
    paths: &[PathBuf],
    plan: &PositionsPlan,
    stop: &StopFlag,
    progress: &mut dyn FnMut(usize),
) -> Result<FittedParameters, Error> {
    let board = setup.board(STARTPOS)?;
    let start = board.parameters();
    if start.is_empty() {
        return Err(Error::BadOptions(format!("the evaluation of {} has no weights to be fitted", setup.row().name)));
    }
    let stages = board.linear().map_or(1, |linear| linear.stages.len());
    let [training, held] = load(setup, paths, plan, stop)?;
    check_parts([training.len(), held.len()])?;
    let scale = curve::scale(&training.observed(stages, &start))?;
    let model = Model { sums: &training, stages, scale, plan };
    let parameters = model.descend(&start, stop, progress);
    let loss_of = |sums: &Sums, own: &[f64]| curve::loss(&sums.observed(stages, own), scale);
    let loss = [&training, &held].map(|sums| [&start, &parameters].map(|own| loss_of(sums, own)));
    Ok(FittedParameters { parameters, names: board.weights(), positions: [training.len(), held.len()], scale, loss })
}

/// Reads the positions to fit, and those held out; only some of them if the flag is raised.
fn load(setup: &Setup, paths: &[PathBuf], plan: &PositionsPlan, stop: &StopFlag) -> Result<[Sums; 2], Error> {
    let mut parts = [Sums::default(), Sums::default()];
    replay(setup, paths, stop, &mut |Labelled { board, recorded, opening }| {
        let Some(linear) = board.linear() else { return };
        let held = usize::from(is_held_out(opening, plan.held_out, plan.seed));
        let sums = &mut parts[held];
        sums.counts.extend(linear.counts);
        sums.stages.extend(linear.stages);
        sums.rows.push(Row { end: sums.counts.len(), constant: linear.constant, recorded });
    })?;
    Ok(parts)
}

struct Model<'a> {
    sums: &'a Sums,
    stages: usize,
    scale: f64,
    plan: &'a PositionsPlan,
}

impl Model<'_> {
    fn descend(&self, start: &[f64], stop: &StopFlag, progress: &mut dyn FnMut(usize)) -> Vec<f64> {
        let mut adam = Adam::new(start.to_vec(), EPSILON);
        let blend = Blend { result: self.plan.blend, lambda: self.plan.lambda };
        let targets = targets(self.sums.rows.iter().map(|row| row.recorded), blend, self.scale as f32);
        let mut order: Vec<_> = (0..self.sums.len()).collect();
        let mut random = Random(self.plan.seed);
        let batches = order.len().div_ceil(BATCH);
        let steps = (self.plan.epochs * batches) as f64;
        let hold = 1.0 / (self.plan.spread * self.plan.spread * order.len() as f64);
        for epoch in 0..self.plan.epochs {
            progress(epoch);
            random.shuffle(&mut order);
            for batch in order.chunks(BATCH) {
                if stop.is_raised() {
                    return adam.parameters;
                }
                let mut gradient = self.gradient(&adam.parameters, batch, &targets);
                for (slope, (at, start)) in gradient.iter_mut().zip(adam.parameters.iter().zip(start)) {
                    *slope += hold * (at - start);
                }
                adam.step(cosine(STEPS, f64::from(adam.steps + 1) / steps), &gradient);
            }
        }
        adam.parameters
    }

    /// Returns the gradient of the mean loss of a batch.
    fn gradient(&self, at: &[f64], batch: &[usize], targets: &[f32]) -> Vec<f64> {
        let mut gradient = vec![0.0; at.len()];
        for &index in batch {
            let found = expected(self.sums.value(index, self.stages, at) / self.scale);
            let miss = (found - f64::from(targets[index])) / (self.scale * batch.len() as f64);
            let (counts, shares) = self.sums.position(index, self.stages);
            for &(at, count) in counts {
                let own = &mut gradient[(at as usize) * self.stages..][..self.stages];
                let slope = miss * f64::from(count);
                own.iter_mut().zip(shares).for_each(|(own, &share)| *own += slope * f64::from(share));
            }
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::core::Side;
    use secateurs::util::random::unit;

    /// Fits positions whose results are drawn from known parameters.
    #[test]
    fn known_parameters_are_found() {
        const TRUE: [f64; 6] = [90.0, 120.0, -30.0, 40.0, 15.0, -25.0];
        let mut random = Random(9);
        let mut sums = Sums::default();
        for _ in 0..60_000 {
            let mut counts: Vec<_> = (0..3).map(|at| (at, random.below(9) as i16 - 4)).collect();
            counts.retain(|&(_, count)| count != 0);
            sums.counts.append(&mut counts);
            let phase = unit(random.draw()) as f32;
            sums.stages.extend([phase, 1.0 - phase]);
            let recorded = Recorded { game: 0, turn: Side::First, result: 0, score: 0 };
            sums.rows.push(Row { end: sums.counts.len(), constant: 0.0, recorded });
            let index = sums.len() - 1;
            let value = sums.value(index, 2, &TRUE);
            let won = unit(random.draw()) < expected(value / 200.0);
            let recorded = &mut sums.rows[index].recorded;
            (recorded.result, recorded.score) = (2 * u8::from(won), value.round() as i16);
        }
        for (blend, within) in [(1.0, 6.0), (0.0, 0.5)] {
            let plan = PositionsPlan { blend, lambda: 0.0, epochs: 200, spread: 1_000.0, held_out: 0.0, seed: 1 };
            let model = Model { sums: &sums, stages: 2, scale: 200.0, plan: &plan };
            let found = model.descend(&[0.0; 6], &StopFlag::new(), &mut |_| {});
            for (found, known) in found.iter().zip(TRUE) {
                assert!((found - known).abs() < within, "{found} of {known}");
            }
            let loss = |parameters: &[f64]| curve::loss(&sums.observed(2, parameters), 200.0);
            assert!(loss(&found) < loss(&[0.0; 6]));
        }
        assert!((curve::scale(&sums.observed(2, &TRUE)).unwrap() - 200.0).abs() < 10.0);
    }
}
