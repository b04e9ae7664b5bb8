//! Positions as text: Forsyth-Edwards Notation (FEN) as programs of xiangqi write it.
//!
//! `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`: the ranks from Black's first, Red's pieces
//! as capitals; the side to move, `w` or `b`; two fields that xiangqi does not use; the plies without a capture; the
//! number of the move.

use super::geometry::{FILES, POINTS, RANKS, bit, file, point, rank};
use super::piece::{Piece, PieceKind};
use super::rules::Xiangqiboard;
use crate::core::error::Quoted;
use crate::core::{Position, Side};
use crate::games::fen;

/// The position at the start of a game.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Red",
        Side::Second => "Black",
    }
}

/// Returns a point as text, with ranks from 1.
pub(crate) fn square(at: u8) -> String {
    format!("{}{}", char::from(b'a' + file(at)), rank(at) + 1)
}

/// Parses a FEN. Fields after the side to move may be missing.
///
/// # Errors
/// A description of the first mistake.
pub fn parse(text: &str) -> Result<Xiangqiboard, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (placement, turn, rest) = fen::split(&fields)?;
    let turn = match turn {
        "w" | "r" => Side::First,
        "b" => Side::Second,
        other => return Err(format!("the side to move is w (or r) or b, not {}", Quoted::part(other))),
    };
    let cells = place(placement)?;
    if let Some(unused) = rest.iter().take(2).find(|&&field| field != "-") {
        return Err(format!("the third and the fourth field are -, not {}", Quoted::part(unused)));
    }
    let number = |index: usize, name, default| rest.get(index).map_or(Ok(default), |text| fen::number(text, name));
    let plies = number(2, "number of plies without a capture", 0)?;
    board(cells, turn, plies, number(3, "move number", 1)?.max(1))
}

/// Returns the position with these pieces.
///
/// # Errors
/// A description of what is wrong with it.
pub(crate) fn board(cells: [Piece; POINTS], turn: Side, plies: u16, number: u16) -> Result<Xiangqiboard, String> {
    for (at, piece) in (0..).zip(cells) {
        if let Some(kind) = piece.kind()
            && kind.row().region[piece.side().index()] & bit(at) == 0
        {
            return Err(format!("{}'s {} cannot stand on {}", name(piece.side()), kind.row().name, square(at)));
        }
    }
    for side in [Side::First, Side::Second] {
        count(&cells, side)?;
    }
    let board = Xiangqiboard::new(cells, turn, plies, number);
    if board.is_attacked(turn.other(), None) {
        let (mover, other) = (name(turn), name(turn.other()));
        return Err(format!("{other} is in check, but {mover} is to move"));
    }
    Ok(board)
}

/// Parses the pieces on their points.
fn place(text: &str) -> Result<[Piece; POINTS], String> {
    let mut cells = [Piece::NONE; POINTS];
    fen::read_rows(text, [FILES, RANKS], "points", |file, rank, letter| {
        let kind =
            PieceKind::named(letter).ok_or_else(|| format!("{} is not a piece", Quoted::part(&letter.to_string())))?;
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        if file < FILES {
            cells[usize::from(point(file, rank))] = Piece::new(kind, side);
        }
        Ok(())
    })?;
    Ok(cells)
}

/// Checks the number of a side's pieces.
fn count(cells: &[Piece; POINTS], side: Side) -> Result<(), String> {
    for kind in PieceKind::ALL {
        let count = cells.iter().filter(|&&piece| piece == Piece::new(kind, side)).count();
        let (name, row) = (name(side), kind.row());
        if kind == PieceKind::General && count != 1 {
            return Err(format!("{name} has {count} generals instead of one"));
        }
        if count > row.most {
            return Err(format!("{name} has {count} {}s, more than {}", row.name, row.most));
        }
    }
    Ok(())
}

/// Writes a FEN.
#[must_use]
pub fn write(pos: &Xiangqiboard) -> String {
    let text = fen::write_rows([FILES, RANKS], |file, rank| symbol(pos.piece(point(file, rank))));
    let turn = if pos.turn() == Side::First { 'w' } else { 'b' };
    format!("{text} {turn} - - {} {}", pos.plies(), pos.number())
}

/// Returns the letter of a piece: Red's are capitals.
pub(crate) const fn symbol(piece: Piece) -> Option<char> {
    match (piece.kind(), piece.side()) {
        (Some(kind), Side::First) => Some(kind.row().fen),
        (Some(kind), Side::Second) => Some(kind.row().fen.to_ascii_lowercase()),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fens_are_read_and_written() {
        for fen in [
            START,
            "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 7 30",
            "3k5/9/9/9/9/9/9/9/9/4K4 b - - 119 300",
        ] {
            assert_eq!(write(&parse(fen).unwrap()), fen);
        }
        let read = |fen: &str| write(&parse(fen).unwrap());
        assert_eq!(read("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r"), START);
        assert_eq!(read("3k5/9/9/9/9/9/9/9/9/4K4 w - - 500 0"), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 120 1");
        let far = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 65536 99999999999999999999";
        assert_eq!(read(far), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 120 65535");
    }

    #[test]
    fn a_wrong_fen_is_refused_with_the_reason() {
        for (fen, reason) in [
            ("", "at least 2 fields"),
            ("3k5/9/9/9/9/9/9/9/9/4K4", "at least 2 fields"),
            ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 2", "6 fields, not 7"),
            ("3k5/9/9/9/9/9/9/9/4K4 w", "10 ranks, not 9"),
            ("3k5/9/9/9/x8/9/9/9/9/4K4 w", "\"x\" is not a piece"),
            ("3k5/9/9/9/45/9/9/9/9/4K4 w", "rank 6 has two numbers in a row, \"45\""),
            ("3k5/9/9/9/8/9/9/9/9/4K4 w", "rank 6 has 8 points"),
            ("3k5/9/9/9/9r/9/9/9/9/4K4 w", "rank 6 has 10 points"),
            ("3k5/9/9/9/9/9/9/9/9/4K4 white", "w (or r) or b, not \"white\""),
            ("3k5/9/9/9/9/9/9/9/9/9 w", "Red has 0 generals"),
            ("3k5/5k3/9/9/9/9/9/9/9/4K4 w", "Black has 2 generals"),
            ("3k5/9/9/9/9/9/9/9/9/2K6 w", "Red's general cannot stand on c1"),
            ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", "Red's advisor cannot stand on d2"),
            ("3k5/3b5/9/9/9/9/9/9/9/4K4 w", "Black's elephant cannot stand on d9"),
            ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", "Red's soldier cannot stand on b4"),
            ("3k5/9/9/9/ccc6/9/9/9/9/4K4 w", "Black has 3 cannons, more than 2"),
            ("3k5/9/9/9/9/9/9/9/9/3K5 w", "Black is in check, but Red is to move"),
            ("3k5/9/9/9/9/9/9/9/9/R3K4 w KQ - 0 1", "are -, not \"KQ\""),
            ("3k5/9/9/9/9/9/9/9/9/4K4 w - - -1 1", "plies without a capture is a number from 0, not \"-1\""),
            ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 x", "move number is a number from 0, not \"x\""),
        ] {
            let found = parse(fen).err();
            assert!(found.as_ref().is_some_and(|text| text.contains(reason)), "{fen}: {found:?}");
        }
    }
}
