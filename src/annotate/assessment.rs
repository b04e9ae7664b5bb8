//! Assessments of moves by the winning chances that they lose, and the accuracy of a player. The formulas and
//! thresholds are those of lichess.org: the page lichess.org/page/accuracy, and for the assessments and the accuracy of
//! a game the files `Advice.scala` and `AccuracyPercent.scala` of its server.

use crate::core::score::{self, Score};
use serde::{Deserialize, Serialize};

/// The slope of the curve of winning chances over centipawns.
const SLOPE: f64 = 0.003_682_08;

/// The winning chances at ten pawns, beyond which the accuracy of a move does not change.
const MOST: f64 = 0.950_9;

/// The losses of winning chances from which a move is assessed.
const LOSSES: [(f64, Assessment); 3] =
    [(0.3, Assessment::Blunder), (0.2, Assessment::Mistake), (0.1, Assessment::Inaccuracy)];

/// The winning chances at 9.99 and at 7 pawns: the assessment of a move that misses or allows a forced win is milder if
/// the other position is won or lost too.
const CLEAR: [(f64, Assessment); 2] = [(0.950_7, Assessment::Inaccuracy), (0.858_8, Assessment::Mistake)];

/// The assessment of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Assessment {
    /// The best move, where the next best would be a mistake, and a search of two plies does not find it.
    Good,
    /// The same, where the next best would be a blunder.
    Only,
    /// A move that loses a tenth of the winning chances, which range from -1 to 1.
    Inaccuracy,
    /// A move that loses a fifth of them.
    Mistake,
    /// A move that loses three tenths of them.
    Blunder,
}

impl Assessment {
    /// All assessments.
    pub const ALL: [Self; 5] = [Self::Good, Self::Only, Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Returns the glyph: `!`, `□`, `?!`, `?` or `??`.
    #[must_use]
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Only => "□",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// Returns the word that begins a comment.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Good => "Good move",
            Self::Only => "Only move",
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }
}

/// A value for the side that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveValue {
    pub(super) score: Score,
    /// The winning chances, from -1 to 1.
    pub(super) chances: f64,
}

impl MoveValue {
    /// Returns a value with the winning chances of its score: 1 for a forced win, those of `wdl` (per mille) where the
    /// game has them, otherwise those of the curve that lichess.org has for chess.
    pub(super) fn new(score: Score, wdl: Option<[u16; 3]>) -> Self {
        let chances = match (score::distance(score), wdl) {
            (Some(_), _) => f64::from(score.signum()),
            (None, Some([win, _, loss])) => (f64::from(win) - f64::from(loss)) / 1000.0,
            (None, None) => 2.0 / (1.0 + (-SLOPE * f64::from(score)).exp()) - 1.0,
        };
        Self { score, chances }
    }

    /// Returns the value one ply before.
    pub(super) fn farther(self) -> Self {
        Self { score: score::from_node(self.score, 1), ..self }
    }

    /// Returns the value for the opponent.
    pub(super) fn reversed(self) -> Self {
        Self { score: -self.score, chances: -self.chances }
    }

    /// Returns the winning chances in percent, from 0 to 100.
    pub(super) fn percent(self) -> f64 {
        50.0 + 50.0 * self.chances
    }
}

/// Returns the assessment of a move with this value where the best move has another; `None` if it loses little.
pub(super) fn assessment(best: MoveValue, played: MoveValue) -> Option<Assessment> {
    let side = |value: MoveValue| score::distance(value.score).map_or(0, |_| value.score.signum());
    let clear =
        |chances: f64| CLEAR.iter().find(|(limit, _)| chances > *limit).map_or(Assessment::Blunder, |row| row.1);
    match (side(best), side(played)) {
        (1, -1) => Some(Assessment::Blunder),
        (1, 0) => Some(clear(played.chances)),
        (0, -1) => Some(clear(-best.chances)),
        (0, 0) => LOSSES.iter().find(|(loss, _)| best.chances - played.chances >= *loss).map(|row| row.1),
        _ => None,
    }
}

/// Returns the accuracy of a move, percent.
pub(super) fn accuracy(best: MoveValue, played: MoveValue) -> f64 {
    let percent = |value: MoveValue| MoveValue { chances: value.chances.clamp(-MOST, MOST), ..value }.percent();
    let loss = percent(best) - percent(played);
    // The server adds one point for the uncertainty of its analysis.
    if loss <= 0.0 { 100.0 } else { (103.1668 * (-0.043_54 * loss).exp() - 3.1669 + 1.0).clamp(0.0, 100.0) }
}

