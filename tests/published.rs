//! Figures published in the literature, reproduced by its procedures.

use crate::common::Random;
use secateurs::core::score::{INFINITE, Score};
use secateurs::core::{NodeCounts, Side};
use secateurs::engine::{MoveHint, TreeNode};
use secateurs::literature::budget::Budget;
use secateurs::literature::knuth_moore::{f, f1, f2};
use secateurs::literature::memory::{self, Memory};
use secateurs::literature::procedure::{Procedure, Settings, run};
use secateurs::literature::tree::{Node, Walk};
use secateurs::literature::uniform::Uniform;
use secateurs::util::random::mixed;
use std::rc::Rc;

/// A uniform tree with given terminal values, from left to right, from the first player's side. Turns alternate.
#[derive(Clone)]
struct Leaves {
    width: usize,
    depth: u8,
    values: Vec<Score>,
}

/// A position: its depth, and its index at that depth.
struct Leaf {
    tree: Rc<Leaves>,
    ply: u8,
    index: usize,
}

impl TreeNode for Leaf {
    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn successors(&self) -> Vec<Node> {
        let (width, first) = (self.tree.width, self.index * self.tree.width);
        let place = |index| Rc::new(Self { tree: Rc::clone(&self.tree), ply: self.ply + 1, index }) as Node;
        if self.ply == self.tree.depth { Vec::new() } else { (first..first + width).map(place).collect() }
    }

    fn value(&self) -> Score {
        let value = self.tree.values[self.index];
        if self.turn() == Side::First { value } else { -value }
    }

    fn key(&self) -> u64 {
        mixed(u64::from(self.ply) << 32 | self.index as u64)
    }

    fn code(&self) -> u16 {
        (self.index % self.tree.width) as u16
    }

    fn ply(&self) -> u8 {
        self.ply
    }

    fn hints(&self) -> Vec<MoveHint> {
        Vec::new()
    }
}

impl Leaves {
    fn root(&self) -> Node {
        Rc::new(Leaf { tree: Rc::new(self.clone()), ply: 0, index: 0 })
    }

    /// Returns a tree whose terminal values are all different, in random order.
    fn random(width: usize, depth: u8, random: &mut Random) -> Self {
        let mut values: Vec<Score> = (0..width.pow(depth.into()) as Score).collect();
        for end in (1..values.len()).rev() {
            values.swap(end, random.below(end + 1));
        }
        Self { width, depth, values }
    }

    fn counts(&self, procedure: Procedure) -> NodeCounts {
        let found = run(&self.root(), procedure, &Settings::default(), Budget::default());
        assert!(found.value.is_ok());
        found.counts
    }
}

/// D. E. Knuth and R. W. Moore 1975, theorem 1 and its corollaries: with the best move first everywhere, alpha-beta
/// enters only the critical positions, w^ceil(l/2) + w^floor(l/2) - 1 of them l plies below the root. One is of type 1,
/// w^ceil(l/2) - 1 are of type 2, w^floor(l/2) - 1 of type 3. For terminal positions it is the formula of J. R. Slagle
/// and J. K. Dixon 1969.
#[test]
fn critical_positions_of_each_type() {
    for (width, depth) in [(2_u64, 9), (3, 6), (5, 5), (10, 4), (38, 2)] {
        let tree = Uniform { width: width as usize, depth, seed: 7, order: 1.0, same: 0.0 };
        let counts = run(&tree.root(), Procedure::AlphaBeta, &Settings::default(), Budget::default()).counts;
        let type_2 = |ply: u32| width.pow(ply.div_ceil(2)) - 1;
        let type_3 = |ply: u32| width.pow(ply / 2) - 1;
        let critical = |ply: u32| 1 + type_2(ply) + type_3(ply);
        let (inner, depth) = (0..u32::from(depth), u32::from(depth));
        assert_eq!(counts.kinds.pv, u64::from(depth));
        assert_eq!(counts.kinds.cut, inner.clone().map(type_2).sum::<u64>());
        assert_eq!(counts.kinds.all, inner.map(type_3).sum::<u64>());
        assert_eq!(counts.nodes, (0..=depth).map(critical).sum::<u64>());
        assert_eq!(counts.terminal, critical(depth));
    }
}

/// Knuth and Moore 1975, section 6: two plies deep, with random terminal values that are all different, alpha-beta
/// examines the j-th reply to the i-th move with probability 1 / C(i - 1 + (j - 1) / w, i - 1). There are no deep
/// cut-offs, so F1 does the same.
#[test]
fn replies_examined_in_random_trees_of_two_plies() {
    let mut random = Random(1);
    for width in 2..=6 {
        let probability = |i: usize, j: usize| -> f64 {
            let fraction = (j - 1) as f64 / width as f64;
            // C(n + x, n) is the product of (k + x) / k.
            1.0 / (1..i).map(|k| (k as f64 + fraction) / k as f64).product::<f64>()
        };
        let expected: f64 =
            (1..=width).flat_map(|i| (1..=width).map(move |j| (i, j))).map(|(i, j)| probability(i, j)).sum();
        let trees = 20_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..trees {
            let tree = Leaves::random(width, 2, &mut random);
            let counts = tree.counts(Procedure::AlphaBeta);
            assert_eq!(counts.terminal, tree.counts(Procedure::BranchAndBound).terminal);
            sum += counts.terminal as f64;
            squares += (counts.terminal as f64).powi(2);
        }
        let n = f64::from(trees);
        let mean = sum / n;
        let error = ((squares / n - mean * mean) / n).sqrt();
        assert!((mean - expected).abs() < 4.0 * error, "width {width}: {mean} +- {error}, expected {expected}");
    }
}

