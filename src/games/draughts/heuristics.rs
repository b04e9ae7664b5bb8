//! The heuristics of draughts: evaluation, move ordering, search parameters.

use super::features::HIDDEN;
use super::geometry::Geometry;
use super::rules::{Draughtsboard, Move};
use super::terms;
use super::variant::Variant;
use crate::core::score::MAX_EVALUATION;
use crate::core::{
    Bounds, Error, Evaluation, Features, Inputs, MoveOrdering, NetworkShape, Position, Pruning, Score, Solver, Tuning,
    Weight, weights,
};
use crate::endgame::{ClassTable, Tables, Value};
use crate::network::Network;
use std::marker::PhantomData;
use std::sync::Arc;

/// The heuristics of a rule set.
#[derive(Clone, Debug)]
pub struct DraughtsHeuristics<V> {
    network: Arc<Network<HIDDEN>>,
    /// The endgame databases, if any.
    tables: Option<Arc<Tables<ClassTable>>>,
    /// The weights of the [terms](terms::NAMES) in centi-units, if these alone are the evaluation.
    weights: Option<[Score; terms::COUNT]>,
    variant: PhantomData<V>,
}

/// The centi-units that the evaluation adds if the databases have a win. The clock may turn such a win into a draw, so
/// it is no bound unless its distance is known.
const DATABASE_WIN: Score = 20_000;

impl<V: Variant> DraughtsHeuristics<V> {
    /// Creates heuristics with the network in a file, or with an empty path the one that is built in or was loaded, and
    /// with endgame databases or without.
    ///
    /// # Errors
    /// Those of [`open`](crate::network::BuiltIn::open).
    pub(crate) fn new(path: &str, tables: Option<Arc<Tables<ClassTable>>>) -> Result<Self, Error> {
        Ok(Self { network: V::NETWORK.open(path)?, tables, weights: None, variant: PhantomData })
    }

    /// Replaces the evaluation by terms with the weights that the text names, `man=100,king=140`, and 0 for the others.
    /// An empty text changes nothing.
    ///
    /// # Errors
    /// A description of valid weights.
    pub(crate) fn weighted(self, text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(self);
        }
        let mut named = terms::NAMES.map(|name| (name, 0));
        weights::read(text, &mut named)?;
        Ok(Self { weights: Some(named.map(|(_, value)| value)), ..self })
    }

    /// Returns the value in the databases.
    #[inline]
    fn known(&self, pos: &Draughtsboard<V>) -> Option<Value> {
        self.tables.as_ref()?.value(pos)
    }
}

impl<V: Variant> Evaluation<Draughtsboard<V>> for DraughtsHeuristics<V> {
    type State = ();

    /// Returns the evaluation, raised or lowered if the databases have a win or a loss.
    #[inline]
    fn evaluate(&self, pos: &Draughtsboard<V>) -> Score {
        let evaluation = match &self.weights {
            None => self.network.value(self, pos),
            Some(weights) => terms::values(pos, weights).iter().sum::<Score>().clamp(-MAX_EVALUATION, MAX_EVALUATION),
        };
        match self.known(pos).map(Value::outcome) {
            None => evaluation,
            Some(Value::Win) => (evaluation + DATABASE_WIN).min(MAX_EVALUATION),
            Some(Value::Loss) => (evaluation - DATABASE_WIN).max(-MAX_EVALUATION),
            Some(_) => 0,
        }
    }

    fn weights(&self) -> Vec<Weight> {
        self.weights.map_or_else(Vec::new, |weights| terms::NAMES.into_iter().zip(weights).collect())
    }

    fn features(&self, pos: &Draughtsboard<V>) -> Vec<i32> {
        if self.weights.is_some() { terms::counts(pos).to_vec() } else { Vec::new() }
    }

    fn shape(&self) -> Option<NetworkShape> {
        Some(self.shape_with(HIDDEN))
    }

    fn inputs(&self, pos: &Draughtsboard<V>) -> Option<Inputs> {
        Some(self.inputs_of(pos, 0))
    }

