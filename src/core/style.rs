//! The style of text for users: plain, or with the features of a terminal.

use anstyle::{AnsiColor, Style as Ansi};

/// The features of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Characters beyond ASCII.
    pub unicode: bool,
    /// Colours, by the escape sequences of ECMA-48.
    pub colour: bool,
    /// The number of characters per line; `None` for no limit.
    pub columns: Option<usize>,
}

/// The role of a piece of text, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Something that belongs to the first player.
    First,
    /// Something that belongs to the second player.
    Second,
    /// A change by the last move, or the decisive part of the position.
    Marked,
    /// Frames, labels, empty squares.
    Faint,
    /// The most prominent text.
    Strong,
    /// An error.
    Wrong,
}

impl Ink {
    const fn ansi(self) -> Ansi {
        let plain = Ansi::new();
        match self {
            Self::First => colour(AnsiColor::BrightRed),
            Self::Second => colour(AnsiColor::BrightYellow),
            Self::Marked => colour(AnsiColor::BrightGreen).bold(),
            Self::Faint => colour(AnsiColor::BrightBlack),
            Self::Strong => plain.bold(),
            Self::Wrong => colour(AnsiColor::Red),
        }
    }
}

const fn colour(colour: AnsiColor) -> Ansi {
    Ansi::new().fg_color(Some(anstyle::Color::Ansi(colour)))
}

impl Style {
    /// ASCII without colours, as for a pipe.
    pub const PLAIN: Self = Self { unicode: false, colour: false, columns: None };

    pub(crate) fn has_room(self, characters: usize) -> bool {
        self.columns.is_none_or(|columns| characters <= columns)
    }

    /// Returns the text in its colour, if colours are enabled.
    #[must_use]
    pub fn paint(self, ink: Ink, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.into();
        }
        let ansi = ink.ansi();
        format!("{ansi}{text}{ansi:#}")
    }

    /// Returns the first text if Unicode is enabled, else the second.
    pub(crate) const fn either<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_only_where_they_are_wanted() {
        assert_eq!(Style::PLAIN.paint(Ink::Marked, "x"), "x");
        let style = Style { unicode: true, colour: true, columns: None };
        assert_eq!(style.paint(Ink::First, "x"), "\u{1b}[91mx\u{1b}[0m");
        assert_eq!(style.paint(Ink::First, ""), "");
        assert_eq!((style.either("é", "e"), Style::PLAIN.either("é", "e")), ("é", "e"));
    }
}
