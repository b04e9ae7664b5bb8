//! The board: points, the regions of the pieces, and where pieces step.
//!
//! ```text
//!  10  81 82 83 84 85 86 87 88 89      the points by number; ranks from 1 to 10 as text, from 0 to 9 here
//!   :   :                             the palaces are d1 to f3 and d8 to f10
//!   6  45 46 47 48 49 50 51 52 53
//!      ---------- river ---------
//!   5  36 37 38 39 40 41 42 43 44
//!   :   :
//!   1   0  1  2  3  4  5  6  7  8
//!       a  b  c  d  e  f  g  h  i
//! ```

use crate::core::Side;

pub(crate) const FILES: u8 = 9;

pub(crate) const RANKS: u8 = 10;

pub(crate) const POINTS: usize = 90;

/// Returns the point on a file and a rank, both from 0.
#[inline]
pub(crate) const fn point(file: u8, rank: u8) -> u8 {
    rank * FILES + file
}

#[inline]
pub(crate) const fn file(point: u8) -> u8 {
    point % FILES
}

#[inline]
pub(crate) const fn rank(point: u8) -> u8 {
    point / FILES
}

/// Returns the point as a side sees it: its own first rank is 0.
#[inline]
pub(crate) const fn seen(point: u8, side: Side) -> u8 {
    match side {
        Side::First => point,
        Side::Second => point + (RANKS - 1) * FILES - 2 * rank(point) * FILES,
    }
}

/// Returns the set with one point.
#[inline]
pub(crate) const fn bit(point: u8) -> u128 {
    1 << point
}

/// Iterates over the points of a set.
#[inline]
pub(crate) fn points(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let next = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (next < 128).then_some(next)
    })
}

/// Returns the set of the points that a test accepts.
macro_rules! region {
    (|$file:ident, $rank:ident| $test:expr) => {{
        let (mut set, mut at) = (0, 0);
        while at < POINTS as u8 {
            let ($file, $rank) = (file(at), rank(at));
            if $test {
                set |= bit(at);
            }
            at += 1;
        }
        set
    }};
}

/// The palace of either side.
pub(crate) const PALACE: [u128; 2] =
    [region!(|file, rank| file / 3 == 1 && rank < 3), region!(|file, rank| file / 3 == 1 && rank > 6)];

/// The points of a side's advisors.
pub(crate) const ADVISORS: [u128; 2] = [
    PALACE[0] & region!(|file, rank| (file == 4) == (rank == 1)),
    PALACE[1] & region!(|file, rank| (file == 4) == (rank == 8)),
];

/// The points of a side's elephants.
pub(crate) const ELEPHANTS: [u128; 2] = [
    region!(|file, rank| rank < 5 && rank % 2 == 0 && file % 2 == 0 && file % 4 == if rank == 2 { 0 } else { 2 }),
    region!(|file, rank| rank > 4 && rank % 2 == 1 && file % 2 == 0 && file % 4 == if rank == 7 { 0 } else { 2 }),
];

/// The points of a side's soldiers: on their files up to the river, all beyond it.
pub(crate) const SOLDIERS: [u128; 2] = [
    region!(|file, rank| rank > 4 || (rank > 2 && file % 2 == 0)),
    region!(|file, rank| rank < 5 || (rank < 7 && file % 2 == 0)),
];

/// A step of a piece to a point, and the point that must be vacant for it; the piece's own point if none must.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The target.
    pub to: u8,
    /// The horse's leg, the elephant's eye.
    pub over: u8,
}

/// The steps from a point.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    steps: [Step; 8],
    len: u8,
}

impl Steps {
    const NONE: Self = Self { steps: [Step { to: 0, over: 0 }; 8], len: 0 };

