//! Several procedures on the same tree, each with its steps: what a page needs to show them side by side.

use super::budget::{Budget, Spent};
use super::minimum::fewest_terminal_positions;
use super::procedure::{Procedure, ProcedureResult, Settings, run_in};
use super::tree::{Node, Walk};
use crate::core::report::Bound;
use crate::core::score::{INFINITE, Score};
use crate::core::tree::{self, NULL_MOVE, Room};
use crate::core::{NodeCounts, SearchTree};
use crate::engine::Board;
use serde::Serialize;

/// A tree to study.
#[derive(Clone)]
pub struct Subject<'a> {
    /// The root.
    pub root: Node,
    /// The position of a game at the root, and the plies to its horizon. Otherwise a move is the number of its branch,
    /// from 1.
    pub game: Option<(&'a dyn Board, u8)>,
}

/// The procedures on one tree, for the side to move at the root.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    /// The side to move at the root: 1 or 2.
    pub turn: u8,
    /// The fewest terminal positions that any procedure must visit; `None` beyond the budget.
    pub minimum: Option<u64>,
    /// The procedures in the order in which they were given.
    pub runs: Vec<Run>,
}

/// A run of a procedure. All values are for the side to move at the root.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The name of the procedure.
    pub procedure: &'static str,
    /// Its short description.
    pub about: &'static str,
    /// Its source.
    pub source: &'static str,
    /// The value.
    pub value: Option<Score>,
    /// Whether the value is exact or a bound.
    pub bound: &'static str,
    /// The limit that was reached before there was a value.
    pub spent: Option<String>,
    /// The best move.
    pub best: Option<String>,
    /// The number of searches from the root.
    pub searches: u32,
    /// The node counts.
    pub counts: NodeCounts,
    /// The cut-offs among them that left moves out.
    pub prunings: u64,
    /// The number of recorded plies; the steps of these are complete.
    pub plies: u8,
    /// The steps in the order in which they were taken: each visit of a position precedes those below it. Empty without
    /// a record.
    pub steps: Vec<Step>,
    /// The recorded tree, which the [views](crate::views) show.
    #[serde(skip)]
    pub tree: Option<SearchTree>,
}

/// One visit of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The index of the visit of the position before; `None` at the root, which may be searched several times.
    pub parent: Option<usize>,
    /// Plies from the root.
    pub ply: u8,
    /// The move that led here.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The side to move: 1 or 2.
    pub turn: u8,
    /// How it was searched: "full", or "null" for a null window.
    pub kind: &'static str,
    /// Whether this is a search again of the move searched just before.
    pub again: bool,
    /// Whether it is on the principal variation of the last search.
    pub pv: bool,
    /// The window on entry; `null` for an infinite end.
    pub window: [Option<Score>; 2],
    /// The value returned; `None` if the search of the position was broken off, as df-pn does until it comes back.
    pub value: Option<Score>,
    /// What the value is: "exact", "lower" (it failed high for the side at the root) or "upper".
    pub bound: Option<&'static str>,
    /// Why the search of it ended: "over", "horizon", "table", "cutoff", "moves" or "stopped"; in the engine's own
    /// search also "rules", "database", "enhanced" or "pruned".
    pub end: &'static str,
    /// The move that caused the cut-off.
    pub by: Option<String>,
    /// The number of its moves; 0 in the engine's own search.
    pub moves: usize,
    /// The number of its moves that were looked at; `None` beyond the recorded plies, and in the engine's own search.
    pub searched: Option<usize>,
    /// The place of the move among those of the position before, in the order without killers and table, from 0.
    pub place: Option<usize>,
    /// Whether it was tried before moves that precede it, because it is a killer or the best move in the table.
    pub promoted: bool,
    /// The number of visits below it, recorded or not.
    pub below: u64,
}

impl Step {
    fn new(parent: Option<usize>, node: &tree::Node) -> Self {
        Self {
            parent,
            ply: node.ply,
            mv: node.mv.clone(),
            turn: node.turn.number(),
            kind: node.kind.name(),
            again: node.again,
            pv: node.pv,
            window: node.window.map(|end| Some(end).filter(|end| end.abs() < INFINITE)),
            value: node.value,
            bound: node.value.map(|_| node.bound().name()),
            end: node.end.name(),
            by: node.end.by().cloned(),
            moves: 0,
            searched: None,
            place: None,
            promoted: false,
            below: node.below,
        }
    }

    /// Describes the visits of a recorded tree of the engine's own search.
    #[must_use]
    pub fn of(tree: &SearchTree) -> Vec<Self> {
        let mut line: Vec<usize> = Vec::new();
        let steps = tree.nodes.iter().enumerate().map(|(at, node)| {
            line.truncate(node.ply.into());
            let parent = line.last().copied();
            line.push(at);
            Self::new(parent, node)
        });
        steps.collect()
    }
}

