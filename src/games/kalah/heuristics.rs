//! Heuristics of Kalah: a linear evaluation, move ordering, exact bounds.

use super::geometry::MAX_HOUSES as MAX_PACKED;
use super::weights::Weights;
use super::{Capture, Endgames, House, Layout};
use crate::core::chances::{WinCurve, per_mille};
use crate::core::score::{self, UNIT};
use crate::core::{Bounds, Evaluation, MoveOrdering, Pruning, Score, Solver, Tuning, Weight};
use std::sync::Arc;

/// The weights in centi-units, fitted to self-play games; `docs/strength.md` has the commands.
pub(super) const WEIGHTS: &str = "seed=4,mobility=159,extra_turn=171,threat=86,risk=-35,hoard=18";

pub(crate) const TERMS: usize = 6;

/// The name of each weight, and the name of its term for users.
const NAMES: [[&str; 2]; TERMS] = [
    ["seed", "seeds"],
    ["mobility", "mobility"],
    ["extra_turn", "extra turns"],
    ["threat", "threats"],
    ["risk", "risk"],
    ["hoard", "hoard"],
];

/// Returns the features that the weights apply to. The stores are not among them: they are
/// [settled](Evaluation::settled).
///
/// - `seed`: seeds in the mover's houses, less those in the opponent's;
/// - `mobility`: houses that can be sown, less the opponent's;
/// - `extra_turn`: own houses whose last seed would reach the store;
/// - `threat`: the largest number of seeds that could be captured next; `risk`: the same for the opponent if it were to
///   move;
/// - `hoard`: seeds in the house next to the mover's store, less those in the opponent's.
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

/// The maximum number of sure seeds that the expensive bound looks for: a side is rarely sure of more.
const SURE: i32 = 12;

/// The number of features of a move in exact search.
const SIGHTS: usize = 10;

/// The weights of these features in move ordering, under standard and under empty captures. A random search found them:
/// it kept the steps that solved positions of Kalah(6,5) with fewer nodes (`docs/performance.md`).
const ORDER: [[i32; SIGHTS]; 2] =
    [[137, 359, -60, 20, 16, 6, -80, -91, 7, -7], [118, 322, -60, 20, 7, 6, -76, -91, 7, -7]];

/// Returns the features of a move in exact search:
///
/// - the seeds that it stores, and whether it earns another turn;
/// - the other side's chances of another turn, if it does not;
/// - the house, counted from the far end;
/// - after it, regardless of the turn: the most seeds that the mover could capture, the mover's chances of another
///   turn, the other side's houses with seeds;
/// - whether it stores nothing;
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

/// The weights of the evaluation, the search parameters and the endgame databases.
#[derive(Clone, Debug)]
pub struct KalahHeuristics {
    /// The weights.
    pub weights: Weights<TERMS>,
    /// The search parameters; the layout decides whether history is used.
    pub tuning: Tuning,
    /// The endgame databases, if any.
    pub endgames: Option<Arc<Endgames>>,
}

/// The lead in seeds with which equal players win half of the games; below it a draw is likely. Fitted by
/// `benches/wdl.py`.
const EVEN_LEAD: f64 = 1.04;

/// The number of seeds by which the logistic scale of the lead increases per seed in play; fitted by `benches/wdl.py`.
const SCALE_PER_SEED: f64 = 0.079;

/// The score of a move that earns another turn.
const EXTRA_TURN_RANK: i32 = 1 << 20;

const CAPTURE_RANK: i32 = 1 << 18;

impl Default for KalahHeuristics {
    fn default() -> Self {
        // Enhanced cut-offs pay only if the search reaches the end of the game: a fifth to a quarter fewer nodes.
        let tuning = Tuning {
            aspiration: UNIT,
            table_depth: 3,
            enhanced_cutoffs: Some(30),
            leap: Some(20),
            quiescence: 4,
            hashless_reduction: Some(4),
            guess_depth: 14,
            ..Tuning::default()
        };
        Self { weights: Weights::new(&NAMES, WEIGHTS), tuning, endgames: None }
    }
}

/// Returns the place of the last seed on the mover's way: `0..houses` are the mover's houses, `houses` is the store.
/// With more seeds than a lap, it is `usize::MAX`, which is no place.
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
        self.settled(pos) + self.weights.sum(&counts(pos))
    }

    fn explain(&self, pos: &L) -> Vec<(&'static str, Score)> {
        self.weights.explain(("stores", self.settled(pos)), &counts(pos))
    }

    fn weights(&self) -> Vec<Weight> {
        self.weights.named().to_vec()
    }

    fn features(&self, pos: &L) -> Vec<i32> {
        counts(pos).to_vec()
    }

    #[inline]
    fn settled(&self, pos: &L) -> Score {
        pos.store_lead() * UNIT
    }

    /// A logistic curve of the lead; the more seeds are in play, the flatter it is. With an odd number of seeds on the
    /// board there are no draws.
    fn wdl(&self, pos: &L, score: Score) -> Option<[u16; 3]> {
        let curve = WinCurve { even_lead: EVEN_LEAD, scale: SCALE_PER_SEED * f64::from(pos.in_play().max(1)) };
        let mut chances = curve.chances(f64::from(score) / f64::from(UNIT));
        if (pos.store_lead() + i32::from(pos.in_play())) % 2 != 0 {
            let decided: f64 = chances.iter().sum();
            chances = chances.map(|chance| chance / decided);
        }
        Some(per_mille(chances))
    }
}

