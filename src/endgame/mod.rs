//! Endgame databases: the values of all positions with few pieces, or with few seeds in play.
//!
//! A database has tables, each built from those before it and kept in files of its own:
//!
//! - `database`: the description of a kind of database; `tables`: the tables of a folder, opened once and shared;
//! - [`mod@build`]: table after table, resumed after an interruption; [`mod@verify`]: samples checked against their
//!   successors;
//! - `folder`: folders locked for a build; `databases`: the interface of the command line.
//!
//! Kalah and Oware have databases of their own kinds, in layers by seeds. Every game that names its
//! [material](Material) gets databases by retrograde analysis: whether the side to move wins, draws or loses with best
//! play, and how many plies that takes. A class has all positions with the same pieces on either side. Captures and
//! promotions lead to classes with fewer pieces, or with stronger ones, which are built before it; every other move
//! leads to the class with the other side to move. So a class and its reverse are solved together, from their exits
//! (`docs/endgames.md` has figures).
//!
//! - `material`: how a game divides its positions: classes, indices, predecessors;
//! - `retrograde`: the database of such a game; `levels`: a class by retrograde analysis; [`table`]: its files;
//! - `combinations`: sets of squares as numbers.

pub mod build;
pub(crate) mod combinations;
mod database;
pub(crate) mod databases;
mod folder;
mod levels;
mod material;
mod retrograde;
pub mod table;
mod tables;
pub mod verify;

pub use build::build;
pub use database::{Database, TableFile};
pub use databases::DatabasesOf;
pub use material::{Class, Material};
pub use retrograde::Retrograde;
pub use table::{ClassTable, Value};
pub use tables::{Opened, Tables};
pub use verify::verify;
