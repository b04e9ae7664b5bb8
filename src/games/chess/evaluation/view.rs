//! [`View`]: the board, and all attacks, computed once for all terms.

use super::bits::{behind, forward, pawn_attacks, side};
use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_king_moves};

/// The units of an attack on the squares around the king by a piece, in the order of [`Piece::ALL`], and those of each
/// square that it attacks there; see [`kings`](super::kings).
const ATTACKER: [i32; Piece::NUM] = [0, 10, 6, 8, 7, 0];
const ATTACKED: [i32; Piece::NUM] = [0, 2, 4, 1, 1, 0];

/// A position as the terms read it. Arrays are by side.
pub struct View<'a> {
    /// The position.
    pub board: &'a Board,
    /// All pieces.
    pub occupied: BitBoard,
    /// The pawns.
    pub pawns: [BitBoard; Color::NUM],
    /// The kings.
    pub kings: [Square; Color::NUM],
    /// The squares that each kind of piece attacks.
    pub by_piece: [[BitBoard; Piece::NUM]; Color::NUM],
    /// The squares attacked.
    pub attacked: [BitBoard; Color::NUM],
    /// The squares attacked by two pieces or more.
    pub twice: [BitBoard; Color::NUM],
    /// The squares around the king, and those in front of them.
    pub zones: [BitBoard; Color::NUM],
    /// The units of the attack on the king.
    pub danger: [i32; Color::NUM],
    /// The passed pawns.
    pub passed: [BitBoard; Color::NUM],
}

impl<'a> View<'a> {
    /// The view with the attacks of pawns and kings, given the passed pawns. [The pieces](super::pieces) add theirs.
    #[inline(always)]
    pub(crate) fn new(board: &'a Board, passed: [BitBoard; Color::NUM]) -> Self {
        let both = |of: fn(&Board, Color) -> BitBoard| [of(board, Color::White), of(board, Color::Black)];
        let mut view = Self {
            board,
            occupied: board.occupied(),
            pawns: both(|board, color| board.colored_pieces(color, Piece::Pawn)),
            kings: [board.king(Color::White), board.king(Color::Black)],
            by_piece: [[BitBoard::EMPTY; Piece::NUM]; Color::NUM],
            attacked: [BitBoard::EMPTY; Color::NUM],
            twice: [BitBoard::EMPTY; Color::NUM],
            zones: [BitBoard::EMPTY; Color::NUM],
            danger: [0; Color::NUM],
            passed,
        };
        view.begin::<true>();
        view.begin::<false>();
        view
    }

    #[inline(always)]
    fn begin<const W: bool>(&mut self) {
        let us = side::<W>() as usize;
        let ring = get_king_moves(self.kings[us]);
        let pawns = pawn_attacks::<W>(self.pawns[us]);
        self.zones[us] = ring | forward::<W>(ring) | self.kings[us].bitboard();
        self.by_piece[us][Piece::King as usize] = ring;
        self.by_piece[us][Piece::Pawn as usize] = pawns;
        self.attacked[us] = ring | pawns;
        self.twice[us] = ring & pawns;
    }

    #[inline(always)]
    pub(crate) fn attack<const W: bool>(&mut self, piece: Piece, attacks: BitBoard) {
        let us = side::<W>() as usize;
        self.by_piece[us][piece as usize] |= attacks;
        self.twice[us] |= self.attacked[us] & attacks;
        self.attacked[us] |= attacks;
        let hits = attacks & self.zones[1 - us];
        if !hits.is_empty() {
            self.danger[1 - us] += ATTACKER[piece as usize] + ATTACKED[piece as usize] * hits.len() as i32;
        }
    }

    /// The pieces of a side and kind.
    #[inline(always)]
    pub(crate) fn own<const W: bool>(&self, piece: Piece) -> BitBoard {
        self.board.colored_pieces(side::<W>(), piece)
    }

    /// The squares that a side's pawns attack, and those that they could attack after advances.
    #[inline(always)]
    pub(crate) fn reach_of_pawns<const W: bool>(&self) -> BitBoard {
        let attacks = self.by_piece[side::<W>() as usize][Piece::Pawn as usize];
        attacks | if W { behind::<false>(attacks) } else { behind::<true>(attacks) }
    }
}
