//! The `info` lines of an engine, parsed leniently.

use secateurs::core::error::Quoted;
use secateurs::core::report::{Bound, Report};
use secateurs::core::score::{MAX_DISTANCE, MAX_EVALUATION, WIN, mate, win_in};
use secateurs::core::{self, Proof};
use std::iter::Peekable;
use std::ops::RangeBounds;
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

/// The largest accepted distance of a win in moves: a longer win has no score on the internal scale.
const MOST_MOVES: i32 = MAX_DISTANCE / 2;

/// The largest recorded evaluation.
const MOST_CP: i32 = 1_000_000;

const PER_MILLE: u16 = 1000;

/// The contents of one line; `None` for a missing value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The iteration depth in plies.
    pub depth: Option<u32>,
    /// The selective depth in plies.
    pub seldepth: Option<u32>,
    /// The number of the principal variation, 1 for the best.
    pub multipv: u32,
    /// The score for the side to move.
    pub score: Option<Score>,
    /// The relation of the score to the value of this iteration.
    pub bound: Bound,
    /// The proven bounds of the game's value; only Secateurs reports them.
    pub proof: Proof,
    /// The probabilities of a win, a draw and a loss, per mille.
    pub wdl: Option<[u16; 3]>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The fill of the transposition table, per mille.
    pub hashfull: Option<u16>,
    /// Positions found in endgame databases.
    pub tbhits: Option<u64>,
    /// The time since the start of the search, by the engine's own clock.
    pub time: Option<Duration>,
    /// The principal variation.
    pub pv: Vec<String>,
}

/// A score as reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of the game's unit (a pawn, a seed).
    Cp(i32),
    /// The side to move wins in this number of full moves, or loses if it is negative or 0.
    Mate(i32),
}

impl Score {
    /// Returns an evaluation as reported, or the largest for a larger one.
    fn clamped(cp: i64) -> Self {
        let most = i64::from(MOST_CP);
        Self::Cp(i32::try_from(cp.clamp(-most, most)).unwrap_or(MOST_CP))
    }

    /// Returns the score on the internal scale. The last ply of a win in n moves is the winner's. A `cp` score is
    /// clamped below all wins.
    pub fn scaled(self) -> core::Score {
        match self {
            Self::Cp(score) => score.clamp(-MAX_EVALUATION, MAX_EVALUATION),
            Self::Mate(0) => -WIN,
            Self::Mate(moves @ 1..) => win_in(moves.saturating_mul(2) - 1),
            Self::Mate(moves) => -win_in(moves.saturating_neg().saturating_mul(2)),
        }
    }
}

/// The contents of the `info` line of an internal search.
impl From<&Report> for Info {
    fn from(report: &Report) -> Self {
        Self {
            depth: Some(report.depth.into()),
            seldepth: Some(report.seldepth.into()),
            multipv: u32::try_from(report.line).unwrap_or(u32::MAX),
            score: Some(mate(report.score).map_or(Score::Cp(report.score), Score::Mate)),
            bound: report.bound,
            proof: report.proof,
            wdl: report.wdl,
            nodes: Some(report.nodes),
            nps: Some(report.nps()),
            hashfull: Some(report.hashfull),
            tbhits: None,
            time: Some(report.time),
            pv: report.pv.clone(),
        }
    }
}

impl Default for Info {
    fn default() -> Self {
        Self {
            depth: None,
            seldepth: None,
            multipv: 1,
            score: None,
            bound: Bound::Exact,
            proof: Proof::NONE,
            wdl: None,
            nodes: None,
            nps: None,
            hashfull: None,
            tbhits: None,
            time: None,
            pv: Vec::new(),
        }
    }
}

/// The keywords that end a variation.
const KEYWORDS: &[&str] = &[
    "depth",
    "seldepth",
    "multipv",
    "score",
    "wdl",
    "proven",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "currmove",
    "currmovenumber",
    "cpuload",
    "string",
];

