//! Matches over pipes: every way in which a game or a match ends, with its effect on the records.

use secateur::arena::clock::Control;
use secateur::arena::journal::Journal;
use secateur::arena::openings::{RandomWalk, Source};
use secateur::arena::record::{Ending, GameRecord, MoveRecord, Winner};
use secateur::arena::referee::{Adjudication, Agreement, Timeouts};
use secateur::arena::schedule::{Format, Schedule};
use secateur::arena::{Contestant, InHouse, Model, Restart, Sprt, Standings, Stopped, Test, Tournament};
use secateur::client::{GameSpec, Spec, Surroundings};
use secateur::core::{Outcome, Side, StopFlag};
use secateur::protocol::command::Dialect;
use secateur::registry::{self, Setup};
use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_secateur");

/// Returns Secateur's own engine with a node limit per move.
fn ours(name: &str, nodes: u64) -> Contestant {
    let mut spec = Spec::new(Dialect::Ugi, ENGINE);
    spec.name = name.into();
    spec.options = vec![("Hash".into(), "1".into())];
    spec.game = Some(GameSpec { variant: "kalah".into(), options: vec![("Houses".into(), "4".into())] });
    Contestant::new(spec, self::nodes(nodes))
}

/// Returns a shell script as an engine, which runs the commands `go` on every `go`.
fn script(name: &str, go: &str, control: Control) -> Contestant {
    let dialogue = format!(
        "while read -r line; do case \"$line\" in \
         ugi) echo ugiok;; isready) echo readyok;; go*) {go};; quit) exit;; esac; done"
    );
    let mut spec = Spec::new(Dialect::Ugi, "sh");
    spec.name = name.into();
    spec.arguments = vec!["-c".into(), dialogue];
    spec.grace = Duration::from_millis(200);
    Contestant::new(spec, control)
}

fn nodes(nodes: u64) -> Control {
    Control { nodes: Some(nodes), ..Control::default() }
}

fn tournament(contestants: Vec<Contestant>, rounds: usize) -> Tournament {
    let mut setup = Setup::new(registry::find("kalah").unwrap());
    setup.set("Houses", "4").unwrap();
    Tournament {
        setup,
        schedule: Schedule { format: Format::RoundRobin, engines: contestants.len(), rounds },
        contestants,
        openings: Source::Random(RandomWalk { plies: 2, candidates: 2, nodes: 50 }),
        seed: 1,
        adjudication: Adjudication::default(),
        timeouts: Timeouts { margin: Duration::from_millis(20), hang: Duration::from_millis(500) },
        concurrency: 1,
        pinned: false,
        test: None,
        surroundings: Surroundings::default(),
        start_handler: None,
    }
}

/// Returns the records by game number, and the standings.
fn play(tournament: &Tournament) -> (Vec<GameRecord>, Standings) {
    let mut records = Vec::new();
    let standings =
        tournament.play(None, &[], &StopFlag::new(), &mut |record, _| records.push(record.clone())).unwrap();
    records.sort_by_key(|record| record.number);
    (records, standings)
}

/// Returns a record without its times.
fn timeless(record: &GameRecord) -> GameRecord {
    let mut record = record.clone();
    record.moves.iter_mut().for_each(|MoveRecord(_, time, ..)| *time = 0);
    record.started = None;
    record
}

fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn games_are_played_to_their_ends_with_both_colours() {
    let tournament = tournament(vec![ours("a", 200), ours("b", 400), ours("c", 300)], 3);
    let (records, standings) = play(&tournament);
    assert_eq!(records.len(), 3 * 3 * 2);
    for pair in records.chunks(2) {
        let [first, second] = pair else { unreachable!() };
        assert_eq!((&first.players[0], &first.players[1]), (&second.players[1], &second.players[0]));
        assert_eq!((first.round, &first.opening), (second.round, &second.opening));
    }
    for record in &records {
        assert_eq!((record.ending, record.detail.as_str(), record.wrong_claims), (Ending::Rules, "", [0, 0]));
        let mut board = tournament.setup.board(&record.opening.position).unwrap();
        let moves = record.opening.moves.iter().chain(record.moves.iter().map(|mv| &mv.0));
        moves.for_each(|mv| board.play(mv).unwrap());
        let Some(Outcome::Margin(margin)) = board.outcome() else { panic!("not over: {record:?}") };
        let margin = if board.turn() == Side::First { margin } else { -margin };
        assert_eq!(record.margin, Some(margin));
        let winner = [Winner::Second, Winner::Nobody, Winner::First][(margin.signum() + 1) as usize];
        assert_eq!(record.result, winner);
        assert!(record.moves.iter().all(|mv| !mv.2.is_empty() && mv.3 > 0 && mv.4 > 0), "{record:?}");
    }
    assert_eq!((standings.games(), standings.tally(0, 1).pairs.total()), (18, 3));
    assert_eq!(standings.ended(Ending::Rules), 18);
}

#[test]
fn concurrent_games_equal_sequential_ones() {
    let mut tournament = tournament(vec![ours("a", 150), ours("b", 250)], 6);
    let alone = play(&tournament).0;
    tournament.concurrency = 3;
    tournament.pinned = true;
    let together = play(&tournament).0;
    let timeless = |records: Vec<_>| records.iter().map(timeless).collect::<Vec<_>>();
    assert_eq!(timeless(alone), timeless(together));
}

#[test]
fn our_engine_plays_the_same_with_and_without_a_pipe() {
    let piped = tournament(vec![ours("a", 150), ours("b", 250)], 4);
    let inhouse = |name: &str, count| {
        let options = vec![("Hash".into(), "1".into())];
        let player = InHouse { setup: piped.setup.clone(), options, library: None };
        Contestant { name: name.into(), ..Contestant::new(player, nodes(count)) }
    };
    let without = tournament(vec![inhouse("a", 150), inhouse("b", 250)], 4);
    // The node counts of a pipe come from the last line of a search and miss the rest of one that was cut off.
    let countless = |records: Vec<_>| {
        let mut records: Vec<_> = records.iter().map(timeless).collect();
        records.iter_mut().flat_map(|record| &mut record.moves).for_each(|MoveRecord(.., nodes)| *nodes = 0);
        records
    };
    assert_eq!(countless(play(&piped).0), countless(play(&without).0));
    let mut wrong = inhouse("wrong", 1);
    wrong.spec =
        Arc::new(InHouse { setup: piped.setup.clone(), options: vec![("Hsh".into(), "1".into())], library: None });
    let stopped = tournament(vec![inhouse("a", 1), wrong], 1).play(None, &[], &StopFlag::new(), &mut |_, _| {});
    assert_eq!(stopped.unwrap_err().to_string(), "wrong: unknown option \"Hsh\"");
}

