//! Records and counts of a search against the search itself, on random games and on every game of the registry.

use crate::common::tree::{Drawn, Place, Shape, Tree as Game};
use crate::common::{Random, describe, variants};
use secateurs::core::options::Options;
use secateurs::core::score;
use secateurs::core::tree::{End, Node, Room, SearchKind, SearchTree};
use secateurs::core::{Bound, Limits, Position, Progress, Report, Request, Score, StopFlag, Ties};
use secateurs::engine::Board;
use secateurs::registry::{self, GAMES, GameRow};
use secateurs::search::{Searcher, Table};
use std::fmt::Debug;
use std::sync::Arc;

/// Returns random games, each with its number for messages.
fn games(selective: bool) -> impl Iterator<Item = (String, Place)> {
    let shapes = Shape::all(None).chain(Shape::all(Some(12)));
    shapes.enumerate().flat_map(move |(number, shape)| {
        (0..12).map(move |game| {
            let (seed, shape) = (number * 12 + game, Shape { selective, ..shape });
            (format!("{shape:?} game {seed}"), Game::draw(shape, &mut Random(seed as u64)))
        })
    })
}

/// Returns the limits of a whole record.
fn whole() -> Room {
    Room::new(1_000_000, 255).unwrap()
}

/// Searches a random game; returns the reports, the result and the tree.
fn record(
    root: &Place,
    table: &Arc<Table>,
    request: &Request,
    room: Room,
) -> (Vec<Report<u16>>, Report<u16>, SearchTree<u16>) {
    let mut searcher = Searcher::<Place, Drawn>::new(root.heuristics(), Arc::clone(table));
    let mut reports = Vec::new();
    let (mut last, tree) = searcher.record(root, request, room, &StopFlag::new(), &mut |news| {
        if let Progress::Line(report) = news {
            reports.push(report.clone());
        }
    });
    (reports, last.swap_remove(0), tree)
}

/// Checks the invariants of the tree of a search that was not stopped; `nodes` is the count of its iteration.
fn is_sound<M: Debug + PartialEq + Clone>(name: &str, tree: &SearchTree<M>, nodes: u64) {
    let below = |at: usize| tree.nodes[at].below;
    assert_eq!(tree.entered, nodes, "{name}");
    assert_eq!(tree.roots().map(below).sum::<u64>(), nodes, "{name}");
    let whole = tree.nodes.len() - tree.roots().count() == nodes as usize;
    for (at, node) in tree.nodes.iter().enumerate() {
        let name = format!("{name}: node {at}, {node:?}");
        let children: Vec<usize> = tree.children(at).collect();
        assert_eq!(node.mv.is_none(), node.ply == 0, "{name}");
        assert_eq!(
            children.iter().map(|&child| tree.nodes[child].recorded as usize + 1).sum::<usize>(),
            node.recorded as usize
        );
        let counted: u64 = children.iter().map(|&child| below(child) + 1).sum();
        assert!(counted == node.below || (node.ply == tree.plies && counted == 0 && !whole), "{name}");
        // The stand-pat evaluation may reach the upper bound of the rules, which leaves an empty window.
        assert!(node.window[0] < node.window[1] || node.kind == SearchKind::Quiescence, "{name}");
        assert!(node.value.is_some() && node.end != End::Stopped, "{name}");
        let searched = matches!(node.end, End::Cutoff(_) | End::Moves);
        assert!(node.below == 0 || searched || matches!(node.end, End::Horizon | End::Pruned), "{name}");
        for (number, &child) in children.iter().enumerate() {
            let child = &tree.nodes[child];
            let ([low, high], [from, to]) = (child.window, node.window);
            assert_eq!(child.ply, node.ply + 1, "{name}");
            // A move that gives check may be extended by a ply.
            assert!(child.depth < node.depth + i16::from(node.depth > 0), "{name}");
            // At the root, a window that separates equal moves from worse ones begins one step lower, and so does the
            // one that completes a line.
            assert!(node.ply == 0 || (low >= from && high <= to), "{name}: {child:?} leaves the window");
            let before = number.checked_sub(1).map(|before| &tree.nodes[children[before]].mv);
            assert_eq!(child.again, before == Some(&child.mv), "{name}");
        }
        if let End::Cutoff(mv) = &node.end
            && let Some(&last) = children.last()
        {
            assert_eq!(tree.nodes[last].mv.as_ref(), Some(mv), "{name}: the last move cuts off");
        }
    }
    let line: Vec<_> = tree.nodes.iter().filter(|node| node.pv).collect();
    assert!((0..).zip(&line).all(|(ply, node)| node.ply == ply), "{name}: {line:?}");
}

