//! Endgame databases by retrograde analysis, for every game that names its [material](material::Material): whether the
//! side to move wins, draws or loses with best play, and how many plies that takes.
//!
//! A class has all positions with the same pieces on either side. Captures and promotions lead to classes with fewer
//! pieces, or with stronger ones, which are built before it; every other move leads to the class with the other side to
//! move. So a class and its reverse are solved together, from their exits (`docs/endgames.md` has figures).
//!
//! - [`combinations`]: sets of squares as numbers;
//! - [`material`]: how a game divides its positions: classes, indices, predecessors;
//! - [`retrograde`]: the levels of a class; [`build`]: class after class, resumed after an interruption;
//! - [`table`]: the files of a class; [`tables`]: those of a folder, as the search probes them;
//! - [`verify`]: samples checked against their successors; [`databases`]: the interface of the command line;
//! - [`folder`]: folders locked for a build, opened once and shared. Kalah's own databases use it too.

pub mod build;
pub mod combinations;
pub mod databases;
pub mod folder;
pub mod material;
pub mod retrograde;
pub mod table;
pub mod tables;
pub mod verify;

pub use databases::Retrograde;
pub use material::{Class, Material};
pub use table::{Table, Value};
pub use tables::Tables;
