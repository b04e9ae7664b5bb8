//! Search parameters tuned by games: simultaneous perturbation stochastic approximation (SPSA; Spall 1992, 1998), as
//! chess engines use it (Kiiski 2011).
//!
//! Every iteration changes all parameters at once, each up or down by its step at random, and plays a pair of games
//! from one opening, with colours reversed, between these values and their mirror image. The parameters then move
//! towards the winner.

use super::games::{self, Adjudication, balanced};
use secateurs::batch::workers;
use secateurs::core::parameters::{PARAMETERS, Parameters};
use secateurs::core::{Error, Limits, Request, Score, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::search::Table;
use secateurs::util::lock::lock;
use secateurs::util::random::{GOLDEN, Random, mixed};
use serde::{Deserialize, Serialize};
use std::iter;
use std::sync::{Arc, Mutex};

/// The table size of each player, MiB.
const HASH: usize = 4;

/// The exponent with which the rate falls (Spall 1998).
const ALPHA: f64 = 0.602;

/// The exponent with which the steps shrink (Spall 1998).
const GAMMA: f64 = 0.101;

/// The share of the pairs by which the rate is delayed.
const DELAY: f64 = 0.1;

/// The parameters of the games and of the tuning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaPlan {
    /// The total number of pairs of games.
    pub pairs: u64,
    /// The node limit of each search.
    pub nodes: u64,
    /// The number of random moves before each game, plies.
    pub random_plies: usize,
    /// The share of its last step by which a parameter moves for a point at the end of the tuning.
    pub rate: f64,
    /// The seed of the openings and of the signs of the steps.
    pub seed: u64,
}

/// The openings and the ends of the games.
const BALANCE: Score = 150;
const ADJUDICATION: Adjudication = Adjudication { win: 800, draw_ply: 70, longest: 400 };

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// The name.
    pub name: String,
    /// The value before.
    pub start: Score,
    /// The last step.
    pub step: f64,
    /// The value so far.
    pub value: f64,
}

impl Tuned {
    /// Starts from the game's value; the last step is a tenth of it, and at least half a unit.
    pub fn new(name: &str, start: Score) -> Self {
        let value = f64::from(start);
        Self { name: name.into(), start, step: (value.abs() / 10.0).max(0.5), value }
    }
}

/// The state of a tuning: everything that the next iterations depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    /// The plan.
    pub plan: SpsaPlan,
    /// The parameters.
    pub parameters: Vec<Tuned>,
    /// The pairs played so far.
    pub pairs: u64,
    /// The pairs played so far by the points of the first set of values: from 0 to 4 half points.
    pub scores: [u64; 5],
}

/// An iteration: its number and, for each parameter, the signed step.
struct Iteration {
    number: u64,
    steps: Vec<f64>,
}

impl Spsa {
    /// Creates the initial state.
    pub fn new(plan: SpsaPlan, parameters: Vec<Tuned>) -> Self {
        Self { plan, parameters, pairs: 0, scores: [0; 5] }
    }

    /// Returns the defect of a state that was read from a file to replace `begun`; `None` if it is valid.
    pub(crate) fn fault(&self, begun: &Self) -> Option<String> {
        let fixed = |spsa: &Self| -> Vec<_> {
            spsa.parameters.iter().map(|tuned| (tuned.name.clone(), tuned.start, tuned.step)).collect()
        };
        if self.plan != begun.plan || fixed(self) != fixed(begun) {
            return Some("its parts contradict each other".into());
        }
        let sum = self.scores.iter().fold(0, |sum: u64, score| sum.saturating_add(*score));
        if self.pairs > self.plan.pairs || sum != self.pairs {
            return Some(format!("it has {} of {} pairs, and the scores of {sum}", self.pairs, self.plan.pairs));
        }
        self.parameters.iter().find_map(|tuned| {
            let range = &PARAMETERS.iter().find(|row| row.name == tuned.name)?.range;
            // The game's own value may be outside the range.
            let [low, high] = [(*range.start()).min(tuned.start), (*range.end()).max(tuned.start)];
            let fits = (f64::from(low)..=f64::from(high)).contains(&tuned.value);
            (!fits).then(|| format!("{} is {:e}, which is not between {low} and {high}", tuned.name, tuned.value))
        })
    }

