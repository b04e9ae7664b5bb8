//! Misbehaving engines, written as shell scripts, and checks that their processes have ended.

use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs_tools::client::{Client, Fault, Lost, Spec, Surroundings};
use std::fs;
use std::time::{Duration, Instant};

/// Returns the specification of Secateurs' own engine.
pub fn ours(dialect: Dialect) -> Spec {
    Spec {
        environment: vec![("SECATEURS_LOG".into(), "off".into())],
        ..Spec::new(dialect, env!("CARGO_BIN_EXE_secateurs"))
    }
}

/// Returns a shell script as an engine, with time-outs of 10 s and a grace period of 300 ms.
pub fn shell(script: &str) -> Spec {
    let (soon, later) = (Duration::from_millis(300), Duration::from_secs(10));
    let arguments = vec!["-c".into(), script.into()];
    Spec { arguments, startup: later, response: later, grace: soon, ..Spec::new(Dialect::Uci, "sh") }
}

/// Returns an engine that behaves, except for its actions on `go` and after the end of its input.
pub fn polite(on_go: &str, at_end: &str) -> Spec {
    shell(&format!(
        "while read -r line; do case \"$line\" in \
         uci) echo id name Shell; echo option name Hash type spin default 1 min 1 max 8; echo uciok;; \
         isready) echo readyok;; quit) {at_end};; go*) {on_go};; esac; done; {at_end}"
    ))
}

/// Starts an engine, searches for at most 300 ms, and ends it.
pub fn round(spec: Spec) -> Result<Option<String>, Fault> {
    let mut client = Client::start(spec, Surroundings::default())?;
    let id = client.id();
    let answer = client.search(&Go { depth: Some(1), ..Go::default() }, Duration::from_millis(300));
    client.quit();
    assert_gone(id);
    Ok(answer?.best)
}

/// A misbehaviour: its name, the engine that shows it, and whether a fault is the right one.
pub type Misbehaviour = (&'static str, Spec, fn(&Fault) -> bool);

/// Returns the misbehaviours; each is detected in less than five seconds.
pub fn misbehaving() -> Vec<Misbehaviour> {
    let brief = |spec: Spec| {
        let soon = Duration::from_millis(300);
        Spec { startup: soon, response: soon, ..spec }
    };
    let timed_out: fn(&Fault) -> bool = |fault| matches!(fault.lost(), Some(Lost::TimedOut { .. }));
    let closed: fn(&Fault) -> bool = |fault| matches!(fault.lost(), Some(Lost::Closed { exit: None, .. }));
    vec![
        ("is no program", Spec::new(Dialect::Uci, "/no/such/engine"), |fault| matches!(fault, Fault::Start { .. })),
        ("is silent", brief(shell("sleep 1000")), timed_out),
        (
            "is silent, and its children too",
            brief(shell("trap '' TERM INT HUP; sleep 1000 & sleep 1000; wait")),
            timed_out,
        ),
        ("never gets to uciok", brief(shell("yes option name X type check")), |fault| {
            matches!(fault.lost(), Some(Lost::TimedOut { .. })) || matches!(fault, Fault::BadAnswer { .. })
        }),
        ("has a blank to say", brief(shell("yes ''")), timed_out),
        ("never gets ready", brief(shell("echo uciok; sleep 1000")), timed_out),
        ("crashes at once", shell("exit 3"), |fault| fault.to_string().contains("exit code 3")),
        ("crashes, its child holds the pipe", shell("sleep 1000 & read -r line; exit 3"), |fault| {
            fault.to_string().contains("exit code 3")
        }),
        ("crashes in a search", polite("kill -SEGV $$", "exit"), |fault| {
            fault.to_string() == "no bestmove: it closed its output (signal 11)"
        }),
        ("crashes in its answer", polite("printf 'bestmove e7e8'; exit 0", "exit"), |fault| {
            fault.to_string() == "no bestmove: it closed its output (exit code 0) in the middle of \"bestmove e7e8\""
        }),
        ("hangs", polite("sleep 1000", "exit"), timed_out),
        ("does not end its line", polite("printf 'bestmove 3'; sleep 1000", "exit"), |fault| {
            fault.to_string().ends_with("in time; the last line of its output has no end: \"bestmove 3\"")
        }),
        ("ignores all that ends it", polite("trap '' TERM INT HUP; sleep 1000 & sleep 1000", "sleep 1000"), timed_out),
        ("knows no end of a line", polite("exec tr '\\0' x </dev/zero", "exit"), |fault| {
            matches!(fault.lost(), Some(Lost::TooLong(_)))
        }),
        ("talks without end", polite("exec yes info depth 3", "exit"), timed_out),
        ("names no move", polite("echo bestmove", "exit"), |fault| matches!(fault, Fault::BadAnswer { .. })),
        ("closes its output", polite("exec 1>&-; sleep 1000", "exit"), closed),
        ("closes its input", polite("exit", "exit"), |fault| matches!(fault.lost(), Some(Lost::Closed { .. }))),
        ("leaves a child that leaves the group", polite("setsid sleep 2 & sleep 1000", "exit"), timed_out),
    ]
}

/// Checks that no process of a group lives, some seconds after a kill at the latest: on a busy machine they take a
/// while.
pub fn assert_gone(group: u32) {
    assert!(is_gone_by(group, Instant::now() + Duration::from_secs(5)), "group {group} lives");
}

/// Waits until no process of a group lives; returns false if one lives at the deadline.
pub fn is_gone_by(group: u32, deadline: Instant) -> bool {
    while lives(group) {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Returns whether a process of a group lives, or is a child of ours that has not been reaped.
pub fn lives(group: u32) -> bool {
    let mut found = false;
    for entry in fs::read_dir("/proc").unwrap() {
        let Ok(stat) = fs::read_to_string(entry.unwrap().path().join("stat")) else { continue };
        // The fields after the name, which may contain blanks: the state, the parent, the group.
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let dead = ["Z", "X"].contains(&fields[0]) && fields[1] != std::process::id().to_string();
        found |= fields[2] == group.to_string() && !dead;
    }
    found
}
