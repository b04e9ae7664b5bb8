//! Views of trees: the formats agree, the examples of the documentation are true, and the HTML page works in a browser.

use secateurs::core::picture::Perspective;
use secateurs::core::tree::Room;
use secateurs::core::{Request, SearchTree, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::{self, GAMES, Setup};
use secateurs::search::Table;
use secateurs::views::{Form, document, written};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

fn tree(board: &dyn Board, depth: u8, room: Room) -> SearchTree {
    let table = Arc::new(Table::new(1).unwrap());
    let (_, tree) = board.engine(table).record(&Request::depth(depth), room, &StopFlag::new(), &mut |_| {});
    board.named(&tree, &StopFlag::new())
}

/// Returns the output of a command of a page.
fn ran(folder: &Path, line: &str) -> String {
    let words = shlex::split(line.strip_prefix("secateurs ").unwrap()).unwrap();
    let words = words.split(|word| word == ">").next().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_secateurs")).args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    if line.contains(" > ") { String::new() } else { String::from_utf8(output.stdout).unwrap() }
}

#[test]
fn the_examples_of_the_documentation_are_true() {
    let (page, folder) = (include_str!("../../docs/tree.md"), tempfile::tempdir().unwrap());
    let blocks: Vec<&str> = page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        for command in block.split("$ ").skip(1) {
            let (line, shown) = command.split_once('\n').unwrap();
            assert_eq!(ran(folder.path(), line), shown, "{line}");
        }
    }
}

/// Returns a shape of a page by its number, with its part.
fn shape(frames: &Value, at: usize) -> String {
    let mut text = frames["shapes"][at % 4][at / 4].as_str().unwrap().to_owned();
    for (number, part) in frames["parts"].as_array().unwrap().iter().enumerate() {
        text = text.replace(&format!("<{number}>"), part.as_str().unwrap());
    }
    text
}

/// Returns the shapes of a position of a page without its size, by their numbers.
fn drawn(frames: &Value, numbers: &Value) -> Vec<String> {
    let mut numbers: Vec<_> =
        numbers.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect();
    numbers.sort_by_key(|number| number % 4);
    numbers.iter().filter(|number| *number % 4 > 0).map(|at| shape(frames, *at)).collect()
}

/// Returns the shapes of the same position in a drawing.
fn picture(board: &dyn Board) -> String {
    board.picture(Perspective::default()).layers().map(|shapes| document::written(&shapes)).concat()
}

/// Every format has every recorded node of every game.
#[test]
fn the_formats_agree() {
    for row in GAMES {
        let board = row.start(&row.defaults()).unwrap();
        for (depth, room) in [(1, Room::default()), (5, Room::default()), (5, Room::new(100, 3).unwrap())] {
            let tree = tree(&*board, depth, room);
            let count = tree.nodes.len();
            let [text, json, dot, html] = Form::ALL.map(|form| written(form, &tree, &*board));
            assert_eq!(text.lines().count(), count + 3, "{}", row.name);
            assert_eq!(
                text.lines().filter(|line| line.starts_with('*')).count(),
                tree.nodes.iter().filter(|node| node.pv).count()
            );
            let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(lines.len(), count + 1, "{}", row.name);
            assert_eq!(lines[0]["position"], board.text());
            for (id, line) in lines[1..].iter().enumerate() {
                assert_eq!(line["id"], id);
                let parent = line["parent"].as_u64().map(|parent| &lines[1 + parent as usize]);
                let ply = parent.map_or(0, |parent| parent["ply"].as_u64().unwrap() + 1);
                assert_eq!(line["ply"].as_u64(), Some(ply), "{line}");
                assert_eq!(line["move"].is_null(), ply == 0, "{line}");
            }
            assert_eq!(dot.matches(" -> ").count(), count - tree.roots().count(), "{}", row.name);
            assert!(dot.starts_with("digraph tree {") && dot.ends_with("}\n"), "{dot}");
            let data = html.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            assert_eq!(data["rows"].as_array().unwrap().len(), count, "{}", row.name);
            let drawn = drawn(&data["frames"], &data["boards"]["0"]);
            assert_eq!(drawn.concat(), picture(&*board), "{}", row.name);
            assert!(!html.contains("http://") && !html.contains("https://") && !html.contains("src="), "it is alone");
        }
    }
}

