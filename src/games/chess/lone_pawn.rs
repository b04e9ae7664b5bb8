//! King and pawn against king: every position, won or drawn, by retrograde analysis.
//!
//! Chess Programming Wiki: *KPK*, *Retrograde Analysis*. The table has 32 KiB. It is computed when it is first needed,
//! on sets of squares of the lone king, in a few hundred microseconds: a game clock may be running.

use super::bits::{back, beside, distance, forward, pawn_attacks};
use cozy_chess::{BitBoard, Board, Piece, Square, get_king_moves};
use std::sync::LazyLock;

/// The squares of the lone king, by the place of White's pawn, which is on the files a to d, and by White's king.
type Sets = [[BitBoard; Square::NUM]; 32];

/// The positions that the side with the pawn wins.
struct Won {
    /// With that side to move.
    strong: Sets,
    /// With the lone king to move.
    lone: Sets,
}

static WON: LazyLock<Box<Won>> = LazyLock::new(Won::solve);

/// Returns whether the side with the pawn wins; `None` unless the board has two kings and one pawn.
#[inline]
pub(super) fn is_won(board: &Board) -> Option<bool> {
    if board.occupied().len() != 3 {
        return None;
    }
    let pawn = board.pieces(Piece::Pawn).next_square()?;
    let strong = board.color_on(pawn)?;
    let mirror = if pawn.file() as usize > 3 { Square::flip_file } else { |square| square };
    let seen = |square: Square| mirror(square.relative_to(strong));
    let sets = if board.side_to_move() == strong { &WON.strong } else { &WON.lone };
    Some(sets[place(seen(pawn))][seen(board.king(strong)) as usize].has(seen(board.king(!strong))))
}

/// The index of a pawn's square.
const fn place(pawn: Square) -> usize {
    pawn as usize / 8 * 4 + pawn as usize % 8
}

/// The squares next to a square of a set.
fn around(set: BitBoard) -> BitBoard {
    let row = set | beside(set);
    beside(set) | forward(row) | back(row)
}

impl Won {
    /// Repeats passes over all places of the pawn and its king until no position is found to be won.
    fn solve() -> Box<Self> {
        let none = [[BitBoard::EMPTY; Square::NUM]; 32];
        let mut won = Box::new(Self { strong: none, lone: none });
        loop {
            let mut changed = false;
            // From the seventh rank to the second: a pawn's moves lead to places that are already computed.
            for pawn in (8..56).rev().map(Square::index).filter(|pawn| pawn.file() as usize <= 3) {
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    let strong = won.wins(pawn, king);
                    changed |= strong != won.strong[place(pawn)][king as usize];
                    won.strong[place(pawn)][king as usize] = strong;
                    let lone = won.losses(pawn, king);
                    changed |= lone != won.lone[place(pawn)][king as usize];
                    won.lone[place(pawn)][king as usize] = lone;
                }
            }
            if !changed {
                return won;
            }
        }
    }

    /// The lone kings against which a move of the pawn's side leads to a won position.
    fn wins(&self, pawn: Square, king: Square) -> BitBoard {
        let after = |pawn, king| self.lone[place(pawn)][king as usize];
        let moves = get_king_moves(king) & !pawn.bitboard();
        let mut won = moves.into_iter().fold(BitBoard::EMPTY, |won, king| won | after(pawn, king));
        let stop = Square::index(pawn as usize + 8);
        if stop != king {
            if stop as usize >= 56 {
                // The queen must not be lost.
                let taken = if distance(king, stop) == 1 { BitBoard::EMPTY } else { get_king_moves(stop) };
                won |= !(taken | stop.bitboard());
            } else {
                won |= after(stop, king);
            }
            if (pawn as usize) < 16 {
                let double = Square::index(pawn as usize + 16);
                if double != king {
                    won |= after(double, king) & !stop.bitboard();
                }
            }
        }
        won & apart(pawn, king) & !pawn_attacks(pawn.bitboard())
    }

    /// The lone kings whose moves all lead to won positions. Without a move it is stalemate, or mate by the pawn.
    fn losses(&self, pawn: Square, king: Square) -> BitBoard {
        let guarded = pawn_attacks(pawn.bitboard());
        let targets = !(get_king_moves(king) | guarded);
        // The pawn itself is among these if it can be captured.
        let escapes = targets & !self.strong[place(pawn)][king as usize];
        apart(pawn, king) & !around(escapes) & (around(targets) | guarded)
    }
}

/// The squares of a lone king that are neither occupied nor next to the other king.
fn apart(pawn: Square, king: Square) -> BitBoard {
    !(get_king_moves(king) | king.bitboard() | pawn.bitboard())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Position;
    use crate::core::position::legal_moves;
    use crate::games::chess::{Chessboard, fen};
    use crate::util::random::Random;
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

    /// The table is computed while a game clock may be running.
    #[test]
    fn the_table_is_computed_at_once() {
        let took = (0..5).map(|_| {
            let began = web_time::Instant::now();
            assert!(Won::solve().strong.as_flattened().iter().any(|set| !set.is_empty()));
            began.elapsed()
        });
        let least = took.min().unwrap();
        assert!(cfg!(miri) || least < std::time::Duration::from_millis(10), "{least:?}");
    }

    /// Won positions are those with a move to one, by the rules of the whole game.
    #[test]
    fn every_position_agrees_with_those_after_it() {
        let mut random = Random(4);
        let mut tried = 0;
        while tried < 5_000 {
            let mut builder = cozy_chess::BoardBuilder::empty();
            for (piece, color) in
                [(Piece::Pawn, Color::White), (Piece::King, Color::White), (Piece::King, Color::Black)]
            {
                *builder.square_mut(Square::index(random.below(64))) = Some((piece, color));
            }
            builder.side_to_move = if random.below(2) == 0 { Color::White } else { Color::Black };
            let read = builder.build().ok().and_then(|board| fen::parse(&board.to_string()).ok());
            let Some(pos) = read.filter(|pos| pos.board().occupied().len() == 3) else { continue };
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
