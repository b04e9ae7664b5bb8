//! Positions of self-play on the command line: recorded, continued, fitted to.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The size of a record of chess, bytes.
const RECORD: usize = 32;

fn secateurs(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateurs")).args(args).output().unwrap()
}

fn play(path: &Path, positions: &str, seed: &str) {
    play_game("chess", path, positions, seed);
}

fn play_game(game: &str, path: &Path, positions: &str, seed: &str) {
    let path = path.to_str().unwrap();
    let args = ["selfplay", "--game", game, "--nodes", "100", "--positions", positions, "--seed", seed, path];
    let output = secateurs(&args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn games_continue_where_the_file_ends() {
    let folder = tempfile::tempdir().unwrap();
    let [once, twice] = ["once", "twice"].map(|name| folder.path().join(name));
    play(&once, "400", "3");
    play(&twice, "100", "3");
    let mut bytes = fs::read(&twice).unwrap();
    let whole = fs::read(&once).unwrap();
    assert!(bytes.len() >= 100 * RECORD && bytes.len() < whole.len() && whole.starts_with(&bytes));
    // The last record is incomplete, as after a crash.
    bytes.extend([1, 2, 3]);
    fs::write(&twice, bytes).unwrap();
    play(&twice, "400", "3");
    assert_eq!(fs::read(&twice).unwrap(), whole);
    // Enough is enough, and another seed plays other games.
    play(&twice, "400", "3");
    assert_eq!(fs::read(&twice).unwrap(), whole);
    let other = folder.path().join("other");
    play(&other, "400", "4");
    assert_ne!(fs::read(&other).unwrap()[..RECORD], whole[..RECORD]);
}

#[test]
fn weights_are_fitted_to_positions_and_written_as_source() {
    weights_are_fitted("chess");
    weights_are_fitted("xiangqi");
}

fn weights_are_fitted(game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, source] = ["one", "two", "weights.rs"].map(|name| folder.path().join(name));
    play_game(game, &one, "600", "1");
    play_game(game, &two, "600", "2");
    let paths = [&one, &two, &source].map(|path| path.to_str().unwrap());
    let tune = |files: &[&str], more: &[&str]| {
        let output = secateurs(&[&["tune", "--game", game, "--positions", "--epochs", "5"], files, more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = tune(&paths[..2], &["--output", paths[2]]);
    assert!(said.contains("held out") && said.contains("parameters"), "{said}");
    let text = fs::read_to_string(&source).unwrap();
    assert!(text.contains("pub(crate) static WEIGHTS: [Tapered; COUNT] = [\n    // MATERIAL\n    t("), "{text}");
    // Concatenated files are one, and the fit is deterministic.
    let both = folder.path().join("both");
    fs::write(&both, [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat()).unwrap();
    assert_eq!(tune(&[both.to_str().unwrap()], &[]), said);
    let json: serde_json::Value = serde_json::from_str(&tune(&paths[..2], &["--json"])).unwrap();
    let loss = &json["loss"]["training"];
    assert!(loss["fitted"].as_f64().unwrap() < loss["now"].as_f64().unwrap(), "{json}");
}

/// The last record of a file that is cut off is left out, with a warning.
#[test]
fn an_incomplete_position_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut");
    play(&path, "300", "1");
    let whole = fs::read(&path).unwrap();
    let args = ["tune", "--game", "chess", "--positions", "--epochs", "1", "--json", path.to_str().unwrap()];
    let output = secateurs(&args);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    fs::write(&path, [&whole[..], &whole[..RECORD - 1]].concat()).unwrap();
    let cut = secateurs(&args);
    assert_eq!((cut.status.code(), cut.stdout), (Some(0), output.stdout));
    let err = String::from_utf8(cut.stderr).unwrap();
    assert!(err.contains("cut: the last position was cut off and is left out"), "{err}");
}

#[test]
fn a_file_of_something_else_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes");
    for text in ["my notes".to_owned(), "1\n2\n3\n".repeat(9), "[Event \"?\"]\n".repeat(100)] {
        fs::write(&path, &text).unwrap();
        let output = secateurs(&["selfplay", "--game", "chess", "-n", "100", "-p", "10", path.to_str().unwrap()]);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains("that is not a position of chess"), "{err}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // A good first record is not enough.
    let good = folder.path().join("good");
    play(&good, "1", "1");
    let mixed = [&fs::read(&good).unwrap()[..RECORD], &[7; RECORD + 3][..]].concat();
    fs::write(&path, &mixed).unwrap();
    let output = secateurs(&["selfplay", "--game", "chess", "-n", "100", "-p", "10", path.to_str().unwrap()]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("has a record, number 2, that is not a position of chess"), "{err}");
    assert_eq!(fs::read(&path).unwrap(), mixed);
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad");
    fs::write(&path, [7; 3 * RECORD]).unwrap();
    let empty = folder.path().join("empty");
    fs::write(&empty, [7; RECORD - 1]).unwrap();
    let [path, empty] = [&path, &empty].map(|path| path.to_str().unwrap());
    for (args, text) in [
        (&["selfplay", "--game", "nim", path][..], "positions of nim cannot be recorded"),
        (&["selfplay", "--game", "chess", "--longest", "1", path], "not from 16 to 65535"),
        (&["selfplay", "--game", "chess", path], "has a record, number 1, that is not a position of chess"),
        (&["tune", "--game", "chess", "--positions", path], "has a record, number 1, that is not a position of chess"),
        (&["tune", "--game", "nim", "--positions", path], "positions of nim cannot be recorded"),
        (&["tune", "--game", "chess", path], "--game and --option go with --positions"),
        (&["tune", "--game", "chess", "--positions", "/dev/null"], "\"/dev/null\" is not a regular file"),
        (&["tune", "--game", "chess", "--positions", "/dev/zero"], "\"/dev/zero\" is not a regular file"),
        (&["tune", "--game", "chess", "--positions", empty], "empty\" holds no positions"),
        (&["tune", "--game", "chess", "--positions", path, empty], "number 1, that is not a position of chess"),
    ] {
        let output = secateurs(args);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains(text), "{args:?}: {err}");
    }
}
