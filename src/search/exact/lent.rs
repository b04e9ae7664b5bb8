//! What exact search lends to a game that solves [small positions](crate::core::Solver::solve_small) itself.

use crate::core::{Bounds, SmallTable};
use crate::search::entry::{Exact, effort};
use crate::search::table::Table;

/// The table and the node count of a search.
pub(super) struct Lent<'a> {
    pub(super) table: &'a Table,
    pub(super) salt: u64,
    pub(super) nodes: &'a mut u64,
}

impl SmallTable for Lent<'_> {
    fn count(&mut self, nodes: u64) {
        *self.nodes += nodes;
    }

    #[inline]
    fn probe(&self, key: u64) -> Option<(Bounds, Option<u16>)> {
        let Exact { lower, upper, code, .. } = self.table.probe_exact(key ^ self.salt)?;
        Some((Bounds { lower, upper }, code))
    }

    #[inline]
    fn keep(&self, key: u64, Bounds { lower, upper }: Bounds, code: Option<u16>, nodes: u64) {
        self.table.store_exact(key ^ self.salt, &Exact { lower, upper, code, effort: effort(nodes) });
    }
}
