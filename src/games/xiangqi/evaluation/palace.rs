//! The palaces: attacks on the generals, safe checks, guards.

use super::attacks::{Attacks, FIRST_ATTACKER, lines};
use super::layout::{CANNON_LINE, CHARIOT_LINE, GUARDED, MISSING_GUARDS, PALACE_ATTACK, SAFE_CHECK};
use crate::core::Side;
use crate::games::xiangqi::geometry::{HORSE_TO, PALACE, Step, bit, file, point, rank};
use crate::games::xiangqi::piece::{Piece, PieceKind};
use crate::games::xiangqi::rules::Xiangqiboard;
use crate::games::xiangqi::weighted::Sink;

/// Counts a side's attacks on the other side's palace, and its own guards.
#[inline]
pub(crate) fn count<S: Sink>(pos: &Xiangqiboard, side: Side, own: &Attacks, other: &Attacks, sink: &mut S) {
    let palace = PALACE[side.other().index()];
    checks(pos, side, own, other, sink);
    for (index, attacked) in own.attackers.iter().enumerate() {
        sink.add(PALACE_ATTACK.at(index), (attacked & palace).count_ones().cast_signed());
    }
    for (index, [guards, attacked]) in own.guards.into_iter().enumerate() {
        sink.add(GUARDED.at(index), (guards & attacked).count_ones().cast_signed());
    }
    for (guard, kind) in [PieceKind::Advisor, PieceKind::Elephant].into_iter().enumerate() {
        let missing = 2 - own.counts[kind as usize];
        for (index, count) in other.counts[FIRST_ATTACKER..].iter().enumerate() {
            sink.add(MISSING_GUARDS.at(4 * guard + index), missing * count);
        }
    }
}

/// Counts the points from which a side could safely give check.
#[inline]
fn checks<S: Sink>(pos: &Xiangqiboard, side: Side, own: &Attacks, other: &Attacks, sink: &mut S) {
    let general = pos.general(side.other());
    let (along, across) = (pos.file_sight(general), pos.rank_sight(general));
    let safe = !(other.all | pos.side(side));
    let [horses, chariots, ..] = own.attackers;
    let (legs, horses) = (HORSE_TO[usize::from(general)].all(), horses & safe);
    let is_open = |step: &Step| horses & bit(step.to) != 0 && pos.piece(step.over) == Piece::NONE;
    let mut horses = 0;
    for step in legs {
        horses += i32::from(is_open(step));
    }
    let on_lines = lines(general, [along.vacant | along.first, across.vacant | across.first]);
    let beyond = lines(general, [along.beyond, across.beyond]);
    let count = |set: u128| (set & safe).count_ones().cast_signed();
    sink.add(SAFE_CHECK.at(0), horses);
    sink.add(SAFE_CHECK.at(1), count(chariots & on_lines));
    sink.add(SAFE_CHECK.at(2), count(own.cannon_moves & beyond));
}

/// Counts a cannon or chariot on a line with the opponent's general.
#[inline]
pub(crate) fn line<S: Sink>(pos: &Xiangqiboard, from: u8, general: u8, kind: PieceKind, sink: &mut S) {
    let (occupied, [low, high]) = if file(from) == file(general) {
        (pos.on_file(file(from)), [rank(from), rank(general)])
    } else if rank(from) == rank(general) {
        (pos.on_rank(rank(from)), [file(from), file(general)])
    } else {
        return;
    };
    let (low, high) = (low.min(high), low.max(high));
    let between = occupied & ((1 << high) - 1) & !((2 << low) - 1);
    let count = between.count_ones() as usize;
    if kind == PieceKind::Cannon && count < CANNON_LINE.len {
        sink.add(CANNON_LINE.at(count), 1);
    }
    if kind == PieceKind::Chariot && count == 1 {
        let place = between.trailing_zeros() as u8;
        let at = if file(from) == file(general) { point(file(from), place) } else { point(place, rank(from)) };
        let is_own = pos.piece(at).side() == pos.piece(from).side();
        sink.add(CHARIOT_LINE.at(usize::from(is_own)), 1);
    }
}
