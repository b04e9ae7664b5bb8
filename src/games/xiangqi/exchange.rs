//! Static exchange evaluation: the material that a capture wins if both sides continue to capture on its target, each
//! with the least valuable piece first, for as long as it gains.

use super::geometry::{ADVISOR, ELEPHANT, FILES, GENERAL, HORSE_TO, RANKS, SOLDIER, bit, file, point, rank};
use super::piece::{Piece, PieceKind};
use super::rules::{Move, Xiangqiboard};
use super::sight::{Sight, places, sight};
use crate::core::{Position, Score, Side};

/// Returns the value of a piece in an exchange in centi-units. A general is never captured.
#[inline]
pub(crate) const fn value(kind: Option<PieceKind>) -> Score {
    match kind {
        None => 0,
        Some(PieceKind::General) => 20_000,
        Some(PieceKind::Advisor | PieceKind::Elephant) => 200,
        Some(PieceKind::Horse) => 420,
        Some(PieceKind::Chariot) => 900,
        Some(PieceKind::Cannon) => 450,
        Some(PieceKind::Soldier) => 120,
    }
}

/// The board while pieces are exchanged on a point, which counts as occupied.
struct Exchange<'a> {
    pos: &'a Xiangqiboard,
    target: u8,
    /// The points with pieces that are left.
    occupied: u128,
    on_file: u16,
    on_rank: u16,
}

impl Exchange<'_> {
    fn new(pos: &Xiangqiboard, target: u8) -> Exchange<'_> {
        let (on_file, on_rank) = (pos.on_file(file(target)), pos.on_rank(rank(target)));
        Exchange { pos, target, occupied: pos.occupied() | bit(target), on_file, on_rank }
    }

    /// Removes a piece from the point where it comes from.
    fn remove(&mut self, at: u8) {
        self.occupied &= !bit(at);
        if file(at) == file(self.target) {
            self.on_file &= !(1 << rank(at));
        }
        if rank(at) == rank(self.target) {
            self.on_rank &= !(1 << file(at));
        }
    }

    /// Returns the least valuable piece of a side that attacks the target.
    fn least(&self, side: Side) -> Option<(PieceKind, u8)> {
        let target = usize::from(self.target);
        let stands = |at: u8, kind| self.occupied & bit(at) != 0 && self.pos.piece(at) == Piece::new(kind, side);
        // A soldier attacks the target from the points to which an opposing soldier on the target could step.
        let soldier = |at: u8| {
            stands(at, PieceKind::Soldier)
                && SOLDIER[side.index()][usize::from(at)].all().iter().any(|step| step.to == self.target)
        };
        let beside =
            [self.target.wrapping_sub(1), self.target + 1, self.target.wrapping_sub(FILES), self.target + FILES];
        if let Some(at) = beside.into_iter().find(|&at| at < FILES * RANKS && soldier(at)) {
            return Some((PieceKind::Soldier, at));
        }
        for (kind, table) in
            [(PieceKind::Advisor, &ADVISOR), (PieceKind::Elephant, &ELEPHANT), (PieceKind::Horse, &HORSE_TO)]
        {
            let mut steps = table[target].all().iter();
            let is_free = |over: u8| over == self.target || self.occupied & bit(over) == 0;
            if let Some(step) = steps.find(|step| stands(step.to, kind) && is_free(step.over)) {
                return Some((kind, step.to));
            }
        }
        let along = sight(self.on_file, rank(self.target), RANKS);
        let across = sight(self.on_rank, file(self.target), FILES);
        let line = |seen: fn(Sight) -> u16, kind| {
            let along = places(seen(along)).map(|rank| point(file(self.target), rank));
            let across = places(seen(across)).map(|file| point(file, rank(self.target)));
            along.chain(across).find(|&at| stands(at, kind)).map(|at| (kind, at))
        };
        let general = || {
            let mut steps = GENERAL[target].all().iter();
            steps.find(|step| stands(step.to, PieceKind::General)).map(|step| (PieceKind::General, step.to))
        };
        line(|sight| sight.second, PieceKind::Cannon)
            .or_else(|| line(|sight| sight.first, PieceKind::Chariot))
            .or_else(general)
    }
}

/// Returns whether a legal move wins at least `threshold` centi-units in the exchange on its target. Pins and
/// discovered checks are not considered.
pub(crate) fn wins(pos: &Xiangqiboard, mv: Move, threshold: Score) -> bool {
    // The balance for the side that has just moved: if the exchange ends here, and then if its piece is lost.
    let mut balance = value(pos.piece(mv.to).kind()) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= value(pos.piece(mv.from).kind());
    if balance >= 0 {
        return true;
    }
    let mut exchange = Exchange::new(pos, mv.to);
    exchange.on_file |= 1 << rank(mv.to);
    exchange.on_rank |= 1 << file(mv.to);
    exchange.remove(mv.from);
    let turn = pos.turn();
    let mut side = turn.other();
    while let Some((kind, at)) = exchange.least(side) {
        exchange.remove(at);
        // A general cannot capture a protected piece.
        if kind == PieceKind::General && exchange.least(side.other()).is_some() {
            break;
        }
        side = side.other();
        balance = -balance - 1 - value(Some(kind));
        if balance >= 0 {
            break;
        }
    }
    side != turn
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;
    use crate::core::position::legal_moves;

    /// The largest threshold that a move reaches.
    fn exchange(fen: &str, name: &str) -> Score {
        let pos = fen::parse(fen).unwrap();
        let name_of = |mv: Move| fen::square(mv.from) + &fen::square(mv.to);
        let mv = legal_moves(&pos).into_iter().find(|&mv| name_of(mv) == name).unwrap();
        let reached: Vec<_> = (-2_000..2_000).filter(|&threshold| wins(&pos, mv, threshold)).collect();
        assert_eq!(reached.len() as Score, reached.last().unwrap() + 2_001, "thresholds are monotonic");
        *reached.last().unwrap()
    }

    #[test]
    fn exchanges_end_where_they_stop_paying() {
        for (fen, mv, expected) in [
            // The cannon takes a horse and the chariot takes it back.
            (fen::START, "b3b10", 420 - 450),
            (fen::START, "e4e5", 0),
            // The soldier is free, then protected by a horse whose leg is free, then blocked.
            ("3k5/9/9/4p4/9/9/9/9/9/4RK3 w", "e1e7", 120),
            ("3k5/2n6/9/4p4/9/9/9/9/9/4RK3 w", "e1e7", 120),
            ("3k5/3n5/9/4p4/9/9/9/9/9/4RK3 w", "e1e7", 120 - 900),
            ("3k5/3n5/3a5/4p4/9/9/9/9/9/4RK3 w", "e1e7", 120),
            // Behind the chariot stands another.
            ("3k5/3n5/9/4p4/9/9/9/9/4R4/4RK3 w", "e2e7", 120 - 900 + 420),
            // The cannon behind the capturing horse needs it as its screen.
            ("3k5/9/9/4p4/4n4/4c4/9/9/9/R4K3 w", "a1a2", 0),
            // A general captures an unprotected piece.
            ("3k5/4a4/9/9/9/9/9/9/9/4RK3 w", "e1e9", 200),
            ("4k4/4a4/9/9/9/9/9/9/9/4RK3 w", "e1e9", 200 - 900),
            ("4k4/4a4/9/9/9/9/9/9/4R4/4RK3 w", "e2e9", 200),
        ] {
            assert_eq!(exchange(fen, mv), expected, "{fen} {mv}");
        }
    }
}
