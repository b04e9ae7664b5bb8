//! Parses the arguments of `tree` into [`TreeRequest`].

use super::solve::{COUNT, count};
use crate::core::error::{Error, Quoted};
use crate::core::score::MAX_PLY;
use crate::core::tree::Room;
use crate::core::{Limits, Request};
use std::time::Duration;

/// The depth of a search without other limits, in plies.
pub const DEPTH: u8 = 4;

/// The arguments of `tree`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeRequest {
    /// The search.
    pub request: Request,
    /// The limits of the printed tree.
    pub room: Room,
}

/// Parses the arguments of `tree`, the `rest` of a `line`. Unknown words are errors.
///
/// # Errors
/// [`Error::BadCommand`], which names the invalid word, or [`Error::TreeTooLarge`].
pub(crate) fn parse(line: &str, rest: &str) -> Result<TreeRequest, Error> {
    let mut limits = Limits::default();
    let (mut nodes, mut plies) = (Room::NODES, MAX_PLY);
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        if !["depth", "nodes", "movetime", "plies", "limit"].contains(&word) {
            let word = Quoted::new(word);
            return Err(Error::bad_command(
                line,
                format!("tree takes depth, nodes, movetime, plies and limit, not {word}"),
            ));
        }
        let value = words.next().ok_or_else(|| Error::bad_command(line, format!("{word} takes {COUNT}")))?;
        let number = count(line, word, value)?;
        let ply = || {
            let ply = u8::try_from(number).ok();
            ply.ok_or_else(|| {
                Error::bad_command(line, format!("{word} takes plies, 1 to {MAX_PLY}, not {}", Quoted::new(value)))
            })
        };
        match word {
            "depth" => limits.depth = Some(ply()?),
            "nodes" => limits.nodes = Some(number),
            "movetime" => limits.movetime = Some(Duration::from_millis(number)),
            "plies" => plies = ply()?,
            _ => nodes = usize::try_from(number).unwrap_or(usize::MAX),
        }
    }
    if !limits.is_finite() {
        limits.depth = Some(DEPTH);
    }
    Ok(TreeRequest { request: Request::new(limits), room: Room::new(nodes, plies)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rest: &str) -> Result<TreeRequest, String> {
        parse(&format!("tree {rest}"), rest).map_err(|error| error.to_string())
    }

    #[test]
    fn limits_come_in_any_order() {
        assert_eq!(read(""), Ok(TreeRequest { request: Request::depth(DEPTH), room: Room::default() }));
        let limits = Limits { nodes: Some(7), movetime: Some(Duration::from_millis(30)), ..Limits::default() };
        let room = Room::new(50, 3).unwrap();
        assert_eq!(
            read("limit 50 nodes 7 plies 3  movetime 30"),
            Ok(TreeRequest { request: Request::new(limits), room })
        );
        assert_eq!(read("depth 255 plies 1").map(|tree| tree.request), Ok(Request::depth(255)));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (rest, named) in [
            ("deep", "tree takes depth, nodes, movetime, plies and limit, not \"deep\""),
            ("depth", "depth takes a whole number, at least 1"),
            ("depth 0", "depth takes a whole number, at least 1, not \"0\""),
            ("depth 256", "depth takes plies, 1 to 255, not \"256\""),
            ("plies -1", "plies takes a whole number, at least 1, not \"-1\""),
            ("plies 99999999999999999999", "plies takes plies, 1 to 255, not \"99999999999999999999\""),
        ] {
            let error = read(rest).unwrap_err();
            assert!(error.contains("bad command \"tree ") && error.ends_with(named), "{error}");
        }
        let error = read("limit 99999999999999999999").unwrap_err();
        assert!(error.starts_with("a tree of 18446744073709551615 nodes may take"), "{error}");
    }
}
