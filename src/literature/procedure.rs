//! The procedures by name, with their sources and a common entry point.

use super::aspiration::aspiration;
use super::budget::{Budget, Spent};
use super::floyd::Floyd;
use super::greedy::greedy;
use super::memory::{self, Memory};
use super::mtd::{dual, mtd, sss};
use super::plausibility::Plausibilities;
use super::scout::negascout;
use super::tree::{Node, Walk};
use super::{fail_soft, knuth_moore, proof_number, stack};
use crate::core::score::{INFINITE, Score};
use crate::core::{Bound, NodeCounts, Side};

/// A procedure of the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each has its row")]
pub enum Procedure {
    Minimax,
    Negamax,
    BranchAndBound,
    AlphaBeta,
    Mirror,
    Stack,
    FailSoft,
    Table,
    Killers,
    TableAndKillers,
    Aspiration,
    NegaScout,
    Sss,
    Dual,
    Mtd,
    DfPn,
    Greedy,
    Floyd,
}

/// The description of a procedure.
#[derive(Clone, Copy, Debug)]
pub struct ProcedureRow {
    /// The procedure.
    pub procedure: Procedure,
    /// The name.
    pub name: &'static str,
    /// Another name in the literature.
    pub alias: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The source.
    pub source: &'static str,
}

/// Every procedure, in the order of [`Procedure`].
pub const PROCEDURES: [ProcedureRow; 18] = [
    row(Procedure::Minimax, "minimax", "min-max", "maximum and minimum in turn, every position", "Shannon 1950"),
    row(Procedure::Negamax, "negamax", "f", "the same by the side to move: F", KNUTH_MOORE),
    row(Procedure::BranchAndBound, "branch-and-bound", "f1", "one bound, no deep cut-offs: F1", KNUTH_MOORE),
    row(Procedure::AlphaBeta, "alpha-beta", "f2", "two bounds: F2", KNUTH_MOORE),
    row(Procedure::Mirror, "mirror", "g2", "alpha-beta seen by the other side: G2", KNUTH_MOORE),
    row(Procedure::Stack, "stack", "iterative", "alpha-beta without recursion, on a bounded stack", KNUTH_MOORE),
    row(
        Procedure::FailSoft,
        "fail-soft",
        "soft",
        "alpha-beta whose values outside of the window are bounds",
        "Fishburn 1983",
    ),
    row(Procedure::Table, "table", "memory", "alpha-beta with a hash table", "Greenblatt 1967, Eppstein 1999"),
    row(Procedure::Killers, "killers", "killer", "alpha-beta that tries first what cut off before", "Eppstein 1999"),
    row(Procedure::TableAndKillers, "table+killers", "eppstein", "alpha-beta with both", "Eppstein 1999"),
    row(Procedure::Aspiration, "aspiration", "greenblatt", "a narrow window first", "Greenblatt 1967, Baudet 1978"),
    row(Procedure::NegaScout, "negascout", "pvs", "null windows for all moves but the first", "Reinefeld 1983"),
    row(Procedure::Sss, "sss", "sss*", "null windows from above: SSS*", "Stockman 1979, Plaat et al. 1996"),
    row(Procedure::Dual, "dual", "dual*", "null windows from below: DUAL*", "Marsland et al. 1987, Plaat et al. 1996"),
    row(Procedure::Mtd, "mtdf", "mtd(f)", "null windows from a guess on: MTD(f)", "Plaat et al. 1996"),
    row(Procedure::DfPn, "dfpn", "df-pn", "depth-first proof-number search", "Allis 1994, Nagai 2002"),
    row(Procedure::Greedy, "greedy", "one-ply", "the best move by the evaluation alone", "folklore"),
    row(
        Procedure::Floyd,
        "floyd",
        "plausibility",
        "lines as long as they are plausible",
        "Floyd, in Knuth and Moore 1975",
    ),
];

const KNUTH_MOORE: &str = "Knuth and Moore 1975";

const fn row(
    procedure: Procedure,
    name: &'static str,
    alias: &'static str,
    about: &'static str,
    source: &'static str,
) -> ProcedureRow {
    ProcedureRow { procedure, name, alias, about, source }
}

impl Procedure {
    /// Returns the description.
    pub const fn row(self) -> &'static ProcedureRow {
        &PROCEDURES[self as usize]
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it finds the value of the tree to its horizon. All do except the greedy choice and Floyd's search, which
    /// evaluate other positions: synthetic trees, which have values at their leaves alone, do not support them.
    pub const fn is_exact(self) -> bool {
        !matches!(self, Self::Greedy | Self::Floyd)
    }

    /// Whether it ends lines by plausibility instead of depth.
    pub const fn has_own_horizon(self) -> bool {
        matches!(self, Self::Floyd)
    }

    /// Whether it counts cut-offs.
    pub const fn counts_cutoffs(self) -> bool {
        !matches!(self, Self::Minimax | Self::Negamax | Self::DfPn | Self::Greedy)
    }

    /// Whether it searches with a window, and so counts inner positions by node type (PV, cut, all).
    pub const fn counts_kinds(self) -> bool {
        self.counts_cutoffs() && !matches!(self, Self::BranchAndBound)
    }

