//! The heuristics of chess: evaluation, move ordering in stages, search parameters.

use super::endings;
use super::exchange::{self, value};
use super::features::NETWORK;
use super::rules::Chessboard;
use super::zobrist::likely_key;
use crate::core::chances::WinModel;
use crate::core::{
    Error, Evaluation, Features, Inputs, MoveOrdering, NetworkShape, Position, Pruning, Score, Solver, Tuning,
};
use crate::network::{Accumulator, Network};
use cozy_chess::{
    Move, Piece, Square, get_between_rays, get_bishop_rays, get_knight_moves, get_pawn_attacks, get_rook_rays,
};
use std::sync::Arc;

/// The score of a capture above all quiet moves with killers and history.
const CAPTURE: i32 = 1 << 16;

/// The chances of a win by the lead in pawns and the men on the board. Fitted by `benches/wdl.py`.
const CHANCES: WinModel = WinModel { even_lead: [3.030, -2.538], scale: [1.02, -0.002] };

/// The number of hidden neurons of a network for each perspective.
pub(super) const HIDDEN: usize = 256;

/// Returns the search parameters. docs/strength.md describes the match of each step.
pub(crate) fn tuning() -> Tuning {
    Tuning {
        aspiration: 25,
        table_depth: 0,
        quiescence: 32,
        delta_margin: 149,
        hashless_reduction: Some(4),
        late_reduction: Some(3),
        late_reduction_base: 70,
        late_reduction_growth: 44,
        late_reduction_pv: 105,
        late_reduction_cut: 111,
        late_reduction_history: 5_085,
        improving: 100,
        null_move: Some(3),
        reverse_futility: 7,
        reverse_futility_margin: 51,
        late_pruning: 5,
        futility: 6,
        futility_margin: 92,
        exchange_pruning: 6,
        exchange_margin: 65,
        check_extension: 1,
        singular_extension: Some(6),
        ..Tuning::default()
    }
}

/// The heuristics of chess.
#[derive(Clone, Debug)]
pub struct ChessHeuristics {
    /// What evaluates.
    pub(super) network: Arc<Network<HIDDEN>>,
}

impl ChessHeuristics {
    /// Creates heuristics with the network in a file, or with an empty path the one that is built in or was loaded.
    ///
    /// # Errors
    /// Those of [`open`](crate::network::BuiltIn::open).
    pub fn new(path: &str) -> Result<Self, Error> {
        Ok(Self { network: NETWORK.open(path)? })
    }
}

impl Evaluation<Chessboard> for ChessHeuristics {
    type State = Accumulator<HIDDEN>;

    fn evaluate(&self, pos: &Chessboard) -> Score {
        self.evaluate_with(pos, &self.refresh(pos))
    }

    #[inline]
    fn refresh(&self, pos: &Chessboard) -> Self::State {
        Accumulator::new(&self.network, self, pos)
    }

    #[inline]
    fn update(&self, state: &Self::State, pos: &Chessboard, mv: Move, after: &Chessboard) -> Self::State {
        state.after(&self.network, self, (pos, mv, after))
    }

    #[inline]
    fn evaluate_with(&self, pos: &Chessboard, state: &Self::State) -> Score {
        endings::corrected(pos.board(), || self.network.evaluate(state, pos.turn(), self.bucket(pos)))
    }

    fn shape(&self) -> Option<NetworkShape> {
        Some(self.shape_with(HIDDEN))
    }

    fn inputs(&self, pos: &Chessboard) -> Option<Inputs> {
        Some(self.inputs_of(pos, 0))
    }

    /// A logistic curve of the score. With fewer men it is steeper, and a win takes a larger lead.
    fn wdl(&self, pos: &Chessboard, score: Score) -> Option<[u16; 3]> {
        Some(CHANCES.wdl(score, f64::from(pos.board().occupied().len()) / 32.0))
    }

    fn explain(&self, pos: &Chessboard) -> Vec<(&'static str, Score)> {
        let name = if endings::lone_king(pos.board()).is_some() { "lone king" } else { "network" };
        vec![(name, self.evaluate(pos))]
    }
}

impl MoveOrdering<Chessboard> for ChessHeuristics {
    const STAGED: bool = true;
    const KINDS: usize = Piece::NUM * Square::NUM;

