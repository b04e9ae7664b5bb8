//! The Elo difference of two players over the games with its 95 % interval, or the ratings of more, as SVG.

use super::escaped;
use crate::arena::Standings;
use crate::arena::record::GameRecord;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The size of the plot and the margins of its axes.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 40.0;

const POINTS: usize = 200;

/// The number of colours in the style sheet.
const COLOURS: usize = 8;

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
    let (first, games) = (points[0].games, last.games);
    let x = |games_then: usize| {
        let span = (games - first).max(1) as f64;
        LEFT + (WIDTH - LEFT - RIGHT) * (games_then - first) as f64 / span
    };
    // Some browsers cannot represent values far outside the plot. Infinite values lie on the edge.
    let y = |value: f64| {
        let far = if value.is_finite() { high - low } else { 0.0 };
        let value = value.clamp(low - far, high + far);
        TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)
    };
    let several = names.len() > 2;
    let title = if several {
        "Ratings over the games".to_owned()
    } else {
        format!("Elo difference of {} over the games", escaped(&names[0]))
    };
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
         <clipPath id=\"frame\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        WIDTH - LEFT - RIGHT,
        HEIGHT - TOP - BOTTOM
    );
    axes(&mut svg, (low, high), (first, games), &x, &y);
    svg += "<g clip-path=\"url(#frame)\">\n";
    for curve in 0..last.values.len() {
        let path = |end: usize| points.iter().map(move |point| (point.games, point.values[curve][end]));
        let text = |(games, value): (usize, f64)| format!("{:.1},{:.1} ", x(games), y(value));
        if several {
            let [_, bottom, top] = last.values[curve];
            // The bars stand side by side.
            let at = WIDTH - RIGHT - 3.0 - 5.0 * curve as f64;
            let _ = writeln!(
                svg,
                "<line class=\"c{}\" x1=\"{at}\" x2=\"{at}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
                curve % COLOURS,
                y(bottom),
                y(top)
            );
        } else {
            let back = path(1).collect::<Vec<_>>().into_iter().rev();
            let band: String = path(2).chain(back).map(text).collect();
            let _ = writeln!(svg, "<polygon class=\"band\" points=\"{}\"/>", band.trim_end());
        }
        let line: String = path(0).map(text).collect();
        let _ = writeln!(svg, "<polyline class=\"c{}\" points=\"{}\"/>", curve % COLOURS, line.trim_end());
    }
    svg += "</g>\n</svg>\n";
    writeln!(out, "<section>\n<h2>{title}</h2>\n{svg}")?;
    if several {
        write!(out, "<p class=\"key\">")?;
        for (curve, name) in names.iter().enumerate() {
            write!(out, "<span><i class=\"c{}\"></i>{}</span> ", curve % COLOURS, escaped(name))?;
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

/// Draws the axes with their ticks, and a line at equal strength.
fn axes(
    svg: &mut String,
    (low, high): (f64, f64),
    (first, games): (usize, usize),
    x: &dyn Fn(usize) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let step = step((high - low) / 5.0);
    let mut tick = (low / step).ceil() * step;
    while tick <= high {
        // The sum of the steps may miss zero by a little, on either side.
        let is_zero = tick.abs() < step / 2.0;
        let (class, label) = if is_zero { ("zero", "0".into()) } else { ("grid", format!("{tick:+.0}")) };
        let at = y(tick);
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
        tick += step;
    }
    let step = self::step((games - first) as f64 / 8.0).max(1.0);
    let mut tick = (first as f64 / step).ceil() * step;
    while tick <= games as f64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two numbers of games")]
        let at = x(tick as usize);
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick:.0}</text>",
            HEIGHT - BOTTOM + 16.0
        );
        tick += step;
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">games</text>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 5.0
    );
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

/// Rounds up to 1, 2, 5, 10, 20 and so on.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}
