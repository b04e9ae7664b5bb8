//! The literature of tree search, procedure by procedure: slow and plainly right, each as its paper has it. The search
//! that plays is held against [minimax and alpha-beta](crate::search::oracle).
//!
//! | file | procedures | source |
//! |---|---|---|
//! | [`knuth_moore`] | minimax with its flag; F, F1, F2 and the mirror G2 | Knuth and Moore 1975 |
//! | [`stack`] | F2 without recursion, on a bounded stack | Knuth and Moore 1975 |
//! | [`fail_soft`] | alpha-beta that returns what it knows | Fishburn 1983 |
//! | [`memory`] | alpha-beta with a hash table and killers | Greenblatt 1967, Eppstein 1999 |
//! | [`aspiration`] | a narrow window first | Baudet 1978 |
//! | [`scout`] | NegaScout, the principal variation search | Reinefeld 1983 |
//! | [`mtd`] | MTD(f), SSS* and DUAL* as cases of it | Plaat et al. 1996 |
//! | [`proof_number`] | can the mover get so much? df-pn | Allis 1994, Nagai 2002 |
//! | [`greedy`] | the best move by the judgement alone | |
//! | [`floyd`] | lines as long as they are [plausible](plausibility) | Floyd, in Knuth and Moore 1975; Tsuruoka et al. 2002 |
//!
//! [`procedure`] is the table of them all, and runs each by its name.
//!
//! All of them search a [`GameTree`](tree::GameTree) from a [`Walk`](tree::Walk), which counts, within a
//! [budget](budget::Budget): a game to a horizon ([`Analysis::tree`](crate::engine::Analysis::tree)), a
//! [synthetic](uniform::Uniform) tree of known shape, or any other, [erased](erased::Erased). Turns need not alternate in any
//! of them: a value is negated, and a window flipped, where another side moves.

pub mod aspiration;
pub mod budget;
pub mod erased;
pub mod fail_soft;
pub mod floyd;
pub mod greedy;
pub mod knuth_moore;
pub mod memory;
pub mod mtd;
pub mod plausibility;
pub mod procedure;
pub mod proof_number;
pub mod scout;
pub mod stack;
pub mod tree;
pub mod uniform;

pub use budget::Budget;
pub use erased::Erased;
pub use procedure::{Procedure, ProcedureResult, Settings};