#[test]
fn an_aborted_match_ends_at_once() {
    let mut tournament = tournament(vec![script("asleep", "sleep 1000", nodes(1)), ours("a", 10)], 5);
    tournament.timeouts.hang = Duration::from_secs(1000);
    tournament.concurrency = 2;
    let (abort, start) = (tournament.surroundings.abort.clone(), Instant::now());
    let standings = std::thread::scope(|scope| {
        let playing = scope.spawn(|| play(&tournament).1);
        std::thread::sleep(Duration::from_millis(500));
        abort.raise();
        playing.join().unwrap()
    });
    assert_eq!(standings.games(), 0);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn every_fault_is_reported_and_loses_the_game() {
    let timed = Control { movetime: Some(Duration::from_millis(50)), ..Control::default() };
    for (go, control, ending, detail) in [
        ("echo bestmove 9", nodes(1), Ending::IllegalMove, "\"9\" in \"<4,"),
        ("echo bestmove '(none)'", nodes(1), Ending::WrongClaim, "no move, where"),
        ("echo bestmove", nodes(1), Ending::Disconnection, "names no move"),
        ("exit 3", nodes(1), Ending::Crash, "3"),
        ("kill -9 $$", nodes(1), Ending::Crash, "9"),
        ("exec 1>&-", nodes(1), Ending::Disconnection, "closed its output"),
        ("true", nodes(1), Ending::Hang, "no bestmove"),
        ("sleep 0.2; echo bestmove 1", timed, Ending::Time, "50ms left"),
    ] {
        let tournament = tournament(vec![ours("good", 50), script("bad", go, control)], 2);
        let (records, standings) = play(&tournament);
        assert_eq!(records.len(), 4, "{go}");
        for record in &records {
            assert_eq!(record.ending, ending, "{go}: {record:?}");
            assert!(record.detail.contains(detail), "{go}: {}", record.detail);
            let winner = if record.players[0] == "good" { Winner::First } else { Winner::Second };
            assert_eq!(record.result, winner, "{go}");
        }
        assert_eq!((standings.faults(1, ending), standings.faults(0, ending)), (4, 0), "{go}");
    }
}

#[test]
fn an_engine_that_cannot_be_started_ends_the_match() {
    let spec = Spec { name: "nobody".into(), ..Spec::new(Dialect::Ugi, "./no-such-engine") };
    let nobody = Contestant::new(spec, nodes(1));
    let tournament = tournament(vec![ours("a", 1), nobody], 1);
    let stopped = tournament.play(None, &[], &StopFlag::new(), &mut |_, _| {}).unwrap_err();
    assert!(
        matches!(&stopped.why, Stopped::Engine(name, why) if name == "nobody" && why.contains("no-such-engine")),
        "{stopped}"
    );
}

#[test]
fn games_are_adjudicated_where_both_agree() {
    let rules = |adjudication| Tournament { adjudication, ..tournament(vec![ours("a", 300), ours("b", 300)], 4) };
    let ended = |adjudication, ending| {
        let (records, standings) = play(&rules(adjudication));
        assert!(standings.ended(ending) > 0, "{ending:?}");
        records.into_iter().filter(|record| record.ending == ending).collect::<Vec<_>>()
    };
    let everything = Adjudication::default();
    let full = play(&rules(everything.clone())).0;
    for record in ended(Adjudication { proven: true, ..everything.clone() }, Ending::Proven) {
        assert_eq!(record.result, full[record.number].result, "what is proven comes about");
        assert!(record.moves.len() < full[record.number].moves.len());
    }
    let agreement = |score| Some(Agreement { moves: 2, score, after: 6 });
    for record in ended(Adjudication { resign: agreement(300), ..everything.clone() }, Ending::Resignation) {
        assert!(record.result != Winner::Nobody && record.moves.len() >= 6);
    }
    let resign = agreement(300);
    let two = ended(Adjudication { resign, ..everything.clone() }, Ending::Resignation);
    let one = ended(Adjudication { resign, one_sided: true, ..everything.clone() }, Ending::Resignation);
    for record in &two {
        let early = one.iter().find(|early| early.number == record.number).unwrap();
        assert!(early.moves.len() <= record.moves.len(), "one needs no longer than two");
        assert!(early.moves.len() < record.moves.len() || early.result == record.result);
    }
    for record in ended(Adjudication { draw: agreement(100_000), ..everything.clone() }, Ending::Draw) {
        assert_eq!((record.result, record.margin), (Winner::Nobody, None));
    }
    for record in ended(Adjudication { length: Some(5), ..everything }, Ending::Length) {
        assert_eq!((record.result, record.moves.len()), (Winner::Nobody, 5));
    }
}

/// A loss on time reports the clock, the last output of the engine and the load of the machine.
#[test]
fn a_loss_on_time_reports_clock_output_and_load() {
    let timed = Control { movetime: Some(Duration::from_millis(50)), ..Control::default() };
    let dialogue = "echo info depth 3 score cp 5 nodes 7; sleep 0.3; echo bestmove 1";
    let (records, _) = play(&tournament(vec![ours("good", 50), script("slow", dialogue, timed.clone())], 1));
    for record in records {
        assert_eq!(record.ending, Ending::Time);
        for part in [
            "ms for a move, 50ms left and 20ms of margin; its last output after ",
            "\"info depth 3 score cp 5 nodes 7\"; load ",
            " on ",
            "; the longest stall of the referee itself: ",
        ] {
            assert!(record.detail.contains(part), "{part} in {}", record.detail);
        }
    }
    let mut hangs = tournament(vec![ours("good", 50), script("hangs", "echo info string so far; sleep 5", timed)], 1);
    hangs.timeouts.hang = Duration::from_millis(200);
    for record in play(&hangs).0 {
        assert!(record.detail.starts_with("no bestmove 200ms after stop; its last output after "), "{}", record.detail);
        assert!(record.detail.contains("\"info string so far\"; load "), "{}", record.detail);
    }
}

/// An engine's own margin replaces that of the match.
#[test]
fn an_engine_margin_replaces_that_of_the_match() {
    let timed = |margin| Control { movetime: Some(Duration::from_millis(20)), margin, ..Control::default() };
    let slow = |margin| script("slow", "sleep 0.1; echo bestmove 9", timed(margin));
    let ended = |contestant, of_match| {
        let mut tournament = tournament(vec![contestant, ours("good", 50)], 1);
        tournament.timeouts.margin = of_match;
        let (records, _) = play(&tournament);
        records.iter().map(|record| record.ending).collect::<Vec<_>>()
    };
    let (short, long) = (Duration::ZERO, Duration::from_secs(60));
    assert_eq!(ended(slow(None), short), [Ending::Time; 2]);
    assert_eq!(ended(slow(Some(long)), short), [Ending::IllegalMove; 2], "its margin is longer");
    assert_eq!(ended(slow(None), long), [Ending::IllegalMove; 2]);
    assert_eq!(ended(slow(Some(short)), long), [Ending::Time; 2], "its margin is shorter");
}

#[test]
fn engines_restart_as_their_restart_option_says() {
    /// Returns how often an engine that runs `command` is started in a match, including once before the first game.
    fn starts(restart: Restart, command: &str, others: Vec<Contestant>) -> usize {
        let log = file("starts");
        let wrapped = format!("echo start >> {}; {command}", log.display());
        let spec = Spec { name: "a".into(), arguments: vec!["-c".into(), wrapped], ..Spec::new(Dialect::Ugi, "sh") };
        let game = Some(GameSpec { variant: "kalah".into(), options: vec![("Houses".into(), "4".into())] });
        let first = Contestant { restart, ..Contestant::new(Spec { game, ..spec }, nodes(20)) };
        play(&tournament(std::iter::once(first).chain(others).collect(), 2));
        let count = fs::read_to_string(&log).unwrap().lines().count();
        fs::remove_file(&log).unwrap();
        count
    }
    let all = [Restart::On, Restart::Auto, Restart::Off];
    let sound = format!("exec {ENGINE}");
    // The games: a-b, b-a, a-c, c-a, b-c, c-b, all of them twice.
    let found = all.map(|restart| starts(restart, &sound, vec![ours("b", 20), ours("c", 20)]));
    assert_eq!(found, [1 + 8, 1 + 2, 1 + 1]);
    let found = all.map(|restart| starts(restart, &sound, vec![script("bad", "echo bestmove 9", nodes(1))]));
    assert_eq!(found, [1 + 4, 1 + 4, 1 + 1], "the opponent is at fault");
    let bad = "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
               go*) echo bestmove 9;; quit) exit;; esac; done";
    assert_eq!(all.map(|restart| starts(restart, bad, vec![ours("b", 20)])), [1 + 4; 3], "it is at fault itself");
}

