//! Forsyth-Edwards Notation (FEN), with the castling rights of X-FEN and Shredder-FEN for Chess960.

use super::rules::Chessboard;
use crate::core::error::Quoted;
use crate::games::fen;
use cozy_chess::{
    Board, BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square, get_between_rays, get_king_moves,
    get_pawn_attacks,
};

/// The largest halfmove clock that a board stores. A game with a larger one is over all the same.
const MAX_CLOCK: u16 = 100;

/// The number of fields before the operations of EPD.
const EPD: usize = 4;

/// The number of fields of a whole FEN.
const FEN: usize = 6;

/// Parses a FEN. Fields after the side to move may be missing: no castling, no en passant, a clock of 0, move 1. After
/// the en passant square the operations of Extended Position Description (EPD) may follow instead: of these, `hmvc` and
/// `fmvn` set the clock and the move, and the others are ignored. Operands in quotation marks may be any text.
///
/// # Errors
/// A description of the first mistake.
pub fn parse(text: &str) -> Result<Chessboard, String> {
    let mut is_quoted = false;
    let is_end = |c: char| {
        is_quoted ^= c == '"';
        c.is_whitespace() && !is_quoted
    };
    let mut fields: Vec<&str> = text.split(is_end).filter(|field| !field.is_empty()).collect();
    // Some programs write operations after all six fields: there each has its semicolon, which moves do not.
    let is_operation = |field: &&str| field.starts_with(|c: char| c.is_ascii_alphabetic());
    let are_operations = |start: usize| {
        let are_ended = start == EPD || fields.iter().any(|field| field.ends_with(';'));
        fields.get(start).is_some_and(is_operation) && are_ended
    };
    let start = [EPD, FEN].into_iter().find(|&start| are_operations(start));
    let operations = start.map_or_else(Vec::new, |start| fields.split_off(start));
    let (placement, turn, rest) = fen::split(&fields)?;
    let field = |index: usize, default| rest.get(index).copied().unwrap_or(default);
    let mut board = BoardBuilder::empty();
    place(&mut board, placement)?;
    board.side_to_move = match turn {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(format!("the side to move is w or b, not {}", Quoted::part(other))),
    };
    count(&board)?;
    check(&board)?;
    castling(&mut board, field(0, "-"))?;
    let passed = en_passant(field(1, "-"))?;
    let words = operations.into_iter().flat_map(|word| word.split(if word.starts_with('"') { '\n' } else { ';' }));
    let operations: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let operand = |code: &str| {
        let at = operations.iter().position(|&word| word == code)?;
        operations.get(at + 1).map(|operand| operand.trim_matches(['"', ';']))
    };
    let clock = operand("hmvc").unwrap_or(field(2, "0"));
    board.halfmove_clock = fen::number(clock, "halfmove clock")?.min(MAX_CLOCK) as u8;
    let full_move = operand("fmvn").unwrap_or(field(3, "1"));
    board.fullmove_number = fen::number(full_move, "move number")?.max(1);
    let plain = board.build().map_err(|error| error.to_string())?;
    let Some(square) = passed else { return Ok(Chessboard::new(plain)) };
    board.en_passant = Some(square);
    Ok(Chessboard::new(board.build().ok().or_else(|| passed_in_check(&board, &plain, square)).unwrap_or(plain)))
}

