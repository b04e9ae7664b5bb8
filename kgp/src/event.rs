//! [`Event`]: what the loop of a client waits for.

use super::connection::Writer;
use super::line::Line;
use secateurs::core::Report;
use std::io;

/// An event that the loop waits for. The first number is that of the connection or of the search.
pub enum Event {
    /// The connection is made.
    Open(u64, Writer),
    /// A line from the server.
    Line(u64, Line),
    /// The connection could not be made, or has ended.
    End(u64, io::Result<()>),
    /// A search has a report.
    Found(u64, Box<Report>),
    /// A search has ended.
    Done(u64, Box<Report>),
    /// The user ends the client.
    Leave,
}
