//! Exact search: the value of the game itself, to its end, and nothing less.
//!
//! The value is closed in by questions: is it above `alpha`? Each is answered by a search with a null window
//! (Pearl 1980; MTD: Plaat et al. 1996), which has no horizon and no evaluation: it ends where the rules, a database or
//! the table know enough. What one question teaches, the table keeps for the next.
//!
//! - [`solver`]: the threads, the value, then the moves and the line;
//! - [`question`]: what is asked next; [`node`]: the answer; [`shared_proof`]: what the threads share;
//! - [`certificate`]: why the value is what it is, position by position.

pub mod certificate;
pub mod node;
pub mod question;
pub mod shared_proof;
pub mod solver;
