//! Weights fitted to the targets of positions.
//!
//! Margins and scores are fitted by least squares, results by the likelihood of a logistic curve (Österlund 2014,
//! *Texel's tuning method*). Both are convex in the weights, and Newton's method finds the only minimum.
//!
//! The positions of a game share its end. Therefore the errors of the weights are estimated from sums over groups of
//! games, not over positions (Liang and Zeger 1986, the "sandwich").

use super::matrix::{self, Matrix, add_outer, dot, times};
use super::samples::{Sample, Target};
use secateurs::core::Error;
use secateurs::core::score::UNIT;
use std::collections::BTreeMap;

/// The maximum number of steps: Newton's method needs about five.
const STEPS: usize = 50;

/// The strength of the prior that holds each parameter at its start, as a share of the parameter's information. It
/// matters only if the games do not determine the parameter.
const HOLD: f64 = 1e-9;

/// The minimum share of a feature's information that the other features do not contain; with less, the weight is not
/// determined.
const OWN: f64 = 1e-6;

/// The least slope of a curve of results, for each unit of the evaluation. All draws have none.
const LEAST_SLOPE: f64 = 1e-6;

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The weights, in centi-units.
    pub weights: Vec<f64>,
    /// Their standard errors; `None` for a weight that the samples do not determine, and for all with too few groups.
    pub errors: Vec<Option<f64>>,
    /// The evaluation, in centi-units, that makes the odds of a win e to 1, with the weights before and with the fitted
    /// ones; for results only.
    pub scale: Option<[f64; 2]>,
}

struct Regression<'a> {
    samples: &'a [Sample],
    logistic: bool,
    /// Whether the settled score has its own parameter, the first: only then do results determine the scale.
    has_settled: bool,
    /// The factor that turns evaluations into arguments of the curve.
    factor: f64,
}

/// Fits the weights, beginning with those of `now`.
///
/// # Errors
/// [`Error::BadOptions`] for results that do not depend on the evaluation.
pub(crate) fn fit(samples: &[Sample], now: &[f64], target: Target) -> Result<Fit, Error> {
    let scale = if target == Target::Result { Some(scale(samples, now)?) } else { None };
    let factor = scale.map_or(1.0, |scale| 1.0 / scale);
    let Some(scale) = scale.filter(|_| samples.iter().any(|sample| sample.settled != 0.0)) else {
        // Without settled scores the scale is not determined: it is held fixed.
        let model = Regression { samples, logistic: scale.is_some(), has_settled: false, factor };
        let (weights, covariance, known) = model.climb(now);
        let errors = (0..now.len()).map(|index| known[index].then(|| covariance[index][index].sqrt())).collect();
        return Ok(Fit { weights, errors, scale: scale.map(|scale| [scale; 2]) });
    };
    let model = Regression { samples, logistic: true, has_settled: true, factor };
    let start: Vec<_> = std::iter::once(1.0).chain(now.iter().copied()).collect();
    let (found, covariance, known) = model.climb(&start);
    let unit = slope_of(found[0])?;
    let seen = |index: usize| samples.iter().any(|sample| sample.features[index] != 0.0);
    let weight = |index: usize| if seen(index) { found[index + 1] / unit } else { now[index] };
    let weights: Vec<_> = (0..now.len()).map(weight).collect();
    let error = |index: usize| {
        // The delta method for a quotient.
        let (weight, at) = (weights[index], index + 1);
        let variance = covariance[at][at] - 2.0 * weight * covariance[at][0] + weight * weight * covariance[0][0];
        known[at].then(|| variance.max(0.0).sqrt() / unit)
    };
    let errors = (0..weights.len()).map(error).collect();
    Ok(Fit { weights, errors, scale: Some([scale, scale / unit]) })
}

/// Returns the scale with which the evaluation fits results best, in centi-units.
///
/// # Errors
/// [`Error::BadOptions`] if a better evaluation is no better result.
pub(crate) fn scale(samples: &[Sample], weights: &[f64]) -> Result<f64, Error> {
    let evaluated: Vec<_> = samples
        .iter()
        .map(|sample| {
            let evaluation = sample.settled + dot(&sample.features, weights);
            Sample { settled: 0.0, features: vec![evaluation / f64::from(UNIT)], ..*sample }
        })
        .collect();
    let model = Regression { samples: &evaluated, logistic: true, has_settled: false, factor: 1.0 };
    let (slope, ..) = model.climb(&[0.1]);
    slope_of(slope[0]).map(|slope| f64::from(UNIT) / slope)
}

