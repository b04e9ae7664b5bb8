//! Games of the engine against itself, from which temporal-difference learning derives the weights of its evaluation:
//! those of `secateurs learn`.

use super::{Curve, Learner, Rates, Step};
use crate::arena::journal::VERSION;
use crate::arena::openings::{Opening, Openings, RandomWalk, Source};
use crate::arena::record::{Ending, GameRecord, MoveRecord, Winner, score_text};
use crate::client::info::Info;
use secateurs::core::score::{self, UNIT};
use secateurs::core::{Error, OptionKind, Outcome, Report, Request, Score, Side, StopFlag, Weight, weights};
use secateurs::engine::Board;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::search::Table;
use secateurs::util::difference::as_options;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::Arc;

/// The table size of the searches, in MiB.
const HASH: usize = 4;

const PLAYER: &str = "secateurs";

/// The parameters of the games and of the learning, and the arguments for them.
#[derive(Clone, Debug, PartialEq, Serialize, clap::Args)]
pub struct SelfPlayPlan {
    /// Depth of each search, plies.
    #[arg(short, long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    pub depth: u8,
    /// The update of the weights.
    #[command(flatten)]
    pub rates: Rates,
    /// Number of random plies before each game.
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    pub random_plies: usize,
    /// Seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Keep these weights unchanged, also with `--from zero`.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub keep: Vec<String>,
}

/// Learns from one game after another. Each game depends only on the plan and on the learning before it.
pub struct SelfPlay {
    setup: Setup,
    plan: SelfPlayPlan,
    option: &'static str,
    names: Vec<&'static str>,
    fixed: Vec<bool>,
    openings: Openings,
    table: Arc<Table>,
    learner: Learner,
}

/// A game, and its errors of evaluation.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game.
    pub record: GameRecord,
    /// The errors of the evaluation in its positions.
    pub errors: Errors,
}

/// The errors of the evaluation in the positions of games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    /// The squared differences of evaluation and margin, in units, or of the expected and the actual result, in points,
    /// summed over the positions.
    pub squares: f64,
    /// The number of positions.
    pub positions: usize,
    /// The number of positions whose principal variation ends in a leaf with the value of the search.
    pub leaves: usize,
}

impl AddAssign for Errors {
    fn add_assign(&mut self, other: Self) {
        self.squares += other.squares;
        self.positions += other.positions;
        self.leaves += other.leaves;
    }
}

impl Errors {
    /// Returns the root mean square.
    pub(crate) fn loss(&self) -> f64 {
        (self.squares / self.positions.max(1) as f64).sqrt()
    }

    /// Returns the share of the positions with such a leaf.
    pub(crate) fn leaf_share(&self) -> f64 {
        self.leaves as f64 / self.positions.max(1) as f64
    }
}

impl SelfPlay {
    /// Begins to learn the weights of a game, starting from those of its options.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a game whose evaluation has no weights, or none that an option sets, and for an
    /// unknown name of a fixed weight; an error if the table cannot be allocated.
    pub(crate) fn new(setup: Setup, plan: SelfPlayPlan) -> Result<Self, Error> {
        let now = setup.board(STARTPOS)?.weights();
        let game = setup.row().name;
        if now.is_empty() {
            let others = "that of kalah has, and that of checkers with the option CheckersWeights, such as man=100";
            return Err(Error::BadOptions(format!("the evaluation of {game} has no weights to be learned: {others}")));
        }
        let option = option(&setup, &now)
            .ok_or_else(|| Error::BadOptions(format!("no option of {game} sets the weights of its evaluation")))?;
        let walk = RandomWalk { plies: plan.random_plies, candidates: 1, nodes: 1 };
        Ok(Self {
            openings: Openings::new(&setup, Source::Random(walk), plan.seed)?,
            table: Arc::new(Table::new(HASH)?),
            learner: Learner::new(now.iter().map(|&(_, value)| value.into()).collect()),
            fixed: weights::are_named(&now, &plan.keep, game)?,
            names: now.iter().map(|&(name, _)| name).collect(),
            setup,
            plan,
            option,
        })
    }

    pub(crate) fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Starts from these weights instead of those of the options.
    ///
    /// # Errors
    /// Those of [`Setup::set`].
    pub(crate) fn start_from(&mut self, start: &[Weight]) -> Result<(), Error> {
        self.setup.set(self.option, &weights::write(start))?;
        self.learner = Learner::new(start.iter().map(|&(_, value)| value.into()).collect());
        Ok(())
    }

    /// Continues from a state that was learned with the same plan.
    pub(crate) fn resume(&mut self, learner: Learner) {
        self.learner = learner;
    }

    pub(crate) fn names(&self) -> &[&'static str] {
        &self.names
    }

    pub(crate) fn fixed(&self) -> &[bool] {
        &self.fixed
    }

    /// Formats weights for that option: rounded, and within its range.
    pub(crate) fn text(&self, weights: &[f64]) -> String {
        weights::write(&self.rounded(weights))
    }

