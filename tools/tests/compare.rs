//! `secateurs compare` and `secateurs plausibility`, run as a person runs them.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail tests")]

use secateurs::literature::procedure::PROCEDURES;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn secateurs(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_secateurs"))
        .args(args)
        .env_remove("SECATEURS_LOG")
        .env_remove("COLUMNS")
        .output()
        .unwrap()
}

/// Returns the output of a successful run.
fn written(args: &[&str]) -> String {
    let output = secateurs(args);
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr)), (Some(0), "".into()), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn rows(args: &[&str]) -> Vec<Value> {
    written(&[args, &["--json"]].concat()).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const SMALL: [&str; 4] = ["--option", "Houses=3", "--option", "Seeds=2"];

#[test]
fn every_procedure_has_a_row() {
    let args = [&["compare", "--depth", "5", "--threshold", "1e-3"], &SMALL[..]].concat();
    let rows = rows(&args);
    assert_eq!(rows.len(), PROCEDURES.len() + 1);
    for (row, expected) in rows.iter().zip(PROCEDURES.iter().map(|row| row.name).chain(["secateurs"])) {
        assert_eq!((&row["procedure"], &row["depth"], &row["runs"]), (&expected.into(), &5.into(), &1.into()));
        assert!(row["value"].is_i64() && row["move"].is_string() && row["given_up"].is_null(), "{row}");
    }
    let agrees = |row: &&Value| row["agrees"] == true;
    assert_eq!(rows.iter().filter(agrees).count(), PROCEDURES.iter().filter(|row| row.procedure.is_exact()).count());
    assert_eq!(rows[0]["share"], 1.0);
    let table = written(&args);
    for row in &rows {
        let line = table.lines().find(|line| line.trim_start().starts_with(row["procedure"].as_str().unwrap()));
        assert!(line.unwrap().contains(&row["nodes"].to_string()), "{table}");
    }
    let lines = written(&[&args[..], &["--csv"]].concat());
    assert!(lines.starts_with("subject,depth,procedure,value,bound,move,nodes,terminal,"), "{lines}");
    assert_eq!(lines.lines().count(), 1 + rows.len());
}

/// A count that is not taken is empty, not zero.
#[test]
fn counts_that_are_not_taken_are_empty() {
    let args = [&["compare", "--depth", "4", "--threshold", "1e-3"], &SMALL[..]].concat();
    let found = rows(&args);
    let (table, csv) = (written(&args), written(&[&args[..], &["--csv"]].concat()));
    for (names, untaken) in [
        (&["minimax", "negamax", "greedy"][..], &["cutoffs", "hits", "pv", "cut", "all"][..]),
        (&["branch-and-bound"], &["hits", "pv", "cut", "all"]),
        (&["alpha-beta", "mirror", "stack", "fail-soft", "killers", "aspiration", "negascout", "floyd"], &["hits"]),
        (&["table", "table+killers", "sss", "dual", "mtdf", "secateurs"], &[]),
        (&["dfpn"], &["cutoffs", "pv", "cut", "all"]),
    ] {
        for name in names {
            let row = found.iter().find(|row| row["procedure"] == *name).unwrap();
            for count in ["nodes", "terminal", "cutoffs", "hits", "pv", "cut", "all"] {
                assert_eq!(row[count].is_null(), untaken.contains(&count), "{name} {count}");
            }
            let line = table.lines().find(|line| line.trim_start().starts_with(&format!("{name} "))).unwrap();
            assert_eq!(line.split_whitespace().filter(|word| *word == "-").count(), untaken.len(), "{line}");
            let line = csv.lines().find(|line| line.contains(&format!(",{name},"))).unwrap();
            let agrees = usize::from(row["agrees"].is_null());
            // After the counts `given_up` is empty, and `agrees` too for procedures that are not exact.
            assert_eq!(line.split(',').filter(|cell| cell.is_empty()).count(), untaken.len() + 1 + agrees, "{line}");
        }
    }
}

#[test]
fn positions_depths_and_orders_are_arguments() {
    let chosen = ["--procedures", "f2,MTDF, secateurs", "--order", "rank"];
    let args = [&["compare", "startpos moves 1", "startpos", "--depth", "2,4"], &chosen[..], &SMALL[..]].concat();
    let found = rows(&args);
    assert_eq!(found.len(), 2 * 2 * 3);
    assert_eq!((&found[0]["procedure"], &found[3]["depth"]), (&"alpha-beta".into(), &4.into()));
    let table = written(&args);
    // Two positions at two depths, then both together at each depth.
    assert_eq!(table.matches("procedure").count(), 6);
    assert!(table.contains("2 positions together, depth 4"), "{table}");
}

#[test]
fn depth_0_gives_the_evaluation() {
    let found = rows(&["compare", "--depth", "0", "--procedures", "minimax,negascout,mtdf,dfpn,secateurs"]);
    assert_eq!(found.len(), 5);
    for row in &found[..4] {
        assert_eq!((&row["value"], &row["move"], &row["agrees"]), (&found[0]["value"], &Value::Null, &true.into()));
    }
}

#[test]
fn synthetic_trees_have_the_expected_counts() {
    let args =
        ["compare", "--tree", "width=4,depth=6,order=1,same=0", "--trees", "5", "--procedures", "minimax,alpha-beta"];
    let found = rows(&args);
    assert_eq!((&found[0]["terminal"], &found[1]["terminal"]), (&(5 * 4096).into(), &(5 * 127).into()));
    assert!(written(&args).starts_with("width=4,depth=6,seed=1,order=1,same=0 and the next seeds: 5 trees together"));
    assert_eq!(rows(&["compare", "--tree", "width=2,depth=3"]).len(), PROCEDURES.len() - 2);
}

#[test]
fn a_procedure_that_gives_up_reports_the_reason() {
    let found = rows(&["compare", "--depth", "9", "--nodes", "1000", "--procedures", "minimax,dfpn,secateurs"]);
    for row in &found {
        assert_eq!((&row["value"], &row["given_up"]), (&Value::Null, &"given up: out of nodes".into()), "{row}");
        assert_eq!(row["bound"], Value::Null, "{row}");
        assert_eq!(row["share"], Value::Null);
    }
    assert!(
        written(&["compare", "--depth", "9", "--nodes", "9", "--procedures", "f"]).contains("given up: out of nodes")
    );
    let found = rows(&["compare", "--depth", "200", "--time", "0.05", "--procedures", "negamax,secateurs"]);
    assert!(found.iter().all(|row| row["given_up"] == "given up: out of time"), "{found:?}");
    let found = rows(&["compare", "--depth", "3", "--stack", "2", "--procedures", "stack"]);
    assert_eq!(found[0]["given_up"], "the tree is deeper than a stack of 2 positions");
}

#[test]
fn dfpn_proves_or_disproves_a_threshold() {
    let value =
        rows(&[&["compare", "--depth", "6", "--procedures", "f2"], &SMALL[..]].concat())[0]["value"].as_i64().unwrap();
    for (least, bound) in [(value, "lower"), (value + 1, "upper")] {
        let question = format!("--at-least={least}");
        let args = ["compare", "--depth", "6", "--procedures", "alpha-beta,dfpn", &question];
        let found = rows(&[&args[..], &SMALL[..]].concat());
        assert_eq!((&found[1]["value"], &found[1]["bound"]), (&value.into(), &bound.into()));
        assert_eq!((&found[1]["agrees"], &found[1]["searches"]), (&true.into(), &1.into()));
    }
}

#[test]
fn bad_arguments_are_reported() {
    for (args, named) in [
        (&["compare", "--procedures", "beam"][..], "unknown procedure \"beam\"; there are minimax, negamax"),
        (&["compare", "--tree", "width=0"], "bad tree \"width=0\": width is a whole number"),
        (&["compare", "--tree", "width=2", "--procedures", "floyd"], "floyd needs an evaluation"),
        (&["compare", "--tree", "width=2", "startpos"], "cannot be used with"),
        (&["compare", "--trees", "3"], "--tree"),
        (&["compare", "--depth", "256"], "256"),
        (&["compare", "--order", "best"], "best"),
        (&["compare", "--time", "-1"], "-1"),
        (&["compare", "--threshold", "0"], "\"0\" is not a number above 0"),
        (&["compare", "--guess", "99999"], "\"99999\" is not a whole number from -32000 to 32000"),
        (&["compare", "--nodes", "0"], "--nodes"),
        (&["compare", "--file", "no/such/file"], "cannot read \"no/such/file\""),
        (&["compare", "--plausibilities", "Cargo.toml"], "\"Cargo.toml\" is not a table of plausibilities"),
        (&["compare", "--plausibilities", "no/such/file"], "cannot read \"no/such/file\""),
        (&["compare", "--json", "--csv"], "cannot be used with"),
        (&["plausibility", "Cargo.toml"], "\"Cargo.toml\" is not a record of a match"),
        (&["plausibility"], "<RECORDS>"),
        (&["plausibility", "Cargo.toml", "--output", "/no/where"], "cannot write \"/no/where\""),
    ] {
        let output = secateurs(args);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && err.contains(named), "{args:?}: {err}");
    }
    let output = secateurs(&["compare", "rubbish", "startpos", "--depth", "1", "--procedures", "f"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: bad position \"rubbish\""));
    assert!(String::from_utf8_lossy(&output.stdout).contains("negamax"));
}

