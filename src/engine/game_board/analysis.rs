//! Static knowledge of a board, and searches from it.

use super::{GameBoard, NULL_MOVE};
use crate::core::{
    Evaluation, Inputs, Linear, MoveOrdering, NetworkShape, Pictures, Pruning, Records, Score, SearchTree, Solver,
    StopFlag, Tuning, Weight,
};
use crate::engine::search::GameEngine;
use crate::engine::tree::GameNode;
use crate::engine::{Analysis, Engine, MoveOrder, StaticEvaluation, TreeNode};
use crate::search::entry::Exact;
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
        let mut before: Vec<_> = self.recent().cloned().collect();
        before.reverse();
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
        let history: Vec<_> = self.recent().collect();
        let history = history.into_iter().rev();
        GameNode::root(self.rules.game.heuristics(), self.position().clone(), history, depth, order)
    }
}
