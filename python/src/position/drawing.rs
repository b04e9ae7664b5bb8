//! Drawings of positions and matches as SVG, and their colours.

use super::Position;
use crate::arguments::{self, Argument, Value};
use crate::threads::unwinding::caught;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use secateurs::core::error::Quoted;
use secateurs::core::picture::Paint;
use secateurs::core::{Game, Side};
use secateurs::games::chess::Chess;
use secateurs::views::state::StateSettings;
use secateurs::views::theme::{Theme, themed};
use secateurs::views::{self, Drawing, LastMove};

/// The themes by name.
const THEMES: [(&str, Theme); 3] = [("auto", Theme::Auto), ("light", Theme::Light), ("dark", Theme::Dark)];

/// Converts a theme; by default the one of the page.
///
/// # Errors
/// `TypeError`; `ValueError` for another word.
pub fn theme(given: Option<Value<'_>>) -> PyResult<Theme> {
    given.map_or(Ok(Theme::Auto), |given| arguments::one_of("theme", &given, &THEMES))
}

/// Draws a position, for Python's `Position.svg`.
///
/// # Errors
/// Its errors.
pub fn svg(
    position: &Bound<'_, Position>,
    best: Option<String>,
    theme: Theme,
    marks: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let held = position.get();
    if let Some(own) = own(position)? {
        if marks.is_some_and(|marks| !marks.is_empty()) {
            let call = format!("{}.svg()", held.game());
            return Err(PyTypeError::new_err(format!("{call} draws the position, and takes best and theme alone")));
        }
        return drawn(position, &own, best.as_deref(), theme.name());
    }
    let mut drawing = Drawing { theme, best, ..Drawing::default() };
    for (keyword, given) in marks.into_iter().flatten() {
        mark(position, &mut drawing, &String::read("a keyword", &keyword)?, &given)?;
    }
    caught(|| views::svg(held.board(), &drawing))?.map_err(PyValueError::new_err)
}

/// Draws a position for a page, with its settings as JSON, without a text below it.
///
/// # Errors
/// `ValueError` for the settings; the exceptions of a game in Python.
pub fn for_page(position: &Bound<'_, Position>, settings: &str) -> PyResult<String> {
    let settings = page_settings(settings)?;
    match own(position)? {
        Some(own) => drawn(position, &own, settings.best.as_deref(), &settings.theme),
        None => caught(|| settings.draw(position.get().board()))?.map_err(PyValueError::new_err),
    }
}

/// Reads the settings of a drawing for a page.
///
/// # Errors
/// `ValueError`.
pub fn page_settings(settings: &str) -> PyResult<StateSettings> {
    serde_json::from_str(settings).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Returns the method of a game in Python that draws its positions.
fn own<'py>(position: &Bound<'py, Position>) -> PyResult<Option<Value<'py>>> {
    let py = position.py();
    position.getattr(intern!(py, "state"))?.getattr_opt(intern!(py, "svg"))
}

fn drawn(position: &Bound<'_, Position>, own: &Value<'_>, best: Option<&str>, theme: &str) -> PyResult<String> {
    let drawn = own.call1((best, theme))?;
    let text = drawn.cast::<PyString>();
    let text = text.map_err(|_| wrong_drawing(&format!("{}.svg()", position.get().game()), &drawn))?;
    Ok(text.to_string_lossy().into_owned())
}

fn wrong_drawing(call: &str, drawn: &Value<'_>) -> PyErr {
    let shown = drawn.repr().map_or_else(|_| "this object".into(), |text| text.to_string_lossy().into_owned());
    let shown: String = shown.chars().take(60).collect();
    PyTypeError::new_err(format!("{call} returns a str, not {shown}"))
}

