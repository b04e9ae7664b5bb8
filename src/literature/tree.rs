//! The walk through a game tree, which counts nodes.

use super::budget::{Budget, Meter, Spent};
use crate::core::score::Score;
use crate::core::tree::{End, Room, SearchKind};
use crate::core::{NodeCounts, SearchTree, Side};
use crate::engine::TreeNode;
use crate::search::trace::{Entered, Recorder, StaticValue, Trace};
use crate::search::value::Value;
use std::rc::Rc;

/// A position of a game tree. The procedures need not be fast: they are compiled once, not for each kind of tree.
pub type Node = Rc<dyn TreeNode>;

/// The state of a procedure in a tree.
pub struct Walk {
    /// The counts so far.
    pub counts: NodeCounts,
    /// The cut-offs that left moves out: at a last move there is nothing to cut.
    pub prunings: u64,
    /// The best root move so far.
    pub best: Option<u16>,
    /// The positions from the root to the one entered last, by ply.
    line: Vec<Progress>,
    meter: Meter,
    spent: Option<Spent>,
    record: Option<Box<Record>>,
}

/// The moves of an inner position.
#[derive(Clone, Copy, Default)]
struct Progress {
    moves: usize,
    /// How many of them were entered, and the last of these.
    entered: usize,
    last: Option<u16>,
}

/// The record of a walk.
struct Record {
    recorder: Recorder,
    /// The ply of the horizon: terminal positions there are evaluated, not over.
    horizon: Option<u8>,
    /// The codes of the moves entered last, by ply.
    moves: [u16; 256],
    /// The side to move, the upper end of the window and whether it is a null window, by ply.
    windows: [(Side, Score, bool); 256],
}

impl Record {
    /// Notes the window of a position. It is a null window if the search has narrowed it to one: that of alpha-beta may
    /// become as small by the values found.
    fn kind(&mut self, p: &Node, alpha: Score, beta: Score) -> SearchKind {
        let ply = usize::from(p.ply());
        let is_narrowed = ply.checked_sub(1).map(|above| self.windows[above]).is_none_or(|(turn, end, is_null)| {
            let seen = if turn == p.turn() { beta } else { -alpha };
            is_null || seen < end
        });
        let is_null = beta - alpha == 1 && is_narrowed;
        self.windows[ply] = (p.turn(), beta, is_null);
        if is_null { SearchKind::Null } else { SearchKind::Full }
    }
}

impl Walk {
    /// Creates a walk with these limits.
    pub fn new(budget: Budget) -> Self {
        Self {
            counts: NodeCounts::default(),
            prunings: 0,
            best: None,
            line: vec![Progress::default(); 256],
            meter: Meter::new(budget),
            spent: None,
            record: None,
        }
    }

    /// Records the walk from now on; `root` is where it begins.
    pub fn record(&mut self, root: &Node, room: Room, horizon: Option<u8>) {
        let recorder = Recorder::new(root.turn(), room);
        self.record =
            Some(Box::new(Record { recorder, horizon, moves: [0; 256], windows: [(root.turn(), 0, false); 256] }));
    }

    /// Returns the recorded tree.
    pub fn recorded(&mut self) -> Option<SearchTree<u16>> {
        let record = self.record.take()?;
        let mut tree = record.recorder.tree(0, &[]);
        tree.depth = record.horizon.unwrap_or(tree.plies);
        Some(tree)
    }

    /// Enters a position with a window, for its side to move, and returns its successors. Once the budget is spent,
    /// every position counts as terminal with value 0, so that the procedure ends soon; its result is then meaningless.
    ///
    /// # Errors
    /// The value of a terminal position, for the side to move.
    pub(crate) fn enter(&mut self, p: &Node, alpha: Score, beta: Score) -> Result<Vec<Node>, Score> {
        if self.is_spent() {
            return Err(0);
        }
        self.counts.nodes += 1;
        let successors = p.successors();
        self.begin(p, alpha, beta);
        if successors.is_empty() {
            self.counts.terminal += 1;
            let value = p.value();
            let is_horizon = |record: &Record| record.horizon.is_some_and(|horizon| p.ply() >= horizon);
            let end = if self.record.as_deref().is_some_and(is_horizon) { End::Horizon } else { End::Over };
            self.end(p, value, end);
            return Err(value);
        }
        self.line[usize::from(p.ply())] = Progress { moves: successors.len(), entered: 0, last: None };
        Ok(successors)
    }

