//! The weights by name: which term counts what, and where its weights are in [the table](super::weights).

/// A term of the evaluation as `explain` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The pieces.
    Material,
    /// Each piece on its point.
    Places,
    /// The points that pieces reach.
    Mobility,
    /// Attacks on the palaces, and their guards.
    Palace,
    /// Attacks on pieces.
    Threats,
    /// The right to move.
    Tempo,
}

impl Term {
    /// All terms, in the order of `explain`.
    pub const ALL: [Self; 6] = [Self::Material, Self::Places, Self::Mobility, Self::Palace, Self::Threats, Self::Tempo];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Places => "places",
            Self::Mobility => "mobility",
            Self::Palace => "palace",
            Self::Threats => "threats",
            Self::Tempo => "tempo",
        }
    }
}

/// Weights of one kind, in a row.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The name.
    pub name: &'static str,
    /// The term that it belongs to.
    pub term: Term,
    /// The index of the first weight.
    pub first: usize,
    /// The number of weights.
    pub len: usize,
}

impl Group {
    /// The index of one of the weights in the table.
    #[inline(always)]
    #[must_use]
    pub const fn at(self, index: usize) -> usize {
        debug_assert!(index < self.len);
        self.first + index
    }
}

macro_rules! groups {
    ($($(#[$doc:meta])* $name:ident: $len:literal, $term:ident;)*) => {
        groups! { @from 0; $($(#[$doc])* $name: $len, $term;)* }

        /// All groups, in the order of the table.
        pub const GROUPS: &[Group] = &[$($name),*];
    };
    (@from $first:expr;) => {
        /// The number of weights.
        pub const COUNT: usize = $first;
    };
    (@from $first:expr; $(#[$doc:meta])* $name:ident: $len:literal, $term:ident; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $name: Group = Group { name: stringify!($name), term: Term::$term, first: $first, len: $len };
        groups! { @from $first + $len; $($rest)* }
    };
}

// "By kind" means general, advisor, elephant, horse, chariot, cannon, soldier; an attacker is one of the last four.
groups! {
    /// By kind.
    MATERIAL: 7, Material;
    /// By kind, then by rank as the owner sees it, then by file from the edge to the middle.
    PLACES: 350, Places;
    /// A horse, by the points it reaches.
    HORSE_MOBILITY: 9, Mobility;
    /// A chariot, by the points it reaches.
    CHARIOT_MOBILITY: 18, Mobility;
    /// A cannon, by the points it reaches.
    CANNON_MOBILITY: 18, Mobility;
    /// A point of the opponent's palace that an attacker attacks, by its kind.
    PALACE_ATTACK: 4, Palace;
    /// The product of the missing advisors and the opponent's attackers of each kind; then of the missing elephants.
    MISSING_GUARDS: 8, Palace;
    /// A cannon on the file or rank of the opponent's general, by the pieces between: none, one, two.
    CANNON_LINE: 3, Palace;
    /// A chariot on the file or rank of the opponent's general with one piece between: the opponent's, an own one.
    CHARIOT_LINE: 2, Palace;
    /// A piece that is attacked and not protected, by kind.
    HANGING: 7, Threats;
    /// An attack on a more valuable piece: by a horse on a chariot; by a cannon on a chariot; by a soldier on a horse, a
    /// chariot, a cannon.
    THREAT: 5, Threats;
    /// The side to move.
    TEMPO: 1, Tempo;
}
