//! Comparison of procedures on the same position or the same trees, by results and costs.

mod row;

pub use row::{ComparisonRow, shares};

use super::synthetic;
use secateurs::core::error::Quoted;
use secateurs::core::score::{MAX_PLY, Score};
use secateurs::core::{Bound, Error, Limits, Proof, Request, StopFlag};
use secateurs::engine::{Board, MoveOrder};
use secateurs::literature::budget::{Budget, Spent};
use secateurs::literature::procedure::{self, PROCEDURES, Procedure, Settings};
use secateurs::literature::uniform::Uniform;
use secateurs::search::Table;
use secateurs::util::suggestion::did_you_mean_any;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A contender of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    /// A procedure of the literature.
    Procedure(Procedure),
    /// The engine's own search: iterative deepening from an empty table, with all its features.
    Secateurs,
}

pub(crate) const SECATEURS: &str = "secateurs";

impl Contender {
    /// Returns all contenders, the engine's own search last.
    pub fn all() -> impl Iterator<Item = Self> {
        PROCEDURES.iter().map(|row| Self::Procedure(row.procedure)).chain([Self::Secateurs])
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Procedure(procedure) => procedure.name(),
            Self::Secateurs => SECATEURS,
        }
    }

    /// Whether it returns the exact value of the tree to the horizon, so that it can be compared, and runs on synthetic
    /// trees. The engine's own search looks beyond the horizon where necessary.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Procedure(procedure) if procedure.is_exact())
    }
}

impl FromStr for Contender {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let rows = || PROCEDURES.iter().map(|row| ([row.name, row.alias], Self::Procedure(row.procedure)));
        let mut all = rows().chain([([SECATEURS; 2], Self::Secateurs)]);
        let found = all.find(|(names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(text)));
        found.map(|(_, contender)| contender).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(Self::name).collect();
            let hint = did_you_mean_any(text, rows().map(|(names, _)| names).chain([[SECATEURS; 2]]));
            Error::BadOptions(format!("unknown procedure {}{hint}; there are {}", Quoted::new(text), names.join(", ")))
        })
    }
}

/// The parameters of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// The contenders, in order.
    pub contenders: Vec<Contender>,
    /// The settings of the procedures, except the guess.
    pub settings: Settings,
    /// The first guess of the procedures that take one; `None`: the static evaluation of the position, or 0 in a
    /// synthetic tree.
    pub guess: Option<Score>,
    /// The minimum plausibility of the lines of Floyd's procedure; `None`: that of a line to the horizon whose moves
    /// are all equally likely.
    pub threshold: Option<f64>,
    /// The order of the moves.
    pub order: MoveOrder,
    /// The node limit of each run.
    pub nodes: u64,
    /// The time limit of each run.
    pub time: Option<Duration>,
    /// The table size of the engine's own search, in MiB.
    pub hash: usize,
}

pub(crate) const NODES: u64 = 100_000_000;

impl ComparisonPlan {
    /// Creates a plan with these contenders and otherwise the defaults.
    pub fn new(contenders: Vec<Contender>) -> Self {
        let (settings, order) = (Settings::default(), MoveOrder::Generated);
        Self { contenders, settings, guess: None, threshold: None, order, nodes: NODES, time: None, hash: 16 }
    }
}

/// Compares on a position, to a horizon of `depth` plies. Each row is reported when it is complete, and returned with
/// the columns that need all rows. Once the flag is raised, no further row is added.
///
/// # Errors
/// [`Error::TableTooLarge`].
pub fn position(
    plan: &ComparisonPlan,
    board: &dyn Board,
    subject: &str,
    depth: u8,
    stop: &StopFlag,
    on_row: &mut dyn FnMut(&ComparisonRow),
) -> Result<Vec<ComparisonRow>, Error> {
    let guess = plan.guess.unwrap_or_else(|| board.static_evaluation().evaluation);
    let (codes, moves) = (board.codes(), board.moves());
    let threshold = plan.threshold.unwrap_or_else(|| plausible(depth, moves.len()));
    let settings = Settings { guess, threshold, ..plan.settings.clone() };
    let named = |code: u16| codes.iter().position(|&other| other == code).map(|index| moves[index].clone());
    let mut rows = Vec::new();
    for &contender in &plan.contenders {
        if stop.is_raised() {
            break;
        }
        let begun = Instant::now();
        let row = match contender {
            Contender::Procedure(procedure) => {
                let far = if procedure.has_own_horizon() { MAX_PLY } else { depth };
                let found = procedure::run(&board.tree(far, plan.order), procedure, &settings, plan.budget(stop));
                ComparisonRow::new(subject, depth, procedure, &found, found.best.and_then(named), begun.elapsed())
            }
            Contender::Secateurs => modern(plan, board, subject, depth, stop)?,
        };
        on_row(&row);
        rows.push(row);
    }
    row::finish(&mut rows);
    Ok(rows)
}

