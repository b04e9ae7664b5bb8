//! The crosstable of a match as SVG: for each player a row with its results against each of the others and its
//! strength.

use crate::arena::{Estimate, Games, Standings};
use secateurs::core::Picture;
use secateurs::core::picture::{Anchor, Area, Paint, Shape};
use secateurs::util::counted::counted;
use secateurs::views::document;
use secateurs::views::theme::Theme;

/// The height of a row; the widths of a letter, of the narrowest column and of the strength axis.
const ROW: f64 = 36.0;
const LETTER: f64 = 7.4;
const COLUMN: f64 = 92.0;
const AXIS: f64 = 150.0;

/// The maximum length of a name as the head of a column; longer names are replaced by numbers.
const HEAD: usize = 12;

/// The maximum length of a name in its row.
const NAME: usize = 28;

/// Draws the crosstable; `planned`: the number of games of a match that has not ended.
pub fn crosstable(standings: &Standings, planned: Option<usize>, theme: Theme) -> String {
    let (names, order) = (standings.names(), standings.ranking());
    let several = order.len() > 2;
    let games = |one: usize, other: usize| standings.tally(one, other).games;
    let longest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0) as f64 * LETTER
    };
    let left = 52.0 + longest(&mut names.iter().map(|name| short(name, NAME))).max(56.0);
    let mut meetings = order.iter().flat_map(|&one| order.iter().map(move |&other| counts(&games(one, other))));
    let column = (16.0 + longest(&mut meetings)).max(COLUMN);
    let totals = longest(&mut order.iter().map(|&one| total(&standings.total(one).games))).max(70.0);
    let points = left + column * order.len() as f64 + totals;
    let axis = points + 22.0;
    let height = ROW.mul_add(order.len() as f64, 96.0);
    let mut picture = Picture { width: axis + AXIS + 152.0, height, ..Picture::default() };
    let middle = |at: usize| left + column * (at as f64 + 0.5);

    let mut shapes = Vec::new();
    let is_named = names.iter().all(|name| name.chars().count() <= HEAD);
    let mut head = |x, text: String| shapes.push(Shape::text(x, 28.0, text, 12.0, Paint::Faint));
    for (at, &one) in order.iter().enumerate() {
        head(middle(at), if is_named { short(&names[one], HEAD) } else { (at + 1).to_string() });
    }
    head(axis + AXIS / 2.0, if several { "rating" } else { "Elo difference" }.into());
    shapes.push(Shape::text(points, 28.0, "points", 12.0, Paint::Faint).anchored(Anchor::End));

    let strengths = strengths(standings, &order);
    let finite = strengths.iter().flat_map(|strength| [strength.value, strength.low, strength.high]);
    let reach = rounded(finite.map(f64::abs).filter(|end| *end < 2_000.0).fold(100.0, f64::max));
    for (at, &one) in order.iter().enumerate() {
        let top = 40.0 + ROW * at as f64;
        let base = top + ROW / 2.0 + 4.0;
        if at % 2 == 0 {
            let stripe = Area::corner(8.0, top, picture.width - 16.0, ROW).rounded(6.0);
            shapes.push(Shape::Area(stripe, Paint::Stripe));
        }
        shapes.push(Shape::text(32.0, base, at + 1, 12.0, Paint::Faint).anchored(Anchor::End));
        shapes.push(Shape::text(42.0, base, short(&names[one], NAME), 13.0, Paint::Ink).anchored(Anchor::Start));
        for (beside, &other) in order.iter().enumerate() {
            if one == other {
                shapes.push(Shape::text(middle(beside), base, "·", 16.0, Paint::Faint));
            } else {
                shapes.extend(meeting(middle(beside), top, &games(one, other)));
            }
        }
        let total = total(&standings.total(one).games);
        shapes.push(Shape::text(points, base, total, 13.0, Paint::Ink).anchored(Anchor::End));
        shapes.extend(strengths.get(at).map(|strength| interval(axis, top + ROW / 2.0, strength, reach)));
    }
    if !strengths.is_empty() {
        shapes.push(scale(axis, ROW.mul_add(order.len() as f64, 40.0), reach));
    }
    let played = standings.games();
    let caption = match planned {
        Some(planned) if planned > played => format!("{played} of {}", counted(planned, "game")),
        _ => counted(played, "game"),
    };
    let note = format!("{caption}; wins – draws – losses of the row's player, below them the share of the points");
    shapes.push(Shape::text(42.0, height - 14.0, note, 12.0, Paint::Faint).anchored(Anchor::Start));
    picture.ground = shapes;
    let players: Vec<_> = order.iter().map(|&one| short(&names[one], 60)).collect();
    document::picture(&picture, theme, &format!("{caption} between {}", players.join(", ")))
}

