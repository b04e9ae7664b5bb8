//! The fast search against plain minimax, on random games with every feature that a search may meet.

use crate::common::Random;
use crate::common::tree::{Drawn, Place, Shape, Tree};
use secateurs::core::position::{legal_moves, move_of};
use secateurs::core::score::{self, Score};
use secateurs::core::{
    Bound, Evaluation, Limits, MoveOrdering, Outcome, Position, Progress, Proof, Report, Request, StopFlag, Ties,
};
use secateurs::search::oracle::{alpha_beta, minimax};
use secateurs::search::picker::{MoveStack, Source};
use secateurs::search::{Searcher, Table};
use std::cmp::Reverse;
use std::iter;
use std::sync::Arc;
use std::time::Duration;

const TIES: [Ties; 3] = [Ties::First, Ties::All, Ties::Random(1)];

/// The number of games of each shape.
const GAMES: usize = 400;

/// The number of positions at each distance from the root of a graph.
const WIDTH: usize = 12;

/// Searches a fresh game; returns all reports, including the last one.
fn search(root: &Place, table: &Arc<Table>, limits: &Limits) -> Vec<Report<u16>> {
    let mut searcher = Searcher::new(root.heuristics(), Arc::clone(table));
    reports_of(&mut searcher, root, limits, &StopFlag::new())
}

/// Returns all reports of a search, including the last one.
fn reports_of<const STAGED: bool>(
    searcher: &mut Searcher<Place, Drawn<STAGED>>,
    root: &Place,
    limits: &Limits,
    stop: &StopFlag,
) -> Vec<Report<u16>> {
    reports_of_request(searcher, root, &Request::new(limits.clone()), stop)
}

fn reports_of_request<const STAGED: bool>(
    searcher: &mut Searcher<Place, Drawn<STAGED>>,
    root: &Place,
    request: &Request,
    stop: &StopFlag,
) -> Vec<Report<u16>> {
    let mut reports = Vec::new();
    let lines = searcher.search(root, request, stop, &mut |event| {
        if let Progress::Line(report) = event {
            reports.push(report.clone());
        }
    });
    reports.extend(lines);
    reports
}

/// Returns games of every shape, each with its number for messages.
fn games(width: Option<usize>) -> impl Iterator<Item = (String, Place)> {
    Shape::all(width).enumerate().flat_map(|(number, shape)| {
        (0..GAMES).map(move |game| {
            let seed = (number * GAMES + game) as u64;
            (format!("{shape:?} game {seed}"), Tree::draw(shape, &mut Random(seed)))
        })
    })
}

/// Checks that every exact report agrees with minimax to its depth, and the last one with minimax to any depth.
fn agrees_at_every_depth<const STAGED: bool>(name: &str, root: &Place, heuristics: Drawn<STAGED>, table: &Arc<Table>) {
    let most = Shape::TREE.height as u8 + 1;
    let mut searcher = Searcher::new(heuristics, Arc::clone(table));
    let reports = reports_of(&mut searcher, root, &Limits::depth(most), &StopFlag::new());
    let expected: Vec<Score> = (0..=most).map(|depth| minimax(&root.heuristics(), root, depth)).collect();
    for report in reports.iter().filter(|report| report.bound == Bound::Exact) {
        assert_eq!(report.score, expected[usize::from(report.depth)], "{name} depth {}", report.depth);
    }
    let last = reports.last().unwrap();
    assert_eq!(last.bound, Bound::Exact, "{name}");
    for depth in last.depth..=most {
        assert_eq!(last.score, expected[usize::from(depth)], "{name}: stopped at {}, depth {depth}", last.depth);
    }
    assert_eq!(last.score, root.value(), "{name}");
}

