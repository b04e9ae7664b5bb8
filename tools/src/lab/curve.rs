//! The logistic curve of the expected result of a score (Österlund 2014, *Texel's tuning method*). A score of a *scale*,
//! centi-units, makes the odds of a win e to 1.

use secateurs::core::Error;
use secateurs::core::score::UNIT;

/// The maximum number of steps: Newton's method needs about five.
const STEPS: usize = 50;

/// The slope of the curve, for a unit of the score, with which the search for the best one begins.
const START: f64 = 0.1;

/// The least slope. All draws have none.
const LEAST_SLOPE: f64 = 1e-6;

/// A score, centi-units, and the points of the result, from 0 to 1, both for the side to move.
pub(crate) type Observation = (f64, f64);

/// Returns the expected result of a score, in scales.
pub(crate) fn expected(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// Returns the scale with which scores fit results best.
///
/// # Errors
/// [`Error::BadOptions`] if a better score is no better result.
pub(crate) fn scale(observed: &[Observation]) -> Result<f64, Error> {
    let unit = f64::from(UNIT);
    let mut slope = START;
    for _ in 0..STEPS {
        let (mut gradient, mut information) = (0.0, 0.0);
        for &(score, result) in observed {
            let (score, expected) = (score / unit, expected(slope * score / unit));
            gradient += (result - expected) * score;
            information += expected * (1.0 - expected) * score * score;
        }
        let step = if information > 0.0 { gradient / information } else { 0.0 };
        slope += step;
        if step.abs() <= 1e-9 * (1.0 + slope.abs()) {
            break;
        }
    }
    let unfit = "in these games better scores have no better results: there are too few of them, or all are drawn";
    if slope > LEAST_SLOPE { Ok(unit / slope) } else { Err(Error::BadOptions(unfit.into())) }
}

/// Returns the mean cross-entropy of results, nats.
pub(crate) fn loss(observed: &[Observation], scale: f64) -> f64 {
    let each = observed.iter().map(|&(score, result)| {
        // The logarithm of 1 + e^x, without overflow.
        let x = score / scale;
        x.max(0.0) + (-x.abs()).exp().ln_1p() - result * x
    });
    each.sum::<f64>() / observed.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::util::random::{Random, unit};

    #[test]
    fn results_give_the_scale_back() {
        let mut random = Random(7);
        let mut draw = || {
            let score = f64::from(random.below(601) as u32) - 300.0;
            (score, f64::from(u8::from(unit(random.draw()) < expected(score / 150.0))))
        };
        let observed: Vec<_> = (0..100_000).map(|_| draw()).collect();
        let found = scale(&observed).unwrap();
        assert!((found - 150.0).abs() < 5.0, "{found}");
        assert!([found - 9.0, found + 9.0].iter().all(|&other| loss(&observed, found) < loss(&observed, other)));
        assert!((loss(&[(0.0, 1.0), (0.0, 0.5)], 1.0) - 2.0_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn results_that_do_not_follow_scores_have_no_scale() {
        for observed in [&[(50.0, 0.5), (-90.0, 0.5)][..], &[(50.0, 0.0), (-50.0, 1.0), (10.0, 1.0)]] {
            assert!(scale(observed).is_err(), "{observed:?}");
        }
    }
}