    /// Captures by the most valuable victim, then by the least valuable attacker (MVV-LVA).
    #[inline]
    fn move_score(&self, pos: &Chessboard, mv: Move) -> i32 {
        if !self.is_noisy(pos, mv) {
            return 0;
        }
        let piece = |square| pos.board().piece_on(square);
        // The pawn captured en passant is on another square.
        let victim = piece(mv.to).or_else(|| pos.is_capture(mv).then_some(Piece::Pawn)).map_or(0, value);
        let promotion = mv.promotion.map_or(0, value);
        CAPTURE + 8 * (victim + promotion) - piece(mv.from).map_or(0, |piece| piece as i32)
    }

    #[inline]
    fn legal_move(&self, pos: &Chessboard, code: u16) -> Option<Move> {
        pos.legal_move(code)
    }

    #[inline]
    fn exchange(&self, pos: &Chessboard, mv: Move, threshold: Score) -> bool {
        exchange::wins(pos, mv, threshold)
    }

    /// The piece and its target.
    #[inline]
    fn kind(&self, pos: &Chessboard, mv: Move) -> usize {
        let piece = pos.board().piece_on(mv.from).unwrap_or(Piece::Pawn);
        piece as usize * Square::NUM + mv.to as usize
    }

    /// Captures, and promotions to a queen.
    #[inline]
    fn is_noisy(&self, pos: &Chessboard, mv: Move) -> bool {
        match mv.promotion {
            None => pos.is_capture(mv),
            Some(piece) => piece == Piece::Queen,
        }
    }

    #[inline]
    fn noisy_moves(&self, pos: &Chessboard, out: &mut Vec<Move>) {
        pos.noisy_moves(out);
    }

    #[inline]
    fn quiet_moves(&self, pos: &Chessboard, out: &mut Vec<Move>) {
        pos.quiet_moves(out);
    }
}

impl Pruning<Chessboard> for ChessHeuristics {
    fn tuning(&self) -> Tuning {
        tuning()
    }

    #[inline]
    fn is_check(&self, pos: &Chessboard) -> bool {
        pos.is_check()
    }

    /// Without pieces, zugzwang is too likely.
    #[inline]
    fn null_move(&self, pos: &Chessboard) -> Option<Chessboard> {
        let board = pos.board();
        let own = board.colors(board.side_to_move());
        let pieces = own & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King));
        if pieces.is_empty() { None } else { board.null_move().map(Chessboard::new) }
    }

    /// Direct checks.
    #[inline]
    fn gives_check(&self, pos: &Chessboard, mv: Move) -> bool {
        let board = pos.board();
        let turn = board.side_to_move();
        let king = board.king(!turn);
        let is_clear = || (get_between_rays(mv.to, king) & board.occupied() & !mv.from.bitboard()).is_empty();
        match mv.promotion.or_else(|| board.piece_on(mv.from)) {
            Some(Piece::Pawn) => get_pawn_attacks(mv.to, turn).has(king),
            Some(Piece::Knight) => get_knight_moves(mv.to).has(king),
            Some(Piece::Bishop) => get_bishop_rays(mv.to).has(king) && is_clear(),
            Some(Piece::Rook) => get_rook_rays(mv.to).has(king) && is_clear(),
            Some(Piece::Queen) => (get_bishop_rays(mv.to) | get_rook_rays(mv.to)).has(king) && is_clear(),
            Some(Piece::King) | None => false,
        }
    }

    #[inline]
    fn is_exempt(&self, pos: &Chessboard, mv: Move) -> bool {
        pos.is_check() || self.is_noisy(pos, mv)
    }
}

impl Solver<Chessboard> for ChessHeuristics {
    #[inline]
    fn likely_table_key(&self, pos: &Chessboard, mv: Move) -> Option<u64> {
        Some(likely_key(pos, mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;
    use cozy_chess::Board;

    #[test]
    fn direct_checks_are_those_by_the_piece_that_moves() {
        let (mut random, mut checks, heuristics) = (Random(7), 0, ChessHeuristics::new("").unwrap());
        for _ in 0..100 {
            let mut pos = Chessboard::new(Board::startpos());
            for _ in 0..150 {
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                for &mv in &moves {
                    let is_castling = pos.board().colors(pos.board().side_to_move()).has(mv.to);
                    let checks_directly = !is_castling && pos.after(mv).board().checkers().has(mv.to);
                    assert_eq!(heuristics.gives_check(&pos, mv), checks_directly, "{mv} in {}", pos.board());
                    checks += u32::from(checks_directly);
                }
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                pos.play(mv);
            }
        }
        assert!(checks > 1_000, "{checks}");
    }
}