/// Returns the value and interval of each row: for two players the difference of the first, for more the ratings.
fn strengths(standings: &Standings, order: &[usize]) -> Vec<Estimate> {
    if order.len() == 2 {
        return standings.tally(0, 1).pair_sample().elo().into_iter().collect();
    }
    let ratings = standings.ratings();
    let rating = |&one: &usize| {
        let (value, margin) = (ratings[one].elo, ratings[one].margin());
        Estimate { value, low: value - margin, high: value + margin }
    };
    order.iter().map(rating).collect()
}

fn counts(games: &Games) -> String {
    format!("{} – {} – {}", games.wins(), games.draws(), games.losses())
}

fn total(games: &Games) -> String {
    format!("{} / {}", games.points(), games.total())
}

/// Returns the games of two players with a bar of the points.
fn meeting(x: f64, top: f64, games: &Games) -> Vec<Shape> {
    let Some(share) = games.score() else {
        return vec![Shape::text(x, top + ROW / 2.0 + 4.0, "–", 13.0, Paint::Faint)];
    };
    let (width, base) = (COLUMN - 24.0, top + ROW - 9.0);
    let bar = |width| Area::corner(x - (COLUMN - 24.0) / 2.0, base, width, 3.0).rounded(1.5);
    let mut shapes = vec![
        Shape::text(x, top + ROW / 2.0 + 2.0, counts(games), 13.0, Paint::Ink),
        Shape::Area(bar(width), Paint::Hollow),
    ];
    if share > 0.0 {
        shapes.push(Shape::Area(bar(width * share), Paint::Mark));
    }
    shapes
}

/// Returns a value with its interval on an axis around 0; parts beyond the axis are cut off.
fn interval(x: f64, y: f64, Estimate { value, low, high }: &Estimate, reach: f64) -> Shape {
    let place = |end: &f64| x + AXIS / 2.0 * (1.0 + (end / reach).clamp(-1.0, 1.0));
    let text = format!("{} [{}, {}]", elo(*value), elo(*low), elo(*high));
    let band = Area::corner(place(low), y - 2.5, (place(high) - place(low)).max(2.0), 5.0).rounded(2.5);
    Shape::Group(vec![
        Shape::Area(Area::corner(x + AXIS / 2.0 - 0.5, y - ROW / 2.0 + 3.0, 1.0, ROW - 6.0), Paint::Faint),
        Shape::Area(band, Paint::Frame),
        Shape::Area(Area::disc(place(value), y, 4.5), Paint::Ink),
        Shape::text(x + AXIS + 12.0, y + 4.0, text, 12.0, Paint::Ink).anchored(Anchor::Start),
    ])
}

/// Returns the end of the scale, a round number.
fn rounded(reach: f64) -> f64 {
    [100.0, 200.0, 400.0, 600.0, 1_000.0].into_iter().find(|end| reach <= *end).unwrap_or(2_000.0)
}

/// Returns the scale below the rows: a line with marks at its ends, halfway and at 0.
fn scale(x: f64, y: f64, reach: f64) -> Shape {
    let mut shapes = vec![Shape::Area(Area::corner(x, y, AXIS, 1.0), Paint::Faint)];
    for part in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let place = x + AXIS / 2.0 * (1.0 + part);
        shapes.push(Shape::Area(Area::corner(place - 0.5, y, 1.0, 5.0), Paint::Faint));
        if part == 0.0 {
            shapes.push(Shape::text(place, y + 17.0, "0", 10.0, Paint::Faint));
        } else if part.abs() == 1.0 {
            shapes.push(Shape::text(place, y + 17.0, elo(part * reach), 10.0, Paint::Faint));
        }
    }
    Shape::Group(shapes)
}

fn elo(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.into();
    }
    // What is rounded to zero has no minus.
    format!("{:+.0}", value.round() + 0.0).replace('-', "−")
}

fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.into(),
    }
}
