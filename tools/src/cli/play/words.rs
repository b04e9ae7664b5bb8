//! Values and results in words.

use super::seats::{Side as Seats, Speaker, sentence};
use secateurs::core::{Outcome, Proof, Score, Side, score};
use secateurs::engine::Board;
use secateurs::util::counted::counted;
use secateurs::views::values;

/// Describes a value for the side to move: the leader, the amount, and whether it is proven.
pub(crate) fn value(board: &dyn Board, seats: Seats, value: Score, proof: Proof) -> String {
    let leader = if value >= 0 { board.turn() } else { board.turn().other() };
    let speaker = Speaker::new(seats, leader, board.sides());
    // `sure`: the leader's value is at least this; `exact`: it is not more either.
    let sure = if value >= 0 { proof.lower() } else { proof.upper() };
    let exact = proof.lower() && proof.upper();
    let proven = if exact || sure { ", proven" } else { "" };
    let amount = value.abs();
    let text = if score::is_decisive(value) {
        let number = score::mate(value).map_or(0, Score::abs);
        let moves = counted(number, "move");
        match (exact, sure) {
            (true, _) => format!("{} in {moves}{proven}", speaker.does("win")),
            (false, true) => format!("{} {}{proven}", speaker.does("win"), values::within(number)),
            (false, false) => format!("{} to win in {moves}", speaker.does("seem")),
        }
    } else if amount == 0 && exact {
        "A draw, proven".into()
    } else if let Some([one, several]) = board.units() {
        let rounded = (amount + score::UNIT / 2) / score::UNIT;
        let count = |number: Score| format!("{number} {}", if number == 1 { one } else { several });
        match (exact, sure && amount > 0) {
            (true, _) => format!("{} by {}{proven}", speaker.does("win"), count(rounded)),
            (false, true) => format!("{} by at least {}{proven}", speaker.does("win"), count(amount / score::UNIT)),
            (false, false) if amount < score::UNIT / 2 => "about equal".into(),
            (false, false) => format!("{} ahead by about {}", speaker.does("are"), count(rounded)),
        }
    } else {
        match amount {
            0..30 => "about equal".into(),
            30..100 => format!("{} a little better", speaker.does("are")),
            100..300 => format!("{} better", speaker.does("are")),
            _ => format!("{} much better", speaker.does("are")),
        }
    };
    sentence(&text)
}

/// Describes the result of a finished game; `resigned` is the side that resigned.
pub(crate) fn result(board: &dyn Board, seats: Seats, resigned: Option<Side>) -> Option<String> {
    let speaker = |side| Speaker::new(seats, side, board.sides());
    if let Some(side) = resigned {
        return Some(format!("{}: {}.", sentence(&speaker(side).does("resign")), speaker(side.other()).does("win")));
    }
    let wins = |side| sentence(&speaker(side).does("win"));
    let turn = board.turn();
    Some(match board.outcome()? {
        Outcome::Win => format!("{}.", wins(turn)),
        Outcome::Loss => format!("{}.", wins(turn.other())),
        Outcome::Draw | Outcome::Margin(0) => "It is a draw.".into(),
        Outcome::Margin(margin) => {
            let [one, several] = board.units().unwrap_or(["point", "points"]);
            let units = if margin.abs() == 1 { one } else { several };
            let winner = if margin > 0 { turn } else { turn.other() };
            format!("{} by {} {units}.", wins(winner), margin.abs())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::core::score::win_in;
    use secateurs::registry::Setup;

    fn board(game: &str, position: &str) -> Box<dyn Board> {
        Setup::named(game).unwrap().board(position).unwrap()
    }

    #[test]
    fn values_are_words() {
        let (kalah, four) = (board("kalah", "startpos"), board("connect4", "startpos moves 4"));
        for (number, proof, words) in [
            (230, Proof::NONE, "You are ahead by about 2 seeds"),
            (-120, Proof::NONE, "I am ahead by about 1 seed"),
            (-20, Proof::NONE, "About equal"),
            (400, Proof::EXACT, "You win by 4 seeds, proven"),
            (-400, Proof::UPPER, "I win by at least 4 seeds, proven"),
            (-400, Proof::LOWER, "I am ahead by about 4 seeds"),
            (0, Proof::EXACT, "A draw, proven"),
        ] {
            assert_eq!(value(&*kalah, Seats::First, number, proof), words);
        }
        for (number, proof, words) in [
            (win_in(5), Proof::EXACT, "o wins in 3 moves, proven"),
            (-win_in(2), Proof::UPPER, "x wins in 1 move, proven"),
            (-win_in(6), Proof::UPPER, "x wins within 3 moves, proven"),
            (win_in(5), Proof::NONE, "o seems to win in 3 moves"),
            (50, Proof::NONE, "o is a little better"),
            (-500, Proof::NONE, "x is much better"),
        ] {
            assert_eq!(value(&*four, Seats::Both, number, proof), words);
        }
    }

    #[test]
    fn results_are_words() {
        for (game, position, seats, words) in [
            ("kalah", "<1,5,2,0,1> s", Seats::First, Some("You win by 2 seeds.")),
            ("kalah", "<1,2,2,0,1> s", Seats::First, Some("I win by 1 seed.")),
            ("kalah", "<1,2,1,0,1> s", Seats::First, Some("It is a draw.")),
            ("nim", "0,0 1", Seats::Both, Some("Player 2 wins.")),
            ("connect4", "1212121", Seats::None, Some("x wins.")),
            ("connect4", "121212", Seats::None, None),
        ] {
            assert_eq!(result(&*board(game, position), seats, None).as_deref(), words, "{game} {position}");
        }
        let resigned = result(&*board("kalah", "startpos"), Seats::First, Some(Side::First));
        assert_eq!(resigned.as_deref(), Some("You resign: I win."));
    }
}
