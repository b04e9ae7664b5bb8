//! Parses the command line with clap, and rewrites its errors about numbers.

use super::hints;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, Command, Parser};
use secateurs::core::error::Quoted;
use secateurs::util::suggestion::nearest;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// Parses a command line, the name of the program first. One dash before the name of an argument is as good as two.
///
/// # Errors
/// Those of clap, including `--help` and `--version`, with hints. Errors about invalid numbers are reworded, because
/// clap shows those of the standard library.
pub fn read<C: Parser>(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<C, Error> {
    let mut words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    // Nobody means a subcommand called `--help`.
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    let all = C::command();
    let command = words.iter().skip(1).fold(&all, |command, word| command.find_subcommand(word).unwrap_or(command));
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let arguments = words[..end].iter().map(|word| with_two_dashes(command, word)).chain(words[end..].iter().cloned());
    let parser = negative(C::command());
    let parsed = parser.try_get_matches_from(arguments).and_then(|mut found| C::from_arg_matches_mut(&mut found));
    parsed.map_err(|error| in_words(&error).unwrap_or_else(|| hinted(error, command)))
}

/// Returns a command whose named arguments take negative numbers as values, so that an error has their range.
fn negative(command: Command) -> Command {
    let take = |argument: Arg| {
        let takes_value = !argument.is_positional() && argument.get_action().takes_values();
        if takes_value { argument.allow_negative_numbers(true) } else { argument }
    };
    command.mut_args(take).mut_subcommands(negative)
}

/// Returns an argument with two dashes where other programs write one before a name of several letters: `-depth`.
fn with_two_dashes(command: &Command, word: &OsStr) -> OsString {
    let named = word.to_str().and_then(|word| word.strip_prefix('-')).filter(|named| {
        let name = named.split('=').next().unwrap_or_default();
        name.len() > 1 && hints::knows(command, name)
    });
    named.map_or_else(|| word.into(), |named| format!("--{named}").into())
}

/// Adds a hint to an error about an argument, a subcommand or a value that other programs have.
fn hinted(mut error: Error, command: &Command) -> Error {
    let text = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = text(ContextKind::InvalidArg);
    let hint = match error.kind() {
        ErrorKind::UnknownArgument => hints::unknown(command, &argument),
        ErrorKind::InvalidSubcommand => hints::subcommand(&text(ContextKind::InvalidSubcommand)),
        ErrorKind::InvalidValue => hints::value(&text(ContextKind::InvalidValue)),
        _ => None,
    };
    if let Some(hint) = hint {
        // Names that are spelt alike would mislead.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    } else if let Some(meant) = hints::argument(command, argument.trim_start_matches('-')) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
        // It has the argument that is spelt alike.
        error.remove(ContextKind::Usage);
    } else if error.kind() == ErrorKind::InvalidSubcommand && error.get(ContextKind::SuggestedSubcommand).is_none() {
        // `help` has no suggestions of its own.
        let names = command.get_subcommands().map(Command::get_name);
        if let Some(near) = nearest(&text(ContextKind::InvalidSubcommand), names) {
            let near = ContextValue::Strings(vec![near.into()]);
            error.insert(ContextKind::SuggestedSubcommand, near);
        }
    } else if error.kind() == ErrorKind::UnknownArgument {
        // Nobody means a position or a file called `--depth`.
        error.remove(ContextKind::Suggested);
    }
    error
}

/// Rewords an error about a number.
fn in_words(error: &Error) -> Option<Error> {
    let (argument, value) = (error.get(ContextKind::InvalidArg)?, error.get(ContextKind::InvalidValue)?.to_string());
    let reason = number(error.source()?, &value)?;
    let text = format!("{} for '{argument}': {reason}\n\nFor more information, try '--help'.\n", Quoted::new(&value));
    Some(Error::raw(error.kind(), format!("invalid value {text}")))
}

/// Describes the error of a number.
pub(super) fn number(source: &(dyn std::error::Error + 'static), value: &str) -> Option<String> {
    if source.is::<ParseFloatError>() {
        return Some("not a number".into());
    }
    let Some(error) = source.downcast_ref::<ParseIntError>() else { return range(&source.to_string()) };
    let negative = value.strip_prefix('-').is_some_and(|digits| digits.parse::<u128>().is_ok());
    let reason = match error.kind() {
        IntErrorKind::PosOverflow => "too large a number",
        IntErrorKind::NegOverflow => "too small a number",
        _ if negative => "a number below 0",
        _ => "not a whole number",
    };
    Some(reason.into())
}

/// Rewords what clap says of a number outside of its range: `0 is not in 1..=255`.
fn range(message: &str) -> Option<String> {
    let (least, most) = message.split_once(" is not in ")?.1.split_once("..")?;
    Some(match most.strip_prefix('=') {
        Some(most) => format!("not from {least} to {most}"),
        // The end is the greatest number of its type.
        None => format!("not {least} or more"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;
    use clap::error::ErrorKind;

    #[test]
    fn numbers_that_are_none_are_named_in_plain_words() {
        for (argument, reason) in [
            ("--depth=x", "invalid value \"x\" for '--depth <PLIES>': not a whole number\n"),
            ("--depth=", "not a whole number\n"),
            ("--depth=2.5", "not a whole number\n"),
            ("--nodes=-7", "a number below 0\n"),
            ("--nodes=99999999999999999999", "too large a number\n"),
            ("--depth=0", "invalid value \"0\" for '--depth <PLIES>': not from 1 to 255\n"),
            ("--hash=0", "invalid value \"0\" for '--hash <MIB>': not 1 or more\n"),
            ("--depths=1", "unexpected argument '--depths' found"),
            ("--seconds=1", "unexpected argument '--seconds' found\n\n  tip: a similar argument exists: '--time'"),
            ("--lines=1", "'--multipv'"),
            ("---OX--- X", "tip: a position that begins with - follows -- as an argument of its own"),
        ] {
            let error = read::<Cli>(["secateurs", "analyse", argument]).err().unwrap();
            assert!(!error.to_string().contains("--ties"), "{error}");
            assert!(error.to_string().contains(reason) && error.exit_code() == 2, "{error}");
        }
        for words in [&["--help"][..], &["help", "--help"], &["help", "match", "-h"]] {
            let shown = read::<Cli>([&["secateurs"], words].concat()).err().unwrap();
            assert_eq!(shown.kind(), ErrorKind::DisplayHelp);
        }
        assert!(read::<Cli>(["secateurs", "analyse", "--depth=3"]).is_ok());
    }

    #[test]
    fn words_of_other_programs_get_hints() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (words, hint) in [
            (&["analyse", "-fen", fen][..], "a position is an argument in quotation marks"),
            (&["tree", "--fen", fen], "a position is an argument in quotation marks"),
            (&["analyse", "--pv"], "the principal variation is shown without it"),
            (&["kgp"], "secateurs-kgp"),
            (&["match", "--games", "2"], "--rounds N plays N pairs"),
            (&["match", "-tc", "10+0.1"], "--each \"tc=VALUE\""),
            (&["perft", "1", "startpos", "moves", "3"], "a position is one argument: quote it"),
            (&["play", "--side", "white"], "first is the side that begins: White in chess"),
            (&[fen], "analyse \"rnbqkbnr/"),
            (&["chess"], "a game is named by --game chess"),
            (&["solve", "--depth", "3"], "--nodes and --time limit it"),
            (&["protocol"], "without a subcommand"),
            (&["annotate", "x.pgn"], "analyse --pgn FILE"),
            (&["help", "matche"], "'match'"),
            (&["matche"], "'match'"),
        ] {
            let error = read::<Cli>([&["secateurs"][..], words].concat()).err().unwrap().to_string();
            assert!(error.matches("tip: ").count() == 1 && error.contains(hint), "{error}");
        }
        let unknown = read::<Cli>(["secateurs", "analyse", "-games", "3"]).err().unwrap().to_string();
        assert!(!unknown.contains("tip: a position"), "{unknown}");
        assert!(read::<Cli>(["secateurs", "analyse", "-depth", "3", "-json", "-hash=2"]).is_ok());
        assert!(read::<Cli>(["secateurs", "analyse", "-d3", "-j"]).is_ok());
    }
}
