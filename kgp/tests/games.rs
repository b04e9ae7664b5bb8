//! Whole games, and their records.

use super::double::{Double, Peer, house};
use crate::common::Random;
use secateurs::engine::Board;
use secateurs::pgn::{self, PgnGame};
use secateurs::registry::{GAMES, STARTPOS, Setup};
use secateurs_tools::cli;
use std::thread;
use std::time::{Duration, Instant};

/// A game that the server plays with the client against random moves, as the server of KWARC does: a side with a single
/// move is played by the server, and the game ends once a store has more than half of the seeds.
struct Game {
    board: Box<dyn Board>,
    /// Whether the client is North.
    mirrored: bool,
    /// The states sent to the client, and its moves.
    requests: Vec<(String, String)>,
}

impl Game {
    fn new(houses: u32, seeds: u32, mirrored: bool) -> Self {
        let mut setup = Setup::new(&GAMES[0]);
        setup.set("Houses", &houses.to_string()).unwrap();
        setup.set("Seeds", &seeds.to_string()).unwrap();
        Self { board: setup.board(STARTPOS).unwrap(), mirrored, requests: Vec::new() }
    }

    fn numbers(&self) -> Vec<u32> {
        let text = self.board.text();
        let inside = text[1..].split_once('>').unwrap().0.to_owned();
        inside.split(',').map(|number| number.parse().unwrap()).collect()
    }

    fn is_over(&self) -> bool {
        let numbers = self.numbers();
        let all: u32 = numbers[1..].iter().sum();
        self.board.outcome().is_some() || numbers[1].max(numbers[2]) > all / 2
    }

    /// Returns the board as the client sees it.
    fn seen(&self) -> String {
        let numbers = self.numbers();
        let houses = numbers[0] as usize;
        let (south, north) = numbers[3..].split_at(houses);
        let (stores, rows) = if self.mirrored {
            ([numbers[2], numbers[1]], [north, south])
        } else {
            ([numbers[1], numbers[2]], [south, north])
        };
        let list: Vec<_> = [numbers[0]].iter().chain(&stores).chain(rows.concat().iter()).map(u32::to_string).collect();
        format!("<{}>", list.join(","))
    }

    /// Asks the client for a move until it yields, and plays the last one.
    fn ask(&mut self, peer: &mut Peer, id: u64) {
        let seen = self.seen();
        peer.send(&format!("{id} state {seen}"));
        let lines = peer.lines_to(&format!("@{id} yield"));
        let mv = house(&lines[lines.len() - 2], id);
        self.board.play(&mv).unwrap();
        self.requests.push((seen, mv));
    }

    /// Plays until the client is to choose a move. Returns whether it is, or the game is over.
    fn advance(&mut self, random: &mut Random) -> bool {
        while !self.is_over() {
            let moves = self.board.moves();
            let is_client = (self.board.turn().index() == 1) == self.mirrored;
            if moves.len() > 1 && is_client {
                return true;
            }
            self.board.play(random.pick::<String>(&moves)).unwrap();
        }
        false
    }
}

fn read(text: &str) -> Vec<PgnGame> {
    pgn::games(text, &Setup::new(&GAMES[0])).map(Result::unwrap).collect()
}

/// Returns whether a record leads through all states of a game, and has the client's move at each. Between them the
/// order of the opponent's moves may be another.
fn is_record_of(record: &PgnGame, game: &Game) -> bool {
    let setup = record.setup(&Setup::new(&GAMES[0])).unwrap();
    let mut board = record.board(&setup, 0).unwrap();
    let mut requests = game.requests.iter().peekable();
    for played in &record.moves {
        if requests.peek().is_some_and(|(seen, mv)| board.text() == format!("{seen} s") && *mv == played.mv) {
            requests.next();
        }
        board.play(&played.mv).unwrap();
    }
    requests.next().is_none()
}

/// Returns the last board of a record as the protocol has it.
fn last(record: &PgnGame) -> String {
    let setup = record.setup(&Setup::new(&GAMES[0])).unwrap();
    let text = record.board(&setup, record.moves.len()).unwrap().text();
    text[..=text.find('>').unwrap()].to_owned()
}

