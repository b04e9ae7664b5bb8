//! The board of notebooks: the component of the page for browsers, which a wheel contains.

use pyo3::prelude::*;
use secateurs::views::parts::{SCRIPTS, STYLE, joined};
use secateurs::views::theme::themed;

/// The modules of the board, after those that all pages have.
const MODULES: [&str; 2] = [include_str!("../../web/ts/board.js"), include_str!("../../web/ts/widget.js")];

const OWN_STYLE: &str = include_str!("../../web/ts/widget.css");

/// The class within which the styles apply.
const CLASS: &str = "secateurs";

/// Returns the component as one module of JavaScript, and its styles.
#[pyfunction]
#[pyo3(name = "_component")]
pub fn component() -> (String, String) {
    let script = joined(&[&SCRIPTS[..], &MODULES].concat());
    let scheme = |within: &str, night| format!("{within}{{color-scheme:{}}}", ["light", "dark"][night]);
    let own = format!("{STYLE}{OWN_STYLE}").replace(":root {", "& {");
    (script, format!("{}\n.{CLASS} {{\n{own}}}\n", themed(CLASS, &scheme)))
}
