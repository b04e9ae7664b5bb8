//! No text makes a parser panic. Every refusal is short and escapes the text that it quotes.

use crate::common::variants;
use proptest::prelude::*;
use secateurs::core::{Error, OptionKind, Options};
use secateurs::engine::Board;
use secateurs::registry::{GAMES, GameRow};
use secateurs_tools::client::{Info, option::Declared};

/// The longest message in bytes: a quotation of at most 200, and the message's own words.
const LONGEST: usize = 320;

thread_local! {
    /// The games with their options, and the boards at their starts.
    static STARTS: Vec<(&'static GameRow, Options, Box<dyn Board>)> =
        variants().into_iter().map(|(row, options)| (row, options.clone(), row.start(&options).unwrap())).collect();
}

/// Calls a function for each of them.
fn for_each_start(
    mut law: impl FnMut(&GameRow, &Options, &dyn Board) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    STARTS.with(|starts| starts.iter().try_for_each(|(row, options, board)| law(row, options, &**board)))
}

/// Returns whether a message is short and free of control characters.
fn presentable(error: &Error) -> bool {
    let message = error.to_string();
    message.len() <= LONGEST && !message.contains(char::is_control)
}

/// Text of every kind: arbitrary text; the characters of positions; long runs of one character; the position of a game
/// with a part replaced.
fn texts() -> impl Strategy<Value = String> {
    let positions = variants().into_iter().map(|(row, options)| row.start(&options).unwrap().text());
    let damaged =
        (prop::sample::select(positions.collect::<Vec<_>>()), any::<prop::sample::Index>(), 0..4usize, ".{0,3}")
            .prop_map(|(position, at, cut, patch)| {
                let at = at.index(position.len());
                format!("{}{patch}{}", &position[..at], &position[(at + cut).min(position.len())..])
            });
    prop_oneof![
        any::<String>(),
        "[<>0-9, snN-]{0,80}",
        "<[0-9]{1,2}(,[0-9]{1,3}){0,30}> [sn]",
        "[0-9]{1,3}(,[0-9]{1,3}){0,20}( [12])?",
        (".", 1..20_000usize).prop_map(|(sign, times)| sign.repeat(times)),
        ("[<]?[0-9]{1,3},", 1..10_000usize, ".{0,300}").prop_map(|(part, times, end)| part.repeat(times) + &end),
        damaged,
    ]
}

/// Engine output: its words in any order, with arbitrary text between them.
fn sayings() -> impl Strategy<Value = String> {
    let words = "info depth seldepth multipv score cp mate lowerbound wdl proven exact nodes nps time pv string option \
                 name type check spin combo button default min max var <empty> -1 0 7 4294967296 99999999999999999999";
    let word = prop::sample::select(words.split_whitespace().collect::<Vec<_>>());
    let word = prop_oneof![9 => word.prop_map(str::to_owned), 1 => ".{0,9}"];
    let start = prop::sample::select(vec!["", "info ", "option name ", "option name X type "]);
    let rest = prop::collection::vec(word, 0..30).prop_map(|words| words.join(" "));
    (start, rest).prop_map(|(start, rest)| start.to_owned() + &rest)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// Engine output is parsed or ignored; an accepted option value fits one line.
    #[test]
    fn engine_output(text in prop_oneof![texts(), sayings()], value in prop_oneof![texts(), sayings()]) {
        if let Some(info) = Info::parse(&text) {
            prop_assert!(text.trim_start().starts_with("info") && info.pv.len() <= text.len());
        }
        if let Some(option) = Declared::parse(&text) {
            prop_assert!(!option.name.is_empty());
            if let Ok(value) = option.value_for(&value) {
                prop_assert!(!value.contains(['\n', '\r']));
            }
        }
    }

    /// An accepted position is written in a form that is read as the same.
    #[test]
    fn positions(text in texts()) {
        for_each_start(|row, options, _| {
            match row.parse(options, &text) {
                Ok(board) => {
                    let again = row.parse(options, &board.text()).unwrap();
                    prop_assert_eq!((board.text(), board.key()), (again.text(), again.key()));
                    prop_assert_eq!(board.moves().is_empty(), board.outcome().is_some());
                }
                Err(error) => prop_assert!(presentable(&error), "{} says {}", row.name, error),
            }
            Ok(())
        })?;
    }

    #[test]
    fn moves(text in texts()) {
        for_each_start(|_, _, start| {
            let (mut board, legal) = (start.boxed(), start.moves());
            match board.play(&text) {
                // A game may accept more notations than it writes.
                Ok(()) => prop_assert!(legal.contains(&board.history()[0])),
                Err(error) => {
                    // Both the move and the position are quoted.
                    prop_assert!(!legal.contains(&text) && error.to_string().len() <= LONGEST + 200);
                    prop_assert!(!error.to_string().contains(char::is_control));
                }
            }
            Ok(())
        })?;
    }

    /// The values of an option, and the game that they make.
    #[test]
    fn option_values(text in texts()) {
        for row in GAMES {
            for option in row.options {
                let mut options = row.defaults();
                match options.set(option.name, &text) {
                    Ok(()) => match row.start(&options) {
                        Ok(board) => prop_assert!(row.parse(&options, &board.text()).is_ok()),
                        Err(error) => prop_assert!(presentable(&error), "{}", error),
                    },
                    Err(error) => {
                        prop_assert!(presentable(&error) && !matches!(option.kind, OptionKind::Text { .. }), "{}", error);
                        prop_assert!(options == row.defaults(), "nothing is changed");
                    }
                }
            }
            let error = row.defaults().set(&text, "1");
            prop_assert!(error.is_ok() || error.is_err_and(|error| presentable(&error)));
        }
    }
}
