//! Moves as text: `h3e3`, from one point to another, and the notation of the World Xiangqi Federation (WXF), `C2=5`.
//!
//! WXF names a piece, its file, a direction and a number. Files are counted from the right of the side that moves. The
//! direction is `+` ahead, `-` back or `=` sideways. If a piece moves along its file, the number is that of the points
//! it moves, otherwise the file that it reaches. Of two pieces on a file, `+` or `-` instead of the file names the
//! front or the rear one. More than two soldiers have names of their own. Source:
//! wxf.org/xq/computer/wxf_notation.html, which has `.` for `=`; both are accepted. So is the notation of the Internet
//! Chinese Chess Server (ICCS), `H2-E2` or `H2E2`, whose ranks count from 0.

use super::Xiangqi;
use super::fen;
use super::geometry::{FILES, RANKS, file, point, rank, seen};
use super::piece::PieceKind;
use super::rules::{Move, Xiangqiboard};
use crate::core::position::legal_moves;
use crate::core::{Error, Notation, Position};

impl Notation for Xiangqi {
    fn start(&self) -> Result<String, Error> {
        Ok(fen::START.into())
    }

    fn parse(&self, text: &str) -> Result<Xiangqiboard, Error> {
        fen::parse(text).map_err(|reason| Error::bad_position(text, reason))
    }

    fn write(&self, pos: &Xiangqiboard) -> String {
        fen::write(pos)
    }

    fn write_move(&self, _pos: &Xiangqiboard, mv: Move) -> String {
        write(mv, self.first_rank)
    }

    fn read_move(&self, pos: &Xiangqiboard, text: &str) -> Option<Move> {
        read(pos, text, self.first_rank)
    }

    fn write_san(&self, pos: &Xiangqiboard, mv: Move) -> Option<String> {
        Some(write_wxf(pos, mv))
    }
}

/// Writes a move as its first and its last point; `first_rank` is the number of Red's first rank.
pub(crate) fn write(mv: Move, first_rank: u8) -> String {
    let square = |at: u8| format!("{}{}", char::from(b'a' + file(at)), rank(at) + first_rank);
    square(mv.from) + &square(mv.to)
}

/// Parses a legal move in any of the notations.
pub(crate) fn read(pos: &Xiangqiboard, text: &str, first_rank: u8) -> Option<Move> {
    if let Some(mv) = squares(text, first_rank).or_else(|| iccs(text)) {
        return pos.is_legal(mv).then_some(mv);
    }
    let (text, legal) = (plain(text)?, legal_moves(pos));
    let only = |is_named: &dyn Fn(Move) -> bool| {
        let mut found = legal.iter().filter(|&&mv| is_named(mv));
        found.next().copied().filter(|_| found.next().is_none())
    };
    // Some programs name the file of several pieces of which one alone can move so.
    only(&|mv| wxf(pos, mv) == text || with_sign(pos, mv) == Some(text))
        .or_else(|| only(&|mv| by_file(pos, mv) == text))
}

/// Parses two points in ICCS notation.
fn iccs(text: &str) -> Option<Move> {
    // Points in small letters are those of other notations.
    let is_iccs = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    let points = text.chars().all(is_iccs).then(|| text.replacen('-', "", 1).to_ascii_lowercase())?;
    squares(&points, 0)
}

/// Parses two points.
fn squares(text: &str, first_rank: u8) -> Option<Move> {
    let second = text.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    let square = |text: &str| {
        let (&letter, digits) = text.as_bytes().split_first()?;
        let file = letter.checked_sub(b'a').filter(|&file| file < FILES)?;
        let number: u8 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        let rank = number.checked_sub(first_rank).filter(|&rank| rank < RANKS)?;
        // A number is accepted in one form only.
        (digits == number.to_string().as_bytes()).then(|| point(file, rank))
    };
    Some(Move { from: square(text.get(..second)?)?, to: square(text.get(second..)?)? })
}

/// Returns a WXF move in its standard form; `None` for other text.
fn plain(text: &str) -> Option<[u8; 4]> {
    let mut plain: [u8; 4] = text.as_bytes().try_into().ok()?;
    plain.make_ascii_uppercase();
    plain[0] = PieceKind::named(plain[0].into()).map_or(plain[0], |kind| kind.row().wxf);
    if plain[2] == b'.' {
        plain[2] = b'=';
    }
    Some(plain)
}

/// Writes a legal move in WXF notation.
pub(crate) fn write_wxf(pos: &Xiangqiboard, mv: Move) -> String {
    wxf(pos, mv).into_iter().map(char::from).collect()
}

