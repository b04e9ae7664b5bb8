//! A game for tests.

use crate::core::{Outcome, Position, Side};

/// A game with two moves in every position, which never ends.
#[derive(Clone)]
pub(super) struct Endless;

impl Position for Endless {
    type Move = u16;
    const CODES: usize = 2;

    fn turn(&self) -> Side {
        Side::First
    }

    fn is_over(&self) -> bool {
        false
    }

    fn moves(&self, out: &mut Vec<u16>) {
        out.extend([0, 1]);
    }

    fn outcome(&self) -> Outcome {
        Outcome::Draw
    }

    fn after(&self, _mv: u16) -> Self {
        Self
    }

    fn key(&self) -> u64 {
        0
    }

    fn code(&self, mv: u16) -> u16 {
        mv
    }
}
