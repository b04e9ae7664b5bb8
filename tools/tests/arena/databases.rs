//! Adjudication by endgame databases: its results are those of games that are played to their end.

use super::*;
use secateurs::core::databases::{Build, BuildPlan};
use secateurs::core::{Bounds, Score};
use secateurs::engine::Board;
use secateurs::util::random::Random;

/// Builds the databases of a game in a new folder, and returns its setup with them.
fn built(game: &str, options: &[(&str, &str)], plan: BuildPlan) -> (tempfile::TempDir, Setup, Setup) {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = Setup::new(registry::find(game).unwrap());
    options.iter().for_each(|(name, value)| setup.set(name, value).unwrap());
    let databases = setup.databases().unwrap();
    let build = Build { folder: folder.path(), threads: 2, stop: &StopFlag::new(), progress: &|_| () };
    assert!(databases.build(setup.options(), plan, &build).unwrap());
    let mut with = setup.clone();
    with.set(databases.option(), folder.path().to_str().unwrap()).unwrap();
    (folder, setup, with)
}

fn draughts(game: &str, options: &[(&str, &str)], size: usize) -> (tempfile::TempDir, Setup, Setup) {
    built(game, options, BuildPlan { size, distances: true })
}

fn random(texts: &[&str], random: &mut Random, setup: &Setup) -> Box<dyn Board> {
    // Two or three pieces on squares of their own.
    loop {
        let mut squares: Vec<usize> = (1..=32).collect();
        random.shuffle(&mut squares);
        let text = texts[random.below(texts.len())];
        let [a, b, c] = [squares[0], squares[1], squares[2]].map(|square| square.to_string());
        let text = text.replace('a', &a).replace('b', &b).replace('c', &c);
        if let Ok(board) = setup.board(&text) {
            return board;
        }
    }
}

fn after(board: &dyn Board, mv: &str) -> Box<dyn Board> {
    let mut child = board.boxed();
    child.play(mv).unwrap();
    child
}

/// Returns the worth of a move for its mover by the databases; all turns alternate.
fn worth(board: &dyn Board, mv: &str) -> Score {
    let child = after(board, mv);
    if child.moves().is_empty() {
        return -child.outcome().unwrap().score();
    }
    let Bounds { lower, upper } = child.static_evaluation().bounds;
    assert_eq!(lower, upper, "{}", child.text());
    -lower
}

const TEXTS: [&str; 8] =
    ["B:Wa:Bb", "B:WKa:BKb", "W:WKa,b:BKc", "W:WKa,Kb:BKc", "B:WKa,Kb:BKc", "B:WKa:BKb,c", "W:Wa,b:Bc", "W:WKa:Bb,c"];

