#![allow(clippy::disallowed_methods, reason = "a refused thread fails the test")]

use super::*;

fn setup() -> Setup {
    Setup::named("kalah").unwrap()
}

#[test]
fn random_openings_follow_from_the_seed_and_do_not_come_twice() {
    let walk = RandomWalk { plies: 4, candidates: 3, nodes: 200 };
    let of = |seed| {
        let mut openings = Openings::new(&setup(), Source::Random(walk), seed).unwrap();
        (0..40).map(|round| openings.opening(round, &StopFlag::new()).unwrap().unwrap()).collect::<Vec<_>>()
    };
    let first = of(1);
    assert_eq!(first, of(1));
    assert_ne!(first, of(2));
    assert!(first.iter().all(|opening| opening.moves.len() == 4 && opening.position == STARTPOS));
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 40);
}

#[test]
fn of_several_walks_the_most_level_is_taken() {
    let level = |candidates| {
        let walk = RandomWalk { plies: 6, candidates, nodes: 500 };
        let mut openings = Openings::new(&setup(), Source::Random(walk), 3).unwrap();
        let (mut sum, go) = (0, StopFlag::new());
        for round in 0..30 {
            let mut board = setup().board(STARTPOS).unwrap();
            openings.opening(round, &go).unwrap().unwrap().moves.iter().for_each(|mv| board.play(mv).unwrap());
            sum += openings.value(&*board, 500, &go);
        }
        sum
    };
    assert!(level(8) * 2 < level(1));
}

#[test]
fn small_games_repeat_and_tiny_ones_are_refused() {
    let mut tiny = setup();
    tiny.set("Houses", "1").unwrap();
    tiny.set("Seeds", "1").unwrap();
    let source = |plies| Source::Random(RandomWalk { plies, candidates: 2, nodes: 10 });
    let mut openings = Openings::new(&tiny, source(0), 1).unwrap();
    let go = StopFlag::new();
    assert_eq!(openings.opening(0, &go).unwrap(), openings.opening(5, &go).unwrap());
    // A repeated position is reached by its first opening, so that repeated games are recognized.
    tiny.set("Houses", "2").unwrap();
    let mut openings = Openings::new(&tiny, source(2), 1).unwrap();
    let made: HashSet<_> = (0..50).map(|round| openings.opening(round, &StopFlag::new()).unwrap().unwrap()).collect();
    let made: Vec<_> = made.into_iter().collect();
    assert_eq!(distinct(&tiny, &made).unwrap(), made.len());
    assert!(openings.has_repeated);
    tiny.set("Houses", "1").unwrap();
    let error = Openings::new(&tiny, source(9), 1).unwrap().opening(0, &go).unwrap_err();
    assert!(error.to_string().contains("9 random moves"), "{error}");
}

