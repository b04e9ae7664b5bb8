//! What tests of networks share.

use super::{Accumulator, Network, NetworkFile};
use crate::core::position::legal_moves;
use crate::core::{Evaluation, NetworkShape, Position};
use crate::util::random::Random;

/// Returns a network with random weights.
pub(crate) fn network<const H: usize>(game: &str, shape: NetworkShape) -> Network<H> {
    let random = &mut Random(5);
    let rows = shape.features + 1 + 2 * shape.buckets;
    Network::new(&NetworkFile {
        game: game.into(),
        shape,
        scale: 200,
        origin: String::new(),
        weights: (0..rows * shape.hidden).map(|_| random.below(120) as i16 - 60).collect(),
        biases: (0..shape.buckets).map(|_| random.below(2_000) as i32 - 1_000).collect(),
    })
}

/// Checks in random games that sums updated move by move are those of the position, and give its value.
pub(crate) fn check_updates<P: Position + std::fmt::Debug, const H: usize>(
    heuristics: &impl Evaluation<P, State = Accumulator<H>>,
    starts: impl IntoIterator<Item = P>,
) {
    let (mut random, mut seen) = (Random(11), 0);
    for start in starts {
        for _ in 0..40 {
            let mut pos = start.clone();
            let mut state = heuristics.refresh(&pos);
            for _ in 0..80 {
                let moves = legal_moves(&pos);
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                let after = pos.after(mv);
                state = heuristics.update(&state, &pos, mv, &after);
                assert_eq!(state, heuristics.refresh(&after), "{mv:?} in {pos:?}");
                assert_eq!(heuristics.evaluate_with(&after, &state), heuristics.evaluate(&after));
                pos = after;
                seen += 1;
            }
        }
    }
    assert!(seen > 3_000, "{seen}");
}
