//! The search parameters, one set per game.

use super::score::Score;

/// A game's search parameters, with their units. A step with a least remaining depth is disabled by `None`, one with a
/// largest remaining depth by 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Half the width of the first aspiration window, centi-units.
    pub aspiration: Score,
    /// The least remaining depth, plies, at which positions are probed and stored in the table. Where moves are cheap,
    /// a new search costs less than the memory access. 0: quiescence search uses the table too.
    pub table_depth: u8,
    /// The least remaining depth (plies) for enhanced transposition cut-offs; `None`: never.
    pub enhanced_cutoffs: Option<u8>,
    /// Whether killer moves and the history heuristic order the moves in searches to a depth.
    pub history: bool,
    /// A search to 255 plies without other limits seeks the exact value: after this iteration it searches to the ends
    /// of the game at once. `None`: it deepens ply by ply.
    pub leap: Option<u8>,
    /// The maximum number of plies for which quiescence search follows [forcing](super::MoveOrdering::is_noisy) moves.
    pub quiescence: u8,
    /// The margin of delta pruning in quiescence search, centi-units: a move whose
    /// [exchange](super::MoveOrdering::exchange) gains less than alpha is above the static evaluation and the margin is
    /// skipped; 0: never.
    pub delta_margin: Score,
    /// The least remaining depth (plies) at which a position without a hash move is searched a ply less deep;
    /// `None`: never.
    pub hashless_reduction: Option<u8>,
    /// The least remaining depth (plies) for late-move reductions: late moves that are not
    /// [exempt](super::Pruning::is_exempt) are searched less deep, and again at full depth if they fail high;
    /// `None`: never.
    pub late_reduction: Option<u8>,
    /// The constant part of the late-move reduction, hundredths of a ply.
    pub late_reduction_base: u16,
    /// The growth of the late-move reduction with the logarithms of depth and number of the move: hundredths of a ply
    /// for each unit of their product.
    pub late_reduction_growth: u16,
    /// How much smaller the late-move reduction is in positions that have been PV nodes, hundredths of a ply.
    pub late_reduction_pv: u16,
    /// How much larger the late-move reduction is in nodes that are expected to fail high, hundredths of a ply.
    pub late_reduction_cut: u16,
    /// The history, in units of the [move's score](super::MoveOrdering::move_score), that makes a late-move reduction a
    /// ply smaller; 0: history does not matter. Only for moves that are picked in stages.
    pub late_reduction_history: u16,
    /// How much larger the late-move reduction is where the static evaluation has not improved since the same side's
    /// last turn, hundredths of a ply. If it has improved, reverse futility pruning needs the margin of a ply less; if
    /// not, late-move pruning leaves half as many moves. 0 disables all three.
    pub improving: u16,
    /// The largest remaining depth (plies) for reverse futility pruning: a node whose static evaluation is above beta
    /// by a margin for each ply fails high; 0: never.
    pub reverse_futility: u8,
    /// The margin of reverse futility pruning for each ply, centi-units.
    pub reverse_futility_margin: Score,
    /// The least remaining depth (plies) for null-move pruning: if the opponent may move twice in a row and the value
    /// still reaches beta, the node fails high; `None`: never.
    pub null_move: Option<u8>,
    /// The largest remaining depth (plies) for late-move pruning: late moves that force nothing are skipped; 0: never.
    pub late_pruning: u8,
    /// The largest remaining depth (plies) for futility pruning: if the static evaluation is below alpha by a margin,
    /// moves that force nothing are skipped; 0: never.
    pub futility: u8,
    /// The margin of futility pruning for each ply, centi-units.
    pub futility_margin: Score,
    /// The largest remaining depth (plies) at which moves that lose material in the
    /// [exchange](super::MoveOrdering::exchange) are skipped; 0: never.
    pub exchange_pruning: u8,
    /// The loss in the exchange that is accepted for each ply, centi-units.
    pub exchange_margin: Score,
    /// The extension of a move that gives check, plies: 0 or 1.
    pub check_extension: u8,
    /// The least remaining depth (plies) for singular extensions: a hash move that is better than all others by a
    /// margin is searched a ply deeper; `None`: never.
    pub singular_extension: Option<u8>,
    /// The margin of singular extensions for each ply, hundredths of a centi-unit.
    pub singular_margin: u16,
    /// The extension of the only move of a position, plies: 0 or 1. Moves that are picked in stages are not counted.
    pub single_extension: u8,
    /// The depth, plies, of the search whose value is the first guess of exact search; 0: the evaluation.
    pub guess_depth: u8,
}

impl Tuning {
    /// Returns whether no move is reduced or skipped, so that a search to a depth finds every win within it.
    #[inline]
    pub(crate) const fn is_full_width(&self) -> bool {
        self.hashless_reduction.is_none()
            && self.late_reduction.is_none()
            && self.reverse_futility == 0
            && self.null_move.is_none()
            && self.late_pruning == 0
            && self.futility == 0
            && self.exchange_pruning == 0
    }

    /// Returns the parameters of a search that finds every win within its depth, and no later ones: no move is reduced,
    /// skipped or extended.
    pub(crate) fn unpruned(self) -> Self {
        let Self { hashless_reduction, late_reduction, reverse_futility, null_move, .. } = Self::default();
        let Self { late_pruning, futility, exchange_pruning, check_extension, .. } = Self::default();
        let Self { singular_extension, single_extension, .. } = Self::default();
        Self {
            hashless_reduction,
            late_reduction,
            reverse_futility,
            null_move,
            late_pruning,
            futility,
            exchange_pruning,
            check_extension,
            singular_extension,
            single_extension,
            ..self
        }
    }

    /// Returns whether a late move is searched less deep, or not at all, because of the moves before it.
    #[inline]
    pub(crate) const fn depends_on_order(&self) -> bool {
        self.late_reduction.is_some() || self.late_pruning > 0
    }

    /// Returns whether the search needs the static evaluation of inner nodes.
    #[inline]
    pub(crate) const fn evaluates_inner_nodes(&self) -> bool {
        self.reverse_futility > 0 || self.null_move.is_some() || self.futility > 0
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            aspiration: 50,
            table_depth: 1,
            enhanced_cutoffs: None,
            history: true,
            leap: None,
            quiescence: 0,
            delta_margin: 0,
            hashless_reduction: None,
            late_reduction: None,
            late_reduction_base: 100,
            late_reduction_growth: 0,
            late_reduction_pv: 1_000,
            late_reduction_cut: 0,
            late_reduction_history: 0,
            improving: 0,
            reverse_futility: 0,
            reverse_futility_margin: 0,
            null_move: None,
            late_pruning: 0,
            futility: 0,
            futility_margin: 0,
            exchange_pruning: 0,
            exchange_margin: 0,
            check_extension: 0,
            singular_extension: None,
            singular_margin: 100,
            single_extension: 0,
            guess_depth: 0,
        }
    }
}