/// Returns a slope of a curve of results, for each unit of the evaluation, if it is one.
fn slope_of(slope: f64) -> Result<f64, Error> {
    let unfit = "in these games better scores have no better results: there are too few of them, or all are drawn";
    if slope > LEAST_SLOPE { Ok(slope) } else { Err(Error::BadOptions(unfit.into())) }
}

/// Returns the loss of the weights: the root mean square error in units, or the cross-entropy in nats.
pub(crate) fn loss(samples: &[Sample], weights: &[f64], scale: Option<f64>) -> f64 {
    let each = samples.iter().map(|sample| {
        let evaluation = sample.settled + dot(&sample.features, weights);
        match scale {
            None => (sample.target - evaluation).powi(2),
            Some(scale) => {
                // The logarithm of 1 + e^x, without overflow.
                let x = evaluation / scale;
                x.max(0.0) + (-x.abs()).exp().ln_1p() - sample.target * x
            }
        }
    });
    let mean = each.sum::<f64>() / samples.len().max(1) as f64;
    if scale.is_none() { mean.sqrt() / f64::from(UNIT) } else { mean }
}

impl Regression<'_> {
    /// Sets `row` to the factors of the parameters, and returns the constant term.
    fn row(&self, sample: &Sample, row: &mut Vec<f64>) -> f64 {
        row.clear();
        row.extend(self.has_settled.then_some(sample.settled).iter().chain(&sample.features).map(|x| x * self.factor));
        if self.has_settled { 0.0 } else { sample.settled * self.factor }
    }

    /// Returns the parameters at the maximum, their covariance, and which of them are determined.
    fn climb(&self, start: &[f64]) -> (Vec<f64>, Matrix, Vec<bool>) {
        let mut at = start.to_vec();
        let (mut held, mut inverse, mut information) = (Vec::new(), matrix::zero(at.len()), matrix::zero(at.len()));
        let mut groups = BTreeMap::new();
        for step in 0..STEPS {
            (groups, information) = self.slope(&at);
            if step == 0 {
                let diagonal = information.iter().enumerate().map(|(index, row)| row[index]);
                held = diagonal.map(|own| if own > 0.0 { HOLD * own } else { 1.0 }).collect();
            }
            let mut firm = information.clone();
            firm.iter_mut().enumerate().for_each(|(index, row)| row[index] += held[index]);
            let Some(found) = matrix::inverse(&firm) else { break };
            inverse = found;
            let mut gradient: Vec<f64> = (0..at.len()).map(|index| held[index] * (start[index] - at[index])).collect();
            for group in groups.values() {
                gradient.iter_mut().zip(group).for_each(|(sum, part)| *sum += part);
            }
            let along = times(&inverse, &gradient);
            at.iter_mut().zip(&along).for_each(|(at, along)| *at += along);
            if at.iter().zip(&along).all(|(at, along)| along.abs() <= 1e-9 * (1.0 + at.abs())) {
                break;
            }
        }
        let mut spread = matrix::zero(at.len());
        groups.values().for_each(|group: &Vec<f64>| add_outer(&mut spread, group, 1.0));
        let half: Matrix = spread.iter().map(|row| times(&inverse, row)).collect();
        let covariance = (0..at.len()).map(|row| {
            let column: Vec<f64> = half.iter().map(|half| half[row]).collect();
            times(&inverse, &column)
        });
        // No more groups than parameters leave nothing by which they could differ.
        let has_errors = groups.len() > at.len();
        let known = |index: usize| {
            let own = information[index][index];
            has_errors && own > 0.0 && own * inverse[index][index] < 1.0 / OWN
        };
        let known = (0..at.len()).map(known).collect();
        (at, covariance.collect(), known)
    }

    /// Returns the gradient of the likelihood by groups, and the information matrix.
    fn slope(&self, at: &[f64]) -> (BTreeMap<usize, Vec<f64>>, Matrix) {
        let (mut groups, mut information) = (BTreeMap::new(), matrix::zero(at.len()));
        let mut row = Vec::new();
        for sample in self.samples {
            let mut predicted = self.row(sample, &mut row) + dot(&row, at);
            let mut weight = 1.0;
            if self.logistic {
                predicted = 1.0 / (1.0 + (-predicted).exp());
                weight = predicted * (1.0 - predicted);
            }
            add_outer(&mut information, &row, weight);
            let group = groups.entry(sample.group).or_insert_with(|| vec![0.0; at.len()]);
            group.iter_mut().zip(&row).for_each(|(sum, part)| *sum += (sample.target - predicted) * part);
        }
        (groups, information)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUE: [f64; 3] = [30.0, -12.0, 55.0];

    /// Positions of 400 games whose evaluation is `TRUE` plus noise.
    fn samples(target: Target, settled: bool) -> Vec<Sample> {
        let mut state = 5_u64;
        let mut random = move |count: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % count) as f64
        };
        let sample = |index: usize| {
            let features = vec![random(9) - 4.0, random(5), random(3)];
            let settled = if settled { 100.0 * (random(7) - 3.0) } else { 0.0 };
            let evaluation = settled + dot(&features, &TRUE);
            let target = if target == Target::Result {
                f64::from(u8::from(random(10_000) / 10_000.0 < 1.0 / (1.0 + (-evaluation / 150.0).exp())))
            } else {
                evaluation + random(201) - 100.0
            };
            Sample { settled, features, target, group: index / 20 }
        };
        (0..8_000).map(sample).collect()
    }

    fn assert_near(fit: &Fit, most: f64) {
        for ((weight, error), expected) in fit.weights.iter().zip(&fit.errors).zip(TRUE) {
            let error = error.unwrap();
            assert!(error > 0.0 && error < most && (weight - expected).abs() < 4.0 * error, "{fit:?}");
        }
    }

    #[test]
    fn margins_give_the_weights_back() {
        for settled in [false, true] {
            let samples = samples(Target::Margin, settled);
            let fit = fit(&samples, &[0.0; 3], Target::Margin).unwrap();
            assert_near(&fit, 1.5);
            assert!((loss(&samples, &fit.weights, None) - 0.58).abs() < 0.02, "a lot of 2 units from end to end");
            assert!(loss(&samples, &fit.weights, None) < loss(&samples, &[0.0; 3], None));
        }
    }

    #[test]
    fn results_give_weights_and_scale_back() {
        let samples = samples(Target::Result, true);
        let found = fit(&samples, &[10.0, 10.0, 10.0], Target::Result).unwrap();
        assert_near(&found, 8.0);
        let [now, fitted] = found.scale.unwrap();
        assert!((fitted - 150.0).abs() < 10.0, "{found:?}");
        assert_eq!(now, scale(&samples, &[10.0; 3]).unwrap());
        let before = loss(&samples, &[10.0; 3], Some(now));
        assert!(loss(&samples, &found.weights, Some(fitted)) < before);
    }

    #[test]
    fn results_keep_the_scale_where_nothing_is_settled() {
        let samples = samples(Target::Result, false);
        let found = fit(&samples, &TRUE, Target::Result).unwrap();
        assert_near(&found, 8.0);
        let doubled = fit(&samples, &TRUE.map(|weight| 2.0 * weight), Target::Result).unwrap();
        assert!((doubled.weights[0] / found.weights[0] - 2.0).abs() < 1e-3, "{doubled:?}");
    }

    #[test]
    fn of_what_the_games_say_nothing_stays_as_it_was() {
        for target in [Target::Margin, Target::Result] {
            let mut samples = samples(target, true);
            for sample in &mut samples {
                sample.features.extend([0.0, sample.features[0]]);
            }
            let found = fit(&samples, &[10.0, 0.0, 0.0, 7.0, 10.0], target).unwrap();
            let known: Vec<_> = found.errors.iter().map(Option::is_some).collect();
            assert_eq!(known, [false, true, true, false, false], "{target:?}");
            assert!((found.weights[3] - 7.0).abs() < 1e-6, "never seen");
            let together = found.weights[0] + found.weights[4];
            assert!((together - TRUE[0]).abs() < 6.0, "two of a kind share what is theirs: {found:?}");
            assert!((found.weights[0] - found.weights[4]).abs() < 1e-3);
        }
    }

    #[test]
    fn draws_alone_fit_no_evaluation() {
        for settled in [false, true] {
            let mut samples = samples(Target::Result, settled);
            samples.iter_mut().for_each(|sample| sample.target = 0.5);
            for refused in [fit(&samples, &TRUE, Target::Result).map(drop), scale(&samples, &TRUE).map(drop)] {
                assert!(refused.unwrap_err().to_string().contains("or all are drawn"));
            }
        }
    }

    #[test]
    fn few_games_tell_nothing_of_the_errors() {
        for (groups, are_known) in [(1, false), (3, false), (4, true)] {
            let mut samples = samples(Target::Margin, false);
            samples.iter_mut().for_each(|sample| sample.group %= groups);
            let found = fit(&samples, &[0.0; 3], Target::Margin).unwrap();
            assert!(found.errors.iter().all(|error| error.is_some() == are_known), "{groups}: {found:?}");
        }
    }

    #[test]
    fn nothing_to_be_fitted_to_changes_nothing() {
        for target in [Target::Margin, Target::Result] {
            let found = fit(&[], &[5.0, 6.0], target).unwrap();
            assert_eq!((found.weights, found.errors), (vec![5.0, 6.0], vec![None, None]));
        }
    }
}
