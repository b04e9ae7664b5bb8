//! Kalah on a terminal: seeds as numbers and as heaps of dots, with the last move highlighted.
//!
//! ```text
//!          6       5       4       3       2       1      North
//!  ╭─────┬─────┬ ...           the houses of the side to move have their numbers
//!  │     │ (0) │ ...           in brackets: the house that was played last
//!  │  1  │     │ ...
//! ```

use super::{Contents, House};
use crate::core::{Ink, Side, Style};
use crate::games::sowing::{braille, in_sight, ink, points};

/// The maximum number of houses per side with wide cells; all boards fit 80 columns.
const WIDE: usize = 10;

/// Draws the board. `last` is the board before the last move, and that move.
#[must_use]
pub fn show(board: &Contents, last: Option<(&Contents, House)>, style: Style) -> String {
    let houses = board.houses[0].len();
    let picture = Picture { board, last, style, width: if houses > WIDE { 4 } else { 5 } };
    if !style.has_room(picture.extent()) {
        return compact(board, last, style);
    }
    let frame = |ends: [&str; 3], ascii: &str| picture.frame(if style.unicode { ends } else { [ascii; 3] });
    let edge = style.paint(Ink::Faint, style.either("│", "|"));
    let [store_south, store_north] = [Side::First, Side::Second].map(|side| picture.store(side));
    let blank = " ".repeat(picture.width);
    let row = |cells: Vec<String>| {
        let cells = cells.join(&edge);
        format!(" {edge}{blank}{edge}{cells}{edge}{blank}{edge}\n")
    };
    let middle = frame(["├", "┼", "┤"], "+");
    [
        picture.label(Side::Second),
        format!(" {}\n", picture.outer(if style.unicode { ["╭", "┬", "╮"] } else { ["+"; 3] })),
        row(picture.counts(Side::Second)),
        row(picture.heaps(Side::Second)),
        format!(" {edge}{store_north}{middle}{store_south}{edge}\n"),
        row(picture.counts(Side::First)),
        row(picture.heaps(Side::First)),
        format!(" {}\n", picture.outer(if style.unicode { ["╰", "┴", "╯"] } else { ["+"; 3] })),
        picture.label(Side::First),
    ]
    .concat()
}

/// Draws the board without frames and heaps, for narrow terminals. The houses of the side to move have their numbers;
/// the house played last has brackets, or an asterisk where brackets do not fit.
///
/// ```text
/// North    store 1
///    4   4   4   4   4   4
///    4   4 (0)   5   5   5
///    1   2   3   4   5   6
/// South    store 0
/// ```
fn compact(board: &Contents, last: Option<(&Contents, House)>, style: Style) -> String {
    let houses = board.houses[0].len();
    let width = (3..=5).rev().find(|width| style.has_room(houses * width)).unwrap_or(3);
    let picture = Picture { board, last, style, width };
    let cells = |side: Side| {
        let cells = board.houses[side.index()].iter().enumerate().map(|(house, &seeds)| {
            let text = match (picture.is_last(side, house), width) {
                (true, 3) => format!("*{seeds}"),
                (true, _) => format!("({seeds})"),
                (false, _) => seeds.to_string(),
            };
            let gap = " ".repeat(width.saturating_sub(text.len()));
            gap + &style.paint(picture.house_ink(side, house), &text)
        });
        in_sight(side, cells.collect()).concat() + "\n"
    };
    let numbers = |side: Side| {
        let numbers = in_sight(side, (1..=houses).map(|number| format!("{number:>width$}")).collect()).concat();
        if picture.is_to_move(side) { style.paint(Ink::Strong, &numbers) + "\n" } else { String::new() }
    };
    let head = |side: Side| format!("{}  store {}\n", picture.name(side), picture.store(side).trim());
    let [south, north] = [Side::First, Side::Second];
    [head(north), numbers(north), cells(north), cells(south), numbers(south), head(south)].concat()
}

/// Describes the seeds that a move has captured, if any, including the capturing seed.
#[must_use]
pub fn remark(before: &Contents, House(house): House, after: &Contents) -> Option<String> {
    let (side, houses, house) = (before.turn.index(), before.houses[0].len(), usize::from(house));
    let (last, lap) = (house + usize::from(before.houses[side][house]), 2 * houses + 1);
    let sown = if last < houses { 0 } else { (last - houses) / lap + 1 };
    let captured = usize::from(after.stores[side]).checked_sub(usize::from(before.stores[side]) + sown)?;
    match captured {
        0 => None,
        1 => Some("captures 1 seed".into()),
        _ => Some(format!("captures {captured} seeds")),
    }
}