/// Compares on `count` synthetic trees, with this seed and the following ones. Each returned row is the sum over all
/// trees.
///
/// # Errors
/// [`Error::BadOptions`] for a contender that needs an evaluation, which synthetic trees do not have.
pub fn trees(
    plan: &ComparisonPlan,
    tree: &Uniform,
    count: u64,
    stop: &StopFlag,
    on_row: &mut dyn FnMut(&ComparisonRow),
) -> Result<Vec<ComparisonRow>, Error> {
    if let Some(contender) = plan.contenders.iter().find(|contender| !contender.is_exact()) {
        let name = contender.name();
        return Err(Error::BadOptions(format!("{name} needs an evaluation: it does not run on synthetic trees")));
    }
    let settings = Settings { guess: plan.guess.unwrap_or(0), ..plan.settings.clone() };
    let mut sums: Vec<ComparisonRow> = Vec::new();
    for number in 0..count {
        let tree = Uniform { seed: tree.seed.wrapping_add(number), ..*tree };
        let (subject, mut rows) = (synthetic::write(&tree), Vec::new());
        for &contender in &plan.contenders {
            let Contender::Procedure(procedure) = contender else { continue };
            if stop.is_raised() {
                break;
            }
            let begun = Instant::now();
            let found = procedure::run(&tree.root(), procedure, &settings, plan.budget(stop));
            let best = found.best.map(|code| code.to_string());
            let row = ComparisonRow::new(&subject, tree.depth, procedure, &found, best, begun.elapsed());
            on_row(&row);
            rows.push(row);
        }
        if stop.is_raised() && number > 0 {
            // Sums over different numbers of trees cannot be compared.
            break;
        }
        row::finish(&mut rows);
        if number == 0 {
            sums = rows;
        } else {
            sums.iter_mut().zip(&rows).for_each(|(sum, row)| sum.add(row));
        }
    }
    shares(&mut sums);
    Ok(sums)
}

/// Returns the plausibility of a line of `depth` plies with `moves` equally likely moves each.
fn plausible(depth: u8, moves: usize) -> f64 {
    (moves.max(2) as f64).powi(-i32::from(depth)).max(1e-300)
}

impl ComparisonPlan {
    fn budget(&self, stop: &StopFlag) -> Budget {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Budget { nodes: self.nodes, deadline, stop: stop.clone() }
    }
}

