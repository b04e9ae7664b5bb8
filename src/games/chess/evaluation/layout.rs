//! The weights by name: which term counts what, and where its weights are in [the table](super::weights).

use crate::games::weighted::layout::groups;

// "By rank" means the owner's ranks: its first is 0.
groups! {
    "material" {
        /// Pawn, knight, bishop, rook, queen.
        MATERIAL: 5;
        /// Products of the numbers of two kinds, of pawns, knights, bishops, rooks, queens and bishop pairs: by the
        /// later kind, then by the earlier or the same one.
        MATERIAL_OWN: 21;
        /// The same for own pieces of the later kind and the opponent's of the earlier.
        MATERIAL_OPPOSED: 15;
        /// The number of own pawns; then knights, bishops, rooks and queens, each by the number of own pawns.
        PAWNS_OWN: 45;
        /// Knights, bishops, rooks and queens, each by the number of the opponent's pawns.
        PAWNS_OPPOSED: 36;
    }
    "places" {
        /// By piece, then by square as its owner sees it, mirrored if its king is on the files a to d.
        PLACES: 384;
    }
    "mobility" {
        /// By safe squares attacked.
        KNIGHT_MOBILITY: 9;
        /// By safe squares attacked.
        BISHOP_MOBILITY: 14;
        /// By safe squares attacked.
        ROOK_MOBILITY: 15;
        /// By safe squares attacked.
        QUEEN_MOBILITY: 28;
    }
    "pieces" {
        /// A bishop, by the number of own pawns on squares of its colour.
        BISHOP_PAWNS: 9;
        /// A piece that no pawn can attack: knight, bishop, each without and with the protection of a pawn.
        OUTPOST: 4;
        /// A knight that attacks a free outpost.
        OUTPOST_REACHED: 1;
        /// A knight or bishop right behind a pawn.
        MINOR_BEHIND_PAWN: 1;
        /// A rook on a file without own pawns: with and without the opponent's.
        ROOK_FILE: 2;
        /// A rook on the seventh rank with the king on the eighth, or pawns on the seventh.
        ROOK_SEVENTH: 1;
        /// A rook behind a passed pawn: its own side's, the opponent's.
        ROOK_BEHIND_PASSED: 2;
    }
    "pawns" {
        /// A pawn without own pawns on the files beside it, by distance to the edge; then on a file without opposing
        /// pawns.
        ISOLATED: 8;
        /// A pawn behind another of its side: not isolated, isolated.
        DOUBLED: 2;
        /// A pawn that cannot advance safely and has all its neighbours in front of it, by rank; then without an
        /// opposing pawn on its file.
        BACKWARD: 16;
        /// A pawn beside another, by rank.
        PHALANX: 8;
        /// A pawn protected by another, by rank.
        SUPPORTED: 8;
        /// A pawn with as many helpers as opponents on its way, by rank.
        CANDIDATE: 8;
        /// A group of neighbouring files with pawns.
        ISLAND: 1;
    }
    "passed pawns" {
        /// By rank.
        PASSED: 8;
        /// By distance to the edge.
        PASSED_FILE: 4;
        /// The square in front is occupied by the opponent, by rank.
        PASSED_BLOCKED: 8;
        /// The opponent does not attack the square in front, by rank.
        PASSED_SAFE: 8;
        /// No piece is on the way, and the opponent attacks none of it, by rank.
        PASSED_FREE: 8;
        /// The square in front is protected, by rank.
        PASSED_HELPED: 8;
        /// Beside another passed pawn or protected by one, by rank.
        PASSED_CONNECTED: 8;
        /// The distance of the side's king to the square in front, by the pawn's rank from the fourth to the seventh.
        PASSED_KING: 32;
        /// The distance of the opponent's king to that square, on the same ranks.
        PASSED_OPPONENT: 32;
        /// The opponent has no pieces, and its king is outside the square of the pawn.
        UNSTOPPABLE: 1;
    }
    "king safety" {
        /// By the [units](super::kings) of an attack on the king.
        DANGER: 48;
        /// Squares from which a knight, bishop, rook or queen could safely give check.
        SAFE_CHECK: 4;
        /// The king's file and those beside it: by distance to the edge, then by the rank of the own pawn nearest to
        /// the king, 0 for none.
        SHELTER: 32;
        /// The same for the opponent's pawns that may advance.
        STORM: 32;
        /// An opponent's pawn that an own pawn blocks, by rank.
        STORM_BLOCKED: 8;
        /// The distance of the king to the nearest pawn.
        KING_PAWN: 8;
        /// A right to castle.
        CASTLING: 1;
        /// The distance of a knight to its king, then that of a bishop.
        KING_DISTANCE: 16;
        /// A pawn, knight, bishop, rook or queen that is pinned to its king.
        PINNED: 5;
    }
    "threats" {
        /// A pawn attacks a knight, bishop, rook, queen.
        PAWN_THREAT: 4;
        /// A knight or bishop attacks a weak pawn, a knight, bishop, rook, queen.
        MINOR_THREAT: 5;
        /// A rook attacks a weak pawn, a weak knight, bishop, rook, a queen.
        ROOK_THREAT: 5;
        /// The king attacks a weak piece or pawn.
        KING_THREAT: 1;
        /// A piece is attacked and not protected, or attacked twice and protected once.
        HANGING: 1;
        /// A pawn could attack a piece by a safe advance.
        PUSH_THREAT: 1;
        /// Squares from which a knight, or a bishop or rook, could safely attack the queen.
        QUEEN_THREAT: 2;
        /// A square that the opponent attacks and does not hold.
        RESTRICTED: 1;
        /// A safe square behind the pawns in the centre.
        SPACE: 1;
    }
    "tempo" {
        /// The side to move.
        TEMPO: 1;
    }
}
