//! Arbitrary input.

use super::play_in;
use proptest::prelude::*;

/// Input: commands, moves, and text that is neither.
fn typed() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "undo",
        "redo",
        "hint",
        "tree",
        "t.html",
        "eval",
        "swap",
        "side",
        "resign",
        "go",
        "level",
        "depth",
        "nodes",
        "new",
        "help",
        "board",
        "history",
        "moves",
        "save",
        "load",
        "u",
        "?",
        "first",
        "both",
        "none",
        "replace",
        "nim",
        "connect4",
        "heaps=2,1",
        "rows=3",
        "houses=2",
        "seeds=1",
        "1",
        "2",
        "3",
        "1-1",
        "2-1",
        "0",
        "-1",
        "99999999999999999999",
        "\u{fc}",
        "\"",
        "=",
        "{",
        "P@d1",
        "..",
        "\t",
    ]);
    prop_oneof![
        4 => prop::collection::vec(word, 1..4).prop_map(|words| words.join(" ")),
        1 => "\\PC{0,40}".prop_map(|text| text.replace(['/', '\\'], "")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_input_breaks_a_session(lines in prop::collection::vec(typed(), 1..30), side in 0_usize..4) {
        let folder = tempfile::tempdir().unwrap();
        // The game is small and long searches are left out: no `time` and no large depth.
        let lines: Vec<_> = lines.into_iter().filter(|line| !line.starts_with("depth 9") && !line.contains("time")).collect();
        let side = ["first", "second", "both", "none"][side];
        let args = ["--game", "nim", "--side", side, "--depth", "2", "--hash", "1", "--record", "r.pgn"];
        let ran = play_in(folder.path(), &args, (lines.join("\n") + "\n").as_bytes());
        prop_assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{:?}\n{}", lines, ran.out);
    }
}
