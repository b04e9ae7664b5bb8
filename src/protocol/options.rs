//! The options that belong to no game: their declarations, and their values as the dialogue uses them.

use super::learning;
use crate::core::{OptionRow, Options, Parameters, Score, Ties, score};
use crate::opponent::RandomMoves;
use crate::registry;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The default of `Hash`, in MiB.
pub(crate) const HASH: i64 = 64;

/// The option for the game.
pub const VARIANT: &str = "UCI_Variant";

/// The option for search parameters.
pub(crate) const PARAMETERS: &str = "SearchParameters";

/// The option for opening books.
pub(crate) const BOOK: &str = "OwnBook";

/// The declarations, in the order of the handshake.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow::spin("Hash", HASH, 1..=1 << 20).help("size of the transposition table, MiB"),
    OptionRow::spin("Threads", 1, 1..=256)
        .help("number of search threads; with one, a search to a depth or a number of nodes is deterministic"),
    OptionRow::spin("MultiPV", 1, 1..=256).help("number of best moves that get a line each"),
    OptionRow::spin("Aspiration", 0, 0..=score::MAX_EVALUATION as i64)
        .help("half the width of the first aspiration window, centi-units; 0: the game's default"),
    OptionRow::spin("Move Overhead", 10, 0..=10_000)
        .help("time lost on every move between the manager's clock and the engine's, milliseconds"),
    OptionRow::check("Ponder", false).help("bestmove names the expected reply; not after the handshake ugi"),
    OptionRow::check("UCI_ShowWDL", false)
        .help("info lines have the chances of a win, a draw and a loss, per mille, if the game has a model of them"),
    OptionRow::check("EqualMoves", false).help("list all moves that are as good as the best"),
    OptionRow::check("RandomTies", false).help("play a random one of the moves that are as good as the best"),
    OptionRow::spin("RandomMoves", 0, 0..=1_000).help("random moves per thousand; 1000 plays at random"),
    // Managers store spins in 32-bit signed integers.
    OptionRow::spin("RandomSeed", 0, 0..=i32::MAX as i64)
        .help("seed of RandomTies and RandomMoves; 0: a different one in each process"),
    OptionRow::text(PARAMETERS, "")
        .help("search parameters for experiments, NAME=VALUE by commas; the others are those of the game"),
    OptionRow::check(BOOK, false).help("use the game's opening book of exact values, if it has one"),
    OptionRow::text(learning::FILE, "").help("file of searched positions: later searches use its results"),
    OptionRow::spin(learning::SIZE, 16, 1..=1024)
        .help("maximum size of LearnFile, MiB: beyond it the least useful half is removed"),
    OptionRow::combo(VARIANT, registry::NAMES[0], &registry::NAMES)
        .help("the game; setting it resets the position and keeps the table"),
];

/// The values of these options except `UCI_Variant`, `LearnFile` and `LearnSize`, read when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct General {
    /// `Hash`, in MiB.
    pub hash: usize,
    /// `Threads`, at least 1.
    pub threads: usize,
    /// `MultiPV`, at least 1.
    pub lines: usize,
    /// `Aspiration`, in centi-units; `None`: the game's default.
    pub aspiration: Option<Score>,
    /// `SearchParameters`; invalid text counts as empty.
    pub parameters: Parameters,
    /// `Move Overhead`.
    pub overhead: Duration,
    /// `Ponder`.
    pub ponder: bool,
    /// `UCI_ShowWDL`.
    pub wdl: bool,
    /// `EqualMoves`.
    pub equal: bool,
    /// The treatment of equal moves that `EqualMoves`, `RandomTies` and `RandomSeed` select.
    pub ties: Ties,
    /// The random moves that `RandomMoves` and `RandomSeed` select.
    pub random_moves: RandomMoves,
}

impl General {
    /// Parses the values of [`OPTIONS`]; `fresh` is the seed if `RandomSeed` is 0.
    #[must_use]
    pub fn new(options: &Options, fresh: u64) -> Self {
        let count = |name| usize::try_from(options.spin(name)).unwrap_or(usize::MAX);
        let equal = options.check("EqualMoves");
        let seed = options.spin("RandomSeed").unsigned_abs();
        let seed = if seed == 0 { fresh } else { seed };
        Self {
            hash: count("Hash"),
            threads: count("Threads"),
            lines: count("MultiPV"),
            aspiration: Score::try_from(options.spin("Aspiration")).ok().filter(|&width| width > 0),
            parameters: Parameters::read(options.text(PARAMETERS)).unwrap_or_default(),
            overhead: Duration::from_millis(options.spin("Move Overhead").unsigned_abs()),
            ponder: options.check("Ponder"),
            wdl: options.check("UCI_ShowWDL"),
            equal,
            ties: match (options.check("RandomTies"), equal) {
                (true, _) => Ties::Random(seed),
                (false, true) => Ties::All,
                (false, false) => Ties::First,
            },
            random_moves: RandomMoves { per_mille: options.spin("RandomMoves").unsigned_abs(), seed },
        }
    }
}

/// Returns an unpredictable number from the system's randomness.
#[must_use]
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn general(set: &[(&str, &str)]) -> General {
        let mut options = Options::new(OPTIONS);
        for (name, value) in set {
            options.set(name, value).unwrap();
        }
        General::new(&options, 77)
    }

    #[test]
    fn every_row_has_its_value() {
        let set = [("Hash", "3"), ("Threads", "4"), ("MultiPV", "5"), ("Move Overhead", "6"), ("Aspiration", "8")];
        let text = [("SearchParameters", "null_move=9")];
        let checks = [("RandomMoves", "7"), ("Ponder", "true"), ("UCI_ShowWDL", "true"), ("EqualMoves", "true")];
        let expected = General {
            hash: 3,
            threads: 4,
            lines: 5,
            aspiration: Some(8),
            parameters: Parameters::read("null_move=9").unwrap(),
            overhead: Duration::from_millis(6),
            ponder: true,
            wdl: true,
            equal: true,
            ties: Ties::All,
            random_moves: RandomMoves { per_mille: 7, seed: 77 },
        };
        assert_eq!(general(&[&set[..], &text[..], &checks[..]].concat()), expected);
        let defaults = general(&[]);
        assert_eq!((defaults.hash, defaults.threads, defaults.lines, defaults.ties), (64, 1, 1, Ties::First));
    }

    #[test]
    fn random_moves_have_the_seed_that_was_set_or_a_new_one() {
        let ties = |set: &[(&str, &str)]| general(set).ties;
        assert_eq!(ties(&[("RandomTies", "true"), ("RandomSeed", "2147483647")]), Ties::Random(2_147_483_647));
        assert_eq!(ties(&[("RandomTies", "true"), ("EqualMoves", "true")]), Ties::Random(77));
        assert_eq!(ties(&[("RandomSeed", "5")]), Ties::First);
        assert_ne!(fresh_seed(), fresh_seed());
    }
}
