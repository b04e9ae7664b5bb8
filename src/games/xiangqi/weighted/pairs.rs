//! The pairs of a side's pieces, and of its pieces and the opponent's: the value of pieces in combination.

use super::{Group, Sink};

/// Counts the products of the numbers of pieces of two kinds, given the numbers by kind. The weights of own pairs are
/// by the later kind, then by the earlier or the same one; those of pairs with the opponent's pieces have only earlier
/// kinds.
pub(crate) fn count<S: Sink, N: Copy + Into<i32>>(
    own: &[N],
    other: &[N],
    [of_own, of_opposed]: [Group; 2],
    sink: &mut S,
) {
    for (kind, &number) in own.iter().enumerate() {
        let number = number.into();
        if number == 0 {
            continue;
        }
        for second in 0..=kind {
            sink.add(of_own.at(kind * (kind + 1) / 2 + second), number * own[second].into());
            if second < kind {
                sink.add(of_opposed.at(kind * (kind - 1) / 2 + second), number * other[second].into());
            }
        }
    }
}
