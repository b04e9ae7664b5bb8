//! Estimates of the difference between two players, with intervals, from a sample of results.

use super::multinomial::{expectation, frontier, moments, multiplier, scores};
use super::statistics::{Counts, ELO_PER_DEVIATION, Estimate, Tally, Z95, elo};

/// Counts, and the number of independent observations among them.
///
/// Between deterministic engines a repeated opening repeats its games, which are no new evidence. The shares of the
/// scores are then those of all observations; the width of an interval is that of the independent ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample<const N: usize> {
    counts: Counts<N>,
    size: u64,
}

impl<const N: usize> From<Counts<N>> for Sample<N> {
    /// Counts all observations as independent.
    fn from(counts: Counts<N>) -> Self {
        Self { counts, size: counts.total() }
    }
}

/// All figures are `None` for empty counts.
impl<const N: usize> Sample<N> {
    /// Creates a sample with this number of independent observations, clamped to at least one and at most all.
    pub(crate) fn new(counts: Counts<N>, independent: u64) -> Self {
        let total = counts.total();
        Self { counts, size: independent.clamp(total.min(1), total) }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns the counts of all observations, scaled to the number of independent ones.
    pub(super) fn weights(&self) -> [f64; N] {
        let scale = self.size as f64 / self.counts.total().max(1) as f64;
        self.counts.0.map(|count| count as f64 * scale)
    }

    /// Returns the (logistic) Elo difference with its 95 % interval.
    pub fn elo(&self) -> Option<Estimate> {
        let value = self.counts.score()?;
        let [low, high] = self.interval()?.map(|(score, _)| elo(score));
        Some(Estimate { value: elo(value), low, high })
    }

    /// Returns the normalized Elo difference with its 95 % interval: the mean score above a half in standard deviations
    /// of a game's score, times `ELO_PER_DEVIATION`. It determines the number of games needed to show the difference,
    /// and depends little on openings and time controls that cause more draws. For pairs, the deviation of a game is
    /// that of a pair's mean times the square root of two. The deviation at an end of the interval is that of the
    /// maximum-likelihood distribution there.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let normalized = |(score, deviation): (f64, f64)| {
            // Draws only: the difference is 0 although the deviation is 0.
            let above = if score == 0.5 { 0.0 } else { (score - 0.5) / deviation };
            above / Counts::<N>::games_each().sqrt() * ELO_PER_DEVIATION
        };
        let value = normalized(moments(&self.counts.distribution()?));
        let [low, high] = self.interval()?.map(normalized);
        // The value is infinite if all pairs have the same result; the ends need not be.
        Some(Estimate { value, low: low.min(value), high: high.max(value) })
    }

    /// Returns the likelihood of superiority, 0 to 1: the probability that a player of equal strength would have scored
    /// less.
    pub fn superiority(&self) -> Option<f64> {
        let observed = self.counts.distribution()?;
        let above = scores().map(|score| score - 0.5);
        let lead = expectation(&observed, &above);
        let chi_square = self.size as f64 * multiplier(&observed, &above) * lead;
        Some(normal(chi_square.max(0.0).sqrt().copysign(lead)))
    }

    /// Returns the ends of the 95 % interval of the mean score, each with the standard deviation of the
    /// maximum-likelihood distribution there.
    pub(super) fn interval(&self) -> Option<[(f64, f64); 2]> {
        let (observed, reversed) = (self.counts.distribution()?, self.counts.reversed().distribution()?);
        let quantile = Z95.powi(2) / self.size as f64;
        let (below, above) = (reach(&observed, quantile), reach(&reversed, quantile));
        let (mean, _) = moments(&observed);
        Some([(mean - below, below / quantile.sqrt()), (mean + above, above / quantile.sqrt())])
    }
}

impl Tally {
    /// Returns the games as a sample in which repeats are not independent.
    pub fn game_sample(&self) -> Sample<3> {
        Sample::new(self.games, self.games.total().saturating_sub(self.repeats.games))
    }

    /// Returns the pairs as a sample in which repeats are not independent.
    pub fn pair_sample(&self) -> Sample<5> {
        Sample::new(self.pairs, self.pairs.total().saturating_sub(self.repeats.pairs))
    }
}

/// Returns the distance from the mean of a sample to the lower end of the interval; `quantile` is that of chi-square
/// over the sample's size.
///
/// If the mean is `m - d` and the multiplier of the maximum-likelihood distribution is `x`, that distribution has the
/// variance `d / x`, and chi-square over the sample's size is `x * d`. At the end of the interval this equals the
/// quantile `q`: `x` is `q / d`, and the shares of the classes, each divided by `1 + x * (score - m + d)`, sum to 1.
/// The sum is convex in `1 / d` and below 1 as that approaches 0, so at most one such `d` exists. If none exists, the
/// interval ends where the class of no points, which was never observed, enters the distribution.
fn reach<const N: usize>(observed: &[f64; N], quantile: f64) -> f64 {
    let (mean, _) = moments(observed);
    frontier(mean * quantile / (1.0 + quantile), mean, |distance| {
        let divisor = scores::<N>().map(|score| 1.0 + quantile + quantile * (score - mean) / distance);
        observed.iter().zip(divisor).map(|(share, divisor)| share / divisor).sum::<f64>() > 1.0
    })
}

/// Returns the distribution function of the normal distribution, by its Taylor series over its density (Marsaglia 2004,
/// "Evaluating the normal distribution", Journal of Statistical Software 11(4)).
pub(super) fn normal(z: f64) -> f64 {
    if z.abs() > 8.0 {
        return f64::from(z > 0.0);
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    (0.5 + sum * (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::statistics::{Games, Pairs};
    use super::*;

    /// A sample that repeats the same two pairs has the size 2.
    #[test]
    fn repeated_pairs_do_not_narrow_the_interval() {
        let two = Sample::from(Counts([0, 0, 1, 0, 1]));
        let repeated = Sample::new(Counts([0, 0, 25, 0, 25]), 2);
        assert_eq!((two.size(), repeated.size()), (2, 2));
        assert_eq!((two.elo(), two.normalized_elo()), (repeated.elo(), repeated.normalized_elo()));
        assert_eq!(two.superiority(), repeated.superiority());
        let naive = Sample::from(Counts([0, 0, 25, 0, 25])).elo().unwrap();
        let honest = repeated.elo().unwrap();
        assert!((naive.value - 190.85).abs() < 0.01 && naive.low > 100.0, "{naive:?}");
        assert!(honest.value == naive.value && honest.low < 0.0, "{honest:?}");
    }

    #[test]
    fn the_number_of_independent_observations_is_possible() {
        assert_eq!(Sample::new(Games::new(1, 2, 3), 99).size(), 6);
        assert_eq!(Sample::new(Games::new(1, 2, 3), 0).size(), 1);
        assert_eq!(Sample::new(Pairs::default(), 4).size(), 0);
        assert_eq!(Sample::from(Pairs::default()).elo(), None);
        assert_eq!(Sample::new(Games::new(10, 0, 10), 5).weights(), [2.5, 0.0, 2.5]);
    }
}
