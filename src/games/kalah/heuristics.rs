//! Judgement of Kalah positions: a plain evaluation, ranks of moves, exact bounds.

use super::geometry::MAX_HOUSES as MAX_PACKED;
use super::{Capture, Endgames, House, Layout};
use crate::core::score::{self, UNIT};
use crate::core::{Bounds, Evaluation, MoveOrdering, Pruning, Score, Solver, Tuning, Weight, weights};
use std::sync::Arc;

/// The weights, centi-units, fitted to games of the engine against itself; `docs/strength.md` has the commands.
pub(super) const WEIGHTS: &str = "seed=4,mobility=159,extra_turn=171,threat=86,risk=-35,hoard=18";

/// The number of weights.
pub const TERMS: usize = 6;

/// The name of each weight, and what people are told of its part in the evaluation.
const NAMES: [[&str; 2]; TERMS] = [
    ["seed", "seeds"],
    ["mobility", "mobility"],
    ["extra_turn", "extra turns"],
    ["threat", "threats"],
    ["risk", "risk"],
    ["hoard", "hoard"],
];

/// What the weights count beside the stores, which are [settled](Evaluation::settled):
///
/// - `seed`: seeds in the own houses, less those in the opponent's;
/// - `mobility`: houses that can be sown, less the opponent's;
/// - `extra_turn`: own houses whose last seed would reach the store;
/// - `threat`: the most seeds of the opponent's that could be captured next; `risk`: of the own, were it the opponent's turn;
/// - `hoard`: seeds in the house next to the own store, less those in the opponent's.
#[inline]
fn counts<L: Layout>(pos: &L) -> [i32; TERMS] {
    let lead = |[own, opposing]: [i32; 2]| own - opposing;
    let nearest = pos.houses() - 1;
    [
        lead(pos.in_houses()),
        lead(pos.filled()),
        pos.storing().count_ones().cast_signed(),
        pos.threat().into(),
        pos.turned().threat().into(),
        i32::from(pos.own(nearest)) - i32::from(pos.opposing(nearest)),
    ]
}

/// More seeds than this a side is rarely sure to bank: nobody looks.
const SURE: i32 = 12;

/// What exact search sees of a move.
const SIGHTS: usize = 10;

/// How much each of them counts in its order, under standard and under empty captures. They were found by random steps that
/// kept whatever solved positions of Kalah(6,5) with fewer nodes: `docs/performance.md`.
const ORDER: [[i32; SIGHTS]; 2] =
    [[137, 359, -60, 20, 16, 6, -80, -91, 7, -7], [118, 322, -60, 20, 7, 6, -76, -91, 7, -7]];

/// What exact search sees of a move:
///
/// - the seeds that it banks, and whether it earns another turn;
/// - the other side's chances of another turn, if it does not;
/// - the house, counted from the far end;
/// - after it, whoever's turn it is: the most seeds that the mover could capture, the mover's chances of another turn, the
///   other side's houses with seeds;
/// - whether it banks nothing;
/// - the seeds in the house next to the mover's store after it, and those that are sown.
#[inline]
fn sight<L: Layout>(pos: &L, mv: House, after: &L) -> [i32; SIGHTS] {
    let count = |houses: u32| houses.count_ones().cast_signed();
    let again = after.turn() == pos.turn();
    let mine = if again { after.clone() } else { after.turned() };
    let gained = mine.store_lead() - pos.store_lead();
    let [_, theirs] = mine.filled();
    [
        gained,
        i32::from(again),
        if again { 0 } else { count(after.storing()) },
        i32::from(mv.0),
        i32::from(mine.threat()),
        count(mine.storing()),
        theirs,
        i32::from(gained == 0),
        i32::from(mine.own(mine.houses() - 1)),
        i32::from(pos.own(mv.0.into())),
    ]
}

/// The weights of the evaluation, and the parameters of the search.
#[derive(Clone, Debug)]
pub struct KalahHeuristics {
    /// The weights, centi-units, in the order in which they are [shown](Evaluation::weights).
    pub weights: [Score; TERMS],
    /// The parameters of the search; whether it has a history is decided by the layout.
    pub tuning: Tuning,
    /// The endgame databases, if there are any.
    pub endgames: Option<Arc<Endgames>>,
}

/// The lead that wins every other game between equals, seeds: up to it a draw is likely,
const EVEN_LEAD: f64 = 1.04;

