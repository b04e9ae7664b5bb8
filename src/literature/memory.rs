//! Alpha-beta with memory: a hash table for transpositions, killers for moves that caused cut-offs.
//!
//! R. Greenblatt, D. Eastlake and S. Crocker, "The Greenblatt Chess Program" (1967), introduced the table. The form
//! here is that of D. Eppstein's lecture notes "Strategy and board game programming" (1999), which mention fail-soft in
//! passing; here it is an [option](Memory::soft).

use super::tree::{Node, Walk, across};
use crate::core::score::{INFINITE, Score};
use std::collections::HashMap;

/// The table and the killers of a search.
pub struct Memory {
    /// Whether values outside the window are bounds, as in [fail-soft](super::fail_soft) alpha-beta; otherwise they are
    /// clamped to the window.
    pub soft: bool,
    /// The number of slots: a key's slot is its remainder.
    places: usize,
    /// The last position stored in each slot.
    table: HashMap<u64, KnownValue>,
    /// The last two moves that caused a cut-off, by ply; `None` without killers.
    killers: Option<Vec<[Option<u16>; 2]>>,
}

/// A table entry: a position with bounds of its value.
#[derive(Clone, Copy)]
struct KnownValue {
    key: u64,
    lower: Score,
    upper: Score,
    /// The best move, or the move that caused a cut-off.
    best: Option<u16>,
}

impl Memory {
    /// Creates a memory with a table of this many positions (0 for none), with or without killers.
    pub fn new(positions: usize, killers: bool, soft: bool) -> Self {
        Self { soft, places: positions, table: HashMap::new(), killers: killers.then(Vec::new) }
    }

    fn find(&self, key: u64) -> Option<KnownValue> {
        let entry = self.table.get(&self.place(key)?)?;
        (entry.key == key).then_some(*entry)
    }

    fn keep(&mut self, entry: KnownValue) {
        if let Some(place) = self.place(entry.key) {
            self.table.insert(place, entry);
        }
    }

    fn place(&self, key: u64) -> Option<u64> {
        key.checked_rem(self.places as u64)
    }

    fn killers(&self, ply: u8) -> [Option<u16>; 2] {
        self.killers.as_ref().and_then(|killers| killers.get(usize::from(ply))).copied().unwrap_or_default()
    }

    fn kill(&mut self, ply: u8, code: u16) {
        let Some(killers) = &mut self.killers else { return };
        let ply = usize::from(ply);
        if killers.len() <= ply {
            killers.resize(ply + 1, [None; 2]);
        }
        if killers[ply][0] != Some(code) {
            killers[ply] = [Some(code), killers[ply][0]];
        }
    }
}

/// Alpha-beta with a memory. If the bounds of a known position decide, they are returned; otherwise its best move is
/// tried first, then the killers.
pub fn alpha_beta(walk: &mut Walk, memory: &mut Memory, p: &Node, alpha: Score, beta: Score) -> Score {
    let (key, ply) = (p.key(), p.ply());
    let known = memory.find(key);
    let (lower, upper) = known.map_or((-INFINITE, INFINITE), |entry| (entry.lower, entry.upper));
    if lower >= beta || upper <= alpha || lower == upper {
        let value = if lower >= beta { lower } else { upper };
        let value = if memory.soft { value } else { value.clamp(alpha, beta) };
        walk.hit(p, value, alpha, beta);
        return value;
    }
    let mut successors = match walk.enter(p, alpha, beta) {
        Ok(successors) => successors,
        Err(value) => {
            memory.keep(KnownValue { key, lower: value, upper: value, best: None });
            return value;
        }
    };
    // The sort is stable: all other moves keep their order.
    let (first, killers) = (known.and_then(|entry| entry.best), memory.killers(ply));
    successors.sort_by_key(|q| {
        let code = Some(q.code());
        (code != first || first.is_none(), !killers.contains(&code))
    });
    let mut m = if memory.soft { -INFINITE } else { alpha };
    let mut best = first;
    for q in &successors {
        let same = walk.same(p, q);
        let search = |alpha, beta| alpha_beta(walk, memory, q, alpha, beta);
        let t = across(same, m.max(alpha), beta, search);
        if t > m.max(alpha) {
            walk.choose(p, q);
        }
        if t > m {
            (m, best) = (t, Some(q.code()));
        }
        if m >= beta {
            memory.kill(ply, q.code());
            break;
        }
    }
    walk.note(p, m, alpha, beta);
    let (lower, upper) = (if m > alpha { m } else { lower }, if m < beta { m } else { upper });
    memory.keep(KnownValue { key, lower, upper, best });
    m
}
