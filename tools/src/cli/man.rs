//! `secateurs man`: writes the manual pages, a page for each subcommand, from the help that clap has.

use super::output::{self, Output};
use super::{Cli, Failure, Status};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use secateurs::core::Error;
use secateurs::store::Replacement;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

/// The arguments of `man`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// The folder for the pages, which is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

const EXAMPLES: &str = "\
The pages are secateurs.1 and one for each subcommand, such as secateurs-analyse.1.

Examples:
  secateurs man ~/.local/share/man/man1     for `man secateurs`
  secateurs man pages && man -l pages/secateurs-analyse.1";

/// Writes the pages, and names the first of them.
pub(super) fn run(args: &ManArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    out.outlive();
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|error| Error::file("create", folder, &error))?;
    let pages = pages()?;
    for (name, text) in &pages {
        Replacement::write_whole(&folder.join(name), text).map_err(Failure::Unsaved)?;
    }
    writeln!(out, "{} pages in {}", pages.len(), output::shown(folder))?;
    Ok(Status::Done)
}

/// Returns the name and the source of each page: the program's first, then those of the subcommands.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    // `secateurs help` needs no page.
    let mut root = Cli::command().disable_help_subcommand(true);
    // Gives the subcommands their names, as `secateurs-endgame-build`.
    root.build();
    let mut pages = Vec::new();
    add(&root, &mut pages)?;
    Ok(pages)
}

fn add(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let man = Man::new(command.clone());
    let file = man.get_filename();
    let name = file.trim_end_matches(".1");
    // The library leaves an empty date out, and the next argument is then taken for it.
    let mut text = format!(".TH {name} 1 \"\" \"secateurs {}\"\n", env!("CARGO_PKG_VERSION")).into_bytes();
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    if let Some(end) = command.get_after_long_help().or(command.get_after_help()) {
        sections(&end.to_string()).to_writer(&mut text)?;
    }
    pages.push((file, text));
    command.get_subcommands().try_for_each(|subcommand| add(subcommand, pages))
}

/// Formats the end of a help: a line such as `Examples:` is the heading of a section, and indented lines stay as they
/// are, which the library would fill.
fn sections(end: &str) -> Roff {
    let mut roff = Roff::new();
    let (mut is_verbatim, mut is_apart) = (false, false);
    for (index, line) in end.lines().enumerate() {
        if line.is_empty() {
            is_apart = true;
            continue;
        }
        let indented = line.strip_prefix("  ");
        let heading = line.strip_suffix(':').filter(|_| indented.is_none());
        if is_verbatim && indented.is_none() {
            roff.control("EE", []);
        }
        if heading.is_some() || index == 0 {
            roff.control("SH", [heading.unwrap_or("Notes").to_uppercase().as_str()]);
        } else if is_apart {
            roff.control("PP", []);
        }
        if indented.is_some() && !is_verbatim {
            roff.control("EX", []);
        }
        if heading.is_none() {
            roff.text([roman(indented.unwrap_or(line))]);
        }
        (is_verbatim, is_apart) = (indented.is_some(), false);
    }
    if is_verbatim {
        roff.control("EE", []);
    }
    roff
}
