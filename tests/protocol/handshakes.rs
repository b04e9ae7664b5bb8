//! The game and the options that a handshake selects.

use crate::common::dialogue::Dialogue;
use secateurs::protocol::Settings;

/// Sends lines, then `d`; returns the first characters of the position that is shown.
fn position_after(game: Option<&str>, lines: &[&str]) -> String {
    let dialogue = Dialogue::with(Settings { game: game.map(Into::into), ..Settings::default() });
    lines.iter().for_each(|line| dialogue.send(line));
    dialogue.send("d");
    let shown = dialogue.read_to("position ").pop().unwrap();
    dialogue.finish();
    shown["position ".len()..].chars().take(4).collect()
}

#[test]
fn a_handshake_selects_its_game_unless_one_was_chosen() {
    const CHESS: &str = "rnbq";
    const KALAH: &str = "<6,0";
    const NIM: &str = "3,4,";
    for (game, lines, expected) in [
        (None, &[][..], KALAH),
        (None, &["uci"], CHESS),
        (None, &["ugi"], KALAH),
        // The last handshake counts.
        (None, &["uci", "ugi"], KALAH),
        (None, &["ugi", "uci"], CHESS),
        // A game that was chosen stays.
        (Some("nim"), &["uci"], NIM),
        (Some("kalah"), &["uci"], KALAH),
        (Some("chess"), &["ugi"], CHESS),
        (None, &["setoption name UCI_Variant value nim", "uci"], NIM),
        (None, &["uci", "setoption name UCI_Variant value kalah", "uci"], KALAH),
        (None, &["position startpos", "uci"], KALAH),
        (None, &["uci", "position startpos", "ugi"], CHESS),
        // So does its option of a game that is selected later; a position sets it up.
        (None, &["setoption name Seeds value 3", "position startpos", "uci"], KALAH),
        (None, &["setoption name UCI_Chess960 value true", "uci", "isready"], CHESS),
    ] {
        assert_eq!(position_after(game, lines), expected, "--game {game:?}, {lines:?}");
    }
}

#[test]
fn options_set_before_the_handshake_keep_their_values() {
    let dialogue = Dialogue::with(Settings::default());
    for line in ["setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true", "uci", "go depth 1"] {
        dialogue.send(line);
    }
    let lines = dialogue.read_to("bestmove ");
    let infos: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth 1 ")).collect();
    assert!(infos.len() == 3 && infos.iter().all(|line| line.contains(" wdl ")), "{lines:#?}");
    dialogue.finish();
}

#[test]
fn hub_names_the_values_as_they_are_and_its_game_unless_one_of_its_own_was_chosen() {
    for (game, options, expected) in [
        (None, &[][..], ["param name=variant value=normal ", "param name=Hash value=64 "]),
        (Some("checkers"), &[("Hash", "16")], ["param name=variant value=english ", "param name=Hash value=16 "]),
        // Hub has no name for this game.
        (Some("othello"), &[], ["param name=variant value=normal ", "param name=Hash value=64 "]),
    ] {
        let options = options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let dialogue = Dialogue::with(Settings { game: game.map(Into::into), options, ..Settings::default() });
        dialogue.send("hub");
        let lines = dialogue.read_to("wait");
        assert!(expected.iter().all(|start| lines.iter().any(|line| line.starts_with(start))), "{lines:#?}");
        dialogue.finish();
    }
}
