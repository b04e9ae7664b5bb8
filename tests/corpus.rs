//! Everything in the corpus of the fuzz targets passes their checks (docs/fuzzing.md).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "all of it is tests")]

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::io::Write;
use std::path::Path;
use std::{fs, io, panic, process};

/// One test, for the hook is the process's: a panic on a thread of a dialogue would leave the dialogue waiting.
#[test]
fn replay() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for folder in fs::read_dir(corpus).unwrap() {
        let folder = folder.unwrap();
        let target = folder.file_name().into_string().unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            let data = fs::read(&path).unwrap();
            panic::set_hook(Box::new(move |reason| {
                let _ = writeln!(io::stderr(), "{}: {reason}", path.display());
                process::abort();
            }));
            match target.as_str() {
                "command" => targets::command::check(&data),
                "dialogue" => targets::dialogue::check(&data),
                game => targets::game::check(game, &data),
            }
        }
    }
    let _ = panic::take_hook();
}
