//! The heuristics of draughts: evaluation, move ordering, search parameters.

use super::evaluation;
use super::geometry::Board;
use super::patterns::Numbers;
use super::rules::{Draughtsboard, Move};
use super::variant::Variant;
use crate::core::{Evaluation, Linear, MoveOrdering, Pruning, Score, Solver, Tuning};
use std::marker::PhantomData;

/// The heuristics of a rule set.
#[derive(Clone, Copy, Debug)]
pub struct DraughtsHeuristics<V>(PhantomData<V>);

impl<V> Default for DraughtsHeuristics<V> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<V: Variant> Evaluation<Draughtsboard<V>> for DraughtsHeuristics<V> {
    type State = Numbers;

    fn evaluate(&self, pos: &Draughtsboard<V>) -> Score {
        evaluation::evaluate(pos, &Numbers::of(pos))
    }

    #[inline]
    fn refresh(&self, pos: &Draughtsboard<V>) -> Numbers {
        Numbers::of(pos)
    }

    #[inline]
    fn update(&self, numbers: &Numbers, pos: &Draughtsboard<V>, _mv: Move, after: &Draughtsboard<V>) -> Numbers {
        numbers.after(pos, after)
    }

    #[inline]
    fn evaluate_with(&self, pos: &Draughtsboard<V>, numbers: &Numbers) -> Score {
        evaluation::evaluate(pos, numbers)
    }

    fn linear(&self, pos: &Draughtsboard<V>) -> Option<Linear> {
        Some(evaluation::linear(pos))
    }

    fn parameters(&self) -> Vec<f64> {
        evaluation::parameters::<V>()
    }

    fn source(&self, parameters: &[f64], _command: &str) -> Option<Vec<u8>> {
        Some(evaluation::file(parameters))
    }

    fn explain(&self, pos: &Draughtsboard<V>) -> Vec<(&'static str, Score)> {
        evaluation::explain(pos)
    }
}

impl<V: Variant> MoveOrdering<Draughtsboard<V>> for DraughtsHeuristics<V> {
    /// Captures of more pieces first; of steps, the move to the crowning row.
    fn move_score(&self, pos: &Draughtsboard<V>, mv: Move) -> i32 {
        let side = pos.to_move();
        let crowns = pos.men(side) & 1 << mv.from != 0 && Board::<V>::CROWNING[side.index()] & 1 << mv.to != 0;
        let taken = mv.captured.count_ones() + (mv.captured & pos.kings(side.other())).count_ones();
        (taken.cast_signed() << 16) + if crowns { 1 << 15 } else { 0 }
    }

    #[inline]
    fn is_noisy(&self, _pos: &Draughtsboard<V>, mv: Move) -> bool {
        mv.captured != 0
    }
}

impl<V: Variant> Pruning<Draughtsboard<V>> for DraughtsHeuristics<V> {
    /// Reductions are measured in English draughts only (docs/strength.md).
    fn tuning(&self) -> Tuning {
        Tuning {
            aspiration: 25,
            table_depth: 0,
            quiescence: 64,
            late_reduction: if V::FLYING { u8::MAX } else { 3 },
            late_reduction_base: 50,
            late_reduction_growth: 40,
            ..Tuning::default()
        }
    }

    /// Captures are compulsory: the static evaluation says nothing before they are over.
    #[inline]
    fn is_check(&self, pos: &Draughtsboard<V>) -> bool {
        pos.must_capture()
    }

    #[inline]
    fn is_exempt(&self, pos: &Draughtsboard<V>, mv: Move) -> bool {
        self.is_noisy(pos, mv) || pos.must_capture()
    }
}

impl<V: Variant> Solver<Draughtsboard<V>> for DraughtsHeuristics<V> {}
