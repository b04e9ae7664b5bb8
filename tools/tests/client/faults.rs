//! Engines that misbehave, and what is reported of them.

use super::{TIMEOUT, depth, start};
use crate::engines::{assert_gone, misbehaving, polite, round, shell};
use secateurs::protocol::command::Dialect;
use secateurs_tools::client::{Client, Exit, Fault, GameSpec, Lost, Spec, Surroundings};
use std::fs;
use std::time::{Duration, Instant};

#[test]
fn misbehaviour_is_reported_in_time_and_leaves_no_process() {
    for (name, spec, right) in misbehaving() {
        let began = Instant::now();
        let fault = round(spec).unwrap_err();
        assert!(right(&fault), "{name}: {fault}");
        assert!(began.elapsed() < Duration::from_secs(5), "{name}: {:?}", began.elapsed());
    }
}

#[test]
fn the_last_line_of_stderr_is_quoted() {
    for (spec, words) in [
        (polite("echo 'assertion failed: x > 0' >&2; exit 1", "exit"), "assertion failed: x > 0"),
        (polite("echo first >&2; printf 'no\\n\\n' >&2; exec sleep 1000", "exit"), "no"),
        (shell("echo cannot load the network >&2; exit 1"), "cannot load the network"),
        (shell("printf 'half a line' >&2; read -r line; exec 0<&-; sleep 1000"), "half a line"),
    ] {
        let fault = round(Spec { startup: Duration::from_millis(500), ..spec }).unwrap_err().to_string();
        assert!(fault.contains(&format!("the last line of its stderr: \"{words}\"")), "{fault}");
    }
    // Another dialect helps an engine that lives, or that leaves by itself, but not one that has failed.
    for (spec, advised) in [(shell("exit 3"), false), (shell("exit 0"), true), (shell("exec sleep 1000"), true)] {
        let fault = round(Spec { startup: Duration::from_millis(500), ..spec }).unwrap_err();
        let is_advised = fault.to_string().contains("if it speaks ");
        assert!(is_advised == advised || matches!(fault, Fault::NotSent { .. }), "{fault}");
    }
    // An engine never waits for a reader of its stderr.
    let noisy = "head -c 3000000 /dev/zero >&2; yes complaint | head -n 100000 >&2; echo bestmove a";
    let mut engine = start(polite(noisy, "exit"));
    assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "a");
}

#[test]
fn an_engine_that_cannot_select_the_game_does_not_start() {
    let dialogue = "read -r l; echo uciok; while read -r l; do [ \"$l\" = isready ] && echo readyok; done";
    for (variant, dialect, lenient, starts) in [
        ("kalah", Dialect::Uci, false, false),
        ("kalah", Dialect::Uci, true, true),
        ("chess", Dialect::Uci, false, true),
        ("kalah", Dialect::Ugi, false, true),
    ] {
        let game = Some(GameSpec { variant: variant.into(), options: Vec::new() });
        let script = if dialect == Dialect::Ugi { &dialogue.replace("uciok", "ugiok") } else { dialogue };
        let spec = Spec { game, lenient, dialect, ..shell(script) };
        match Client::start(spec, Surroundings::default()) {
            Ok(_) => assert!(starts, "{variant} {dialect:?}"),
            Err(fault) => {
                assert!(!starts, "{variant} {dialect:?}: {fault}");
                assert!(fault.to_string().starts_with("no option UCI_Variant to select \"kalah\"; if "), "{fault}");
            }
        }
    }
}

#[test]
fn a_failed_start_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let found = folder.path().join("pid");
    let spec = shell("echo $$ >pid; sleep 1000 & sleep 1000");
    let spec = Spec { folder: Some(folder.path().into()), startup: Duration::from_millis(500), ..spec };
    Client::start(spec, Surroundings::default()).err().unwrap();
    let group: u32 = fs::read_to_string(found).unwrap().trim().parse().unwrap();
    assert_gone(group);
}

#[test]
fn the_start_limit_covers_readyok() {
    let soon = Duration::from_millis(300);
    let spec = Spec { startup: soon, ..shell("while read -r line; do [ $line = uci ] && echo uciok; done") };
    let began = Instant::now();
    let fault = Client::start(spec, Surroundings::default()).err().unwrap();
    assert!(matches!(fault.lost(), Some(Lost::TimedOut { .. })), "{fault}");
    assert!(fault.to_string().contains("readyok") && began.elapsed() < Duration::from_secs(9), "{fault}");
}

#[test]
fn the_start_limit_covers_readyok_of_a_new_game() {
    let dialogue = "read -r l; echo uciok; read -r l; echo readyok; while read -r l; do :; done";
    let mut engine = start(Spec { startup: Duration::from_secs(1), ..shell(dialogue) });
    let began = Instant::now();
    let fault = engine.new_game().unwrap_err();
    assert!(matches!(fault.lost(), Some(Lost::TimedOut { .. })), "{fault}");
    assert!(fault.to_string().contains("readyok") && began.elapsed() < Duration::from_secs(9), "{fault}");
}

#[test]
fn an_engine_that_does_not_read_is_lost() {
    let soon = Duration::from_millis(300);
    let mut engine = start(Spec { response: soon, ..shell("echo uciok; sleep .1; echo readyok; sleep 1000") });
    let began = Instant::now();
    let fault = engine.position("startpos", &"e2e4 ".repeat(100_000)).unwrap_err();
    assert_eq!(fault.lost(), Some(&Lost::Stuck));
    // No command can follow half a line.
    assert_eq!(engine.ready().unwrap_err().lost(), Some(&Lost::Stuck));
    assert!(began.elapsed() < Duration::from_secs(2));
    let mut engine = start(shell("read -r l; echo uciok; read -r l; exec 0<&-; echo readyok; sleep 1000"));
    let fault = engine.position("startpos", "").unwrap_err();
    assert_eq!(fault.lost(), Some(&Lost::Deaf { exit: None }));
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    let engine = start(polite("", "sleep 1000"));
    let (id, began) = (engine.id(), Instant::now());
    assert_eq!(engine.quit(), None);
    assert!((Duration::from_millis(300)..Duration::from_secs(2)).contains(&began.elapsed()));
    assert_gone(id);
    // An engine that ended by itself leaves no child processes either.
    let engine = start(polite("", "sleep 1000 & exit 4"));
    let id = engine.id();
    assert_eq!(engine.quit(), Some(Exit::Code(4)));
    assert_gone(id);
}

#[test]
fn a_crashed_engine_can_be_restarted() {
    let mut engine = start(polite("exit 9", "exit"));
    for _ in 0..3 {
        let id = engine.id();
        assert!(engine.search(&depth(1), TIMEOUT).is_err());
        assert_eq!(engine.exit(), Some(Exit::Code(9)));
        assert!(engine.is_searching() && engine.ready().is_err());
        engine.restart().unwrap();
        assert_gone(id);
        assert!(!engine.is_searching() && engine.id() != id);
        assert_eq!((engine.name().as_str(), engine.options().len()), ("Shell", 1));
    }
}