impl Info {
    /// Parses `info ...`; `None` for any other line. Unknown words are ignored, and so are values that are not numbers
    /// or are out of range: their fields stay empty, and the first of them is logged.
    pub fn parse(line: &str) -> Option<Self> {
        let (info, bad) = Self::read(line)?;
        if let Some((key, value)) = bad {
            log::info!("bad info line {}: {key} {}", Quoted::new(line), Quoted::part(value));
        }
        Some(info)
    }

    /// Parses a line; also returns the first ignored value with its keyword.
    fn read(line: &str) -> Option<(Self, Option<(&str, &str)>)> {
        let mut words = InfoWords { words: line.split_whitespace().peekable(), bad: None };
        words.words.next_if_eq(&"info")?;
        let mut info = Self::default();
        while let Some(word) = words.words.next() {
            match word {
                "depth" => info.depth = words.number(word).or(info.depth),
                "seldepth" => info.seldepth = words.number(word).or(info.seldepth),
                "multipv" => info.multipv = words.within(word, 1..).unwrap_or(1),
                "nodes" => info.nodes = words.number(word).or(info.nodes),
                "nps" => info.nps = words.number(word).or(info.nps),
                "hashfull" => info.hashfull = words.within(word, ..=PER_MILLE).or(info.hashfull),
                "tbhits" => info.tbhits = words.number(word).or(info.tbhits),
                "time" => info.time = words.number(word).map(Duration::from_millis).or(info.time),
                "cp" => info.score = words.number(word).map(Score::clamped).or(info.score),
                "mate" => info.score = words.within(word, -MOST_MOVES..=MOST_MOVES).map(Score::Mate).or(info.score),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "proven" => {
                    let known = words.words.next_if(|word| proof(word).is_some());
                    info.proof = known.and_then(proof).unwrap_or_default();
                }
                "wdl" => {
                    let chances = [(); 3].map(|()| words.within(word, ..=PER_MILLE));
                    info.wdl = match chances {
                        [Some(win), Some(draw), Some(loss)] => Some([win, draw, loss]),
                        _ => None,
                    };
                }
                "pv" => {
                    info.pv.clear();
                    while let Some(mv) = words.words.next_if(|word| !KEYWORDS.contains(word)) {
                        info.pv.push(mv.to_owned());
                    }
                }
                // The rest is free text, or another list of moves.
                "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        Some((info, words.bad))
    }

    /// Adopts the statistics of a later line without a score.
    pub(super) fn update(&mut self, later: &Self) {
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.hashfull = later.hashfull.or(self.hashfull);
        self.tbhits = later.tbhits.or(self.tbhits);
        self.time = later.time.or(self.time);
    }
}

struct InfoWords<'a> {
    words: Peekable<SplitWhitespace<'a>>,
    /// The first ignored value, after its keyword.
    bad: Option<(&'a str, &'a str)>,
}

impl<'a> InfoWords<'a> {
    fn number<T: FromStr + PartialOrd>(&mut self, key: &'a str) -> Option<T> {
        self.within(key, ..)
    }

