//! Annotated games: for each move its score, the best move, the loss, an assessment with its glyph, and for each player
//! the accuracy and the average loss.
//!
//! The positions of a game are searched from the last to the first: when a position is searched, the table holds what
//! came of the move that was played there.
//!
//! - `assessment`: assessments by winning chances, and accuracy; `pgn`: the game with its annotations;
//! - `graph`: the winning chances over the game; [`page`](mod@page): games with boards and graphs.

mod assessment;
mod graph;
pub mod page;
mod pgn;

pub use assessment::Assessment;
pub use graph::graph;

use crate::core::{Error, Report, Request, Score, Side, StopFlag, micros};
use crate::engine::Board;
use crate::pgn::game::contradiction;
use crate::pgn::{PgnGame, PgnMove};
use crate::registry::Setup;
use crate::search::Table;
use assessment::{MoveValue, accuracies, accuracy, assessment};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The largest score that counts in a loss, centi-units: beyond ten pawns a game is decided. lichess.org has the same
/// limit in its average centipawn loss.
const DECIDED: Score = 1_000;

/// The depth of the search that finds obvious moves, plies.
const OBVIOUS: u8 = 2;

/// A move of an annotated game. Scores are for the side that moves, in centi-units; a win or loss `n` plies away is
/// ±(32,000 - n).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnnotatedMove {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The player, 1 or 2; White in chess is 1.
    pub player: u8,
    /// The move, as the protocol has it.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move in standard algebraic notation, if the game has it.
    pub san: Option<String>,
    /// The score of the move: that of the position after it.
    pub score: Score,
    /// The best move.
    pub best_move: String,
    /// The best move in standard algebraic notation, if the game has it.
    pub best_san: Option<String>,
    /// The score of the best move.
    pub best_score: Score,
    /// The loss by the move, at least 0: the difference of both scores, each limited to ±1000.
    pub loss: Score,
    /// What the next best move loses to the best one, if it was searched: where the best move was played and is not
    /// obvious.
    pub lead: Option<Score>,
    /// The assessment, if the move loses much, or if no other move does as well.
    pub assessment: Option<Assessment>,
    /// The winning chances after the move, percent.
    pub win_percent: f64,
    /// The winning chances after the best move, percent.
    pub best_win_percent: f64,
    /// The accuracy of the move, percent.
    pub accuracy: f64,
    /// The depth of the search before the move, plies.
    pub depth: u8,
    /// The nodes of this search.
    pub nodes: u64,
    /// The time of this search, microseconds.
    pub time_us: u64,
    /// The principal variation of this search.
    pub pv: Vec<String>,
}

/// An annotated game.
pub struct Annotated {
    setup: Setup,
    /// The last moves: all without those of the opening that are skipped, unless the annotation was stopped.
    pub moves: Vec<AnnotatedMove>,
}

/// The moves of a player, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The accuracy, percent; `None` without a move.
    pub accuracy: Option<f64>,
    /// The average loss, centi-units; `None` without a move.
    pub average_loss: Option<f64>,
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
}

/// How games are annotated.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The game of records without a tag `Variant`.
    pub here: &'a Setup,
    /// The table, cleared before each game.
    pub table: &'a Arc<Table>,
    /// The search of each position.
    pub request: &'a Request,
    /// The number of plies of the opening that are not annotated.
    pub skip: usize,
}

/// Annotates the moves of a game. If the flag is raised, it has the last moves, whose searches were complete. `each` is
/// called after each position.
///
/// # Errors
/// As [`PgnGame::setup`] and [`PgnGame::board`]; [`Error::BadOptions`] for a game that is played with other options
/// than those that are set in `here`; [`Error::TableTooLarge`].
pub fn annotate(game: &PgnGame, plan: &Plan<'_>, stop: &StopFlag, each: &mut dyn FnMut()) -> Result<Annotated, Error> {
    let setup = game.setup(plan.here)?;
    if let Some(contradiction) = contradiction(&setup, plan.here) {
        return Err(Error::BadOptions(format!("it {contradiction}")));
    }
    let mut boards = vec![game.board(&setup, 0)?];
    for PgnMove { mv, .. } in &game.moves {
        let mut board = boards[boards.len() - 1].boxed();
        let played = board.play(mv);
        played.map_err(|error| if boards.len() == 1 { game.with_hint(error, &setup) } else { error })?;
        boards.push(board);
    }
    let history = boards[boards.len() - 1].history();
    plan.table.clear();
    let search = Search { plan, stop, shallow: Arc::new(Table::new(1)?) };
    let (mut moves, mut after) = (Vec::new(), None);
    for (ply, board) in boards.iter().enumerate().skip(plan.skip).rev() {
        let report = search.run(&**board, plan.table, plan.request);
        if stop.is_raised() {
            break;
        }
        // A game that a rule has drawn may have legal moves.
        let outcome = board.outcome().map(|outcome| outcome.score());
        let value = outcome.map_or_else(|| value(&**board, &report), known);
        if let (Some(after), Some(mv)) = (after, history.get(ply)) {
            let annotated = search.annotated(&**board, ply, mv, after, report);
            // The search for the next best move may have been stopped.
            if stop.is_raised() {
                break;
            }
            moves.push(annotated);
        }
        after = Some((board.turn(), value));
        each();
    }
    moves.reverse();
    Ok(Annotated { setup, moves })
}

