//! `secateurs games`: lists the registry.

use super::output::Output;
use super::{Failure, Status, terminal};
use secateurs::core::OptionRow;
use secateurs::registry::{GAMES, GameRow};
use serde_json::{Value, json};
use std::io::Write;

/// The arguments of `games`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The first game is the default. Options are set by --option NAME=VALUE, or by `setoption` \
    in the protocol.\n\nExamples:\n  secateurs games\n  secateurs games --json")]
pub struct GamesArgs {
    /// Print a JSON object per line instead: name, about, startpos, options
    #[arg(long)]
    json: bool,
}

/// Lists the games.
pub(super) fn run(args: &GamesArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    let columns = terminal::columns();
    for (index, game) in GAMES.iter().enumerate() {
        let startpos = game.start(&game.defaults())?.text();
        if args.json {
            let options: Vec<_> = game.options.iter().map(described).collect();
            let (name, about) = (game.name, game.about);
            out.json(&json!({ "name": name, "about": about, "startpos": startpos, "options": options }))?;
        } else {
            let gap = if index > 0 { "\n" } else { "" };
            let about = terminal::wrap(&format!("{}: {}", game.name, game.about), columns, 2);
            writeln!(out, "{gap}{about}\n  startpos: {startpos}")?;
            write!(out, "{}", people(game, columns))?;
        }
    }
    Ok(Status::Done)
}

/// Lists one option per line: name, values, default, help; if that is too wide, the name with the rest beside it.
fn people(game: &GameRow, columns: Option<usize>) -> String {
    let lines = game.options.iter().map(|row| [row.name.into(), row.kind.to_string(), row.default_value().to_string()]);
    let lines: Vec<[String; 3]> = lines.collect();
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let (name_width, kind_width, default_width) = (width(0), width(1), width(2));
    let rows = game.options.iter().zip(&lines);
    let table: String = rows
        .clone()
        .map(|(row, [name, kind, default])| {
            format!("  {name:name_width$}  {kind:kind_width$}  default {default:default_width$}  {}\n", row.help)
        })
        .collect();
    if columns.is_none_or(|columns| table.lines().all(|line| line.chars().count() <= columns)) {
        return table;
    }
    let about = |(row, [name, kind, default]): (&OptionRow, &[String; 3])| {
        let default = if default.is_empty() { String::new() } else { format!(", default {default}") };
        (name.clone(), format!("{kind}{default}: {}", row.help))
    };
    terminal::definitions(&rows.map(about).collect::<Vec<_>>(), columns)
}

/// Describes an option in JSON; files and folders have an empty default.
fn described(row: &OptionRow) -> Value {
    let mut option = json!(row);
    if option["default"].is_null() {
        option["default"] = "".into();
    }
    option
}
