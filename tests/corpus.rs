//! The inputs of the fuzz targets pass their checks (docs/fuzzing.md): the named seeds, and the inputs that fuzzing
//! found.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "all of it is tests")]

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::io::Write;
use std::path::Path;
use std::{fs, io, panic, process};

/// A single test, as the panic hook is global: a panic on a thread of a dialogue would leave the dialogue waiting.
#[test]
fn replay() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for folder in fs::read_dir(fuzz.join("seeds")).unwrap() {
        let folder = folder.unwrap();
        let target = folder.file_name().into_string().unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            check(&target, &path.display().to_string(), &fs::read(&path).unwrap());
        }
        let packed = fuzz.join("inputs").join(&target).with_extension("txt");
        for (index, line) in fs::read_to_string(&packed).unwrap().lines().enumerate() {
            check(&target, &format!("{}:{}", packed.display(), index + 1), &unpacked(line));
        }
    }
    let _ = panic::take_hook();
}

fn check(target: &str, name: &str, data: &[u8]) {
    let name = name.to_owned();
    panic::set_hook(Box::new(move |reason| {
        let _ = writeln!(io::stderr(), "{name}: {reason}");
        process::abort();
    }));
    match target {
        "command" => targets::command::check(data),
        "dialogue" => targets::dialogue::check(data),
        game => targets::game::check(game, data),
    }
}

/// Returns the bytes of a line packed by `fuzz/inputs.py`.
fn unpacked(line: &str) -> Vec<u8> {
    let mut data = Vec::new();
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        data.push(match byte {
            b'\\' => match bytes.next().unwrap() {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => [16, 1].map(|place| place * hex_digit(bytes.next().unwrap())).iter().sum(),
                other => other,
            },
            byte => byte,
        });
    }
    data
}

fn hex_digit(byte: u8) -> u8 {
    char::from(byte).to_digit(16).unwrap().try_into().unwrap()
}

#[test]
fn packed_lines_are_bytes() {
    assert_eq!(unpacked(r"go\n\\n\t\xff\x00 \r"), b"go\n\\n\t\xff\x00 \r");
}
