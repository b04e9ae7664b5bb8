//! Writes the games of a match as PGN and CSV, game by game, and as a page at its end.

use super::MatchArgs;
use super::contestant::Description;
use crate::arena::Tournament;
use crate::arena::export::{self, Occasion};
use crate::arena::record::GameRecord;
use crate::cli::output::{FileKind, OutputFile, check_log, check_named};
use crate::report::{self, Report};
use secateurs::core::Error;
use secateurs::registry::Setup;
use secateurs::store::FreshFile;
use secateurs::store::paths;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

/// The export files of a match. Each is opened before the first game, and truncated only when a game is written.
pub struct Outputs<'a> {
    files: Vec<Output<'a>>,
    /// The games of an earlier run.
    taken_over: Vec<GameRecord>,
    /// The page, with all games for it.
    page: Option<(OutputFile<'a>, Vec<GameRecord>)>,
}

/// The format of an export file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Pgn,
    Csv,
}

struct Output<'a> {
    format: Format,
    occasion: Occasion<'a>,
    file: FreshFile,
}

/// Refuses paths that the match would write to twice, or both read and write, and files of another kind.
///
/// # Errors
/// [`Error::BadOptions`] with both arguments, or [`Error::BadFile`].
pub(crate) fn check_paths(args: &MatchArgs, engines: &[Description]) -> Result<(), Error> {
    // An engine may create the file that an option names.
    let files: Vec<_> = engines.iter().flat_map(|engine| engine.spec.files()).collect();
    let mut inputs = paths::listed("an engine", &files);
    inputs.push(("--openings", args.openings.as_deref()));
    let outputs = [
        ("--record", args.record.as_deref()),
        ("--pgn", args.pgn.as_deref()),
        ("--csv", args.csv.as_deref()),
        ("--report", args.report.as_deref()),
        ("--transcript", args.transcript.as_deref()),
    ];
    let appended: Vec<_> = engines.iter().map(|engine| ("stderr=", engine.spec.stderr.as_deref())).collect();
    check_named(&outputs)?;
    paths::check_appended(&inputs, &outputs, &appended)?;
    appended.into_iter().try_for_each(|(argument, path)| check_log(argument, path))?;
    FileKind::Pgn.check("--pgn", args.pgn.as_deref())?;
    FileKind::Csv.check("--csv", args.csv.as_deref())?;
    FileKind::Html.check("--report", args.report.as_deref())?;
    FileKind::Dialogue.check("--transcript", args.transcript.as_deref())
}

impl<'a> Outputs<'a> {
    /// Opens the files that the arguments name.
    ///
    /// # Errors
    /// [`Error::File`] for the first that cannot be written.
    pub(crate) fn open(args: &'a MatchArgs, header: &'a Value) -> Result<Self, Error> {
        let named = [(Format::Pgn, &args.pgn), (Format::Csv, &args.csv)];
        let named = named.into_iter().filter_map(|(format, path)| Some((format, path.as_deref()?)));
        let occasion = Occasion { event: &args.event, site: &args.site, header: Some(header) };
        let files = named.map(|(format, path)| Output::open(format, occasion, path)).collect::<Result<_, _>>()?;
        let page = args.report.as_deref().map(OutputFile::new).transpose()?;
        Ok(Self { files, taken_over: Vec::new(), page: page.map(|page| (page, Vec::new())) })
    }

    /// Adopts the games of an earlier run: they come first in each file.
    pub(crate) fn take_over(&mut self, records: &[GameRecord]) {
        if let Some((_, kept)) = &mut self.page {
            kept.extend_from_slice(records);
        }
        if !self.files.is_empty() {
            self.taken_over = records.to_vec();
            self.taken_over.sort_by_key(|record| record.number);
        }
    }

    /// Writes a game to each file.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(crate) fn add(&mut self, setup: &Setup, record: &GameRecord) -> Result<(), Error> {
        if let Some((_, kept)) = &mut self.page {
            kept.push(record.clone());
        }
        self.begin(setup)?;
        self.files.iter_mut().try_for_each(|file| file.write(setup, std::slice::from_ref(record)))
    }

    /// Writes the page of all games so far.
    ///
    /// # Errors
    /// [`Error::File`]; an older page is then as before.
    pub(crate) fn report(&self, tournament: &Tournament, header: &Value) -> Result<(), Error> {
        let Some((file, records)) = &self.page else { return Ok(()) };
        let page = Report {
            header,
            setup: &tournament.setup,
            records,
            planned: Some(tournament.schedule.games()),
            test: tournament.test.as_ref(),
        };
        file.write(|out| report::write(&page, out))
    }

    /// Starts the files without a game.
    ///
    /// # Errors
    /// [`Error::File`].
    pub(crate) fn begin(&mut self, setup: &Setup) -> Result<(), Error> {
        let Self { files, taken_over, .. } = self;
        files.iter_mut().filter(|file| !file.file.is_begun()).try_for_each(|file| file.begin(setup, taken_over))
    }
}

impl<'a> Output<'a> {
    fn open(format: Format, occasion: Occasion<'a>, path: &Path) -> Result<Self, Error> {
        Ok(Self { format, occasion, file: FreshFile::open(path)? })
    }

    fn begin(&mut self, setup: &Setup, taken_over: &[GameRecord]) -> Result<(), Error> {
        self.file.begin().map_err(|error| Error::file("write", self.file.path(), &error))?;
        if self.format == Format::Csv {
            self.append(export::csv_head)?;
        }
        self.write(setup, taken_over)
    }

    fn write(&mut self, setup: &Setup, records: &[GameRecord]) -> Result<(), Error> {
        let Self { format, occasion, .. } = *self;
        records.iter().try_for_each(|record| {
            self.append(|out| match format {
                Format::Pgn => export::pgn(occasion, record, setup, out),
                Format::Csv => export::csv_row(record, out),
            })
        })
    }

    /// Writes a game whole or not at all.
    fn append(&mut self, contents: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<(), Error> {
        let mut text = Vec::new();
        let written = contents(&mut text).and_then(|()| self.file.write_all(&text));
        written.map_err(|error| Error::file("write", self.file.path(), &error))
    }
}