    #[inline]
    pub(crate) fn all(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// Adds the step by some files and ranks if it ends on a point of the set; the vacant point is relative too.
    const fn add(&mut self, from: u8, by: (i8, i8), over: (i8, i8), within: u128) {
        let (Some(to), Some(over)) = (shifted(from, by), shifted(from, over)) else { return };
        if within & bit(to) != 0 {
            self.steps[self.len as usize] = Step { to, over };
            self.len += 1;
        }
    }
}

/// Returns the point some files and ranks away; `None` beyond the edge.
const fn shifted(from: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = (file(from) as i8 + files, rank(from) as i8 + ranks);
    if file < 0 || file >= FILES as i8 || rank < 0 || rank >= RANKS as i8 {
        return None;
    }
    Some(point(file as u8, rank as u8))
}

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// Returns the table of the steps that a function adds for a point.
macro_rules! table {
    ($(|$from:ident, $steps:ident, $direction:ident| $body:block)+) => {{
        let mut table = [Steps::NONE; POINTS];
        let mut from = 0;
        while from < POINTS as u8 {
            $({
                let mut $direction = 0;
                let $from = from;
                while $direction < 4 {
                    let $steps = &mut table[from as usize];
                    $body
                    $direction += 1;
                }
            })+
            from += 1;
        }
        table
    }};
}

/// The steps of generals: orthogonal, within the palace.
pub(crate) static GENERAL: [Steps; POINTS] = table!(|from, steps, direction| {
    if (PALACE[0] | PALACE[1]) & bit(from) != 0 {
        steps.add(from, ORTHOGONAL[direction], (0, 0), PALACE[0] | PALACE[1]);
    }
});

/// The steps of advisors: diagonal, within the palace.
pub(crate) static ADVISOR: [Steps; POINTS] = table!(|from, steps, direction| {
    if (ADVISORS[0] | ADVISORS[1]) & bit(from) != 0 {
        steps.add(from, DIAGONAL[direction], (0, 0), ADVISORS[0] | ADVISORS[1]);
    }
});

/// The steps of elephants: two points diagonally, over a vacant point, on their side of the river.
pub(crate) static ELEPHANT: [Steps; POINTS] = table!(|from, steps, direction| {
    let own = ELEPHANTS[if rank(from) < 5 { 0 } else { 1 }];
    let (files, ranks) = DIAGONAL[direction];
    if own & bit(from) != 0 {
        steps.add(from, (2 * files, 2 * ranks), (files, ranks), own);
    }
});

/// The steps of horses: one point orthogonally, which must be vacant, and one diagonally outward.
pub(crate) static HORSE: [Steps; POINTS] = table!(|from, steps, direction| {
    let (files, ranks) = ORTHOGONAL[direction];
    steps.add(from, (2 * files + ranks, 2 * ranks + files), (files, ranks), u128::MAX);
    steps.add(from, (2 * files - ranks, 2 * ranks - files), (files, ranks), u128::MAX);
});

/// The points from which horses reach a point, and their legs.
pub(crate) static HORSE_TO: [Steps; POINTS] = table!(|to, steps, direction| {
    let (files, ranks) = DIAGONAL[direction];
    steps.add(to, (2 * files, ranks), (files, ranks), u128::MAX);
    steps.add(to, (files, 2 * ranks), (files, ranks), u128::MAX);
});

/// The steps of the soldiers of either side: ahead and, beyond the river, sideways too.
pub(crate) static SOLDIER: [[Steps; POINTS]; 2] = [
    table!(|from, steps, direction| {
        if direction == 1 || (direction != 3 && rank(from) > 4) {
            steps.add(from, ORTHOGONAL[direction], (0, 0), u128::MAX);
        }
    }),
    table!(|from, steps, direction| {
        if direction == 3 || (direction != 1 && rank(from) < 5) {
            steps.add(from, ORTHOGONAL[direction], (0, 0), u128::MAX);
        }
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_their_points() {
        for side in [Side::First, Side::Second] {
            let counts = [PALACE, ADVISORS, ELEPHANTS, SOLDIERS].map(|region| region[side.index()].count_ones());
            assert_eq!(counts, [9, 5, 7, 55]);
            let turned = points(ELEPHANTS[0]).map(|at| bit(seen(at, side))).fold(0, |set, bit| set | bit);
            assert_eq!(turned, ELEPHANTS[side.index()]);
        }
        assert_eq!(points(ADVISORS[0]).collect::<Vec<_>>(), [3, 5, 13, 21, 23]);
        assert_eq!(points(ADVISORS[1]).collect::<Vec<_>>(), [66, 68, 76, 84, 86]);
    }

    #[test]
    fn a_step_of_a_horse_is_the_same_from_both_ends() {
        for from in 0..POINTS as u8 {
            for step in HORSE[usize::from(from)].all() {
                let back = HORSE_TO[usize::from(step.to)].all();
                assert!(back.iter().any(|back| back.to == from && back.over == step.over), "{from} {step:?}");
            }
        }
        let count = |table: &[Steps; POINTS]| table.iter().map(|steps| steps.all().len()).sum::<usize>();
        assert_eq!((count(&HORSE), count(&HORSE_TO)), (508, 508));
        assert_eq!((count(&GENERAL), count(&ADVISOR), count(&ELEPHANT)), (48, 16, 32));
    }
}
