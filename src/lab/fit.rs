//! Weights that tell best what became of positions.
//!
//! Margins and scores are fitted by least squares, results by the likelihood of a logistic curve (Österlund 2014, *Texel's
//! tuning method*). Either is convex in the weights, and Newton's steps go to its one minimum.
//!
//! The positions of a game have their end in common. So the errors of the weights are estimated from the sums over
//! groups of games, not over positions (Liang and Zeger 1986, the "sandwich").

use super::matrix::{self, Matrix, add_outer, dot, times};
use super::samples::{Sample, Target};
use crate::core::score::UNIT;
use std::collections::BTreeMap;

/// Steps at most: Newton's method needs five or so.
const STEPS: usize = 50;

/// A part of its information that holds each parameter where it was: it decides only where the games say nothing.
const HOLD: f64 = 1e-9;

/// Of a feature's information, the part that the other features do not have as well; with less it is not known.
const OWN: f64 = 1e-6;

/// What was fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The weights, centi-units.
    pub weights: Vec<f64>,
    /// Their standard errors; none where the samples do not tell the weight: it stays as it was.
    pub errors: Vec<Option<f64>>,
    /// The evaluation, centi-units, that makes the odds of a win e to 1; for results only.
    pub scale: Option<f64>,
}

/// A regression: what each sample is made of, and how it is judged.
struct Model<'a> {
    samples: &'a [Sample],
    logistic: bool,
    /// Whether what is banked has a parameter of its own, the first: only then do results tell the scale.
    banked: bool,
    /// A factor of the features: evaluations are turned into the argument of the curve.
    factor: f64,
}

/// Fits weights to samples, from the weights as they are.
#[must_use]
pub fn fit(samples: &[Sample], now: &[f64], target: Target) -> Fit {
    if target != Target::Result {
        let model = Model { samples, logistic: false, banked: false, factor: 1.0 };
        let (weights, covariance, known) = model.climb(now);
        let errors = (0..now.len()).map(|index| known[index].then(|| covariance[index][index].sqrt())).collect();
        return Fit { weights, errors, scale: None };
    }
    let scale = scale(samples, now);
    if samples.iter().all(|sample| sample.banked == 0.0) {
        // Nothing has a known worth: the weights keep the scale that they have.
        let model = Model { samples, logistic: true, banked: false, factor: 1.0 / scale };
        let (weights, covariance, known) = model.climb(now);
        let errors = (0..now.len()).map(|index| known[index].then(|| covariance[index][index].sqrt())).collect();
        return Fit { weights, errors, scale: Some(scale) };
    }
    let model = Model { samples, logistic: true, banked: true, factor: 1.0 / scale };
    let start: Vec<_> = std::iter::once(1.0).chain(now.iter().copied()).collect();
    let (found, covariance, known) = model.climb(&start);
    let unit = found[0];
    let weights: Vec<_> = found[1..].iter().map(|value| value / unit).collect();
    let error = |index: usize| {
        // The delta method for a quotient.
        let (weight, at) = (weights[index], index + 1);
        let variance =
            covariance[at][at] - 2.0 * weight * covariance[at][0] + weight * weight * covariance[0][0];
        known[at].then(|| variance.max(0.0).sqrt() / unit)
    };
    let errors = (0..weights.len()).map(error).collect();
    Fit { weights, errors, scale: Some(scale / unit) }
}

/// The scale with which the evaluation tells results best, centi-units.
#[must_use]
pub fn scale(samples: &[Sample], weights: &[f64]) -> f64 {
    let judged: Vec<_> = samples
        .iter()
        .map(|sample| {
            let evaluation = sample.banked + dot(&sample.features, weights);
            Sample { banked: 0.0, features: vec![evaluation / f64::from(UNIT)], ..*sample }
        })
        .collect();
    let model = Model { samples: &judged, logistic: true, banked: false, factor: 1.0 };
    let (slope, ..) = model.climb(&[0.1]);
    f64::from(UNIT) / slope[0].max(1e-6)
}

/// How badly weights tell the targets: the root mean square in units, or the cross-entropy in nats.
#[must_use]
pub fn loss(samples: &[Sample], weights: &[f64], scale: Option<f64>) -> f64 {
    let each = samples.iter().map(|sample| {
        let evaluation = sample.banked + dot(&sample.features, weights);
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

impl Model<'_> {
    /// What a parameter is multiplied with, and what is added to it all.
    fn row(&self, sample: &Sample, row: &mut Vec<f64>) -> f64 {
        row.clear();
        row.extend(self.banked.then_some(sample.banked).iter().chain(&sample.features).map(|x| x * self.factor));
        if self.banked { 0.0 } else { sample.banked * self.factor }
    }

    /// The parameters at the top, their covariance, and which of them are known.
    fn climb(&self, start: &[f64]) -> (Vec<f64>, Matrix, Vec<bool>) {
        let mut at = start.to_vec();
        let (mut held, mut inverse, mut information) = (0.0, matrix::zero(at.len()), matrix::zero(at.len()));
        let mut groups = BTreeMap::new();
        for step in 0..STEPS {
            (groups, information) = self.slope(&at);
            if step == 0 {
                held = HOLD * information.iter().enumerate().map(|(i, row)| row[i]).fold(0.0, f64::max) + f64::MIN_POSITIVE;
            }
            let mut firm = information.clone();
            firm.iter_mut().enumerate().for_each(|(index, row)| row[index] += held);
            let Some(found) = matrix::inverse(&firm) else { break };
            inverse = found;
            let mut gradient: Vec<f64> = start.iter().zip(&at).map(|(start, at)| held * (start - at)).collect();
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
        let known = (0..at.len()).map(|index| information[index][index] * inverse[index][index] < 1.0 / OWN);
        let known = known.enumerate().map(|(index, known)| known && information[index][index] > held / HOLD * OWN.powi(2));
        let known = known.collect();
        (at, covariance.collect(), known)
    }

    /// The gradient of the likelihood by groups, and its information.
    fn slope(&self, at: &[f64]) -> (BTreeMap<usize, Vec<f64>>, Matrix) {
        let (mut groups, mut information) = (BTreeMap::new(), matrix::zero(at.len()));
        let mut row = Vec::new();
        for sample in self.samples {
            let mut told = self.row(sample, &mut row) + dot(&row, at);
            let mut weight = 1.0;
            if self.logistic {
                told = 1.0 / (1.0 + (-told).exp());
                weight = told * (1.0 - told);
            }
            add_outer(&mut information, &row, weight);
            let group = groups.entry(sample.group).or_insert_with(|| vec![0.0; at.len()]);
            group.iter_mut().zip(&row).for_each(|(sum, part)| *sum += (sample.target - told) * part);
        }
        (groups, information)
    }
}
