//! Messages: `[id][@reference] name argument ...`, one per line.
//!
//! The grammar follows section 1.2 of the specification; a string may contain any Unicode character.

use secateurs::core::Error;
use secateurs::core::error::Quoted;
use std::fmt::{self, Write};

/// The maximum length of a message in characters, without its line end.
pub(crate) const LONGEST: usize = 16_384;

/// A message from either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The number of the message, if it has one.
    pub id: Option<u64>,
    /// The number of the message that this one refers to.
    pub reference: Option<u64>,
    /// The name of the command: ASCII letters and digits.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// An argument. Its first character determines its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A whole number, such as `+0`.
    Integer(i64),
    /// A real number with a point, such as `-.123`.
    Real(f64),
    /// A word without quotes: letters, digits, `-` and `:`.
    Word(String),
    /// A text in quotes.
    Text(String),
    /// A board, with its angle brackets.
    Board(String),
}

impl Message {
    /// Creates a message without numbers and arguments.
    pub(crate) fn new(name: &str) -> Self {
        Self { id: None, reference: None, name: name.into(), arguments: Vec::new() }
    }

    /// Sets the message that this one refers to.
    pub(crate) fn to(self, reference: Option<u64>) -> Self {
        Self { reference, ..self }
    }

    pub(crate) fn with(mut self, argument: Argument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// Creates `set OPTION "VALUE"`.
    pub(crate) fn set(option: &str, value: &str) -> Self {
        Self::new("set").with(Argument::Word(option.into())).with(Argument::Text(value.into()))
    }

    /// Parses a line, with or without its line end; `None` for a blank one.
    ///
    /// # Errors
    /// [`Error::BadCommand`] with the line and what is wrong with it.
    pub(crate) fn parse(line: &str) -> Result<Option<Self>, Error> {
        let bad = |reason: String| Error::bad_command(line, reason);
        let text = line.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if text.chars().nth(LONGEST).is_some() {
            return Err(bad(format!("a command has at most {LONGEST} characters")));
        }
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        // A number alone is the name of a command.
        let numbers = if rest.is_empty() { None } else { numbers(first) };
        let (numbers, command) = numbers.map_or((Ok([None; 2]), text), |numbers| (numbers, rest.trim_start()));
        let [id, reference] = numbers.map_err(|number| bad(format!("{} is too large", Quoted::part(number))))?;
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(bad(format!("{} is not the name of a command: letters and digits", Quoted::part(name))));
        }
        let mut arguments = Vec::new();
        let mut rest = rest.trim_start();
        while !rest.is_empty() {
            let (argument, after) = argument(rest).map_err(bad)?;
            arguments.push(argument);
            rest = after.trim_start();
        }
        Ok(Some(Self { id, reference, name: name.into(), arguments }))
    }
}

/// Parses the numbers of a message, `ID`, `ID@REFERENCE` or `@REFERENCE`. Returns `None` for any other word, and as the
/// error a number that exceeds 64 bits.
fn numbers(word: &str) -> Option<Result<[Option<u64>; 2], &str>> {
    let (id, reference) = word.split_once('@').map_or((word, None), |(id, reference)| (id, Some(reference)));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(id) || !reference.is_none_or(|text| is_number(text) && !text.is_empty()) {
        return None;
    }
    let number = |text: &'_ str| text.parse().map(Some).map_err(|_| ());
    let id_number = if id.is_empty() { Ok(None) } else { number(id) };
    let reference_number = reference.map_or(Ok(None), number);
    Some(match (id_number, reference_number) {
        (Ok(id), Ok(reference)) => Ok([id, reference]),
        (Err(()), _) => Err(id),
        (_, Err(())) => Err(reference.unwrap_or_default()),
    })
}

/// Parses the argument at the beginning of a text that is not blank, and returns it with the rest.
fn argument(text: &str) -> Result<(Argument, &str), String> {
    if let Some(rest) = text.strip_prefix('"') {
        return quoted(rest);
    }
    if text.starts_with('<') {
        let end = text.find('>').ok_or("a board has no >")?;
        let (board, rest) = text.split_at(end + 1);
        let numbers = board[1..end].split(',');
        if numbers.into_iter().any(|number| number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit())) {
            return Err(format!("{} is not a board: numbers and commas", Quoted::part(board)));
        }
        return Ok((Argument::Board(board.into()), rest));
    }
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    plain(word).map(|argument| (argument, rest))
}

/// Parses a string after its opening quote.
fn quoted(text: &str) -> Result<(Argument, &str), String> {
    let (mut value, mut chars) = (String::new(), text.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Argument::Text(value), &text[at + 1..])),
            '\\' => value.push(match chars.next() {
                Some((_, 'n')) => '\n',
                Some((_, 't')) => '\t',
                Some((_, other)) => other,
                None => break,
            }),
            other => value.push(other),
        }
    }
    Err("a string has no closing quote".into())
}

fn plain(word: &str) -> Result<Argument, String> {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let large = || format!("{} is too large", Quoted::part(word));
    if is_number(digits) {
        return word.parse().map(Argument::Integer).map_err(|_| large());
    }
    if let Some((whole, part)) = digits.split_once('.')
        && (whole.is_empty() || is_number(whole))
        && is_number(part)
    {
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        return number.map(Argument::Real).ok_or_else(large);
    }
    if word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b':') {
        return Ok(Argument::Word(word.into()));
    }
    Err(format!("{} is not a number, word, string or board", Quoted::part(word)))
}

