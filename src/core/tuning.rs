//! The search parameters, one set per game.

use super::score::{MAX_EVALUATION, Score};
use std::ops::RangeInclusive;

/// A search parameter: a field of [`Tuning`], which documents its unit.
pub struct Parameter {
    /// The name of the field.
    pub name: &'static str,
    /// The valid values.
    pub range: RangeInclusive<Score>,
    /// Returns its value.
    pub get: fn(&Tuning) -> Score,
    pub(super) set: fn(&mut Tuning, Score),
}

/// The value of a least remaining depth that disables a step.
const NEVER: u8 = u8::MAX;

/// Declares the fields, their defaults, and the valid values of those that are [`Parameter`]s.
macro_rules! tuning {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $default:expr $(, $range:expr $(=> $never:ident)?)?;)*) => {
        /// A game's search parameters, with their units. A step with a least remaining depth is disabled by `None`, one
        /// with a largest remaining depth by 0.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tuning {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Tuning {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        /// The search parameters that can be set by name.
        pub static PARAMETERS: [Parameter; [$($(stringify!($range),)?)*].len()] = [$($(Parameter {
            name: stringify!($field),
            range: $range,
            get: |tuning| tuning.$field$(.unwrap_or($never))?.into(),
            // The range lies within that of the type.
            set: |tuning, value| {
                let number = value.try_into();
                $(let number = number.map(|depth| Some(depth).filter(|&depth| depth != $never));)?
                tuning.$field = number.unwrap_or(tuning.$field);
            },
        },)?)*];
    };
}

tuning! {
    /// Half the width of the first aspiration window, centi-units.
    aspiration: Score = 50, 1..=MAX_EVALUATION;
    /// The least remaining depth, plies, at which positions are probed and stored in the table. Where moves are cheap,
    /// a new search costs less than the memory access. 0: quiescence search uses the table too.
    table_depth: u8 = 1;
    /// The least remaining depth (plies) for enhanced transposition cut-offs; `None`: never.
    enhanced_cutoffs: Option<u8> = None, 0..=255 => NEVER;
    /// Whether killer moves and the history heuristic order the moves in searches to a depth.
    history: bool = true;
    /// A search to 255 plies without other limits seeks the exact value: after this iteration it searches to the ends
    /// of the game at once. `None`: it deepens ply by ply.
    leap: Option<u8> = None;
    /// The maximum number of plies for which quiescence search follows [forcing](super::MoveOrdering::is_noisy) moves.
    quiescence: u8 = 0, 0..=255;
    /// The margin of delta pruning in quiescence search, centi-units: a move whose
    /// [exchange](super::MoveOrdering::exchange) gains less than alpha is above the static evaluation and the margin is
    /// skipped; 0: never.
    delta_margin: Score = 0, 0..=2_000;
    /// The least remaining depth (plies) at which a position without a hash move is searched a ply less deep;
    /// `None`: never.
    hashless_reduction: Option<u8> = None, 1..=255 => NEVER;
    /// The least remaining depth (plies) for late-move reductions: late moves that are not
    /// [exempt](super::Pruning::is_exempt) are searched less deep, and again at full depth if they fail high;
    /// `None`: never.
    late_reduction: Option<u8> = None, 1..=255 => NEVER;
    /// The constant part of the late-move reduction, hundredths of a ply.
    late_reduction_base: u16 = 100, 0..=1_000;
    /// The growth of the late-move reduction with the logarithms of depth and number of the move: hundredths of a ply
    /// for each unit of their product.
    late_reduction_growth: u16 = 0, 0..=1_000;
    /// How much smaller the late-move reduction is in positions that have been PV nodes, hundredths of a ply.
    late_reduction_pv: u16 = 1_000, 0..=1_000;
    /// How much larger the late-move reduction is in nodes that are expected to fail high, hundredths of a ply.
    late_reduction_cut: u16 = 0, 0..=1_000;
    /// The history, in units of the [move's score](super::MoveOrdering::move_score), that makes a late-move reduction a
    /// ply smaller; 0: history does not matter. Only for moves that are picked in stages.
    late_reduction_history: u16 = 0, 0..=16_384;
    /// How much larger the late-move reduction is where the static evaluation has not improved since the same side's
    /// last turn, hundredths of a ply. If it has improved, reverse futility pruning needs the margin of a ply less; if
    /// not, late-move pruning leaves half as many moves. 0 disables all three.
    improving: u16 = 0, 0..=1_000;
    /// The largest remaining depth (plies) for reverse futility pruning: a node whose static evaluation is above beta
    /// by a margin for each ply fails high; 0: never.
    reverse_futility: u8 = 0, 0..=255;
    /// The margin of reverse futility pruning for each ply, centi-units.
    reverse_futility_margin: Score = 0, 0..=1_000;
    /// The least remaining depth (plies) for null-move pruning: if the opponent may move twice in a row and the value
    /// still reaches beta, the node fails high; `None`: never.
    null_move: Option<u8> = None, 1..=255 => NEVER;
    /// The largest remaining depth (plies) for late-move pruning: late moves that force nothing are skipped; 0: never.
    late_pruning: u8 = 0, 0..=255;
    /// The largest remaining depth (plies) for futility pruning: if the static evaluation is below alpha by a margin,
    /// moves that force nothing are skipped; 0: never.
    futility: u8 = 0, 0..=255;
    /// The margin of futility pruning for each ply, centi-units.
    futility_margin: Score = 0, 0..=1_000;
    /// The largest remaining depth (plies) at which moves that lose material in the
    /// [exchange](super::MoveOrdering::exchange) are skipped; 0: never.
    exchange_pruning: u8 = 0, 0..=255;
    /// The loss in the exchange that is accepted for each ply, centi-units.
    exchange_margin: Score = 0, 0..=1_000;
    /// The extension of a move that gives check, plies: 0 or 1.
    check_extension: u8 = 0, 0..=1;
    /// The least remaining depth (plies) for singular extensions: a hash move that is better than all others by a
    /// margin is searched a ply deeper; `None`: never.
    singular_extension: Option<u8> = None, 2..=255 => NEVER;
    /// The margin of singular extensions for each ply, hundredths of a centi-unit.
    singular_margin: u16 = 100, 0..=1_000;
    /// The extension of the only move of a position, plies: 0 or 1. Moves that are picked in stages are not counted.
    single_extension: u8 = 0, 0..=1;
    /// The depth, plies, of the search whose value is the first guess of exact search; 0: the evaluation.
    guess_depth: u8 = 0;
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
        let Self { aspiration, table_depth, enhanced_cutoffs, history, .. } = self;
        let Self { leap, quiescence, delta_margin, guess_depth, .. } = self;
        let rest = Self::default();
        Self { aspiration, table_depth, enhanced_cutoffs, history, leap, quiescence, delta_margin, guess_depth, ..rest }
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
