//! The order of the lines of an iteration, and the random choice among equal best moves.

use super::best_line::{RootLine, Tie};
use super::root_moves::RootMoves;
use crate::core::Proof;
use crate::util::random::mixed;
use std::cmp::Reverse;

/// Sorts the lines of an iteration by score: they may be out of order, because threads change the table between them.
/// Moves equal to the best may stand in lines of their own.
pub(super) fn rank(moves: &mut RootMoves, lines: &mut [RootLine]) {
    if lines.iter().any(|found| found.value.score > lines[0].value.score) {
        // A proof about all moves is not a proof about one of them, and vice versa.
        for (line, found) in lines.iter_mut().enumerate() {
            found.value.proof = found.value.proof.and(if line == 0 { Proof::UPPER } else { Proof::LOWER });
            found.is_settled = false;
        }
    }
    lines.sort_by_key(|found| Reverse(found.value.score));
    moves.bring_to_front(lines.iter().map(|found| found.pv[0]));
    let best = lines[0].value.score;
    let mut ties = std::mem::take(&mut lines[0].ties);
    let others: Vec<_> = lines[1..].iter_mut().map(|found| (found.value, std::mem::take(&mut found.ties))).collect();
    if !others.is_empty() && !ties.is_empty() {
        // By place: there may be thousands of moves, in hundreds of lines.
        let mut listed = vec![false; moves.list.len()];
        let mut is_new = |tie: &Tie| !std::mem::replace(&mut listed[tie.place], true);
        ties.retain(&mut is_new);
        let equal = others.into_iter().filter(|(value, _)| value.score == best);
        ties.extend(equal.flat_map(|(_, equal)| equal).filter(is_new));
    }
    lines[0].ties = ties;
}

/// Chooses one of the ties as the best move at random, a proven one if the best is proven. The choice depends on the
/// ties and `random` alone. If the chosen move has a line of its own, the two lines are exchanged.
pub(super) fn choose(moves: &RootMoves, lines: &mut [RootLine], random: u64) {
    let best = lines[0].value;
    let line_of = |code| lines.iter().position(|found| found.pv[0] == code);
    let mut ties = lines[0].ties.clone();
    ties.retain(|&Tie { code, proof, .. }| {
        let equal = line_of(code).is_none_or(|line| lines[line].value.score == best.score);
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
            let (first, other) = (&mut first[0], &mut rest[0]);
            std::mem::swap(&mut first.pv, &mut other.pv);
            let old = first.ties.iter().find(|tie| tie.code == other.pv[0]);
            other.value.proof = old.map_or(Proof::NONE, |tie| tie.proof);
        }
        None => {
            if let Some(found) = moves.list.iter().find(|root| root.code == chosen) {
                lines[0].pv.clone_from(&found.pv);
            }
        }
    }
}
