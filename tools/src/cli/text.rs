//! Formats scores and times.

use secateurs::core::{Bound, Proof, Score, score};
use secateurs::util::counted::counted;
use std::time::Duration;

/// Formats a score in units of the game for the side to move: `+1.50`, `win in 3 moves`; a bound with its sign, or as `win
/// within 3 moves`.
pub(crate) fn score(value: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => ">= ",
        Bound::Upper => "<= ",
    };
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
pub(crate) fn within(moves: Score) -> String {
    format!("{} {}", if moves == 1 { "in" } else { "within" }, counted(moves, "move"))
}

/// Returns the bound by which a win or loss is certain, though it may come sooner; `None` for any other score.
fn decided_by(value: Score) -> Option<Bound> {
    score::mate(value).map(|_| if value > 0 { Bound::Lower } else { Bound::Upper })
}

/// Formats a score with what is proven of it: `+1.50 proven at least`, `win within 3 moves proven`.
pub(crate) fn score_and_proof(value: Score, bound: Bound, proof: Proof) -> String {
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

/// Formats a time in seconds, to the millisecond.
pub(crate) fn time(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::core::score::{WIN, win_in};

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
        assert_eq!(time(Duration::from_micros(1_234_567)), "1.235 s");
    }
}
