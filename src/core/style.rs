//! How text for people looks: plain, or as a terminal can show it.

use anstyle::{AnsiColor, Style as Ansi};

/// What a terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Characters beyond ASCII.
    pub unicode: bool,
    /// Colours, by the escape sequences of ECMA-48.
    pub colour: bool,
    /// How many characters a line has room for; `None`: any number.
    pub columns: Option<usize>,
}

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// What belongs to the first player,
    First,
    /// and to the second.
    Second,
    /// What has changed with the last move, or decides the game.
    Marked,
    /// Frames, labels, what is empty.
    Faint,
    /// What is to be seen first.
    Strong,
    /// What went wrong.
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
    /// ASCII without colours, as a pipe has it.
    pub const PLAIN: Self = Self { unicode: false, colour: false, columns: None };

    /// Whether a line of so many characters has room.
    #[must_use]
    pub fn has_room(self, characters: usize) -> bool {
        self.columns.is_none_or(|columns| characters <= columns)
    }

    /// The text in its colour, where there are colours.
    #[must_use]
    pub fn paint(self, ink: Ink, text: &str) -> String {
        if !self.colour || text.is_empty() {
            return text.into();
        }
        let ansi = ink.ansi();
        format!("{ansi}{text}{ansi:#}")
    }

    /// The first text where there are more characters than ASCII, else the second.
    #[must_use]
    pub const fn either<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
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