/// Reads a keyword of `Position.svg` besides the theme.
fn mark(position: &Bound<'_, Position>, drawing: &mut Drawing, keyword: &str, given: &Value<'_>) -> PyResult<()> {
    match keyword {
        "lastmove" if given.is_instance_of::<PyString>() => {
            drawing.last = LastMove::Named(String::read(keyword, given)?);
        }
        "lastmove" => {
            let is_shown = || given.extract().map_err(|_| arguments::wrong_type(keyword, "a str or a bool", given));
            drawing.last = match arguments::uci(given)? {
                Some(text) => LastMove::Named(text),
                None if is_shown()? => LastMove::Played,
                None => LastMove::Hidden,
            };
        }
        "orientation" if given.is_none() => drawing.perspective.below = None,
        "orientation" => drawing.perspective.below = Some(side(position, given)?),
        "size" if given.is_none() => drawing.size = None,
        "size" => {
            let expected = "a whole number from 16 to 16384, pixels";
            drawing.size = Some(arguments::within(keyword, given, 16..=16_384, expected)?);
        }
        "fill" => {
            for (name, colour) in arguments::entries(keyword, given, "a dict of squares and colours")? {
                let name = spot(position, "a square of fill", &name)?;
                drawing.fill.push((name, String::read("a colour of fill", &colour)?));
            }
        }
        "squares" => {
            for item in arguments::iterable(keyword, given, "a list of str")? {
                let (name, item) = item?;
                drawing.squares.push(spot(position, &name, &item)?);
            }
        }
        "arrows" => {
            for item in
                arguments::iterable(keyword, given, "a list of str or of tuples (from, to) or (from, to, colour)")?
            {
                let (name, item) = item?;
                drawing.arrows.push(arrow(position, &name, &item)?);
            }
        }
        "values" if given.is_none() => drawing.values.clear(),
        "values" => {
            for (mv, value) in arguments::entries(keyword, given, "a dict of moves and texts")? {
                let mv = position.get().legal(position.py(), "a move of values", &mv)?;
                drawing.values.push((mv, String::read("a text of values", &value)?));
            }
        }
        "coordinates" => drawing.perspective.coordinates = bool::read(keyword, given)?,
        "characters" => drawing.perspective.characters = bool::read(keyword, given)?,
        _ => {
            let function = "Position.svg";
            return Err(arguments::unexpected(
                given.py(),
                function,
                keyword,
                arguments::known(given.py(), function, &[]),
                "",
            ));
        }
    }
    Ok(())
}

/// Converts the player whose side is below: 1, 2, or a name of the game; in chess also `chess.WHITE`, which is `True`.
fn side(position: &Bound<'_, Position>, given: &Value<'_>) -> PyResult<Side> {
    let board = position.get().board();
    let sides = board.sides();
    if board.game() == Chess::NAME
        && let Ok(is_white) = given.extract()
    {
        return Ok(if is_white { Side::First } else { Side::Second });
    }
    let expected = format!("1, 2, \"{}\" or \"{}\"", sides[0], sides[1]);
    if !given.is_instance_of::<PyString>() {
        // Its error names the sides too.
        arguments::index("orientation", given, &expected)?;
        let number: u8 = arguments::within("orientation", given, 1..=2, &expected)?;
        return Ok(if number == 1 { Side::First } else { Side::Second });
    }
    let name = String::read("orientation", given)?;
    let found = [Side::First, Side::Second].into_iter().find(|side| sides[side.index()].eq_ignore_ascii_case(&name));
    found.ok_or_else(|| PyValueError::new_err(format!("orientation is {expected}, not {}", Quoted::new(&name))))
}

/// Converts the name of a spot, which may be a number: in chess that of a square as python-chess counts, from a1.
fn spot(position: &Bound<'_, Position>, name: &str, given: &Value<'_>) -> PyResult<String> {
    if given.is_instance_of::<PyString>() {
        return String::read(name, given);
    }
    let number = arguments::index(name, given, "a str or an int")?;
    if position.get().board().game() != Chess::NAME {
        return arguments::shown(&number);
    }
    let square: u8 = arguments::within(name, &number, 0..=63, "a square from 0 to 63")?;
    Ok(format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1))
}

/// Converts an arrow: a text such as `e2e4`, a tuple of spots and a colour, or an arrow of python-chess.
fn arrow(position: &Bound<'_, Position>, name: &str, given: &Value<'_>) -> PyResult<(String, Option<String>)> {
    if given.is_instance_of::<PyString>() {
        return Ok((String::read(name, given)?, None));
    }
    if let Some(mv) = arguments::uci(given)? {
        return Ok((mv, None));
    }
    let parts = match ["tail", "head", "color"].map(|part| given.getattr_opt(part)) {
        [Ok(Some(tail)), Ok(Some(head)), Ok(Some(colour))] => vec![tail, head, colour],
        _ => {
            let expected = "a str or a tuple (from, to) or (from, to, colour)";
            arguments::parts(name, given, expected, 2..=3)?.into_iter().map(|(_, part)| part).collect()
        }
    };
    let [from, to] = [spot(position, name, &parts[0])?, spot(position, name, &parts[1])?];
    let colour = parts.get(2).map(|colour| String::read(name, colour)).transpose()?;
    Ok((if from == to { from } else { from + " " + &to }, colour))
}

/// Returns the colours of drawings by class: by day and by night.
#[pyfunction]
#[pyo3(name = "_colours")]
pub fn colours(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let colours = PyDict::new(py);
    for (class, [day, night]) in Paint::COLOURS {
        colours.set_item(class, (day, night))?;
    }
    Ok(colours)
}

/// Returns a style that sets declarations of CSS by day and others by night.
#[pyfunction]
#[pyo3(name = "_themed")]
pub fn style(class: &str, day: &str, night: &str) -> String {
    themed(class, &|within, late| format!("{within}{{{}}}", [day, night][late]))
}
