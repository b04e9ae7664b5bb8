//! The only implementations of [`Analysis`] and [`Engine`]: static knowledge of a board, and searches from it.

use super::{GameBoard, NULL_MOVE};
use crate::core::position::{legal_moves, move_of, moves_of};
#[cfg(not(target_family = "wasm"))]
use crate::core::solution::{Claim, Uncertified};
use crate::core::solution::{Solution, SolveRequest};
use crate::core::tree::Room;
use crate::core::{
    Evaluation, Game, Inputs, Linear, MoveOf, MoveOrdering, NetworkShape, NodeCounts, Notation, Pictures, Position,
    Progress, Pruning, Records, Report, Request, Score, SearchTree, Solver, StopFlag, Tuning, Weight,
};
use crate::engine::tree::GameNode;
use crate::engine::{Analysis, Engine, MoveOrder, StaticEvaluation, TreeNode};
use crate::search::entry::{Entry, Exact};
use crate::search::exact::exact_entry;
use crate::search::{Searcher, Table, perft};
use std::rc::Rc;
use std::sync::Arc;

impl<G: Pictures + Records> Analysis for GameBoard<G> {
    fn explain(&self) -> Vec<(&'static str, Score)> {
        self.rules.game.heuristics().explain(self.position())
    }

    fn tuning(&self) -> Tuning {
        self.rules.game.heuristics().tuning()
    }

    fn weights(&self) -> Vec<Weight> {
        self.rules.game.heuristics().weights()
    }

    fn features(&self) -> Vec<i32> {
        self.rules.game.heuristics().features(self.position())
    }

    fn linear(&self) -> Option<Linear> {
        self.rules.game.heuristics().linear(self.position())
    }

    fn parameters(&self) -> Vec<f64> {
        self.rules.game.heuristics().parameters()
    }

    fn source(&self, parameters: &[f64]) -> Option<Vec<u8>> {
        self.rules.game.heuristics().source(parameters)
    }

    fn shape(&self) -> Option<NetworkShape> {
        self.rules.game.heuristics().shape()
    }

    fn inputs(&self) -> Option<Inputs> {
        self.rules.game.heuristics().inputs(self.position())
    }

    fn is_quiet(&self, best: u16) -> bool {
        let (heuristics, pos) = (self.rules.game.heuristics(), self.position());
        let best = heuristics.legal_move(pos, best);
        !heuristics.is_check(pos) && best.is_some_and(|mv| !heuristics.is_noisy(pos, mv))
    }

    fn settled(&self) -> Score {
        self.rules.game.heuristics().settled(self.position())
    }

    fn static_evaluation(&self) -> StaticEvaluation {
        let (heuristics, pos) = (self.rules.game.heuristics(), self.position());
        StaticEvaluation {
            evaluation: heuristics.evaluate(pos),
            settled: heuristics.settled(pos),
            bounds: heuristics.static_bounds(pos),
            is_recorded: heuristics.database_bounds(pos).is_some(),
        }
    }

    fn perft(&self, depth: u8, stop: &StopFlag) -> Option<u64> {
        perft::perft(self.position(), depth, stop)
    }

    fn divide(&self, depth: u8, stop: &StopFlag, found: &mut dyn FnMut(&str, u64)) -> Option<u64> {
        let pos = self.position();
        perft::divide(pos, depth, stop, &mut |mv, count| found(&self.rules.game.write_move(pos, mv), count))
    }

    fn engine(&self, table: Arc<Table>) -> Box<dyn Engine> {
        let before = self.recent().into_iter().rev().cloned().collect();
        let searcher = Searcher::new(self.rules.game.heuristics(), table).salted(self.rules.salt).after(before);
        Box::new(GameEngine { game: self.rules.game.clone(), root: self.position().clone(), searcher })
    }

    fn exact_entry(&self, value: Score) -> Option<(u64, Exact)> {
        exact_entry(&self.rules.game.heuristics(), self.rules.salt, self.position(), value)
    }

    fn named(&self, tree: &SearchTree<u16>, stop: &StopFlag) -> SearchTree {
        let (game, heuristics) = (&self.rules.game, self.rules.game.heuristics());
        let null = |pos: &G::Position| Some((heuristics.null_move(pos)?, NULL_MOVE.to_owned()));
        tree.renamed(self.position(), |pos, mv| game.write_move(pos, mv), null, stop)
    }

    fn tree(&self, depth: u8, order: MoveOrder) -> Rc<dyn TreeNode> {
        GameNode::root(self.rules.game.heuristics(), self.position().clone(), &self.recent(), depth, order)
    }
}

