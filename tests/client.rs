//! Engines at the other end of a pipe: Secateur's own, and some that misbehave.

use crate::common::engines::{assert_gone, is_gone_by, lives, misbehaving, ours, polite, round, shell};
use secateur::client::option::Kind;
use secateur::client::watchdog::SCRIPT;
use secateur::client::{Client, Exit, Fault, GameSpec, Lost, Process, Score, Spec, Surroundings, Transcript, Watchdog};

use secateur::core::{Limits, Proof, Request, StopFlag};
use secateur::protocol::command::Dialect;
use secateur::protocol::go::Go;
use secateur::registry;
use secateur::search::Table;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time-out of an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

fn start(spec: Spec) -> Client {
    Client::start(spec, Surroundings::default()).unwrap()
}

fn depth(depth: u64) -> Go {
    Go { depth: Some(depth), ..Go::default() }
}

fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

fn watchdog() -> Arc<Watchdog> {
    Arc::new(Watchdog::start().unwrap())
}

#[test]
fn kalah_is_played_in_uci() {
    let kalah = GameSpec { variant: "kalah".into(), options: Vec::new() };
    let mut engine = start(Spec { game: Some(kalah), ..ours(Dialect::Uci) });
    assert!(engine.name().starts_with("Secateur ") && engine.author().contains("developers"));
    assert_eq!(engine.declared("HASH").unwrap().kind, Kind::Spin { default: 64, min: 1, max: 1_048_576 });
    engine.new_game().unwrap();
    engine.position("startpos", "").unwrap();
    let answer = engine.search(&depth(6), TIMEOUT).unwrap();
    let info = answer.info().unwrap();
    // The same moves as without a pipe.
    let row = registry::find("kalah").unwrap();
    let mut here = row.start(&row.defaults()).unwrap().engine(Arc::new(Table::new(64).unwrap()));
    let found = &here.search(&Request::new(Limits::depth(6)), &StopFlag::new(), &mut |_| {})[0];
    assert_eq!((answer.best.as_ref(), info.depth), (found.best(), Some(6)));
    assert_eq!((info.score, info.nodes, &info.pv), (Some(Score::Cp(found.score)), Some(found.nodes), &found.pv));
    assert!(answer.time >= info.time.unwrap() && answer.time < TIMEOUT);
    let (mut found, deadline) = (0, Instant::now() + TIMEOUT);
    engine.set_option("multipv", "2").unwrap();
    engine.go(&depth(3)).unwrap();
    let answer = engine.answer(Some(deadline), &mut |_| found += 1).unwrap().unwrap();
    assert_eq!(answer.lines.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2]);
    assert!(found >= 6);
    engine.position("<3,8,2,0,0,1,0,1,0> s", "3").unwrap();
    assert_eq!(engine.query("result").unwrap(), "p1win");
    assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best, None);
    let id = engine.id();
    assert_eq!(engine.quit(), Some(Exit::Code(0)));
    assert_gone(id);
}

#[test]
fn proofs_are_read_through_the_pipe() {
    let options = pairs(&[("Houses", "3"), ("Seeds", "3")]);
    let game = Some(GameSpec { variant: "Kalah".into(), options });
    let mut engine = start(Spec { game, options: pairs(&[("hash", "2")]), ..ours(Dialect::Uci) });
    engine.position("startpos", "").unwrap();
    let answer = engine.search(&depth(255), TIMEOUT).unwrap();
    let info = answer.info().unwrap();
    assert_eq!((info.score, info.proof), (Some(Score::Cp(200)), Proof::EXACT));
}

