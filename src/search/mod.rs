//! One search for all games, monomorphised for each. It knows no game, no text and no protocol.
//!
//! - [`searcher`]: iterative deepening and aspiration windows, the root;
//! - `node`: the alpha-beta node, its steps numbered;
//! - [`order`], [`history`]: which move is tried first;
//! - [`table`]: the bounded transposition table; [`memory`]: the memory that it has;
//! - [`budget`]: time and node limits;
//! - [`perft`](mod@perft): move-path counts;
//! - [`reference`](mod@reference): the textbook procedures, slow and plainly right, to hold all of this against.

pub mod budget;
pub mod history;
pub mod memory;
mod node;
pub mod order;
pub mod perft;
pub mod reference;
pub mod searcher;
pub mod table;

pub use searcher::Searcher;
pub use table::Table;
