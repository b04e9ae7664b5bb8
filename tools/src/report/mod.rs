//! A match as one self-contained page: tables, a plot, and every game to step through.
//!
//! - `crosstable`: the results of the players against each other, as SVG;
//! - `tables`: the players, the results by colour, the list of games;
//! - [`text`]: the table of a match as text, with the remarks that the page shows too;
//! - `plot`: the Elo difference or the ratings over the games, drawn by `chart` as SVG;
//! - [`training`]: the page of the training of a network;
//! - `games`: the moves and positions of all games as compact data, which a script draws.
//!
//! Tables and plot need no script. All text of the record is escaped: names and faults are the output of engines.

mod chart;
mod crosstable;
mod games;
mod plot;
mod tables;
pub mod text;
pub mod training;

use crate::arena::record::GameRecord;
use crate::arena::{Standings, Test};
pub use crosstable::crosstable;
use secateurs::core::Error;
use secateurs::registry::Setup;
use secateurs::views::document::escaped;
use secateurs::views::parts::{self, SCRIPTS, joined};
use secateurs::views::theme::Theme;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// The dialog in which the script shows a game.
const VIEWER: &str = include_str!("viewer.html");

/// The contents of a report.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The first line of a journal, with the game, the settings and the players.
    pub header: &'a Value,
    /// The game and its options.
    pub setup: &'a Setup,
    /// The games, in any order.
    pub records: &'a [GameRecord],
    /// The number of games of the whole match, if it is known.
    pub planned: Option<usize>,
    /// The sequential test of the match.
    pub test: Option<&'a Test>,
}

/// Returns the names of the players in a header.
///
/// # Errors
/// [`Error::BadFile`] with the path if it names fewer than two.
pub fn names(header: &Value, path: &Path) -> Result<Vec<String>, Error> {
    let names = named(header);
    let reason = match header.get("learn") {
        Some(_) => "is a record of `learn`, which `plausibility` reads, not of a match",
        None => "does not name the players of its match",
    };
    if names.len() < 2 { Err(Error::bad_file(path, reason)) } else { Ok(names) }
}

fn named(header: &Value) -> Vec<String> {
    let engines = header.get("engines").and_then(Value::as_array).into_iter().flatten();
    engines.filter_map(|engine| engine.get("name").and_then(Value::as_str).map(str::to_owned)).collect()
}

/// Writes the beginning of a page with this title, escaped, on a game, up to the heading.
fn head(title: &str, game: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}: {}</title>\n<style>\n{}{STYLE}\
         </style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>",
        escaped(game),
        parts::STYLE
    )
}

/// Writes the page.
///
/// # Errors
/// A write error.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut records: Vec<&GameRecord> = report.records.iter().collect();
    records.sort_by_key(|record| record.number);
    let names = named(report.header);
    let mut standings = Standings::new(names.clone());
    records.iter().for_each(|record| standings.add(record));
    let title = names.iter().map(|name| escaped(name)).collect::<Vec<_>>().join(" – ");
    head(&title, report.setup.row().name, out)?;
    tables::summary(report, &standings, &records, out)?;
    writeln!(out, "</header>\n<main>")?;
    tables::players(report, &standings, out)?;
    plot::write(&names, &records, out)?;
    // Inline SVG needs no name space, and so the page contains no address.
    let drawn =
        crosstable(&standings, report.planned, Theme::Auto).replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    writeln!(out, "<section>\n<h2>Crosstable</h2>\n<div class=\"scroll\">{drawn}</div>\n</section>")?;
    tables::colours(report.setup, &names, &records, out)?;
    tables::settings(report, out)?;
    tables::games(report.setup, &names, &records, out)?;
    writeln!(out, "</main>\n{VIEWER}<script type=\"application/json\" id=\"data\">")?;
    games::write(report.setup, &records, out)?;
    writeln!(out, "</script>\n<script>\n\"use strict\";\n{}{SCRIPT}</script>\n</body>\n</html>", joined(&SCRIPTS))
}
