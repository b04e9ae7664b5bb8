//! Searches step by step, for the page that shows them: the procedures of the literature, and the engine itself.

use crate::position::Position;
use crate::{json, thrown};
use secateurs::core::score::INFINITE;
use secateurs::core::tree::Room;
use secateurs::core::{Bound, Request, Score, SearchTree};
use secateurs::engine::{Board, MoveOrder};
use secateurs::literature::procedure::{PROCEDURES, Procedure};
use secateurs::literature::study::{Study, Subject, study};
use secateurs::literature::toy::Toy;
use secateurs::literature::{Budget, Settings};
use secateurs::views::readable;
use secateurs::{StopFlag, Table};
use serde::Serialize;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// The most nodes of a search.
const NODES: u64 = 200_000;

/// The most nodes that are recorded.
const RECORDED: usize = 5_000;

/// The table of the engine, MiB.
const HASH: usize = 4;

/// Runs procedures, named with commas between, on a tree typed as a textbook has it, `((3 12 8) (2 4 6))`: MAX is to move at
/// the root. The order of its moves is `typed`, `best` or `worst`.
#[wasm_bindgen(js_name = studyToy)]
pub fn study_toy(text: &str, order: &str, names: &str) -> Result<String, JsError> {
    let mut toy: Toy = text.parse().map_err(thrown)?;
    if order != "typed" {
        toy = toy.ordered(order == "best");
    }
    json(&run(&Subject { root: toy.root(), game: None }, 2, names)?)
}

#[wasm_bindgen]
impl Position {
    /// Runs procedures, named with commas between, on the tree of this position to a depth in plies; `scored` searches
    /// moves in the order of the game's own scores, otherwise in that of their generation.
    pub fn study(&self, depth: u8, scored: bool, names: &str) -> Result<String, JsError> {
        let board = &*self.board;
        let order = if scored { MoveOrder::Scored } else { MoveOrder::Generated };
        let mut study = run(&Subject { root: board.tree(depth, order), game: Some((board, depth)) }, 50, names)?;
        for run in &mut study.runs {
            let Some(tree) = &run.tree else { continue };
            let tree = readable(tree, board);
            for (step, node) in run.steps.iter_mut().zip(&tree.nodes) {
                step.mv.clone_from(&node.mv);
                step.by = node.end.by().cloned();
            }
            run.best = run.best.as_deref().map(|best| board.readable(best));
        }
        json(&study)
    }

    /// Searches the position to a depth in plies by the engine itself, and records the last iteration.
    pub fn record(&self, depth: u8) -> Result<String, JsError> {
        let board = &*self.board;
        let mut engine = board.engine(Arc::new(Table::new(HASH)?));
        let (reports, tree) =
            engine.record(&Request::depth(depth), Room::new(RECORDED, u8::MAX)?, &StopFlag::new(), &mut |_| {});
        let tree = board.named(&tree, &StopFlag::new());
        json(&Recorded::new(board, &readable(&tree, board), reports.first().map_or(0, |report| report.score)))
    }
}

/// Runs procedures, named with commas between; `window` is half the width of the first aspiration window.
fn run(subject: &Subject<'_>, window: Score, names: &str) -> Result<Study, JsError> {
    let mut runs = Vec::new();
    for name in names.split(',') {
        let row = PROCEDURES.iter().find(|row| row.name == name);
        let procedure: Procedure = row.ok_or_else(|| thrown(format!("no procedure has the name {name}")))?.procedure;
        runs.push((procedure, Settings { table: 1 << 16, window, ..Settings::default() }));
    }
    Ok(study(subject, &runs, &Budget::nodes(NODES), Some(Room::new(RECORDED, u8::MAX)?)))
}

/// A recorded search of the engine, in the form of a [`Study`]'s run.
#[derive(Serialize)]
struct Recorded {
    value: Score,
    best: Option<String>,
    nodes: u64,
    plies: u8,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    parent: Option<usize>,
    ply: u8,
    #[serde(rename = "move")]
    mv: Option<String>,
    turn: u8,
    kind: &'static str,
    again: bool,
    pv: bool,
    window: [Option<Score>; 2],
    value: Option<Score>,
    bound: &'static str,
    end: &'static str,
    by: Option<String>,
    below: u64,
}

impl Recorded {
    fn new(board: &dyn Board, tree: &SearchTree, value: Score) -> Self {
        let mut path: Vec<usize> = Vec::new();
        let steps = tree.nodes.iter().enumerate().map(|(at, node)| {
            path.truncate(node.ply.into());
            let parent = path.last().copied();
            path.push(at);
            Step {
                parent,
                ply: node.ply,
                mv: node.mv.clone(),
                turn: node.turn.number(),
                kind: node.kind.name(),
                again: node.again,
                pv: node.pv,
                window: node.window.map(|end| Some(end).filter(|end| end.abs() < INFINITE)),
                value: node.value,
                bound: Bound::name(node.bound()),
                end: node.end.name(),
                by: node.end.by().cloned(),
                below: node.below,
            }
        });
        let steps: Vec<_> = steps.collect();
        let best = steps.iter().rev().find(|step| step.ply == 1 && step.pv).and_then(|step| step.mv.clone());
        let best = best.or_else(|| board.moves().first().map(|mv| board.readable(mv)));
        Self { value, best, nodes: tree.entered, plies: tree.plies, steps }
    }
}
