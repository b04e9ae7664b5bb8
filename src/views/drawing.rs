//! Boards with their marks as SVG.

use super::colour;
use super::document::{document, number, written};
use super::theme::Theme;
use crate::core::error::Quoted;
use crate::core::picture::{Area, Paint, Perspective, Picture, Shape};
use crate::core::{Outcome, Side};
use crate::engine::Board;

/// The last move in a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LastMove {
    /// The last move that was played.
    #[default]
    Played,
    /// No last move.
    Hidden,
    /// The spots that a text names, such as `e2e4`.
    Named(String),
}

/// The settings of a drawing. Spots have the names of [`Spot`](crate::core::picture::Spot), colours those of CSS.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The colours.
    pub theme: Theme,
    /// The view of the board.
    pub perspective: Perspective,
    /// The width in pixels; `None`: that of the picture.
    pub size: Option<u32>,
    /// A legal move, marked by an arrow or a ring.
    pub best: Option<String>,
    /// The last move.
    pub last: LastMove,
    /// Whether the side to move, or the result, is left out below the board.
    pub bare: bool,
    /// Spots to fill, with their colours.
    pub fill: Vec<(String, String)>,
    /// Spots with a cross.
    pub squares: Vec<String>,
    /// Arrows: the spots from the tail to the head, one after the other as in `e2e4`, and a colour. A single spot gets
    /// a ring.
    pub arrows: Vec<(String, Option<String>)>,
    /// Legal moves, each with a text at the place where it leads.
    pub values: Vec<(String, String)>,
}

/// The number of values that fit one below the other on a square.
const MOST_VALUES: usize = 3;

/// Draws a board as SVG, with the side to move or the result below it.
///
/// # Errors
/// The name of the field and the fault: a spot that does not exist, or a text that is not a colour.
pub fn svg(board: &dyn Board, drawing: &Drawing) -> Result<String, String> {
    let mut picture = board.picture(drawing.perspective);
    match &drawing.last {
        LastMove::Played => {}
        LastMove::Hidden => picture.last.clear(),
        LastMove::Named(text) => picture.last = spots(&picture, "lastmove", text)?,
    }
    let [ground, mut marks, pieces] = picture.layers().map(|shapes| written(&shapes));
    for (name, colour) in &drawing.fill {
        let area = picture.spots[spot(&picture, "fill", name)?].area;
        marks += &coloured(&[Shape::Area(area, Paint::Mark)], Some(colour::checked("fill", colour)?));
    }
    let mut body = ground + &marks + &pieces;
    for name in &drawing.squares {
        let area = picture.spots[spot(&picture, "squares", name)?].area.inset(8.0);
        let ([x, y], [width, height]) = (area.top_left().map(number), [area.width, area.height].map(number));
        let cross = format!("M{x} {y}l{width} {height}m0-{height}l-{width} {height}");
        body += &written(&[Shape::Line(cross, Paint::Mark, 5.0)]);
    }
    for (names, colour) in &drawing.arrows {
        let colour = colour.as_deref().map(|colour| colour::checked("arrows", colour)).transpose()?;
        body += &coloured(&way(&picture, &spots(&picture, "arrows", names)?), colour);
    }
    let mut below = if drawing.bare { Vec::new() } else { vec![(caption(board, &picture), Paint::Ink)] };
    if let Some(best) = &drawing.best {
        let spots = board.spots(&picture, best);
        if spots.is_empty() {
            below.insert(0, (format!("best move {best}"), Paint::Mark));
        }
        body += &written(&best_move(&picture, &spots, best));
    }
    body += &written(&values(board, &picture, &drawing.values));
    let longest = below.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
    let (width, mut height) = (picture.width.max(7.4 * longest as f64 + 16.0), picture.height);
    for (text, paint) in below {
        body += &written(&[Shape::text(width / 2.0, height + 12.0, text, 13.0, paint)]);
        height += 24.0;
    }
    let title = format!("{}: {}", board.title(), board.text());
    Ok(document(&body, [width, height], drawing.theme, drawing.size, &title))
}

/// Returns the marks of a move: an arrow, with the piece of a promotion, or rings.
fn best_move(picture: &Picture, spots: &[usize], text: &str) -> Vec<Shape> {
    let (Some(&to), true) = (spots.last(), picture.is_way) else {
        return spots.iter().map(|&at| ring(picture, at)).collect();
    };
    let (mut marks, Area { x, y, .. }) = (way(picture, spots), picture.spots[to].area);
    let promotion = text.chars().last().filter(char::is_ascii_alphabetic);
    if let Some(letter) = promotion {
        marks.push(Shape::Area(Area::disc(x + 13.0, y - 13.0, 8.5), Paint::Mark));
        marks.push(Shape::text(x + 13.0, y - 8.5, letter.to_ascii_uppercase(), 12.5, Paint::Paper));
    }
    marks
}

