//! Node counts of searches.

use serde::Serialize;

/// The positions of one or several searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeCounts {
    /// Positions entered.
    pub nodes: u64,
    /// Terminal positions among them.
    pub terminal: u64,
    /// Positions at which a move caused a cut-off.
    pub cutoffs: u64,
    /// Positions answered by a table.
    pub hits: u64,
    /// Inner positions by type.
    pub kinds: NodeKinds,
}

/// Inner positions of alpha-beta by type: types 1, 2 and 3 of Knuth and Moore 1975.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeKinds {
    /// PV-nodes: the value is inside the window.
    pub pv: u64,
    /// Cut-nodes: the value is at or above the window (fail high).
    pub cut: u64,
    /// All-nodes: the value is at or below the window (fail low); every move was searched.
    pub all: u64,
}

impl NodeKinds {
    /// Counts an inner position with this value in the window `alpha..beta`. Returns true for a cut-off.
    pub fn add(&mut self, value: super::Score, alpha: super::Score, beta: super::Score) -> bool {
        if value >= beta {
            self.cut += 1;
        } else if value > alpha {
            self.pv += 1;
        } else {
            self.all += 1;
        }
        value >= beta
    }
}
