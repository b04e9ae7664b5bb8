//! The tools around the engine: the command line, matches between engines, and the laboratory.
//!
//! All of them are above the [protocol](secateurs::protocol), and none is on the path of a search: the package is
//! compiled for size.
//!
//! | layer | contents |
//! |---|---|
//! | [`client`] | the other end of the protocol: engine processes, ours and others, in UCI, UGI and Hub |
//! | [`arena`] | matches of engines: referee, clocks, openings, records, statistics |
//! | [`report`] | a match as one page: tables, a plot, every game to step through |
//! | [`lab`] | the laboratory: evaluations, networks and search parameters learned from games, and the [procedures of the literature](secateurs::literature) side by side |
//! | [`cli`] | the command line: one file or folder per subcommand |

pub mod arena;
pub mod cli;
pub mod client;
pub mod lab;
mod numbers;
pub mod report;
