//! Counts the nodes of a search as the textbook procedures do.

use super::{Entered, StaticValue, Trace};
use crate::core::tree::End;
use crate::core::{NodeCounts, Score};
use crate::search::value::Value;

/// The counts of a search over all iterations. The root counts once for each window. If the search was not stopped,
/// every node is terminal, a table hit, or one of the [kinds](NodeCounts::kinds).
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeCounter {
    pub(crate) counts: NodeCounts,
    /// The windows of the open nodes, by ply.
    windows: Vec<[Score; 2]>,
}

impl Trace for NodeCounter {
    fn enter(&mut self, node: &Entered, _static_value: &dyn Fn() -> StaticValue) {
        self.counts.nodes += 1;
        self.windows.truncate(node.ply);
        self.windows.resize(node.ply, [0; 2]);
        self.windows.push(node.window);
    }

    fn leave(&mut self, ply: usize, value: Value, end: End<u16>) {
        let [alpha, beta] = self.windows.get(ply).copied().unwrap_or_default();
        match end {
            End::Over | End::Horizon | End::Rules | End::Database | End::Pruned => self.counts.terminal += 1,
            End::Table | End::Enhanced(_) => self.counts.hits += 1,
            End::Cutoff(_) | End::Moves => {
                self.counts.cutoffs += u64::from(self.counts.kinds.add(value.score, alpha, beta));
            }
            End::Stopped => {}
        }
    }
}
