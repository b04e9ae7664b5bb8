//! The watchdog: no engine outlives its referee.

use super::TIMEOUT;
use crate::engines::{assert_gone, is_gone_by, lives, ours, polite};
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs_tools::client::watchdog::SCRIPT;
use secateurs_tools::client::{Client, Exit, Lost, Process, Surroundings, Watchdog};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn watchdog() -> Arc<Watchdog> {
    Arc::new(Watchdog::start().unwrap())
}

/// Set in the process that runs the referee.
const REFEREE: &str = "SECATEURS_TEST_REFEREE";

/// Not a test by itself: the referee of the next test, which is killed while its engines search.
#[test]
fn referee() {
    if std::env::var_os(REFEREE).is_none() {
        return;
    }
    let surroundings = Surroundings { watchdog: Some(watchdog()), ..Surroundings::default() };
    let begin = |spec| Client::start(spec, surroundings.clone()).unwrap();
    let specs = [ours(Dialect::Uci), polite("trap '' TERM INT HUP; sleep 1000 & sleep 1000", "sleep 1000")];
    // The watchdog does not kill an engine that has ended.
    begin(polite("", "exit")).quit();
    let mut engines = specs.map(begin);
    for engine in &mut engines {
        engine.go(&Go::default()).unwrap();
    }
    println!("\ngroups {} {} {}", engines[0].id(), engines[1].id(), surroundings.watchdog.as_ref().unwrap().id());
    std::thread::sleep(TIMEOUT);
}

#[test]
fn no_engine_outlives_a_killed_referee() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "client::watchdog::referee", "--nocapture"]).env(REFEREE, "1");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let found = lines.into_iter().find_map(|line| line.strip_prefix("groups ").map(str::to_owned)).unwrap();
    let groups: Vec<u32> = found.split(' ').map(|group| group.parse().unwrap()).collect();
    assert!(groups.iter().all(|&group| lives(group)), "{groups:?}");
    child.kill().unwrap();
    let deadline = Instant::now() + Duration::from_secs(1);
    assert!(groups.iter().all(|&group| is_gone_by(group, deadline)), "{groups:?}");
    child.wait().unwrap();
}

#[test]
fn a_lost_watchdog_is_replaced_and_ends_with_its_last_engine() {
    let watchdog = watchdog();
    let surroundings = Surroundings { watchdog: Some(Arc::clone(&watchdog)), ..Surroundings::default() };
    let first = watchdog.id();
    let one = Client::start(ours(Dialect::Uci), surroundings.clone()).unwrap();
    Command::new("kill").args(["-9", &first.to_string()]).status().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let other = Client::start(ours(Dialect::Uci), surroundings).unwrap();
    let second = watchdog.id();
    assert!(first != second && lives(second));
    assert_gone(first);
    drop(watchdog);
    assert_eq!((one.quit(), lives(second)), (Some(Exit::Code(0)), true));
    assert_eq!(other.quit(), Some(Exit::Code(0)));
    assert_gone(second);
}

#[test]
fn a_watchdog_kills_the_groups_it_guards_and_nothing_else() {
    let sleeper = || Process::spawn(Command::new("sleep").arg("1000").stderr(Stdio::null()), None, None).unwrap();
    let (mut guarded, mut released) = (sleeper(), sleeper());
    let mut child = Command::new("sh").args(["-c", SCRIPT]).stdin(Stdio::piped()).spawn().unwrap();
    let (one, other) = (guarded.id(), released.id());
    let lines = format!(
        "guard {one}\nguard {other}\nrelease {other}\nguard 0\nguard 1\nguard -1\nguard 01\nguard\nrelease 7\nfly\n\u{fffd}\n"
    );
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(guarded.receive(None).unwrap_err(), Lost::Closed { exit: Some(Exit::Signal(9)), rest: String::new() });
    assert_eq!(released.exit(), None);
}
