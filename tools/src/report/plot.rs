//! The Elo difference of two players over the games with its 95 % interval, or the ratings of several, as SVG.

use super::chart::{Chart, colour};
use super::escaped;
use crate::arena::Standings;
use crate::arena::record::GameRecord;
use std::io::{self, Write};

const POINTS: usize = 200;

/// The values after a number of games: for each curve the estimate and the ends of its interval.
struct Point {
    games: usize,
    values: Vec<[f64; 3]>,
}

/// Writes the plot, or nothing if no pair of games is complete.
pub(crate) fn write(names: &[String], records: &[&GameRecord], out: &mut dyn Write) -> io::Result<()> {
    let points = points(names, records);
    let Some(last) = points.last() else { return Ok(()) };
    let (low, high) = range(&points);
    let several = names.len() > 2;
    let title = if several {
        "Ratings over the games".to_owned()
    } else {
        format!("Elo difference of {} over the games", escaped(&names[0]))
    };
    let across = [points[0].games as f64, last.games as f64];
    let label = |tick: f64| format!("{tick:+.0}");
    let chart = Chart { title: &title, name: "games", across, up: [low, high], label: &label };
    let mut drawn = String::new();
    for curve in 0..last.values.len() {
        let path = |end: usize| points.iter().map(move |point| (point.games as f64, point.values[curve][end]));
        if several {
            let [_, bottom, top] = last.values[curve];
            drawn += &chart.interval(curve, [bottom, top]);
        } else {
            let back = path(1).collect::<Vec<_>>().into_iter().rev();
            drawn += &chart.band(path(2).chain(back));
        }
        drawn += &chart.curve(curve, path(0));
    }
    writeln!(out, "<section>\n<h2>{title}</h2>\n{}", chart.svg(&drawn))?;
    if several {
        write!(out, "<p class=\"key\">")?;
        for (curve, name) in names.iter().enumerate() {
            write!(out, "<span><i class=\"c{}\"></i>{}</span> ", colour(curve), escaped(name))?;
        }
        writeln!(out, "</p>\n<p class=\"figures\">The bars at the right are 95 % intervals after the last game.</p>")?;
    } else {
        writeln!(
            out,
            "<p class=\"figures\">The band is the 95 % interval, from pairs of games. While one player has all the \
             points, the difference is infinite, at the edge.</p>"
        )?;
    }
    writeln!(out, "</section>")
}

/// Returns the values after at most [`POINTS`] numbers of games, including the last.
fn points(names: &[String], records: &[&GameRecord]) -> Vec<Point> {
    let mut standings = Standings::new(names.to_vec());
    let every = records.len().div_ceil(POINTS).max(1);
    let mut points = Vec::new();
    for (number, record) in records.iter().enumerate() {
        standings.add(record);
        let games = number + 1;
        if games != records.len() && !games.is_multiple_of(every) {
            continue;
        }
        let values = if names.len() > 2 {
            let rating = |rating: &crate::arena::Rating| {
                [rating.elo, rating.elo - rating.margin(), rating.elo + rating.margin()]
            };
            standings.ratings().iter().map(rating).collect()
        } else {
            let elo = standings.tally(0, 1).pair_sample().elo();
            elo.map(|elo| [elo.value, elo.low, elo.high]).into_iter().collect::<Vec<_>>()
        };
        if !values.is_empty() {
            points.push(Point { games, values });
        }
    }
    points
}

/// Returns the range of the axis: it covers 0 and the intervals of the later games, and leaves room for infinite values
/// beyond the finite ones.
fn range(points: &[Point]) -> (f64, f64) {
    let later = &points[points.len() / 5..];
    let values = later.iter().flat_map(|point| point.values.iter().flatten()).filter(|value| value.is_finite());
    let (low, high) = values.fold((-20.0_f64, 20.0_f64), |(low, high), &value| (low.min(value), high.max(value)));
    let has = |value: f64| later.iter().flat_map(|point| &point.values).any(|[estimate, ..]| *estimate == value);
    let size = high - low;
    let room = |infinite: f64| if has(infinite) { size } else { size / 20.0 };
    (low - room(f64::NEG_INFINITY), high + room(f64::INFINITY))
}