/// A board being drawn; `width` is the number of columns per cell.
struct Picture<'a> {
    board: &'a Contents,
    last: Option<(&'a Contents, House)>,
    style: Style,
    width: usize,
}

impl Picture<'_> {
    /// Returns the length of the longest line: the frame, or the numbers of the houses and the name after them.
    fn extent(&self) -> usize {
        let (houses, width) = (self.board.houses[0].len(), self.width);
        ((width + 1) * (houses + 2) + 2).max((width + 1) * (houses + 1) + 10)
    }

    fn is_to_move(&self, side: Side) -> bool {
        let is_over = self.board.houses.iter().any(|houses| houses.iter().all(|&seeds| seeds == 0));
        self.board.turn == side && !is_over
    }

    /// Returns whether the last move was played from this house.
    fn is_last(&self, side: Side, house: usize) -> bool {
        self.last.is_some_and(|(before, mv)| before.turn == side && usize::from(mv.0) == house)
    }

    /// Returns the name of a side, highlighted if it is to move.
    fn name(&self, side: Side) -> String {
        let turn = self.is_to_move(side);
        let name = [["South", "North"], ["South ◂", "North ◂"]][usize::from(turn && self.style.unicode)][side.index()];
        self.style.paint(if turn { ink(side) } else { Ink::Faint }, name)
    }

    /// Returns the line between the rows of houses.
    fn frame(&self, [left, middle, right]: [&str; 3]) -> String {
        let dash = self.style.either("─", "-").repeat(self.width);
        let dashes = vec![dash; self.board.houses[0].len()];
        self.style.paint(Ink::Faint, &format!("{left}{}{right}", dashes.join(middle)))
    }

    /// Returns the topmost or the lowest line.
    fn outer(&self, [left, middle, right]: [&str; 3]) -> String {
        let dash = self.style.either("─", "-").repeat(self.width);
        let dashes = vec![dash; self.board.houses[0].len() + 2];
        self.style.paint(Ink::Faint, &format!("{left}{}{right}", dashes.join(middle)))
    }

    /// Returns the numbers of the houses, if this side is to move, and its name.
    fn label(&self, side: Side) -> String {
        let turn = self.is_to_move(side);
        let numbers = (1..=self.board.houses[0].len()).map(|number| {
            let number = if turn { number.to_string() } else { String::new() };
            format!("{number:^width$}", width = self.width)
        });
        let numbers = in_sight(side, numbers.collect()).join(" ");
        let name = self.name(side);
        format!("{}{}  {name}\n", " ".repeat(self.width + 3), self.style.paint(Ink::Strong, &numbers))
    }

    /// Returns the houses of a side as numbers.
    fn counts(&self, side: Side) -> Vec<String> {
        let houses = &self.board.houses[side.index()];
        let cells = houses.iter().enumerate().map(|(house, &seeds)| {
            let text = if self.is_last(side, house) { format!("({seeds})") } else { seeds.to_string() };
            self.cell(&text, self.house_ink(side, house))
        });
        in_sight(side, cells.collect())
    }

    /// Returns the houses of a side as dots, one per seed as far as they fit.
    fn heaps(&self, side: Side) -> Vec<String> {
        let room = self.width - 2;
        let houses = &self.board.houses[side.index()];
        let cells = houses.iter().enumerate().map(|(house, &seeds)| {
            let dots = if self.style.unicode { braille(seeds, room) } else { points(seeds, room) };
            self.cell(&dots, self.house_ink(side, house))
        });
        in_sight(side, cells.collect())
    }

    fn store(&self, side: Side) -> String {
        let seeds = self.board.stores[side.index()];
        let grown = self.last.is_some_and(|(before, _)| before.stores[side.index()] != seeds);
        self.cell(&seeds.to_string(), if grown { Ink::Marked } else { Ink::Strong })
    }

    fn house_ink(&self, side: Side, house: usize) -> Ink {
        let seeds = self.board.houses[side.index()][house];
        match self.last {
            Some((before, _)) if before.houses[side.index()].get(house) != Some(&seeds) => Ink::Marked,
            _ if seeds == 0 => Ink::Faint,
            _ => ink(side),
        }
    }

    fn cell(&self, text: &str, ink: Ink) -> String {
        let left = (self.width - text.chars().count().min(self.width)) / 2;
        let right = self.width.saturating_sub(left + text.chars().count());
        format!("{}{}{}", " ".repeat(left), self.style.paint(ink, text), " ".repeat(right))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Capture, text};
    use super::*;

    fn board(position: &str) -> Contents {
        text::parse(position, Capture::Standard).unwrap()
    }

    #[test]
    fn the_last_move_is_marked_and_the_turn_has_numbers() {
        let (before, after) = (board("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s"), board("<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> s"));
        let expected = "
                                             North
 +-----+-----+-----+-----+-----+-----+-----+-----+
 |     |  4  |  4  |  4  |  4  |  4  |  4  |     |
 |     | ::  | ::  | ::  | ::  | ::  | ::  |     |
 |  0  +-----+-----+-----+-----+-----+-----+  1  |
 |     |  4  |  4  | (0) |  5  |  5  |  5  |     |
 |     | ::  | ::  |     | ::. | ::. | ::. |     |
 +-----+-----+-----+-----+-----+-----+-----+-----+
          1     2     3     4     5     6    South
";
        let shown = show(&after, Some((&before, House(2))), Style::PLAIN);
        let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(trimmed(&shown), trimmed(expected)[1..], "{shown}");
        let unicode = show(&after, Some((&before, House(2))), Style { unicode: true, ..Style::PLAIN });
        for part in ["╭─────┬", "│  4  │  4  │ (0) │  5  │", "│  ⠛  │  ⠛  │     │  ⠟  │", "South ◂"]
        {
            assert!(unicode.contains(part), "{part} in\n{unicode}");
        }
        let colour = show(&after, Some((&before, House(2))), Style { unicode: true, colour: true, columns: None });
        assert!(colour.contains("\u{1b}[1m\u{1b}[92m(0)\u{1b}[0m"), "{colour:?}");
    }

    #[test]
    fn narrow_terminals_have_a_compact_board() {
        let (before, after) = (board("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s"), board("<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> s"));
        let at = |columns| show(&after, Some((&before, House(2))), Style { columns: Some(columns), ..Style::PLAIN });
        let expected = "\
North  store 0
    4    4    4    4    4    4
    4    4  (0)    5    5    5
    1    2    3    4    5    6
South  store 1
";
        assert_eq!(at(40), expected);
        assert_eq!(at(52), show(&after, Some((&before, House(2))), Style::PLAIN));
        assert!(at(20).contains("\n  4  4 *0  5  5  5\n"), "{}", at(20));
        for houses in 1..=12 {
            let start =
                text::parse(&format!("<{houses}{}> n", ",9".repeat(2 * houses + 2)), Capture::Standard).unwrap();
            for (columns, unicode) in [(40, false), (52, true), (80, false), (80, true)] {
                let style = Style { columns: Some(columns), unicode, colour: false };
                let shown = show(&start, Some((&start, House(0))), style);
                assert!(shown.lines().all(|line| line.chars().count() <= columns), "{columns}\n{shown}");
            }
        }
    }

    #[test]
    fn captures_are_described() {
        for (before, house, after, expected) in [
            ("<2,0,0,1,0,2,3> s", 0, "<2,3,0,0,0,0,3> n", Some("captures 3 seeds")),
            ("<2,0,0,0,1,2,3> s", 1, "<2,1,0,0,0,2,3> s", None),
            ("<1,0,0,1,5> s", 0, "<1,1,0,0,5> s", None),
            ("<2,0,0,1,0,0,3> s", 0, "<2,1,0,0,0,0,3> n", Some("captures 1 seed")),
        ] {
            assert_eq!(remark(&board(before), House(house), &board(after)).as_deref(), expected, "{before}");
        }
    }

    #[test]
    fn heaps_of_dots_have_room() {
        assert_eq!((braille(9, 3).as_str(), braille(288, 3).as_str()), ("⣿⠁", "⣿⣿⣿"));
        assert_eq!((points(5, 3).as_str(), points(288, 3).as_str(), points(0, 3).as_str()), ("::.", ":::", ""));
    }
}
