//! Nim on a terminal: heaps as rows of counters, those just taken as holes.

use super::rules::{Heaps, Take};
use crate::core::{Ink, Style};

/// So many counters have blanks between them,
const LOOSE: usize = 25;

/// and so many stand in a row; a heap that has more goes on below.
const ROW: usize = 50;

/// Draws the heaps; `last` is what was taken last.
#[must_use]
pub fn show(heaps: &Heaps, last: Option<Take>, style: Style) -> String {
    let taken = |heap: usize| last.filter(|take| usize::from(take.heap) == heap).map_or(0, |take| take.count.into());
    let places = |heap: usize, count: u8| usize::from(count) + taken(heap);
    let most = heaps.heaps().iter().enumerate().map(|(heap, &count)| places(heap, count)).max().unwrap_or(0);
    let (row, gap) = if most <= LOOSE { (LOOSE, " ") } else { (ROW, "") };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Side;

    #[test]
    fn what_was_taken_leaves_holes() {
        let heaps = Heaps::new(&[3, 2, 0], Side::First, false, 255);
        let last = Some(Take { heap: 1, count: 2 });
        assert_eq!(show(&heaps, last, Style::PLAIN), "  1 | o o o (3)\n  2 | o o . . (2)\n  3 | (0)\n");
        let unicode = Style { unicode: true, colour: false };
        assert_eq!(show(&heaps, last, unicode), "  1 │ ● ● ● (3)\n  2 │ ● ● ◌ ◌ (2)\n  3 │ (0)\n");
    }

    #[test]
    fn long_heaps_are_broken() {
        let shown = show(&Heaps::new(&[255, 26], Side::First, false, 255), None, Style::PLAIN);
        assert_eq!(shown.lines().count(), 7);
        assert!(shown.lines().all(|line| line.len() <= 80), "{shown}");
        assert_eq!(shown.matches('o').count(), 281);
    }
}
