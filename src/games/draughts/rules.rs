//! [`Draughtsboard`]: positions and legal moves of a rule set.

use super::captures::{Capture, captures, partial_captures};
use super::geometry::{Direction, Geometry, bits};
use super::variant::{RuleSettings, Variant};
use crate::core::position::Clock;
use crate::core::{Outcome, Position, Side};
use crate::util::random::{GOLDEN, folded, mixed};
use std::marker::PhantomData;

/// The number of codes of moves that capture nothing: from one bit to another, six bits each.
const QUIET_CODES: u16 = 1 << 12;

/// The maximum number of captures in a position that have codes. No position with that many is known.
pub(super) const MAX_CAPTURES: u16 = 1 << 14;

/// A move: a step, or a capture from its first square to its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The bit of the first square.
    pub from: u8,
    /// The bit of the last square.
    pub to: u8,
    /// The number of a capture among those of the position.
    pub number: u16,
    /// The captured pieces.
    pub captured: u64,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draughtsboard<V> {
    /// The pieces of either side.
    pieces: [u64; 2],
    /// The pieces that are kings.
    kings: u64,
    turn: Side,
    settings: RuleSettings,
    /// Plies without a capture or a move of a man.
    plies: u16,
    variant: PhantomData<V>,
}

impl<V: Variant> Draughtsboard<V> {
    /// Creates a position. The pieces of the two sides must not overlap, and no man may be on its crowning row.
    #[must_use]
    pub const fn new(pieces: [u64; 2], kings: u64, turn: Side, settings: RuleSettings, plies: u16) -> Self {
        Self { pieces, kings, turn, settings, plies, variant: PhantomData }
    }

    /// Returns the position at the start of a game.
    #[must_use]
    pub fn start(settings: RuleSettings) -> Self {
        let home = (0..V::HOME_ROWS).fold(0, |rows, row| rows | Geometry::<V>::row(row));
        Self::new([home, Geometry::<V>::turned(home)], 0, Side::First, settings, 0)
    }

    /// Returns the men of a side.
    #[inline]
    #[must_use]
    pub const fn men(&self, side: Side) -> u64 {
        self.pieces[side.index()] & !self.kings
    }

    /// Returns the kings of a side.
    #[inline]
    #[must_use]
    pub const fn kings(&self, side: Side) -> u64 {
        self.pieces[side.index()] & self.kings
    }

    #[inline]
    pub(crate) const fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    #[inline]
    pub(crate) const fn vacant(&self) -> u64 {
        Geometry::<V>::ALL & !(self.pieces[0] | self.pieces[1])
    }

    pub(crate) const fn settings(&self) -> RuleSettings {
        self.settings
    }

    /// Returns the plies without a capture or a move of a man; against a lone king, those since the last capture.
    pub(crate) const fn plies(&self) -> u16 {
        self.plies
    }

    /// Returns the plies since the last capture that make a draw against a lone king; `None` in other positions.
    #[inline]
    fn lone_king_limit(&self) -> Option<u16> {
        if V::LONE_KING == [0; 3] {
            return None;
        }
        let is_lone = |side: Side| self.pieces(side).is_power_of_two() && self.kings(side) != 0;
        let lone =
            [Side::First, Side::Second].into_iter().find(|&side| is_lone(side) && self.kings(side.other()) != 0)?;
        let others = self.pieces(lone.other()).count_ones() as usize;
        V::LONE_KING.get(others - 1).copied().filter(|&limit| limit > 0)
    }

    /// Returns the directions in which the men of a side move.
    #[inline]
    pub(crate) const fn ahead(side: Side) -> [Direction; 2] {
        match side {
            Side::First => Direction::AHEAD,
            Side::Second => Direction::BACK,
        }
    }

    /// Whether the side to move can capture, and therefore must.
    #[inline]
    pub(crate) fn must_capture(&self) -> bool {
        self.capturers() != 0
    }

    /// Returns the pieces of the side to move that can capture.
    #[inline]
    fn capturers(&self) -> u64 {
        let side = self.turn;
        let (men, kings) = (self.men(side), self.kings(side));
        let (others, vacant) = (self.pieces(side.other()), self.vacant());
        let mut capturers = 0;
        for direction in Direction::ALL {
            let back = |squares| Geometry::<V>::step(squares, direction.opposite());
            let targets = back(vacant) & others;
            let near = back(targets);
            let men = if V::FLYING || direction.is_ahead(side) { men & near } else { 0 };
            if !V::FLYING || kings == 0 {
                capturers |= men | (kings & near);
                continue;
            }
            // A flying king captures over vacant squares.
            let mut reach = near;
            let mut more = near & vacant;
            while more != 0 {
                more = back(more);
                reach |= more;
                more &= vacant;
            }
            capturers |= men | (kings & reach);
        }
        capturers
    }