/// and how much every seed in play widens the logistic scale of the lead, seeds; both fitted by `benches/wdl.py`.
const SCALE_PER_SEED: f64 = 0.079;

/// The rank of a move that earns another turn,
const EXTRA_TURN_RANK: i32 = 1 << 20;

/// and that of a capture, below it.
const CAPTURE_RANK: i32 = 1 << 18;

impl Default for KalahHeuristics {
    fn default() -> Self {
        // Enhanced cut-offs pay only where the tree is searched to its ends: a fifth to a quarter fewer nodes there.
        let tuning = Tuning {
            aspiration: UNIT,
            table_depth: 3,
            enhanced_cutoffs: 30,
            leap: 20,
            quiescence: 4,
            hashless_reduction: 4,
            exact_lookups: true,
            guess_depth: 14,
            ..Tuning::default()
        };
        let unweighted = Self { weights: [0; TERMS], tuning, endgames: None };
        unweighted.clone().weighted(WEIGHTS).unwrap_or(unweighted)
    }
}

impl KalahHeuristics {
    /// These heuristics with other weights, `seed=14,mobility=6`; those that the text does not name stay.
    ///
    /// # Errors
    /// What would have been right.
    pub fn weighted(self, text: &str) -> Result<Self, String> {
        let mut named = self.named();
        weights::read(text, &mut named)?;
        Ok(Self { weights: named.map(|(_, value)| value), ..self })
    }

    fn named(&self) -> [Weight; TERMS] {
        std::array::from_fn(|term| (NAMES[term][0], self.weights[term]))
    }
}

/// The place on the mover's way where a last seed comes to lie: `0..houses` are the own houses, `houses` is the
/// store. Beyond a lap it is no place.
#[inline]
fn last(houses: usize, house: usize, seeds: u16) -> usize {
    let lap = 2 * houses + 1;
    let end = house + usize::from(seeds);
    if usize::from(seeds) > lap {
        usize::MAX
    } else if end >= lap {
        end - lap
    } else {
        end
    }
}

impl<L: Layout> Evaluation<L> for KalahHeuristics {
    type State = ();

    #[inline]
    fn evaluate(&self, pos: &L) -> Score {
        let counts = counts(pos);
        self.settled(pos) + self.weights.iter().zip(counts).map(|(weight, count)| weight * count).sum::<Score>()
    }

    fn explain(&self, pos: &L) -> Vec<(&'static str, Score)> {
        let terms = NAMES.iter().zip(self.weights).zip(counts(pos));
        let terms = terms.map(|(([_, name], weight), count)| (*name, weight * count));
        std::iter::once(("stores", self.settled(pos))).chain(terms).collect()
    }

    fn weights(&self) -> Vec<Weight> {
        self.named().to_vec()
    }

    fn features(&self, pos: &L) -> Vec<i32> {
        counts(pos).to_vec()
    }

    #[inline]
    fn settled(&self, pos: &L) -> Score {
        pos.store_lead() * UNIT
    }

    /// A logistic curve over the lead, the flatter the more seeds are in play. With an odd number of seeds on the
    /// board nobody draws.
    fn wdl(&self, pos: &L, score: Score) -> Option<[u16; 3]> {
        let scale = SCALE_PER_SEED * f64::from(pos.in_play().max(1));
        let chance = |lead: f64| 1.0 / (1.0 + ((EVEN_LEAD - lead) / scale).exp());
        let lead = f64::from(score) / f64::from(UNIT);
        let (mut win, mut loss) = (chance(lead), chance(-lead));
        if (pos.store_lead() + i32::from(pos.in_play())) % 2 != 0 {
            (win, loss) = (win / (win + loss), loss / (win + loss));
        }
        let [win, loss] = [win, loss].map(|chance| (1000.0 * chance).round() as u16);
        let win = win.min(1000 - loss);
        Some([win, 1000 - win - loss, loss])
    }
}

impl<L: Layout> MoveOrdering<L> for KalahHeuristics {
    /// Extra turns first, then captures, the most seeds first, then right to left (Irving et al. 2000).
    #[inline]
    fn move_score(&self, pos: &L, mv: House) -> i32 {
        let (houses, house) = (pos.houses(), usize::from(mv.0));
        let near = i32::from(mv.0);
        let last = last(houses, house, pos.own(house));
        if last == houses {
            EXTRA_TURN_RANK + near
        } else if last < houses && (last == house || pos.own(last) == 0) {
            // A lap adds one seed opposite.
            let opposite = i32::from(pos.opposing(houses - 1 - last)) + i32::from(last <= house);
            let captures = opposite > 0 || pos.capture() == Capture::Empty;
            if captures { CAPTURE_RANK + (opposite << 4) + near } else { near }
        } else {
            near
        }
    }

