//! The lines of a certificate, and the notation of values.

use crate::core::score::{self, Score, UNIT, WIN};
use crate::core::{Bounds, Options};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the format.
pub const VERSION: u32 = 1;

/// The longest line, in bytes.
pub const LONGEST: u64 = 1 << 20;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    /// The version of the format.
    pub certificate: u32,
    pub game: String,
    /// The options of the game without folders; missing ones have their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// Every other line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProofLine {
    pub position: String,
    /// Null if no lower bound is claimed; the same holds for `upper`.
    pub lower: Option<Score>,
    pub upper: Option<Score>,
    pub moves: Vec<String>,
}

/// Returns the options as a certificate lists them.
pub(super) fn named(options: &Options) -> BTreeMap<String, String> {
    options.shaping().map(|(row, value)| (row.name.to_owned(), value.to_string())).collect()
}

/// Converts bounds to the notation of the file: margins in the game's units, win distances as scores.
pub(super) fn written(bounds: Bounds) -> [Option<Score>; 2] {
    let shown = |score: Score| if score::is_decisive(score) { score } else { score / UNIT };
    let Bounds { lower, upper } = bounds;
    let claims = |says: bool| says || bounds.is_exact();
    [claims(lower > -WIN).then(|| shown(lower)), claims(upper < WIN).then(|| shown(upper))]
}

/// Converts bounds from the notation of the file; `None` if a number is not a valid value.
pub(super) fn read(lower: Option<Score>, upper: Option<Score>) -> Option<Bounds> {
    let score = |value: Score| {
        let margin = value.checked_mul(UNIT).filter(|margin| !score::is_decisive(*margin));
        margin.or_else(|| (score::is_decisive(value) && value.checked_abs()? <= WIN).then_some(value))
    };
    Some(Bounds { lower: lower.map_or(Some(-WIN), score)?, upper: upper.map_or(Some(WIN), score)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::score::{MAX_EVALUATION, win_in};

    #[test]
    fn values_come_back_as_they_went_in() {
        for (score, value) in [(0, 0), (700, 7), (-MAX_EVALUATION, -288), (win_in(3), 31_997), (-WIN, -32_000)] {
            let bounds = Bounds::exactly(score);
            assert_eq!(written(bounds), [Some(value); 2]);
            assert_eq!(read(Some(value), Some(value)), Some(bounds));
        }
        assert_eq!(written(Bounds { lower: -WIN, upper: 100 }), [None, Some(1)]);
        assert_eq!(read(None, Some(1)), Some(Bounds { lower: -WIN, upper: 100 }));
    }

    #[test]
    fn other_numbers_are_no_values() {
        for value in [289, -289, 28_800, 32_001, -32_001, Score::MIN, Score::MAX] {
            assert_eq!(read(Some(value), None), None, "{value}");
        }
    }
}