/// Returns the value of a search. The winning chances in chess are those of games of people on lichess.org, to which
/// the thresholds belong; those of our own games are steeper.
fn value(board: &dyn Board, report: &Report) -> MoveValue {
    MoveValue::new(report.score, report.wdl.filter(|_| board.game() != "chess"))
}

/// Returns the value of the result of a game.
fn known(score: Score) -> MoveValue {
    MoveValue { score, chances: f64::from(score.signum()) }
}

/// The searches of a game.
struct Search<'a> {
    plan: &'a Plan<'a>,
    stop: &'a StopFlag,
    /// The table of searches for obvious moves.
    shallow: Arc<Table>,
}

impl Search<'_> {
    fn run(&self, board: &dyn Board, table: &Arc<Table>, request: &Request) -> Report {
        board.engine(Arc::clone(table)).search(request, self.stop, &mut |_| {}).swap_remove(0)
    }

    /// Returns the annotation of a move. `after` is the side to move after it, and its value for that side.
    fn annotated(
        &self,
        board: &dyn Board,
        ply: usize,
        mv: &str,
        (turn, after): (Side, MoveValue),
        report: Report,
    ) -> AnnotatedMove {
        let best_move = report.best().cloned().unwrap_or_else(|| mv.into());
        let best = value(board, &report);
        let played = match turn == board.turn() {
            _ if best_move == mv => best,
            true => after.farther(),
            false => after.farther().reversed(),
        };
        let next = if best_move == mv { self.next_best(board, mv) } else { None };
        let assessment = match next {
            // Beyond ten pawns on both sides nothing is lost.
            None => assessment(best, played).filter(|_| loss(best, played) > 0),
            Some(next) => match assessment(best, next) {
                Some(Assessment::Blunder) => Some(Assessment::Only),
                Some(Assessment::Mistake) => Some(Assessment::Good),
                _ => None,
            },
        };
        AnnotatedMove {
            ply: ply + 1,
            player: board.turn() as u8 + 1,
            san: board.san(mv),
            best_san: board.san(&best_move),
            loss: loss(best, played),
            lead: next.map(|next| loss(best, next)),
            assessment,
            win_percent: rounded(played.percent()),
            best_win_percent: rounded(best.percent()),
            accuracy: rounded(accuracy(best, played)),
            mv: mv.into(),
            score: played.score,
            best_move,
            best_score: report.score,
            depth: report.depth,
            nodes: report.nodes,
            time_us: micros(report.time),
            pv: report.pv,
        }
    }

    /// Returns the value of the best of the other moves; `None` if there is none, or if the move is obvious: a search
    /// of two plies finds it, like most recaptures.
    fn next_best(&self, board: &dyn Board, mv: &str) -> Option<MoveValue> {
        let others: Vec<u16> =
            board.codes().into_iter().zip(board.moves()).filter(|(_, other)| other != mv).map(|row| row.0).collect();
        if others.is_empty() {
            return None;
        }
        self.shallow.clear();
        let obvious = self.run(board, &self.shallow, &Request::depth(OBVIOUS));
        if obvious.best().is_some_and(|best| best == mv) {
            return None;
        }
        let request = Request { moves: others, ..self.plan.request.clone() };
        Some(value(board, &self.run(board, self.plan.table, &request)))
    }
}

/// Returns the loss by a move, at least 0.
fn loss(best: MoveValue, played: MoveValue) -> Score {
    let limited = |value: MoveValue| value.score.clamp(-DECIDED, DECIDED);
    (limited(best) - limited(played)).max(0)
}

/// Returns a percentage with two decimals.
fn rounded(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}

impl Annotated {
    /// Returns the game and its options.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the summary of each player, the first player's first.
    #[must_use]
    pub fn summaries(&self) -> [Summary; 2] {
        summaries(&self.moves)
    }
}

/// Returns the summary of each player's moves, the first player's first.
#[must_use]
pub fn summaries(moves: &[AnnotatedMove]) -> [Summary; 2] {
    let percents = graph::percents(moves);
    let all: Vec<_> = moves.iter().map(|mv| (usize::from(mv.player) - 1, mv.accuracy)).collect();
    let accuracies = accuracies(&percents, &all);
    [1, 2].map(|player| {
        let own = || moves.iter().filter(|mv| mv.player == player);
        let count = own().count();
        let assessed = |assessment: Assessment| own().filter(|mv| mv.assessment == Some(assessment)).count();
        let losses: i64 = own().map(|mv| i64::from(mv.loss)).sum();
        Summary {
            accuracy: accuracies[usize::from(player) - 1].map(rounded),
            average_loss: (count > 0).then(|| rounded(losses as f64 / count as f64)),
            inaccuracies: assessed(Assessment::Inaccuracy),
            mistakes: assessed(Assessment::Mistake),
            blunders: assessed(Assessment::Blunder),
        }
    })
}
