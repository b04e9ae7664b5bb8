//! Moves as text: those of the Universal Chess Interface (UCI), and standard algebraic notation (SAN).

use super::Chess;
use super::fen::{self, has_usual_castling};
use super::rules::Chessboard;
use crate::core::notation::plain_sign;
use crate::core::{Error, Notation};
use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, File, Move, Piece, Rank, Square};

impl Notation for Chess {
    fn start(&self) -> Result<String, Error> {
        Ok(self.write(&Chessboard::new(Board::startpos())))
    }

    fn parse(&self, text: &str) -> Result<Chessboard, Error> {
        fen::parse(text).map_err(|reason| Error::bad_position(text, reason))
    }

    fn passed_over(&self, text: &str) -> Option<String> {
        fen::passed_over(text)
    }

    fn write(&self, pos: &Chessboard) -> String {
        fen::write(pos, self.chess960)
    }

    fn write_move(&self, pos: &Chessboard, mv: Move) -> String {
        write(pos, mv, self.chess960)
    }

    fn read_move(&self, pos: &Chessboard, text: &str) -> Option<Move> {
        read(pos, text)
    }

    fn candidates(&self, pos: &Chessboard, text: &str) -> Vec<Move> {
        candidates(pos, text)
    }

    fn forbidden(&self, _pos: &Chessboard, text: &str) -> Option<String> {
        ["--", "Z0", "0000", "@@@@"].contains(&text).then(|| "a null move is against the rules".into())
    }

    fn write_san(&self, pos: &Chessboard, mv: Move) -> Option<String> {
        Some(write_san(pos, mv))
    }
}

/// Writes a move as `e2e4` or `e7e8q`. Castling is the king's move, `e1g1`, in chess. In Chess960, or if a king or rook
/// castles from another square than in standard chess, it is the king's move to the square of its rook, `e1h1`.
pub(crate) fn write(pos: &Chessboard, mv: Move, chess960: bool) -> String {
    let board = pos.board();
    if chess960 || !has_usual_castling(board) { mv.to_string() } else { display_uci_move(board, mv).to_string() }
}

/// Writes a legal move as `e4`, `Nxf3+` or `O-O`.
pub(crate) fn write_san(pos: &Chessboard, mv: Move) -> String {
    display_san_move(pos.board(), mv).to_string()
}

