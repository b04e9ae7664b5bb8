//! The page of a match: `secateurs report` and `match --report`.

use secateurs::core::picture::Perspective;
use secateurs::engine::Board;
use secateurs::views::document;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_secateurs");

/// A name that is markup, script and the end of both.
const HOSTILE: &str = "<img src=x onerror=alert(1)></script>\"'&";

/// Returns a path at which no file exists.
fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-report-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Runs a command: exit code, output, stderr.
fn run(words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(ENGINE).args(words).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Plays a match of two engines with a record and a report.
fn play(game: &str, name: &str, record: &Path, page: &Path, rounds: &str) -> (Option<i32>, String, String) {
    let first = format!("cmd={ENGINE} name='one two' nodes=60");
    let second = format!("cmd={ENGINE} nodes=40 {name}");
    let [record, page] = [record, page].map(|path| path.to_str().unwrap());
    run(&[
        "match",
        "--game",
        game,
        "--each",
        "option.Hash=1",
        "-e",
        &first,
        "-e",
        &second,
        "-r",
        rounds,
        "--length",
        "30",
        "--random-candidates",
        "1",
        "--record",
        record,
        "--report",
        page,
    ])
}

/// Checks that each element is closed in order, that no quoted attribute is left open, and that nothing is loaded.
fn is_well_formed(page: &str) {
    const VOID: [&str; 2] = ["meta", "br"];
    let (mut open, mut rest) = (Vec::new(), page.strip_prefix("<!DOCTYPE html>").unwrap());
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>') || open.last() == Some(&"style"), "{}", &rest[..at]);
        let end = at + rest[at..].find('>').unwrap();
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).next().unwrap();
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{tag}");
        assert!(!["img", "link", "iframe", "object", "base"].contains(&name), "{tag}");
        if VOID.contains(&name) || tag.ends_with('/') {
            continue;
        }
        if name == "script" {
            rest = rest.split_once("</script>").unwrap().1;
        } else {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for word in ["http://", "https://", "src=\"", "@import", "url(h"] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Returns the lines of data: the head, then a game each, then the shapes.
fn data(page: &str) -> Vec<Value> {
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    data.trim().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a shape of a page by its number, with its part.
fn shape(frames: &Value, at: usize) -> String {
    let mut text = frames["shapes"][at % 4][at / 4].as_str().unwrap().to_owned();
    for (number, part) in frames["parts"].as_array().unwrap().iter().enumerate() {
        text = text.replace(&format!("<{number}>"), part.as_str().unwrap());
    }
    text
}

/// Returns the shapes of the last position of a game, as the script does.
fn last_position(frames: &Value, game: &Value) -> Vec<String> {
    let numbers =
        |list: &Value| list.as_array().unwrap().iter().map(|at| at.as_u64().unwrap() as usize).collect::<Vec<_>>();
    let mut position = numbers(&game["start"]);
    for change in game["changes"].as_array().unwrap() {
        let gone = numbers(&change[0]);
        position.retain(|at| !gone.contains(at));
        position.extend(numbers(&change[1]));
    }
    position.iter().map(|at| shape(frames, *at)).collect()
}

/// Returns the shapes of a position, with its size.
fn picture(board: &dyn Board) -> Vec<String> {
    let picture = board.picture(Perspective::default());
    let mut shapes = vec![format!("{} {}", picture.width, picture.height)];
    for shape in picture.layers().concat() {
        shapes.push(document::written(&[shape]));
    }
    shapes
}

/// Every game of the record is in the page with all its moves and its last position, for every game of the registry.
#[test]
fn pages_have_every_game_and_move() {
    for row in secateurs::registry::GAMES {
        let (record, page) = (file(&format!("{}.jsonl", row.name)), file(&format!("{}.html", row.name)));
        let (code, _, err) = play(row.name, "name=b", &record, &page, "2");
        assert_eq!(code, Some(0), "{err}");
        let text = fs::read_to_string(&page).unwrap();
        is_well_formed(&text);
        let (games, data) = (fs::read_to_string(&record).unwrap(), data(&text));
        let mut games: Vec<Value> = games.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let setup = secateurs_tools::arena::journal::setup(&games.remove(0)).unwrap();
        assert_eq!((data.len(), games.len(), data[0]["game"].as_str()), (6, 4, Some(row.name)));
        for (game, shown) in games.iter().zip(&data[1..5]) {
            let words = |list: &Value| -> Vec<String> {
                list.as_array().into_iter().flatten().map(|mv| mv.as_str().unwrap_or_default().to_owned()).collect()
            };
            let played = game["moves"].as_array().unwrap();
            let mut moves = words(&game["opening"]["moves"]);
            moves.extend(played.iter().map(|mv| mv[0].as_str().unwrap().to_owned()));
            let line = format!("{} moves {}", game["opening"]["position"].as_str().unwrap(), moves.join(" "));
            let board = setup.board(&line).unwrap();
            let (mut found, mut expected) = (last_position(&data[5], shown), picture(&*board));
            found.sort();
            expected.sort();
            expected.dedup();
            assert_eq!(found, expected, "{line}");
            assert_eq!(words(&shown["moves"]).len(), moves.len());
            assert_eq!(shown["turns"].as_str().unwrap().len(), moves.len());
            let scores: Vec<_> = shown["scores"].as_str().unwrap().split(',').collect();
            assert_eq!(scores, played.iter().map(|mv| mv[2].as_str().unwrap()).collect::<Vec<_>>());
            let number = game["number"].as_u64().unwrap() + 1;
            assert!(text.contains(&format!("<tr id=\"game{number}\"")), "{number}");
        }
        // The record gives the same page, but for the number of planned games, which it does not know.
        let (code, again, err) = run(&["report", record.to_str().unwrap()]);
        assert_eq!((code, again == text), (Some(0), true), "{err}");
        let _ = [record, page].map(fs::remove_file);
    }
}

#[test]
fn names_are_text() {
    let (record, page) = (file("hostile.jsonl"), file("hostile.html"));
    let header = serde_json::json!({
        "secateurs": 1, "game": "nim", "options": {}, "format": "round-robin", "seed": HOSTILE,
        "engines": [{"name": HOSTILE, "control": HOSTILE, "options": [HOSTILE]}, {"name": "b\u{1b}[2J\u{0}"}],
    });
    let game = serde_json::json!({
        "number": 0, "round": 0, "players": [HOSTILE, "b\u{1b}[2J\u{0}"], "opening": {"position": "1,2 1"},
        "result": "0-1", "ending": "illegal-move", "detail": HOSTILE, "moves": [[HOSTILE, 12, "", 0, 0]],
    });
    fs::write(&record, format!("{header}\n{game}\n")).unwrap();
    let (code, _, err) = run(&["report", record.to_str().unwrap(), "--output", page.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{err}");
    let text = fs::read_to_string(&page).unwrap();
    is_well_formed(&text);
    assert!(!text.contains("<img") && !text.contains('\u{1b}') && !text.contains('\0'));
    assert!(text.contains("&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;&quot;&#39;&amp;"));
    assert_eq!(data(&text)[1]["rejected"][0], HOSTILE);
    let _ = [record, page].map(fs::remove_file);
}

#[test]
fn damaged_records_are_refused() {
    let (record, page) = (file("damaged.jsonl"), file("damaged.html"));
    let (code, _, err) = play("nim", "name=b", &record, &page, "2");
    assert_eq!(code, Some(0), "{err}");
    let whole = fs::read_to_string(&record).unwrap();
    const OLDER: &str = "<!DOCTYPE html>\nolder";
    fs::write(&page, OLDER).unwrap();
    let other = |result: &str| if result == "1-0" { "0-1" } else { "1-0" };
    let first: Value = serde_json::from_str(whole.lines().nth(1).unwrap()).unwrap();
    let result = first["result"].as_str().unwrap();
    let wrong = |from: &str, to: &str| whole.replacen(from, to, 1);
    for (text, expected) in [
        (wrong(&format!("\"result\":\"{result}\""), &format!("\"result\":\"{}\"", other(result))), "line 2: game 1: "),
        (wrong("\"moves\":[[\"", "\"moves\":[[\"9"), "line 2: game 1: move 1: "),
        (wrong("\"game\":\"nim\",", ""), "is not a record of a match"),
        (wrong("\"secateurs\":1", "\"secateurs\":2"), "is a record of version 2: this program reads version 1"),
        (wrong("\"game\":\"nim\"", "\"game\":\"none\""), "none"),
        ("{\"secateurs\":1,\"game\":\"nim\",\"options\":{}}\n".into(), "does not name the players"),
        ("{\"secateurs\":1,\"game\":\"nim\",\"options\":{},\"learn\":{}}\n".into(), "is a record of `learn`"),
    ] {
        fs::write(&record, &text).unwrap();
        let (code, _, err) = run(&["report", record.to_str().unwrap(), "--output", page.to_str().unwrap()]);
        assert!(code == Some(2) && err.contains(expected) && err.contains("damaged.jsonl"), "{expected}: {err}");
        assert_eq!(fs::read_to_string(&page).unwrap(), OLDER);
    }
    let (code, _, err) = run(&["report", record.to_str().unwrap(), "--output", record.to_str().unwrap()]);
    assert!(code == Some(2) && err.contains("RECORD and --output name the same file"), "{err}");
    let _ = [record, page].map(fs::remove_file);
}

/// A match that ends early leaves a page of the games that were played.
#[test]
fn interrupted_matches_leave_a_page() {
    let (record, page) = (file("stopped.jsonl"), file("stopped.html"));
    let words = |limit: &str| format!("cmd={ENGINE} {limit}");
    let mut command = Command::new(ENGINE);
    command.args(["match", "--game", "nim", "--each", "option.Hash=1", "-e", &words("name=a nodes=30"), "-e"]);
    command.args([&words("name=b nodes=20"), "-r", "100000", "--random-candidates", "1", "--record"]);
    let process = command.arg(&record).arg("--report").arg(&page).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = process.spawn().unwrap();
    while fs::read_to_string(&record).is_ok_and(|text| text.lines().count() < 4) || !record.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(1));
    let text = fs::read_to_string(&page).unwrap();
    is_well_formed(&text);
    let games = fs::read_to_string(&record).unwrap().lines().count() - 1;
    assert_eq!(data(&text).len() - 2, games);
    assert!(text.contains(&format!("nim, {games} of 200000 games")), "{}", &text[..2000]);
    let _ = [record, page].map(fs::remove_file);
}

#[test]
fn an_unwritable_page_is_reported_before_the_first_game() {
    let record = file("unwritable.jsonl");
    let (code, out, err) = play("nim", "name=b", &record, Path::new("/nowhere/page.html"), "2");
    assert!(code == Some(2) && out.is_empty() && err.contains("/nowhere/page.html"), "{code:?} {err}");
    assert!(!record.exists());
}