/// The smallest case in full, all 24 orders of four values: 11/3 on average, as the formula gives.
#[test]
fn the_smallest_tree_counted_out() {
    let mut terminal = 0;
    for order in 0..24 {
        let mut left: Vec<Score> = vec![1, 2, 3, 4];
        let values = [order / 6, order / 2 % 3, order % 2, 0].map(|index| left.remove(index)).to_vec();
        terminal += Leaves { width: 2, depth: 2, values }.counts(Procedure::AlphaBeta).terminal;
    }
    assert_eq!(terminal, 24 * 11 / 3);
}

/// J. Pearl, "The solution for the branching factor of the alpha-beta pruning algorithm and its optimality", CACM 25
/// (1982): with random terminal values each further ply takes x / (1 - x) times as many of them, where x^w + x = 1; for
/// w = 2 that is the golden ratio, 1.618. Trees of these depths are within some percent of it.
#[test]
fn the_branching_factor_of_random_trees() {
    let mut random = Random(2);
    for (width, depth, trees) in [(2_usize, 16, 200), (3, 10, 100), (4, 8, 100)] {
        // By bisection: x^w + x increases.
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for _ in 0..60 {
            let x = f64::midpoint(low, high);
            if x.powi(width as i32) + x < 1.0 { low = x } else { high = x }
        }
        let published = low / (1.0 - low);
        assert!(width > 2 || (published - 1.618).abs() < 0.001);
        let mut mean = |depth: u8| -> f64 {
            let counts =
                (0..trees).map(|_| Leaves::random(width, depth, &mut random).counts(Procedure::AlphaBeta).terminal);
            counts.sum::<u64>() as f64 / f64::from(trees)
        };
        let measured = (mean(depth) / mean(depth - 2)).sqrt();
        assert!((measured / published - 1.0).abs() < 0.06, "width {width}: {measured}, published {published}");
    }
}

/// G. Stockman 1979: SSS* examines no terminal position that alpha-beta does not, where values are all different. Plaat
/// et al. 1996: MTD(f) from a first guess above all values is SSS*.
#[test]
fn sss_dominates_alpha_beta() {
    let mut random = Random(3);
    let mut fewer = 0;
    for _ in 0..300 {
        let tree = Leaves::random(3, 4, &mut random);
        let (sss, alpha_beta) = (tree.counts(Procedure::Sss).terminal, tree.counts(Procedure::AlphaBeta).terminal);
        assert!(sss <= alpha_beta);
        fewer += u64::from(sss < alpha_beta);
        let settings = Settings { guess: INFINITE, ..Settings::default() };
        assert_eq!(run(&tree.root(), Procedure::Mtd, &settings, Budget::default()).counts, tree.counts(Procedure::Sss));
    }
    assert!(fewer > 200, "{fewer}");
}

/// The example of A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "SSS* = alpha-beta + TT", technical report TR
/// 94-17, University of Alberta (1994): null windows from above return the bounds 41, 36 and 35, the value. The first
/// one rests on the terminal values 41, 12, 34 and 36, the next two on one more each, 5 and 35. These six, the bounds
/// and the value are the report's; the other ten leaves are from memory of it.
#[test]
fn the_passes_of_sss() {
    let values = vec![41, 5, 12, 90, 101, 80, 20, 30, 34, 80, 36, 35, 50, 36, 25, 3];
    let tree = Leaves { width: 2, depth: 4, values };
    let mut walk = Walk::new(Budget::default());
    let mut memory = Memory::new(1 << 10, false, true);
    let mut bound = INFINITE;
    for (value, terminal) in [(41, 4), (36, 5), (35, 6)] {
        bound = memory::alpha_beta(&mut walk, &mut memory, &tree.root(), bound - 1, bound);
        assert_eq!((bound, walk.counts.terminal), (value, terminal));
    }
    // The bound is the value: the next null window fails high.
    assert_eq!(memory::alpha_beta(&mut walk, &mut memory, &tree.root(), bound - 1, bound), 35);
    assert_eq!(f(&mut Walk::new(Budget::default()), &tree.root()), 35);
    let found = run(&tree.root(), Procedure::Sss, &Settings::default(), Budget::default());
    assert_eq!((found.value, found.searches, found.counts), (Ok(35), 4, walk.counts));
}

/// Knuth and Moore 1975, section 2: F1 cuts off only by the bound of a position's parent, so it misses deep cut-offs,
/// and only those. The smallest tree with one has four plies: the root's bound refutes a position three plies below.
#[test]
fn f1_misses_a_deep_cutoff() {
    // The left half is worth 5. On the right the second player can get 3 at once, and the root's bound cuts off three
    // plies below.
    let values = vec![5, 5, 5, 5, 5, 5, 5, 5, 3, 9, 9, 9, 9, 9, 9, 9];
    let tree = Leaves { width: 2, depth: 4, values };
    let (mut shallow, mut deep) = (Walk::new(Budget::default()), Walk::new(Budget::default()));
    assert_eq!(f1(&mut shallow, &tree.root(), INFINITE), f2(&mut deep, &tree.root(), -INFINITE, INFINITE));
    assert!(deep.counts.terminal < shallow.counts.terminal);
}