fn modern(
    plan: &ComparisonPlan,
    board: &dyn Board,
    subject: &str,
    depth: u8,
    stop: &StopFlag,
) -> Result<ComparisonRow, Error> {
    let table = Arc::new(Table::new(plan.hash)?);
    let limits = Limits { nodes: Some(plan.nodes), movetime: plan.time, ..Limits::depth(depth) };
    let (mut reports, counts) = board.engine(table).count(&Request::new(limits), stop);
    let report = reports.swap_remove(0);
    let whole = report.depth >= depth || report.proof == Proof::EXACT || board.outcome().is_some();
    let spent = match () {
        () if whole && report.bound == Bound::Exact => None,
        () if stop.is_raised() => Some(Spent::Stopped),
        () if report.nodes >= plan.nodes => Some(Spent::Nodes),
        () => Some(Spent::Time),
    };
    Ok(ComparisonRow::modern(subject, depth, &report, counts, spent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::registry;

    fn plan() -> ComparisonPlan {
        ComparisonPlan::new(Contender::all().collect())
    }

    #[test]
    fn procedures_have_two_names() {
        for row in PROCEDURES {
            assert_eq!(row.name.parse(), Ok(Contender::Procedure(row.procedure)));
            assert_eq!(row.alias.to_uppercase().parse(), Ok(Contender::Procedure(row.procedure)));
        }
        let error = "beam".parse::<Contender>().unwrap_err().to_string();
        assert!(error.starts_with("unknown procedure \"beam\"; there are minimax, negamax"), "{error}");
    }

    #[test]
    fn all_contenders_agree_on_every_game() {
        for game in registry::GAMES {
            let board = game.start(&game.defaults()).unwrap();
            let is_small = |&depth: &u8| board.perft(depth, &StopFlag::new()).is_some_and(|lines| lines < 10_000);
            let depth = (1..=4).rev().find(is_small).unwrap();
            for order in [MoveOrder::Generated, MoveOrder::Scored] {
                let plan = ComparisonPlan { order, nodes: 200_000, ..plan() };
                let mut reported = 0;
                let rows =
                    position(&plan, &*board, "startpos", depth, &StopFlag::new(), &mut |_| reported += 1).unwrap();
                assert_eq!((rows.len(), reported), (PROCEDURES.len() + 1, PROCEDURES.len() + 1));
                for row in &rows {
                    let exact = row.procedure.parse::<Contender>().unwrap().is_exact();
                    assert_eq!(row.agrees, exact.then_some(true), "{} {row:?}", game.name);
                    assert!(row.best.is_some() || row.given_up.is_some(), "{row:?}");
                }
                assert_eq!(rows[0].share, Some(1.0));
            }
        }
    }

    #[test]
    fn lines_by_plausibility_grow_with_the_depth() {
        let board = registry::GAMES[0].start(&registry::GAMES[0].defaults()).unwrap();
        let plan = ComparisonPlan::new([Procedure::Minimax, Procedure::Floyd].map(Contender::Procedure).to_vec());
        let mut before = 0;
        for depth in [1, 2, 4, 6] {
            let rows = position(&plan, &*board, "", depth, &StopFlag::new(), &mut |_| {}).unwrap();
            assert!(before < rows[1].nodes, "{rows:?}");
            // A line may be longer than the horizon: at small depths Floyd's search may enter more nodes than minimax.
            assert!(depth < 6 || rows[1].nodes < rows[0].nodes, "{rows:?}");
            before = rows[1].nodes;
        }
    }

    #[test]
    fn who_differs_is_flagged() {
        let board = registry::GAMES[0].start(&registry::GAMES[0].defaults()).unwrap();
        let mut rows = position(&plan(), &*board, "", 2, &StopFlag::new(), &mut |_| {}).unwrap();
        rows[1].value = rows[1].value.map(|value| value + 1);
        row::finish(&mut rows);
        assert_eq!((rows[0].agrees, rows[1].agrees), (Some(true), Some(false)));
    }

    #[test]
    fn trees_are_summed() {
        let procedures = [Procedure::Minimax, Procedure::AlphaBeta].map(Contender::Procedure);
        let plan = ComparisonPlan::new(procedures.to_vec());
        let tree = Uniform { width: 3, depth: 4, seed: 1, order: 1.0, same: 0.0 };
        let rows = trees(&plan, &tree, 10, &StopFlag::new(), &mut |_| {}).unwrap();
        assert_eq!((rows[0].runs, rows[0].terminal, rows[1].terminal), (10, 810, 10 * tree.least()));
        assert_eq!((rows[1].agrees, rows[1].value), (Some(true), None));
        let error = trees(&ComparisonPlan::new(vec![Contender::Secateurs]), &tree, 1, &StopFlag::new(), &mut |_| {})
            .unwrap_err();
        assert!(error.to_string().contains("secateurs needs an evaluation"), "{error}");
    }

    #[test]
    fn a_stopped_comparison_has_its_finished_rows() {
        let board = registry::GAMES[0].start(&registry::GAMES[0].defaults()).unwrap();
        let stop = StopFlag::new();
        let rows = position(&plan(), &*board, "", 3, &stop, &mut |row| {
            if row.procedure == "negamax" {
                stop.raise();
            }
        });
        assert_eq!(rows.unwrap().len(), 2);
    }
}