/// Returns the values of moves at the places where they lead; different ones of moves to the same place below each
/// other, in their order.
fn values(board: &dyn Board, picture: &Picture, values: &[(String, String)]) -> Vec<Shape> {
    let mut places: Vec<(usize, Vec<&str>)> = Vec::new();
    for (mv, value) in values {
        let spots = board.spots(picture, mv);
        // The first object that is taken tells how many are.
        let Some(&to) = (if picture.is_way { spots.last() } else { spots.first() }) else { continue };
        match places.iter_mut().find(|(at, _)| *at == to) {
            Some((_, known)) if known.contains(&value.as_str()) => {}
            Some((_, known)) => known.push(value),
            None => places.push((to, vec![value])),
        }
    }
    let centre = |at: usize| [picture.spots[at].area.x, picture.spots[at].area.y];
    let centres: Vec<_> = places.iter().map(|&(at, _)| centre(at)).collect();
    let mut marks = Vec::new();
    for (at, mut known) in places {
        let [x, y] = centre(at);
        if known.len() > MOST_VALUES {
            known.truncate(MOST_VALUES - 1);
            known.push("…");
        }
        let longest = known.iter().map(|value| value.chars().count()).max().unwrap_or(0);
        let width = 7.0 * longest as f64 + 7.0;
        // Neighbours in the row must not touch.
        let beside = centres.iter().filter(|other| other[0] != x && (other[1] - y).abs() < 14.0);
        let room = beside.map(|other| (other[0] - x).abs() - 1.0).fold(width, f64::min);
        let scale = room / width;
        let first = y - 7.0 * scale * (known.len() as f64 - 1.0);
        for (row, value) in known.into_iter().enumerate() {
            let y = first + 14.0 * scale * row as f64;
            let area = Area { x, y, width: room, height: 14.0 * scale, round: 7.0 * scale };
            marks.push(Shape::Area(area, Paint::Mark));
            marks.push(Shape::Ring(area, Paint::Paper, 1.0));
            marks.push(Shape::text(x, y + 4.0 * scale, value, 11.5 * scale, Paint::Paper));
        }
    }
    marks
}

fn ring(picture: &Picture, at: usize) -> Shape {
    let area = picture.spots[at].area;
    let is_square = area.round == 0.0;
    Shape::Ring(if is_square { Area::disc(area.x, area.y, area.height / 2.0 - 4.0) } else { area }, Paint::Mark, 4.0)
}

/// Returns the arrows from spot to spot, or a ring around a single spot.
fn way(picture: &Picture, spots: &[usize]) -> Vec<Shape> {
    if let [only] = *spots {
        return vec![ring(picture, only)];
    }
    let centre = |at: usize| [picture.spots[at].area.x, picture.spots[at].area.y];
    spots.windows(2).filter(|pair| pair[0] != pair[1]).map(|pair| arrow(centre(pair[0]), centre(pair[1]))).collect()
}

fn arrow([x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> Shape {
    let far = (to_x - x).hypot(to_y - y);
    let (across, down) = ((to_x - x) / far, (to_y - y) / far);
    // The corners, along the arrow and beside it: the shaft, the head, the shaft.
    let neck = far - 15.0;
    let corners = [(0.0, -3.0), (neck, -3.0), (neck, -9.5), (far, 0.0), (neck, 9.5), (neck, 3.0), (0.0, 3.0)];
    let corners = corners.map(|(along, beside)| {
        format!("{} {}", number(x + along * across - beside * down), number(y + along * down + beside * across))
    });
    Shape::Path(format!("M{}z", corners.join("L")), Paint::Mark)
}

/// Returns marks in a colour, or in their own without one.
fn coloured(marks: &[Shape], colour: Option<&str>) -> String {
    let marks = written(marks);
    let Some(colour) = colour else { return marks };
    let marks = marks.replace("class=\"mark-line\"", &format!("stroke=\"{colour}\""));
    marks.replace("class=\"mark\"", &format!("fill=\"{colour}\""))
}

/// Returns the names of the players in a picture.
#[must_use]
pub fn players(board: &dyn Board, picture: &Picture) -> [&'static str; 2] {
    picture.players.unwrap_or_else(|| board.sides())
}

/// Returns the side to move or the winner, by the names of the players in the picture.
#[must_use]
pub fn caption(board: &dyn Board, picture: &Picture) -> String {
    let players = players(board, picture);
    let name = |side: Side| {
        let (first, rest) = players[side.index()].split_at(1);
        first.to_uppercase() + rest
    };
    let Some(outcome) = board.outcome() else { return format!("{} to move", name(board.turn())) };
    match outcome.of_first(board.turn()) {
        Outcome::Win => name(Side::First) + " wins",
        Outcome::Loss => name(Side::Second) + " wins",
        Outcome::Draw | Outcome::Margin(0) => "A draw".into(),
        Outcome::Margin(lead) => {
            let winner = if lead > 0 { Side::First } else { Side::Second };
            format!("{} wins by {}", name(winner), lead.abs())
        }
    }
}

/// Returns the spots that a text names.
fn spots(picture: &Picture, field: &str, text: &str) -> Result<Vec<usize>, String> {
    let words = picture.words(text);
    let found: Vec<_> = words.iter().copied().flatten().collect();
    // Letters may belong to the notation of the move, but a digit belongs to a place.
    let is_known = words.iter().all(|word| !word.is_err_and(|letter| letter.is_ascii_digit()));
    if found.is_empty() || !is_known { Err(missing(picture, field, text)) } else { Ok(found) }
}

fn spot(picture: &Picture, field: &str, name: &str) -> Result<usize, String> {
    picture.spot(name).ok_or_else(|| missing(picture, field, name))
}

fn missing(picture: &Picture, field: &str, text: &str) -> String {
    let names: Vec<&str> = picture.spots.iter().map(|spot| &*spot.name).collect();
    let known = match names[..] {
        [] => "this game has no places that can be marked".into(),
        [first, second, .., last] if names.len() > 24 => {
            format!("the places of the board are {first}, {second} ... {last}")
        }
        _ => format!("the places of the board are {}", names.join(", ")),
    };
    format!("{field}: {} names no place of the board; {known}", Quoted::new(text))
}