/// Returns the four characters of a legal move.
fn wxf(pos: &Xiangqiboard, mv: Move) -> [u8; 4] {
    let [piece, place] = named(pos, mv.from);
    let [direction, number] = target(pos, mv);
    [piece, place, direction, number]
}

/// Returns the number of a point's file from the right of the side to move.
fn file_number(pos: &Xiangqiboard, at: u8) -> u8 {
    let file = file(at);
    let from_right = if seen(0, pos.turn()) == 0 { FILES - file } else { file + 1 };
    b'0' + from_right
}

/// Returns the two characters that name a piece.
///
/// Of three soldiers on a file, the first and the last are `P+` and `P-`, and the one between is named by its file. Of
/// four or five, the first and the last are `++` and `--`, the second and the last but one `P+` and `P-`. If there are
/// several on each of two files, the file comes first: `3+`, `33`, `3-`. Advisors and elephants are named by their
/// file: only one of two on a file can move ahead.
fn named(pos: &Xiangqiboard, at: u8) -> [u8; 2] {
    let Some(kind) = pos.piece(at).kind() else { return [b'?'; 2] };
    let (letter, number) = (kind.row().wxf, file_number(pos, at));
    if matches!(kind, PieceKind::General | PieceKind::Advisor | PieceKind::Elephant) {
        return [letter, number];
    }
    let mut same = pos.pieces(kind, pos.turn());
    same.sort_by_key(|&at| std::cmp::Reverse(seen(at, pos.turn())));
    let on_file = |of: u8| same.iter().filter(move |&&other| file(other) == of);
    let count = on_file(file(at)).count();
    let before = on_file(file(at)).position(|&other| other == at).unwrap_or(0);
    let behind = count - 1 - before;
    if count == 1 {
        return [letter, number];
    }
    if (0..FILES).filter(|&file| on_file(file).count() > 1).count() > 1 {
        return [
            number,
            if before == 0 {
                b'+'
            } else if behind == 0 {
                b'-'
            } else {
                number
            },
        ];
    }
    match (before, behind) {
        (0, 3..) => [b'+', b'+'],
        (3.., 0) => [b'-', b'-'],
        (0, _) => [letter, b'+'],
        (_, 0) => [letter, b'-'],
        (1, 2..) => [letter, b'+'],
        (2.., 1) => [letter, b'-'],
        _ => [letter, number],
    }
}

/// Returns the direction and the number of a move.
fn target(pos: &Xiangqiboard, mv: Move) -> [u8; 2] {
    let [before, after] = [mv.from, mv.to].map(|at| rank(seen(at, pos.turn())));
    let direction = match before.cmp(&after) {
        std::cmp::Ordering::Less => b'+',
        std::cmp::Ordering::Equal => b'=',
        std::cmp::Ordering::Greater => b'-',
    };
    let is_along = file(mv.from) == file(mv.to);
    [direction, if is_along { b'0' + before.abs_diff(after) } else { file_number(pos, mv.to) }]
}

/// Returns the move of a piece that is named by its file, whatever other pieces are there.
fn by_file(pos: &Xiangqiboard, mv: Move) -> [u8; 4] {
    let [direction, number] = target(pos, mv);
    let piece = pos.piece(mv.from).kind().map_or(b'?', |kind| kind.row().wxf);
    [piece, file_number(pos, mv.from), direction, number]
}

