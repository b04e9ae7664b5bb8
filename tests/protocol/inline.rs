//! Dialogues on one thread.

use secateurs::protocol::Settings;
use secateurs::protocol::inline::InlineDialogue;

fn said(lines: &[&str]) -> String {
    let mut said = Vec::new();
    let dialogue = InlineDialogue::new(&Settings::default(), &mut said).unwrap();
    for line in lines {
        if !dialogue.execute(line).unwrap() {
            break;
        }
    }
    drop(dialogue);
    String::from_utf8(said).unwrap()
}

#[test]
fn each_line_is_answered_before_the_next() {
    let said = said(&["ugi", "position startpos moves 3", "go depth 3", "query gameover", "quit", "go depth 1"]);
    assert!(said.contains("ugiok\n") && said.contains("info depth 3 "));
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[lines.len() - 2].starts_with("bestmove "));
    assert_eq!(lines[lines.len() - 1], "response false");
}

#[test]
fn a_search_that_waits_for_stop_is_answered_by_it() {
    // The value is proven before any limit.
    let set = ["setoption name Houses value 1", "setoption name Seeds value 1", "position startpos", "go infinite"];
    assert!(!said(&set).contains("bestmove"));
    assert!(said(&[&set[..], &["stop"]].concat()).contains("bestmove 1"));
}
