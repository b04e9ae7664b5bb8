//! [`Sums`]: material, piece-square tables and pawn structure, updated move by move.

use super::FULL;
use super::layout::{MATERIAL, PLACES};
use super::material::balance;
use super::pawns::Structure;
use super::weights::WEIGHTS;
use crate::core::Score;
use crate::games::chess::men::{is_mirrored, moved, seen};
use crate::games::chess::rules::Chessboard;
use crate::games::weighted::{Sink, Tapered};
use cozy_chess::{Board, Color, Move, Piece, Square};

/// The sums over all pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Material and places of all pieces, White's less Black's.
    pub score: Tapered,
    /// The balance of the material.
    pub material: Tapered,
    /// The structure of the pawns.
    pub pawns: Structure,
    /// The weighted number of pieces; [`FULL`] in the starting position.
    pieces: i16,
}

/// The share of each piece in the phase, in the order of [`Piece::ALL`].
const PHASE: [i16; Piece::NUM] = [0, 1, 1, 2, 4, 0];

/// The value of each piece on each square, as its owner sees it.
static VALUES: [[Tapered; Square::NUM]; Piece::NUM] = values();

const fn values() -> [[Tapered; Square::NUM]; Piece::NUM] {
    let mut table = [[Tapered::new(0, 0); Square::NUM]; Piece::NUM];
    let mut square = 0;
    while square < Square::NUM {
        let mut piece = 0;
        while piece < Piece::NUM {
            let place = WEIGHTS[place(piece, square)];
            // Both sides have a king.
            let is_king = piece == Piece::King as usize;
            table[piece][square] = if is_king { place } else { WEIGHTS[MATERIAL.at(piece)].plus(place) };
            piece += 1;
        }
        square += 1;
    }
    table
}

/// The index of the weight of a place, as the owner sees it.
const fn place(piece: usize, square: usize) -> usize {
    PLACES.at(piece * Square::NUM + square)
}

/// Counts the material and the places of a side.
pub(crate) fn count<S: Sink>(board: &Board, color: Color, sink: &mut S) {
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            sink.add(place(piece as usize, seen(square, color, board.king(color)) as usize), 1);
            if piece != Piece::King {
                sink.add(MATERIAL.at(piece as usize), 1);
            }
        }
    }
}

impl Sums {
    pub(crate) fn new(pos: &Chessboard) -> Self {
        let board = pos.board();
        let mut sums = Self { material: balance(board), pawns: Structure::new(board), ..Self::default() };
        for color in Color::ALL {
            sums.add_side(board, color, 1);
        }
        sums
    }

    /// The phase: 0 without pieces, [`FULL`] with all.
    #[inline]
    pub(crate) fn phase(self) -> Score {
        Score::from(self.pieces).min(FULL)
    }

    /// Adds the pieces of a side, or removes them if `sign` is -1.
    fn add_side(&mut self, board: &Board, color: Color, sign: i16) {
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                self.add((color, board.king(color)), piece, square, sign);
            }
        }
    }

    /// Adds a piece of a side with its king, or removes it if `sign` is -1.
    #[inline]
    fn add(&mut self, (color, king): (Color, Square), piece: Piece, square: Square, sign: i16) {
        let seen = seen(square, color, king);
        let owner = if color == Color::White { sign } else { -sign };
        self.score += VALUES[piece as usize][seen as usize] * owner.into();
        self.pieces += sign * PHASE[piece as usize];
    }

    /// Returns the sums after a legal move, which leads to `after`.
    #[inline]
    pub(crate) fn after(mut self, pos: &Chessboard, mv: Move, after: &Chessboard) -> Self {
        let pawns = |pos: &Chessboard| pos.board().pieces(Piece::Pawn);
        if pawns(pos) != pawns(after) {
            self.pawns = Structure::new(after.board());
        }
        let (board, turn) = (pos.board(), pos.board().side_to_move());
        let [removed, added] = moved(board, mv, after.board());
        if mv.promotion.is_some() || removed.iter().flatten().any(|&(color, ..)| color != turn) {
            self.material = balance(after.board());
        }
        let flips = is_mirrored(after.board().king(turn)) != is_mirrored(board.king(turn));
        if flips {
            // All pieces of the side are seen from the other flank.
            self.add_side(board, turn, -1);
            self.add_side(after.board(), turn, 1);
        }
        for (men, sign) in [(removed, -1), (added, 1)] {
            for (color, piece, square) in men.into_iter().flatten() {
                if !flips || color != turn {
                    self.add((color, board.king(color)), piece, square, sign);
                }
            }
        }
        self
    }
}