/// Describes what [`parse`] does with castling rights without their king or rook, and with an en passant square that no
/// pawn can have just passed. It reads such a FEN, because other programs do and test positions have both.
pub(crate) fn passed_over(text: &str) -> Option<String> {
    let mut fields = text.split_whitespace().skip(2);
    let pos = parse(text).ok()?;
    let rights = castling(&mut BoardBuilder::from_board(pos.board()), fields.next()?).ok()?;
    let mut notes = Vec::new();
    if !rights.is_empty() {
        notes.push(format!("castling rights {rights} lack their king or rook: they are ignored"));
    }
    let square = fields.next().and_then(|field| en_passant(field).ok().flatten());
    if let Some(square) = square
        && (BoardBuilder { en_passant: Some(square), ..BoardBuilder::from_board(pos.board()) }).build().is_err()
    {
        let is_kept = pos.board().en_passant().is_some();
        let done = if is_kept { "it is kept, for a capture there ends the check" } else { "it is ignored" };
        notes.push(format!("no pawn can have just passed the en passant square {square}: {done}"));
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// Returns the board of a FEN in which a pawn has just passed the square although the side to move was in check before:
/// a capture en passant is legal if it ends the check. `None` if no such capture is possible; then the square makes no
/// difference.
///
/// The library builds no such boards, but moves lead to one: the pawn of the side to move that can capture goes to its
/// square from one where it blocks the check, then the other pawn goes two squares. The move number is then at least 2.
fn passed_in_check(board: &BoardBuilder, plain: &Board, square: Square) -> Option<Board> {
    let (turn, opponent) = (plain.side_to_move(), !plain.side_to_move());
    let on = |rank: Rank| Square::new(square.file(), rank.relative_to(opponent));
    let (from, to) = (on(Rank::Second), on(Rank::Fourth));
    let mut checkers = plain.checkers().into_iter();
    let (Some(checker), None) = (checkers.next(), checkers.next()) else { return None };
    let between = get_between_rays(checker, plain.king(turn));
    let capturer = (get_pawn_attacks(square, opponent) & plain.colored_pieces(turn, Piece::Pawn)).into_iter().next()?;
    let vacant = [square, from].iter().all(|&square| plain.piece_on(square).is_none());
    let is_pawn = plain.colored_pieces(opponent, Piece::Pawn).has(to);
    if square.rank() != Rank::Third.relative_to(opponent) || !vacant || !is_pawn || !between.has(square) {
        return None;
    }
    between.into_iter().find_map(|blocked| {
        let mut before = BoardBuilder { en_passant: None, ..board.clone() };
        before.fullmove_number = before.fullmove_number.saturating_sub(1).max(1);
        for (from, to) in [(to, from), (capturer, blocked)] {
            *before.square_mut(to) = before.square_mut(from).take();
        }
        let mut found = before.build().ok()?;
        for (from, to) in [(blocked, capturer), (from, to)] {
            found.play_unchecked(Move { from, to, promotion: None });
        }
        let is_same = Square::ALL.into_iter().all(|square| {
            (found.piece_on(square), found.color_on(square)) == (plain.piece_on(square), plain.color_on(square))
        });
        (is_same && found.en_passant() == Some(square.file())).then_some(found)
    })
}

/// Writes a FEN. Castling rights have the letters of Shredder-FEN if `shredder` is set, or if a king or rook with a
/// right to castle is on another square than in standard chess. The en passant square is written if a pawn can be
/// captured there.
pub(crate) fn write(pos: &Chessboard, shredder: bool) -> String {
    let board = pos.board();
    let fen = if shredder || !has_usual_castling(board) { format!("{board:#}") } else { board.to_string() };
    let square = pos.en_passant().map_or_else(|| "-".into(), |square| square.to_string());
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[3] = &square;
    fields.join(" ")
}

/// Whether every castling right is that of a king on the e-file and a rook in the corner.
pub(crate) fn has_usual_castling(board: &Board) -> bool {
    rights(board).all(|(_, is_usual)| is_usual)
}

/// Returns the letters of those castling rights that only Chess960 has, and the FEN without them; `None` without any.
pub(crate) fn without_chess960(pos: &Chessboard) -> Option<(String, String)> {
    if has_usual_castling(pos.board()) {
        return None;
    }
    let letters = |usual: bool| rights(pos.board()).filter(|right| right.1 == usual).map(|right| right.0).collect();
    let [unusual, usual]: [String; 2] = [false, true].map(letters);
    let fen = write(pos, false);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = if usual.is_empty() { "-" } else { &usual };
    Some((unusual, fields.join(" ")))
}

/// Iterates over the castling rights, each with its letter of `KQkq` and whether standard chess has it: with the king
/// on the e-file and the rook in the corner.
fn rights(board: &Board) -> impl Iterator<Item = (char, bool)> + '_ {
    Color::ALL.into_iter().flat_map(move |color| {
        let [short, long] = if color == Color::White { ['K', 'Q'] } else { ['k', 'q'] };
        let is_on_e = board.king(color).file() == File::E;
        let right = |letter, rook: Option<File>, corner| rook.map(|file| (letter, is_on_e && file == corner));
        let rights = board.castle_rights(color);
        [right(short, rights.short, File::H), right(long, rights.long, File::A)].into_iter().flatten()
    })
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Parses the pieces on their squares. `~` behind a piece, which some variants need, says that it was a pawn.
fn place(board: &mut BoardBuilder, text: &str) -> Result<(), String> {
    let parts: Vec<&str> = text.split('~').collect();
    let are_promoted = parts.iter().rev().skip(1).all(|part| part.ends_with(['Q', 'R', 'B', 'N', 'q', 'r', 'b', 'n']));
    let text = if are_promoted { parts.concat() } else { text.into() };
    fen::read_rows(&text, [File::NUM, Rank::NUM].map(|count| count as u8), "squares", |file, rank, letter| {
        let piece = Piece::try_from(letter.to_ascii_lowercase())
            .map_err(|_| format!("{} is not a piece", Quoted::part(&letter.to_string())))?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        if let Some(file) = File::try_index(file.into()) {
            *board.square_mut(Square::new(file, Rank::index(rank.into()))) = Some((piece, color));
        }
        Ok(())
    })
}

/// Checks the number of pieces, and that no pawn is on the first or last rank.
fn count(board: &BoardBuilder) -> Result<(), String> {
    for color in Color::ALL {
        let count = |wanted: Option<Piece>| {
            let squares = Square::ALL.into_iter().filter_map(|square| board.square(square));
            squares.filter(|&(piece, owner)| owner == color && wanted.is_none_or(|wanted| wanted == piece)).count()
        };
        let (kings, pawns, all) = (count(Some(Piece::King)), count(Some(Piece::Pawn)), count(None));
        if kings != 1 {
            return Err(format!("{} has {kings} kings instead of one", name(color)));
        }
        if pawns > 8 {
            return Err(format!("{} has {pawns} pawns, more than 8", name(color)));
        }
        if all > 16 {
            return Err(format!("{} has {all} pieces, more than 16", name(color)));
        }
    }
    let pawn = Square::ALL.into_iter().find(|&square| {
        matches!(board.square(square), Some((Piece::Pawn, _))) && matches!(square.rank(), Rank::First | Rank::Eighth)
    });
    pawn.map_or(Ok(()), |square| Err(format!("there is a pawn on {square}")))
}

/// Checks that the opponent is not in check and that a single move can have given the check.
fn check(board: &BoardBuilder) -> Result<(), String> {
    let kings = Square::ALL.into_iter().filter(|&square| matches!(board.square(square), Some((Piece::King, _))));
    if let [one, other] = kings.collect::<Vec<_>>()[..]
        && get_king_moves(one).has(other)
    {
        return Err("the kings are on neighbouring squares".into());
    }
    let (turn, opponent) = (name(board.side_to_move), name(!board.side_to_move));
    match board.build() {
        Ok(board) if board.checkers().len() > 2 => Err(format!("more than two pieces give check to {turn}")),
        Ok(_) => Ok(()),
        // Everything else that cozy-chess rejects has been checked.
        Err(_) => Err(format!("{opponent} is in check, but {turn} is to move")),
    }
}

/// Parses castling rights: `KQkq`, for the outermost rook (X-FEN), or the files of the rooks (Shredder-FEN). Returns
/// the letters of those that are ignored because their king or rook is missing.
fn castling(board: &mut BoardBuilder, text: &str) -> Result<String, String> {
    for color in Color::ALL {
        *board.castle_rights_mut(color) = CastleRights::EMPTY;
    }
    let mut ignored = String::new();
    if text == "-" {
        return Ok(ignored);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let on = |file: &File, piece| board.square(Square::new(*file, rank)) == Some((piece, color));
        let king = File::ALL.into_iter().find(|file| on(file, Piece::King));
        let rook = |file: &File| on(file, Piece::Rook);
        let found = match (letter.to_ascii_lowercase(), king) {
            ('k', king) => File::ALL.into_iter().rev().take_while(|&file| Some(file) > king).find(rook),
            ('q', king) => File::ALL.into_iter().take_while(|&file| Some(file) < king).find(rook),
            (other, _) => {
                let file = File::try_from(other).map_err(|_| {
                    format!("castling rights are letters like KQkq or HAha, not {}", Quoted::part(text))
                })?;
                Some(file).filter(rook)
            }
        };
        let (Some(king), Some(file)) = (king, found) else {
            ignored.push(letter);
            continue;
        };
        let rights = board.castle_rights_mut(color);
        let right = if file > king { &mut rights.short } else { &mut rights.long };
        if right.replace(file).is_some() {
            return Err(format!("castling rights {} have two for one side of the king", Quoted::part(text)));
        }
    }
    Ok(ignored)
}

/// Parses the square that a pawn has just passed.
fn en_passant(text: &str) -> Result<Option<Square>, String> {
    let wrong = |_| format!("the en passant square is - or a square, not {}", Quoted::part(text));
    if text == "-" { Ok(None) } else { text.parse().map(Some).map_err(wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn fens_are_read_and_written() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 3 17",
            "4k3/8/8/8/1K1Pp2r/8/8/8 b - d3 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            "8/8/8/8/8/4k3/8/4K2R b H - 99 300",
        ] {
            let shredder = fen.contains(" H ");
            assert_eq!(write(&parse(fen).unwrap(), shredder), fen);
        }
        let read = |fen: &str| write(&parse(fen).unwrap(), false);
        assert_eq!(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -"), START);
        assert_eq!(read("4k2r~/8/8/8/8/8/8/Q~3K3 b"), "4k2r/8/8/8/8/8/8/Q3K3 b - - 0 1");
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 b"), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(read("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
        assert_eq!(read("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"), "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - 250 0"), "4k3/8/8/8/8/8/8/4K3 w - - 100 1");
        let far = "4k3/8/8/8/8/8/8/4K3 w - - 4294967296 99999999999999999999";
        assert_eq!(read(far), "4k3/8/8/8/8/8/8/4K3 w - - 100 65535");
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"a, b\";"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(read("4k3/8/8/8/8/8/8/4K3 w - - 3 9 bm Ke2;"), "4k3/8/8/8/8/8/8/4K3 w - - 3 9");
        for operations in [
            "hmvc 7; fmvn 9",
            "hmvc 7;fmvn 9;",
            "fmvn \"9\"; hmvc 7;",
            "c0 \"after fmvn 5; then\"; hmvc 7; id \"a; hmvc 1;\"; fmvn 9;",
        ] {
            let text = format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}");
            assert_eq!(read(&text), "4k3/8/8/8/8/8/8/4K3 w - - 7 9", "{operations}");
        }
    }

    #[test]
    fn a_wrong_fen_is_refused_with_the_reason() {
        for (fen, reason) in [
            ("", "at least 2 fields"),
            ("8/8/8/8/8/8/8/8", "at least 2 fields"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "a FEN has 6 fields, not 7: \"2\" comes after them"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2", "a FEN has 6 fields, not 7: \"e1e2\" comes after them"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks, not 7"),
            ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "\"9\" is not a piece"),
            ("4k3/8/8/P~7/8/8/8/4K3 w - - 0 1", "\"~\" is not a piece"),
            ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "rank 5 has two numbers in a row, \"44\""),
            ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "rank 5 has 7 squares"),
            ("4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1", "rank 5 has 9 squares"),
            ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", "w or b, not \"white\""),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
            ("4k1k1/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 2 kings"),
            ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
            ("4k3/8/8/8/8/QQQQQQQQ/QQQQQQQQ/4K3 b - - 0 1", "White has 17 pieces"),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on h8"),
            ("4k3/8/8/8/8/8/8/4K2r b - - 0 1", "White is in check, but Black is to move"),
            ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "the kings are on neighbouring squares"),
            ("4k3/8/8/8/4r2b/8/6n1/r3K3 w - - 0 1", "more than two pieces give check to White"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "have two for one side of the king"),
            ("4k3/8/8/8/8/8/8/4K2R w x - 0 1", "letters like KQkq or HAha, not \"x\""),
            ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "is - or a square, not \"e9\""),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock is a number from 0, not \"-1\""),
            ("4k3/8/8/8/8/8/8/4K3 w - - hmvc x;", "halfmove clock is a number from 0, not \"x\""),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "move number is a number from 0, not \"x\""),
        ] {
            let found = parse(fen).err();
            assert!(found.as_ref().is_some_and(|text| text.contains(reason)), "{fen}: {found:?}");
        }
    }

    #[test]
    fn castling_rights_without_king_or_rook_are_ignored() {
        for (fen, written, ignored) in [
            ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "-", "K"),
            ("r7/4k3/8/8/8/8/8/4K2R w Kq - 0 1", "K", "q"),
            ("r3k3/8/8/8/8/8/8/R6K w KQkq - 0 1", "Aa", "Kk"),
            ("r3k3/8/8/8/8/8/8/4K2R w HAha - 0 1", "Kq", "Ah"),
        ] {
            let pos = parse(fen).unwrap();
            assert_eq!(write(&pos, false).split(' ').nth(2), Some(written), "{fen}");
            let note = passed_over(fen).unwrap();
            assert_eq!(note, format!("castling rights {ignored} lack their king or rook: they are ignored"));
        }
        assert_eq!(passed_over("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), None);
    }

    #[test]
    fn castling_rights_of_chess960_are_those_that_chess_lacks() {
        for (fen, expected) in [
            (START, None),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None),
            ("2r1k2r/8/8/8/8/8/8/R3K1R1 w KQkq - 3 9", Some(("Kq", "2r1k2r/8/8/8/8/8/8/R3K1R1 w Qk - 3 9"))),
            ("r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Some(("kq", "r2k3r/8/8/8/8/8/8/R3K2R w KQ - 0 1"))),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", Some(("KQkq", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1"))),
        ] {
            let found = without_chess960(&parse(fen).unwrap());
            assert_eq!(found, expected.map(|(rights, without)| (rights.into(), without.into())), "{fen}");
        }
    }

    /// The published test positions with such squares are in tests/data.
    #[test]
    fn en_passant_squares_that_no_pawn_has_passed_are_read() {
        let ignored = "it is ignored";
        for (fen, written, done) in [
            // The capture ends the check.
            (
                "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 7",
                "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 7",
                "it is kept, for a capture there ends the check",
            ),
            (
                "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
                "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 2",
                "it is kept, for a capture there ends the check",
            ),
            // It does not.
            ("4k3/8/8/8/3Pp3/8/8/4K2Q b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/4K2Q b - d3 0 1", ""),
            ("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/4K3 b - - 0 1", ""),
            ("8/8/2k5/3N4/3Pp3/4N3/3B4/4KR2 b - d3 0 1", "8/8/2k5/3N4/3Pp3/4N3/3B4/4KR2 b - - 0 1", ignored),
            // No pawn, and another rank.
            ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", ignored),
            ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", ignored),
        ] {
            assert_eq!(write(&parse(fen).unwrap(), false), written, "{fen}");
            let found = passed_over(fen).unwrap_or_default();
            assert!(if done.is_empty() { found.is_empty() } else { found.ends_with(done) }, "{fen}: {found}");
        }
    }
}