#[test]
fn games_are_recorded_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let mut random = Random(19);
    let mut games = Vec::new();
    // Two runs add to one file.
    for run in 0..2 {
        let double = Double::new();
        let client = double.client(&["--depth", "4", "--record", path.to_str().unwrap(), "--name", "me"]);
        let mut peer = double.welcome();
        for (number, (houses, seeds)) in [(4, 3), (6, 4), (3, 1), (8, 8), (12, 12), (1, 5)].into_iter().enumerate() {
            let mut game = Game::new(houses, seeds, (number + run) % 2 == 1);
            let mut id = 1000 * (number as u64 + 1);
            while game.advance(&mut random) {
                id += 2;
                game.ask(&mut peer, id);
            }
            games.push(game);
        }
        peer.send("goodbye");
        let ran = client.end();
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let records = read(&text);
    // A game in which the client never chooses is not seen.
    let seen: Vec<_> = games.iter().filter(|game| !game.requests.is_empty()).collect();
    assert_eq!((records.len(), seen.len()), (10, 10), "{text}");
    let mut known = 0;
    for (record, game) in records.iter().zip(seen) {
        assert!(is_record_of(record, game), "{record:?}\n{:?}", game.requests);
        let [mine, others] = if game.mirrored { [2, 1] } else { [1, 2] };
        assert_eq!((record.tag("Event"), record.tag("Site").is_some()), (Some("secateurs-kgp"), true));
        if record.result == "*" {
            // The opponent ended it, unseen.
            assert_eq!(record.tag("Termination"), Some("unterminated"));
            assert_ne!(last(record), game.seen());
        } else {
            known += 1;
            assert_eq!(last(record), game.seen());
            let total = |store: usize| {
                let numbers = game.numbers();
                let houses = numbers[0] as usize;
                numbers[store] + numbers[3 + (store - 1) * houses..][..houses].iter().sum::<u32>()
            };
            let result = match total(mine).cmp(&total(others)) {
                std::cmp::Ordering::Greater => "1-0",
                std::cmp::Ordering::Less => "0-1",
                std::cmp::Ordering::Equal => "1/2-1/2",
            };
            assert_eq!(pgn::result(&Setup::new(&GAMES[0]), result), record.result, "{record:?}");
        }
    }
    assert!(known > 2, "{known}");
    // Secateurs itself reads them.
    let words = ["secateurs", "analyse", "--pgn", path.to_str().unwrap(), "--depth", "2", "--json"];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = cli::code(cli::read::read(words).unwrap(), &mut out, &mut err);
    assert_eq!((code, String::from_utf8(err).unwrap().as_str()), (0, ""));
}

/// Games are added to those of other programs, whatever tags these begin with.
#[test]
fn games_follow_those_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let cut = "[Site \"here\"]\n\n1. 3 {cut o";
    for before in ["[Site \"here\"]\n\n1. 3 *\n", "; a comment\n[White \"A\"]\n\n1. 3 *\n\n", "\n", cut] {
        std::fs::write(&path, before).unwrap();
        let double = Double::new();
        let client = double.client(&["--depth", "1", "--record", path.to_str().unwrap()]);
        let mut peer = double.welcome();
        let (mut game, mut random) = (Game::new(4, 3, false), Random(19));
        let mut id = 1000;
        while game.advance(&mut random) {
            id += 2;
            game.ask(&mut peer, id);
        }
        peer.send("goodbye");
        let ran = client.end();
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(before) && text.contains("\n\n[Event \"secateurs-kgp\"]"), "{text}");
        assert_eq!(text.contains("{cut o}\n\n["), before == cut, "{text}");
    }
}

/// Games at a time, by turns, and some of them named.
#[test]
fn games_at_a_time_are_recorded_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    let (double, mut random) = (Double::new(), Random(7));
    let client = double.client(&["--depth", "3", "--record", path.to_str().unwrap()]);
    let mut peer = double.welcome();
    let mut games: Vec<Game> = (0..4).map(|number| Game::new(5, 3, number % 2 == 1)).collect();
    let mut id = 2;
    loop {
        let mut sent = false;
        for (number, game) in games.iter_mut().enumerate() {
            if !game.advance(&mut random) {
                continue;
            }
            sent = true;
            id += 2;
            let named = number >= 2;
            peer.send(&format!("set game:id \"{}\"", if named { format!("game {number}") } else { String::new() }));
            peer.send(&format!("set game:opponent \"{}\"", if named { "them" } else { "" }));
            game.ask(&mut peer, id);
        }
        if !sent {
            break;
        }
    }
    // The file is complete before the end of the connection, soon after the last move.
    let recorded = || std::fs::read_to_string(&path).unwrap().matches("[Event ").count();
    let deadline = Instant::now() + Duration::from_secs(10);
    while recorded() < 4 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(recorded(), 4);
    peer.cut();
    let mut peer = double.welcome();
    peer.send("goodbye");
    assert_eq!(client.end().code, Some(0));
    let mut records = read(&std::fs::read_to_string(&path).unwrap());
    assert_eq!(records.len(), 4);
    for (number, game) in games.iter().enumerate() {
        let at = records.iter().position(|record| is_record_of(record, game));
        let at = at.unwrap_or_else(|| panic!("no record of {:?}", game.requests));
        let record = records.remove(at);
        let id = (number >= 2).then(|| format!("game {number}"));
        assert_eq!(record.tag("GameId"), id.as_deref());
        let players = [record.tag("White"), record.tag("Black")];
        assert!(players.contains(&Some(if number >= 2 { "them" } else { "?" })), "{players:?}");
    }
}