    /// Plays the pairs that are left, `tables.len() / 2` at a time, and calls `done` after each pair. Returns `false`
    /// if the flag was raised before the end. With one pair at a time the result follows from the state alone.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if no opening is balanced; an error of `done`; a table that cannot be allocated.
    pub fn run(
        &mut self,
        setup: &Setup,
        concurrency: usize,
        stop: &StopFlag,
        done: &mut (dyn FnMut(&Self) -> Result<(), Error> + Send),
    ) -> Result<bool, Error> {
        let next = self.pairs;
        let shared = Mutex::new((self, next, done));
        let lock = || lock(&shared);
        let results = workers::run(workers::tables(concurrency, HASH)?, |table| {
            let tables = [table, Arc::new(Table::new(HASH)?)];
            loop {
                let (iteration, players, plan) = {
                    let (spsa, next, _) = &mut *lock();
                    if *next >= spsa.plan.pairs || stop.is_raised() {
                        return Ok(());
                    }
                    let iteration = spsa.iteration(*next);
                    *next += 1;
                    let players = [1.0, -1.0].map(|sign| spsa.values(&iteration, sign));
                    (iteration, players, spsa.plan)
                };
                let Some(points) = play(setup, &plan, iteration.number, &players, &tables, stop)? else {
                    return Ok(());
                };
                let (spsa, _, done) = &mut *lock();
                spsa.learn(&iteration, points);
                done(spsa).inspect_err(|_| stop.raise())?;
            }
        });
        results.into_iter().collect::<Result<(), Error>>()?;
        Ok(!stop.is_raised())
    }

    /// Returns an iteration: the steps shrink from one to the next.
    fn iteration(&self, number: u64) -> Iteration {
        let mut random = Random(mixed(self.plan.seed ^ number.wrapping_mul(GOLDEN)));
        let growth = (self.plan.pairs as f64 / (number + 1) as f64).powf(GAMMA);
        let signed = |step: f64| if random.below(2) == 0 { step } else { -step };
        Iteration { number, steps: self.parameters.iter().map(|tuned| tuned.step * growth).map(signed).collect() }
    }

    /// Returns the values of one of the two players of an iteration.
    fn values(&self, iteration: &Iteration, sign: f64) -> Parameters {
        let values = self.parameters.iter().zip(&iteration.steps).map(|(tuned, step)| tuned.value + sign * step);
        written(iter::zip(&self.parameters, values))
    }

    /// Moves the parameters by the points of the first player in a pair: from 0 to 4 half points.
    fn learn(&mut self, iteration: &Iteration, points: u8) {
        let delay = DELAY * self.plan.pairs as f64;
        let last = delay + self.plan.pairs as f64;
        // In the last iteration this is the planned rate.
        let rate = self.plan.rate * (last / (delay + (iteration.number + 1) as f64)).powf(ALPHA);
        let gain = f64::from(points) - 2.0;
        for (tuned, step) in self.parameters.iter_mut().zip(&iteration.steps) {
            let (value, end) = (tuned.value, tuned.step * tuned.step);
            // The planned rate is relative to the last step, of which `step` is a multiple.
            let moved = value + rate * gain * end / step;
            let range = PARAMETERS.iter().find(|row| row.name == tuned.name).map(|row| &row.range);
            let (low, high) = range.map_or((moved, moved), |range| ((*range.start()).into(), (*range.end()).into()));
            tuned.value = moved.clamp(low, high);
        }
        self.pairs += 1;
        self.scores[usize::from(points)] += 1;
    }

    /// Returns the parameters so far, in the form of the option `SearchParameters`.
    pub(crate) fn tuned(&self) -> Parameters {
        written(self.parameters.iter().map(|tuned| (tuned, tuned.value)))
    }
}

