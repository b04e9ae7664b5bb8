//! The standings of a match as text.

use crate::arena::record::Ending;
use crate::arena::statistics::signed;
use crate::arena::{Standings, Tally, Test};
use secateurs::util::counted::counted;
use secateurs::views::column_width;
use std::fmt::Write;

/// Returns one line: the games played of those planned, points, difference, test.
pub(crate) fn line(standings: &Standings, games: usize, under: Option<&Test>) -> String {
    format!("{}/{}{}", standings.games(), counted(games, "game"), results(standings, under))
}

/// Returns the same without the number of games, after a comma.
pub fn results(standings: &Standings, under: Option<&Test>) -> String {
    let mut line = String::new();
    if standings.names().len() == 2 {
        let tally = standings.tally(0, 1);
        let [losses, draws, wins] = tally.games.0;
        let _ = write!(line, ", {} +{wins} ={draws} -{losses}", standings.names()[0]);
        if let Some(elo) = tally.pair_sample().elo() {
            let _ = write!(line, ", Elo {elo}");
        }
    } else {
        let ratings = standings.ratings();
        for engine in standings.ranking() {
            let (name, rating) = (&standings.names()[engine], ratings[engine]);
            let _ = write!(line, ", {name} {} +- {:.1}", signed(rating.elo), rating.margin());
        }
    }
    if standings.distinct_games() < standings.games() {
        let _ = write!(line, ", {} distinct", standings.distinct_games());
    }
    if let Some(under) = under {
        let _ = write!(line, ", {}", test(standings, under));
    }
    line
}

/// Returns the whole table.
pub fn table(standings: &Standings, under: Option<&Test>) -> String {
    let names = standings.names();
    let width = column_width(names).max("engine".len());
    let mut text =
        format!("{:width$}  {:>6}  {:>6}  {:>6}  {:>6}  {:>7}", "engine", "games", "wins", "draws", "losses", "score");
    let several = names.len() > 2;
    let _ = writeln!(text, "  {:>8}", if several { "rating" } else { "Elo" });
    let order = standings.ranking();
    for &engine in &order {
        let tally = standings.total(engine);
        let [losses, draws, wins] = tally.games.0;
        let score = tally.games.score().map_or("-".into(), |score| format!("{:.2} %", 100.0 * score));
        let _ = write!(
            text,
            "{:width$}  {:>6}  {wins:>6}  {draws:>6}  {losses:>6}  {score:>7}",
            names[engine],
            tally.games.total()
        );
        let _ = writeln!(text, "  {}", strength(standings, engine).unwrap_or_else(|| "-".into()));
    }
    if several {
        text += &crosstable(standings, &order);
    }
    remarks(standings, under).into_iter().fold(text, |text, remark| text + &remark + "\n")
}

/// Returns the lines below the table: pairs, repeated openings and games, the test, the endings with the faults of each
/// engine.
pub fn remarks(standings: &Standings, under: Option<&Test>) -> Vec<String> {
    let mut remarks = if standings.names().len() == 2 { pairs(standings) } else { Vec::new() };
    remarks.extend(repeats(standings));
    remarks.extend(under.map(|under| test(standings, under)));
    remarks.extend(ends(standings));
    remarks
}

/// Returns the strength of an engine with its interval: the difference of two, or the rating of more.
pub(crate) fn strength(standings: &Standings, engine: usize) -> Option<String> {
    if standings.names().len() > 2 {
        let rating = standings.ratings()[engine];
        return Some(format!("{} +- {:.1}", signed(rating.elo), rating.margin()));
    }
    let tally = standings.total(engine);
    tally.pair_sample().elo().or_else(|| tally.game_sample().elo()).map(|elo| elo.to_string())
}

/// Returns the crosstable: points and games of each pair of engines. The numbers of the columns are
/// those of the rows.
fn crosstable(standings: &Standings, order: &[usize]) -> String {
    let label = |(row, &engine): (usize, &usize)| format!("{} {}", row + 1, standings.names()[engine]);
    let labels: Vec<_> = order.iter().enumerate().map(label).collect();
    let cell = |one: usize, other: usize| {
        let games = standings.tally(one, other).games;
        match games.total() {
            _ if one == other => "-".into(),
            0 => String::new(),
            total => format!("{}/{total}", games.points()),
        }
    };
    let rows: Vec<Vec<_>> = order.iter().map(|&one| order.iter().map(|&other| cell(one, other)).collect()).collect();
    let first = column_width(&labels);
    let width = column_width(rows.iter().flatten());
    let line = |label: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("  {cell:>width$}")).collect();
        format!("{label:first$}{cells}").trim_end().to_owned() + "\n"
    };
    let mut text = line("points", &mut (1..=order.len()).map(|column| column.to_string()));
    for (label, row) in labels.iter().zip(rows) {
        text += &line(label, &mut row.into_iter());
    }
    text
}

