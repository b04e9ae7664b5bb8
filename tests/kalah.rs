//! Kalah: the packed layout against the plain one, the bounds and the search against true values on small boards,
//! positions by text.

use crate::common::Random;
use crate::common::kalah::{Known, RULES, SIDES, gain, lay, moves, random_board};
use secateurs::core::score::{Score, UNIT};
use secateurs::core::{
    Bound, Bounds, Evaluation, Game, Heuristics, MoveOrdering, Notation, Options, Outcome, Position, Solver,
};
use secateurs::core::{Progress, Request, Side, StopFlag, Tuning};
use secateurs::games::kalah::{BoardContents, Capture, Kalah, KalahHeuristics, Layout, Packed, Wide};
use secateurs::search::oracle::minimax;
use secateurs::search::perft::perft;
use secateurs::search::{Searcher, Table};
use std::collections::HashMap;
use std::sync::Arc;

/// Returns every board with these houses a side and seeds in play, South to move, the stores empty.
fn boards(capture: Capture, houses: usize, seeds: u16) -> Vec<BoardContents> {
    fn fill(row: &mut Vec<u16>, houses: usize, seeds: u16, out: &mut Vec<Vec<u16>>) {
        if row.len() + 1 == 2 * houses {
            row.push(seeds);
            out.push(row.clone());
            row.pop();
            return;
        }
        for here in 0..=seeds {
            row.push(here);
            fill(row, houses, seeds - here, out);
            row.pop();
        }
    }
    let mut rows = Vec::new();
    fill(&mut Vec::new(), houses, seeds, &mut rows);
    let contents = |row: Vec<u16>| {
        let houses = [row[..houses].to_vec(), row[houses..].to_vec()];
        BoardContents { capture, turn: Side::First, stores: [0, 0], houses }
    };
    rows.into_iter().map(contents).collect()
}

/// Returns everything that a search sees of a position, and its moves with their codes and ordering scores.
fn seen<L: Layout>(pos: &L) -> impl PartialEq + std::fmt::Debug
where
    KalahHeuristics: Heuristics<L>,
{
    let check = KalahHeuristics::default();
    let moves: Vec<_> = moves(pos).into_iter().map(|mv| (mv, pos.code(mv), check.move_score(pos, mv))).collect();
    let outcome = moves.is_empty().then(|| pos.outcome());
    (pos.contents(), pos.turn(), pos.in_play(), pos.banking(), check.explain(pos), check.bounds(pos), moves, outcome)
}

#[test]
fn both_layouts_play_the_same_game() {
    let mut random = Random(2);
    let (mut positions, mut laps) = (0, 0);
    for round in 0..4_000 {
        let capture = RULES[round % 2];
        let contents = random_board(capture, 1 + random.below(8), 255, &mut random);
        let (mut packed, mut wide): (Packed, Wide) = (lay(&contents), lay(&contents));
        assert_eq!(perft(&packed, 3, &StopFlag::new()), perft(&wide, 3, &StopFlag::new()), "{contents:?}");
        loop {
            positions += 1;
            assert_eq!(format!("{:?}", seen(&packed)), format!("{:?}", seen(&wide)));
            assert_eq!(packed, lay(&wide.contents()), "what is derived is kept up");
            let moves = moves(&packed);
            if moves.is_empty() {
                break;
            }
            let mv = *random.pick(&moves);
            laps += usize::from(usize::from(packed.own(mv.0.into())) > 2 * packed.houses());
            (packed, wide) = (packed.after(mv), wide.after(mv));
        }
    }
    assert!(positions > 40_000 && laps > 4_000, "{positions} positions, {laps} laps");
}

/// Chances sum to 1000, grow with the value and are symmetric; an odd number of seeds gives no draw.
#[test]
fn win_draw_loss_chances_follow_the_value() {
    let (mut random, check) = (Random(5), KalahHeuristics::default());
    let mut draws = [0; 2];
    for round in 0..1_000 {
        let pos: Packed = lay(&random_board(RULES[round % 2], 1 + random.below(8), 255, &mut random));
        let all = pos.store_lead() + i32::from(pos.in_play());
        let mut last = 0;
        for score in (-28_800..=28_800).step_by(150) {
            let [win, draw, loss] = check.wdl(&pos, score).unwrap();
            assert_eq!(win + draw + loss, 1_000);
            assert!(win >= last, "{win} at {score}");
            assert!(check.wdl(&pos, -score).unwrap()[2].abs_diff(win) <= 1);
            draws[usize::from(all % 2 != 0)] += u32::from(draw.saturating_sub(1));
            last = win;
        }
        assert!(last > 990 || pos.in_play() > 200, "{last}");
    }
    assert!(draws[0] > 0 && draws[1] == 0, "{draws:?}");
}

