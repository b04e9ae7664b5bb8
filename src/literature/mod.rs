//! The procedures of the tree-search literature: slow and simple, each as in its paper. The engine's own search is
//! tested against [minimax and alpha-beta](crate::search::oracle).
//!
//! | file | procedures | source |
//! |---|---|---|
//! | [`knuth_moore`] | minimax with a flag; F, F1, F2 and the mirror G2 | Knuth and Moore 1975 |
//! | [`stack`] | F2 without recursion, on a bounded stack | Knuth and Moore 1975 |
//! | [`fail_soft`] | alpha-beta that returns bounds outside the window | Fishburn 1983 |
//! | [`memory`] | alpha-beta with a hash table and killers | Greenblatt 1967, Eppstein 1999 |
//! | [`aspiration`] | a narrow window first | Baudet 1978 |
//! | [`scout`] | NegaScout, a principal-variation search | Reinefeld 1983 |
//! | [`mtd`] | MTD(f), with SSS* and DUAL* as special cases | Plaat et al. 1996 |
//! | [`proof_number`] | can the side to move get this value? df-pn | Allis 1994, Nagai 2002 |
//! | [`greedy`] | the best move by static evaluation | |
//! | [`floyd`] | lines that are [plausible](plausibility) | Floyd, in Knuth and Moore 1975; Tsuruoka et al. 2002 |
//!
//! [`procedure`] lists them all and runs each by its name; [`study`] runs several and describes their steps, for a page
//! that shows them. [`minimum`] is the fewest terminal positions that any of them must visit.
//!
//! All of them search the tree below a [`Node`](tree::Node) through a [`Walk`](tree::Walk), which counts nodes, within
//! a [budget](budget::Budget). The tree is a game to a horizon ([`Analysis::tree`](crate::engine::Analysis::tree)), a
//! [synthetic](uniform::Uniform) tree of known shape, one [typed](toy::Toy) from a textbook, or any other; [`ordered`]
//! puts its moves in order. Turns need not alternate: a value is negated, and a window negated and swapped, only where
//! the side to move changes.

pub mod aspiration;
pub mod budget;
pub mod fail_soft;
pub mod floyd;
pub mod greedy;
pub mod knuth_moore;
pub mod memory;
pub mod minimum;
pub mod mtd;
pub mod ordered;
pub mod plausibility;
pub mod procedure;
pub mod proof_number;
pub mod scout;
pub mod stack;
pub mod study;
pub mod toy;
pub mod tree;
pub mod uniform;

pub use budget::Budget;
pub use procedure::{Procedure, ProcedureResult, Settings};
