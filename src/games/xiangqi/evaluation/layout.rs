//! The weights by name: which term counts what, and where its weights are in [the table](super::weights).

use crate::games::xiangqi::weighted::layout::groups;

// "By kind" means general, advisor, elephant, horse, chariot, cannon, soldier; an attacker is one of the last four.
groups! {
    "material" {
        /// By kind.
        MATERIAL: 7;
        /// Products of the numbers of two kinds, of advisors, elephants, horses, chariots, cannons and soldiers: by the
        /// later kind, then by the earlier or the same one.
        MATERIAL_OWN: 21;
        /// The same for own pieces of the later kind and the opponent's of the earlier.
        MATERIAL_OPPOSED: 15;
    }
    "places" {
        /// By kind, then by rank as the owner sees it, then by file from the edge to the middle.
        PLACES: 350;
    }
    "mobility" {
        /// A horse, by the points it reaches.
        HORSE_MOBILITY: 9;
        /// A chariot, by the points it reaches.
        CHARIOT_MOBILITY: 18;
        /// A cannon, by the points it reaches.
        CANNON_MOBILITY: 18;
    }
    "palace" {
        /// A point of the opponent's palace that an attacker attacks, by its kind.
        PALACE_ATTACK: 4;
        /// The product of the missing advisors and the opponent's attackers of each kind; then of the missing
        /// elephants.
        MISSING_GUARDS: 8;
        /// A cannon on the file or rank of the opponent's general, by the pieces between: none, one, two.
        CANNON_LINE: 3;
        /// A chariot on the file or rank of the opponent's general behind one piece: the opponent's, one of its side.
        CHARIOT_LINE: 2;
        /// Points from which a horse, chariot or cannon could safely give check.
        SAFE_CHECK: 3;
        /// An advisor protected by the other; an elephant.
        GUARDED: 2;
    }
    "threats" {
        /// A piece that is attacked and not protected, by kind.
        HANGING: 7;
        /// An attack on a more valuable piece: by a horse on a chariot; by a cannon on a chariot; by a soldier on a
        /// horse, a chariot, a cannon.
        THREAT: 5;
        /// A point beyond the river that an attacker attacks, by its kind.
        SPACE: 4;
        /// A soldier beyond the river beside another.
        PHALANX: 1;
    }
    "tempo" {
        /// The side to move.
        TEMPO: 1;
    }
}
