//! The weights by name: which term counts what, and where its weights are in [the table](super::weights).

/// A term of the evaluation as `explain` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// The pieces, and what they are worth beside each other.
    Material,
    /// Each piece on its square.
    Places,
    /// The safe squares that pieces attack.
    Mobility,
    /// Outposts, bishops by their pawns, rooks on files.
    Pieces,
    /// The structure of the pawns.
    Pawns,
    /// Passed pawns.
    Passed,
    /// Attacks on the kings, and their pawns.
    Kings,
    /// Attacks on pieces, and space.
    Threats,
    /// The right to move.
    Tempo,
}

impl Term {
    /// All terms, in the order of `explain`.
    pub const ALL: [Self; 9] = [
        Self::Material,
        Self::Places,
        Self::Mobility,
        Self::Pieces,
        Self::Pawns,
        Self::Passed,
        Self::Kings,
        Self::Threats,
        Self::Tempo,
    ];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Places => "places",
            Self::Mobility => "mobility",
            Self::Pieces => "pieces",
            Self::Pawns => "pawns",
            Self::Passed => "passed pawns",
            Self::Kings => "king safety",
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

// "By rank" means the owner's ranks: its first is 0.
groups! {
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL: 5, Material;
    /// Products of the numbers of two of pawns, knights, bishops, rooks, queens, bishop pairs: by the later kind, then by
    /// the earlier or the same.
    MATERIAL_OWN: 21, Material;
    /// The same of the own number and the opponent's number of an earlier kind.
    MATERIAL_OPPOSED: 15, Material;
    /// The number of own pawns; then knights, bishops, rooks and queens, each by the number of own pawns.
    PAWNS_OWN: 45, Material;
    /// Knights, bishops, rooks and queens, each by the number of the opponent's pawns.
    PAWNS_OPPOSED: 36, Material;
    /// By piece, then by square as its owner sees it, mirrored if its king is on the files a to d.
    PLACES: 384, Places;
    /// By safe squares attacked.
    KNIGHT_MOBILITY: 9, Mobility;
    /// By safe squares attacked.
    BISHOP_MOBILITY: 14, Mobility;
    /// By safe squares attacked.
    ROOK_MOBILITY: 15, Mobility;
    /// By safe squares attacked.
    QUEEN_MOBILITY: 28, Mobility;
    /// A bishop, by the number of own pawns on squares of its colour.
    BISHOP_PAWNS: 9, Pieces;
    /// A piece that no pawn can attack: knight, bishop, each without and with the protection of a pawn.
    OUTPOST: 4, Pieces;
    /// A knight that attacks a free outpost.
    OUTPOST_REACHED: 1, Pieces;
    /// A knight or bishop right behind a pawn.
    MINOR_BEHIND_PAWN: 1, Pieces;
    /// A rook on a file without own pawns: with and without the opponent's.
    ROOK_FILE: 2, Pieces;
    /// A rook on the seventh rank with the king on the eighth, or pawns on the seventh.
    ROOK_SEVENTH: 1, Pieces;
    /// A rook behind a passed pawn: its own side's, the opponent's.
    ROOK_BEHIND_PASSED: 2, Pieces;
    /// A pawn without own pawns on the files beside it, by distance to the edge; then on a file without opposing pawns.
    ISOLATED: 8, Pawns;
    /// A pawn behind an own one: not isolated, isolated.
    DOUBLED: 2, Pawns;
    /// A pawn that cannot advance safely and has all its neighbours in front of it, by rank; then without an opposing
    /// pawn on its file.
    BACKWARD: 16, Pawns;
    /// A pawn beside another, by rank.
    PHALANX: 8, Pawns;
    /// A pawn protected by another, by rank.
    SUPPORTED: 8, Pawns;
    /// A pawn with as many helpers as opponents on its way, by rank.
    CANDIDATE: 8, Pawns;
    /// A group of neighbouring files with pawns.
    ISLAND: 1, Pawns;
    /// By rank.
    PASSED: 8, Passed;
    /// By distance to the edge.
    PASSED_FILE: 4, Passed;
    /// The square in front is occupied by the opponent, by rank.
    PASSED_BLOCKED: 8, Passed;
    /// The opponent does not attack the square in front, by rank.
    PASSED_SAFE: 8, Passed;
    /// No piece is on the way, and the opponent attacks none of it, by rank.
    PASSED_FREE: 8, Passed;
    /// The square in front is protected, by rank.
    PASSED_HELPED: 8, Passed;
    /// Beside another passed pawn or protected by one, by rank.
    PASSED_CONNECTED: 8, Passed;
    /// The distance of the own king to the square in front; on the fourth rank, the fifth, the sixth, the seventh.
    PASSED_KING: 32, Passed;
    /// The distance of the opponent's king, likewise.
    PASSED_OPPONENT: 32, Passed;
    /// The opponent has no pieces, and its king is outside the square of the pawn.
    UNSTOPPABLE: 1, Passed;
    /// By the [units](super::kings) of an attack on the king.
    DANGER: 48, Kings;
    /// Squares from which a knight, bishop, rook or queen could safely give check.
    SAFE_CHECK: 4, Kings;
    /// The files of the king and beside it: by distance to the edge, then rank of the own pawn nearest to the king;
    /// 0 for none.
    SHELTER: 32, Kings;
    /// The same of the opponent's pawns that may advance.
    STORM: 32, Kings;
    /// The opponent's pawn is blocked by the own one, by rank.
    STORM_BLOCKED: 8, Kings;
    /// The distance to the nearest pawn.
    KING_PAWN: 8, Kings;
    /// A right to castle.
    CASTLING: 1, Kings;
    /// The distance of a knight to the own king; the same of a bishop.
    KING_DISTANCE: 16, Kings;
    /// A pawn, knight, bishop, rook or queen that is pinned to its king.
    PINNED: 5, Kings;
    /// A pawn attacks a knight, bishop, rook, queen.
    PAWN_THREAT: 4, Threats;
    /// A knight or bishop attacks a weak pawn, a knight, bishop, rook, queen.
    MINOR_THREAT: 5, Threats;
    /// A rook attacks a weak pawn, a weak knight, bishop, rook, a queen.
    ROOK_THREAT: 5, Threats;
    /// The king attacks a weak piece or pawn.
    KING_THREAT: 1, Threats;
    /// A piece is attacked and not protected, or attacked twice and protected once.
    HANGING: 1, Threats;
    /// A pawn could attack a piece by a safe advance.
    PUSH_THREAT: 1, Threats;
    /// Squares from which a knight, or a bishop or rook, could safely attack the queen.
    QUEEN_THREAT: 2, Threats;
    /// A square that the opponent attacks and does not hold.
    RESTRICTED: 1, Threats;
    /// A safe square behind the pawns in the centre.
    SPACE: 1, Threats;
    /// The side to move.
    TEMPO: 1, Tempo;
}
