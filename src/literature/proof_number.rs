//! Depth-first proof-number search, df-pn: can the side to move get at least this value?
//!
//! Proof numbers: L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994). Depth-first, with
//! thresholds and a table: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications" (2002).
//!
//! ```text
//!   OR: the prover moves       pn = least pn of the successors     dn = sum of their dn
//!   AND: the other side moves  pn = sum                            dn = least
//!   proven: pn = 0, dn = inf          disproven: pn = inf, dn = 0           not searched yet: 1, 1
//! ```

use super::budget::Spent;
use super::tree::{Node, Walk};
use crate::core::Side;
use crate::core::score::{Score, WIN};
use std::collections::HashMap;

/// The number of a position that cannot be proven, or disproven.
const INFINITE: u32 = u32::MAX;

/// The minimum numbers of positions to be solved until a position is proven, and until it is disproven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

struct Question<'w> {
    walk: &'w mut Walk,
    prover: Side,
    least: Score,
    table: HashMap<u64, Numbers>,
    /// The maximum number of positions in the table.
    room: usize,
}

/// Returns whether the side to move at `p` gets at least `least`; `None` if the walk gave up, as it does when the table
/// would exceed `room` positions.
pub(crate) fn can_get(walk: &mut Walk, p: &Node, least: Score, room: usize) -> Option<bool> {
    let prover = p.turn();
    let mut question = Question { walk, prover, least, table: HashMap::new(), room };
    let limits = Numbers { proof: INFINITE, disproof: INFINITE };
    match question.search(p, limits) {
        _ if walk.spent().is_some() => None,
        Numbers { proof: 0, .. } => Some(true),
        Numbers { disproof: 0, .. } => Some(false),
        _ => None,
    }
}

/// Returns the value and the number of questions. The first question is at `guess`; each further one halves the range.
/// `walk` reports whether it gave up.
pub(crate) fn value(walk: &mut Walk, p: &Node, guess: Score, room: usize) -> (Score, u32) {
    let (mut lower, mut upper, mut questions) = (-WIN, WIN, 0);
    let mut least = guess.clamp(lower + 1, upper);
    while lower < upper {
        match can_get(walk, p, least, room) {
            Some(true) => lower = least,
            Some(false) => upper = least - 1,
            None => break,
        }
        questions += 1;
        // Rounded up: above the lower bound.
        least = lower + (upper - lower + 1) / 2;
    }
    (lower, questions)
}

impl Question<'_> {
    /// Searches a position until one of its numbers reaches its limit.
    fn search(&mut self, p: &Node, limits: Numbers) -> Numbers {
        let ours = p.turn() == self.prover;
        // The question as a null window.
        let (alpha, beta) = if ours { (self.least - 1, self.least) } else { (-self.least, 1 - self.least) };
        let successors = match self.walk.enter(p, alpha, beta) {
            Ok(successors) => successors,
            Err(value) => {
                let enough = if ours { value >= self.least } else { -value >= self.least };
                let (proof, disproof) = if enough { (0, INFINITE) } else { (INFINITE, 0) };
                return self.keep(p, Numbers { proof, disproof });
            }
        };
        loop {
            let known: Vec<Numbers> = successors.iter().map(|q| self.look(q)).collect();
            let now = gathered(ours, &known);
            if now.proof == 0
                && ours
                && let Some(proven) = (0..known.len()).find(|&index| known[index].proof == 0)
            {
                self.walk.choose(p, &successors[proven]);
            }
            let done = now.proof >= limits.proof || now.disproof >= limits.disproof;
            if done || self.walk.spent().is_some() {
                // A position that is neither proven nor disproven yet has no value.
                if now.proof == 0 || now.disproof == 0 {
                    self.walk.leave(p, if (now.proof == 0) == ours { beta } else { alpha }, beta);
                }
                return self.keep(p, now);
            }
            // The most promising successor is searched until another one is more promising.
            let number = |numbers: &Numbers| if ours { numbers.proof } else { numbers.disproof };
            let Some(best) = (0..known.len()).min_by_key(|&index| number(&known[index])) else { return now };
            let others = known.iter().enumerate().filter(|&(index, _)| index != best);
            let second = others.map(|(_, numbers)| number(numbers)).min().unwrap_or(INFINITE);
            let rest = |limit: u32, sum: u32, part: u32| {
                if limit == INFINITE { INFINITE } else { limit - sum + part }
            };
            let limits = if ours {
                Numbers {
                    proof: limits.proof.min(second.saturating_add(1)),
                    disproof: rest(limits.disproof, now.disproof, known[best].disproof),
                }
            } else {
                Numbers {
                    proof: rest(limits.proof, now.proof, known[best].proof),
                    disproof: limits.disproof.min(second.saturating_add(1)),
                }
            };
            self.search(&successors[best], limits);
        }
    }

    fn look(&mut self, p: &Node) -> Numbers {
        let known = self.table.get(&p.key());
        self.walk.counts.hits += u64::from(known.is_some());
        known.copied().unwrap_or(Numbers { proof: 1, disproof: 1 })
    }

    fn keep(&mut self, p: &Node, numbers: Numbers) -> Numbers {
        self.table.insert(p.key(), numbers);
        if self.table.len() > self.room {
            self.walk.give_up(Spent::Table(self.room));
        }
        numbers
    }
}

/// Returns the numbers of a position from those of its successors.
fn gathered(ours: bool, successors: &[Numbers]) -> Numbers {
    let least = |of: fn(&Numbers) -> u32| successors.iter().map(of).min().unwrap_or(INFINITE);
    // A sum is infinite if and only if one of its terms is.
    let sum = |of: fn(&Numbers) -> u32| {
        let finite = successors
            .iter()
            .map(of)
            .try_fold(0_u32, |sum, part| (part != INFINITE).then(|| sum.saturating_add(part).min(INFINITE - 1)));
        finite.unwrap_or(INFINITE)
    };
    let (proof, disproof) = (|numbers: &Numbers| numbers.proof, |numbers: &Numbers| numbers.disproof);
    if ours {
        Numbers { proof: least(proof), disproof: sum(disproof) }
    } else {
        Numbers { proof: sum(proof), disproof: least(disproof) }
    }
}
