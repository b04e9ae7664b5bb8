//! The generation of moves, and attacks on the generals.

use super::geometry::{
    ADVISOR, ELEPHANT, FILES, GENERAL, HORSE, HORSE_TO, POINTS, RANKS, SOLDIER, Step, bit, file, point, points, rank,
};
use super::piece::{Piece, PieceKind};
use super::rules::{Move, Xiangqiboard};
use super::sight::{Sight, places, sight};
use crate::core::{Position, Side};
use std::ops::ControlFlow;

/// For a general on a point: the points from or to which the move of a piece can open or close a line to the general.
/// They are those of its file and rank, and the legs of horses.
static NEAR: [u128; POINTS] = {
    let mut near = [0; POINTS];
    let mut at = 0;
    while at < POINTS as u8 {
        let mut other = 0;
        while other < POINTS as u8 {
            let (files, ranks) = (file(at).abs_diff(file(other)), rank(at).abs_diff(rank(other)));
            if files == 0 || ranks == 0 || (files == 1 && ranks == 1) {
                near[at as usize] |= bit(other);
            }
            other += 1;
        }
        at += 1;
    }
    near
};

impl Xiangqiboard {
    /// Returns what a piece sees along its file.
    #[inline]
    pub(crate) fn file_sight(&self, at: u8) -> Sight {
        sight(self.on_file(file(at)), rank(at), RANKS)
    }

    /// Returns what a piece sees along its rank.
    #[inline]
    pub(crate) fn rank_sight(&self, at: u8) -> Sight {
        sight(self.on_rank(rank(at)), file(at), FILES)
    }

