//! Nim: heaps as rows of counters, on a terminal with the objects just taken as holes.

use super::Nim;
use super::rules::{Heaps, Take};
use crate::core::picture::{Anchor, Area, Paint, Perspective, Picture, Pictures, Shape, Spot};
use crate::core::{Ink, Style};
use crate::util::counted::counted;
use std::ops::Range;

/// The largest heap whose counters are separated by blanks.
const LOOSE: usize = 25;

/// The maximum number of counters in a row; larger heaps continue below.
const ROW: usize = 50;

/// The number of characters around the counters: `  1 | ` and ` (255)`.
const BESIDE: usize = 12;

impl Pictures for Nim {
    fn note(&self, _: &Heaps) -> String {
        let rule = if self.misere { "loses" } else { "wins" };
        let most = if self.max_take < 255 { format!(", at most {} in a move", self.max_take) } else { String::new() };
        format!(", who takes the last {rule}{most}")
    }

    fn show(&self, pos: &Heaps, last: Option<(&Heaps, Take)>, style: Style) -> String {
        show(pos, last.map(|(_, take)| take), style)
    }

    /// Describes the heaps, one below the other. Its spots are the heaps by their numbers, then the objects: `2.1` is
    /// the first of the second heap.
    fn picture(&self, pos: &Heaps, _: Perspective) -> Picture {
        let widest = pos.heaps().iter().copied().max().unwrap_or(0);
        let width = (LINE.min(widest.into()) as f64).mul_add(PITCH, 108.0).max(220.0);
        let (mut picture, mut objects, mut top) = (Picture { width, ..Picture::default() }, Vec::new(), 8.0);
        for (number, &heap) in (1..).zip(pos.heaps()) {
            let height = usize::from(heap).div_ceil(LINE).max(1) as f64 * PITCH + 10.0;
            let area = Area::corner(12.0, top, width - 24.0, height).rounded(10.0);
            let base = area.y + 4.5;
            let name = Shape::text(28.0, base, number, 12.0, Paint::Ink);
            let total = Shape::text(width - 24.0, base, heap, 13.0, Paint::Ink).anchored(Anchor::End);
            let label = format!("heap {number}, {}", counted(heap, "object"));
            picture.ground.push(Shape::Area(area, Paint::Wood));
            picture.spots.push(Spot::new(number.to_string(), area).labelled(label));
            let places = (0..usize::from(heap))
                .map(|at| [52.0 + PITCH * (at % LINE) as f64, top + 14.0 + PITCH * (at / LINE) as f64]);
            let places: Vec<_> = places.collect();
            objects.extend(
                (1..)
                    .zip(&places)
                    .map(|(object, &[x, y])| Spot::new(format!("{number}.{object}"), Area::disc(x, y, 6.5))),
            );
            picture.pieces.push(Shape::Group(vec![name, Shape::Dots(places, 6.5, Paint::Seed), total]));
            top += height + 6.0;
        }
        picture.height = top + 2.0;
        picture.spots.append(&mut objects);
        picture
    }

    fn spots(&self, picture: &Picture, pos: &Heaps, mv: Take) -> Vec<usize> {
        spots(picture, pos, mv)
    }
}