#[test]
fn ctrl_c_ends_a_comparison_with_the_rows_so_far() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_secateurs"));
    let args = ["compare", "--depth", "40", "--nodes", "1000000000000", "--procedures", "greedy,minimax,f2", "--json"];
    let child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The handler is set before the first search; a second signal would end the process at once.
    std::thread::sleep(Duration::from_secs(1));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let rows: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((output.status.code(), rows.len()), (Some(130), 2));
    assert_eq!((&rows[0]["given_up"], &rows[1]["given_up"]), (&Value::Null, &"stopped".into()));
}

#[test]
fn procedures_are_listed_with_their_sources() {
    let list = written(&["compare", "--list"]);
    for row in &PROCEDURES {
        assert!(list.lines().any(|line| line.starts_with(row.name) && line.ends_with(row.source)), "{}", row.name);
    }
}

/// Plausibilities counted in the games of a match change the search that uses them.
#[test]
fn plausibilities_are_learned_from_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, table) = (path("games.jsonl"), path("kalah.json"));
    let ours = env!("CARGO_BIN_EXE_secateurs");
    let player = |name: &str| format!("cmd={ours} name={name} nodes=200");
    let (one, two) = (player("one"), player("two"));
    let played = secateurs(&["match", "-e", &one, "-e", &two, "--rounds", "6", "--record", &games]);
    assert_eq!(played.status.code(), Some(0), "{}", String::from_utf8_lossy(&played.stderr));
    let shown = written(&["plausibility", &games, "--output", &table]);
    assert!(shown.starts_with("kalah: 12 games, "), "{shown}");
    let learned: Value = serde_json::from_str(&std::fs::read_to_string(&table).unwrap()).unwrap();
    let tallies = learned["categories"].as_array().unwrap();
    let sum = |name: &str| tallies.iter().map(|tally| tally[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("played"), learned["positions"].as_u64().unwrap());
    assert!(sum("offered") > sum("played"));
    // A game that an illegal move ended counts up to that move.
    let record = std::fs::read_to_string(&games).unwrap();
    let (before, last) = record.trim_end().rsplit_once('\n').unwrap();
    let mut game: Value = serde_json::from_str(last).unwrap();
    let moves = game["moves"].as_array_mut().unwrap();
    moves.truncate(1);
    moves[0][0] = "(".into();
    game.as_object_mut().unwrap().remove("margin");
    (game["ending"], game["result"]) = ("illegal-move".into(), "0-1".into());
    std::fs::write(&games, format!("{before}\n{game}\n")).unwrap();
    let fewer = written(&["plausibility", &games]);
    assert!(fewer.starts_with("kalah: 12 games, ") && fewer != shown, "{fewer}");
    // The last line is cut off.
    std::fs::write(&games, &record[..record.len() - 9]).unwrap();
    let cut = secateurs(&["plausibility", &games]);
    let err = String::from_utf8_lossy(&cut.stderr).into_owned();
    assert!(cut.status.success() && String::from_utf8_lossy(&cut.stdout).starts_with("kalah: 11 games, "), "{cut:?}");
    assert!(err.contains("games.jsonl: the last line was cut off and is left out"), "{err}");
    let args = ["compare", "--procedures", "floyd", "--threshold", "0.01", "--depth", "1"];
    let nodes = |more: &[&str]| rows(&[&args[..], more].concat())[0]["nodes"].as_u64().unwrap();
    assert_ne!(nodes(&["--plausibilities", &table]), nodes(&[]));
    let other = secateurs(&["compare", "--game", "nim", "--plausibilities", &table]);
    let err = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(other.status.code() == Some(2) && err.contains("is learned from games of \"kalah\", not of nim"), "{err}");
    assert!(Path::new(&table).is_file());
}
