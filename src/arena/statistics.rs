//! What a match of two players has shown: the difference in strength, and how sure it is.
//!
//! A match is counted twice. [`Games`] are single games in three classes. [`Pairs`] are pairs of games from one opening
//! with colours exchanged, in five classes by the points of both games: an opening that decides the game gives each player
//! a win, which is one observation of a level pair and no evidence of anything, where two independent games would be
//! some. Where openings are played from both sides, pairs give the honest interval, and mostly the narrower one.
//!
//! # The interval
//!
//! All figures rest on one statistic: Pearson's chi-square of what was counted against the most likely distribution whose
//! mean score is `s`. The interval is of all `s` at which it stays below its 95 % point. For wins and losses alone this is
//! the interval of Wilson (1927, "Probable inference, the law of succession, and statistical inference", JASA 22);
//! with draws it is that of Tango (1998, "Equivalence test and confidence interval for the difference in proportions
//! for the paired-sample design", Statistics in Medicine 17); with more classes, Rao's score test against an unknown
//! distribution with a known mean. It never leaves the range of scores and is never empty: ten wins out of ten say
//! "166 Elo or more", and ten draws "99 Elo at most, either way", where mean plus or minus two standard errors would
//! be certain of everything after one game. Its ends lie where the likelihood of superiority is 2.5 % and 97.5 %, so that the two
//! never contradict each other. Without draws and pairs that likelihood is the well-known function of `(wins - losses) /
//! sqrt(wins + losses)`, and with draws too: they say nothing about who is better.

use super::multinomial::{expectation, frontier, moments, multiplier, scores};
use std::iter::Sum;
use std::ops::AddAssign;

/// 95 % of a normal distribution lie within so many standard deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo in one unit of the natural logarithm of the odds: 400 / ln 10.
pub const ELO_PER_LOGIT: f64 = 173.717_792_761_300_73;

/// Normalized Elo in one standard deviation of a game's score: 800 / ln 10. At a level score without draws, one more
/// Elo is one more normalized Elo (Van den Bergh, "Normalized Elo").
pub const ELO_PER_DEVIATION: f64 = 2.0 * ELO_PER_LOGIT;

/// How a game ended for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// 0 points.
    Loss,
    /// Half a point.
    Draw,
    /// 1 point.
    Win,
}

impl GameResult {
    /// The result for the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// What a match came to for one of its two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games, those in pairs too.
    pub games: Games,
    /// The pairs of which both games are over.
    pub pairs: Pairs,
}

impl Tally {
    /// Counts a game; `partner` is the result of the pair's other game, if that one is counted already.
    pub fn add(&mut self, result: GameResult, partner: Option<GameResult>) {
        self.games.0[result as usize] += 1;
        if let Some(partner) = partner {
            self.pairs.0[result as usize + partner as usize] += 1;
        }
    }

    /// The same match for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { games: self.games.reversed(), pairs: self.pairs.reversed() }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.pairs += other.pairs;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum += tally;
            sum
        })
    }
}

/// Single games: losses, draws, wins (the trinomial).
pub type Games = Counts<3>;

/// Pairs of games by their points 0, 0.5, 1, 1.5, 2 (the pentanomial).
pub type Pairs = Counts<5>;

/// Independent observations in classes by their score, from nothing to all points, evenly spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> AddAssign for Counts<N> {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

impl Games {
    /// The counts in the order in which they are mostly told.
    #[must_use]
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self([losses, draws, wins])
    }

    /// Games won.
    #[must_use]
    pub const fn wins(&self) -> u64 {
        self.0[2]
    }

    /// Games drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.0[1]
    }

    /// Games lost.
    #[must_use]
    pub const fn losses(&self) -> u64 {
        self.0[0]
    }
}

