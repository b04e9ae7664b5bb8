//! The sequential probability ratio test: a match is played until it has shown whether one player is better.
//!
//! This is Wald's test (1945, "Sequential tests of statistical hypotheses") in its generalized form: the frequencies of
//! the scores are unknown, so each hypothesis is represented by the maximum-likelihood distribution that it allows. The
//! Elo difference is a constraint on that distribution (Van den Bergh, "Comments on the generalized sequential
//! probability ratio test"; for normalized Elo, "Comments on normalized Elo", section 4.1).

use super::multinomial::{moments, multiplier, scores, tilted};
use super::sample::Sample;
use super::statistics::{Counts, ELO_PER_DEVIATION, expected_score};
use secateurs::core::Error;
use secateurs::core::error::Quoted;
use std::fmt;

/// The default number of rounds of a match with a test, which usually ends earlier.
pub const DEFAULT_ROUNDS: usize = 20_000;

/// The count that replaces an empty class, so that no result is impossible, as in fishtest.
const UNSEEN: f64 = 1e-3;

/// The largest difference that can be tested, in Elo either way.
const MOST_ELO: f64 = 1_000.0;

/// The Elo model of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// The mean score: logistic Elo.
    Logistic,
    /// The mean score above a half in standard deviations of a game's score: normalized Elo. The length of a test then
    /// depends little on the share of draws.
    #[default]
    Normalized,
}

/// Two hypotheses and the error probabilities of their test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// The status of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Status {
    /// The log-likelihood ratio (natural logarithm): above 0 the second hypothesis is the more likely one.
    pub llr: f64,
    /// The decision.
    pub decision: Decision,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Not decided yet.
    Continue,
    /// The difference is that of the first hypothesis or less.
    AcceptH0,
    /// The difference is that of the second hypothesis or more.
    AcceptH1,
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = if self.model == Model::Normalized { " normalized Elo" } else { "" };
        write!(f, "SPRT [{}, {}]{model}", self.elo0, self.elo1)
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue => "undecided",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

impl Sprt {
    /// Creates a test of the difference `elo0` against `elo1`, in Elo of the model. `alpha` is the probability of
    /// accepting `elo1` if `elo0` is true, `beta` that of accepting `elo0` if `elo1` is true.
    ///
    /// # Errors
    /// Unless `-1000 <= elo0 < elo1 <= 1000`, and `alpha` and `beta` are above 0 and below 0.5.
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

