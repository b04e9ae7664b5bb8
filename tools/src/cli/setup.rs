//! The game and its options, the same for every subcommand.

use secateurs::core::Error;
use secateurs::core::error::Quoted;
use secateurs::registry::{self, GAMES, GameRow, STARTPOS, Setup};
use secateurs::util::suggestion::did_you_mean;
use std::sync::OnceLock;

/// The game outside the registry of this command, by its name on the command line.
static OWN: OnceLock<(String, Setup)> = OnceLock::new();

/// Makes a game outside the registry known to this process, under a name for `--game`. There is one at most.
pub fn register(name: String, setup: Setup) {
    OWN.get_or_init(|| (name, setup));
}

/// The arguments that select a game.
#[derive(Clone, Default, clap::Args)]
pub struct GameArgs {
    #[arg(long, value_name = "NAME", value_parser = row, help = game_help())]
    game: Option<&'static GameRow>,
    /// Set a game option; may be repeated; `secateurs games` lists them
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = assignment)]
    options: Vec<(String, String)>,
}

impl GameArgs {
    /// Returns these arguments combined with those before the subcommand, which they override.
    pub(crate) fn overriding(&self, outer: &Self) -> Self {
        let options = outer.options.iter().chain(&self.options).cloned().collect();
        Self { game: self.game.or(outer.game), options }
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

    /// Returns the options as given, name and value.
    pub(crate) fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// Returns the setup with these options.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for the name of no option of the game and for incompatible options, [`Error::BadValue`].
    pub fn setup(&self) -> Result<Setup, Error> {
        let row = self.row();
        let own = OWN.get().map(|(_, setup)| setup).filter(|setup| std::ptr::eq(setup.row(), row));
        let mut setup = own.map_or_else(|| Setup::new(row), Setup::clone);
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

fn row(name: &str) -> Result<&'static GameRow, Error> {
    let own = OWN.get().filter(|(own, _)| own == name);
    own.map_or_else(|| registry::find(name), |(_, setup)| Ok(setup.row()))
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("{} is not NAME=VALUE", Quoted::new(text)))?;
    Ok((name.trim().into(), value.trim().into()))
}

fn game_help() -> String {
    let names: Vec<_> = GAMES.iter().map(|row| row.name).collect();
    format!("The game: {} [default: {}; for a FEN as the argument, chess or xiangqi]", names.join(", "), GAMES[0].name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(game: Option<&str>, options: &[&str]) -> GameArgs {
        let game = game.map(|name| row(name).unwrap());
        GameArgs { game, options: options.iter().map(|text| assignment(text).unwrap()).collect() }
    }

    #[test]
    fn arguments_after_the_subcommand_come_last() {
        let both = args(None, &["Seeds=3"]).overriding(&args(Some("nim"), &["Seeds=5", "Houses=2"]));
        assert_eq!(both.row().name, "nim");
        let kalah = GameArgs { game: None, ..both };
        assert_eq!(kalah.setup().unwrap().board("startpos").unwrap().text(), "<2,0,0,3,3,3,3> s");
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
