//! The game and its options, the same for every subcommand.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use secateurs::core::Error;
use secateurs::core::error::{Quoted, harmless};
use secateurs::registry::{self, GAMES, GameRow, STARTPOS, Setup};
use secateurs::util::suggestion::did_you_mean;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The game outside the registry of this command.
static OWN: OnceLock<Own> = OnceLock::new();

struct Own {
    /// The name on the command line.
    name: String,
    setup: Setup,
    library: PathBuf,
}

/// Makes a game outside the registry known to this process, under a name for `--game`. There is one at most. `library`
/// is the file from which this library was loaded.
pub fn register(name: String, setup: Setup, library: PathBuf) {
    OWN.get_or_init(|| Own { name, setup, library });
}

/// Returns the name of that game.
pub(super) fn outside() -> Option<&'static str> {
    OWN.get().map(|own| own.name.as_str())
}

/// Returns the file from which this library was loaded; `None`: it is part of the program.
pub(super) fn library() -> Option<PathBuf> {
    OWN.get().map(|own| own.library.clone())
}

/// The arguments that select a game.
#[derive(Clone, Default, clap::Args)]
pub struct GameArgs {
    #[arg(long, value_name = "NAME", value_parser = GameName, hide_possible_values = true, help = game_help())]
    game: Option<&'static GameRow>,
    /// Set a game option; may be repeated; `secateurs games` lists them
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = assignment)]
    options: Vec<(String, String)>,
}

impl GameArgs {
    /// Returns these arguments together with those before the subcommand.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if both name a game.
    pub(crate) fn with(&self, outer: &Self) -> Result<Self, Error> {
        if self.game.and(outer.game).is_some() {
            return Err(Error::BadOptions("--game is given twice".into()));
        }
        Ok(Self { game: self.game.or(outer.game), options: [&outer.options[..], &self.options].concat() })
    }

    /// Returns whether no argument was given.
    pub(crate) fn is_empty(&self) -> bool {
        self.game.is_none() && self.options.is_empty()
    }

    /// Returns these arguments with another default game.
    pub(crate) fn or(&self, row: &'static GameRow) -> Self {
        Self { game: self.game.or(Some(row)), options: self.options.clone() }
    }

    /// Returns these arguments for positions: without a game, that of a position in Forsyth-Edwards Notation is the
    /// default.
    pub(crate) fn or_game_of<'text>(&self, positions: impl IntoIterator<Item = &'text String>) -> Self {
        positions.into_iter().find_map(|text| registry::of_fen(text)).map_or_else(|| self.clone(), |row| self.or(row))
    }

    /// Returns the game, by default the registry's first.
    pub(crate) fn row(&self) -> &'static GameRow {
        self.game.unwrap_or(&GAMES[0])
    }

    /// Returns the name of the game, if it was given.
    pub fn name(&self) -> Option<&'static str> {
        self.game.map(|row| row.name)
    }

    /// Returns the game if it is outside the registry.
    pub(crate) fn outside(&self) -> Option<&'static Setup> {
        OWN.get().map(|own| &own.setup).filter(|setup| std::ptr::eq(setup.row(), self.row()))
    }

    /// Returns the options as given, name and value.
    pub(crate) fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// Refuses an option that is given twice.
    ///
    /// # Errors
    /// [`Error::BadOptions`] with its name.
    pub(crate) fn check_options(&self) -> Result<(), Error> {
        let twice = given_twice(self.options.iter().map(|(name, _)| name.as_str()));
        let error = |name| Error::BadOptions(format!("--option {} is given twice", harmless(name)));
        twice.map_or(Ok(()), |name| Err(error(name)))
    }

    /// Returns the setup with these options.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for the name of no option of the game, an option that is given twice and incompatible
    /// options, [`Error::BadValue`].
    pub fn setup(&self) -> Result<Setup, Error> {
        self.check_options()?;
        let row = self.row();
        let mut setup = self.outside().map_or_else(|| Setup::new(row), Setup::clone);
        for (name, value) in &self.options {
            if !row.defaults().has(name) {
                return Err(unknown(name, row));
            }
            setup.set(name, value)?;
        }
        setup.board(STARTPOS)?;
        Ok(setup)
    }
}

/// Returns the first name that comes again, whatever its case.
pub(super) fn given_twice<'a>(mut names: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    while let Some(name) = names.next() {
        if names.clone().any(|again| again.eq_ignore_ascii_case(name)) {
            return Some(name);
        }
    }
    None
}

/// Returns the error for an unknown option, with a suggestion.
fn unknown(name: &str, row: &GameRow) -> Error {
    let owners: Vec<_> = GAMES.iter().filter(|game| game.defaults().has(name)).map(|game| game.name).collect();
    let hint = match did_you_mean(name, row.options.iter().map(|option| option.name)) {
        _ if !owners.is_empty() => format!("; it is an option of {} (--game)", owners.join(" and ")),
        hint if hint.is_empty() => "; `secateurs games` lists the options of all games".into(),
        hint => hint,
    };
    Error::BadOptions(format!("unknown option {} of {}{hint}", Quoted::new(name), row.name))
}

/// The parser of a game's name, which a shell completes.
#[derive(Clone)]
struct GameName;

impl TypedValueParser for GameName {
    type Value = &'static GameRow;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        row.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(GAMES.iter().map(|game| PossibleValue::new(game.name))))
    }
}

