//! Parses the command line with clap, and rewrites its errors about numbers.

use clap::Parser;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use secateurs::core::error::Quoted;
use secateurs::core::limits;
use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// Parses a command line, the name of the program first.
///
/// # Errors
/// Those of clap, including `--help` and `--version`. Errors about invalid numbers are reworded, because clap shows
/// those of the standard library.
pub fn read<C: Parser>(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<C, Error> {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    C::try_parse_from(&words).map_err(|error| in_words(&error).unwrap_or_else(|| suggested::<C>(error, &words)))
}

/// Suggests an argument of the subcommand for one that other programs call otherwise.
fn suggested<C: Parser>(mut error: Error, words: &[OsString]) -> Error {
    let word = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let all = C::command();
    let command = words.iter().skip(1).find_map(|word| all.find_subcommand(word)).unwrap_or(&all);
    let takes = |name: &&str| command.get_arguments().any(|argument| argument.get_long() == Some(*name));
    let meant = limits::meant(word.trim_start_matches('-')).filter(takes);
    if let (ErrorKind::UnknownArgument, Some(meant)) = (error.kind(), meant) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
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
pub(super) fn number(source: &(dyn std::error::Error + 'static), value: &str) -> Option<&'static str> {
    if source.is::<ParseFloatError>() {
        return Some("not a number");
    }
    let negative = value.strip_prefix('-').is_some_and(|digits| digits.parse::<u128>().is_ok());
    match source.downcast_ref::<ParseIntError>()?.kind() {
        IntErrorKind::PosOverflow => Some("too large a number"),
        IntErrorKind::NegOverflow => Some("too small a number"),
        _ if negative => Some("a number below 0"),
        _ => Some("not a whole number"),
    }
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
            ("--depth=0", "0 is not in 1..=255"),
            ("--depths=1", "unexpected argument '--depths' found"),
            ("--seconds=1", "unexpected argument '--seconds' found\n\n  tip: a similar argument exists: '--time'"),
            ("--lines=1", "'--multipv'"),
        ] {
            let error = read::<Cli>(["secateurs", "analyse", argument]).err().unwrap();
            assert!(error.to_string().contains(reason) && error.exit_code() == 2, "{error}");
        }
        assert_eq!(read::<Cli>(["secateurs", "--help"]).err().unwrap().kind(), ErrorKind::DisplayHelp);
        assert!(read::<Cli>(["secateurs", "analyse", "--depth=3"]).is_ok());
    }
}
