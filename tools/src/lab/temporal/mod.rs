//! Temporal-difference learning: weights are updated by the differences between the values of successive positions.
//!
//! ```text
//! Samuel 1959     at each position:  the value that the search backs up  -  its own evaluation
//!                 moves the weights along the features of the position.
//!
//! Sutton 1988     at each position t:  d(t) + l d(t+1) + l² d(t+2) + ...   with d(t) = v(t+1) - v(t);
//!                 the last value is the result of the game. l = 0 looks one move ahead, l = 1 only at the end.
//! TD-Leaf         v(t) is backed up by a search from the leaf of its principal variation: the weights are moved
//!                 along the features of that leaf (Baxter, Tridgell and Weaver 1998).
//! TD(l)           the same with the evaluations themselves, and the features of the positions.
//! ```
//!
//! Games that end without a margin end with 1, 0 or -1. There every value v counts as tanh(v / 2s), where s is the
//! scale, and weights move along the slope of that curve too, as in KnightCap (Baxter et al.). Samuel's rule
//! has no curve, because it ignores the end; instead it needs a fixed weight, as Samuel fixed that of the pieces.
//!
//! The step of a weight is normalised by the sum of the squares of its feature in a game: that of this game, or the
//! mean over all games if that is larger (the normalised Widrow-Hoff rule). Its size does not depend on the unit of a
//! feature, and rare features are not overweighted. Weights stay within the [range](MAX_WEIGHT) of the options. They
//! keep moving; the reported weights are their mean, in which later ones count more (Polyak and Juditsky 1992; with the
//! shares of Shamir and Zhang 2013).

pub mod games;

use crate::numbers::{real, share};
use clap::ValueEnum;
use secateurs::core::weights::MAX_WEIGHT;
use serde::{Deserialize, Serialize};

/// The source of the differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// TD-Leaf: the values of the game's positions, and its end
    Leaf,
    /// TD(lambda): the evaluations of the game's positions, and its end
    Td,
    /// Samuel's: the value of each position's search, and its evaluation; the end counts only where a search sees it
    Samuel,
}

/// The value, centi-units, at which the odds of a win are e to 1, in games without margins.
pub(crate) const SCALE: f64 = 200.0;

/// The scale on which values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// The values themselves, for games that end with a margin.
    Margin,
    /// From -1 for a loss to 1 for a win.
    Result,
}

impl Curve {
    /// Maps a value, in centi-units, to the scale.
    pub(crate) fn point(self, value: f64) -> f64 {
        match self {
            Self::Margin => value,
            Self::Result => (value / (2.0 * SCALE)).tanh(),
        }
    }

    /// Returns the slope of the scale at a value.
    fn slope(self, value: f64) -> f64 {
        match self {
            Self::Margin => 1.0,
            Self::Result => (1.0 - self.point(value).powi(2)) / (2.0 * SCALE),
        }
    }
}

/// The parameters of an update, and the arguments for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, clap::Args)]
pub struct Rates {
    /// Rule for the differences to learn from.
    #[arg(long, value_enum, default_value_t = Rule::Leaf)]
    pub rule: Rule,
    /// Learning rate: the share of a difference that each feature corrects per game.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = real("a number above 0, to 1", |share| share > 0.0 && share <= 1.0))]
    pub alpha: f64,
    /// Weight of later differences: 0 looks one move ahead, 1 only at the end of the game.
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = share)]
    pub lambda: f64,
}

/// A position of a game from the first player's view; in centi-units.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The static evaluation.
    pub evaluation: f64,
    /// The search value; infinite for a forced win or loss.
    pub backed_up: f64,
    /// The features.
    pub features: Vec<f64>,
    /// The features of the leaf that has the search value; `None` if the value does not come from an evaluation.
    pub leaf: Option<Vec<f64>>,
}

/// The state of the learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    /// The number of games so far.
    pub games: usize,
    /// The current weights, in centi-units.
    pub weights: Vec<f64>,
    /// The weighted mean of all weights so far.
    pub mean: Vec<f64>,
    /// The squares of each feature, summed over all games.
    squares: Vec<f64>,
}

impl Learner {
    pub(crate) fn new(weights: Vec<f64>) -> Self {
        let squares = vec![0.0; weights.len()];
        Self { games: 0, mean: weights.clone(), weights, squares }
    }

