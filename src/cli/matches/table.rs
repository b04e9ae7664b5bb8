//! How a match stands, for people.

use crate::arena::record::Ending;
use crate::arena::{Decision, Estimate, Standings, Test};
use std::fmt::Write;

/// One line: games, points, difference, test.
#[must_use]
pub fn line(standings: &Standings, games: usize, under: Option<&Test>) -> String {
    let mut line = format!("{}/{games} games", standings.games());
    if standings.names().len() == 2 {
        let tally = standings.tally(0, 1);
        let [losses, draws, wins] = tally.games.0;
        let _ = write!(line, ", {} {wins}-{losses}-{draws}", standings.names()[0]);
        if let Some(elo) = tally.pairs.elo() {
            let _ = write!(line, ", Elo {}", interval(&elo));
        }
    }
    if let Some(under) = under {
        let _ = write!(line, ", {}", test(standings, under));
    }
    line
}

/// All of it.
#[must_use]
pub fn table(standings: &Standings, under: Option<&Test>) -> String {
    let names = standings.names();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text =
        format!("{:width$}  {:>6}  {:>6}  {:>6}  {:>6}  {:>7}", "engine", "games", "wins", "draws", "losses", "score");
    let several = names.len() > 2;
    let _ = writeln!(text, "  {:>8}", if several { "rating" } else { "Elo" });
    let ratings = standings.ratings();
    let mut order: Vec<_> = (0..names.len()).collect();
    if several {
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    }
    for engine in order {
        let tally = standings.total(engine);
        let [losses, draws, wins] = tally.games.0;
        let score = tally.games.score().map_or("-".into(), |score| format!("{:.2} %", 100.0 * score));
        let _ = write!(
            text,
            "{:width$}  {:>6}  {wins:>6}  {draws:>6}  {losses:>6}  {score:>7}",
            names[engine],
            tally.games.total()
        );
        let elo = if several {
            Some(format!("{:+.1} +- {:.1}", ratings[engine].elo, ratings[engine].margin()))
        } else {
            tally.pairs.elo().or_else(|| tally.games.elo()).map(|elo| interval(&elo))
        };
        let _ = writeln!(text, "  {}", elo.unwrap_or_else(|| "-".into()));
    }
    if !several {
        text += &pairs(standings);
    }
    if let Some(under) = under {
        let _ = writeln!(text, "{}", test(standings, under));
    }
    text += &ends(standings);
    text
}

/// The pairs of a match of two, and what follows from them.
fn pairs(standings: &Standings) -> String {
    let tally = standings.tally(0, 1);
    let counts: Vec<_> = tally.pairs.0.iter().map(u64::to_string).collect();
    let mut text = format!("pairs by points 0, 0.5, 1, 1.5, 2 of {}: {}", standings.names()[0], counts.join(" "));
    if let Some(elo) = tally.pairs.normalized_elo() {
        let _ = write!(text, "; normalized Elo {}", interval(&elo));
    }
    if let Some(better) = tally.pairs.superiority() {
        let _ = write!(text, "; better with a likelihood of {:.1} %", 100.0 * better);
    }
    text + "\n"
}

/// The test: its statistic between its bounds.
fn test(standings: &Standings, test: &Test) -> String {
    let status = test.status(standings);
    let (low, high) = test.sprt.bounds();
    let decision = match status.decision {
        Decision::Continue => "undecided",
        Decision::AcceptH0 => "H0 accepted",
        Decision::AcceptH1 => "H1 accepted",
    };
    let (elo0, elo1) = test.sprt.differences();
    let observed = if test.trinomial { "games" } else { "pairs" };
    format!("SPRT [{elo0}, {elo1}] of {observed} llr {:.2} ({low:.2}, {high:.2}) {decision}", status.llr)
}

/// How games ended, and whose faults there were.
fn ends(standings: &Standings) -> String {
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
    let mut text = if ends.is_empty() { String::new() } else { format!("ended: {}\n", ends.join(", ")) };
    for (engine, name) in standings.names().iter().enumerate() {
        if standings.wrong_claims(engine) > 0 {
            let _ = writeln!(
                text,
                "{name} said {} times that it had a proven win, and did not get it",
                standings.wrong_claims(engine)
            );
        }
    }
    text
}

/// A value with its 95 % interval.
fn interval(estimate: &Estimate) -> String {
    let end = |value: f64| {
        if value.is_finite() { format!("{value:+.1}") } else { if value > 0.0 { "inf" } else { "-inf" }.into() }
    };
    format!("{} [{}, {}]", end(estimate.value), end(estimate.low), end(estimate.high))
}
