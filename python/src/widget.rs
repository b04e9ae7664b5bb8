//! The board of notebooks: the component of the page for browsers, which a wheel contains.

use pyo3::prelude::*;
use secateurs::views::theme::themed;

/// The modules, each after those that it imports.
const MODULES: [&str; 4] = [
    include_str!("../../web/ts/dom.js"),
    include_str!("../../web/ts/board.js"),
    include_str!("../../web/ts/parts.js"),
    include_str!("../../web/ts/widget.js"),
];

const STYLES: [&str; 2] = [include_str!("../../web/page/board.css"), include_str!("../../web/ts/widget.css")];

/// The class within which the styles apply.
const CLASS: &str = "secateurs";

/// Returns the component as one module of JavaScript, and its styles.
#[pyfunction]
#[pyo3(name = "_component")]
pub fn component() -> (String, String) {
    let lines = MODULES.iter().flat_map(|module| module.lines());
    let script: Vec<&str> = lines.filter(|line| !line.starts_with("import ")).collect();
    let scheme = |within: &str, night| format!("{within}{{color-scheme:{}}}", ["light", "dark"][night]);
    let own = STYLES.concat().replace(":root {", "& {");
    (script.join("\n"), format!("{}\n.{CLASS} {{\n{own}}}\n", themed(CLASS, &scheme)))
}
