//! Threats: attacks on pieces that are not protected, or worth more.

use super::attacks::Attacks;
use super::layout::{HANGING, PHALANX, SPACE, THREAT};
use crate::core::Side;
use crate::games::xiangqi::geometry::{HALF, bit, file, points};
use crate::games::xiangqi::piece::{Piece, PieceKind};
use crate::games::xiangqi::rules::Xiangqiboard;
use crate::games::xiangqi::weighted::Sink;

/// Counts a side's hanging pieces, its attacks on more valuable pieces, and its control of the half beyond the river.
#[inline]
pub(crate) fn count<S: Sink>(pos: &Xiangqiboard, side: Side, own: &Attacks, other: &Attacks, sink: &mut S) {
    for at in points(pos.side(side) & other.all & !own.all) {
        if let Some(kind) = pos.piece(at).kind() {
            sink.add(HANGING.at(kind as usize), 1);
        }
    }
    let half = HALF[side.other().index()];
    for (index, attacked) in own.attackers.iter().enumerate() {
        sink.add(SPACE.at(index), (attacked & half).count_ones().cast_signed());
    }
    let crossed = pos.side(side) & half;
    let is_soldier = |at: u8| pos.piece(at) == Piece::new(PieceKind::Soldier, side);
    for at in points(crossed & crossed << 1) {
        if file(at) > 0 && is_soldier(at) && is_soldier(at - 1) {
            sink.add(PHALANX.at(0), 1);
        }
    }
    let [horses, _, cannons, soldiers] = own.attackers;
    for at in points(pos.side(side.other()) & (horses | cannons | soldiers)) {
        let by = |set: u128| i32::from(set & bit(at) != 0);
        match pos.piece(at).kind() {
            Some(PieceKind::Chariot) => {
                sink.add(THREAT.at(0), by(horses));
                sink.add(THREAT.at(1), by(cannons));
                sink.add(THREAT.at(3), by(soldiers));
            }
            Some(PieceKind::Horse) => sink.add(THREAT.at(2), by(soldiers)),
            Some(PieceKind::Cannon) => sink.add(THREAT.at(4), by(soldiers)),
            _ => {}
        }
    }
}