#[test]
fn files_are_read_and_their_mistakes_named() {
    let text = "; a comment\n\nstartpos\n <2,0,0,1,1,1,1> n ; and why\nstartpos moves 3 6\n";
    let openings = read(&setup(), text).unwrap();
    assert_eq!(openings.len(), 3);
    assert_eq!(openings[1].position, "<2,0,0,1,1,1,1> n");
    assert_eq!(openings[2], Opening { position: STARTPOS.into(), moves: vec!["3".into(), "6".into()] });
    assert_eq!(distinct(&setup(), &[openings.clone(), openings.clone()].concat()).unwrap(), 3);
    for (text, expected) in
        [("startpos\nwhat", "line 2"), ("startpos moves 7", "illegal move"), ("<1,1,1,0,0> s", "is over")]
    {
        let error = read(&setup(), text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn games_are_openings_up_to_a_number_of_plies() {
    let chess = Setup::named("chess").unwrap();
    let text = "[Event \"x\"]\n\n1. e4 {good} e5 (1... c5) 2. Nf3 *\n\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O+ 1-0\n";
    let moves = |plies| of_games(&chess, text, plies).unwrap().into_iter().map(|opening| opening.moves);
    assert_eq!(moves(9).collect::<Vec<_>>(), [vec!["e2e4", "e7e5", "g1f3"], vec!["e1g1"]]);
    assert_eq!(moves(1).collect::<Vec<_>>(), [vec!["e2e4"], vec!["e1g1"]]);
    assert_eq!(moves(0).collect::<Vec<_>>(), [Vec::<String>::new(), Vec::new()]);
    for (text, expected) in [
        ("1. e5", "the game in line 1: illegal move \"e5\""),
        ("[PlyCount \"41\"]\n\n1. e4 e5", "the game in line 1: it ends after 2 of 41 plies"),
        ("[Variant \"nim\"]\n\n1. 1-1 *", "the game in line 1: it is nim, not chess"),
        ("\n1. f3 e5 2. g4 Qh4# 0-1", "line 2: the game is over; the first N plies of each game are openings by"),
    ] {
        let error = of_games(&chess, text, 9).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let kalah = Setup::named("kalah").unwrap();
    let error = of_games(&kalah, "[Variant \"kalah\"]\n[Options \"Seeds=3\"]\n\n1. 2 *", 9).unwrap_err().to_string();
    assert!(error.contains("the game in line 1: it is played with Seeds=3, not 4"), "{error}");
    // There are legal moves after a draw.
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    for drawn in ["8/8/8/4k3/8/8/4K3/8 w - - 0 1", &format!("startpos moves {shuffle} {shuffle}")] {
        let error = read(&chess, &format!("startpos\n{drawn}\n")).unwrap_err().to_string();
        assert!(error.starts_with("opening in line 2, ") && error.ends_with(": the game is over"), "{error}");
    }
    assert_eq!(of_games(&chess, "[PlyCount \"41\"]\n\n1. e4 e5", 2).unwrap().len(), 1, "the opening is whole");
    // A position of Chess960, even if a side castles in the opening.
    let text = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1";
    let error = read(&chess, text).unwrap_err().to_string();
    assert!(error.contains("engines can play it only with the option UCI_Chess960=true"), "{error}");
    assert!(read(&chess, &format!("{text} moves b1h1")).is_err());
    let mut chess960 = chess.clone();
    chess960.set("UCI_Chess960", "true").unwrap();
    assert_eq!(read(&chess960, text).unwrap().len(), 1);
    // EPD.
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";\n";
    assert_eq!(read(&chess, text).unwrap()[0].position, chess.board(STARTPOS).unwrap().text());
}

#[test]
fn ways_to_one_position_are_one_opening() {
    let setup = Setup::named("nim").unwrap();
    let openings = read(&setup, "startpos moves 1-1 2-1\nstartpos moves 2-1 1-1\n2,3,5 1\n3,3,5 2").unwrap();
    let source = Source::Lines { openings: openings.clone(), shuffled: false, start: 1 };
    let mut made = Openings::new(&setup, source, 1).unwrap();
    let of = |round| made.opening(round, &StopFlag::new()).unwrap().unwrap();
    let [first, .., last] = &openings[..] else { unreachable!() };
    assert_eq!((0..5).map(of).collect::<Vec<_>>(), [first, first, first, last, first].map(Clone::clone));
    assert_eq!(distinct(&setup, &openings).unwrap(), 2);
}

#[test]
fn a_raised_flag_ends_the_search_for_a_random_opening() {
    let walk = RandomWalk { plies: 6, candidates: 8, nodes: u64::MAX };
    let mut openings = Openings::new(&setup(), Source::Random(walk), 1).unwrap();
    let stop = StopFlag::new();
    let raised = stop.clone();
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        raised.raise();
    });
    assert_eq!(openings.opening(0, &stop).unwrap(), None);
    raiser.join().unwrap();
}

#[test]
fn lines_come_in_turn_or_shuffled_by_the_seed() {
    let lines = read(&setup(), "startpos\nstartpos moves 1\nstartpos moves 2\nstartpos moves 3").unwrap();
    let from = |start, shuffled, seed| {
        let source = Source::Lines { openings: lines.clone(), shuffled, start };
        let mut openings = Openings::new(&setup(), source, seed).unwrap();
        (0..8).map(|round| openings.opening(round, &StopFlag::new()).unwrap().unwrap()).collect::<Vec<_>>()
    };
    let of = |shuffled, seed| from(1, shuffled, seed);
    assert_eq!(of(false, 1), [lines.clone(), lines.clone()].concat());
    // After the last opening comes the first.
    assert_eq!(from(3, false, 1), [&lines[2..], &lines[..], &lines[..2]].concat());
    assert_eq!(from(2, true, 7)[..7], of(true, 7)[1..]);
    assert!((0..9).any(|seed| of(true, seed) != of(false, seed)));
    for lap in of(true, 7).chunks(4) {
        assert_eq!(lap.iter().collect::<HashSet<_>>().len(), 4);
    }
    let error = |openings: &[Opening], start| {
        let source = Source::Lines { openings: openings.to_vec(), shuffled: true, start };
        Openings::new(&setup(), source, 1).err().unwrap().to_string()
    };
    assert_eq!(error(&[], 1), "there is no opening");
    assert_eq!(error(&lines, 5), "start is the number of an opening, 1 to 4, not 5");
    assert_eq!(error(&lines, 0), "start is the number of an opening, 1 to 4, not 0");
}

#[test]
fn a_record_without_a_start_begins_at_the_first() {
    let openings = read(&setup(), "startpos moves 1").unwrap();
    let of = |start| Source::Lines { openings: openings.clone(), shuffled: false, start };
    let written = serde_json::to_string(&of(1)).unwrap();
    assert!(!written.contains("start\":1"), "{written}");
    assert_eq!(serde_json::from_str::<Source>(&written).unwrap(), of(1));
    let written = serde_json::to_string(&of(7)).unwrap();
    assert!(written.contains("\"start\":7"), "{written}");
}

#[test]
fn games_are_read_from_files_of_either_notation() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::named("checkers").unwrap();
    for name in ["games.pgn", "games.PDN"] {
        let path = folder.path().join(name);
        std::fs::write(&path, "[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 0-1\n").unwrap();
        let moves = ["11-15", "22-18"].map(String::from).to_vec();
        assert_eq!(load(&setup, &path, Some(2)).unwrap(), [Opening { position: STARTPOS.into(), moves }]);
    }
}

#[test]
fn files_of_lines_may_be_utf_16_or_epd() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::named("chess").unwrap();
    let path = folder.path().join("openings.epd");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";
    let text = format!("\u{feff}{fen} - bm e4; id \"Müller\";\r\nstartpos moves e2e4 ; the king's pawn\r\n");
    std::fs::write(&path, text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>()).unwrap();
    let [first, second] = &load(&setup, &path, None).unwrap()[..] else { panic!("two openings") };
    let error = load(&setup, &path, Some(2)).unwrap_err().to_string();
    assert!(error.contains("--openings") && error.contains("--opening-plies"), "{error}");
    assert_eq!((&first.position[..], &second.moves[..]), (&*format!("{fen} - 0 1"), &["e2e4".to_owned()][..]));
}