/// Runs procedures on a tree. `room` limits the record of each; without it no steps are recorded. The budget is that of
/// each run, and of the minimum.
pub fn study(subject: &Subject<'_>, runs: &[(Procedure, Settings)], budget: &Budget, room: Option<Room>) -> Study {
    Study {
        turn: subject.root.turn().number(),
        minimum: fewest_terminal_positions(&subject.root, budget.clone()).ok(),
        runs: runs.iter().map(|(procedure, settings)| one(subject, *procedure, settings, budget, room)).collect(),
    }
}

fn one(subject: &Subject<'_>, procedure: Procedure, settings: &Settings, budget: &Budget, room: Option<Room>) -> Run {
    let root = &subject.root;
    let mut walk = Walk::new(budget.clone());
    if let Some(room) = room {
        walk.record(root, room, subject.game.map(|(_, depth)| depth));
    }
    let ProcedureResult { value, bound, best, searches, counts } = run_in(&mut walk, root, procedure, settings);
    let mut tree = walk.recorded();
    let mut steps = Vec::new();
    let mut named = None;
    if let Some(tree) = &mut tree {
        mark_principal_variation(tree, best);
        let tree = &*tree;
        let texts = match subject.game {
            Some((board, _)) => board.named(tree, &budget.stop),
            None => tree.with_names(|&code| branch(code)),
        };
        steps = described(root, tree, &texts);
        named = Some(texts);
    }
    let row = procedure.row();
    Run {
        procedure: row.name,
        about: row.about,
        source: row.source,
        value: value.ok(),
        bound: bound.name(),
        spent: value.err().map(|spent: Spent| spent.to_string()),
        best: best.and_then(|code| subject.name(code)),
        searches,
        counts,
        prunings: walk.prunings,
        plies: named.as_ref().map_or(0, |tree| tree.plies),
        steps,
        tree: named,
    }
}

impl Subject<'_> {
    /// Returns the text of a move at the root.
    fn name(&self, code: u16) -> Option<String> {
        let Some((board, _)) = self.game else { return Some(branch(code)) };
        let at = board.codes().iter().position(|&found| found == code)?;
        board.moves().get(at).cloned()
    }
}

/// Returns the number of a branch from 1.
fn branch(code: u16) -> String {
    (u32::from(code) + 1).to_string()
}

/// Marks the line of the last search whose every position has the value of the root: at each the first move of that
/// value, which at the root is the best one.
fn mark_principal_variation(tree: &mut SearchTree<u16>, best: Option<u16>) {
    let Some(mut at) = tree.roots().last() else { return };
    tree.nodes[at].pv = true;
    let mut wanted = best;
    loop {
        let value = tree.nodes[at].value;
        let of_value = |&child: &usize| {
            value.is_some()
                && tree.nodes[child].value == value
                && wanted.is_none_or(|mv| tree.nodes[child].mv == Some(mv))
        };
        let Some(first) = tree.children(at).find(of_value) else { return };
        // A search again of the same move has the value itself.
        let mv = tree.nodes[first].mv;
        at = tree.children(at).filter(|&child| tree.nodes[child].mv == mv).filter(of_value).last().unwrap_or(first);
        tree.nodes[at].pv = true;
        wanted = None;
    }
}

/// Describes the visits of a recorded tree, whose positions are found again from the root.
fn described(root: &Node, tree: &SearchTree<u16>, texts: &SearchTree) -> Vec<Step> {
    // The line to the node: its index, its successors, and which of them were searched so far.
    let mut line: Vec<(usize, Vec<Node>, Vec<bool>)> = Vec::new();
    let mut steps: Vec<Step> = Vec::with_capacity(texts.nodes.len());
    for (at, (node, text)) in tree.nodes.iter().zip(&texts.nodes).enumerate() {
        line.truncate(node.ply.into());
        let mut here = (node.ply == 0).then(|| root.clone());
        let (mut place, mut promoted) = (None, false);
        if let Some((_, successors, searched)) = line.last_mut() {
            let is_it = |q: &Node| node.mv.is_some_and(|mv| mv == q.code() && mv != NULL_MOVE);
            place = successors.iter().position(is_it);
            if let Some(place) = place {
                promoted = searched[..place].contains(&false) && !searched[place];
                searched[place] = true;
                here = Some(successors[place].clone());
            }
        }
        let parent = line.last().map(|(parent, ..)| *parent);
        let successors = here.as_ref().map_or_else(Vec::new, |here| here.successors());
        // The value of a leaf is no bound, whatever the window.
        let own = here.map(|here| if here.turn() == root.turn() { here.value() } else { -here.value() });
        let is_own = successors.is_empty() && own == node.value;
        let step = Step::new(parent, text);
        if let (Some(parent), Some((.., searched))) = (parent, line.last()) {
            steps[parent].searched = Some(searched.iter().filter(|&&done| done).count());
        }
        steps.push(Step {
            moves: successors.len(),
            searched: (node.ply < tree.plies || node.below == 0).then_some(0),
            place,
            promoted,
            bound: if is_own { Some(Bound::Exact.name()) } else { step.bound },
            ..step
        });
        let searched = vec![false; successors.len()];
        line.push((at, successors, searched));
    }
    steps
}