/// Plain alpha-beta finds minimax's value inside its window, and the nearer end of the window outside it.
#[test]
fn alpha_beta_is_minimax_within_its_window() {
    let mut random = Random(7);
    for (name, root) in games(None).step_by(4) {
        let heuristics = root.heuristics();
        for depth in 0..=Shape::TREE.height as u8 + 1 {
            let value = minimax(&heuristics, &root, depth);
            let alpha = value - 300 + random.below(500) as Score;
            let beta = alpha + 1 + random.below(300) as Score;
            for [alpha, beta] in [[-score::INFINITE, score::INFINITE], [alpha, beta]] {
                let found = alpha_beta(&heuristics, &root, depth, 0, alpha, beta);
                assert_eq!(found, value.clamp(alpha, beta), "{name} depth {depth} window {alpha}..{beta}");
            }
        }
    }
}

#[test]
fn without_a_table_every_iteration_is_minimax() {
    let table = Arc::new(Table::none());
    for (name, root) in games(None).chain(games(Some(WIDTH))) {
        agrees_at_every_depth(&name, &root, root.heuristics(), &table);
    }
}

#[test]
fn with_a_table_every_iteration_on_a_tree_is_minimax() {
    let table = Arc::new(Table::new(1).unwrap());
    for (name, root) in games(None) {
        table.clear();
        agrees_at_every_depth(&name, &root, root.heuristics(), &table);
    }
}

#[test]
fn staged_moves_give_the_same_search() {
    let table = Arc::new(Table::new(1).unwrap());
    for (name, root) in games(None).step_by(3) {
        table.clear();
        agrees_at_every_depth(&name, &root, root.staged(), &table);
    }
}

#[test]
fn stages_pick_every_move_once_in_order() {
    let mut stack = MoveStack::new();
    for (name, pos) in games(None).step_by(5) {
        let heuristics = pos.staged();
        let moves = legal_moves(&pos);
        for hash in moves.iter().map(|&mv| Some(pos.code(mv))).chain([None, Some(99)]) {
            let source = Source { pos: &pos, heuristics: &heuristics, history: None, kinds: [0; 2], ply: 1 };
            let mut picker = stack.pick(&source, hash);
            let picked: Vec<u8> = iter::from_fn(|| stack.next(&mut picker, &source)).map(|ranked| ranked.mv).collect();
            stack.pop(&picker);
            let group = |mv: u8| match heuristics.is_noisy(&pos, mv) {
                _ if hash == Some(pos.code(mv)) => 0,
                true if heuristics.exchange(&pos, mv, 0) => 1,
                false => 2,
                true => 3,
            };
            let mut expected = moves.clone();
            expected.sort_by_key(|&mv| (group(mv), Reverse(heuristics.move_score(&pos, mv)), mv));
            assert_eq!(picked, expected, "{name}: hash {hash:?}");
        }
    }
}

/// On a graph an entry may come from a deeper search than the iteration. At the end of the game it cannot, so every
/// move of the line keeps the value. The table is never cleared, neither between games nor between positions.
#[test]
fn with_a_table_a_graph_searched_to_its_end_has_its_value() {
    let table = Arc::new(Table::new(1).unwrap());
    let mut random = Random(1);
    for (name, root) in games(Some(WIDTH)) {
        let mut pos = root;
        loop {
            let reports = search(&pos, &table, &Limits::depth(255));
            let last = reports.last().unwrap();
            assert_eq!((last.score, last.bound), (pos.value(), Bound::Exact), "{name}");
            if last.pv.is_empty() {
                break;
            }
            for (ply, place) in (0..).zip(play_out(&name, &pos, &last.pv)) {
                let value = score::from_node(place.value(), ply);
                let value = if place.turn() == pos.turn() { value } else { -value };
                assert_eq!(value, last.score, "{name}: ply {ply} of {:?}", last.pv);
            }
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            pos = pos.after(*random.pick(&moves));
        }
    }
}

/// Returns the positions of a line, the root first; every move must be legal.
fn play_out(name: &str, root: &Place, line: &[u16]) -> Vec<Place> {
    let mut positions = vec![root.clone()];
    for &code in line {
        let pos = &positions[positions.len() - 1];
        let Some(mv) = move_of(pos, code) else { panic!("{name}: {code} in {line:?}") };
        positions.push(pos.after(mv));
    }
    positions
}

