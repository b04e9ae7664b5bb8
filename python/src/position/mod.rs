//! A position as an immutable Python value.

mod access;
mod board;
mod board_view;
pub mod drawing;
mod line;

pub use access::readable;
pub use board::no_options;
pub(crate) use line::decoded;

use crate::arguments::{self, Value, options};
use crate::outcome::Outcome;
use crate::progress::supervised;
use crate::python_game;
use crate::python_modules::{from_json, missing};
use crate::threads::unwinding::{caught, with_thread_state};
use crate::threads::work::interruptible;
use board::AnyBoard;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};
use secateurs::core::StopFlag;
use secateurs::views::state::State;
use secateurs::views::theme::Theme;
use std::sync::atomic::Ordering;

/// The pickled form of a position: game or first state, options, text of the setup, moves since.
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyDict>, String, Vec<String>);

/// A position of a game, with the moves that led to it. Positions are immutable.
///
/// Two positions are equal if game, options, :attr:`text` and key are. Their :attr:`history` is not compared: in a game
/// whose positions can repeat, equal positions may have different results, because only a repetition within the history
/// is a draw.
///
/// ``Position(game, **options)`` is the starting position of a game. Options are keywords with a ``bool``, an ``int``
/// or a ``str``; a text of numbers may also be a list of ``int``, a directory a path. :attr:`options` contains them
/// all.
///
/// >>> position = secateurs.Position("kalah", houses=4, seeds=3)
/// >>> position.legal_moves
/// ['1', '2', '3', '4']
/// >>> position.play("2").turn
/// 1
/// >>> position.play("2")
/// Position.parse('<4,1,0,3,0,4,4,3,3,3,3> s', 'kalah', houses=4, seeds=3)
///
/// ``Position(game, text, **options)`` is a position in the notation of its game, as :meth:`parse` reads it; ``fen`` is
/// another name of ``text``. ``Position(fen)`` is a position of chess or xiangqi in Forsyth-Edwards Notation, which
/// :meth:`parse` recognises too.
///
/// >>> board = secateurs.Position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
/// >>> board.game, secateurs.Engine().analyse(board, depth=4).best_move
/// ('chess', 'h5f7')
/// >>> secateurs.Position("connect4", "44453").text
/// '7/7/7/3x3/3o3/2xxo2 o'
///
/// ``Position(board)`` is a ``chess.Board`` of python-chess, with its moves, and ``Position(position)`` another position
/// with those that led to it. ``Position(state)`` is a state of a game written in Python, an instance of a subclass of
/// :class:`Game`.
///
/// :raises BadOption: the game or the option does not exist, or the option does not take the value.
/// :raises BadPosition: the text cannot be read, or the position cannot occur.
/// :raises BadFile: a file in a directory named by an option cannot be used.
/// :raises OSError: such a file cannot be read.
/// :raises TypeError: the value of an option is of the wrong type.
#[pyclass(frozen, module = "secateurs")]
pub struct Position {
    board: AnyBoard,
    /// Whether a search was given a board of python-chess, which became this position: its results then have moves of
    /// python-chess.
    python_chess: bool,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(
        signature = (game = None, text = None, *, fen = None, **options),
        text_signature = "(game='kalah', text=None, *, fen=None, **options)"
    )]
    fn new(
        py: Python<'_>,
        game: Option<Bound<'_, PyAny>>,
        text: Option<Value<'_>>,
        fen: Option<Value<'_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        AnyBoard::new(py, game, [text, fen], options).map(Into::into)
    }

    /// Reads a position from text: "startpos" or the notation of :attr:`text`, optionally followed by the word "moves"
    /// and legal moves, which become the :attr:`history`. In a FEN of chess, castling rights without their king or
    /// rook, and an en passant square that no pawn can have passed, are ignored; :attr:`text` shows what is left.
    ///
    /// >>> secateurs.Position.parse("3,4,5 2", "nim", misere=True).turn
    /// 2
    /// >>> secateurs.Position.parse("startpos moves 3 1").history
    /// ['3', '1']
    ///
    /// :raises BadPosition: the text cannot be read, or the position cannot occur.
    /// :raises IllegalMove: one of the moves is not legal in its position.
    /// :raises BadOption: as for the class.
    /// :raises TypeError: as for the class.
    #[classmethod]
    #[pyo3(signature = (text, game = None, **options), text_signature = "($cls, text, game='kalah', **options)")]
    fn parse(
        class: &Bound<'_, PyType>,
        text: &Value<'_>,
        game: Option<Value<'_>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        AnyBoard::parse(class.py(), text, game, options).map(Into::into)
    }

    /// Returns the position at the end of the first game in a text in Portable Game Notation, with the moves as its
    /// :attr:`history`. Variations are not played.
    ///
    /// >>> end = secateurs.Position.from_pgn("1. f3 e5 2. g4 (2. e4) Qh4# 0-1")
    /// >>> end.history, end.outcome.winner
    /// (['f2f3', 'e7e5', 'g2g4', 'd8h4'], 2)
    ///
    /// An open file is read game by game, up to the line of the result or a blank line after the moves; at its end this
    /// is ``None``, as ``chess.pgn.read_game`` has it. An error counts the lines from where its call began to read.
    ///
    /// >>> import io
    /// >>> file = io.StringIO("1. e4 e5 *\n\n1. d4 *\n")
    /// >>> while position := secateurs.Position.from_pgn(file):
    /// ...     position.history
    /// ['e2e4', 'e7e5']
    /// ['d2d4']
    ///
    /// :param pgn: a text, the path of a file, an open file, or a ``chess.pgn.Game``, as for :func:`annotate`.
    /// :param game: the game, if there is no tag ``Variant``: its name, its start with options, or a position or state
    ///     of a game in Python.
    /// :raises ValueError: a game cannot be read, also as :class:`BadPosition` and :class:`IllegalMove`; or a text or
    ///     the file of a path has no game.
    /// :raises BadOption: the game does not exist.
    /// :raises OSError: the file cannot be read, or a word is neither that of a file nor a game.
    #[classmethod]
    #[pyo3(signature = (pgn, game = None), text_signature = "($cls, pgn, game='chess')")]
    fn from_pgn(_class: &Bound<'_, PyType>, pgn: &Value<'_>, game: Option<Value<'_>>) -> PyResult<Option<Self>> {
        Ok(line::of_pgn(pgn, game)?.map(Into::into))
    }

    /// The name of the game, for a game in Python that of the class.
    #[getter]
    pub fn game(&self) -> String {
        self.board.title()
    }

    /// The state of a game in Python, produced by its own moves; ``None`` for other games.
    #[getter]
    pub fn state<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.is_python() {
            return Ok(None);
        }
        let moves = self.board.history();
        moves.iter().try_fold(self.board.origin(py), |state, mv| python_game::played(&state, mv)).map(Some)
    }

    /// The game's options by keyword, including those at their defaults.
    ///
    /// >>> secateurs.Position("kalah", houses=4).options["houses"]
    /// 4
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        options::dict(py, self.board.options().iter())
    }

    /// The position in the game's own notation, which :meth:`parse` reads.
    ///
    /// >>> secateurs.Position("nim").text
    /// '3,4,5 1'
    #[getter]
    fn text(&self) -> PyResult<String> {
        caught(|| self.board.text())
    }

    /// Returns :attr:`text` under the name that python-chess has for it; in chess and xiangqi it is a position in
    /// Forsyth-Edwards Notation.
    ///
    /// >>> secateurs.Position("chess").play("e4").fen()
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    fn fen(&self) -> PyResult<String> {
        self.text()
    }

    /// Returns a legal move as people read it: in standard algebraic notation, where the game has it, otherwise as in
    /// :attr:`legal_moves`.
    ///
    /// >>> secateurs.Position("chess").san("g1f3")
    /// 'Nf3'
    ///
    /// :raises IllegalMove: the move is not legal.
    #[pyo3(signature = (r#move))]
    fn san(&self, py: Python<'_>, r#move: &Value<'_>) -> PyResult<String> {
        let mv = self.legal(py, "move", r#move)?;
        Ok(self.board.readable(&mv))
    }

    /// Returns a move in any form that :meth:`play` takes as it is in :attr:`legal_moves`.
    ///
    /// >>> secateurs.Position("chess").parse_san("Nf3")
    /// 'g1f3'
    ///
    /// :raises IllegalMove: the move is not legal.
    #[pyo3(signature = (san))]
    fn parse_san(&self, py: Python<'_>, san: &Value<'_>) -> PyResult<String> {
        self.legal(py, "san", san)
    }

    /// Returns a line of legal moves as people read it, with numbers.
    ///
    /// >>> secateurs.Position("chess").play("e4").variation_san(["e7e5", "g1f3"])
    /// '1...e5 2. Nf3'
    ///
    /// :raises IllegalMove: one of the moves is not legal in its position.
    fn variation_san(&self, py: Python<'_>, moves: &Value<'_>) -> PyResult<String> {
        self.variation(py, moves)
    }

    /// Returns all positions of the line that led here: the one before the first move of :attr:`history`, and those
    /// after each move.
    ///
    /// >>> [position.history for position in secateurs.Position("chess").play_line("e4 e5").positions()]
    /// [[], ['e2e4'], ['e2e4', 'e7e5']]
    fn positions(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        self.line(py)
    }

    /// Kalah, Oware: the seeds in the houses of player 1 (South) and player 2 (North), each in the order of the
    /// player's moves: ``houses[0][2]`` is South's house 3.
    ///
    /// >>> secateurs.Position("kalah", houses=3, seeds=2).play(2).houses
    /// ((2, 0, 3), (2, 2, 2))
    ///
    /// :raises AttributeError: the game is another one; the message names the attributes of its positions.
    #[getter]
    fn houses<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyTuple>)> {
        let [first, second] = board_view::houses(&*self.board)?;
        Ok((PyTuple::new(py, first)?, PyTuple::new(py, second)?))
    }

    /// Kalah: the seeds in the stores of player 1 (South) and player 2 (North). Oware: those that they have captured.
    ///
    /// >>> secateurs.Position("kalah", houses=3, seeds=2).play(2).stores
    /// (1, 0)
    ///
    /// :raises AttributeError: the game is another one.
    #[getter]
    fn stores(&self) -> PyResult<(usize, usize)> {
        board_view::stores(&*self.board).map(Into::into)
    }

    /// Nim: the number of objects in each heap; moves on ``heaps[0]`` begin with 1.
    ///
    /// >>> secateurs.Position("nim", heaps=[3, 4, 5]).play("1-2").heaps
    /// (1, 4, 5)
    ///
    /// :raises AttributeError: the game is another one.
    #[getter]
    fn heaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, board_view::heaps(&*self.board)?)
    }

    /// Connect Four: the rows from the top, each from the left; 0 is a vacant square, 1 and 2 are the stones of the
    /// players. ``numpy.array(position.board)`` has the shape (rows, columns).
    ///
    /// >>> secateurs.Position("connect4", columns=4, rows=4).play_line([1, 2, 1]).board
    /// ((0, 0, 0, 0), (0, 0, 0, 0), (1, 0, 0, 0), (1, 2, 0, 0))
    ///
    /// :raises AttributeError: the game is another one.
    #[getter]
    #[pyo3(name = "board")]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = board_view::rows(&*self.board)?.into_iter().map(|row| PyTuple::new(py, row));
        PyTuple::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    /// A 64-bit hash of everything that affects the rest of the game; the seeds in the stores of Kalah, for example, do
    /// not. It may differ between versions.
    ///
    /// >>> rich = secateurs.Position.parse("<1,5,3,2,2> s")
    /// >>> rich.key == secateurs.Position.parse("<1,0,0,2,2> s").key
    /// True
    #[getter]
    pub fn key(&self) -> u64 {
        self.board.key()
    }

    /// The player to move, 1 or 2. Turns need not alternate: in Kalah a last seed in the store earns another move.
    #[getter]
    fn turn(&self) -> u8 {
        self.board.turn().number()
    }

    /// The legal moves in the game's own notation and order; empty at the end of the game. A game drawn by a rule, such
    /// as repetition, is also over (see :attr:`outcome`), but has legal moves: it may be continued, and searches treat
    /// its position like any other.
    ///
    /// ``move in position.legal_moves`` is true for every form of a move that :meth:`play` takes.
    ///
    /// >>> moves = secateurs.Position("kalah", houses=3).legal_moves
    /// >>> moves, 2 in moves, 9 in moves
    /// (['1', '2', '3'], True, False)
    #[getter]
    fn legal_moves<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let moves = CLASS.import(slf.py(), "secateurs._moves", "LegalMoves")?.call1((slf.get().board.moves(),))?;
        moves.setattr(intern!(slf.py(), "_position"), slf)?;
        Ok(moves)
    }

    /// Returns what a page needs of the position; `settings` are those of the drawing, as JSON.
    fn _state<'py>(&self, py: Python<'py>, settings: &str) -> PyResult<Bound<'py, PyAny>> {
        let (first, settings) = (self.first(py)?, drawing::page_settings(settings)?);
        from_json(py, &caught(|| State::new(&*self.board, &*first, &settings))?)
    }

    /// Draws the position for a page.
    fn _drawing(slf: &Bound<'_, Self>, settings: &str) -> PyResult<String> {
        drawing::for_page(slf, settings)
    }

    /// Returns the text in `legal_moves` of a move in any form; ``None`` if it is not legal.
    fn _named(&self, py: Python<'_>, r#move: &Value<'_>) -> PyResult<Option<String>> {
        let mv = match self.board.mv("move", r#move) {
            Err(error) if error.is_instance_of::<PyTypeError>(py) => return Ok(None),
            mv => mv?,
        };
        let Ok(codes) = caught(|| self.board.codes_of(&[mv]))? else { return Ok(None) };
        let place = self.board.codes().iter().position(|code| codes.contains(code));
        Ok(place.and_then(|place| self.board.moves().into_iter().nth(place)))
    }

    /// The outcome of the game, or ``None`` if it is not over. It depends on the history: a position that occurs for
    /// the third time may end the game in a draw, although :attr:`legal_moves` is not empty. A loop that plays a game
    /// must test this attribute, not the moves.
    ///
    /// >>> secateurs.Position("kalah").outcome is None
    /// True
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome().map(|outcome| Outcome::new(outcome, self.board.turn()))
    }

    /// The position before the first move of :attr:`history`, as :attr:`text` writes it.
    ///
    /// >>> secateurs.Position("nim").play("1-2").start
    /// '3,4,5 1'
    #[getter]
    fn start(&self) -> PyResult<String> {
        caught(|| self.board.start())
    }

    /// The moves since the setup of the position, in order.
    ///
    /// >>> secateurs.Position("nim").play("1-2").play("3-5").history
    /// ['1-2', '3-5']
    #[getter]
    fn history(&self) -> Vec<String> {
        self.board.history()
    }

    /// Returns the position after a legal move in the notation of :attr:`legal_moves`; a number may be an ``int``, and
    /// in chess a move may be a ``chess.Move`` or in standard algebraic notation. In a game in Python it is the move of
    /// :meth:`Game.moves` that is equal to it, or else the one with its text.
    ///
    /// >>> secateurs.Position("kalah").play(3) == secateurs.Position("kalah").play("3")
    /// True
    /// >>> secateurs.Position("nim", heaps=[1, 2]).play("1-4")
    /// Traceback (most recent call last):
    ///   ...
    /// secateurs.IllegalMove: illegal move "1-4" in "1,2 1": legal moves are 1-1, 2-2, 2-1
    ///
    /// :raises IllegalMove: the move is not legal; the message lists the legal moves.
    #[pyo3(signature = (r#move))]
    fn play(&self, py: Python<'_>, r#move: &Value<'_>) -> PyResult<Self> {
        let (mv, mut board) = (self.board.mv("move", r#move)?, self.board.copy(py));
        board.play_move(&mv)?;
        Ok(board.into())
    }

    /// Returns the position after a line of legal moves: an iterable of them, or a text as in a game in Portable Game
    /// Notation, whose numbers and comments are skipped.
    ///
    /// >>> secateurs.Position("kalah").play_line([3, 1]).turn
    /// 2
    /// >>> secateurs.Position("chess").play_line("1. e4 e5 2. Nf3").history
    /// ['e2e4', 'e7e5', 'g1f3']
    ///
    /// :raises IllegalMove: one of the moves is not legal in its position; the message names the move and the
    ///     position.
    /// :raises ValueError: the text is no line of moves.
    fn play_line(&self, py: Python<'_>, moves: &Value<'_>) -> PyResult<Self> {
        self.after(py, moves)
    }

    /// Counts the lines of exactly ``depth`` moves (plies, 0 to 255) by the legal moves alone; repetitions end no line.
    /// The GIL is released, and Ctrl-C works.
    ///
    /// >>> [secateurs.Position("nim", heaps="1,2").perft(depth) for depth in range(4)]
    /// [1, 3, 5, 3]
    ///
    /// :param progress: ``True``: a progress bar, as for :func:`analyse_many`; or a function that is called from time
    ///     to time with the number of first moves that are counted and the number of all.
    /// :raises ValueError: ``depth`` is out of range.
    #[pyo3(signature = (depth, *, progress = None))]
    fn perft(&self, py: Python<'_>, depth: &Value<'_>, progress: Option<&Value<'_>>) -> PyResult<u64> {
        let depth = arguments::within("depth", depth, 0.., "a whole number from 0 to 255, plies")?;
        let board = self.board().boxed();
        if progress.is_none() {
            let stop = StopFlag::new();
            let flag = stop.clone();
            // Only an exception stops the work; it is returned instead.
            let work = with_thread_state(self.is_python(), move || board.perft(depth, &stop));
            return Ok(interruptible(py, &flag, work)?.unwrap_or_default());
        }
        let moves = if depth == 0 { 0 } else { caught(|| board.codes().len())? };
        supervised(py, progress, (moves, "moves"), self.is_python(), move |stop, done| {
            let mut counted = |_: &str, _| _ = done.fetch_add(1, Ordering::Relaxed);
            Ok(board.divide(depth, stop, &mut counted))
        })
    }

    /// Returns the static evaluation by term: centi-units for the side to move (100 is one seed), each within +-28,800.
    /// The sum of the terms is the evaluation.
    ///
    /// >>> sum(secateurs.Position.parse("<1,5,3,0,0> s").evaluate().values())
    /// 200
    fn evaluate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let terms = PyDict::new(py);
        for (name, value) in caught(|| self.board.explain())? {
            terms.set_item(name, value)?;
        }
        Ok(terms)
    }

    /// Draws the position as SVG, as notebooks display it.
    ///
    /// >>> drawing = secateurs.Position("nim").svg("1-2", theme="dark")
    /// >>> drawing.startswith("<svg")
    /// True
    /// >>> board = secateurs.Position("chess").play("e2e4")
    /// >>> drawing = board.svg(orientation="black", size=300, fill={"d5": "#cc000080"}, arrows=["d7d5", ("g8", "f6", "red")])
    ///
    /// Squares, points, houses and heaps have their names in moves: "e4" in chess, "18" in draughts, "C" in Oware. In
    /// Kalah they are "S1" and "N1" with the stores "S" and "N", in Connect Four "d1" for the lowest square of the
    /// fourth column, in Nim "2" for a heap and "2.1" for its first object.
    ///
    /// A game in Python without a drawing of its own shows its text, and one with a method ``svg`` takes ``best`` and
    /// ``theme`` alone.
    ///
    /// In chess squares may be those of python-chess, such as ``chess.E4``, and so may the other marks: a
    /// ``chess.Move``, a ``chess.SquareSet``, a ``chess.svg.Arrow``, ``chess.BLACK``.
    ///
    /// :param best: a legal move, marked by an arrow or a ring.
    /// :param theme: "light", "dark", or "auto" to follow the notebook or the browser that shows it.
    /// :param lastmove: ``True`` marks the last move of :attr:`history`, ``False`` none, and a text the squares that it
    ///     names: "e2e4".
    /// :param orientation: the player below, 1 or 2 or the name, such as "black"; by default as the game is usually
    ///     shown. Connect Four, Nim and Othello look the same from both sides.
    /// :param size: the width in pixels.
    /// :param fill: colours of squares, such as ``{"e4": "red", "d5": "#cc000080"}``.
    /// :param squares: squares with a cross.
    /// :param arrows: each a text of two squares, "e2e4", or a tuple of them, which may have a colour as its third
    ///     value. A single square has a ring.
    /// :param values: short texts by legal move, drawn where the move leads: ``{"e2e4": "+0.3"}``.
    /// :param coordinates: whether rows and columns, houses or squares have their names.
    /// :param characters: whether the pieces of xiangqi are Chinese characters instead of letters.
    /// :raises IllegalMove: ``best`` is not legal.
    /// :raises ValueError: a square, the theme or the player does not exist, a text is no colour of CSS (``"red"``,
    ///     ``"#f00"``, ``"#ff0000"``, ``"#ff000080"``), or the size is out of range.
    #[pyo3(
        signature = (best = None, *, theme = None, **marks),
        text_signature = "($self, best=None, *, theme='auto', lastmove=True, orientation=None, size=None, fill=None, \
            squares=(), arrows=(), values=None, coordinates=True, characters=False)"
    )]
    fn svg<'py>(
        slf: &Bound<'py, Self>,
        best: Option<Value<'py>>,
        theme: Option<Value<'py>>,
        marks: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<String> {
        // The notation of the drawing, for a move in another one.
        let best = best.map(|best| slf.get().legal(slf.py(), "best", &best)).transpose()?;
        drawing::svg(slf, best, drawing::theme(theme)?, marks)
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<String> {
        drawing::svg(slf, None, Theme::Auto, None)
    }

    /// Raises the error for an attribute that does not exist; for one of python-chess it names what there is instead.
    fn __getattr__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let view = name.to_string_lossy();
        if board_view::is_known(&view) {
            board_view::check(&*slf.get().board, &view)?;
        }
        missing(slf, name)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.board {
            AnyBoard::Registered(_) => Ok(()),
            // States shared by several positions are not visited: each reference is visited at most once.
            AnyBoard::Python(board) => board.unshared().try_for_each(|state| state.traverse(&visit)),
        }
    }

    pub fn __eq__(&self, other: &Self) -> PyResult<bool> {
        let (one, two) = (&self.board, &other.board);
        let alike = one.game() == two.game() && one.key() == two.key() && one.options() == two.options();
        Ok(alike && self.text()? == other.text()?)
    }

    fn __hash__(&self) -> u64 {
        self.board.key()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Py<Self> {
        slf.unbind()
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Py<Self> {
        slf.unbind()
    }

    /// Pickles the setup and the moves since, so that the history is preserved.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let name = if self.python_chess { intern!(py, "_restore_board") } else { intern!(py, "_restore") };
        let restore = py.get_type::<Self>().getattr(name)?;
        let start = caught(|| self.board.start())?;
        Ok((restore, (self.board.origin(py), self.options(py)?, start, self.board.history())))
    }

    #[classmethod]
    fn _restore(
        class: &Bound<'_, PyType>,
        game: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        start: &str,
        moves: &Value<'_>,
    ) -> PyResult<Self> {
        Self::from(AnyBoard::set_up(game, Some(options), Some(start))?).after(class.py(), moves)
    }

    /// Restores a position that a search was given as a board of python-chess.
    #[classmethod]
    fn _restore_board(
        class: &Bound<'_, PyType>,
        game: &Bound<'_, PyAny>,
        options: &Bound<'_, PyDict>,
        start: &str,
        moves: &Value<'_>,
    ) -> PyResult<Self> {
        Ok(Self { python_chess: true, ..Self::_restore(class, game, options, start, moves)? })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(state) = self.state(py)? {
            return Ok(format!("Position({})", state.repr()?.to_cow()?));
        }
        let text = PyString::new(py, &self.text()?).repr()?;
        let game = self.board.origin(py).repr()?;
        let options = options::arguments(py, self.board.options())?;
        Ok(format!("Position.parse({}, {}{options})", text.to_cow()?, game.to_cow()?))
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(caught(|| self.board.draw())?.trim_end().into())
    }

    fn __format__<'py>(&self, py: Python<'py>, form: Value<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(py, &self.__str__()?).call_method1("__format__", (form,))
    }
}
