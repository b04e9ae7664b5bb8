//! The moves of a side in each of its distributions, and their effects on the opponent: lists of ranks, grouped by what
//! else determines a move, so that a whole row of positions is moved at once.

use super::index::{self, house, rank};
use crate::games::sowing::words::ONES;

/// Pairs of ranks: before a move and after it.
pub type Pairs = Vec<[u32; 2]>;

/// The lists of a side with `n` seeds.
#[derive(Debug, Default)]
pub struct Moves {
    /// The distributions, by rank.
    pub words: Vec<u64>,
    /// The ranks by potential: the sum, over the seeds, of the distance to the store. A move that stores nothing lowers
    /// it.
    pub levels: Vec<Vec<u32>>,
    /// The last seed joins others in a house of the side.
    pub joining: Pairs,
    /// The last seed falls alone into this house, and stays there.
    pub alone: Vec<Pairs>,
    /// The last seed falls alone into this house, and is stored with a capture: to the ranks of `n - 1` seeds.
    pub capturing: Vec<Pairs>,
    /// The last seed falls into the store: to the ranks of `n - 1` seeds.
    pub storing: Pairs,
    /// By house, then by the number of the opponent's houses that receive a seed, less 1: to the ranks of the remaining
    /// seeds.
    pub crossing: Vec<Vec<Pairs>>,
    /// Moves past the opponent's last house: rank and house.
    pub laps: Vec<[u32; 2]>,
    /// The opponent sows into the first 1, 2, ... houses: to the ranks of as many more seeds.
    pub given: Vec<Vec<u32>>,
    /// The opponent captures the seeds of this house, by their number: to the ranks of as many fewer seeds.
    pub taken: Vec<Vec<Pairs>>,
}

impl Moves {
    /// Creates the lists of a side with this number of houses and seeds; `most` is the number of seeds of both sides.
    pub(crate) fn new(houses: usize, seeds: usize, most: usize) -> Self {
        let mut moves = Self {
            words: index::words(houses, seeds),
            alone: vec![Pairs::new(); houses],
            capturing: vec![Pairs::new(); houses],
            crossing: vec![vec![Pairs::new(); houses]; houses],
            taken: vec![vec![Pairs::new(); seeds + 1]; houses],
            ..Self::default()
        };
        for (before, word) in (0..).zip(moves.words.clone()) {
            for origin in 0..houses {
                let sown = house(word, origin);
                let without = word & !(0xff << (8 * origin));
                moves.taken[origin][sown].push([before, rank(houses, without) as u32]);
                if sown > 0 {
                    moves.sow(houses, before, origin, sown, without);
                }
            }
        }
        // The other side cannot give more seeds than it has.
        for count in (1..=houses).take(most.saturating_sub(seeds)) {
            moves.given.push(moves.words.iter().map(|word| rank(houses, word + first(count)) as u32).collect());
        }
        moves.levels = levels(houses, &moves.words);
        moves
    }

    fn sow(&mut self, houses: usize, before: u32, origin: usize, sown: usize, without: u64) {
        let (last, way) = (origin + sown, houses - origin);
        let own = without + (first(sown.min(way - 1)) << (8 * (origin + 1) % 64));
        let pair = |word| [before, rank(houses, word) as u32];
        if last < houses {
            if house(own, last) > 1 {
                self.joining.push(pair(own));
            } else {
                self.alone[last].push(pair(own));
                self.capturing[last].push(pair(own & !(0xff << (8 * last))));
            }
        } else if last == houses {
            self.storing.push(pair(own));
        } else if last <= 2 * houses {
            self.crossing[origin][last - houses - 1].push(pair(own));
        } else {
            self.laps.push([before, origin as u32]);
        }
    }
}

/// Returns a word with a seed in each of the first houses.
pub(crate) const fn first(houses: usize) -> u64 {
    if houses == 0 { 0 } else { ONES >> (64 - 8 * houses) }
}

fn levels(houses: usize, words: &[u64]) -> Vec<Vec<u32>> {
    let potential = |word: u64| (0..houses).map(|at| house(word, at) * (houses - at)).sum::<usize>();
    let mut levels = Vec::new();
    for (rank, &word) in (0..).zip(words) {
        let level = potential(word);
        if levels.len() <= level {
            levels.resize(level + 1, Vec::new());
        }
        levels[level].push(rank);
    }
    levels.retain(|level: &Vec<u32>| !level.is_empty());
    levels
}
