//! Secateurs prunes game trees. One alpha-beta search plays and analyses two-player games of perfect information. It
//! has two interfaces: a line protocol for tournament managers, and a Python module for notebooks. Both use the same
//! boards and engines, so they never disagree.
//!
//! # Architecture
//!
//! `tests/layers.rs` has the order of the layers, and the layers that each may import: it reads every path and fails on
//! any other. The terms are those of the [Chess Programming Wiki](https://www.chessprogramming.org); `docs/glossary.md`
//! defines them.
//!
//! | layer | contents |
//! |---|---|
//! | **Heart** | |
//! | [`core`] | the vocabulary: [`Position`](core::Position) (the rules), [`Heuristics`](core::Heuristics) (evaluation, move ordering, pruning, bounds), [`Game`](core::Game) (name, options), [`Notation`](core::Notation), [`Pictures`](core::Pictures), [`Records`](core::Records), scores, limits, reports, options, errors |
//! | [`util`] | random numbers, threads, forks, the wording of counts and suggestions |
//! | [`store`] | files: versioned, checksummed, replaced as a whole, mapped where they are large |
//! | [`search`] | the search, which knows no game: iterative deepening, the alpha-beta node, move ordering, the table, time; [exact search](search::exact), which has no horizon; and plain minimax and alpha-beta, the [oracle](search::oracle) that it must agree with |
//! | [`endgame`] | endgame databases by retrograde analysis, for any game that divides its positions by material |
//! | [`network`] | evaluations learned from games: sums that are updated move by move, and their files |
//! | [`games`] | the games, which know no search: one folder per game, what else a new one needs is in `docs/games-in-rust.md`; Kalah has [databases of its own kind](games::kalah::endgame) |
//! | [`engine`] | type erasure: [`Board`] and [`Engine`], each with one generic implementation |
//! | [`literature`] | the procedures of the literature by name, on any tree, each step recorded |
//! | [`registry`] | the table of games, one row per game |
//! | **Files** | |
//! | [`tables`] | transposition tables in files, each with the rules and the evaluation that it was made for |
//! | [`rote_learning`] | rote learning: a file of searched positions, used by later searches |
//! | [`book`] | opening books: exact values of the positions near the start of a game |
//! | [`certificate`] | files that prove exact values, and their checker, which knows no search |
//! | [`pgn`] | games in Portable Game Notation, read and written |
//! | **Tools** | |
//! | [`annotate`](mod@annotate) | games annotated by the search: scores, best moves, glyphs, accuracies |
//! | [`batch`] | many positions, each searched as if by a fresh engine; resumed from checkpoints |
//! | [`mod@bench`] | one deterministic node count over all games |
//! | [`opponent`] | an opponent for people: levels, moves at random or from the book, hints |
//! | [`views`] | values in words, drawings of boards, searched trees as text, JSON lines, Graphviz, and a page that folds |
//! | **Interface** | |
//! | [`protocol`] | the line protocol |
//!
//! Above this crate are the packages `secateurs-tools` (the command line, matches, the laboratory), `secateurs-kgp` (a
//! client of the Kalah Game Protocol), the extension module of Python, under `python/`, and the page for browsers,
//! `web/`.
//!
//! # The life of `go depth 12`
//!
//! 1. `protocol/serve.rs`: `serve` and its loop, `run`; for each line `receive`, `execute`, `act`, and here `go`. The
//!    board and the table are those of the dialogue's session.
//! 2. `protocol/input.rs`: `start_threads` starts one thread that reads the input by `read_lines`, and one that executes
//!    tasks.
//! 3. `protocol/command.rs`: `parse` turns the line into a command.
//! 4. `protocol/go.rs`: `parse` reads its arguments, and `request` turns them into the request of a search.
//! 5. `engine/game_board/analysis.rs`: `engine` sets up a search of the board, after its line of play.
//! 6. `protocol/task.rs`: `search` makes the task. On the second thread of step 2, `work` and `complete` run it: it
//!    calls the engine's `search`.
//! 7. `search/searcher.rs`: `search` and then `run`, which starts the other threads, if any.
//! 8. `search/root.rs`: `deepen`, `aspire`, `search_moves` and `search_move`; `report` passes on what they find.
//! 9. `search/alpha_beta.rs`: `search` searches a move of the root: `enter` makes it.
//! 10. `search/node.rs`: `child` and then `node`, the first of all nodes.
//!
//! A report, and at the end the best move, goes back through `engine/game_board/analysis.rs`, which writes its moves as
//! text, to the task. That writes the lines, `info` and `bestmove`, by `protocol/reply.rs` (for managers of draughts by
//! `protocol/hub.rs`), and `protocol/serve.rs` prints them. With `OwnBook`, a book may answer in place of a search; with
//! a `LearnFile`, the search of `rote_learning` stands between the task and the engine. In the search, `search/path.rs`
//! scores a repetition, the move clock and a position in which neither side can win. `tests/life.rs` checks the list of
//! steps.
//!
//! # A search in a few lines
//!
//! ```
//! # fn main() -> Result<(), secateurs::Error> {
//! let chess = secateurs::Setup::named("chess")?;
//! let board = chess.board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")?;
//! let report = board.analyse(secateurs::Limits::depth(4))?;
//! assert_eq!(board.readable_line(&report.pv), ["Qxf7#"]);
//! # Ok(())
//! # }
//! ```
//!
//! `analyse` has an engine and a table of its own. A program that searches more than once keeps them:
//!
//! ```
//! use secateurs::{Request, Setup, StopFlag, Table};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), secateurs::Error> {
//! let mut kalah = Setup::named("kalah")?;
//! kalah.set("Houses", "3")?;
//! kalah.set("Seeds", "3")?;
//! let mut engine = kalah.board("startpos")?.engine(Arc::new(Table::new(16)?));
//! let lines = engine.search(&Request::depth(40), &StopFlag::new(), &mut |_| {});
//! assert_eq!(lines[0].score, 200); // the first player wins by two seeds
//! # Ok(())
//! # }
//! ```
//!
//! A [`Request`] also has the number of threads, the number of moves that get a line of their own, and the choice among
//! moves that are equally good. A [`Report`] has a score and its [`Proof`](core::Proof): what the score proves about
//! the value of the game itself. The table outlasts the engine; [`tables`] keeps it in files. [`Engine::solve`] finds
//! the value of the game itself: a [`SolveRequest`](core::solution::SolveRequest) goes in, a [`Solution`] comes out.
//!
//! # Values
//!
//! A value is always for the side to move, and turns need not alternate: a child's value is negated if, and
//! only if, another side moves there. [`core::score`] has the scale.

pub mod annotate;
pub mod batch;
pub mod bench;
pub mod book;
pub mod certificate;
pub mod core;
pub mod endgame;
pub mod engine;
pub mod games;
pub mod literature;
pub mod network;
pub mod opponent;
pub mod pgn;
pub mod protocol;
pub mod registry;
pub mod rote_learning;
pub mod search;
pub mod store;
pub mod tables;
pub mod util;
pub mod views;

pub use crate::core::{Error, Limits, Report, Request, Solution, StopFlag};
pub use engine::{Board, Engine};
pub use registry::Setup;
pub use search::Table;