    /// Enters a position as if it were terminal and returns its static evaluation.
    pub(crate) fn evaluate(&mut self, p: &Node, alpha: Score, beta: Score) -> Score {
        if self.is_spent() {
            return 0;
        }
        self.counts.nodes += 1;
        self.counts.terminal += 1;
        self.begin(p, alpha, beta);
        let value = p.value();
        self.end(p, value, End::Horizon);
        value
    }

    /// Counts a position whose value is in the table.
    pub(crate) fn hit(&mut self, p: &Node, value: Score, alpha: Score, beta: Score) {
        self.counts.hits += 1;
        self.begin(p, alpha, beta);
        self.end(p, value, End::Table);
    }

    /// Leaves an inner position.
    pub(crate) fn leave(&mut self, p: &Node, value: Score, beta: Score) {
        let Progress { moves, entered, .. } = self.line[usize::from(p.ply())];
        self.prunings += u64::from(value >= beta && entered < moves && self.spent.is_none());
        let Some(record) = self.record.as_deref() else { return };
        let cut = record.moves[usize::from(p.ply()) + 1];
        self.end(p, value, if value >= beta { End::Cutoff(cut) } else { End::Moves });
    }

    fn begin(&mut self, p: &Node, alpha: Score, beta: Score) {
        if let Some(above) = usize::from(p.ply()).checked_sub(1) {
            let above = &mut self.line[above];
            // A search again of the same move is no other move.
            above.entered += usize::from(above.last.replace(p.code()) != Some(p.code()));
        }
        let Some(record) = self.record.as_deref_mut() else { return };
        let kind = record.kind(p, alpha, beta);
        record.moves[usize::from(p.ply())] = p.code();
        record.recorder.next(p.code(), kind);
        let depth = record.horizon.map_or(0, |horizon| i32::from(horizon) - i32::from(p.ply()));
        let entered = Entered { turn: p.turn(), ply: p.ply().into(), depth, window: [alpha, beta] };
        record.recorder.enter(&entered, &|| StaticValue { score: p.value(), from_database: false });
    }

    fn end(&mut self, p: &Node, value: Score, end: End<u16>) {
        let (Some(record), None) = (self.record.as_deref_mut(), self.spent) else { return };
        let value = if end == End::Over { Value::exact(value) } else { Value::guess(value) };
        record.recorder.leave(p.ply().into(), value, end);
    }

    pub(crate) fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Gives up: the budget counts as spent.
    pub(crate) fn give_up(&mut self, spent: Spent) {
        self.spent.get_or_insert(spent);
    }

    fn is_spent(&mut self) -> bool {
        if self.spent.is_none() {
            self.spent = self.meter.spent(self.counts.nodes);
        }
        self.spent.is_some()
    }

    /// Records the move to `q` as the best so far at `p`, if `p` is the root.
    pub(crate) fn choose(&mut self, p: &Node, q: &Node) {
        if self.spent.is_none() && p.ply() == 0 {
            self.best = Some(q.code());
        }
    }

    /// Whether the same side is to move in both.
    pub(crate) fn same(&self, p: &Node, q: &Node) -> bool {
        p.turn() == q.turn()
    }

    /// Leaves an inner position that was searched with a window, and counts its result.
    pub(crate) fn note(&mut self, p: &Node, value: Score, alpha: Score, beta: Score) {
        if self.spent.is_some() {
            return;
        }
        self.leave(p, value, beta);
        self.counts.cutoffs += u64::from(self.counts.kinds.add(value, alpha, beta));
    }
}

/// Searches a successor with the window of its parent. If the other side is to move there, the window is negated and
/// swapped, and the value negated.
pub(crate) fn across(same: bool, alpha: Score, beta: Score, search: impl FnOnce(Score, Score) -> Score) -> Score {
    if same { search(alpha, beta) } else { -search(-beta, -alpha) }
}
