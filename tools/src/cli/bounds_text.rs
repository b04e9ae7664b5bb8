//! Formats the bounds of a value, as far as exact search knows it.

use secateurs::core::{Bounds, Score, score};
use secateurs::engine::Board;
use secateurs::util::counted::counted;

/// Formats the bounds of a value for the side to move: `0`, `-4 to 6`; in words where the game counts wins by plies and
/// the value is not known: `unknown: no loss and no win within 8 plies`.
pub(super) fn bounds(board: &dyn Board, bounds: Bounds) -> String {
    // Margins, and the scores of Connect Four, are not distances.
    let in_plies = |score: &Score| score::distance(*score).is_some_and(|plies| i64::from(plies) == board.count(*score));
    let is_in_plies = bounds.ends().iter().flatten().all(|score| *score == 0 || in_plies(score));
    if bounds.is_exact() || bounds.ends() == [None, None] || !is_in_plies {
        return range(board.count_ends(bounds));
    }
    let [lower, upper] = bounds.ends().map(|end| end.map(Side::from_score));
    let lower = lower.and_then(|side| match side {
        Side::Win(plies) => Some(format!("a win{}", within(plies))),
        Side::Draw => Some("no loss".into()),
        Side::Loss(plies) => none_before("loss", plies),
    });
    let upper = upper.and_then(|side| match side {
        Side::Win(plies) => none_before("win", plies),
        Side::Draw => Some("no win".into()),
        Side::Loss(plies) => Some(format!("a loss{}", within(plies))),
    });
    match [lower, upper].into_iter().flatten().collect::<Vec<_>>() {
        known if known.is_empty() => "unknown".into(),
        known if bounds.outcome().is_none() => format!("unknown: {}", known.join(" and ")),
        known => known.join(" and "),
    }
}

/// Formats known bounds as numbers.
pub(super) fn range([lower, upper]: [Option<i64>; 2]) -> String {
    match (lower, upper) {
        (None, None) => "unknown".into(),
        (Some(lower), None) => format!("at least {lower}"),
        (None, Some(upper)) => format!("at most {upper}"),
        (Some(lower), Some(upper)) if lower == upper => lower.to_string(),
        (Some(lower), Some(upper)) => format!("{lower} to {upper}"),
    }
}

/// The outcome of a score, and in how many plies.
enum Side {
    Win(Score),
    Draw,
    Loss(Score),
}

impl Side {
    fn from_score(score: Score) -> Self {
        match score::distance(score) {
            Some(plies) if score > 0 => Self::Win(plies),
            Some(plies) => Self::Loss(-plies),
            None => Self::Draw,
        }
    }
}

/// A win or loss in at most so many plies; the greatest distance says no more than the outcome.
fn within(plies: Score) -> String {
    if plies == score::MAX_DISTANCE { String::new() } else { format!(" within {}", counted(plies, "ply")) }
}

/// No win or loss in fewer plies; `None` if that says nothing.
fn none_before(outcome: &str, plies: Score) -> Option<String> {
    (plies > 1 && plies < score::MAX_DISTANCE).then(|| format!("no {outcome} within {}", counted(plies - 1, "ply")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::core::score::{MAX_DISTANCE, UNIT, win_in};
    use secateurs::registry;

    fn shown(game: &str, lower: Score, upper: Score) -> String {
        let game = registry::find(game).unwrap();
        bounds(&*game.start(&game.defaults()).unwrap(), Bounds { lower, upper })
    }

    #[test]
    fn bounds_in_plies_are_words() {
        assert_eq!(shown("chess", -win_in(9), win_in(10)), "unknown: no loss within 8 plies and no win within 9 plies");
        assert_eq!(shown("chess", 0, win_in(2)), "unknown: no loss and no win within 1 ply");
        assert_eq!(shown("chess", 0, win_in(1)), "unknown: no loss");
        assert_eq!(shown("chess", win_in(12), win_in(5)), "a win within 12 plies and no win within 4 plies");
        assert_eq!(shown("chess", win_in(MAX_DISTANCE), win_in(1)), "a win");
        assert_eq!(shown("chess", -win_in(3), -win_in(7)), "no loss within 2 plies and a loss within 7 plies");
        assert_eq!(shown("chess", -win_in(1), win_in(1)), "unknown");
        assert_eq!(shown("chess", win_in(3), win_in(3)), "3");
        assert_eq!(shown("chess", 0, 0), "0");
    }

    #[test]
    fn margins_and_scores_are_numbers() {
        assert_eq!(shown("kalah", -44 * UNIT, 44 * UNIT), "-44 to 44");
        assert_eq!(shown("connect4", -win_in(42), win_in(41)), "-1 to 1");
        assert_eq!(shown("connect4", 0, 0), "0");
    }
}
