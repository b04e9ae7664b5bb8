//! Crosstables and ratings for more than two players.
//!
//! The ratings maximize the likelihood if the expected score of a game is the logistic function of the rating
//! difference (Zermelo 1929, Bradley and Terry 1952) and a draw is half a win and half a loss: each player's points
//! then equal the expected points. Hunter (2004, "MM algorithms for generalized Bradley-Terry models", Annals of
//! Statistics 32) updates one player at a time; here Newton's method updates all at once, because the matrix that it
//! inverts also yields the standard errors.

use super::statistics::{ELO_PER_LOGIT, GameResult, Repeats, Tally, Z95};
use std::collections::BTreeMap;

/// The prior: each player is assumed to have drawn this fraction of a game against a player of strength 0. It keeps
/// ratings finite after nothing but wins, and between players that no chain of games connects. Otherwise it moves them
/// by a small fraction of their error.
const PRIOR: f64 = 0.1;

/// The largest step in any rating, in natural logarithms of the odds. Within it the curvature changes by less than a
/// factor of e, so that each step increases the likelihood (Bach 2010, "Self-concordant analysis for logistic
/// regression", Electronic Journal of Statistics 4).
const LONGEST_STEP: f64 = 0.5;

/// The results of all pairs of players, which are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosstable {
    /// The tally of each pair, for the player with the lower number.
    meetings: BTreeMap<(usize, usize), Tally>,
}

/// A player's rating in Elo; the mean of all players is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The maximum-likelihood rating.
    pub elo: f64,
    /// Its standard error. It also counts draws as half a win and half a loss, and is therefore too large rather than
    /// too small if many games are drawn.
    pub error: f64,
}

impl Rating {
    /// Returns half the width of the 95 % interval.
    pub fn margin(&self) -> f64 {
        Z95 * self.error
    }
}

impl Crosstable {
    /// Adds a game with its result for `player`; `partner` is as for [`Tally::add`].
    pub(crate) fn add(&mut self, player: usize, opponent: usize, result: GameResult, partner: Option<GameResult>) {
        if player <= opponent {
            self.meetings.entry((player, opponent)).or_default().add(result, partner);
        } else {
            let (result, partner) = (result.reversed(), partner.map(GameResult::reversed));
            self.meetings.entry((opponent, player)).or_default().add(result, partner);
        }
    }

    /// Adds the number of repeats among the games just added for two players.
    pub(crate) fn add_repeats(&mut self, player: usize, opponent: usize, repeats: Repeats) {
        self.meetings.entry((player.min(opponent), player.max(opponent))).or_default().repeats += repeats;
    }

    /// Returns the tally of two players, for the first one.
    pub(crate) fn between(&self, player: usize, opponent: usize) -> Tally {
        let meeting = |low, high| self.meetings.get(&(low, high)).copied().unwrap_or_default();
        if player <= opponent { meeting(player, opponent) } else { meeting(opponent, player).reversed() }
    }

    pub(crate) fn total(&self, player: usize) -> Tally {
        let own = self.meetings.iter().filter_map(|(&(first, second), &tally)| match player {
            _ if first == second => None,
            _ if player == first => Some(tally),
            _ if player == second => Some(tally.reversed()),
            _ => None,
        });
        own.sum()
    }

