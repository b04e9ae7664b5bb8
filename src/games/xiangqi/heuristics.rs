//! The heuristics of xiangqi: evaluation, move ordering in stages, search parameters.

use super::exchange::{self, value};
use super::features::NETWORK;
use super::geometry::{POINTS, points};
use super::piece::PieceKind;
use super::rules::{Move, Xiangqiboard};
use crate::core::chances::WinModel;
use crate::core::{
    Error, Evaluation, Features, Inputs, MoveOrdering, NetworkShape, Position, Pruning, Score, Side, Solver, Tuning,
};
use crate::games::chess;
use crate::network::{Accumulator, Network};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The score of a capture above all quiet moves with killers and history.
const CAPTURE: i32 = 1 << 16;

/// The chances of a win by the score and the pieces on the board. Fitted by `benches/wdl.py`.
const CHANCES: WinModel = WinModel { even_lead: [9.927, -8.051], scale: [2.013, 1.158] };

/// The number of hidden neurons of a network for each perspective.
pub(super) const HIDDEN: usize = 128;

/// The largest number of pieces of a side that cannot cross the river: general, advisors and elephants.
const MOST_DEFENDERS: u32 = 5;

/// The heuristics of xiangqi.
#[derive(Clone, Debug)]
pub struct XiangqiHeuristics {
    /// What evaluates.
    pub(super) network: Arc<Network<HIDDEN>>,
}

impl XiangqiHeuristics {
    /// Creates heuristics with the network in a file, or with an empty path the one that is built in or was loaded.
    ///
    /// # Errors
    /// Those of [`open`](crate::network::BuiltIn::open).
    pub fn new(path: &str) -> Result<Self, Error> {
        Ok(Self { network: NETWORK.open(path)? })
    }
}

/// Whether a side has only pieces that cannot cross the river.
#[inline]
fn has_only_defenders(pos: &Xiangqiboard, side: Side) -> bool {
    let own = pos.side(side);
    let mut kinds = points(own).filter_map(|at| pos.piece(at).kind());
    own.count_ones() <= MOST_DEFENDERS && kinds.all(|kind| kind < PieceKind::Horse)
}

impl Evaluation<Xiangqiboard> for XiangqiHeuristics {
    type State = Accumulator<HIDDEN>;

    fn evaluate(&self, pos: &Xiangqiboard) -> Score {
        self.evaluate_with(pos, &self.refresh(pos))
    }

    #[inline]
    fn refresh(&self, pos: &Xiangqiboard) -> Self::State {
        Accumulator::new(&self.network, self, pos)
    }

    #[inline]
    fn update(&self, state: &Self::State, pos: &Xiangqiboard, mv: Move, after: &Xiangqiboard) -> Self::State {
        state.after(&self.network, self, (pos, mv, after))
    }

    /// A side that cannot win is never better than even.
    #[inline]
    fn evaluate_with(&self, pos: &Xiangqiboard, state: &Self::State) -> Score {
        let score = self.network.evaluate(state, pos.turn(), self.bucket(pos));
        let better = if score > 0 { pos.turn() } else { pos.turn().other() };
        if has_only_defenders(pos, better) { 0 } else { score }
    }

    fn shape(&self) -> Option<NetworkShape> {
        Some(self.shape_with(HIDDEN))
    }

    fn inputs(&self, pos: &Xiangqiboard) -> Option<Inputs> {
        Some(self.inputs_of(pos, 0))
    }

    fn wdl(&self, pos: &Xiangqiboard, score: Score) -> Option<[u16; 3]> {
        Some(CHANCES.wdl(score, f64::from(pos.occupied().count_ones()) / 32.0))
    }

    fn explain(&self, pos: &Xiangqiboard) -> Vec<(&'static str, Score)> {
        vec![("network", self.evaluate(pos))]
    }
}

impl MoveOrdering<Xiangqiboard> for XiangqiHeuristics {
    const STAGED: bool = true;
    const KINDS: usize = PieceKind::ALL.len() * POINTS;

    /// Captures by the most valuable victim, then by the least valuable attacker (MVV-LVA).
    #[inline]
    fn move_score(&self, pos: &Xiangqiboard, mv: Move) -> i32 {
        match pos.piece(mv.to).kind() {
            None => 0,
            victim => CAPTURE + 8 * value(victim) - value(pos.piece(mv.from).kind()) / 8,
        }
    }

    #[inline]
    fn legal_move(&self, pos: &Xiangqiboard, code: u16) -> Option<Move> {
        if usize::from(code) >= Xiangqiboard::CODES {
            return None;
        }
        let points = POINTS as u16;
        let mv = Move { from: (code / points) as u8, to: (code % points) as u8 };
        pos.is_legal(mv).then_some(mv)
    }

    #[inline]
    fn exchange(&self, pos: &Xiangqiboard, mv: Move, threshold: Score) -> bool {
        exchange::wins(pos, mv, threshold)
    }

    /// The piece and its target.
    #[inline]
    fn kind(&self, pos: &Xiangqiboard, mv: Move) -> usize {
        pos.piece(mv.from).kind().map_or(0, |kind| kind as usize) * POINTS + usize::from(mv.to)
    }

    /// Captures.
    #[inline]
    fn is_noisy(&self, pos: &Xiangqiboard, mv: Move) -> bool {
        pos.is_capture(mv)
    }

    #[inline]
    fn noisy_moves(&self, pos: &Xiangqiboard, out: &mut Vec<Move>) {
        let _ = pos.legal::<true, false>(&mut |mv| {
            out.push(mv);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn quiet_moves(&self, pos: &Xiangqiboard, out: &mut Vec<Move>) {
        let _ = pos.legal::<false, true>(&mut |mv| {
            out.push(mv);
            ControlFlow::Continue(())
        });
    }
}

impl Pruning<Xiangqiboard> for XiangqiHeuristics {
    /// The parameters of chess before they were tuned with its network: those of now are no stronger in this game.
    fn tuning(&self) -> Tuning {
        Tuning {
            delta_margin: 150,
            late_reduction_base: 75,
            late_reduction_pv: 100,
            late_reduction_cut: 100,
            late_reduction_history: 5_000,
            reverse_futility_margin: 80,
            futility_margin: 90,
            exchange_margin: 60,
            ..chess::tuning()
        }
    }

    #[inline]
    fn is_check(&self, pos: &Xiangqiboard) -> bool {
        pos.is_check()
    }

    /// Without a chariot, horse or cannon, zugzwang is too likely.
    #[inline]
    fn null_move(&self, pos: &Xiangqiboard) -> Option<Xiangqiboard> {
        let has_piece = points(pos.side(pos.turn()))
            .any(|at| matches!(pos.piece(at).kind(), Some(PieceKind::Horse | PieceKind::Chariot | PieceKind::Cannon)));
        (has_piece && !pos.is_check()).then(|| pos.passed())
    }

    #[inline]
    fn gives_check(&self, pos: &Xiangqiboard, mv: Move) -> bool {
        pos.is_attacked(pos.turn().other(), Some(mv))
    }

    #[inline]
    fn is_exempt(&self, pos: &Xiangqiboard, mv: Move) -> bool {
        pos.is_check() || self.is_noisy(pos, mv)
    }
}

impl Solver<Xiangqiboard> for XiangqiHeuristics {
    #[inline]
    fn likely_table_key(&self, pos: &Xiangqiboard, mv: Move) -> Option<u64> {
        Some(pos.key_after(mv))
    }
}
