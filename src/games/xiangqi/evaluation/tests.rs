//! Tests of the evaluation over positions of random games.

use super::*;
use crate::core::position::legal_moves;
use crate::games::xiangqi::fen;
use crate::games::xiangqi::weighted::source;
use crate::util::random::Random;

/// Positions of random games.
fn positions() -> Vec<Xiangqiboard> {
    let mut random = Random(3);
    let mut found = Vec::new();
    for start in [
        fen::START,
        "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w",
        "2bak4/4a4/4b4/4C3p/2n6/p5P2/P3p3P/4B1N2/4A4/2BAK4 w",
        "3k5/4a4/2P6/9/2b6/9/9/9/9/4KA3 w",
    ] {
        for _ in 0..20 {
            let mut pos = fen::parse(start).unwrap();
            for _ in 0..150 {
                found.push(pos);
                let moves = legal_moves(&pos);
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                pos = pos.after(mv);
            }
        }
    }
    assert!(found.len() > 5_000);
    found
}

/// The position with its flanks exchanged.
fn mirrored(pos: &Xiangqiboard) -> Xiangqiboard {
    let text = fen::write(pos);
    let (board, rest) = text.split_once(' ').unwrap();
    let board: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    fen::parse(&format!("{} {rest}", board.join("/"))).unwrap()
}

#[test]
fn exchanged_flanks_have_the_same_value() {
    for pos in positions() {
        assert_eq!(explain(&pos), explain(&mirrored(&pos)), "{}", fen::write(&pos));
    }
}

#[test]
fn weights_times_counts_are_the_evaluation() {
    let mut sums = 0;
    for pos in positions() {
        let evaluation = evaluate(&pos, &Sums::new(&pos));
        let Some(linear) = linear(&pos) else {
            assert_eq!(evaluation, 0, "{}", fen::write(&pos));
            continue;
        };
        let parameters = source::parameters(&WEIGHTS);
        let weight = |index: u32| {
            let stages = parameters[2 * index as usize..].iter().zip(&linear.stages);
            stages.map(|(weight, &share)| weight * f64::from(share)).sum::<f64>()
        };
        let value: f64 = linear.counts.iter().map(|&(index, count)| weight(index) * f64::from(count)).sum();
        assert!((value - f64::from(evaluation)).abs() < 1.0, "{}: {value} {evaluation}", fen::write(&pos));
        sums += 1;
    }
    assert!(sums > 5_000);
}

/// Each group of weights is used somewhere.
#[test]
fn every_group_of_weights_counts_something() {
    let mut seen = [false; COUNT];
    for pos in positions() {
        seen.iter_mut().zip(trace(&pos).counts.0).for_each(|(seen, count)| *seen |= count != 0);
    }
    for group in GROUPS {
        assert!(seen[group.first..group.first + group.len].contains(&true), "{}", group.name);
    }
}
