//! Random games, drawn in advance: graphs of positions with every feature that a search may meet. The side to move may
//! stay the same, moves score points, wins end games early, and bounds are sound and of any tightness.

use super::Random;
use secateurs::core::score::{self, INFINITE, Score, UNIT};
use secateurs::core::{Bounds, Evaluation, MoveOrdering, Outcome, Position, Pruning, Side, Solver, Tuning};
use std::sync::Arc;

/// The parameters of a random game.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The longest game, plies.
    pub height: usize,
    /// The number of positions at each distance from the root; `None` for a tree, in which no position occurs twice.
    pub width: Option<usize>,
    /// The most moves in a position.
    pub moves: usize,
    /// The percentage of moves after which the same side moves again, in a tree; in a graph it is 50.
    pub same: usize,
    /// The percentage of ends that are a win, a loss or a draw rather than a margin.
    pub wins: usize,
    /// The most units that a move settles.
    pub gain: i32,
    /// The percentage of positions with bounds.
    pub bounds: usize,
    /// Whether the keys collide so often that most positions share one.
    pub colliding: bool,
    /// Whether the search may extend and reduce, so that its iterations are not plain minimax.
    pub selective: bool,
}

impl Shape {
    /// Trees small enough for plain minimax, without bounds.
    pub const TREE: Self = Self {
        height: 6,
        width: None,
        moves: 4,
        same: 30,
        wins: 30,
        gain: 0,
        bounds: 0,
        colliding: false,
        selective: false,
    };

    /// Returns the shapes that tests use: with wins, with margins and settled units, with both, with bounds.
    pub fn all(width: Option<usize>) -> impl Iterator<Item = Self> {
        let ends = [(0, 0), (0, 3), (60, 0), (100, 0), (30, 3)];
        let rest = [(0, 0), (30, 0), (30, 30), (100, 50), (50, 100)];
        ends.into_iter().flat_map(move |(wins, gain)| {
            rest.into_iter().map(move |(same, bounds)| Self { width, wins, gain, same, bounds, ..Self::TREE })
        })
    }
}

/// A game: its positions, the root first, each before its successors.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    pub tuning: Tuning,
}

#[derive(Debug)]
struct Node {
    turn: Side,
    edges: Vec<Edge>,
    /// The result of a position without edges, without the settled score, for the side to move.
    outcome: Outcome,
    /// The evaluation without the settled score, for the side to move.
    evaluation: Score,
    /// The value without the settled score, for the side to move.
    value: Score,
    bounds: Bounds,
    salt: u64,
}

#[derive(Debug)]
struct Edge {
    to: usize,
    /// The units that the move settles for the first player.
    gain: i32,
    rank: i32,
}

/// A position of a random game.
#[derive(Clone, Debug)]
pub struct Place {
    tree: Arc<Tree>,
    at: usize,
    /// The units settled for the first player.
    bank: i32,
}

/// The heuristics drawn with the game; moves are picked in stages or scored at once.
#[derive(Clone, Debug)]
pub struct Drawn<const STAGED: bool = false>(pub Tuning);

impl Tree {
    /// Draws a game.
    pub fn draw(shape: Shape, random: &mut Random) -> Place {
        let mut nodes = Vec::new();
        match shape.width {
            None => grow(shape, shape.height, side(random), random, &mut nodes),
            Some(width) => lay(shape, width, random, &mut nodes),
        }
        for at in (0..nodes.len()).rev() {
            if shape.colliding {
                nodes[at].salt %= 3;
            }
            let value = settle(&nodes, at);
            nodes[at].value = value;
            nodes[at].bounds = if random.chance(shape.bounds) { around(value, random) } else { Bounds::NONE };
        }
        let tuning = Tuning {
            aspiration: *random.pick(&[1, 50, 400]),
            table_depth: *random.pick(&[0, 1, 2, 4]),
            enhanced_cutoffs: *random.pick(&[Some(0), Some(1), Some(2), None]),
            history: random.chance(50),
            leap: *random.pick(&[Some(1), Some(3), None]),
            quiescence: if shape.selective { *random.pick(&[0, 3]) } else { 0 },
            guess_depth: *random.pick(&[0, 2]),
            ..selective(shape.selective, random)
        };
        Place { tree: Arc::new(Tree { nodes, tuning }), at: 0, bank: 0 }
    }
}

