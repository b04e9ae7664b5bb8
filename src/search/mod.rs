//! The search: one implementation for all games, monomorphised for each. It contains no game, no text and no protocol.
//!
//! Compiled for each game, because it makes moves and evaluates positions:
//!
//! - `searcher`: the public interface and the threads; `alpha_beta`: the search of one game by one thread, with
//!   one frame for each ply of the current line, and its interface for the root;
//! - `node`: the alpha-beta node in numbered steps; `static_evaluation`, `guards`, `singular`, `pruning`,
//!   `reductions` and `quiescence` hold the larger ones;
//! - `path`: repetition, clocks and other ends of the game by rule;
//! - [`picker`]: move ordering; `pv`: proofs of moves, and principal variations extended to the end of the game;
//! - [`mod@exact`]: exact search, without a horizon; [`perft`](mod@perft): move-path counts;
//! - [`oracle`]: plain minimax and alpha-beta, the reference for the tests of the search.
//!
//! Compiled once, on move codes:
//!
//! - `root`: iterative deepening, aspiration windows, the loop over the moves, reports; `root_moves`: the moves;
//! - `best_line`: which move and line may be shown for a value; `multipv`: the order of several lines, and the choice
//!   among equal moves;
//! - `worker`: the state of a thread; `value`: a score and its proof; `history`: killers and history;
//!   `continuation`: the history of pairs of moves;
//! - `table`: the bounded transposition table; [`mod@entry`]: its entries; `extent`: the part of its memory in use;
//!   `memory`: its memory;
//! - [`budget`]: time and node limits; `pace`: the share of the planned time, by the results of the iterations;
//! - `shared_search`: the state shared by the threads, apart from the table; [`thread`]: their stacks;
//! - `trace`: the recorder of the search tree and the node counter.

mod alpha_beta;
mod best_line;
pub mod budget;
mod continuation;
pub mod cpu;
#[cfg(test)]
mod endless;
pub mod entry;
pub mod exact;
mod extent;
mod guards;
mod history;
mod memory;
mod multipv;
mod node;
pub mod oracle;
mod pace;
mod path;
pub mod perft;
pub mod picker;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod root;
mod root_moves;
mod searcher;
mod shared_search;
mod singular;
mod static_evaluation;
mod table;
pub mod thread;
pub(crate) mod trace;
pub(crate) mod value;
mod worker;

pub use searcher::Searcher;
pub use table::Table;
pub use thread::STACK;
