//! Games written in Python, subclasses of `secateurs.Game`, for the search.
//!
//! A [`State`] is queried for its side to move, moves, key, outcome and [hooks](hooks::Hooks) when it is created, and
//! for its evaluation when the search needs it. An exception of the game [unwinds](crate::threads::unwinding) the
//! search.
//!
//! No result of a game is trusted: types are checked, a move is looked up in the state in which it is played, and a
//! state that has changed since its creation is refused.

mod digest;
mod features;
mod hooks;
pub mod inspection;
mod key;
mod move_codes;
mod state;

pub use state::{State, text_of};

use crate::threads::calls;
use crate::threads::lock::lock;
use crate::threads::unwinding::{attached, not_the_end};
use features::PythonHeuristics;
use pyo3::intern;
use pyo3::prelude::*;
use secateurs::core::error::Quoted;
use secateurs::core::score::{self, UNIT};
use secateurs::core::{
    BenchRow, Bounds, Error, Evaluation, Game, MoveOrdering, Notation, OptionRow, Options, Pictures, Position, Pruning,
    Records, Score, Solver, Style,
};
use secateurs::engine::GameBoard;
use secateurs::network::WithNetwork;
use secateurs::registry::{GameRow, Setup};
use state::{Choice, Common, unsteady};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Creates a board for a state, an instance of a subclass of `secateurs.Game`.
///
/// # Errors
/// The exceptions of the methods of the state, and errors for invalid results.
pub fn board(state: &Bound<'_, PyAny>) -> PyResult<GameBoard<PythonGame>> {
    let made = Common::new(state).and_then(|common| State::new(state, &Arc::new(common)));
    let state = made.map_err(|error| not_the_end(state.py(), error))?;
    Ok(board_at(state))
}

fn board_at(state: State) -> GameBoard<PythonGame> {
    let game = PythonGame { heuristics: state.common().heuristics.clone() };
    GameBoard::new(game, &Options::new(PythonGame::OPTIONS), state)
}

/// Returns a board at the position of one board, with the codes of moves of another.
///
/// # Errors
/// The exceptions of the methods of the state, and errors for invalid results.
pub fn numbered_as(
    board: &GameBoard<PythonGame>,
    other: &GameBoard<PythonGame>,
    py: Python<'_>,
) -> PyResult<GameBoard<PythonGame>> {
    let state = State::new(board.position().object(py), other.position().common())?;
    Ok(board_at(state))
}

/// Returns the setup of the games that begin at the position of a board. The position has no history then.
pub fn setup(board: &GameBoard<PythonGame>, game: String) -> (Setup, GameBoard<PythonGame>) {
    static ROWS: Mutex<BTreeMap<String, &'static GameRow>> = Mutex::new(BTreeMap::new());
    let start = board_at(board.position().clone());
    // A row lives as long as the process: there is one for each name of a class.
    let row = *lock(&ROWS).entry(game.clone()).or_insert_with(|| {
        let name = Box::leak(game.into_boxed_str());
        Box::leak(Box::new(GameRow::outside::<PythonGame>(name)))
    });
    (Setup::from_start(row, Arc::new(start.clone())), start)
}

/// Returns the state after a move, given as text, that was legal in an earlier query.
///
/// # Errors
/// `ValueError` if the move is no longer legal; the exceptions of the state.
pub fn played<'py>(state: &Bound<'py, PyAny>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    for mv in calls::items(&calls::method(state, intern!(state.py(), "moves"), [None; 2])?)? {
        let mv = mv?;
        if text_of(&mv)?.to_string_lossy() == text {
            return calls::method(state, intern!(state.py(), "play"), [Some(&mv), None]);
        }
    }
    Err(unsteady(state, text))
}

/// All games in Python; the states contain the rules.
#[derive(Clone)]
pub struct PythonGame {
    heuristics: WithNetwork<PythonHeuristics>,
}

impl Game for PythonGame {
    type Position = State;
    type Heuristics = WithNetwork<PythonHeuristics>;
    const NAME: &'static str = "python";
    const ABOUT: &'static str = "a game written in Python";
    const OPTIONS: &'static [OptionRow] = &[];
    const BENCH: &'static [BenchRow] = &[];
    // A side may move twice.
    const ALTERNATES: bool = false;

    fn new(_: &Options) -> Result<Self, Error> {
        Err(Error::BadOptions("a game in Python is set up by its states".into()))
    }

    fn heuristics(&self) -> WithNetwork<PythonHeuristics> {
        self.heuristics.clone()
    }
}

impl Notation for PythonGame {
    fn start(&self) -> Result<String, Error> {
        Err(Error::BadOptions("a game in Python starts from an object".into()))
    }

    fn parse(&self, text: &str) -> Result<State, Error> {
        Err(Error::BadPosition(Quoted::new(text), "the states of a game in Python have no notation".into()))
    }

    fn title(&self, pos: &State) -> String {
        pos.class_name()
    }

    fn write(&self, pos: &State) -> String {
        pos.text()
    }

    fn write_move(&self, pos: &State, mv: Choice) -> String {
        pos.text_of(mv)
    }
}

/// A text may leave something out; the key does not.
impl Records for PythonGame {
    fn book_key(&self, pos: &State) -> Vec<u8> {
        pos.key().to_le_bytes().into()
    }

    fn symmetric_key(&self, pos: &State) -> Vec<u8> {
        pos.hooks().table_key.to_le_bytes().into()
    }
}

impl Pictures for PythonGame {
    fn show(&self, pos: &State, _: Option<(&State, Choice)>, _: Style) -> String {
        self.write(pos) + "\n"
    }

    fn draw(&self, pos: &State) -> String {
        self.show(pos, None, Style::PLAIN)
    }
}

impl Evaluation<State> for PythonHeuristics {
    type State = ();

    fn evaluate(&self, pos: &State) -> Score {
        attached(|py| pos.evaluation(py))
    }

    fn settled(&self, pos: &State) -> Score {
        pos.hooks().settled()
    }
}

impl MoveOrdering<State> for PythonHeuristics {}

impl Pruning<State> for PythonHeuristics {}

impl Solver<State> for PythonHeuristics {
    fn bounds(&self, pos: &State) -> Bounds {
        pos.hooks().bounds
    }

    /// Margins are whole units.
    fn least_possible(&self, _: &State, at_least: Score) -> Score {
        if score::is_decisive(at_least) { at_least } else { -(-at_least).div_euclid(UNIT) * UNIT }
    }

    fn table_key(&self, pos: &State) -> u64 {
        pos.hooks().table_key
    }

    /// The move of a symmetric state is unknown: the game maps states only.
    fn table_code(&self, pos: &State, code: Option<u16>) -> Option<u16> {
        code.filter(|_| pos.is_canonical())
    }
}
