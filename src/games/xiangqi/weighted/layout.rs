//! Weights by name: groups of them in a table, and the terms that they belong to.

use std::ops::Range;

/// Weights of one kind, one after another.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The name.
    pub name: &'static str,
    /// The term that it belongs to, as `explain` shows it.
    pub term: &'static str,
    /// The index of the first weight.
    pub first: usize,
    /// The number of weights.
    pub len: usize,
}

impl Group {
    /// Returns the index of one of the weights in the table.
    #[inline(always)]
    pub(crate) const fn at(self, index: usize) -> usize {
        debug_assert!(index < self.len);
        self.first + index
    }
}

/// Returns the terms in their order, each with the indices of its weights.
pub(crate) fn terms(groups: &'static [Group]) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    let terms = groups.chunk_by(|one, next| one.term == next.term);
    terms.map(|term| (term[0].term, term[0].first..term[0].first + term.iter().map(|group| group.len).sum::<usize>()))
}

/// Declares the groups of a table by their terms: a constant for each of them, all of them as `GROUPS`, and the number
/// of weights as `COUNT`.
macro_rules! groups {
    ($($term:literal { $($(#[$doc:meta])* $name:ident: $len:literal;)* })*) => {
        $crate::games::xiangqi::weighted::layout::groups! { @from 0; $($($(#[$doc])* $name: $len, $term;)*)* }

        /// All groups, in the order of the table.
        pub const GROUPS: &[$crate::games::xiangqi::weighted::Group] = &[$($($name),*),*];
    };
    (@from $first:expr;) => {
        /// The number of weights.
        pub const COUNT: usize = $first;
    };
    (@from $first:expr; $(#[$doc:meta])* $name:ident: $len:literal, $term:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: $crate::games::xiangqi::weighted::Group =
            $crate::games::xiangqi::weighted::Group { name: stringify!($name), term: $term, first: $first, len: $len };
        $crate::games::xiangqi::weighted::layout::groups! { @from $first + $len; $($rest)* }
    };
}

pub(crate) use groups;

#[cfg(test)]
mod tests {
    use super::terms;

    super::groups! {
        "material" {
            /// Two weights.
            PIECES: 2;
            /// Three more.
            PAIRS: 3;
        }
        "tempo" {
            /// The last one.
            TEMPO: 1;
        }
    }

    #[test]
    fn groups_are_in_a_row_and_terms_have_their_weights() {
        assert_eq!([PIECES.at(1), PAIRS.at(0), TEMPO.at(0), COUNT], [1, 2, 5, 6]);
        assert_eq!(GROUPS.iter().map(|group| group.name).collect::<Vec<_>>(), ["PIECES", "PAIRS", "TEMPO"]);
        assert_eq!(terms(GROUPS).collect::<Vec<_>>(), [("material", 0..5), ("tempo", 5..6)]);
    }
}
