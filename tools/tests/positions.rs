//! Positions of self-play on the command line: recorded, continued, fitted to.

use secateurs::registry::Setup;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
    assert!(bytes.len() > 400 && bytes.len() < whole.len() && whole.starts_with(&bytes));
    // At most 32 bytes a position, with everything else.
    assert!(whole.len() < 400 * 32, "{}", whole.len());
    // The last game is incomplete, as after a crash.
    bytes.extend(&whole[bytes.len()..bytes.len() + 30]);
    fs::write(&twice, bytes).unwrap();
    play(&twice, "400", "3");
    assert_eq!(fs::read(&twice).unwrap(), whole);
    // Enough is enough, and another seed plays other games.
    play(&twice, "400", "3");
    assert_eq!(fs::read(&twice).unwrap(), whole);
    let [other, single] = ["other", "single"].map(|name| folder.path().join(name));
    let output = secateurs(&["selfplay", "--nodes", "20", "--positions", "1", single.to_str().unwrap()]);
    assert!(output.stdout.starts_with(b"1 game ("), "{output:?}");
    play(&other, "400", "4");
    let games = |path: &Path| fs::read(path).unwrap().split_off(300);
    assert_ne!(games(&other), games(&once));
    let output = secateurs(&["selfplay", "--game", "chess", "--nodes", "100", "--seed", "4", once.to_str().unwrap()]);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && err.contains("has other games: its --seed is 3, not 4"), "{err}");
}

