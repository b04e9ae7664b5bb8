//! The chances of a win, a draw and a loss by the score: logistic curves.

use super::score::{Score, UNIT};

/// The chance of a win, a logistic function of the lead of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinCurve {
    /// The lead at which half of the games are won; with a smaller one a draw is likely.
    pub even_lead: f64,
    /// The scale of the curve, in the unit of the lead.
    pub scale: f64,
}

impl WinCurve {
    pub(crate) fn chances(&self, lead: f64) -> [f64; 2] {
        [lead, -lead].map(|lead| 1.0 / (1.0 + ((self.even_lead - lead) / self.scale).exp()))
    }
}

/// The curves of a game that change with what is in play: the even lead and the scale, each with nothing in play, and
/// what all of it adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinModel {
    /// The [even lead](WinCurve::even_lead), units.
    pub even_lead: [f64; 2],
    /// The [scale](WinCurve::scale), units.
    pub scale: [f64; 2],
}

impl WinModel {
    /// Returns the chances of a win, a draw and a loss, per mille, at a score and with a share of what can be in play.
    pub(crate) fn wdl(&self, score: Score, share: f64) -> [u16; 3] {
        let [even_lead, scale] = [self.even_lead, self.scale].map(|[base, added]| (base + added * share).max(0.01));
        per_mille(WinCurve { even_lead, scale }.chances(f64::from(score) / f64::from(UNIT)))
    }
}

/// Converts the chances of a win and of a loss to those of a win, a draw and a loss, per mille, which add up to 1,000.
pub(crate) fn per_mille(chances: [f64; 2]) -> [u16; 3] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "chances are 0 to 1")]
    let [win, loss] = chances.map(|chance| (1000.0 * chance).round() as u16);
    let win = win.min(1000 - loss);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_are_those_of_the_curve() {
        let curve = WinCurve { even_lead: 0.5, scale: 0.2 };
        assert_eq!(per_mille(curve.chances(0.5)), [500, 493, 7]);
        assert_eq!(per_mille(curve.chances(0.0)), [76, 848, 76]);
        assert_eq!(per_mille(curve.chances(-1e9)), [0, 0, 1000]);
        let flat = WinCurve { even_lead: 0.0, scale: 1.0 };
        assert_eq!(per_mille(flat.chances(0.0)), [500, 0, 500]);
        assert_eq!(per_mille(flat.chances(0.0005)), [500, 0, 500]);
    }
}
