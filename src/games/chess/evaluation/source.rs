//! The parameters of the evaluation as numbers, and [the file of weights](super::weights) as text.

use super::layout::{COUNT, GROUPS, Group};
use super::weights::WEIGHTS;
use std::fmt::Write;

/// The weights in a line of the file.
const IN_A_LINE: usize = 8;

/// Returns the weights as they are, each for the middlegame and the endgame, centipawns.
#[must_use]
pub fn parameters() -> Vec<f64> {
    WEIGHTS.iter().flat_map(|weight| [weight.middlegame(), weight.endgame()]).map(f64::from).collect()
}

/// Returns the text of the file with these weights, rounded; `command` is the command that fitted them.
#[must_use]
pub fn text(parameters: &[f64], command: &str) -> String {
    let mut text = format!(
        "//! The values of [the weights](super::layout), centipawns, fitted to games of self-play by\n//! `{command}.\n\n\
         use super::layout::COUNT;\nuse super::tapered::Tapered;\n\n\
         const fn t(middlegame: i16, endgame: i16) -> Tapered {{\n    Tapered::new(middlegame, endgame)\n}}\n\n\
         /// The weights, in the order of the [groups](super::layout::GROUPS).\n#[rustfmt::skip]\n\
         pub static WEIGHTS: [Tapered; COUNT] = [\n"
    );
    debug_assert_eq!(parameters.len(), 2 * COUNT);
    let mut pairs = parameters.chunks_exact(2);
    for Group { name, len, .. } in GROUPS {
        let pairs: Vec<_> = pairs.by_ref().take(*len).collect();
        // Writing into a string does not fail.
        let _ = writeln!(text, "    // {name}");
        for line in pairs.chunks(IN_A_LINE) {
            let line: Vec<_> =
                line.iter().map(|pair| format!("t({:.0}, {:.0}),", pair[0] + 0.0, pair[1] + 0.0)).collect();
            let _ = writeln!(text, "    {}", line.join(" "));
        }
    }
    text.push_str("];\n");
    text.replace("-0,", "0,").replace("-0)", "0)")
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
