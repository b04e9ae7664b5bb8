//! Captures of one or more pieces, found depth first.
//!
//! A captured piece stays on the board until the move ends and cannot be jumped again; the first square of the moving
//! piece is vacant. A man of a game without flying kings is crowned, and its move ends, on the last row; with flying
//! kings it passes through as a man.

use super::geometry::{Direction, Geometry, bits};
use super::rules::{Draughtsboard, MAX_CAPTURES, Move};
use super::variant::Variant;
use crate::core::{Position, Side};
use std::collections::HashSet;

/// A capture as it is stored: the move alone, or the move and its route.
pub trait Capture {
    /// The squares on the way.
    type Route: Route;

    /// Creates a capture from its move and its route.
    fn new(mv: Move, route: &Self::Route) -> Self;

    /// Returns the move.
    fn mv(&self) -> &Move;
}

/// The squares on the way, including the last one.
pub trait Route: Default {
    /// Adds a square.
    fn push(&mut self, square: u8);

    /// Removes the last square.
    fn pop(&mut self);
}

impl Route for () {
    #[inline]
    fn push(&mut self, _square: u8) {}

    #[inline]
    fn pop(&mut self) {}
}

impl Route for Vec<u8> {
    fn push(&mut self, square: u8) {
        self.push(square);
    }

    fn pop(&mut self) {
        self.pop();
    }
}

impl Capture for (Move, Vec<u8>) {
    type Route = Vec<u8>;

    fn new(mv: Move, route: &Vec<u8>) -> Self {
        (mv, route.clone())
    }

    fn mv(&self) -> &Move {
        &self.0
    }
}

/// Appends the legal captures of the side to move, numbered in order; `capturers` are the pieces that can capture.
pub(crate) fn captures<V: Variant, C: Capture>(pos: &Draughtsboard<V>, capturers: u64, out: &mut Vec<C>) {
    find::<V, C, false>(pos, capturers, out);
}

/// Appends the captures as [`captures`] does, and those that could continue or that take fewer pieces than others.
pub(crate) fn partial_captures<V: Variant, C: Capture>(pos: &Draughtsboard<V>, capturers: u64, out: &mut Vec<C>) {
    find::<V, C, true>(pos, capturers, out);
}

fn find<V: Variant, C: Capture, const PARTIAL: bool>(pos: &Draughtsboard<V>, capturers: u64, out: &mut Vec<C>) {
    let side = pos.turn();
    let mut finder = Finder::<C, PARTIAL> {
        others: pos.pieces(side.other()),
        vacant: 0,
        crowning: Geometry::<V>::CROWNING[side.index()],
        side,
        from: 0,
        is_king: false,
        first: out.len(),
        most: 1,
        is_joined: pos.settings().joined,
        route: C::Route::default(),
        seen: HashSet::new(),
        out,
    };
    for from in bits(capturers) {
        finder.from = from;
        finder.is_king = pos.kings(side) & 1 << from != 0;
        finder.vacant = pos.vacant() | 1 << from;
        finder.seen.clear();
        finder.extend::<V>(from, 0);
    }
}

/// Finds the legal captures and, with `PARTIAL`, partial ones too.
struct Finder<'a, C: Capture, const PARTIAL: bool> {
    /// The opponent's pieces.
    others: u64,
    /// The squares that the piece may enter.
    vacant: u64,
    crowning: u64,
    side: Side,
    from: u8,
    is_king: bool,
    /// The index of the first capture in `out`.
    first: usize,
    /// The number of pieces that the longest capture so far takes, with the majority rule.
    most: u32,
    /// Whether captures that differ only in their route are one move.
    is_joined: bool,
    route: C::Route,
    /// The squares from which this piece has continued, with the pieces captured by then, if captures are joined.
    seen: HashSet<(u8, u64)>,
    out: &'a mut Vec<C>,
}

impl<C: Capture, const PARTIAL: bool> Finder<'_, C, PARTIAL> {
    /// Continues from a square, with these pieces captured; a capture that cannot continue is a move.
    fn extend<V: Variant>(&mut self, at: u8, captured: u64) {
        // Circles of four pieces or more reach the same state by many routes.
        if self.is_joined && captured.count_ones() >= 4 && !self.seen.insert((at, captured)) {
            return;
        }
        let is_crowned = !V::FLYING && !self.is_king && self.crowning & 1 << at != 0;
        let mut ends = true;
        if !is_crowned {
            for direction in Direction::ALL {
                if !self.is_king && !V::FLYING && !direction.is_ahead(self.side) {
                    continue;
                }
                let step = |squares| Geometry::<V>::step(squares, direction);
                let mut over = step(1 << at);
                if V::FLYING && self.is_king {
                    while over & self.vacant != 0 {
                        over = step(over);
                    }
                }
                let mut to = step(over) & self.vacant;
                if over & self.others & !captured == 0 || to == 0 {
                    continue;
                }
                ends = false;
                while to != 0 {
                    let square = to.trailing_zeros() as u8;
                    self.route.push(square);
                    self.extend::<V>(square, captured | over);
                    self.route.pop();
                    to = if V::FLYING && self.is_king { step(to) & self.vacant } else { 0 };
                }
            }
        }
        if (ends || PARTIAL) && captured != 0 {
            self.add::<V>(at, captured);
        }
    }

    /// Adds a capture unless a longer one is known, or the same one by another route.
    fn add<V: Variant>(&mut self, to: u8, captured: u64) {
        let count = captured.count_ones();
        if V::MAJORITY && !PARTIAL {
            if count < self.most {
                return;
            }
            if count > self.most {
                self.out.truncate(self.first);
                self.most = count;
            }
        }
        let from = self.from;
        let is_same = |other: &C| {
            let other = other.mv();
            (other.from, other.to, other.captured) == (from, to, captured)
        };
        let number = self.out.len() - self.first;
        if number >= MAX_CAPTURES.into() || (self.is_joined && self.out[self.first..].iter().any(is_same)) {
            return;
        }
        self.out.push(C::new(Move { from, to, number: number as u16, captured }, &self.route));
    }
}
