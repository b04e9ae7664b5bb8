//! Exact search: against minimax on random games, against plain search on the games of the registry, and against
//! published values.

use crate::common::tree::{Place, Shape, Tree};
use crate::common::{Random, describe, variants, walk};
use secateurs::core::score::{self, Score};
use secateurs::core::solution::{MAX_LINE, SolveRequest, Uncertified, Unsolvable, Valued};
use secateurs::core::{Bounds, Evaluation, Limits, MoveOrdering, Outcome, Position, Pruning, Request, Side, Solution};
use secateurs::core::{Solver, StopFlag};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::search::{STACK, Searcher, Table};
use std::sync::Arc;

/// The number of games of each shape.
const GAMES: usize = 200;

/// The number of positions at each distance from the root of a graph.
const WIDTH: usize = 12;

fn task(moves: Valued, threads: usize) -> SolveRequest {
    SolveRequest { moves, threads, ..SolveRequest::default() }
}

fn solve(root: &Place, table: &Arc<Table>, task: &SolveRequest) -> Solution<u8> {
    Searcher::new(root.heuristics(), Arc::clone(table)).solve(root, task, &StopFlag::new(), &mut |_| {})
}

/// Returns the value of a position `ply` plies below the root, for the side to move at the root.
fn seen(root: &Place, place: &Place, ply: usize) -> Score {
    let value = score::from_node(place.value(), ply as Score);
    if place.turn() == root.turn() { value } else { -value }
}

fn moves(place: &Place) -> Vec<u8> {
    let mut moves = Vec::new();
    place.moves(&mut moves);
    moves
}

#[test]
fn a_question_about_a_bound_is_answered_and_no_more() {
    for shape in Shape::all(None).filter(|shape| !shape.colliding) {
        for seed in 0..20 {
            let root = Tree::draw(shape, &mut Random(seed));
            let value = root.value();
            for at_least in [value - 2, value, value + 1, value + 3] {
                let table = Arc::new(Table::new(1).unwrap());
                let request = SolveRequest { at_least: Some(at_least), ..task(Valued::None, 1) };
                let Bounds { lower, upper } = solve(&root, &table, &request).bounds;
                assert!(lower <= value && value <= upper, "{value} {at_least}: {lower} to {upper}");
                assert!(lower >= at_least || upper < at_least, "{value} {at_least}: {lower} to {upper}");
            }
        }
    }
}

#[test]
fn random_games_have_the_value_moves_and_line_of_minimax() {
    let table = Arc::new(Table::new(1).unwrap());
    for width in [None, Some(WIDTH)] {
        for (number, shape) in Shape::all(width).filter(|shape| !shape.colliding).enumerate() {
            for game in 0..GAMES {
                let root = Tree::draw(shape, &mut Random((number * GAMES + game) as u64));
                let name = format!("{shape:?} game {game}");
                // Other trees have the same keys.
                table.clear();
                for threads in [1, 1, 2] {
                    let found = solve(&root, &table, &task(Valued::All, threads));
                    assert_eq!(found.bounds, Bounds::exactly(root.value()), "{name}");
                    let expected: Vec<_> = moves(&root)
                        .into_iter()
                        .map(|mv| (mv, Bounds::exactly(seen(&root, &root.after(mv), 1))))
                        .collect();
                    assert_eq!(found.moves, expected, "{name}");
                    let mut pos = root.clone();
                    for (ply, &mv) in (1..).zip(&found.pv) {
                        assert!(moves(&pos).contains(&mv), "{name}");
                        pos = pos.after(mv);
                        assert_eq!(seen(&root, &pos, ply), root.value(), "{name}: {:?}", found.pv);
                    }
                    assert!(pos.is_over(), "{name}");
                }
            }
        }
    }
}

