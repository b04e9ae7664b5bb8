//! Values in words: scores, bounds, what is proven of them.

use crate::core::{Bound, Bounds, Proof, Score, score};
use crate::engine::Board;
use crate::util::counted::counted;

/// Formats a score in units of the game for the side to move: `+1.50`, `win in 3 moves`; a bound with its sign, or as
/// `win within 3 moves`.
pub fn score(value: Score, bound: Bound) -> String {
    let sign = bound.sign();
    let Some(moves) = score::mate(value).map(Score::abs) else {
        return format!("{sign}{:+.2}", f64::from(value) / f64::from(score::UNIT));
    };
    let is_win = value > 0;
    if value.abs() == score::WIN {
        return if is_win { "won".into() } else { "lost".into() };
    }
    let outcome = if is_win { "win" } else { "loss" };
    if decided_by(value) == Some(bound) {
        format!("{outcome} {}", within(moves))
    } else {
        format!("{sign}{outcome} in {}", counted(moves, "move"))
    }
}

/// Returns at most so many moves: `within 3 moves`; `in 1 move`, as nothing comes before the first.
pub fn within(moves: Score) -> String {
    format!("{} {}", if moves == 1 { "in" } else { "within" }, counted(moves, "move"))
}

/// Returns the bound by which a win or loss is certain, though it may come sooner; `None` for any other score.
fn decided_by(value: Score) -> Option<Bound> {
    score::mate(value).map(|_| if value > 0 { Bound::Lower } else { Bound::Upper })
}

/// Formats a score with what is proven of it: `+1.50 proven at least`, `win within 3 moves proven`.
pub fn score_and_proof(value: Score, bound: Bound, proof: Proof) -> String {
    let (bound, suffix) = match (proof.lower(), proof.upper(), decided_by(value)) {
        (true, true, _) => (bound, " proven"),
        (true, false, Some(Bound::Lower)) => (Bound::Lower, " proven"),
        (false, true, Some(Bound::Upper)) => (Bound::Upper, " proven"),
        (true, false, _) => (bound, " proven at least"),
        (false, true, _) => (bound, " proven at most"),
        (false, false, _) => (bound, ""),
    };
    score(value, bound) + suffix
}

/// Formats the bounds of a value for the side to move: `0`, `-4 to 6`; in words where the game counts wins by plies and
/// the value is not known: `unknown: no loss and no win within 8 plies`.
pub fn bounds(board: &dyn Board, bounds: Bounds) -> String {
    // Margins, and the scores of Connect Four, are not distances.
    let in_plies = |score: &Score| score::distance(*score).is_some_and(|plies| i64::from(plies) == board.count(*score));
    let is_in_plies = bounds.ends().iter().flatten().all(|score| *score == 0 || in_plies(score));
    if bounds.is_exact() || bounds.ends() == [None, None] || !is_in_plies {
        return range(board.count_ends(bounds));
    }
    // What a lower bound says; an upper one says it of the opponent.
    let known = |end: Score, ours: &str, theirs: &str| match score::distance(end) {
        Some(plies) if end > 0 => Some(format!("a {ours}{}", within_plies(plies))),
        Some(plies) => none_before(theirs, -plies),
        None => Some(format!("no {theirs}")),
    };
    let [lower, upper] = bounds.ends();
    let lower = lower.and_then(|end| known(end, "win", "loss"));
    let upper = upper.and_then(|end| known(-end, "loss", "win"));
    match [lower, upper].into_iter().flatten().collect::<Vec<_>>() {
        known if known.is_empty() => "unknown".into(),
        known if bounds.outcome().is_none() => format!("unknown: {}", known.join(" and ")),
        known => known.join(" and "),
    }
}

/// Formats known bounds as numbers.
pub fn range([lower, upper]: [Option<i64>; 2]) -> String {
    match (lower, upper) {
        (None, None) => "unknown".into(),
        (Some(lower), None) => format!("at least {lower}"),
        (None, Some(upper)) => format!("at most {upper}"),
        (Some(lower), Some(upper)) if lower == upper => lower.to_string(),
        (Some(lower), Some(upper)) => format!("{lower} to {upper}"),
    }
}

/// A win or loss in at most so many plies; the greatest distance says no more than the outcome.
fn within_plies(plies: Score) -> String {
    if plies == score::MAX_DISTANCE { String::new() } else { format!(" within {}", counted(plies, "ply")) }
}

/// No win or loss in fewer plies; `None` if that says nothing.
fn none_before(outcome: &str, plies: Score) -> Option<String> {
    (plies > 1 && plies < score::MAX_DISTANCE).then(|| format!("no {outcome} within {}", counted(plies - 1, "ply")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::score::{WIN, win_in};

    #[test]
    fn scores_read_as_people_say_them() {
        for (value, bound, shown) in [
            (150, Bound::Exact, "+1.50"),
            (0, Bound::Exact, "+0.00"),
            (-28_800, Bound::Upper, "<= -288.00"),
            (win_in(1), Bound::Exact, "win in 1 move"),
            (win_in(5), Bound::Lower, "win within 3 moves"),
            (win_in(1), Bound::Lower, "win in 1 move"),
            (win_in(5), Bound::Upper, "<= win in 3 moves"),
            (-win_in(4), Bound::Exact, "loss in 2 moves"),
            (-win_in(4), Bound::Upper, "loss within 2 moves"),
            (-win_in(4), Bound::Lower, ">= loss in 2 moves"),
            (WIN, Bound::Exact, "won"),
            (-WIN, Bound::Exact, "lost"),
        ] {
            assert_eq!(score(value, bound), shown);
        }
        let proofs = [Proof::NONE, Proof::EXACT, Proof::LOWER, Proof::UPPER];
        for (value, shown) in [
            (150, ["+1.50", "+1.50 proven", "+1.50 proven at least", "+1.50 proven at most"]),
            (
                win_in(5),
                [
                    "win in 3 moves",
                    "win in 3 moves proven",
                    "win within 3 moves proven",
                    "win in 3 moves proven at most",
                ],
            ),
            (
                win_in(1),
                ["win in 1 move", "win in 1 move proven", "win in 1 move proven", "win in 1 move proven at most"],
            ),
            (
                -win_in(4),
                [
                    "loss in 2 moves",
                    "loss in 2 moves proven",
                    "loss in 2 moves proven at least",
                    "loss within 2 moves proven",
                ],
            ),
        ] {
            assert_eq!(proofs.map(|proof| score_and_proof(value, Bound::Exact, proof)), shown);
        }
    }
}
