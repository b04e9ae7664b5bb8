//! No text makes a parser panic, and every refusal is short and shows what it refuses escaped.
#![allow(clippy::unwrap_used, reason = "all of it is tests")]

mod common;

use common::variants;
use proptest::prelude::*;
use secateur::core::{Error, OptionKind};
use secateur::registry::GAMES;

/// Foreign text at most 200 bytes long, a part of it, and our own words.
const LONGEST: usize = 320;

/// Whether a message is fit to be shown.
fn presentable(error: &Error) -> bool {
    let message = error.to_string();
    message.len() <= LONGEST && !message.contains(char::is_control)
}

/// Text of every kind: anything at all; the signs that positions are made of; long runs of one thing; a position that
/// some game reads, with one part of it replaced.
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
        (".", 1..100_000usize).prop_map(|(sign, times)| sign.repeat(times)),
        ("[<]?[0-9]{1,3},", 1..50_000usize, ".{0,300}").prop_map(|(part, times, end)| part.repeat(times) + &end),
        damaged,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// What is read is written in a form that is read as the same.
    #[test]
    fn positions(text in texts()) {
        for (row, options) in variants() {
            match row.parse(&options, &text) {
                Ok(board) => {
                    let again = row.parse(&options, &board.text()).unwrap();
                    prop_assert_eq!((board.text(), board.key()), (again.text(), again.key()));
                    prop_assert_eq!(board.moves().is_empty(), board.outcome().is_some());
                }
                Err(error) => prop_assert!(presentable(&error), "{} says {}", row.name, error),
            }
        }
    }

    #[test]
    fn moves(text in texts()) {
        for (row, options) in variants() {
            let mut board = row.start(&options).unwrap();
            let legal = board.moves().contains(&text);
            match board.play(&text) {
                Ok(()) => prop_assert!(legal),
                Err(error) => {
                    // Both the move and the position are shown.
                    prop_assert!(!legal && error.to_string().len() <= LONGEST + 200);
                    prop_assert!(!error.to_string().contains(char::is_control));
                }
            }
        }
    }

    /// Of an option, and of the game that is made of it.
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
