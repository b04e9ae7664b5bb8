//! The soak test: random dialogues with the protocol, checked from outside by the rules of the games.
//!
//! ```sh
//! SOAK_COUNT=100000 SOAK_SEED=0 cargo test --release --test soak -- --ignored --nocapture
//! ```
//!
//! A failing dialogue is printed with its seed and as a command that replays it. Times differ between runs. To repeat a
//! single seed, set `SOAK_COUNT=1`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "all of it is tests"
)]

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod referee;
mod script;
mod search;
mod session;
mod solved;

use common::dialogue::Dialogue;
use referee::{Said, Tally, check};
use script::{Script, Step};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// The time-out of an answer, and of the end of a dialogue.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The number of failures after which the soak stops.
const ENOUGH: usize = 5;

#[test]
fn random_dialogues_are_answered_by_the_rules() {
    soak(0, 500);
}

#[test]
#[ignore = "long: the count is that of SOAK_COUNT"]
fn many_random_dialogues_are_answered_by_the_rules() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    soak(number("SOAK_SEED", 1_000_000), number("SOAK_COUNT", 100_000) as usize);
}

/// Runs the dialogues of `count` seeds on all cores.
fn soak(seed: u64, count: usize) {
    let files = tempfile::tempdir().unwrap();
    let (next, failures, sum) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(Sum::default()));
    let (began, workers) = (Instant::now(), available_parallelism().map_or(1, usize::from));
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let directory = files.path().join(worker.to_string());
            std::fs::create_dir(&directory).unwrap();
            let (next, failures, sum) = (&next, &failures, &sum);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || failures.lock().unwrap().len() >= ENOUGH {
                        break;
                    }
                    match one(seed + index as u64, &directory) {
                        Ok(held) => sum.lock().unwrap().add(&held),
                        Err(failure) => {
                            eprintln!("{failure}");
                            failures.lock().unwrap().push(failure);
                        }
                    }
                    if count > 1_000 && (index + 1) % (count / 100) == 0 {
                        eprintln!(
                            "{:>6.0} s, {} dialogues: {}",
                            began.elapsed().as_secs_f64(),
                            index + 1,
                            sum.lock().unwrap()
                        );
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    eprintln!("{:>6.1} s, {count} dialogues: {}", began.elapsed().as_secs_f64(), sum.into_inner().unwrap());
    assert!(failures.is_empty(), "{} dialogues failed; the first:\n{}", failures.len(), failures[0]);
}

/// The totals of all dialogues.
#[derive(Default)]
struct Sum {
    tally: Tally,
    slowest_end: Duration,
}

impl Sum {
    fn add(&mut self, other: &Self) {
        self.tally.lines += other.tally.lines;
        self.tally.searches += other.tally.searches;
        self.tally.infos += other.tally.infos;
        self.tally.unanswered += other.tally.unanswered;
        self.slowest_end = self.slowest_end.max(other.slowest_end);
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { lines, searches, infos, unanswered } = self.tally;
        write!(f, "{lines} lines, {searches} go ({unanswered} refused or left), {infos} info, ")?;
        write!(f, "slowest end {:.1} s", self.slowest_end.as_secs_f64())
    }
}

/// Runs the dialogue of a seed and checks it.
fn one(seed: u64, files: &Path) -> Result<Sum, String> {
    let script = generate::script(seed, files);
    let mut said = Vec::new();
    let checked =
        hold(&script, &mut said).and_then(|slowest_end| Ok(Sum { tally: check(&script, &said)?, slowest_end }));
    checked.map_err(|why| {
        let lines: String = said.iter().map(|said| format!("< {:.300}\n", said.line)).collect();
        format!("seed {seed}: {why}\n{script}\n{lines}")
    })
}

/// Runs a dialogue to its end and returns how long the end took.
fn hold(script: &Script, said: &mut Vec<Said>) -> Result<Duration, String> {
    let mut dialogue = Dialogue::new(script.game);
    let (mut pending, mut expected) = (Vec::new(), 0);
    for (index, step) in script.steps.iter().enumerate() {
        let steps = index + 1;
        if let Step::Say(line) = step {
            expected += usize::from(line.trim_ascii().starts_with(b"isready"));
            pending.extend_from_slice(line);
            if !script.piped {
                dialogue.send_bytes(&std::mem::take(&mut pending));
            }
            continue;
        }
        dialogue.send_bytes(&std::mem::take(&mut pending));
        let timeout = if let Step::Pause(time) = step { *time } else { TIMEOUT };
        let deadline = Instant::now() + timeout;
        let mut readies = said.iter().filter(|said| said.line == "readyok").count();
        while !matches!(step, Step::AwaitReady if readies >= expected) {
            match dialogue.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    let last = matches!(step, Step::AwaitMark(mark) if line.contains(&format!("{mark:?}")));
                    readies += usize::from(line == "readyok");
                    said.push(Said { line, steps });
                    if last {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) if matches!(step, Step::Pause(_)) => break,
                Err(RecvTimeoutError::Timeout) => return Err(format!("no answer to step {steps} within {TIMEOUT:?}")),
                Err(RecvTimeoutError::Disconnected) => return Err(format!("the end came at step {steps}")),
            }
        }
    }
    dialogue.send_bytes(&pending);
    dialogue.input = None;
    let ended = Instant::now();
    let steps = script.steps.len() + 1;
    loop {
        match dialogue.output.recv_timeout((ended + TIMEOUT).saturating_duration_since(Instant::now())) {
            Ok(line) => said.push(Said { line, steps }),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => return Err(format!("no end within {TIMEOUT:?}")),
        }
    }
    let slowest_end = ended.elapsed();
    match dialogue.thread.join() {
        Ok(Ok(())) => Ok(slowest_end),
        Ok(Err(error)) => Err(format!("the dialogue ended with {error}")),
        Err(_) => Err("the dialogue panicked".into()),
    }
}
