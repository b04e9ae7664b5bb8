//! Nim on a terminal: heaps as rows of counters, the objects just taken as holes.

use super::rules::{Heaps, Take};
use crate::core::{Ink, Style};

/// The largest heap whose counters are separated by blanks.
const LOOSE: usize = 25;

/// The maximum number of counters in a row; larger heaps continue below.
const ROW: usize = 50;

/// The number of characters around the counters: `  1 | ` and ` (255)`.
const BESIDE: usize = 12;

/// Draws the heaps; `last` is the last move.
#[must_use]
pub fn show(heaps: &Heaps, last: Option<Take>, style: Style) -> String {
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
