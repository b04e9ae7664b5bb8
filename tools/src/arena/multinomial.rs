//! Distributions of scores over `N` classes, evenly spaced from 0 to 1: 3 for a game, 5 for a pair of games.
//!
//! The maximum-likelihood distribution under a linear constraint (the expectation of some `phi` is 0) is the observed
//! one with each class divided by `1 + x * phi`, for the one multiplier `x` that satisfies the constraint (Owen 1988,
//! "Empirical likelihood ratio confidence intervals for a single functional", Biometrika 75; for engine matches Van den
//! Bergh, "Comments on the generalized sequential probability ratio test").

pub(crate) fn scores<const N: usize>() -> [f64; N] {
    const { assert!(N > 1, "a score needs two classes") };
    std::array::from_fn(|class| class as f64 / (N - 1) as f64)
}

pub(crate) fn expectation<const N: usize>(distribution: &[f64; N], value: &[f64; N]) -> f64 {
    distribution.iter().zip(value).map(|(p, v)| p * v).sum()
}

/// Returns the mean and the standard deviation of the scores.
pub(crate) fn moments<const N: usize>(distribution: &[f64; N]) -> (f64, f64) {
    let scores = scores();
    let mean = expectation(distribution, &scores);
    (mean, expectation(distribution, &scores.map(|score| (score - mean).powi(2))).sqrt())
}

/// Returns the multiplier of the maximum-likelihood distribution in which `phi` has expectation 0; `phi` takes both
/// signs. If that distribution needs a class that was never observed, this is the end of the range of multipliers.
pub(crate) fn multiplier<const N: usize>(observed: &[f64; N], phi: &[f64; N]) -> f64 {
    let (least, most) =
        phi.iter().fold((0.0_f64, 0.0_f64), |(least, most), &value| (least.min(value), most.max(value)));
    // The expectation decreases as the multiplier grows.
    frontier(-1.0 / most, -1.0 / least, |x| expectation(&tilted(observed, phi, x), phi) > 0.0)
}

/// Returns the observed distribution with each class divided by `1 + x * phi`.
pub(crate) fn tilted<const N: usize>(observed: &[f64; N], phi: &[f64; N], x: f64) -> [f64; N] {
    std::array::from_fn(|class| observed[class] / (1.0 + x * phi[class]))
}

/// Finds by bisection the point up to which `holds` is true, given that it is true from `low` on and false near `high`.
pub(crate) fn frontier(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..64 {
        let middle = f64::midpoint(low, high);
        *(if holds(middle) { &mut low } else { &mut high }) = middle;
    }
    low
}
