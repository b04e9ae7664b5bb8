//! More than two players: who played whom with what result, and a rating for each.
//!
//! The ratings are the most likely ones where the expected score of a game is the logistic function of the difference
//! (Zermelo 1929, Bradley and Terry 1952), a draw being half a win and half a loss: each player's points are then
//! those that the ratings let expect. Hunter (2004, "MM algorithms for generalized Bradley-Terry models", Annals of
//! Statistics 32) climbs to them player by player; here Newton's method takes all at once, because the matrix that it
//! solves is the one that the standard errors are made from.

use super::statistics::{ELO_PER_LOGIT, GameResult, Tally, Z95};
use std::collections::BTreeMap;

/// Each player is taken to have drawn so much of a game against one whose rating is the mean. Ratings stay finite after
/// nothing but wins, and between players whom no chain of games connects; after ten games the difference is below a
/// tenth of the standard error.
const PRIOR: f64 = 0.1;

/// No step of the climb is longer than this in any rating, natural logarithm of the odds. Within it the curvature changes by
/// less than a factor of e, so that each step climbs (Bach 2010, "Self-concordant analysis for logistic
/// regression", Electronic Journal of Statistics 4).
const LONGEST_STEP: f64 = 0.5;

/// Who played whom with what result. Players are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    /// For the first player of the two, whose number is the lower one.
    meetings: BTreeMap<(usize, usize), Tally>,
}

/// A player's strength, Elo, the mean of all players being 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The most likely rating.
    pub elo: f64,
    /// Its standard error. Draws are counted as half a win and half a loss here as well, so it is too large rather than
    /// too small where many games are drawn.
    pub error: f64,
}

impl Rating {
    /// Half the width of the 95 % interval.
    #[must_use]
    pub fn margin(&self) -> f64 {
        Z95 * self.error
    }
}

impl Crosstable {
    /// Counts a game with its result for `player`; `partner` is as for [`Tally::add`].
    pub fn add(&mut self, player: usize, opponent: usize, result: GameResult, partner: Option<GameResult>) {
        if player <= opponent {
            self.meetings.entry((player, opponent)).or_default().add(result, partner);
        } else {
            let (result, partner) = (result.reversed(), partner.map(GameResult::reversed));
            self.meetings.entry((opponent, player)).or_default().add(result, partner);
        }
    }

    /// What the games of two players came to for the first one.
    #[must_use]
    pub fn between(&self, player: usize, opponent: usize) -> Tally {
        let meeting = |low, high| self.meetings.get(&(low, high)).copied().unwrap_or_default();
        if player <= opponent { meeting(player, opponent) } else { meeting(opponent, player).reversed() }
    }

    /// What all games of a player came to.
    #[must_use]
    pub fn of(&self, player: usize) -> Tally {
        let own = self.meetings.iter().filter_map(|(&(first, second), &tally)| match player {
            _ if first == second => None,
            _ if player == first => Some(tally),
            _ if player == second => Some(tally.reversed()),
            _ => None,
        });
        own.sum()
    }

    /// The ratings of the players below a number, from their games among each other.
    #[must_use]
    pub fn ratings(&self, players: usize) -> Vec<Rating> {
        let results: Vec<Meeting> = self
            .meetings
            .iter()
            .filter(|((first, second), _)| first < second && *second < players)
            .filter_map(|(&(first, second), tally)| {
                let games = tally.games.total() as f64;
                Some(Meeting { first, second, games, points: games * tally.games.score()? })
            })
            .collect();
        let (strengths, covariance) = climb(players, &results);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / players as f64;
        let (middle, shifts) = (mean(&strengths), covariance.iter().map(|row| mean(row)).collect::<Vec<_>>());
        // Only differences are known: the variance that all ratings have in common is no error of any of them.
        let common = mean(&shifts);
        let rating = |player: usize| Rating {
            elo: ELO_PER_LOGIT * (strengths[player] - middle),
            error: ELO_PER_LOGIT * (covariance[player][player] - 2.0 * shifts[player] + common).max(0.0).sqrt(),
        };
        (0..players).map(rating).collect()
    }
}

/// The games of two players and the points of the first.
struct Meeting {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
}

/// The most likely strengths, natural logarithm of the odds against a player of strength 0, and their covariance.
fn climb(players: usize, meetings: &[Meeting]) -> (Vec<f64>, Matrix) {
    let mut strengths = vec![0.0; players];
    let mut covariance = Matrix::new();
    for _ in 0..1_000 {
        let (gradient, information) = slope(&strengths, meetings);
        covariance = inverse(information);
        let step = covariance.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum());
        let step: Vec<f64> = step.collect();
        let longest = step.iter().fold(0.0_f64, |longest, along| longest.max(along.abs()));
        let scale = (LONGEST_STEP / longest).min(1.0);
        strengths.iter_mut().zip(step).for_each(|(strength, along)| *strength += scale * along);
        if longest < 1e-9 {
            break;
        }
    }
    (strengths, covariance)
}

/// The gradient of the log-likelihood, which is points less expected points, and Fisher's information.
fn slope(strengths: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Matrix) {
    let players = strengths.len();
    let (mut gradient, mut information) = (vec![0.0; players], vec![vec![0.0; players]; players]);
    for (player, &strength) in strengths.iter().enumerate() {
        let score = logistic(strength);
        gradient[player] = PRIOR * (0.5 - score);
        information[player][player] = PRIOR * score * (1.0 - score);
    }
    for &Meeting { first, second, games, points } in meetings {
        let score = logistic(strengths[first] - strengths[second]);
        let (surplus, weight) = (points - games * score, games * score * (1.0 - score));
        gradient[first] += surplus;
        gradient[second] -= surplus;
        information[first][first] += weight;
        information[second][second] += weight;
        information[first][second] -= weight;
        information[second][first] -= weight;
    }
    (gradient, information)
}

fn logistic(strength: f64) -> f64 {
    1.0 / (1.0 + (-strength).exp())
}

/// Rows of a square matrix.
type Matrix = Vec<Vec<f64>>;

/// The inverse of a symmetric positive definite matrix, in place by Gauss and Jordan: no pivot of such a matrix is 0.
fn inverse(mut matrix: Matrix) -> Matrix {
    for pivot in 0..matrix.len() {
        let scale = 1.0 / std::mem::replace(&mut matrix[pivot][pivot], 1.0);
        matrix[pivot].iter_mut().for_each(|entry| *entry *= scale);
        let row = matrix[pivot].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = std::mem::replace(&mut other[pivot], 0.0);
            other.iter_mut().zip(&row).for_each(|(entry, along)| *entry -= factor * along);
        }
    }
    matrix
}
