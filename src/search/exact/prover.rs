//! [`Prover`]: one thread of an exact search, and what it knows of a position without a search.

use super::shared_proof::SharedProof;
use crate::core::score::{INFINITE, Score, to_node, win_in};
use crate::core::{Bounds, Heuristics, Position, SmallTable};
use crate::search::budget::Budget;
use crate::search::entry::{Exact, effort};
use crate::search::table::Table;
use crate::search::value::{from_table, to_table};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The salt that separates the entries of exact search from all others.
pub(super) const SALT: u64 = 0x6a09_e667_f3bc_c908;

pub(super) struct Prover<'a, P: Position, H: Heuristics<P>> {
    pub(super) heuristics: &'a H,
    pub(super) table: &'a Table,
    pub(super) salt: u64,
    /// The children of every position on the path, in one buffer.
    pub(super) children: Vec<Child<P>>,
    pub(super) scratch: Vec<P::Move>,
    /// The keys of the positions on the path, if the game is [cyclic](Position::CYCLIC).
    pub(super) path: Vec<u64>,
    pub(super) nodes: u64,
    pub(super) budget: Budget<'a>,
    pub(super) shared: &'a SharedProof<P>,
    /// Whether the current question is over.
    pub(super) is_over: Arc<AtomicBool>,
}

/// A move to be searched, with the position after it and after the moves that it forces.
#[derive(Clone)]
pub(super) struct Child<P: Position> {
    pub(super) pos: P,
    pub(super) key: u64,
    /// The bounds by the rules and the table, for the side to move there.
    pub(super) known: Bounds,
    pub(super) rank: i32,
    pub(super) mv: P::Move,
    pub(super) code: u16,
    /// Whether the side to move there is also to move at the parent.
    pub(super) same: bool,
    /// The distance from the root, plies.
    pub(super) ply: usize,
    /// The known bounds of the value for the side to move at the parent, apart from the value of `pos`.
    pub(super) limits: Bounds,
}

impl<P: Position> Child<P> {
    /// Returns the bounds of the value for the side to move at the parent.
    #[inline]
    pub(super) fn ours(&self) -> Bounds {
        self.limits.hold_both(self.known.seen(self.same))
    }
}

impl<P: Position, H: Heuristics<P>> Prover<'_, P, H> {
    /// Returns the bounds of a position without any search, with win distances from the root.
    #[inline]
    pub(super) fn facts(&self, pos: &P, ply: usize) -> Bounds {
        match recorded(self.heuristics, pos) {
            Some(bounds) if !pos.is_over() => bounds.from_node(ply as Score),
            _ => self.rules(pos, ply),
        }
    }

    /// Returns the bounds of a position without any search, but only as far as needed to decide whether it is worth
    /// more than `alpha` to the side to move at an earlier one; `same` if it is that side's turn.
    #[inline]
    pub(super) fn facts_for(&self, pos: &P, same: bool, expensive: bool, alpha: Score, ply: usize) -> Bounds {
        let facts = self.rules(pos, ply);
        if settled(facts.seen(same), alpha).is_some() {
            return facts;
        }
        // A database read may be slow: it is skipped if the rules decide.
        if let Some(bounds) = recorded(self.heuristics, pos) {
            return bounds.from_node(ply as Score);
        }
        if !expensive {
            return facts;
        }
        let bound = to_node(if same { alpha } else { -alpha - 1 }, ply as Score);
        facts.and(self.heuristics.expensive_bounds(pos, bound).from_node(ply as Score))
    }

    /// Returns the bounds by the rules alone, with win distances from the root.
    #[inline]
    fn rules(&self, pos: &P, ply: usize) -> Bounds {
        let bounds = if pos.is_over() {
            Bounds::exactly(pos.outcome().score())
        } else if pos.is_drawn() {
            Bounds::exactly(0)
        } else {
            // No win is nearer than the next move. With this bound, a search for early wins seldom meets a repetition.
            let nearest = if P::CYCLIC { win_in(1) } else { INFINITE };
            self.heuristics.bounds(pos).and(Bounds { lower: -nearest, upper: nearest })
        };
        bounds.from_node(ply as Score)
    }

    /// Returns the known bounds narrowed by the table entry, and its move.
    #[inline]
    pub(super) fn probe(&self, pos: &P, key: u64, known: Bounds, ply: usize) -> (Bounds, Option<u16>) {
        let Some(entry) = self.entry(pos, key) else { return (known, None) };
        let hash = self.heuristics.table_code(pos, entry.code);
        (known.and(self.absolute(pos, &entry, ply)), hash)
    }

    #[inline]
    pub(super) fn entry(&self, pos: &P, key: u64) -> Option<Exact> {
        if self.heuristics.use_table(pos) { self.table.probe_exact(key) } else { None }
    }

    /// Returns the key of a position in the shared table; 0 if the table is not used for it.
    #[inline]
    pub(super) fn key(&self, pos: &P) -> u64 {
        if self.heuristics.use_table(pos) { self.heuristics.exact_key(pos) ^ self.salt } else { 0 }
    }

    /// Stores the bounds of a position; `before` is the node count when its search began.
    #[inline]
    pub(super) fn keep(&self, pos: &P, key: u64, known: Bounds, code: Option<u16>, before: u64, ply: usize) {
        if !self.heuristics.use_table(pos) {
            return;
        }
        let settled = self.heuristics.settled(pos);
        let (lower, upper) = (to_table(known.lower, settled, ply), to_table(known.upper, settled, ply));
        let code = self.heuristics.table_code(pos, code);
        self.table.store_exact(key, &Exact { lower, upper, code, effort: effort(self.nodes - before) });
    }

    /// Returns the bounds of an entry as the search uses them: as far as the clock of the position allows, with the
    /// settled score, win distances from the root.
    #[inline]
    pub(super) fn absolute(&self, pos: &P, entry: &Exact, ply: usize) -> Bounds {
        let settled = self.heuristics.settled(pos);
        let Bounds { lower, upper } = in_time(pos, Bounds { lower: entry.lower, upper: entry.upper });
        Bounds { lower: from_table(lower, settled, ply), upper: from_table(upper, settled, ply) }
    }
}

/// The table and the node count of the search, for games that solve [small positions](crate::core::Solver::solve_small)
/// themselves.
pub(super) struct SmallSolverTable<'a> {
    pub(super) table: &'a Table,
    pub(super) salt: u64,
    pub(super) nodes: &'a mut u64,
}

impl SmallTable for SmallSolverTable<'_> {
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

/// Returns the bound that decides whether the value is above `alpha`, if one does.
#[inline]
pub(super) fn settled(known: Bounds, alpha: Score) -> Option<Score> {
    if known.lower > alpha {
        Some(known.lower)
    } else if known.upper <= alpha {
        Some(known.upper)
    } else {
        None
    }
}

/// Weakens bounds that ignore the clock of a position to those that hold with it.
#[inline]
fn in_time<P: Position>(pos: &P, bounds: Bounds) -> Bounds {
    pos.clock_free_plies().map_or(bounds, |plies| bounds.within_clock(plies))
}

/// Returns the bounds in the databases, as far as they hold with the clock of the position.
#[inline]
pub(super) fn recorded<P: Position, H: Heuristics<P>>(heuristics: &H, pos: &P) -> Option<Bounds> {
    heuristics.database_bounds(pos).map(|bounds| in_time(pos, bounds))
}
