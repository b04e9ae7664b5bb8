//! The tables of the page.

use super::{Report, escaped, games, text};
use crate::arena::date;
use crate::arena::record::{Ending, GameRecord};
use crate::arena::{Games, Standings};
use secateurs::core::Side;
use secateurs::registry::{STARTPOS, Setup};
use secateurs::util::counted::counted;
use serde_json::Value;
use std::io::{self, Write};

/// Writes the game, the number of games and the dates.
pub(crate) fn summary(
    report: &Report<'_>,
    standings: &Standings,
    records: &[&GameRecord],
    out: &mut dyn Write,
) -> io::Result<()> {
    let games = standings.games();
    let played = match report.planned {
        Some(planned) if planned > games => format!("{games} of {}", counted(planned, "game")),
        _ => counted(games, "game"),
    };
    let days = records.iter().filter_map(|record| record.started);
    let days = match (days.clone().min().map(date::day), days.max().map(date::day)) {
        (Some(first), Some(last)) if first == last => format!(", {first}"),
        (Some(first), Some(last)) => format!(", {first} to {last}"),
        _ => String::new(),
    };
    writeln!(out, "<p>{}, {played}, {} moves{days}</p>", escaped(report.setup.row().name), standings.moves())
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{:.1} %", 100.0 * share))
}

