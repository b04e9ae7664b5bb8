//! [`Picture`]: a board as a list of shapes and texts, and [`Pictures`]: how a game draws its positions.
//!
//! Lengths are in pixels, with squares 45 pixels wide; coordinates count from the upper left corner.
//! [`crate::views::svg`] writes pictures as SVG; terminals show text.

use super::game::MoveOf;
use super::notation::Notation;
use super::position::{Position, Side};
use super::score::{self, Score};
use super::style::Style;
use serde::Serialize;

/// How a game appears to people: its boards, the names of its sides, its values.
pub trait Pictures: Notation {
    /// The names of the two players.
    const SIDES: [&'static str; 2] = ["player 1", "player 2"];

    /// The unit of a margin, singular and plural; `None` for games that are only won, drawn or lost.
    const UNITS: Option<[&'static str; 2]> = None;

    /// Returns a remark on a move's special effect, worded to follow a comma: `captures 5 seeds`.
    fn remark(&self, _before: &Self::Position, _mv: MoveOf<Self>) -> Option<String> {
        None
    }

    /// Returns a value as players count it: units for a margin, plies for a win or, negative, a loss.
    fn count(&self, _pos: &Self::Position, score: Score) -> i64 {
        i64::from(score::distance(score).unwrap_or(score / score::UNIT))
    }

    /// Draws the board for a terminal: several lines, each ended by a newline, without the side to move. `last` is the
    /// previous position and the move played there; the changes are highlighted.
    fn show(&self, pos: &Self::Position, last: Option<(&Self::Position, MoveOf<Self>)>, style: Style) -> String;

    /// Returns the line below the board in the protocol: `White to move, in check`.
    fn status(&self, pos: &Self::Position) -> String {
        format!("{} to move{}", Self::SIDES[pos.turn().index()], self.note(pos))
    }

    /// Returns the text after the side to move in this line: `, in check`.
    fn note(&self, _pos: &Self::Position) -> String {
        String::new()
    }

    /// Draws the board for the protocol: several lines, each ended by a newline.
    fn draw(&self, pos: &Self::Position) -> String {
        let shown = self.show(pos, None, Style::PLAIN);
        shown.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>() + &self.status(pos) + "\n"
    }

    /// Describes the board as shapes; by default, as the lines of [`draw`](Self::draw).
    fn picture(&self, pos: &Self::Position, _perspective: Perspective) -> Picture {
        Picture::of_text(&self.draw(pos))
    }

    /// Returns the [spots](Picture::spots) that show a legal move, in its order: from the origin to the target, or
    /// where something is placed or taken. By default, these are the spots that the text of the move names.
    fn spots(&self, picture: &Picture, pos: &Self::Position, mv: MoveOf<Self>) -> Vec<usize> {
        picture.named(&self.write_move(pos, mv))
    }
}

/// The point of view and the style of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    /// The player whose side is at the bottom; `None` for the game's usual view. Boards without sides always look the
    /// same.
    pub below: Option<Side>,
    /// Whether the names of rows and columns are shown beside the board.
    pub coordinates: bool,
    /// Whether the pieces of xiangqi are Chinese characters instead of letters.
    pub characters: bool,
}

impl Default for Perspective {
    fn default() -> Self {
        Self { below: None, coordinates: true, characters: false }
    }
}

macro_rules! paints {
    ($($(#[$doc:meta])* $name:ident = $class:literal, $day:literal, $night:literal;)*) => {
        /// The role of a shape, which determines its colours.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Paint {
            $($(#[$doc])* $name,)*
        }

        impl Paint {
            /// The name of each role, its colour in the light theme and in the dark one.
            pub const COLOURS: &'static [(&'static str, [&'static str; 2])] = &[$(($class, [$day, $night]),)*];
        }
    };
}

paints! {
    /// The background, also seen through holes.
    Paper = "paper", "#ffffff", "#16181d";
    /// Text.
    Ink = "ink", "#2b2a27", "#e8e6e1";
    /// Labels and thin lines.
    Faint = "faint", "#77736b", "#98948b";
    /// A wooden board.
    Wood = "wood", "#e3c08d", "#6b4a2b";
    /// A hollow of a wooden board.
    Hollow = "hollow", "#c2935a", "#46301b";
    /// A board of cloth.
    Felt = "felt", "#4f9a6b", "#2f6b47";
    /// A seed or counter.
    Seed = "seed", "#5a3519", "#e2b878";
    /// The frame of Connect Four, or an interval of a chart.
    Frame = "frame", "#2f62b0", "#27508f";
    /// A stone of the first player.
    First = "first", "#d63c3c", "#ef5b5b";
    /// A stone of the second player.
    Second = "second", "#f1bf2c", "#f4cd55";
    /// Every other row of a table.
    Stripe = "stripe", "#f3f0ea", "#20232a";
    /// A mark on a board.
    Mark = "mark", "#0b8a5f", "#43e0a0";
    /// A light square.
    LightSquare = "square-light", "#eee3cf", "#a89878";
    /// A dark square.
    DarkSquare = "square-dark", "#b99a70", "#6f5c41";
    /// A spot of the last move.
    LastSquare = "square-last", "#d9cf6f", "#8f8a3c";
    /// The square of a king in check.
    CheckSquare = "square-check", "#e2685a", "#c4473c";
    /// The stones that have won.
    Won = "won", "#ffffff", "#ffffff";
    /// A white piece.
    White = "piece-white", "#fffdf8", "#fffdf8";
    /// A black piece.
    Black = "piece-black", "#2b2722", "#211e1a";
    /// A red piece.
    Red = "piece-red", "#b3261e", "#b3261e";
    /// The edge of a piece, or of a square.
    Edge = "edge", "#4a443b", "#2a261f";
    /// A line on a dark piece.
    Detail = "detail", "#cfc8b8", "#cfc8b8";
}

/// A rectangle, its corners rounded by a radius: a disc if the radius is half the width and height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Area {
    /// The horizontal coordinate of the centre.
    pub x: f64,
    /// The vertical coordinate of the centre, downwards.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The radius of the corners.
    pub round: f64,
}

impl Area {
    /// Returns a disc around a point.
    #[must_use]
    pub const fn disc(x: f64, y: f64, radius: f64) -> Self {
        Self { x, y, width: 2.0 * radius, height: 2.0 * radius, round: radius }
    }

    /// Returns a rectangle by its upper left corner and its size.
    #[must_use]
    pub const fn corner(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x: x + width / 2.0, y: y + height / 2.0, width, height, round: 0.0 }
    }

    pub(crate) const fn top_left(self) -> [f64; 2] {
        [self.x - self.width / 2.0, self.y - self.height / 2.0]
    }

    /// Returns the area with corners of this radius.
    #[must_use]
    pub const fn rounded(self, round: f64) -> Self {
        Self { round, ..self }
    }

    /// Returns the area shrunk on all sides, or enlarged if `by` is negative.
    pub(crate) fn inset(self, by: f64) -> Self {
        let round = (self.round - by).max(0.0);
        Self { width: self.width - 2.0 * by, height: self.height - 2.0 * by, round, ..self }
    }
}

/// The alignment of a text at a point on its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins at the point.
    Start,
    /// It is centred on the point.
    Middle,
    /// It ends at the point.
    End,
    /// It begins at the point, and all its characters have the same width.
    Mono,
}

/// A part of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled area.
    Area(Area, Paint),
    /// The edge of an area, with its width.
    Ring(Area, Paint, f64),
    /// Dots: their centres and their radius.
    Dots(Vec<[f64; 2]>, f64, Paint),
    /// A piece at a point: the SVG path of its outline, filled and with a thin line around it, and that of the thin
    /// lines on it.
    Piece([f64; 2], [&'static str; 2], Paint),
    /// A filled SVG path.
    Path(String, Paint),
    /// A line as an SVG path, with its width.
    Line(String, Paint, f64),
    /// A text at a point.
    Text {
        /// The point.
        at: [f64; 2],
        /// The text.
        text: String,
        /// The height of the letters.
        size: f64,
        /// The alignment.
        anchor: Anchor,
        /// Its colour.
        paint: Paint,
    },
    /// Parts that belong together.
    Group(Vec<Self>),
}

impl Shape {
    /// Returns a text centred on a point.
    pub fn text(x: f64, y: f64, text: impl ToString, size: f64, paint: Paint) -> Self {
        Self::Text { at: [x, y], text: text.to_string(), size, anchor: Anchor::Middle, paint }
    }

    /// Returns the same text with another anchor.
    #[must_use]
    pub fn anchored(self, to: Anchor) -> Self {
        match self {
            Self::Text { at, text, size, paint, .. } => Self::Text { at, text, size, anchor: to, paint },
            other => other,
        }
    }
}

/// A square, point, house or heap, where a mark can be put.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spot {
    /// The name, which is the one in moves if they name the spot.
    pub name: String,
    /// The place and what stands there, for people who hear the board: `e4, white pawn`.
    pub label: String,
    /// The area.
    #[serde(flatten)]
    pub area: Area,
}

impl Spot {
    /// Returns an empty spot.
    pub fn new(name: impl Into<String>, area: Area) -> Self {
        let name = name.into();
        Self { label: name.clone(), name, area }
    }

    /// Returns the spot with something on it.
    #[must_use]
    pub fn with(self, content: impl std::fmt::Display) -> Self {
        Self { label: format!("{}, {content}", self.name), ..self }
    }

    /// Returns the spot with another label.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }
}

/// A board as shapes; as JSON, what a page needs of it beside them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Picture {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The board without its pieces, the lowest part first: the same in all positions of a game, as far as possible.
    #[serde(skip)]
    pub ground: Vec<Shape>,
    /// Marks on the board, below the pieces.
    #[serde(skip)]
    pub marks: Vec<Shape>,
    /// The pieces.
    #[serde(skip)]
    pub pieces: Vec<Shape>,
    /// Whether the spots of a move form a path, drawn as an arrow; otherwise each gets a ring.
    #[serde(rename = "way")]
    pub is_way: bool,
    /// The places of the board.
    pub spots: Vec<Spot>,
    /// The spots of the last move.
    pub last: Vec<usize>,
    /// The names of the players, if the picture has better ones than [`Pictures::SIDES`].
    #[serde(skip)]
    pub players: Option<[&'static str; 2]>,
}

impl Picture {
    pub(crate) fn of_text(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let line = |(number, line): (usize, &&str)| {
            Shape::text(12.0, 24.0 + 16.9 * number as f64, line, 13.0, Paint::Ink).anchored(Anchor::Mono)
        };
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        Self {
            width: 24.0 + 8.2 * longest as f64,
            height: 26.0 + 16.9 * lines.len() as f64,
            pieces: lines.iter().enumerate().map(line).collect(),
            ..Self::default()
        }
    }

    /// Returns all shapes: the ground, the marks with those of the last move, the pieces.
    #[must_use]
    pub fn layers(&self) -> [Vec<Shape>; 3] {
        let last = self.last.iter().map(|&at| Shape::Area(self.spots[at].area, Paint::LastSquare));
        [self.ground.clone(), last.chain(self.marks.iter().cloned()).collect(), self.pieces.clone()]
    }

    pub(crate) fn spot(&self, name: &str) -> Option<usize> {
        self.spots.iter().position(|spot| spot.name == name)
    }

    /// Returns the spots that a text, such as a move, names in order; other characters are ignored.
    pub(crate) fn named(&self, text: &str) -> Vec<usize> {
        self.words(text).into_iter().flatten().collect()
    }

    /// Splits a text into the spots that it names and the letters that belong to none.
    pub(crate) fn words(&self, text: &str) -> Vec<Result<usize, char>> {
        let (mut words, mut rest) = (Vec::new(), text);
        while let Some(letter) = rest.chars().next() {
            let fits = self.spots.iter().enumerate().filter(|(_, spot)| rest.starts_with(&*spot.name));
            let longest = fits.max_by_key(|(_, spot)| spot.name.len());
            words.push(longest.map_or(Err(letter), |(at, _)| Ok(at)));
            rest = &rest[longest.map_or(letter.len_utf8(), |(_, spot)| spot.name.len())..];
        }
        words
    }
}
