//! A proof of a value: claims about positions, each of which follows from claims about the positions after it, down to
//! finished games.
//!
//! ```text
//! at least x:   one move leads to a position that is worth at least x
//! at most x:    every move leads to a position that is worth at most x
//! ```
//!
//! The search, its table and its databases only choose the moves. They are not part of the proof.

use super::prover::Prover;
use super::shared_proof::SharedProof;
use crate::core::position::{legal_moves, outcome_of};
use crate::core::score::{self, Score, WIN};
use crate::core::solution::{Claim, SolveRequest, Uncertified, Valued};
use crate::core::{Bounds, Heuristics, Position, StopFlag};
use crate::search::searcher::Searcher;
use crate::search::worker::Aborted;
use crate::util::ranks;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use web_time::Instant;

/// The bounds of every value: an immediate loss and an immediate win.
const NOTHING: Bounds = Bounds { lower: -WIN, upper: WIN };

/// A claim in the game's own positions and moves.
type ClaimOf<P> = Claim<P, <P as Position>::Move>;

impl<P: Position, H: Heuristics<P>> Searcher<P, H> {
    /// Solves the position, then reports the claims of a proof of its value: the root's first, every other one after
    /// all claims that rest on it. Positions with equal `identity` are the same. The limits apply to the search and to
    /// the proof separately.
    ///
    /// # Errors
    /// Why there is no proof; no claim has been reported then.
    #[inline(never)]
    pub fn certify(
        &mut self,
        root: &P,
        request: &SolveRequest,
        stop: &StopFlag,
        identity: &dyn Fn(&P) -> String,
        on_claim: &mut dyn FnMut(&ClaimOf<P>),
    ) -> Result<(), Uncertified> {
        let solution = self.solve(root, &SolveRequest { moves: Valued::None, ..request.clone() }, stop, &mut |_| {});
        if !solution.is_solved() {
            return Err(solution.refused.map_or(Uncertified::Stopped, Uncertified::Unsolvable));
        }
        if outcome_of(root).is_some() {
            on_claim(&Claim { position: root.clone(), bounds: solution.bounds, moves: Vec::new() });
            return Ok(());
        }
        let shared = SharedProof::new(1);
        let prover = Prover::new(&self.team(&request.limits, stop, Instant::now()), &shared, 0);
        let mut graph = Graph { prover, identity, nodes: Vec::new(), indices: HashMap::new(), open: Vec::new() };
        graph.claim(root, solution.bounds)?;
        while let Some(index) = graph.open.pop() {
            graph.justify(index)?;
        }
        let order = graph.order()?;
        order.into_iter().for_each(|index| on_claim(&graph.claim_at(index)));
        Ok(())
    }
}

/// The claims so far.
struct Graph<'a, P: Position, H: Heuristics<P>> {
    prover: Prover<'a, P, H>,
    identity: &'a dyn Fn(&P) -> String,
    /// The nodes, the root first.
    nodes: Vec<ClaimNode<P>>,
    indices: HashMap<String, usize>,
    /// Claims made or strengthened since they were justified.
    open: Vec<usize>,
}

/// A claim about a position that is not over.
struct ClaimNode<P: Position> {
    pos: P,
    bounds: Bounds,
    /// A move that shows a lower bound, and that bound.
    best: Option<(P::Move, Score)>,
    /// The indices of the claims that this one rests on.
    rests_on: Vec<usize>,
    is_open: bool,
}