    fn within<T: FromStr + PartialOrd>(&mut self, key: &'a str, range: impl RangeBounds<T>) -> Option<T> {
        let value = *self.words.peek()?;
        let number = value.parse().ok().filter(|number| range.contains(number));
        if number.is_some() {
            self.words.next();
        } else if !KEYWORDS.contains(&value) {
            self.bad.get_or_insert((key, value));
        }
        number
    }
}

fn proof(word: &str) -> Option<Proof> {
    [Proof::EXACT, Proof::LOWER, Proof::UPPER].into_iter().find(|proof| proof.name() == Some(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Info {
        Info::parse(line).unwrap()
    }

    #[test]
    fn lines_of_many_engines_are_read() {
        let ours = parse(
            "info depth 7 seldepth 12 multipv 2 score cp -150 lowerbound wdl 700 250 50 proven lower nodes 1000 \
             nps 100000 hashfull 3 time 10 pv 3 2",
        );
        assert_eq!((ours.depth, ours.seldepth, ours.multipv), (Some(7), Some(12), 2));
        assert_eq!((ours.score, ours.bound, ours.proof), (Some(Score::Cp(-150)), Bound::Lower, Proof::LOWER));
        assert_eq!((ours.wdl, ours.nodes, ours.nps), (Some([700, 250, 50]), Some(1000), Some(100_000)));
        assert_eq!((ours.hashfull, ours.time), (Some(3), Some(Duration::from_millis(10))));
        assert_eq!(ours.pv, ["3", "2"]);
        let stockfish =
            parse("info depth 245 seldepth 2 multipv 1 score mate +1 nodes 4 tbhits 0 time 1 pv h5f7 time 2");
        assert_eq!((stockfish.score, stockfish.tbhits), (Some(Score::Mate(1)), Some(0)));
        assert_eq!(
            (stockfish.pv.as_slice(), stockfish.time),
            (&["h5f7".to_owned()][..], Some(Duration::from_millis(2)))
        );
    }

    #[test]
    fn scores_are_on_our_scale() {
        for score in [150, -28_800, 0, win_in(1), win_in(3), -win_in(2), -win_in(4)] {
            let scored = mate(score).map_or(Score::Cp(score), Score::Mate);
            assert_eq!(scored.scaled(), score);
        }
        // Outside the internal range but valid: chess engines report such scores for wins of unknown distance.
        let high = Info::read("info score cp 31000").unwrap();
        assert_eq!((high.0.score, high.1), (Some(Score::Cp(31_000)), None));
        for (written, score) in [("1000001", MOST_CP), ("99999999999", MOST_CP), ("-2147483648", -MOST_CP)] {
            assert_eq!(parse(&format!("info score cp {written}")).score, Some(Score::Cp(score)), "{written}");
        }
        for score in [31_000, MOST_CP, i32::MAX] {
            assert_eq!(
                (Score::Cp(score).scaled(), Score::Cp(-score).scaled()),
                (MAX_EVALUATION, -MAX_EVALUATION),
                "{score}"
            );
            assert!(Score::Cp(score).scaled() < Score::Mate(MOST_MOVES).scaled());
        }
        assert_eq!(Score::Mate(0).scaled(), -WIN);
    }

    #[test]
    fn a_value_out_of_range_is_no_value_and_is_named() {
        for (line, bad) in [
            ("score mate -99999", ("mate", "-99999")),
            ("score mate 1600", ("mate", "1600")),
            ("score cp x", ("cp", "x")),
            ("depth -3", ("depth", "-3")),
            ("depth 4294967296", ("depth", "4294967296")),
            ("multipv 0", ("multipv", "0")),
            ("hashfull 1001", ("hashfull", "1001")),
            ("wdl 5000 0 0", ("wdl", "5000")),
            ("time -1", ("time", "-1")),
            ("depth x score mate y", ("depth", "x")),
        ] {
            assert_eq!(Info::read(&format!("info {line}")), Some((Info::default(), Some(bad))), "{line}");
        }
        let rest = Info::read("info depth 5 score mate 99999 nodes 7 pv a").unwrap().0;
        assert_eq!((rest.depth, rest.score, rest.nodes, rest.pv), (Some(5), None, Some(7), vec!["a".to_owned()]));
        assert_eq!(Info::read("info depth 5 score cp -30 nodes 7 string mate 99999").unwrap().1, None);
        for sound in [Score::Mate(MOST_MOVES), Score::Mate(-MOST_MOVES), Score::Cp(MOST_CP)] {
            assert!(sound.scaled().abs() <= WIN && sound.scaled().abs() >= MAX_EVALUATION, "{sound:?}");
        }
    }

    #[test]
    fn nonsense_is_passed_over() {
        assert_eq!(Info::parse("bestmove 3"), None);
        assert_eq!(Info::parse(""), None);
        assert_eq!(parse("info"), Info::default());
        assert_eq!(parse("info string score cp 5"), Info::default());
        assert_eq!(parse("info depth deep score cp much nodes -3 wdl 1 2 proven maybe"), Info::default());
        assert_eq!(parse("info depth nodes 5").nodes, Some(5));
    }
}