#[test]
fn nim_is_played_in_ugi() {
    let game = GameSpec { variant: "nim".into(), options: pairs(&[("Heaps", "1,2"), ("Theory", "false")]) };
    let mut engine = start(Spec { game: Some(game), ..ours(Dialect::Ugi) });
    engine.new_game().unwrap();
    engine.position("startpos", "").unwrap();
    assert!(engine.query_truth("p1turn").unwrap() && !engine.query_truth("gameover").unwrap());
    assert!(engine.query_truth("islegal 2-2").unwrap() && !engine.query_truth("islegal 2-3").unwrap());
    assert_eq!(engine.query("result").unwrap(), "none");
    assert!(matches!(engine.query_truth("result"), Err(Fault::BadAnswer { .. })));
    let time = [Some(Duration::from_secs(2)), Some(Duration::from_secs(1))];
    let answer = engine.search(&Go { time, ..Go::default() }, TIMEOUT).unwrap();
    let info = answer.info().unwrap();
    assert_eq!((answer.best.as_deref(), info.score, info.proof), (Some("2-1"), Some(Score::Mate(2)), Proof::EXACT));
    engine.position("startpos", "2-1 1-1 2-1").unwrap();
    assert_eq!(engine.query("result").unwrap(), "p1win");
}

#[test]
fn stop_and_ponderhit_take_effect() {
    let mut engine = start(ours(Dialect::Uci));
    assert_eq!(engine.stop(), Ok(()));
    assert_eq!(engine.ponderhit(), Err(Fault::Idle("ponderhit")));
    assert_eq!(engine.answer(None, &mut |_| {}), Err(Fault::Idle("bestmove")));
    engine.go(&Go::default()).unwrap();
    assert_eq!(engine.position("startpos", ""), Err(Fault::Searching("position")));
    assert_eq!(engine.go(&Go::default()), Err(Fault::Searching("go")));
    assert_eq!(engine.answer(Some(Instant::now() + Duration::from_millis(50)), &mut |_| {}), Ok(None));
    engine.ready().unwrap();
    assert!(engine.is_searching());
    engine.stop().unwrap();
    // The answer is not lost among the lines before `readyok`.
    engine.ready().unwrap();
    let answer = engine.answer(Some(Instant::now() + TIMEOUT), &mut |_| {}).unwrap().unwrap();
    assert!(answer.best.is_some() && answer.info().is_some() && answer.time >= Duration::from_millis(50));
    assert!(!engine.is_searching());
    engine.go(&Go { ponder: true, movetime: Some(Duration::ZERO), ..Go::default() }).unwrap();
    assert_eq!(engine.answer(Some(Instant::now() + Duration::from_millis(50)), &mut |_| {}), Ok(None));
    engine.ponderhit().unwrap();
    let answer = engine.answer(Some(Instant::now() + TIMEOUT), &mut |_| {}).unwrap().unwrap();
    assert!(answer.best.is_some());
}

#[test]
fn bad_options_are_reported() {
    let with = |options: &[(&str, &str)]| Spec { options: pairs(options), ..ours(Dialect::Uci) };
    let fault = |spec| Client::start(spec, Surroundings::default()).err().unwrap().to_string();
    assert!(fault(with(&[("Hahs", "3")])).starts_with("unknown option \"Hahs\"; it declares \"Clear Hash, Hash, "));
    assert_eq!(fault(with(&[("Hash", "0")])), "bad value \"0\" for option \"Hash\": a whole number from 1 to 1048576");
    let game = |variant: &str, options| Some(GameSpec { variant: variant.into(), options: pairs(options) });
    let spec = Spec { game: game("draughts", &[]), ..ours(Dialect::Uci) };
    assert_eq!(
        fault(spec),
        "bad value \"draughts\" for option \"UCI_Variant\": one of \"kalah, nim, connect4, cfour, chess\""
    );
    // A game option may be missing in an engine; any other option only if the specification is lenient.
    start(Spec { game: game("kalah", &[("Colour", "red")]), ..polite("", "exit") });
    start(Spec { lenient: true, ..with(&[("Hahs", "3"), ("Hash", "1")]) });
    let mut engine = start(ours(Dialect::Uci));
    let two_lines = engine.position("startpos", "3\nquit").unwrap_err();
    assert!(matches!(two_lines.lost(), Some(Lost::Unspeakable(_))), "{two_lines}");
    engine.ready().unwrap();
}

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
    // An engine never waits for a reader of its stderr.
    let noisy = "head -c 3000000 /dev/zero >&2; yes complaint | head -n 100000 >&2; echo bestmove a";
    let mut engine = start(polite(noisy, "exit"));
    assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "a");
}

