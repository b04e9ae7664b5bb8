//! Heuristics of Oware: a linear evaluation, move ordering, bounds.

use super::endgame::layer::Layer;
use super::rules::{Board, FILLED, House, ROW};
use crate::core::chances::WinModel;
use crate::core::score::UNIT;
use crate::core::{Bounds, Evaluation, MoveOrdering, Pruning, Score, Solver, Tuning, Weight};
use crate::endgame::Tables;
use crate::games::sowing::weights::Weights;
use crate::games::sowing::words::{ONES, at_least, seeds};
use std::sync::Arc;

/// The weights in centi-units.
pub(super) const WEIGHTS: &str = "seed=-3,mobility=139,threat=80,risk=-51,hoard=200,open=-27";

/// The chances of a win by the lead in seeds and the share of the seeds that are in play. Fitted by `benches/wdl.py`.
const CHANCES: WinModel = WinModel { even_lead: [1.198, -0.341], scale: [0.248, 5.333] };

pub(crate) const TERMS: usize = 6;

/// The name of each weight, and the name of its term for users.
const NAMES: [[&str; 2]; TERMS] = [
    ["seed", "seeds"],
    ["mobility", "mobility"],
    ["threat", "threats"],
    ["risk", "risk"],
    ["hoard", "hoards"],
    ["open", "open houses"],
];

/// The number of seeds that go around the board and capture what they fill on the way: a kroo.
const HOARD: u64 = 12;

/// Returns the features that the weights apply to. The seeds captured are not among them: they are
/// [settled](Evaluation::settled).
///
/// - `seed`: seeds in the mover's houses, less those in the opponent's;
/// - `mobility`: houses that can be sown, less the opponent's;
/// - `threat`: the largest number of seeds that a move captures; `risk`: the same for the opponent if it were to move;
/// - `hoard`: houses of 12 or more seeds, less the opponent's;
/// - `open`: houses of one or two seeds, where one more seed makes a capture, less the opponent's.
#[inline]
fn counts(pos: &Board) -> [i32; TERMS] {
    let [own, opposing] = pos.words();
    let number = |bits: u64| bits.count_ones().cast_signed();
    let lead = |count: &dyn Fn(u64) -> i32| count(own) - count(opposing);
    let filled = |word| number(at_least(word, FILLED));
    let heavy = |word| number(at_least(word, (ROW * 3) | (FILLED & !ROW)));
    [
        i32::from(seeds(own)) - i32::from(seeds(opposing)),
        lead(&filled),
        pos.threat().into(),
        pos.turned().threat().into(),
        lead(&|word| number(at_least(word, ONES * HOARD))),
        lead(&|word| filled(word) - heavy(word)),
    ]
}

/// The weights of the evaluation, and the endgame databases.
#[derive(Clone, Debug)]
pub struct OwareHeuristics {
    /// The weights.
    pub weights: Weights<TERMS>,
    /// The endgame databases, if any.
    pub endgames: Option<Arc<Tables<Layer>>>,
}

impl Default for OwareHeuristics {
    fn default() -> Self {
        Self { weights: Weights::new(&NAMES, WEIGHTS), endgames: None }
    }
}

impl OwareHeuristics {
    /// Returns the estimate of the databases: the value if a repetition divides the seeds evenly, within their bounds.
    #[inline]
    fn even(&self, pos: &Board) -> Option<Score> {
        let endgames = self.endgames.as_deref()?;
        endgames.even(pos.words(), pos.in_play().into()).map(|value| value * UNIT)
    }
}

impl Evaluation<Board> for OwareHeuristics {
    type State = ();

    #[inline]
    fn evaluate(&self, pos: &Board) -> Score {
        if let Some(value) = self.even(pos) {
            return self.settled(pos) + value;
        }
        self.settled(pos) + self.weights.sum(&counts(pos))
    }

    fn wdl(&self, pos: &Board, score: Score) -> Option<[u16; 3]> {
        Some(CHANCES.wdl(score, f64::from(pos.in_play()) / 48.0))
    }

    fn explain(&self, pos: &Board) -> Vec<(&'static str, Score)> {
        if let Some(value) = self.even(pos) {
            return vec![("captured", self.settled(pos)), ("database", value)];
        }
        self.weights.explain(("captured", self.settled(pos)), &counts(pos))
    }

    /// Empty with databases, whose values are not linear.
    fn weights(&self) -> Vec<Weight> {
        if self.endgames.is_some() { Vec::new() } else { self.weights.named().to_vec() }
    }

    fn features(&self, pos: &Board) -> Vec<i32> {
        if self.endgames.is_some() { Vec::new() } else { counts(pos).to_vec() }
    }

    #[inline]
    fn settled(&self, pos: &Board) -> Score {
        pos.store_lead() * UNIT
    }
}

impl MoveOrdering<Board> for OwareHeuristics {
    /// Captures come first, the largest first, then houses nearest to the opponent.
    #[inline]
    fn move_score(&self, pos: &Board, mv: House) -> i32 {
        i32::from(pos.captured(mv)) << 15 | i32::from(mv.0)
    }

    /// Captures are noisy.
    #[inline]
    fn is_noisy(&self, pos: &Board, mv: House) -> bool {
        pos.captured(mv) > 0
    }
}

impl Pruning<Board> for OwareHeuristics {
    #[inline]
    fn is_exempt(&self, pos: &Board, mv: House) -> bool {
        self.is_noisy(pos, mv)
    }

    fn tuning(&self) -> Tuning {
        Tuning {
            aspiration: UNIT,
            quiescence: 6,
            hashless_reduction: Some(4),
            enhanced_cutoffs: Some(4),
            ..Tuning::default()
        }
    }
}

/// Returns the bounds of the databases. Out of line, because most searches have none.
#[inline(never)]
fn recorded(endgames: &Tables<Layer>, pos: &Board) -> Option<Bounds> {
    let bounds = endgames.probe(pos.words(), pos.in_play().into())?;
    let [lower, upper] = bounds.map(|rest| (pos.store_lead() + rest) * UNIT);
    Some(Bounds { lower, upper })
}

impl Solver<Board> for OwareHeuristics {
    #[inline]
    fn table_key(&self, pos: &Board) -> u64 {
        pos.seeds_key()
    }

    /// The seeds in play limit the value.
    #[inline]
    fn bounds(&self, pos: &Board) -> Bounds {
        let (settled, rest) = (self.settled(pos), Score::from(pos.in_play()) * UNIT);
        Bounds { lower: settled - rest, upper: settled + rest }
    }

    /// The databases have bounds of what the rest of the game adds to the captured seeds.
    #[inline]
    fn database_bounds(&self, pos: &Board) -> Option<Bounds> {
        recorded(self.endgames.as_deref()?, pos)
    }
}
