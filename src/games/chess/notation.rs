//! Moves as text: those of the Universal Chess Interface (UCI), and standard algebraic notation (SAN).

use super::fen::has_usual_castling;
use super::rules::Chessboard;
use crate::core::position::legal_moves;
use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move};
use cozy_chess::{Board, File, Move, Piece, Square};

/// Writes a move as `e2e4` or `e7e8q`. Castling is the king's move, `e1g1`, in chess; in Chess960, or where a king or
/// rook castles from another square than in chess, it is the king's move to the square of its rook, `e1h1`.
#[must_use]
pub fn write(pos: &Chessboard, mv: Move, chess960: bool) -> String {
    let board = pos.board();
    if chess960 || !has_usual_castling(board) { mv.to_string() } else { display_uci_move(board, mv).to_string() }
}

/// Writes a legal move as `e4`, `Nxf3+` or `O-O`.
#[must_use]
pub fn write_san(pos: &Chessboard, mv: Move) -> String {
    display_san_move(pos.board(), mv).to_string()
}

/// Reads a legal move in UCI notation, with castling of either kind, or in SAN.
#[must_use]
pub fn read(pos: &Chessboard, text: &str) -> Option<Move> {
    uci(pos.board(), text).or_else(|| san(pos.board(), text))
}

fn uci(board: &Board, text: &str) -> Option<Move> {
    let mv: Move = text.parse().ok()?;
    if text.len() != if mv.promotion.is_some() { 5 } else { 4 } {
        return None;
    }
    if board.is_legal(mv) {
        return Some(mv);
    }
    let castling = Move { to: castling_rook(board, mv)?, ..mv };
    board.is_legal(castling).then_some(castling)
}

/// The square of the rook, if the king moves more than one file along its rank to the c- or g-file.
fn castling_rook(board: &Board, mv: Move) -> Option<Square> {
    let turn = board.side_to_move();
    if mv.from != board.king(turn) || mv.from.rank() != mv.to.rank() {
        return None;
    }
    let rights = board.castle_rights(turn);
    let file = match mv.to.file() {
        File::G => rights.short?,
        File::C => rights.long?,
        _ => return None,
    };
    Some(Square::new(file, mv.from.rank()))
}

/// Reads SAN as people write it: zeros for castling, `e8Q` for `e8=Q`, with `!` and `?`, `+` and `#` or without.
fn san(board: &Board, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let mv = match text {
        "0-0" => parse_san_move(board, "O-O"),
        "0-0-0" => parse_san_move(board, "O-O-O"),
        _ => parse_san_move(board, text),
    };
    // The parser also takes castling for a move of the king, and captures by pawns without their file.
    let mv = mv.ok()?;
    let castles = board.colors(board.side_to_move()).has(mv.to);
    let is_capture = board.piece_on(mv.from) == Some(Piece::Pawn) && mv.from.file() != mv.to.file();
    let named = !castles || text.starts_with(['O', '0']);
    (named && (!is_capture || text.starts_with(char::from(mv.from.file())))).then_some(mv)
}

/// Returns the legal moves of a piece that SAN such as `Nd2` fits.
#[must_use]
pub fn candidates(pos: &Chessboard, text: &str) -> Vec<Move> {
    let text = text.trim_end_matches(['!', '?', '+', '#']);
    let Some((to, rest)) = text.len().checked_sub(2).and_then(|at| Some((text.get(at..)?, text.get(..at)?))) else {
        return Vec::new();
    };
    let mut rest = rest.chars();
    let piece = rest.next().filter(|letter| letter.is_ascii_uppercase());
    let (Ok(to), Some(Ok(piece))) = (to.parse::<Square>(), piece.map(|c| c.to_ascii_lowercase().to_string().parse()))
    else {
        return Vec::new();
    };
    let from = rest.as_str().trim_end_matches('x');
    let is_meant = |mv: &Move| {
        let place = mv.from.to_string();
        mv.to == to && pos.board().piece_on(mv.from) == Some(piece) && from.chars().all(|c| place.contains(c))
    };
    legal_moves(pos).into_iter().filter(is_meant).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;

    #[test]
    fn castling_is_read_in_both_notations() {
        let chess = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castling = |from, to| Move { from, to, promotion: None };
        for (texts, mv, uci, san) in [
            (["e1g1", "e1h1", "O-O", "0-0"], castling(Square::E1, Square::H1), "e1g1", "O-O"),
            (["e1c1", "e1a1", "O-O-O", "0-0-0"], castling(Square::E1, Square::A1), "e1c1", "O-O-O"),
        ] {
            assert!(texts.iter().all(|text| read(&chess, text) == Some(mv)), "{texts:?}");
            assert_eq!((write(&chess, mv, false).as_str(), write_san(&chess, mv).as_str()), (uci, san));
            assert_eq!(write(&chess, mv, true), mv.to_string());
        }
        // In Chess960 the king may already stand beside its square: its step and castling differ.
        let chess960 = fen::parse("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1").unwrap();
        assert_eq!(read(&chess960, "f1g1"), Some(castling(Square::F1, Square::G1)));
        assert_eq!(read(&chess960, "f1h1"), Some(castling(Square::F1, Square::H1)));
        assert_eq!(write(&chess960, castling(Square::F1, Square::H1), false), "f1h1");
        assert_eq!(write(&chess960, castling(Square::F1, Square::G1), false), "f1g1");
    }

    #[test]
    fn every_legal_move_is_read_back() {
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "3k2n1/7P/Q3p3/4BPp1/Q1Q4q/8/5B2/R3K2R w KQ g6 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        ] {
            let pos = fen::parse(text).unwrap();
            for mv in legal_moves(&pos) {
                for name in [write(&pos, mv, false), write(&pos, mv, true), write_san(&pos, mv)] {
                    assert_eq!(read(&pos, &name), Some(mv), "{text}: {name}");
                }
            }
        }
    }

    #[test]
    fn castling_and_captures_by_pawns_are_written_out() {
        let pos = fen::parse("r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1").unwrap();
        for text in ["exd5", "ed5", "O-O", "e5", "Kf1"] {
            assert!(read(&pos, text).is_some(), "{text}");
        }
        for text in ["d5", "xd5", "Kh1", "Ka1", "Kxh1"] {
            assert_eq!(read(&pos, text), None, "{text}");
        }
    }

    #[test]
    fn short_forms_fit_moves() {
        let pos = fen::parse("4k3/8/8/8/8/5N2/8/1N2K2R w K - 0 1").unwrap();
        for (text, count) in
            [("Nd2", 2), ("Nd2!", 2), ("Nbd2", 1), ("Kd1", 1), ("O-O", 0), ("d2", 0), ("Né", 0), ("N", 0)]
        {
            assert_eq!(candidates(&pos, text).len(), count, "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_move() {
        let start = fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        for text in ["", "e2e5", "e2e4 ", "e2e4q", "e2e4x", "e2e4qq", "e4e", "E2E4", "O-O", "Nd2", "éé", "0000", "a9"]
        {
            assert_eq!(read(&start, text), None, "{text}");
        }
    }
}