/// Draws the heaps; `last` is the last move.
pub(crate) fn show(heaps: &Heaps, last: Option<Take>, style: Style) -> String {
    let taken = |heap: usize| last.filter(|take| usize::from(take.heap) == heap).map_or(0, |take| take.count.into());
    let places = |heap: usize, count: u8| usize::from(count) + taken(heap);
    let most = heaps.heaps().iter().enumerate().map(|(heap, &count)| places(heap, count)).max().unwrap_or(0);
    // The number of the heap, the edge and the total need space too.
    let room = style.columns.map_or(usize::MAX, |columns| columns.saturating_sub(BESIDE).max(8));
    let (row, gap) = if most <= LOOSE.min(room / 2) { (LOOSE, " ") } else { (ROW.min(room), "") };
    let (counter, hole) = (style.either("●", "o"), style.paint(Ink::Marked, style.either("◌", ".")));
    let counter = style.paint(Ink::Second, counter);
    let edge = style.paint(Ink::Faint, style.either("│", "|"));
    let mut board = String::new();
    for (heap, &count) in heaps.heaps().iter().enumerate() {
        let number = style.paint(Ink::Strong, &format!("{:>3}", heap + 1));
        let objects: Vec<_> =
            (0..places(heap, count)).map(|place| if place < count.into() { &counter } else { &hole }).collect();
        let mut rows =
            objects.chunks(row).map(|row| row.iter().map(|object| object.as_str()).collect::<Vec<_>>().join(gap));
        let total = style.paint(if taken(heap) > 0 { Ink::Marked } else { Ink::Faint }, &format!("({count})"));
        let first = rows.next().map_or_else(String::new, |row| row + " ");
        board += &format!("{number} {edge} {first}{total}\n");
        for row in rows {
            board += &format!("    {edge} {row}\n");
        }
    }
    board
}

/// The number of objects in a line of a picture; larger heaps continue in the next line.
const LINE: usize = 20;

/// The distance between objects of a picture.
const PITCH: f64 = 18.0;

/// Returns the spots of the objects that a move takes; if the heap is smaller by now, the spot of the heap.
pub(crate) fn spots(picture: &Picture, heaps: &Heaps, Take { heap, count }: Take) -> Vec<usize> {
    let (number, objects) = (heap + 1, heaps.heaps()[usize::from(heap)]);
    // The objects of a heap follow each other.
    let first = picture.spot(&format!("{number}.{}", objects - count + 1));
    let taken = first.map(|first| first..first + usize::from(count));
    let is_there = |taken: &Range<usize>| {
        picture.spots.get(taken.end - 1).is_some_and(|spot| spot.name == format!("{number}.{objects}"))
    };
    taken.filter(is_there).map_or_else(|| picture.spot(&number.to_string()).into_iter().collect(), Iterator::collect)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Side;

    #[test]
    fn what_was_taken_leaves_holes() {
        let heaps = Heaps::new(&[3, 2, 0], Side::First, false, 255);
        let last = Some(Take { heap: 1, count: 2 });
        assert_eq!(show(&heaps, last, Style::PLAIN), "  1 | o o o (3)\n  2 | o o . . (2)\n  3 | (0)\n");
        let unicode = Style { unicode: true, ..Style::PLAIN };
        assert_eq!(show(&heaps, last, unicode), "  1 │ ● ● ● (3)\n  2 │ ● ● ◌ ◌ (2)\n  3 │ (0)\n");
    }

    #[test]
    fn heaps_fit_narrow_terminals() {
        let heaps = Heaps::new(&[255, 14, 3], Side::First, false, 255);
        let last = Some(Take { heap: 1, count: 9 });
        for columns in [20, 30, 40, 57, 80] {
            let shown = show(&heaps, last, Style { columns: Some(columns), ..Style::PLAIN });
            assert!(shown.lines().all(|line| line.len() <= columns), "{columns}\n{shown}");
            assert_eq!((shown.matches('o').count(), shown.matches('.').count()), (272, 9));
        }
        let few = Heaps::new(&[3, 10], Side::First, false, 255);
        let at = |columns| show(&few, None, Style { columns: Some(columns), ..Style::PLAIN });
        assert!(at(40).starts_with("  1 | o o o (3)\n") && at(30).starts_with("  1 | ooo (3)\n"), "{}", at(30));
    }

    #[test]
    fn long_heaps_are_broken() {
        let shown = show(&Heaps::new(&[255, 26], Side::First, false, 255), None, Style::PLAIN);
        assert_eq!(shown.lines().count(), 7);
        assert!(shown.lines().all(|line| line.len() <= 80), "{shown}");
        assert_eq!(shown.matches('o').count(), 281);
    }
}
