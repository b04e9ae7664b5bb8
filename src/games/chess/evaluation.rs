//! The evaluation: material and piece-square tables, tapered between middlegame and endgame.
//!
//! A position's phase is the number of pieces left, weighted: the value moves in a straight line from the middlegame
//! score, with all pieces on the board, to the endgame score, with none. All sums are updated move by move.

use super::rules::Chessboard;
use crate::core::Score;
use cozy_chess::{Color, File, Move, Piece, Rank, Square};

/// Scores in centipawns for White: of the middlegame and of the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// In the middlegame.
    pub middlegame: i16,
    /// In the endgame.
    pub endgame: i16,
}

const fn score(middlegame: i16, endgame: i16) -> Tapered {
    Tapered { middlegame, endgame }
}

/// The sums over all pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Material and places of all pieces, White's less Black's.
    score: Tapered,
    /// The phase: 0 without pieces, [`FULL`] with all.
    phase: i16,
}

/// The phase of the starting position.
const FULL: i16 = 24;

/// The share of each piece in the phase, in the order of [`Piece::ALL`].
const PHASE: [i16; Piece::NUM] = [0, 1, 1, 2, 4, 0];

/// The bonus for the side to move.
const TEMPO: Score = 12;

/// The values of the pieces, in the order of [`Piece::ALL`].
const MATERIAL: [Tapered; Piece::NUM] =
    [score(85, 115), score(320, 300), score(335, 320), score(470, 530), score(980, 950), score(0, 0)];

/// The value of each piece on each square, by its own side's view: [`Piece`], then [`Square`].
const PLACES: [[Tapered; Square::NUM]; Piece::NUM] = places();

const fn places() -> [[Tapered; Square::NUM]; Piece::NUM] {
    let mut table = [[score(0, 0); Square::NUM]; Piece::NUM];
    let mut square = 0;
    while square < Square::NUM {
        let (file, rank) = ((square % 8) as i16, (square / 8) as i16);
        let mut piece = 0;
        while piece < Piece::NUM {
            let Tapered { middlegame, endgame } = place(piece, file, rank);
            let value = MATERIAL[piece];
            table[piece][square] = score(value.middlegame + middlegame, value.endgame + endgame);
            piece += 1;
        }
        square += 1;
    }
    table
}

/// The value of a place: pawns that advance, pieces in the centre, a king that hides while there are pieces.
const fn place(piece: usize, file: i16, rank: i16) -> Tapered {
    let side = if file < 4 { file } else { 7 - file };
    let end = if rank < 4 { rank } else { 7 - rank };
    // 0 in the corners, 6 in the centre.
    let centre = side + end;
    match piece {
        0 => score(
            [0, 0, 2, 12, 18, 30, 60, 0][rank as usize] + (side - 2) * 4,
            [0, 0, 4, 12, 30, 65, 110, 0][rank as usize],
        ),
        1 => score(centre * 8 - 30 + if rank > 2 { 6 } else { 0 }, centre * 6 - 22),
        2 => score(centre * 4 - 12 - if rank == 0 { 8 } else { 0 }, centre * 3 - 9),
        3 => score(side * 4 - 6 + if rank == 6 { 20 } else { 0 }, if rank == 6 { 14 } else { 0 }),
        4 => score(centre - 3, centre * 5 - 15),
        _ => score(if rank == 0 { 12 - side * 10 } else { -15 - rank * 12 }, centre * 9 - 30),
    }
}

const _: () = assert!(
    Piece::Pawn as usize == 0 && Piece::King as usize == 5 && File::A as usize == 0 && Rank::First as usize == 0
);

impl Sums {
    /// Sums over the pieces of a position.
    #[must_use]
    pub fn of(pos: &Chessboard) -> Self {
        let board = pos.board();
        let mut sums = Self::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    sums.add(color, piece, square, 1);
                }
            }
        }
        sums
    }

    /// Adds a piece, or removes it if `sign` is -1.
    #[inline]
    fn add(&mut self, color: Color, piece: Piece, square: Square, sign: i16) {
        let seen = square.relative_to(color);
        let place = PLACES[piece as usize][seen as usize];
        let owner = if color == Color::White { sign } else { -sign };
        self.score.middlegame += owner * place.middlegame;
        self.score.endgame += owner * place.endgame;
        self.phase += sign * PHASE[piece as usize];
    }

    /// Returns the sums after a legal move.
    #[inline]
    #[must_use]
    pub fn after(mut self, pos: &Chessboard, mv: Move) -> Self {
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

    /// Returns the evaluation for the side to move, centipawns.
    #[inline]
    #[must_use]
    pub fn value(self, turn: Color) -> Score {
        let phase = Score::from(self.phase.min(FULL));
        let [middlegame, endgame] = [self.score.middlegame, self.score.endgame].map(Score::from);
        let white = (middlegame * phase + endgame * (Score::from(FULL) - phase)) / Score::from(FULL);
        TEMPO + if turn == Color::White { white } else { -white }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;
    use crate::core::Position;
    use crate::core::position::legal_moves;
    use crate::core::random::Random;

    /// Along random games, with castling, en passant and promotions, sums updated move by move are those of the board.
    #[test]
    fn sums_follow_the_moves() {
        let mut random = Random(3);
        for start in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/8/1K1Pp2r/8/8/8 b - d3 0 1",
        ] {
            for _ in 0..20 {
                let mut pos = fen::parse(start).unwrap();
                let mut sums = Sums::of(&pos);
                for _ in 0..60 {
                    let moves = legal_moves(&pos);
                    let Some(&mv) = moves.get((random.draw() % moves.len().max(1) as u64) as usize) else { break };
                    sums = sums.after(&pos, mv);
                    pos = pos.after(mv);
                    assert_eq!(sums, Sums::of(&pos), "{mv} to {}", pos.board());
                }
            }
        }
    }

    #[test]
    fn exchanged_colours_have_the_same_value() {
        for [one, other] in [
            [
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
            ],
            ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"],
        ] {
            let value = |text: &str| {
                let pos = fen::parse(text).unwrap();
                Sums::of(&pos).value(pos.board().side_to_move())
            };
            assert_eq!(value(one), value(other), "{one}");
        }
    }
}
