//! The games that states belong to. The protocol does not have to name them: a state continues a game if moves lead to
//! its board from that game's last state; otherwise it begins another game.

use super::notice::GameTag;
use super::path::path;
use secateurs::core::position::legal_moves;
use secateurs::core::{Outcome, Position, Report, Side};
use secateurs::games::kalah::{Capture, House, Layout, Wide, text};
use std::time::Duration;

/// The maximum number of games that states can continue.
const MOST: usize = 32;

/// The games of a connection.
#[derive(Default)]
pub struct Games {
    /// The games, the one with the latest state at the end.
    open: Vec<Game>,
}

/// The known part of a game.
#[derive(Clone, Debug)]
pub struct Game {
    /// How the server names it.
    pub tag: GameTag,
    /// The first board, as text.
    pub start: String,
    /// The moves to the last state.
    pub moves: Vec<Played>,
    /// The start time in Unix seconds.
    pub started: u64,
    last: Wide,
    /// The moves sent for that state, the latest one at the end.
    sent: Vec<Played>,
    /// The number of the search for that state.
    number: u64,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The move.
    pub house: House,
    /// The report of the search and its time, for a move of this client.
    pub report: Option<(Report, Duration)>,
}

/// What is known of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules, with South's margin in seeds.
    Rules(i16),
    /// A side has more than half of the seeds in its store; the server ends the game.
    Majority(Side),
    /// The server does not say how a game ends.
    Unknown,
}

impl Games {
    /// Adds a state. Returns the games that no state can continue any more.
    pub(crate) fn state(&mut self, number: u64, board: &str, tag: &GameTag, now: u64) -> Vec<Game> {
        let Some(board) = read(board) else { return Vec::new() };
        let belongs = |game: &Game| game.tag.id == tag.id && game.last.houses() == board.houses();
        let continued = self.open.iter().enumerate().rev().filter(|(_, game)| belongs(game));
        let found = continued.into_iter().find_map(|(at, game)| Some((at, game.line_to(&board)?)));
        let mut left = Vec::new();
        let game = if let Some((at, moves)) = found {
            let mut game = self.open.remove(at);
            game.moves.extend(moves);
            Game { last: board, sent: Vec::new(), number, ..game }
        } else {
            if tag.id.is_some() {
                // There is a gap: the rest is recorded as another game.
                left.extend(self.open.extract_if(.., |game| game.tag.id == tag.id));
            }
            if self.open.len() == MOST {
                left.push(self.open.remove(0));
            }
            Game::begin(number, board, tag.clone(), now)
        };
        self.open.push(game);
        left
    }

    /// Adds a move that was sent.
    pub(crate) fn moved(&mut self, number: u64, report: &Report, time: Duration) {
        let house = report.best().and_then(|mv| mv.parse::<u8>().ok()?.checked_sub(1));
        let game = self.open.iter_mut().find(|game| game.number == number);
        if let (Some(house), Some(game)) = (house, game) {
            game.sent.push(Played { house: House(house), report: Some((report.clone(), time)) });
        }
    }

    /// Replaces the report of the last move sent by the final one.
    pub(crate) fn answered(&mut self, number: u64, report: &Report, time: Duration) {
        let game = self.open.iter_mut().find(|game| game.number == number);
        if let Some(last) = game.and_then(|game| game.sent.last_mut()) {
            last.report = Some((report.clone(), time));
        }
    }

    /// Returns the games that states may continue.
    pub(crate) fn open(&self) -> &[Game] {
        &self.open
    }

    /// Removes and returns all games.
    pub(crate) fn end(&mut self) -> Vec<Game> {
        std::mem::take(&mut self.open)
    }
}

impl Game {
    fn begin(number: u64, board: Wide, tag: GameTag, started: u64) -> Self {
        // The opponent may have moved first.
        let starts = starts(&board);
        let way = starts.into_iter().flatten().find_map(|start| {
            let moves = if start == board { Vec::new() } else { line(&start, &board)? };
            Some((start, moves))
        });
        let (start, moves) = way.unwrap_or_else(|| (board.clone(), Vec::new()));
        let moves = moves.into_iter().map(|house| Played { house, report: None }).collect();
        Self { tag, start: text::write(&start.contents()), moves, started, last: board, sent: Vec::new(), number }
    }

