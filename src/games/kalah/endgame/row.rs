//! A row of a block: one distribution of the poorer side's seeds, all of the richer side's, either side to move.
//!
//! In each row, the positions with the poorer side to move come first: they depend on smaller layers, and on lower rows
//! of the same block with the richer side to move. Then come those with the richer side to move: they depend on smaller
//! layers and on the first. So neither pass depends on its own results, whole rows are moved at once, and rows of the
//! same potential do not depend on each other.
//!
//! Values are shares: the seeds in play that the side to move gets. After a move that keeps the turn, the share is the
//! seeds stored plus the share found; after a change of turn, it is all seeds less the share found.

use super::Rules;
use super::block_line::Map;
use super::index::{house, rank, seeds};
use super::layer::Layer;
use super::moves::{Moves, first};
use super::stored_row::StoredRow;
use crate::core::Position;
use crate::games::kalah::{Capture, House, Layout, Packed};

/// Computes rows from the data that they depend on.
pub struct RowBuilder<'a> {
    /// The rules.
    pub rules: Rules,
    /// All layers with fewer seeds.
    pub layers: &'a [&'a Layer],
    /// The moves by the number of seeds of a side, up to those of this layer.
    pub moves: &'a [Moves],
}

/// The shares of a row with the poorer and with the richer side to move. The buffers are reused from row to row.
#[derive(Default)]
pub struct Shares([Vec<u8>; 2]);

impl Shares {
    /// Returns the shares with the richer side to move.
    pub(crate) fn richer(&self) -> &[u8] {
        &self.0[1]
    }

    /// Returns the row in its stored form.
    pub(crate) fn pack(&self, seeds: usize) -> StoredRow {
        StoredRow::new(seeds, [&self.0[0], &self.0[1]])
    }
}

impl RowBuilder<'_> {
    /// Computes the row of `word`; the richer side has `richer` seeds. `below` returns the finished rows of the block
    /// by rank, the richer side to move.
    pub(crate) fn row<'b>(&self, word: u64, richer: usize, below: impl Fn(usize) -> &'b [u8], shares: &mut Shares) {
        let (poorer, columns) = (seeds(word), self.moves[richer].words.len());
        let Shares([first, second]) = shares;
        for shares in [&mut *first, &mut *second] {
            shares.clear();
            shares.resize(columns, 0);
        }
        if poorer == 0 {
            // The game is over.
            second.fill(richer as u8);
            return;
        }
        (0..self.rules.houses).filter(|&origin| house(word, origin) > 0).for_each(|origin| {
            self.poorer_moves(word, origin, richer, &below, first);
        });
        self.richer_moves(word, richer, first, second);
    }

    /// Raises each share of the row to what the poorer side's move from a house gives.
    fn poorer_moves<'b>(
        &self,
        word: u64,
        origin: usize,
        richer: usize,
        below: &impl Fn(usize) -> &'b [u8],
        shares: &mut [u8],
    ) {
        let (houses, poorer, moves) = (self.rules.houses, seeds(word), &self.moves[richer]);
        let all = poorer + richer;
        let passed = |share: u8| (all as u8).wrapping_sub(share);
        let (sown, way) = (house(word, origin), houses - origin);
        let last = origin + sown;
        // Nothing is sown on this side from the last of eight houses: `% 64` only makes that shift legal.
        let own = (word & !(0xff << (8 * origin))) + (first(sown.min(way - 1)) << (8 * (origin + 1) % 64));
        if last < houses {
            let row = rank(houses, own);
            if house(own, last) > 1 {
                let below = below(row);
                return Map::Same.raise(shares, |from| passed(below[from]));
            }
            let (own, taken) = (own & !(0xff << (8 * last)), &moves.taken[houses - 1 - last]);
            let standard = usize::from(self.rules.capture == Capture::Standard);
            if standard > 0 {
                let below = below(row);
                Map::Pairs(&taken[0]).raise(shares, |from| passed(below[from]));
            }
            for (captured, pairs) in taken.iter().enumerate().skip(standard).filter(|(_, pairs)| !pairs.is_empty()) {
                self.layers[all - 1 - captured].line(own, false).raise(Map::Pairs(pairs), shares, passed);
            }
        } else if last == houses {
            self.layers[all - 1].line(own, true).raise(Map::Same, shares, |share| share.wrapping_add(1));
        } else if last <= 2 * houses {
            let map = Map::All(&moves.given[last - houses - 1]);
            self.layers[all - 1].line(own, false).raise(map, shares, passed);
        } else {
            for (share, &opposing) in shares.iter_mut().zip(&moves.words) {
                *share = (*share).max(self.lap(word, opposing, origin));
            }
        }
    }

    /// Raises all positions of the row by all moves of the richer side.
    fn richer_moves(&self, word: u64, richer: usize, first_pass: &[u8], shares: &mut [u8]) {
        let (houses, poorer, moves) = (self.rules.houses, seeds(word), &self.moves[richer]);
        let all = poorer + richer;
        let passed = |share: u8| (all as u8).wrapping_sub(share);
        Map::Pairs(&moves.joining).raise(shares, |from| passed(first_pass[from]));
        for last in 0..houses {
            let across = houses - 1 - last;
            let captured = house(word, across);
            if captured == 0 && self.rules.capture == Capture::Standard {
                Map::Pairs(&moves.alone[last]).raise(shares, |from| passed(first_pass[from]));
            } else {
                let left = word & !(0xff << (8 * across));
                let map = Map::Pairs(&moves.capturing[last]);
                self.layers[all - 1 - captured].line(left, true).raise(map, shares, passed);
            }
        }
        let line = self.layers[all - 1].line(word, false);
        line.raise(Map::Pairs(&moves.storing), shares, |share| share.wrapping_add(1));
        for crossing in &moves.crossing {
            for (given, pairs) in (1..).zip(crossing).filter(|(_, pairs)| !pairs.is_empty()) {
                self.layers[all - 1].line(word + first(given), true).raise(Map::Pairs(pairs), shares, passed);
            }
        }
        for &[at, origin] in &moves.laps {
            let share = &mut shares[at as usize];
            *share = (*share).max(self.lap(moves.words[at as usize], word, origin as usize));
        }
    }

    /// Returns the share after a move around the board, which stores at least one seed.
    fn lap(&self, own: u64, opposing: u64, origin: usize) -> u8 {
        let before = Packed::of_words(self.rules.houses, self.rules.capture, [own, opposing]);
        let after = before.after(House(origin as u8));
        let [own, opposing] = after.sides();
        let (all, left) = (before.in_play(), after.in_play());
        let share = self.layers[usize::from(left)].share(own, opposing);
        if after.turn() == before.turn() {
            share.wrapping_add((all - left) as u8)
        } else {
            (all as u8).wrapping_sub(share)
        }
    }
}
