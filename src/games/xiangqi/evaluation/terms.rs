//! The terms that are counted anew in each position.

use super::super::geometry::{
    ADVISOR, ELEPHANT, FILES, GENERAL, HORSE, PALACE, RANKS, SOLDIER, Step, bit, file, point, points, rank,
};
use super::super::piece::{Kind, Piece};
use super::super::rules::Xiangqiboard;
use super::super::sight::{Sight, places};
use super::layout::{
    CANNON_LINE, CANNON_MOBILITY, CHARIOT_LINE, CHARIOT_MOBILITY, HANGING, HORSE_MOBILITY, MISSING_GUARDS,
    PALACE_ATTACK, THREAT,
};
use crate::core::Side;
use crate::games::weighted::Sink;

/// The first kind of the attackers.
const FIRST_ATTACKER: usize = Kind::Horse as usize;

/// The points that a side's pieces attack.
#[derive(Clone, Copy, Default)]
struct Attacks {
    /// Horses, chariots, cannons, soldiers.
    attackers: [u128; 4],
    all: u128,
    /// The pieces of each kind.
    counts: [i32; 7],
}

/// Counts the terms of both sides, the first one's first.
#[inline]
pub fn count<S: Sink>(pos: &Xiangqiboard, sinks: &mut [S; 2]) {
    let sides = [Side::First, Side::Second];
    let attacks = sides.map(|side| mobility(pos, side, &mut sinks[side.index()]));
    for side in sides {
        let [own, other] = [side, side.other()].map(|side| &attacks[side.index()]);
        let sink = &mut sinks[side.index()];
        let palace = PALACE[side.other().index()];
        for (index, attacked) in own.attackers.iter().enumerate() {
            sink.add(PALACE_ATTACK.at(index), (attacked & palace).count_ones().cast_signed());
        }
        for (guard, kind) in [Kind::Advisor, Kind::Elephant].into_iter().enumerate() {
            let missing = 2 - own.counts[kind as usize];
            for (index, count) in other.counts[FIRST_ATTACKER..].iter().enumerate() {
                sink.add(MISSING_GUARDS.at(4 * guard + index), missing * count);
            }
        }
        threats(pos, side, own, other, sink);
    }
}

/// Counts the mobility of a side's pieces and their lines to the general, and returns what they attack.
#[inline]
fn mobility<S: Sink>(pos: &Xiangqiboard, side: Side, sink: &mut S) -> Attacks {
    let mut attacks = Attacks::default();
    let own = pos.side(side);
    let general = pos.general(side.other());
    for from in points(own) {
        let index = usize::from(from);
        let Some(kind) = pos.piece(from).kind() else { continue };
        attacks.counts[kind as usize] += 1;
        let mut attacked = 0;
        match kind {
            Kind::Horse => {
                attacked = steps(pos, from, HORSE[index].all());
                sink.add(HORSE_MOBILITY.at((attacked & !own).count_ones() as usize), 1);
            }
            Kind::Chariot | Kind::Cannon => {
                let (along, across) = (pos.file_sight(from), pos.rank_sight(from));
                let vacant = along.vacant.count_ones() + across.vacant.count_ones();
                let mobility = if kind == Kind::Chariot { CHARIOT_MOBILITY } else { CANNON_MOBILITY };
                sink.add(mobility.at(vacant as usize), 1);
                let reached = |sight: Sight| {
                    if kind == Kind::Chariot { sight.vacant | sight.first } else { sight.second }
                };
                for rank in places(reached(along)) {
                    attacked |= bit(point(file(from), rank));
                }
                attacked |= u128::from(reached(across)) << (rank(from) * FILES);
                line(pos, from, general, kind, sink);
            }
            Kind::General => attacked = steps(pos, from, GENERAL[index].all()),
            Kind::Advisor => attacked = steps(pos, from, ADVISOR[index].all()),
            Kind::Elephant => attacked = steps(pos, from, ELEPHANT[index].all()),
            Kind::Soldier => attacked = steps(pos, from, SOLDIER[side.index()][index].all()),
        }
        attacks.all |= attacked;
        if let Some(attackers) = attacks.attackers.get_mut((kind as usize).wrapping_sub(FIRST_ATTACKER)) {
            *attackers |= attacked;
        }
    }
    attacks
}

/// Returns where a piece steps.
#[inline]
fn steps(pos: &Xiangqiboard, from: u8, steps: &[Step]) -> u128 {
    let free = steps.iter().filter(|step| step.over == from || pos.piece(step.over) == Piece::NONE);
    free.fold(0, |set, step| set | bit(step.to))
}

/// Counts a cannon or chariot on a line with the opponent's general.
#[inline]
fn line<S: Sink>(pos: &Xiangqiboard, from: u8, general: u8, kind: Kind, sink: &mut S) {
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
    if kind == Kind::Cannon && count < CANNON_LINE.len {
        sink.add(CANNON_LINE.at(count), 1);
    }
    if kind == Kind::Chariot && count == 1 {
        let place = between.trailing_zeros() as u8;
        let at = if file(from) == file(general) { point(file(from), place) } else { point(place, rank(from)) };
        let is_own = pos.piece(at).side() == pos.piece(from).side();
        sink.add(CHARIOT_LINE.at(usize::from(is_own)), 1);
    }
    const _: () = assert!(RANKS < 16);
}

/// Counts a side's pieces that hang, and its attacks on more valuable pieces.
#[inline]
fn threats<S: Sink>(pos: &Xiangqiboard, side: Side, own: &Attacks, other: &Attacks, sink: &mut S) {
    for at in points(pos.side(side) & other.all & !own.all) {
        if let Some(kind) = pos.piece(at).kind() {
            sink.add(HANGING.at(kind as usize), 1);
        }
    }
    let [horses, _, cannons, soldiers] = own.attackers;
    for at in points(pos.side(side.other()) & (horses | cannons | soldiers)) {
        let by = |set: u128| i32::from(set & bit(at) != 0);
        match pos.piece(at).kind() {
            Some(Kind::Chariot) => {
                sink.add(THREAT.at(0), by(horses));
                sink.add(THREAT.at(1), by(cannons));
                sink.add(THREAT.at(3), by(soldiers));
            }
            Some(Kind::Horse) => sink.add(THREAT.at(2), by(soldiers)),
            Some(Kind::Cannon) => sink.add(THREAT.at(4), by(soldiers)),
            _ => {}
        }
    }
}
