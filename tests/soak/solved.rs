//! Checks the output of an exact search.

use super::session::Session;
use secateurs::core::solution::Valued;

/// A parsed line of an exact search.
#[derive(Default)]
pub struct Solved {
    /// The words of `value`, `proven`, `lower`, `upper` and `outcome`.
    words: [String; 5],
    pub nodes: u64,
    pub time: u64,
    moves: Vec<String>,
    /// Each move with its bounds.
    values: Vec<[String; 3]>,
    pv: Vec<String>,
    incomplete: bool,
}

impl Solved {
    /// Returns `None` for a line with unknown words or with values out of range.
    pub fn read(line: &str) -> Option<Self> {
        let mut solved = Self::default();
        let mut words = line.split(' ').peekable();
        while let Some(word) = words.next() {
            let mut list = |ends: &[&str]| {
                let mut list = Vec::new();
                while let Some(word) = words.next_if(|word| !ends.contains(word)) {
                    list.push(word.to_owned());
                }
                list
            };
            match word {
                "moves" => solved.moves = list(&["values", "pv"]),
                "values" => {
                    let list = list(&["pv"]);
                    let values = list.chunks(3).map(|triple| triple.to_vec().try_into().ok());
                    solved.values = values.collect::<Option<_>>()?;
                }
                "pv" => solved.pv = list(&[]),
                "incomplete" => solved.incomplete = true,
                "nodes" => solved.nodes = words.next()?.parse().ok()?,
                "time" => solved.time = words.next()?.parse().ok()?,
                "hashfull" => drop(words.next()?.parse::<u64>().ok().filter(|&full| full <= 1000)?),
                word => {
                    let at =
                        ["value", "proven", "lower", "upper", "outcome"].iter().position(|&known| known == word)?;
                    solved.words[at] = words.next()?.to_owned();
                }
            }
        }
        let numbers = [&solved.words[0], &solved.words[2], &solved.words[3]]
            .into_iter()
            .chain(solved.values.iter().flat_map(|[_, bounds @ ..]| bounds));
        let all = numbers.filter(|word| !["", "none"].contains(&word.as_str())).all(|word| word.parse::<i64>().is_ok());
        all.then_some(solved)
    }

    /// Whether the value and the requested moves are there. The line may have been left out.
    fn is_complete(&self, valued: Valued, session: &Session) -> bool {
        let is_over = session.board.outcome().is_some();
        self.words[1] == "exact"
            && match valued {
                Valued::None => true,
                Valued::Best => is_over || !self.moves.is_empty(),
                Valued::All => is_over || self.values.len() == session.board.moves().len(),
            }
    }

    /// Checks that the closing line is consistent.
    pub fn check(&self, valued: Valued, session: &Session) -> Result<(), &'static str> {
        let [value, proven, lower, upper, outcome] = self.words.each_ref().map(String::as_str);
        let known = match proven {
            "exact" => value == lower && value == upper && value != "none",
            "lower" => value == lower && value != "none",
            "upper" => value == upper && value != "none",
            "none" => value == "none",
            _ => false,
        };
        // 0 is a draw, or the value of a game that is over.
        let decided = if session.board.outcome().is_some() { ["win", "loss"] } else { ["loss"; 2] };
        let fits = match (proven, value.parse::<i64>()) {
            ("exact", Ok(0)) => outcome == "draw" || decided.contains(&outcome),
            ("exact", Ok(value)) => outcome == if value > 0 { "win" } else { "loss" },
            _ => ["win", "draw", "loss", "none"].contains(&outcome),
        };
        let legal = session.board.moves();
        let in_order = |moves: &[&String]| {
            let mut legal = legal.iter();
            moves.iter().all(|&mv| legal.any(|legal| legal == mv))
        };
        let (best, of_values): (Vec<_>, Vec<_>) =
            (self.moves.iter().collect(), self.values.iter().map(|[mv, ..]| mv).collect());
        if !known {
            Err("what is proven is not what is said")
        } else if !fits {
            Err("the outcome is not that of the value")
        } else if !in_order(&best) || !in_order(&of_values) {
            Err("not the game's moves in order")
        } else if proven != "exact" && !(self.moves.is_empty() && self.values.is_empty() && self.pv.is_empty()) {
            Err("moves without a value")
        } else if valued == Valued::None && !(self.moves.is_empty() && self.pv.is_empty())
            || valued != Valued::All && !self.values.is_empty()
        {
            Err("moves without a request")
        } else if valued == Valued::All
            && !session.row.is_cyclic
            && !self.pv.is_empty()
            && self.values.len() != legal.len()
        {
            // In games that repeat positions, the line comes before the values of worse moves.
            Err("not all moves")
        } else if !self.incomplete && !self.is_complete(valued, session) {
            Err("something is missing, but not incomplete")
        } else {
            let mut board = session.board.boxed();
            let fits = self.pv.first().is_none_or(|first| self.moves.contains(first));
            let legal = self.pv.iter().all(|mv| board.play(mv).is_ok());
            if fits && legal { Ok(()) } else { Err("a line that is not legal, or not the best") }
        }
    }
}