    /// Returns the header of the game journal: everything that the games depend on.
    pub(crate) fn header(&self) -> Value {
        let options: BTreeMap<_, _> =
            self.setup.options().iter().map(|(row, value)| (row.name, value.to_string())).collect();
        let (game, plan) = (self.setup.row().name, as_options(&json!(self.plan)));
        json!({"secateurs": VERSION, "game": game, "options": options, "learn": plan})
    }

    /// Plays the next game with the current weights and learns from it. Returns `None` if the flag was raised before
    /// its end, and [`Error::BadOptions`] if the random moves always end the game.
    pub(crate) fn game(&mut self, stop: &StopFlag) -> Result<Option<Played>, Error> {
        let mut setup = self.setup.clone();
        setup.set(self.option, &self.text(&self.learner.weights))?;
        let round = self.learner.games;
        let Some(opening) = self.openings.opening(round, stop)? else { return Ok(None) };
        self.table.clear();
        let mut board = opening.board(&setup)?;
        let (mut steps, mut moves) = (Vec::new(), Vec::new());
        while board.outcome().is_none() {
            let request = Request::depth(self.plan.depth);
            let mut lines = board.engine(Arc::clone(&self.table)).search(&request, stop, &mut |_| {});
            if stop.is_raised() {
                return Ok(None);
            }
            let report = lines.swap_remove(0);
            let Some(best) = report.best() else { break };
            moves.push(MoveRecord {
                mv: best.clone(),
                micros: 0,
                score: score_text(&Info::from(&report)),
                depth: report.depth.into(),
                nodes: report.nodes,
            });
            steps.push(step(&*board, &report)?);
            board.play(best)?;
        }
        let outcome = board.outcome().map_or(Outcome::Draw, |outcome| outcome.of_first(board.turn()));
        let (curve, unit, end) = match outcome {
            Outcome::Margin(units) => (Curve::Margin, f64::from(UNIT), f64::from(Score::from(units) * UNIT)),
            // Results range from -1 to 1, points from 0 to 1.
            Outcome::Win => (Curve::Result, 2.0, 1.0),
            Outcome::Draw => (Curve::Result, 2.0, 0.0),
            Outcome::Loss => (Curve::Result, 2.0, -1.0),
        };
        self.learner.learn(&self.plan.rates, curve, &self.fixed, &steps, end);
        let missed = steps.iter().map(|step| ((end - curve.point(step.evaluation)) / unit).powi(2));
        let leaves = steps.iter().filter(|step| step.leaf.is_some()).count();
        let errors = Errors { squares: missed.sum(), positions: steps.len(), leaves };
        Ok(Some(Played { record: record(round, opening, outcome, moves), errors }))
    }

    fn rounded(&self, weights: &[f64]) -> Vec<Weight> {
        let rounded = weights.iter().map(|&weight| weights::rounded(weight));
        self.names.iter().copied().zip(rounded).collect()
    }
}

/// Returns the option of a game that sets its weights, found by changing them.
fn option(setup: &Setup, now: &[Weight]) -> Option<&'static str> {
    let other: Vec<_> = now.iter().map(|&(name, value)| (name, if value == 1 { 2 } else { 1 })).collect();
    let text = weights::write(&other);
    let rows = setup.options().iter().map(|(row, _)| row).filter(|row| matches!(row.kind, OptionKind::Text { .. }));
    rows.map(|row| row.name).find(|name| {
        let mut setup = setup.clone();
        setup.set(name, &text).is_ok() && setup.board(STARTPOS).is_ok_and(|board| board.weights() == other)
    })
}

/// Converts a searched position to the first player's view.
fn step(board: &dyn Board, report: &Report) -> Result<Step, Error> {
    let evaluation = of_first(board.turn(), board.static_evaluation().evaluation.into());
    let score = if score::is_decisive(report.score) {
        f64::INFINITY.copysign(report.score.into())
    } else {
        report.score.into()
    };
    let backed_up = of_first(board.turn(), score);
    let mut leaf = board.boxed();
    report.pv.iter().try_for_each(|mv| leaf.play(mv))?;
    // A proven value, or one clamped to bounds, does not come from an evaluation.
    let value = of_first(leaf.turn(), leaf.static_evaluation().evaluation.into());
    #[expect(clippy::float_cmp, reason = "whole numbers")]
    let has_it = leaf.outcome().is_none() && value == backed_up;
    Ok(Step { evaluation, backed_up, features: seen_by_first(board), leaf: has_it.then(|| seen_by_first(&*leaf)) })
}

fn seen_by_first(board: &dyn Board) -> Vec<f64> {
    board.features().into_iter().map(|feature| of_first(board.turn(), feature.into())).collect()
}

fn of_first(turn: Side, value: f64) -> f64 {
    if turn == Side::First { value } else { -value }
}

fn record(round: usize, opening: Opening, outcome: Outcome, moves: Vec<MoveRecord>) -> GameRecord {
    GameRecord {
        number: round,
        round,
        players: [PLAYER.into(), PLAYER.into()],
        opening,
        result: Winner::from_outcome(outcome),
        ending: Ending::Rules,
        detail: String::new(),
        margin: if let Outcome::Margin(units) = outcome { Some(units) } else { None },
        wrong_claims: [0, 0],
        started: None,
        moves,
    }
}
