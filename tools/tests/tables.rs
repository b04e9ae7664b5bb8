//! Saved tables: they are loaded again for their own game and options alone, damaged ones are refused, and a kill
//! during saving leaves the old file whole.

use crate::common::{Random, describe, variants};
use secateurs::core::{Bound, Error, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::protocol::{Settings, serve};
use secateurs::registry::{self, GAMES};
use secateurs::search::Table;
use secateurs::{store, tables};
use std::fs;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

fn kalah() -> Box<dyn Board> {
    let row = registry::find("kalah").unwrap();
    row.start(&row.defaults()).unwrap()
}

fn load(table: &Table, path: &Path) -> Result<Option<u64>, Error> {
    tables::load(table, &*kalah(), path, &StopFlag::new())
}

/// Writes a file of `count` meaningless entries.
fn file_of(path: &Path, count: u64) {
    let mut random = Random(count);
    let entries = (0..count).map(|_| [random.next(), random.next() | 1 << 20]);
    store::save(path, &tables::identity(&*kalah()).unwrap(), entries, &StopFlag::new()).unwrap();
}

/// Returns the replies to the lines of a dialogue.
fn dialogue(game: &str, lines: &[&str]) -> Vec<String> {
    let settings = Settings { game: Some(game.into()), ..Settings::default() };
    let mut output = Vec::new();
    serve(&settings, Cursor::new(lines.join("\n").into_bytes()), &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

fn nodes(said: &[String]) -> u64 {
    let last = said.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    last.split_whitespace().skip_while(|&word| word != "nodes").nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_search_resumes_from_the_table_of_another_process() {
    let folder = tempfile::tempdir().unwrap();
    for game in GAMES {
        let path = folder.path().join(format!("a table of {}.sct", game.name));
        let (save, load) = (format!("savehash {}", path.display()), format!("loadhash {}", path.display()));
        let said = dialogue(game.name, &["go depth 8", &save]);
        let answer = said.last().unwrap();
        assert!(answer.starts_with("info string saved ") && answer.ends_with(".sct\""), "{answer}");
        for hash in ["setoption name Hash value 1", "setoption name Hash value 200"] {
            let resumed = dialogue(game.name, &[hash, &load, "go depth 8"]);
            assert_eq!(resumed[0], answer.replace("saved", "loaded").replace(" to ", " from "));
            assert!(nodes(&resumed) < nodes(&said), "{}: {resumed:?}", game.name);
        }
    }
}

#[test]
fn tables_of_other_rules_are_refused_by_name_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let (save, load) = (format!("savehash {}", path.display()), format!("loadhash {}", path.display()));
    dialogue("kalah", &["setoption name Capture value empty", "position startpos", "go depth 8", &save]);
    for (game, option, words) in [
        ("kalah", "position startpos", "was saved for \"kalah Capture=empty\"; this is \"kalah Capture=standard\""),
        (
            "kalah",
            "setoption name Seeds value 5",
            "was saved for \"kalah Seeds=4 Capture=empty\"; this is \"kalah Seeds=5",
        ),
        ("nim", "isready", "was saved for \"kalah\"; this is \"nim\""),
    ] {
        let go = ["position startpos", "go depth 6"];
        let said = dialogue(game, &[&[option, "position startpos", &load], &go[..]].concat());
        let refusal = said.iter().find(|line| line.starts_with("info string ")).unwrap();
        assert!(refusal.contains(words), "{refusal}");
        assert_eq!(nodes(&said), nodes(&dialogue(game, &[&[option], &go[..]].concat())));
    }
}

#[test]
fn a_table_of_another_game_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let save = format!("savehash {}", path.display());
    dialogue("kalah", &["go depth 6", &save]);
    let before = fs::read(&path).unwrap();
    let words = "was saved for \"kalah\"; this is \"nim\", and it is not replaced";
    let said = dialogue("nim", &["go depth 6", &save]);
    assert!(said.last().unwrap().ends_with(words), "{said:?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
    let output = command.args(["analyse", "--game", "nim", "--save-hash"]).arg(&path).output().unwrap();
    // Refused before the search.
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8(output.stderr).unwrap().trim_end().ends_with(words));
    assert_eq!(fs::read(&path).unwrap(), before);
    let said = dialogue("kalah", &["setoption name Seeds value 3", "position startpos", "go depth 6", &save]);
    assert!(said.last().unwrap().starts_with("info string saved "), "{said:?}");
}

#[test]
fn identities_depend_on_the_game_and_its_options_alone() {
    let mut seen: Vec<(String, store::Identity)> = Vec::new();
    for (row, options) in variants() {
        let name = describe(row, &options);
        let mut board = row.start(&options).unwrap();
        let identity = tables::identity(&*board).unwrap();
        if let Some(mv) = board.moves().first() {
            board.play(mv).unwrap();
        }
        assert_eq!(tables::identity(&*board).unwrap(), identity, "{name}");
        if let Some((other, _)) = seen.iter().find(|(other, known)| *other != name && *known == identity) {
            panic!("{name} is taken for {other}");
        }
        seen.push((name, identity));
    }
    let empty = seen.iter().find(|(name, _)| name == "kalah Capture=empty").unwrap();
    assert_ne!(empty.1.evaluation, tables::identity(&*kalah()).unwrap().evaluation, "evaluated by other rules");
}

#[test]
fn boards_without_a_starting_position_have_an_identity() {
    let row = registry::find("kalah").unwrap();
    let mut options = row.defaults();
    options.set("Houses", "8").unwrap();
    options.set("Seeds", "24").unwrap();
    let board = row.parse(&options, "<2,0,0,1,1,1,1> s").unwrap();
    assert!(row.start(&options).is_err());
    assert_eq!(tables::identity(&*board).unwrap().options[1], ("Seeds".to_owned(), "24".to_owned()));
}

#[test]
fn a_damaged_file_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    file_of(&path, 20_000);
    let whole = fs::read(&path).unwrap();
    let table = Table::new(1).unwrap();
    let mut random = Random(1);
    for round in 0..60 {
        let mut bytes = whole.clone();
        let at = random.below(bytes.len());
        match round % 3 {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            _ => bytes[at..].iter_mut().take(5_000).for_each(|byte| *byte = random.next() as u8),
        }
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(load(&table, &path), Err(Error::BadFile(..))), "round {round} at {at}");
        assert_eq!(table.words().count(), 0);
    }
    fs::write(&path, whole).unwrap();
    assert_eq!(load(&table, &path), Ok(Some(20_000)));
}

