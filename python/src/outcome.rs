//! The outcome of a game.

use crate::arguments::{self, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use secateurs::core::score::{MAX_EVALUATION, UNIT};
use secateurs::core::{self, Side};

/// The pickled form of an outcome: its class and its fields.
type PickledOutcome<'py> = (Bound<'py, PyType>, (Option<u8>, Option<i16>));

/// The outcome of a finished game, by player, independent of the side to move.
///
/// >>> end = secateurs.Position.parse("<1,1,0,0,3> s", houses=1, seeds=2).outcome
/// >>> end
/// Outcome(winner=2, margin=-2)
/// >>> secateurs.Position.parse("0 1", "nim").outcome
/// Outcome(winner=2, margin=None)
///
/// A :class:`Game` creates outcomes itself: ``Outcome(winner=1)``, ``Outcome()`` for a draw, ``Outcome(margin=-2)``,
/// whose sign gives the winner.
///
/// :raises ValueError: ``winner`` or ``margin`` is out of range, or they contradict each other.
#[pyclass(frozen, eq, hash, module = "secateurs")]
#[derive(PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner, 1 or 2; ``None``: a draw.
    #[pyo3(get)]
    winner: Option<u8>,
    /// In games of margins, the number of units (in Kalah: seeds) by which player 1 is ahead, -288 to 288; ``None`` in
    /// others.
    #[pyo3(get)]
    margin: Option<i16>,
}

impl Outcome {
    /// Converts the outcome for the side to move to one by player.
    pub fn new(outcome: core::Outcome, turn: Side) -> Self {
        match outcome.of_first(turn) {
            core::Outcome::Win => Self { winner: Some(1), margin: None },
            core::Outcome::Draw => Self { winner: None, margin: None },
            core::Outcome::Loss => Self { winner: Some(2), margin: None },
            core::Outcome::Margin(units) => Self { winner: ahead(units), margin: Some(units) },
        }
    }

    /// Returns the outcome for a side.
    pub fn seen_by(&self, turn: Side) -> core::Outcome {
        let first = match (self.margin, self.winner) {
            (Some(units), _) => core::Outcome::Margin(units),
            (None, Some(1)) => core::Outcome::Win,
            (None, Some(_)) => core::Outcome::Loss,
            (None, None) => core::Outcome::Draw,
        };
        first.of_first(turn)
    }
}

#[pymethods]
impl Outcome {
    #[new]
    #[pyo3(signature = (winner = None, margin = None, **others), text_signature = "(winner=None, margin=None)")]
    fn made(
        py: Python<'_>,
        winner: Option<Value<'_>>,
        margin: Option<Value<'_>>,
        others: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        arguments::no_others(py, "Outcome", others)?;
        let most = i64::from(MAX_EVALUATION / UNIT);
        let winner = winner.map(|winner| arguments::within("winner", &winner, 1..=2, "1 or 2")).transpose()?;
        let units = |margin| arguments::within("margin", &margin, -most..=most, "a whole number from -288 to 288");
        let margin = margin.map(units).transpose()?;
        let natural = margin.and_then(ahead);
        match (winner, margin) {
            (None, _) => Ok(Self { winner: natural, margin }),
            (Some(player), Some(units)) if natural != Some(player) => {
                let message = format!(
                    "winner and margin contradict each other: with player 1 {units} ahead, player {player} has not won"
                );
                Err(PyValueError::new_err(message))
            }
            (winner, margin) => Ok(Self { winner, margin }),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PickledOutcome<'py> {
        (py.get_type::<Self>(), (self.winner, self.margin))
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or_else(|| "None".into(), |player| player.to_string());
        let margin = self.margin.map_or_else(|| "None".into(), |units| units.to_string());
        format!("Outcome(winner={winner}, margin={margin})")
    }
}

/// Returns the winner for a margin of player 1.
fn ahead(units: i16) -> Option<u8> {
    match units {
        0 => None,
        1.. => Some(1),
        _ => Some(2),
    }
}
