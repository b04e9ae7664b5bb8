//! [`Sums`]: material, piece-square tables and pawn structure, updated move by move.

use super::layout::{MATERIAL, PLACES};
use super::pawns::Structure;
use super::sink::Sink;
use super::tapered::{FULL, Tapered};
use super::weights::WEIGHTS;
use crate::core::Score;
use crate::games::chess::rules::Chessboard;
use cozy_chess::{Board, Color, File, Move, Piece, Square};

/// The sums over all pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Material and places of all pieces, White's less Black's.
    pub score: Tapered,
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
pub fn count<S: Sink>(board: &Board, color: Color, sink: &mut S) {
    for piece in Piece::ALL {
        for square in board.colored_pieces(color, piece) {
            sink.add(place(piece as usize, square.relative_to(color) as usize), 1);
            if piece != Piece::King {
                sink.add(MATERIAL.at(piece as usize), 1);
            }
        }
    }
}

impl Sums {
    /// Sums over the pieces of a position.
    #[must_use]
    pub fn of(pos: &Chessboard) -> Self {
        let board = pos.board();
        let mut sums = Self { pawns: Structure::of(board), ..Self::default() };
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    sums.add(color, piece, square, 1);
                }
            }
        }
        sums
    }

    /// The phase: 0 without pieces, [`FULL`] with all.
    #[inline]
    #[must_use]
    pub fn phase(self) -> Score {
        Score::from(self.pieces).min(FULL)
    }

    /// Adds a piece, or removes it if `sign` is -1.
    #[inline]
    fn add(&mut self, color: Color, piece: Piece, square: Square, sign: i16) {
        let seen = square.relative_to(color);
        let owner = if color == Color::White { sign } else { -sign };
        self.score += VALUES[piece as usize][seen as usize] * owner.into();
        self.pieces += sign * PHASE[piece as usize];
    }

    /// Returns the sums after a legal move, which leads to `after`.
    #[inline]
    #[must_use]
    pub fn after(mut self, pos: &Chessboard, mv: Move, after: &Chessboard) -> Self {
        let pawns = |pos: &Chessboard| pos.board().pieces(Piece::Pawn);
        if pawns(pos) != pawns(after) {
            self.pawns = Structure::of(after.board());
        }
        let board = pos.board();
        let turn = board.side_to_move();
        let Some(piece) = board.piece_on(mv.from) else { return self };
        self.add(turn, piece, mv.from, -1);
        if piece == Piece::King && board.colors(turn).has(mv.to) {
            let (king, rook) = if mv.from.file() < mv.to.file() { (File::G, File::F) } else { (File::C, File::D) };
            let rank = mv.from.rank();
            self.add(turn, Piece::Rook, mv.to, -1);
            self.add(turn, Piece::King, Square::new(king, rank), 1);
            self.add(turn, Piece::Rook, Square::new(rook, rank), 1);
            return self;
        }
        if let Some(victim) = board.piece_on(mv.to) {
            self.add(!turn, victim, mv.to, -1);
        } else if piece == Piece::Pawn && mv.from.file() != mv.to.file() {
            self.add(!turn, Piece::Pawn, Square::new(mv.to.file(), mv.from.rank()), -1);
        }
        self.add(turn, mv.promotion.unwrap_or(piece), mv.to, 1);
        self
    }
}
