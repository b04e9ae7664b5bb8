//! Shared parts of the tests: random numbers, random games, the option sets of every game, dialogues.
#![allow(dead_code, reason = "no test file uses everything")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "all of it is tests")]

pub mod claims;
pub mod dialogue;
pub mod kalah;
pub mod learning;
pub mod tree;

use secateurs::core::{OptionKind, Options};
use secateurs::engine::Board;
use secateurs::registry::{GAMES, GameRow};

/// A reproducible sequence of random numbers (Steele, Lea and Flood 2014: SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number from 0 to `count - 1`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// Returns true with a chance of `percent` in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of several choices.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// Returns every game with every option set worth a test: the defaults, and each option at each of its extremes.
/// Extremes that the game refuses to combine with the other defaults are left out.
pub fn variants() -> Vec<(&'static GameRow, Options)> {
    let mut variants = Vec::new();
    for row in GAMES {
        variants.push((row, row.defaults()));
        for option in row.options {
            let values: Vec<String> = match option.kind {
                OptionKind::Check { default } => vec![(!default).to_string()],
                OptionKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
                OptionKind::Combo { choices, .. } => choices.iter().map(ToString::to_string).collect(),
                OptionKind::Text { .. } | OptionKind::File | OptionKind::Folder => vec![],
            };
            for value in values {
                let mut options = row.defaults();
                options.set(option.name, &value).unwrap();
                if row.start(&options).is_ok() {
                    variants.push((row, options));
                }
            }
        }
    }
    variants
}

/// Describes the options that differ from their defaults, for messages.
pub fn describe(row: &GameRow, options: &Options) -> String {
    let differing = options.iter().filter(|(row, value)| row.default_value() != **value);
    let list: Vec<_> = differing.map(|(row, value)| format!("{}={value}", row.name)).collect();
    format!("{} {}", row.name, list.join(" "))
}

/// Returns the boards of a random game, including the first and the last one. It ends where the game is over by its
/// rules, though there may be legal moves.
pub fn walk(start: &dyn Board, random: &mut Random) -> Vec<Box<dyn Board>> {
    let mut boards = vec![start.boxed()];
    loop {
        let mut next = boards[boards.len() - 1].boxed();
        let moves = next.moves();
        if moves.is_empty() || next.outcome().is_some() {
            return boards;
        }
        next.play(random.pick::<String>(&moves)).unwrap();
        boards.push(next);
    }
}

/// Returns a binary file as the next version of its format would be: the version in its header, with the checksum of
/// the header.
pub fn newer(file: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    bytes[8] += 1;
    let end = 16 + u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    let sum = crc32fast::hash(&bytes[..end]).to_le_bytes();
    bytes[end..end + 4].copy_from_slice(&sum);
    bytes
}