    /// Returns the differences of the hypotheses, `elo0` and `elo1`.
    pub const fn differences(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Returns the log-likelihood ratios at which the test ends: at or below the first with H0, at or above the second
    /// with H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the status for a sample: of pairs if openings are played with both colours, otherwise of games. Repeated
    /// observations count as the [`Sample`] defines.
    pub fn status<const N: usize>(&self, sample: impl Into<Sample<N>>) -> Status {
        let (llr, (lower, upper)) = (self.llr(&sample.into()), self.bounds());
        let decision = match llr {
            _ if llr >= upper => Decision::AcceptH1,
            _ if llr <= lower => Decision::AcceptH0,
            _ => Decision::Continue,
        };
        Status { llr, decision }
    }

    /// Returns the generalized log-likelihood ratio.
    fn llr<const N: usize>(&self, sample: &Sample<N>) -> f64 {
        let counts = sample.weights().map(|count| if count > 0.0 { count } else { UNSEEN });
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

/// Returns the maximum-likelihood distribution with this mean score.
fn with_mean<const N: usize>(observed: &[f64; N], mean: f64) -> [f64; N] {
    let phi = scores().map(|score| score - mean);
    tilted(observed, &phi, multiplier(observed, &phi))
}

/// Returns the maximum-likelihood distribution whose mean score is `lead` standard deviations above a half.
///
/// The deviation is not a linear function of the distribution, but the minimum of linear functions. One of them is
/// tangent to it at a given distribution: that of the previous step, starting with wins and losses alone. Each such
/// constraint takes both signs if the previous one was satisfied.
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

#[cfg(test)]
mod tests {
    use super::super::multinomial::expectation;
    use super::super::simulation::Generator;
    use super::super::statistics::{Games, Pairs};
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    /// The figures of fastchess (app/tests/sprt_test.cpp, commit 74deac2), to its own tolerance of 1 %.
    #[test]
    fn known_ratios() {
        for (elo0, elo1, model, [wins, losses, draws], llr) in [
            (0.0, 2.0, Model::Normalized, [36_433, 36_027, 68_692], 0.92),
            (-1.75, 0.25, Model::Normalized, [10_871, 10_650, 20_431], 2.30),
            (0.0, 10.0, Model::Normalized, [4_250, 0, 0], 120.56),
            (0.5, 2.5, Model::Logistic, [21_404, 21_184, 40_708], -1.57),
            (0.0, 2.0, Model::Logistic, [57_433, 57_030, 106_593], -2.59),
        ] {
            let found = test(elo0, elo1, model).status(Games::new(wins, draws, losses)).llr;
            assert!((found / llr - 1.0).abs() < 0.01, "{found}, not {llr}");
        }
        for (elo0, elo1, model, counts, llr) in [
            (0.0, 2.0, Model::Normalized, [365, 16_618, 36_029 + 200, 16_974, 390], 2.25),
            (-1.75, 0.25, Model::Normalized, [127, 4_883, 10_311 + 401, 5_150, 104], 3.01),
            (0.0, 5.0, Model::Normalized, [0, 0, 0, 0, 5_550], 111.82),
            (0.5, 2.5, Model::Logistic, [223, 9_863, 20_279 + 1_000, 10_037, 246], -3.07),
            (0.0, 2.0, Model::Logistic, [871, 26_175, 55_003 + 980, 26_678, 821], -4.98),
        ] {
            let found = test(elo0, elo1, model).status(Counts(counts)).llr;
            assert!((found / llr - 1.0).abs() < 0.01, "{found}, not {llr}");
        }
    }

    #[test]
    fn the_bounds_decide() {
        let sprt = test(0.0, 5.0, Model::Logistic);
        let (lower, upper) = sprt.bounds();
        assert!((lower + 19.0_f64.ln()).abs() < 1e-12 && (upper - 19.0_f64.ln()).abs() < 1e-12);
        let decision = |wins, draws, losses| sprt.status(Games::new(wins, draws, losses)).decision;
        assert_eq!(decision(0, 0, 0), Decision::Continue);
        assert_eq!(decision(1_000, 2_000, 800), Decision::AcceptH1);
        assert_eq!(decision(800, 2_000, 1_000), Decision::AcceptH0);
        assert!(sprt.status(Pairs::default()).llr.abs() < 1e-5);
    }

    #[test]
    fn bad_parameters_are_refused() {
        let refusal = |elo0, elo1, alpha, beta| {
            Sprt::new(elo0, elo1, alpha, beta, Model::Normalized).map_err(|error| error.to_string()).unwrap_err()
        };
        assert_eq!(refusal(2.0, 2.0, 0.05, 0.05), "bad value \"2\" for option elo0: a number below elo1");
        assert_eq!(refusal(0.0, 2.0, 0.5, 0.05), "bad value \"0.5\" for option alpha: a number above 0 and below 0.5");
        for (elo0, elo1, alpha, beta, name) in [
            (f64::NAN, 1.0, 0.05, 0.05, "elo0"),
            (0.0, f64::INFINITY, 0.05, 0.05, "elo1"),
            (0.0, 1.0, 0.0, 0.05, "alpha"),
            (0.0, 1.0, 0.05, f64::NAN, "beta"),
            (0.0, 1.0, 0.05, -0.1, "beta"),
        ] {
            assert!(refusal(elo0, elo1, alpha, beta).contains(name));
        }
    }

    /// Every distribution of three classes that meets the constraint, by its share of draws.
    #[test]
    fn no_distribution_under_the_constraint_is_more_likely() {
        let mut generator = Generator::new(1);
        for _ in 0..100 {
            let counts: [f64; 3] = std::array::from_fn(|_| 1.0 + 100.0 * generator.unit());
            let total: f64 = counts.iter().sum();
            let observed = counts.map(|count| count / total);
            let likelihood = |distribution: [f64; 3]| expectation(&observed, &distribution.map(f64::ln));
            let lead = generator.unit() - 0.5;
            let (by_mean, by_lead) = (with_mean(&observed, 0.5 + lead / 2.0), with_lead(&observed, lead));
            for draws in (1..1_000).map(|share| f64::from(share) / 1_000.0) {
                let split = |surplus: f64| [(1.0 - draws - surplus) / 2.0, draws, (1.0 - draws + surplus) / 2.0];
                for (likeliest, other) in
                    [(by_mean, split(lead)), (by_lead, split(lead * ((1.0 - draws) / (1.0 + lead * lead)).sqrt()))]
                {
                    if other.iter().all(|&share| share > 0.0) {
                        assert!(likelihood(likeliest) >= likelihood(other) - 1e-9);
                    }
                }
            }
        }
    }

    #[test]
    fn constraints_are_met_by_any_counts() {
        let mut generator = Generator::new(2);
        for _ in 0..300 {
            let counts: [f64; 5] = std::array::from_fn(|_| match generator.class(&[0.2; 5]) {
                0 => UNSEEN,
                size => (generator.unit() * 30.0_f64.powi(size as i32)).ceil(),
            });
            let total: f64 = counts.iter().sum();
            let observed = counts.map(|count| count / total);
            for lead in [-4.0, -1.0, -0.1, 0.0, 0.01, 0.3, 2.0, 4.0] {
                let (mean, deviation) = moments(&with_lead(&observed, lead));
                assert!(((mean - 0.5) / deviation - lead).abs() < 1e-4, "{counts:?} {lead}");
                let mean = expected_score(250.0 * lead);
                assert!((moments(&with_mean(&observed, mean)).0 - mean).abs() < 1e-4, "{counts:?} {mean}");
            }
        }
    }

    /// Returns the rates of false decisions, for `elo0` and `elo1`, in `matches` matches that are tested after every
    /// `pairs` pairs.
    fn error_rates(sprt: &Sprt, matches: u32, pairs: usize, generator: &mut Generator) -> [f64; 2] {
        let usual = [0.04, 0.19, 0.54, 0.19, 0.04];
        [(sprt.elo0, Decision::AcceptH1), (sprt.elo1, Decision::AcceptH0)].map(|(elo, error)| {
            let truth = match sprt.model {
                Model::Logistic => with_mean(&usual, expected_score(elo)),
                Model::Normalized => with_lead(&usual, elo / ELO_PER_DEVIATION * 2.0_f64.sqrt()),
            };
            let errs = |_: &u32| {
                let mut counts = Pairs::default();
                loop {
                    (0..pairs).for_each(|_| counts.0[generator.class(&truth)] += 1);
                    let decision = sprt.status(counts).decision;
                    if decision != Decision::Continue {
                        return decision == error;
                    }
                }
            };
            (0..matches).filter(errs).count() as f64 / f64::from(matches)
        })
    }

    #[test]
    fn error_rates_hold() {
        for (model, elo1) in [(Model::Logistic, 25.0), (Model::Normalized, 40.0)] {
            let rates = error_rates(&test(0.0, elo1, model), 1_000, 8, &mut Generator::new(3));
            // Three standard deviations of 1,000 matches above 5 %.
            assert!(rates.iter().all(|&rate| rate < 0.071), "{model:?}: {rates:?}");
        }
    }

    #[test]
    #[ignore = "minutes of simulation: cargo test --release --lib -- --ignored --nocapture rare_in_many_matches"]
    fn errors_are_rare_in_many_matches() {
        for (model, elo0, elo1) in [
            (Model::Logistic, 0.0, 15.0),
            (Model::Logistic, -40.0, -20.0),
            (Model::Normalized, 0.0, 30.0),
            (Model::Normalized, 100.0, 150.0),
        ] {
            let rates = error_rates(&test(elo0, elo1, model), 4_000, 1, &mut Generator::new(4));
            println!("{model:?} {elo0} {elo1}: {rates:?}");
            // Three standard deviations of 4,000 matches above 5 %.
            assert!(rates.iter().all(|&rate| rate < 0.0604), "{model:?}: {rates:?}");
        }
    }
}