/// Reports repeated openings and games, which reduce the evidence.
fn repeats(standings: &Standings) -> Vec<String> {
    let (openings, rounds) = (standings.openings(), standings.rounds());
    let (games, distinct) = (standings.games(), standings.distinct_games());
    let mut lines = Vec::new();
    if openings < rounds {
        lines.push(format!("openings: {} in {}", counted(openings, "distinct one"), counted(rounds, "round")));
    }
    if distinct < games {
        lines.push(format!(
            "repeated: {} of {games} games have the moves of an earlier one; {distinct} distinct games are the evidence for \
             all intervals",
            games - distinct
        ));
    }
    lines
}

/// Returns the pairs of a match of two engines, with normalized Elo, likelihood of superiority and ratios.
fn pairs(standings: &Standings) -> Vec<String> {
    let tally = standings.tally(0, 1);
    let counts: Vec<_> = tally.pairs.0.iter().map(u64::to_string).collect();
    let mut text = format!("pairs by points 0, 0.5, 1, 1.5, 2 of {}: {}", standings.names()[0], counts.join(" "));
    if let Some(elo) = tally.pair_sample().normalized_elo() {
        let _ = write!(text, "; normalized Elo {elo}");
    }
    if let Some(better) = tally.pair_sample().superiority() {
        let _ = write!(text, "; better with a likelihood of {:.1} %", 100.0 * better);
    }
    let share = |ratio: Option<f64>| ratio.map_or("-".into(), |ratio| format!("{:.1} %", 100.0 * ratio));
    let won = tally.pairs.win_ratio().map_or("-".into(), |ratio| format!("{ratio:.2}"));
    let [games, pairs] = [tally.games.draw_ratio(), tally.pairs.draw_ratio()].map(share);
    vec![text, format!("draw ratio {games} of games, {pairs} of pairs; pairs ratio {won}")]
}

/// Returns the state of the test: its log-likelihood ratio with the bounds.
fn test(standings: &Standings, test: &Test) -> String {
    let status = test.status(standings);
    let (low, high) = test.sprt.bounds();
    let Tally { games, pairs, repeats } = standings.tally(0, 1);
    let (observed, total, repeated) = match test.trinomial {
        true => ("games", games.total(), repeats.games),
        false => ("pairs", pairs.total(), repeats.pairs),
    };
    let counted = if repeated == 0 {
        String::new()
    } else {
        format!("; {repeated} of {total} {observed} repeat earlier ones and do not count: more openings are needed")
    };
    // What is rounded to zero has no minus.
    let (sprt, llr, decision) = (test.sprt, (100.0 * status.llr).round() / 100.0 + 0.0, status.decision);
    format!("{sprt} of {observed} llr {llr:.2} ({low:.2}, {high:.2}) {decision}{counted}")
}

/// Returns the endings of the games, and the faults of each engine.
fn ends(standings: &Standings) -> Vec<String> {
    let ended = Ending::ALL.into_iter().filter(|&ending| standings.ended(ending) > 0);
    let ends: Vec<_> = ended
        .map(|ending| {
            let by = |engine: usize| match standings.faults(engine, ending) {
                0 => None,
                count => Some(format!("{} {count}", standings.names()[engine])),
            };
            let faults: Vec<_> = (0..standings.names().len()).filter_map(by).collect();
            let by = if faults.is_empty() { String::new() } else { format!(" ({})", faults.join(", ")) };
            format!("{} {}{by}", standings.ended(ending), ending.text())
        })
        .collect();
    let mut lines = if ends.is_empty() { vec![] } else { vec![format!("ended: {}", ends.join(", "))] };
    for (engine, name) in standings.names().iter().enumerate() {
        let claims = standings.wrong_claims(engine);
        if claims > 0 {
            let times = counted(claims, "time");
            lines.push(format!("{name} said {times} that it had a proven win, and did not get it"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Estimate;

    #[test]
    fn names_may_have_any_length() {
        let long = "x".repeat(1 << 17);
        for others in [&["b"][..], &["b", "c"]] {
            let names = std::iter::once(&*long).chain(others.iter().copied()).map(str::to_owned);
            let text = table(&Standings::new(names.collect()), None);
            assert!(
                text.contains(&long) && text.lines().all(|line| line.len() < 300 || line.contains(&long)),
                "{text}"
            );
        }
    }

    #[test]
    fn where_all_games_are_won_the_difference_has_no_end() {
        let shown = |value, low, high| Estimate { value, low, high }.to_string();
        let inf = f64::INFINITY;
        assert_eq!(shown(5.0, -1.0, 11.04), "+5.0 [-1.0, +11.0]");
        assert_eq!(shown(-0.04, -10.0, 0.0), "+0.0 [-10.0, +0.0]");
        assert_eq!(shown(inf, -42.9, inf), "+inf [-42.9, +inf]");
        assert_eq!(shown(-inf, -inf, -166.3), "-inf [-inf, -166.3]");
        assert_eq!(shown(400.0, 20.0, inf), "+400.0 [+20.0, +inf]");
    }
}
