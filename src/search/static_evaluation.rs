//! The static evaluation of a node, and how it compares with that of the same side's last turn.

use super::alpha_beta::{AlphaBeta, Frame};
use super::entry::{Entry, NO_EVALUATION};
use super::value::Value;
use crate::core::{Bounds, Heuristics, Position, Score};

/// What pruning and reductions know of a node before its moves are searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    /// The static evaluation within the known bounds; `None` in check, or if the search does not need it.
    pub(super) evaluation: Option<Score>,
    /// Whether the static evaluation has improved since the same side's last turn.
    pub(super) improving: bool,
}

impl<P: Position, H: Heuristics<P>> AlphaBeta<'_, P, H> {
    /// Evaluates a node within its known bounds. PV nodes, which are never pruned, are evaluated for the nodes below
    /// them.
    #[inline(always)]
    pub(super) fn estimate(
        &self,
        frame: &Frame<'_, P, H>,
        entry: Option<Entry>,
        known: Bounds,
        pv_node: bool,
    ) -> Estimate {
        let tuning = &self.worker.tuning;
        let improves = tuning.improving > 0;
        if frame.check || !tuning.evaluates_inner_nodes() || (pv_node && !improves) {
            return Estimate::default();
        }
        let evaluation = self.evaluation(frame, entry);
        let value = Value::guess(evaluation).within(known);
        Estimate { evaluation: Some(value.score), improving: improves && is_improving(frame, evaluation) }
    }

    /// Returns the static evaluation, from the table entry if it has one.
    #[inline(always)]
    pub(super) fn evaluation(&self, frame: &Frame<'_, P, H>, entry: Option<Entry>) -> Score {
        let evaluation = match entry {
            Some(Entry { evaluation, .. }) if evaluation != NO_EVALUATION => {
                evaluation + self.heuristics.settled(&frame.pos)
            }
            _ => self.heuristics.evaluate_with(&frame.pos, &frame.state),
        };
        frame.evaluation.set(evaluation);
        evaluation
    }
}

/// Whether an evaluation is above that of the position two plies before, where the same side was to move.
#[inline(always)]
fn is_improving<P: Position, H: Heuristics<P>>(frame: &Frame<'_, P, H>, evaluation: Score) -> bool {
    let before = frame.parent.and_then(|parent| parent.parent);
    before.is_some_and(|before| {
        let last = before.evaluation.get();
        last != NO_EVALUATION && before.pos.turn() == frame.pos.turn() && evaluation > last
    })
}