#[test]
fn every_game_has_the_value_that_plain_search_proves() {
    let table = Arc::new(Table::new(4).unwrap());
    let mut solved = 0;
    for (number, (row, options)) in variants().into_iter().enumerate() {
        let name = describe(row, &options);
        let start = row.start(&options).unwrap();
        let mut random = Random(number as u64);
        for board in (0..4).flat_map(|_| walk(&*start, &mut random)).collect::<Vec<_>>().iter().rev().take(12) {
            let limits = Limits { nodes: Some(20_000), depth: Some(255), ..Limits::default() };
            table.clear();
            let searched = &board.engine(table.clone()).search(&Request::new(limits), &StopFlag::new(), &mut |_| {})[0];
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            table.clear();
            let best = SolveRequest { limits, ..task(Valued::Best, 1) };
            let found = board.engine(table.clone()).solve(&best, &StopFlag::new(), &mut |_| {});
            let Bounds { lower, upper } = found.bounds;
            assert!(
                !searched.proof.lower() || searched.score <= upper,
                "{name} {}: {searched:?} {found:?}",
                board.text()
            );
            assert!(
                !searched.proof.upper() || searched.score >= lower,
                "{name} {}: {searched:?} {found:?}",
                board.text()
            );
            if found.is_solved() && !found.pv.is_empty() {
                solved += 1;
                leads_to_the_value(&**board, &found);
            }
        }
    }
    assert!(solved > 250, "{solved}");
}

/// Checks that the line is legal, ends with the game, and has the value at its end.
fn leads_to_the_value(board: &dyn Board, found: &Solution) {
    let mut end = board.boxed();
    for mv in &found.pv {
        end.play(mv).unwrap();
    }
    // A limit of nodes may cut the line short.
    let Some(outcome) = end.outcome() else {
        assert!(found.nodes >= 20_000, "{}: {found:?}", board.text());
        return;
    };
    let value = score::from_node(outcome.score(), found.pv.len() as Score);
    let value = if end.turn() == board.turn() { value } else { -value };
    assert_eq!(found.bounds, Bounds::exactly(value), "{} {:?}", board.text(), found.pv);
    assert!(found.moves.iter().any(|(mv, _)| *mv == found.pv[0]));
}

#[test]
fn the_sets_of_connect_four_are_exact() {
    let table = Arc::new(Table::new(16).unwrap());
    let connect4 = registry::find("connect4").unwrap();
    let sets = [
        (include_str!("data/Test_L3_R1"), 1),
        (include_str!("data/Test_L2_R1"), 1),
        (include_str!("data/Test_L1_R1"), 4),
        (include_str!("data/connect4_14"), 4),
    ];
    for (set, every) in sets {
        for line in set.lines().step_by(every) {
            // The score after the position is not read as a part of it.
            has_its_score(&*connect4.parse(&connect4.defaults(), line).unwrap(), &table, line);
        }
    }
}

/// Boards that do not fit 64 bits.
#[test]
fn the_set_of_large_connect_four_is_exact() {
    let table = Arc::new(Table::new(16).unwrap());
    let connect4 = registry::find("connect4").unwrap();
    let mut options = connect4.defaults();
    options.set("Columns", "10").unwrap();
    let lines: Vec<_> = include_str!("data/connect4_10x6").lines().collect();
    assert_eq!(lines.len(), 40);
    for line in lines {
        let (position, _) = line.rsplit_once(' ').unwrap();
        has_its_score(&*connect4.parse(&options, position).unwrap(), &table, line);
    }
}

/// Questions without a horizon take more than 20 million nodes and 4.9 million for these positions of c4's set for
/// 10 x 6 (opening_L2), deepening in the distance 31,022 and 23,496.
#[test]
fn early_wins_on_a_wide_board_are_cheap() {
    let connect4 = registry::find("connect4").unwrap();
    let mut options = connect4.defaults();
    options.set("Columns", "10").unwrap();
    for (position, score) in [("10/10/10/10/2xx6/2xoo4o x", "20"), ("10/10/10/10/2ox2x1o1/2xo2xxo1 o", "-18")] {
        let board = connect4.parse(&options, position).unwrap();
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let task = SolveRequest { limits, ..task(Valued::None, 1) };
        let found = board.engine(Arc::new(Table::new(16).unwrap())).solve(&task, &StopFlag::new(), &mut |_| {});
        assert!(found.is_solved(), "{position}: {found:?}");
        assert_eq!(board.count(found.bounds.lower).to_string(), score, "{position}");
    }
}

