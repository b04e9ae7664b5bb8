//! Tests of the evaluation over positions of random games and of test suites.

use super::super::fen;
use super::*;
use crate::core::Position;
use crate::core::position::legal_moves;
use crate::util::random::Random;

/// Positions of random games, and those of the test suites.
fn positions() -> Vec<Chessboard> {
    let mut random = Random(3);
    let mut found = Vec::new();
    for start in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/8/1K1Pp2r/8/8/8 b - d3 0 1",
        "8/5k2/1P6/8/2b5/5P2/4K3/3B4 w - - 0 1",
    ] {
        for _ in 0..20 {
            let mut pos = fen::parse(start).unwrap();
            for _ in 0..60 {
                found.push(pos.clone());
                let moves = legal_moves(&pos);
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { break };
                pos = pos.after(mv);
            }
        }
    }
    let suite = include_str!("../../../../tests/data/chess/perft_standard.epd");
    found.extend(suite.lines().filter_map(|line| fen::parse(line.split(';').next()?).ok()));
    assert!(found.len() > 5_000);
    found
}

/// The position with colours exchanged, upside down.
fn exchanged(pos: &Chessboard) -> Chessboard {
    let text = fen::write(pos, true);
    let mut fields = text.split(' ');
    let case = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let board: Vec<_> = fields.next().unwrap().split('/').rev().collect();
    let board: String = board.join("/").chars().map(case).collect();
    let turn = if fields.next() == Some("w") { "b" } else { "w" };
    let rights: String = fields.next().unwrap().chars().map(case).collect();
    let passant = fields.next().unwrap().replace('3', "x").replace('6', "3").replace('x', "6");
    fen::parse(&format!("{board} {turn} {rights} {passant}")).unwrap()
}

/// The position with its flanks exchanged; `None` with rights to castle.
fn mirrored(pos: &Chessboard) -> Option<Chessboard> {
    let text = fen::write(pos, true);
    let mut fields = text.split(' ');
    let board: Vec<String> = fields.next()?.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let (turn, rights, passant) = (fields.next()?, fields.next()?, fields.next()?);
    let file = |c: char| if c.is_ascii_lowercase() { char::from(b'a' + b'h' - c as u8) } else { c };
    let passant: String = passant.chars().map(file).collect();
    let text = format!("{} {turn} - {passant}", board.join("/"));
    (rights == "-").then(|| fen::parse(&text).unwrap())
}

fn value(pos: &Chessboard) -> Score {
    evaluate(pos, Sums::new(pos))
}

#[test]
fn sums_follow_the_moves() {
    let mut random = Random(5);
    for pos in positions() {
        let moves = legal_moves(&pos);
        let Some(&mv) = moves.get(random.below(moves.len().max(1))) else { continue };
        let after = pos.after(mv);
        assert_eq!(Sums::new(&pos).after(&pos, mv, &after), Sums::new(&after), "{mv} in {}", pos.board());
    }
}

#[test]
fn exchanged_colours_have_the_same_value() {
    for pos in positions() {
        let other = exchanged(&pos);
        assert_eq!(value(&pos), value(&other), "{}", pos.board());
        assert_eq!(explain(&pos), explain(&other), "{}", pos.board());
    }
}

#[test]
fn exchanged_flanks_have_the_same_value() {
    let pairs: Vec<_> = positions().into_iter().filter_map(|pos| Some((mirrored(&pos)?, pos))).collect();
    assert!(pairs.len() > 3_000);
    for (other, pos) in pairs {
        assert_eq!(explain(&pos), explain(&other), "{}", pos.board());
    }
}

#[test]
fn weights_times_counts_are_the_evaluation() {
    for pos in positions() {
        let Some(trace) = trace(&pos) else { continue };
        let white = trace.total(&WEIGHTS, 0..COUNT).at::<FULL>(trace.phase, trace.scale);
        let mover = if pos.board().side_to_move() == Color::White { white } else { -white };
        assert_eq!(mover, value(&pos), "{}", pos.board());
    }
}

#[test]
fn the_terms_add_up_and_the_scale_only_takes_away() {
    for pos in positions() {
        let (terms, value) = (explain(&pos), value(&pos));
        let total: Score = terms.iter().map(|(_, score)| score).sum();
        assert_eq!(total, value, "{}", pos.board());
        assert!(value.abs() < 28_800, "{}", pos.board());
    }
}

/// Each weight is used somewhere, except those that no position can have.
#[test]
fn every_group_of_weights_counts_something() {
    let mut seen = [false; COUNT];
    for trace in positions().iter().filter_map(trace) {
        seen.iter_mut().zip(trace.counts.0).for_each(|(seen, count)| *seen |= count != 0);
    }
    for group in GROUPS {
        assert!(seen[group.first..group.first + group.len].contains(&true), "{}", group.name);
    }
}

#[test]
fn advantages_that_do_not_win_are_scaled() {
    for (fen, most) in [
        ("8/8/4k3/8/8/3K4/2N1N3/7n w - - 0 1", 0),
        ("8/8/2r1k3/8/8/3K4/2RB4/8 w - - 0 1", WHOLE / 4),
        ("8/8/4kn2/8/8/3K4/2R5/8 w - - 0 1", WHOLE / 4),
        // The bishop does not control the pawn's last square.
        ("k7/8/8/P7/8/3K4/3B4/8 w - - 0 1", 0),
        ("8/5k2/1P6/8/2b5/5P2/4K3/4B3 w - - 0 1", WHOLE / 2),
        ("8/5k2/1P6/8/2b1r3/5P2/4K1R1/4B3 w - - 0 1", WHOLE - 1),
    ] {
        let pos = fen::parse(fen).unwrap();
        assert!((0..=most).contains(&endings::scale(pos.board(), Color::White)), "{fen}");
    }
    for fen in
        ["8/8/4kr2/8/8/3K4/2Q5/8 w - - 0 1", "8/8/k7/P7/8/3K4/4B3/8 w - - 0 1", "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"]
    {
        let pos = fen::parse(fen).unwrap();
        assert!(endings::scale(pos.board(), Color::White) > WHOLE / 2, "{fen}");
    }
    assert_eq!(value(&fen::parse("8/8/4k3/8/8/3K4/2N1N3/8 w - - 0 1").unwrap()), 0);
}

/// The lone king is worst at the edge; with bishop and knight, in the corner of the bishop.
#[test]
fn the_lone_king_is_driven_where_it_is_mated() {
    let order = |fens: &[&str]| {
        let values: Vec<_> = fens.iter().map(|fen| value(&fen::parse(fen).unwrap())).collect();
        assert!(values.is_sorted() && values[0] > 500, "{fens:?} {values:?}");
    };
    order(&["8/8/8/4k3/8/3K4/8/R7 w - - 0 1", "4k3/8/8/8/3K4/8/8/R7 w - - 0 1", "k7/8/8/3K4/8/8/8/7R w - - 0 1"]);
    // A bishop on dark squares: a1 and h8.
    order(&["k7/8/1K6/8/8/8/3B4/3N4 w - - 0 1", "7k/8/6K1/8/8/8/3B4/3N4 w - - 0 1"]);
}