/// Returns the minimax value of a node's moves, by the last search of each; the maximum where the side of the root
/// moves. `check`: the side to move may not stand pat.
fn minimax<M: PartialEq>(tree: &SearchTree<M>, at: usize, check: bool) -> Option<Score> {
    let node = &tree.nodes[at];
    let mut values: Vec<(&Option<M>, Score)> = Vec::new();
    for child in tree.children(at).map(|child| &tree.nodes[child]) {
        values.pop_if(|(mv, _)| **mv == child.mv);
        values.push((&child.mv, child.value.unwrap()));
    }
    // In quiescence the side to move may stand pat.
    let stand = (node.depth <= 0 && !check).then_some(node.provisional);
    let values = values.into_iter().map(|(_, value)| value).chain(stand);
    if node.turn == tree.turn { values.max() } else { values.min() }
}

/// Returns the nodes of the last iteration, from the reports.
fn of_iteration<M>(reports: &[Report<M>], last: &Report<M>) -> u64 {
    let nodes = |report: &Report<M>| report.nodes;
    let of = reports.iter().filter(|report| report.depth == last.depth && report.nodes <= last.nodes).map(nodes);
    // The result repeats the last iteration, and counts the nodes that complete the line too.
    let first_exact =
        reports.iter().filter(|report| report.depth == last.depth && report.bound == Bound::Exact).map(nodes).min();
    let before = reports.iter().filter(|report| report.depth < last.depth).map(nodes).max();
    first_exact.or(of.min()).unwrap() - before.unwrap_or(0)
}

#[test]
fn without_table_and_bounds_every_value_is_that_of_the_moves() {
    let (mut again, mut cut, mut reduced, mut windows) = (0, 0, 0, 0);
    for (name, root) in games(false).chain(games(true)).filter(|(name, _)| name.contains("bounds: 0,")) {
        for depth in [1, 2, 5] {
            let request = Request::depth(depth);
            let (reports, last, tree) = record(&root, &Arc::new(Table::none()), &request, whole());
            let name = format!("{name} depth {depth}");
            if root.is_over() {
                assert!(tree.nodes.is_empty(), "{name}");
                continue;
            }
            is_sound(&name, &tree, of_iteration(&reports, &last));
            assert_eq!((tree.depth, tree.turn), (last.depth, root.turn()), "{name}");
            let final_window = &tree.nodes[tree.roots().last().unwrap()];
            assert_eq!((final_window.value, final_window.window), (Some(last.score), last.window), "{name}");
            windows += tree.roots().count() - 1;
            for (at, node) in tree.nodes.iter().enumerate() {
                again += usize::from(node.again);
                cut += usize::from(matches!(node.end, End::Cutoff(_)));
                reduced += usize::from(node.kind == SearchKind::Reduced);
                if matches!(node.end, End::Moves | End::Cutoff(_)) {
                    assert_eq!(node.value, minimax(&tree, at, false), "{name}: node {at}, {node:?}");
                } else if matches!(node.end, End::Horizon | End::Over) {
                    assert_eq!(node.value, Some(node.provisional), "{name}: node {at}, {node:?}");
                } else if node.end != End::Pruned {
                    // No win is nearer than the node: mate-distance pruning.
                    assert_eq!(node.end, End::Rules, "{name}: {node:?}");
                    assert!(score::is_decisive(node.value.unwrap()), "{name}: {node:?}");
                }
            }
        }
    }
    assert!(again > 100 && cut > 1000 && reduced > 100 && windows > 100, "{again} {cut} {reduced} {windows}");
}

#[test]
fn with_table_and_bounds_the_tree_is_sound() {
    let (table, mut ends) = (Arc::new(Table::new(1).unwrap()), [0; 3]);
    for (name, root) in games(false).chain(games(true)) {
        for (depth, ties) in [(3, Ties::First), (6, Ties::First), (6, Ties::All)] {
            table.clear();
            let request = Request { ties, ..Request::depth(depth) };
            let (reports, last, tree) = record(&root, &table, &request, whole());
            if root.is_over() {
                continue;
            }
            is_sound(&name, &tree, of_iteration(&reports, &last));
            for node in &tree.nodes {
                let kind = match node.end {
                    End::Rules => 0,
                    End::Table => 1,
                    End::Enhanced(_) => 2,
                    _ => continue,
                };
                ends[kind] += 1;
            }
        }
    }
    assert!(ends.iter().all(|&count| count > 100), "{ends:?}");
}

