//! The client side of the protocol: an engine, Secateurs or another, as a process that speaks UCI, UGI or Hub.
//!
//! - [`dialogue`]: a [`Client`], which starts an engine and talks to it;
//! - [`spec`]: the user's description of an engine; [`fingerprint`]: its files; [`option`]: the options that it
//!   declares;
//! - [`words`]: the commands; [`info`], [`search`]: the replies during a search; `hub`: the same for draughts programs;
//! - [`process`], [`output_lines`], `stderr`, `pipe_reader`, [`group`]: the process, its pipes, its end;
//! - [`watchdog`]: kills engines that would survive this process;
//! - [`transcript`]: a log of dialogues; [`fault`]: the failures.
//!
//! ```no_run
//! use secateurs_tools::client::{Client, Spec, Surroundings};
//! use secateurs::protocol::{command::Dialect, go::Go};
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), secateurs_tools::client::Fault> {
//! let mut engine = Client::start(Spec::new(Dialect::Uci, "secateurs"), Surroundings::default())?;
//! engine.position("startpos", "3 7")?;
//! let answer = engine.search(&Go { depth: Some(12), ..Go::default() }, Duration::from_secs(60))?;
//! assert!(answer.best.is_some() && answer.info().is_some());
//! engine.quit();
//! # Ok(())
//! # }
//! ```

pub mod dialogue;
pub mod fault;
pub mod fingerprint;
pub mod group;
mod handshake;
mod hub;
pub mod info;
pub mod option;
pub mod output_lines;
mod pipe_reader;
pub mod process;
pub mod search;
pub mod spec;
mod stderr;
pub mod transcript;
pub mod watchdog;
pub mod words;

pub use dialogue::Client;
pub use fault::{Fault, Lost};
pub use fingerprint::Fingerprint;
pub use group::Exit;
pub use info::{Info, Score};
pub use process::Process;
pub use search::Answer;
pub use spec::{GameSpec, Spec, Surroundings};
pub use transcript::Transcript;
pub use watchdog::Watchdog;
