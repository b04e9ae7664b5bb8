//! The order of the lines of an iteration, and the random choice among equal best moves.

use super::root::{Root, RootResult, Tie};
use crate::core::Proof;
use crate::core::random::mixed;
use std::cmp::Reverse;
use std::iter;

/// Sorts the lines of an iteration by score: they may be out of order, because threads change the table between them.
/// Moves equal to the best may stand in lines of their own.
pub(super) fn rank(root: &mut Root, lines: &mut [(u8, RootResult)]) {
    if lines.iter().any(|(_, found)| found.value.score > lines[0].1.value.score) {
        // A proof about all moves is no proof about one of them, and vice versa.
        let (first, rest) = lines.split_at_mut(1);
        for (found, keep) in
            iter::once((&mut first[0].1, Proof::UPPER)).chain(rest.iter_mut().map(|(_, found)| (found, Proof::LOWER)))
        {
            found.value.proof = found.value.proof.and(keep);
            found.settled = false;
        }
    }
    lines.sort_by_key(|(_, found)| Reverse(found.value.score));
    root.bring_to_front(lines.iter().map(|(_, found)| found.pv[0]));
    let best = lines[0].1.value.score;
    let mut ties = std::mem::take(&mut lines[0].1.ties);
    let others: Vec<_> =
        lines[1..].iter_mut().map(|(_, found)| (found.value, std::mem::take(&mut found.ties))).collect();
    if !others.is_empty() && !ties.is_empty() {
        // By place: there may be thousands of moves, in hundreds of lines.
        let mut listed = vec![false; root.moves.len()];
        let mut is_new = |tie: &Tie| !std::mem::replace(&mut listed[tie.place], true);
        ties.retain(&mut is_new);
        let equal = others.into_iter().filter(|(value, _)| value.score == best);
        ties.extend(equal.flat_map(|(_, equal)| equal).filter(is_new));
    }
    lines[0].1.ties = ties;
}

/// Chooses one of the ties as the best move at random, a proven one if the best is proven. The choice depends on the
/// ties and `random` alone. If the chosen move has a line of its own, the two lines are exchanged.
pub(super) fn choose(root: &Root, lines: &mut [(u8, RootResult)], random: u64) {
    let best = lines[0].1.value;
    let line_of = |code| lines.iter().position(|(_, found)| found.pv[0] == code);
    let mut ties = lines[0].1.ties.clone();
    ties.retain(|&Tie { code, proof, .. }| {
        let equal = line_of(code).is_none_or(|line| lines[line].1.value.score == best.score);
        equal && (proof.lower() || !best.proof.exact())
    });
    if ties.len() < 2 {
        return;
    }
    ties.sort_by_key(|tie| tie.place);
    let Tie { code: chosen, .. } = ties[(mixed(random) % ties.len() as u64) as usize];
    match line_of(chosen) {
        Some(0) => (),
        Some(line) => {
            let (first, rest) = lines.split_at_mut(line);
            let (first, other) = (&mut first[0].1, &mut rest[0].1);
            std::mem::swap(&mut first.pv, &mut other.pv);
            let old = first.ties.iter().find(|tie| tie.code == other.pv[0]);
            other.value.proof = old.map_or(Proof::NONE, |tie| tie.proof);
        }
        None => {
            if let Some(found) = root.moves.iter().find(|root| root.code == chosen) {
                lines[0].1.pv.clone_from(&found.pv);
            }
        }
    }
}
