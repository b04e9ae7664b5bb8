//! Nim: the search without theory against the theory and against minimax.

use proptest::prelude::*;
use secateurs::core::position::move_of;
use secateurs::core::score::{self, Score};
use secateurs::core::solution::SolveRequest;
use secateurs::core::{Bounds, Limits, Proof, Request, Side, Solver, StopFlag};
use secateurs::games::nim::{Heaps, NimHeuristics, theory};
use secateurs::registry;
use secateurs::search::oracle::minimax;
use secateurs::search::{Searcher, Table};
use std::sync::Arc;

const SEARCH: NimHeuristics = NimHeuristics { theory: false };
const THEORY: NimHeuristics = NimHeuristics { theory: true };

fn search(check: NimHeuristics, pos: &Heaps, table: Table) -> Score {
    Searcher::new(check, Arc::new(table)).search(pos, &Request::depth(255), &StopFlag::new(), &mut |_| {})[0].score
}

/// Returns every multiset of heaps with at most `objects` objects.
fn heaps(objects: u8, largest: u8) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for heap in 1..=largest.min(objects) {
        for mut rest in heaps(objects - heap, heap) {
            rest.push(heap);
            all.push(rest);
        }
    }
    all
}

/// All the rules, on every position of up to 7 objects: the search with and without theory and table, and the bounds of
/// the theory, against minimax.
#[test]
fn small_positions_have_their_minimax_values() {
    let mut positions = 0;
    for (misere, max_take) in
        [(false, 255), (true, 255), (false, 1), (true, 1), (false, 2), (true, 2), (false, 3), (true, 3)]
    {
        for heaps in heaps(7, 7) {
            positions += 1;
            let pos = Heaps::new(&heaps, Side::First, misere, max_take);
            let value = minimax(&SEARCH, &pos, 255);
            assert_eq!(theory::wins(&pos), value > 0, "{pos:?}");
            let Bounds { lower, upper } = THEORY.bounds(&pos);
            assert!((lower..=upper).contains(&value), "{pos:?}: {lower} {value} {upper}");
            assert_eq!(search(SEARCH, &pos, Table::none()), value, "{pos:?}");
            assert_eq!(search(THEORY, &pos, Table::none()), value, "{pos:?}");
            assert_eq!(search(SEARCH, &pos, Table::new(1).unwrap()), value, "{pos:?}");
            assert_eq!(search(THEORY, &pos, Table::new(1).unwrap()), value, "{pos:?}");
        }
    }
    assert_eq!(positions, 8 * 45);
}

/// Up to 20 objects in up to 5 heaps.
fn positions() -> impl Strategy<Value = Heaps> {
    let heaps = prop::collection::vec(0..=20u8, 0..=5).prop_map(|mut heaps| {
        let mut left = 20;
        for heap in &mut heaps {
            *heap = (*heap).min(left);
            left -= *heap;
        }
        heaps
    });
    let limit = prop_oneof![Just(255), 1..=6u8];
    (heaps, any::<bool>(), limit, any::<bool>()).prop_map(|(heaps, misere, limit, first)| {
        Heaps::new(&heaps, if first { Side::First } else { Side::Second }, misere, limit)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// The search without theory finds the winner that the theory gives.
    #[test]
    fn the_search_agrees_with_the_theory(pos in positions()) {
        let value = search(SEARCH, &pos, Table::new(4).unwrap());
        prop_assert!(score::is_decisive(value));
        prop_assert_eq!(value > 0, theory::wins(&pos), "{}", value);
        let Bounds { lower, upper } = THEORY.bounds(&pos);
        prop_assert!((lower..=upper).contains(&value), "{} {} {}", lower, value, upper);
    }

    /// With the theory the first iteration knows the winner and plays a winning move.
    #[test]
    fn with_the_theory_one_ply_is_enough(pos in positions()) {
        let mut searcher = Searcher::new(THEORY, Arc::new(Table::none()));
        let report = &searcher.search(&pos, &Request::depth(1), &StopFlag::new(), &mut |_| {})[0];
        prop_assert_eq!(report.score > 0, theory::wins(&pos));
        let best = report.best().and_then(|&code| move_of(&pos, code));
        prop_assert_eq!(best.is_none(), pos.objects() == 0);
        if let Some(best) = best {
            use secateurs::core::Position;
            prop_assert_eq!(theory::wins(&pos.after(best)), !theory::wins(&pos), "a win is kept, a loss is a loss");
        }
    }
}

/// A game as long as the deepest search is searched to its last ply.
#[test]
fn the_longest_line_is_searched_to_its_end() {
    for (heaps, value) in [(&[255][..], score::win_in(255)), (&[254], -score::win_in(254)), (&[255, 1], 0)] {
        let pos = Heaps::new(heaps, Side::First, false, 1);
        for table in [Table::none(), Table::new(16).unwrap()] {
            if heaps.len() > 1 && table.mib() == 0 {
                continue;
            }
            let mut searcher = Searcher::new(SEARCH, Arc::new(table));
            let request = Request::new(Limits::default());
            let report = &searcher.search(&pos, &request, &StopFlag::new(), &mut |_| {})[0];
            assert_eq!((report.score, report.depth), (value, if value == 0 { 255 } else { report.depth }), "{heaps:?}");
            assert!(report.pv.len() <= 255);
        }
    }
}

/// Returns the heaps with the most objects.
fn largest() -> Vec<u8> {
    let mut heaps = vec![199; 15];
    heaps.push(214);
    heaps
}

/// The bounds of the longest game are within the scale and do not cross; one object more is refused.
#[test]
fn the_longest_game_fits_the_scale_of_scores() {
    let nim = registry::find("nim").unwrap();
    let mut options = nim.defaults();
    options.set("MaxTake", "1").unwrap();
    let mut heaps = largest();
    let text = |heaps: &[u8]| heaps.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    let board = nim.parse(&options, &text(&heaps)).unwrap();
    let table = Arc::new(Table::new(1).unwrap());
    let mut engine = board.engine(table);
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    let request = SolveRequest { limits, ..SolveRequest::default() };
    let Bounds { lower, upper } = engine.solve(&request, &StopFlag::new(), &mut |_| {}).bounds;
    assert!(lower == score::win_in(3_199) && upper > lower, "{lower} {upper}");
    let found = &engine.search(&Request::depth(4), &StopFlag::new(), &mut |_| {})[0];
    assert_eq!((found.score, found.proof), (lower, Proof::LOWER));
    heaps[0] += 1;
    let refusal = nim.parse(&options, &text(&heaps)).err().unwrap().to_string();
    assert!(refusal.contains("at most 3199 objects in all heaps, not 3200"), "{refusal}");
}

/// The largest position is searched without harm.
#[test]
fn the_largest_position_is_evaluated_by_the_theory() {
    let pos = Heaps::new(&largest(), Side::First, true, 255);
    assert!(theory::wins(&pos));
    let request = Request::new(Limits { nodes: Some(20_000), ..Limits::depth(3) });
    for (check, sign) in [(THEORY, 1), (SEARCH, 0)] {
        let mut searcher = Searcher::new(check, Arc::new(Table::new(1).unwrap()));
        let report = &searcher.search(&pos, &request, &StopFlag::new(), &mut |_| {})[0];
        assert_eq!(report.score.signum(), sign);
        assert_eq!(score::is_decisive(report.score), sign != 0);
    }
}
