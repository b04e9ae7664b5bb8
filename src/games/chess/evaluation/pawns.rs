//! The structure of the pawns.
//!
//! Chess Programming Wiki: *Pawn Structure*, *Isolated Pawn*, *Doubled Pawn*, *Backward Pawn*, *Duo*, *Candidate Passed
//! Pawn*, *Pawn Islands*.

use super::bits::{ahead, back, behind, beside, edge, forward, pawn_attacks, rank, side};
use super::layout::{BACKWARD, CANDIDATE, DOUBLED, ISLAND, ISOLATED, PHALANX, SUPPORTED};
use super::sink::Sink;
use super::view::View;
use cozy_chess::{BitBoard, Piece};

/// Counts the pawns of a side, and finds those that have passed.
#[inline(always)]
pub fn count<const W: bool, const B: bool, S: Sink>(view: &mut View<'_>, sink: &mut S) {
    let us = side::<W>() as usize;
    let (own, other) = (view.pawns[us], view.pawns[1 - us]);
    let (supported, attacked) = (view.by_piece[us][Piece::Pawn as usize], view.by_piece[1 - us][Piece::Pawn as usize]);
    let guarded = ahead::<B>(other);
    let rear = own & behind::<W>(own);
    view.passed[us] = own & !(guarded | beside(guarded)) & !rear;

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
    let unopposed = own & !guarded & !view.passed[us] & !rear;
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
}