/// Returns the value at the end of a line of `plies`, for the side to move at `root`.
fn value_at_end(root: &Place, end: &Place, plies: usize) -> Score {
    let mut moves = Vec::new();
    end.moves(&mut moves);
    let value = if moves.is_empty() { end.outcome().score() } else { root.heuristics().evaluate(end) };
    let value = score::from_node(value, plies as Score);
    if end.turn() == root.turn() { value } else { -value }
}

#[test]
fn the_principal_variation_leads_to_the_score() {
    let (none, some) = (Arc::new(Table::none()), Arc::new(Table::new(1).unwrap()));
    for (name, root) in games(None).chain(games(Some(WIDTH))) {
        // Bounds may settle a position, which ends the line.
        let unbounded = name.contains("bounds: 0,");
        for table in [&none, &some] {
            for report in search(&root, table, &Limits::depth(5)) {
                let line = play_out(&name, &root, &report.pv);
                // A line with a proven value may be longer than the depth.
                let proven = report.proof != Proof::NONE;
                assert!(
                    report.pv.len() <= usize::from(report.depth) || proven || table.mib() > 0 || !unbounded,
                    "{name}"
                );
                let end = &line[line.len() - 1];
                let mut moves = Vec::new();
                end.moves(&mut moves);
                let is_of_game = unbounded && (table.mib() == 0 || moves.is_empty());
                // A win that is not proven to be the shortest may come sooner.
                let is_of_game = is_of_game && (report.proof.exact() || !score::is_decisive(report.score));
                if report.bound == Bound::Exact && report.depth > 0 && is_of_game {
                    assert_eq!(value_at_end(&root, end, report.pv.len()), report.score, "{name} {report:?}");
                }
            }
        }
    }
}

#[test]
fn colliding_keys_never_make_an_illegal_move() {
    let table = Arc::new(Table::new(1).unwrap());
    for seed in 0..300 {
        let shape = Shape { colliding: true, width: Some(WIDTH), ..Shape::TREE };
        let root = Tree::draw(shape, &mut Random(seed));
        for report in search(&root, &table, &Limits::depth(6)) {
            play_out(&format!("game {seed}"), &root, &report.pv);
        }
    }
}

/// Limits that end a search before its first node, and longer ones.
#[test]
fn there_is_a_legal_move_however_early_a_search_ends() {
    let raised = StopFlag::new();
    raised.raise();
    for (name, root) in games(None).step_by(20) {
        let whole = search(&root, &Arc::new(Table::none()), &Limits::default()).pop().unwrap();
        let mut limits = vec![
            (Limits { movetime: Some(Duration::ZERO), ..Limits::default() }, StopFlag::new()),
            (Limits::default(), raised.clone()),
            (Limits::depth(0), StopFlag::new()),
        ];
        let counts = (0..20).chain([100, 511, 512, 513, whole.nodes, whole.nodes + 1]);
        limits.extend(counts.map(|nodes| (Limits { nodes: Some(nodes), ..Limits::default() }, StopFlag::new())));
        for (limits, stop) in limits {
            let mut searcher = Searcher::new(root.heuristics(), Arc::new(Table::none()));
            let mut reports = reports_of(&mut searcher, &root, &limits, &stop);
            let last = reports.pop().unwrap();
            assert!(!reports.is_empty(), "{name} {limits:?}: a report precedes every result");
            play_out(&name, &root, &last.pv);
            let mut moves = Vec::new();
            root.moves(&mut moves);
            assert_eq!(last.best().is_none(), moves.is_empty(), "{name} {limits:?}");
            assert_eq!(last.best(), reports.last().unwrap().best(), "{name} {limits:?}");
            if let Some(nodes) = limits.nodes {
                assert_eq!(last.nodes, nodes.min(whole.nodes), "{name}: a limit of {nodes}");
            }
        }
    }
}