#[test]
fn boards_too_large_for_the_packed_layout_are_refused_by_it() {
    let mut contents =
        BoardContents { capture: Capture::Empty, turn: Side::First, stores: [0, 0], houses: Default::default() };
    for (houses, seeds, fits) in [(8, 15, true), (9, 1, false), (6, 21, true), (6, 22, false)] {
        contents.houses = [vec![seeds; houses], vec![seeds; houses]];
        assert_eq!(Packed::lay(&contents).is_some(), fits, "{houses} houses, {seeds} seeds each");
        assert!(Wide::lay(&contents).is_some());
    }
    contents.houses = [vec![0, 0], vec![255, 0]];
    assert!(Packed::lay(&contents).is_some());
    contents.stores = [1, 0];
    assert!(Packed::lay(&contents).is_none());
}

/// The bounds are sound on every small board, from one house with many laps to five with few seeds. The least shares
/// are attained: with one banking house the mover may get a single seed and the other side none; with two the other
/// side gets one.
#[test]
fn bounds_hold_and_are_attained() {
    let mut known = Known::new();
    for capture in RULES {
        // The least seeds that a side gets, by its number of banking houses; to move, then not to move.
        let mut fewest: [HashMap<i32, i32>; 2] = Default::default();
        for (houses, most) in [(1, 24), (2, 13), (3, 9), (4, 8), (5, 7)] {
            for contents in (0..=most).flat_map(|seeds| boards(capture, houses, seeds)) {
                let pos: Wide = lay(&contents);
                let (value, all) = (gain(&pos, &mut known), i32::from(pos.in_play()));
                let Bounds { lower, upper } = KalahHeuristics::default().bounds(&pos);
                assert!((lower..=upper).contains(&(value * UNIT)), "{contents:?}: {lower} {value} {upper}");
                for (side, seeds) in [(0, (all + value) / 2), (1, (all - value) / 2)] {
                    let least = fewest[side].entry(pos.banking()[side]).or_insert(seeds);
                    *least = seeds.min(*least);
                }
            }
        }
        assert_eq!((fewest[0][&0], fewest[0][&1]), (0, 1), "{capture:?}");
        assert_eq!((fewest[1][&0], fewest[1][&1], fewest[1][&2]), (0, 0, 1), "{capture:?}");
    }
}

/// The seeds that a side can store in one turn are a lower bound too, and often a better one.
#[test]
fn the_seeds_stored_in_one_turn_are_a_lower_bound() {
    let (mut known, mut better) = (Known::new(), 0);
    for capture in RULES {
        for (houses, most) in [(1, 24), (2, 13), (3, 9), (4, 8), (5, 7)] {
            for contents in (0..=most).flat_map(|seeds| boards(capture, houses, seeds)) {
                let (wide, packed): (Wide, Packed) = (lay(&contents), lay(&contents));
                if wide.is_over() {
                    continue;
                }
                let (value, all) = (gain(&wide, &mut known), i32::from(wide.in_play()));
                let sure = packed.assured(i32::MAX);
                assert!(wide.assured(i32::MAX) <= sure && sure <= (all + value) / 2, "{contents:?}: {sure} {value}");
                better += usize::from(wide.assured(i32::MAX) < sure);
                for alpha in (-all..all).map(|margin| margin * UNIT) {
                    let lower = KalahHeuristics::default().expensive_bounds(&packed, alpha).lower;
                    let least = (2 * sure - all) * UNIT;
                    assert!(
                        lower <= value * UNIT && (lower > alpha || least <= alpha || lower < least),
                        "{contents:?}"
                    );
                }
            }
        }
    }
    assert!(better > 10_000, "{better}");
}

/// The textbook bound is wrong under standard captures: the side to move may have seeds and get none.
#[test]
fn under_standard_captures_the_mover_may_get_nothing() {
    for capture in RULES {
        let mut known = Known::new();
        let live =
            boards(capture, 3, 4).iter().map(lay::<Wide>).filter(|pos| !moves(pos).is_empty()).collect::<Vec<_>>();
        let nothing = live.iter().filter(|pos| gain(pos, &mut known) == -i32::from(pos.in_play())).count();
        assert_eq!(nothing > 0, capture == Capture::Standard, "{nothing} of {} boards", live.len());
    }
}

/// Returns the value of a position by the fast search, run to the end.
fn solved<L: Layout>(searcher: &mut Searcher<L, KalahHeuristics>, pos: &L) -> Score
where
    KalahHeuristics: Heuristics<L>,
{
    searcher.search(pos, &Request::depth(255), &StopFlag::new(), &mut |_| {})[0].score
}

fn small_boards_are_solved<L: Layout>(table: &Arc<Table>)
where
    KalahHeuristics: Heuristics<L>,
{
    for capture in RULES {
        let mut searcher = Searcher::new(KalahHeuristics::default(), Arc::clone(table));
        for (houses, most) in [(1, 8), (2, 5), (3, 4)] {
            for (seeds, turn) in (0..=most).flat_map(|seeds| SIDES.map(|turn| (seeds, turn))) {
                for (number, contents) in boards(capture, houses, seeds).into_iter().enumerate() {
                    let pos: L = lay(&BoardContents { turn, stores: [number as u16 % 7, 3], ..contents });
                    let expected = minimax(&KalahHeuristics::default(), &pos, 255);
                    assert_eq!(solved(&mut searcher, &pos), expected, "{:?}", pos.contents());
                }
            }
        }
    }
}