/// Neither recording nor counting changes the search, and every node is counted once.
#[test]
fn recording_and_counting_change_nothing() {
    for (name, root) in games(false).chain(games(true)).step_by(3) {
        let request = Request::depth(5);
        let timeless = |mut report: Report<u16>| {
            report.time = std::time::Duration::ZERO;
            report
        };
        let table = || Arc::new(Table::new(1).unwrap());
        let mut searcher = Searcher::<Place, Drawn>::new(root.heuristics(), table());
        let plain = searcher.search(&root, &request, &StopFlag::new(), &mut |_| {}).swap_remove(0);
        let (_, recorded, _) = record(&root, &table(), &request, Room::default());
        assert_eq!(timeless(plain.clone()), timeless(recorded), "{name}");
        let mut searcher = Searcher::<Place, Drawn>::new(root.heuristics(), table());
        let (mut counted, counts) = searcher.count(&root, &request, &StopFlag::new(), &mut |_| {});
        assert_eq!(timeless(plain.clone()), timeless(counted.swap_remove(0)), "{name}");
        let kinds = counts.kinds.pv + counts.kinds.cut + counts.kinds.all;
        assert_eq!(counts.nodes, counts.terminal + counts.hits + kinds, "{name} {counts:?}");
        let windows = counts.nodes - plain.nodes;
        let failed = u64::from(plain.fails_low + plain.fails_high);
        assert!(windows > failed || root.is_over(), "{name} {counts:?}: {plain:?}");
    }
}

/// A limited record holds whole plies: it is the full record without its deepest plies.
#[test]
fn a_limited_record_is_the_upper_part_of_the_whole() {
    for (name, root) in games(false).step_by(4).filter(|(_, root)| !root.is_over()) {
        let request = Request::depth(6);
        let table = Arc::new(Table::none());
        let (.., large) = record(&root, &table, &request, whole());
        let windows = large.roots().count();
        for (nodes, plies) in [(0, 255), (1, 255), (10, 255), (100, 255), (1_000_000, 1), (1_000_000, 3), (40, 2)] {
            let (.., small) = record(&root, &table, &request, Room::new(nodes, plies).unwrap());
            let name = format!("{name}, {nodes} nodes, {plies} plies");
            is_sound(&name, &small, large.entered);
            assert!(small.nodes.len() <= nodes + windows && small.plies <= plies, "{name}");
            let strip = |node: &Node<u16>| Node { recorded: 0, ..node.clone() };
            let upper: Vec<_> = large.nodes.iter().filter(|node| node.ply <= small.plies).map(strip).collect();
            assert_eq!(small.nodes.iter().map(strip).collect::<Vec<_>>(), upper, "{name}");
            // One more ply would exceed the limit.
            let more = large.nodes.iter().filter(|node| node.ply <= small.plies + 1).count() - windows;
            assert!(small.plies == plies || small.plies == large.plies || more > nodes, "{name}");
        }
    }
}

#[test]
fn a_stopped_search_leaves_a_consistent_record() {
    for (name, root) in games(false).step_by(5).filter(|(_, root)| !root.is_over()) {
        for nodes in [0, 1, 2, 5, 20, 50, 100, 200] {
            let request = Request::new(Limits { nodes: Some(nodes), ..Limits::default() });
            let (_, last, tree) = record(&root, &Arc::new(Table::none()), &request, whole());
            assert!(last.depth == 0 || tree.depth == last.depth, "{name} {nodes} {last:?}");
            let place = |at: usize| &tree.nodes[at];
            for at in 0..tree.nodes.len() {
                let counted: u64 = tree.children(at).map(|child| place(child).below + 1).sum();
                assert_eq!(counted, place(at).below, "{name} {nodes}: {:?}", place(at));
                let stopped = place(at).end == End::Stopped;
                // The root may be stopped after it has its value, while its line is completed.
                let cut_off = stopped || place(at).ply == 0;
                assert!(cut_off || tree.children(at).all(|child| place(child).end != End::Stopped), "{name}");
                assert_eq!(stopped && place(at).ply > 0, place(at).value.is_none() && place(at).ply > 0, "{name}");
            }
        }
    }
}

fn after(board: &dyn Board, mv: &str) -> Box<dyn Board> {
    let mut board = board.boxed();
    board.play(mv).unwrap();
    board
}

