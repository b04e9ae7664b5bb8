//! Oware on a terminal: seeds as numbers and as heaps of dots, with the last move highlighted.
//!
//! ```text
//!      f       e       d       c       b       a     North  2
//!  ╭─────┬─────┬ ...           the houses of the side to move have their letters
//!  │ (0) │  5  │ ...           in brackets: the house that was played last
//!  │     │  ⠿⠁ │ ...
//! ```

use super::rules::{Board, HOUSES, House};
use super::text::letter;
use crate::core::{Ink, Position, Side, Style};
use crate::games::sowing::{braille, in_sight, ink, points};

/// The number of columns of a house.
const WIDTH: usize = 5;

/// The length of the longest line with frames: the letters, and the name and the seeds beside them.
const EXTENT: usize = (WIDTH + 1) * HOUSES + 16;

/// Draws the board. `last` is the board before the last move, and that move.
#[must_use]
pub fn show(board: &Board, last: Option<(&Board, House)>, style: Style) -> String {
    let picture = Picture { board, last, style };
    let [south, north] = [Side::First, Side::Second];
    if !style.has_room(EXTENT) {
        return [picture.head(north), picture.numbers(north), picture.numbers(south), picture.head(south)].concat();
    }
    let edge = style.paint(Ink::Faint, style.either("│", "|"));
    let row = |cells: Vec<String>| format!(" {edge}{}{edge}\n", cells.join(&edge));
    let frame = |ends: [&str; 3]| format!(" {}\n", picture.frame(if style.unicode { ends } else { ["+"; 3] }));
    [
        picture.head(north),
        frame(["╭", "┬", "╮"]),
        row(picture.counts(north)),
        row(picture.heaps(north)),
        frame(["├", "┼", "┤"]),
        row(picture.counts(south)),
        row(picture.heaps(south)),
        frame(["╰", "┴", "╯"]),
        picture.head(south),
    ]
    .concat()
}

/// Describes the seeds that a move captures, if any.
#[must_use]
pub fn remark(before: &Board, mv: House) -> Option<String> {
    let captured = before.captured(mv);
    (captured > 0).then(|| format!("captures {captured} seeds"))
}

/// A board being drawn.
struct Picture<'a> {
    board: &'a Board,
    last: Option<(&'a Board, House)>,
    style: Style,
}

impl Picture<'_> {
    /// Returns the letters of a side's houses, if it is to move, its name and the seeds that it has captured.
    fn head(&self, side: Side) -> String {
        let turn = self.board.turn() == side && !self.board.is_over();
        let letters = (0..HOUSES as u8).map(|at| if turn { letter(side, House(at)) } else { ' ' });
        let letters = in_sight(side, letters.map(|letter| format!("{letter:^WIDTH$}")).collect()).join(" ");
        let name = [["South", "North"], ["South ◂", "North ◂"]][usize::from(turn && self.style.unicode)][side.index()];
        let name = self.style.paint(if turn { ink(side) } else { Ink::Faint }, name);
        let seeds = self.board.stores()[side.index()];
        let grown = self.last.is_some_and(|(before, _)| before.stores()[side.index()] != seeds);
        let seeds = self.style.paint(if grown { Ink::Marked } else { Ink::Strong }, &format!("{seeds:>3}"));
        if self.style.has_room(EXTENT) {
            format!("  {}  {name} {seeds}\n", self.style.paint(Ink::Strong, &letters))
        } else {
            let letters = if turn { self.style.paint(Ink::Strong, letters.trim_end()) + "\n" } else { String::new() };
            if side == Side::First {
                format!("{letters}{name} {seeds}\n")
            } else {
                format!("{name} {seeds}\n{letters}")
            }
        }
    }

    /// Returns a side's houses as a line of numbers, for narrow terminals.
    fn numbers(&self, side: Side) -> String {
        format!("{}\n", self.counts(side).join(" "))
    }

    /// Returns the line between the rows of houses.
    fn frame(&self, [left, middle, right]: [&str; 3]) -> String {
        let dashes = vec![self.style.either("─", "-").repeat(WIDTH); HOUSES];
        self.style.paint(Ink::Faint, &format!("{left}{}{right}", dashes.join(middle)))
    }

    /// Returns the houses of a side as numbers.
    fn counts(&self, side: Side) -> Vec<String> {
        self.cells(side, |at, seeds| {
            let is_last = self.last.is_some_and(|(before, mv)| before.turn() == side && usize::from(mv.0) == at);
            if is_last { format!("({seeds})") } else { seeds.to_string() }
        })
    }

    /// Returns the houses of a side as dots, one per seed as far as they fit.
    fn heaps(&self, side: Side) -> Vec<String> {
        let room = WIDTH - 2;
        self.cells(
            side,
            |_, seeds| if self.style.unicode { braille(seeds.into(), room) } else { points(seeds.into(), room) },
        )
    }

    fn cells(&self, side: Side, text: impl Fn(usize, u8) -> String) -> Vec<String> {
        let cells = self.board.houses()[side.index()].into_iter().enumerate();
        let cells = cells.map(|(at, seeds)| {
            let changed = self.last.is_some_and(|(before, _)| before.houses()[side.index()][at] != seeds);
            let ink = match seeds {
                _ if changed => Ink::Marked,
                0 => Ink::Faint,
                _ => ink(side),
            };
            let text = text(at, seeds);
            let gap = WIDTH.saturating_sub(text.chars().count());
            format!("{}{}{}", " ".repeat(gap / 2), self.style.paint(ink, &text), " ".repeat(gap - gap / 2))
        });
        in_sight(side, cells.collect())
    }
}