#[test]
fn finished_games_and_stopped_searches_are_shown() {
    let nim = registry::find("nim").unwrap();
    let over = nim.parse(&nim.defaults(), "0 1").unwrap();
    let found = tree(&*over, 3, Room::default());
    assert!(found.nodes.is_empty() && found.is_sound());
    let [text, json, ..] = Form::ALL.map(|form| written(form, &found, &*over));
    assert_eq!((text.lines().count(), json.lines().count()), (3, 1));
    let kalah = Setup::new(&GAMES[0]).board("startpos").unwrap();
    let stop = StopFlag::new();
    stop.raise();
    let mut engine = kalah.engine(Arc::new(Table::none()));
    let (_, stopped) = engine.record(&Request::depth(9), Room::default(), &stop, &mut |_| {});
    let stopped = kalah.named(&stopped, &StopFlag::new());
    let [text, json, ..] = Form::ALL.map(|form| written(form, &stopped, &*kalah));
    assert!(text.contains("none") && text.contains("stopped"), "{text}");
    assert!(json.contains("\"value\":null,\"bound\":null"), "{json}");
}

#[test]
fn the_ending_of_a_file_gives_its_format() {
    for (name, form) in
        [("a.txt", Form::Text), ("b.JSONL", Form::Json), ("c.d/e.dot", Form::Dot), ("f.html", Form::Html)]
    {
        assert_eq!(Form::from_path(Path::new(name)), Ok(form));
    }
    for name in ["a", "html", "a.svg", ".html"] {
        let error = Form::from_path(Path::new(name)).unwrap_err().to_string();
        assert!(error.contains(&format!("{name:?} does not end in .txt")), "{error}");
    }
}

/// Returns the text of a page in a browser after a script of the test has run on it; `None` without a browser.
fn browsed(page: &str, script: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.html");
    let watch = "<script>window.errors = []; window.onerror = text => { errors.push(text); };</script>";
    let (head, body) = page.split_once("<head>").unwrap();
    let page = format!("{head}<head>{watch}{body}");
    let shown = format!(
        "<script>{script}\ndocument.body.replaceChildren(JSON.stringify(reports.concat(errors)));</script></body>"
    );
    std::fs::write(&path, page.replace("</body>", &shown)).unwrap();
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(|name| {
        let mut command = Command::new(name);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900", "--dump-dom"]);
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        command.arg(profile).arg(format!("file://{}", path.display())).output().ok()
    })?;
    let shown = String::from_utf8(browser.stdout).unwrap();
    Some(shown.split("<body>").nth(1).unwrap_or(&shown).split("</body>").next().unwrap().trim().to_owned())
}

/// The page folds and unfolds by mouse and keyboard and shows the selected node, without script errors.
#[test]
fn the_page_works_in_a_browser() {
    let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
    let page = written(Form::Html, &tree(&*board, 6, Room::default()), &*board);
    let script = r#"
        const reports = [];
        const say = what => reports.push(what);
        const rows = () => visible().length;
        const press = key => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        const first = rows();
        say(first === roots.length + below(roots[roots.length - 1]).length);
        document.getElementById("none").click();
        say(rows() === roots.length);
        visible()[roots.length - 1].querySelector(".mv").click();
        say(rows() === first);
        press("ArrowDown");
        say(chosen.ply === 1 && !isOpen(chosen));
        press("ArrowRight");
        say(isOpen(chosen) && rows() === first + below(chosen).length);
        press("ArrowRight");
        say(chosen.ply === 2);
        press("ArrowLeft"); press("ArrowLeft");
        say(chosen.ply === 1 && !isOpen(chosen) && rows() === first);
        press("Enter");
        say(isOpen(chosen));
        press("End");
        say(chosen.row === visible().pop());
        document.getElementById("line").click();
        say(chosen.pv && lineOf().every(node => node.row.offsetParent));
        say(document.querySelectorAll("aside .board .seed-line").length === 12);
        say(document.querySelector("aside .board text").textContent !== "" && !document.querySelector("aside pre"));
        say(document.querySelector(".legend").textContent.includes("▲takes the largest value"));
        const main = document.querySelector("main");
        say(window.innerWidth === 1200 && main.scrollWidth <= main.clientWidth);
        for (let ply = 0; ply < 20; ply += 1) document.getElementById("all").click();
        say(rows() === nodes.length);
        say(document.querySelector("h1").textContent);
    "#;
    let Some(shown) = browsed(&page, script) else { return };
    let title = format!("kalah {}", board.text()).replace('<', "&lt;").replace('>', "&gt;");
    let trues = "true,".repeat(15);
    assert_eq!(shown, format!("[{trues}\"{title}\"]"));
}
