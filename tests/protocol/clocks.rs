//! Neither a large new table nor many threads hold up a clock or `stop`. The limits leave a second to a busy machine.

use crate::common::dialogue::Dialogue;
use std::time::{Duration, Instant};

const SLACK: Duration = Duration::from_secs(1);

#[test]
fn a_large_new_table_holds_up_no_clock() {
    for game in ["kalah", "chess"] {
        for milliseconds in [50, 300] {
            let dialogue = Dialogue::new(game);
            dialogue.send("setoption name Hash value 4096");
            let start = Instant::now();
            dialogue.send(&format!("go movetime {milliseconds}"));
            dialogue.read_to("bestmove ");
            let limit = Duration::from_millis(milliseconds) + SLACK;
            assert!(start.elapsed() < limit, "{game}, {milliseconds} ms: {:?}", start.elapsed());
        }
    }
}

#[test]
fn stop_is_answered_in_time_with_more_threads_than_cores() {
    let dialogue = Dialogue::new("kalah");
    dialogue.send("setoption name Threads value 256");
    dialogue.send("go infinite");
    dialogue.read_to("info depth 5 ");
    let start = Instant::now();
    dialogue.send("stop");
    dialogue.read_to("bestmove ");
    assert!(start.elapsed() < SLACK, "{:?}", start.elapsed());
}
