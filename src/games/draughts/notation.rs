//! Moves as text, in Portable Draughts Notation (PDN): `11-15` for a step, `22x15` for a capture, and all squares on
//! the way, `22x15x8`, if several captures have the same ends. The notation of the Hub protocol is accepted too: its
//! captures name the two ends and then the captured squares. A captured square is occupied and a square on the way is
//! not, so no text is ambiguous.

use super::Draughts;
use super::geometry::{Direction, Geometry};
use super::rules::{Draughtsboard, Move};
use super::text::{self, number, square};
use super::variant::Variant;
use crate::core::position::legal_moves;
use crate::core::{Error, Notation, Position};
use crate::util::number;

impl<V: Variant> Notation for Draughts<V> {
    fn start(&self) -> Result<String, Error> {
        Ok(text::write(&Draughtsboard::<V>::start(self.settings)))
    }

    fn parse(&self, text: &str) -> Result<Draughtsboard<V>, Error> {
        text::parse(text, self.settings).map_err(|reason| Error::bad_position(text, reason))
    }

    fn write(&self, pos: &Draughtsboard<V>) -> String {
        text::write(pos)
    }

    fn write_move(&self, pos: &Draughtsboard<V>, mv: Move) -> String {
        write(pos, mv)
    }

    fn read_move(&self, pos: &Draughtsboard<V>, text: &str) -> Option<Move> {
        read(pos, text)
    }

    fn candidates(&self, pos: &Draughtsboard<V>, text: &str) -> Vec<Move> {
        candidates(pos, text)
    }

    fn forbidden(&self, pos: &Draughtsboard<V>, text: &str) -> Option<String> {
        forbidden(pos, text)
    }
}

pub(crate) fn write<V: Variant>(pos: &Draughtsboard<V>, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    number::push(&mut text, number::<V>(mv.from));
    if mv.captured == 0 {
        text.push('-');
        number::push(&mut text, number::<V>(mv.to));
        return text;
    }
    let ends = |other: &&Move| (other.from, other.to) == (mv.from, mv.to);
    if legal_moves(pos).iter().filter(ends).count() == 1 {
        text.push('x');
        number::push(&mut text, number::<V>(mv.to));
        return text;
    }
    for square in route(pos, mv) {
        text.push('x');
        number::push(&mut text, number::<V>(square));
    }
    text
}

/// Returns the squares that a legal capture passes, the last one included.
pub(crate) fn route<V: Variant>(pos: &Draughtsboard<V>, mv: Move) -> Vec<u8> {
    pos.routes().into_iter().find(|(other, _)| *other == mv).map(|(_, route)| route).unwrap_or_default()
}

/// Parses a legal move: its ends if no other move has them, or all its squares, or the notation of the Hub protocol.
pub(crate) fn read<V: Variant>(pos: &Draughtsboard<V>, text: &str) -> Option<Move> {
    let (separator, squares) = squares::<V>(text)?;
    read_squares(pos, separator, &squares).or_else(|| read_hub(pos, &squares))
}

/// Returns the legal captures with these ends.
pub(crate) fn candidates<V: Variant>(pos: &Draughtsboard<V>, text: &str) -> Vec<Move> {
    let Some((_, squares)) = squares::<V>(text) else { return Vec::new() };
    let [from, to] = squares[..] else { return Vec::new() };
    let ends = |mv: &Move| mv.captured != 0 && (mv.from, mv.to) == (from, to);
    legal_moves(pos).into_iter().filter(ends).collect()
}

/// Returns the rule of compulsory captures that forbids a move; `None` if it is legal or not a move at all.
pub(crate) fn forbidden<V: Variant>(pos: &Draughtsboard<V>, text: &str) -> Option<String> {
    let (separator, squares) = squares::<V>(text)?;
    let [from, ref route @ .., to] = squares[..] else { return None };
    let legal = legal_moves(pos);
    let most = legal.iter().map(|mv| mv.captured.count_ones()).max().filter(|&most| most > 0)?;
    let way = captured_on_the_way(pos, &squares);
    let is_meant = |mv: &Move| {
        let is_same = (mv.from, mv.to) == (from, to) && (mv.captured != 0) == (separator == 'x');
        is_same && (route.is_empty() || way == Some(mv.captured))
    };
    let meant = pos.unforced().into_iter().find(is_meant).filter(|mv| !legal.contains(mv))?;
    match meant.captured.count_ones() {
        0 => Some("a capture is compulsory".into()),
        fewer if V::MAJORITY && fewer < most => Some(format!("a capture of {most} pieces exists")),
        _ => Some("the capture goes on".into()),
    }
}

/// Parses the separator and the squares of a move; `None` for other text. Programs write captures with `x`, `X` or `:`,
/// and numbers with or without a leading zero.
fn squares<V: Variant>(text: &str) -> Option<(char, Vec<u8>)> {
    let is_capture = text.contains(['x', 'X', ':']);
    let words = text.split(if is_capture { &['x', 'X', ':'][..] } else { &['-'] });
    Some((if is_capture { 'x' } else { '-' }, words.map(square::<V>).collect::<Option<_>>()?))
}

/// Parses a capture in the notation of the Hub protocol.
fn read_hub<V: Variant>(pos: &Draughtsboard<V>, squares: &[u8]) -> Option<Move> {
    let [from, to, captured @ ..] = squares else { return None };
    let set = captured.iter().fold(0, |set, square| set | 1 << square);
    let is_named = |mv: &Move| (mv.from, mv.to, mv.captured) == (*from, *to, set);
    let is_once = !captured.is_empty() && set.count_ones() as usize == captured.len();
    legal_moves(pos).into_iter().find(|mv| is_once && is_named(mv))
}

/// Parses a move by its ends, or by all its squares. Captures are compulsory, so that a dash may stand for their sign.
fn read_squares<V: Variant>(pos: &Draughtsboard<V>, separator: char, squares: &[u8]) -> Option<Move> {
    let [from, ref route @ .., to] = squares[..] else { return None };
    let moves = legal_moves(pos).into_iter();
    let ends = moves.filter(|mv| (mv.from, mv.to) == (from, to) && (mv.captured != 0 || separator == '-'));
    let found: Vec<_> = ends.collect();
    match found[..] {
        [mv] if route.is_empty() => Some(mv),
        _ if found.is_empty() => None,
        _ => {
            let captured = captured_on_the_way(pos, squares)?;
            let same = found.into_iter().filter(|mv| mv.captured == captured);
            if pos.settings().joined {
                return same.into_iter().next();
            }
            let routes = pos.routes();
            same.into_iter().find(|mv| routes.iter().any(|(other, route)| other == mv && *route == squares[1..]))
        }
    }
}

/// Returns the pieces between the squares of a route; `None` unless there is one between each two neighbours.
fn captured_on_the_way<V: Variant>(pos: &Draughtsboard<V>, squares: &[u8]) -> Option<u64> {
    let others = pos.pieces(pos.turn().other());
    squares.windows(2).try_fold(0, |captured, ends| {
        let over = Direction::ALL.into_iter().find_map(|direction| between::<V>(ends[0], ends[1], direction))? & others;
        (over.count_ones() == 1).then_some(captured | over)
    })
}

/// Returns the squares between two squares in a direction; `None` if the second does not lie there.
fn between<V: Variant>(from: u8, to: u8, direction: Direction) -> Option<u64> {
    let (mut at, mut passed) = (Geometry::<V>::step(1 << from, direction), 0);
    while at != 0 && at != 1 << to {
        passed |= at;
        at = Geometry::<V>::step(at, direction);
    }
    (at != 0).then_some(passed)
}
