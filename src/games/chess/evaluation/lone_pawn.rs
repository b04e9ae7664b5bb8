//! King and pawn against king: every position, won or drawn, by retrograde analysis.
//!
//! Chess Programming Wiki: *KPK*, *Retrograde Analysis*. The table has 32 KiB and is computed when it is first needed.

use super::bits::{distance, pawn_attacks};
use cozy_chess::{BitBoard, Board, Piece, Square, get_king_moves};
use std::sync::LazyLock;

/// The positions: the side to move, the pawn on the files a to d, the two kings.
const POSITIONS: usize = 2 * 32 * 64 * 64;

/// A position with the pawn White's, on the files a to d.
#[derive(Clone, Copy)]
struct Pawn {
    /// Whether the side with the pawn is to move.
    to_move: bool,
    pawn: Square,
    king: Square,
    lone: Square,
}

/// A bit for each won position.
static WON: LazyLock<Vec<u64>> = LazyLock::new(solve);

/// Returns whether the side with the pawn wins; `None` unless the board has two kings and one pawn.
#[inline]
#[must_use]
pub fn is_won(board: &Board) -> Option<bool> {
    if board.occupied().len() != 3 {
        return None;
    }
    let pawn = board.pieces(Piece::Pawn).next_square()?;
    let strong = board.color_on(pawn)?;
    let mirror = if pawn.file() as usize > 3 { Square::flip_file } else { |square| square };
    let seen = |square: Square| mirror(square.relative_to(strong));
    let to_move = board.side_to_move() == strong;
    let found = Pawn { to_move, pawn: seen(pawn), king: seen(board.king(strong)), lone: seen(board.king(!strong)) };
    Some(found.is_in(&WON))
}

/// Repeats a pass over all positions until none is found to be won.
fn solve() -> Vec<u64> {
    let mut won = vec![0; POSITIONS / 64];
    loop {
        let mut changed = false;
        for index in 0..POSITIONS {
            if won[index / 64] >> (index % 64) & 1 == 0
                && Pawn::of(index).is_some_and(|pos| if pos.to_move { pos.can_win(&won) } else { pos.must_lose(&won) })
            {
                won[index / 64] |= 1 << (index % 64);
                changed = true;
            }
        }
        if !changed {
            return won;
        }
    }
}

impl Pawn {
    /// The position of an index, if it is legal.
    fn of(index: usize) -> Option<Self> {
        let [lone, king] = [index, index >> 6].map(|bits| Square::index(bits & 63));
        let place = index >> 12 & 31;
        let pos = Self { to_move: index >> 17 == 0, pawn: Square::index(place / 4 * 8 + place % 4), king, lone };
        let checks = pos.to_move && pos.guarded().has(lone);
        let fits = pos.pawn != king && pos.pawn != lone && distance(king, lone) > 1;
        (fits && (8..56).contains(&(pos.pawn as usize)) && !checks).then_some(pos)
    }

    const fn index(self) -> usize {
        let place = self.pawn as usize / 8 * 4 + self.pawn as usize % 8;
        (!self.to_move as usize) << 17 | place << 12 | (self.king as usize) << 6 | self.lone as usize
    }

    fn is_in(self, won: &[u64]) -> bool {
        let index = self.index();
        won[index / 64] >> (index % 64) & 1 != 0
    }

    /// The squares that the pawn attacks.
    fn guarded(self) -> BitBoard {
        pawn_attacks::<true>(self.pawn.bitboard())
    }

    /// Whether a move of the pawn's side leads to a won position.
    fn can_win(self, won: &[u64]) -> bool {
        let next = Self { to_move: false, ..self };
        let taken = self.pawn.bitboard() | get_king_moves(self.lone);
        if (get_king_moves(self.king) & !taken).into_iter().any(|king| Self { king, ..next }.is_in(won)) {
            return true;
        }
        let is_free = |square| square != self.king && square != self.lone;
        let stop = Square::index(self.pawn as usize + 8);
        if !is_free(stop) {
            return false;
        }
        if stop as usize >= 56 {
            // The queen must not be lost.
            return distance(self.lone, stop) > 1 || distance(self.king, stop) == 1;
        }
        let double = Square::index(self.pawn as usize + 16);
        Self { pawn: stop, ..next }.is_in(won)
            || (self.pawn as usize) < 16 && is_free(double) && Self { pawn: double, ..next }.is_in(won)
    }

    /// Whether all moves of the lone king lead to won positions. Without a move it is stalemate, or mate by the pawn.
    fn must_lose(self, won: &[u64]) -> bool {
        let next = Self { to_move: true, ..self };
        let moves = get_king_moves(self.lone) & !(get_king_moves(self.king) | self.guarded());
        // Capturing the pawn is no won position.
        let loses = moves.into_iter().all(|lone| lone != self.pawn && Self { lone, ..next }.is_in(won));
        loses && (!moves.is_empty() || self.guarded().has(self.lone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Position;
    use crate::core::position::legal_moves;
    use crate::core::random::Random;
    use crate::games::chess::{Chessboard, fen};
    use cozy_chess::Color;

    #[test]
    fn known_positions_are_won_or_drawn() {
        let won = |text: &str| is_won(fen::parse(text).unwrap().board()).unwrap();
        // The opposition.
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), "a king on the sixth rank before its pawn wins");
        assert!(!won("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), "stalemate");
        assert!(won("4k3/4P3/4K3/8/8/8/8/8 w - - 0 1"), "the king goes round the pawn");
        assert!(!won("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1") && won("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"));
        assert!(!won("k7/8/8/8/P7/8/8/K7 w - - 0 1"), "an edge pawn");
        assert!(won("8/8/8/P6k/8/8/8/K7 w - - 0 1"), "outside the square");
        assert!(won("7K/8/8/8/7p/8/8/k7 b - - 0 1") && is_won(&Board::startpos()).is_none());
    }

    /// Won positions are those with a move to one, by the rules of the whole game.
    #[test]
    fn every_position_agrees_with_those_after_it() {
        let mut random = Random(4);
        let mut tried = 0;
        while tried < 5_000 {
            let Some(pos) = Pawn::of(random.below(POSITIONS)) else { continue };
            let mut builder = cozy_chess::BoardBuilder::empty();
            for (square, piece, color) in [
                (pos.pawn, Piece::Pawn, Color::White),
                (pos.king, Piece::King, Color::White),
                (pos.lone, Piece::King, Color::Black),
            ] {
                *builder.square_mut(square) = Some((piece, color));
            }
            builder.side_to_move = if pos.to_move { Color::White } else { Color::Black };
            let Ok(board) = builder.build() else { continue };
            let pos = Chessboard::new(board);
            let moves = legal_moves(&pos);
            // A queen that is not captured at once wins, and so does a rook if it is stalemate.
            let wins = |next: Chessboard| {
                is_won(next.board()).unwrap_or_else(|| {
                    let promoted = next.board().pieces(Piece::Pawn).is_empty() && next.board().occupied().len() == 3;
                    promoted && !legal_moves(&next).iter().any(|&mv| next.is_capture(mv))
                })
            };
            let after: Vec<_> = moves.iter().map(|&mv| wins(pos.after(mv))).collect();
            let expected = if pos.board().side_to_move() == Color::White {
                after.contains(&true)
            } else {
                after.iter().all(|&won| won) && (!after.is_empty() || pos.is_check())
            };
            assert_eq!(is_won(pos.board()), Some(expected), "{}", pos.board());
            tried += 1;
        }
    }
}
