//! The parameters of the evaluation as numbers, and [the file of weights](super::weights) as text.

use super::layout::{COUNT, GROUPS};
use super::weights::WEIGHTS;
use std::fmt::Write;

/// The weights in a line of the file: those of two ranks of a piece's places.
const IN_A_LINE: usize = 10;

/// Returns the weights as they are, each for the middlegame and the endgame, centi-units.
#[must_use]
pub fn parameters() -> Vec<f64> {
    WEIGHTS.iter().flatten().copied().map(f64::from).collect()
}

/// Returns the text of the file with these weights, rounded; `command` is the command that fitted them.
#[must_use]
pub fn text(parameters: &[f64], command: &str) -> String {
    debug_assert_eq!(parameters.len(), 2 * COUNT);
    let mut text = format!(
        "//! The values of [the weights](super::layout), centi-units, fitted to games of self-play by\n//! `{command}.\n\n\
         use super::layout::COUNT;\n\n\
         /// The weights for the middlegame and the endgame, in the order of the [groups](super::layout::GROUPS).\n\
         #[rustfmt::skip]\npub static WEIGHTS: [[i16; 2]; COUNT] = [\n"
    );
    let mut pairs = parameters.chunks_exact(2);
    for group in GROUPS {
        let pairs: Vec<_> = pairs.by_ref().take(group.len).collect();
        // Writing into a string does not fail.
        let _ = writeln!(text, "    // {}", group.name);
        for line in pairs.chunks(IN_A_LINE) {
            // Adding 0 turns -0 into 0.
            let line: Vec<_> = line
                .iter()
                .map(|pair| format!("[{:.0}, {:.0}],", pair[0].round() + 0.0, pair[1].round() + 0.0))
                .collect();
            let _ = writeln!(text, "    {}", line.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The repository's file is what this writes, but for its first two lines.
    #[test]
    fn the_file_of_weights_is_this_text() {
        let rows = |text: &str| -> Vec<_> {
            text.lines().skip_while(|line| !line.starts_with("use")).map(String::from).collect()
        };
        assert_eq!(rows(include_str!("weights.rs")), rows(&text(&parameters(), "")));
    }
}
