//! The board of a game of sowing on a terminal: seeds as numbers and as heaps of dots, with the last move highlighted.
//!
//! ```text
//!          6       5       4       3       2       1      North
//!  ╭─────┬─────┬ ...           the houses of the side to move have their names
//!  │     │ (0) │ ...           in brackets: the house that was played last
//!  │  1  │     │ ...
//! ```

use super::{HouseName, Pits};
use crate::core::{Ink, Side, Style};

/// The maximum number of houses per side with wide cells; all boards fit 80 columns.
const WIDE: usize = 10;

/// The dots of a braille character in the order in which seeds fill it, two in each row.
const BRAILLE: [u32; 8] = [0, 3, 1, 4, 2, 5, 6, 7];

/// Draws the board. `last` is the board before the last move, and the house that was played.
pub fn show(board: &Pits, last: Option<(&Pits, usize)>, house_name: HouseName, style: Style) -> String {
    let houses = board.houses[0].len();
    let drawing = Drawing { board, last, house_name, style, width: if houses > WIDE { 4 } else { 5 } };
    if !style.has_room(drawing.extent()) {
        let width = (3..=5).rev().find(|width| style.has_room(houses * width)).unwrap_or(3);
        return Drawing { width, ..drawing }.compact();
    }
    let [south, north] = [Side::First, Side::Second];
    let ends = |unicode: [&'static str; 3]| if style.unicode { unicode } else { ["+"; 3] };
    let edge = style.paint(Ink::Faint, style.either("│", "|"));
    let blank = " ".repeat(drawing.width);
    let row = |cells: Vec<String>| format!(" {edge}{blank}{edge}{}{edge}{blank}{edge}\n", cells.join(&edge));
    let middle = drawing.frame(ends(["├", "┼", "┤"]), houses);
    [
        drawing.label(north),
        format!(" {}\n", drawing.frame(ends(["╭", "┬", "╮"]), houses + 2)),
        row(drawing.counts(north)),
        row(drawing.heaps(north)),
        format!(" {edge}{}{middle}{}{edge}\n", drawing.store(north), drawing.store(south)),
        row(drawing.counts(south)),
        row(drawing.heaps(south)),
        format!(" {}\n", drawing.frame(ends(["╰", "┴", "╯"]), houses + 2)),
        drawing.label(south),
    ]
    .concat()
}

/// A board being drawn; `width` is the number of columns per cell.
struct Drawing<'a> {
    board: &'a Pits,
    last: Option<(&'a Pits, usize)>,
    house_name: HouseName,
    style: Style,
    width: usize,
}

impl Drawing<'_> {
    /// Draws the board without frames and heaps, for narrow terminals. The houses of the side to move have their names;
    /// the house played last has brackets, or an asterisk where brackets do not fit.
    ///
    /// ```text
    /// North    store 1
    ///    4   4   4   4   4   4
    ///    4   4 (0)   5   5   5
    ///    1   2   3   4   5   6
    /// South    store 0
    /// ```
    fn compact(&self) -> String {
        let width = self.width;
        let cells = |side: Side| {
            let cells = self.houses(side, |house, seeds, ink| {
                let text = match (self.is_last(side, house), width) {
                    (true, 3) => format!("*{seeds}"),
                    (true, _) => format!("({seeds})"),
                    (false, _) => seeds.to_string(),
                };
                " ".repeat(width.saturating_sub(text.len())) + &self.style.paint(ink, &text)
            });
            cells.concat() + "\n"
        };
        let names = |side: Side| {
            let names = self.houses(side, |house, _, _| format!("{:>width$}", (self.house_name)(side, house))).concat();
            if self.is_to_move(side) { self.style.paint(Ink::Strong, &names) + "\n" } else { String::new() }
        };
        let head = |side: Side| format!("{}  store {}\n", self.name(side), self.store(side).trim());
        let [south, north] = [Side::First, Side::Second];
        [head(north), names(north), cells(north), cells(south), names(south), head(south)].concat()
    }

    /// Returns the length of the longest line: the frame, or the names of the houses and that of the side after them.
    fn extent(&self) -> usize {
        let (houses, width) = (self.board.houses[0].len(), self.width);
        ((width + 1) * (houses + 2) + 2).max((width + 1) * (houses + 1) + 10)
    }

    fn is_to_move(&self, side: Side) -> bool {
        self.board.turn == Some(side)
    }

    fn is_last(&self, side: Side, house: usize) -> bool {
        self.last.is_some_and(|(before, played)| before.turn == Some(side) && played == house)
    }

    /// Returns the name of a side, highlighted if it is to move.
    fn name(&self, side: Side) -> String {
        let turn = self.is_to_move(side);
        let name = [["South", "North"], ["South ◂", "North ◂"]][usize::from(turn && self.style.unicode)][side.index()];
        self.style.paint(if turn { ink(side) } else { Ink::Faint }, name)
    }

    /// Returns a line of the frame over `cells` cells.
    fn frame(&self, [left, middle, right]: [&str; 3], cells: usize) -> String {
        let dashes = vec![self.style.either("─", "-").repeat(self.width); cells];
        self.style.paint(Ink::Faint, &format!("{left}{}{right}", dashes.join(middle)))
    }

    /// Returns the names of the houses, if this side is to move, and its own name.
    fn label(&self, side: Side) -> String {
        let names = self.houses(side, |house, _, _| {
            let name = if self.is_to_move(side) { (self.house_name)(side, house) } else { String::new() };
            format!("{name:^width$}", width = self.width)
        });
        let names = self.style.paint(Ink::Strong, &names.join(" "));
        format!("{}{names}  {}\n", " ".repeat(self.width + 3), self.name(side))
    }

    /// Returns the houses of a side as numbers.
    fn counts(&self, side: Side) -> Vec<String> {
        self.houses(side, |house, seeds, ink| {
            let text = if self.is_last(side, house) { format!("({seeds})") } else { seeds.to_string() };
            self.cell(&text, ink)
        })
    }

    /// Returns the houses of a side as dots, one per seed as far as they fit.
    fn heaps(&self, side: Side) -> Vec<String> {
        let dots = if self.style.unicode { braille } else { points };
        self.houses(side, |_, seeds, ink| self.cell(&dots(seeds, self.width - 2), ink))
    }

    fn store(&self, side: Side) -> String {
        let seeds = self.board.stores[side.index()];
        let grown = self.last.is_some_and(|(before, _)| before.stores[side.index()] != seeds);
        self.cell(&seeds.to_string(), if grown { Ink::Marked } else { Ink::Strong })
    }

    /// Returns a text for each house of a side from left to right: North's run the other way.
    fn houses(&self, side: Side, text: impl Fn(usize, u16, Ink) -> String) -> Vec<String> {
        let houses = self.board.houses[side.index()].iter().enumerate();
        let mut texts: Vec<_> = houses
            .map(|(house, &seeds)| {
                let ink = match self.last {
                    Some((before, _)) if before.houses[side.index()].get(house) != Some(&seeds) => Ink::Marked,
                    _ if seeds == 0 => Ink::Faint,
                    _ => ink(side),
                };
                text(house, seeds, ink)
            })
            .collect();
        if side == Side::Second {
            texts.reverse();
        }
        texts
    }

    fn cell(&self, text: &str, ink: Ink) -> String {
        let left = (self.width - text.chars().count().min(self.width)) / 2;
        let right = self.width.saturating_sub(left + text.chars().count());
        format!("{}{}{}", " ".repeat(left), self.style.paint(ink, text), " ".repeat(right))
    }
}

const fn ink(side: Side) -> Ink {
    match side {
        Side::First => Ink::First,
        Side::Second => Ink::Second,
    }
}

/// Draws dots in at most `room` characters of two by four.
fn braille(seeds: u16, room: usize) -> String {
    let whole = usize::from(seeds / 8).min(room);
    let mut dots = "\u{28ff}".repeat(whole);
    let part = BRAILLE[..usize::from(seeds % 8)].iter().fold(0x2800_u32, |bits, dot| bits | 1 << dot);
    if whole < room && !seeds.is_multiple_of(8) {
        dots.extend(char::from_u32(part));
    }
    dots
}

/// Draws dots in ASCII, two in each of at most `room` characters.
fn points(seeds: u16, room: usize) -> String {
    let whole = usize::from(seeds / 2).min(room);
    let odd = if whole < room && seeds % 2 == 1 { "." } else { "" };
    ":".repeat(whole) + odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_of_dots_have_room() {
        assert_eq!((braille(9, 3).as_str(), braille(288, 3).as_str()), ("⣿⠁", "⣿⣿⣿"));
        assert_eq!((points(5, 3).as_str(), points(288, 3).as_str(), points(0, 3).as_str()), ("::.", ":::", ""));
    }
}
