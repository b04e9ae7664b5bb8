//! The board as text: for protocols, and for terminals with the last move highlighted.

use super::fen::symbol;
use super::geometry::{FILES, RANKS, point};
use super::piece::{Piece, PieceKind};
use super::rules::{Move, Xiangqiboard};
use crate::core::{Ink, Side, Style};

/// Draws the board, Red below; `last` is the last move. In Unicode the pieces are Chinese characters, which are two columns
/// wide.
#[must_use]
pub fn show(pos: &Xiangqiboard, last: Option<Move>, style: Style) -> String {
    let mut board = String::new();
    for rank in (0..RANKS).rev() {
        board += &style.paint(Ink::Faint, &format!("{:>2} ", rank + 1));
        for file in 0..FILES {
            let at = point(file, rank);
            let piece = pos.piece(at);
            let is_marked = last.is_some_and(|mv| mv.from == at || mv.to == at);
            let ink = match piece.kind() {
                _ if is_marked => Ink::Marked,
                None => Ink::Faint,
                Some(_) if piece.side() == Side::First => Ink::Strong,
                Some(_) => Ink::Second,
            };
            board += &format!(" {}", style.paint(ink, &text(piece, style)));
        }
        board.push('\n');
        if rank == RANKS / 2 {
            let river = if style.unicode { " ～" } else { " ~" }.repeat(FILES.into());
            board += &format!("   {}\n", style.paint(Ink::Faint, &river));
        }
    }
    let gap = if style.unicode { "  " } else { " " };
    let files: String = (0..FILES).map(|file| format!("{gap}{}", char::from(b'a' + file))).collect();
    board + &format!("   {}\n", style.paint(Ink::Faint, &files))
}

/// Returns the text of a point.
fn text(piece: Piece, style: Style) -> String {
    if !style.unicode {
        return symbol(piece).unwrap_or('.').into();
    }
    let Some(kind) = piece.kind() else { return "・".into() };
    let [red, black] = match kind {
        PieceKind::General => ["帥", "將"],
        PieceKind::Advisor => ["仕", "士"],
        PieceKind::Elephant => ["相", "象"],
        PieceKind::Horse => ["傌", "馬"],
        PieceKind::Chariot => ["俥", "車"],
        PieceKind::Cannon => ["炮", "砲"],
        PieceKind::Soldier => ["兵", "卒"],
    };
    if piece.side() == Side::First { red } else { black }.into()
}

#[cfg(test)]
mod tests {
    use super::super::fen;
    use super::*;

    #[test]
    fn the_board_is_drawn_with_red_below() {
        let pos = fen::parse(fen::START).unwrap();
        let expected = "10  r n b a k a b n r
 9  . . . . . . . . .
 8  . c . . . . . c .
 7  p . p . p . p . p
 6  . . . . . . . . .
    ~ ~ ~ ~ ~ ~ ~ ~ ~
 5  . . . . . . . . .
 4  P . P . P . P . P
 3  . C . . . . . C .
 2  . . . . . . . . .
 1  R N B A K A B N R
    a b c d e f g h i
";
        assert_eq!(show(&pos, None, Style::PLAIN), expected);
        let unicode = show(&pos, None, Style { unicode: true, ..Style::PLAIN });
        assert!(unicode.starts_with("10  車 馬 象 士 將 士 象 馬 車\n"), "{unicode}");
        assert!(unicode.contains("\n 1  俥 傌 相 仕 帥 仕 相 傌 俥\n"), "{unicode}");
    }
}