/// The rules of a result hold from ply to ply, which is a proof by induction.
#[test]
fn a_win_by_databases_can_be_kept_and_a_loss_cannot_be_avoided() {
    for (game, options) in [("checkers", &[("DrawMoves", "8")][..]), ("brazilian", &[])] {
        let (_folder, _, setup) = draughts(game, options, 3);
        let (mut chance, mut counts) = (Random(3), [0; 4]);
        for _ in 0..6_000 {
            let clock = chance.below(19).to_string();
            let board = random(
                &TEXTS.map(|text| format!("{text}:H{clock}")).each_ref().map(|text| &**text),
                &mut chance,
                &setup,
            );
            if board.outcome().is_some() {
                continue;
            }
            let children: Vec<_> = board.moves().iter().map(|mv| after(&*board, mv)).collect();
            let lost = |child: &dyn Board| match child.outcome() {
                Some(outcome) => outcome == Outcome::Loss,
                None => matches!(child.database_outcome(), Some((Outcome::Loss, _))),
            };
            let won = |child: &dyn Board| matches!(child.database_outcome(), Some((Outcome::Win, _)));
            match board.database_outcome() {
                Some((Outcome::Win, _)) => {
                    assert!(children.iter().any(|child| lost(&**child)), "{}", board.text());
                    counts[0] += 1;
                }
                Some((Outcome::Loss, _)) => {
                    assert!(children.iter().all(|child| won(&**child)), "{}", board.text());
                    counts[1] += 1;
                }
                Some((Outcome::Draw, None)) => counts[2] += 1,
                None => counts[3] += 1,
                other => panic!("{other:?}: {}", board.text()),
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{game}: {counts:?}");
    }
}

/// Random play brings positions again and lets the clock run; from where the databases decide, best play of both sides,
/// or of the winner alone, ends the game as they say.
#[test]
fn play_to_the_end_has_the_result_of_the_databases() {
    for (game, options) in [("checkers", &[("DrawMoves", "10")][..]), ("brazilian", &[])] {
        let (_folder, plain, setup) = draughts(game, options, 3);
        let (mut chance, mut counts) = (Random(1), [0; 3]);
        for number in 0..150 {
            let mut board = random(&TEXTS, &mut chance, &setup);
            while board.outcome().is_none() {
                if let Some((outcome, _)) = board.database_outcome() {
                    counts[[Outcome::Win, Outcome::Draw, Outcome::Loss]
                        .iter()
                        .position(|&one| one == outcome)
                        .unwrap()] += 1;
                    let (mut rest, first) = (board.boxed(), board.turn());
                    while rest.outcome().is_none() {
                        let (moves, turn) = (rest.moves(), rest.turn());
                        let loses = outcome == if turn == first { Outcome::Loss } else { Outcome::Win };
                        let best = moves.iter().max_by_key(|mv| worth(&*rest, mv)).unwrap();
                        let mv = if loses && number % 2 == 0 { &moves[chance.below(moves.len())] } else { best };
                        rest.play(mv).unwrap();
                    }
                    // The result is that of the rules, without any database.
                    let text = format!("{} moves {}", rest.start(), rest.history().join(" "));
                    let found = plain.board(&text).unwrap().outcome().unwrap();
                    let seen = if rest.turn() == first { found } else { found.reversed() };
                    assert_eq!(seen, outcome, "{game}: {text}");
                }
                let moves = board.moves();
                board.play(&moves[chance.below(moves.len())]).unwrap();
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{game}: {counts:?}");
    }
}

#[test]
fn clocks_and_repetitions_leave_a_win_undecided() {
    let (_folder, _, setup) = draughts("checkers", &[], 2);
    let decided = |text: &str| setup.board(text).unwrap().database_outcome();
    let Some((Outcome::Win, Some(plies))) = decided("W:WK15:BK4") else { panic!("no win") };
    // 80 plies make a draw, unless the last one wins.
    assert!(plies > 2 && decided(&format!("W:WK15:BK4:H{}", 80 - plies)).is_some());
    assert_eq!(decided(&format!("W:WK15:BK4:H{}", 81 - plies)), None);
    assert_eq!(decided("W:WK3:BK32:H74"), Some((Outcome::Draw, None)));
    // The first position comes again, so a third time would be a draw.
    let there_and_back = "W:WK15:BK4 moves 15-19 4-8 19-15 8-4";
    assert_eq!(decided(there_and_back), None);
    assert_eq!(decided("W:WK9:BK14 moves 9x18"), None, "it is over");
    // Without distances only draws are decided.
    let (_folder, _, setup) = built("checkers", &[], BuildPlan { size: 2, distances: false });
    let decided = |text: &str| setup.board(text).unwrap().database_outcome();
    assert_eq!((decided("W:WK15:BK4"), decided("W:WK3:BK32")), (None, Some((Outcome::Draw, None))));
    let chess = Setup::new(registry::find("chess").unwrap()).board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").unwrap();
    assert_eq!(chess.database_outcome(), None);
}

/// Returns a match of our engine, which knows the databases, and the same match adjudicated by them.
fn both(
    folder: &tempfile::TempDir,
    setup: &Setup,
    with: &Setup,
    openings: Source,
    rounds: usize,
) -> [Vec<GameRecord>; 2] {
    let option = setup.databases().unwrap().option();
    [None, Some(folder.path().to_str().unwrap().to_owned())].map(|databases| {
        let player = |name: &str, count| {
            let options = vec![("Hash".into(), "1".into()), (option.into(), with.options().text(option).into())];
            let player = InHouse { setup: setup.clone(), options, library: None };
            Contestant { name: name.into(), ..Contestant::new(player, nodes(count)) }
        };
        let adjudication = Adjudication { databases, ..Adjudication::default() };
        adjudication.check(setup).unwrap();
        let openings = openings.clone();
        let players = vec![player("a", 2_000), player("b", 3_000)];
        play(&Tournament { setup: setup.clone(), openings, adjudication, ..tournament(players, rounds) }).0
    })
}

#[test]
fn adjudicated_games_of_kalah_have_the_margin_of_the_full_ones() {
    let plan = BuildPlan { size: 8, distances: false };
    let (folder, setup, with) = built("kalah", &[("Houses", "3"), ("Seeds", "3")], plan);
    let walk = Source::Random(RandomWalk { plies: 2, candidates: 1, nodes: 1 });
    let ([full, short], mut adjudicated) = (both(&folder, &setup, &with, walk, 6), 0);
    for (full, short) in full.iter().zip(&short) {
        assert_eq!((full.ending, short.result, short.margin), (Ending::Rules, full.result, full.margin));
        // A game may also end while there are more seeds in play.
        if short.ending == Ending::Rules {
            continue;
        }
        adjudicated += 1;
        assert_eq!((short.ending, short.detail.as_str()), (Ending::Databases, ""));
        assert!(short.margin.is_some() && short.moves.len() < full.moves.len());
        short.check(&setup).unwrap();
        for margin in [short.margin.map(|margin| -margin).filter(|&margin| margin != 0), Some(99), Some(-99)] {
            let wrong = GameRecord { margin, ..short.clone() };
            assert!(margin.is_none() || wrong.check(&setup).is_err(), "{margin:?}");
        }
    }
    assert!(full.len() == 12 && adjudicated > 6, "{adjudicated}");
}

#[test]
fn adjudicated_games_of_checkers_have_the_result_of_the_full_ones() {
    let (folder, setup, with) = draughts("checkers", &[], 3);
    let mut chance = Random(5);
    let openings = (0..8).map(|_| random(&["W:WKa,Kb:BKc", "B:WKa:BKb,c", "W:WKa,b:BKc"], &mut chance, &setup));
    let lines: Vec<_> = openings.filter(|board| board.outcome().is_none()).map(|board| board.text()).collect();
    let openings = secateurs_tools::arena::openings::read(&setup, &lines.join("\n")).unwrap();
    let rounds = openings.len();
    let [full, short] = both(&folder, &setup, &with, Source::Lines { openings, shuffled: false, start: 1 }, rounds);
    for (full, short) in full.iter().zip(&short) {
        assert_eq!((short.ending, short.result), (Ending::Databases, full.result), "{full:?} {short:?}");
        assert_eq!(short.detail.is_empty(), short.result == Winner::Nobody, "{}", short.detail);
        short.check(&setup).unwrap();
    }
    assert!(short.len() > 4 && short.iter().any(|record| record.result != Winner::Nobody));
}

#[test]
fn folders_that_cannot_adjudicate_are_named() {
    let error = |game: &str, folder: &Path| {
        let databases = Some(folder.to_str().unwrap().to_owned());
        let rules = Adjudication { databases, ..Adjudication::default() };
        rules.check(&Setup::new(registry::find(game).unwrap())).unwrap_err().to_string()
    };
    let plan = BuildPlan { size: 3, distances: false };
    let (folder, ..) = built("kalah", &[("Houses", "3")], plan);
    let found = error("kalah", folder.path());
    assert!(found.contains("holds no endgame database of kalah with Houses=6 Capture=standard"), "{found}");
    let found = error("checkers", folder.path());
    assert!(found.contains("holds no endgame database of checkers"), "{found}");
    let found = error("kalah", &folder.path().join("none"));
    assert!(found.contains("cannot read") && found.contains("none"), "{found}");
    for game in ["chess", "connect4"] {
        let found = error(game, folder.path());
        assert!(
            found.contains(&format!("{game} has no endgame databases; there are some for kalah, checkers")),
            "{found}"
        );
    }
}
