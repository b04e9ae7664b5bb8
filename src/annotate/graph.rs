//! The winning chances of the first player over a game, as a picture.

use super::{AnnotatedMove, Assessment};
use crate::core::Picture;
use crate::core::picture::{Area, Paint, Shape};
use std::fmt::Write;

/// The width of the graph.
const WIDTH: f64 = 640.0;

/// The height of the graph.
const HEIGHT: f64 = 160.0;

/// Returns the winning chances of the first player before the first move and after each, percent.
pub(super) fn percents(moves: &[AnnotatedMove]) -> Vec<f64> {
    let first = |player: u8, percent: f64| if player == 1 { percent } else { 100.0 - percent };
    let start = moves.first().map(|mv| first(mv.player, mv.best_win_percent));
    start.into_iter().chain(moves.iter().map(|mv| first(mv.player, mv.win_percent))).collect()
}

/// Draws the winning chances of the first player, from 0 below to 100 percent above, with a dot for each move that
/// loses much.
#[must_use]
pub fn graph(moves: &[AnnotatedMove]) -> Picture {
    let percents = percents(moves);
    let step = WIDTH / percents.len().saturating_sub(1).max(1) as f64;
    let place = |ply: usize, percent: f64| [step * ply as f64, HEIGHT * (1.0 - percent / 100.0)];
    let mut line = String::new();
    for (ply, &percent) in percents.iter().enumerate() {
        let [x, y] = place(ply, percent);
        // Writing to a string does not fail.
        let _ = write!(line, "{}{x:.1} {y:.1}", if ply == 0 { 'M' } else { 'L' });
    }
    let area = format!("{line}L{WIDTH} {HEIGHT}L0 {HEIGHT}z");
    let dots = |assessment: Assessment, paint: Paint| {
        let assessed = moves.iter().enumerate().filter(move |(_, mv)| mv.assessment == Some(assessment));
        Shape::Dots(assessed.map(|(at, _)| place(at + 1, percents[at + 1])).collect(), 4.0, paint)
    };
    let mut ground = vec![Shape::Area(Area::corner(0.0, 0.0, WIDTH, HEIGHT), Paint::Black)];
    if !percents.is_empty() {
        ground.push(Shape::Path(area, Paint::White));
    }
    ground.push(Shape::Line(format!("M0 {0}h{WIDTH}", HEIGHT / 2.0), Paint::Faint, 1.0));
    let pieces = vec![
        dots(Assessment::Inaccuracy, Paint::Second),
        dots(Assessment::Mistake, Paint::CheckSquare),
        dots(Assessment::Blunder, Paint::Red),
    ];
    Picture { width: WIDTH, height: HEIGHT, ground, pieces, ..Picture::default() }
}
