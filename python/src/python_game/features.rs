//! The features of a game in Python, and the network that its class names.

use super::hooks::overrides;
use super::inspection::{mistyped, repr_of};
use super::state::State;
use crate::error::{OrRaise, class_name};
use crate::threads::calls;
use crate::threads::unwinding::attached;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use secateurs::core::{Features, NetworkShape, Side};
use secateurs::network::WithNetwork;
use std::path::PathBuf;

/// The evaluation, by the states themselves.
#[derive(Clone)]
pub struct PythonHeuristics {
    /// The number of features; 0 if the game has none.
    features: u16,
}

/// Returns the evaluation of a game: by the network that the class of a state names, or else by the states.
///
/// # Errors
/// Those of `Common::new`.
pub fn heuristics(state: &Bound<'_, PyAny>) -> PyResult<WithNetwork<PythonHeuristics>> {
    let (py, kind) = (state.py(), class_name(state));
    let count = calls::attribute(state, intern!(py, "feature_count"))?;
    let wrong = || format!("{kind}.feature_count is an int from 0 to 65535, not {}", repr_of(&count));
    let number = calls::number(&count).map_err(|_| PyTypeError::new_err(wrong()))?;
    let features = number.extract().map_err(|_| PyValueError::new_err(wrong()))?;
    if features > 0 && !overrides(state, intern!(py, "features"))? {
        return Err(PyTypeError::new_err(format!("{kind} has a feature_count, but no method features(player)")));
    }
    let file = calls::attribute(state, intern!(py, "eval_file"))?;
    let path: Option<PathBuf> = file
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{kind}.eval_file is a path, not {}", repr_of(&file))))?;
    let path = path.unwrap_or_default();
    if features == 0 && !path.as_os_str().is_empty() {
        return Err(PyTypeError::new_err(format!("{kind} has an eval_file, but no feature_count")));
    }
    WithNetwork::open::<State>(PythonHeuristics { features }, &kind, &path.to_string_lossy()).or_raise()
}

impl Features<State> for PythonHeuristics {
    fn shape_with(&self, hidden: usize) -> NetworkShape {
        NetworkShape { features: self.features.into(), hidden, buckets: 1 }
    }

    fn active(&self, pos: &State, side: Side, found: impl FnMut(usize)) {
        attached(|py| numbers(pos.object(py), side, self.features)).into_iter().for_each(found);
    }

    fn bucket(&self, _pos: &State) -> usize {
        0
    }
}

/// Returns the features of a state from the perspective of a side.
fn numbers(object: &Bound<'_, PyAny>, side: Side, count: u16) -> PyResult<Vec<usize>> {
    let player = (side.index() + 1).into_pyobject(object.py())?.into_any();
    let features = calls::method(object, intern!(object.py(), "features"), [Some(&player), None])?;
    let wrong = || mistyped(object, "features()", "an iterable of ints", &features);
    let mut numbers = Vec::new();
    for feature in calls::items(&features).map_err(|_| wrong())? {
        let feature = feature?;
        let number = calls::number(&feature).map_err(|_| wrong())?.extract::<u16>();
        let fault = match number {
            Ok(number) if numbers.contains(&usize::from(number)) => format!("the number {number} twice"),
            Ok(number) if number < count => {
                numbers.push(number.into());
                continue;
            }
            _ => format!("numbers from 0 to {}, not {}", count - 1, repr_of(&feature)),
        };
        return Err(PyValueError::new_err(format!("{}.features() has {fault}", class_name(object))));
    }
    Ok(numbers)
}
