//! Games with repetitions: the search against plain minimax over paths, and its proofs against retrograde analysis.

use crate::common::Random;
use crate::common::tree::selective;
use secateurs::core::score::{self, Score};
use secateurs::core::{
    Bound, Clock, Evaluation, MoveOrdering, Outcome, Position, Progress, Pruning, Report, Request, Side, Solver,
    StopFlag, Tuning,
};
use secateurs::search::{Searcher, Table};
use std::sync::Arc;

/// A random game: a graph with cycles, in which the side to move may stay the same.
#[derive(Debug)]
struct Graph {
    nodes: Vec<Node>,
    /// The plies without progress that make a draw; `None` without a clock.
    limit: Option<u16>,
    tuning: Tuning,
}

#[derive(Debug)]
struct Node {
    turn: Side,
    edges: Vec<Edge>,
    outcome: Outcome,
    /// Whether the position is a draw although it has moves.
    drawn: bool,
    /// The outcome of a repetition.
    repeated: Option<Outcome>,
    evaluation: Score,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: usize,
    progress: bool,
    rank: i32,
}

#[derive(Clone, Debug)]
struct Place {
    graph: Arc<Graph>,
    at: usize,
    plies: u16,
}

/// The parameters of a random game.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// The percentage of moves after which the same side moves again.
    same: usize,
    clock: bool,
    /// Whether repetitions have outcomes drawn for their positions, instead of always a draw.
    meanings: bool,
    /// Whether the search may extend and reduce.
    selective: bool,
}

impl Shape {
    fn all() -> impl Iterator<Item = Self> {
        [0, 40].into_iter().flat_map(|same| {
            [false, true].into_iter().flat_map(move |clock| {
                [false, true].map(move |meanings| Self { same, clock, meanings, selective: false })
            })
        })
    }
}

impl Graph {
    fn draw(shape: Shape, random: &mut Random) -> Place {
        let count = 4 + random.below(9);
        let mut nodes: Vec<Node> = Vec::new();
        let mut turn = Side::First;
        for at in 0..count {
            turn = if random.chance(shape.same) { turn } else { turn.other() };
            let ends = at > 0 && random.chance(20);
            let edges = if ends { 0 } else { 1 + random.below(3) };
            let edge = |random: &mut Random| Edge {
                to: random.below(count),
                progress: random.chance(15),
                rank: random.below(50) as i32,
            };
            nodes.push(Node {
                turn,
                edges: (0..edges).map(|_| edge(random)).collect(),
                outcome: *random.pick(&[Outcome::Win, Outcome::Loss, Outcome::Loss, Outcome::Draw]),
                drawn: at > 0 && !ends && random.chance(5),
                repeated: if shape.meanings {
                    *random.pick(&[None, Some(Outcome::Draw), Some(Outcome::Win), Some(Outcome::Loss)])
                } else {
                    Some(Outcome::Draw)
                },
                evaluation: random.below(400) as Score - 200,
            });
        }
        let tuning = Tuning {
            aspiration: *random.pick(&[1, 50, 400]),
            table_depth: *random.pick(&[0, 1, 2]),
            enhanced_cutoffs: *random.pick(&[Some(1), Some(2), None]),
            history: random.chance(50),
            leap: *random.pick(&[Some(1), Some(2), None]),
            quiescence: if shape.selective { 3 } else { 0 },
            // Half of the positions have an only move: a search that goes on after each of them hardly ends.
            single_extension: 0,
            ..selective(shape.selective, random)
        };
        let limit = shape.clock.then(|| 3 + random.below(6) as u16);
        Place { graph: Arc::new(Graph { nodes, limit, tuning }), at: 0, plies: 0 }
    }
}

impl Place {
    fn node(&self) -> &Node {
        &self.graph.nodes[self.at]
    }
}

impl Position for Place {
    type Move = u8;
    const CODES: usize = 4;
    const CYCLIC: bool = true;

