//! [`Pace`]: the share of the planned time that a search on a clock uses, by the results of its iterations.

use crate::core::Score;

/// The factor of the planned time, by the number of iterations in a row that have kept the best move.
const STABLE: [f64; 5] = [1.6, 1.25, 1.05, 0.9, 0.8];

/// The share of the nodes below the best move that leaves the planned time unchanged; a larger share shortens it.
const USUAL_SHARE: f64 = 0.6;

/// The drop of the score, centi-units, that adds half of the planned time; a larger drop adds no more.
const DROP: f64 = 60.0;

/// The results of the iterations so far that matter for the clock.
#[derive(Debug, Default)]
pub(super) struct Pace {
    best: Option<u16>,
    score: Score,
    /// The number of iterations in a row that have not changed the best move.
    stable: usize,
    factor: Option<f64>,
}

impl Pace {
    /// Adds the result of an iteration: best move, score, and the share of all nodes so far below that move.
    pub(super) fn update(&mut self, best: u16, score: Score, share: f64) {
        let known = self.best.replace(best);
        self.stable = if known == Some(best) { (self.stable + 1).min(STABLE.len() - 1) } else { 0 };
        let drop = if known.is_some() { f64::from(self.score.saturating_sub(score)) / DROP } else { 0.0 };
        self.score = score;
        let by_share = 1.0 + 1.2 * (USUAL_SHARE - share);
        self.factor = Some(STABLE[self.stable] * by_share * (1.0 + drop.clamp(0.0, 1.0) / 2.0));
    }

    /// Returns the factor of the planned time; 1 before the first iteration.
    pub(super) fn factor(&self) -> f64 {
        self.factor.unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_easy_move_takes_less_time_than_a_hard_one() {
        let pace = |results: &[(u16, Score, f64)]| {
            let mut pace = Pace::default();
            results.iter().for_each(|&(best, score, share)| pace.update(best, score, share));
            pace.factor()
        };
        let easy = pace(&[(1, 10, 0.95); 8]);
        let changing = pace(&[(1, 10, 0.5), (2, 12, 0.4), (1, 11, 0.4)]);
        let dropping = pace(&[(1, 10, 0.6), (1, 8, 0.6), (1, 6, 0.6), (1, -60, 0.6)]);
        assert!(easy < 0.6 && changing > 1.5, "{easy} {changing}");
        assert!(dropping > pace(&[(1, 10, 0.6); 4]), "{dropping}");
        assert!((Pace::default().factor() - 1.0).abs() < f64::EPSILON);
    }
}
