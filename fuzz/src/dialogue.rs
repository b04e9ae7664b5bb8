//! The fuzz target of a whole protocol dialogue.

use secateurs::core::Error;
use secateurs::protocol::command::{Command, parse};
use secateurs::protocol::{Settings, serve};
use std::io::Cursor;
use std::sync::LazyLock;

/// The node limit of a search, inserted after `go`.
const NODES: u64 = 30;

/// The most searches and perfts in one dialogue.
const TASKS: usize = 12;

/// The greatest depth of a perft, in plies.
const PERFT: u8 = 2;

/// Spin options that cost memory or threads, each with the greatest value admitted.
const COSTLY: [(&str, i64); 2] = [("Hash", 2), ("Threads", 4)];

/// The options whose value is a file name, as the handshake declares them.
static FILES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let said = hold(b"uci\n");
    let names = said.lines().filter_map(|line| line.strip_prefix("option name ")?.split_once(" type string"));
    names.map(|(name, _)| name.to_owned()).filter(|name| name.ends_with("File")).collect()
});

/// The requests that the answers can be counted against.
#[derive(Default)]
struct Expected {
    /// Searches and perfts that must be answered.
    searches: usize,
    /// Exact searches.
    solved: usize,
    /// Searches and perfts.
    tasks: usize,
    /// `isready`.
    ready: usize,
    quit: bool,
}

/// Runs the dialogue whose input is the data, without the lines that would take long or touch files.
pub fn check(data: &[u8]) {
    let mut expected = Expected::default();
    let mut input = Vec::new();
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        input.extend(admit(line, &mut expected));
    }
    check_reply(&hold(&input), &expected);
}

/// Returns the engine's output for an input.
fn hold(input: &[u8]) -> String {
    let settings = Settings { options: vec![("Hash".into(), "1".into())], ..Settings::default() };
    let mut output = Vec::new();
    serve(&settings, Cursor::new(input.to_vec()), &mut output).expect("no input ends a dialogue with an error");
    String::from_utf8(output).expect("replies are UTF-8")
}

/// Returns the line, with a node limit where it needs one, or nothing if the line is left out.
fn admit(line: &[u8], expected: &mut Expected) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    let words: Vec<_> = text.split_whitespace().collect();
    let admitted = match parse(line) {
        _ if expected.quit => true,
        _ if matches!(words.first(), Some(&("savehash" | "loadhash"))) => false,
        Ok(Some(Command::Bench)) => false,
        Ok(Some(Command::SetOption { name, value })) => !is_costly(&name, value.as_deref().unwrap_or_default()),
        Ok(Some(Command::Perft(depth))) => {
            expected.tasks += 1;
            let admitted = depth <= PERFT && expected.tasks <= TASKS;
            expected.searches += usize::from(admitted);
            admitted
        }
        Ok(Some(Command::Solve(solve))) => {
            expected.tasks += 1;
            if expected.tasks > TASKS {
                return Vec::new();
            }
            expected.solved += 1;
            if solve.limits.nodes.is_none_or(|nodes| nodes > NODES) {
                return format!("{} nodes {NODES}\n", text.trim_end()).into_bytes();
            }
            true
        }
        Ok(Some(Command::Tree(tree))) => {
            expected.tasks += 1;
            if expected.tasks > TASKS {
                return Vec::new();
            }
            if tree.request.limits.nodes.is_none_or(|nodes| nodes > NODES) {
                return format!("{} nodes {NODES}\n", text.trim_end()).into_bytes();
            }
            true
        }
        Ok(Some(Command::Go(go))) => {
            expected.tasks += 1;
            if expected.tasks > TASKS || go.nodes.is_some_and(|nodes| nodes > NODES) {
                return Vec::new();
            }
            expected.searches += 1;
            if go.nodes.is_none() && words.len() > 1 {
                return text.replacen("go", &format!("go nodes {NODES}"), 1).into_bytes();
            }
            true
        }
        // It ends at once.
        Err(Error::BadCommand(refused, _)) if refused.starts_with("go ") => {
            expected.tasks += 1;
            expected.searches += usize::from(expected.tasks <= TASKS);
            expected.tasks <= TASKS
        }
        command => {
            expected.ready += usize::from(command == Ok(Some(Command::IsReady)));
            expected.quit |= command == Ok(Some(Command::Quit));
            true
        }
    };
    if admitted { line.to_vec() } else { Vec::new() }
}

fn is_costly(name: &str, value: &str) -> bool {
    let named = |option: &str| option.eq_ignore_ascii_case(name);
    let much = |most: i64| value.parse::<i64>().is_ok_and(|value| value > most);
    COSTLY.iter().any(|&(option, most)| named(option) && much(most)) || FILES.iter().any(|option| named(option))
}

/// Checks that the output consists of whole lines and answers every request, unless `quit` came first.
fn check_reply(said: &str, expected: &Expected) {
    assert!(said.is_empty() || said.ends_with('\n'), "{said:?}");
    let (mut searches, mut solved, mut ready, mut first) = (0, 0, 0, None);
    for line in said.lines() {
        assert!(!line.contains(char::is_control), "{line:?}");
        let words: Vec<_> = line.split(' ').collect();
        match words[0] {
            "readyok" => ready += 1,
            "solved" => solved += 1,
            "perft" => searches += 1,
            "info" if line.starts_with("info string perft was stopped") => searches += 1,
            "info" if words[1] == "depth" && !words.contains(&"multipv") => {
                first = Some(words.iter().skip_while(|&&word| word != "pv").nth(1).map_or("(none)", |&mv| mv));
            }
            "bestmove" => {
                searches += 1;
                assert!(matches!(words.as_slice(), [_, _] | [_, _, "ponder", _]), "{line:?}");
                assert!(first.is_none_or(|mv| mv == words[1]), "the line began with {first:?}, but {line:?}");
                first = None;
            }
            _ => {}
        }
    }
    assert!(
        searches == expected.searches || expected.quit && searches < expected.searches,
        "{searches} of {}: {said}",
        expected.searches
    );
    assert!(
        solved == expected.solved || expected.quit && solved < expected.solved,
        "{solved} of {}: {said}",
        expected.solved
    );
    assert!(
        ready == expected.ready || expected.quit && ready < expected.ready,
        "{ready} of {}: {said}",
        expected.ready
    );
}
