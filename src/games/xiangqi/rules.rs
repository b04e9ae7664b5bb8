//! [`Xiangqiboard`]: positions, and what a move changes.

use super::geometry::{FILES, POINTS, RANKS, bit, file, points, rank};
use super::piece::{Piece, PieceKind};
use crate::core::position::Clock;
use crate::core::{Outcome, Position, Side};
use crate::util::random::Random;
use std::ops::ControlFlow;

/// The plies without a capture that make a draw.
pub(crate) const DRAW_PLIES: u16 = 120;

/// A move from a point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The first point.
    pub from: u8,
    /// The last point.
    pub to: u8,
}

/// Random numbers for the key (Zobrist 1970): for each piece on each point, and for the second side to move.
static NUMBERS: ([[u64; POINTS]; Piece::COUNT], u64) = {
    let mut random = Random(0x7869_616e_6771_6900);
    let mut numbers = [[0; POINTS]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * POINTS {
        let number = random.draw();
        if index / POINTS % 8 < 7 {
            numbers[index / POINTS][index % POINTS] = number;
        }
        index += 1;
    }
    (numbers, random.draw())
};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xiangqiboard {
    /// The points with pieces of either side.
    sides: [u128; 2],
    key: u64,
    /// The occupied points of each file, the first rank lowest.
    files: [u16; FILES as usize],
    /// The occupied points of each rank, the first file lowest.
    ranks: [u16; RANKS as usize],
    cells: [Piece; POINTS],
    generals: [u8; 2],
    turn: Side,
    /// Whether the side to move is in check.
    check: bool,
    /// Plies without a capture, counted up to [`DRAW_PLIES`].
    plies: u16,
    /// The number of the move, from 1.
    number: u16,
}

impl Xiangqiboard {
    /// Creates a position. Each side must have one general.
    pub(crate) fn new(cells: [Piece; POINTS], turn: Side, plies: u16, number: u16) -> Self {
        let mut board = Self {
            sides: [0; 2],
            key: if turn == Side::Second { NUMBERS.1 } else { 0 },
            files: [0; FILES as usize],
            ranks: [0; RANKS as usize],
            cells: [Piece::NONE; POINTS],
            generals: [0; 2],
            turn,
            check: false,
            plies: plies.min(DRAW_PLIES),
            number,
        };
        for (at, piece) in (0..).zip(cells) {
            if piece != Piece::NONE {
                board.put(at, piece);
            }
        }
        board.check = board.is_attacked(turn, None);
        board
    }

    /// Puts a piece on a vacant point.
    #[inline]
    fn put(&mut self, at: u8, piece: Piece) {
        self.cells[usize::from(at)] = piece;
        self.sides[piece.side().index()] |= bit(at);
        self.key ^= NUMBERS.0[piece.index()][usize::from(at)];
        self.files[usize::from(file(at))] |= 1 << rank(at);
        self.ranks[usize::from(rank(at))] |= 1 << file(at);
        if piece.kind() == Some(PieceKind::General) {
            self.generals[piece.side().index()] = at;
        }
    }

    #[inline]
    fn remove(&mut self, at: u8, piece: Piece) {
        self.cells[usize::from(at)] = Piece::NONE;
        self.sides[piece.side().index()] &= !bit(at);
        self.key ^= NUMBERS.0[piece.index()][usize::from(at)];
        self.files[usize::from(file(at))] &= !(1 << rank(at));
        self.ranks[usize::from(rank(at))] &= !(1 << file(at));
    }

    #[inline]
    pub(crate) fn piece(&self, at: u8) -> Piece {
        self.cells[usize::from(at)]
    }

    /// Returns the points with pieces of a side.
    #[inline]
    pub(crate) const fn side(&self, side: Side) -> u128 {
        self.sides[side.index()]
    }

    #[inline]
    pub(crate) const fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// Returns the occupied points of a file, the first rank lowest.
    #[inline]
    pub(crate) fn on_file(&self, file: u8) -> u16 {
        self.files[usize::from(file)]
    }

    /// Returns the occupied points of a rank, the first file lowest.
    #[inline]
    pub(crate) fn on_rank(&self, rank: u8) -> u16 {
        self.ranks[usize::from(rank)]
    }

    /// Returns the point of a side's general.
    #[inline]
    pub(crate) const fn general(&self, side: Side) -> u8 {
        self.generals[side.index()]
    }

    /// Returns the points of a side's pieces of a kind.
    pub(crate) fn pieces(&self, kind: PieceKind, side: Side) -> Vec<u8> {
        points(self.side(side)).filter(|&at| self.piece(at).kind() == Some(kind)).collect()
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub const fn is_check(&self) -> bool {
        self.check
    }

    /// Returns the plies without a capture.
    pub(crate) const fn plies(&self) -> u16 {
        self.plies
    }

    /// Returns the number of the move, from 1.
    pub(crate) const fn number(&self) -> u16 {
        self.number
    }

    /// Whether a move captures.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.piece(mv.to) != Piece::NONE
    }

    /// Whether some piece of a side is of a kind that can cross the river.
    pub(crate) fn has_attackers(&self, side: Side) -> bool {
        points(self.side(side)).any(|at| self.piece(at).kind() >= Some(PieceKind::Horse))
    }

    /// Returns the position with the opponent to move. The side to move must not be in check.
    pub(crate) fn passed(&self) -> Self {
        let mut next = *self;
        next.pass();
        next.check = false;
        next
    }

    /// Returns the key after a move.
    #[inline]
    #[must_use]
    pub fn key_after(&self, mv: Move) -> u64 {
        let of = |piece: Piece, at: u8| NUMBERS.0[piece.index()][usize::from(at)];
        let (piece, captured) = (self.piece(mv.from), self.piece(mv.to));
        self.key ^ NUMBERS.1 ^ of(piece, mv.from) ^ of(piece, mv.to) ^ of(captured, mv.to)
    }

    #[inline]
    fn pass(&mut self) {
        self.plies = (self.plies + 1).min(DRAW_PLIES);
        self.number = self.number.saturating_add(u16::from(self.turn == Side::Second));
        self.turn = self.turn.other();
        self.key ^= NUMBERS.1;
    }
}

impl Position for Xiangqiboard {
    type Move = Move;
    const CODES: usize = POINTS * POINTS;
    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        let _ = self.legal::<true, true>(&mut |mv| {
            out.push(mv);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.legal::<true, true>(&mut |_| ControlFlow::Break(())).is_continue()
    }

    /// A side without a legal move has lost, in check or not.
    fn outcome(&self) -> Outcome {
        Outcome::Loss
    }

    /// Without a piece that can cross the river, neither side can give check, and each has a move.
    fn is_drawn(&self) -> bool {
        // There are ten generals, advisors and elephants together.
        self.occupied().count_ones() <= 10 && !self.has_attackers(Side::First) && !self.has_attackers(Side::Second)
    }

    #[inline]
    fn clock(&self) -> Option<Clock> {
        Some(Clock { plies: self.plies, limit: DRAW_PLIES })
    }

    /// A side that has given check with every move of the cycle loses; if both have, or neither, it is a draw.
    fn repeated(&self, cycle: &mut dyn Iterator<Item = &Self>) -> Option<Outcome> {
        let mut always = [true; 2];
        for before in cycle {
            always[before.turn.index()] &= before.check;
        }
        Some(match [self.turn, self.turn.other()].map(|side| always[side.index()]) {
            [true, false] => Outcome::Win,
            [false, true] => Outcome::Loss,
            _ => Outcome::Draw,
        })
    }

    #[inline]
    fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.play(mv);
        next
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let (piece, captured) = (self.piece(mv.from), self.piece(mv.to));
        self.pass();
        if captured != Piece::NONE {
            self.remove(mv.to, captured);
            self.plies = 0;
        }
        self.remove(mv.from, piece);
        self.put(mv.to, piece);
        self.check = self.is_attacked(self.turn, None);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        u16::from(mv.from) * POINTS as u16 + u16::from(mv.to)
    }
}
