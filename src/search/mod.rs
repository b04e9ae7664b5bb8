//! One search for all games, monomorphised for each. It knows no game, no text and no protocol.
//!
//! - [`searcher`]: iterative deepening, the threads;
//! - `root`: the moves of the root, aspiration windows; `window`: one of them, its value, proof and moves;
//! - `lines`: principal variations to the end of the game;
//! - `standing`: the order of the lines, and the lot among the best;
//! - `node`: the alpha-beta node, its steps numbered; [`value`]: a score and what is proven of it;
//! - `worker`: what a thread owns;
//! - [`order`], [`history`]: which move is tried first;
//! - [`table`]: the bounded transposition table; [`mod@entry`]: what its entries say; `extent`: how much of its
//!   memory it uses; [`memory`]: the memory it has;
//! - [`budget`]: time and node limits; [`crew`]: what the threads of a search share beside the table;
//! - [`perft`](mod@perft): move-path counts;
//! - [`trace`]: who watches a search: the [recorder](trace::Recorder) of its tree, the [census](trace::Census);
//! - [`oracle`]: minimax and alpha-beta, slow and plainly right, which the search must agree with.

pub mod budget;
pub mod cpu;
pub mod crew;
pub mod entry;
pub mod exact;
mod extent;
pub mod history;
mod lines;
pub mod memory;
mod node;
pub mod oracle;
pub mod order;
pub mod perft;
mod root;
pub mod searcher;
mod standing;
pub mod table;
pub mod trace;
pub mod value;
mod window;
mod worker;

pub use searcher::{STACK, Searcher};
pub use table::Table;
