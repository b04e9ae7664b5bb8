//! Networks on the command line: trained, continued, used.

use std::fs;
use std::path::{Path, PathBuf};
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
    // A finished training writes its network and its page again.
    fs::remove_file(&two).and_then(|()| fs::remove_file(&page)).unwrap();
    let shown = train(&games, &two, &paused);
    assert_eq!(shown.lines().count(), 3 + 4, "{shown}");
    assert!(fs::read(&two).unwrap() == fs::read(&one).unwrap() && page.exists());
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
fn a_checkpoint_belongs_to_its_games_and_settings() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, saved, net] = ["one", "two", "saved", "net"].map(|name| folder.path().join(name));
    for (games, seed) in [(&one, "1"), (&two, "2")] {
        let play = ["selfplay", "--game", "connect4", "-n", "20", "-p", "200", "--random-plies", "1", "--seed", seed];
        assert!(secateurs(&[&play[..], &[text(games)]].concat()).status.success());
    }
    let train = |games: [&Path; 2], more: &[&str]| {
        let args = ["train", "--game", "connect4", "-o", text(&net), "--checkpoint", text(&saved), "--epochs", "1"];
        let output = secateurs(&[&args[..], &games.map(text), more].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(train([&one, &two], &[]), (Some(0), String::new()));
    for (games, more, named) in [
        ([&one, &two], &["--rate", "0.01"][..], "is the checkpoint of another training: its --rate is 0.001, not 0.01"),
        ([&one, &two], &["--lambda", "0.5"], "another training: its --lambda is 0.6, not 0.5"),
        ([&one, &two], &["--blend", "0.5"], "another training: its --blend is 0.0, not 0.5"),
        ([&one, &two], &["--seed", "4"], "another training: its --seed is 1, not 4"),
        // As many positions, in another order.
        ([&two, &one], &[], "is the checkpoint of a training on other games"),
    ] {
        let (code, err) = train(games.map(PathBuf::as_path), more);
        assert!(code == Some(2) && err.contains(named), "{err}");
    }
}

/// The default of a batch is smaller for few positions, which would otherwise hardly be learned from.
#[test]
fn few_positions_are_learned_from_in_small_steps() {
    let folder = tempfile::tempdir().unwrap();
    let [games, net] = ["games", "net"].map(|name| folder.path().join(name));
    assert!(secateurs(&["selfplay", "--nodes", "30", "--positions", "4000", text(&games)]).status.success());
    let train = |more: &[&str]| {
        let args = ["train", text(&games), "-o", text(&net), "--held-out", "0"];
        String::from_utf8(secateurs(&[&args[..], more].concat()).stdout).unwrap()
    };
    let losses = |shown: &str| -> Vec<f64> {
        let rows = shown.lines().skip(3).map(|row| row.split_whitespace().collect::<Vec<_>>());
        rows.map(|row| (assert_eq!(row[2], "-"), row[1].parse().unwrap()).1).collect()
    };
    let (small, large) = (losses(&train(&[])), losses(&train(&["--batch", "2048"])));
    assert!(small[5] < 0.8 * small[0] && large[5] > 0.98 * large[0], "{small:?} {large:?}");
    let page = folder.path().join("page");
    let json: serde_json::Value =
        serde_json::from_str(&train(&["--epochs", "2", "--report", text(&page), "--json"])).unwrap();
    assert!(json["epochs"][1]["held_out"].is_null() && json["epochs"][1]["training"].is_f64(), "{json}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.matches("<polyline").count() == 1 && page.contains("<td class=\"n\">-</td>"), "{page}");
    assert!(page.contains("<dt>batch</dt><dd>32</dd>") && page.contains("<dt>lambda</dt><dd>0.6</dd>"), "{page}");
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let [games, notes, new, other] = ["games", "notes", "new", "no/new"].map(|name| folder.path().join(name));
    assert!(secateurs(&["selfplay", "--game", "chess", "-n", "30", "-p", "100", text(&games)]).status.success());
    fs::write(&notes, "my notes, which are long enough").unwrap();
    let kalah = [folder.path().join("k.ssp"), folder.path().join("k.net")];
    assert!(secateurs(&["selfplay", "-n", "30", "-p", "400", text(&kalah[0])]).status.success());
    assert!(secateurs(&["train", text(&kalah[0]), "-o", text(&kalah[1]), "--epochs", "1"]).status.success());
    let before = fs::read(&kalah[1]).unwrap();
    let [games, notes, new, other] = [&games, &notes, &new, &other].map(|path| text(path));
    for (args, reason) in [
        (&["--game", "nim", games, "-o", new][..], "nim has no features for a network to see"),
        (&["--game", "chess", games, "-o", other], "cannot write"),
        (&["--game", "chess", games, "-o", new, "--report", other], "cannot write"),
        (&["--game", "chess", games, "-o", new, "--checkpoint", other], "cannot write"),
        (&["--game", "chess", games, "-o", text(&kalah[1])], "k.net\" is a network of kalah, not of chess"),
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
        assert!(output.stdout.is_empty(), "{args:?}: found before the work");
    }
    assert_eq!(fs::read(&kalah[1]).unwrap(), before);
    assert!(!Path::new(new).exists() && fs::read_to_string(notes).unwrap().starts_with("my notes"));
}