/// Returns the accuracies of both players over a game, percent; `None` for a player without a move. `percents` are the
/// winning chances of the first player before the first move and after each, `moves` the players (0, 1) and the
/// accuracies. It is the mean of two means: one weighted by how much the chances change around the move, and the
/// harmonic one.
pub(super) fn accuracies(percents: &[f64], moves: &[(usize, f64)]) -> [Option<f64>; 2] {
    let width = (moves.len() / 10).clamp(2, 8);
    let windows = percents.windows(width.min(percents.len().max(1)));
    let first = windows.clone().next().into_iter().cycle().take(width - 2);
    let weights: Vec<f64> = first.chain(windows).map(|window| deviation(window).clamp(0.5, 12.0)).collect();
    [0, 1].map(|player| {
        let own = || moves.iter().zip(&weights).filter(|((mover, _), _)| *mover == player).map(|((_, a), w)| (*a, *w));
        let (count, weight) = own().fold((0.0, 0.0), |(count, sum), (_, weight)| (count + 1.0, sum + weight));
        let weighted = own().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weight;
        let harmonic = count / own().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum::<f64>();
        (count > 0.0).then_some(f64::midpoint(weighted, harmonic))
    })
}

/// Returns the standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp(score: Score) -> MoveValue {
        MoveValue::new(score, None)
    }

    #[test]
    fn moves_are_assessed_as_lichess_does() {
        use Assessment::{Blunder, Inaccuracy, Mistake};
        let (mate, mated) = (score::WIN - 5, 6 - score::WIN);
        for (best, played, expected) in [
            (0, -54, None),
            (0, -55, Some(Inaccuracy)),
            (0, -111, Some(Mistake)),
            (0, -169, Some(Blunder)),
            // The same pawns count less where the game is decided.
            (900, 800, None),
            (mate, mate - 8, None),
            (mate, 1_000, Some(Inaccuracy)),
            (mate, 750, Some(Mistake)),
            (mate, 100, Some(Blunder)),
            (mate, mated, Some(Blunder)),
            (-1_000, mated, Some(Inaccuracy)),
            (-750, mated, Some(Mistake)),
            (0, mated, Some(Blunder)),
            (mated, mated + 2, None),
            (-50, 20, None),
        ] {
            assert_eq!(assessment(cp(best), cp(played)), expected, "{best} {played}");
        }
        let wdl = |win, loss| MoveValue::new(300, Some([win, 1000 - win - loss, loss]));
        assert_eq!(assessment(wdl(900, 0), wdl(700, 20)), Some(Mistake));
    }

    #[test]
    fn percents_and_accuracies_are_those_of_the_page() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 0.05, "{value} {expected}");
        near(cp(0).percent(), 50.0);
        near(cp(100).percent(), 59.1);
        near(cp(-300).percent(), 24.9);
        assert_eq!(accuracy(cp(50), cp(60)), 100.0);
        // 10 percent of the winning chances: 103.1668 exp(-0.4354) - 3.1669 + 1.
        near(accuracy(MoveValue { score: 0, chances: 0.2 }, MoveValue { score: 0, chances: 0.0 }), 64.6);
        assert_eq!(accuracy(cp(1_000), cp(3_000)), accuracy(cp(3_000), cp(1_000)));
    }

    #[test]
    fn the_accuracy_of_a_game_is_the_mean_of_two_means() {
        let [white, black] = accuracies(&[50.0; 5], &[(0, 100.0), (1, 80.0), (0, 100.0), (1, 40.0)]);
        assert_eq!(white, Some(100.0));
        // Equal weights: (60 + 2 / (1 / 80 + 1 / 40)) / 2.
        assert!((black.unwrap() - f64::midpoint(60.0, 53.333_333)).abs() < 1e-6);
        assert_eq!(accuracies(&[50.0], &[]), [None, None]);
        // The second move changes the chances most and counts most.
        let [white, _] = accuracies(&[50.0, 50.0, 20.0, 20.0], &[(0, 100.0), (0, 50.0), (0, 100.0)]);
        assert!(white.unwrap() < f64::midpoint(83.3, 75.0));
    }
}