#[test]
fn the_dialect_of_an_engine_is_detected() {
    let speaks = |words: &[&str], unknown: &str| {
        let answers: String =
            words.iter().map(|word| format!("{word}) echo id name Shell; echo {word}ok;; ")).collect();
        shell(&format!(
            "while read -r line; do case \"$line\" in {answers} isready) echo readyok;; quit) exit;; \
             go*) echo bestmove a;; *) {unknown};; esac; done"
        ))
    };
    for (words, unknown, first, found) in [
        (&["uci"][..], "true", Dialect::Ugi, Dialect::Uci),
        (&["uci"], "echo Unknown command", Dialect::Ugi, Dialect::Uci),
        (&["uci"], "case $line in ugi) exit 1;; esac", Dialect::Ugi, Dialect::Uci),
        (&["ugi"], "true", Dialect::Uci, Dialect::Ugi),
        (&["ugi"], "case $line in uci) exit 1;; esac", Dialect::Uci, Dialect::Ugi),
        (&["uci", "ugi"], "true", Dialect::Ugi, Dialect::Ugi),
        (&["uci", "ugi"], "true", Dialect::Uci, Dialect::Uci),
    ] {
        let mut engine = start(Spec { probe: true, dialect: first, ..speaks(words, unknown) });
        assert_eq!((engine.spec().dialect, engine.name().as_str()), (found, "Shell"), "{words:?} {unknown}");
        for _ in 0..2 {
            engine.new_game().unwrap();
            assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "a");
            engine.restart().unwrap();
        }
    }
    // A slow engine is sent both handshakes and may answer both.
    let mut engine = start(Spec {
        probe: true,
        ..shell(
            "sleep 0.6; while read -r line; do case \"$line\" in uci) echo uciok;; ugi) echo ugiok;; isready) echo readyok;; \
         go*) echo bestmove a;; quit) exit;; esac; done",
        )
    });
    assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "a");
    let fault = |dialect, probe| {
        let silent = Spec { dialect, probe, startup: Duration::from_millis(500), ..shell("sleep 1000") };
        Client::start(silent, Surroundings::default()).err().unwrap().to_string()
    };
    assert!(
        fault(Dialect::Ugi, false).contains("no ugiok: it did not answer in time; if it speaks UCI, say so: proto=uci")
    );
    assert!(fault(Dialect::Uci, false).contains("proto=ugi"));
    assert_eq!(fault(Dialect::Ugi, true), "no ugiok or uciok: it did not answer in time");
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
    assert_eq!(fault.lost(), Some(&Lost::TimedOut));
    assert!(fault.to_string().contains("readyok") && began.elapsed() < Duration::from_secs(9), "{fault}");
}

#[test]
fn the_start_limit_covers_readyok_of_a_new_game() {
    let dialogue = "read -r l; echo uciok; read -r l; echo readyok; while read -r l; do :; done";
    let mut engine = start(Spec { startup: Duration::from_secs(1), ..shell(dialogue) });
    let began = Instant::now();
    let fault = engine.new_game().unwrap_err();
    assert_eq!(fault.lost(), Some(&Lost::TimedOut));
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
fn invalid_utf8_is_replaced() {
    let mut engine = start(polite("printf 'info string \\200\\nbestmove \\377\\r\\n'", "exit"));
    assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "\u{fffd}");
}

#[test]
fn late_answers_are_received_and_stale_ones_dropped() {
    let mut engine = start(polite("sleep .4; echo bestmove a", "exit"));
    let began = Instant::now();
    engine.go(&depth(1)).unwrap();
    assert_eq!(engine.answer(Some(began + Duration::from_millis(50)), &mut |_| {}), Ok(None));
    std::thread::sleep(Duration::from_millis(600));
    // The answer has arrived by now, but after this deadline.
    assert_eq!(engine.answer(Some(began + Duration::from_millis(100)), &mut |_| {}), Ok(None));
    let answer = engine.answer(Some(Instant::now()), &mut |_| {}).unwrap().unwrap();
    assert!(answer.time >= Duration::from_millis(400) && answer.time < began.elapsed());
    let mut engine = start(polite("echo bestmove b; echo bestmove stale", "exit"));
    for _ in 0..3 {
        assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "b");
        engine.ready().unwrap();
    }
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

