//! How a game ended.

use crate::core::{self, Side};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// What an outcome is pickled as: what restores it, and its fields.
type Pickled<'py> = (Bound<'py, PyAny>, (Option<u8>, Option<i16>));

/// How a finished game ended, by player and not by the side to move.
///
/// >>> end = secateur.Position.parse("<1,1,0,0,3> s", houses=1, seeds=2).outcome
/// >>> end
/// Outcome(winner=2, margin=-2)
/// >>> secateur.Position.parse("0 1", "nim").outcome
/// Outcome(winner=2, margin=None)
#[pyclass(frozen, eq, hash, module = "secateur")]
#[derive(PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The player who has won, 1 or 2; ``None``: a draw.
    #[pyo3(get)]
    winner: Option<u8>,
    /// In a game of margins, how many units (in Kalah: seeds) player 1 is ahead, from -288 to 288; ``None`` in others.
    #[pyo3(get)]
    margin: Option<i16>,
}

impl Outcome {
    /// The outcome for the side to move, told by player.
    pub fn new(outcome: core::Outcome, turn: Side) -> Self {
        let first = outcome.of_first(turn);
        let (ahead, margin) = match first {
            core::Outcome::Win => (1, None),
            core::Outcome::Draw => (0, None),
            core::Outcome::Loss => (-1, None),
            core::Outcome::Margin(units) => (units.signum(), Some(units)),
        };
        let winner = match ahead {
            0 => None,
            1.. => Some(1),
            _ => Some(2),
        };
        Self { winner, margin }
    }
}

#[pymethods]
impl Outcome {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.winner, self.margin)))
    }

    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, winner: Option<u8>, margin: Option<i16>) -> Self {
        Self { winner, margin }
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or_else(|| "None".into(), |player| player.to_string());
        let margin = self.margin.map_or_else(|| "None".into(), |units| units.to_string());
        format!("Outcome(winner={winner}, margin={margin})")
    }
}
