//! A value and the player for whom it is.

use crate::arguments::{self, Value};
use crate::python_modules::missing;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyType};
use secateurs::core::score::{self, UNIT};
use secateurs::core::{self, Proof, Side};

/// A value for one of the players, with what is proven of it.
///
/// Margins and evaluations are within +-28,800 centi-units (100 is one seed); a win in ``n`` plies is 32,000 - ``n``, a
/// loss -32,000 + ``n``. Scores for the same player are ordered by value; scores for different players have no order
/// until :meth:`pov` converts them to the same player. Scores are equal if they are equal for the same player:
/// ``Score(1, 1) == Score(-1, 2)``. Comparisons ignore what is proven.
///
/// >>> score = secateurs.Score(200, 1, "lower")
/// >>> print(score, -score, sep=", ")
/// at least +2.00, at most -2.00
/// >>> score.pov(2) == -score == score, score > secateurs.Score(-50, 1)
/// (True, True)
/// >>> print(secateurs.Score(31_995, 1), secateurs.Score(-31_996, 2, "exact"), sep=", ")
/// win in 5 plies, loss in 4 plies proven
///
/// ``float(score)`` is :attr:`cp` in units, -320 to 320: a win in ``n`` plies is 320 - ``n``/100, above all margins.
///
/// >>> float(secateurs.Score(250, 1)), float(secateurs.Score(31_995, 1))
/// (2.5, 319.95)
///
/// :param cp: the value in centi-units, -32,000 to 32,000.
/// :param player: the player for whom the value is, 1 or 2.
/// :param proven: what is proven: "exact", "lower" (at least this), "upper" (at most this), or ``None``.
/// :raises ValueError: an argument is out of range.
#[pyclass(frozen, module = "secateurs")]
#[derive(Clone, Copy)]
pub struct Score {
    /// The value in centi-units (100 is one seed), -32,000 to 32,000.
    #[pyo3(get)]
    cp: core::Score,
    side: Side,
    proof: Proof,
}

impl Score {
    /// Creates the score of a value for a side.
    pub fn new(cp: core::Score, side: Side, proof: Proof) -> Self {
        Self { cp, side, proof }
    }

    /// Returns the `repr` in Python.
    pub fn shown(self) -> String {
        let proven = self.proof.name().map_or_else(String::new, |proven| format!(", '{proven}'"));
        format!("Score({}, {}{proven})", self.cp, self.side.number())
    }

    /// Returns the value for the first player.
    fn of_first(self) -> core::Score {
        match self.side {
            Side::First => self.cp,
            Side::Second => -self.cp,
        }
    }

    fn text(self) -> String {
        let value = match score::distance(self.cp) {
            Some(0) => if self.cp > 0 { "won" } else { "lost" }.into(),
            Some(plies) => {
                let (end, unit) =
                    (if plies > 0 { "win" } else { "loss" }, if plies.abs() == 1 { "ply" } else { "plies" });
                format!("{end} in {} {unit}", plies.abs())
            }
            None if self.cp == 0 => "0.00".into(),
            None => format!("{:+.2}", f64::from(self.cp) / f64::from(UNIT)),
        };
        let decided = score::win_in(score::MAX_DISTANCE);
        match self.proof.name() {
            Some("exact") => format!("{value} proven"),
            // A bound of a win or a loss is the number of plies that it takes at most.
            Some("lower") if self.cp >= decided => value.replace(" in ", " within "),
            Some("upper") if self.cp <= -decided => value.replace(" in ", " within "),
            Some("lower") => format!("at least {value}"),
            Some(_) => format!("at most {value}"),
            None => value,
        }
    }
}

fn side(player: &Value<'_>) -> PyResult<Side> {
    let number: u8 = arguments::within("player", player, 1..=2, "1 or 2")?;
    Ok(if number == 1 { Side::First } else { Side::Second })
}

