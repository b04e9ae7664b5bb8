//! [`WithNetwork`]: the heuristics of a game, whose evaluation a network can replace.

use super::Network;
use crate::core::score::MAX_EVALUATION;
use crate::core::{
    Bounds, Error, Evaluation, Features, Inputs, Linear, MoveOrdering, NetworkShape, OptionKind, OptionRow, Position,
    Pruning, Score, SmallTable, Solver, Tuning, Weight,
};
use std::path::Path;
use std::sync::Arc;

/// The number of hidden neurons for each perspective.
const HIDDEN: usize = 64;

/// Returns the option of a game for a network.
#[must_use]
pub const fn eval_file(name: &'static str) -> OptionRow {
    OptionRow { name, kind: OptionKind::File, help: "evaluate by the network of the game in this file" }
}

/// The heuristics of a game, with a network or without. The sums of the network are computed anew for each position.
#[derive(Clone, Debug)]
pub struct WithNetwork<H> {
    hand_made: H,
    /// What evaluates instead.
    network: Option<Arc<Network<HIDDEN>>>,
}

/// Heuristics without a network.
impl<H> From<H> for WithNetwork<H> {
    fn from(hand_made: H) -> Self {
        Self { hand_made, network: None }
    }
}

impl<H> WithNetwork<H> {
    /// Opens the network of a game; an empty path stands for none.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file that is not a network of the game and of its features.
    pub fn open<P: Position>(hand_made: H, game: &str, path: &str) -> Result<Self, Error>
    where
        H: Evaluation<P> + Features<P>,
    {
        if path.is_empty() {
            return Ok(hand_made.into());
        }
        let network = Network::open(Path::new(path), game, hand_made.shape_with(HIDDEN))?;
        Ok(Self { hand_made, network: Some(network.into()) })
    }

    /// Returns the value of the network, if there is one.
    #[inline]
    fn value<P: Position>(&self, pos: &P) -> Option<Score>
    where
        H: Evaluation<P> + Features<P>,
    {
        self.network.as_deref().map(|network| self.value_by(network, pos))
    }

    #[inline(never)]
    fn value_by<P: Position>(&self, network: &Network<HIDDEN>, pos: &P) -> Score
    where
        H: Evaluation<P> + Features<P>,
    {
        (self.hand_made.settled(pos) + network.value(&self.hand_made, pos)).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// Implements methods by those of the hand-made heuristics.
macro_rules! forward {
    ($(fn $name:ident(&$this:ident $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)+) => {$(
        #[inline]
        fn $name(&$this $(, $argument: $type)*) $(-> $result)? {
            $this.hand_made.$name($($argument),*)
        }
    )+};
}

impl<P: Position, H: Evaluation<P> + Features<P>> Evaluation<P> for WithNetwork<H> {
    type State = H::State;

    #[inline]
    fn evaluate(&self, pos: &P) -> Score {
        self.value(pos).unwrap_or_else(|| self.hand_made.evaluate(pos))
    }

    #[inline]
    fn refresh(&self, pos: &P) -> H::State {
        if self.network.is_some() { H::State::default() } else { self.hand_made.refresh(pos) }
    }

    #[inline]
    fn update(&self, state: &H::State, pos: &P, mv: P::Move, after: &P) -> H::State {
        if self.network.is_some() { H::State::default() } else { self.hand_made.update(state, pos, mv, after) }
    }

    #[inline]
    fn evaluate_with(&self, pos: &P, state: &H::State) -> Score {
        self.value(pos).unwrap_or_else(|| self.hand_made.evaluate_with(pos, state))
    }

    fn explain(&self, pos: &P) -> Vec<(&'static str, Score)> {
        let settled = self.settled(pos);
        self.value(pos).map_or_else(
            || self.hand_made.explain(pos),
            |value| vec![("settled", settled), ("network", value - settled)],
        )
    }

    fn weights(&self) -> Vec<Weight> {
        if self.network.is_some() { Vec::new() } else { self.hand_made.weights() }
    }

    fn features(&self, pos: &P) -> Vec<i32> {
        if self.network.is_some() { Vec::new() } else { self.hand_made.features(pos) }
    }

    fn linear(&self, pos: &P) -> Option<Linear> {
        if self.network.is_some() { None } else { self.hand_made.linear(pos) }
    }

    fn shape(&self) -> Option<NetworkShape> {
        let shape = self.hand_made.shape_with(HIDDEN);
        (shape.features > 0).then_some(shape)
    }

    fn inputs(&self, pos: &P) -> Option<Inputs> {
        Evaluation::<P>::shape(self)?;
        Some(self.hand_made.inputs_of(pos, self.hand_made.settled(pos)))
    }

    forward! {
        fn parameters(&self) -> Vec<f64>;
        fn source(&self, parameters: &[f64]) -> Option<Vec<u8>>;
        fn settled(&self, pos: &P) -> Score;
        fn wdl(&self, pos: &P, score: Score) -> Option<[u16; 3]>;
    }
}

impl<P: Position, H: MoveOrdering<P>> MoveOrdering<P> for WithNetwork<H> {
    const STAGED: bool = H::STAGED;
    const KINDS: usize = H::KINDS;

    forward! {
        fn move_score(&self, pos: &P, mv: P::Move) -> i32;
        fn legal_move(&self, pos: &P, code: u16) -> Option<P::Move>;
        fn exchange(&self, pos: &P, mv: P::Move, threshold: Score) -> bool;
        fn kind(&self, pos: &P, mv: P::Move) -> usize;
        fn is_noisy(&self, pos: &P, mv: P::Move) -> bool;
        fn noisy_moves(&self, pos: &P, out: &mut Vec<P::Move>);
        fn quiet_moves(&self, pos: &P, out: &mut Vec<P::Move>);
    }
}

impl<P: Position, H: Pruning<P>> Pruning<P> for WithNetwork<H> {
    forward! {
        fn tuning(&self) -> Tuning;
        fn is_check(&self, pos: &P) -> bool;
        fn null_move(&self, pos: &P) -> Option<P>;
        fn gives_check(&self, pos: &P, mv: P::Move) -> bool;
        fn is_exempt(&self, pos: &P, mv: P::Move) -> bool;
    }
}

impl<P: Position, H: Solver<P>> Solver<P> for WithNetwork<H> {
    forward! {
        fn bounds(&self, pos: &P) -> Bounds;
        fn expensive_bounds(&self, pos: &P, alpha: Score) -> Bounds;
        fn database_bounds(&self, pos: &P) -> Option<Bounds>;
        fn least_possible(&self, pos: &P, at_least: Score) -> Score;
        fn candidates(&self, pos: &P, out: &mut Vec<P::Move>);
        fn child_score(&self, pos: &P, mv: P::Move, after: &P) -> i32;
        fn use_table(&self, pos: &P) -> bool;
        fn table_key(&self, pos: &P) -> u64;
        fn looks_up_children(&self, pos: &P) -> bool;
        fn forced_move(&self, pos: &P) -> Option<P::Move>;
        fn solve_small(&self, pos: &P, alpha: Score, table: &mut impl SmallTable) -> Option<Score>;
        fn exact_key(&self, pos: &P) -> u64;
        fn likely_table_key(&self, pos: &P, mv: P::Move) -> Option<u64>;
        fn table_code(&self, pos: &P, code: Option<u16>) -> Option<u16>;
    }
}
