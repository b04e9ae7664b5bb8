//! The fuzz target of the command parser.

use super::presentable;
use secateurs::protocol::command::{Command, Query, parse};
use std::path::PathBuf;

/// Parses the data as one line and checks the result.
pub fn check(data: &[u8]) {
    let read = parse(data);
    let Ok(text) = std::str::from_utf8(data) else {
        return presentable(&read.expect_err("only UTF-8 is read"));
    };
    assert_eq!(read, parse(format!("\t {text} \r").as_bytes()), "white space around a line means nothing");
    assert_eq!(read == Ok(None), text.trim().is_empty());
    match &read {
        Ok(Some(command)) => {
            words(command);
            let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let again = parse(spaced.as_bytes()).map(|command| command.map(plain));
            assert_eq!(again, Ok(Some(plain(command.clone()))), "any white space separates words");
        }
        Ok(None) => {}
        Err(error) => presentable(error),
    }
}

/// Checks the words that a command holds.
fn words(command: &Command) {
    match command {
        Command::SetOption { name, value } => {
            assert!(!name.is_empty() && name.split(' ').all(|part| is_word(part) && part != "value"), "{command:?}");
            let value = value.as_deref().unwrap_or_default();
            assert!(value.is_empty() || value.split(' ').all(is_word), "{command:?}");
        }
        Command::Position { text, .. } => {
            // The session refuses an empty one.
            let is_text = |part: &str| is_word(part) && part != "moves";
            assert!(text.is_empty() || text.split(' ').all(is_text), "{command:?}");
        }
        Command::Go(go) => assert!(go.ignored.iter().all(|part| is_word(part)), "{command:?}"),
        Command::Query(Query::IsLegal(mv)) => assert!(is_word(mv), "{command:?}"),
        _ => {}
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

/// Returns the command with single spaces in the text that it holds verbatim: moves and file names.
fn plain(command: Command) -> Command {
    let single = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let file = |path: PathBuf| single(path.to_str().expect("a line is UTF-8")).into();
    match command {
        Command::Position { text, moves } => Command::Position { text, moves: single(&moves) },
        Command::SaveHash(path) => Command::SaveHash(file(path)),
        Command::LoadHash(path) => Command::LoadHash(file(path)),
        command => command,
    }
}