    /// Returns the defect of a state that was read from a file, for this number of weights; `None` if it is valid.
    pub(crate) fn fault(&self, count: usize) -> Option<String> {
        let most = f64::from(MAX_WEIGHT);
        let lists = [("weights", &self.weights, -most..=most), ("mean", &self.mean, -most..=most)];
        lists.into_iter().chain([("squares", &self.squares, 0.0..=f64::MAX)]).find_map(|(name, list, range)| {
            if list.len() != count {
                return Some(format!("{name} has {} numbers, not {count}", list.len()));
            }
            let wrong = list.iter().find(|number| !range.contains(number))?;
            Some(format!("{name} has {wrong:e}, which is not between {:e} and {:e}", range.start(), range.end()))
        })
    }

    /// Learns from a game: `end` is the margin for the first player, in centi-units, or its result, 1, 0 or -1. Weights
    /// that are `fixed` do not change.
    pub(crate) fn learn(&mut self, rates: &Rates, curve: Curve, fixed: &[bool], steps: &[Step], end: f64) {
        // Samuel's differences are those of the values.
        let curve = if rates.rule == Rule::Samuel { Curve::Margin } else { curve };
        let (mut moved, mut squares) = (vec![0.0; self.weights.len()], vec![0.0; self.weights.len()]);
        for (step, difference) in steps.iter().zip(differences(rates, curve, steps, end)) {
            let (along, value) = match rates.rule {
                Rule::Leaf => (step.leaf.as_ref(), step.backed_up),
                Rule::Td | Rule::Samuel => (Some(&step.features), step.evaluation),
            };
            let slope = curve.slope(value);
            for (index, feature) in along.into_iter().flatten().enumerate() {
                moved[index] += difference * slope * feature;
                squares[index] += (slope * feature).powi(2);
            }
        }
        self.games += 1;
        let most = f64::from(MAX_WEIGHT);
        for (index, weight) in self.weights.iter_mut().enumerate() {
            self.squares[index] += squares[index];
            let squares = squares[index].max(self.squares[index] / self.games as f64);
            if squares > 0.0 && !fixed[index] {
                *weight = (*weight + rates.alpha * moved[index] / squares).clamp(-most, most);
            }
        }
        let share = 2.0 / (self.games as f64 + 1.0);
        self.mean.iter_mut().zip(&self.weights).for_each(|(mean, weight)| *mean += share * (weight - *mean));
    }
}

