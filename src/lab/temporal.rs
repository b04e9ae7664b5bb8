//! Temporal differences: weights that are moved by what later positions say of earlier ones.
//!
//! ```text
//! Samuel 1959     at each position:  the value that the search backs up  -  its own evaluation
//!                 moves the weights along the features of the position.
//!
//! Sutton 1988     at each position t:  d(t) + l d(t+1) + l² d(t+2) + ...   with d(t) = v(t+1) - v(t);
//!                 the last value is what the game ended with. l = 0 looks one move ahead, l = 1 at the end alone.
//! TD-Leaf         v(t) is backed up by a search, and belongs to the leaf of its principal variation: the weights are moved
//!                 along the features of that leaf (Baxter, Tridgell and Weaver 1998).
//! TD(l)           the same with the evaluations themselves, and the features of the positions.
//! ```
//!
//! A step is measured by the squares of each feature in a game, those of this one or the mean of all if that is more (Widrow
//! and Hoff's rule, normalised): its size does not depend on what a feature counts, and what is rare is not overdone. Weights
//! stay within the [range](MAX_WEIGHT) that options take. They never rest; what is told is their mean, later ones counting more (Polyak and
//! Juditsky 1992; with these shares Shamir and Zhang 2013).

use crate::core::weights::MAX_WEIGHT;
use serde::{Deserialize, Serialize};

/// Where the differences come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// TD-Leaf: the values of the game's positions, and its end.
    Leaf,
    /// TD(λ): the evaluations of the game's positions, and its end.
    Td,
    /// Samuel's: of each position, the value of its search and its evaluation. Ends count only as searches see them.
    Samuel,
}

/// How weights are moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Where the differences come from.
    pub rule: Rule,
    /// The size of a step, above 0: of the difference, so much is made good by each feature in a game.
    pub alpha: f64,
    /// How much later differences count, from 0 to 1.
    pub lambda: f64,
}

/// A position of a game, as the first player sees it; centi-units.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its evaluation.
    pub evaluation: f64,
    /// What the search backs up.
    pub backed_up: f64,
    /// Its features.
    pub features: Vec<f64>,
    /// Those of the leaf that has this value; none where the value rests on no evaluation.
    pub leaf: Option<Vec<f64>>,
}

/// What is learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    /// Games so far.
    pub games: usize,
    /// The weights as they are, centi-units.
    pub weights: Vec<f64>,
    /// Their mean.
    pub mean: Vec<f64>,
    /// The squares of each feature, summed over all games.
    squares: Vec<f64>,
}

impl Learner {
    /// Nothing is learnt yet.
    #[must_use]
    pub fn new(weights: Vec<f64>) -> Self {
        let squares = vec![0.0; weights.len()];
        Self { games: 0, mean: weights.clone(), weights, squares }
    }

    /// Learns from a game that ended with this margin for the first player, centi-units.
    pub fn learn(&mut self, rates: &Rates, steps: &[Step], end: f64) {
        let (mut moved, mut squares) = (vec![0.0; self.weights.len()], vec![0.0; self.weights.len()]);
        for (step, difference) in steps.iter().zip(differences(rates, steps, end)) {
            let along = match rates.rule {
                Rule::Leaf => step.leaf.as_ref(),
                Rule::Td | Rule::Samuel => Some(&step.features),
            };
            for (index, feature) in along.into_iter().flatten().enumerate() {
                moved[index] += difference * feature;
                squares[index] += feature * feature;
            }
        }
        self.games += 1;
        let most = f64::from(MAX_WEIGHT);
        for (index, weight) in self.weights.iter_mut().enumerate() {
            self.squares[index] += squares[index];
            let squares = squares[index].max(self.squares[index] / self.games as f64);
            if squares > 0.0 {
                *weight = (*weight + rates.alpha * moved[index] / squares).clamp(-most, most);
            }
        }
        let share = 2.0 / (self.games as f64 + 1.0);
        self.mean.iter_mut().zip(&self.weights).for_each(|(mean, weight)| *mean += share * (weight - *mean));
    }
}

/// The difference that each position is to make good.
fn differences(rates: &Rates, steps: &[Step], end: f64) -> Vec<f64> {
    if rates.rule == Rule::Samuel {
        return steps.iter().map(|step| step.backed_up - step.evaluation).collect();
    }
    let (mut next, mut sum) = (end, 0.0);
    let backwards = steps.iter().rev().map(|step| {
        let value = if rates.rule == Rule::Td { step.evaluation } else { step.backed_up };
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
    use crate::core::random::{Random, unit};

    const TRUE: [f64; 3] = [30.0, -12.0, 55.0];

    fn dot(features: &[f64], weights: &[f64]) -> f64 {
        features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    }

    /// A game whose positions are worth what `TRUE` says, as far as a lot lets them; each search sees the next position.
    fn game(random: &mut Random, weights: &[f64]) -> (Vec<Step>, f64) {
        let mut feature = |most: usize| random.below(2 * most + 1) as f64 - most as f64;
        // One feature is forty times as large as another.
        let first = [feature(1), feature(40), feature(3)];
        let mut walk = vec![first.to_vec()];
        for _ in 0..20 {
            // A step to a position of the same worth: 12 of the second is 30 of the first twice over, and so on.
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
        let of = |rule, lambda| differences(&Rates { rule, alpha: 0.1, lambda }, &steps, 60.0);
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
                    learner.learn(&rates, &steps, end);
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
        learner.learn(&rates, &[Step { leaf: None, ..step.clone() }], 100.0);
        assert_eq!(learner.weights, [7.0, 0.0]);
        learner.learn(&rates, &[step], 100.0);
        assert_eq!(learner.weights, [7.0, 50.0]);
        learner.learn(&rates, &[], 100.0);
        assert_eq!((learner.weights, learner.games), (vec![7.0, 50.0], 3));
    }
}