/// Draws the parameters of the selective steps; without them, those of a search that visits every move.
pub fn selective(is_selective: bool, random: &mut Random) -> Tuning {
    // Two parameters follow from others: a draw of their own would change every game that is drawn after it, and some
    // of those games are too large with unlimited check extensions.
    let [growth, pv, history] = [&[0, 60][..], &[0, 100, 1_000], &[0, 4_000]].map(|values| *random.pick(values));
    let off = Tuning {
        late_reduction_growth: growth,
        late_reduction_pv: pv,
        late_reduction_cut: if history > 0 { 100 } else { 0 },
        late_reduction_history: history,
        improving: if pv == 100 { 100 } else { 0 },
        reverse_futility_margin: 50,
        futility_margin: 60,
        exchange_margin: 10,
        ..Tuning::default()
    };
    if !is_selective {
        return off;
    }
    Tuning {
        hashless_reduction: *random.pick(&[Some(1), Some(2), None]),
        late_reduction: *random.pick(&[Some(2), Some(3), None]),
        reverse_futility: *random.pick(&[0, 2]),
        late_pruning: *random.pick(&[0, 2]),
        futility: *random.pick(&[0, 2]),
        exchange_pruning: *random.pick(&[0, 2]),
        check_extension: *random.pick(&[0, 1]),
        single_extension: *random.pick(&[0, 1]),
        delta_margin: *random.pick(&[0, 30]),
        ..off
    }
}

impl Place {
    /// Returns the heuristics of the game.
    pub fn heuristics(&self) -> Drawn {
        Drawn(self.tree.tuning)
    }

    /// Returns the same heuristics, with moves picked in stages.
    pub fn staged(&self) -> Drawn<true> {
        Drawn(self.tree.tuning)
    }

    /// Returns the value of the whole game, computed backwards from its ends.
    pub fn value(&self) -> Score {
        absolute(self.node().value, self.settled())
    }

    /// Returns the number of positions of the game.
    pub fn size(&self) -> usize {
        self.tree.nodes.len()
    }

    fn node(&self) -> &Node {
        &self.tree.nodes[self.at]
    }

    fn settled(&self) -> Score {
        self.bank * UNIT * sign(self.node().turn)
    }
}

/// Grows a tree: every position has successors of its own.
fn grow(shape: Shape, height: usize, turn: Side, random: &mut Random, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    nodes.push(node(shape, turn, random));
    for _ in 0..moves(shape, height, random) {
        let to = nodes.len();
        nodes[at].edges.push(edge(shape, to, random));
        let next = if random.chance(shape.same) { turn } else { turn.other() };
        grow(shape, height - 1, next, random, nodes);
    }
}

/// Draws a graph of layers. Moves lead to the next layer or the one after it, so that lines of different lengths meet.
fn lay(shape: Shape, width: usize, random: &mut Random, nodes: &mut Vec<Node>) {
    let first = |layer: usize| if layer == 0 { 0 } else { 1 + (layer - 1) * width };
    for layer in 0..=shape.height {
        for _ in first(layer)..first(layer + 1) {
            let mut node = node(shape, side(random), random);
            for _ in 0..moves(shape, shape.height - layer, random) {
                let next = (layer + 1 + random.below(2)).min(shape.height);
                node.edges.push(edge(shape, first(next) + random.below(width), random));
            }
            nodes.push(node);
        }
    }
}

/// Draws the number of moves: some games end early, and many positions have a single move.
fn moves(shape: Shape, height: usize, random: &mut Random) -> usize {
    if height == 0 || random.chance(4) { 0 } else { 1 + random.below(shape.moves) }
}

fn side(random: &mut Random) -> Side {
    *random.pick(&[Side::First, Side::Second])
}

fn node(shape: Shape, turn: Side, random: &mut Random) -> Node {
    let units = |random: &mut Random| random.below(21) as i16 - 10;
    let outcome = if random.chance(shape.wins) {
        // A draw is worth 0 with any settled units, so games that settle units have none.
        let ends = [Outcome::Win, Outcome::Loss, Outcome::Loss, Outcome::Draw];
        *random.pick(if shape.gain > 0 { &ends[..3] } else { &ends })
    } else {
        Outcome::Margin(units(random))
    };
    let evaluation = Score::from(units(random)) * UNIT + random.below(100) as Score;
    Node { turn, edges: Vec::new(), outcome, evaluation, value: 0, bounds: Bounds::NONE, salt: random.next() }
}

