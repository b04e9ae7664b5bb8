//! A player written in Python, called without a pipe.

use crate::error::OrRaise;
use crate::position::Position;
use crate::python_game::PythonGame;
use crate::results::SearchResult;
use crate::threads::lock::attach;
use crate::threads::nesting::Nesting;
use crate::threads::unwinding::caught;
use crate::threads::{background, calls};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use secateurs::core::error::harmless;
use secateurs::core::{Error, StopFlag};
use secateurs::engine::{Board, GameBoard, Play};
use secateurs::protocol::go::Go;
use secateurs::search::thread::builder;
use secateurs::util::forks::tracked;
use secateurs_tools::arena::player::{Forfeit, Player, PlayerSpec, Question, check_abort};
use secateurs_tools::arena::record::Ending;
use secateurs_tools::client::{Answer, Info, Surroundings};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// The interval at which a thread that waits for a player checks whether the match is aborted.
const GLANCE: Duration = Duration::from_millis(10);

/// A player in Python: a function of the position and the limits. It returns the move or `None`, a result with its
/// evaluation or `None`, and an error message or `None`.
pub struct FunctionPlayer {
    /// The function.
    pub function: Arc<Py<PyAny>>,
    /// Its description in the journal.
    pub described: String,
    /// The start of the games of a game in Python; `None` for other games.
    pub start: Option<GameBoard<PythonGame>>,
}

impl PlayerSpec for FunctionPlayer {
    fn title(&self) -> String {
        self.described.clone()
    }

    fn header(&self) -> Map<String, Value> {
        std::iter::once(("python".to_owned(), json!(self.described))).collect()
    }

    fn seat(&self, _: &str, surroundings: &Surroundings) -> Result<Box<dyn Player>, String> {
        let (questions, question_receiver) = mpsc::channel::<(Reached, Go)>();
        let (answer_sender, answers) = mpsc::channel();
        let (function, around) = (Arc::clone(&self.function), Nesting::around());
        let mut line = self.start.clone().map(|start| Line { last: start.clone(), start });
        let plays_python = line.is_some();
        // A function that does not return blocks only its own thread.
        let serve = move || {
            around.into_iter().for_each(Nesting::enter);
            for (reached, go) in question_receiver {
                // Python may have shut down.
                let Some(answer) = attach(|py| {
                    let answer = || {
                        let position = reached.position(line.as_mut()).map_err(failed)?;
                        call(py, &function, position, &go)
                    };
                    background::in_python(py, answer).unwrap_or_else(|error| Err(failed(error)))
                }) else {
                    break;
                };
                if answer_sender.send(answer).is_err() {
                    break;
                }
            }
            attach(|_| drop((function, line)));
        };
        // Python expects a stack of this size: it detects an endless recursion before an overflow.
        builder("player").and_then(|thread| thread.spawn(tracked(serve))).map_err(|error| error.to_string())?;
        Ok(Box::new(PlayerThread { questions, answers, plays_python, abort: surroundings.abort.clone() }))
    }
}

/// The position in which a player moves: a board, or the moves of a game in Python. The player's thread replays them,
/// so that no other thread has the states that the player sees.
enum Reached {
    Registered(Box<dyn Board>),
    Python(Vec<String>),
}

impl Reached {
    fn position(self, line: Option<&mut Line>) -> PyResult<Position> {
        match (self, line) {
            (Self::Registered(board), _) => Ok(Position::from(board)),
            (Self::Python(moves), Some(line)) => caught(|| line.follow(&moves))?.or_raise().map(Position::from),
            (Self::Python(_), None) => Err(PyValueError::new_err("a player of another game")),
        }
    }
}

/// The last position of a player in a game in Python.
struct Line {
    start: GameBoard<PythonGame>,
    last: GameBoard<PythonGame>,
}

impl Line {
    /// Returns the position after these moves from the start.
    fn follow(&mut self, moves: &[String]) -> Result<GameBoard<PythonGame>, Error> {
        let mut known = self.last.history();
        if !moves.starts_with(&known) {
            self.last = self.start.clone();
            known.clear();
        }
        moves[known.len()..].iter().try_for_each(|mv| self.last.play(mv))?;
        Ok(self.last.clone())
    }
}

/// A seated player, with a thread of its own.
struct PlayerThread {
    questions: Sender<(Reached, Go)>,
    answers: Receiver<Result<Answer, Forfeit>>,
    plays_python: bool,
    abort: StopFlag,
}

impl Player for PlayerThread {
    fn new_game(&mut self) -> Result<(), Forfeit> {
        Ok(())
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Forfeit> {
        let gone = || Forfeit { ending: Ending::Crash, detail: "its thread has ended".into() };
        let reached = if self.plays_python {
            Reached::Python(question.board.history())
        } else {
            Reached::Registered(question.board.boxed())
        };
        self.questions.send((reached, question.go.clone())).map_err(|_| gone())?;
        let last = question.deadline + question.hang;
        loop {
            check_abort(&self.abort)?;
            match self.answers.recv_timeout(GLANCE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) if Instant::now() < last => {}
                Err(RecvTimeoutError::Timeout) => {
                    let detail = format!("no move {:?} after its time", question.hang);
                    return Err(Forfeit { ending: Ending::Hang, detail });
                }
            }
        }
    }

    fn quit(self: Box<Self>) {}
}

/// The reply of a function: move, search, error message.
type Reply<'py> = (Option<Bound<'py, PyString>>, Option<Searched<'py>>, Option<Bound<'py, PyString>>);

/// What a function reports of its search.
#[derive(FromPyObject)]
enum Searched<'py> {
    Result(Bound<'py, SearchResult>),
    InfoLine(String),
}

impl Searched<'_> {
    fn info(self) -> Option<Info> {
        match self {
            Self::Result(result) => result.get().scored_report().map(Info::from),
            Self::InfoLine(line) => Info::parse(&line),
        }
    }
}

fn at_fault(detail: &str) -> Forfeit {
    Forfeit { ending: Ending::Crash, detail: harmless(detail) }
}

fn failed(error: PyErr) -> Forfeit {
    at_fault(&error.to_string())
}

fn call(py: Python<'_>, function: &Py<PyAny>, position: Position, go: &Go) -> Result<Answer, Forfeit> {
    let turn = position.board().turn().index();
    let seconds = |time: Duration| time.as_secs_f64();
    let clock = (
        go.time[turn].map(seconds),
        go.time[1 - turn].map(seconds),
        seconds(go.increment[turn]),
        go.moves_to_go,
        go.depth,
        go.nodes,
        go.movetime.map(seconds),
    );
    let position = Bound::new(py, position).map_err(failed)?;
    let clock = clock.into_pyobject(py).map_err(failed)?.into_any();
    // The clock does not include the conversion of the arguments.
    let start = Instant::now();
    let arguments = [Some(position.as_any()), Some(&clock)];
    let reply = calls::method(function.bind(py), intern!(py, "__call__"), arguments).map_err(failed)?;
    let time = start.elapsed();
    let (best, searched, wrong): Reply<'_> = reply.extract().map_err(failed)?;
    // Invalid Unicode in a text is replaced.
    let text = |text: Bound<'_, PyString>| text.to_string_lossy().into_owned();
    if let Some(wrong) = wrong {
        return Err(at_fault(&text(wrong)));
    }
    let lines = searched.and_then(Searched::info).into_iter().collect();
    Ok(Answer { best: best.map(text), ponder: None, time, lines })
}
