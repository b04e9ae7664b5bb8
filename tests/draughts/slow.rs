//! Captures by a second program: one piece at a time on a board of rows and columns.

use super::*;

/// What stands on each square: side and whether it is a king.
type Squares = Vec<Vec<Option<(usize, bool)>>>;

fn squares<V: Variant>(pos: &<Draughts<V> as Game>::Position) -> Squares {
    let size = 2 * V::WIDTH as usize;
    let mut squares = vec![vec![None; size]; size];
    for side in [secateurs::core::Side::First, secateurs::core::Side::Second] {
        for (pieces, is_king) in [(pos.men(side), false), (pos.kings(side), true)] {
            for bit in bits(pieces) {
                let (row, column) = place::<V>(bit);
                squares[row][column] = Some((side.index(), is_king));
            }
        }
    }
    squares
}

/// The place of a bit.
pub fn place<V: Variant>(bit: u8) -> Place {
    let width = V::WIDTH as usize;
    let index = usize::from(bit) - usize::from(bit) / (2 * width + 1);
    let (row, place) = (index / width, index % width);
    (row, 2 * place + 1 - row % 2)
}

/// Row and column, from the first player's side.
pub type Place = (usize, usize);

/// A capture: its last square and the captured squares, in order of their capture.
pub type Found = (Place, Vec<Place>);

struct Jumper {
    squares: Squares,
    side: usize,
    is_king: bool,
    is_flying: bool,
}

impl Jumper {
    fn at(&self, row: isize, column: isize) -> Option<Option<(usize, bool)>> {
        let row = self.squares.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    fn extend(&self, (row, column): Place, taken: &[Place], found: &mut Vec<Found>) {
        let before = found.len();
        let last = if self.side == 0 { self.squares.len() - 1 } else { 0 };
        let stops = !self.is_flying && !self.is_king && row == last && !taken.is_empty();
        let ahead = if self.side == 0 { 1 } else { -1 };
        for (up, right) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            if stops || (!self.is_king && !self.is_flying && up != ahead) {
                continue;
            }
            let step = |steps: isize| (row.cast_signed() + up * steps, column.cast_signed() + right * steps);
            let far = self.is_flying && self.is_king;
            let mut over = 1;
            while far && self.at(step(over).0, step(over).1) == Some(None) {
                over += 1;
            }
            let (r, c) = step(over);
            if !matches!(self.at(r, c), Some(Some((side, _))) if side != self.side) {
                continue;
            }
            let victim = (r.cast_unsigned(), c.cast_unsigned());
            if taken.contains(&victim) {
                continue;
            }
            let mut to = over + 1;
            while self.at(step(to).0, step(to).1) == Some(None) {
                let (r, c) = step(to);
                self.extend((r.cast_unsigned(), c.cast_unsigned()), &[taken, &[victim]].concat(), found);
                to += 1;
                if !far {
                    break;
                }
            }
        }
        if found.len() == before && !taken.is_empty() {
            found.push(((row, column), taken.to_vec()));
        }
    }
}

/// All captures, each with its first square.
pub fn captures<V: Variant>(pos: &<Draughts<V> as Game>::Position) -> Vec<(Place, Found)> {
    let (all, side) = (squares::<V>(pos), pos.turn().index());
    let mut captures = Vec::new();
    for row in 0..all.len() {
        for column in 0..all.len() {
            let Some((owner, is_king)) = all[row][column] else { continue };
            if owner != side {
                continue;
            }
            let mut squares = all.clone();
            squares[row][column] = None;
            let mut found = Vec::new();
            Jumper { squares, side, is_king, is_flying: V::FLYING }.extend((row, column), &[], &mut found);
            captures.extend(found.into_iter().map(|found| ((row, column), found)));
        }
    }
    let most = captures.iter().map(|(_, (_, taken))| taken.len()).max().unwrap_or(0);
    if V::MAJORITY {
        captures.retain(|(_, (_, taken))| taken.len() == most);
    }
    captures
}