fn edge(shape: Shape, to: usize, random: &mut Random) -> Edge {
    let gain = random.below(2 * shape.gain as usize + 1) as i32 - shape.gain;
    Edge { to, gain, rank: random.below(3) as i32 }
}

/// Returns the value of a position whose successors have theirs.
fn settle(nodes: &[Node], at: usize) -> Score {
    let node = &nodes[at];
    let values = node.edges.iter().map(|edge| {
        let child = &nodes[edge.to];
        let value = score::from_node(child.value, 1) * sign(child.turn) * sign(node.turn);
        absolute(value, edge.gain * UNIT * sign(node.turn))
    });
    values.max().unwrap_or(node.outcome.score())
}

/// Returns bounds that contain a value, each of them exact, near, far or absent.
fn around(value: Score, random: &mut Random) -> Bounds {
    let slacks = if score::is_decisive(value) { [0, 1, 3] } else { [0, 150, 900] };
    let (below, above) = (random.pick(&slacks), random.pick(&slacks));
    let mut bounds = Bounds { lower: (value - below).max(-INFINITE), upper: (value + above).min(INFINITE) };
    if random.chance(33) {
        bounds.lower = -INFINITE;
    }
    if random.chance(33) {
        bounds.upper = INFINITE;
    }
    bounds
}

fn sign(side: Side) -> Score {
    if side == Side::First { 1 } else { -1 }
}

/// Adds the settled score to any value but the distance of a win.
fn absolute(value: Score, settled: Score) -> Score {
    if score::is_decisive(value) { value } else { value + settled }
}

impl Position for Place {
    type Move = u8;
    const CODES: usize = 32;

    fn turn(&self) -> Side {
        self.node().turn
    }

    fn is_over(&self) -> bool {
        self.node().edges.is_empty()
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend((0..).zip(&self.node().edges).map(|(mv, _)| mv));
    }

    fn outcome(&self) -> Outcome {
        match self.node().outcome {
            Outcome::Margin(units) => Outcome::Margin(units + (self.settled() / UNIT) as i16),
            outcome => outcome,
        }
    }

    fn after(&self, mv: u8) -> Self {
        let edge = &self.node().edges[usize::from(mv)];
        Self { tree: Arc::clone(&self.tree), at: edge.to, bank: self.bank + edge.gain }
    }

    fn key(&self) -> u64 {
        self.node().salt
    }

    fn code(&self, mv: u8) -> u16 {
        u16::from(mv) + self.node().salt as u16 % 16
    }
}

impl<const STAGED: bool> Evaluation<Place> for Drawn<STAGED> {
    type State = ();

    fn evaluate(&self, pos: &Place) -> Score {
        pos.node().evaluation + pos.settled()
    }

    fn settled(&self, pos: &Place) -> Score {
        pos.settled()
    }
}

impl<const STAGED: bool> MoveOrdering<Place> for Drawn<STAGED> {
    const STAGED: bool = STAGED;

    /// Every other noisy move loses.
    fn exchange(&self, pos: &Place, mv: u8, _threshold: Score) -> bool {
        (pos.node().salt >> (8 + mv)).is_multiple_of(2)
    }

    fn move_score(&self, pos: &Place, mv: u8) -> i32 {
        pos.node().edges[usize::from(mv)].rank
    }

    fn is_noisy(&self, pos: &Place, mv: u8) -> bool {
        self.move_score(pos, mv) == 2
    }
}

impl<const STAGED: bool> Pruning<Place> for Drawn<STAGED> {
    #[inline]
    fn is_exempt(&self, pos: &Place, mv: u8) -> bool {
        self.is_noisy(pos, mv)
    }

    fn tuning(&self) -> Tuning {
        self.0
    }
}

impl<const STAGED: bool> Solver<Place> for Drawn<STAGED> {
    fn bounds(&self, pos: &Place) -> Bounds {
        let Bounds { lower, upper } = pos.node().bounds;
        Bounds { lower: absolute(lower, pos.settled()), upper: absolute(upper, pos.settled()) }
    }

    /// In some positions, at random.
    fn looks_up_children(&self, pos: &Place) -> bool {
        pos.node().salt.is_multiple_of(2)
    }

    /// In some positions with an only move, at random.
    fn forced_move(&self, pos: &Place) -> Option<u8> {
        (pos.node().edges.len() == 1 && pos.node().salt & 2 == 0).then_some(0)
    }
}
