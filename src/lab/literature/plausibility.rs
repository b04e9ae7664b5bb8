//! How plausible a move is before anything is searched: by its category.
//!
//! R. W. Floyd gave each move a likelihood: 1 if it is forced, .01 or so for what nobody plays, as the sacrifice of a queen (told
//! by Knuth and Moore 1975). Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm based on realization
//! probability", ICGA Journal 25 (2002), take the likelihoods from games: how often a move of a category was played where there
//! was one.

use crate::engine::MoveHint;
use std::cmp::Reverse;
use std::fmt;

/// Moves are told apart by their place in the game's own order up to this one, which has all the rest.
pub const PLACES: usize = 8;

/// The categories: the only move; for each place a quiet move and a forcing one.
pub const CATEGORIES: usize = 1 + 2 * PLACES;

/// What every game can tell of a move: a category of which a position has one move at most, but for the last places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// There is no other.
    Only,
    /// One of several.
    Choice {
        /// Whether it is [noisy](crate::core::MoveOrdering::is_noisy).
        forcing: bool,
        /// Its place by [rank](crate::core::MoveOrdering::move_score), from 0; at most [`PLACES`] - 1.
        place: usize,
    },
}

impl Category {
    /// All of them, each at its [index](Self::index).
    pub fn all() -> impl Iterator<Item = Self> {
        let choices = [false, true].into_iter().flat_map(|forcing| (0..PLACES).map(move |place| (forcing, place)));
        std::iter::once(Self::Only).chain(choices.map(|(forcing, place)| Self::Choice { forcing, place }))
    }

    /// Its number, below [`CATEGORIES`].
    #[must_use]
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

/// The categories of the moves of a position, in their order.
#[must_use]
pub fn categories(hints: &[MoveHint]) -> Vec<Category> {
    if let [_] = hints {
        return vec![Category::Only];
    }
    let mut by_rank: Vec<usize> = (0..hints.len()).collect();
    by_rank.sort_by_key(|&index| Reverse(hints[index].score));
    let mut found = vec![Category::Only; hints.len()];
    for (place, index) in by_rank.into_iter().enumerate() {
        found[index] = Category::Choice { forcing: hints[index].noisy, place: place.min(PLACES - 1) };
    }
    found
}

/// How likely a move of each category is, from above 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Plausibilities([f64; CATEGORIES]);

impl Default for Plausibilities {
    /// What to start with. Published are 1 for a forced move and .01 for what looks worst; ours is the way between: a half for the
    /// first place, half as much for each further one, and a half at least for moves that force.
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

/// The least likelihood to start with.
const LEAST: f64 = 0.01;

impl Plausibilities {
    /// These, each held within what a likelihood can be: a line of moves comes to its end.
    #[must_use]
    pub fn new(mut all: [f64; CATEGORIES]) -> Self {
        for (index, likelihood) in all.iter_mut().enumerate() {
            let most = if index == Category::Only.index() { 1.0 } else { 0.99 };
            *likelihood = if likelihood.is_finite() { likelihood.clamp(1e-6, most) } else { LEAST };
        }
        Self(all)
    }

    /// The likelihood of a move of this category.
    #[must_use]
    pub const fn of(&self, category: Category) -> f64 {
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
        assert_eq!(start.of(Category::Only), 1.0);
        assert_eq!(start.of(Category::Choice { forcing: false, place: 7 }), 0.01);
        assert_eq!(start.of(Category::Choice { forcing: false, place: 1 }), 0.25);
        assert_eq!(start.of(Category::Choice { forcing: true, place: 5 }), 0.5);
        let held = Plausibilities::new([f64::NAN; CATEGORIES]);
        assert!(Category::all().all(|category| held.of(category) == 0.01));
        assert_eq!(Plausibilities::new([2.0; CATEGORIES]).of(Category::Only), 1.0);
    }
}
