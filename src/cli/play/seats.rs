//! Who plays which side, and how they are spoken of.

use crate::core;
use clap::ValueEnum;

/// The side, or sides, that people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// The side that is p1: South, White, player 1
    First,
    /// The other side
    Second,
    /// Two people play
    Both,
    /// The engine plays against itself
    None,
}

impl Side {
    /// Whether a person plays that side.
    #[must_use]
    pub const fn has(self, side: core::Side) -> bool {
        match self {
            Self::First => matches!(side, core::Side::First),
            Self::Second => matches!(side, core::Side::Second),
            Self::Both => true,
            Self::None => false,
        }
    }

    /// The sides exchanged; `None` where that changes nothing.
    #[must_use]
    pub const fn swapped(self) -> Option<Self> {
        match self {
            Self::First => Some(Self::Second),
            Self::Second => Some(Self::First),
            Self::Both | Self::None => None,
        }
    }

    /// The players as records name them.
    #[must_use]
    pub fn names(self) -> [&'static str; 2] {
        [core::Side::First, core::Side::Second].map(|side| if self.has(side) { PERSON } else { ENGINE })
    }

    /// The side by the names of a record, if they are those of such a one.
    #[must_use]
    pub fn named(names: &[String; 2]) -> Option<Self> {
        [Self::First, Self::Second, Self::Both, Self::None].into_iter().find(|side| side.names() == *names)
    }
}

const PERSON: &str = "person";
const ENGINE: &str = "secateur";

/// How the player of a side is spoken of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person who plays against the engine.
    You,
    /// The engine that plays against a person.
    I,
    /// Everybody else.
    Named(&'static str),
}

impl Speaker {
    /// The player of `side`, whose sides are called so.
    #[must_use]
    pub fn of(seats: Side, side: core::Side, sides: [&'static str; 2]) -> Self {
        match seats {
            Side::Both | Side::None => Self::Named(sides[side.index()]),
            _ if seats.has(side) => Self::You,
            _ => Self::I,
        }
    }

    /// With a verb: `You win`, `I win`, `South wins`.
    #[must_use]
    pub fn does(&self, verb: &str) -> String {
        let third = || match verb {
            "are" => "is".to_owned(),
            "have" => "has".to_owned(),
            _ => format!("{verb}s"),
        };
        match (self, verb) {
            (Self::You, _) => format!("you {verb}"),
            (Self::I, "are") => "I am".into(),
            (Self::I, _) => format!("I {verb}"),
            (Self::Named(name), _) => format!("{name} {}", third()),
        }
    }
}

/// A text with a capital letter, as a sentence begins; players of one letter, as x and o, stay as they are.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second != ' ' || first == 'a' => {
            first.to_uppercase().chain([second]).chain(chars).collect()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_spoken_of_as_people_do() {
        let names = ["South", "North"];
        let says = |seats, side, verb| Speaker::of(seats, side, names).does(verb);
        assert_eq!(says(Side::First, core::Side::First, "win"), "you win");
        assert_eq!(says(Side::First, core::Side::Second, "are"), "I am");
        assert_eq!(says(Side::Both, core::Side::Second, "are"), "North is");
        assert_eq!(says(Side::None, core::Side::First, "resign"), "South resigns");
        assert_eq!(
            (sentence("you win"), sentence("x wins"), sentence("")),
            ("You win".into(), "x wins".into(), "".into())
        );
    }

    #[test]
    fn records_name_the_seats() {
        for side in [Side::First, Side::Second, Side::Both, Side::None] {
            assert_eq!(Side::named(&side.names().map(str::to_owned)), Some(side));
        }
        assert_eq!(Side::named(&["a".into(), "b".into()]), None);
    }
}
