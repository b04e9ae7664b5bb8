//! Suggestions for mistyped words.

/// The maximum length of a word that gets a suggestion, bytes.
const LONGEST: usize = 40;

/// The least similarity of a suggestion, from 0 to 1 for equal words.
const SIMILAR: f64 = 0.8;

/// Returns the word of a list that is most similar to a mistyped one (Jaro-Winkler similarity, case-insensitive), if
/// any is similar enough.
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    // A much shorter one has only letters of it: `untimed` is not `nim`.
    let near = words.into_iter().filter(|other| 2 * other.len() >= word.len());
    let near = near.map(|other| (strsim::jaro_winkler(&word, &other.to_lowercase()), other));
    near.filter(|near| near.0 > SIMILAR).max_by(|one, other| one.0.total_cmp(&other.0)).map(|near| near.1)
}

/// Returns the suggestion as the end of a message: `; did you mean hint?`, or nothing.
pub fn did_you_mean<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, words).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

/// Returns the suggestion where words have several spellings, one row per word: the first spelling of the row.
pub fn did_you_mean_any<'a>(word: &str, rows: impl IntoIterator<Item = impl IntoIterator<Item = &'a str>>) -> String {
    let rows: Vec<Vec<&str>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    let near = nearest(word, rows.iter().flatten().copied());
    let row = near.and_then(|near| rows.iter().find(|row| row.contains(&near)));
    row.map(|row| format!("; did you mean {}?", row[0])).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_spelling_is_meant() {
        let rows = [["minimax", "min-max"], ["df-pn", "proof-number"]];
        assert_eq!(did_you_mean_any("min-mx", rows), "; did you mean minimax?");
        assert_eq!(did_you_mean("untimed", ["nim"]), "");
        assert_eq!(did_you_mean_any("prof-number", rows), "; did you mean df-pn?");
        assert_eq!(did_you_mean_any("frog", rows), "");
    }

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let names = ["minimax", "alpha-beta", "negascout", "mtdf", "table+killers"];
        for (word, meant) in [
            ("alphabeta", Some("alpha-beta")),
            ("ALPHA_BETA", Some("alpha-beta")),
            ("negscout", Some("negascout")),
            ("mdtf", Some("mtdf")),
            ("frobnicate", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names), meant, "{word}");
        }
        assert_eq!(nearest(&"minimax".repeat(10), names), None);
        assert_eq!(
            (did_you_mean("mdtf", names), did_you_mean("x", names)),
            ("; did you mean mtdf?".into(), String::new())
        );
    }
}