/// WAC.004, WAC.050 and WAC.057 (Win at Chess) are mates in two, three and three moves; the starts of cyclic games have
/// no early win.
#[test]
fn where_positions_can_repeat_early_wins_are_found_and_others_given_up_soon() {
    let solve = |game: &str, position: Option<&str>| {
        let game = registry::find(game).unwrap();
        let options = game.defaults();
        let board = position.map_or_else(|| game.start(&options), |position| game.parse(&options, position)).unwrap();
        let limits = Limits { nodes: Some(5_000_000), ..Limits::default() };
        let task = SolveRequest { limits, ..task(Valued::Best, 1) };
        board.engine(Arc::new(Table::new(16).unwrap())).solve(&task, &StopFlag::new(), &mut |_| {})
    };
    for (position, plies) in [
        ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", 3),
        ("k4r2/1R4pb/1pQp1n1p/3P4/5p1P/3P2P1/r1q1R2K/8 w - - 0 1", 5),
        ("r3q1kr/ppp5/3p2pQ/8/3PP1b1/5R2/PPP3P1/5RK1 w - - 0 1", 5),
        // The rooks may come back, or the clock runs out, one ply after the mate.
        ("k7/3R4/8/8/8/8/1R5K/8 w - - 25 50", 3),
        ("7k/8/8/5K2/6Q1/8/8/8 w - - 97 80", 3),
    ] {
        let found = solve("chess", Some(position));
        assert!(found.is_solved() && found.bounds == Bounds::exactly(score::win_in(plies)), "{position}: {found:?}");
        assert_eq!(found.pv.len(), plies as usize, "{position}");
    }
    // The capture leaves bare kings: the line ends with the game.
    let drawn = solve("chess", Some("k7/P7/K7/8/8/8/8/8 w - - 0 1"));
    assert!(drawn.is_solved() && drawn.bounds == Bounds::exactly(0) && drawn.pv.len() == 2, "{drawn:?}");
    for game in registry::GAMES.iter().filter(|row| row.is_cyclic) {
        let found = solve(game.name, None);
        assert_eq!(found.refused, Some(Unsolvable::Repetition), "{}: {found:?}", game.name);
    }
}

#[test]
fn a_game_that_has_ended_is_a_draw_whatever_the_table_has_of_its_position() {
    let chess = registry::find("chess").unwrap();
    let mut board = chess.parse(&chess.defaults(), "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").unwrap();
    let table = Arc::new(Table::new(1).unwrap());
    let value = |board: &dyn Board| {
        let found = board.engine(table.clone()).solve(&task(Valued::All, 1), &StopFlag::new(), &mut |_| {});
        (found.is_solved(), found.bounds.lower)
    };
    assert_eq!(value(&*board), (true, score::win_in(1)));
    for mv in ["a1b1", "g8h8", "b1a1", "h8g8"].repeat(2) {
        board.play(mv).unwrap();
    }
    assert_eq!(value(&*board), (true, 0));
}

/// Other moves than the mate go on without end.
#[test]
fn the_best_move_and_its_line_do_not_depend_on_the_values_of_others() {
    let chess = registry::find("chess").unwrap();
    let board = chess.parse(&chess.defaults(), "7k/8/5K2/8/6Q1/8/8/8 w - - 0 1").unwrap();
    for threads in [1, 2] {
        let task = task(Valued::All, threads);
        let found = board.engine(Arc::new(Table::new(1).unwrap())).solve(&task, &StopFlag::new(), &mut |_| {});
        assert_eq!((found.complete, found.refused), (false, Some(Unsolvable::Repetition)));
        assert!(found.best_moves().eq(["g4g7"]) && found.pv == ["g4g7"], "{found:?}");
    }
}