/// All figures are `None` where nothing was counted.
impl<const N: usize> Counts<N> {
    /// The number of observations: games, or pairs of games.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The counts for the other player.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    /// The mean score of a game, 0 to 1.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        Some(moments(&self.distribution()?).0)
    }

    /// The Elo difference (logistic) with its 95 % interval.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        let value = self.score()?;
        let [low, high] = self.interval()?.map(|(score, _)| elo(score));
        Some(Estimate { value: elo(value), low, high })
    }

    /// The normalized Elo difference with its 95 % interval: the mean score above a half in standard deviations of a
    /// game's score, times [`ELO_PER_DEVIATION`]. It says how many games it takes to show the difference, and changes
    /// little with openings and time controls that make for more draws. Of pairs, the deviation of a game is
    /// that of a pair's mean, times the root of two. At each end of the interval the deviation is that of the most likely distribution there.
    #[must_use]
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let normalized = |(score, deviation): (f64, f64)| {
            // All draws: no difference, in deviations of nothing.
            let above = if score == 0.5 { 0.0 } else { (score - 0.5) / deviation };
            above / Self::games_each().sqrt() * ELO_PER_DEVIATION
        };
        let value = normalized(moments(&self.distribution()?));
        let [low, high] = self.interval()?.map(normalized);
        Some(Estimate { value, low, high })
    }

    /// The likelihood of superiority, 0 to 1: the probability that a player of equal strength would have done worse.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        let observed = self.distribution()?;
        let above = scores().map(|score| score - 0.5);
        let lead = expectation(&observed, &above);
        let chi_square = self.total() as f64 * multiplier(&observed, &above) * lead;
        Some(normal(chi_square.max(0.0).sqrt().copysign(lead)))
    }

    /// Games in an observation.
    pub(super) fn games_each() -> f64 {
        (N - 1) as f64 / 2.0
    }

    /// The share of each class.
    fn distribution(&self) -> Option<[f64; N]> {
        let total = self.total();
        (total > 0).then(|| self.0.map(|count| count as f64 / total as f64))
    }

    /// The ends of the 95 % interval of the mean score, each with the standard deviation of the most likely distribution
    /// there.
    fn interval(&self) -> Option<[(f64, f64); 2]> {
        let (observed, reversed) = (self.distribution()?, self.reversed().distribution()?);
        let quantile = Z95.powi(2) / self.total() as f64;
        let (below, above) = (reach(&observed, quantile), reach(&reversed, quantile));
        let (mean, _) = moments(&observed);
        Some([(mean - below, below / quantile.sqrt()), (mean + above, above / quantile.sqrt())])
    }
}

/// How far below the mean of a sample the interval ends, with the quantile of chi-square over the sample's size.
///
/// At mean `m - d` the multiplier of the most likely distribution is `x`, its variance `d / x`, and chi-square over the
/// sample's size `x * d`. At the end of the interval this is the quantile `q`, so that `x = q / d`, and the distribution,
/// each class `p` divided by `1 + x * (score - m + d)`, has to sum to 1. The sum is convex in `1 / d` and falls short of 1 as
/// that nears 0: there is one such `d`; or none, and then the end is where the class of no points, which was never
/// observed, enters the distribution.
fn reach<const N: usize>(observed: &[f64; N], quantile: f64) -> f64 {
    let (mean, _) = moments(observed);
    frontier(mean * quantile / (1.0 + quantile), mean, |distance| {
        let divisor = scores::<N>().map(|score| 1.0 + quantile + quantile * (score - mean) / distance);
        observed.iter().zip(divisor).map(|(share, divisor)| share / divisor).sum::<f64>() > 1.0
    })
}

/// An estimate with its 95 % interval, whose ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely value; infinite after nothing but wins or losses.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval, which need not be symmetric.
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The Elo difference at which a mean score, 0 to 1, is to be expected: infinite at 0 and 1.
#[must_use]
pub fn elo(score: f64) -> f64 {
    ELO_PER_LOGIT * (score / (1.0 - score)).ln()
}

/// The mean score, 0 to 1, to be expected at an Elo difference.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The distribution function of the normal distribution, by its Taylor series over its density (Marsaglia 2004,
/// "Evaluating the normal distribution", Journal of Statistical Software 11(4)).
fn normal(z: f64) -> f64 {
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
