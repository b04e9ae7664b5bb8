//! The search parameters, one set per game.

use super::score::Score;

/// A game's search parameters, with their units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Half the width of the first aspiration window, centi-units.
    pub aspiration: Score,
    /// The least remaining depth, plies, at which positions are probed and stored in the table. Where moves are cheap,
    /// a new search costs less than the memory access. 0: quiescence search uses the table too.
    pub table_depth: u8,
    /// The least remaining depth (plies) for enhanced transposition cut-offs; 255: never.
    pub enhanced_cutoffs: u8,
    /// Whether killer moves and the history heuristic order the moves.
    pub history: bool,
    /// A search to 255 plies without other limits seeks the exact value: after this iteration it searches to the ends
    /// of the game at once. 255: it deepens ply by ply.
    pub leap: u8,
    /// The maximum number of plies for which quiescence search follows [forcing](super::MoveOrdering::is_noisy) moves.
    pub quiescence: u8,
    /// The least remaining depth (plies) at which a position without a hash move is searched a ply less deep; 255:
    /// never.
    pub hashless_reduction: u8,
    /// The least remaining depth (plies) for late-move reductions: late moves that are not
    /// [exempt](super::Pruning::is_exempt) are searched less deep, and again at full depth if they fail high; 255:
    /// never.
    pub late_reduction: u8,
    /// Whether exact search probes the table for all children before it searches the first.
    pub exact_lookups: bool,
    /// The depth, plies, of the search whose value is the first guess of exact search; 0: the evaluation.
    pub guess_depth: u8,
}

impl Tuning {
    /// Returns whether no move is reduced, so that a search to a depth finds every win within it.
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