/// Asserts that a position has the score at the end of its line.
fn has_its_score(board: &dyn Board, table: &Arc<Table>, line: &str) {
    let found = board.engine(table.clone()).solve(&task(Valued::None, 1), &StopFlag::new(), &mut |_| {});
    assert_eq!(board.count(found.bounds.lower).to_string(), line.split_whitespace().last().unwrap(), "{line}");
    assert!(found.is_solved());
}

#[test]
fn limits_and_stop_flags_end_a_search_with_its_bounds() {
    let start = registry::find("kalah").unwrap().start(&registry::find("kalah").unwrap().defaults()).unwrap();
    let table = Arc::new(Table::new(16).unwrap());
    for threads in [1, 2] {
        let limits = Limits { nodes: Some(50_000), ..Limits::default() };
        let found = start.engine(table.clone()).solve(
            &SolveRequest { limits, ..task(Valued::All, threads) },
            &StopFlag::new(),
            &mut |_| {},
        );
        assert!(!found.is_solved() && found.nodes <= 51_000, "{found:?}");
        assert!(found.bounds.lower <= 800 && found.bounds.upper >= 800);
        let stop = StopFlag::new();
        stop.raise();
        let found = start.engine(table.clone()).solve(&task(Valued::Best, threads), &stop, &mut |_| {});
        assert!(!found.is_solved() && found.moves.is_empty() && found.pv.is_empty());
    }
}

#[test]
fn a_guess_changes_the_first_window_and_never_the_value() {
    let kalah = registry::find("kalah").unwrap();
    let mut options = kalah.defaults();
    options.set("Seeds", "2").unwrap();
    let start = kalah.start(&options).unwrap();
    let table = Arc::new(Table::new(16).unwrap());
    for guess in [-28_800, -2_400, -300, 0, 600, 800, 28_800] {
        table.clear();
        let guessed = SolveRequest { guess: Some(guess), ..task(Valued::All, 1) };
        let found = start.engine(table.clone()).solve(&guessed, &StopFlag::new(), &mut |_| {});
        assert_eq!((found.bounds, found.moves.len()), (Bounds::exactly(600), 6), "{guess}");
    }
    // A position that is not solved is bounded from the side of the guess.
    let start = kalah.start(&kalah.defaults()).unwrap();
    for guess in [-2_400, 3_000] {
        table.clear();
        let limits = Limits { nodes: Some(300_000), ..Limits::default() };
        let guessed = SolveRequest { limits, guess: Some(guess), ..task(Valued::None, 1) };
        let Bounds { lower, upper } = start.engine(table.clone()).solve(&guessed, &StopFlag::new(), &mut |_| {}).bounds;
        assert!(if guess < 0 { lower >= guess && lower <= 800 } else { upper <= guess && upper >= 800 });
    }
}

#[test]
fn a_cleared_table_repeats_the_search_and_a_filled_one_shortens_it() {
    let kalah = registry::find("kalah").unwrap();
    let mut options = kalah.defaults();
    options.set("Seeds", "2").unwrap();
    let start = kalah.start(&options).unwrap();
    let table = Arc::new(Table::new(16).unwrap());
    let nodes = [true, true, false].map(|fresh| {
        if fresh {
            table.clear();
        }
        let found = start.engine(table.clone()).solve(&task(Valued::Best, 1), &StopFlag::new(), &mut |_| {});
        assert_eq!(found.bounds, Bounds::exactly(600));
        found.nodes
    });
    assert_eq!(nodes[0], nodes[1]);
    assert!(nodes[2] * 10 < nodes[0], "{nodes:?}");
}

/// One move per ply along a path that ends or returns to its beginning.
#[derive(Clone, Debug)]
struct Path<const CYCLIC: bool> {
    place: u32,
    length: u32,
}