type SearcherOf<G> = Searcher<<G as Game>::Position, <G as Game>::Heuristics>;

struct GameEngine<G: Notation> {
    game: G,
    root: G::Position,
    searcher: SearcherOf<G>,
}

impl<G: Notation> GameEngine<G> {
    /// Runs a search, with the moves of its reports in the game's notation. Returns the last reports, and the other
    /// result of the search. The moves of the last reports are written only once: that takes time in a game in Python.
    fn in_text<T>(
        &mut self,
        progress: &mut dyn FnMut(Progress<'_>),
        search: impl FnOnce(&mut SearcherOf<G>, &G::Position, &mut dyn FnMut(Progress<'_, u16>)) -> T,
    ) -> (Vec<Report>, T) {
        let Self { game, root, searcher } = self;
        let mut reports = Vec::new();
        let found = search(searcher, root, &mut |event| pass_on(game, root, event, &mut reports, progress));
        (reports, found)
    }
}

/// Passes on the progress of a search, with moves in the game's notation. The last reports are kept in `reports`.
fn pass_on<G: Notation>(
    game: &G,
    root: &G::Position,
    event: Progress<'_, u16>,
    reports: &mut Vec<Report>,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    match event {
        Progress::Line(report) => progress(Progress::Line(&report_in_text(game, root, report))),
        Progress::Move { depth, mv, number } => {
            if let Some(mv) = move_of(root, *mv) {
                progress(Progress::Move { depth, mv: &game.write_move(root, mv), number });
            }
        }
        Progress::Result(found) => {
            for report in found {
                reports.push(report_in_text(game, root, report));
            }
            progress(Progress::Result(reports));
        }
    }
}

impl<G: Notation> Engine for GameEngine<G> {
    fn table(&self) -> &Table {
        self.searcher.table()
    }

    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
        self.in_text(progress, |searcher, root, progress| searcher.search(root, request, stop, progress)).0
    }

    fn root_entry(&self, report: &Report) -> (u64, Entry) {
        let Self { game, root, searcher } = self;
        let best = report.best().and_then(|best| game.read_move(root, best));
        searcher.root_entry(root, &report.with_moves(best.map(|mv| root.code(mv)).into_iter().collect(), Vec::new()))
    }

    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, SearchTree<u16>) {
        self.in_text(progress, |searcher, root, progress| searcher.record(root, request, room, stop, progress).1)
    }

    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, NodeCounts) {
        self.in_text(&mut |_| {}, |searcher, root, progress| searcher.count(root, request, stop, progress).1)
    }

    fn solve(&mut self, request: &SolveRequest, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution {
        let Self { game, root, searcher } = self;
        let in_text = |solution: &Solution<MoveOf<G>>| {
            let mut moves = Vec::new();
            for &(mv, bounds) in &solution.moves {
                moves.push((game.write_move(root, mv), bounds));
            }
            solution.with_moves(line_in_text(game, root, &solution.pv), moves)
        };
        in_text(&searcher.solve(root, request, stop, &mut |solution| progress(&in_text(solution))))
    }

    #[cfg(not(target_family = "wasm"))]
    fn certify(
        &mut self,
        request: &SolveRequest,
        stop: &StopFlag,
        on_claim: &mut dyn FnMut(&Claim),
    ) -> Result<(), Uncertified> {
        let Self { game, root, searcher } = self;
        searcher.certify(root, request, stop, &|pos| game.write(pos), &mut |Claim { position, bounds, moves }| {
            let mut written = Vec::new();
            for &mv in moves {
                written.push(game.write_move(position, mv));
            }
            on_claim(&Claim { position: game.write(position), bounds: *bounds, moves: written });
        })
    }
}

fn report_in_text<G: Notation>(game: &G, root: &G::Position, report: &Report<u16>) -> Report {
    let mut ties = Vec::new();
    if !report.ties.is_empty() {
        // Both are in the game's order, and there may be thousands.
        for mv in legal_moves(root) {
            if report.ties.get(ties.len()) == Some(&root.code(mv)) {
                ties.push(game.write_move(root, mv));
            }
        }
    }
    report.with_moves(line_in_text(game, root, &moves_of(root, &report.pv)), ties)
}

fn line_in_text<G: Notation>(game: &G, root: &G::Position, line: &[MoveOf<G>]) -> Vec<String> {
    let (mut pos, mut moves) = (root.clone(), Vec::new());
    for &mv in line {
        moves.push(game.write_move(&pos, mv));
        pos.play(mv);
    }
    moves
}
