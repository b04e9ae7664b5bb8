//! Output as lines of JSON of the commands that count and check.

use super::{json, secateurs};
use serde_json::json as value;

#[test]
fn perft_is_an_object() {
    let ran = secateurs(&["perft", "2", "--game", "nim", "1,2 1", "--json"]);
    let [found] = &json(&ran.out)[..] else { panic!("{}", ran.out) };
    assert_eq!((ran.code, &found["position"], &found["depth"]), (Some(0), &value!("1,2 1"), &value!(2)));
    let moves = value!([{"move": "1-1", "count": 2}, {"move": "2-2", "count": 1}, {"move": "2-1", "count": 2}]);
    assert_eq!((&found["total"], &found["moves"]), (&value!(5), &moves));
    assert!(found["time_us"].is_u64() && found["nps"].is_u64());
}

#[test]
fn certificates_are_objects() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad] = ["good", "bad"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    secateurs(&["solve", "--game", "nim", "--option", "Theory=false", "1,2 1", "--certificate", &good]);
    std::fs::write(&bad, "x\n").unwrap();
    let ran = secateurs(&["check", "--json", &good, &bad]);
    let [proven, refused] = &json(&ran.out)[..] else { panic!("{} {}", ran.out, ran.err) };
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert_eq!(
        [&proven["file"], &proven["game"], &proven["position"], &proven["value"]],
        [&value!(good), &value!("nim"), &value!("1,2 1"), &value!(3)]
    );
    assert_eq!(proven["options"]["Theory"], "false");
    assert!(proven["lines"].as_u64() > Some(1));
    assert!(
        refused["file"] == bad && refused["error"].as_str().is_some_and(|error| error.contains("line 1")),
        "{refused}"
    );
}

#[test]
fn the_benchmark_is_a_line_for_each_row() {
    let ran = secateurs(&["bench", "--json"]);
    let lines = json(&ran.out);
    let [rows @ .., total] = &lines[..] else { panic!("{}", ran.out) };
    let nodes: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
    assert_eq!((ran.code, total["nodes"].as_u64()), (Some(0), Some(nodes)));
    assert!(rows.iter().all(|row| row["game"].is_string() && row["depth"].is_u64() && row["options"].is_object()));
}
