//! The chessboard as text, with the last move highlighted on a terminal, and as shapes.

use super::Chess;
use super::rules::Chessboard;
use crate::core::picture::{Paint, Perspective, Picture, Pictures, Shape, Spot};
use crate::core::{Ink, Side, Style};
use crate::games::lattice::{self, Lattice};
use cozy_chess::{Color, File, Move, Piece, Rank, Square};

impl Pictures for Chess {
    const SIDES: [&'static str; 2] = ["White", "Black"];

    fn note(&self, pos: &Chessboard) -> String {
        if pos.is_check() { ", in check" } else { "" }.into()
    }

    fn show(&self, pos: &Chessboard, last: Option<(&Chessboard, Move)>, style: Style) -> String {
        show(pos, last.map(|(_, mv)| mv), style)
    }

    /// Describes the board: the pieces on their squares, a king in check on a red one.
    fn picture(&self, pos: &Chessboard, perspective: Perspective) -> Picture {
        let lattice = Lattice::new(8, 8, perspective.below == Some(Side::Second), perspective);
        let mut picture = lattice.picture(lattice::letter, |row| (8 - row).to_string());
        picture.ground.push(lattice.chequered());
        picture.is_way = true;
        let (board, king) = (pos.board(), pos.board().king(pos.board().side_to_move()));
        for square in Square::ALL {
            let area = lattice.square(square.file() as usize, 7 - square.rank() as usize);
            let mut spot = Spot::new(square.to_string(), area);
            if square == king && pos.is_check() {
                picture.marks.push(Shape::Area(area, Paint::CheckSquare));
            }
            if let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) {
                let paint = if color == Color::White { Paint::White } else { Paint::Black };
                picture.pieces.push(Shape::Piece(area.top_left(), outline(piece), paint));
                spot = spot.with(format!("{color:?} {piece:?}").to_lowercase());
            }
            picture.spots.push(spot);
        }
        picture
    }
}

/// Draws the board, White below; `last` is the last move.
pub(crate) fn show(pos: &Chessboard, last: Option<Move>, style: Style) -> String {
    let mut board = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let squares = File::ALL.into_iter().map(|file| {
            let square = Square::new(file, rank);
            let ink = match pos.board().color_on(square) {
                _ if last.is_some_and(|mv| mv.from == square || mv.to == square) => Ink::Marked,
                Some(Color::White) => Ink::Strong,
                Some(Color::Black) => Ink::Second,
                None => Ink::Faint,
            };
            (ink, symbol(pos, square, style).to_owned())
        });
        board += &(lattice::row(style, &format!(" {rank} "), squares) + "\n");
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

/// Returns the outline of a piece within a square, and the lines on it. The drawings are our own.
const fn outline(piece: Piece) -> [&'static str; 2] {
    match piece {
        Piece::Pawn => [
            "M11.5 35h22l1.5 4.5h-25zM22.5 9.5a5.2 5.2 0 0 1 3.4 9.1L29 21H26.2c.4 5 2.6 10 5.8 14H13c3.2-4 5.4-9 5.8-14H16l3.1-\
             2.4A5.2 5.2 0 0 1 22.5 9.5z",
            "",
        ],
        Piece::Knight => [
            "M11.5 35h22l1.5 4.5h-25zM14 35C14 28.5 19 25.5 20.8 20.6 18.3 22.6 16.2 22.4 14.6 23.6 13.4 24.5 12.9 26.2 11.4 \
             26.1 9.4 25.9 7.4 23.6 8 21.7 8.8 19.2 11.2 17 12.4 13.6 12.9 12 13.7 10.8 15.2 9.9L15 5.5 18.6 8.6C27.5 9.2 \
             33.5 17 32.5 35z",
            "M16 14.6l.6-1M10.6 22.6l.5-.8M21 11.5c5.5 2.5 8 9.5 7.6 20.5",
        ],
        Piece::Bishop => [
            "M11.5 35h22l1.5 4.5h-25zM22.5 5a2.3 2.3 0 0 1 1.6 4C28.5 12.5 31 18 29.3 22.5c-.8 2-2.3 3.3-3.8 4.2l2.3 2.6c.8 2 \
             2.2 4 4.2 5.7H13c2-1.7 3.4-3.7 4.2-5.7l2.3-2.6c-1.5-.9-3-2.2-3.8-4.2C14 18 16.5 12.5 20.9 9A2.3 2.3 0 0 1 22.5 5z",
            "M22.5 13.5v8.5M18.8 17.5h7.4M19.5 26.7h6",
        ],
        Piece::Rook => [
            "M11.5 35h22l1.5 4.5h-25zM11.5 9h5v3.5h3.7V9h4.6v3.5h3.7V9h5v8l-3.5 3.5v10L32.5 35h-20l2.5-4.5v-10L11.5 17z",
            "M15 20.5h15M15 30.5h15",
        ],
        Piece::Queen => [
            "M11.5 35h22l1.5 4.5h-25zM12.5 35C12 30 10.5 26 8.3 16.3a2 2 0 1 1 1.7-.9L15.2 22.5 15.3 12.7a2 2 0 1 1 2-.3L21 21 \
             21.6 10.8a2 2 0 1 1 1.8 0L24 21 27.7 12.4a2 2 0 1 1 2 .3L29.8 22.5 35 15.4a2 2 0 1 1 1.7.9C34.5 26 33 30 32.5 35z",
            "M11.4 29.5c7-2 15.2-2 22.2 0",
        ],
        Piece::King => [
            "M11.5 35h22l1.5 4.5h-25zM21.2 4.5h2.6v2.6h2.7v2.6h-2.7v3.1c1.6 1.5 2.4 3.4 2.3 5.4 1.4-2.5 3.4-3.9 6-3.9 5.5 0 8 5 \
             5.8 9.7-1.4 3-4.3 5.5-5.4 11h-20c-1.1-5.5-4-8-5.4-11-2.2-4.7.3-9.7 5.8-9.7 2.6 0 4.6 1.4 6 3.9-.1-2 .7-3.9 2.3-5.4V\
             9.7h-2.7V7.1h2.7z",
            "M22.5 23.5v5M18.9 18.2c1.8 1.4 3 3.2 3.6 5.3.6-2.1 1.8-3.9 3.6-5.3M12.2 30.5c6.5-2 14.1-2 20.6 0",
        ],
    }
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
