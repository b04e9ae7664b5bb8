//! The terms that are recounted in each position: mobility, and [the palace](super::palace) and [`threats`] with it.

use super::attacks::{Attacks, FIRST_ATTACKER, lines};
use super::layout::{CANNON_MOBILITY, CHARIOT_MOBILITY, HORSE_MOBILITY};
use super::{palace, threats};
use crate::core::Side;
use crate::games::xiangqi::geometry::{ADVISOR, ELEPHANT, GENERAL, HORSE, SOLDIER, Step, bit, points};
use crate::games::xiangqi::piece::{Piece, PieceKind};
use crate::games::xiangqi::rules::Xiangqiboard;
use crate::games::xiangqi::sight::Sight;
use crate::games::xiangqi::weighted::Sink;

/// Counts the terms of both sides, the first one's first.
#[inline]
pub(crate) fn count<S: Sink>(pos: &Xiangqiboard, sinks: &mut [S; 2]) {
    let [first, second] = sinks;
    let attacks = [mobility(pos, Side::First, first), mobility(pos, Side::Second, second)];
    for side in [Side::First, Side::Second] {
        let (own, other) = (&attacks[side.index()], &attacks[side.other().index()]);
        let sink = &mut sinks[side.index()];
        palace::count(pos, side, own, other, sink);
        threats::count(pos, side, own, other, sink);
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
        let attacked;
        match kind {
            PieceKind::Horse => {
                attacked = steps(pos, from, HORSE[index].all());
                sink.add(HORSE_MOBILITY.at((attacked & !own).count_ones() as usize), 1);
            }
            PieceKind::Chariot | PieceKind::Cannon => {
                let (along, across) = (pos.file_sight(from), pos.rank_sight(from));
                let vacant = along.vacant.count_ones() + across.vacant.count_ones();
                let mobility = if kind == PieceKind::Chariot { CHARIOT_MOBILITY } else { CANNON_MOBILITY };
                sink.add(mobility.at(vacant as usize), 1);
                let reached = |sight: Sight| {
                    if kind == PieceKind::Chariot { sight.vacant | sight.first } else { sight.second }
                };
                attacked = lines(from, [reached(along), reached(across)]);
                if kind == PieceKind::Cannon {
                    attacks.cannon_moves |= lines(from, [along.vacant, across.vacant]);
                }
                palace::line(pos, from, general, kind, sink);
            }
            PieceKind::General => attacked = steps(pos, from, GENERAL[index].all()),
            PieceKind::Advisor | PieceKind::Elephant => {
                let table = if kind == PieceKind::Advisor { &ADVISOR } else { &ELEPHANT };
                attacked = steps(pos, from, table[index].all());
                let [guards, protected] = &mut attacks.guards[usize::from(kind == PieceKind::Elephant)];
                *guards |= bit(from);
                *protected |= attacked;
            }
            PieceKind::Soldier => attacked = steps(pos, from, SOLDIER[side.index()][index].all()),
        }
        attacks.all |= attacked;
        if let Some(attackers) = attacks.attackers.get_mut((kind as usize).wrapping_sub(FIRST_ATTACKER)) {
            *attackers |= attacked;
        }
    }
    attacks
}

/// Returns the points to which a piece steps.
#[inline]
fn steps(pos: &Xiangqiboard, from: u8, steps: &[Step]) -> u128 {
    let mut set = 0;
    for step in steps {
        if step.over == from || pos.piece(step.over) == Piece::NONE {
            set |= bit(step.to);
        }
    }
    set
}
