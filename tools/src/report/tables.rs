//! The tables of the page.

use super::{Report, escaped, games};
use crate::arena::date;
use crate::arena::record::{Ending, GameRecord};
use crate::arena::{Games, Standings};
use secateurs::core::Side;
use secateurs::core::counted;
use secateurs::registry::{STARTPOS, Setup};
use serde_json::Value;
use std::io::{self, Write};

/// Writes the game, the number of games and the dates.
pub fn summary(
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
    writeln!(out, "<p>{}, {played}, {} moves{days}</p>", escaped(report.setup.row().name), standings.moves())?;
    let mut remarks = Vec::new();
    if standings.distinct_games() < games {
        remarks.push(format!(
            "{} games have the moves of an earlier one; {} distinct games are the evidence for all intervals.",
            games - standings.distinct_games(),
            standings.distinct_games()
        ));
    }
    if let Some(test) = report.test {
        let (status, (low, high)) = (test.status(standings), test.sprt.bounds());
        remarks.push(format!("{}: llr {:.2} ({low:.2}, {high:.2}), {}.", test.sprt, status.llr, status.decision));
    }
    remarks.iter().try_for_each(|remark| writeln!(out, "<p>{remark}</p>"))
}

/// Returns the players in the order of the table: two in their own order, more by rating.
fn ranking(standings: &Standings) -> Vec<usize> {
    let (ratings, mut order) = (standings.ratings(), (0..standings.names().len()).collect::<Vec<_>>());
    if order.len() > 2 {
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    }
    order
}

fn percent(share: Option<f64>) -> String {
    share.map_or("–".into(), |share| format!("{:.1} %", 100.0 * share))
}

fn points(games: &Games) -> f64 {
    games.wins() as f64 + games.draws() as f64 / 2.0
}

/// Writes the players with their limits, and their results with Elo and its interval.
pub fn players(header: &Value, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let several = standings.names().len() > 2;
    let elo = if several { "Rating" } else { "Elo" };
    writeln!(
        out,
        "<section>\n<h2>Players</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Player</th><th>Limit</th><th class=\"n\">\
         Games</th><th class=\"n\">Won</th><th class=\"n\">Drawn</th><th class=\"n\">Lost</th><th class=\"n\">Score</th>\
         <th class=\"n\">{elo} with 95 % interval</th></tr></thead>\n<tbody>"
    )?;
    let ratings = standings.ratings();
    for engine in ranking(standings) {
        let tally = standings.total(engine);
        let games = tally.games;
        let elo = if several {
            Some(format!("{:+.1} ± {:.1}", ratings[engine].elo, ratings[engine].margin()))
        } else {
            tally.pair_sample().elo().or_else(|| tally.game_sample().elo()).map(|elo| elo.to_string())
        };
        let control = header.pointer(&format!("/engines/{engine}/control")).and_then(Value::as_str).unwrap_or("–");
        writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&standings.names()[engine]),
            escaped(control),
            games.total(),
            games.wins(),
            games.draws(),
            games.losses(),
            percent(games.score()),
            elo.unwrap_or_else(|| "–".into())
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")?;
    if !several {
        pairs(standings, out)?;
    }
    writeln!(out, "</section>")
}

/// Writes the figures of the pairs of two players.
fn pairs(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let tally = standings.tally(0, 1);
    let counts: Vec<_> = tally.pairs.0.iter().map(u64::to_string).collect();
    write!(
        out,
        "<p class=\"note\">Pairs by the points 0, ½, 1, 1½, 2 of {}: {}; drawn games {}, level pairs {}",
        escaped(&standings.names()[0]),
        counts.join(", "),
        percent(tally.games.draw_ratio()),
        percent(tally.pairs.draw_ratio())
    )?;
    if let Some(elo) = tally.pair_sample().normalized_elo() {
        write!(out, "; normalized Elo {elo}")?;
    }
    if let Some(better) = tally.pair_sample().superiority() {
        write!(out, "; likelihood of superiority {:.1} %", 100.0 * better)?;
    }
    writeln!(out, "</p>")
}

