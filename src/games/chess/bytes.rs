//! Positions in 26 bytes.
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | the occupied squares, a bit each, a1 lowest |
//! | 16 | the piece on each of them in this order, four bits each, the lower half of a byte first |
//! | 1 | the square behind a pawn that has just moved two squares, 64 for none; bit 7 is set if Black is to move |
//! | 1 | plies since a capture or a pawn's move |
//!
//! A piece is its index in [`Piece::ALL`], 6 for a rook with the right to castle; bit 3 is set for Black. The move
//! number is not stored.

use super::fen;
use super::rules::Chessboard;
use super::{CHESS960, Chess};
use crate::core::{MissingOption, Records};
use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square};

impl Records for Chess {
    fn missing_option(&self, pos: &Chessboard) -> Option<MissingOption> {
        let (rights, without) = fen::without_chess960(pos).filter(|_| !self.chess960)?;
        Some(MissingOption { name: CHESS960, value: "true", needed_by: format!("castling rights {rights}"), without })
    }

    fn pack(&self, pos: &Chessboard) -> Vec<u8> {
        pack(pos).to_vec()
    }

    fn unpack(&self, bytes: &[u8]) -> Option<Chessboard> {
        unpack(bytes.try_into().ok()?)
    }
}

/// The length of a packed position in bytes.
pub(crate) const BYTES: usize = 26;

/// A rook with the right to castle.
const CASTLING: u8 = 6;

const NONE: u8 = 64;

/// The bit of the black side.
const BLACK: u8 = 1 << 7;

/// Returns the squares of a side's rooks that may castle.
fn rooks(board: &Board, color: Color) -> [Option<Square>; 2] {
    let rights = board.castle_rights(color);
    [rights.short, rights.long].map(|file| Some(Square::new(file?, Rank::First.relative_to(color))))
}

pub(crate) fn pack(pos: &Chessboard) -> [u8; BYTES] {
    let board = pos.board();
    let mut bytes = [0; BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) else { continue };
        let castles = rooks(board, color).contains(&Some(square));
        let code = if castles { CASTLING } else { piece as u8 } | (color as u8) << 3;
        if let Some(byte) = bytes.get_mut(8 + index / 2) {
            *byte |= code << (4 * (index % 2));
        }
    }
    let passed = pos.en_passant().map_or(NONE, |square| square as u8);
    bytes[24] = passed | if board.side_to_move() == Color::Black { BLACK } else { 0 };
    bytes[25] = board.halfmove_clock();
    bytes
}

/// Unpacks a position; `None` unless the bytes are a legal position.
pub(crate) fn unpack(bytes: &[u8; BYTES]) -> Option<Chessboard> {
    let mut builder = BoardBuilder::empty();
    let occupied = u64::from_le_bytes(bytes[..8].try_into().ok()?);
    let mut kings = [None; Color::NUM];
    let mut rooks = Vec::new();
    for (index, square) in cozy_chess::BitBoard(occupied).into_iter().enumerate() {
        let code = bytes[8..24].get(index / 2)? >> (4 * (index % 2)) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let piece = match code & 7 {
            CASTLING => {
                rooks.push((color, square.file()));
                Piece::Rook
            }
            code => Piece::try_index(code.into())?,
        };
        if piece == Piece::King {
            kings[color as usize] = Some(square.file());
        }
        *builder.square_mut(square) = Some((piece, color));
    }
    for (color, file) in rooks {
        let rights = &mut builder.castle_rights[color as usize];
        let is_short = file > kings[color as usize]?;
        *(if is_short { &mut rights.short } else { &mut rights.long }) = Some(file);
    }
    builder.side_to_move = if bytes[24] & BLACK == 0 { Color::White } else { Color::Black };
    builder.en_passant = match bytes[24] & !BLACK {
        NONE => None,
        square => Some(Square::try_index(square.into())?),
    };
    builder.halfmove_clock = bytes[25];
    Some(Chessboard::new(builder.build().ok()?))
}

const _: () = assert!(File::A as u8 == 0 && Piece::NUM == CASTLING as usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_back() {
        let files = [
            include_str!("../../../tests/data/chess/perft_standard.epd"),
            include_str!("../../../tests/data/chess/perft_chess960.epd"),
        ];
        let extra = ["4k3/8/8/8/1K1Pp2r/8/8/8 b - d3 7 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 99 1"];
        for line in files.iter().flat_map(|file| file.lines()).chain(extra) {
            let pos = fen::parse(line.split(';').next().unwrap()).unwrap();
            let again = unpack(&pack(&pos)).unwrap();
            let fields = |pos: &Chessboard| fen::write(pos, true).rsplit_once(' ').unwrap().0.to_owned();
            assert_eq!(fields(&again), fields(&pos));
        }
    }

    #[test]
    fn other_bytes_are_no_position() {
        let good = pack(&fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap());
        assert!(unpack(&good).is_some());
        assert!(unpack(&[0; BYTES]).is_none() && unpack(&[255; BYTES]).is_none());
        for (index, value) in [(8, 0x77), (24, 65), (25, 101), (3, 1)] {
            let mut bytes = good;
            bytes[index] = value;
            assert!(unpack(&bytes).is_none(), "{index}");
        }
    }
}
