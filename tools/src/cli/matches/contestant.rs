//! Engines of a match, described by words: `cmd=./engine name=A tc=10+0.1 option.Hash=64`.

use crate::arena::clock::{Control, TimeControl};
use crate::arena::{Contestant, InHouse, Restart};
use crate::cli::setup::library;
use crate::client::{GameSpec, Spec};
use secateurs::core::error::{Quoted, harmless};
use secateurs::protocol::command::Dialect;
use secateurs::protocol::hub::GAME;
use secateurs::protocol::options::VARIANT;
use secateurs::registry::Setup;
use secateurs::util::suggestion::did_you_mean;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The words that describe an engine; `help` shows them.
pub(crate) const WORDS: &str = "\
cmd=COMMAND       the program and its arguments, quoted as in a shell:
                  cmd='./engine --fast'; without it, in a match of a game in
                  Python: the engine of this package
name=NAME         what it is called [default: the program's name]
proto=uci|ugi|hub the protocol [default: found by the handshake, ugi first;
                  hub: draughts]
tc=TIME           its clock: [MOVES/][MINUTES:]SECONDS[+INCREMENT], as
                  10+0.1, 40/60 or 1:00+1; inf: none
st=SECONDS        time for each move
movetime=MS       the same in milliseconds
nodes=N           nodes for each move
depth=PLIES       the depth of each search
margin=MS         how far it may overrun its clock; also timemargin=MS
                  [default: the match's --margin]
restart=MODE      start it anew for every game (on), only after its own
                  forfeits (off), or after any fault of its game and after a
                  game without it (auto) [default: auto]
option.NAME=V     an option of its own
dir=FOLDER        its working folder
env.NAME=V        a variable of its environment
stderr=FILE       where its stderr is appended [default: nowhere; faults
                  quote its last line]
startup=SECONDS   the longest time for its handshake, and until it is ready,
                  for each game too [default: 10]
lenient=true      ignore options that it does not have [default: refuse
                  them]";

/// The words that describe the engine of this process too.
const OF_ALL: [&str; 9] = ["name", "tc", "st", "movetime", "nodes", "depth", "margin", "timemargin", "restart"];

/// The words of an engine with their values, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<(String, String)>);

/// The error for an invalid description of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWords(String);

impl fmt::Display for BadWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for BadWords {}

impl FromStr for Words {
    type Err = BadWords;

    fn from_str(text: &str) -> Result<Self, BadWords> {
        let words =
            shlex::split(text).ok_or_else(|| BadWords(format!("{}: a quote is not closed", Quoted::new(text))))?;
        let pair = |word: String| match word.split_once('=') {
            Some((key, value)) if is_known(key) => Ok((key.to_owned(), value.to_owned())),
            None if is_known(&word) => Err(BadWords(format!("{word} has no value: {word}=VALUE"))),
            pair => {
                let hint = did_you_mean(pair.map_or(&*word, |(key, _)| key), keys());
                let word = Quoted::new(&word);
                Err(BadWords(format!("{word} is not a word that describes an engine{hint}\n{WORDS}")))
            }
        };
        let words = words.into_iter().map(pair).collect::<Result<Vec<_>, _>>()?;
        for (at, (key, _)) in words.iter().enumerate() {
            if let Some((other, _)) = words[..at].iter().find(|(other, _)| meaning(other) == meaning(key)) {
                let both =
                    if other == key { format!("{key} is given twice") } else { format!("give {other} or {key}") };
                return Err(BadWords(format!("{}: {both}", Quoted::new(text))));
            }
        }
        Ok(Self(words))
    }
}

/// Returns a key as it is compared: two words set the time of a move, two the margin, and options ignore case.
fn meaning(key: &str) -> String {
    match key {
        "st" => "movetime".into(),
        "timemargin" => "margin".into(),
        _ if key.starts_with("option.") => key.to_lowercase(),
        _ => key.into(),
    }
}

/// Iterates over the keys, but for those with a name of their own such as `option.NAME`.
fn keys() -> impl Iterator<Item = &'static str> {
    WORDS.lines().filter_map(|line| line.split_once('=')).map(|(key, _)| key).filter(|key| !key.contains(['.', ' ']))
}

/// Whether a word describes an engine.
pub(crate) fn is_known(key: &str) -> bool {
    let prefixed = |prefix| key.strip_prefix(prefix).is_some_and(|name: &str| !name.is_empty());
    keys().any(|known| known == key) || key == "timemargin" || prefixed("option.") || prefixed("env.")
}

impl Words {
    /// Returns the description of the engine: the words in `each`, then its own.
    ///
    /// # Errors
    /// A word with an invalid value, a missing command, or no limit for its searches.
    pub(crate) fn contestant(&self, each: &Self, setup: &Setup) -> Result<Description, BadWords> {
        let mut spec = Spec { probe: true, ..Spec::new(Dialect::Ugi, "") };
        let (mut control, mut restart) = (Control::default(), Restart::Auto);
        let all =
            each.0.iter().map(|pair| (pair, "--each".into())).chain(self.0.iter().map(|pair| (pair, self.place())));
        for ((key, value), place) in all {
            let bad = |reason: &str| BadWords(format!("{place}: {key}={}: {reason}", Quoted::new(value)));
            let number = || {
                value
                    .parse::<u64>()
                    .ok()
                    .filter(|&number| number > 0)
                    .ok_or_else(|| bad("not a whole number, at least 1"))
            };
            match key.as_str() {
                "cmd" => {
                    let mut words = shlex::split(value).unwrap_or_default().into_iter();
                    let program = words.next().filter(|program| !program.is_empty());
                    spec.program = program.ok_or_else(|| bad("not a command"))?.into();
                    spec.arguments = words.collect();
                }
                "name" if value.trim().is_empty() => return Err(bad("not a name")),
                "name" if value.contains(char::is_control) => return Err(bad("a name has no control characters")),
                "name" => spec.name.clone_from(value),
                "proto" => {
                    spec.probe = false;
                    spec.dialect = match value.to_ascii_lowercase().as_str() {
                        "uci" => Dialect::Uci,
                        "ugi" => Dialect::Ugi,
                        "hub" => Dialect::Hub,
                        _ => return Err(bad("not uci, ugi or hub")),
                    }
                }
                "tc" => {
                    control.clock =
                        TimeControl::or_infinite(value).map_err(|error| BadWords(format!("{place}: tc: {error}")))?;
                }
                "st" => {
                    let seconds = value.parse().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
                    let seconds = seconds.ok_or_else(|| bad("not seconds from 0.001 to 1000000"))?;
                    control.movetime = Some(Duration::from_secs_f64(seconds));
                }
                "movetime" => control.movetime = Some(Duration::from_millis(number()?)),
                "nodes" => control.nodes = Some(number()?),
                "depth" => control.depth = Some(u8::try_from(number()?).map_err(|_| bad("more than 255"))?),
                "margin" | "timemargin" => {
                    let margin = value.parse().map_err(|_| bad("not a whole number of milliseconds"))?;
                    control.margin = Some(Duration::from_millis(margin));
                }
                "restart" => {
                    restart = match value.as_str() {
                        "on" => Restart::On,
                        "off" => Restart::Off,
                        "auto" => Restart::Auto,
                        _ => return Err(bad("not on, off or auto")),
                    }
                }
                "dir" => spec.folder = Some(value.into()),
                "stderr" => spec.stderr = Some(value.into()),
                "startup" => spec.startup = Duration::from_secs(number()?),
                "lenient" => spec.lenient = value.parse().map_err(|_| bad("neither true nor false"))?,
                _ => {
                    let (kind, name) = key.split_once('.').unwrap_or((key, ""));
                    let list = if kind == "env" { &mut spec.environment } else { &mut spec.options };
                    if kind == "option" && [VARIANT, GAME].iter().any(|game| game.eq_ignore_ascii_case(name)) {
                        return Err(bad("the game is that of the match, --game"));
                    }
                    if kind == "option"
                        && let Some((name, here)) = setup.other_game(name, value)
                    {
                        let reason = format!("the match is played with {name}={here}: --option changes it for all");
                        return Err(bad(&reason));
                    }
                    list.retain(|(known, _)| !(known == name || kind == "option" && known.eq_ignore_ascii_case(name)));
                    list.push((name.to_owned(), value.clone()));
                }
            }
        }
        let in_house = if spec.program.as_os_str().is_empty() { Some(in_house(setup, &spec, self)?) } else { None };
        if !control.is_finite() {
            let name = if in_house.is_some() && spec.name.is_empty() { "an engine".into() } else { spec.title() };
            return Err(BadWords(format!("{name} has no limit: one of tc, st, movetime, nodes and depth is needed")));
        }
        spec.game = Some(GameSpec::new(setup));
        Ok(Description { spec, in_house, control, restart })
    }

    /// Returns the name of the engine in messages: its own, or else its command.
    fn place(&self) -> String {
        let value = |wanted: &str| {
            let mut words = self.0.iter().filter(|(_, value)| !value.trim().is_empty());
            words.find(|(key, _)| key == wanted).map(|(_, value)| harmless(value))
        };
        value("name").or_else(|| value("cmd")).unwrap_or_else(|| "an engine".into())
    }
}

/// Returns the engine of this process, which plays games outside the registry.
fn in_house(setup: &Setup, spec: &Spec, words: &Words) -> Result<InHouse, BadWords> {
    if setup.own_start().is_none() {
        return Err(BadWords("an engine has no cmd=COMMAND".into()));
    }
    let ours = |key: &str| OF_ALL.contains(&key) || key.starts_with("option.");
    if let Some((key, _)) = words.0.iter().find(|(key, _)| !ours(key)) {
        return Err(BadWords(format!("{key} is a word of a program, and an engine that has it has no cmd=COMMAND")));
    }
    Ok(InHouse { setup: setup.clone(), options: spec.options.clone(), library: library() })
}

/// The description of an engine.
#[derive(Clone, Debug)]
pub struct Description {
    /// The engine as a program.
    pub spec: Spec,
    /// The engine of this process instead.
    pub in_house: Option<InHouse>,
    /// Its limits.
    pub control: Control,
    /// When it is restarted.
    pub restart: Restart,
}

impl From<Description> for Contestant {
    fn from(Description { spec, in_house, control, restart }: Description) -> Self {
        let name = spec.name.clone();
        let made = match in_house {
            Some(player) => Self::new(player, control),
            None => Self::new(spec, control),
        };
        Self { restart, name: if name.is_empty() { made.name } else { name }, ..made }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contestant(each: &str, words: &str) -> Result<Description, String> {
        let setup = Setup::named("kalah").unwrap();
        let read = |text: &str| text.parse::<Words>().map_err(|error| error.to_string());
        read(words)?.contestant(&read(each)?, &setup).map_err(|error| error.to_string())
    }

    #[test]
    fn an_engine_is_its_words_after_those_of_all() {
        let found = contestant(
            "option.Hash=16 option.RandomSeed=1 nodes=1000",
            "cmd='./engine --mode \"a b\"' name=A option.Hash=4 tc=1+0.1 env.X=1",
        );
        let Description { spec, control, .. } = found.unwrap();
        assert_eq!(
            (spec.program.to_str(), &spec.arguments[..]),
            (Some("./engine"), &["--mode".into(), "a b".into()][..])
        );
        assert_eq!(spec.options, [("RandomSeed".into(), "1".into()), ("Hash".into(), "4".into())]);
        assert_eq!(spec.environment, [("X".into(), "1".into())]);
        assert_eq!(control.to_string(), "tc=1+0.1 nodes=1000");
        assert_eq!(spec.game.unwrap().variant, "kalah");
    }

    #[test]
    fn clocks_are_read_as_other_managers_read_them() {
        for (words, control) in [
            ("tc=1:00+1", "tc=60+1"),
            ("tc=inf st=0.25", "movetime=250"),
            ("st=2 timemargin=50", "movetime=2000 margin=50"),
            ("tc=0:05 margin=0", "tc=5 margin=0"),
            ("tc=0/10+0.1 nodes=5", "nodes=5"),
            ("tc=0/2:00+0.1", "tc=120+0.1"),
            ("tc=inf depth=3", "depth=3"),
        ] {
            let found = contestant("tc=10+0.1", &format!("cmd=x {words}")).unwrap().control.to_string();
            let found = found.strip_prefix("tc=10+0.1 ").unwrap_or(&found);
            assert_eq!(found, control, "{words}");
        }
        assert!(contestant("tc=10", "cmd=x tc=inf").unwrap_err().contains("no limit"));
        assert_eq!(contestant("restart=on", "cmd=x depth=1").unwrap().restart, Restart::On);
        assert_eq!(contestant("restart=on", "cmd=x depth=1 restart=off").unwrap().restart, Restart::Off);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (words, expected) in [
            ("name=A nodes=1", "no cmd"),
            ("cmd=x", "no limit"),
            ("cmd=x nodes=0", "nodes"),
            ("cmd=x nodes=5 hash=3", "hash=3"),
            ("cmd=x tc=soon", "soon"),
            ("cmd=x st=0", "from 0.001"),
            ("cmd=x st=inf", "from 0.001"),
            ("cmd=x depth=1 margin=-5", "milliseconds"),
            ("cmd=x depth=1 restart=sometimes", "on, off or auto"),
            ("cmd=x depth=256", "255"),
            ("cmd='x", "quote"),
            ("cmd=x proto=xboard", "xboard"),
            ("cmd=x option.=3 depth=1", "option.="),
            ("cmd='\"\"' depth=1", "not a command"),
            ("cmd=x name= depth=1", "x: name=\"\": not a name"),
            ("cmd=x depth=1 option.uci_variant=nim", "the game is that of the match"),
            ("cmd=x depth=1 option.Variant=normal", "the game is that of the match"),
            ("cmd=x name=A depth=1 option.seeds=5", "A: option.seeds=\"5\": the match is played with Seeds=4"),
            ("cmd=x name=A depth=0", "A: depth=\"0\": not a whole number, at least 1"),
            ("cmd=./x tc=soon", "./x: tc: \"soon\""),
            ("cmd=x depth", "depth has no value: depth=VALUE"),
            ("cmd=x depth=1 depth=2", "depth is given twice"),
            ("cmd=x movetime=100 st=1", "give movetime or st"),
            ("cmd=x depth=1 option.Hash=1 option.hash=2", "give option.Hash or option.hash"),
            ("cmd=x depth=1 name=\"a\u{1b}[31m\"", "no control characters"),
            ("cmd=x depth=1 name=\"a\nb\"", "no control characters"),
        ] {
            let error = contestant("", words).unwrap_err();
            assert!(error.contains(expected), "{words}: {error}");
        }
        assert!(contestant("depth=0", "cmd=x").unwrap_err().starts_with("--each: depth="));
        // An engine's own word replaces that for all.
        let found = contestant("option.hash=8 depth=1", "cmd=x option.Hash=4 depth=2").unwrap();
        assert_eq!((found.spec.options, found.control.depth), (vec![("Hash".into(), "4".into())], Some(2)));
    }
}
