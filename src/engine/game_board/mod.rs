//! The only implementation of [`Board`], generic over the game.

mod analysis;

use super::plies::{GamePlies, Plies};
use super::{Board, Play, Text};
use crate::core::notation::plain_sign;
use crate::core::picture::Perspective;
use crate::core::position::{end_by_rule, legal_moves};
use crate::core::{
    Error, Game, MissingOption, MoveOf, MoveOrdering, Notation, Options, Outcome, Picture, Pictures, Position, Records,
    Score, Side, Solver, Style, score,
};
use std::sync::Arc;

/// The only implementation of [`Board`]. Copies share the rules and the line, so a copy costs no more than a position.
pub struct GameBoard<G: Game> {
    rules: Arc<Rules<G>>,
    here: Arc<Place<G>>,
}

/// A game and its options. They salt the keys of the shared table, so that different rules or evaluations never use
/// each other's entries.
struct Rules<G: Game> {
    game: G,
    options: Options,
    salt: u64,
}

/// A position of a line, with the last move and the place before it; `None` at the start of the line.
struct Place<G: Game> {
    pos: G::Position,
    reached: Option<(MoveOf<G>, Arc<Self>)>,
}

impl<G: Game> Drop for Place<G> {
    /// Drops the places in a loop: recursion on a long line would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.reached.take();
        while let Some((_, place)) = next {
            next = Arc::into_inner(place).and_then(|mut place| place.reached.take());
        }
    }
}

impl<G: Game> Clone for GameBoard<G> {
    fn clone(&self) -> Self {
        Self { rules: Arc::clone(&self.rules), here: Arc::clone(&self.here) }
    }
}

impl<G: Notation> GameBoard<G> {
    /// Creates a board without history; `options` are those of `game`.
    pub fn new(game: G, options: &Options, start: G::Position) -> Self {
        let rules = Rules { game, options: options.clone(), salt: salt(G::NAME, options) };
        Self { rules: Arc::new(rules), here: Arc::new(Place { pos: start, reached: None }) }
    }

    /// Iterates over the positions of the line that no other board shares, the last one first.
    pub fn unshared(&self) -> impl Iterator<Item = &G::Position> {
        let mut next = Some(&self.here);
        std::iter::from_fn(move || {
            let place = next.take().filter(|place| Arc::strong_count(place) == 1)?;
            next = place.reached.as_ref().map(|(_, before)| before);
            Some(&place.pos)
        })
    }

    /// Returns the position.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        &self.here.pos
    }

    /// Returns the position that was set up.
    #[must_use]
    pub fn first(&self) -> &G::Position {
        let mut first = &self.here;
        while let Some((_, before)) = &first.reached {
            first = before;
        }
        &first.pos
    }

    /// Returns the earlier positions that may be repeated, the last one first; none in a game without cycles.
    fn recent(&self) -> Vec<&G::Position> {
        let (reach, mut recent, mut place) = (self.position().reach(), Vec::new(), &self.here);
        while recent.len() < reach
            && let Some((_, before)) = &place.reached
        {
            recent.push(&before.pos);
            place = before;
        }
        recent
    }

    /// Returns what a function makes of each legal move.
    fn of_legal<T>(&self, make: impl Fn(MoveOf<G>) -> T) -> Vec<T> {
        let legal = legal_moves(self.position());
        let mut made = Vec::with_capacity(legal.len());
        for mv in legal {
            made.push(make(mv));
        }
        made
    }

    pub(super) fn game(&self) -> &G {
        &self.rules.game
    }

    /// Returns a board of the same rules at a position, without history.
    pub(super) fn at(&self, pos: G::Position) -> Self {
        Self { rules: Arc::clone(&self.rules), here: Arc::new(Place { pos, reached: None }) }
    }

    fn after(&self, mv: MoveOf<G>) -> Self {
        let place = Place { pos: self.position().after(mv), reached: Some((mv, Arc::clone(&self.here))) };
        Self { rules: Arc::clone(&self.rules), here: Arc::new(place) }
    }

    /// Returns the legal move that a text names.
    fn find(&self, text: &str) -> Result<MoveOf<G>, Error> {
        let (game, pos) = (&self.rules.game, self.position());
        // Moves in an error are in the notation of the text: coordinates for coordinates.
        let is_like = |mv: &str| text == NULL_MOVE || begins_alike(text, mv);
        let readable = |moves: &[MoveOf<G>]| {
            let (mut coordinates, mut san) = (Vec::new(), Vec::new());
            for &mv in moves {
                coordinates.push(game.write_move(pos, mv));
                san.extend(game.write_san(pos, mv));
            }
            let is_in_san = san.len() == moves.len() && !coordinates.iter().any(|mv| is_like(mv));
            if is_in_san { san } else { coordinates }
        };
        let plain = || text.chars().map(plain_sign).collect::<String>();
        let read = game.read_move(pos, text);
        let read = read.or_else(|| if text.is_ascii() { None } else { game.read_move(pos, &plain()) });
        read.ok_or_else(|| match &game.candidates(pos, text)[..] {
            [] | [_] => {
                Error::illegal_move(text, &game.write(pos), game.forbidden(pos, text), &readable(&legal_moves(pos)))
            }
            several => Error::ambiguous_move(text, &game.write(pos), &readable(several)),
        })
    }
}

impl<G: Pictures + Records> Board for GameBoard<G> {
    fn boxed(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }
}