impl fmt::Display for Message {
    /// Writes the line without its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id}")?;
        }
        if let Some(reference) = self.reference {
            write!(f, "@{reference}")?;
        }
        if self.id.or(self.reference).is_some() {
            f.write_char(' ')?;
        }
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            // Without a point it would be an integer.
            Self::Real(number) if number.fract() == 0.0 => write!(f, "{number:.1}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Word(text) | Self::Board(text) => f.write_str(text),
            Self::Text(text) => {
                f.write_char('"')?;
                for c in text.chars() {
                    match c {
                        '"' | '\\' => write!(f, "\\{c}")?,
                        '\n' => f.write_str("\\n")?,
                        '\t' => f.write_str("\\t")?,
                        // A line break would end the message.
                        c if c.is_control() => f.write_char(' ')?,
                        c => f.write_char(c)?,
                    }
                }
                f.write_char('"')
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Message {
        Message::parse(line).unwrap().unwrap()
    }

    #[test]
    fn the_examples_of_the_specification_are_read() {
        let version = [1, 0, 1].map(Argument::Integer);
        assert_eq!(parse("kgp 1 0 1\r\n"), version.into_iter().fold(Message::new("kgp"), Message::with));
        let state = parse("4 state <3,0,0,3,3,3,3,3,3>");
        assert_eq!((state.id, state.reference), (Some(4), None));
        assert_eq!(state.arguments, [Argument::Board("<3,0,0,3,3,3,3,3,3>".into())]);
        let stop = parse("6@4 stop");
        assert_eq!((stop.id, stop.reference, stop.name.as_str()), (Some(6), Some(4), "stop"));
        let moved = parse("  @8   move\t3  ");
        assert_eq!((moved.id, moved.reference, moved.arguments), (None, Some(8), vec![Argument::Integer(3)]));
        assert_eq!(parse("error \"Unsupported activity\"").arguments, [Argument::Text("Unsupported activity".into())]);
        assert_eq!(
            parse("x 32 +0 -100 0.0 +3.141 -.123 single-word \"like \\\" this\" info:name").arguments,
            [
                Argument::Integer(32),
                Argument::Integer(0),
                Argument::Integer(-100),
                Argument::Real(0.0),
                Argument::Real("3.141".parse().unwrap()),
                Argument::Real(-0.123),
                Argument::Word("single-word".into()),
                Argument::Text("like \" this".into()),
                Argument::Word("info:name".into()),
            ]
        );
        assert_eq!(parse("17").name, "17");
        assert_eq!(parse("12 34").name, "34");
        for blank in ["", " ", "\r\n", "\t \u{a0}"] {
            assert_eq!(Message::parse(blank), Ok(None));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, reason) in [
            ("@ move 3", "\"@\" is not the name"),
            ("@5", "\"@5\" is not the name"),
            ("stöp", "is not the name of a command"),
            ("1@ stop", "is not the name of a command"),
            ("99999999999999999999 ping", "\"99999999999999999999\" is too large"),
            ("1@99999999999999999999 stop", "is too large"),
            ("x 99999999999999999999", "is too large"),
            ("set a \"b", "no closing quote"),
            ("set a \"b\\", "no closing quote"),
            ("state <1,2", "a board has no >"),
            ("state <1,,2>", "\"<1,,2>\" is not a board"),
            ("state <>", "is not a board"),
            ("state <1,-2>", "is not a board"),
            ("set a b=c", "\"b=c\" is not a number"),
            ("x .", "\".\" is not a number"),
        ] {
            let error = Message::parse(line).unwrap_err().to_string();
            assert!(error.contains(reason), "{line}: {error}");
        }
        let longest = format!("x {}", "1 ".repeat((LONGEST - 2) / 2));
        assert!(Message::parse(&longest).is_ok());
        let error = Message::parse(&"ö".repeat(LONGEST + 1)).unwrap_err().to_string();
        assert!(error.contains("at most 16384 characters") && error.len() < 400, "{error}");
        assert!(Message::parse(&format!("x {}.0", "9".repeat(400))).unwrap_err().to_string().contains("too large"));
    }

    #[test]
    fn a_message_stays_one_line() {
        let line = Message::set("info:name", "a \"b\" \\ c\r\nd\te\u{85}").to_string();
        assert_eq!(line, "set info:name \"a \\\"b\\\" \\\\ c \\nd\\te \"");
        assert_eq!(Message::new("pong").to(Some(7)).to_string(), "@7 pong");
    }

    fn any_argument() -> impl Strategy<Value = Argument> {
        prop_oneof![
            any::<i64>().prop_map(Argument::Integer),
            (-1e30..1e30).prop_map(Argument::Real),
            "[a-zA-Z][a-zA-Z0-9:-]{0,9}".prop_map(Argument::Word),
            "[\\PC\n\t]{0,20}".prop_map(Argument::Text),
            prop::collection::vec(0_u16..300, 1..30).prop_map(|numbers| {
                let numbers: Vec<_> = numbers.iter().map(u16::to_string).collect();
                Argument::Board(format!("<{}>", numbers.join(",")))
            }),
        ]
    }

    proptest! {
        #[test]
        fn messages_survive_the_trip_through_text(
            id in any::<Option<u64>>(),
            reference in any::<Option<u64>>(),
            name in "[a-z][a-z0-9]{0,9}",
            arguments in prop::collection::vec(any_argument(), 0..6),
        ) {
            let message = Message { id, reference, name, arguments };
            let line = message.to_string();
            prop_assert_eq!(line.lines().count(), 1);
            prop_assert_eq!(Message::parse(&line).unwrap().unwrap(), message);
        }

        #[test]
        fn any_line_is_read_or_refused(line in "\\PC{0,200}", mixed in "[0-9@ a<>,\"\\\\.+:-]{0,60}") {
            for line in [line, mixed] {
                if let Ok(Some(message)) = Message::parse(&line) {
                    prop_assert_eq!(Message::parse(&message.to_string()).unwrap().unwrap(), message);
                }
            }
        }
    }
}