    /// Returns the moves from the last state to a board: an empty list if the server repeats that state of a game which
    /// it names. Without a name another game has come to the same board.
    fn line_to(&self, board: &Wide) -> Option<Vec<Played>> {
        if *board == self.last {
            return self.tag.id.as_ref().map(|_| Vec::new());
        }
        let mut sent: Vec<House> = self.sent.iter().rev().map(|played| played.house).collect();
        sent.dedup();
        let line = path(&self.last, board, &sent)?;
        let mut moves: Vec<_> = line.into_iter().map(|house| Played { house, report: None }).collect();
        // The first one is this client's, unless the server chose another.
        let ours = moves.first().and_then(|first| self.sent.iter().rfind(|sent| sent.house == first.house));
        if let (Some(first), Some(ours)) = (moves.first_mut(), ours) {
            *first = ours.clone();
        }
        Some(moves)
    }

    /// Returns all moves, including the last one sent and the forced ones after it, and the end that they lead to.
    pub(crate) fn complete(&self) -> (Vec<Played>, Ending) {
        let (mut moves, mut board) = (self.moves.clone(), self.last.clone());
        if let Some(last) = self.sent.last() {
            moves.push(last.clone());
            board = board.after(last.house);
            while ending(&board) == Ending::Unknown
                && let [only] = legal_moves(&board)[..]
            {
                moves.push(Played { house: only, report: None });
                board = board.after(only);
            }
        }
        (moves, ending(&board))
    }
}

/// Returns how the game ends on a board.
fn ending(board: &Wide) -> Ending {
    if board.is_over()
        && let Outcome::Margin(margin) = board.outcome()
    {
        return Ending::Rules(if board.turn() == Side::First { margin } else { -margin });
    }
    let stores = board.contents().stores;
    let half = (board.in_play() + stores[0] + stores[1]) / 2;
    match stores {
        [south, _] if south > half => Ending::Majority(Side::First),
        [_, north] if north > half => Ending::Majority(Side::Second),
        _ => Ending::Unknown,
    }
}

/// Parses a board with standard captures; `None` for other text.
fn read(board: &str) -> Option<Wide> {
    text::parse(board, Capture::Standard).ok().and_then(|contents| Wide::lay(&contents))
}

/// Returns the starting positions with as many houses and seeds as a board, South to move and North to move; `None` if
/// the seeds do not divide evenly.
fn starts(board: &Wide) -> [Option<Wide>; 2] {
    let (houses, contents) = (board.houses(), board.contents());
    let all = usize::from(board.in_play() + contents.stores[0] + contents.stores[1]);
    let seeds = Some(all / (2 * houses)).filter(|seeds| all == seeds * 2 * houses && *seeds > 0);
    let start = |turn| {
        let row = vec![u16::try_from(seeds?).ok()?; houses];
        let contents = secateurs::games::kalah::BoardContents {
            turn,
            stores: [0, 0],
            houses: [row.clone(), row],
            ..contents.clone()
        };
        Wide::lay(&contents)
    };
    [start(Side::First), start(Side::Second)]
}

