//! Numbers with their nouns.

use std::fmt::Display;

/// Returns a number with its noun, in the plural unless the number is 1.
///
/// ```
/// use secateurs::util::counted::counted;
/// assert_eq!([counted(1, "node"), counted(2, "node"), counted(0, "ply")], ["1 node", "2 nodes", "0 plies"]);
/// ```
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    match noun.strip_suffix('y') {
        _ if count == "1" => format!("1 {noun}"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {noun}s"),
    }
}
