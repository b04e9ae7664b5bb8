//! Counts what a search does, as the textbook procedures are counted.

use super::{Asked, Judged, Trace};
use crate::core::NodeCounts;
use crate::core::tree::End;
use crate::search::value::Value;

/// The counts of a search, all iterations together; the root is a node, once for each window. Of a search that was not
/// stopped every node is terminal, answered by the table, or one of the [kinds](NodeCounts::kinds).
#[derive(Clone, Copy, Debug, Default)]
pub struct Census {
    /// What was counted so far.
    pub counts: NodeCounts,
}

impl<M> Trace<M> for Census {
    fn enter(&mut self, _asked: &Asked, _judge: &dyn Fn() -> Judged) {
        self.counts.nodes += 1;
    }

    fn leave(&mut self, asked: &Asked, value: Value, end: End<M>) {
        let [alpha, beta] = asked.window;
        match end {
            End::Over | End::Horizon | End::Rules | End::Database => self.counts.terminal += 1,
            End::Table | End::Enhanced(_) => self.counts.hits += 1,
            End::Cutoff(_) | End::Moves => {
                self.counts.cutoffs += u64::from(self.counts.kinds.add(value.score, alpha, beta));
            }
            End::Stopped => {}
        }
    }
}
