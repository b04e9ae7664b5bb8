//! A client of the Kalah Game Protocol, version 1, in its mode `freeplay`: the server sends states, the client moves.
//!
//! KWARC publishes the specification and a server: <https://github.com/KWARC/kalah-game>.
//!
//! - [`address`]: addresses of servers; [`connection`], `websocket`: connections over TCP and WebSocket;
//! - [`message`]: messages as lines;
//! - [`session`]: the dialogue over one connection; [`clock`]: the time that the server gives; [`mod@search`]: the
//!   search of one state;
//! - [`client`]: the loop over connections; [`event`]: what it waits for; [`settings`]: its settings;
//! - [`notice`]: what happens, for the user and for records;
//! - [`command`]: the command line;
//! - [`games`]: the games of the states; [`path`]: the moves between two states; [`record`]: games in files.

pub mod address;
pub mod client;
pub mod clock;
pub mod command;
pub mod connection;
pub mod event;
pub mod games;
mod line;
pub mod message;
pub mod notice;
pub mod path;
pub mod record;
pub mod search;
pub mod session;
pub mod settings;
mod websocket;
