//! Kalah on a terminal and as shapes, with the words for a capture.

use super::{BoardContents, Capture, House, Kalah, Layout};
use crate::core::picture::{Perspective, Picture, Pictures};
use crate::core::{Side, Style};
use crate::games::sowing::{self, Pits};

impl<L: Layout> Pictures for Kalah<L> {
    const SIDES: [&'static str; 2] = ["South", "North"];
    const UNITS: Option<[&'static str; 2]> = Some(["seed", "seeds"]);

    fn remark(&self, before: &L, mv: House) -> Option<String> {
        remark(&before.contents(), mv, &before.after(mv).contents())
    }

    fn note(&self, _: &L) -> String {
        format!(", {} captures", if self.capture == Capture::Empty { "empty" } else { "standard" })
    }

    fn show(&self, pos: &L, last: Option<(&L, House)>, style: Style) -> String {
        let last = last.map(|(before, mv)| (before.contents(), mv));
        show(&pos.contents(), last.as_ref().map(|(before, mv)| (before, *mv)), style)
    }

    fn picture(&self, pos: &L, perspective: Perspective) -> Picture {
        let pits = pits(&pos.contents());
        sowing::picture(&pits, [name, number], perspective)
    }

    fn spots(&self, picture: &Picture, pos: &L, mv: House) -> Vec<usize> {
        picture.spot(&name(pos.turn(), mv.0.into())).into_iter().collect()
    }
}

fn pits(board: &BoardContents) -> Pits {
    let is_over = board.houses.iter().any(|houses| houses.iter().all(|&seeds| seeds == 0));
    Pits { houses: board.houses.clone(), stores: board.stores, turn: (!is_over).then_some(board.turn) }
}

/// Returns the number of a house, as in moves.
fn number(_: Side, house: usize) -> String {
    (house + 1).to_string()
}

/// Returns the name of a house: `S1` to `S6` and `N1` to `N6`.
pub(super) fn name(side: Side, house: usize) -> String {
    format!("{}{}", if side == Side::First { 'S' } else { 'N' }, house + 1)
}

/// Draws the board. `last` is the board before the last move, and that move.
pub(crate) fn show(board: &BoardContents, last: Option<(&BoardContents, House)>, style: Style) -> String {
    let last = last.map(|(before, mv)| (pits(before), usize::from(mv.0)));
    sowing::show(&pits(board), last.as_ref().map(|(before, house)| (before, *house)), number, style)
}

/// Describes the seeds that a move has captured, if any, including the capturing seed.
pub(crate) fn remark(before: &BoardContents, House(house): House, after: &BoardContents) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::super::{Capture, text};
    use super::*;

    fn board(position: &str) -> BoardContents {
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
    fn a_finished_game_is_drawn_as_it_is_counted() {
        let labels = |text| {
            let pits = pits(&board(text));
            let spots = sowing::picture(&pits, [name, number], Perspective::default()).spots;
            spots.into_iter().map(|spot| spot.label).collect::<Vec<_>>()
        };
        assert_eq!(
            labels("<1,4,2,1,1> s"),
            ["South's store, 4 seeds", "South's house 1, 1 seed", "North's store, 2 seeds", "North's house 1, 1 seed"]
        );
        assert_eq!(
            labels("<1,4,2,0,1> s"),
            [
                "South's store, 4 seeds",
                "South's house 1, 0 seeds",
                "North's store, 3 seeds",
                "North's house 1, 0 seeds"
            ]
        );
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
}
