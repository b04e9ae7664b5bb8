//! The sequential probability ratio test: a match is played until it has shown that one player is better, or is not.
//!
//! Wald's test (1945, "Sequential tests of statistical hypotheses") in its generalised form: how often which score occurs
//! is unknown, so each hypothesis is represented by the most likely distribution that it allows. The Elo difference is a
//! constraint on that distribution (Van den Bergh, "Comments on the generalized sequential probability ratio
//! test"; for normalized Elo, "Comments on normalized Elo", section 4.1).

use super::multinomial::{moments, multiplier, scores, tilted};
use super::statistics::{Counts, ELO_PER_DEVIATION, expected_score};
use crate::core::Error;
use crate::core::error::Quoted;

/// The count of a class in which nothing was counted: no result is taken to be impossible. As in fishtest.
const UNSEEN: f64 = 1e-3;

/// The largest difference that can be tested, Elo either way.
const MOST_ELO: f64 = 1_000.0;

/// What the Elo of the hypotheses is a measure of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// The mean score: logistic Elo.
    Logistic,
    /// The mean score above a half in standard deviations of a game's score: normalized Elo. How long a test takes then depends
    /// little on how many games are drawn.
    #[default]
    Normalized,
}

/// Two hypotheses, and how often each may be rejected where it is true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// What a test says so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Status {
    /// The log-likelihood ratio, natural logarithm: above 0 the second hypothesis is the more likely one.
    pub llr: f64,
    /// What follows from it.
    pub decision: Decision,
}

/// What follows from a log-likelihood ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is not yet known.
    Continue,
    /// The difference is that of the first hypothesis, or less.
    AcceptH0,
    /// The difference is that of the second hypothesis, or more.
    AcceptH1,
}

impl Sprt {
    /// A test of the difference `elo0` against `elo1`, in Elo of the model. `alpha` is the probability of accepting `elo1`
    /// where `elo0` is true, `beta` that of accepting `elo0` where `elo1` is true.
    ///
    /// # Errors
    /// Where not `-1000 <= elo0 < elo1 <= 1000`, or where `alpha` or `beta` is not above 0 and below 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, Error> {
        let check = |name: &str, value: f64, fits: bool, expected: &str| {
            let error = || Error::BadValue {
                name: name.into(),
                value: Quoted::new(&value.to_string()),
                expected: expected.into(),
            };
            fits.then_some(()).ok_or_else(error)
        };
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            check(name, value, value.abs() <= MOST_ELO, "a number from -1000 to 1000")?;
        }
        check("elo0", elo0, elo0 < elo1, "a number below elo1")?;
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            check(name, value, value > 0.0 && value < 0.5, "a number above 0 and below 0.5")?;
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The differences that it tells apart, `elo0` and `elo1`.
    #[must_use]
    pub const fn differences(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratios at which the test ends: at or below the first with H0, at or above the second with H1.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the counts say: of pairs where openings are played from both sides, otherwise of games.
    #[must_use]
    pub fn status<const N: usize>(&self, counts: &Counts<N>) -> Status {
        let (llr, (lower, upper)) = (self.llr(counts), self.bounds());
        let decision = match llr {
            _ if llr >= upper => Decision::AcceptH1,
            _ if llr <= lower => Decision::AcceptH0,
            _ => Decision::Continue,
        };
        Status { llr, decision }
    }

    /// The generalised log-likelihood ratio.
    fn llr<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        let counts = counts.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => with_mean(&observed, expected_score(elo)),
            Model::Normalized => with_lead(&observed, elo / ELO_PER_DEVIATION * Counts::<N>::games_each().sqrt()),
        };
        let (first, second) = (likeliest(self.elo0), likeliest(self.elo1));
        counts.iter().zip(first.iter().zip(second)).map(|(count, (first, second))| count * (second / first).ln()).sum()
    }
}

/// The most likely distribution with that mean score.
fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    let phi = scores().map(|score| score - mean);
    tilted(observed, &phi, multiplier(observed, &phi))
}

/// The most likely distribution whose mean score is `lead` standard deviations above a half.
///
/// The deviation is no linear function of the distribution, but the least of linear ones, of which one touches it where the
/// distribution is known: that of the last step, beginning with wins and losses alone. Each such constraint takes both
/// signs, as long as the one before was met.
fn with_lead<const N: usize>(observed: &[f64; N], lead: f64) -> [f64; N] {
    let wins = 0.5 + 0.5 * lead / lead.hypot(1.0);
    let (mut mean, mut deviation) = (wins, (wins * (1.0 - wins)).sqrt());
    let mut likeliest = *observed;
    for _ in 0..100 {
        let phi =
            scores().map(|score| score - 0.5 - 0.5 * lead * deviation * (1.0 + ((score - mean) / deviation).powi(2)));
        likeliest = tilted(observed, &phi, multiplier(observed, &phi));
        let last = (mean, deviation);
        (mean, deviation) = moments(&likeliest);
        if (mean - last.0).abs().max((deviation - last.1).abs()) < 1e-12 {
            break;
        }
    }
    likeliest
}
