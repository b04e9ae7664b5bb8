//! The structure of the pawns.
//!
//! Chess Programming Wiki: *Pawn Structure*, *Isolated Pawn*, *Doubled Pawn*, *Backward Pawn*, *Duo*, *Candidate Passed
//! Pawn*, *Pawn Islands*.

use super::Total;
use super::bits::{ahead, back, behind, beside, edge, forward, pawn_attacks, rank};
use super::layout::{BACKWARD, CANDIDATE, DOUBLED, ISLAND, ISOLATED, PHALANX, SUPPORTED};
use crate::games::weighted::{Sink, Tapered};
use cozy_chess::{BitBoard, Board, Color, Piece};

/// The part of the evaluation that depends on the pawns alone. It is kept from move to move, and recomputed when a pawn
/// moves or is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// The score of the terms, White's less Black's.
    pub score: Tapered,
    /// The passed pawns, by side.
    pub passed: [BitBoard; Color::NUM],
}

impl Structure {
    pub(crate) fn new(board: &Board) -> Self {
        let ([white, black], passed) = count::<Total>(board);
        Self { score: white.0 - black.0, passed }
    }
}

/// Counts the pawns of both sides. Returns the counts and the passed pawns, by side.
#[inline(always)]
pub(crate) fn count<S: Sink>(board: &Board) -> ([S; Color::NUM], [BitBoard; Color::NUM]) {
    let white = board.colored_pieces(Color::White, Piece::Pawn);
    let black = board.colored_pieces(Color::Black, Piece::Pawn);
    let mut sinks = [S::default(), S::default()];
    let passed = [
        count_side::<true, false, S>(white, black, &mut sinks[0]),
        count_side::<false, true, S>(black, white, &mut sinks[1]),
    ];
    (sinks, passed)
}

/// Counts the pawns of a side, and returns those that have passed.
#[inline(always)]
fn count_side<const W: bool, const B: bool, S: Sink>(own: BitBoard, other: BitBoard, sink: &mut S) -> BitBoard {
    let (supported, attacked) = (pawn_attacks::<W>(own), pawn_attacks::<B>(other));
    let guarded = ahead::<B>(other);
    let rear = own & behind::<W>(own);
    let passed = own & !(guarded | beside(guarded)) & !rear;

    let files = behind::<W>(own) | ahead::<W>(own) | own;
    let opposed = ahead::<B>(other) | other;
    let isolated = own & !beside(files);
    for square in isolated {
        sink.add(ISOLATED.at(edge(square.file() as usize) + 4 * usize::from(!opposed.has(square))), 1);
    }
    sink.add(DOUBLED.at(0), (rear & !isolated).len() as i32);
    sink.add(DOUBLED.at(1), (rear & isolated).len() as i32);

    // A pawn that no neighbour can come to protect, and that would be captured by a pawn if it advanced.
    let helped = beside(own | ahead::<W>(own));
    let backward = own & !isolated & !helped & back::<W>(attacked);
    for square in backward {
        sink.add(BACKWARD.at(rank::<W>(square) + 8 * usize::from(!opposed.has(square))), 1);
    }
    for square in own & beside(own) {
        sink.add(PHALANX.at(rank::<W>(square)), 1);
    }
    for square in own & supported {
        sink.add(SUPPORTED.at(rank::<W>(square)), 1);
    }

    // Nothing on its own file, and as many helpers behind it or beside it as opponents on the files beside it.
    let unopposed = own & !guarded & !passed & !rear;
    for square in unopposed {
        let front = beside(ahead::<W>(square.bitboard())) & other;
        let near = beside(behind::<W>(forward::<W>(square.bitboard()))) & own;
        let levers = pawn_attacks::<W>(square.bitboard()) & other;
        if near.len() >= front.len() || (levers.len() >= front.len() && !near.is_empty()) {
            sink.add(CANDIDATE.at(rank::<W>(square)), 1);
        }
    }
    let first = files & BitBoard(0xff);
    sink.add(ISLAND.at(0), (first & !(BitBoard(first.0 << 1))).len() as i32);
    passed
}
