//! The plausibility of a move before any search, by its category.
//!
//! R. W. Floyd gave each move a likelihood: 1 if it is forced, about .01 for an implausible one such as a queen
//! sacrifice (reported by Knuth and Moore 1975). Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm
//! based on realization probability", ICGA Journal 25 (2002), take the likelihoods from games: how often a move of a
//! category was played where one was legal.

use crate::engine::MoveHint;
use crate::util::ranks;
use std::fmt;

/// The number of places by rank; the last place takes all further moves.
pub const PLACES: usize = 8;

/// The number of categories: the only move, and for each place a quiet and a forcing move.
pub const CATEGORIES: usize = 1 + 2 * PLACES;

/// The category of a move, for any game. A position has at most one move of each place, except the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The only legal move.
    Only,
    /// One of several legal moves.
    Choice {
        /// Whether it is [noisy](crate::core::MoveOrdering::is_noisy).
        forcing: bool,
        /// Its place by [rank](crate::core::MoveOrdering::move_score), from 0; at most `PLACES` - 1.
        place: usize,
    },
}

impl Category {
    /// Returns all categories, each at its [index](Self::index).
    pub fn all() -> impl Iterator<Item = Self> {
        let choices = [false, true].into_iter().flat_map(|forcing| (0..PLACES).map(move |place| (forcing, place)));
        std::iter::once(Self::Only).chain(choices.map(|(forcing, place)| Self::Choice { forcing, place }))
    }

    /// Returns the index of the category, below [`CATEGORIES`].
    pub const fn index(self) -> usize {
        match self {
            Self::Only => 0,
            Self::Choice { forcing, place } => {
                1 + if place < PLACES { place } else { PLACES - 1 } + if forcing { PLACES } else { 0 }
            }
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Only => write!(f, "only"),
            Self::Choice { forcing, place } => {
                let more = if place + 1 == PLACES { "+" } else { "" };
                write!(f, "{}-{}{more}", if forcing { "forcing" } else { "quiet" }, place + 1)
            }
        }
    }
}

/// Returns the categories of the moves of a position, in the order of the moves.
pub fn categories(hints: &[MoveHint]) -> Vec<Category> {
    if let [_] = hints {
        return vec![Category::Only];
    }
    let ranks: Vec<_> = hints.iter().map(|hint| hint.score.into()).collect();
    let mut found = vec![Category::Only; hints.len()];
    for (place, index) in ranks::descending(&ranks).into_iter().enumerate() {
        found[index] = Category::Choice { forcing: hints[index].noisy, place: place.min(PLACES - 1) };
    }
    found
}

/// The likelihood of a move of each category, above 0 and at most 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Plausibilities([f64; CATEGORIES]);

impl Default for Plausibilities {
    /// The initial likelihoods. Floyd's are 1 for a forced move and .01 for the least plausible; the values between
    /// them are our own: a half for the first place, half as much for each further one, and at least a half for forcing
    /// moves.
    fn default() -> Self {
        let mut all = [1.0; CATEGORIES];
        for category in Category::all() {
            if let Category::Choice { forcing, place } = category {
                let by_place = LEAST.max(0.5_f64.powi(place as i32 + 1));
                all[category.index()] = if forcing { by_place.max(0.5) } else { by_place };
            }
        }
        Self(all)
    }
}

const LEAST: f64 = 0.01;

impl Plausibilities {
    /// Creates likelihoods clamped to the valid range, so that every line of moves ends.
    pub fn new(mut all: [f64; CATEGORIES]) -> Self {
        for (index, likelihood) in all.iter_mut().enumerate() {
            let most = if index == Category::Only.index() { 1.0 } else { 0.99 };
            *likelihood = if likelihood.is_finite() { likelihood.clamp(1e-6, most) } else { LEAST };
        }
        Self(all)
    }

    /// Returns the likelihood of a move of this category.
    pub const fn likelihood(&self, category: Category) -> f64 {
        self.0[category.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_have_a_number_each() {
        let all: Vec<Category> = Category::all().collect();
        assert_eq!(all.len(), CATEGORIES);
        assert!(all.iter().enumerate().all(|(index, category)| category.index() == index));
        assert_eq!(all[0].to_string(), "only");
        assert_eq!((all[1].to_string(), all[8].to_string()), ("quiet-1".into(), "quiet-8+".into()));
        assert_eq!(all[9].to_string(), "forcing-1");
    }

    #[test]
    fn the_start_has_what_was_published() {
        let start = Plausibilities::default();
        assert_eq!(start.likelihood(Category::Only), 1.0);
        assert_eq!(start.likelihood(Category::Choice { forcing: false, place: 7 }), 0.01);
        assert_eq!(start.likelihood(Category::Choice { forcing: false, place: 1 }), 0.25);
        assert_eq!(start.likelihood(Category::Choice { forcing: true, place: 5 }), 0.5);
        let held = Plausibilities::new([f64::NAN; CATEGORIES]);
        assert!(Category::all().all(|category| held.likelihood(category) == 0.01));
        assert_eq!(Plausibilities::new([2.0; CATEGORIES]).likelihood(Category::Only), 1.0);
    }
}