#[pymethods]
impl Score {
    #[new]
    #[pyo3(signature = (cp, player, proven = None))]
    fn read(cp: &Value<'_>, player: &Value<'_>, proven: Option<Value<'_>>) -> PyResult<Self> {
        let win = i64::from(score::WIN);
        let cp = arguments::within("cp", cp, -win..=win, "a whole number from -32000 to 32000")?;
        let words = [("exact", Proof::EXACT), ("lower", Proof::LOWER), ("upper", Proof::UPPER)];
        let proof = proven.map_or(Ok(Proof::NONE), |proven| arguments::one_of("proven", &proven, &words))?;
        Ok(Self { cp, side: side(player)?, proof })
    }

    /// The player for whom the value is, 1 or 2.
    #[getter]
    fn player(&self) -> u8 {
        self.side.number()
    }

    /// What is proven of the game-theoretic value, independent of the depth of the search: it is this value ("exact"),
    /// at least this value ("lower") or at most this value ("upper"); ``None``: nothing.
    #[getter]
    fn proven(&self) -> Option<&'static str> {
        self.proof.name()
    }

    /// The value in units of the game (seeds); ``None`` for a forced win or loss.
    #[getter]
    fn units(&self) -> Option<f64> {
        (!score::is_decisive(self.cp)).then(|| f64::from(self.cp) / f64::from(UNIT))
    }

    /// Plies to a forced win, negative to a forced loss; ``None`` for margins and evaluations.
    #[getter]
    fn distance(&self) -> Option<i32> {
        score::distance(self.cp)
    }

    /// Full moves (two plies each) to a forced win, negative to a forced loss; ``None`` for margins and evaluations.
    #[getter]
    fn mate(&self) -> Option<i32> {
        score::mate(self.cp)
    }

    /// Returns the same value for a player: 1 or 2, or in chess also ``chess.WHITE`` or ``chess.BLACK``.
    ///
    /// >>> secateurs.Score(200, 2).pov(1)
    /// Score(-200, 1)
    ///
    /// :raises ValueError: the player is not 1 or 2.
    fn pov(&self, player: &Value<'_>) -> PyResult<Self> {
        // The colours of python-chess are bools.
        let side = match player.cast::<PyBool>() {
            Ok(is_white) if is_white.is_true() => Side::First,
            Ok(_) => Side::Second,
            Err(_) => side(player)?,
        };
        Ok(if side == self.side { *self } else { self.__neg__() })
    }

    /// Returns the same value for the other player.
    fn __neg__(&self) -> Self {
        Self { cp: -self.cp, side: self.side.other(), proof: self.proof.reversed() }
    }

    fn __richcmp__(&self, other: &Self, op: CompareOp) -> PyResult<bool> {
        match op {
            CompareOp::Eq => Ok(self.of_first() == other.of_first()),
            CompareOp::Ne => Ok(self.of_first() != other.of_first()),
            _ if self.side != other.side => Err(PyValueError::new_err(format!(
                "scores of different points of view have no order: {} and {}; score.pov(player) brings them together",
                self.shown(),
                other.shown()
            ))),
            _ => Ok(op.matches(self.cp.cmp(&other.cp))),
        }
    }

    /// Raises the error for an attribute that does not exist; for one of python-chess it names what there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        missing(slf, name)
    }

    fn __float__(&self) -> f64 {
        f64::from(self.cp) / f64::from(UNIT)
    }

    fn __hash__(&self) -> i64 {
        self.of_first().into()
    }

    fn __repr__(&self) -> String {
        self.shown()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __format__<'py>(&self, py: Python<'py>, form: Value<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = PyString::new(py, &self.text()).call_method1("__format__", (form,));
        text.map_err(|error| match error.is_instance_of::<PyValueError>(py) {
            true => PyValueError::new_err(format!(
                "a Score is formatted as text, and float(score) as a number: {}",
                error.value(py)
            )),
            false => error,
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (i32, u8, Option<&'static str>)) {
        (py.get_type::<Self>(), (self.cp, self.side.number(), self.proof.name()))
    }
}