impl<P: Position, H: Heuristics<P>> Graph<'_, P, H> {
    /// Claims bounds of a position. Returns its index, or `None` if the rules alone show them.
    fn claim(&mut self, pos: &P, bounds: Bounds) -> Result<Option<usize>, Uncertified> {
        if let Some(value) = outcome_of(pos).map(|outcome| outcome.score()) {
            return if bounds.hold(value) == value { Ok(None) } else { Err(Uncertified::Refuted) };
        }
        if NOTHING.and(bounds) == NOTHING {
            return Ok(None);
        }
        let index = match self.indices.entry((self.identity)(pos)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let node =
                    ClaimNode { pos: pos.clone(), bounds: NOTHING, best: None, rests_on: Vec::new(), is_open: false };
                self.nodes.push(node);
                *free.insert(self.nodes.len() - 1)
            }
        };
        let node = &mut self.nodes[index];
        let both = node.bounds.and(bounds);
        if both.lower > both.upper {
            return Err(Uncertified::Refuted);
        }
        if both != node.bounds {
            node.bounds = both;
            if !node.is_open {
                node.is_open = true;
                self.open.push(index);
            }
        }
        Ok(Some(index))
    }

    /// Makes the claims that a claim rests on.
    fn justify(&mut self, index: usize) -> Result<(), Uncertified> {
        if self.prover.budget.exhausted(self.prover.nodes) {
            return Err(Uncertified::Stopped);
        }
        self.prover.nodes += 1;
        let node = &mut self.nodes[index];
        node.is_open = false;
        let (pos, bounds, best) = (node.pos.clone(), node.bounds, node.best);
        let mut rests_on = Vec::new();
        if bounds.lower > NOTHING.lower {
            let mv = match best {
                Some((mv, shown)) if shown >= bounds.lower => mv,
                _ => self.best(&pos, bounds.lower)?,
            };
            self.nodes[index].best = Some((mv, bounds.lower));
            let after = pos.after(mv);
            let of_child = passed_on(Bounds { upper: NOTHING.upper, ..bounds }, after.turn() == pos.turn());
            rests_on.extend(self.claim(&after, of_child)?);
        }
        if bounds.upper < NOTHING.upper {
            for mv in legal_moves(&pos) {
                let after = pos.after(mv);
                let of_child = passed_on(Bounds { lower: NOTHING.lower, ..bounds }, after.turn() == pos.turn());
                rests_on.extend(self.claim(&after, of_child)?);
            }
        }
        self.nodes[index].rests_on = rests_on;
        Ok(())
    }

    /// Returns a move that is worth at least `lower`, preferably to a finished game or a position with a sufficient
    /// claim.
    fn best(&mut self, pos: &P, lower: Score) -> Result<P::Move, Uncertified> {
        let entry = self.prover.entry(pos, self.prover.key(pos));
        let hash = entry.and_then(|entry| self.prover.heuristics.table_code(pos, entry.code));
        let (mut children, mut ranks) = (Vec::new(), Vec::new());
        for mv in legal_moves(pos) {
            children.push((mv, pos.after(mv)));
        }
        for (mv, after) in &children {
            let same = after.turn() == pos.turn();
            let claimed = || self.indices.get(&(self.identity)(after)).map(|&index| self.nodes[index].bounds);
            let known = outcome_of(after).map(|outcome| Bounds::exactly(outcome.score())).or_else(claimed);
            if known.unwrap_or(NOTHING).from_node(1).seen(same).lower >= lower {
                return Ok(*mv);
            }
        }
        for (mv, after) in &children {
            let score = self.prover.heuristics.child_score(pos, *mv, after);
            ranks.push(ranks::of_move(Some(pos.code(*mv)) == hash, score));
        }
        for index in ranks::descending(&ranks) {
            let (mv, after) = &children[index];
            let found = self.prover.above(after, after.turn() == pos.turn(), lower - 1, 1);
            let stopped = |Aborted| self.prover.shared.refused().map_or(Uncertified::Stopped, Uncertified::Unsolvable);
            if found.map_err(stopped)? >= lower {
                return Ok(*mv);
            }
        }
        Err(Uncertified::Refuted)
    }

    /// Returns the claims that the root's rests on, itself first, every other one after all claims that rest on it.
    fn order(&self) -> Result<Vec<usize>, Uncertified> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            OnThePath,
            Whole,
        }
        let mut seen = vec![Seen::Not; self.nodes.len()];
        let (mut path, mut order) = (vec![(0, 0)], Vec::new());
        seen[0] = Seen::OnThePath;
        while let Some((index, next)) = path.last_mut() {
            if let Some(&child) = self.nodes[*index].rests_on.get(*next) {
                *next += 1;
                match seen[child] {
                    Seen::Not => {
                        seen[child] = Seen::OnThePath;
                        path.push((child, 0));
                    }
                    Seen::OnThePath => return Err(Uncertified::Circular),
                    Seen::Whole => {}
                }
            } else {
                seen[*index] = Seen::Whole;
                order.push(*index);
                path.pop();
            }
        }
        order.reverse();
        Ok(order)
    }

    fn claim_at(&self, index: usize) -> ClaimOf<P> {
        let ClaimNode { pos, bounds, best, .. } = &self.nodes[index];
        let mut moves = Vec::new();
        if let Some((mv, _)) = best {
            moves.push(*mv);
        }
        if bounds.upper < NOTHING.upper {
            for mv in legal_moves(pos) {
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
        }
        Claim { position: pos.clone(), bounds: *bounds, moves }
    }
}

/// Converts bounds of a position to those of the position after a move; `same` if the side that moved is to move again.
fn passed_on(Bounds { lower, upper }: Bounds, same: bool) -> Bounds {
    let bounds = Bounds { lower: score::to_node(lower, 1), upper: score::to_node(upper, 1) };
    bounds.seen(same)
}
