//! One search for all games, monomorphised for each. It knows no game, no text and no protocol.
//!
//! Compiled for each game, because it plays moves and knows positions:
//!
//! - `alpha_beta`: the search of one game by one thread; [`searcher`]: its entrance, the threads;
//! - `node`: the alpha-beta node, its steps numbered; `guards`, `reductions` and `quiescence` are the larger of them;
//! - `frame`: one ply of the line that is searched; `path`: repetition, clocks and other ends by rule;
//! - [`picker`]: which move is tried first; `lines`: principal variations to the end of the game;
//! - [`mod@exact`]: exact search, which has no horizon; [`perft`](mod@perft): move-path counts;
//! - [`oracle`]: minimax and alpha-beta, slow and plainly right, which the search must agree with.
//!
//! Compiled once, over codes of moves; `subtrees` is all that it sees of a game's search:
//!
//! - `iterations`: iterative deepening and its reports; `root`: the moves of the root, aspiration windows; `window`: one of
//!   them, its value, proof and moves; `standing`: the order of several lines, and the choice among equal moves;
//! - `worker`: what a thread owns; [`value`]: a score and what is proven of it; [`history`]: what cut-offs teach;
//! - [`table`]: the bounded transposition table; [`mod@entry`]: what its entries say; `extent`: how much of its
//!   memory it uses; [`memory`]: the memory it has;
//! - [`budget`]: time and node limits; [`shared_search`]: what the threads of a search share beside the table;
//! - [`trace`]: what records a search: the [recorder](trace::Recorder) of its tree, the [counter](trace::NodeCounter).

mod alpha_beta;
pub mod budget;
pub mod cpu;
pub mod entry;
pub mod exact;
mod extent;
mod frame;
mod guards;
pub mod history;
mod iterations;
mod lines;
pub mod memory;
mod node;
pub mod oracle;
mod path;
pub mod perft;
pub mod picker;
mod quiescence;
mod reductions;
mod root;
pub mod searcher;
pub mod shared_search;
mod standing;
mod subtrees;
pub mod table;
pub mod trace;
pub mod value;
mod window;
mod worker;

pub use searcher::{STACK, Searcher};
pub use table::Table;