impl<L: Layout> MoveOrdering<L> for KalahHeuristics {
    /// Extra turns come first, then captures, by the number of seeds, then right to left (Irving et al. 2000).
    #[inline]
    fn move_score(&self, pos: &L, mv: House) -> i32 {
        let (houses, house) = (pos.houses(), usize::from(mv.0));
        let near = i32::from(mv.0);
        let last = last(houses, house, pos.own(house));
        if last == houses {
            EXTRA_TURN_RANK + near
        } else if last < houses && (last == house || pos.own(last) == 0) {
            // A lap adds one seed to the opposite house.
            let opposite = i32::from(pos.opposing(houses - 1 - last)) + i32::from(last <= house);
            let captures = opposite > 0 || pos.capture() == Capture::Empty;
            if captures { CAPTURE_RANK + (opposite << 4) + near } else { near }
        } else {
            near
        }
    }

    /// Moves that earn another turn are noisy. Captures brought no measurable gain, and made proofs more expensive.
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

    /// Killers and history order quiet moves worse than right to left does, except on the largest boards.
    fn tuning(&self) -> Tuning {
        Tuning { history: L::CODES > MAX_PACKED, ..self.tuning }
    }
}

/// Returns the database value. Out of line, because most searches have no databases.
#[inline(never)]
fn recorded<L: Layout>(endgames: &Endgames, pos: &L) -> Option<Score> {
    let [own, opposing] = pos.words()?;
    let rest = endgames.for_houses(pos.houses())?.probe(own, opposing, pos.in_play().into())?;
    Some((pos.store_lead() + rest) * UNIT)
}

impl<L: Layout> Solver<L> for KalahHeuristics {
    /// Scores the features of the move by the weights of the capture rule.
    #[inline]
    fn child_score(&self, pos: &L, mv: House, after: &L) -> i32 {
        let weights = match pos.capture() {
            Capture::Standard => &ORDER[0],
            Capture::Empty => &ORDER[1],
        };
        let (sight, mut score) = (sight(pos, mv, after), 0);
        for (index, weight) in weights.iter().enumerate() {
            score += weight * sight[index];
        }
        score
    }

    #[inline]
    fn looks_up_children(&self, _pos: &L) -> bool {
        true
    }

    #[inline]
    fn table_key(&self, pos: &L) -> u64 {
        pos.seeds_key()
    }

    /// The seeds in play limit the value, less the sure seeds of each side. With `n` [banking houses](Layout::banking),
    /// the side to move gets at least `n / 2` seeds, rounded up; the other side, which moves later, `n / 2` rounded
    /// down.
    ///
    /// Proof: sowing a banking house stores a seed at the cost of that house alone, and an opposing turn takes at most
    /// one more, since a capture ends it. If the game ends before these houses are used up, the other side is empty,
    /// and each house left is kept with at least one seed.
    ///
    /// Under empty captures, a mover with any seed is sure of one. Under standard captures it is not: the seeds may
    /// fall short of the store.
    #[inline]
    fn bounds(&self, pos: &L) -> Bounds {
        let (settled, rest) = (self.settled(pos), Score::from(pos.in_play()));
        let [own, opposing] = pos.banking();
        let (own, opposing) = ((own + 1) / 2, opposing / 2);
        Bounds { lower: settled - (rest - 2 * own) * UNIT, upper: settled + (rest - 2 * opposing) * UNIT }
    }

    /// A lower bound by the seeds that the side to move can surely store [in one turn](Layout::assured).
    #[inline]
    fn expensive_bounds(&self, pos: &L, alpha: Score) -> Bounds {
        let (gained, rest) = (self.settled(pos), Score::from(pos.in_play()));
        // With this number of sure seeds, the value is above alpha.
        let enough = ((alpha - gained).div_euclid(UNIT) + rest) / 2 + 1;
        if enough > SURE {
            return Bounds::NONE;
        }
        let sure = pos.assured(enough);
        Bounds { lower: gained - (rest - 2 * sure) * UNIT, upper: score::INFINITE }
    }

    /// The databases contain what the rest of the game adds to the stores.
    #[inline]
    fn database_bounds(&self, pos: &L) -> Option<Bounds> {
        recorded(self.endgames.as_deref()?, pos).map(Bounds::exactly)
    }

    /// A margin has the parity of the number of seeds in the stores and in play.
    #[inline]
    fn least_possible(&self, pos: &L, at_least: Score) -> Score {
        let unit = at_least.div_euclid(UNIT) + i32::from(at_least.rem_euclid(UNIT) != 0);
        let odd = (unit - pos.store_lead() - i32::from(pos.in_play())).rem_euclid(2);
        (unit + odd) * UNIT
    }
}