/// Returns the move of one of two advisors or elephants on a file with a sign instead of the file, as for other pieces.
fn with_sign(pos: &Xiangqiboard, mv: Move) -> Option<[u8; 4]> {
    let kind = pos.piece(mv.from).kind().filter(|kind| matches!(kind, PieceKind::Advisor | PieceKind::Elephant))?;
    let other = pos.pieces(kind, pos.turn()).into_iter().find(|&at| at != mv.from && file(at) == file(mv.from))?;
    let is_front = seen(mv.from, pos.turn()) > seen(other, pos.turn());
    let [direction, number] = target(pos, mv);
    Some([kind.row().wxf, if is_front { b'+' } else { b'-' }, direction, number])
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;
    use crate::util::random::Random;

    #[test]
    fn every_legal_move_is_read_back() {
        let mut random = Random(5);
        for _ in 0..40 {
            let mut pos = fen::parse(fen::START).unwrap();
            for _ in 0..random.below(150) {
                let moves = legal_moves(&pos);
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                pos = pos.after(mv);
            }
            for mv in legal_moves(&pos) {
                for (name, first_rank) in [(write(mv, 0), 0), (write(mv, 1), 1), (write_wxf(&pos, mv), 1)] {
                    assert_eq!(read(&pos, &name, first_rank), Some(mv), "{}: {name}", fen::write(&pos));
                }
            }
        }
    }

    /// The moves of the examples at wxf.org and those of books.
    #[test]
    fn moves_have_their_names() {
        let soldiers = "4k4/9/2P6/2P6/2P6/9/9/9/9/5K3 w";
        let four = "4k4/2P6/2P6/2P6/2P6/9/9/9/9/5K3 w";
        let five = "2P1k4/2P6/2P6/2P6/2P6/9/9/9/9/5K3 w";
        let two_files = "4k4/9/2P3P2/2P3P2/2P6/9/9/9/9/5K3 w";
        let chariots = "4k4/3R5/9/3R5/9/3c5/9/9/3c5/5K3 w";
        let advisors = "3k5/9/9/9/9/9/9/3A5/9/3AK4 w";
        for (fen, square, wxf) in [
            (fen::START, "h3e3", "C2=5"),
            (fen::START, "h1g3", "H2+3"),
            (fen::START, "c1e3", "E7+5"),
            (fen::START, "d1e2", "A6+5"),
            (fen::START, "b3b10", "C8+7"),
            (fen::START, "a1a2", "R9+1"),
            (&fen::START.replace(" w ", " b "), "h8e8", "C8=5"),
            (&fen::START.replace(" w ", " b "), "b10c8", "H2+3"),
            (chariots, "d9d8", "R+-1"),
            (chariots, "d7c7", "R-=7"),
            (&chariots.replace(" w", " b"), "d5e5", "C-=5"),
            (&chariots.replace(" w", " b"), "d2d1", "C++1"),
            (advisors, "d3e2", "A6-5"),
            (soldiers, "c8d8", "P+=6"),
            (soldiers, "c7d7", "P7=6"),
            (soldiers, "c6d6", "P-=6"),
            (four, "c9d9", "++=6"),
            (four, "c8d8", "P+=6"),
            (four, "c7d7", "P-=6"),
            (four, "c6d6", "--=6"),
            (five, "c10d10", "++=6"),
            (five, "c9d9", "P+=6"),
            (five, "c8d8", "P7=6"),
            (five, "c7d7", "P-=6"),
            (five, "c6d6", "--=6"),
            (two_files, "c8d8", "7+=6"),
            (two_files, "c7d7", "77=6"),
            (two_files, "c6d6", "7-=6"),
            (two_files, "g8h8", "3+=2"),
            (two_files, "g7h7", "3-=2"),
        ] {
            let pos = fen::parse(fen).unwrap();
            let mv = read(&pos, square, 1).unwrap_or_else(|| panic!("{fen} {square}"));
            assert_eq!(write_wxf(&pos, mv), wxf, "{fen} {square}");
            assert_eq!(read(&pos, wxf, 1), Some(mv), "{fen} {wxf}");
        }
    }

    #[test]
    fn other_forms_are_read() {
        let start = fen::parse(fen::START).unwrap();
        for (text, square) in [("C2.5", "h3e3"), ("c2=5", "h3e3"), ("N2+3", "h1g3"), ("b7+5", "c1e3")] {
            assert_eq!(read(&start, text, 1), read(&start, square, 1), "{text}");
            assert!(read(&start, text, 1).is_some(), "{text}");
        }
        assert_eq!(
            [read(&start, "h2e2", 0), read(&start, "H2-E2", 1), read(&start, "H2E2", 1)],
            [read(&start, "h3e3", 1); 3]
        );
        let advisors = fen::parse("3k5/9/9/9/9/9/9/3A5/9/3AK4 w").unwrap();
        assert_eq!([read(&advisors, "A+-5", 1), read(&advisors, "A6-5", 1)], [read(&advisors, "d3e2", 1); 2]);
        assert_eq!([read(&advisors, "A-+5", 1), read(&advisors, "A6+5", 1)], [read(&advisors, "d1e2", 1); 2]);
        let chariots = fen::parse("4k4/3R5/9/3R5/9/3c5/9/9/3c5/5K3 w").unwrap();
        for (text, square) in [("R6-2", Some("d7d5")), ("R6-1", None), ("R6+1", None), ("R6=5", None)] {
            assert_eq!(read(&chariots, text, 1), square.and_then(|square| read(&chariots, square, 1)), "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_move() {
        let start = fen::parse(fen::START).unwrap();
        for text in [
            "", "h3e3 ", "h03e3", "h3", "h2e2", "j3e3", "h3h11", "h0h3", "H3E3", "H3-E3", "h2-e2", "C2=2", "C3=5",
            "é3e3", "----",
        ] {
            assert_eq!(read(&start, text, 1), None, "{text}");
        }
    }
}