impl<const CYCLIC: bool> Position for Path<CYCLIC> {
    type Move = u8;
    const CODES: usize = 1;
    const CYCLIC: bool = CYCLIC;

    fn turn(&self) -> Side {
        if self.place.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn is_over(&self) -> bool {
        !CYCLIC && self.place == self.length
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((!self.is_over()).then_some(0));
    }

    fn outcome(&self) -> Outcome {
        Outcome::Loss
    }

    fn after(&self, _mv: u8) -> Self {
        let place = self.place + 1;
        Self { place: if CYCLIC { place % self.length } else { place }, ..*self }
    }

    fn key(&self) -> u64 {
        u64::from(self.place) << 32
    }

    fn code(&self, _mv: u8) -> u16 {
        0
    }
}

#[derive(Clone)]
struct NoJudgement;

impl<const CYCLIC: bool> Evaluation<Path<CYCLIC>> for NoJudgement {
    type State = ();

    fn evaluate(&self, _pos: &Path<CYCLIC>) -> Score {
        0
    }
}

impl<const CYCLIC: bool> MoveOrdering<Path<CYCLIC>> for NoJudgement {}

impl<const CYCLIC: bool> Pruning<Path<CYCLIC>> for NoJudgement {}

impl<const CYCLIC: bool> Solver<Path<CYCLIC>> for NoJudgement {}

/// Solves and certifies a path of this length on a stack of the size that solving threads have.
fn along<const CYCLIC: bool>(length: u32) -> (Solution<u8>, Result<(), Uncertified>) {
    let work = move || {
        let root = Path::<CYCLIC> { place: 0, length };
        let mut searcher = Searcher::new(NoJudgement, Arc::new(Table::new(1).unwrap()));
        let solution = searcher.solve(&root, &SolveRequest::default(), &StopFlag::new(), &mut |_| {});
        let identity = |pos: &Path<CYCLIC>| pos.place.to_string();
        let certified = searcher.certify(&root, &SolveRequest::default(), &StopFlag::new(), &identity, &mut |_| {});
        (solution, certified)
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap()
}

#[test]
fn lines_too_long_and_repetitions_are_refused() {
    let longest = MAX_LINE as u32 - 1;
    let (solved, certified) = along::<false>(longest);
    // The first player is to move at the end, and has lost.
    assert_eq!((solved.refused, solved.bounds), (None, Bounds::exactly(-score::win_in(longest as Score))));
    assert_eq!((solved.pv.len(), certified), (MAX_LINE - 1, Ok(())));
    for length in [MAX_LINE as u32 + 1, 1_000_000] {
        let (refused, certified) = along::<false>(length);
        assert_eq!((refused.refused, refused.is_solved()), (Some(Unsolvable::TooLong), false));
        assert_eq!(certified, Err(Uncertified::Unsolvable(Unsolvable::TooLong)));
    }
    for length in [1, 2, 7, 3_000] {
        let (refused, certified) = along::<true>(length);
        assert_eq!((refused.refused, refused.is_solved()), (Some(Unsolvable::Repetition), false), "{length}");
        assert_eq!(certified, Err(Uncertified::Unsolvable(Unsolvable::Repetition)));
    }
}

#[test]
fn the_longest_game_of_the_registry_needs_no_deep_stack() {
    let nim = registry::find("nim").unwrap();
    let mut options = nim.defaults();
    for (name, value) in [("Theory", "false"), ("MaxTake", "1"), ("Heaps", &["199"; 16].join(","))] {
        options.set(name, value).unwrap();
    }
    let start = nim.start(&options).unwrap();
    let work = move || {
        for threads in [1, 3] {
            let table = Arc::new(Table::new(1).unwrap());
            let request = SolveRequest {
                limits: Limits { nodes: Some(20_000), ..Limits::default() },
                ..task(Valued::Best, threads)
            };
            let found = start.engine(table).solve(&request, &StopFlag::new(), &mut |_| {});
            assert_eq!((found.refused, found.is_solved()), (None, false));
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}