    /// Whether it has a table, and so counts table hits.
    pub const fn counts_hits(self) -> bool {
        matches!(self, Self::Table | Self::TableAndKillers | Self::Sss | Self::Dual | Self::Mtd | Self::DfPn)
    }
}

/// The settings of the procedures.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The maximum number of positions in a table. df-pn needs all of its entries and gives up if the table is full.
    pub table: usize,
    /// Whether alpha-beta with a table or killers is fail-soft.
    pub soft: bool,
    /// The first guess of aspiration, MTD(f) and df-pn.
    pub guess: Score,
    /// Half the width of aspiration's first window, at least 1.
    pub window: Score,
    /// The maximum number of positions on the explicit stack.
    pub stack: usize,
    /// The value of df-pn's single question, "is the value at least this?"; `None`: it searches for the exact value.
    pub least: Option<Score>,
    /// The minimum plausibility of a line that is followed.
    pub threshold: f64,
    /// The plausibilities of the moves.
    pub plausibilities: Plausibilities,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            table: 1 << 22,
            soft: true,
            guess: 0,
            window: 50,
            stack: 256,
            least: None,
            threshold: 1e-8,
            plausibilities: Plausibilities::default(),
        }
    }
}

/// The result of a procedure at the root, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcedureResult {
    /// The value, or the limit that was reached.
    pub value: Result<Score, Spent>,
    /// Whether the value is exact or a bound; df-pn with a single question finds a bound.
    pub bound: Bound,
    /// The best move; `None` at a terminal root, or if no move raised the value.
    pub best: Option<u16>,
    /// The number of searches from the root: windows or questions.
    pub searches: u32,
    /// The node counts.
    pub counts: NodeCounts,
}

/// Runs a procedure on the tree below a position.
pub fn run(root: &Node, procedure: Procedure, settings: &Settings, budget: Budget) -> ProcedureResult {
    run_in(&mut Walk::new(budget), root, procedure, settings)
}

/// Runs a procedure in a walk, which may [record](Walk::record) it.
pub fn run_in(walk: &mut Walk, root: &Node, procedure: Procedure, settings: &Settings) -> ProcedureResult {
    let mut bound = Bound::Exact;
    let Settings { table, soft, guess, .. } = *settings;
    let memory = |positions, killers| Memory::new(positions, killers, soft);
    let with_memory =
        |walk: &mut Walk, mut memory| (memory::alpha_beta(walk, &mut memory, root, -INFINITE, INFINITE), 1);
    let (value, searches) = match procedure {
        Procedure::Minimax => {
            let value = knuth_moore::minimax(walk, root);
            (if root.turn() == Side::First { value } else { -value }, 1)
        }
        Procedure::Negamax => (knuth_moore::f(walk, root), 1),
        Procedure::BranchAndBound => (knuth_moore::f1(walk, root, INFINITE), 1),
        Procedure::AlphaBeta => (knuth_moore::f2(walk, root, -INFINITE, INFINITE), 1),
        Procedure::Mirror => (-knuth_moore::g2(walk, root, -INFINITE, INFINITE), 1),
        Procedure::Stack => (stack::f2(walk, root, -INFINITE, INFINITE, settings.stack), 1),
        Procedure::FailSoft => (fail_soft::alpha_beta(walk, root, -INFINITE, INFINITE), 1),
        Procedure::Table => with_memory(walk, memory(table, false)),
        Procedure::Killers => with_memory(walk, memory(0, true)),
        Procedure::TableAndKillers => with_memory(walk, memory(table, true)),
        Procedure::Aspiration => aspiration(walk, root, guess, settings.window),
        Procedure::NegaScout => (negascout(walk, root, -INFINITE, INFINITE), 1),
        // Fail-soft is required: each search continues from the bounds of the last one.
        Procedure::Sss => sss(walk, &mut Memory::new(table, false, true), root),
        Procedure::Dual => dual(walk, &mut Memory::new(table, false, true), root),
        Procedure::Mtd => mtd(walk, &mut Memory::new(table, false, true), root, guess),
        Procedure::DfPn => match settings.least {
            None => proof_number::value(walk, root, guess, table),
            Some(least) => {
                let can = proof_number::can_get(walk, root, least, table) == Some(true);
                bound = if can { Bound::Lower } else { Bound::Upper };
                (if can { least } else { least.saturating_sub(1) }, 1)
            }
        },
        Procedure::Greedy => (greedy(walk, root), 1),
        Procedure::Floyd => {
            let floyd = Floyd { plausibilities: &settings.plausibilities, threshold: settings.threshold };
            (floyd.search(walk, root, 1.0, -INFINITE, INFINITE), 1)
        }
    };
    let (value, best) = walk.spent().map_or((Ok(value), walk.best), |spent| (Err(spent), None));
    ProcedureResult { value, bound, best, searches, counts: walk.counts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_procedures() {
        assert!(PROCEDURES.iter().enumerate().all(|(index, row)| row.procedure as usize == index));
    }
}
