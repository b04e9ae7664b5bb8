//! The players of the sides, and their names in sentences.

use clap::ValueEnum;
use secateurs::core;

/// The sides that people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// First player: South, White, player 1; Black in checkers and Othello, Red in xiangqi
    First,
    /// Second player
    Second,
    /// Both sides: two people play
    Both,
    /// Neither side: the engine plays against itself
    None,
}

impl Side {
    /// Returns whether a person plays this side.
    pub(crate) const fn has(self, side: core::Side) -> bool {
        match self {
            Self::First => matches!(side, core::Side::First),
            Self::Second => matches!(side, core::Side::Second),
            Self::Both => true,
            Self::None => false,
        }
    }

    /// Exchanges the sides; `None` if that changes nothing.
    pub(crate) const fn swapped(self) -> Option<Self> {
        match self {
            Self::First => Some(Self::Second),
            Self::Second => Some(Self::First),
            Self::Both | Self::None => None,
        }
    }

    /// Returns the players' names in records.
    pub(crate) fn names(self) -> [&'static str; 2] {
        [core::Side::First, core::Side::Second].map(|side| if self.has(side) { PERSON } else { ENGINE })
    }

    /// Returns the sides that people play, by the players' names in a record, if they match.
    pub(crate) fn named(names: &[String; 2]) -> Option<Self> {
        [Self::First, Self::Second, Self::Both, Self::None].into_iter().find(|side| side.names() == *names)
    }
}

const PERSON: &str = "person";
const ENGINE: &str = "secateurs";

/// The player of a side, in sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person who plays against the engine.
    You,
    /// The engine that plays against a person.
    I,
    /// Any other player.
    Named(&'static str),
}

impl Speaker {
    /// Returns the player of `side`, given the names of the sides.
    pub(crate) fn new(seats: Side, side: core::Side, sides: [&'static str; 2]) -> Self {
        match seats {
            Side::Both | Side::None => Self::Named(sides[side.index()]),
            _ if seats.has(side) => Self::You,
            _ => Self::I,
        }
    }

    /// Returns the player with a verb: `You win`, `I win`, `South wins`.
    pub(crate) fn does(&self, verb: &str) -> String {
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

/// Capitalizes a sentence; players of one letter, such as x and o, stay unchanged.
pub(crate) fn sentence(text: &str) -> String {
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
    fn verbs_agree_with_players() {
        let names = ["South", "North"];
        let says = |seats, side, verb| Speaker::new(seats, side, names).does(verb);
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