    /// Calls a function with the legal moves, captures or others or both, until it breaks.
    #[inline]
    pub(crate) fn legal<const CAPTURES: bool, const QUIET: bool>(
        &self,
        found: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let turn = self.turn();
        let (general, check) = (self.general(turn), self.is_check());
        let near = NEAR[usize::from(general)];
        self.pseudo_legal::<CAPTURES, QUIET>(&mut |mv: Move| {
            let is_near = bit(mv.from) & near != 0 || (bit(mv.to) & near != 0 && !self.is_capture(mv));
            let is_safe = !(check || is_near || mv.from == general) || !self.is_attacked(turn, Some(mv));
            if is_safe { found(mv) } else { ControlFlow::Continue(()) }
        })
    }

    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        let turn = self.turn();
        if self.side(turn) & bit(mv.from) == 0 || self.side(turn) & bit(mv.to) != 0 {
            return false;
        }
        let steps = |steps: &[Step]| {
            steps.iter().any(|step| step.to == mv.to && (step.over == mv.from || self.piece(step.over) == Piece::NONE))
        };
        let index = usize::from(mv.from);
        let reaches = match self.piece(mv.from).kind() {
            Some(PieceKind::General) => steps(GENERAL[index].all()),
            Some(PieceKind::Advisor) => steps(ADVISOR[index].all()),
            Some(PieceKind::Elephant) => steps(ELEPHANT[index].all()),
            Some(PieceKind::Horse) => steps(HORSE[index].all()),
            Some(PieceKind::Soldier) => steps(SOLDIER[turn.index()][index].all()),
            kind => {
                let seen = |sight: Sight| {
                    sight.vacant | if kind == Some(PieceKind::Chariot) { sight.first } else { sight.second }
                };
                if file(mv.from) == file(mv.to) {
                    seen(self.file_sight(mv.from)) >> rank(mv.to) & 1 != 0
                } else {
                    rank(mv.from) == rank(mv.to) && seen(self.rank_sight(mv.from)) >> file(mv.to) & 1 != 0
                }
            }
        };
        reaches && !self.is_attacked(turn, Some(mv))
    }

    /// Whether a side's general is attacked, by the other general too; if a move is given, after it.
    #[must_use]
    pub fn is_attacked(&self, side: Side, mv: Option<Move>) -> bool {
        let mut general = self.general(side);
        if let Some(mv) = mv
            && mv.from == general
        {
            general = mv.to;
        }
        let (along, across) = (file(general), rank(general));
        let (mut on_file, mut on_rank) = (self.on_file(along), self.on_rank(across));
        if let Some(mv) = mv {
            if file(mv.from) == along {
                on_file &= !(1 << rank(mv.from));
            }
            if rank(mv.from) == across {
                on_rank &= !(1 << file(mv.from));
            }
            if file(mv.to) == along {
                on_file |= 1 << rank(mv.to);
            }
            if rank(mv.to) == across {
                on_rank |= 1 << file(mv.to);
            }
        }
        let piece = |at: u8| match mv {
            Some(mv) if at == mv.to => self.piece(mv.from),
            Some(mv) if at == mv.from => Piece::NONE,
            _ => self.piece(at),
        };
        let other = |kind| Piece::new(kind, side.other());
        let (chariot, cannon) = (other(PieceKind::Chariot), other(PieceKind::Cannon));
        let on_file = sight(on_file, across, RANKS);
        let on_rank = sight(on_rank, along, FILES);
        let attacks_on_file = |piece: Piece| piece == chariot || piece == other(PieceKind::General);
        places(on_file.first).any(|rank| attacks_on_file(piece(point(along, rank))))
            || places(on_rank.first).any(|file| piece(point(file, across)) == chariot)
            || places(on_file.second).any(|rank| piece(point(along, rank)) == cannon)
            || places(on_rank.second).any(|file| piece(point(file, across)) == cannon)
            || HORSE_TO[usize::from(general)]
                .all()
                .iter()
                .any(|step| piece(step.to) == other(PieceKind::Horse) && piece(step.over) == Piece::NONE)
            // Soldiers capture as they step: from where one in the general's place would go, and from beside it.
            || (along > 0 && piece(general - 1) == other(PieceKind::Soldier))
            || (along + 1 < FILES && piece(general + 1) == other(PieceKind::Soldier))
            || SOLDIER[side.index()][usize::from(general)]
                .all()
                .iter()
                .any(|step| file(step.to) == along && piece(step.to) == other(PieceKind::Soldier))
    }

    /// Calls a function with the pseudo-legal moves, which may leave the general attacked.
    #[inline]
    fn pseudo_legal<const CAPTURES: bool, const QUIET: bool>(
        &self,
        found: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let turn = self.turn();
        let own = self.side(turn);
        let targets = match (CAPTURES, QUIET) {
            (true, true) => !own,
            (true, false) => self.side(turn.other()),
            _ => !self.occupied(),
        };
        for from in points(own) {
            let mut try_to = |to: u8| {
                if targets & bit(to) != 0 { found(Move { from, to }) } else { ControlFlow::Continue(()) }
            };
            let index = usize::from(from);
            let steps = match self.piece(from).kind() {
                Some(PieceKind::General) => &GENERAL[index],
                Some(PieceKind::Advisor) => &ADVISOR[index],
                Some(PieceKind::Elephant) => &ELEPHANT[index],
                Some(PieceKind::Horse) => &HORSE[index],
                Some(PieceKind::Soldier) => &SOLDIER[turn.index()][index],
                kind => {
                    let (along, across) = (self.file_sight(from), self.rank_sight(from));
                    let captured =
                        |sight: Sight| if kind == Some(PieceKind::Chariot) { sight.first } else { sight.second };
                    let reached = |sight: Sight| {
                        (if QUIET { sight.vacant } else { 0 }) | (if CAPTURES { captured(sight) } else { 0 })
                    };
                    for rank in places(reached(along)) {
                        try_to(point(file(from), rank))?;
                    }
                    for file in places(reached(across)) {
                        try_to(point(file, rank(from)))?;
                    }
                    continue;
                }
            };
            for step in steps.all() {
                if step.over == from || self.piece(step.over) == Piece::NONE {
                    try_to(step.to)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
