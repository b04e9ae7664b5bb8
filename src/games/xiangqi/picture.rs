//! The board as text, with the last move highlighted on a terminal, and as shapes.

use super::Xiangqi;
use super::fen::symbol;
use super::geometry::{FILES, POINTS, RANKS, file, point, rank};
use super::piece::{Piece, PieceKind};
use super::rules::{Move, Xiangqiboard};
use crate::core::picture::{Area, Paint, Perspective, Picture, Pictures, Shape, Spot};
use crate::core::{Ink, Position, Side, Style};
use crate::games::lattice::{self, Lattice, SIDE};

impl Pictures for Xiangqi {
    const SIDES: [&'static str; 2] = ["Red", "Black"];

    fn remark(&self, before: &Xiangqiboard, mv: Move) -> Option<String> {
        let captured = before.piece(mv.to).kind().map(|kind| {
            format!(
                "captures {} {}",
                if matches!(kind, PieceKind::Advisor | PieceKind::Elephant) { "an" } else { "a" },
                kind.row().name
            )
        });
        let check = before.after(mv).is_check().then(|| "gives check".into());
        let remarks: Vec<String> = captured.into_iter().chain(check).collect();
        (!remarks.is_empty()).then(|| remarks.join(" and "))
    }

    fn note(&self, pos: &Xiangqiboard) -> String {
        if pos.is_check() { ", in check" } else { "" }.into()
    }

    fn show(&self, pos: &Xiangqiboard, last: Option<(&Xiangqiboard, Move)>, style: Style) -> String {
        show(pos, self.first_rank, last.map(|(_, mv)| mv), style)
    }

    /// Describes the board: the pieces on the crossings of lines, as discs with a Chinese character or the letter of
    /// WXF notation. `first_rank` is the number of Red's first rank.
    fn picture(&self, pos: &Xiangqiboard, perspective: Perspective) -> Picture {
        let (files, ranks) = (usize::from(FILES), usize::from(RANKS));
        let lattice = Lattice::new(files, ranks, perspective.below == Some(Side::Second), perspective);
        let name = |row: usize| (ranks - 1 - row + usize::from(self.first_rank)).to_string();
        let mut picture = lattice.picture(lattice::letter, name);
        let lines = Shape::Line(lines(lattice.board()), Paint::Edge, 1.2);
        picture.ground.push(Shape::Group(vec![Shape::Area(lattice.board(), Paint::LightSquare), lines]));
        picture.is_way = true;
        for at in 0..POINTS as u8 {
            let (column, row) = (usize::from(file(at)), ranks - 1 - usize::from(rank(at)));
            let Area { x, y, .. } = lattice.square(column, row);
            let disc = |radius| Area::disc(x, y, radius);
            let spot = Spot::new(lattice::letter(column) + &name(row), disc(22.0));
            let piece = pos.piece(at);
            let Some(kind) = piece.kind() else {
                picture.spots.push(spot);
                continue;
            };
            picture.spots.push(spot.with(format!("{} {}", ["red", "black"][piece.side().index()], kind.row().name)));
            if kind == PieceKind::General && piece.side() == pos.turn() && pos.is_check() {
                picture.marks.push(Shape::Area(disc(22.0), Paint::CheckSquare));
            }
            let paint = if piece.side() == Side::First { Paint::Red } else { Paint::Black };
            let letter = || char::from(kind.row().wxf).to_string();
            let character = || kind.row().characters[piece.side().index()].into();
            let (text, size) = if perspective.characters { (character(), 24.0) } else { (letter(), 20.0) };
            picture.pieces.push(Shape::Group(vec![
                Shape::Area(disc(19.0), Paint::White),
                Shape::Ring(disc(17.8), paint, 2.4),
                Shape::text(x, y + 0.36 * size, text, size, paint),
            ]));
        }
        picture
    }
}

/// Draws the board, Red below; `first_rank` is the number of Red's first rank, and `last` the last move. In Unicode the
/// pieces are Chinese characters, two columns wide.
fn show(pos: &Xiangqiboard, first_rank: u8, last: Option<Move>, style: Style) -> String {
    let mut board = String::new();
    for rank in (0..RANKS).rev() {
        let points = (0..FILES).map(|file| {
            let at = point(file, rank);
            let piece = pos.piece(at);
            let ink = match piece.kind() {
                _ if last.is_some_and(|mv| mv.from == at || mv.to == at) => Ink::Marked,
                None => Ink::Faint,
                Some(_) if piece.side() == Side::First => Ink::Strong,
                Some(_) => Ink::Second,
            };
            (ink, text(piece, style))
        });
        board += &(lattice::row(style, &format!("{:>2} ", rank + first_rank), points) + "\n");
        if rank == RANKS / 2 {
            let river = if style.unicode { " ～" } else { " ~" }.repeat(FILES.into());
            board += &format!("   {}\n", style.paint(Ink::Faint, &river));
        }
    }
    let gap = if style.unicode { "  " } else { " " };
    let files: String = (0..FILES.into()).map(|file| gap.to_owned() + &lattice::letter(file)).collect();
    board + &format!("   {}\n", style.paint(Ink::Faint, &files))
}

/// Returns the text of a point.
fn text(piece: Piece, style: Style) -> String {
    match piece.kind() {
        _ if !style.unicode => symbol(piece).unwrap_or('.').into(),
        Some(kind) => kind.row().characters[piece.side().index()].into(),
        None => "・".into(),
    }
}

/// Returns the lines of the board: files, of which all but the outer ones end at the river, and the palaces' diagonals.
fn lines(board: Area) -> String {
    let [x, y] = board.top_left().map(|corner| corner + SIDE / 2.0);
    let mut lines = String::new();
    for row in 0..RANKS {
        lines += &format!("M{x} {}h{}", y + SIDE * f64::from(row), 8.0 * SIDE);
    }
    for column in 0..FILES {
        let half = 4.0 * SIDE;
        let gap = if column % 8 == 0 { format!("v{SIDE}") } else { format!("m0 {SIDE}") };
        lines += &format!("M{} {y}v{half}{gap}v{half}", x + SIDE * f64::from(column));
    }
    let palace = 2.0 * SIDE;
    for row in [0.0, 7.0] {
        lines += &format!("M{} {}l{palace} {palace}m0-{palace}l-{palace} {palace}", x + 3.0 * SIDE, y + SIDE * row);
    }
    lines
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
        assert_eq!(show(&pos, 1, None, Style::PLAIN), expected);
        // Ranks have the numbers that moves have.
        let from_zero = show(&pos, 0, None, Style::PLAIN);
        let ranks: Vec<_> = from_zero.lines().filter_map(|line| line[..2].trim().parse::<u8>().ok()).collect();
        assert_eq!(ranks, (0..RANKS).rev().collect::<Vec<_>>());
        let unicode = show(&pos, 1, None, Style { unicode: true, ..Style::PLAIN });
        assert!(unicode.starts_with("10  車 馬 象 士 將 士 象 馬 車\n"), "{unicode}");
        assert!(unicode.contains("\n 1  俥 傌 相 仕 帥 仕 相 傌 俥\n"), "{unicode}");
    }
}