    fn turn(&self) -> Side {
        self.node().turn
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.node().edges.len() as u8);
    }

    fn is_over(&self) -> bool {
        self.node().edges.is_empty()
    }

    fn outcome(&self) -> Outcome {
        self.node().outcome
    }

    fn is_drawn(&self) -> bool {
        self.node().drawn
    }

    fn clock(&self) -> Option<Clock> {
        self.graph.limit.map(|limit| Clock { plies: self.plies, limit })
    }

    fn repeated(&self, cycle: &mut dyn Iterator<Item = &Self>) -> Option<Outcome> {
        let before: Vec<_> = cycle.collect();
        assert_eq!(before.last().unwrap().at, self.at, "a cycle ends where the position was before");
        assert!(before[..before.len() - 1].iter().all(|place| place.at != self.at));
        self.node().repeated
    }

    fn after(&self, mv: u8) -> Self {
        let Edge { to, progress, .. } = self.node().edges[usize::from(mv)];
        Self { graph: Arc::clone(&self.graph), at: to, plies: if progress { 0 } else { self.plies + 1 } }
    }

    fn key(&self) -> u64 {
        (self.at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn code(&self, mv: u8) -> u16 {
        mv.into()
    }
}

#[derive(Clone)]
struct Drawn(Tuning);

impl Evaluation<Place> for Drawn {
    /// The number of the position, which every move must update.
    type State = usize;

    fn evaluate(&self, pos: &Place) -> Score {
        pos.node().evaluation
    }

    fn refresh(&self, pos: &Place) -> usize {
        pos.at
    }

    fn update(&self, &at: &usize, pos: &Place, mv: u8, _after: &Place) -> usize {
        pos.graph.nodes[at].edges[usize::from(mv)].to
    }

    fn evaluate_with(&self, pos: &Place, &at: &usize) -> Score {
        pos.graph.nodes[at].evaluation
    }
}

impl MoveOrdering<Place> for Drawn {
    const KINDS: usize = 3;

    fn kind(&self, _pos: &Place, mv: u8) -> usize {
        usize::from(mv) % 3
    }

    fn move_score(&self, pos: &Place, mv: u8) -> i32 {
        pos.node().edges[usize::from(mv)].rank
    }

    fn is_noisy(&self, pos: &Place, mv: u8) -> bool {
        self.move_score(pos, mv) >= 35
    }
}

impl Pruning<Place> for Drawn {
    /// Some positions, at random.
    fn is_check(&self, pos: &Place) -> bool {
        pos.node().evaluation % 5 == 0
    }

    fn tuning(&self) -> Tuning {
        self.0
    }
}

impl Solver<Place> for Drawn {}

/// Returns the minimax value over every line to a depth, with the draws and repetitions of the rules. `path` holds the
/// positions of the game and of the line, the current one last; `root` is the index of the root.
fn minimax(path: &mut Vec<Place>, root: usize, depth: u8) -> Score {
    let pos = path[path.len() - 1].clone();
    let ply = (path.len() - 1 - root) as Score;
    if ply > 0 {
        if pos.is_drawn() || (pos.clock().is_some_and(Clock::is_out) && !pos.is_over()) {
            return 0;
        }
        if let Some(outcome) = repetition(path, root) {
            return score::from_node(outcome.score(), ply);
        }
    }
    if pos.is_over() {
        return score::from_node(pos.outcome().score(), ply);
    }
    if depth == 0 {
        return pos.node().evaluation;
    }
    let values = (0..pos.node().edges.len() as u8).map(|mv| {
        let child = pos.after(mv);
        let same = child.turn() == pos.turn();
        path.push(child);
        let value = minimax(path, root, depth - 1);
        path.pop();
        if same { value } else { -value }
    });
    values.max().unwrap()
}

/// Returns the outcome of the last position as a repetition: of one position after the root, or of two others.
fn repetition(path: &[Place], root: usize) -> Option<Outcome> {
    let pos = &path[path.len() - 1];
    let reach = pos.clock().map_or(usize::MAX, |clock| clock.plies.into());
    let before: Vec<_> = (0..path.len() - 1).rev().take(reach).filter(|&at| path[at].at == pos.at).collect();
    let is_one = before.len() >= 2 || before.first().is_some_and(|&at| at > root);
    is_one.then_some(pos.node().repeated).flatten()
}

/// Plays a line of random moves; returns the positions of the game and the last one.
fn game(first: &Place, random: &mut Random) -> (Vec<Place>, Place) {
    let (mut before, mut pos) = (Vec::new(), first.clone());
    let long = random.chance(50);
    for _ in 0..random.below(if long { 42 } else { 12 }) {
        let next = pos.after(random.below(pos.node().edges.len()) as u8);
        if next.is_over() || next.is_drawn() || next.clock().is_some_and(Clock::is_out) {
            break;
        }
        before.push(std::mem::replace(&mut pos, next));
    }
    (before, pos)
}

fn search(root: &Place, before: &[Place], table: &Arc<Table>, depth: u8) -> Vec<Report<u16>> {
    let mut searcher = Searcher::new(Drawn(root.graph.tuning), Arc::clone(table)).after(before.to_vec());
    let mut reports = Vec::new();
    let lines = searcher.search(root, &Request::depth(depth), &StopFlag::new(), &mut |event| {
        if let Progress::Line(report) = event {
            reports.push(report.clone());
        }
    });
    reports.extend(lines);
    reports
}

#[test]
fn without_a_table_the_search_is_minimax_over_paths() {
    let mut repetitions = 0;
    for (number, shape) in Shape::all().enumerate() {
        for seed in 0..250 {
            let random = &mut Random((number * 1_000 + seed) as u64);
            let first = Graph::draw(shape, random);
            let (before, root) = game(&first, random);
            let mut path: Vec<_> = before.iter().cloned().chain([root.clone()]).collect();
            let at = before.len();
            for report in search(&root, &before, &Arc::new(Table::none()), 7) {
                if report.bound == Bound::Exact && report.depth > 0 {
                    let expected = minimax(&mut path, at, report.depth);
                    assert_eq!(report.score, expected, "{shape:?} {seed} depth {}: {root:?} {before:?}", report.depth);
                }
            }
            repetitions += usize::from(before.iter().any(|place| place.at == root.at));
        }
    }
    assert!(repetitions > 100, "{repetitions} games repeat a position before they are searched");
}

/// Returns the positions that have occurred twice in a game: reaching them again is a draw.
fn twice(before: &[Place], root: &Place) -> Vec<usize> {
    let mut count = vec![0; root.graph.nodes.len()];
    before.iter().chain([root]).for_each(|place| count[place.at] += 1);
    (0..count.len()).filter(|&at| count[at] >= 2).collect()
}

/// Returns the winner of each position and clock, and the most plies it needs; `None` if neither side can force a win.
/// The positions `drawn` are draws too.
fn retrograde(graph: &Arc<Graph>, drawn: &[usize]) -> Vec<Vec<Option<(Side, Score)>>> {
    let clocks = graph.limit.map_or(1, |limit| limit + 1);
    let place = |at, plies| Place { graph: Arc::clone(graph), at, plies };
    let plies_of = |place: &Place| if graph.limit.is_some() { usize::from(place.plies) } else { 0 };
    let mut won = vec![vec![None; clocks.into()]; graph.nodes.len()];
    for (at, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.edges.is_empty()) {
        let winner = match node.outcome {
            Outcome::Win => Some((node.turn, 0)),
            Outcome::Loss => Some((node.turn.other(), 0)),
            _ => None,
        };
        won[at] = vec![winner; clocks.into()];
    }
    for distance in 1..=(graph.nodes.len() * usize::from(clocks)) as Score {
        let before = won.clone();
        for (at, row) in won.iter_mut().enumerate() {
            for (plies, won) in (0..clocks).zip(row) {
                let pos = place(at, plies);
                let ended =
                    drawn.contains(&at) || pos.is_over() || pos.is_drawn() || pos.clock().is_some_and(Clock::is_out);
                if ended || won.is_some() {
                    continue;
                }
                let children = (0..pos.node().edges.len() as u8).map(|mv| pos.after(mv));
                let winners: Vec<_> =
                    children.map(|child| before[child.at][plies_of(&child)].map(|(side, _)| side)).collect();
                let mover = pos.turn();
                if winners.contains(&Some(mover)) {
                    *won = Some((mover, distance));
                } else if winners.iter().all(|&side| side == Some(mover.other())) {
                    *won = Some((mover.other(), distance));
                }
            }
        }
    }
    won
}

#[test]
fn proofs_hold_from_every_history_and_clock() {
    let (mut proven, mut exact, mut wins, mut near) = (0, 0, 0, 0);
    for (number, shape) in Shape::all().filter(|shape| !shape.meanings).enumerate() {
        for seed in 0..300 {
            let random = &mut Random((number * 1_000 + seed) as u64);
            let shape = Shape { selective: seed % 2 == 1, ..shape };
            let first = Graph::draw(shape, random);
            let everywhere = retrograde(&first.graph, &[]);
            // One table for all: entries of one history are read under another.
            let table = Arc::new(Table::new(1).unwrap());
            for _ in 0..8 {
                let (before, root) = game(&first, random);
                let plies = if shape.clock { usize::from(root.plies) } else { 0 };
                // With a clock, the positions before a move that makes progress do not count any more.
                let mut drawn = if shape.clock { Vec::new() } else { twice(&before, &root) };
                near += usize::from(!drawn.is_empty());
                // The root itself is not drawn, and a forced win does not come back to it.
                drawn.retain(|&at| at != root.at);
                let here = if drawn.is_empty() { None } else { Some(retrograde(&first.graph, &drawn)) };
                let truth = here.as_ref().unwrap_or(&everywhere)[root.at][plies].map_or(0, |(winner, distance)| {
                    let win = score::win_in(distance);
                    if winner == root.turn() { win } else { -win }
                });
                // In a small graph every line without a repetition is short, so it can be searched to the end at once.
                // With a clock it may be long, as moves that make progress also lead back.
                let small = first.graph.nodes.len() <= 7 && !shape.clock;
                let whole = small && first.graph.tuning.leap.is_some() && random.chance(50);
                let depth = if whole { 255 } else { 1 + random.below(9) as u8 };
                for report in search(&root, &before, &table, depth) {
                    let text = format!("{shape:?} {seed}: truth {truth}, {report:?}: {root:?} {before:?}");
                    assert!(!report.proof.lower() || truth >= report.score, "{text}");
                    assert!(!report.proof.upper() || truth <= report.score, "{text}");
                    proven += usize::from(report.proof.lower() || report.proof.upper());
                    exact += usize::from(report.proof.exact());
                    wins += usize::from(report.proof.lower() && report.score > 0);
                }
            }
        }
    }
    assert!(proven > 10_000 && exact > 2_000 && wins > 2_000 && near > 1_000, "{proven} {exact} {wins} {near}");
}