/// Writes a section with a table; `true` marks a column of numbers. The first cell
/// of a row is its head.
fn table(title: &str, head: &[(&str, bool)], rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>{title}</h2>\n<div class=\"scroll\"><table>\n<thead><tr>")?;
    let class = |is_number: bool| if is_number { " class=\"n\"" } else { "" };
    for &(name, is_number) in head {
        write!(out, "<th{}>{}</th>", class(is_number), escaped(name))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in rows {
        write!(out, "<tr>")?;
        for (at, (cell, &(_, is_number))) in row.iter().zip(head).enumerate() {
            let (kind, scope) = if at == 0 { ("th", " scope=\"row\"") } else { ("td", "") };
            write!(out, "<{kind}{scope}{}>{}</{kind}>", class(is_number), escaped(cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}

/// Writes the players with their limits, their results with Elo and its interval, and the remarks.
pub(crate) fn players(report: &Report<'_>, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let elo = if standings.names().len() > 2 { "Rating with 95 % interval" } else { "Elo with 95 % interval" };
    let [games, won, drawn, lost, score] = ["Games", "Won", "Drawn", "Lost", "Score"].map(|name| (name, true));
    let head = [("Player", false), ("Limit", false), games, won, drawn, lost, score, (elo, true)];
    let row = |engine: usize| {
        let games = standings.total(engine).games;
        let control = report.header.pointer(&format!("/engines/{engine}/control")).and_then(Value::as_str);
        let mut row = vec![standings.names()[engine].clone(), control.unwrap_or("–").into()];
        row.extend([games.total(), games.wins(), games.draws(), games.losses()].map(|count| count.to_string()));
        row.extend([percent(games.score()), text::strength(standings, engine).unwrap_or_else(|| "–".into())]);
        row
    };
    table("Players", &head, &standings.ranking().into_iter().map(row).collect::<Vec<_>>(), out)?;
    for remark in text::remarks(standings, report.test) {
        writeln!(out, "<p class=\"figures\">{}</p>", escaped(&remark))?;
    }
    writeln!(out, "</section>")
}

/// Writes the results of each player on each side of the board.
pub(crate) fn colours(setup: &Setup, names: &[String], records: &[&GameRecord], out: &mut dyn Write) -> io::Result<()> {
    let sides = setup.board(STARTPOS).map_or(["first", "second"], |board| board.sides());
    let mut counts = vec![[Games::default(); 2]; names.len() + 1];
    for record in records {
        for (at, side) in [Side::First, Side::Second].into_iter().enumerate() {
            if let Some(player) = names.iter().position(|name| *name == record.players[at]) {
                for row in [player, names.len()] {
                    counts[row][at].0[record.result.result(side) as usize] += 1;
                }
            }
        }
    }
    let [first, second] = sides.map(|side| format!("as {side}"));
    let head = [("Won, drawn, lost", false), (&*first, true), ("score", true), (&*second, true), ("score", true)];
    let row = |(name, counts): (&str, &[Games; 2])| {
        let cells = counts.iter().flat_map(|games| {
            let [losses, draws, wins] = games.0;
            [format!("{wins}, {draws}, {losses}"), percent(games.score())]
        });
        std::iter::once(name.to_owned()).chain(cells).collect()
    };
    let names = names.iter().map(String::as_str).chain(["all"]);
    table("By colour", &head, &names.zip(&counts).map(row).collect::<Vec<_>>(), out)?;
    writeln!(out, "</section>")
}

/// The entries of a header that are shown for the whole match.
const SETTINGS: [&str; 6] = ["game", "options", "format", "openings", "seed", "adjudication"];

/// Writes the header of the record as collapsible lists: the match, then each player.
pub(crate) fn settings(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Settings</h2>")?;
    let mut details = |title: &str, rows: Vec<(String, String)>| {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "<details><summary>{}</summary>\n<dl>", escaped(title))?;
        for (name, value) in rows {
            writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(&name), escaped(&value))?;
        }
        writeln!(out, "</dl></details>")
    };
    let rows = |value: &Value, is_shown: &dyn Fn(&str) -> bool| -> Vec<(String, String)> {
        let rows = value.as_object().into_iter().flatten();
        let rows = rows.filter(|(name, value)| is_shown(name) && !is_empty(value));
        rows.map(|(name, value)| (name.clone(), in_line(value))).collect()
    };
    details("The match", rows(report.header, &|name| SETTINGS.contains(&name)))?;
    for engine in report.header.get("engines").and_then(Value::as_array).into_iter().flatten() {
        details(engine.get("name").and_then(Value::as_str).unwrap_or_default(), rows(engine, &|name| name != "name"))?;
    }
    writeln!(out, "</section>")
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(rows) => rows.values().all(is_empty),
        _ => false,
    }
}

/// Returns a value in one line, at most 2,000 characters.
fn in_line(value: &Value) -> String {
    let full = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(in_line).collect::<Vec<_>>().join(" "),
        Value::Object(rows) => {
            let rows = rows.iter().filter(|(_, value)| !is_empty(value));
            rows.map(|(name, value)| format!("{name}={}", in_line(value))).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    match full.char_indices().nth(2_000) {
        Some((end, _)) => format!("{} …", &full[..end]),
        None => full,
    }
}

/// Writes the list of all games; the script filters and sorts it, and opens a game.
pub(crate) fn games(setup: &Setup, names: &[String], records: &[&GameRecord], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Games</h2>\n<form id=\"filter\" hidden>")?;
    write!(out, "<label>Player <select id=\"player\"><option value=\"\">all</option>")?;
    for (number, name) in names.iter().enumerate() {
        write!(out, "<option value=\"{number}\">{}</option>", escaped(name))?;
    }
    write!(
        out,
        "</select></label> <label>Result <select id=\"result\"><option value=\"\">all</option></select></label>"
    )?;
    write!(out, " <label>Reason <select id=\"reason\"><option value=\"\">all</option>")?;
    for ending in Ending::ALL {
        if records.iter().any(|record| record.ending == ending) {
            write!(out, "<option>{}</option>", ending.text())?;
        }
    }
    writeln!(out, "</select></label> <span id=\"count\" role=\"status\"></span></form>")?;
    let [first, second] = setup.board(STARTPOS).map_or(["first", "second"], |board| board.sides());
    writeln!(
        out,
        "<div class=\"scroll\"><table id=\"games\">\n<thead><tr><th class=\"n\">Game</th><th class=\"n\">Round</th><th>{}</th>\
         <th>{}</th><th>Result</th><th>Reason</th><th class=\"n\">Moves</th><th>Opening</th></tr></thead>\n<tbody>",
        escaped(first),
        escaped(second)
    )?;
    for record in records {
        let GameRecord { number, round, players, result, ending, detail, .. } = record;
        let index = players.each_ref().map(|player| names.iter().position(|name| name == player).unwrap_or_default());
        let mut opening = games::opening(setup, record).join(" ");
        if record.opening.position != STARTPOS {
            opening = format!("{} {opening}", record.opening.position);
        }
        let detail = if detail.is_empty() { String::new() } else { format!(" title=\"{}\"", escaped(detail)) };
        writeln!(
            out,
            "<tr id=\"game{number}\" data-p=\"{} {}\"><td class=\"n\"><a href=\"#game{number}\">{number}</a></td>\
             <td class=\"n\">{}</td><td>{}</td><td>{}</td><td>{}</td><td{detail}>{}</td><td class=\"n\">{}</td>\
             <td class=\"opening\">{}</td></tr>",
            index[0],
            index[1],
            round + 1,
            escaped(&players[0]),
            escaped(&players[1]),
            result.text(),
            ending.text(),
            record.opening.moves.len() + record.played().len(),
            escaped(opening.trim_end()),
            number = number + 1,
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}