    /// Whether the side to move could move if nothing could be captured.
    fn can_step(&self) -> bool {
        let (men, kings, vacant) = (self.men(self.turn), self.kings(self.turn), self.vacant());
        Direction::ALL.into_iter().any(|direction| {
            let movers = if direction.is_ahead(self.turn) { men | kings } else { kings };
            Geometry::<V>::step(movers, direction) & vacant != 0
        })
    }

    /// Appends the moves that capture nothing.
    #[inline]
    fn steps(&self, out: &mut Vec<Move>) {
        let (men, kings, vacant) = (self.men(self.turn), self.kings(self.turn), self.vacant());
        let step = |from, to| Move { from, to, number: 0, captured: 0 };
        for direction in Direction::ALL {
            let mut movers = if direction.is_ahead(self.turn) { men } else { 0 };
            if !V::FLYING {
                movers |= kings;
            }
            let back = Geometry::<V>::step(vacant, direction.opposite());
            for from in bits(movers & back) {
                out.push(step(from, Geometry::<V>::step(1 << from, direction).trailing_zeros() as u8));
            }
        }
        if V::FLYING {
            for from in bits(kings) {
                for direction in Direction::ALL {
                    let mut to = Geometry::<V>::step(1 << from, direction) & vacant;
                    while to != 0 {
                        out.push(step(from, to.trailing_zeros() as u8));
                        to = Geometry::<V>::step(to, direction) & vacant;
                    }
                }
            }
        }
    }

    /// Takes back a move of the side not to move, `side`, without a capture: its piece goes from the square `to` back
    /// to the bit `from`.
    #[inline]
    pub(super) const fn moved_back(&self, side: Side, from: u8, to: u64) -> Self {
        let mut before = *self;
        let moved = 1 << from | to;
        before.pieces[side.index()] ^= moved;
        if self.kings & 1 << from != 0 {
            before.kings ^= moved;
        }
        before.turn = side;
        before
    }

    /// Returns the moves that are legal but for the rules of compulsory captures: those without a capture, and captures
    /// that could continue or take fewer pieces than others.
    pub(super) fn unforced(&self) -> Vec<Move> {
        let mut found = Vec::new();
        self.steps(&mut found);
        partial_captures(self, self.capturers(), &mut found);
        found
    }

    /// Returns the captures with their routes.
    pub(super) fn routes(&self) -> Vec<(Move, Vec<u8>)> {
        let mut found = Vec::new();
        captures(self, self.capturers(), &mut found);
        found
    }
}

impl Capture for Move {
    type Route = ();

    fn new(mv: Move, (): &()) -> Self {
        mv
    }

    fn mv(&self) -> &Move {
        self
    }
}

impl<V: Variant> Position for Draughtsboard<V> {
    type Move = Move;
    const CODES: usize = (QUIET_CODES + MAX_CAPTURES) as usize;
    const CYCLIC: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    /// Captures are compulsory.
    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        match self.capturers() {
            0 => self.steps(out),
            capturers => captures(self, capturers, out),
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        !self.can_step() && !self.must_capture()
    }

    /// A side that cannot move has lost.
    fn outcome(&self) -> Outcome {
        Outcome::Loss
    }

    #[inline]
    fn clock(&self) -> Option<Clock> {
        Some(Clock { plies: self.plies, limit: self.lone_king_limit().unwrap_or(self.settings.limit) })
    }

    #[inline]
    fn least_limit(&self) -> Option<u16> {
        let lone = V::LONE_KING.into_iter().filter(|&limit| limit > 0);
        Some(lone.fold(self.settings.limit, u16::min))
    }

    #[inline]
    fn after(&self, mv: Move) -> Self {
        let (own, other) = (self.turn.index(), self.turn.other().index());
        let (from, to) = (1 << mv.from, 1 << mv.to);
        let is_king = self.kings & from != 0;
        let mut next = *self;
        next.pieces[own] = (self.pieces[own] & !from) | to;
        next.pieces[other] &= !mv.captured;
        next.kings &= !(mv.captured | from);
        if is_king || to & Geometry::<V>::CROWNING[own] != 0 {
            next.kings |= to;
        }
        let is_progress = mv.captured != 0 || (!is_king && self.lone_king_limit().is_none());
        next.plies = if is_progress { 0 } else { self.plies.saturating_add(1) };
        next.turn = self.turn.other();
        next
    }

    #[inline]
    fn key(&self) -> u64 {
        let turn = u64::from(self.settings.joined) << 63 | (self.turn as u64) << 62;
        let pieces = folded(self.pieces[0] ^ GOLDEN, self.pieces[1] ^ 0xd1b5_4a32_d192_ed03);
        mixed(pieces ^ folded(self.kings ^ turn ^ 0xaef1_7502_108e_f2d9, 0xdb4f_0b91_75ae_2165))
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        if mv.captured == 0 { u16::from(mv.from) << 6 | u16::from(mv.to) } else { QUIET_CODES + mv.number }
    }
}
