//! Engines at the other end of a pipe: Secateurs' own, and some that misbehave.

mod faults;
mod watchdog;

use crate::engines::{assert_gone, ours, polite, round, shell};
use secateurs::core::{Limits, Proof, Request, StopFlag};
use secateurs::protocol::command::Dialect;
use secateurs::protocol::go::Go;
use secateurs::registry;
use secateurs::search::Table;
use secateurs_tools::client::option::Kind;
use secateurs_tools::client::{Client, Exit, Fault, GameSpec, Lost, Score, Spec, Surroundings, Transcript};
use std::fs;
use std::io::Write;
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

#[test]
fn kalah_is_played_in_uci() {
    let kalah = GameSpec { variant: "kalah".into(), options: Vec::new() };
    let mut engine = start(Spec { game: Some(kalah), ..ours(Dialect::Uci) });
    assert!(engine.name().starts_with("Secateurs ") && engine.author().contains("developers"));
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
    let spec = Spec { game: game("shogi", &[]), ..ours(Dialect::Uci) };
    assert_eq!(
        fault(spec),
        "bad value \"shogi\" for option \"UCI_Variant\": one of \"kalah, nim, connect4, cfour, chess, checkers, draughts, brazilian, xiangqi, oware, othello\""
    );
    // A game option may be missing in an engine; any other option only if the specification is lenient.
    start(Spec { game: game("chess", &[("Colour", "red")]), ..polite("", "exit") });
    start(Spec { lenient: true, ..with(&[("Hahs", "3"), ("Hash", "1")]) });
    let mut engine = start(ours(Dialect::Uci));
    let two_lines = engine.position("startpos", "3\nquit").unwrap_err();
    assert!(matches!(two_lines.lost(), Some(Lost::NotOneLine(_))), "{two_lines}");
    engine.ready().unwrap();
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

/// `SECATEURS_TEST_CHESS=stockfish cargo test --test suite client:: -- --ignored`: any chess engine that speaks UCI.
#[test]
#[ignore = "needs an engine of somebody else"]
fn a_foreign_engine_plays_chess() {
    let command = std::env::var("SECATEURS_TEST_CHESS").unwrap();
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
    assert!(round(spec.clone()).unwrap_err().to_string().contains("its stderr cannot go to \"/no/such/folder/file\""));
    let spec = Spec { stderr: None, folder: Some("/no/such/folder".into()), ..spec };
    assert!(round(spec).unwrap_err().to_string().ends_with(": \"/no/such/folder\" is not a folder"));
}

#[test]
fn draughts_are_played_in_hub() {
    for (game, text, moves) in [("draughts", "startpos", "32-28 19-23 28x19"), ("checkers", "W:W18,32:B14,15,K1", "")] {
        let game = GameSpec { variant: game.into(), options: Vec::new() };
        let mut engine = start(Spec { game: Some(game.clone()), ..ours(Dialect::Hub) });
        assert!(engine.name().starts_with("Secateurs ") && engine.author().contains("developers"));
        assert_eq!(engine.declared("hash").unwrap().kind, Kind::Spin { default: 64, min: 1, max: 1_048_576 });
        assert!(engine.declared("DraughtsEndgames").is_some());
        engine.set_option("Hash", "1").unwrap();
        engine.new_game().unwrap();
        let row = registry::find(&game.variant).unwrap();
        let mut board = row.parse(&row.defaults(), text).unwrap();
        moves.split_whitespace().for_each(|mv| board.play(mv).unwrap());
        for go in [depth(5), Go { time: [Some(Duration::from_secs(1)); 2], ..Go::default() }] {
            engine.position(text, moves).unwrap();
            let answer = engine.search(&go, TIMEOUT).unwrap();
            board.boxed().play(&answer.best.clone().unwrap()).unwrap();
            let info = answer.info().unwrap();
            assert!(
                info.depth >= Some(5) && info.nodes > Some(0) && info.pv.first() == answer.best.as_ref(),
                "{info:?}"
            );
        }
        engine.position(text, moves).unwrap();
        engine.go(&Go { ponder: true, time: [Some(Duration::from_millis(200)); 2], ..Go::default() }).unwrap();
        engine.ready().unwrap();
        engine.ponderhit().unwrap();
        let answer = engine.answer(Some(Instant::now() + TIMEOUT), &mut |_| {}).unwrap().unwrap();
        assert!(answer.time < Duration::from_secs(1));
        engine.go(&Go::default()).unwrap();
        engine.stop().unwrap();
        assert!(engine.answer(Some(Instant::now() + TIMEOUT), &mut |_| {}).unwrap().unwrap().best.is_some());
        assert!(matches!(engine.position("startpos", "1-2"), Err(Fault::NotHub(_))));
        assert_eq!(engine.quit(), Some(Exit::Code(0)));
    }
    let kalah = GameSpec { variant: "kalah".into(), options: Vec::new() };
    let refused =
        Client::start(Spec { game: Some(kalah), ..ours(Dialect::Hub) }, Surroundings::default()).err().unwrap();
    assert_eq!(refused.to_string(), "the Hub protocol, of draughts, does not have \"kalah\"");
}

#[test]
fn an_engine_that_does_not_speak_hub_or_names_no_move_is_at_fault() {
    let hub = |go: &str| Spec {
        dialect: Dialect::Hub,
        ..shell(&format!(
            "while read -r word rest; do case $word in hub) echo id name=Shell; echo wait;; init) echo ready;; \
             ping) echo pong;; quit) exit;; go) {go};; esac; done"
        ))
    };
    for (go, says) in [
        ("echo done", "bad answer \"done\": it names no move"),
        ("echo 'done move=\"31-27'", "bad answer \"done move=\\\"31-27\": its quotes do not end"),
        ("exit 3", "no done: it closed its output (exit code 3)"),
        ("sleep 1000", "no done: it did not answer in time"),
    ] {
        let mut engine = start(hub(go));
        engine.position("startpos", "").unwrap();
        let fault = engine.search(&depth(1), Duration::from_millis(300)).unwrap_err().to_string();
        assert!(fault.starts_with(says), "{fault}");
    }
    let mut engine = start(hub("echo done move=32-28"));
    engine.position("startpos", "").unwrap();
    assert_eq!(engine.search(&depth(1), TIMEOUT).unwrap().best.as_deref(), Some("32-28"));
}
