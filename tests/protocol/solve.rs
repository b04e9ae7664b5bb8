//! `solve`: bounds, limits and units.

use super::script;
use crate::common::dialogue::Dialogue;

/// Returns the value of a word in a line of an exact search.
fn word_of<'a>(line: &'a str, name: &str) -> &'a str {
    line.split(' ').skip_while(|&word| word != name).nth(1).unwrap_or_default()
}

#[test]
fn bounds_tighten_until_the_position_is_solved() {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("setoption name Seeds value 3");
    dialogue.send("position startpos");
    dialogue.send("solve moves all");
    let said = dialogue.read_to("solved ");
    let (last, before) = said.split_last().unwrap();
    assert!(last.starts_with("solved value 2 proven exact outcome win lower 2 upper 2 nodes "), "{last}");
    let bounds = |line: &str| [word_of(line, "lower"), word_of(line, "upper")].map(|word| word.parse::<i64>().unwrap());
    let mut known = [-36, 36];
    for line in before {
        assert!(line.starts_with("info string solve lower ") && line.contains(" hashfull "), "{line}");
        let [lower, upper] = bounds(line);
        assert!(known[0] <= lower && lower <= upper && upper <= known[1], "{said:?}");
        known = [lower, upper];
    }
    assert!(last.contains(" moves ") && last.contains(" values 1 ") && last.contains(" pv "), "{last}");
    // The result is in the table of the session.
    dialogue.send("solve moves none");
    let again = dialogue.read_to("solved ").pop().unwrap();
    assert!(again.starts_with("solved value 2 proven exact ") && !again.contains(" moves ") && !again.contains(" pv "));
    let nodes = |line: &str| word_of(line, "nodes").parse::<u64>().unwrap();
    assert!(nodes(&again) * 10 < nodes(last), "{again} {last}");
    assert_eq!(dialogue.finish(), [""; 0]);
}

#[test]
fn an_exact_search_ends_by_its_limits_by_stop_or_by_quit() {
    let given_up = |line: &str| {
        let fits = line.starts_with("solved value ") && !line.contains(" proven exact ") && !line.contains(" pv ");
        assert!(fits, "{line}");
    };
    // A board with 12 houses a side and 12 seeds in each cannot be solved in this time.
    let board = "setoption name Houses value 12\nsetoption name Seeds value 12\nposition startpos\n";
    let threads = "setoption name Threads value 2\nsetoption name Hash value 8\n";
    for limit in ["nodes 3000", "movetime 30", "nodes 5000 movetime 100000", "moves all movetime 30"] {
        for settings in ["", threads] {
            let said = script("kalah", format!("{board}{settings}solve {limit}\nmoves").as_bytes());
            given_up(&said[said.len() - 2]);
            assert!(said[said.len() - 1].starts_with("1 2 3 "), "{said:?}");
        }
    }
    let dialogue = Dialogue::new("kalah");
    dialogue.send_bytes(board.as_bytes());
    dialogue.send("solve");
    for line in ["position fen <1,0,0,1,1> s", "solve", "isready"] {
        dialogue.send(line);
    }
    let before = dialogue.read_to("readyok");
    assert!(before.iter().rev().skip(1).all(|line| line.starts_with("info string solve ")), "{before:?}");
    dialogue.send("ponderhit");
    dialogue.send("stop");
    given_up(&dialogue.read_to("solved ").pop().unwrap());
    assert!(dialogue.read_to("solved ").pop().unwrap().starts_with("solved value 0 proven exact "));
    dialogue.send_bytes(board.as_bytes());
    dialogue.send("solve");
    dialogue.send("quit");
    let rest: Vec<_> = dialogue.output.iter().collect();
    assert!(rest.iter().all(|line| line.starts_with("info string solve ")), "{rest:?}");
    dialogue.thread.join().unwrap().unwrap();
}

#[test]
fn values_have_the_units_of_the_game() {
    for (game, input, expected) in [
        ("connect4", "position 7422341735647741166133573473242566\nsolve moves all", "solved value 1 proven exact "),
        ("cfour", "position 2252576253462244111563365343671351441\nsolve", "solved value -1 proven exact "),
        ("nim", "solve moves none nodes 1", "solved value none proven none outcome win lower 12 upper 1 nodes "),
        ("nim", "position 0,0 1\nsolve", "solved value 0 proven exact outcome loss lower 0 upper 0 nodes 0 time "),
        (
            "nim",
            "setoption name Theory value false\nposition startpos\nsolve nodes 1",
            "solved value none proven none outcome none lower none upper none nodes 1 time ",
        ),
        (
            "nim",
            "setoption name Theory value false\nposition 1,1 1\nsolve moves all",
            "solved value -2 proven exact outcome loss lower -2 upper -2 nodes ",
        ),
    ] {
        let said = script(game, input.as_bytes());
        assert!(said[said.len() - 1].starts_with(expected), "{said:?}");
    }
}