/// A mover's clock runs for all moves of its turn.
#[test]
fn extra_turns_run_on_the_clock_of_the_mover() {
    let clock = |base: &str| Control { clock: Some(base.parse().unwrap()), ..Control::default() };
    let slow = script("slow", "sleep 0.05; echo bestmove 1", clock("60"));
    let mut tournament = tournament(vec![slow, ours("quick", 5)], 1);
    // House 1 of four holds four seeds: the last one falls into the store, and house 1 is empty.
    tournament.openings = Source::Lines {
        openings: secateur::arena::openings::read(&tournament.setup, "<4,0,0,4,2,2,2,3,3,3,3> s").unwrap(),
        shuffled: false,
    };
    let (records, _) = play(&tournament);
    assert_eq!(records[0].ending, Ending::IllegalMove);
    assert_eq!(records[0].moves.len(), 2, "the extra turn is asked of the same engine");
    assert_eq!(records[0].result, Winner::Second);
}

#[test]
fn a_match_resumes_where_its_journal_ends() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 4);
    let path = file("journal.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    assert!(none.is_empty());
    tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let whole = fs::read(&path).unwrap();
    let read = |path: &Path| {
        let (_, mut records) = Journal::open(path, &tournament.header(), tournament.schedule.rounds).unwrap();
        records.sort_by_key(|record| record.number);
        records.iter().map(timeless).collect::<Vec<_>>()
    };
    let undisturbed = read(&path);
    assert_eq!(undisturbed.len(), 8);
    for cut in [0, 10, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..cut]).unwrap();
        let (mut journal, records) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
        let mut played = records.len();
        tournament.play(Some(&mut journal), &records, &StopFlag::new(), &mut |_, _| played += 1).unwrap();
        drop(journal);
        assert_eq!((played, read(&path)), (8, undisturbed.clone()), "cut at {cut}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_journal_of_another_match_is_refused_with_the_difference() {
    let here = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    let path = file("other.jsonl");
    let open = Journal::open(&path, &here.header(), here.schedule.rounds).unwrap();
    let error = Journal::open(&path, &here.header(), here.schedule.rounds).err().unwrap().to_string();
    assert!(error.contains("another match"), "{error}");
    drop(open);
    let before = fs::read(&path).unwrap();
    let mut seed = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    seed.seed = 2;
    let nodes = "engines[1].control is \"nodes=150\", not \"nodes=151\"";
    for (other, expected) in [(seed, "seed is 1, not 2"), (tournament(vec![ours("a", 100), ours("b", 151)], 1), nodes)]
    {
        let error = Journal::open(&path, &other.header(), other.schedule.rounds).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    for text in ["hello", "hello\n", "[1]\n", "{\"secateur\":1}\nx\n"] {
        fs::write(&path, text).unwrap();
        assert!(Journal::open(&path, &here.header(), here.schedule.rounds).is_err(), "{text}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "a file that is no journal is left alone");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_raised_flag_ends_the_match_after_the_current_games() {
    let tournament = tournament(vec![ours("a", 50), ours("b", 60)], 50);
    let (stop, mut played) = (StopFlag::new(), 0);
    let standings = tournament
        .play(None, &[], &stop, &mut |_, _| {
            played += 1;
            if played == 3 {
                stop.raise();
            }
        })
        .unwrap();
    assert!((3..=5).contains(&standings.games()), "{}", standings.games());
}

/// Two threads play the first pair, which decides the test, while the third draws the opening of the second.
#[test]
fn a_decided_match_does_not_wait_for_a_random_opening() {
    let mut tournament = tournament(vec![ours("a", 200), ours("b", 1)], 50);
    tournament.openings = Source::Random(RandomWalk { plies: 2, candidates: 40, nodes: 50_000 });
    tournament.concurrency = 3;
    let sprt = Sprt::new(0.0, 900.0, 0.49, 0.49, Model::Normalized).unwrap();
    tournament.test = Some(Test { sprt, trinomial: false });
    let (begin, mut expected) = (Instant::now(), Vec::new());
    let standings = tournament.play(None, &[], &StopFlag::new(), &mut |_, _| expected.push(begin.elapsed())).unwrap();
    let end = begin.elapsed() - expected[1];
    assert_eq!(standings.games(), 2);
    assert!(end * 3 < expected[0], "{expected:?} to the games, then {end:?}");
}

#[test]
fn the_command_line_plays_a_match_and_prints_the_standings() {
    let path = file("line.jsonl");
    let run = |more: &[&str]| {
        let mut command = Command::new(ENGINE);
        command.args(["match", "--option", "Houses=4", "--rounds", "5", "--each", "nodes=100 option.Hash=1"]);
        command
            .args(["-e", &format!("cmd={ENGINE} name=one"), "-e", &format!("cmd={ENGINE} name=two nodes=50")])
            .args(more);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let record = path.to_str().unwrap();
    let (code, out, err) = run(&["--record", record, "--sprt", "0,10"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for part in ["10/10 games", "one", "two", "pairs by points", "SPRT [0, 10] of pairs", "ended: 10 by the rules"] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let table =
        |out: &str| out.lines().skip_while(|line| !line.starts_with("engine")).map(str::to_owned).collect::<Vec<_>>();
    let again = run(&["--record", record, "--sprt", "0,10"]);
    assert_eq!(table(&again.1), table(&out), "the table of a finished match is shown again");
    assert!(run(&["--record", record, "--sprt", "0,10", "--trinomial"]).1.contains("SPRT [0, 10] of games"));
    let (code, _, err) = run(&["--record", record, "--seed", "9"]);
    assert!(code == Some(2) && err.contains("seed"), "{err}");
    let (_, json, _) = run(&["--json"]);
    let records: Vec<GameRecord> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 10);
    // An engine that cannot be restarted after its first game.
    let once = file("once");
    let dies = format!(
        "test -e {0} && exit; touch {0}; while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) exit;; esac; done",
        once.display()
    );
    let dies = format!("cmd='sh -c \"{dies}\"' name=three lenient=true");
    let (code, _, err) = run(&["-e", &dies, "--format", "gauntlet"]);
    assert!(code == Some(1) && err.contains("three"), "{code:?} {err}");
    fs::remove_file(&once).unwrap();
    for (wrong, expected) in [
        (&["-e", "cmd=./no-such-engine name=three"][..], "no-such-engine"),
        (&["--sprt", "5,0"], "elo0"),
        (&["--openings", "no-such-file"], "no-such-file"),
    ] {
        let (code, _, err) = run(wrong);
        assert!(code == Some(2) && err.contains(expected), "{wrong:?}: {code:?} {err}");
    }
    fs::remove_file(&path).unwrap();
}

/// Runs `secateur match` between two of Secateur's engines on a small board.
fn matched(more: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(ENGINE);
    command.args(["match", "--option", "Houses=3", "--random-nodes", "50", "--each", "nodes=50 option.Hash=1"]);
    command.args(["-e", &format!("cmd={ENGINE} name=one"), "-e", &format!("cmd={ENGINE} name=two")]).args(more);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_exit_code_is_the_verdict_on_request() {
    let test = ["--rounds", "2", "--sprt", "0,5"];
    assert_eq!(matched(&test).0, Some(0), "otherwise the match is over, and that is all");
    assert_eq!(matched(&[&test[..], &["--exit-code"]].concat()).0, Some(4));
    let (code, _, err) = matched(&["--exit-code"]);
    assert!(code == Some(2) && err.contains("--sprt"), "{err}");
}

#[test]
fn debug_shows_the_dialogue_and_games_have_event_and_site() {
    let (pgn, transcript) = (file("occasion.pgn"), file("dialogue.log"));
    let files = ["--pgn", pgn.to_str().unwrap(), "--transcript", transcript.to_str().unwrap()];
    let (code, out, err) =
        matched(&[&files[..], &["--rounds", "1", "--event", "Cup", "--site", "Oslo", "--debug"]].concat());
    assert_eq!(code, Some(0), "{out}{err}");
    for part in [" one > ugi\n", " two < ugiok\n", " > go nodes 50\n", " < bestmove "] {
        assert!(err.contains(part), "{part} in {err}");
    }
    assert_eq!(fs::read_to_string(&transcript).unwrap().lines().count(), err.lines().count(), "the same on paper");
    assert!(!out.contains("bestmove"), "{out}");
    let games = fs::read_to_string(&pgn).unwrap();
    for part in ["[Event \"Cup\"]", "[Site \"Oslo\"]", "[Date \"20"] {
        assert_eq!(games.matches(part).count(), 2, "{part} in {games}");
    }
    fs::remove_file(pgn).unwrap();
    fs::remove_file(transcript).unwrap();
}

/// The first Ctrl-C finishes the current games, with a message. The second aborts them and prints the table.
#[test]
fn ctrl_c_ends_a_match_in_steps() {
    let expected = |needle: &str, lines: &mut dyn Iterator<Item = std::io::Result<String>>| {
        lines.map(Result::unwrap).find(|line| line.contains(needle)).unwrap_or_else(|| panic!("no {needle}"))
    };
    let slow = "cmd='sh -c \"while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; \
                go*) sleep 100;; esac; done\"' name=slow lenient=true";
    let mut command = Command::new(ENGINE);
    command.args(["match", "--each", "nodes=5", "--debug", "-e", slow, "-e", &format!("cmd={ENGINE} name=quick")]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let interrupt = || {
        let status = Command::new("kill").args(["-s", "INT", &id]).status().unwrap();
        assert!(status.success());
    };
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    expected("slow > go", &mut lines);
    interrupt();
    expected("stopping; games under way are finished, Ctrl-C again breaks them off", &mut lines);
    assert!(child.try_wait().unwrap().is_none(), "the game is still played");
    interrupt();
    let start = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(50), "the second breaks it off");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("engine"), "{output:?}");
}

#[test]
fn ctrl_c_while_engines_start_reports_no_fault() {
    let slow = "cmd='sh -c \"sleep 100\"' name=slow startup=100 proto=uci";
    let mut command = Command::new(ENGINE);
    command.args(["match", "--each", "nodes=5", "--debug", "-e", slow, "-e", &format!("cmd={ENGINE} name=quick")]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("slow > uci")));
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<_> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.iter().all(|line| !line.contains("error") && !line.contains("aborted")), "{rest:?}");
}

#[test]
fn rules_that_end_every_game_at_once_are_refused() {
    for (rule, value, expected) in [
        ("--resign", "0,500", "0 moves"),
        ("--resign", "3,0", "a score of 0"),
        ("--draw", "0,10,5", "0 moves"),
        ("--length", "0", "at least 1 ply"),
    ] {
        let (code, _, err) = matched(&["--rounds", "1", rule, value]);
        assert!(
            code == Some(2) && err.contains(&rule[2..]) && err.contains(expected),
            "{rule} {value}: {code:?} {err}"
        );
    }
}

#[test]
fn records_that_contradict_their_moves_are_refused_with_their_line() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 1);
    let path = file("contradicts.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let record: GameRecord = serde_json::from_str(lines[2]).unwrap();
    let changed = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = record.clone();
        change(&mut record);
        serde_json::to_string(&record).unwrap()
    };
    let other = if record.result == Winner::First { Winner::Second } else { Winner::First };
    for (line, expected) in [
        (changed(&|record| record.result = other), "its moves and its end make it"),
        (changed(&|record| record.ending = Ending::Resignation), "the game is over after its last move"),
        (changed(&|record| drop(record.moves.pop())), "the game goes on after its last move"),
        (changed(&|record| record.moves[3].0 = "99".into()), "move 4: illegal move \"99\""),
        (changed(&|record| record.opening.moves[0] = "x".into()), "its opening: illegal move \"x\""),
        (changed(&|record| record.margin = Some(70)), "its margin is"),
        (changed(&|record| record.number = usize::MAX), "is no game of a match"),
        (changed(&|record| record.round = 7), "is no game of a match"),
        (changed(&|record| record.players.reverse()), "by its number \"b\" plays \"a\", not \"a\" \"b\""),
        (changed(&|record| record.wrong_claims = [u32::MAX; 2]), "wrong claims in"),
        (changed(&|record| record.moves[1].2 = "+junk".into()), "move 2: \"+junk\" is not a score"),
        (changed(&|record| record.moves[1].2 = "+1e308".into()), "move 2: \"+1e308\" is not a score"),
        (
            changed(&|record| {
                record.ending = Ending::Draw;
                record.moves.pop();
            }),
            if record.result == Winner::Nobody { "its margin" } else { "its moves and its end make it 1/2-1/2" },
        ),
        (changed(&|record| record.ending = Ending::IllegalMove), "is legal, and it ended: illegal move"),
        (lines[2].replacen("\"number\":", "\"number\":1e999,\"x\":", 1), "a number that is too large"),
        (lines[2].replacen("\"result\":", "\"results\":", 1), "\"result\" is missing"),
        (lines[2][..40].to_owned(), "column 40: not JSON from here on"),
        (changed(&|_| ()).replacen(record.result.text(), "2-0", 1), "\"2-0\" is not known"),
    ] {
        fs::write(&path, format!("{}\n{}\n{line}\n", lines[0], lines[1])).unwrap();
        let load = Journal::load(&path).unwrap_err().to_string();
        let open = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).err().unwrap().to_string();
        for error in [load, open] {
            assert!(error.contains("contradicts.jsonl\" line 3: ") && error.contains(expected), "{expected}: {error}");
        }
    }
    let beyond = changed(&|record| record.number = 1_000_000);
    fs::write(&path, format!("{}\n{}\n{beyond}\n", lines[0], lines[1])).unwrap();
    let expected = "contradicts.jsonl\" line 3: game 1000001: ";
    let load = Journal::load(&path).unwrap_err().to_string();
    let open = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).err().unwrap().to_string();
    for error in [load, open] {
        assert!(error.contains(&format!("{expected}by its number it is of round 500001, not of round 1")), "{error}");
    }
    fs::write(&path, text).unwrap();
    assert_eq!(Journal::load(&path).unwrap().1.len(), 2);
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_game_that_is_recorded_twice_counts_once() {
    let tournament = tournament(vec![ours("a", 100), ours("b", 150)], 2);
    let path = file("twice.jsonl");
    let (mut journal, none) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    let whole = tournament.play(Some(&mut journal), &none, &StopFlag::new(), &mut |_, _| {}).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    let second = text.lines().nth(2).unwrap();
    fs::write(&path, format!("{text}{second}\n{second}\n")).unwrap();
    assert_eq!(Journal::load(&path).unwrap().1.len(), 4);
    let (mut journal, records) = Journal::open(&path, &tournament.header(), tournament.schedule.rounds).unwrap();
    let again = tournament.play(Some(&mut journal), &records, &StopFlag::new(), &mut |_, _| panic!("a game")).unwrap();
    assert_eq!((again.games(), again.tally(0, 1)), (4, whole.tally(0, 1)));
    drop(journal);
    let fewer = Journal::open(&path, &tournament.header(), 1).err().unwrap().to_string();
    assert!(
        fewer.ends_with("twice.jsonl\" holds games of 2 rounds: take it up with at least 2 rounds, not 1"),
        "{fewer}"
    );
    // Records of later rounds are returned as well: nothing is left to play.
    let mut shorter = self::tournament(vec![ours("a", 100), ours("b", 150)], 1);
    shorter.concurrency = 2;
    assert_eq!(shorter.play(None, &records, &StopFlag::new(), &mut |_, _| panic!("a game")).unwrap().games(), 4);
    fs::remove_file(&path).unwrap();
}
