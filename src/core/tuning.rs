//! The parameters of the search, one set a game.

use super::score::Score;

/// A game's parameters of the search, each with the unit in which it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Half the width of the first aspiration window, centi-units.
    pub aspiration: Score,
    /// Positions with fewer remaining plies than this are neither looked up in the table nor stored in it: where
    /// moves are cheap, searching them again costs less than waiting for the memory. 0: quiescence search uses the table too.
    pub table_depth: u8,
    /// Enhanced transposition cut-offs are looked for from this remaining depth (plies) on; 255: never.
    pub enhanced_cutoffs: u8,
    /// Whether killer moves and the history of the moves help to order them.
    pub history: bool,
    /// A search to 255 plies without any other limit asks for the value of the game: after this iteration it goes to
    /// the ends at once. 255: it gets there ply by ply.
    pub leap: u8,
    /// Beyond the horizon [forcing](super::MoveOrdering::is_noisy) moves are followed for at most so many plies.
    pub quiescence: u8,
    /// A position without a hash move is searched a ply less deep from this remaining depth (plies) on; 255: never.
    pub hashless_reduction: u8,
    /// Late-move reductions: late moves that are not [exempt](super::Pruning::is_exempt) are searched less deep from this remaining depth (plies) on,
    /// and again if they look good after all; 255: never.
    pub late_reduction: u8,
    /// Exact search looks all children up in the table before it searches the first.
    pub exact_lookups: bool,
    /// A search to so many plies tells where exact search looks for the value first; 0: the evaluation does.
    pub guess_depth: u8,
}

impl Tuning {
    /// Whether every move is searched as deep as every other, so that a search to a depth finds each win within it.
    #[inline]
    #[must_use]
    pub const fn is_full_width(&self) -> bool {
        self.hashless_reduction == u8::MAX && self.late_reduction == u8::MAX
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            aspiration: 50,
            table_depth: 1,
            enhanced_cutoffs: u8::MAX,
            history: true,
            leap: u8::MAX,
            quiescence: 0,
            hashless_reduction: u8::MAX,
            late_reduction: u8::MAX,
            exact_lookups: false,
            guess_depth: 0,
        }
    }
}
