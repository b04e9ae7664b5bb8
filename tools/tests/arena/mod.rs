//! Matches over pipes: every way in which a game or a match ends, with its effect on the records.

mod bounds;
mod command;
mod databases;
mod faults;
mod journal;

use secateurs::core::{Outcome, Side, StopFlag};
use secateurs::protocol::command::Dialect;
use secateurs::registry::{self, Setup};
use secateurs_tools::arena::adjudication::{Adjudication, Agreement};
use secateurs_tools::arena::clock::Control;
use secateurs_tools::arena::journal::Journal;
use secateurs_tools::arena::openings::{RandomWalk, Source};
use secateurs_tools::arena::record::{Ending, GameRecord, Winner};
use secateurs_tools::arena::referee::Timeouts;
use secateurs_tools::arena::schedule::{Format, Schedule};
use secateurs_tools::arena::{Contestant, InHouse, Model, Restart, Sprt, Standings, Test, Tournament};
use secateurs_tools::client::{GameSpec, Spec, Surroundings};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_secateurs");

/// Returns Secateurs' own engine with a node limit per move.
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
    record.moves.iter_mut().for_each(|mv| mv.micros = 0);
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
        let moves = record.opening.moves.iter().chain(record.moves.iter().map(|mv| &mv.mv));
        moves.for_each(|mv| board.play(mv).unwrap());
        let Some(Outcome::Margin(margin)) = board.outcome() else { panic!("not over: {record:?}") };
        let margin = if board.turn() == Side::First { margin } else { -margin };
        assert_eq!(record.margin, Some(margin));
        let winner = [Winner::Second, Winner::Nobody, Winner::First][(margin.signum() + 1) as usize];
        assert_eq!(record.result, winner);
        assert!(record.moves.iter().all(|mv| !mv.score.is_empty() && mv.depth > 0 && mv.nodes > 0), "{record:?}");
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
        records.iter_mut().flat_map(|record| &mut record.moves).for_each(|mv| mv.nodes = 0);
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

/// The record of a game that was adjudicated is read, but not without its last move.
fn shortened(header: &serde_json::Value, record: &GameRecord) {
    let path = file("shortened.jsonl");
    let mut shorter = record.clone();
    shorter.moves.pop();
    let read = |record: &GameRecord| {
        fs::write(&path, format!("{header}\n{}\n", serde_json::to_string(record).unwrap())).unwrap();
        Journal::load(&path).map(|(_, records)| records.len()).map_err(|error| error.to_string())
    };
    assert_eq!(read(record), Ok(1));
    let error = read(&shorter).unwrap_err();
    assert!(error.contains("moves and their scores do not end it"), "{error}");
}

#[test]
fn games_are_adjudicated_where_both_agree() {
    let rules = |adjudication| Tournament { adjudication, ..tournament(vec![ours("a", 300), ours("b", 300)], 4) };
    let ended = |adjudication, ending| {
        let tournament = rules(adjudication);
        let ((records, standings), header) = (play(&tournament), tournament.header());
        assert!(standings.ended(ending) > 0, "{ending:?}");
        records
            .into_iter()
            .filter(|record| record.ending == ending)
            .inspect(|record| shortened(&header, record))
            .collect::<Vec<_>>()
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

#[test]
fn no_game_counts_after_the_one_that_decides_a_test() {
    let mut tournament = tournament(vec![ours("a", 400), ours("b", 1)], 50);
    tournament.concurrency = 6;
    let sprt = Sprt::new(0.0, 900.0, 0.49, 0.49, Model::Normalized).unwrap();
    tournament.test = Some(Test { sprt, trinomial: false });
    for _ in 0..5 {
        let mut decided = Vec::new();
        let mut note = |_: &GameRecord, standings: &Standings| decided.push(tournament.is_decided(standings));
        let standings = tournament.play(None, &[], &StopFlag::new(), &mut note).unwrap();
        assert!(tournament.is_decided(&standings));
        assert_eq!(decided.iter().position(|&decided| decided), Some(standings.games() - 1), "{decided:?}");
    }
}

/// Two threads play the first pair, which decides the test, while the third draws the opening of the second. On a busy
/// machine the drawing may end before the pair: one of three matches must be as it is elsewhere.
#[test]
fn a_decided_match_does_not_wait_for_a_random_opening() {
    let mut tournament = tournament(vec![ours("a", 200), ours("b", 1)], 50);
    tournament.openings = Source::Random(RandomWalk { plies: 2, candidates: 40, nodes: 500_000 });
    tournament.concurrency = 3;
    let sprt = Sprt::new(0.0, 900.0, 0.49, 0.49, Model::Normalized).unwrap();
    tournament.test = Some(Test { sprt, trinomial: false });
    let mut seen = Vec::new();
    let ends_at_once = (0..3).any(|_| {
        let (begin, mut games) = (Instant::now(), Vec::new());
        tournament.play(None, &[], &StopFlag::new(), &mut |_, _| games.push(begin.elapsed())).unwrap();
        let end = begin.elapsed() - games[1];
        let is_at_once = games.len() == 2 && end * 3 < games[0];
        seen.push((games, end));
        is_at_once
    });
    assert!(ends_at_once, "times to each game, then to the end of the match: {seen:?}");
}
