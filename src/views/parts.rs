//! What pages share: the scripts and the styles of the page for browsers.

use serde::Serialize;
use std::io::{self, Write};

/// The modules of the scripts, each after those that it imports.
pub const SCRIPTS: [&str; 4] = [
    include_str!("../../web/ts/dom.js"),
    include_str!("../../web/ts/parts.js"),
    include_str!("../../web/ts/frames.js"),
    include_str!("../../web/ts/notes.js"),
];

/// The styles of boards, moves, buttons and tables.
pub const STYLE: &str = include_str!("../../web/page/board.css");

/// Joins modules to one script, without their comments.
#[must_use]
pub fn joined(modules: &[&str]) -> String {
    let is_left_out = |line: &&str| ["import ", "/**", "*"].iter().any(|start| line.trim_start().starts_with(start));
    let lines = modules.iter().flat_map(|module| module.lines()).filter(|line| !is_left_out(line));
    let line = |line: &str| match line.strip_prefix("export ") {
        Some(own) if !own.starts_with("default ") => format!("{own}\n"),
        _ => format!("{line}\n"),
    };
    lines.map(line).collect()
}

/// Writes a page: its template with the styles, the data as JSON, and the scripts.
pub(crate) fn filled(page: &str, data: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    // The data must not contain the end tag of its element.
    let data = serde_json::to_string(data)?.replace('<', "\\u003c");
    let mut rest = page;
    for (place, contents) in [("{{STYLE}}", STYLE), ("{{DATA}}", &data), ("{{SCRIPTS}}", &joined(&SCRIPTS))] {
        let (before, behind) = rest.split_once(place).unwrap_or((rest, ""));
        write!(out, "{before}{contents}")?;
        rest = behind;
    }
    writeln!(out, "{rest}")
}
