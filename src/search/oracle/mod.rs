//! Plain minimax and alpha-beta over a game and its evaluation: the slow, simple reference for the search. The other
//! procedures of the literature are in [`literature`](crate::literature), above the engine.

mod alpha_beta;
mod minimax;

pub use alpha_beta::alpha_beta;
pub use minimax::minimax;
