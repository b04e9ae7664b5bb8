//! Heuristics of Oware: evaluation, move ordering, bounds.

use super::endgame::layer::Layer;
use super::features::{NETWORK, SHAPE};
use super::rules::{Board, House};
use crate::core::chances::WinModel;
use crate::core::score::{MAX_EVALUATION, UNIT};
use crate::core::{
    Bounds, Error, Evaluation, Features, Inputs, MoveOrdering, NetworkShape, Pruning, Score, Solver, Tuning,
};
use crate::endgame::Tables;
use crate::network::Network;
use std::sync::Arc;

/// The chances of a win by the lead in seeds and the share of the seeds that are in play. Fitted by `benches/wdl.py`.
const CHANCES: WinModel = WinModel { even_lead: [1.198, -0.341], scale: [0.248, 5.333] };

/// The number of hidden neurons of a network for each perspective.
pub(super) const HIDDEN: usize = 64;

/// The network, and the endgame databases.
#[derive(Clone, Debug)]
pub struct OwareHeuristics {
    network: Arc<Network<HIDDEN>>,
    /// The endgame databases, if any.
    endgames: Option<Arc<Tables<Layer>>>,
}

impl OwareHeuristics {
    /// Creates heuristics with the network in a file, or with an empty path the one that is built in or was loaded.
    ///
    /// # Errors
    /// Those of [`open`](crate::network::BuiltIn::open).
    pub fn new(path: &str, endgames: Option<Arc<Tables<Layer>>>) -> Result<Self, Error> {
        Ok(Self { network: NETWORK.open(path)?, endgames })
    }

    /// Returns the estimate of the databases: the value if a repetition divides the seeds evenly, within their bounds.
    #[inline]
    fn even(&self, pos: &Board) -> Option<Score> {
        let endgames = self.endgames.as_deref()?;
        endgames.even(pos.words(), pos.in_play().into()).map(|value| value * UNIT)
    }
}

impl Evaluation<Board> for OwareHeuristics {
    type State = ();

    /// The seeds captured, and what the databases or the network expect of the others.
    #[inline]
    fn evaluate(&self, pos: &Board) -> Score {
        let rest = self.even(pos).unwrap_or_else(|| self.network.value(self, pos));
        (self.settled(pos) + rest).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    fn wdl(&self, pos: &Board, score: Score) -> Option<[u16; 3]> {
        Some(CHANCES.wdl(score, f64::from(pos.in_play()) / 48.0))
    }

    fn explain(&self, pos: &Board) -> Vec<(&'static str, Score)> {
        let settled = self.settled(pos);
        let name = if self.even(pos).is_some() { "database" } else { "network" };
        vec![("captured", settled), (name, self.evaluate(pos) - settled)]
    }

    fn shape(&self) -> Option<NetworkShape> {
        Some(SHAPE)
    }

    fn inputs(&self, pos: &Board) -> Option<Inputs> {
        Some(self.inputs_of(pos, self.settled(pos)))
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