#[test]
fn every_small_board_is_solved_without_a_table() {
    let none = Arc::new(Table::none());
    small_boards_are_solved::<Packed>(&none);
    small_boards_are_solved::<Wide>(&none);
}

/// One table for all boards, on both layouts, never cleared.
#[test]
fn every_small_board_is_solved_with_a_table() {
    let table = Arc::new(Table::new(1).unwrap());
    small_boards_are_solved::<Packed>(&table);
    small_boards_are_solved::<Wide>(&table);
}

/// Boards too large for a full minimax, to each depth within reach.
#[test]
fn on_large_boards_every_iteration_is_minimax() {
    // No extensions and no reductions.
    let check = KalahHeuristics { tuning: Tuning::default(), ..KalahHeuristics::default() };
    let mut random = Random(3);
    for round in 0..400 {
        let contents = random_board(RULES[round % 2], 2 + random.below(5), 60, &mut random);
        let pos: Packed = lay(&contents);
        let mut searcher = Searcher::new(check.clone(), Arc::new(Table::none()));
        searcher.search(&pos, &Request::depth(5), &StopFlag::new(), &mut |event| {
            let Progress::Line(report) = event else { return };
            if report.bound == Bound::Exact {
                assert_eq!(report.score, minimax(&check, &pos, report.depth), "{contents:?} {report:?}");
            }
        });
    }
}

fn by_text(text: &str) -> Wide {
    let game = Kalah::<Wide>::new(&Options::new(Kalah::<Wide>::OPTIONS)).unwrap();
    game.parse(text).unwrap()
}

#[test]
fn the_game_ends_when_a_side_has_no_seeds() {
    for (text, margin) in [
        ("<2,1,5,0,0,4,2> s", 1 - 5 - 6),
        ("<2,1,5,0,0,4,2> n", 5 + 6 - 1),
        ("<3,0,0,1,2,3,0,0,0> s", 6),
        ("<3,0,0,1,2,3,0,0,0> n", -6),
        ("<1,7,2,0,0> n", -5),
        ("<1,0,288,0,0> s", -288),
    ] {
        let pos = by_text(text);
        assert!(moves(&pos).is_empty(), "{text}");
        assert_eq!(pos.outcome(), Outcome::Margin(margin), "{text}");
        let Bounds { lower, upper } = KalahHeuristics::default().bounds(&pos);
        assert!((lower..=upper).contains(&(Score::from(margin) * UNIT)), "{text}");
    }
}

/// Counts of an independent program (a page of Python that sows around one list): rule, houses, seeds, and the number
/// of paths of 1, 2, ... moves from the start.
const PERFT: &[(Capture, usize, u16, &[u64])] = &[
    (Capture::Standard, 6, 4, &[6, 35, 185, 942, 4690, 23233]),
    (Capture::Standard, 6, 6, &[6, 35, 190, 1056, 5882, 32243]),
    (Capture::Standard, 3, 3, &[3, 8, 19, 48, 120, 280, 610, 1283, 2565, 4962, 9236, 16665]),
    (Capture::Standard, 2, 2, &[2, 3, 2, 3, 5, 5, 4, 1, 0, 0]),
    (Capture::Standard, 2, 11, &[2, 4, 8, 14, 25, 42, 73, 132, 223, 365]),
    (Capture::Standard, 12, 12, &[12, 143, 1639, 18921]),
    (Capture::Standard, 1, 40, &[1, 1, 1, 1, 0]),
    (Capture::Empty, 6, 4, &[6, 35, 185, 942, 4685, 23169]),
    (Capture::Empty, 6, 6, &[6, 35, 190, 1056, 5882, 32243]),
    (Capture::Empty, 3, 3, &[3, 8, 19, 48, 120, 280, 610, 1276, 2530, 4824, 8773, 15382]),
    (Capture::Empty, 2, 2, &[2, 3, 2, 3, 5, 5, 3, 0, 0]),
    (Capture::Empty, 2, 11, &[2, 4, 8, 14, 25, 42, 73, 132, 221, 361]),
];

#[test]
fn perft_is_that_of_an_independent_program() {
    fn counts<L: Layout>(contents: &BoardContents, depth: usize) -> Vec<u64> {
        (1..=depth).map(|depth| perft(&lay::<L>(contents), depth as u8, &StopFlag::new()).unwrap()).collect()
    }
    for &(capture, houses, seeds, expected) in PERFT {
        let houses = [vec![seeds; houses], vec![seeds; houses]];
        let start = BoardContents { capture, turn: Side::First, stores: [0, 0], houses };
        assert_eq!(counts::<Wide>(&start, expected.len()), expected, "{start:?}");
        if Packed::lay(&start).is_some() {
            assert_eq!(counts::<Packed>(&start, expected.len()), expected, "{start:?}");
        }
    }
}
