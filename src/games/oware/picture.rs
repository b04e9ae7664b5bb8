//! Oware on a terminal and as shapes, with the words for a capture.

use super::Oware;
use super::rules::{Board, House};
use super::text::letter;
use crate::core::picture::{Perspective, Picture, Pictures};
use crate::core::{Position, Side, Style};
use crate::games::sowing::{self, Pits};

impl Pictures for Oware {
    const SIDES: [&'static str; 2] = ["South", "North"];
    const UNITS: Option<[&'static str; 2]> = Some(["seed", "seeds"]);

    fn remark(&self, before: &Board, mv: House) -> Option<String> {
        remark(before, mv)
    }

    fn show(&self, pos: &Board, last: Option<(&Board, House)>, style: Style) -> String {
        show(pos, last, style)
    }

    fn picture(&self, pos: &Board, perspective: Perspective) -> Picture {
        sowing::picture(&pits(pos), [name, name], perspective)
    }
}

fn pits(board: &Board) -> Pits {
    let houses = board.houses().map(|houses| houses.map(u16::from).to_vec());
    Pits { houses, stores: board.stores().map(u16::from), turn: (!board.is_over()).then_some(board.turn()) }
}

/// Returns the letter of a house, as in moves.
fn name(side: Side, house: usize) -> String {
    letter(side, House(house as u8)).to_string()
}

/// Draws the board. `last` is the board before the last move, and that move.
pub(crate) fn show(board: &Board, last: Option<(&Board, House)>, style: Style) -> String {
    let last = last.map(|(before, mv)| (pits(before), usize::from(mv.0)));
    sowing::show(&pits(board), last.as_ref().map(|(before, house)| (before, *house)), name, style)
}

/// Describes the seeds that a move captures, if any.
pub(crate) fn remark(before: &Board, mv: House) -> Option<String> {
    let captured = before.captured(mv);
    (captured > 0).then(|| format!("captures {captured} seeds"))
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;
    use super::*;

    #[test]
    fn north_is_above_and_runs_the_other_way() {
        let board = parse("<6,5,2,4,4,0,1,0,6,1,2,3,0,0,12> n").unwrap();
        let expected = "
          f     e     d     c     b     a    North
 +-----+-----+-----+-----+-----+-----+-----+-----+
 |     | 12  |  0  |  0  |  3  |  2  |  1  |     |
 |     | ::: |     |     | :.  |  :  |  .  |     |
 |  2  +-----+-----+-----+-----+-----+-----+  5  |
 |     |  4  |  4  |  0  |  1  |  0  |  6  |     |
 |     | ::  | ::  |     |  .  |     | ::: |     |
 +-----+-----+-----+-----+-----+-----+-----+-----+
                                             South
";
        let shown: Vec<_> = show(&board, None, Style::PLAIN).lines().map(|line| line.trim_end().to_owned()).collect();
        assert_eq!(shown.join("\n"), expected.trim_matches('\n'));
    }
}
