//! `secateurs games`: lists the registry.

use super::output::Output;
use super::{Failure, Status, terminal};
use secateurs::core::{OptionKind, OptionRow};
use secateurs::registry::{GAMES, GameRow};
use serde::Serialize;
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
            let options = game.options.iter().map(OptionRecord::from).collect();
            out.json(&GameRecord { name: game.name, about: game.about, startpos, options })?;
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

#[derive(Serialize)]
struct GameRecord {
    name: &'static str,
    about: &'static str,
    startpos: String,
    options: Vec<OptionRecord>,
}

#[derive(Serialize)]
struct OptionRecord {
    name: &'static str,
    #[serde(flatten)]
    kind: KindRecord,
    help: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum KindRecord {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: &'static str, choices: &'static [&'static str] },
    Text { default: &'static str },
    File { default: &'static str },
    Folder { default: &'static str },
}

impl From<&OptionRow> for OptionRecord {
    fn from(row: &OptionRow) -> Self {
        let kind = match row.kind {
            OptionKind::Check { default } => KindRecord::Check { default },
            OptionKind::Spin { default, min, max } => KindRecord::Spin { default, min, max },
            OptionKind::Combo { default, choices } => KindRecord::Combo { default, choices },
            OptionKind::Text { default } => KindRecord::Text { default },
            OptionKind::File => KindRecord::File { default: "" },
            OptionKind::Folder => KindRecord::Folder { default: "" },
        };
        Self { name: row.name, kind, help: row.help }
    }
}