/// Writes the points and games of each pair of players.
pub fn crosstable(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let order = ranking(standings);
    writeln!(out, "<section>\n<h2>Crosstable</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Points of games</th>")?;
    for column in 1..=order.len() {
        write!(out, "<th class=\"n\">{column}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for (row, &one) in order.iter().enumerate() {
        write!(out, "<tr><th scope=\"row\">{} {}</th>", row + 1, escaped(&standings.names()[one]))?;
        for &other in &order {
            let games = standings.tally(one, other).games;
            match games.total() {
                _ if one == other => write!(out, "<td class=\"n self\">·</td>")?,
                0 => write!(out, "<td></td>")?,
                total => write!(
                    out,
                    "<td class=\"n\" title=\"{} won, {} drawn, {} lost\">{}<small>/{total}</small></td>",
                    games.wins(),
                    games.draws(),
                    games.losses(),
                    points(&games)
                )?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}

/// Writes the results of each player on each side of the board.
pub fn colours(setup: &Setup, names: &[String], records: &[&GameRecord], out: &mut dyn Write) -> io::Result<()> {
    let sides = setup.board(STARTPOS).map_or(["first", "second"], |board| board.sides());
    let mut counts = vec![[Games::default(); 2]; names.len()];
    for record in records {
        for (at, side) in [Side::First, Side::Second].into_iter().enumerate() {
            if let Some(player) = names.iter().position(|name| *name == record.players[at]) {
                counts[player][at].0[record.result.result(side) as usize] += 1;
            }
        }
    }
    writeln!(out, "<section>\n<h2>By colour</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Won, drawn, lost</th>")?;
    for side in sides {
        write!(out, "<th class=\"n\" colspan=\"2\">as {}</th>", escaped(side))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    let row = |name: &str, counts: &[Games; 2], out: &mut dyn Write| {
        write!(out, "<tr><th scope=\"row\">{}</th>", escaped(name))?;
        for games in counts {
            write!(
                out,
                "<td class=\"n\">{}, {}, {}</td><td class=\"n\">{}</td>",
                games.wins(),
                games.draws(),
                games.losses(),
                percent(games.score())
            )?;
        }
        writeln!(out, "</tr>")
    };
    for (name, counts) in names.iter().zip(&counts) {
        row(name, counts, out)?;
    }
    let mut all = [Games::default(); 2];
    for both in &counts {
        all.iter_mut().zip(both).for_each(|(sum, games)| *sum += *games);
    }
    row("all", &all, out)?;
    writeln!(out, "</tbody>\n</table></div>\n</section>")
}

/// Writes the endings of the games, and the players that lost by a fault.
pub fn endings(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<section>\n<h2>Terminations</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Reason</th><th class=\"n\">Games</th>\
         <th>Lost by a fault of</th></tr></thead>\n<tbody>"
    )?;
    for ending in Ending::ALL.into_iter().filter(|&ending| standings.ended(ending) > 0) {
        let by = standings.names().iter().enumerate();
        let by = by.filter(|&(engine, _)| standings.faults(engine, ending) > 0);
        let by: Vec<_> =
            by.map(|(engine, name)| format!("{} {}", escaped(name), standings.faults(engine, ending))).collect();
        writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            ending.text(),
            standings.ended(ending),
            by.join(", ")
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")?;
    for (engine, name) in standings.names().iter().enumerate() {
        let claims = standings.wrong_claims(engine);
        if claims > 0 {
            writeln!(
                out,
                "<p class=\"note\">{} reported {claims} times a proven win that it did not get.</p>",
                escaped(name)
            )?;
        }
    }
    writeln!(out, "</section>")
}

/// The entries of a header that are shown for the whole match.
const SETTINGS: [&str; 6] = ["game", "options", "format", "openings", "seed", "adjudication"];

/// Writes the header of the record as lists that fold: the match, then each player.
pub fn settings(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
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
        rows.map(|(name, value)| (name.clone(), text(value))).collect()
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
fn text(value: &Value) -> String {
    let full = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
        Value::Object(rows) => {
            let rows = rows.iter().filter(|(_, value)| !is_empty(value));
            rows.map(|(name, value)| format!("{name}={}", text(value))).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    match full.char_indices().nth(2_000) {
        Some((end, _)) => format!("{} …", &full[..end]),
        None => full,
    }
}

/// Writes the list of all games; the script filters and sorts it, and opens a game.
pub fn games(setup: &Setup, names: &[String], records: &[&GameRecord], out: &mut dyn Write) -> io::Result<()> {
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
        "<div class=\"wide\"><table id=\"games\">\n<thead><tr><th class=\"n\">Game</th><th class=\"n\">Round</th><th>{}</th>\
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