    /// Returns the ratings of the players with numbers below `players`, from the games among them.
    pub(crate) fn ratings(&self, players: usize) -> Vec<Rating> {
        let results: Vec<Meeting> = self
            .meetings
            .iter()
            .filter(|((first, second), _)| first < second && *second < players)
            .filter_map(|(&(first, second), tally)| {
                // Repeated games are not further evidence.
                let games = tally.game_sample().size() as f64;
                Some(Meeting { first, second, games, points: games * tally.games.score()? })
            })
            .collect();
        let (strengths, covariance) = climb(players, &results);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / players as f64;
        let (middle, shifts) = (mean(&strengths), covariance.iter().map(|row| mean(row)).collect::<Vec<_>>());
        // Only differences are determined: the variance common to all ratings is not an error of any of them.
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

/// Returns the maximum-likelihood strengths, in natural logarithms of the odds against a player of strength 0, and
/// their covariance.
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

/// Returns the gradient of the log-likelihood (points minus expected points) and the Fisher information.
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

type Matrix = Vec<Vec<f64>>;

/// Inverts a symmetric positive definite matrix in place by Gauss-Jordan elimination: no pivot of such a matrix is 0.
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

#[cfg(test)]
mod tests {
    use super::super::simulation::Generator;
    use super::super::statistics::{Games, elo, expected_score};
    use super::*;

    fn table(games: &[(usize, usize, Games)]) -> Crosstable {
        let meetings = games.iter().map(|&(a, b, games)| ((a, b), Tally { games, ..Tally::default() }));
        Crosstable { meetings: meetings.collect() }
    }

    /// The American League of 1987, wins of the row's team over the column's: Agresti, "Categorical Data Analysis". The
    /// expected strengths relative to Baltimore's and their errors are those of Turner and Firth (2012, "Bradley-Terry
    /// models in R: the BradleyTerry2 package", Journal of Statistical Software 48(9)), with a tolerance for the prior.
    #[test]
    fn known_ratings() {
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let pairs = (0..7).flat_map(|a| (a + 1..7).map(move |b| (a, b)));
        let meetings: Vec<Meeting> = pairs
            .map(|(first, second)| {
                let (points, lost) = (f64::from(wins[first][second]), f64::from(wins[second][first]));
                Meeting { first, second, games: points + lost, points }
            })
            .collect();
        let (strengths, covariance) = climb(7, &meetings);
        for (player, (strength, error)) in
            [(1.5814, 0.3433), (1.4364, 0.3396), (1.2945, 0.3367), (1.2476, 0.3359), (1.1077, 0.3339), (0.6839, 0.3319)]
                .into_iter()
                .enumerate()
        {
            assert!((strengths[player] - strengths[6] - strength).abs() < 0.003, "{player}: {strengths:?}");
            let variance = covariance[player][player] + covariance[6][6] - 2.0 * covariance[player][6];
            assert!((variance.sqrt() - error).abs() < 0.001, "{player}: {}", variance.sqrt());
        }
    }

    #[test]
    fn exact_scores_give_the_ratings_that_they_come_from() {
        let truth = [250.0, 40.0, 0.0, -90.0, -200.0];
        // A gauntlet of the first player, with one more meeting so that not all paths lead through it.
        let meetings = [(0, 1), (0, 2), (0, 3), (0, 4), (2, 4)].map(|(first, second)| {
            let games = 1e6;
            Meeting { first, second, games, points: games * expected_score(truth[first] - truth[second]) }
        });
        let (strengths, _) = climb(5, &meetings);
        for (player, elo) in truth.into_iter().enumerate() {
            assert!((ELO_PER_LOGIT * (strengths[player] - strengths[2]) - elo).abs() < 0.001, "{strengths:?}");
        }
    }

    #[test]
    fn two_players_differ_by_their_elo() {
        for games in [Games::new(600, 200, 200), Games::new(10, 70, 20), Games::new(500, 0, 500)] {
            let ratings = table(&[(0, 1, games)]).ratings(2);
            assert!((ratings[0].elo - ratings[1].elo - games.elo().unwrap().value).abs() < 0.1, "{ratings:?}");
            assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-9);
            let (total, score) = (games.total() as f64, games.score().unwrap());
            let error = ELO_PER_LOGIT / (total * score * (1.0 - score)).sqrt();
            assert!((2.0 * ratings[0].error / error - 1.0).abs() < 0.01, "{ratings:?}");
        }
    }

    /// Hunter's algorithm, with the same prior.
    #[test]
    fn newton_and_hunter_agree() {
        let mut generator = Generator::new(8);
        for _ in 0..20 {
            let mut count = || (generator.unit() * 9.0) as u64;
            let games: Vec<_> = (0..5)
                .flat_map(|a| (a + 1..5).map(move |b| (a, b)))
                .map(|(a, b)| (a, b, Games::new(count(), count(), count() / 2)))
                .collect();
            let table = table(&games);
            let mut odds = [1.0_f64; 5];
            for _ in 0..20_000 {
                for player in 0..5 {
                    let tally = table.total(player).games;
                    let points = PRIOR / 2.0 + tally.wins() as f64 + tally.draws() as f64 / 2.0;
                    let weights = (0..5)
                        .filter(|&other| other != player)
                        .map(|other| table.between(player, other).games.total() as f64 / (odds[player] + odds[other]));
                    odds[player] = points / (PRIOR / (odds[player] + 1.0) + weights.sum::<f64>());
                }
            }
            let ratings = table.ratings(5);
            for player in 1..5 {
                let known = elo(odds[player] / (odds[player] + odds[0]));
                assert!((ratings[player].elo - ratings[0].elo - known).abs() < 0.01, "{games:?} {ratings:?} {odds:?}");
            }
        }
    }

    #[test]
    fn extremes_stay_finite() {
        assert_eq!(Crosstable::default().ratings(0), []);
        assert_eq!(Crosstable::default().ratings(1), [Rating { elo: 0.0, error: 0.0 }]);
        let games = [
            (0, 1, Games::new(1_000_000, 0, 0)),
            (1, 2, Games::new(1, 0, 0)),
            (3, 4, Games::new(0, 5, 0)),
            (5, 5, Games::new(7, 0, 0)),
            (0, 9, Games::new(0, 0, 9)),
        ];
        let ratings = table(&games).ratings(6);
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.margin().is_finite()), "{ratings:?}");
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
        assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
        assert!((ratings[3].elo - ratings[4].elo).abs() < 1e-6);
    }

    #[test]
    fn games_are_counted_from_both_sides() {
        use GameResult::{Draw, Loss, Win};
        let mut table = Crosstable::default();
        table.add(2, 0, Win, None);
        table.add(0, 2, Draw, Some(Loss));
        table.add(1, 2, Loss, None);
        assert_eq!(table.between(2, 0).games, Games::new(1, 1, 0));
        assert_eq!(table.between(0, 2).games, Games::new(0, 1, 1));
        assert_eq!(table.between(0, 2).pairs.0, [0, 1, 0, 0, 0]);
        assert_eq!(table.total(2).games, Games::new(2, 1, 0));
        assert_eq!(table.between(0, 1), Tally::default());
    }

    /// A round robin of four without draws, 30 games for each pair of players.
    #[test]
    fn errors_are_those_of_many_tournaments() {
        let truth = [150.0, 50.0, -20.0, -180.0];
        let (mut generator, mut held, tournaments) = (Generator::new(9), 0, 500);
        for _ in 0..tournaments {
            let mut table = Crosstable::default();
            for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                for _ in 0..30 {
                    let won = generator.unit() < expected_score(truth[a] - truth[b]);
                    table.add(a, b, if won { GameResult::Win } else { GameResult::Loss }, None);
                }
            }
            let ratings = table.ratings(4);
            held +=
                ratings.iter().zip(truth).filter(|(rating, elo)| (rating.elo - elo).abs() < rating.margin()).count();
        }
        let share = held as f64 / f64::from(4 * tournaments);
        assert!((0.93..0.97).contains(&share), "{share}");
    }
}
