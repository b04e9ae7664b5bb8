//! What a search counts of the positions that it visits.

/// The positions of one or several searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Positions entered.
    pub nodes: u64,
    /// Terminal ones among them.
    pub terminal: u64,
    /// Positions whose other moves were cut off.
    pub cutoffs: u64,
    /// Positions that a table answered.
    pub hits: u64,
    /// Inner positions by type.
    pub kinds: NodeKinds,
}

/// Inner positions of alpha-beta by where the value fell: types 1, 2 and 3 of Knuth and Moore 1975.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeKinds {
    /// Inside the window: on a principal variation, as far as the search knows.
    pub pv: u64,
    /// At or above it: one move refuted.
    pub cut: u64,
    /// At or below it: every move was searched and none was enough.
    pub all: u64,
}

impl NodeKinds {
    /// Counts an inner position with this value for the window `alpha..beta`; true for a cut-off.
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