#[test]
fn forged_entries_cost_no_more_than_a_wrong_value() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(2);
    for game in GAMES {
        let path = folder.path().join(game.name);
        let board = game.start(&game.defaults()).unwrap();
        let table = Arc::new(Table::new(4).unwrap());
        let search =
            || board.engine(table.clone()).search(&Request::depth(7), &StopFlag::new(), &mut |_| {}).swap_remove(0);
        assert_eq!(search().bound, Bound::Exact);
        for _ in 0..5 {
            let forged = table.words().map(|[key, _]| [key, random.next()]);
            let identity = tables::identity(&*board).unwrap();
            store::save(&path, &identity, forged.collect::<Vec<_>>().into_iter(), &StopFlag::new()).unwrap();
            table.clear();
            tables::load(&table, &*board, &path, &StopFlag::new()).unwrap();
            let best = search().pv.first().cloned().unwrap();
            assert!(board.moves().contains(&best));
        }
    }
}

#[test]
fn a_kill_during_saving_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let (large, path) = (folder.path().join("large"), folder.path().join("table"));
    let many = 1_000_000;
    file_of(&large, many);
    file_of(&path, 1);
    let (mut old, mut new) = (0, 0);
    for delay in [0, 2, 5, 10, 20, 40, 80] {
        let mut child = protocol();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "loadhash {}\nsavehash {}", large.display(), path.display()).unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        assert!(line.starts_with("info string loaded 1000000 entries"), "{line}");
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        match load(&Table::new(64).unwrap(), &path) {
            Ok(Some(1)) => old += 1,
            // Clusters hold four entries: some were lost in the child's table.
            Ok(Some(entries)) if entries > many / 2 => new += 1,
            other => panic!("after {delay} ms: {other:?}"),
        }
    }
    assert_eq!(old + new, 7);
}

#[test]
fn quit_during_saving_leaves_no_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    let (large, path) = (folder.path().join("large"), folder.path().join("table"));
    file_of(&large, 1_000_000);
    for delay in [0, 3, 10] {
        let mut child = protocol();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "loadhash {}\nsavehash {}", large.display(), path.display()).unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        writeln!(input, "quit").unwrap();
        let said = std::io::read_to_string(output).unwrap();
        let ends = ["info string savehash was stopped", "info string saved ", "info string savehash \""];
        assert!(ends.iter().any(|end| said.starts_with(end)), "after {delay} ms: {said}");
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| name == "large" || name == "table"), "after {delay} ms");
    }
}

fn protocol() -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

#[test]
fn analyses_resume_from_saved_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let path = path.to_str().unwrap();
    let nodes = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
        let output = command.args(["analyse", "--json", "--depth", "9"]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        let record = |line| serde_json::from_str::<serde_json::Value>(line).unwrap()["nodes"].as_u64().unwrap();
        lines.lines().map(record).collect::<Vec<_>>()
    };
    let fresh = nodes(&["startpos", "startpos"]);
    assert_eq!(fresh[0], fresh[1]);
    let shared = nodes(&["--save-hash", path, "startpos", "startpos"]);
    assert!(shared[0] == fresh[0] && shared[1] < fresh[1]);
    assert!(nodes(&["--load-hash", path])[0] < fresh[0]);

    for (arguments, words) in [
        (["--load-hash", "Cargo.toml"], "\"Cargo.toml\" is not a saved table"),
        (["--load-hash", "no/such/file"], "cannot read \"no/such/file\": "),
        (["--save-hash", "no/such/file"], "cannot write \"no/such/file\": "),
        (["--save-hash", "src"], "\"src\" is not a regular file"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
        let output = command.args(["analyse", "--depth", "2"]).args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{said}");
        assert!(said.contains(words), "{said}");
    }
}
