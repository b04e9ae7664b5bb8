//! Networks on the command line: trained, continued, used.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn secateurs(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateurs")).args(args).output().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs `train` with these arguments, which must succeed.
fn train(games: &Path, net: &Path, more: &[&str]) -> String {
    let args = ["train", "--game", "chess", text(games), "--output", text(net), "--batch", "200", "--held-out", "0.2"];
    let output = secateurs(&[&args[..], &["--lambda", "0"], more].concat());
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn networks_are_trained_continued_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let [games, one, two, saved] = ["games", "one.net", "two.net", "saved"].map(|name| folder.path().join(name));
    let play = ["selfplay", "--game", "chess", "--nodes", "60", "--positions", "2000", text(&games)];
    assert!(secateurs(&play).status.success());
    let record: serde_json::Value =
        serde_json::from_str(&train(&games, &one, &["--epochs", "4", "--threads", "1", "--json"])).unwrap();
    let loss = |epoch: usize| record["epochs"][epoch]["training"].as_f64().unwrap();
    assert!(loss(3) < loss(0) && record["positions"]["held_out"].as_u64().unwrap() > 50, "{record}");
    // The number of threads does not matter, and nor does a pause.
    let page = folder.path().join("page.html");
    let paused = ["--epochs", "4", "--threads", "2", "--checkpoint", text(&saved), "--report", text(&page)];
    train(&games, &two, &paused);
    assert_eq!(fs::read(&two).unwrap(), fs::read(&one).unwrap());
    let shown = fs::read_to_string(&page).unwrap();
    assert!(shown.contains("<h1>A network of chess</h1>") && shown.matches("<polyline").count() == 2, "{shown}");
    assert_eq!(shown.matches("<tr><td").count(), 4);
    fs::remove_file(&two).unwrap();
    let shown = train(&games, &two, &paused);
    assert_eq!(shown.lines().count(), 3 + 4, "{shown}");
    // A checkpoint belongs to its settings.
    let other = ["train", "--game", "chess", text(&games), "-o", text(&two), "--checkpoint", text(&saved)];
    let output = secateurs(&other);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && err.contains("is the checkpoint of another training: its "), "{err}");
    let analyse = |file: &Path| {
        let option = format!("EvalFile={}", text(file));
        secateurs(&["analyse", "--game", "chess", "--option", &option, "--depth", "5", "--json"])
    };
    let output = analyse(&one);
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.status.success() && line["nodes"].as_u64().unwrap() > 100, "{output:?}");
    let without = secateurs(&["analyse", "--game", "chess", "--depth", "5", "--json"]);
    let without: serde_json::Value = serde_json::from_slice(&without.stdout).unwrap();
    assert_ne!(line["nodes"], without["nodes"]);
    // A damaged file is refused, and so is one of something else.
    let mut bytes = fs::read(&one).unwrap();
    bytes[5_000] ^= 1;
    fs::write(&two, bytes).unwrap();
    for (file, reason) in [
        (&two, "is damaged: its checksum is wrong"),
        (&games, "is not a network"),
        (&folder.path().join("no"), "cannot read"),
    ] {
        let output = analyse(file);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains(reason), "{err}");
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let [games, notes, new] = ["games", "notes", "new"].map(|name| folder.path().join(name));
    assert!(secateurs(&["selfplay", "--game", "chess", "-n", "30", "-p", "100", text(&games)]).status.success());
    fs::write(&notes, "my notes, which are long enough").unwrap();
    let [games, notes, new] = [&games, &notes, &new].map(|path| text(path));
    for (args, reason) in [
        (&["--game", "nim", games, "-o", new][..], "the features of nim have no names"),
        (&["--game", "chess", notes, "-o", new], "notes\" is not a file of `selfplay`"),
        (&["--game", "chess", games, "-o", notes], "notes\" is not a network"),
        (&["--game", "chess", games, "-o", new, "--checkpoint", notes], "notes\" is not a checkpoint of `train`"),
        (&["--game", "chess", games, "-o", new, "--report", notes], "notes\" is not an HTML page"),
        (&["--game", "chess", games, "-o", games], "GAMES and --output name the same file"),
        (&["--game", "chess", games, games, "-o", new], "GAMES name "),
        (&["--game", "chess", games], "--output <FILE>"),
        (&["--game", "chess", games, "-o", new, "--rate", "0"], "a number above 0, at most 1"),
    ] {
        let output = secateurs(&[&["train"], args].concat());
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && err.contains(reason), "{args:?}: {err}");
    }
    assert!(!Path::new(new).exists() && fs::read_to_string(notes).unwrap().starts_with("my notes"));
}