/// `SECATEUR_TEST_CHESS=stockfish cargo test --test suite client:: -- --ignored`: any chess engine that speaks UCI.
#[test]
#[ignore = "needs an engine of somebody else"]
fn a_foreign_engine_plays_chess() {
    let command = std::env::var("SECATEUR_TEST_CHESS").unwrap();
    let mut words = command.split(' ').map(str::to_owned);
    let spec = Spec::new(Dialect::Uci, words.next().unwrap());
    let spec = Spec { arguments: words.collect(), options: pairs(&[("Hash", "8")]), ..spec };
    let mut engine = start(spec);
    println!("{} by {}: {:#?}", engine.name(), engine.author(), engine.options());
    engine.new_game().unwrap();
    for (text, moves) in
        [("startpos", "e2e4 e7e5"), ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "")]
    {
        for go in [depth(6), Go { time: [Some(Duration::from_secs(2)); 2], ..Go::default() }] {
            engine.position(text, moves).unwrap();
            let answer = engine.search(&go, TIMEOUT).unwrap();
            println!("{answer:?}");
            let info = answer.info().unwrap();
            assert_eq!(answer.best.as_ref(), info.pv.first());
            assert!(text == "startpos" || info.score == Some(Score::Mate(1)));
        }
    }
    engine.position("startpos", "").unwrap();
    engine.go(&Go::default()).unwrap();
    assert_eq!(engine.answer(Some(Instant::now() + Duration::from_millis(100)), &mut |_| {}), Ok(None));
    engine.stop().unwrap();
    assert!(engine.answer(Some(Instant::now() + TIMEOUT), &mut |_| {}).unwrap().is_some());
    // Some engines crash even at `quit`.
    assert!(engine.quit().is_some());
}

/// A shared writer that keeps its bytes.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn dialogue_stderr_folder_and_environment_are_options() {
    let (folder, paper) = (tempfile::tempdir().unwrap(), Paper::default());
    let surroundings = Surroundings { transcript: Some(Transcript::new(paper.clone())), ..Surroundings::default() };
    let spec = Spec {
        name: "south".into(),
        folder: Some(folder.path().into()),
        environment: pairs(&[("MOVE", "e5")]),
        stderr: Some(folder.path().join("stderr.txt")),
        grace: TIMEOUT,
        ..polite("echo thinking >&2; pwd >pwd.txt; echo bestmove $MOVE", "exit")
    };
    for _ in 0..2 {
        let mut engine = Client::start(spec.clone(), surroundings.clone()).unwrap();
        assert_eq!(engine.name(), "south");
        assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.unwrap(), "e5");
        engine.quit();
    }
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(file("stderr.txt"), "thinking\nthinking\n");
    assert_eq!(fs::canonicalize(file("pwd.txt").trim()).unwrap(), fs::canonicalize(folder.path()).unwrap());
    let found = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    let mut lines: Vec<(f64, String)> = found
        .lines()
        .map(|line| {
            let (seconds, rest) = line.trim_start().split_once(' ').unwrap();
            (seconds.parse().unwrap(), rest.to_owned())
        })
        .collect();
    lines.sort_by(|left, right| left.0.total_cmp(&right.0));
    let texts: Vec<&str> = lines.iter().map(|(_, text)| text.as_str()).collect();
    let once = [
        "south > uci",
        "south < id name Shell",
        "south < option name Hash type spin default 1 min 1 max 8",
        "south < uciok",
        "south > isready",
        "south < readyok",
        "south > go depth 1",
        "south < bestmove e5",
        "south > quit",
    ];
    assert_eq!(texts, [once, once].concat());
    let spec = Spec { stderr: Some("/no/such/folder/file".into()), ..spec };
    assert!(round(spec).unwrap_err().to_string().contains("its stderr cannot go to /no/such/folder/file"));
}

/// Set in the process that runs the referee.
const REFEREE: &str = "SECATEUR_TEST_REFEREE";

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
    command.args(["--exact", "client::referee", "--nocapture"]).env(REFEREE, "1");
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