    /// A logistic curve of the score, whose lead and scale change with the pieces left. The terms alone have a scale of
    /// their own, which has not been fitted to games.
    fn wdl(&self, pos: &Draughtsboard<V>, score: Score) -> Option<[u16; 3]> {
        if self.weights.is_some() {
            return None;
        }
        let pieces = (Geometry::<V>::ALL & !pos.vacant()).count_ones();
        let share = f64::from(pieces) / f64::from(2 * V::HOME_ROWS * V::WIDTH);
        Some(V::CHANCES.wdl(score, share))
    }

    fn explain(&self, pos: &Draughtsboard<V>) -> Vec<(&'static str, Score)> {
        let mut terms: Vec<_> = match self.weights {
            None => vec![("network", self.network.value(self, pos))],
            Some(weights) => terms::NAMES.into_iter().zip(terms::values(pos, &weights)).collect(),
        };
        if self.tables.is_some() {
            let rest: Score = terms.iter().map(|(_, term)| term).sum();
            terms.push(("database", self.evaluate(pos) - rest));
        }
        terms
    }
}

impl<V: Variant> MoveOrdering<Draughtsboard<V>> for DraughtsHeuristics<V> {
    /// Captures of more pieces first; of steps, the move to the crowning row.
    fn move_score(&self, pos: &Draughtsboard<V>, mv: Move) -> i32 {
        let side = pos.turn();
        let crowns = pos.men(side) & 1 << mv.from != 0 && Geometry::<V>::CROWNING[side.index()] & 1 << mv.to != 0;
        let taken = mv.captured.count_ones() + (mv.captured & pos.kings(side.other())).count_ones();
        (taken.cast_signed() << 16) + if crowns { 1 << 15 } else { 0 }
    }

    #[inline]
    fn is_noisy(&self, _pos: &Draughtsboard<V>, mv: Move) -> bool {
        mv.captured != 0
    }
}

impl<V: Variant> Pruning<Draughtsboard<V>> for DraughtsHeuristics<V> {
    /// Measured in each game (docs/strength.md).
    fn tuning(&self) -> Tuning {
        Tuning {
            aspiration: 25,
            table_depth: 0,
            quiescence: 64,
            hashless_reduction: Some(4),
            late_reduction: Some(3),
            late_reduction_base: 50,
            late_reduction_growth: 40,
            reverse_futility: 6,
            reverse_futility_margin: 40,
            late_pruning: 4,
            single_extension: 1,
            ..Tuning::default()
        }
    }

    /// Captures are compulsory: until they are over, the static evaluation says nothing.
    #[inline]
    fn is_check(&self, pos: &Draughtsboard<V>) -> bool {
        pos.must_capture()
    }

    #[inline]
    fn is_exempt(&self, pos: &Draughtsboard<V>, mv: Move) -> bool {
        self.is_noisy(pos, mv) || pos.must_capture()
    }
}

impl<V: Variant> Solver<Draughtsboard<V>> for DraughtsHeuristics<V> {
    #[inline]
    fn database_bounds(&self, pos: &Draughtsboard<V>) -> Option<Bounds> {
        self.known(pos).map(Value::bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::super::variant::{English, RuleSettings};
    use super::*;

    #[test]
    fn the_largest_weights_are_no_forced_win() {
        let most = terms::NAMES.map(|name| format!("{name}=200")).join(",");
        let heuristics = DraughtsHeuristics::<English>::new("", None).unwrap().weighted(&most).unwrap();
        let settings = RuleSettings { limit: 80, joined: false };
        let pos = text::parse::<English>("B:W32:B1,2,3,21,22,23,24,25,26,27,28,20", settings).unwrap();
        let sum: Score = heuristics.explain(&pos).iter().map(|(_, value)| value).sum();
        assert!(sum > 0 && heuristics.evaluate(&pos) == sum.min(MAX_EVALUATION), "{sum}");
        let kings = text::parse::<English>("B:W32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12", settings).unwrap();
        assert!(heuristics.evaluate(&kings).abs() <= MAX_EVALUATION);
    }
}