/// Positions of every game can be recorded: a game is its first position and the codes of its moves.
#[test]
fn every_game_is_recorded() {
    for row in secateurs::registry::GAMES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let plies = if row.name == "nim" { "1" } else { "4" };
        let path = path.to_str().unwrap();
        let args = ["selfplay", "--game", row.name, "-n", "50", "-p", "400", "--random-plies", plies, "--win", "32000"];
        // Nim knows who wins, so no opening is balanced by a smaller limit.
        let output = secateurs(&[&args[..], &["--balance", "32000", path]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let output = secateurs(&["tune", "--game", row.name, "--epochs", "1", path]);
        let err = String::from_utf8(output.stderr).unwrap();
        let no_weights = format!("the evaluation of {} has no weights to be fitted", row.name);
        assert!(output.status.success() || err.contains(&no_weights), "{err}");
    }
}

#[test]
fn weights_are_fitted_to_positions_and_written_as_source() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, source] = ["one", "two", "weights.rs"].map(|name| folder.path().join(name));
    play_game("othello", &one, "600", "1");
    play_game("othello", &two, "600", "2");
    let paths = [&one, &two, &source].map(|path| path.to_str().unwrap());
    let tune = |files: &[&str], more: &[&str]| {
        let output = secateurs(&[&["tune", "--game", "othello", "--epochs", "5"], files, more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = tune(&paths[..2], &["--output", paths[2]]);
    assert!(said.contains("held out") && said.contains("parameters"), "{said}");
    // The file has the size of the one that is built in, and other weights.
    let built_in = fs::read("../src/games/othello/weights/othello.bin").unwrap();
    let fitted = fs::read(&source).unwrap();
    assert!(fitted.len() == built_in.len() && fitted != built_in);
    // The fit is deterministic.
    assert_eq!(tune(&paths[..2], &[]), said);
    let json: serde_json::Value = serde_json::from_str(&tune(&paths[..2], &["--json"])).unwrap();
    let loss = &json["loss"]["training"];
    assert!(loss["fitted"].as_f64().unwrap() < loss["now"].as_f64().unwrap(), "{json}");
}

#[test]
fn weights_with_names_are_shown_and_written_for_the_option() {
    let folder = tempfile::tempdir().unwrap();
    let [games, option] = ["games", "option"].map(|name| folder.path().join(name));
    play_game("kalah", &games, "3000", "1");
    let games = games.to_str().unwrap();
    let people = secateurs(&["tune", games, "--output", option.to_str().unwrap()]);
    let shown = String::from_utf8(people.stdout).unwrap();
    for word in ["kalah: ", "6 parameters\n", "\nmobility ", "\nheld out ", "(nats; scale "] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let json: serde_json::Value = serde_json::from_slice(&secateurs(&["tune", games, "--json"]).stdout).unwrap();
    let text = json["text"].as_str().unwrap();
    assert!(shown.ends_with(&format!("\n\n{text}\n")), "{shown}");
    assert_eq!(fs::read_to_string(&option).unwrap(), format!("{text}\n"));
    let mut setup = Setup::named("kalah").unwrap();
    setup.set("KalahWeights", text).unwrap();
    let read = setup.board("startpos").unwrap().weights();
    let fitted = json["parameters"].as_array().unwrap().iter().map(|weight| weight.as_f64().unwrap());
    assert!(read.iter().zip(fitted).all(|((_, read), fitted)| (f64::from(*read) - fitted).abs() <= 0.5), "{json}");
}

/// The last game of a file that is cut off is left out, with a warning.
#[test]
fn an_incomplete_game_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut");
    play_game("othello", &path, "300", "1");
    let whole = fs::read(&path).unwrap();
    let args = ["tune", "--game", "othello", "--epochs", "1", "--json", path.to_str().unwrap()];
    let output = secateurs(&args);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    fs::write(&path, [&whole[..], &[9, 0, 0]].concat()).unwrap();
    let cut = secateurs(&args);
    assert_eq!((cut.status.code(), cut.stdout), (Some(0), output.stdout));
    let err = String::from_utf8(cut.stderr).unwrap();
    assert!(err.contains("cut: the last record was cut off and is left out"), "{err}");
}

#[test]
fn a_file_of_something_else_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes");
    let refused = |bytes: &[u8], reason: &str| {
        fs::write(&path, bytes).unwrap();
        for command in [&["selfplay", "-n", "100", "-p", "10"][..], &["tune"]] {
            let output = secateurs(&[command, &["--game", "othello", path.to_str().unwrap()]].concat());
            let err = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && err.contains(reason), "{err}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    };
    for text in ["my notes".to_owned(), "1\n2\n3\n".repeat(9), "[Event \"?\"]\n".repeat(100)] {
        refused(text.as_bytes(), "is not a file of `selfplay`");
    }
    let good = folder.path().join("good");
    play_game("othello", &good, "600", "1");
    let mut bytes = fs::read(&good).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    refused(&bytes, "is damaged: the checksum of the record at byte ");
    let other = folder.path().join("other");
    play(&other, "1", "1");
    refused(&fs::read(&other).unwrap(), "has games of chess, not of othello");
}

/// On a board of 4 x 3 nobody can win: no score says anything about the result.
#[test]
fn nothing_is_learned_from_draws_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [drawn, new] = ["drawn", "new"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let game = ["--game", "connect4", "--option", "Columns=4", "--option", "Rows=3"];
    let play = ["selfplay", "--nodes", "20", "--random-plies", "1", "--positions", "100", &drawn];
    assert!(secateurs(&[&play[..], &game].concat()).status.success());
    let output = secateurs(&[&["train", "--epochs", "1", "--output", &new, &drawn][..], &game].concat());
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && err.contains("or all are drawn"), "{err}");
    assert!(!fs::exists(&new).unwrap());
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let [path, empty, new, games] = ["bad", "empty", "new", "games"].map(|name| folder.path().join(name));
    play_game("kalah", &games, "100", "1");
    fs::write(&path, [7; 90]).unwrap();
    fs::write(&empty, []).unwrap();
    let [path, empty, new, games] = [&path, &empty, &new, &games].map(|path| path.to_str().unwrap());
    for (args, text) in [
        (&["train", "--game", "kalah", "--held-out", "0.99", "--output", new, games][..], "all games are held out"),
        (&["selfplay", "--game", "nim", "--random-plies", "30", new], "no position after 30 random plies"),
        (
            &["selfplay", "--game", "nim", "--random-plies", "2", new],
            "within 400 centi-units: use fewer --random-plies",
        ),
        (&["selfplay", "--game", "nim", "--random-plies", "0", new], ": use more --random-plies or a larger --balance"),
        (&["selfplay", "--game", "nim", "--balance", "99", new], " or a larger --balance"),
        (&["tune", "--game", "kalah", games, "--output", "/no/where"], "cannot write \"/no/where\""),
        (&["selfplay", "--game", "chess", "--longest", "1", path], "not from 16 to 65535"),
        (&["tune", "--game", "nim", path], "the evaluation of nim has no weights to be fitted"),
        (&["tune", "--game", "chess", path], "the evaluation of chess has no weights to be fitted"),
        (&["tune", "--game", "othello", "/dev/null"], "\"/dev/null\" is not a regular file"),
        (&["tune", "--game", "othello", "/dev/zero"], "\"/dev/zero\" is not a regular file"),
        (&["tune", "--game", "kalah", "--held-out", "0.99", games], "all games are held out"),
        (&["tune", "--game", "kalah", empty], "empty\" is not a file of `selfplay`"),
    ] {
        let output = secateurs(args);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains(text), "{args:?}: {err}");
    }
}