impl<G: Pictures + Records> Play for GameBoard<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn options(&self) -> &Options {
        &self.rules.options
    }

    fn turn(&self) -> Side {
        self.position().turn()
    }

    fn moves(&self) -> Vec<String> {
        self.of_legal(|mv| self.rules.game.write_move(self.position(), mv))
    }

    fn codes(&self) -> Vec<u16> {
        self.of_legal(|mv| self.position().code(mv))
    }

    fn codes_of(&self, moves: &[String]) -> Result<Vec<u16>, Error> {
        let (pos, mut found) = (self.position(), Vec::new());
        for mv in moves {
            let code = pos.code(self.find(mv)?);
            if !found.contains(&code) {
                found.push(code);
            }
        }
        Ok(found)
    }

    fn children(&self) -> Vec<Box<dyn Board>> {
        self.of_legal(|mv| Box::new(self.after(mv)) as _)
    }

    fn plies(&self, plies: u8, most: usize) -> Option<Box<dyn Plies>> {
        Some(Box::new(GamePlies::new(self.clone(), plies, most)?))
    }

    fn play(&mut self, mv: &str) -> Result<(), Error> {
        *self = self.after(self.find(mv)?);
        Ok(())
    }

    fn play_code(&mut self, code: u16) -> bool {
        let mv = self.rules.game.heuristics().legal_move(self.position(), code);
        mv.map(|mv| *self = self.after(mv)).is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        let pos = self.position();
        if pos.is_over() {
            return Some(pos.outcome());
        }
        end_by_rule(pos, &self.recent(), 0)
    }

    fn database_outcome(&self) -> Option<(Outcome, Option<Score>)> {
        let pos = self.position();
        if pos.is_over() {
            return None;
        }
        let bounds = self.rules.game.heuristics().database_bounds(pos).filter(|bounds| bounds.is_exact())?;
        let Some(distance) = score::distance(bounds.lower) else {
            // The value may not hold if a position of the game can recur.
            if G::Position::CYCLIC && !self.recent().is_empty() && bounds.lower != 0 {
                return None;
            }
            let units = i16::try_from(bounds.lower / score::UNIT).ok()?;
            let outcome = if G::UNITS.is_some() { Outcome::Margin(units) } else { Outcome::Draw };
            return Some((outcome, None));
        };
        let plies = distance.abs();
        // The shortest win reaches each position at most once more.
        let is_repeated = || {
            let mut keys = vec![pos.key()];
            keys.extend(self.recent().into_iter().map(Position::key));
            keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key))
        };
        let is_in_time = pos.clock_free_plies().is_none_or(|most| plies <= most);
        let is_sure = is_in_time && !(G::Position::CYCLIC && is_repeated());
        is_sure.then_some((if distance > 0 { Outcome::Win } else { Outcome::Loss }, Some(plies)))
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn history(&self) -> Vec<String> {
        let (mut moves, mut place) = (Vec::new(), &self.here);
        while let Some((mv, before)) = &place.reached {
            moves.push(self.rules.game.write_move(&before.pos, *mv));
            place = before;
        }
        moves.reverse();
        moves
    }
}

impl<G: Pictures + Records> Text for GameBoard<G> {
    fn title(&self) -> String {
        self.rules.game.title(self.first())
    }

    fn text(&self) -> String {
        self.rules.game.write(self.position())
    }

    fn start(&self) -> String {
        self.rules.game.write(self.first())
    }

    fn passed_over(&self, text: &str) -> Option<String> {
        self.rules.game.passed_over(text)
    }

    fn missing_option(&self) -> Option<MissingOption> {
        self.rules.game.missing_option(self.first())
    }

    fn draw(&self) -> String {
        self.rules.game.draw(self.position())
    }

    fn show(&self, style: Style) -> String {
        let last = self.here.reached.as_ref().map(|(mv, before)| (&before.pos, *mv));
        self.rules.game.show(self.position(), last, style)
    }

    fn picture(&self, perspective: Perspective) -> Picture {
        let game = &self.rules.game;
        let mut picture = game.picture(self.position(), perspective);
        if let Some((mv, before)) = &self.here.reached {
            picture.last = game.spots(&picture, &before.pos, *mv);
        }
        picture
    }

    fn spots(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        let (game, pos) = (&self.rules.game, self.position());
        game.read_move(pos, mv).map_or_else(Vec::new, |mv| game.spots(picture, pos, mv))
    }

    fn sides(&self) -> [&'static str; 2] {
        G::SIDES
    }

    fn units(&self) -> Option<[&'static str; 2]> {
        G::UNITS
    }

    fn san(&self, mv: &str) -> Option<String> {
        let game = &self.rules.game;
        game.write_san(self.position(), game.read_move(self.position(), mv)?)
    }

    fn remark(&self) -> Option<String> {
        self.here.reached.as_ref().and_then(|(mv, before)| self.rules.game.remark(&before.pos, *mv))
    }

    fn count(&self, score: Score) -> i64 {
        self.rules.game.count(self.position(), score)
    }

    fn book_key(&self) -> Vec<u8> {
        self.rules.game.book_key(self.position())
    }

    fn symmetric_key(&self) -> Vec<u8> {
        self.rules.game.symmetric_key(self.position())
    }
}

/// The null move of the Universal Chess Interface, whose moves are coordinates.
const NULL_MOVE: &str = "0000";

/// Returns whether a text begins with small letters and digits where a move has some, and otherwise as the move does.
/// The text may be long.
fn begins_alike(text: &str, mv: &str) -> bool {
    let kind = |c: char| match c {
        'a'..='z' => 'a',
        '0'..='9' => '0',
        other => other,
    };
    let mut characters = text.chars().map(kind);
    mv.chars().map(kind).all(|expected| characters.next() == Some(expected))
}

/// Returns the FNV-1a hash of the game's name and the option values that values of positions depend on.
fn salt(name: &str, options: &Options) -> u64 {
    let mut text = name.to_owned();
    for (row, value) in options.shaping() {
        text.push_str(&format!(";{}={value}", row.name));
    }
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