/// Rounds the values of parameters.
fn written<'a>(values: impl Iterator<Item = (&'a Tuned, f64)>) -> Parameters {
    let mut parameters = Parameters::default();
    for (tuned, value) in values {
        if let Some(index) = PARAMETERS.iter().position(|row| row.name == tuned.name) {
            #[expect(clippy::cast_possible_truncation, reason = "values stay near the ranges")]
            parameters.set(index, value.round() as Score);
        }
    }
    parameters
}

/// Plays a pair of games from an opening. Returns the points of the first player, in half points; `None` if the flag
/// was raised.
fn play(
    setup: &Setup,
    plan: &SpsaPlan,
    number: u64,
    players: &[Parameters; 2],
    tables: &[Arc<Table>; 2],
    stop: &StopFlag,
) -> Result<Option<u8>, Error> {
    let mut random = Random(mixed(plan.seed ^ mixed(number)));
    let search = |board: &dyn Board, player: usize| {
        let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
        let request = Request { parameters: players[player], ..Request::new(limits) };
        board.engine(Arc::clone(&tables[player])).search(&request, stop, &mut |_| {}).swap_remove(0)
    };
    let score = |board: &dyn Board| {
        tables[0].clear();
        search(board, 0).score
    };
    let plies = (plan.random_plies, number);
    let Some(opening) = balanced(setup, plies, (BALANCE, ""), &mut random, &score, stop)? else { return Ok(None) };
    let mut points = 0;
    for first in 0..2 {
        tables.iter().for_each(|table| table.clear());
        let player = |turn: Side| if turn == Side::First { first } else { 1 - first };
        let search = |board: &dyn Board| search(board, player(board.turn()));
        let played = games::play(opening.boxed(), &ADJUDICATION, &search, &mut |_, _| {}, stop)?;
        let Some(result) = played else { return Ok(None) };
        points += if first == 0 { result } else { 2 - result };
    }
    Ok(Some(points))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pairs: u64) -> SpsaPlan {
        SpsaPlan { pairs, nodes: 1, random_plies: 0, rate: 0.01, seed: 7 }
    }

    /// Simulates pairs in which a player is the stronger the nearer its values are to known ones.
    #[test]
    fn parameters_move_to_the_better_values() {
        let goal = [110.0, 20.0];
        let start = [("futility_margin", 90), ("late_reduction_base", 40)];
        let parameters = start.map(|(name, value)| Tuned::new(name, value)).to_vec();
        let mut spsa = Spsa::new(plan(30_000), parameters);
        let mut random = Random(1);
        for number in 0..spsa.plan.pairs {
            let iteration = spsa.iteration(number);
            let distance = |sign: f64| -> f64 {
                let values =
                    spsa.parameters.iter().zip(&iteration.steps).map(|(tuned, step)| tuned.value + sign * step);
                values.zip(goal).map(|(value, goal)| (value - goal).powi(2)).sum()
            };
            // 200 units of squared distance are worth 0.2 half points; most of a result is noise.
            let expected = 2.0 + ((distance(-1.0) - distance(1.0)) / 1000.0).clamp(-1.0, 1.0);
            let drawn = f64::from(u32::try_from(random.below(1000)).unwrap()) / 1000.0;
            let points = (expected + 2.0 * drawn - 1.0).round().clamp(0.0, 4.0) as u8;
            spsa.learn(&iteration, points);
        }
        for (tuned, goal) in spsa.parameters.iter().zip(goal) {
            assert!((tuned.value - goal).abs() < 6.0, "{:?}", spsa.parameters);
        }
        assert_eq!(spsa.scores.iter().sum::<u64>(), 30_000);
    }

    #[test]
    fn values_stay_in_their_ranges() {
        let mut spsa = Spsa::new(plan(10), vec![Tuned::new("null_move", 1), Tuned::new("late_pruning", 254)]);
        for number in 0..10 {
            let iteration = spsa.iteration(number);
            for sign in [1.0, -1.0] {
                let text = spsa.values(&iteration, sign).to_string();
                assert!(Parameters::read(&text).is_ok(), "{text}");
            }
            spsa.learn(&iteration, if iteration.steps[0] > 0.0 { 0 } else { 4 });
        }
        assert!(spsa.tuned().to_string().contains("null_move=1,"), "{}", spsa.tuned());
    }
}
