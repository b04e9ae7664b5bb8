//! Formats scores and times.

use secateurs::core::counted;
use secateurs::core::{Bound, Proof, Score, score};
use std::time::Duration;

/// Formats a score in units of the game for the side to move: `+1.50`, `win in 3 moves`; a bound with its sign.
pub(crate) fn score(value: Score, bound: Bound) -> String {
    let sign = match bound {
        Bound::Exact => "",
        Bound::Lower => ">= ",
        Bound::Upper => "<= ",
    };
    let (result, moves) = match score::mate(value) {
        Some(_) if value.abs() == score::WIN => return if value > 0 { "won".into() } else { "lost".into() },
        Some(moves) => (if value > 0 { "win" } else { "loss" }, moves.abs()),
        None => return format!("{sign}{:+.2}", f64::from(value) / f64::from(score::UNIT)),
    };
    format!("{sign}{result} in {}", counted(moves, "move"))
}

/// Returns the suffix for a proven score: ` proven`, ` proven at least`, ` proven at most`, or nothing.
pub(crate) const fn proven(proof: Proof) -> &'static str {
    match (proof.lower(), proof.upper()) {
        (true, true) => " proven",
        (true, false) => " proven at least",
        (false, true) => " proven at most",
        (false, false) => "",
    }
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
            (win_in(5), Bound::Lower, ">= win in 3 moves"),
            (-win_in(4), Bound::Exact, "loss in 2 moves"),
            (WIN, Bound::Exact, "won"),
            (-WIN, Bound::Exact, "lost"),
        ] {
            assert_eq!(score(value, bound), shown);
        }
        let proofs = [Proof::NONE, Proof::EXACT, Proof::LOWER, Proof::UPPER];
        assert_eq!(proofs.map(proven), ["", " proven", " proven at least", " proven at most"]);
        assert_eq!(time(Duration::from_micros(1_234_567)), "1.235 s");
    }
}