/// The same for several threads and lines: each line has a move of its own.
#[test]
fn every_line_has_a_legal_move_however_early_a_search_ends() {
    let raised = StopFlag::new();
    raised.raise();
    for (name, root) in games(None).step_by(200) {
        let mut moves = Vec::new();
        root.moves(&mut moves);
        for (nodes, ties) in [0, 1, 3, 10, 60].into_iter().flat_map(|nodes| TIES.map(|ties| (nodes, ties))) {
            for (threads, lines) in [(1, 2), (2, 1), (2, 3), (3, 2)] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let request = Request { threads, lines, ties, ..Request::new(limits) };
                for stop in [&StopFlag::new(), &raised] {
                    let mut searcher = Searcher::new(root.heuristics(), Arc::new(Table::none()));
                    let reports = reports_of_request(&mut searcher, &root, &request, stop);
                    let count = lines.min(moves.len()).max(1);
                    let mut first: Vec<_> = reports[reports.len() - count..].iter().map(Report::best).collect();
                    assert!(first.iter().all(|mv| mv.is_none() == moves.is_empty()), "{name} {request:?}");
                    first.sort();
                    first.dedup();
                    assert_eq!(first.len(), count, "{name} {request:?}");
                    reports.iter().for_each(|report| _ = play_out(&name, &root, &report.pv));
                }
            }
        }
    }
}

#[test]
fn a_flag_raised_by_a_report_ends_the_search() {
    for (name, root) in games(None).step_by(20) {
        let stop = StopFlag::new();
        let mut reports = 0;
        let mut searcher = Searcher::new(root.heuristics(), Arc::new(Table::none()));
        let last = &searcher.search(&root, &Request::new(Limits::default()), &stop, &mut |_| {
            reports += 1;
            stop.raise();
        })[0];
        assert!(last.depth <= 1 || last.nodes < 1_024, "{name}: {last:?} after {reports} reports");
        play_out(&name, &root, &last.pv);
    }
}

#[test]
fn from_a_cleared_table_a_search_repeats_itself() {
    let table = Arc::new(Table::new(1).unwrap());
    for (name, root) in games(Some(WIDTH)).step_by(25) {
        let limits = [Limits::depth(7), Limits { nodes: Some(150), ..Limits::default() }];
        for (number, ties) in (0..4).flat_map(|number| TIES.map(|ties| (number, ties))) {
            let lines = 1 + number / 2 * 2;
            let request = Request { lines, ties, ..Request::new(limits[number % 2].clone()) };
            let mut searcher = Searcher::<Place, Drawn>::new(root.heuristics(), Arc::clone(&table));
            let mut runs = (0..2).map(|_| {
                table.clear();
                let mut reports = reports_of_request(&mut searcher, &root, &request, &StopFlag::new());
                reports.iter_mut().for_each(|report| report.time = Duration::ZERO);
                reports
            });
            assert_eq!(runs.next(), runs.next(), "{name} {request:?}");
        }
    }
}

/// The random games themselves: minimax to the end equals the value computed backwards, and each kind of end occurs.
#[test]
fn random_games_have_their_minimax_value_and_every_kind_of_end() {
    let (mut wins, mut margins, mut same, mut other, mut size) = (0, 0, 0, 0, 0);
    for (name, root) in games(None).chain(games(Some(WIDTH))) {
        assert_eq!(minimax(&root.heuristics(), &root, 255), root.value(), "{name}");
        size += root.size();
        let mut moves = Vec::new();
        root.moves(&mut moves);
        for mv in moves {
            let child = root.after(mv);
            *(if child.turn() == root.turn() { &mut same } else { &mut other }) += 1;
        }
        *(if score::is_decisive(root.value()) { &mut wins } else { &mut margins }) += 1;
        assert!(!matches!(root.outcome(), Outcome::Margin(units) if units.abs() > 288), "{name}");
    }
    assert!(wins > 300 && margins > 300 && same > 300 && other > 300, "{wins} {margins} {same} {other}");
    assert!(size > 100_000, "{size}");
}