    /// Moves that earn another turn. Captures beside them gained nothing measurable, and made proofs dearer.
    #[inline]
    fn is_noisy(&self, pos: &L, mv: House) -> bool {
        pos.storing() >> mv.0 & 1 != 0
    }

    #[inline]
    fn noisy_moves(&self, pos: &L, out: &mut Vec<House>) {
        let mut storing = if pos.is_over() { 0 } else { pos.storing() };
        while storing != 0 {
            out.push(House(storing.trailing_zeros() as u8));
            storing &= storing - 1;
        }
    }
}

impl<L: Layout> Pruning<L> for KalahHeuristics {
    #[inline]
    fn is_exempt(&self, pos: &L, mv: House) -> bool {
        self.is_noisy(pos, mv)
    }

    /// Killers and history order the quiet moves worse than right to left does, but for the largest boards.
    fn tuning(&self) -> Tuning {
        Tuning { history: L::CODES > MAX_PACKED, ..self.tuning }
    }
}

/// The value that the endgame databases have; out of line, for most searches have none.
#[inline(never)]
fn recorded<L: Layout>(endgames: &Endgames, pos: &L) -> Option<Score> {
    let [own, opposing] = pos.words()?;
    let rest = endgames.of(pos.houses())?.probe(own, opposing, pos.in_play().into())?;
    Some((pos.store_lead() + rest) * UNIT)
}

impl<L: Layout> Solver<L> for KalahHeuristics {
    /// By what is seen of the position after the move, weighed as its capture rule wants it.
    #[inline]
    fn child_score(&self, pos: &L, mv: House, after: &L) -> i32 {
        let weights = match pos.capture() {
            Capture::Standard => &ORDER[0],
            Capture::Empty => &ORDER[1],
        };
        sight(pos, mv, after).iter().zip(weights).map(|(seen, weight)| seen * weight).sum()
    }

    #[inline]
    fn table_key(&self, pos: &L) -> u64 {
        pos.seeds_key()
    }

    /// The seeds in play, less what each side is sure of: with `n` [banking houses](Layout::banking) the side to move
    /// gets at least `n / 2` seeds, rounded up; the other side, a turn behind, `n / 2` rounded down.
    ///
    /// For sowing a banking house banks a seed at the cost of that house alone, and an opposing turn takes at most
    /// one more, since a capture ends it. A game that ends before they are used up does so because the other side is
    /// empty; then each house left is kept, with a seed at least.
    ///
    /// That the mover is sure of a seed is true under empty captures. Under standard ones it is false: the seeds
    /// may fall short of the store.
    #[inline]
    fn bounds(&self, pos: &L) -> Bounds {
        let (settled, rest) = (self.settled(pos), Score::from(pos.in_play()));
        let [own, opposing] = pos.banking();
        let (own, opposing) = ((own + 1) / 2, opposing / 2);
        Bounds { lower: settled - (rest - 2 * own) * UNIT, upper: settled + (rest - 2 * opposing) * UNIT }
    }

    /// A lower bound by what the side to move can bank [in one turn](Layout::assured).
    #[inline]
    fn expensive_bounds(&self, pos: &L, alpha: Score) -> Bounds {
        let (gained, rest) = (self.settled(pos), Score::from(pos.in_play()));
        // Above alpha the value is with so many seeds.
        let enough = ((alpha - gained).div_euclid(UNIT) + rest) / 2 + 1;
        if enough > SURE {
            return Bounds::NONE;
        }
        let sure = pos.assured(enough);
        Bounds { lower: gained - (rest - 2 * sure) * UNIT, upper: score::INFINITE }
    }

    /// The endgame databases have what the rest of the game adds to the stores.
    #[inline]
    fn database_value(&self, pos: &L) -> Option<Score> {
        recorded(self.endgames.as_deref()?, pos)
    }

    /// A margin has the parity of the seeds: those in the stores and those in play.
    #[inline]
    fn least_possible(&self, pos: &L, at_least: Score) -> Score {
        let unit = at_least.div_euclid(UNIT) + i32::from(at_least.rem_euclid(UNIT) != 0);
        let odd = (unit - pos.store_lead() - i32::from(pos.in_play())).rem_euclid(2);
        (unit + odd) * UNIT
    }
}
