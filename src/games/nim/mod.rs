//! Nim: heaps of objects; a move takes any number, at least one, from one heap.
//!
//! The player who takes the last object wins, or loses in misère play. The theory (Bouton 1901) is complete; by default
//! the game's bounds follow it, as in Sterling and Shapiro's program. Without it, Nim is an ordinary small game tree.

mod picture;
mod rules;
pub mod theory;

use crate::core::{BenchRow, Error, Game, Notation, OptionRow, Options, Records, score};

pub use rules::{Heaps, Take};
pub use theory::NimHeuristics;

/// The maximum number of heaps.
pub(crate) const MAX_HEAPS: usize = 16;

/// The maximum number of objects in all heaps: a game may last as many plies, the largest distance of a win in scores.
pub(crate) const MAX_OBJECTS: u32 = score::MAX_DISTANCE.cast_unsigned();

/// The game with fixed rules.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Vec<u8>,
    misere: bool,
    max_take: u8,
    theory: bool,
}

impl Game for Nim {
    type Position = Heaps;
    type Heuristics = NimHeuristics;

    const NAME: &'static str = "nim";
    const ABOUT: &'static str = "Nim, normal or misère, with or without a limit on the objects of a move";
    const OPTIONS: &'static [OptionRow] = &[
        OptionRow::text("Heaps", "3,4,5")
            .help("heaps of nim's startpos: 1 to 16 numbers from 0 to 255, separated by commas; at most 3199 in all"),
        OptionRow::check("Misere", false).help("misère nim: the player who takes the last object loses"),
        OptionRow::spin("MaxTake", 255, 1..=255).help("maximum number of objects that a move of nim takes"),
        OptionRow::check("Theory", true).help("use the theory of nim; off: search alone"),
    ];
    const BENCH: &'static [BenchRow] = &[
        BenchRow { options: &[], position: "startpos", depth: 12 },
        BenchRow { options: &[("Theory", "false")], position: "3,4,5 1", depth: 12 },
        BenchRow { options: &[("Theory", "false"), ("Misere", "true")], position: "5,6,7,8 2", depth: 14 },
        BenchRow { options: &[("Theory", "false"), ("MaxTake", "3")], position: "13,12,11,10 1", depth: 19 },
    ];

    fn new(options: &Options) -> Result<Self, Error> {
        let text = options.text("Heaps");
        let heaps = rules::parse_heaps(text).map_err(|expected| Error::bad_value("Heaps", text, expected))?;
        Ok(Self {
            heaps,
            misere: options.check("Misere"),
            max_take: u8::try_from(options.spin("MaxTake")).unwrap_or(u8::MAX),
            theory: options.check("Theory"),
        })
    }

    fn heuristics(&self) -> NimHeuristics {
        NimHeuristics { theory: self.theory }
    }
}

impl Records for Nim {
    /// The heaps, the player to move and the rules.
    fn book_key(&self, pos: &Heaps) -> Vec<u8> {
        format!("{} {} {}", self.write(pos), self.misere, self.max_take).into()
    }
}
