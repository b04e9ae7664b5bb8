//! The heuristics of xiangqi: evaluation, move ordering in stages, search parameters.

use super::evaluation::layout::GROUPS;
use super::evaluation::weights::WEIGHTS;
use super::evaluation::{self, Sums};
use super::exchange::{self, value};
use super::geometry::{POINTS, points};
use super::piece::PieceKind;
use super::rules::{Move, Xiangqiboard};
use crate::core::chances::WinModel;
use crate::core::{Evaluation, Linear, MoveOrdering, Position, Pruning, Score, Solver, Tuning};
use crate::games::chess;
use crate::games::xiangqi::weighted::source;
use std::ops::ControlFlow;

/// The score of a capture above all quiet moves with killers and history.
const CAPTURE: i32 = 1 << 16;

/// The chances of a win by the score and the pieces on the board. Fitted by `benches/wdl.py`.
const CHANCES: WinModel = WinModel { even_lead: [8.177, -6.105], scale: [0.920, 1.762] };

/// The heuristics of xiangqi.
#[derive(Clone, Copy, Debug)]
pub struct XiangqiHeuristics;

impl Evaluation<Xiangqiboard> for XiangqiHeuristics {
    type State = Sums;

    fn evaluate(&self, pos: &Xiangqiboard) -> Score {
        evaluation::evaluate(pos, &Sums::new(pos))
    }

    #[inline]
    fn refresh(&self, pos: &Xiangqiboard) -> Sums {
        Sums::new(pos)
    }

    #[inline]
    fn update(&self, sums: &Sums, pos: &Xiangqiboard, mv: Move, _after: &Xiangqiboard) -> Sums {
        sums.after(pos, mv)
    }

    #[inline]
    fn evaluate_with(&self, pos: &Xiangqiboard, sums: &Sums) -> Score {
        evaluation::evaluate(pos, sums)
    }

    fn linear(&self, pos: &Xiangqiboard) -> Option<Linear> {
        evaluation::linear(pos)
    }

    fn parameters(&self) -> Vec<f64> {
        source::parameters(&WEIGHTS)
    }

    fn source(&self, parameters: &[f64], command: &str) -> Option<Vec<u8>> {
        Some(source::text(GROUPS, parameters, evaluation::IN_A_LINE, command).into_bytes())
    }

    fn wdl(&self, pos: &Xiangqiboard, score: Score) -> Option<[u16; 3]> {
        Some(CHANCES.wdl(score, f64::from(pos.occupied().count_ones()) / 32.0))
    }

    fn explain(&self, pos: &Xiangqiboard) -> Vec<(&'static str, Score)> {
        evaluation::explain(pos)
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
    /// The parameters of chess, not measured in this game.
    fn tuning(&self) -> Tuning {
        chess::tuning()
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
