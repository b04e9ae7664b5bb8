//! The weights of an evaluation as numbers, and as the text of their file.

use super::{Group, Tapered};
use std::fmt::Write;

/// Returns the weights in centi-units as they are, each for the middlegame and the endgame.
pub(crate) fn parameters(weights: &[Tapered]) -> Vec<f64> {
    weights.iter().flat_map(|weight| [weight.middlegame(), weight.endgame()]).map(f64::from).collect()
}

/// Returns the text of the file with these weights, rounded, `in_a_line` per line; `command` is the command of the fit.
pub(crate) fn text(groups: &[Group], parameters: &[f64], in_a_line: usize, command: &str) -> String {
    let mut text = format!(
        "//! The values of [the weights](super::layout), centi-units, fitted to games of self-play by\n//! `{command}.\n\n\
         use super::layout::COUNT;\nuse crate::games::xiangqi::weighted::Tapered;\nuse crate::games::xiangqi::weighted::tapered::t;\n\n\
         /// The weights, in the order of the [groups](super::layout::GROUPS).\n#[rustfmt::skip]\n\
         pub(crate) static WEIGHTS: [Tapered; COUNT] = [\n"
    );
    let mut pairs = parameters.chunks_exact(2);
    for Group { name, len, .. } in groups {
        let pairs: Vec<_> = pairs.by_ref().take(*len).collect();
        // Writing into a string does not fail.
        let _ = writeln!(text, "    // {name}");
        for line in pairs.chunks(in_a_line) {
            let line: Vec<_> = line.iter().map(|pair| format!("t({:.0}, {:.0}),", pair[0], pair[1])).collect();
            let _ = writeln!(text, "    {}", line.join(" "));
        }
    }
    text.push_str("];\n");
    text.replace("-0,", "0,").replace("-0)", "0)")
}

#[cfg(test)]
mod tests {
    use crate::core::Evaluation;
    use crate::games::xiangqi::XiangqiHeuristics;

    /// The file in the repository is this text, except for its first two lines.
    #[test]
    fn the_file_of_weights_is_this_text() {
        let rows = |text: &str| -> Vec<_> {
            text.lines().skip_while(|line| !line.starts_with("use")).map(String::from).collect()
        };
        let written = XiangqiHeuristics.source(&XiangqiHeuristics.parameters(), "").unwrap();
        let written = String::from_utf8(written).unwrap();
        assert_eq!(rows(include_str!("../evaluation/weights.rs")), rows(&written));
    }
}