/// Parses a legal move in UCI notation, with castling of either kind, or in SAN.
pub(crate) fn read(pos: &Chessboard, text: &str) -> Option<Move> {
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

/// Parses SAN as people write it, if exactly one legal move matches.
fn san(board: &Board, text: &str) -> Option<Move> {
    match fitting(board, text)[..] {
        [mv] => Some(mv),
        _ => None,
    }
}

/// Returns the legal moves that match SAN, several if it does not name the square of departure, such as `Nd2`. It may
/// deviate from the standard: long (`Ng1-f3`, `e2-e4`), with the letter of a pawn (`Pe4`), with the
/// [characters](of_san) of books, castling with zeros, small letters or no dashes (`0-0`, `OO`), `e8Q`, `e8q`, `e8/Q`
/// and `e8(Q)` for `e8=Q`, with or without `!`, `?`, `+`, `#` and `e.p.`.
pub(crate) fn candidates(pos: &Chessboard, text: &str) -> Vec<Move> {
    fitting(pos.board(), text)
}

/// Returns the character of SAN for one of books, among them the signs of captures, dashes and checks: for a figurine,
/// which a selector of its form may follow, the letter of its piece.
fn of_san(character: char) -> Option<char> {
    Some(match character {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => return None,
        ':' => 'x',
        '†' | '‡' => '+',
        other => plain_sign(other),
    })
}

/// What books write behind captures en passant, checks and mates.
const SUFFIXES: [&str; 8] = ["e.p.", "/ep", "ep", "dbl.ch.", "dis.ch.", "ch.", "ch", "mate"];

fn fitting(board: &Board, text: &str) -> Vec<Move> {
    let plain: String = text.chars().filter_map(of_san).collect();
    let text = plain.trim_end_matches(['!', '?', '+', '#']);
    let text = SUFFIXES.iter().find_map(|suffix| text.strip_suffix(suffix)).map_or(text, str::trim_end);
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    let castles = |mv: &Move| board.colors(board.side_to_move()).has(mv.to);
    let signs: Vec<char> = text.chars().filter(|&sign| sign != '-').take(4).collect();
    let is_short = match signs.len() {
        2 => Some(true),
        3 => Some(false),
        _ => None,
    };
    if let Some(is_short) = is_short.filter(|_| signs.iter().all(|&sign| "0Oo".contains(sign))) {
        moves.retain(|mv| castles(mv) && (mv.to.file() > mv.from.file()) == is_short);
        return moves;
    }
    let Some(san) = San::parse(text) else { return Vec::new() };
    moves.retain(|mv| !castles(mv) && board.piece_on(mv.from) == Some(san.piece) && san.fits(*mv));
    moves
}

/// The fields of SAN for a move other than castling.
struct San {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

impl San {
    /// Parses a piece, which may be omitted for pawns, the file and rank of departure if they are given, `x` or `-` or
    /// neither, the target square, and a promotion.
    fn parse(text: &str) -> Option<Self> {
        let letters = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King, Piece::Pawn];
        let letter = |piece: Piece| char::from(piece).to_ascii_uppercase();
        let piece = letters.into_iter().find(|&piece| text.starts_with(letter(piece)));
        let rest = if piece.is_some() { &text[1..] } else { text };
        let bracketed =
            rest.strip_suffix(')').and_then(|rest| rest.split_once('(')).filter(|(_, piece)| piece.len() == 1);
        let joined = bracketed.map(|(square, piece)| [square, piece].concat());
        let rest = joined.as_deref().unwrap_or(rest);
        // A letter at the end does not belong to a square.
        let promotion = letters[..4].iter().copied().find(|&piece| rest.ends_with([letter(piece), char::from(piece)]));
        let rest = if promotion.is_some() { &rest[..rest.len() - 1] } else { rest };
        let rest = if promotion.is_some() { rest.strip_suffix(['=', '/']).unwrap_or(rest) } else { rest };
        let (from, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let mut from = from.strip_suffix(['x', '-']).unwrap_or(from).chars().peekable();
        let file = from.next_if(|c| ('a'..='h').contains(c)).and_then(|c| c.try_into().ok());
        let rank = from.next_if(|c| ('1'..='8').contains(c)).and_then(|c| c.try_into().ok());
        let san = Self { piece: piece.unwrap_or(Piece::Pawn), file, rank, to: to.parse().ok()?, promotion };
        from.next().is_none().then_some(san)
    }

    /// Whether it matches a move of its piece. A pawn that captures is named by its file.
    fn fits(&self, mv: Move) -> bool {
        let file_fits = match self.file {
            Some(file) => mv.from.file() == file,
            None => self.piece != Piece::Pawn || mv.from.file() == mv.to.file(),
        };
        let rank_fits = self.rank.is_none_or(|rank| mv.from.rank() == rank);
        file_fits && rank_fits && mv.to == self.to && mv.promotion == self.promotion
    }
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;
    use crate::core::position::legal_moves;

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
            [("Nd2", 2), ("Nd2!", 2), ("Nbd2", 1), ("Kd1", 1), ("O-O", 1), ("d2", 0), ("Né", 0), ("N", 0), ("", 0)]
        {
            assert_eq!(candidates(&pos, text).len(), count, "{text}");
        }
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let pos = fen::parse("r3k2r/P6p/5n2/3pP3/8/5N2/4P3/R3K2R w KQkq d6 0 1").unwrap();
        for (mv, texts) in [
            ("e2e4", &["e4", "e2-e4", "e2e4", "e4!?"][..]),
            (
                "e5d6",
                &[
                    "exd6",
                    "exd6ep",
                    "exd6e.p.",
                    "exd6 e.p.",
                    "exd6/ep",
                    "exd6ch",
                    "exd6mate",
                    "exd6 dbl.ch.",
                    "e5xd6",
                    "e5-d6",
                    "ed6",
                ],
            ),
            ("f3g5", &["Ng5", "Nf3-g5", "Nf3g5", "Nfg5", "N3g5", "N-g5"]),
            ("e5f6", &["exf6", "exf6+?", "e5xf6"]),
            ("e1g1", &["O-O", "0-0", "o-o", "O-O+", "O–O", "OO", "00"]),
            ("e1c1", &["O-O-O", "0-0-0", "o-o-o", "O‑O—O", "OOO", "000"]),
            ("e5f6", &["e5×f6", "e5:f6", "♙exf6", "Pexf6", "exf6†"]),
            ("f3g5", &["♘g5", "♞g5", "♘\u{fe0e}f3–g5"]),
            ("e1d1", &["♔d1", "♚d1"]),
            ("a1d1", &["♖ad1", "♜ad1+"]),
        ] {
            let mv = read(&pos, mv).unwrap();
            assert!(texts.iter().all(|text| read(&pos, text) == Some(mv)), "{mv}");
        }
        let pos = fen::parse("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        for text in ["a8=Q+", "a8Q", "a8q", "a7-a8=Q", "a7a8q", "a7a8=Q", "a8(Q)", "a8/Q+", "a7-a8(q)#"] {
            assert_eq!(read(&pos, text).unwrap().to_string(), "a7a8q", "{text}");
        }
        for text in ["axb8=N", "axb8n", "ab8=n", "a7xb8N"] {
            assert_eq!(read(&pos, text).unwrap().to_string(), "a7b8n", "{text}");
        }
        assert_eq!(read(&pos, "a8b").unwrap().to_string(), "a7a8b");
        for text in ["a8", "a8=", "a8=K", "b8=N", "xb8=N", "a8--Q", "ba8Q", "-a8Q8", "=Q", "Q"] {
            assert_eq!(read(&pos, text), None, "{text}");
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
