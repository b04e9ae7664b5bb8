//! A plain implementation of Kalah's rules: seeds are sown one by one into arrays. It serves boards of any size, and
//! tests compare the packed layout with it.

use super::{BoardContents, Capture, House, Layout, MAX_HOUSES};
use crate::core::{Outcome, Position, Side};
use crate::util::random::{GOLDEN, folded};

/// A board in arrays, each side's houses in its own sowing order; sides by [`Side::index`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide {
    houses: [[u16; MAX_HOUSES]; 2],
    stores: [u16; 2],
    /// The number of houses per side.
    count: u8,
    capture: Capture,
    turn: Side,
}

impl Wide {
    fn row(&self, side: Side) -> &[u16] {
        &self.houses[side.index()][..usize::from(self.count)]
    }

    fn seeds(&self, side: Side) -> u16 {
        self.row(side).iter().sum()
    }
}

impl Position for Wide {
    type Move = House;
    const CODES: usize = MAX_HOUSES;

    fn turn(&self) -> Side {
        self.turn
    }

    /// The game is over once either side is empty.
    fn is_over(&self) -> bool {
        self.seeds(Side::First) == 0 || self.seeds(Side::Second) == 0
    }

    fn moves(&self, out: &mut Vec<House>) {
        if !self.is_over() {
            let row = self.row(self.turn).iter().zip(0..);
            out.extend(row.filter(|(seeds, _)| **seeds > 0).map(|(_, house)| House(house)));
        }
    }

    /// Each side keeps the seeds in its houses.
    fn outcome(&self) -> Outcome {
        let total = |side: Side| self.stores[side.index()] + self.seeds(side);
        Outcome::Margin(total(self.turn).cast_signed() - total(self.turn.other()).cast_signed())
    }

    fn after(&self, mv: House) -> Self {
        let mut next = self.clone();
        let (mover, count) = (self.turn.index(), usize::from(self.count));
        let mut hand = std::mem::take(&mut next.houses[mover][usize::from(mv.0)]);
        // Places in sowing order: the mover's houses, the mover's store, the opponent's houses.
        let mut place = usize::from(mv.0);
        while hand > 0 {
            place = (place + 1) % (2 * count + 1);
            let cell = match place {
                _ if place < count => &mut next.houses[mover][place],
                _ if place == count => &mut next.stores[mover],
                _ => &mut next.houses[1 - mover][place - count - 1],
            };
            *cell += 1;
            hand -= 1;
        }
        if place < count && next.houses[mover][place] == 1 {
            let opposite = next.houses[1 - mover][count - 1 - place];
            if opposite > 0 || self.capture == Capture::Empty {
                next.stores[mover] += 1 + opposite;
                next.houses[mover][place] = 0;
                next.houses[1 - mover][count - 1 - place] = 0;
            }
        }
        if place != count {
            next.turn = self.turn.other();
        }
        next
    }

    fn key(&self) -> u64 {
        self.seeds_key() ^ (self.turn as u64).wrapping_neg()
    }

    fn code(&self, mv: House) -> u16 {
        mv.0.into()
    }
}

impl Layout for Wide {
    fn lay(board: &BoardContents) -> Option<Self> {
        let mut wide = Self {
            houses: [[0; MAX_HOUSES]; 2],
            stores: board.stores,
            count: u8::try_from(board.houses[0].len()).ok()?,
            capture: board.capture,
            turn: board.turn,
        };
        for (row, houses) in wide.houses.iter_mut().zip(&board.houses) {
            row.get_mut(..houses.len())?.copy_from_slice(houses);
        }
        Some(wide)
    }

    fn contents(&self) -> BoardContents {
        let houses = [self.row(Side::First).to_vec(), self.row(Side::Second).to_vec()];
        BoardContents { capture: self.capture, turn: self.turn, stores: self.stores, houses }
    }

    fn seeds_key(&self) -> u64 {
        let rules = [u16::from(self.count), self.capture as u16];
        let houses = self.row(self.turn).iter().chain(self.row(self.turn.other()));
        let mixed =
            houses.chain(&rules).fold(GOLDEN, |hash, &value| folded(hash ^ u64::from(value), 0xd6e8_feb8_6659_fd93));
        mixed ^ mixed >> 32
    }

    fn houses(&self) -> usize {
        self.count.into()
    }

    fn capture(&self) -> Capture {
        self.capture
    }

    fn own(&self, house: usize) -> u16 {
        self.houses[self.turn.index()][house]
    }

    fn opposing(&self, house: usize) -> u16 {
        self.houses[self.turn.other().index()][house]
    }

    fn store_lead(&self) -> i32 {
        i32::from(self.stores[self.turn.index()]) - i32::from(self.stores[self.turn.other().index()])
    }

    fn turned(&self) -> Self {
        Self { turn: self.turn.other(), ..self.clone() }
    }

    fn in_play(&self) -> u16 {
        self.seeds(Side::First) + self.seeds(Side::Second)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    /// Plays a move, given in the notation, and writes the resulting position.
    fn play(capture: Capture, from: &str, house: u8) -> String {
        let pos = Wide::lay(&text::parse(from, capture).unwrap()).unwrap();
        text::write(&pos.after(House(house - 1)).contents())
    }

    #[test]
    fn a_last_seed_in_the_store_earns_another_turn() {
        let to = play(Capture::Standard, "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s", 3);
        assert_eq!(to, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> s");
    }

    #[test]
    fn sowing_skips_the_opponents_store() {
        let to = play(Capture::Standard, "<2,0,5,0,4,1,1> s", 2);
        assert_eq!(to, "<2,4,5,0,0,2,0> n", "the fourth seed came to house 1 and captured opposite");
    }

    #[test]
    fn a_last_seed_alone_captures_what_lies_opposite() {
        let from = "<3,0,0,1,0,2,1,5,1> s";
        assert_eq!(play(Capture::Standard, from, 1), "<3,6,0,0,0,2,1,0,1> n");
        assert_eq!(play(Capture::Empty, from, 1), "<3,6,0,0,0,2,1,0,1> n");
    }

    #[test]
    fn opposite_an_empty_house_the_rules_differ() {
        let from = "<3,0,0,1,0,2,1,0,1> s";
        assert_eq!(play(Capture::Standard, from, 1), "<3,0,0,0,1,2,1,0,1> n");
        assert_eq!(play(Capture::Empty, from, 1), "<3,1,0,0,0,2,1,0,1> n");
    }

    #[test]
    fn a_full_lap_ends_at_its_origin_and_captures() {
        let to = play(Capture::Standard, "<2,0,0,5,0,3,0> s", 1);
        assert_eq!(to, "<2,3,0,0,1,4,0> n", "own 1 and the opposite 1 join the one sown into the store");
    }

    #[test]
    fn an_empty_side_ends_the_game_even_after_an_extra_turn() {
        let pos = Wide::lay(&text::parse("<2,0,0,0,1,3,2> s", Capture::Standard).unwrap()).unwrap();
        let end = pos.after(House(1));
        let mut moves = Vec::new();
        end.moves(&mut moves);
        assert_eq!((end.turn(), moves.len(), end.outcome()), (Side::First, 0, Outcome::Margin(1 - 5)));
    }
}
