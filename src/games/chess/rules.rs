//! [`Chessboard`]: the rules of chess and Chess960, by `cozy-chess`.

use crate::core::position::Clock;
use crate::core::{Outcome, Position, Side};
use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank, Square, get_pawn_attacks};

/// The number of plies without a capture or a pawn move that end the game.
const FIFTY_MOVES: u16 = 100;

/// The pieces that a pawn promotes to, in the order of their [codes](Position::code).
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// A position. Castling is the king's move to the square of its own rook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chessboard {
    board: Board,
}

impl Chessboard {
    /// The position of a board.
    #[must_use]
    pub const fn new(board: Board) -> Self {
        Self { board }
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The square behind a pawn that can be captured en passant by a legal move.
    pub(crate) fn en_passant(&self) -> Option<Square> {
        en_passant(&self.board)
    }

    /// Returns the legal move with a [code](Position::code).
    #[inline]
    pub(crate) fn legal_move(&self, code: u16) -> Option<Move> {
        let square = |bits: u16| Square::index(usize::from(bits & 63));
        let promotion = match code >> 12 {
            0 => None,
            piece => Some(*PROMOTIONS.get(usize::from(piece) - 1)?),
        };
        let mv = Move { from: square(code), to: square(code >> 6), promotion };
        self.board.is_legal(mv).then_some(mv)
    }

    #[inline]
    pub(crate) fn is_capture(&self, mv: Move) -> bool {
        self.board.colors(!self.board.side_to_move()).has(mv.to)
            || (self.passed().has(mv.to) && self.board.pieces(Piece::Pawn).has(mv.from))
    }

    /// Appends the legal captures without a promotion, and the promotions to a queen, in the order of
    /// [`moves`](Position::moves).
    pub(crate) fn noisy_moves(&self, out: &mut Vec<Move>) {
        self.divide(|promotion| promotion == Piece::Queen, |to, taken| to & taken, out);
    }

    /// Appends the other legal moves, in the order of [`moves`](Position::moves).
    pub(crate) fn quiet_moves(&self, out: &mut Vec<Move>) {
        self.divide(|promotion| promotion != Piece::Queen, |to, taken| to & !taken, out);
    }

    /// Appends the promotions to pieces that `promotions` accepts, and the other moves to the targets that `squares`
    /// selects, given all targets and the squares with something to capture.
    #[inline(always)]
    fn divide(
        &self,
        promotions: impl Fn(Piece) -> bool,
        squares: impl Fn(BitBoard, BitBoard) -> BitBoard,
        out: &mut Vec<Move>,
    ) {
        let taken = self.board.colors(!self.board.side_to_move());
        let last = Rank::Seventh.relative_to(self.board.side_to_move());
        self.board.generate_moves(|moves| {
            if moves.piece != Piece::Pawn {
                list(moves.from, squares(moves.to, taken), out);
            } else if moves.from.rank() == last {
                out.extend(moves.into_iter().filter(|mv| mv.promotion.is_some_and(&promotions)));
            } else {
                list(moves.from, squares(moves.to, taken | self.passed()), out);
            }
            false
        });
    }

    /// The square that a pawn has just passed, if any, [whether or not it can be captured](Self::en_passant).
    #[inline]
    fn passed(&self) -> BitBoard {
        let square = |file| Square::new(file, Rank::Sixth.relative_to(self.board.side_to_move()));
        self.board.en_passant().map_or(BitBoard::EMPTY, |file| square(file).bitboard())
    }

    pub(crate) fn is_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }
}

/// Appends the moves from a square to others, without promotions.
#[inline(always)]
fn list(from: Square, to: BitBoard, out: &mut Vec<Move>) {
    for to in to {
        out.push(Move { from, to, promotion: None });
    }
}

/// `cozy-chess` has the file of every pawn that has just moved two squares, whether it can be captured or not.
fn en_passant(board: &Board) -> Option<Square> {
    let turn = board.side_to_move();
    let square = Square::new(board.en_passant()?, Rank::Sixth.relative_to(turn));
    let pawns = get_pawn_attacks(square, !turn) & board.colored_pieces(turn, Piece::Pawn);
    let captures = !pawns.is_empty() && board.generate_moves_for(pawns, |moves| moves.to.has(square));
    captures.then_some(square)
}

impl Position for Chessboard {
    type Move = Move;
    const CODES: usize = (PROMOTIONS.len() + 1) << 12;
    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        match self.board.side_to_move() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        let last = Rank::Seventh.relative_to(self.board.side_to_move());
        self.board.generate_moves(|moves| {
            if moves.piece == Piece::Pawn && moves.from.rank() == last {
                out.extend(moves);
            } else {
                list(moves.from, moves.to, out);
            }
            false
        });
    }

    #[inline]
    fn is_over(&self) -> bool {
        !self.board.generate_moves(|_| true)
    }

    fn outcome(&self) -> Outcome {
        if self.is_check() { Outcome::Loss } else { Outcome::Draw }
    }

    /// Neither side has mating material: kings alone, with one minor piece, or with bishops on one colour of squares.
    #[inline]
    fn is_drawn(&self) -> bool {
        let of = |piece| self.board.pieces(piece);
        if !(of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen)).is_empty() {
            return false;
        }
        let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
        if knights.is_empty() {
            bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES)
        } else {
            bishops.is_empty() && knights.len() == 1
        }
    }

    #[inline]
    fn clock(&self) -> Option<Clock> {
        Some(Clock { plies: self.board.halfmove_clock().into(), limit: FIFTY_MOVES })
    }

    #[inline]
    fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.board.play_unchecked(mv);
    }

    /// Positions that differ only in a pawn that cannot be captured en passant are the same (FIDE, article 9.2.3).
    #[inline]
    fn key(&self) -> u64 {
        if self.en_passant().is_some() { self.board.hash() } else { self.board.hash_without_ep() }
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        let promotion = match mv.promotion {
            None => 0,
            Some(piece) => piece as u16,
        };
        mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_promotions_are_the_indices_of_the_pieces() {
        assert_eq!(PROMOTIONS.map(|piece| piece as usize), [1, 2, 3, 4]);
    }

    #[test]
    fn a_pawn_that_cannot_be_captured_en_passant_is_not_in_the_key() {
        let key = |fen: &str| Chessboard::new(fen.parse().unwrap()).key();
        let plain = key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
        assert_eq!(key("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), plain);
        let capturable = key("4k3/8/8/8/1K1Pp2r/8/8/8 b - d3 0 1");
        assert_ne!(capturable, key("4k3/8/8/8/1K1Pp2r/8/8/8 b - - 0 1"));
        // The capture would leave Black's king to the rook.
        assert_eq!(key("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1"), key("8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1"));
    }

    #[test]
    fn material_without_a_mate_is_a_draw() {
        let drawn = |fen: &str| Chessboard::new(fen.parse().unwrap()).is_drawn();
        for fen in
            ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", "8/5b2/4k3/8/8/3K4/8/8 w - - 0 1"]
        {
            assert!(drawn(fen), "{fen}");
        }
        assert!(drawn("8/5b2/4k3/8/8/3K4/8/5B2 w - - 0 1"), "bishops on squares of one colour");
        for fen in [
            "8/5b2/4k3/8/8/3K4/8/4B3 w - - 0 1",
            "8/5n2/4k3/8/8/3K4/8/4N3 w - - 0 1",
            "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1",
        ] {
            assert!(!drawn(fen), "{fen}");
        }
    }
}
