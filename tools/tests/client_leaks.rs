//! What engines leave in this process when they end: no file, no thread, no child. The test is alone in its file, as it
//! counts the resources of the whole process. On request it measures the cost of a [`Client`].
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "all of it is tests")]

mod engines;

use engines::{misbehaving, ours, round};
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs_tools::client::{Client, Process, Spec, Surroundings, Transcript, Watchdog};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Counts open files, threads and unreaped children.
fn belongings() -> [usize; 3] {
    let count = |folder: &str| fs::read_dir(folder).unwrap().count();
    let children = fs::read_dir("/proc/self/task").unwrap().map(|task| {
        let path = task.unwrap().path().join("children");
        fs::read_to_string(path).map_or(0, |children| children.split_whitespace().count())
    });
    [count("/proc/self/fd"), count("/proc/self/task"), children.sum()]
}

/// Returns the resident memory of this process, in MiB.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024
}

/// Checks the counts; a joined thread is still listed for a moment.
fn assert_belongings(expected: [usize; 3], what: &str) {
    let deadline = Instant::now() + Duration::from_secs(1);
    while belongings() != expected && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert_eq!(belongings(), expected, "{what}");
}

#[test]
fn engines_that_ended_leak_nothing() {
    let before = belongings();
    for (name, spec, _) in misbehaving() {
        round(spec).unwrap_err();
        assert_belongings(before, name);
    }
    {
        // A writer without a reader must wait; otherwise the queue would take some hundred megabytes.
        let flood = Process::spawn(Command::new("yes").stderr(Stdio::null()), None, None).unwrap();
        let resident = resident();
        std::thread::sleep(Duration::from_secs(1));
        assert!(self::resident() < resident + 64);
        drop(flood);
    }
    {
        let watchdog = Watchdog::start().unwrap();
        let transcript = Some(Transcript::new(std::io::sink()));
        let surroundings = Surroundings { watchdog: Some(Arc::new(watchdog)), transcript, ..Surroundings::default() };
        let within = belongings();
        for turn in 0..300 {
            let mut engine = Client::start(ours(Dialect::Uci), surroundings.clone()).unwrap();
            engine.go(&Go { nodes: Some(100), ..Go::default() }).unwrap();
            // Quit, killed during its search, or restarted.
            match turn % 3 {
                0 => drop(engine.quit()),
                1 => drop(engine),
                _ => {
                    engine.restart().unwrap();
                    drop(engine);
                }
            }
            assert_belongings(within, &format!("turn {turn}"));
        }
    }
    assert_belongings(before, "at the end");
}

/// Returns the median and the 99th percentile, in microseconds.
fn figures(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort();
    [times.len() / 2, times.len() * 99 / 100].map(|at| times[at].as_secs_f64() * 1e6)
}

/// `cargo test --test client_leaks -- --ignored --nocapture`, on an idle machine.
#[test]
#[ignore = "a measurement"]
fn cost_of_a_round_trip() {
    const ROUNDS: usize = 20_000;
    let script = "s/^uci$/uciok/p;s/^isready$/readyok/p;s/^go.*/bestmove a/p";
    let go = Go { time: [Some(Duration::from_secs(10)); 2], ..Go::default() };
    let mut child =
        Command::new("sed").args(["-un", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let spec = Spec { arguments: vec!["-un".into(), script.into()], ..Spec::new(Dialect::Uci, "sed") };
    let mut engine = Client::start(spec.clone(), Surroundings::default()).unwrap();
    let file = tempfile::tempfile().unwrap();
    let surroundings = Surroundings { transcript: Some(Transcript::new(file)), ..Surroundings::default() };
    let mut noted = Client::start(spec, surroundings).unwrap();
    let mut times = [vec![], vec![], vec![], vec![]];
    // In turns, so that other load on the machine affects all four alike.
    for _ in 0..ROUNDS {
        let (start, mut line) = (Instant::now(), String::new());
        input.write_all(b"go wtime 10000 btime 10000\n").unwrap();
        output.read_line(&mut line).unwrap();
        times[0].push(start.elapsed());
        let start = Instant::now();
        let answer = engine.search(&go, Duration::from_secs(10)).unwrap();
        times[1].push(start.elapsed());
        times[2].push(answer.time);
        let start = Instant::now();
        noted.search(&go, Duration::from_secs(10)).unwrap();
        times[3].push(start.elapsed());
    }
    drop((input, output));
    child.wait().unwrap();
    let names = ["a bare pipe", "a client", "as the client measures it", "with a transcript in a file"];
    for (name, times) in names.into_iter().zip(times) {
        let [median, most] = figures(times);
        println!("go to bestmove, {name}: median {median:.1} us, 99th percentile {most:.1} us");
    }
}