/// Returns the difference that the update at each position corrects.
fn differences(rates: &Rates, curve: Curve, steps: &[Step], end: f64) -> Vec<f64> {
    if rates.rule == Rule::Samuel {
        let difference = |step: &Step| step.backed_up - step.evaluation;
        // No weights can express the distance to a forced win.
        return steps.iter().map(difference).map(|found| if found.is_finite() { found } else { 0.0 }).collect();
    }
    let (mut next, mut sum) = (end, 0.0);
    let backwards = steps.iter().rev().map(|step| {
        let value = curve.point(if rates.rule == Rule::Td { step.evaluation } else { step.backed_up });
        sum = next - value + rates.lambda * sum;
        next = value;
        sum
    });
    let mut differences: Vec<_> = backwards.collect();
    differences.reverse();
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::util::random::{Random, unit};

    const TRUE: [f64; 3] = [30.0, -12.0, 55.0];

    fn dot(features: &[f64], weights: &[f64]) -> f64 {
        features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    }

    /// A game whose positions have values by `TRUE` plus noise; each search sees the next position.
    fn game(random: &mut Random, weights: &[f64]) -> (Vec<Step>, f64) {
        let mut feature = |most: usize| random.below(2 * most + 1) as f64 - most as f64;
        // One feature is forty times as large as another.
        let first = [feature(1), feature(40), feature(3)];
        let mut walk = vec![first.to_vec()];
        for _ in 0..20 {
            // A step to a position of the same value by `TRUE`: 2 * 30 - 5 * 12 = 0.
            let last = &walk[walk.len() - 1];
            let turn = feature(2);
            walk.push(vec![last[0] + 2.0 * turn, last[1] + 5.0 * turn, last[2]]);
        }
        let steps = walk.windows(2).map(|pair| Step {
            evaluation: dot(&pair[0], weights),
            backed_up: dot(&pair[1], weights),
            features: pair[0].clone(),
            leaf: Some(pair[1].clone()),
        });
        let noise = (unit(random.draw()) - 0.5) * 100.0;
        (steps.collect(), dot(&first, &TRUE) + noise)
    }

    #[test]
    fn the_differences_are_those_of_the_definition() {
        let steps: Vec<_> = [10.0, 40.0, 20.0]
            .map(|backed_up| Step { evaluation: 5.0, backed_up, features: vec![1.0], leaf: None })
            .into();
        let of = |rule, lambda| differences(&Rates { rule, alpha: 0.1, lambda }, Curve::Margin, &steps, 60.0);
        assert_eq!(of(Rule::Leaf, 0.0), [30.0, -20.0, 40.0]);
        assert_eq!(of(Rule::Leaf, 1.0), [50.0, 20.0, 40.0], "the end, less the value");
        assert_eq!(of(Rule::Leaf, 0.5), [30.0 - 10.0 + 10.0, -20.0 + 20.0, 40.0]);
        assert_eq!(of(Rule::Samuel, 0.5), [5.0, 35.0, 15.0]);
        assert_eq!(of(Rule::Td, 0.5), [13.75, 27.5, 55.0]);
    }

    #[test]
    fn weights_go_where_they_must_from_anywhere() {
        for start in [[0.0; 3], TRUE.map(|weight| -weight), [200.0; 3]] {
            for lambda in [0.0, 0.7, 1.0] {
                let (mut learner, mut random) = (Learner::new(start.to_vec()), Random(3));
                let rates = Rates { rule: Rule::Leaf, alpha: 0.1, lambda };
                for _ in 0..20_000 {
                    let (steps, end) = game(&mut random, &learner.weights);
                    learner.learn(&rates, Curve::Margin, &[false; 3], &steps, end);
                }
                let near = learner.mean.iter().zip(TRUE).all(|(found, expected)| (found - expected).abs() < 2.0);
                assert!(near, "{start:?} {lambda}: {:?}", learner.mean);
            }
        }
    }

    #[test]
    fn what_is_never_seen_stays() {
        let mut learner = Learner::new(vec![7.0, 0.0]);
        let step = Step { evaluation: 0.0, backed_up: 0.0, features: vec![0.0, 1.0], leaf: Some(vec![0.0, 1.0]) };
        let rates = Rates { rule: Rule::Leaf, alpha: 0.5, lambda: 1.0 };
        let learn = |learner: &mut Learner, steps: &[Step]| {
            learner.learn(&rates, Curve::Margin, &[false; 2], steps, 100.0);
        };
        learn(&mut learner, &[Step { leaf: None, ..step.clone() }]);
        assert_eq!(learner.weights, [7.0, 0.0]);
        learn(&mut learner, &[step]);
        assert_eq!(learner.weights, [7.0, 50.0]);
        learn(&mut learner, &[]);
        assert_eq!((learner.weights, learner.games), (vec![7.0, 50.0], 3));
    }

    /// Games that are won more often the larger two features are, the first fixed: the second gets its weight.
    #[test]
    fn results_determine_the_weights_beside_a_fixed_one() {
        const TRUE: [f64; 2] = [100.0, -40.0];
        for rule in [Rule::Leaf, Rule::Td] {
            let (mut learner, mut random) = (Learner::new(vec![100.0, 0.0]), Random(5));
            let rates = Rates { rule, alpha: 0.02, lambda: 1.0 };
            for _ in 0..40_000 {
                let features = vec![random.below(7) as f64 - 3.0, random.below(7) as f64 - 3.0];
                let chance = f64::midpoint(Curve::Result.point(dot(&features, &TRUE)), 1.0);
                let end = if unit(random.draw()) < chance { 1.0 } else { -1.0 };
                let value = dot(&features, &learner.weights);
                let step = Step { evaluation: value, backed_up: value, leaf: Some(features.clone()), features };
                learner.learn(&rates, Curve::Result, &[true, false], &[step], end);
            }
            assert!((learner.weights[0] - 100.0).abs() < 1e-9);
            assert!((learner.mean[1] - TRUE[1]).abs() < 5.0, "{rule:?} {:?}", learner.mean);
        }
    }

    #[test]
    fn forced_ends_teach_the_results_but_not_samuel() {
        let lost = Step { evaluation: 50.0, backed_up: f64::NEG_INFINITY, features: vec![1.0], leaf: None };
        let of = |rule| {
            differences(&Rates { rule, alpha: 0.1, lambda: 0.0 }, Curve::Result, std::slice::from_ref(&lost), -1.0)
        };
        assert_eq!(of(Rule::Samuel), [0.0]);
        assert_eq!(of(Rule::Leaf), [0.0], "the value is the result");
        assert!(of(Rule::Td)[0] < -1.0);
    }
}
