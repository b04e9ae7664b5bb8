//! Random moves, which weaken an engine, down to a random mover.

use crate::util::random::Random;

/// The share of random moves and their seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomMoves {
    /// The number of positions in a thousand in which the move is random.
    pub per_mille: u64,
    /// The seed that selects these positions and their moves.
    pub seed: u64,
}

impl RandomMoves {
    /// Returns one of the moves, all equally likely, if the move in this position is random. The result depends only on
    /// the seed and the position's key.
    #[must_use]
    pub fn draw(&self, key: u64, moves: &[u16]) -> Option<u16> {
        let first = Random(self.seed ^ Random(key).draw()).draw();
        if moves.is_empty() || first % 1_000 >= self.per_mille {
            return None;
        }
        Some(moves[(Random(first).draw() % moves.len() as u64) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often each of four moves is drawn, and how often none.
    fn drawn(per_mille: u64) -> [usize; 5] {
        let mut counts = [0; 5];
        for key in 0..10_000 {
            counts[usize::from(RandomMoves { per_mille, seed: 3 }.draw(key, &[0, 1, 2, 3]).unwrap_or(4))] += 1;
        }
        counts
    }

    #[test]
    fn all_moves_are_as_likely() {
        assert_eq!(drawn(0), [0, 0, 0, 0, 10_000]);
        let [moves @ .., none] = drawn(1_000);
        assert_eq!(none, 0);
        assert!(moves.iter().all(|count| (2_350..2_650).contains(count)), "{moves:?}");
        let [moves @ .., none] = drawn(200);
        assert!((7_800..8_200).contains(&none), "{none}");
        assert!(moves.iter().all(|count| (420..580).contains(count)), "{moves:?}");
    }

    #[test]
    fn random_moves_follow_from_seed_and_position() {
        let all: Vec<u16> = (0..100).collect();
        let draw = |seed, key| RandomMoves { per_mille: 1_000, seed }.draw(key, &all);
        assert_eq!(draw(1, 5), draw(1, 5));
        assert!((0..9).any(|seed| draw(seed, 5) != draw(9, 5)));
        assert_eq!(RandomMoves { per_mille: 1_000, seed: 1 }.draw(5, &[]), None);
    }
}