/// Returns the position after a null move in chess: the other side to move, without an en passant square.
fn passed(row: &GameRow, options: &Options, board: &dyn Board) -> Box<dyn Board> {
    let fen = board.text();
    let fields: Vec<_> = fen.split(' ').collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    row.parse(options, &format!("{} {turn} {} -", fields[0], fields[2])).unwrap()
}

/// Every game with every option set: the tree can be played, and its values are those of the moves, within the static
/// bounds.
#[test]
fn the_trees_of_all_games_are_sound() {
    for (row, options) in variants() {
        let board = row.start(&options).unwrap();
        let name = describe(row, &options);
        for (hash, depth) in [(false, 3), (true, 4)] {
            let table = Arc::new(if hash { Table::new(1).unwrap() } else { Table::none() });
            let mut reports = Vec::new();
            let (mut last, tree) =
                board.engine(table).record(&Request::depth(depth), whole(), &StopFlag::new(), &mut |news| {
                    if let Progress::Line(report) = news {
                        reports.push(report.clone());
                    }
                });
            let (last, tree) = (last.swap_remove(0), board.named(&tree, &StopFlag::new()));
            is_sound(&name, &tree, of_iteration(&reports, &last));
            let mut path: Vec<Box<dyn Board>> = vec![board.boxed()];
            for (at, node) in tree.nodes.iter().enumerate() {
                path.truncate(usize::from(node.ply).max(1));
                if let Some(mv) = &node.mv {
                    let here = &path[path.len() - 1];
                    path.push(if mv == "0000" { passed(row, &options, &**here) } else { after(&**here, mv) });
                }
                let here = &path[path.len() - 1];
                assert_eq!(here.turn(), node.turn, "{name}: node {at}, {node:?}");
                if let Some(by) = node.end.by() {
                    assert!(here.moves().contains(by), "{name}: node {at}, {node:?}");
                }
                if node.end == End::Moves && !hash && node.ply > 0 {
                    let sign = if node.turn == tree.turn { 1 } else { -1 };
                    let bounds = here.static_evaluation().bounds.from_node(node.ply.into());
                    let check = !here.codes().into_iter().any(|code| here.is_quiet(code));
                    let held = minimax(&tree, at, check).map(|value| bounds.hold(sign * value) * sign);
                    assert_eq!(node.value, held, "{name}: node {at}, {node:?}");
                }
            }
        }
    }
}

/// The moves of a tree are named after the search, within the plies that fit; a raised flag leaves the windows alone.
#[test]
fn the_moves_of_a_tree_are_named_later() {
    for row in GAMES {
        let board = row.start(&row.defaults()).unwrap();
        let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
        let (_, codes) = engine.record(&Request::depth(4), whole(), &StopFlag::new(), &mut |_| {});
        let tree = board.named(&codes, &StopFlag::new());
        let room = Room::new(40, 2).unwrap();
        assert_eq!(board.named(&codes.within(room), &StopFlag::new()), tree.within(room), "{}", row.name);
        let stop = StopFlag::new();
        stop.raise();
        let windows = board.named(&codes, &stop);
        assert_eq!(windows, tree.within(Room::new(0, 255).unwrap()), "{}", row.name);
        assert!(windows.is_sound() && windows.nodes.len() == codes.roots().count(), "{}", row.name);
        assert_eq!((windows.plies, windows.entered), (0, codes.entered), "{}", row.name);
    }
}

#[test]
fn records_that_may_not_fit_are_refused() {
    let most = Room::MEMORY / Room::BYTES;
    assert!(Room::new(most, 255).is_ok());
    for nodes in [most + 1, usize::MAX] {
        let error = Room::new(nodes, 255).unwrap_err().to_string();
        assert!(error.contains(&nodes.to_string()) && error.contains(&most.to_string()), "{error}");
        assert!(error.contains("1024 MiB"), "{error}");
    }
}

#[test]
fn a_search_to_a_depth_is_counted() {
    for row in GAMES {
        let board = row.start(&row.defaults()).unwrap();
        let (reports, counts) =
            board.engine(Arc::new(Table::new(1).unwrap())).count(&Request::depth(5), &StopFlag::new());
        assert!(counts.nodes > reports[0].nodes && counts.nodes < reports[0].nodes + 50, "{}: {counts:?}", row.name);
        let kinds = counts.kinds.pv + counts.kinds.cut + counts.kinds.all;
        assert_eq!(counts.nodes, counts.terminal + counts.hits + kinds, "{}: {counts:?}", row.name);
    }
    assert!(registry::find("kalah").is_ok());
}