/// Returns the moves of North alone that lead from the start to the first state.
fn line(start: &Wide, board: &Wide) -> Option<Vec<House>> {
    (start.turn() == Side::Second).then(|| path(start, board, &[])).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::search::first_move;
    use super::*;
    use secateurs::registry::GAMES;

    const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> s";

    fn report(mv: &str) -> Report {
        let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
        Report { pv: vec![mv.into()], ..first_move(&*board) }
    }

    fn after(from: &str, moves: &[u8]) -> String {
        let board = moves.iter().fold(read(from).unwrap(), |board, mv| board.after(House(mv - 1)));
        text::write(&board.contents())
    }

    fn numbers(moves: &[Played]) -> Vec<u8> {
        moves.iter().map(|played| played.house.0 + 1).collect()
    }

    #[test]
    fn states_of_two_games_are_kept_apart() {
        let (mut games, none) = (Games::default(), GameTag::default());
        assert!(games.state(1, START, &none, 5).is_empty());
        // North has begun the second game.
        let second = after(&START.replace(" s", " n"), &[3, 1]);
        assert!(games.state(2, &second, &none, 6).is_empty());
        assert_eq!(games.open().len(), 2);
        games.moved(1, &report("1"), Duration::from_millis(1));
        games.moved(1, &report("3"), Duration::from_millis(2));
        games.moved(2, &report("6"), Duration::from_millis(3));
        let third = after(START, &[3]);
        assert!(games.state(3, &third, &none, 7).is_empty(), "an extra turn");
        games.moved(3, &report("6"), Duration::from_millis(4));
        // The server took the first of the moves sent for the second state.
        let fourth = after(&second, &[6, 2]);
        assert!(games.state(4, &fourth, &none, 8).is_empty());
        let ended = games.end();
        assert_eq!(ended.len(), 2);
        let (moves, ending) = ended[0].complete();
        assert_eq!((ended[0].start.as_str(), numbers(&moves), ending), (START, vec![3, 6], Ending::Unknown));
        assert_eq!(moves[0].report.as_ref().unwrap().1, Duration::from_millis(2));
        assert_eq!(ended[1].start, START.replace(" s", " n"));
        assert_eq!(numbers(&ended[1].complete().0), [3, 1, 6, 2]);
        assert!(games.open().is_empty());
    }

    #[test]
    fn named_games_go_by_their_names() {
        let (mut games, tag) = (Games::default(), |id: &str| GameTag { id: Some(id.into()), ..GameTag::default() });
        games.state(1, START, &tag("a"), 0);
        games.state(2, START, &tag("b"), 0);
        games.moved(1, &report("3"), Duration::ZERO);
        games.moved(2, &report("3"), Duration::ZERO);
        games.state(3, &after(START, &[3]), &tag("a"), 0);
        assert_eq!(games.open().iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [0, 1]);
        // There is no line to this state: the game continues as another record.
        let left = games.state(4, "<6,20,20,1,1,1,1,0,0,1,1,1,1,0,0> s", &tag("a"), 0);
        assert_eq!((left.len(), left[0].moves.len()), (1, 1));
        assert_eq!(games.open().last().unwrap().start, "<6,20,20,1,1,1,1,0,0,1,1,1,1,0,0> s");
    }

    #[test]
    fn a_board_of_another_game_begins_a_game_unless_the_server_names_it() {
        for (id, count) in [(None, 3), (Some("a".to_owned()), 1)] {
            let (mut games, tag) = (Games::default(), GameTag { id, ..GameTag::default() });
            for number in 1..=3 {
                assert!(games.state(number, START, &tag, 0).is_empty());
                games.moved(number, &report("6"), Duration::ZERO);
            }
            // An opponent's move continues the last game.
            games.state(4, &after(START, &[6, 1]), &tag, 0);
            let moves: Vec<_> = games.end().iter().map(|game| numbers(&game.complete().0)).collect();
            assert_eq!((moves.len(), moves.last().unwrap().as_slice()), (count, &[6, 1][..]), "{moves:?}");
        }
    }

    #[test]
    fn ends_are_known_where_the_rules_or_the_stores_show_them() {
        for (board, mv, count, ending) in [
            ("<3,5,5,0,0,1,0,0,3> s", "3", 1, Ending::Rules(-2)),
            ("<3,8,3,2,1,0,0,0,1> s", "2", 1, Ending::Majority(Side::First)),
            ("<3,2,2,2,2,2,2,2,2> s", "1", 1, Ending::Unknown),
            // North has one move, and then South has one.
            ("<2,0,0,1,1,0,1> s", "1", 2, Ending::Rules(1)),
        ] {
            let mut games = Games::default();
            games.state(1, board, &GameTag::default(), 0);
            games.moved(1, &report(mv), Duration::ZERO);
            let (moves, end) = games.end()[0].complete();
            assert_eq!((moves.len(), end), (count, ending), "{board}");
        }
    }

    #[test]
    fn old_games_make_room() {
        let mut games = Games::default();
        let left: usize = (0..40)
            .map(|number| {
                let tag = GameTag { id: Some(number.to_string()), ..GameTag::default() };
                games.state(number, START, &tag, 0).len()
            })
            .sum();
        assert_eq!((left, games.open().len()), (8, MOST));
    }
}
