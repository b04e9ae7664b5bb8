//! The chessboard as text: for protocols, and for terminals with the last move highlighted.

use super::rules::Chessboard;
use crate::core::{Ink, Style};
use cozy_chess::{Color, File, Move, Piece, Rank, Square};

/// Draws the board, White below; `last` is the last move.
#[must_use]
pub fn show(pos: &Chessboard, last: Option<Move>, style: Style) -> String {
    let mut board = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        board += &style.paint(Ink::Faint, &format!(" {rank} "));
        for file in File::ALL {
            let square = Square::new(file, rank);
            let is_marked = last.is_some_and(|mv| mv.from == square || mv.to == square);
            let text = symbol(pos, square, style);
            let ink = match pos.board().color_on(square) {
                _ if is_marked => Ink::Marked,
                Some(Color::White) => Ink::Strong,
                Some(Color::Black) => Ink::Second,
                None => Ink::Faint,
            };
            board += &format!(" {}", style.paint(ink, text));
        }
        board.push('\n');
    }
    let files: String = File::ALL.into_iter().map(|file| format!(" {file}")).collect();
    board + &format!("   {}\n", style.paint(Ink::Faint, &files))
}

/// The symbol of a square: White's pieces are capital letters, or outlined in Unicode.
fn symbol(pos: &Chessboard, square: Square, style: Style) -> &'static str {
    let board = pos.board();
    let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) else {
        return style.either("·", ".");
    };
    let [white, black] = match piece {
        Piece::Pawn => [style.either("♙", "P"), style.either("♟", "p")],
        Piece::Knight => [style.either("♘", "N"), style.either("♞", "n")],
        Piece::Bishop => [style.either("♗", "B"), style.either("♝", "b")],
        Piece::Rook => [style.either("♖", "R"), style.either("♜", "r")],
        Piece::Queen => [style.either("♕", "Q"), style.either("♛", "q")],
        Piece::King => [style.either("♔", "K"), style.either("♚", "k")],
    };
    if color == Color::White { white } else { black }
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;

    #[test]
    fn the_board_is_drawn_with_white_below() {
        let pos = fen::parse("r3k2r/8/8/4Pp2/8/8/8/R3K2R w KQkq f6 0 1").unwrap();
        let expected = " 8  r . . . k . . r
 7  . . . . . . . .
 6  . . . . . . . .
 5  . . . . P p . .
 4  . . . . . . . .
 3  . . . . . . . .
 2  . . . . . . . .
 1  R . . . K . . R
    a b c d e f g h
";
        assert_eq!(show(&pos, None, Style::PLAIN), expected);
        let unicode = Style { unicode: true, ..Style::PLAIN };
        assert!(show(&pos, None, unicode).starts_with(" 8  ♜ · · · ♚ · · ♜\n"));
    }
}