fn row(name: &str) -> Result<&'static GameRow, Error> {
    let own = OWN.get().filter(|own| own.name == name);
    own.map_or_else(|| registry::find(name), |own| Ok(own.setup.row())).map_err(|error| match error {
        Error::UnknownGame(name, _) if name.to_string().contains(':') => {
            let hint = "; MODULE:NAME is a game in Python, for the command of the Python package: pip install secateurs, \
                        then python -m secateurs";
            Error::UnknownGame(name, hint.into())
        }
        error => error,
    })
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{} is not NAME=VALUE", Quoted::new(text)))?;
    Ok((name.trim().into(), value.trim().into()))
}

fn game_help() -> String {
    let names: Vec<_> = GAMES.iter().map(|row| row.name).collect();
    format!(
        "The game: {}; in the command of the Python package also MODULE:NAME, a game in Python [default: {}; for a FEN as the \
         argument, chess or xiangqi]",
        names.join(", "),
        GAMES[0].name
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::core::OptionKind;

    fn args(game: Option<&str>, options: &[&str]) -> GameArgs {
        let game = game.map(|name| row(name).unwrap());
        GameArgs { game, options: options.iter().map(|text| assignment(text).unwrap()).collect() }
    }

    #[test]
    fn arguments_before_and_after_the_subcommand_are_together() {
        let both = args(None, &["Seeds=3"]).with(&args(Some("kalah"), &["Houses=2"])).unwrap();
        assert_eq!(both.setup().unwrap().board("startpos").unwrap().text(), "<2,0,0,3,3,3,3> s");
        let error = args(Some("nim"), &[]).with(&args(Some("nim"), &[])).err().unwrap().to_string();
        assert_eq!(error, "--game is given twice");
    }

    #[test]
    fn an_option_is_given_once() {
        for again in [["Seeds=3", "seeds=4"], ["Seeds=3", "Seeds=3"]] {
            let error = args(None, &again).setup().err().unwrap().to_string();
            assert!(error.contains("--option Seeds is given twice"), "{error}");
            let [before, after] = again.map(|option| args(None, &[option]));
            assert_eq!(after.with(&before).unwrap().setup().err().unwrap().to_string(), error);
        }
    }

    /// Every other option is a matter of each player.
    #[test]
    fn options_that_are_rules_make_another_game() {
        for (game, rules, others) in [
            ("kalah", &["Houses=5", "seeds=3", "Capture=empty", "First=north"][..], &["KalahWeights=seed=1"][..]),
            ("nim", &["Heaps=1,2", "Misere=true", "MaxTake=3"], &["Theory=false"]),
            ("connect4", &["Columns=6", "Rows=7"], &[]),
            ("chess", &[], &["UCI_Chess960=true"]),
            ("checkers", &["DrawMoves=50", "Routes=together"], &["CheckersWeights=man=100"]),
            ("xiangqi", &["XiangqiFirstRank=0"], &[]),
            ("oware", &["OwareSeeds=3"], &[]),
            ("othello", &["BoardSize=6"], &[]),
            ("draughts", &[], &[]),
        ] {
            let setup = args(Some(game), &[]).setup().unwrap();
            let mut all = Vec::new();
            for (option, is_rule) in
                rules.iter().map(|rule| (rule, true)).chain(others.iter().map(|other| (other, false)))
            {
                let (name, value) = assignment(option).unwrap();
                assert_eq!(setup.other_game(&name, &value).is_some(), is_rule, "{option}");
                all.push(name.to_lowercase());
            }
            for (row, value) in setup.options().iter() {
                assert_eq!(setup.other_game(row.name, &value.to_string()), None, "{}", row.name);
                let is_file = matches!(row.kind, OptionKind::File | OptionKind::Folder);
                assert!(is_file || all.contains(&row.name.to_lowercase()), "{} is a rule or is none", row.name);
            }
        }
    }

    #[test]
    fn options_of_other_games_are_refused() {
        let setup = args(Some("NIM"), &["heaps=1,2"]).setup().unwrap();
        assert_eq!(setup.board(" startpos ").unwrap().text(), "1,2 1");
        for (option, wrong) in [
            ("Heapss=3", "\"Heapss\" of nim; did you mean Heaps?"),
            ("Houses=3", "\"Houses\" of nim; it is an option of kalah (--game)"),
            ("Heaps=x", "\"x\""),
        ] {
            let error = args(Some("nim"), &[option]).setup().err().unwrap().to_string();
            assert!(error.contains(wrong), "{error}");
        }
        assert!(args(None, &["Houses=12", "Seeds=144"]).setup().err().unwrap().to_string().contains("3456 seeds"));
        assert!(assignment("Houses").unwrap_err().contains("\"Houses\""));
    }

    #[test]
    fn moves_are_played_or_named() {
        let setup = args(None, &[]).setup().unwrap();
        let board = setup.board("startpos moves 3 1").unwrap();
        assert_eq!(board.history(), ["3", "1"]);
        assert_eq!(setup.board(&format!("{} moves", board.text())).unwrap().text(), board.text());
        assert!(setup.board("startpos moves 3 7").err().unwrap().to_string().contains("illegal move \"7\""));
        assert!(setup.board("moves 3").err().unwrap().to_string().contains("bad position \"\""));
    }
}
