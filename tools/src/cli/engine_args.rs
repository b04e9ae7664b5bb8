//! The arguments that many subcommands share: the limits of a search, its threads, and its table.

use super::time::TimeArgs;
use clap::value_parser;
use secateurs::core::{Error, Limits, StopFlag};
use secateurs::engine::Board;
use secateurs::search::{Table, cpu};
use secateurs::store::FileLock;
use secateurs::tables;
use std::path::Path;
use std::sync::Arc;

/// The limits of each search: `DEPTH` plies if none is given.
#[derive(clap::Args, Clone, Debug)]
pub struct LimitArgs<const DEPTH: u8> {
    #[arg(short, long, value_name = "PLIES", value_parser = value_parser!(u8).range(1..))]
    #[arg(help = format!("Search to this depth, plies: 1 to 255 [default: {DEPTH}, if there is no other limit]"))]
    depth: Option<u8>,
    /// Stop each search after N nodes
    #[arg(short, long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The time of each search.
    #[command(flatten)]
    time: TimeArgs,
}

impl<const DEPTH: u8> LimitArgs<DEPTH> {
    /// Returns the limits, with another one of the subcommand: a win within `mate` full moves.
    pub(crate) fn limits(&self, mate: Option<u16>) -> Limits {
        let Self { depth, nodes, time } = self;
        let limits = Limits { depth: *depth, nodes: *nodes, movetime: time.limit(), mate, clock: None };
        if limits.is_finite() { limits } else { Limits::depth(DEPTH) }
    }
}

/// The size of the transposition table, by default `MIB`.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct HashArgs<const MIB: u64> {
    /// Size of the transposition table, MiB
    #[arg(long, value_name = "MIB", default_value = MIB.to_string(), value_parser = value_parser!(u64).range(1..))]
    hash: u64,
}

impl<const MIB: u64> HashArgs<MIB> {
    /// Allocates the table.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub(crate) fn table(self) -> Result<Arc<Table>, Error> {
        Table::new(usize::try_from(self.hash).unwrap_or(usize::MAX)).map(Arc::new)
    }
}

/// The threads and the table of a search.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct EngineArgs<const MIB: u64> {
    /// Number of search threads; with 1, a search to a depth or a number of nodes is reproducible
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The table.
    #[command(flatten)]
    pub hash: HashArgs<MIB>,
}

impl<const MIB: u64> EngineArgs<MIB> {
    /// Returns the number of threads.
    pub fn threads(self) -> usize {
        self.threads.into()
    }

    /// Allocates the table and brings it into memory; warns of more threads than the machine has.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`].
    pub fn table(self) -> Result<Arc<Table>, Error> {
        let table = self.hash.table()?;
        table.touch();
        cpu::too_many(self.threads()).inspect(|warning| log::warn!("{warning}"));
        Ok(table)
    }
}

/// Locks the file to which a table will be saved, and loads the table from another or the same one. Returns the lock;
/// `None` if Ctrl-C came first: a table that was loaded in part must not replace the whole one.
///
/// # Errors
/// Another process writes the file, or it is not a table; those of [`tables::load`].
pub(super) fn load_table(
    table: &Arc<Table>,
    board: &dyn Board,
    [load, save]: [Option<&Path>; 2],
    stop: &StopFlag,
) -> Result<Option<Option<FileLock>>, Error> {
    if load.or(save).is_some() {
        // Refused before the search.
        tables::identity(board)?;
    }
    let lock = save.map(FileLock::new).transpose()?;
    save.map_or(Ok(()), |path| tables::check_replaced(path, board))?;
    let loaded =
        load.map_or(Ok(Some(())), |path| tables::load(table, board, path, stop).map(|found| found.map(drop)))?;
    Ok(loaded.map(|()| lock))
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use clap::CommandFactory;

    #[test]
    fn each_command_has_its_own_default_size_of_the_table() {
        let cli = Cli::command();
        for (words, mib) in [
            (&["analyse"][..], "16"),
            (&["solve"], "64"),
            (&["tree"], "16"),
            (&["play"], "64"),
            (&["compare"], "16"),
            (&["book", "build"], "256"),
        ] {
            let command = words.iter().fold(&cli, |command, word| command.find_subcommand(word).unwrap());
            let hash = command.get_arguments().find(|argument| argument.get_long() == Some("hash")).unwrap();
            assert_eq!(hash.get_default_values(), [mib], "{words:?}");
        }
    }
}
